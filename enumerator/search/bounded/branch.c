/* Branching: which open decision to take next. */
#include "enumerator/search/bounded/branch.h"
#include "enumerator/search/bounded/decide.h"
#include "enumerator/search/bounded/values/demand.h"

#include <string.h>

static gboolean
is_open_read (const Searcher *s, guint read)
{
  return rsp_row_count (rsp_bounded_candidates (s, read), s->words) > 1;
}

/* rest: the elements of `set` that some other element of it is not yet ordered with; set: the first
 * of them. FALSE when there are none. */
static gboolean
find_next (const Searcher *s, guint leaf, const RspMatrix *elements, Choice *choice)
{
  memset (choice->rest, 0, sizeof (guint64) * s->words);
  gboolean any = FALSE;
  for (all_bits (x, elements->bits, s->words))
    {
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
  return TRUE;
}

static gboolean
is_rmw (const Searcher *s, guint event)
{
  return s->pre->events[event]->kind == RSP_EVENT_RMW;
}

/* An open read that may read from a write whose place in co is settled, while the places of other
 * writes it may read from (those of choice->rest) are not. A read-modify-write is left out: the
 * next write decides it. */
static gboolean
find_settled_candidate (const Searcher *s, Choice *choice)
{
  for (guint i = 0; i < s->pre->n_reads; i++)
    {
      guint read = s->pre->reads[i];
      const guint64 *candidates = rsp_bounded_candidates (s, read);
      guint settled = G_MAXUINT;
      gboolean unsettled = FALSE;
      if (is_rmw (s, read))
        continue;
      for (all_bits (write, candidates, s->words))
        if (rsp_row_has (choice->rest, write))
          unsettled = TRUE;
        else
          settled = write;
      if (!unsettled || settled == G_MAXUINT)
        continue;
      choice->kind = CHOICE_SPLIT;
      choice->read = read;
      memset (choice->set, 0, sizeof (guint64) * s->words);
      choice->set[settled / 64] |= G_GUINT64_CONSTANT (1) << (settled % 64);
      choice->set[read / 64] |= G_GUINT64_CONSTANT (1) << (read % 64);
      return TRUE;
    }
  return FALSE;
}

/* Sweeps a contended location (open reads, several writes whose order is open) along its coherence:
 * which reads read from the writes placed so far, then which write is next. What is left after each
 * step depends on little of what came before, so the memo serves best. Tried first for locations
 * whose open reads are read-modify-writes: their order determines what the threads got (a ticket, a
 * lock, a task), and this what they may read elsewhere. */
static gboolean
choose_contended_location (const Searcher *s, gboolean rmw, Choice *choice)
{
  const RspPreExecution *pre = s->pre;
  for (guint i = 0; i < pre->n_reads; i++)
    {
      guint read = pre->reads[i];
      if (is_rmw (s, read) == rmw && is_open_read (s, read)
          && find_next (s, RSP_LEAF_CO, s->writes[pre->events[read]->location], choice))
        {
          find_settled_candidate (s, choice);
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
choose_read (const Searcher *s, Choice *choice)
{
  guint fewest = G_MAXUINT;
  for (guint i = 0; i < s->pre->n_reads; i++)
    {
      guint read = s->pre->reads[i];
      guint n = rsp_row_count (rsp_bounded_candidates (s, read), s->words);
      if (n > 1 && n < fewest)
        {
          fewest = n;
          choice->read = read;
        }
    }
  if (fewest == G_MAXUINT)
    return FALSE;
  choice->kind = CHOICE_READ;
  memcpy (choice->set, rsp_bounded_candidates (s, choice->read), sizeof (guint64) * s->words);
  return TRUE;
}

static gboolean
choose_demanded_read (Searcher *s, const Observed *observed, Choice *choice)
{
  choice->read = demand_next_read (s, observed);
  if (choice->read == G_MAXUINT)
    return FALSE;
  choice->kind = CHOICE_READ;
  memcpy (choice->set, rsp_bounded_candidates (s, choice->read), sizeof (guint64) * s->words);
  return TRUE;
}

static gboolean
choose_location (const Searcher *s, Choice *choice)
{
  for (guint i = 0; i < s->pre->program->n_locations; i++)
    if (find_next (s, RSP_LEAF_CO, s->writes[i], choice))
      return TRUE;
  return FALSE;
}

static gboolean
choose_order (const Searcher *s, Choice *choice)
{
  for (guint i = 0; i < s->model->n_orders; i++)
    if (find_next (s, RSP_LEAF_ORDER + i, s->model->orders[i].set, choice))
      return TRUE;
  return FALSE;
}

/* Sweeps serve the axioms; once none is open, reads are decided first and what is left of co is
 * counted. */
void
branch_choose (Searcher *s, const Observed *observed, Choice *choice)
{
  choice->kind = CHOICE_NONE;
  if (choose_demanded_read (s, observed, choice))
    return;
  if (!is_disabled (s, RSP_FEATURE_BRANCH) && has_open_axiom (s)
      && (choose_contended_location (s, TRUE, choice)
          || choose_contended_location (s, FALSE, choice)))
    return;
  if (choose_read (s, choice) || choose_location (s, choice))
    return;
  choose_order (s, choice);
}

gboolean
branch_take (Searcher *s, const Choice *choice, guint alternative)
{
  if (choice->kind == CHOICE_READ)
    return decide_source (s, alternative, choice->read);
  if (choice->kind == CHOICE_SPLIT && alternative != choice->read)
    return decide_source (s, alternative, choice->read);
  if (choice->kind == CHOICE_SPLIT)
    {
      for (all_bits (write, choice->set, s->words))
        if (write != choice->read)
          rsp_bounds_exclude (s->bounds, RSP_LEAF_RF, write, choice->read);
      return TRUE;
    }
  for (all_bits (other, choice->rest, s->words))
    if (other != alternative && !decide_order (s, choice->leaf, alternative, other))
      return FALSE;
  return TRUE;
}

guint
branch_line_up (const Searcher *s, const Choice *choice, guint *alternatives)
{
  guint n = 0;
  for (all_bits (alternative, choice->set, s->words))
    alternatives[n++] = alternative;
  for (guint i = 0; s->number % 2 && i < n / 2; i++)
    {
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
