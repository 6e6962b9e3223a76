/* Branching: which open decision to take next. */
#include "enumerator/search/bounded/branch.h"
#include "enumerator/search/bounded/decide.h"
#include "enumerator/search/bounded/values/demand.h"

#include <string.h>

static gboolean is_rmw (const Searcher *s, guint event) {
  return s->pre->events[event]->kind == RSP_EVENT_RMW;
}

/* The number of writes before one in co. */
static guint n_before (const Searcher *s, guint write) {
  return rsp_row_count (rsp_bounds_inverse_lo (s->bounds, RSP_LEAF_CO, write), s->words);
}

/* The write that comes right before one of choice->set, if that is the next. */
static guint last_before (const Searcher *s, guint next) {
  const guint64 *before = rsp_bounds_inverse_lo (s->bounds, RSP_LEAF_CO, next);
  guint n = rsp_row_count (before, s->words);
  for (all_bits (write, before, s->words))
    if (n_before (s, write) + 1 == n)
      return write;
  return G_MAXUINT;
}

/* Leaves out read-modify-writes that cannot read the write that they would follow, if the model is
 * known to demand it. Propagation would find that out for each of them and each decision about
 * other reads before. No alternative may be left. */
static void drop_strayed_updates (const Searcher *s, Choice *choice) {
  RspScreen *screen = s->search->screen;
  if (!screen || is_disabled (s, RSP_FEATURE_UPDATES))
    return;
  for (all_bits (next, choice->set, s->words)) {
    guint last = is_rmw (s, next) ? last_before (s, next) : G_MAXUINT;
    if (last != G_MAXUINT && !rsp_row_has (rsp_bounded_candidates (s, next), last)
        && rsp_screen_updates_follow (screen, s->pre->events[next]->location))
      choice->set[next / 64] &= ~(G_GUINT64_CONSTANT (1) << (next % 64));
  }
}

/* rest: the elements of `set` that are not yet ordered with some other element of it; set: those of
 * them that may be the first. FALSE if there are none. */
static gboolean find_next (const Searcher *s, guint leaf, const RspMatrix *elements,
                           Choice *choice) {
  memset (choice->rest, 0, sizeof (guint64) * s->words);
  gboolean any = FALSE;
  for (all_bits (x, elements->bits, s->words)) {
    const guint64 *lo = rsp_bounds_lo (s->bounds, leaf, x),
                  *hi = rsp_bounds_hi (s->bounds, leaf, x);
    gboolean open = FALSE;
    for (guint w = 0; w < s->words; w++)
      open |= (hi[w] & ~lo[w] & elements->bits[w]) != 0;
    if (open)
      choice->rest[x / 64] |= G_GUINT64_CONSTANT (1) << (x % 64);
    any |= open;
  }
  if (!any)
    return FALSE;
  memcpy (choice->set, choice->rest, sizeof (guint64) * s->words);
  for (all_bits (x, choice->rest, s->words))
    for (guint w = 0; w < s->words; w++)
      if (rsp_bounds_inverse_lo (s->bounds, leaf, x)[w] & choice->rest[w])
        choice->set[x / 64] &= ~(G_GUINT64_CONSTANT (1) << (x % 64));
  choice->kind = CHOICE_NEXT;
  choice->leaf = leaf;
  if (leaf == RSP_LEAF_CO)
    drop_strayed_updates (s, choice);
  return TRUE;
}

static void set_pair (const Searcher *s, Choice *choice, guint read, guint other) {
  choice->read = read;
  choice->other = other;
  memset (choice->set, 0, sizeof (guint64) * s->words);
  choice->set[read / 64] |= G_GUINT64_CONSTANT (1) << (read % 64);
  choice->set[other / 64] |= G_GUINT64_CONSTANT (1) << (other % 64);
}

/* A pair of a partial order that is not decided; FALSE if there is none. */
static gboolean find_pair (const Searcher *s, guint leaf, const RspMatrix *elements,
                           Choice *choice) {
  for (all_bits (x, elements->bits, s->words))
    for (all_bits (y, rsp_bounds_hi (s->bounds, leaf, x), s->words))
      if (!rsp_row_has (rsp_bounds_lo (s->bounds, leaf, x), y)) {
        choice->kind = CHOICE_PAIR;
        choice->leaf = leaf;
        set_pair (s, choice, x, y);
        return TRUE;
      }
  return FALSE;
}

static gboolean find_open (const Searcher *s, guint leaf, const RspMatrix *elements,
                           Choice *choice) {
  return s->related[leaf] ? find_pair (s, leaf, elements, choice)
                          : find_next (s, leaf, elements, choice);
}

/* Kinds of reads, as bits. */
enum { LOADS = 1, UPDATES = 2 };

/* Of a load that may read from one of choice->rest: the last of its other candidates in co.
 * G_MAXUINT if there is none. */
static guint last_settled (const Searcher *s, const Choice *choice, guint read) {
  guint settled = G_MAXUINT;
  gboolean waits = FALSE;
  if (is_rmw (s, read))
    return G_MAXUINT;
  for (all_bits (write, rsp_bounded_candidates (s, read), s->words))
    if (rsp_row_has (choice->rest, write))
      waits = TRUE;
    else if (settled == G_MAXUINT || n_before (s, write) > n_before (s, settled))
      settled = write;
  return waits ? settled : G_MAXUINT;
}

/* Of the open reads that may read from a write whose place in co is settled, while the places of
 * other writes they may read from (those of choice->rest) are not: the one whose last settled
 * candidate comes first. Read-modify-writes are left out: the next write decides them. */
static void find_settled_candidate (const Searcher *s, Choice *choice) {
  guint location = s->pre->events[rsp_next_bit (choice->rest, s->words, 0)]->location;
  guint earliest = G_MAXUINT;
  for (guint i = 0; i < s->pre->n_reads; i++) {
    guint read = s->pre->reads[i];
    guint settled
        = s->pre->events[read]->location == location ? last_settled (s, choice, read) : G_MAXUINT;
    if (settled == G_MAXUINT || n_before (s, settled) >= earliest)
      continue;
    earliest = n_before (s, settled);
    choice->kind = CHOICE_SPLIT;
    set_pair (s, choice, read, settled);
  }
}

/* Sweeps a contended location (open reads, several writes whose order is open) along its coherence:
 * which reads read from the writes placed so far, then which write is next. The residual problem
 * after each step depends on little of what came before, so the memo is most effective. kinds: of
 * the open reads that make a location contended. */
static gboolean choose_contended_location (const Searcher *s, guint kinds, Choice *choice) {
  const RspPreExecution *pre = s->pre;
  gboolean is_ordered[pre->program->n_locations + 1]; /* locations seen to be */
  memset (is_ordered, 0, sizeof is_ordered);
  for (guint i = 0; i < pre->n_reads; i++) {
    guint read = pre->reads[i], location = pre->events[read]->location;
    if (is_ordered[location] || !(kinds & (is_rmw (s, read) ? UPDATES : LOADS))
        || !is_open_read (s, read))
      continue;
    if (find_next (s, RSP_LEAF_CO, s->writes[location], choice)) {
      if (rsp_row_has_several (choice->set, s->words))
        find_settled_candidate (s, choice);
      return TRUE;
    }
    is_ordered[location] = TRUE;
  }
  return FALSE;
}

/* First locations for which open read-modify-writes contend: their order determines what the
 * threads get (a ticket, a lock, a task), and that determines what they may read elsewhere. */
static gboolean choose_contended (const Searcher *s, Choice *choice) {
  if (s->related[RSP_LEAF_CO]) /* there is no next write */
    return FALSE;
  if (is_disabled (s, RSP_FEATURE_UPDATES))
    return choose_contended_location (s, LOADS | UPDATES, choice);
  return choose_contended_location (s, UPDATES, choice)
         || choose_contended_location (s, LOADS, choice);
}

/* The open read with the fewest candidates, of those that are the first of their threads: what is
 * left is then the end of each thread, whichever way its beginning went, and the memo knows it. */
static gboolean choose_read (const Searcher *s, Choice *choice) {
  guint fewest = G_MAXUINT, last = RSP_NO_THREAD;
  for (guint i = 0; i < s->pre->n_reads; i++) {
    guint read = s->pre->reads[i], thread = s->pre->events[read]->thread;
    guint n = rsp_row_count (rsp_bounded_candidates (s, read), s->words);
    if (n > 1 && thread != last && n < fewest) {
      fewest = n;
      choice->read = read;
    }
    last = n > 1 ? thread : last;
  }
  if (fewest == G_MAXUINT)
    return FALSE;
  choice->kind = CHOICE_READ;
  memcpy (choice->set, rsp_bounded_candidates (s, choice->read), sizeof (guint64) * s->words);
  return TRUE;
}

static gboolean choose_demanded_read (Searcher *s, const Observed *observed, Choice *choice) {
  choice->read = demand_next_read (s, observed);
  if (choice->read == G_MAXUINT)
    return FALSE;
  choice->kind = CHOICE_READ;
  memcpy (choice->set, rsp_bounded_candidates (s, choice->read), sizeof (guint64) * s->words);
  return TRUE;
}

static gboolean choose_location (const Searcher *s, Choice *choice) {
  for (guint i = 0; i < s->pre->program->n_locations; i++)
    if (find_open (s, RSP_LEAF_CO, s->writes[i], choice))
      return TRUE;
  return FALSE;
}

static gboolean choose_order (const Searcher *s, Choice *choice) {
  for (guint i = 0; i < s->model->n_orders; i++)
    if (find_open (s, RSP_LEAF_ORDER + i, s->model->orders[i].set, choice))
      return TRUE;
  return FALSE;
}

/* Sweeps help to settle axioms; once none is open, reads are decided first and the completions of
 * co are counted. */
void branch_choose (Searcher *s, const Observed *observed, Choice *choice) {
  choice->kind = CHOICE_NONE;
  if (choose_demanded_read (s, observed, choice))
    return;
  if (!is_disabled (s, RSP_FEATURE_BRANCH) && has_open_axiom (s) && choose_contended (s, choice))
    return;
  if (choose_read (s, choice) || choose_location (s, choice))
    return;
  choose_order (s, choice);
}

gboolean branch_take (Searcher *s, const Choice *choice, guint alternative) {
  if (choice->kind == CHOICE_SPLIT && alternative == choice->read) {
    rsp_bounds_exclude (s->bounds, RSP_LEAF_RF, choice->other, choice->read);
    return TRUE;
  }
  if (choice->kind == CHOICE_READ || choice->kind == CHOICE_SPLIT)
    return decide_source (s, alternative, choice->read);
  if (choice->kind == CHOICE_PAIR)
    return alternative == choice->read
               ? decide_order (s, choice->leaf, choice->read, choice->other)
               : exclude_order (s, choice->leaf, choice->read, choice->other);
  for (all_bits (other, choice->rest, s->words))
    if (other != alternative && !decide_order (s, choice->leaf, alternative, other))
      return FALSE;
  return TRUE;
}

guint branch_line_up (const Searcher *s, const Choice *choice, guint *alternatives) {
  guint n = 0;
  for (all_bits (alternative, choice->set, s->words))
    alternatives[n++] = alternative;
  for (guint i = 0; s->number % 2 && i < n / 2; i++) {
    guint last = alternatives[n - 1 - i];
    alternatives[n - 1 - i] = alternatives[i];
    alternatives[i] = last;
  }
  if (s->number < 2 || n < 2)
    return n;
  guint64 turn
      = (s->search->statistics->nodes * 64 + s->number) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  guint swap = (guint) (turn >> 33) % n, first = alternatives[0];
  alternatives[0] = alternatives[swap];
  alternatives[swap] = first;
  return n;
}
