#include "enumerator/search/bounded/cases/cases.h"
#include "enumerator/search/bounded/decide.h"
#include "enumerator/search/bounded/propagate.h"
#include "enumerator/search/bounded/share/common.h"
#include "enumerator/search/bounded/twins.h"

typedef struct Trial {
  Searcher searcher;
  const RspCases *cases;
} Trial;

static gboolean holds_from_here (Trial *trial);

static gboolean is_open_pair (const Searcher *s, guint leaf, guint a, guint b) {
  return rsp_row_has (rsp_bounds_hi (s->bounds, leaf, a), b)
         && !rsp_row_has (rsp_bounds_lo (s->bounds, leaf, a), b);
}

/* ---- One more decision ---- */

/* Of writes that are the same but for the names of exchangeable threads, one is enough. */
static void drop_twins (const Searcher *s, Choice *choice) {
  guint twin[s->n + 1];
  if (!s->search->class)
    return;
  twins_find (s, choice, twin);
  for (all_bits (write, choice->set, s->words))
    if (twin[write] != write)
      choice->set[write / 64] &= ~(G_GUINT64_CONSTANT (1) << (write % 64));
}

static gboolean holds_of_read (Trial *trial, guint read) {
  Searcher *s = &trial->searcher;
  guint64 set[s->words];
  Choice choice = { .kind = CHOICE_READ, .read = read, .set = set };
  for (guint w = 0; w < s->words; w++)
    set[w] = rsp_bounded_candidates (s, read)[w];
  drop_twins (s, &choice);
  gboolean holds = TRUE;
  for (all_bits (write, set, s->words)) {
    guint values = searcher_push (s);
    holds = holds && (!decide_source (s, write, read) || holds_from_here (trial));
    searcher_pop (s, values);
  }
  return holds;
}

typedef gboolean (*Decide) (Searcher *s, guint leaf, guint a, guint b);

static gboolean holds_in_order (Trial *trial, guint leaf, guint first, guint second,
                                Decide decide) {
  Searcher *s = &trial->searcher;
  guint values = searcher_push (s);
  gboolean holds = !decide (s, leaf, first, second) || holds_from_here (trial);
  searcher_pop (s, values);
  return holds;
}

/* ---- Which decision ---- */

static gboolean find_read (const Searcher *s, const guint *reads, guint n, gboolean rmw_only,
                           guint *read) {
  for (guint i = 0; i < n; i++) {
    *read = reads[i];
    if (is_open_read (s, *read) && (!rmw_only || s->pre->events[*read]->kind == RSP_EVENT_RMW))
      return TRUE;
  }
  return FALSE;
}

static guint source_of (const Searcher *s, guint read) {
  return rsp_next_bit (rsp_bounded_candidates (s, read), s->words, 0);
}

/* Of the writes that the reads of interest read from, which is decided. */
static gboolean find_pair_of_interest (const Trial *trial, guint *a, guint *b) {
  const RspCases *cases = trial->cases;
  for (guint i = 0; i < cases->n_reads; i++)
    for (guint j = 0; j < i; j++) {
      *a = source_of (&trial->searcher, cases->reads[i]);
      *b = source_of (&trial->searcher, cases->reads[j]);
      if (is_open_pair (&trial->searcher, RSP_LEAF_CO, *a, *b))
        return TRUE;
    }
  return FALSE;
}

static gboolean find_pair (const Searcher *s, guint *leaf, guint *a, guint *b) {
  for (*leaf = RSP_LEAF_CO; *leaf < RSP_LEAF_ORDER + s->model->n_orders; ++*leaf)
    for (*a = 0; *a < s->n; ++*a)
      for (*b = 0; *b < s->n; ++*b)
        if (is_open_pair (s, *leaf, *a, *b))
          return TRUE;
  return FALSE;
}

static gboolean holds_in_both_orders (Trial *trial, guint leaf, guint a, guint b) {
  return holds_in_order (trial, leaf, a, b, decide_order)
         && holds_in_order (trial, leaf, a, b, exclude_order);
}

/* Read-modify-writes come first: their order determines what the threads got (a ticket, a lock). */
static gboolean holds_further (Trial *trial) {
  const Searcher *s = &trial->searcher;
  const RspCases *cases = trial->cases;
  guint read, a, b, leaf;
  if (find_read (s, s->pre->reads, s->pre->n_reads, TRUE, &read)
      || find_read (s, cases->reads, cases->n_reads, FALSE, &read))
    return holds_of_read (trial, read);
  if (find_pair_of_interest (trial, &a, &b))
    return holds_in_both_orders (trial, RSP_LEAF_CO, a, b);
  if (find_read (s, s->pre->reads, s->pre->n_reads, FALSE, &read))
    return holds_of_read (trial, read);
  return find_pair (s, &leaf, &a, &b) && holds_in_both_orders (trial, leaf, a, b);
}

static gboolean holds_from_here (Trial *trial) {
  Searcher *s = &trial->searcher;
  if (!*trial->cases->left || rsp_budget_is_exhausted (s->search->budget))
    return FALSE;
  --*trial->cases->left;
  if (!propagate (s))
    return rsp_budget_stop (s->search->budget) == RSPCHECK_STOP_COMPLETE;
  return trial->cases->holds (s->bounds, trial->cases->data) || holds_further (trial);
}

gboolean cases_try (RspSearch *search, const RspStagedModel *model, const RspCases *cases) {
  Shared shared = { 0 };
  Trial trial
      = { .searcher = { .search = search, .pre = search->pre, .model = model, .shared = &shared },
          .cases = cases };
  if (!searcher_open (&trial.searcher))
    return FALSE;
  gboolean holds = !propagate_begin (&trial.searcher) || holds_from_here (&trial);
  searcher_close (&trial.searcher);
  return holds && rsp_budget_stop (search->budget) == RSPCHECK_STOP_COMPLETE;
}
