/* Lists orders one by one, as simply as possible: the naive engine is what the other is compared
 * with. */
#include "enumerator/search/naive/orders.h"

/* ---- Total orders ---- */

/* Places one more event after those placed. */
static void extend (const Orders *orders) {
  const RspMatrix *set = orders->set;
  if (rsp_matrix_equal (orders->placed, set)) {
    orders->visit (orders->data);
    return;
  }
  for (all_bits (event, set->bits, set->words)) {
    if (rsp_set_has (orders->placed, event))
      continue;
    if (!search_tick (orders->search))
      return;
    for (all_bits (before, orders->placed->bits, set->words))
      rsp_matrix_add (orders->order, before, event);
    rsp_set_add (orders->placed, event);
    extend (orders);
    rsp_matrix_remove (orders->placed, 0, event);
    for (all_bits (before, orders->placed->bits, set->words))
      rsp_matrix_remove (orders->order, before, event);
  }
}

/* ---- Partial orders ---- */

/* Is the order transitive on these events? */
static gboolean is_transitive (const RspMatrix *order, const guint *events, guint n) {
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      for (guint k = 0; k < n && rsp_matrix_get (order, events[i], events[j]); k++)
        if (rsp_matrix_get (order, events[j], events[k])
            && !rsp_matrix_get (order, events[i], events[k]))
          return FALSE;
  return TRUE;
}

static void relate (const Orders *orders, const guint *events, guint n, guint i, guint j);

static void relate_with (const Orders *orders, const guint *events, guint n, guint i, guint j,
                         guint a, guint b) {
  rsp_matrix_add (orders->order, events[a], events[b]);
  relate (orders, events, n, i + 1, j);
  rsp_matrix_remove (orders->order, events[a], events[b]);
}

/* Relates events i and j, i < j, in each way, after all pairs before (i, j). */
static void relate (const Orders *orders, const guint *events, guint n, guint i, guint j) {
  if (!search_tick (orders->search))
    return;
  if (i == j) {
    if (!is_transitive (orders->order, events, MIN (j + 1, n)))
      return;
    if (j + 1 >= n)
      orders->visit (orders->data);
    else
      relate (orders, events, n, 0, j + 1);
    return;
  }
  relate_with (orders, events, n, i, j, i, j);
  relate_with (orders, events, n, i, j, j, i);
  if (!rsp_matrix_get (orders->related, events[i], events[j]))
    relate (orders, events, n, i + 1, j);
}

static void list_partial (const Orders *orders) {
  guint n = 0;
  g_autofree guint *events = g_new (guint, rsp_matrix_count (orders->set) + 1);
  for (all_bits (event, orders->set->bits, orders->set->words))
    if (!rsp_set_has (orders->placed, event)) {
      for (all_bits (before, orders->placed->bits, orders->set->words))
        rsp_matrix_add (orders->order, before, event);
      events[n++] = event;
    }
  relate (orders, events, n, 0, 0);
  for (guint i = 0; i < n; i++)
    for (all_bits (before, orders->placed->bits, orders->set->words))
      rsp_matrix_remove (orders->order, before, events[i]);
}

void orders_each (const Orders *orders) {
  if (orders->related)
    list_partial (orders);
  else
    extend (orders);
}
