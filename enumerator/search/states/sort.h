/* The order of states in the log: by their values, column by column (see rsp_value_compare). */
#pragma once

#include "base/budget.h"
#include "enumerator/terms/term.h"

/* States as rows of numbers of values. */
typedef struct StateRows {
  const guint32 *numbers; /* n × stride, of which the first `width` of each row count */
  guint n, width, stride;
  const RspValue *values; /* by number */
  guint n_values;
} StateRows;

/* Sorts order[0 … n-1], indices of rows, in ascending order; equal ones keep their order. FALSE if
 * the budget is exhausted first. */
gboolean states_sort (const StateRows *rows, RspBudget *budget, guint *order);
