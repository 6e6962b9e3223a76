#include "machine/program/threads.h"
#include "enumerator/terms/evaluate.h"

#include "machine/program/sets.h"

/* ---- Building ---- */

static void add_place (RspThreads *threads, guint location, GArray *places) {
  for (guint i = 0; i < places->len; i++)
    if (g_array_index (places, guint, i) == location)
      return;
  g_array_append_val (places, location);
  threads->n_places = places->len;
}

/* FALSE, with a diagnostic, if a path has too many events. */
static gboolean measure (RspThreads *threads, guint thread, const GPtrArray *paths, GArray *places,
                         RspDiagnostics *diagnostics) {
  for (guint i = 0; i < paths->len; i++) {
    const RspPath *path = paths->pdata[i];
    guint writes = 0;
    if (path->n_events > RSP_MOST_EVENTS) {
      rsp_error (diagnostics, path->events[RSP_MOST_EVENTS].span, NULL,
                 "test %s: thread %s may have %u operations; a machine runs no more than %d",
                 threads->program->name, threads->program->threads[thread].name, path->n_events,
                 RSP_MOST_EVENTS);
      return FALSE;
    }
    for (guint e = 0; e < path->n_events; e++) {
      writes += path->events[e].written != NULL;
      if (path->events[e].location != RSP_NO_LOCATION)
        add_place (threads, path->events[e].location, places);
    }
    threads->n_events[thread] = MAX (threads->n_events[thread], path->n_events);
    threads->n_writes[thread] = MAX (threads->n_writes[thread], writes);
  }
  return TRUE;
}

static gboolean read_paths (RspThreads *threads, const RspThreadsOptions *options, GArray *places,
                            RspDiagnostics *diagnostics) {
  RspPathOptions path_options = { .unroll = options->unroll,
                                  .cas_writeback = options->cas_writeback,
                                  .barriers = options->wide_barriers ? RSP_BARRIERS_WIDE : 0,
                                  .budget = options->budget };
  gboolean ok = TRUE;
  for (guint t = 0; t < threads->n && ok; t++) {
    g_autoptr (GPtrArray) paths = g_ptr_array_new ();
    ok = rsp_paths_enumerate (threads->program, t, &path_options, threads->terms, threads->arena,
                              paths, diagnostics)
         && measure (threads, t, paths, places, diagnostics);
    if (ok && paths->len >= G_MAXUINT16) {
      rsp_error (diagnostics, threads->program->threads[t].span, NULL,
                 "test %s: thread %s has %u paths; a machine runs fewer than %d",
                 threads->program->name, threads->program->threads[t].name, paths->len,
                 G_MAXUINT16);
      ok = FALSE;
    }
    if (ok)
      path_sets_init (&threads->sets[t], paths, threads->program, t, threads->arena);
  }
  return ok;
}

RspThreads *rsp_threads_new (const RspProgram *program, const RspThreadsOptions *options,
                             RspDiagnostics *diagnostics) {
  if (program->language->tagged) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL,
               "test %s: machines run OpenCL and C tests, not %s tests", program->name,
               program->language->word);
    return NULL;
  }
  RspThreads *threads = g_new0 (RspThreads, 1);
  threads->program = program;
  threads->n = program->n_threads;
  threads->arena = rsp_arena_new ();
  threads->terms = rsp_terms_new (threads->arena);
  threads->n_events = rsp_arena_new0 (threads->arena, guint, threads->n);
  threads->n_writes = rsp_arena_new0 (threads->arena, guint, threads->n);
  threads->sets = rsp_arena_new0 (threads->arena, RspPathSets, threads->n);
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (guint));
  gboolean ok = read_paths (threads, options, places, diagnostics);
  for (guint i = 0; i < program->n_observables; i++)
    if (!program->observables[i].is_register)
      add_place (threads, program->observables[i].location, places);
  if (ok && places->len > RSP_MOST_PLACES) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL,
               "test %s uses %u locations; a machine runs no more than %d", program->name,
               places->len, RSP_MOST_PLACES);
    ok = FALSE;
  }
  threads->locations = rsp_arena_copy (threads->arena, places->data, places->len * sizeof (guint));
  if (ok)
    return threads;
  rsp_threads_free (threads);
  return NULL;
}

void rsp_threads_free (RspThreads *threads) {
  if (!threads)
    return;
  for (guint t = 0; t < threads->n; t++)
    path_sets_clear (&threads->sets[t]);
  rsp_terms_free (threads->terms);
  rsp_arena_free (threads->arena);
  g_free (threads);
}

RspPoint rsp_threads_start (RspThreads *threads, guint thread) {
  RspPathSets *sets = &threads->sets[thread];
  g_autofree guint16 *all = g_new (guint16, sets->n_facts + 1);
  for (guint i = 0; i < sets->n_facts; i++)
    all[i] = (guint16) i;
  return (RspPoint){ path_sets_number (sets, all, sets->n_facts, threads->arena), 0 };
}

/* ---- Running ---- */

static gboolean evaluate (const RspTerm *term, const RspValue *values, gint64 *result) {
  RspValue value;
  if (!rsp_term_evaluate (term, values, &value, NULL))
    return FALSE;
  *result = value.bits;
  return TRUE;
}

/* Do the constraints hold whose last open read was this event? */
static gboolean agrees (const PathFacts *facts, guint event, const RspValue *values,
                        guint64 known) {
  for (guint i = 0; i < facts->path->n_constraints; i++) {
    guint64 reads = facts->constraints[i];
    gint64 holds;
    if (!(reads & event_bit (event)) || (reads & ~known))
      continue;
    if (!evaluate (facts->path->constraints[i].term, values, &holds) || !holds)
      return FALSE;
  }
  return TRUE;
}

/* Paths with the same effect share it. */
typedef struct Outcome {
  gboolean writes;
  gint64 written;
  GArray *paths; /* of guint16 */
} Outcome;

static void add_outcome (GArray *outcomes, gboolean writes, gint64 written, guint16 path) {
  for (guint i = 0; i < outcomes->len; i++) {
    Outcome *outcome = &g_array_index (outcomes, Outcome, i);
    if (outcome->writes == writes && outcome->written == written) {
      g_array_append_val (outcome->paths, path);
      return;
    }
  }
  Outcome outcome = { writes, written, g_array_new (FALSE, FALSE, sizeof (guint16)) };
  g_array_append_val (outcome.paths, path);
  g_array_append_val (outcomes, outcome);
}

void rsp_threads_effects (RspThreads *threads, guint thread, guint32 paths, guint event,
                          RspValue *values, guint64 known, gint64 got, GArray *effects) {
  RspPathSets *sets = &threads->sets[thread];
  const PathSet *set = path_set (sets, paths);
  g_autoptr (GArray) outcomes = g_array_new (FALSE, FALSE, sizeof (Outcome));
  values[event] = (RspValue){ .bits = got };
  known |= event_bit (event);
  for (guint i = 0; i < set->n; i++) {
    const PathFacts *facts = &sets->facts[set->paths[i]];
    const RspTerm *term = facts->path->events[event].written;
    gint64 written = 0;
    if (agrees (facts, event, values, known) && (!term || evaluate (term, values, &written)))
      add_outcome (outcomes, term != NULL, written, set->paths[i]);
  }
  for (guint i = 0; i < outcomes->len; i++) {
    Outcome *outcome = &g_array_index (outcomes, Outcome, i);
    guint32 number = path_sets_number (sets, (const guint16 *) (void *) outcome->paths->data,
                                       outcome->paths->len, threads->arena);
    g_array_append_val (effects, ((RspEffect){ number, outcome->writes, outcome->written }));
    g_array_unref (outcome->paths);
  }
}

const RspEvent *rsp_threads_event (const RspThreads *threads, guint thread, guint32 paths,
                                   guint event) {
  const RspPathSets *sets = &threads->sets[thread];
  const PathSet *set = path_set (sets, paths);
  const RspEvent *found = &sets->facts[set->paths[0]].path->events[event];
  for (guint i = 1; i < set->n && found->failed_rmw; i++)
    found = &sets->facts[set->paths[i]].path->events[event];
  return found;
}

gboolean rsp_threads_depends (const RspThreads *threads, guint thread, guint32 paths, guint event,
                              guint64 reads) {
  const RspPathSets *sets = &threads->sets[thread];
  const PathSet *set = path_set (sets, paths);
  for (guint i = 0; i < set->n; i++) {
    const PathFacts *facts = &sets->facts[set->paths[i]];
    if (event < facts->path->n_events && (facts->written[event] & reads))
      return TRUE;
    for (guint k = 0; k < facts->path->n_constraints; k++)
      if (facts->constraints[k] & reads)
        return TRUE;
  }
  return FALSE;
}

gboolean rsp_threads_awaits (RspThreads *threads, guint thread, RspPoint point,
                             const RspEvent *exit) {
  const RspPathSets *sets = &threads->sets[thread];
  const PathSet *set = path_set (sets, point.paths);
  for (guint i = 0; i < set->n; i++) {
    const RspPath *path = sets->facts[set->paths[i]].path;
    for (guint e = 0; e < path->n_events; e++) {
      const RspEvent *event = &path->events[e];
      if (event->kind == RSP_EVENT_ENTRY && !(point.done & event_bit (e))
          && event->barrier_count == exit->barrier_count
          && g_strcmp0 (event->barrier, exit->barrier) == 0)
        return TRUE;
    }
  }
  return FALSE;
}

void rsp_threads_each_event (const RspThreads *threads, RspEventVisit visit, gpointer user) {
  for (guint t = 0; t < threads->n; t++)
    for (guint i = 0; i < threads->sets[t].n_facts; i++) {
      const RspPath *path = threads->sets[t].facts[i].path;
      for (guint e = 0; e < path->n_events; e++)
        visit (user, &path->events[e]);
    }
}

guint rsp_threads_n_paths (RspThreads *threads, guint thread, guint16 paths) {
  return path_set (&threads->sets[thread], paths)->n;
}

RspValue rsp_threads_final (RspThreads *threads, guint thread, guint32 paths, guint i, guint reg,
                            const RspValue *values) {
  const RspPathSets *sets = &threads->sets[thread];
  const PathSet *set = path_set (sets, paths);
  RspValue value = { 0 };
  gboolean opaque;
  rsp_term_evaluate (sets->facts[set->paths[i]].path->finals[reg], values, &value, &opaque);
  return value;
}
