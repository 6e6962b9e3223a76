/* Detects recursive definitions that are not monotone and never settle. The values of a round
 * determine those of the next, and there are finitely many, so a definition settles or returns to
 * earlier values. Brent's algorithm keeps the values of one round, at ever longer intervals, and
 * compares every later round with them. (R. P. Brent, An improved Monte Carlo factorization
 * algorithm, BIT 20, 1980.) */
#pragma once

#include "model/matrix.h"

typedef struct RspCycle {
  RspArena *arena; /* NULL while nothing is kept */
  RspMatrix **kept;
  gsize round, next; /* rounds so far, and the round after which values are kept next */
} RspCycle;

/* To be called after each round, with the n values. TRUE if they equal the kept ones. */
gboolean rsp_cycle_closes (RspCycle *cycle, RspMatrix *const *values, guint n);
void rsp_cycle_clear (RspCycle *cycle);
