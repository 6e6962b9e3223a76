/* Candidate executions of a shape, and its pre-execution. */
#include "enumerator/shapes/shape.h"

#include "enumerator/shapes/grid.h"

#include <string.h>

static gboolean
reads (const RspShapeEvent *event)
{
  return event->kind == RSP_EVENT_READ || event->kind == RSP_EVENT_RMW;
}

static gboolean
writes (const RspShapeEvent *event)
{
  return event->kind == RSP_EVENT_WRITE || event->kind == RSP_EVENT_RMW;
}

/* ---- Candidates ---- */

typedef struct Listing
{
  const RspShape *shape;
  GArray *candidates, *outcomes; /* of RspCandidate, RspShapeOutcome */
  RspShapeOutcome outcome;       /* so far */
  guint64 rf, co;
  guint first; /* among outcomes: the first one of the present rf */
} Listing;

/* The writes of a location, initial write first; how many there are. */
static guint
list_writes (const RspShape *shape, guint location, guint8 *list)
{
  guint n = 0;
  list[n++] = (guint8) location;
  for (guint e = 0; e < shape->n_events; e++)
    if (writes (&shape->events[e]) && shape->events[e].location == location)
      list[n++] = (guint8) rsp_shape_event (shape, e);
  return n;
}

static guint
find_outcome (Listing *listing)
{
  for (guint i = listing->first; i < listing->outcomes->len; i++)
    if (memcmp (&g_array_index (listing->outcomes, RspShapeOutcome, i), &listing->outcome,
                sizeof listing->outcome)
        == 0)
      return i;
  g_array_append_val (listing->outcomes, listing->outcome);
  return listing->outcomes->len - 1;
}

static void order_writes (Listing *listing, guint location, guint8 *left, guint n, guint placed);

static void
order_location (Listing *listing, guint location)
{
  guint8 left[RSP_SHAPE_EVENTS];
  if (location == listing->shape->n_locations)
    {
      RspCandidate candidate = { listing->rf, listing->co, find_outcome (listing) };
      g_array_append_val (listing->candidates, candidate);
      return;
    }
  guint n = list_writes (listing->shape, location, left);
  listing->outcome.last[location] = left[0];
  order_writes (listing, location, left + 1, n - 1, 1u << left[0]);
}

/* Places the writes left (n of them) after those placed (a set), in each way there is. */
static void
order_writes (Listing *listing, guint location, guint8 *left, guint n, guint placed)
{
  if (n == 0)
    {
      order_location (listing, location + 1);
      return;
    }
  guint64 before = listing->co;
  guint8 last = listing->outcome.last[location];
  for (guint i = 0; i < n; i++)
    {
      guint8 rest[RSP_SHAPE_EVENTS], next = left[i];
      for (guint k = 0, j = 0; k < n; k++)
        if (k != i)
          rest[j++] = left[k];
      listing->co |= grid_rows (placed) & (GRID_COLUMN << next);
      listing->outcome.last[location] = next;
      order_writes (listing, location, rest, n - 1, placed | 1u << next);
      listing->co = before;
    }
  listing->outcome.last[location] = last;
}

static void
choose_source (Listing *listing, guint event)
{
  const RspShape *shape = listing->shape;
  while (event < shape->n_events && !reads (&shape->events[event]))
    event++;
  if (event == shape->n_events)
    {
      listing->first = listing->outcomes->len;
      order_location (listing, 0);
      return;
    }
  guint8 sources[RSP_SHAPE_EVENTS];
  guint n = list_writes (shape, shape->events[event].location, sources);
  guint64 before = listing->rf;
  for (guint i = 0; i < n; i++)
    {
      guint read = rsp_shape_event (shape, event);
      if (sources[i] == read)
        continue;
      listing->outcome.source[event] = sources[i];
      listing->rf = before | grid_pair (sources[i], read);
      choose_source (listing, event + 1);
    }
  listing->outcome.source[event] = 0;
  listing->rf = before;
}

/* Candidates of one reads-from come with their outcomes mixed: those of one outcome together. */
static int
by_outcome (gconstpointer a, gconstpointer b)
{
  const RspCandidate *x = a, *y = b;
  if (x->outcome != y->outcome)
    return x->outcome < y->outcome ? -1 : 1;
  return x->co < y->co ? -1 : x->co > y->co;
}

RspCandidates *
rsp_candidates_new (const RspShape *shape)
{
  Listing listing = { .shape = shape,
                      .candidates = g_array_new (FALSE, FALSE, sizeof (RspCandidate)),
                      .outcomes = g_array_new (FALSE, FALSE, sizeof (RspShapeOutcome)) };
  choose_source (&listing, 0);
  g_array_sort (listing.candidates, by_outcome);
  RspCandidates *candidates = g_new (RspCandidates, 1);
  candidates->n = listing.candidates->len;
  candidates->n_outcomes = listing.outcomes->len;
  candidates->list = (RspCandidate *) (gpointer) g_array_free (listing.candidates, FALSE);
  candidates->outcomes = (RspShapeOutcome *) (gpointer) g_array_free (listing.outcomes, FALSE);
  return candidates;
}

void
rsp_candidates_free (RspCandidates *candidates)
{
  if (!candidates)
    return;
  g_free (candidates->list);
  g_free (candidates->outcomes);
  g_free (candidates);
}

/* ---- The pre-execution ---- */

static RspProgram *
program_of (const RspShape *shape, RspArena *arena)
{
  RspProgram *program = rsp_arena_new0 (arena, RspProgram, 1);
  program->n_threads = shape->n_threads;
  program->threads = rsp_arena_new0 (arena, RspThread, shape->n_threads);
  for (guint t = 0; t < shape->n_threads; t++)
    program->threads[t] = (RspThread){ .name = "",
                                       .number = t,
                                       .sub_group = shape->places[t].sub_group,
                                       .work_group = shape->places[t].work_group,
                                       .kernel = shape->places[t].device,
                                       .device = shape->places[t].device };
  program->n_locations = shape->n_locations;
  program->locations = rsp_arena_new0 (arena, RspLocation, shape->n_locations + 1);
  for (guint i = 0; i < shape->n_locations; i++)
    program->locations[i]
        = (RspLocation){ .name = "",
                         .type = { .bits = 32,
                                   .space = shape->local[i] ? RSP_SPACE_LOCAL : RSP_SPACE_GLOBAL },
                         .object = i,
                         .n_elements = 1 };
  return program;
}

static RspPath *
path_of (const RspShape *shape, guint thread, RspArena *arena)
{
  RspPath *path = rsp_arena_new0 (arena, RspPath, 1);
  path->events = rsp_arena_new0 (arena, RspEvent, RSP_SHAPE_EVENTS);
  for (guint i = 0; i < shape->n_events; i++)
    {
      const RspShapeEvent *event = &shape->events[i];
      gboolean fence = event->kind == RSP_EVENT_FENCE;
      if (event->thread == thread)
        path->events[path->n_events++]
            = (RspEvent){ .kind = event->kind,
                          .thread = thread,
                          .location = fence ? RSP_NO_LOCATION : event->location,
                          .order = RSP_ORDER_NA,
                          .flags = event->flags };
    }
  path->po = rsp_relation_new (arena, path->n_events);
  path->addr = path->data = path->ctrl = rsp_relation_new (arena, path->n_events);
  for (guint a = 0; a < path->n_events; a++)
    for (guint b = a + 1; b < path->n_events; b++)
      rsp_matrix_add (path->po, a, b);
  return path;
}

RspPreExecution *
rsp_shape_pre_execution (const RspShape *shape, RspArena *arena)
{
  const RspPath *paths[RSP_SHAPE_EVENTS];
  for (guint t = 0; t < shape->n_threads; t++)
    paths[t] = path_of (shape, t, arena);
  return rsp_pre_execution_new (program_of (shape, arena), paths, arena);
}
