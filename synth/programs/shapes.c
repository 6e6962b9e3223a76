#include "synth/programs/shapes.h"

#include <string.h>

typedef struct Generation
{
  const SynthSpace *space;
  guint n;
  RspShape shape;
  guint lengths[RSP_SHAPE_EVENTS]; /* per thread */
  guint first[RSP_SHAPE_EVENTS + 1];
  /* Orders of threads that keep the lengths, and after the events are there, only those that map
   * the events to themselves. */
  guint8 orders[SYNTH_MAX_SYMMETRIES][RSP_SHAPE_EVENTS];
  guint n_orders;
  SynthVisitShape visit;
  gpointer data;
} Generation;

/* ---- Comparing ---- */

/* One event as a number: kind, region or flags, and a location's new name. */
static guint
event_code (const Generation *g, const RspShapeEvent *event, guint8 *names, guint *named)
{
  if (event->kind == RSP_EVENT_FENCE)
    return (guint) event->kind << 8 | event->flags;
  if (names[event->location] == 0xff)
    names[event->location] = (guint8) (*named)++;
  return (guint) event->kind << 8 | names[event->location] << 1 | g->shape.local[event->location];
}

/* Compares the shape with its threads in another order to itself, in its first `threads` threads:
 * below 0 when that is smaller. order[t]: the thread that takes place t. */
static int
compare_events (const Generation *g, const guint8 *order, guint threads)
{
  guint8 names[RSP_SHAPE_EVENTS], own[RSP_SHAPE_EVENTS];
  guint named = 0, own_named = 0;
  memset (names, 0xff, sizeof names);
  memset (own, 0xff, sizeof own);
  for (guint t = 0; t < threads; t++)
    for (guint i = 0; i < g->lengths[t]; i++)
      {
        guint a = event_code (g, &g->shape.events[g->first[order[t]] + i], names, &named);
        guint b = event_code (g, &g->shape.events[g->first[t] + i], own, &own_named);
        if (a != b)
          return a < b ? -1 : 1;
      }
  return 0;
}

/* The tree as numbers, nodes named in the order of their first threads. */
static void
tree_code (const Generation *g, const guint8 *order, guint8 *code)
{
  guint8 names[3][RSP_SHAPE_EVENTS];
  guint named[3] = { 0, 0, 0 };
  memset (names, 0xff, sizeof names);
  for (guint t = 0; t < g->shape.n_threads; t++)
    {
      const RspShapePlace *place = &g->shape.places[order ? order[t] : t];
      guint8 nodes[3] = { place->device, place->work_group, place->sub_group };
      for (guint level = 0; level < 3; level++)
        {
          if (names[level][nodes[level]] == 0xff)
            names[level][nodes[level]] = (guint8) named[level]++;
          code[3 * t + level] = names[level][nodes[level]];
        }
    }
}

/* ---- The end ---- */

/* Where the events go when the threads are put in this order. */
static void
fill_symmetry (const Generation *g, const guint8 *order, SynthSymmetry *symmetry)
{
  for (guint t = 0; t < g->shape.n_threads; t++)
    for (guint i = 0; i < g->lengths[t]; i++)
      symmetry->moves[g->first[t] + i] = (guint8) (g->first[order[t]] + i);
}

static gboolean
finish (Generation *g)
{
  SynthSymmetry symmetries[SYNTH_MAX_SYMMETRIES];
  guint8 own[3 * RSP_SHAPE_EVENTS], other[3 * RSP_SHAPE_EVENTS];
  guint n = 0;
  tree_code (g, NULL, own);
  for (guint i = 0; i < g->n_orders; i++)
    {
      tree_code (g, g->orders[i], other);
      int compared = memcmp (other, own, 3 * g->shape.n_threads);
      if (compared < 0)
        return TRUE;
      if (compared == 0)
        fill_symmetry (g, g->orders[i], &symmetries[n++]);
    }
  return g->visit (g->data, &g->shape, symmetries, n);
}

/* ---- Scope trees ---- */

static gboolean place_thread (Generation *g, guint thread, guint devices, guint groups,
                              guint sub_groups);

static gboolean
place_in_sub_groups (Generation *g, guint thread, guint devices, guint groups, guint sub_groups)
{
  RspShapePlace *place = &g->shape.places[thread];
  for (guint s = 0; g->space->sub_groups && s < sub_groups; s++)
    for (guint t = 0; t < thread; t++)
      if (g->shape.places[t].sub_group == s)
        {
          place->sub_group = (guint8) s;
          if (g->shape.places[t].work_group == place->work_group
              && !place_thread (g, thread + 1, devices, groups, sub_groups))
            return FALSE;
          break;
        }
  place->sub_group = (guint8) sub_groups;
  return place_thread (g, thread + 1, devices, groups, sub_groups + 1);
}

/* Into a work-group that is there, into a new one of a device that is there, or onto a new device. */
static gboolean
place_thread (Generation *g, guint thread, guint devices, guint groups, guint sub_groups)
{
  RspShapePlace *place = &g->shape.places[thread];
  if (thread == g->shape.n_threads)
    return finish (g);
  for (guint w = 0; g->space->trees && w < groups; w++)
    for (guint t = 0; t < thread; t++)
      if (g->shape.places[t].work_group == w)
        {
          *place = g->shape.places[t];
          if (!place_in_sub_groups (g, thread, devices, groups, sub_groups))
            return FALSE;
          break;
        }
  place->work_group = (guint8) groups;
  for (guint d = 0; d < devices; d++)
    {
      place->device = (guint8) d;
      if (!place_in_sub_groups (g, thread, devices, groups + 1, sub_groups))
        return FALSE;
    }
  place->device = (guint8) devices;
  return (devices && !g->space->trees)
         || place_in_sub_groups (g, thread, devices + 1, groups + 1, sub_groups);
}

/* ---- Events ---- */

static gboolean
finish_events (Generation *g)
{
  guint kept = 0, all = g->n_orders;
  guint8 before[SYNTH_MAX_SYMMETRIES][RSP_SHAPE_EVENTS];
  for (guint i = 0; i < all; i++)
    {
      int compared = compare_events (g, g->orders[i], g->shape.n_threads);
      if (compared < 0)
        return TRUE;
    }
  memcpy (before, g->orders, sizeof before);
  for (guint i = 0; i < all; i++)
    if (compare_events (g, before[i], g->shape.n_threads) == 0)
      memcpy (g->orders[kept++], before[i], sizeof before[i]);
  g->n_orders = kept;
  gboolean going_on = place_thread (g, 0, 0, 0, 0);
  memcpy (g->orders, before, sizeof before);
  g->n_orders = all;
  return going_on;
}

static gboolean
choose_event (Generation *g, guint event, guint locations)
{
  static const RspEventKind kinds[] = { RSP_EVENT_READ, RSP_EVENT_WRITE, RSP_EVENT_RMW };
  const SynthSpace *space = g->space;
  if (event == g->n)
    {
      g->shape.n_locations = locations;
      return finish_events (g);
    }
  RspShapeEvent *here = &g->shape.events[event];
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (guint8 x = 0; (space->kinds >> k & 1) && x <= locations && x < space->locations; x++)
      for (guint8 local = 0; local <= (x == locations && space->regions); local++)
        {
          here->kind = kinds[k];
          here->location = x;
          here->flags = 0;
          if (x == locations)
            g->shape.local[x] = local;
          if (!choose_event (g, event + 1, MAX (locations, x + 1u)))
            return FALSE;
        }
  here->kind = RSP_EVENT_FENCE;
  here->location = 0;
  for (here->flags = 1;
       (space->kinds >> SYNTH_FENCE & 1) && here->flags <= (space->regions ? 3 : 1); here->flags++)
    {
      guint8 flags = here->flags;
      if (!choose_event (g, event + 1, locations))
        return FALSE;
      here->flags = flags;
    }
  return TRUE;
}

/* ---- Threads ---- */

static void
permute (Generation *g, guint8 *order, guint thread)
{
  if (thread == g->shape.n_threads)
    {
      for (guint t = 0; t < thread; t++)
        if (order[t] != t)
          {
            memcpy (g->orders[g->n_orders++], order, RSP_SHAPE_EVENTS);
            break;
          }
      return;
    }
  for (guint8 t = 0; t < g->shape.n_threads; t++)
    if (g->lengths[t] == g->lengths[thread] && !memchr (order, t, thread))
      {
        order[thread] = t;
        permute (g, order, thread + 1);
      }
}

static gboolean
start_threads (Generation *g)
{
  guint8 order[RSP_SHAPE_EVENTS];
  g->n_orders = 0;
  permute (g, order, 0);
  for (guint t = 0; t < g->shape.n_threads; t++)
    {
      g->first[t + 1] = g->first[t] + g->lengths[t];
      for (guint e = g->first[t]; e < g->first[t + 1]; e++)
        g->shape.events[e].thread = (guint8) t;
    }
  return choose_event (g, 0, 0);
}

/* Lengths that do not grow: `left` events for the threads from here on. */
static gboolean
choose_lengths (Generation *g, guint left)
{
  guint thread = g->shape.n_threads;
  if (left == 0)
    return start_threads (g);
  if (thread == g->space->threads)
    return TRUE;
  guint most = thread ? MIN (left, g->lengths[thread - 1]) : left;
  for (guint length = most; length > 0; length--)
    {
      g->lengths[thread] = length;
      g->shape.n_threads = thread + 1;
      if (!choose_lengths (g, left - length))
        return FALSE;
    }
  g->shape.n_threads = thread;
  return TRUE;
}

gboolean
synth_shapes_each (const SynthSpace *space, guint n, SynthVisitShape visit, gpointer data)
{
  Generation *g = g_new0 (Generation, 1);
  g->space = space;
  g->n = g->shape.n_events = n;
  g->visit = visit;
  g->data = data;
  gboolean done = choose_lengths (g, n);
  g_free (g);
  return done;
}

/* ---- Counting ---- */

/* Labellings that a symmetry leaves as they are: one label per cycle. */
static double
fixed_labellings (const SynthSpace *space, const RspShape *shape, const guint8 *moves)
{
  double n = 1;
  guint seen = 0;
  for (guint e = 0; e < shape->n_events; e++)
    {
      if (seen >> e & 1)
        continue;
      for (guint at = e; !(seen >> at & 1); at = moves[at])
        seen |= 1u << at;
      n *= space->n_labels[shape->events[e].kind];
    }
  return n;
}

double
synth_shape_programs (const SynthSpace *space, const RspShape *shape,
                      const SynthSymmetry *symmetries, guint n_symmetries)
{
  SynthSymmetry identity;
  for (guint e = 0; e < RSP_SHAPE_EVENTS; e++)
    identity.moves[e] = (guint8) e;
  double sum = fixed_labellings (space, shape, identity.moves);
  for (guint i = 0; i < n_symmetries; i++)
    sum += fixed_labellings (space, shape, symmetries[i].moves);
  return sum / (n_symmetries + 1);
}
