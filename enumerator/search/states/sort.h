/* The order of states in the log: by their values, column by column (see rsp_value_compare). */
#ifndef RSP_ENUMERATOR_SEARCH_STATES_SORT_H
#define RSP_ENUMERATOR_SEARCH_STATES_SORT_H

#include "enumerator/terms/term.h"
#include "base/budget.h"

/* Sorts order[0 … n-1], numbers of states (rows of `width` values), in ascending order; equal ones
 * keep their order. FALSE if the budget is exhausted first. */
gboolean states_sort (const RspValue *const *states, guint n, guint width, RspBudget *budget,
                      guint *order);

#endif
