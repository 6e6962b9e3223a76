/* Propagation to a fixpoint: candidates, coherence, values, path constraints, and pairs that the
 * model's open axioms force. */
#include "enumerator/search/bounded/propagate.h"
#include "enumerator/search/bounded/report/account.h"
#include "enumerator/search/bounded/decide.h"
#include "enumerator/search/bounded/values/constraints.h"
#include "enumerator/search/bounded/values/known.h"

enum {
  PAIRS_PER_LOOK = 64 /* pairs decided between checks of the clock */
};

/* Decides the reads with only one candidate. FALSE if a read has none. */
static gboolean decide_single_candidates (Searcher *s) {
  for (guint i = 0; i < s->pre->n_reads; i++) {
    guint read = s->pre->reads[i];
    const guint64 *candidates = rsp_bounded_candidates (s, read);
    guint write = rsp_next_bit (candidates, s->words, 0);
    if (write == G_MAXUINT)
      return FALSE;
    if (!rsp_row_has_several (candidates, s->words)
        && !rsp_row_has (rsp_bounds_inverse_lo (s->bounds, RSP_LEAF_RF, read), write))
      rsp_bounds_decide (s->bounds, RSP_LEAF_RF, write, read);
  }
  return TRUE;
}

static gboolean propagate_values (Searcher *s) {
  gboolean changed = TRUE;
  while (changed) {
    changed = FALSE;
    if (!decide_single_candidates (s))
      return FALSE;
    if (known_follow (s) && !constraints_check (s, &changed))
      return FALSE;
  }
  return TRUE;
}

static gboolean prune (Searcher *s, guint why) {
  account_pruned (s, why);
  return FALSE;
}

gboolean propagate_begin (Searcher *s) {
  gboolean changed = FALSE;
  known_begin (s);
  return constraints_check (s, &changed) || prune (s, s->model->n_axioms + PRUNED_BY_VALUES);
}

static gboolean apply_to_rf (Searcher *s, const RspForced *pair) {
  if (pair->required)
    return decide_source (s, pair->a, pair->b);
  if (rsp_row_has (rsp_bounds_lo (s->bounds, RSP_LEAF_RF, pair->a), pair->b))
    return FALSE; /* another axiom requires it */
  if (rsp_row_has (rsp_bounds_hi (s->bounds, RSP_LEAF_RF, pair->a), pair->b))
    rsp_bounds_exclude (s->bounds, RSP_LEAF_RF, pair->a, pair->b);
  return TRUE;
}

static gboolean apply_forced (Searcher *s) {
  for (guint i = 0; i < s->forced->len; i++) {
    RspForced pair = g_array_index (s->forced, RspForced, i);
    if (i % PAIRS_PER_LOOK == PAIRS_PER_LOOK - 1 && rsp_budget_is_exhausted (s->search->budget))
      return FALSE;
    gboolean possible = pair.leaf == RSP_LEAF_RF ? apply_to_rf (s, &pair)
                        : pair.required          ? decide_order (s, pair.leaf, pair.a, pair.b)
                                                 : exclude_order (s, pair.leaf, pair.a, pair.b);
    if (!possible)
      return FALSE;
  }
  return TRUE;
}

gboolean propagate (Searcher *s) {
  for (guint why = PRUNED_BY_VALUES;; why = PRUNED_BY_FORCED) {
    if (!propagate_values (s))
      return prune (s, s->model->n_axioms + why);
    if (!rsp_bounds_update (s->bounds))
      return prune (s, rsp_bounds_broken (s->bounds));
    if (is_disabled (s, RSP_FEATURE_FORCE))
      return TRUE;
    g_array_set_size (s->forced, 0);
    rsp_bounds_force (s->bounds, s->forced);
    if (!s->forced->len)
      return TRUE;
    s->search->statistics->forced += s->forced->len;
    account_forced (s);
    if (!apply_forced (s))
      return prune (s, s->model->n_axioms + PRUNED_BY_FORCED);
  }
}
