/* Decisions on the base relations, each together with its consequences. */
#include "enumerator/search/bounded/decide.h"

gboolean
decide_order (Searcher *s, guint leaf, guint a, guint b)
{
  RspBounds *bounds = s->bounds;
  if (rsp_row_has (rsp_bounds_lo (bounds, leaf, a), b))
    return TRUE;
  if (!rsp_row_has (rsp_bounds_hi (bounds, leaf, a), b))
    return FALSE;
  /* Everything up to and including a comes before b and everything after it. */
  guint64 before[s->words], after[s->words];
  for (guint w = 0; w < s->words; w++)
    {
      before[w] = rsp_bounds_inverse_lo (bounds, leaf, a)[w];
      after[w] = rsp_bounds_lo (bounds, leaf, b)[w];
    }
  before[a / 64] |= G_GUINT64_CONSTANT (1) << (a % 64);
  after[b / 64] |= G_GUINT64_CONSTANT (1) << (b % 64);
  for (all_bits (x, before, s->words))
    for (all_bits (y, after, s->words))
      {
        if (rsp_row_has (rsp_bounds_lo (bounds, leaf, x), y))
          continue;
        rsp_bounds_decide (bounds, leaf, x, y);
        rsp_bounds_exclude (bounds, leaf, y, x);
      }
  return TRUE;
}

gboolean
decide_source (Searcher *s, guint write, guint read)
{
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
