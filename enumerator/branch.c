/* Branching: which open decision to take next. */
#include "enumerator/bounded.h"

#include <string.h>

static gboolean
is_open_read (const Bounded *s, guint read)
{
  return rsp_row_count (rsp_bounded_candidates (s, read), s->words) > 1;
}

/* rest: the elements of `set` that some other element of it is not yet ordered with; set: the first
 * of them. FALSE when there are none. */
static gboolean
find_next (const Bounded *s, guint leaf, const RspMatrix *elements, Choice *choice)
{
  memset (choice->rest, 0, sizeof (guint64) * s->words);
  gboolean any = FALSE;
  for
    all_bits (x, elements->bits, s->words)
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
  for
    all_bits (x, choice->rest, s->words) for (guint w = 0; w < s->words;
                                              w++) if (rsp_bounds_inverse_lo (s->bounds, leaf, x)[w]
                                                       & choice->rest[w]) choice->set[x / 64]
        &= ~(G_GUINT64_CONSTANT (1) << (x % 64));
  choice->kind = CHOICE_NEXT;
  choice->leaf = leaf;
  return TRUE;
}

/* A location with open read-modify-writes: its next write decides most. */
static gboolean
choose_contended_location (const Bounded *s, Choice *choice)
{
  const RspPreExecution *pre = s->pre;
  for (guint i = 0; i < pre->n_reads; i++)
    {
      const RspEvent *event = pre->events[pre->reads[i]];
      if (event->kind == RSP_EVENT_RMW && is_open_read (s, pre->reads[i])
          && find_next (s, RSP_LEAF_CO, s->writes[event->location], choice))
        return TRUE;
    }
  return FALSE;
}

static gboolean
choose_read (const Bounded *s, Choice *choice)
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
choose_location (const Bounded *s, Choice *choice)
{
  for (guint i = 0; i < s->pre->program->n_locations; i++)
    if (find_next (s, RSP_LEAF_CO, s->writes[i], choice))
      return TRUE;
  return FALSE;
}

static gboolean
choose_order (const Bounded *s, Choice *choice)
{
  for (guint i = 0; i < s->model->n_orders; i++)
    if (find_next (s, RSP_LEAF_ORDER + i, s->model->orders[i].set, choice))
      return TRUE;
  return FALSE;
}

void
rsp_bounded_choose (Bounded *s, Choice *choice)
{
  choice->kind = CHOICE_NONE;
  if (!(s->disabled & RSP_FEATURE_BRANCH) && choose_contended_location (s, choice))
    return;
  if (choose_read (s, choice) || choose_location (s, choice))
    return;
  choose_order (s, choice);
}

gboolean
rsp_bounded_take (Bounded *s, const Choice *choice, guint alternative)
{
  if (choice->kind == CHOICE_READ)
    return rsp_bounded_read_from (s, alternative, choice->read);
  for
    all_bits (
        other, choice->rest,
        s->words) if (other != alternative
                      && !rsp_bounded_order (s, choice->leaf, alternative, other)) return FALSE;
  return TRUE;
}
