/* A test as a machine runs it: threads, and instructions by a mapping. */
#include "enumerator/execution.h"
#include "enumerator/terms/terms.h"
#include "extra/machine/internal.h"
#include "extra/machine/machine.h"
#include "parser/map/map.h"

#include <string.h>

/* A path as a machine needs it, with sets of events as words. */
typedef struct PathFacts {
  const RspPath *path;
  guint64 all;          /* its events */
  guint64 *before;      /* per event: its predecessors in program order */
  guint64 *written;     /* per event: reads in the value that it writes */
  guint64 *constraints; /* per constraint: reads in it */
  guint64 finals;       /* reads in what is observed at the end */
} PathFacts;

typedef struct PathSet {
  guint16 *paths; /* ascending */
  guint n;
} PathSet;

typedef struct RspPathSets {
  PathFacts *facts;
  guint n_facts;
  GPtrArray *sets;     /* of PathSet */
  GHashTable *numbers; /* of PathSet to number + 1 */
  GHashTable *outlooks;
} RspPathSets;

static inline const PathSet *path_set (const RspPathSets *sets, guint32 number) {
  return sets->sets->pdata[number];
}

static inline guint64 event_bit (guint event) { return G_GUINT64_CONSTANT (1) << event; }

/* ---- Sets of paths -------------------------------------------------------------------------- */

static guint hash_set (gconstpointer key) {
  const PathSet *set = key;
  guint hash = set->n;
  for (guint i = 0; i < set->n; i++)
    hash = hash * 31 + set->paths[i];
  return hash;
}

static gboolean equal_sets (gconstpointer x, gconstpointer y) {
  const PathSet *a = x, *b = y;
  return a->n == b->n && memcmp (a->paths, b->paths, a->n * sizeof a->paths[0]) == 0;
}

static guint64 reads_of (const RspTerm *term) {
  guint64 reads = 0;
  if (!term)
    return 0;
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (guint));
  rsp_term_add_reads (term, events);
  for (guint i = 0; i < events->len; i++)
    reads |= event_bit (g_array_index (events, guint, i));
  return reads;
}

static void find_facts (PathFacts *facts, const RspPath *path, const RspProgram *program,
                        guint thread, RspArena *arena) {
  facts->path = path;
  facts->before = rsp_arena_new0 (arena, guint64, path->n_events);
  facts->written = rsp_arena_new0 (arena, guint64, path->n_events);
  facts->constraints = rsp_arena_new0 (arena, guint64, path->n_constraints);
  for (guint e = 0; e < path->n_events; e++) {
    facts->all |= event_bit (e);
    facts->written[e] = reads_of (path->events[e].written) & ~event_bit (e);
    for (guint f = 0; f < path->n_events; f++)
      if (rsp_matrix_get (path->po, f, e))
        facts->before[e] |= event_bit (f);
  }
  for (guint i = 0; i < path->n_constraints; i++)
    facts->constraints[i] = reads_of (path->constraints[i].term);
  for (guint i = 0; i < program->n_observables; i++) {
    const RspObservable *observable = &program->observables[i];
    if (observable->is_register && observable->thread == thread && path->finals)
      facts->finals |= reads_of (path->finals[observable->reg]);
  }
}

/* The number of the set of these paths (copied). */
static guint32 path_sets_number (RspPathSets *sets, const guint16 *paths, guint n,
                                 RspArena *arena) {
  PathSet key = { (guint16 *) paths, n };
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (sets->numbers, &key));
  if (number)
    return number - 1;
  PathSet *set = rsp_arena_new0 (arena, PathSet, 1);
  *set = (PathSet){ rsp_arena_copy (arena, paths, n * sizeof paths[0]), n };
  g_ptr_array_add (sets->sets, set);
  g_hash_table_insert (sets->numbers, set, GUINT_TO_POINTER (sets->sets->len));
  return sets->sets->len - 1;
}

static guint hash_point (gconstpointer key) {
  const RspPoint *point = key;
  guint64 hash
      = (point->done ^ ((guint64) point->paths << 47)) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint) (hash >> 32);
}

static gboolean equal_points (gconstpointer x, gconstpointer y) {
  const RspPoint *a = x, *b = y;
  return a->paths == b->paths && a->done == b->done;
}

/* ---- Threads -------------------------------------------------------------------------------- */

/* ---- Building ---- */
static void add_place (RspThreads *threads, guint location, GArray *places) {
  for (guint i = 0; i < places->len; i++)
    if (g_array_index (places, guint, i) == location)
      return;
  g_array_append_val (places, location);
  threads->n_places = places->len;
}

/* FALSE, with a diagnostic, if a path has too many events. */
static gboolean measure_paths (RspThreads *threads, guint thread, const GPtrArray *paths,
                               GArray *places, RspDiagnostics *diagnostics) {
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
      const RspEvent *event = &path->events[e];
      /* Its fence would come before the value that decides whether there is one. */
      if (event->is_unless) {
        rsp_error (diagnostics, event->span, NULL, "test %s: no machine has `atomic_add_unless`",
                   threads->program->name);
        return FALSE;
      }
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
         && measure_paths (threads, t, paths, places, diagnostics);
    if (ok && paths->len >= G_MAXUINT16) {
      rsp_error (diagnostics, threads->program->threads[t].span, NULL,
                 "test %s: thread %s has %u paths; a machine runs fewer than %d",
                 threads->program->name, threads->program->threads[t].name, paths->len,
                 G_MAXUINT16);
      ok = FALSE;
    }
    if (!ok)
      break;
    RspPathSets *sets = &threads->sets[t];
    sets->n_facts = paths->len;
    sets->facts = rsp_arena_new0 (threads->arena, PathFacts, paths->len);
    for (guint i = 0; i < paths->len; i++)
      find_facts (&sets->facts[i], paths->pdata[i], threads->program, t, threads->arena);
    sets->sets = g_ptr_array_new ();
    sets->numbers = g_hash_table_new (hash_set, equal_sets);
    sets->outlooks = g_hash_table_new (hash_point, equal_points);
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
  for (guint t = 0; t < threads->n && threads->sets[t].sets; t++) {
    g_ptr_array_unref (threads->sets[t].sets);
    g_hash_table_unref (threads->sets[t].numbers);
    g_hash_table_unref (threads->sets[t].outlooks);
  }
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

/* Do the constraints hold whose last unknown read was this event? */
static gboolean constraints_hold (const PathFacts *facts, guint event, const RspValue *values,
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

/* An effect with the paths that have it. */
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
    if (constraints_hold (facts, event, values, known)
        && (!term || evaluate (term, values, &written)))
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

/* ---- Outlooks ------------------------------------------------------------------------------- */

/* Outlooks are computed once per point. */

typedef struct Keyed {
  RspPoint point;
  RspOutlook outlook;
} Keyed;

/* Are they one operation, as are the two forms of a compare-exchange until it has read? */
static gboolean are_alike (const RspEvent *a, const RspEvent *b) {
  if (a->location != b->location || a->scope != b->scope || a->words != b->words
      || a->is_atomic != b->is_atomic || a->flags != b->flags)
    return FALSE;
  if ((a->kind == RSP_EVENT_RMW && b->failed_rmw) || (a->failed_rmw && b->kind == RSP_EVENT_RMW))
    return TRUE;
  return a->kind == b->kind && a->order == b->order && a->failed_rmw == b->failed_rmw
         && a->barrier_count == b->barrier_count && a->meeting == b->meeting
         && g_strcmp0 (a->barrier, b->barrier) == 0;
}

static guint8 place_of (const RspThreads *threads, const RspEvent *event) {
  for (guint i = 0; i < threads->n_places; i++)
    if (threads->locations[i] == event->location)
      return (guint8) i;
  return 0;
}

/* Collects the operations. */
typedef struct Gathering {
  RspThreads *threads;
  RspPathSets *sets;
  RspOperation operations[RSP_MOST_EVENTS];
  GArray *members[RSP_MOST_EVENTS]; /* of guint16: their paths */
  guint n;
} Gathering;

static void add_member (Gathering *gathering, const RspOperation *operation, guint16 path) {
  guint i = 0;
  for (; i < gathering->n; i++) {
    const RspOperation *other = &gathering->operations[i];
    gboolean both_end = operation->event == RSP_NO_EVENT && other->event == RSP_NO_EVENT;
    if ((both_end && other->end == operation->end
         && other->end_span.begin == operation->end_span.begin)
        || (!both_end && other->event == operation->event
            && are_alike (other->first, operation->first)))
      break;
  }
  if (i == RSP_MOST_EVENTS)
    return;
  if (i == gathering->n) {
    gathering->operations[gathering->n] = *operation;
    gathering->members[gathering->n++] = g_array_new (FALSE, FALSE, sizeof (guint16));
  } else if (operation->event != RSP_NO_EVENT && operation->first->kind == RSP_EVENT_RMW)
    gathering->operations[i].first = operation->first;
  g_array_append_val (gathering->members[i], path);
}

static void add_ahead (const RspThreads *threads, const PathFacts *facts, guint64 done,
                       RspOutlook *outlook) {
  const RspPath *path = facts->path;
  guint64 reads = facts->finals;
  for (guint i = 0; i < path->n_constraints; i++)
    if (facts->constraints[i] & ~done)
      reads |= facts->constraints[i];
  for (guint e = 0; e < path->n_events; e++) {
    const RspEvent *event = &path->events[e];
    if (done & event_bit (e))
      continue;
    reads |= facts->written[e];
    if (event->location == RSP_NO_LOCATION)
      continue;
    guint64 place = event_bit (place_of (threads, event));
    outlook->loads |= rsp_event_is_read (event) ? place : 0;
    outlook->stores |= rsp_event_is_write (event) ? place : 0;
  }
  outlook->reads |= reads & done;
}

const RspOutlook *rsp_threads_outlook (RspThreads *threads, guint thread, RspPoint point) {
  RspPathSets *sets = &threads->sets[thread];
  Keyed *keyed = g_hash_table_lookup (sets->outlooks, &point);
  if (keyed)
    return &keyed->outlook;
  keyed = rsp_arena_new0 (threads->arena, Keyed, 1);
  keyed->point = point;
  RspOutlook *outlook = &keyed->outlook;
  Gathering gathering = { .threads = threads, .sets = sets };
  const PathSet *set = path_set (sets, point.paths);
  for (guint i = 0; i < set->n; i++) {
    const PathFacts *facts = &gathering.sets->facts[set->paths[i]];
    const RspPath *path = facts->path;
    if (point.done == facts->all)
      add_member (&gathering,
                  &(RspOperation){ .event = RSP_NO_EVENT,
                                   .end = path->end,
                                   .end_span = path->end_span,
                                   .end_message = path->end_message },
                  set->paths[i]);
    for (guint e = 0; e < path->n_events; e++)
      if (!(point.done & event_bit (e)) && !(facts->before[e] & ~point.done))
        add_member (&gathering,
                    &(RspOperation){ .event = (guint8) e,
                                     .place = place_of (gathering.threads, &path->events[e]),
                                     .first = &path->events[e] },
                    set->paths[i]);
    add_ahead (threads, &sets->facts[set->paths[i]], point.done, outlook);
  }
  for (guint i = 0; i < gathering.n; i++) {
    g_autoptr (GArray) members = gathering.members[i];
    gathering.operations[i].paths = path_sets_number (
        sets, (const guint16 *) (void *) members->data, members->len, threads->arena);
  }
  outlook->n_operations = gathering.n;
  outlook->operations = rsp_arena_copy (threads->arena, gathering.operations,
                                        gathering.n * sizeof gathering.operations[0]);
  g_hash_table_insert (sets->outlooks, &keyed->point, keyed);
  return outlook;
}

/* ---- Instructions --------------------------------------------------------------------------- */

/* Finds the number of the instruction's level, the first if it names none. FALSE if the machine has
 * no level of that name. */
static gboolean find_level (const RspMapInstruction *instruction, const RspMachine *machine,
                            RspDiagnostics *diagnostics, guint8 *level) {
  *level = 0;
  if (!instruction->level)
    return TRUE;
  g_autoptr (GString) list = g_string_new (NULL);
  for (; machine->levels[*level].name; (*level)++) {
    const char *name = machine->levels[*level].name;
    if (strcmp (name, instruction->level) == 0)
      return TRUE;
    g_string_append_printf (list, "`%s`, ", name);
  }
  if (strcmp (instruction->level, "MEM") == 0)
    return TRUE;
  rsp_error (diagnostics, instruction->span, NULL,
             "machine %s has no level `%s`: expected one of %s`MEM`", machine->name,
             instruction->level, list->str);
  return FALSE;
}

/* Does the machine have the instruction? CLEAN and WAIT are for machines with outstanding accesses,
 * the others for machines that wait for each access. */
static gboolean check_kind (const RspMapInstruction *instruction, const RspMachine *machine,
                            RspDiagnostics *diagnostics) {
  gboolean counted = machine->readings.accesses == ACCESS_COUNTED;
  gboolean counts = instruction->kind == RSP_MAP_CLEAN || instruction->kind == RSP_MAP_WAIT;
  gboolean waits = instruction->kind == RSP_MAP_FLU || instruction->kind == RSP_MAP_LOCK
                   || instruction->kind == RSP_MAP_STALL || instruction->kind == RSP_MAP_OWNED
                   || instruction->kind == RSP_MAP_FORWARD || instruction->joined;
  gboolean lacks_line = (instruction->locks & RSP_MAP_LINE) && !machine->line_at;
  gboolean lacks_rmws = (instruction->locks & RSP_MAP_RMWS) && !machine->has_rmw_lock;
  if (counted ? waits : counts)
    rsp_error (
        diagnostics, instruction->span, counted ? "CLEAN and WAIT do that" : "FLU does that",
        counted
            ? "machine %s has outstanding accesses, and no FLU, LOCK, STALL, OWN, FORWARD or STEP"
            : "machine %s waits for each access, and has no CLEAN or WAIT",
        machine->name);
  else if (lacks_line || lacks_rmws)
    rsp_error (diagnostics, instruction->span,
               "its file says `lock line at L1, rmw per work_group`",
               "machine %s has no lock of %s", machine->name, lacks_line ? "lines" : "RMWs");
  else if (machine->units && !(machine->units >> instruction->kind & 1)
           && instruction->kind != RSP_MAP_UNLOCK && instruction->kind != RSP_MAP_UNSTALL)
    rsp_error (diagnostics, instruction->span, "its file lists what its units do: `unit : …`",
               "machine %s has no such instruction", machine->name);
  else
    return TRUE;
  return FALSE;
}

static gboolean compile_row (const RspMapRow *row, const RspMachine *machine,
                             RspDiagnostics *diagnostics, RspCode *code) {
  gboolean ok = row->n_instructions <= RSP_MOST_INSTRUCTIONS;
  code->row = row;
  code->n = row->n_instructions;
  code->instructions = g_new0 (RspInstruction, code->n + 1);
  if (!ok)
    rsp_error (diagnostics, row->span, NULL, "this row has %u instructions, expected at most %d",
               row->n_instructions, RSP_MOST_INSTRUCTIONS);
  for (guint i = 0; i < code->n; i++) {
    const RspMapInstruction *from = &row->instructions[i];
    RspInstruction *to = &code->instructions[i];
    *to = (RspInstruction){ .kind = from->kind,
                            .bare = !from->level,
                            .reach = from->reach,
                            .locks = (guint8) from->locks,
                            .lines = (guint8) from->lines,
                            .when = (guint8) from->when,
                            .stalls = (guint8) from->stalls,
                            .stalled = from->stalled,
                            .through = from->through,
                            .counted = (guint8) from->counted,
                            .joined = from->joined };
    ok &= find_level (from, machine, diagnostics, &to->level)
          && check_kind (from, machine, diagnostics);
    while ((to->kind == RSP_MAP_ST || to->kind == RSP_MAP_READ_WRITE)
           && machine->levels[to->level].is_through) {
      to->level++;
      to->through = TRUE;
    }
  }
  return ok;
}

/* Reports each message at its first place only: a mapping for another machine has it in every row.
 */
static void report_once (const RspDiagnostics *all, RspDiagnostics *diagnostics) {
  for (guint i = 0; i < rsp_diagnostics_count (all); i++) {
    const RspDiagnostic *own = rsp_diagnostics_get (all, i);
    guint first = rsp_diagnostics_count (all), n = 0;
    for (guint k = rsp_diagnostics_count (all); k-- > 0;)
      if (strcmp (rsp_diagnostics_get (all, k)->message, own->message) == 0) {
        first = k;
        n++;
      }
    g_autofree char *more = n > 1 ? g_strdup_printf (" (the first of %u such places)", n) : NULL;
    if (first == i)
      rsp_error (diagnostics, own->span, own->hint, "%s%s", own->message, more ? more : "");
  }
}

RspCodes *rsp_codes_new (const RspMap *map, const RspMachine *machine,
                         RspDiagnostics *diagnostics) {
  g_autoptr (RspCodes) codes = g_new0 (RspCodes, 1);
  g_autoptr (RspDiagnostics) own = rsp_diagnostics_new ();
  gboolean ok = TRUE;
  codes->map = map;
  codes->counted = machine->readings.accesses == ACCESS_COUNTED;
  while (machine->levels[codes->n_levels].name)
    codes->n_levels++;
  codes->codes = g_array_new (FALSE, FALSE, sizeof (RspCode));
  RspCode direct = { .instructions = g_new0 (RspInstruction, 1), .n = 1 };
  direct.instructions[0] /* the event determines the kind */
      = (RspInstruction){ .kind = RSP_MAP_READ_WRITE, .level = (guint8) codes->n_levels };
  RspCode none = { .instructions = g_new0 (RspInstruction, 1) };
  g_array_append_val (codes->codes, direct);
  g_array_append_val (codes->codes, none);
  for (const RspMapRow *row = map->rows; row; row = row->next) {
    RspCode code;
    ok &= compile_row (row, machine, own, &code);
    g_array_append_val (codes->codes, code);
  }
  if (codes->codes->len > G_MAXUINT16) {
    rsp_error (own, RSP_NOWHERE, NULL, "mapping %s has more than %d rows", map->name,
               G_MAXUINT16 - RSP_CODE_FIRST);
    ok = FALSE;
  }
  report_once (own, diagnostics);
  return ok ? g_steal_pointer (&codes) : NULL;
}

void rsp_codes_free (RspCodes *codes) {
  if (!codes)
    return;
  for (guint i = 0; i < codes->codes->len; i++)
    g_free (rsp_code (codes, i)->instructions);
  g_array_unref (codes->codes);
  g_free (codes);
}

/* ---- The row of an event ---- */
static RspMapOperation operation_of (const RspEvent *event) {
  switch (event->kind) {
  case RSP_EVENT_READ:
    return event->failed_rmw ? RSP_MAP_RMW : RSP_MAP_LOAD;
  case RSP_EVENT_WRITE:
    return RSP_MAP_STORE;
  case RSP_EVENT_RMW:
    return RSP_MAP_RMW;
  default:
    return RSP_MAP_FENCE;
  }
}

int rsp_codes_find (const RspCodes *codes, const RspProgram *program, const RspEvent *event) {
  RspMapOperation operation = operation_of (event);
  gboolean local = operation != RSP_MAP_FENCE
                   && program->locations[event->location].type.space == RSP_SPACE_LOCAL;
  if (operation == RSP_MAP_FENCE && event->flags && !(event->flags & RSP_FENCE_GLOBAL)
      && !codes->counted)
    return RSP_CODE_NONE;
  if (local && !codes->counted)
    return RSP_CODE_DIRECT;
  RspScope scope = local ? MIN (event->scope, RSP_SCOPE_WORK_GROUP) : event->scope;
  const RspMapRow *row = rsp_map_find (codes->map, operation, event->order, scope, &program->words,
                                       event->words ? rsp_event_words (program, event) : 0);
  for (guint i = RSP_CODE_FIRST; row && i < codes->codes->len; i++)
    if (rsp_code (codes, i)->row == row)
      return (int) i;
  return -1;
}

char *rsp_codes_format_head (const RspProgram *program, const RspEvent *event) {
  return rsp_map_format_head (operation_of (event), event->order, event->scope, &program->words,
                              rsp_event_words (program, event));
}

char *rsp_codes_describe (const RspProgram *program, const RspEvent *event) {
  return rsp_map_describe (operation_of (event), event->order, event->scope, &program->words,
                           rsp_event_words (program, event));
}
