/* What plain reads return between the barriers of a work-group, where that is the same in all
 * executions.
 *
 * A phase is what lies between two barriers. A location is contested from the first phase on in
 * which a work-item writes it and another one accesses it, and no barrier between the two orders
 * that; always, if they are of several work-groups, or if an atomic operation accesses it. Where it
 * is not, a plain read returns what its own work-item wrote before it in the phase,
 * or else the last value of the earlier phases, as these are ordered by barriers. Which events
 * there are in a phase follows from what its reads return. So paths are explored up to where they
 * depend on a read in a phase that is not yet known, which makes one more phase known, and so on;
 * if that shows a location to be contested, all begins again without knowing what it holds.
 *
 * What contested locations hold may multiply paths. Behind a race that means nothing: so paths may
 * end at the first barrier after it, and follow what is read in its phase only as far as that is
 * what the phases before left. The first race of all is such: whatever comes before it has read
 * that, or there were a race before. They are what a kernel that returns there does, whose events
 * are the beginnings of executions, and what happens later orders none of them.
 *
 * Why no execution differs: consider the first phase in which a read of a location that is not
 * contested returns something else, and the first such read there of its work-item. All events of
 * earlier phases are those found here, and so are those of its work-item before it. A model in
 * which a plain read returns the last write that happens before it leaves only a write of this
 * phase by another work-item, which happens before the read, but is not found here: it depends on
 * such a read itself. As happens-before is acyclic, one of them comes first. */
#include "enumerator/execution.h"
#include "enumerator/paths/internal.h"
#include "enumerator/paths/paths.h"
#include "enumerator/terms/terms.h"

enum {
  MAX_PHASES = 256,    /* of a kernel in which each phase depends on what the one before writes */
  MAX_RESTARTS = 16,   /* with more and more contested locations */
  MAX_NOTED = 1 << 22, /* events, each as often as it is explored */
  FEW_COMBINATIONS = 1 << 6,   /* of paths, which a search finishes, */
  MANY_COMBINATIONS = 1 << 16, /* and which it need not; between them if more than that is asked */
  MAX_TURNS = 4096,            /* of the threads on a schedule */
  NOBODY = G_MAXUINT
};

/* The accesses to a location in a phase. */
typedef struct Record {
  struct Record *previous; /* in an earlier phase */
  guint phase;
  guint thread;           /* one that accesses it */
  guint writer;           /* one that writes it; NOBODY */
  guint n_paths;          /* of the writer on which it is written */
  gboolean shared, plain; /* by several threads; not by atomic operations alone */
  gboolean is_known;      /* is the last value that all of them write the same? */
  gint64 value;
  guint path;               /* the last of these, */
  const RspEventNode *last; /* and its last write */
} Record;

typedef struct Place {
  Record *last;
  guint group;     /* a work-group that accesses it */
  guint first;     /* the first phase in which one does */
  guint contested; /* since which phase; NOBODY: in none */
  gboolean several, written, atomic, plain;
} Place;

/* An event of a thread on a schedule. */
typedef struct Step {
  guint location; /* or RSP_NO_LOCATION */
  gboolean reads, writes, meets;
  gint64 value, written;
} Step;

/* How far a thread has come on a schedule. */
typedef struct Follower {
  gint64 *values; /* that its events read */
  guint n, room;
  gboolean waits, passes, ended; /* at a barrier; it may pass the next one */
} Follower;

typedef struct Schedule {
  gint64 *memory;      /* per location */
  gint64 *before;      /* the same, at the last barrier */
  gboolean lags;       /* do plain reads see what others wrote only behind a barrier? */
  Follower *followers; /* per thread */
  GArray *steps;       /* of Step: of the thread that was run last, if it went on alone */
} Schedule;

struct RspPhases {
  RspArena *arena;
  Schedule *schedule; /* NULL: all paths are asked for */
  Place *places;      /* per location: what is known */
  guint limit; /* the last phase of which it is known what reads return, if all of them are not */
  gboolean is_whole;
  Place *next;       /* what is found */
  guint *n_paths;    /* per thread */
  guint cut;         /* the first phase in which paths depend on what is not known */
  guint race;        /* the first one with a race, unless atomic operations order it */
  guint end;         /* the phase behind which nothing is followed; G_MAXUINT: none */
  gboolean is_cut;   /* is there something behind it? */
  gboolean failed;   /* are there executions that are not followed? */
  gboolean exploded; /* as there are too many? */
  guint n_noted;     /* events */
  GArray **barriers; /* per work-group: of guint, a hash of each */
};

static RspPhaseKind kind_of (const RspLocation *location) {
  return location->type.space == RSP_SPACE_LOCAL ? RSP_PHASE_LOCAL : RSP_PHASE_GLOBAL;
}

static gboolean contains (const RspEventSet *set, guint event) {
  return set && event / 64 < set->words && (set->word[event / 64] >> event % 64 & 1);
}

/* ---- What is known -------------------------------------------------------------------------- */

/* The state's own last write to the location in the phase of the node; NULL: there is none. */
static const RspEventNode *own_write (const RspState *state, const RspEventNode *node,
                                      RspPhaseKind kind) {
  for (const RspEventNode *own = state->last; own && own->phase[kind] == node->phase[kind];
       own = own->previous)
    if (own->event.written && own->event.location == node->event.location)
      return own;
  return NULL;
}

/* What a read that follows the state's events returns on the schedule. FALSE: it is open. */
static gboolean read_scheduled (RspExecutor *x, const RspState *state, guint location,
                                gboolean is_atomic, gint64 *value) {
  const Schedule *schedule = x->program->phases->schedule;
  const Follower *own = &schedule->followers[x->thread_index];
  const gboolean lags = schedule->lags && !is_atomic;
  const RspEventNode *node = state->last;
  if (state->n_events < own->n) {
    *value = own->values[state->n_events];
    return TRUE;
  }
  for (; node && (lags ? !rsp_event_is_at_barrier (&node->event) : node->number >= own->n);
       node = node->previous)
    if (node->event.written && node->event.location == location)
      return state_evaluate (x, state, node->event.written, TRUE, value);
  *value = lags ? schedule->before[location] : schedule->memory[location];
  return TRUE;
}

void phases_know (RspExecutor *x, const RspState *state, RspEventNode *node) {
  RspPhases *phases = x->program->phases;
  const RspEvent *event = &node->event;
  if (phases && phases->schedule) {
    if (event->read && event->location != RSP_NO_LOCATION)
      node->is_guess = read_scheduled (x, state, event->location, event->is_atomic, &node->value);
    return;
  }
  if (phases && event->kind == RSP_EVENT_ENTRY)
    phases->failed |= state->copying != NULL; /* what is copied has no phase */
  if (!phases || event->kind != RSP_EVENT_READ || event->is_atomic || !event->read
      || (!phases->is_whole && node->phase[RSP_PHASE_ANY] > phases->limit))
    return;
  const RspLocation *location = &x->program->locations[event->location];
  const RspPhaseKind kind = kind_of (location);
  const gboolean is_open = node->phase[kind] >= phases->places[event->location].contested;
  gboolean *known = is_open ? &node->is_guess : &node->is_known;
  if (is_open && node->phase[RSP_PHASE_ANY] != phases->end)
    return;
  const RspEventNode *own = own_write (state, node, kind);
  if (own) {
    *known = contains (node->before, own->number)
             && state_evaluate (x, state, own->event.written, is_open, &node->value);
    return;
  }
  const Record *record = phases->places[event->location].last;
  while (record && (record->phase >= node->phase[kind] || record->writer == NOBODY))
    record = record->previous;
  *known = record ? record->is_known
                  : !location->unset && !location->any && !location->argument && !location->opaque
                        && !location->open;
  node->value = record ? record->value : location->initial;
}

/* ---- What is found -------------------------------------------------------------------------- */

/* The location's record of the phase, which is made if it is missing. */
static Record *record_of (RspPhases *phases, Place *place, guint phase, guint thread) {
  Record **at = &place->last;
  while (*at && (*at)->phase > phase)
    at = &(*at)->previous;
  if (!*at || (*at)->phase != phase) {
    Record *record = rsp_arena_new0 (phases->arena, Record, 1);
    *record = (Record){ .previous = *at, .phase = phase, .thread = thread, .writer = NOBODY };
    *at = record;
  }
  return *at;
}

/* A write: the last one of the path that is noted, or an earlier one. */
static void note_write (RspExecutor *x, const RspState *state, Record *record,
                        const RspEventNode *node) {
  gint64 value;
  const guint path = x->program->phases->n_paths[x->thread_index];
  if (record->path == path) {
    record->is_known &= contains (record->last->before, node->number);
    return;
  }
  const gboolean known = state_evaluate (x, state, node->event.written, FALSE, &value);
  record->is_known = known && (!record->n_paths || (record->is_known && record->value == value));
  record->value = value;
  record->path = path;
  record->last = node;
  record->n_paths++;
}

static void note_access (RspExecutor *x, const RspState *state, const RspEventNode *node) {
  RspPhases *phases = x->program->phases;
  const RspEvent *event = &node->event;
  Place *place = &phases->next[event->location];
  const guint thread = x->thread_index, group = x->thread->place[RSP_LEVEL_WORK_GROUP];
  const RspLocation *location = &x->program->locations[event->location];
  Record *record = record_of (phases, place, node->phase[kind_of (location)], thread);
  const guint phase = node->phase[RSP_PHASE_ANY];
  record->shared |= record->thread != thread;
  record->plain |= !event->is_atomic;
  place->plain |= !event->is_atomic;
  place->several |= place->group != NOBODY && place->group != group;
  place->group = group;
  place->atomic |= event->is_atomic || location->atomic;
  if ((record->writer != NOBODY && record->writer != thread) || (event->written && record->shared))
    place->contested = MIN (place->contested, record->phase);
  if (event->written) {
    place->written = TRUE;
    record->writer = thread;
    if (record->phase < place->contested)
      note_write (x, state, record, node);
  }
  if (place->written && place->several)
    place->contested = 0;
  if (record->plain && record->shared && record->writer != NOBODY)
    phases->race = MIN (phases->race, phase);
  else if (place->plain && place->several && place->written)
    phases->race = MIN (phases->race, MAX (phase, place->first));
  place->first = MIN (place->first, phase);
}

/* Work-items of a group that come to different barriers, or to more than others, have no phases in
 * common. barrier: NULL: the path ends. */
static void note_barrier (const RspExecutor *x, guint number, const RspEvent *barrier) {
  RspPhases *phases = x->program->phases;
  const guint hash = barrier ? g_str_hash (barrier->barrier) * 31 + barrier->barrier_count + 1 : 1;
  GArray *own = phases->barriers[x->thread->place[RSP_LEVEL_WORK_GROUP]];
  if (number >= own->len)
    g_array_set_size (own, number + 1);
  guint *known = &g_array_index (own, guint, number);
  phases->failed |= *known && *known != hash;
  *known = hash;
}

/* Notes the events of a path, as far as it is explored. */
static void note_path (RspExecutor *x, const RspState *state) {
  RspPhases *phases = x->program->phases;
  if (!phases->n_paths[x->thread_index] && !x->thread_index) {
    /* What atomic operations may access is contested even if no path that is explored does so: a
     * plain read may see one on a path that this read itself opens. */
    const guint8 *objects = executor_find_objects (x);
    x->program->phases->failed |= !objects;
    for (guint i = 0; objects && i < x->program->n_locations; i++)
      x->program->phases->next[i].atomic |= (objects[i] & RSP_OBJECT_ATOMIC) != 0;
  }
  phases->n_paths[x->thread_index]++;
  phases->n_noted += state->n_events;
  phases->failed |= state->copying != NULL;
  phases->exploded |= phases->n_noted > MAX_NOTED;
  for (const RspEventNode *node = state->last; node; node = node->previous)
    if (node->event.location != RSP_NO_LOCATION)
      note_access (x, state, node);
    else if (node->event.kind == RSP_EVENT_ENTRY && node->event.meeting <= RSP_LEVEL_WORK_GROUP)
      note_barrier (x, node->phase[RSP_PHASE_ANY], &node->event);
}

gboolean phases_cut (RspExecutor *x, const RspState *state, const RspTerm *condition) {
  RspPhases *phases = x->program->phases;
  if (x->paths || !condition->has_reads || condition->is_free || !state->last
      || state->last->phase[RSP_PHASE_ANY] <= phases->limit)
    return FALSE;
  note_path (x, state);
  phases->cut = MIN (phases->cut, state->last->phase[RSP_PHASE_ANY]);
  return TRUE;
}

/* No barrier orders what a path writes last before it fails; unless the array grows, and all is
 * explored again. */
static void contest_end (const RspExecutor *x, const RspState *state) {
  const guint object = rsp_address_object (state->end_address);
  if (rsp_is_address (state->end_address) && object < x->program->n_locations
      && x->program->locations[object].grows)
    return;
  for (const RspEventNode *node = state->last; node; node = node->previous) {
    const guint place = node->event.location;
    if (place == RSP_NO_LOCATION || !node->event.written)
      continue;
    const RspPhaseKind kind = kind_of (&x->program->locations[place]);
    guint *contested = &x->program->phases->next[place].contested;
    if (node->phase[kind] == state->last->phase[kind])
      *contested = MIN (*contested, node->phase[kind]);
  }
}

/* Notes the events of a thread that is run on a schedule. */
static void note_steps (RspExecutor *x, const RspState *state, GArray *steps) {
  if (steps->len) /* another path, as there are conditions of which nothing is known */
    return;
  g_array_set_size (steps, state->n_events);
  for (const RspEventNode *node = state->last; node; node = node->previous) {
    Step *step = &g_array_index (steps, Step, node->number);
    *step = (Step){ .location = node->event.location,
                    .reads = node->event.read != NULL,
                    .meets = rsp_event_is_at_barrier (&node->event),
                    .value = node->value };
    step->writes = node->event.written && step->location != RSP_NO_LOCATION
                   && state_evaluate (x, state, node->event.written, TRUE, &step->written);
  }
}

gboolean phases_note_end (RspExecutor *x, const RspState *state) {
  if (x->paths)
    return FALSE;
  if (x->program->phases->schedule) {
    note_steps (x, state, x->program->phases->schedule->steps);
    return TRUE;
  }
  x->program->phases->failed
      |= state->status == RSP_STATE_TRUNCATED || state->status == RSP_STATE_STUCK;
  note_path (x, state);
  if (state->status == RSP_STATE_FAILED)
    contest_end (x, state);
  else
    note_barrier (x, state->last ? state->last->phase[RSP_PHASE_ANY] : 0, NULL);
  return TRUE;
}

gboolean phases_are_scheduled (const RspExecutor *x) {
  return x->program->phases && x->program->phases->schedule;
}

int phases_guess (RspExecutor *x, const RspState *state, const RspTerm *condition) {
  gint64 value;
  RspPhases *phases = x->program->phases;
  if (!phases || (phases->end == G_MAXUINT && !phases->schedule))
    return -1;
  gboolean known = state_evaluate (x, state, condition, TRUE, &value);
  if (!known && phases->schedule && !condition->is_free && !state->place.is_register) {
    /* What a read-modify-write does depends on what it reads, which is the next event. */
    x->known[state->n_events] = read_scheduled (
        x, state, x->program->locations[state->place.index].physical, TRUE, &value);
    x->known_values[state->n_events] = (RspValue){ .bits = value };
    known = state_evaluate (x, state, condition, TRUE, &value);
    x->known[state->n_events] = FALSE;
  }
  if (!known)
    return -1;
  phases->is_cut |= !value && !phases->schedule;
  return value != 0;
}

gboolean phases_end (const RspExecutor *x, const RspState *state) {
  RspPhases *phases = x->program->phases;
  const gboolean ends = phases && phases->end < state->last->phase[RSP_PHASE_ANY];
  if (ends)
    phases->is_cut = TRUE;
  return ends;
}

gboolean rsp_phases_are_cut (const RspProgram *program) {
  return program->phases && program->phases->is_cut;
}

/* ---- All phases ----------------------------------------------------------------------------- */

/* Explores all threads with what is known. FALSE if that does not show what happens. */
static gboolean explore (const RspProgram *program, const RspPathOptions *options) {
  RspPhases *phases = program->phases;
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  phases->next = rsp_arena_new0 (phases->arena, Place, program->n_locations + 1);
  phases->cut = phases->race = G_MAXUINT;
  for (guint i = 0; i < program->n_locations; i++)
    phases->next[i].group = phases->next[i].first = phases->next[i].contested = NOBODY;
  for (guint t = 0; t < program->n_threads && !phases->failed && !phases->exploded; t++) {
    g_autoptr (RspArena) arena = rsp_arena_new_within (options->budget);
    RspTerms *terms = rsp_terms_new (arena);
    phases->n_paths[t] = 0;
    phases->exploded |= !rsp_paths_enumerate (program, t, options, terms, arena, NULL, unheard);
    rsp_terms_free (terms);
  }
  return !phases->failed && !phases->exploded;
}

/* Keeps what is found. TRUE: more is contested than was thought, so that all is explored again. */
static gboolean learn (const RspProgram *program) {
  RspPhases *phases = program->phases;
  const guint n_locations = program->n_locations;
  gboolean again = FALSE;
  for (guint i = 0; i < n_locations; i++) /* an object is atomic as a whole */
    for (guint k = 0; phases->next[i].atomic && k < program->locations[i].n_elements; k++)
      phases->next[program->locations[i].object + k].contested = 0;
  for (guint i = 0; i < n_locations; i++) {
    again |= phases->next[i].contested < phases->places[i].contested;
    phases->next[i].contested = MIN (phases->next[i].contested, phases->places[i].contested);
    for (Record *own = phases->next[i].last; own; own = own->previous)
      own->is_known &= own->writer == NOBODY || own->n_paths == phases->n_paths[own->writer];
  }
  phases->places = phases->next;
  for (guint i = 0; again && i < n_locations; i++)
    phases->places[i].last = NULL;
  return again;
}

/* In how many ways one path of each thread can be chosen. */
static guint64 count_combinations (const RspProgram *program) {
  guint64 all = 1;
  for (guint t = 0; t < program->n_threads; t++)
    if (__builtin_mul_overflow (all, (guint64) MAX (program->phases->n_paths[t], 1), &all))
      return G_MAXUINT64;
  return all;
}

/* Learns phase after phase. Returns the first one with a race if paths are to end there. */
static guint explore_all (RspProgram *program, const RspPathOptions *options, RspPhasesEnd end) {
  RspPhases *phases = program->phases;
  guint race = G_MAXUINT, n_restarts = 0; /* race: in the phases that are known */
  const guint64 most = program->n_observables ? MANY_COMBINATIONS : FEW_COMBINATIONS;
  gboolean many = end == RSP_PHASES_END_ALWAYS;
  while (!phases->is_whole && !(many && race != G_MAXUINT) && explore (program, options)) {
    const gboolean again = learn (program);
    race = again || phases->race > phases->limit ? G_MAXUINT : phases->race;
    many |= end && race != G_MAXUINT && count_combinations (program) > most;
    phases->is_whole = !again && phases->cut == G_MAXUINT;
    phases->limit = again ? 0 : phases->limit + 1;
    n_restarts += again;
    phases->exploded
        = n_restarts > MAX_RESTARTS || (!phases->is_whole && phases->limit > MAX_PHASES);
  }
  return many || (end && phases->exploded) ? race : G_MAXUINT;
}

/* ---- Schedules ------------------------------------------------------------------------------ */

/* Where threads have too many paths, a few are found by running them on one memory: each takes its
 * turn, in which it does what it did before (its reads return the same) and goes on as if it were
 * alone, until a barrier that not all have come to, or until its next read. A thread then has only
 * the path that it has taken, with the conditions on its reads: a search then finds the executions
 * on such paths, of which the model says whether there are any. Where models give a plain read the
 * last write that happens before it, a race is in executions in which one returns an old value: so
 * on half of the schedules plain reads lag behind. */

/* A turn of a thread, with so many reads at most. FALSE: it cannot be run. */
static gboolean take_turn (const RspProgram *program, guint thread, guint n_reads,
                           const RspPathOptions *options) {
  Schedule *schedule = program->phases->schedule;
  Follower *own = &schedule->followers[thread];
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  g_autoptr (RspArena) arena = rsp_arena_new_within (options->budget);
  RspTerms *terms = rsp_terms_new (arena);
  g_array_set_size (schedule->steps, 0);
  const gboolean good = rsp_paths_enumerate (program, thread, options, terms, arena, NULL, unheard);
  rsp_terms_free (terms);
  for (; own->n < schedule->steps->len; own->n++) {
    const Step *step = &g_array_index (schedule->steps, Step, own->n);
    own->waits = step->meets && !own->passes;
    if (own->waits || (step->reads && !n_reads))
      return good;
    own->passes &= !step->meets;
    n_reads -= step->reads;
    if (own->n == own->room) {
      own->room = 2 * own->room + 16;
      gint64 *values = rsp_arena_new0 (program->arena, gint64, own->room);
      own->values = own->n ? memcpy (values, own->values, own->n * sizeof *values) : values;
    }
    own->values[own->n] = step->value;
    if (step->writes)
      schedule->memory[step->location] = step->written;
  }
  own->ended = TRUE;
  return good;
}

/* Follows the schedule of this number: one thread after the other, read by read in turns, or in any
 * order with more and more reads in a turn; odd ones from the last thread on. */
static void follow (const RspProgram *program, guint number, const RspPathOptions *options) {
  enum { SERIAL = 2, IN_TURNS = 4 };
  const guint n = program->n_threads;
  Schedule *schedule = program->phases->schedule;
  guint first = 0, random = number;
  gboolean good = TRUE;
  for (guint turn = 0; good && turn < MAX_TURNS; turn++) {
    guint thread = n, i = 0, n_waiting = 0;
    for (; i < n; i++) {
      thread = (first + i) % n;
      thread = number % 2 ? n - 1 - thread : thread;
      const Follower *own = &schedule->followers[thread];
      n_waiting += own->waits;
      if (!own->waits && !own->ended)
        break;
    }
    if (i == n && !n_waiting)
      return;
    for (guint t = 0; t < n && i == n; t++) {
      schedule->followers[t].passes = schedule->followers[t].waits;
      schedule->followers[t].waits = FALSE;
    }
    if (i == n) {
      memcpy (schedule->before, schedule->memory, program->n_locations * sizeof (gint64));
      continue;
    }
    random = random * 1103515245 + 12345;
    good = take_turn (program, thread,
                      number < SERIAL     ? G_MAXUINT
                      : number < IN_TURNS ? 1
                                          : 1 + (random >> 8) % (1u << (number - IN_TURNS + 2)),
                      options);
    first = number < SERIAL ? 0 : number < IN_TURNS ? (first + i + 1) % n : (random >> 16) % n;
  }
}

void rsp_phases_find (RspProgram *program, const RspPathOptions *options, RspPhasesEnd end) {
  guint n_groups = 0;
  for (guint t = 0; t < program->n_threads; t++)
    n_groups = MAX (n_groups, program->threads[t].place[RSP_LEVEL_WORK_GROUP] + 1);
  RspPhases *phases = rsp_arena_new0 (program->arena, RspPhases, 1);
  phases->arena = program->arena;
  phases->end = G_MAXUINT;
  phases->places = rsp_arena_new0 (program->arena, Place, program->n_locations + 1);
  for (guint i = 0; i < program->n_locations; i++)
    phases->places[i].contested = NOBODY;
  phases->n_paths = rsp_arena_new0 (program->arena, guint, program->n_threads + 1);
  phases->barriers = rsp_arena_new0 (program->arena, GArray *, n_groups + 1);
  for (guint i = 0; i < n_groups; i++)
    phases->barriers[i] = g_array_new (FALSE, TRUE, sizeof (guint));
  program->phases = phases;
  if (end >= RSP_PHASES_SCHEDULED) {
    phases->schedule = rsp_arena_new0 (program->arena, Schedule, 1);
    phases->schedule->memory = rsp_arena_new0 (program->arena, gint64, program->n_locations + 1);
    phases->schedule->followers = rsp_arena_new0 (program->arena, Follower, program->n_threads);
    phases->schedule->steps = g_array_new (FALSE, FALSE, sizeof (Step));
    phases->limit = G_MAXUINT;
    for (guint i = 0; i < program->n_locations; i++)
      phases->schedule->memory[i] = program->locations[i].initial;
    phases->schedule->before = rsp_arena_copy (program->arena, phases->schedule->memory,
                                               (program->n_locations + 1) * sizeof (gint64));
    phases->schedule->lags = end - RSP_PHASES_SCHEDULED >= RSP_N_SCHEDULES / 2;
    follow (program, (end - RSP_PHASES_SCHEDULED) % (RSP_N_SCHEDULES / 2), options);
    g_array_unref (phases->schedule->steps);
  } else
    phases->end = explore_all (program, options, end);
  for (guint i = 0; i < n_groups; i++)
    g_array_unref (phases->barriers[i]);
  if (phases->end != G_MAXUINT) {
    phases->is_whole = FALSE;
    phases->limit = phases->end;
  } else if (!phases->is_whole && !phases->schedule)
    program->phases = NULL;
}
