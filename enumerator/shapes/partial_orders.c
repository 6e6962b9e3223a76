#include "enumerator/shapes/partial_orders.h"

/* Do the rows (after) or columns (before) of these events stay within the set? */
static gboolean is_closed (Grid order, guint events, guint set, gboolean after) {
  for (guint other = 0; other < 8; other++)
    for (guint e = 0; e < 8; e++)
      if ((events >> e & 1) && !(set >> other & 1)
          && (order & (after ? grid_pair (e, other) : grid_pair (other, e))))
        return FALSE;
  return TRUE;
}

/* May an event be put after those of one set and before those of another? */
static gboolean fits (Grid order, guint before, guint after) {
  for (guint e = 0; e < 8; e++)
    if ((before >> e & 1) && (grid_row (order, e) & after) != after)
      return FALSE;
  return is_closed (order, before, before, FALSE) && is_closed (order, after, after, TRUE);
}

static Grid put (Grid order, guint event, guint before, guint after) {
  for (guint e = 0; e < 8; e++) {
    order |= before >> e & 1 ? grid_pair (e, event) : 0;
    order |= after >> e & 1 ? grid_pair (event, e) : 0;
  }
  return order;
}

/* Adds one event after another to the order of those placed. */
static void extend (GArray *all, Grid order, guint placed, guint left) {
  if (!left) {
    g_array_append_val (all, order);
    return;
  }
  guint event = (guint) __builtin_ctz (left);
  for (guint before = 0; before <= placed; before++)
    for (guint after = 0; !(before & ~placed) && after <= placed; after++)
      if (!(after & ~placed) && !(before & after) && fits (order, before, after))
        extend (all, put (order, event, before, after), placed | 1u << event, left & (left - 1));
}

GArray *shape_partial_orders (guint set) {
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Grid));
  extend (all, 0, 0, set);
  return all;
}

gboolean shape_relates (Grid order, Grid related) {
  for (guint a = 0; a < 8; a++)
    for (guint b = 0; b < 8; b++)
      if ((related & grid_pair (a, b)) && !(order & (grid_pair (a, b) | grid_pair (b, a))))
        return FALSE;
  return TRUE;
}
