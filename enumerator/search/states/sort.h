/* The order of states in the log: by their values, column by column (see rsp_value_compare). */
#pragma once

#include "enumerator/terms/term.h"
#include "base/budget.h"

/* Sorts order[0 … n-1], numbers of states (rows of `width` values), in ascending order; equal ones
 * keep their order. FALSE if the budget is exhausted first. */
gboolean states_sort (const RspValue *const *states, guint n, guint width, RspBudget *budget,
                      guint *order);
