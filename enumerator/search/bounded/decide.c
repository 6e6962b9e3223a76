/* Decisions on the base relations, each together with its consequences. */
#include "enumerator/search/bounded/decide.h"

/* A set of events: `row` and one more. */
static void copy_with (const Searcher *s, const guint64 *row, guint event, guint64 *set) {
  for (guint w = 0; w < s->words; w++)
    set[w] = row[w];
  set[event / 64] |= G_GUINT64_CONSTANT (1) << (event % 64);
}

static gboolean may_precede (const Searcher *s, guint leaf, guint a, guint b) {
  return rsp_row_has (rsp_bounds_hi (s->bounds, leaf, a), b);
}

static gboolean precedes (const Searcher *s, guint leaf, guint a, guint b) {
  return rsp_row_has (rsp_bounds_lo (s->bounds, leaf, a), b);
}

/* In a partial order, what follows from x < y and the excluded pairs of x and y: if c cannot come
 * after x, it cannot come after y, and what cannot come before y cannot come before x. */
static gboolean exclude_around (Searcher *s, guint leaf, guint x, guint y) {
  const RspMatrix *all = searcher_ordered_with (s, leaf, x);
  for (all_bits (c, all->bits, s->words)) {
    if (c == x || c == y)
      continue;
    if ((!may_precede (s, leaf, x, c) && !exclude_order (s, leaf, y, c))
        || (!may_precede (s, leaf, c, y) && !exclude_order (s, leaf, c, x)))
      return FALSE;
  }
  return TRUE;
}

gboolean decide_order (Searcher *s, guint leaf, guint a, guint b) {
  RspBounds *bounds = s->bounds;
  if (precedes (s, leaf, a, b))
    return TRUE;
  /* Everything up to and including a comes before b and everything after it. */
  guint64 before[s->words], after[s->words];
  copy_with (s, rsp_bounds_inverse_lo (bounds, leaf, a), a, before);
  copy_with (s, rsp_bounds_lo (bounds, leaf, b), b, after);
  for (all_bits (x, before, s->words))
    for (all_bits (y, after, s->words)) {
      if (precedes (s, leaf, x, y))
        continue;
      if (!may_precede (s, leaf, x, y))
        return FALSE;
      rsp_bounds_decide (bounds, leaf, x, y);
      rsp_bounds_exclude (bounds, leaf, y, x);
    }
  for (all_bits (x, before, s->words))
    for (all_bits (y, after, s->words))
      if (s->related[leaf] && !exclude_around (s, leaf, x, y))
        return FALSE;
  return TRUE;
}

gboolean exclude_order (Searcher *s, guint leaf, guint a, guint b) {
  if (!s->related[leaf] || rsp_matrix_get (s->related[leaf], a, b))
    return decide_order (s, leaf, b, a);
  if (!may_precede (s, leaf, a, b))
    return TRUE;
  guint64 after[s->words], before[s->words];
  copy_with (s, rsp_bounds_lo (s->bounds, leaf, a), a, after);
  copy_with (s, rsp_bounds_inverse_lo (s->bounds, leaf, b), b, before);
  if (rsp_row_has (after, b))
    return FALSE;
  rsp_bounds_exclude (s->bounds, leaf, a, b);
  for (all_bits (x, after, s->words))
    for (all_bits (y, before, s->words))
      if (!exclude_order (s, leaf, x, y))
        return FALSE;
  return TRUE;
}

gboolean decide_source (Searcher *s, guint write, guint read) {
  const guint64 *candidates = rsp_bounded_candidates (s, read);
  if (!rsp_row_has (candidates, write))
    return FALSE;
  guint64 others[s->words];
  for (guint w = 0; w < s->words; w++)
    others[w] = candidates[w];
  for (all_bits (other, others, s->words))
    if (other != write)
      rsp_bounds_exclude (s->bounds, RSP_LEAF_RF, other, read);
  if (!rsp_row_has (rsp_bounds_inverse_lo (s->bounds, RSP_LEAF_RF, read), write))
    rsp_bounds_decide (s->bounds, RSP_LEAF_RF, write, read);
  return TRUE;
}
