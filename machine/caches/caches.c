#include "machine/caches/caches.h"
#include "machine/caches/bypass.h"
#include "machine/caches/codec.h"
#include "machine/caches/describe.h"
#include "machine/caches/states/invariant.h"
#include "machine/caches/states/progress.h"
#include "machine/caches/steps/settle.h"
#include "machine/caches/steps/step.h"

#include "machine/caches/state.h"

static void start (gpointer data, GByteArray *state, RspBill *bill) {
  Caches *m = data;
  RspSuccessors successors = { .bytes = state,
                               .ends = g_array_new (FALSE, FALSE, sizeof (gsize)),
                               .bills = g_array_new (FALSE, FALSE, sizeof (RspBill)) };
  State *s = m->scratch->pdata[0];
  m->successors = &successors;
  m->bill = (RspBill){ { 0 } };
  caches_start (m, s);
  caches_settle (m, s);
  caches_encode (m, s, state);
  if (bill)
    *bill = m->bill;
  g_array_unref (successors.ends);
  g_array_unref (successors.bills);
}

static RspCodes *compile (const RspMachine *machine, const RspReadings *readings, const RspMap *map,
                          RspDiagnostics *diagnostics) {
  const char *levels[MOST_LEVELS + 1] = { NULL };
  for (guint i = 0; i < MOST_LEVELS; i++)
    levels[i] = machine->levels[i].name;
  return rsp_codes_new (map, levels, machine->name, readings->accesses == ACCESS_COUNTED,
                        diagnostics);
}

gboolean rsp_machine_takes (const RspMachine *machine, const RspReadings *readings,
                            const RspMap *map, RspDiagnostics *diagnostics) {
  g_autoptr (RspCodes) codes = compile (machine, readings, map, diagnostics);
  return codes != NULL;
}

static void find_places (Caches *m) {
  for (guint place = 0; place < m->n_places; place++) {
    guint location = m->threads->locations[place];
    if (m->program->locations[location].type.space == RSP_SPACE_LOCAL)
      m->local |= place_bit (place);
    for (guint i = 0; i < m->program->n_observables; i++)
      if (!m->program->observables[i].is_register
          && m->program->observables[i].location == location)
        m->observed |= place_bit (place);
  }
}

RspCaches *rsp_caches_new (const RspProgram *program, const RspCachesOptions *options,
                           RspDiagnostics *diagnostics) {
  if (program->n_threads > MOST_THREADS) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL,
               "test %s has %u threads; a machine runs no more than %d", program->name,
               program->n_threads, MOST_THREADS);
    return NULL;
  }
  g_autoptr (RspCodes) codes
      = compile (options->machine, &options->readings, options->map, diagnostics);
  g_autoptr (RspThreads) threads
      = codes ? rsp_threads_new (program, &options->threads, diagnostics) : NULL;
  if (!threads)
    return NULL;
  Caches *m = g_new0 (Caches, 1);
  m->program = program;
  m->codes = g_steal_pointer (&codes);
  m->threads = g_steal_pointer (&threads);
  m->readings = options->readings;
  m->counting = options->counting;
  m->tracing = options->tracing;
  m->counted = m->codes->counted;
  m->reduced = m->readings.reduction == REDUCTION_ON;
  m->lazy = m->reduced && m->readings.fetch == FETCH_ANY;
  m->bypassed = caches_bypassed (m);
  m->n_threads = program->n_threads;
  m->n_places = m->threads->n_places;
  shape_init (&m->shape, options->machine, program, m->reduced ? m->bypassed : G_MAXUINT);
  m->n_nodes = m->shape.nodes->len;
  find_places (m);
  caches_measure (m);
  m->scratch = g_ptr_array_new_with_free_func (caches_free);
  for (guint i = 0; i < 2; i++)
    g_ptr_array_add (m->scratch, caches_new (m));
  m->system = (RspSystem){ .data = m,
                           .start = start,
                           .expand = caches_expand,
                           .violated = caches_violated,
                           .describe = caches_describe,
                           .progress = caches_progress };
  return m;
}

void rsp_caches_free (RspCaches *m) {
  if (!m)
    return;
  g_ptr_array_unref (m->scratch);
  shape_clear (&m->shape);
  rsp_threads_free (m->threads);
  rsp_codes_free ((RspCodes *) m->codes);
  g_free (m);
}

const RspSystem *rsp_caches_system (const RspCaches *m) { return &m->system; }

/* ---- Final states ---- */

typedef struct Finals {
  Caches *m;
  const State *s;
  guint *chosen; /* per thread: which path of its set */
  RspValue *state;
  RspFinalVisit visit;
  gpointer user;
} Finals;

static RspValue final_register (const Finals *finals, const RspObservable *observable) {
  Caches *m = finals->m;
  guint t = observable->thread;
  RspValue values[RSP_MOST_EVENTS] = { { 0 } };
  for (guint e = 0; e < m->most_events; e++)
    values[e].bits = reads_of_thread (m, finals->s, t)[e];
  return rsp_threads_final (m->threads, t, finals->s->threads[t].paths, finals->chosen[t],
                            observable->reg, values);
}

static RspValue final_location (const Finals *finals, guint location) {
  const Caches *m = finals->m;
  guint place = 0;
  while (m->threads->locations[place] != location)
    place++;
  guint newest = (guint) __builtin_ctz (line_at (m, finals->s, MEMORY, place)->mask);
  return (RspValue){ .bits = values_of (finals->s, place)[newest] };
}

static void choose (Finals *finals, guint thread) {
  Caches *m = finals->m;
  if (thread < m->n_threads) {
    guint n = rsp_threads_n_paths (m->threads, thread, finals->s->threads[thread].paths);
    for (finals->chosen[thread] = 0; finals->chosen[thread] < n; finals->chosen[thread]++)
      choose (finals, thread + 1);
    return;
  }
  for (guint i = 0; i < m->program->n_observables; i++) {
    const RspObservable *observable = &m->program->observables[i];
    finals->state[i] = observable->is_register ? final_register (finals, observable)
                                               : final_location (finals, observable->location);
  }
  finals->visit (finals->user, finals->state);
}

void rsp_caches_finals (RspCaches *m, RspBytes bytes, RspFinalVisit visit, gpointer user) {
  State *s = m->scratch->pdata[1];
  caches_decode (m, bytes, s);
  g_autofree guint *chosen = g_new0 (guint, m->n_threads + 1);
  g_autofree RspValue *state = g_new0 (RspValue, m->program->n_observables + 1);
  Finals finals = { m, s, chosen, state, visit, user };
  choose (&finals, 0);
}

/* ---- What was met ---- */

gboolean rsp_caches_is_truncated (const RspCaches *m) { return m->truncated; }

gboolean rsp_caches_too_many_values (const RspCaches *m) { return m->too_many_values; }

gboolean rsp_caches_report (const RspCaches *m, const char **failure, RspDiagnostics *diagnostics) {
  *failure = m->failed ? m->failed->end_message : NULL;
  if (m->failed)
    rsp_error (diagnostics, m->failed->end_span, NULL, "test %s: %s on some execution",
               m->program->name, m->failed->end_message);
  if (!m->missing)
    return TRUE;
  g_autofree char *what = rsp_codes_describe (m->missing);
  g_autofree char *head = rsp_codes_format_head (m->missing);
  g_autofree char *hint = g_strdup_printf ("a row for it begins `%s :`", head);
  rsp_error (diagnostics, m->missing->span, hint,
             "test %s: mapping %s has no row for this operation, a %s", m->program->name,
             m->codes->map->name, what);
  return FALSE;
}
