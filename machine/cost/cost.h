/* The cost of a transition system: what its executions pay for. */
#ifndef RSP_MACHINE_COST_COST_H
#define RSP_MACHINE_COST_COST_H

#include "machine/framework/search.h"

/* Over all executions that count: each is one interleaving. */
typedef struct RspCost
{
  double executions; /* how many; 0: the rest means nothing */
  guint32 least[RSP_N_BILL_ITEMS], most[RSP_N_BILL_ITEMS];
  double mean[RSP_N_BILL_ITEMS];
} RspCost;

/* Does the execution that ends in this state count? If NULL, all do. */
typedef gboolean (*RspCostCounts) (gpointer user, RspBytes state);

/* Measures all executions in one pass, in the order of the states' progress, which the system must define.
 * Holds only the states that are known and not yet expanded, so it reaches further than a search.
 * options->breadth_first has no meaning here. FALSE if a limit ended the pass, the states violate an
 * invariant, or there are more executions than a double can count: *cost is unset then. */
gboolean rsp_cost_measure (const RspSystem *system, const RspSearchOptions *options,
                           RspCostCounts counts, gpointer user, RspCost *cost);

/* A line for each item from first up to end, "NAME LEAST MEAN MOST". */
void rsp_cost_format (const RspCost *cost, RspBillItem first, RspBillItem end, GString *out);

#endif
