#pragma once

#include "extra/machine/machine.h"

/* ---- Costs ---------------------------------------------------------------------------------- */

/* Over all measured executions; each is one interleaving. */
typedef struct RspCost {
  double executions; /* their number; if 0, the rest is meaningless */
  guint32 least[RSP_N_BILL_ITEMS], most[RSP_N_BILL_ITEMS];
  double mean[RSP_N_BILL_ITEMS];
} RspCost;

/* Does the execution that ends in this state count? If NULL, all do. */
typedef gboolean (*RspCostCounts) (gpointer user, RspBytes state);

/* Measures all executions in one pass, in the order of the states' progress, which the system must
 * define. Keeps only the states that are known but not yet expanded, so it reaches further than a
 * search. With n_clocks, the critical path is the largest of the sums of the steps' cycles for that
 * many work-items. options->breadth_first is ignored, as are invariants. FALSE, with *cost unset,
 * if a limit ended the pass, or there are more executions than a double can count. */
gboolean rsp_cost_measure (const RspSystem *system, const RspSearchOptions *options, guint n_clocks,
                           RspCostCounts counts, gpointer user, RspCost *cost);

/* A line for each item from first up to end, "NAME LEAST MEAN MOST". */
void rsp_cost_format (const RspCost *cost, RspBillItem first, RspBillItem end, GString *out);

/* ---- Outlooks ------------------------------------------------------------------------------- */

/* What lies ahead of the point; the result lives as long as threads. */
const RspOutlook *rsp_threads_outlook (RspThreads *threads, guint thread, RspPoint point);
