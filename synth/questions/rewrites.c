/* Rewrites: what compilers do to a thread, and the smallest programs in which doing it adds an
 * outcome to a defined program, or makes it undefined. (Vafeiadis, Balabonski, Chakraborty,
 * Morisset, Zappa Nardelli, "Common compiler optimisations are invalid in the C11 memory model and
 * what we can do about it", POPL 2015, has the list.) */
#include "synth/questions/compare.h"
#include "synth/questions/monotone.h"
#include "synth/programs/steps.h"

#include <string.h>

enum { REORDER = 1, MERGE = 2, DEAD = 4, FORWARD = 8, STRENGTHEN = 16, SEQUENTIALISE = 32 };

typedef struct Rewrites {
  SynthWork *work;
  const RspShape *shape;
  const SynthSymmetry *symmetries;
  guint n_symmetries;
} Rewrites;

static gboolean compare (Rewrites *r, SynthEdit *edit, guint kind, const char *text,
                         guint touched) {
  if (!synth_is_least_set (r->shape, r->symmetries, r->n_symmetries, touched))
    return TRUE;
  edit->kind_outcome = edit->kind_undefined = kind;
  edit->text = text;
  return synth_compare (r->work, edit, r->symmetries, r->n_symmetries, touched);
}

static gboolean same_location (const RspShape *shape, guint a, guint b) {
  const RspShapeEvent *x = &shape->events[a], *y = &shape->events[b];
  return rsp_shape_is_access (x) && rsp_shape_is_access (y) && x->location == y->location;
}

static gboolean are_fences (const RspShape *shape, guint a, guint b) {
  return shape->events[a].kind == RSP_EVENT_FENCE && shape->events[b].kind == RSP_EVENT_FENCE;
}

/* Under one branch, or none. */
static gboolean same_guard (const RspShape *shape, guint a, guint b) {
  const RspShapeEvent *x = &shape->events[a], *y = &shape->events[b];
  return x->guard == y->guard && x->guard_value == y->guard_value;
}

static gboolean depends_on (const RspShape *shape, guint e, guint load) {
  const RspShapeEvent *event = &shape->events[e];
  return event->addr == load + 1 || event->data == load + 1 || event->guard == load + 1;
}

/* Is there a branch on what the event reads or writes? */
static gboolean decides (const RspShape *shape, guint event) {
  for (guint e = 0; e < shape->n_events; e++)
    if (shape->events[e].guard
        && (shape->events[e].guard == event + 1 || shape->events[e].guard_value == event))
      return TRUE;
  return FALSE;
}

/* Events e and e + 1 of one thread change places. */
static gboolean reorder (Rewrites *r, guint e) {
  SynthEdit edit;
  RspShape after = *r->shape;
  guint8 names[RSP_SHAPE_EVENTS] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  g_autofree char *text = g_strdup_printf ("P%u's operations %u and %u of the program reordered",
                                           after.events[e].thread, e + 1, e + 2);
  if (same_location (r->shape, e, e + 1) || are_fences (r->shape, e, e + 1)
      || rsp_shape_is_barrier (&r->shape->events[e])
      || rsp_shape_is_barrier (&r->shape->events[e + 1]) || !same_guard (r->shape, e, e + 1)
      || depends_on (r->shape, e + 1, e))
    return TRUE;
  synth_edit_init (&edit, r->shape, &after);
  after.events[e] = r->shape->events[e + 1];
  after.events[e + 1] = r->shape->events[e];
  names[e] = edit.from[e] = (guint8) (e + 1);
  names[e + 1] = edit.from[e + 1] = (guint8) e;
  rsp_synth_rename_dependencies (&after, names);
  return compare (r, &edit, REORDER, text, 3u << e);
}

/* Whatever depends on one load depends on another. */
static void redirect (RspShape *shape, guint load, guint to) {
  guint8 names[RSP_SHAPE_EVENTS] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  names[load] = (guint8) to;
  rsp_synth_rename_dependencies (shape, names);
}

/* Event `gone`, next to event `by`, is removed. copied: it reads what `by` reads or writes. */
static gboolean eliminate (Rewrites *r, guint gone, guint by, gboolean copied, guint kind,
                           const char *what) {
  SynthEdit edit;
  SynthRemoval removal;
  RspShape shape = *r->shape;
  g_autofree char *text = g_strdup_printf ("%s in P%u: operation %u of the program is gone", what,
                                           shape.events[gone].thread, gone + 1);
  if (!same_guard (&shape, gone, by) || shape.events[gone].addr != shape.events[by].addr)
    return TRUE;
  if (copied)
    redirect (&shape, gone, by);
  else if (decides (&shape, gone))
    return TRUE;
  rsp_synth_remove_event (&shape, gone, &removal);
  synth_edit_init (&edit, r->shape, &removal.shape);
  memcpy (edit.from, removal.event, sizeof edit.from);
  if (copied)
    edit.copies[gone] = (guint8) by;
  edit.same_label[gone] = (guint8) by;
  return compare (r, &edit, kind, text, 1u << gone | 1u << by);
}

/* The load is plain or relaxed: dropping one that acquires is another matter. Neither is under a
 * branch, and no branch looks at the load. */
static gboolean forward (Rewrites *r, guint store) {
  const SynthSpace *space = r->work->space;
  SynthEdit edit;
  SynthRemoval removal;
  guint load = store + 1;
  g_autofree char *text
      = g_strdup_printf ("store forwarded to load in P%u: operation %u of the program is gone",
                         r->shape->events[load].thread, load + 1);
  if (r->shape->events[store].guard || r->shape->events[load].guard || decides (r->shape, load))
    return TRUE;
  rsp_synth_remove_event (r->shape, load, &removal);
  synth_edit_init (&edit, r->shape, &removal.shape);
  memcpy (edit.from, removal.event, sizeof edit.from);
  edit.copies[load] = (guint8) store;
  edit.event = load;
  edit.labels_before = edit.labels_after = space->labels[SYNTH_LOAD];
  while (edit.n_labels < space->n_labels[SYNTH_LOAD]
         && space->labels[SYNTH_LOAD][edit.n_labels].order <= RSP_ORDER_RELAXED)
    edit.n_labels++;
  return edit.n_labels == 0 || compare (r, &edit, FORWARD, text, 3u << store);
}

static gboolean rewrite_neighbours (Rewrites *r, guint e) {
  RspEventKind first = r->shape->events[e].kind, second = r->shape->events[e + 1].kind;
  if (r->shape->events[e].thread != r->shape->events[e + 1].thread)
    return TRUE;
  if (!reorder (r, e))
    return FALSE;
  if (!same_location (r->shape, e, e + 1))
    return TRUE;
  if (first == RSP_EVENT_READ && second == RSP_EVENT_READ)
    return eliminate (r, e + 1, e, TRUE, MERGE, "equal loads merged");
  if (first == RSP_EVENT_WRITE && second == RSP_EVENT_WRITE)
    return eliminate (r, e, e + 1, FALSE, DEAD, "dead store dropped");
  return first != RSP_EVENT_WRITE || second != RSP_EVENT_READ || forward (r, e);
}

/* Puts thread t's events after thread s's, in thread s. The events that were in thread s, a set. */
static guint append_thread (const RspShape *shape, guint s, guint t, RspShape *after,
                            guint8 *from) {
  guint8 names[RSP_SHAPE_EVENTS];
  guint n = 0, touched = 0;
  memset (names, 0xff, sizeof names);
  for (guint thread = 0; thread < shape->n_threads; thread++)
    for (guint part = 0; part < 2; part++)
      for (guint8 e = 0; e < shape->n_events; e++) {
        gboolean own = shape->events[e].thread == thread && thread != t && part == 0;
        gboolean moved = shape->events[e].thread == t && thread == s && part == 1;
        if (!own && !moved)
          continue;
        names[e] = (guint8) n;
        from[n] = e;
        after->events[n] = shape->events[e];
        after->events[n++].thread = (guint8) thread;
        touched |= thread == s ? 1u << e : 0;
      }
  rsp_synth_rename_dependencies (after, names);
  return touched;
}

/* Thread t is left empty. Work-items that wait for each other cannot be one. */
static gboolean sequentialise (Rewrites *r, guint s, guint t) {
  SynthEdit edit;
  const RspShape *shape = r->shape;
  RspShape after = *shape;
  g_autofree char *text = g_strdup_printf ("P%u sequentialised after P%u", t, s);
  if (r->work->space->opencl && !rsp_shape_share (shape, s, t, RSP_LEVEL_WORK_GROUP))
    return TRUE;
  for (guint e = 0; e < shape->n_events; e++)
    if (rsp_shape_is_barrier (&shape->events[e])
        && (shape->events[e].thread == s || shape->events[e].thread == t))
      return TRUE;
  synth_edit_init (&edit, shape, &after);
  guint touched = append_thread (shape, s, t, &after, edit.from);
  return compare (r, &edit, SEQUENTIALISE, text, touched);
}

static gboolean search (SynthWork *work, const RspShape *shape, const SynthSymmetry *symmetries,
                        guint n_symmetries) {
  Rewrites r = { work, shape, symmetries, n_symmetries };
  for (guint e = 0; e + 1 < shape->n_events; e++)
    if (!rewrite_neighbours (&r, e))
      return FALSE;
  for (guint s = 0; s < shape->n_threads; s++)
    for (guint t = 0; t < shape->n_threads; t++)
      if (s != t && !sequentialise (&r, s, t))
        return FALSE;
  return synth_monotone_steps (work, shape, symmetries, n_symmetries, STRENGTHEN, STRENGTHEN);
}

const SynthQuestion rsp_synth_rewrites
    = { "rewrites",
        1,
        6,
        FALSE,
        FALSE,
        FALSE,
        { "reorder", "merge loads", "drop a dead store", "forward a store", "strengthen",
          "sequentialise threads" },
        search };
