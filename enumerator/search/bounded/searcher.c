/* Searchers: opening and closing them with their parts, and questions that all parts ask. */
#include "enumerator/search/bounded/searcher.h"
#include "enumerator/search/bounded/report/account.h"
#include "enumerator/search/bounded/flags.h"
#include "enumerator/search/bounded/share/common.h"
#include "enumerator/search/bounded/share/numbers.h"
#include "enumerator/search/bounded/values/constraints.h"
#include "enumerator/search/bounded/values/known.h"

enum {
  ROWS_PER_LOOK = 1024, /* rows of results between checks of the clock */
  ROWS_AT_END = 256     /* rows of a node that are kept once the time is over */
};

static void find_writes (Searcher *s) {
  const RspPreExecution *pre = s->pre;
  s->writes = rsp_arena_new0 (s->arena, RspMatrix *, pre->program->n_locations);
  for (guint i = 0; i < pre->program->n_locations; i++)
    s->writes[i] = rsp_set_new (s->arena, s->n);
  for (all_bits (e, pre->base->sets[RSP_BASE_SET_W]->bits, s->words))
    rsp_set_add (s->writes[pre->events[e]->location], e);
}

static void find_related (Searcher *s) {
  s->related = rsp_arena_new0 (s->arena, const RspMatrix *, RSP_LEAF_ORDER + s->model->n_orders);
  s->related[RSP_LEAF_CO] = s->pre->related_writes;
  for (guint i = 0; i < s->model->n_orders; i++)
    s->related[RSP_LEAF_ORDER + i] = s->model->orders[i].related;
}

gboolean searcher_open (Searcher *s) {
  s->arena = rsp_arena_new_within (s->search->budget);
  s->n = s->pre->n;
  s->words = s->pre->candidates->words;
  find_writes (s);
  find_related (s);
  flags_open (s);
  known_open (s);
  constraints_open (s);
  numbers_open (s);
  account_open (s);
  s->forced = g_array_new (FALSE, FALSE, sizeof (RspForced));
  s->bounds = rsp_bounds_new (s->model, s->pre->rf, s->pre->co, s->arena);
  if (!s->bounds) {
    searcher_close (s);
    return FALSE;
  }
  s->candidates = rsp_bounds_inverse_hi (s->bounds, RSP_LEAF_RF, 0);
  return TRUE;
}

void searcher_close (Searcher *s) {
  rsp_bounds_free (s->bounds);
  g_array_unref (s->forced);
  numbers_close (s);
  rsp_arena_free (s->arena);
}

guint searcher_push (Searcher *s) {
  s->depth++;
  rsp_bounds_push (s->bounds);
  return known_mark (s);
}

void searcher_pop (Searcher *s, guint values) {
  rsp_bounds_pop (s->bounds);
  known_undo (s, values);
  s->depth--;
}

gboolean has_open_axiom (const Searcher *s) {
  for (guint i = 0; i < s->model->n_axioms; i++)
    if (rsp_bounds_is_followed (s->bounds, i))
      return TRUE;
  return FALSE;
}

gboolean may_add (Searcher *s, guint row) {
  if (row % ROWS_PER_LOOK == 0)
    rsp_budget_is_exhausted (s->search->budget);
  return rsp_budget_stop (s->search->budget) == RSPCHECK_STOP_COMPLETE && !s->search->found;
}

gboolean may_pass_on (Searcher *s, guint row) {
  return may_add (s, row)
         || (rsp_budget_stop (s->search->budget) == RSPCHECK_STOP_TIMEOUT && row < ROWS_AT_END
             && !s->search->exists_only);
}

gboolean may_be_last (const Searcher *s, const RspMatrix *writes, guint write) {
  const guint64 *after = rsp_bounds_lo (s->bounds, RSP_LEAF_CO, write);
  for (guint w = 0; w < s->words; w++)
    if (after[w] & writes->bits[w])
      return FALSE;
  return TRUE;
}

const RspMatrix *searcher_ordered_with (const Searcher *s, guint leaf, guint event) {
  return leaf == RSP_LEAF_CO ? s->writes[s->pre->events[event]->location]
                             : s->model->orders[leaf - RSP_LEAF_ORDER].set;
}

gboolean reads_are_decided (const Searcher *s) {
  for (guint i = 0; i < s->pre->n_reads; i++)
    if (is_open_read (s, s->pre->reads[i]))
      return FALSE;
  return TRUE;
}

gboolean is_finished (const Searcher *s) {
  return s->answered || g_atomic_int_get (&s->shared->done)
         || rsp_budget_stop (s->search->budget) != RSPCHECK_STOP_COMPLETE;
}
