/* Does a recursive definition that is not monotone go round in a circle? Its values at one round
 * follow from those at the round before, and there are finitely many: so it settles, or comes back
 * to values that it had. Brent's algorithm: the values of some round are kept, those of a later and
 * later one, and compared with every round's since. (R. P. Brent, An improved Monte Carlo
 * factorization algorithm, BIT 20, 1980.) */
#ifndef RSP_CYCLE_H
#define RSP_CYCLE_H

#include "model/dag/cycle.h"
#include "model/matrix.h"

typedef struct RspCycle
{
  RspArena *arena; /* NULL while nothing is kept */
  RspMatrix **kept;
  gsize round, next; /* rounds so far, and that after which values are kept next */
} RspCycle;

/* After each round, with the n values. TRUE when they are those kept. */
gboolean rsp_cycle_closes (RspCycle *cycle, RspMatrix *const *values, guint n);
void rsp_cycle_clear (RspCycle *cycle);

#endif
