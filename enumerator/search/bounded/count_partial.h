#pragma once

#include "base/budget.h"
#include "base/count.h"

enum {
  COUNT_PARTIAL_ELEMENTS = 10 /* the most elements that can be counted */
};

/* Strict partial orders of n elements: those that include `least`, are included in `most` and
 * relate each pair of `related` (symmetric). Row i has the elements after i, as bits. */
typedef struct PartialOrders {
  guint n;
  guint16 least[COUNT_PARTIAL_ELEMENTS], most[COUNT_PARTIAL_ELEMENTS],
      related[COUNT_PARTIAL_ELEMENTS];
} PartialOrders;

/* Per element the first one that it can be exchanged with: swapping the two changes nothing. */
void count_partial_classes (const PartialOrders *orders, guint8 *class_of);

/* The number of these orders. FALSE if there are too many kinds of them to count, or if the budget
 * is exhausted. */
gboolean count_partial (const PartialOrders *orders, RspBudget *budget, RspCount *count);
