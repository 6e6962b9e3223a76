/* Combinations that coherence rules out, if the model is proved to demand coherence. */
#include "base/base.h"
#include "enumerator/execution.h"
#include "enumerator/paths/paths.h"
#include "enumerator/search/internal.h"
#include "enumerator/search/search.h"
#include "enumerator/terms/terms.h"
#include "model/bounds/bounds.h"
#include "model/matrix.h"
#include "model/stage/stage.h"

enum {
  PART_EVENTS = 4, /* at most, without the initial write */
  PART_PAIRS = 3
};

/* An access of some path; thread RSP_NO_THREAD: the initial write. */
typedef struct Place {
  guint thread;
  const RspPath *path;
  guint event;
} Place;

typedef enum Order { RF, CO } Order;

typedef struct Part {
  guint location;
  Place events[PART_EVENTS + 1];
  guint n_events;
  struct {
    Order order;
    guint a, b; /* of events */
  } pairs[PART_PAIRS];
  guint n_pairs;
} Part;

/* ---- Part ----------------------------------------------------------------------------------- */

/* Parts of executions: a few accesses of paths to one location, and pairs of rf and co between
 * them. */

/* ---- Places ---- */
static gboolean place_is_initial (const Place *place) { return place->thread == RSP_NO_THREAD; }

static gboolean places_are_same (const Place *a, const Place *b) {
  return a->thread == b->thread && (place_is_initial (a) || a->event == b->event);
}

static const RspEvent *event_at (const Place *place) {
  return place_is_initial (place) ? NULL : &place->path->events[place->event];
}

/* What distinguishes an event from others of its thread, as far as a model can see for an access to
 * a given location; and how two accesses of the same path are related. */
static guint64 place_look (const Place *place) {
  const RspEvent *event = event_at (place);
  if (!event)
    return 1;
  return (guint64) event->words << 48 | (guint64) (place->thread + 2) << 32 | event->kind << 24
         | event->order << 16 | event->scope << 8 | (event->is_atomic ? 1 : 0)
         | (event->failed_rmw ? 4 : 0) | (event->no_result ? 8 : 0);
}

static guint64 places_ties (const Place *a, const Place *b) {
  if (place_is_initial (a) || place_is_initial (b) || a->thread != b->thread
      || a->event == b->event)
    return 0;
  const RspMatrix *const relations[] = { a->path->po, a->path->addr, a->path->data, a->path->ctrl };
  guint64 ties = a->event < b->event ? 1 : 2;
  for (guint i = 0; i < G_N_ELEMENTS (relations); i++)
    ties |= (rsp_matrix_get (relations[i], a->event, b->event) ? 4u : 0u) << (2 * i)
            | (rsp_matrix_get (relations[i], b->event, a->event) ? 8u : 0u) << (2 * i);
  return ties;
}

static gboolean place_writes (const Place *place) {
  return place_is_initial (place) || rsp_event_is_write (event_at (place));
}

/* ---- Parts ---- */
/* The part's number of an event, which is added if it is missing. */
static guint add_event (Part *part, const Place *place) {
  for (guint i = 0; i < part->n_events; i++)
    if (places_are_same (&part->events[i], place))
      return i;
  part->events[part->n_events] = *place;
  return part->n_events++;
}

static void part_add (Part *part, Order order, const Place *a, const Place *b) {
  guint from = add_event (part, a), to = add_event (part, b);
  part->pairs[part->n_pairs].order = order;
  part->pairs[part->n_pairs].a = from;
  part->pairs[part->n_pairs++].b = to;
}

/* ---- As a pre-execution ---- */
static RspMatrix *restrict_to (const RspMatrix *relation, const Part *part, const guint *numbers,
                               guint n, RspArena *arena) {
  RspMatrix *rest = rsp_relation_new (arena, n);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      if (rsp_matrix_get (relation, part->events[numbers[i]].event, part->events[numbers[j]].event))
        rsp_matrix_add (rest, i, j);
  return rest;
}

/* A path of the part's events of a thread, in order: position[i] is that of part's event i. */
static const RspPath *path_of (const Part *part, guint thread, guint *position, RspArena *arena) {
  guint numbers[PART_EVENTS + 1];
  /* The part's events of the thread, by their place in the path. */
  guint n = 0;
  for (guint i = 0; i < part->n_events; i++) {
    if (part->events[i].thread != thread)
      continue;
    guint at = n++;
    for (; at && part->events[numbers[at - 1]].event > part->events[i].event; at--)
      numbers[at] = numbers[at - 1];
    numbers[at] = i;
  }
  RspPath *path = rsp_arena_new0 (arena, RspPath, 1);
  path->n_events = n;
  path->events = rsp_arena_new0 (arena, RspEvent, n + 1);
  if (!n) {
    path->po = path->addr = path->data = path->ctrl = rsp_relation_new (arena, 0);
    return path;
  }
  const RspPath *whole = part->events[numbers[0]].path;
  for (guint i = 0; i < n; i++) {
    path->events[i] = whole->events[part->events[numbers[i]].event];
    position[numbers[i]] = i;
  }
  path->po = restrict_to (whole->po, part, numbers, n, arena);
  path->addr = restrict_to (whole->addr, part, numbers, n, arena);
  path->data = restrict_to (whole->data, part, numbers, n, arena);
  path->ctrl = restrict_to (whole->ctrl, part, numbers, n, arena);
  return path;
}

static guint number_in (const RspPreExecution *pre, const Part *part, const guint *position,
                        guint event) {
  const Place *place = &part->events[event];
  return place_is_initial (place) ? pre->initial[part->location]
                                  : rsp_pre_execution_event (pre, place->thread, position[event]);
}

/* ---- Interleave ----------------------------------------------------------------------------- */

/* A depth-first search over the next step of each thread, with a table of the states seen. A read
 * on whose value nothing else depends is taken as soon as possible: that changes nothing for the
 * other threads and lets its own continue. Values that depend on other locations stay unknown; an
 * unknown value satisfies every condition. */

enum {
  MAX_STEPS = 2048, /* limit of states; beyond it there may be an order */
  SLOTS = 2 * MAX_STEPS
};

typedef struct Last {
  RspValue value;
  gboolean known;
} Last;

struct Interleaver {
  guint n_threads;
  const Projection *const *threads;
  guint *at; /* per thread: accesses taken */
  RspValue **values;
  gboolean **known; /* per thread and event of its path */
  Last last;
  guint steps;
  GArray *words; /* scratch: of guint64 */
  /* States seen, by hash; those of earlier searches have another stamp. */
  RspHash *seen;
  guint *stamps;
  guint stamp;
};

/* ---- Projections ---- */
static gboolean mentions (const RspTerm *term, guint event) {
  if (!term)
    return FALSE;
  if (term->kind == RSP_TERM_READ)
    return term->event == event;
  return mentions (term->a, event) || mentions (term->b, event);
}

static void find_conditions (Access *access, const RspPath *path, const Projection *projection,
                             RspArena *arena) {
  guint n = 0;
  for (guint i = 0; i < path->n_constraints; i++)
    n += mentions (path->constraints[i].term, access->event);
  access->conditions = rsp_arena_new0 (arena, const RspTerm *, n + 1);
  access->simple = TRUE;
  for (guint i = 0; i < path->n_constraints; i++) {
    const RspTerm *term = path->constraints[i].term;
    if (!mentions (term, access->event))
      continue;
    access->conditions[access->n_conditions++] = term;
    /* A term that mentions another read of the location. */
    for (guint k = 0; k < projection->n; k++)
      if (projection->accesses[k].reads && projection->accesses[k].event != access->event
          && mentions (term, projection->accesses[k].event))
        access->simple = FALSE;
  }
  for (guint i = 0; i < projection->n; i++)
    if (projection->accesses[i].event != access->event
        && mentions (projection->accesses[i].written, access->event))
      access->simple = FALSE;
}

void projection_init (Projection *projection, const RspPath *path, guint location,
                      RspArena *arena) {
  guint n = 0;
  for (guint e = 0; e < path->n_events; e++)
    n += path->events[e].location == location;
  projection->accesses = rsp_arena_new0 (arena, Access, n + 1);
  projection->n = 0;
  for (guint e = 0; e < path->n_events; e++)
    if (path->events[e].location == location)
      projection->accesses[projection->n++] = (Access){ .event = e,
                                                        .reads = path->events[e].read != NULL,
                                                        .written = path->events[e].written };
  for (guint i = 0; i < projection->n; i++)
    if (projection->accesses[i].reads)
      find_conditions (&projection->accesses[i], path, projection, arena);
}

/* ---- Steps ---- */
static const Access *next_access (const Interleaver *x, guint thread) {
  const Projection *projection = x->threads[thread];
  return x->at[thread] < projection->n ? &projection->accesses[x->at[thread]] : NULL;
}

/* Takes the thread's next access. FALSE, with nothing changed, if that is impossible. */
static gboolean take (Interleaver *x, guint thread, const Access *access) {
  if (access->reads) {
    x->values[thread][access->event] = x->last.value;
    x->known[thread][access->event] = x->last.known;
  }
  for (guint i = 0; i < access->n_conditions; i++) {
    RspValue value;
    if (!rsp_term_evaluate_partial (access->conditions[i], x->values[thread], x->known[thread],
                                    &value)
        || value.bits || value.unknown)
      continue;
    x->known[thread][access->event] = FALSE;
    return FALSE;
  }
  if (access->written)
    x->last.known = rsp_term_evaluate_partial (access->written, x->values[thread], x->known[thread],
                                               &x->last.value);
  x->at[thread]++;
  return TRUE;
}

static void take_back (Interleaver *x, guint thread) {
  const Access *access = &x->threads[thread]->accesses[--x->at[thread]];
  x->known[thread][access->event] = FALSE;
}

/* ---- States ---- */
/* Is this state new? It contains everything that the rest depends on: the remaining accesses of
 * each thread, the last value, and the values of those reads that remaining accesses may
 * mention. */
static gboolean interleave_is_new (Interleaver *x) {
  g_array_set_size (x->words, 0);
  guint64 last[] = { x->last.known ? 1 + (guint64) x->last.value.unknown : 0,
                     x->last.known ? (guint64) x->last.value.bits : 0 };
  g_array_append_vals (x->words, last, G_N_ELEMENTS (last));
  for (guint t = 0; t < x->n_threads; t++) {
    const Projection *projection = x->threads[t];
    guint64 at = x->at[t];
    g_array_append_val (x->words, at);
    for (guint i = 0; i < at; i++) {
      const Access *access = &projection->accesses[i];
      if (!access->reads || access->simple)
        continue;
      gboolean known = x->known[t][access->event];
      const RspValue *value = &x->values[t][access->event];
      guint64 words[]
          = { known ? 1 + (guint64) value->unknown : 0, known ? (guint64) value->bits : 0 };
      g_array_append_vals (x->words, words, G_N_ELEMENTS (words));
    }
  }
  RspHash hash = rsp_hash_words ((const guint64 *) x->words->data, x->words->len);
  guint slot = (guint) (hash.a % SLOTS);
  while (x->stamps[slot] == x->stamp) {
    if (x->seen[slot].a == hash.a && x->seen[slot].b == hash.b)
      return FALSE;
    slot = (slot + 1) % SLOTS;
  }
  x->stamps[slot] = x->stamp;
  x->seen[slot] = hash;
  return TRUE;
}

/* ---- The search ---- */
static gboolean explore (Interleaver *x) {
  if (++x->steps > MAX_STEPS)
    return TRUE;
  guint taken[x->n_threads];
  gboolean found = TRUE;
  for (guint t = 0; t < x->n_threads; t++) {
    const Access *access;
    taken[t] = 0;
    while ((access = next_access (x, t)) && access->simple && !access->written
           && take (x, t, access))
      taken[t]++;
    found &= !access;
  }
  if (!found && interleave_is_new (x))
    for (guint t = 0; t < x->n_threads && !found; t++) {
      const Access *access = next_access (x, t);
      Last before = x->last;
      if (!access || !take (x, t, access))
        continue;
      found = explore (x);
      take_back (x, t);
      x->last = before;
    }
  for (guint t = 0; t < x->n_threads; t++)
    while (taken[t]--)
      take_back (x, t);
  return found;
}

Interleaver *interleaver_new (guint n_threads, guint max_events, RspArena *arena) {
  Interleaver *x = rsp_arena_new0 (arena, Interleaver, 1);
  x->n_threads = n_threads;
  x->at = rsp_arena_new0 (arena, guint, n_threads + 1);
  x->values = rsp_arena_new0 (arena, RspValue *, n_threads + 1);
  x->known = rsp_arena_new0 (arena, gboolean *, n_threads + 1);
  for (guint t = 0; t < n_threads; t++) {
    x->values[t] = rsp_arena_new0 (arena, RspValue, max_events + 1);
    x->known[t] = rsp_arena_new0 (arena, gboolean, max_events + 1);
  }
  x->words = g_array_new (FALSE, FALSE, sizeof (guint64));
  x->seen = rsp_arena_new0 (arena, RspHash, SLOTS);
  x->stamps = rsp_arena_new0 (arena, guint, SLOTS);
  return x;
}

void interleaver_free (Interleaver *x) { g_array_unref (x->words); }

gboolean interleaver_finds (Interleaver *x, const Projection *const *threads, RspValue initial) {
  x->threads = threads;
  x->last = (Last){ .value = initial, .known = TRUE };
  x->steps = 0;
  x->stamp++;
  return explore (x);
}

/* ---- Proof ---------------------------------------------------------------------------------- */

enum {
  MAX_PARTS = 100000, /* limit of examined parts; beyond it there is no proof */
  MAX_PROVEN = 16384
};

struct Proof {
  const RspProgram *program;
  const RspStagedModel *model; /* with everything open; NULL: nothing can be proved, as it inspects
                                * values, or chooses among orders */
  RspArena *arena;             /* of it */
  GArray *named;               /* of guint: the open sets and relations that it names */
  GPtrArray *const *paths;
  RspBudget *budget;
  GHashTable *seen;   /* RspHash: parts of the source that have been examined */
  GHashTable *proven; /* RspHash of a base → is the part forbidden? */
  guint n_parts;
  guint location;  /* under proof */
  GArray *singles; /* of Place: writes to it, one per equivalence class */
  GArray *doubles; /* of Place: two successive writes of one path to it, one such pair of each
                    * appearance */
  GArray *writes;  /* of Place: the writes that a path's accesses may interact with: the initial
                    * write,  those of the path, and singles of other threads */
  gboolean holds;
};

Proof *proof_new (const RspProgram *program, const RspModel *model, const RspStageOptions *options,
                  GPtrArray *const *paths, RspBudget *budget) {
  Proof *proof = g_new0 (Proof, 1);
  *proof = (Proof){ .program = program,
                    .arena = rsp_arena_new (),
                    .paths = paths,
                    .budget = budget,
                    .seen = g_hash_table_new_full (rsp_hash_key, rsp_hash_equal, g_free, NULL),
                    .proven = g_hash_table_new_full (rsp_hash_key, rsp_hash_equal, g_free, NULL),
                    .singles = g_array_new (FALSE, FALSE, sizeof (Place)),
                    .doubles = g_array_new (FALSE, FALSE, sizeof (Place)),
                    .named = g_array_new (FALSE, FALSE, sizeof (guint)),
                    .writes = g_array_new (FALSE, FALSE, sizeof (Place)) };
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  RspStageOptions own = { .skipped_checks = options->skipped_checks, .budget = budget };
  const RspStagedModel *opened
      = rsp_model_stage_open (model, program->language, &own, proof->arena, unheard);
  if (opened && opened->n_orders)
    rsp_dag_free (opened->dag);
  else
    proof->model = opened;
  for (RspNodeId id = 0; proof->model && id < proof->model->dag->nodes->len; id++)
    if (rsp_dag_node (proof->model->dag, id)->op == RSP_NODE_OPEN)
      g_array_append_val (proof->named, rsp_dag_node (proof->model->dag, id)->index);
  return proof;
}

void proof_free (Proof *proof) {
  g_hash_table_unref (proof->seen);
  g_hash_table_unref (proof->proven);
  g_array_unref (proof->singles);
  g_array_unref (proof->doubles);
  g_array_unref (proof->named);
  g_array_unref (proof->writes);
  if (proof->model)
    rsp_dag_free (proof->model->dag);
  rsp_arena_free (proof->arena);
  g_free (proof);
}

/* ---- Evaluating the model ---- */
static void put_matrix (GArray *words, const RspMatrix *matrix) {
  g_array_append_vals (words, matrix->bits, matrix->rows * matrix->words);
}

static const RspMatrix *value_of_open (const RspBase *base, guint index) {
  return index < RSP_N_BASE_SETS ? base->sets[index] : base->relations[index - RSP_N_BASE_SETS];
}

/* What is the same in a part and in the whole, of the part's events: all that has a name, except
 * the barriers that some work-item never reaches. */
static const RspMatrix *known_value (const RspBase *base, guint index) {
  static const gboolean known[RSP_N_BASE_SETS + RSP_N_BASE_RELATIONS] = {
#define RSP_BASE_SET(id, name, meaning)                                                            \
  [RSP_BASE_SET_##id] = RSP_BASE_SET_##id != RSP_BASE_SET_DIVERGENT_FENCE,
#define RSP_BASE_WORD(number)                [RSP_BASE_SET_WORD_##number] = TRUE,
#define RSP_BASE_RELATION(id, name, meaning) [RSP_N_BASE_SETS + RSP_BASE_RELATION_##id] = TRUE,
#include "model/base_names.def"
  };
  return known[index] ? value_of_open (base, index) : NULL;
}

typedef struct Bounding {
  const RspDag *dag;
  const RspBase *base;
} Bounding;

static void bound_leaf (gpointer data, RspNodeId id, RspMatrix *least, RspMatrix *most) {
  const Bounding *bounding = data;
  const RspBase *base = bounding->base;
  const RspDag *dag = bounding->dag;
  const RspNode *node = rsp_dag_node (dag, id);
  const RspMatrix *value = node->op == RSP_NODE_RF     ? base->rf
                           : node->op == RSP_NODE_CO   ? base->co
                           : node->op == RSP_NODE_OPEN ? known_value (base, node->index)
                           : id == dag->identity       ? base->relations[RSP_BASE_RELATION_ID]
                                                       : NULL;
  gboolean is_all = id == dag->universe[FALSE] || id == dag->universe[TRUE];
  gboolean is_none = id == dag->empty[FALSE] || id == dag->empty[TRUE];
  if (least && is_all)
    rsp_matrix_fill (least);
  else if (least && value)
    rsp_matrix_assign (least, value);
  if (most && value && node->op != RSP_NODE_RF && node->op != RSP_NODE_CO)
    rsp_matrix_assign (most, value);
  else if (most && !is_none)
    rsp_matrix_fill (most);
}

static gboolean model_forbids (const Proof *proof, const RspBase *base, RspArena *arena) {
  Bounding bounding = { proof->model->dag, base };
  RspBetween *between = rsp_between_new_part (proof->model, base->n, arena);
  if (!between)
    return FALSE;
  rsp_between_compute (between, bound_leaf, &bounding);
  for (guint i = 0; i < proof->model->n_axioms; i++)
    if (rsp_between_fails (between, &proof->model->axioms[i]))
      return TRUE;
  return FALSE;
}

static gboolean is_forbidden (Proof *proof, const Part *part) {
  g_autoptr (RspArena) arena = rsp_arena_new ();
  gboolean forbidden = FALSE;
  /* The part as a model sees it; co has the initial write first. */
  guint position[PART_EVENTS + 1] = { 0 };
  const RspPath **paths = rsp_arena_new0 (arena, const RspPath *, proof->program->n_threads + 1);
  for (guint t = 0; t < proof->program->n_threads; t++)
    paths[t] = path_of (part, t, position, arena);
  RspPreExecution *pre = rsp_pre_execution_new (proof->program, paths, arena);
  RspBase *base = pre->base;
  base->rf = rsp_relation_new (arena, pre->n);
  base->co = rsp_relation_new (arena, pre->n);
  rsp_matrix_assign (base->co, base->relations[RSP_BASE_RELATION_CO_INITIAL]);
  for (guint i = 0; i < part->n_pairs; i++)
    rsp_matrix_add (part->pairs[i].order == RF ? base->rf : base->co,
                    number_in (pre, part, position, part->pairs[i].a),
                    number_in (pre, part, position, part->pairs[i].b));
  rsp_relation_close (base->co);
  /* A hash of everything that the model sees. */
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 n = base->n;
  g_array_append_val (words, n);
  for (guint i = 0; i < proof->named->len; i++)
    put_matrix (words, value_of_open (base, g_array_index (proof->named, guint, i)));
  put_matrix (words, base->rf);
  put_matrix (words, base->co);
  RspHash hash = rsp_hash_words ((const guint64 *) words->data, words->len);
  gpointer known = g_hash_table_lookup (proof->proven, &hash);
  if (known)
    forbidden = GPOINTER_TO_UINT (known) == 2;
  else if (g_hash_table_size (proof->proven) < MAX_PROVEN) {
    forbidden = model_forbids (proof, base, arena);
    g_hash_table_insert (proof->proven, g_memdup2 (&hash, sizeof hash),
                         GUINT_TO_POINTER (forbidden ? 2 : 1));
  }
  return forbidden;
}

/* ---- Examined parts ---- */
static gboolean proof_is_new (Proof *proof, RspHash hash) {
  return g_hash_table_add (proof->seen, g_memdup2 (&hash, sizeof hash));
}

/* Has a part that looks the same been examined? */
static gboolean is_seen (Proof *proof, const Part *part) {
  /* The words are equal for parts that look the same to every model. */
  guint64 words[(PART_EVENTS + 1) * (PART_EVENTS + 2) + PART_PAIRS + 2];
  guint n = 0;
  words[n++] = (guint64) part->location << 32 | part->n_events;
  for (guint i = 0; i < part->n_events; i++) {
    words[n++] = place_look (&part->events[i]);
    for (guint j = 0; j < i; j++)
      words[n++] = places_ties (&part->events[i], &part->events[j]);
  }
  for (guint i = 0; i < part->n_pairs; i++)
    words[n++] = (guint64) part->pairs[i].order << 16 | part->pairs[i].a << 8 | part->pairs[i].b;
  return !proof_is_new (proof, rsp_hash_words (words, n));
}

static void demand (Proof *proof, const Part *part) {
  if (!proof->holds)
    return;
  if (++proof->n_parts > MAX_PARTS
      || (proof->n_parts % 64 == 0 && rsp_budget_is_exhausted (proof->budget)))
    proof->holds = FALSE;
  else if (!is_seen (proof, part))
    proof->holds = is_forbidden (proof, part);
}

/* ---- What must be forbidden ---- */
#define FOR_WRITES(w)                                                                              \
  for (const Place *w = (const Place *) proof->writes->data;                                       \
       w < (const Place *) proof->writes->data + proof->writes->len && proof->holds; w++)

typedef void (*DemandOfTwo) (Proof *proof, const Place *a, const Place *b, const Place *v,
                             const Place *w);

/* Demands that parts are forbidden for all v and w. */
static void demand_of_all (Proof *proof, const Place *a, const Place *b,
                           DemandOfTwo demand_of_two) {
  /* Do they belong to different paths of one thread? Singles are collected independently. */
  FOR_WRITES (v)
  FOR_WRITES (w)
  if (!places_are_same (v, w)
      && !(!place_is_initial (v) && v->thread == w->thread && v->thread != a->thread))
    demand_of_two (proof, a, b, v, w);
  for (guint i = 0; i < proof->doubles->len && proof->holds; i += 2) {
    const Place *v = &g_array_index (proof->doubles, Place, i), *w = v + 1;
    if (v->thread == a->thread)
      continue;
    demand_of_two (proof, a, b, v, w);
    demand_of_two (proof, a, b, w, v);
  }
}

static void demand_rmw_skips (Proof *proof, const Place *a, const Place *b, const Place *v,
                              const Place *w) {
  (void) b;
  if (places_are_same (v, a) || places_are_same (w, a) || place_is_initial (v))
    return;
  Part skips = { .location = proof->location };
  part_add (&skips, RF, w, a);
  part_add (&skips, CO, w, v);
  part_add (&skips, CO, v, a);
  demand (proof, &skips);
}

static void demand_reads_agree (Proof *proof, const Place *a, const Place *b, const Place *v,
                                const Place *w) {
  if (place_is_initial (v))
    return;
  Part swapped = { .location = proof->location };
  part_add (&swapped, RF, v, a);
  part_add (&swapped, RF, w, b);
  part_add (&swapped, CO, w, v);
  demand (proof, &swapped);
}

static void demand_of_pair (Proof *proof, const Place *a, const Place *b) {
  Part swapped = { .location = proof->location };
  if (!rsp_matrix_get (a->path->po, a->event, b->event))
    proof->holds = FALSE;
  else if (place_writes (a) && place_writes (b)) {
    part_add (&swapped, CO, b, a);
    demand (proof, &swapped);
  } else if (place_writes (a)) {
    FOR_WRITES (w) {
      if (places_are_same (w, a))
        continue;
      Part earlier = { .location = proof->location };
      part_add (&earlier, RF, w, b);
      part_add (&earlier, CO, w, a);
      demand (proof, &earlier);
    }
  } else if (place_writes (b)) {
    Part own = { .location = proof->location };
    part_add (&own, RF, b, a);
    demand (proof, &own);
    FOR_WRITES (w) {
      if (places_are_same (w, b) || place_is_initial (w))
        continue;
      Part later = { .location = proof->location };
      part_add (&later, RF, w, a);
      part_add (&later, CO, b, w);
      demand (proof, &later);
    }
  } else
    demand_of_all (proof, a, b, demand_reads_agree);
}

/* ---- All paths ---- */
static gboolean is_new_look (Proof *proof, const Place *a, const Place *b) {
  guint64 words[] = { (guint64) proof->location << 32 | 0xffff, place_look (a), place_look (b),
                      places_ties (a, b) };
  return proof_is_new (proof, rsp_hash_words (words, G_N_ELEMENTS (words)));
}

/* The next write of a path to the location, from an event on; FALSE if there is none. */
static gboolean find_write (const Proof *proof, Place *place) {
  for (; place->event < place->path->n_events; place->event++)
    if (place->path->events[place->event].location == proof->location
        && rsp_event_is_write (&place->path->events[place->event]))
      return TRUE;
  return FALSE;
}

static void demand_of_updates (Proof *proof, guint thread, const RspPath *path) {
  Place a = { .thread = thread, .path = path };
  for (; a.event < path->n_events && proof->holds; a.event++)
    if (path->events[a.event].location == proof->location
        && path->events[a.event].kind == RSP_EVENT_RMW) {
      FOR_WRITES (w) {
        if (places_are_same (w, &a) || place_is_initial (w))
          continue;
        Part reads_later = { .location = proof->location };
        part_add (&reads_later, RF, w, &a);
        part_add (&reads_later, CO, &a, w);
        demand (proof, &reads_later);
      }
      demand_of_all (proof, &a, &a, demand_rmw_skips);
    }
}

static void demand_of_path (Proof *proof, guint thread, const RspPath *path) {
  Place a = { .thread = thread, .path = path };
  demand_of_updates (proof, thread, path);
  for (a.event = 0; a.event < path->n_events && proof->holds; a.event++) {
    if (path->events[a.event].location != proof->location)
      continue;
    Place b = a;
    for (b.event++; b.event < path->n_events && proof->holds; b.event++)
      if (path->events[b.event].location == proof->location)
        demand_of_pair (proof, &a, &b);
  }
}

typedef void (*DemandOfPath) (Proof *proof, guint thread, const RspPath *path);

static gboolean prove (Proof *proof, guint location, DemandOfPath demand_of_one) {
  guint n = proof->program->n_threads;
  proof->location = location;
  proof->n_parts = 0;
  proof->holds = proof->model != NULL;
  g_hash_table_remove_all (proof->seen); /* what was examined may have been refuted */
  g_array_set_size (proof->singles, 0);
  g_array_set_size (proof->doubles, 0);
  for (guint t = 0; t < n && proof->holds; t++)
    for (guint i = 0; i < proof->paths[t]->len; i++) {
      Place a = { .thread = t, .path = proof->paths[t]->pdata[i] };
      for (; find_write (proof, &a); a.event++) {
        if (is_new_look (proof, &a, &a))
          g_array_append_val (proof->singles, a);
        Place b = a;
        for (b.event++; find_write (proof, &b); b.event++)
          if (is_new_look (proof, &a, &b)) {
            g_array_append_val (proof->doubles, a);
            g_array_append_val (proof->doubles, b);
          }
      }
    }
  for (guint t = 0; t < n; t++)
    for (guint i = 0; i < proof->paths[t]->len && proof->holds; i++) {
      /* The writes that accesses of the path may interact with. */
      Place initial = { .thread = RSP_NO_THREAD },
            own = { .thread = t, .path = proof->paths[t]->pdata[i] };
      g_array_set_size (proof->writes, 0);
      g_array_append_val (proof->writes, initial);
      for (; find_write (proof, &own); own.event++)
        g_array_append_val (proof->writes, own);
      for (guint j = 0; j < proof->singles->len; j++) {
        const Place *single = &g_array_index (proof->singles, Place, j);
        if (single->thread != t)
          g_array_append_val (proof->writes, *single);
      }
      demand_of_one (proof, t, proof->paths[t]->pdata[i]);
    }
  return proof->holds;
}

gboolean proof_of_coherence (Proof *proof, guint location) {
  return prove (proof, location, demand_of_path);
}

gboolean proof_of_adjacency (Proof *proof, guint location) {
  return prove (proof, location, demand_of_updates);
}

/* ---- Screen --------------------------------------------------------------------------------- */

enum {
  MAX_PATHS = 4096, /* limits of paths of all threads and of the size of their terms: larger
                     * programs are not screened */
  MAX_TERM = 1000,
  QUESTIONS = 4 /* about updates that take about as long as the search of a combination */
};

struct RspScreen {
  const RspProgram *program;
  const RspModel *model;
  const RspCheckOptions *options;
  GPtrArray *const *paths;
  RspBudget *budget;
  RspArena *arena;
  gint wait; /* atomic: number of combinations without an execution still needed */
  gboolean ready;
  guint n_locations; /* number of coherent locations */
  guint *locations;
  Projection **projections; /* per coherent location and thread: per path */
  Interleaver *interleaver;
  gint after;       /* questions about updates before they are answered */
  gint n_questions; /* atomic: such questions */
  gint *follows;    /* atomic, per location: RspTruth of the answer; RSP_OPEN: not tried */
  gint *coherent;   /* the same of all accesses */
  GMutex lock;      /* of the proof */
  Proof *proof;     /* NULL: not begun */
};

RspScreen *screen_new (const RspProgram *program, const RspModel *model,
                       const RspCheckOptions *options, guint after, GPtrArray *const *paths,
                       RspBudget *budget) {
  RspScreen *screen = g_new0 (RspScreen, 1);
  *screen = (RspScreen){ .program = program,
                         .model = model,
                         .options = options,
                         .paths = paths,
                         .budget = budget,
                         .arena = rsp_arena_new_within (budget),
                         .after = (gint) (after - 1) * QUESTIONS,
                         .wait = (gint) after };
  screen->follows = rsp_arena_new0 (screen->arena, gint, program->n_locations + 1);
  screen->coherent = rsp_arena_new0 (screen->arena, gint, program->n_locations + 1);
  g_mutex_init (&screen->lock);
  return screen;
}

void screen_free (RspScreen *screen) {
  if (!screen)
    return;
  if (screen->interleaver)
    interleaver_free (screen->interleaver);
  if (screen->proof)
    proof_free (screen->proof);
  g_mutex_clear (&screen->lock);
  rsp_arena_free (screen->arena);
  g_free (screen);
}

static gboolean are_small (const RspScreen *screen) {
  guint n = 0, largest = 0;
  for (guint t = 0; t < screen->program->n_threads; t++)
    for (guint i = 0; i < screen->paths[t]->len && n++ < MAX_PATHS; i++) {
      const RspPath *path = screen->paths[t]->pdata[i];
      for (guint k = 0; k < path->n_constraints; k++)
        largest = MAX (largest, path->constraints[k].term->size);
      for (guint e = 0; e < path->n_events; e++)
        if (path->events[e].written)
          largest = MAX (largest, path->events[e].written->size);
    }
  return n <= MAX_PATHS && largest <= MAX_TERM;
}

typedef gboolean (*ProofOf) (Proof *proof, guint location);

static gboolean is_proved (RspScreen *screen, ProofOf proof_of, guint location) {
  if (screen->program->language->partial_co || !are_small (screen))
    return FALSE; /* proofs are about total orders of writes */
  g_mutex_lock (&screen->lock);
  RspStageOptions options = { .skipped_checks = screen->options->skipped_checks };
  if (!screen->proof)
    screen->proof
        = proof_new (screen->program, screen->model, &options, screen->paths, screen->budget);
  gboolean proved = proof_of (screen->proof, location);
  g_mutex_unlock (&screen->lock);
  return proved;
}

gboolean rsp_screen_updates_follow (RspScreen *screen, guint location) {
  RspTruth answer = (RspTruth) g_atomic_int_get (&screen->follows[location]);
  if (answer == RSP_OPEN && g_atomic_int_add (&screen->n_questions, 1) >= screen->after) {
    answer = rsp_truth (is_proved (screen, proof_of_adjacency, location));
    g_atomic_int_set (&screen->follows[location], (gint) answer);
  }
  return answer == RSP_HOLDS;
}

gboolean rsp_screen_is_coherent (RspScreen *screen, guint location) {
  RspTruth answer = (RspTruth) g_atomic_int_get (&screen->coherent[location]);
  if (answer == RSP_OPEN) {
    answer = rsp_truth (is_proved (screen, proof_of_coherence, location));
    g_atomic_int_set (&screen->coherent[location], (gint) answer);
  }
  return answer == RSP_HOLDS;
}

void screen_note_empty (RspScreen *screen) { g_atomic_int_add (&screen->wait, -1); }

gboolean screen_admits (RspScreen *screen, const guint *numbers) {
  if (g_atomic_int_get (&screen->wait) > 0)
    return TRUE;
  if (!screen->ready) {
    screen->ready = TRUE;
    screen->locations = rsp_arena_new0 (screen->arena, guint, screen->program->n_locations + 1);
    for (guint l = 0; l < screen->program->n_locations; l++)
      if (rsp_screen_is_coherent (screen, l))
        screen->locations[screen->n_locations++] = l;
    guint n = screen->program->n_threads, max_events = 0;
    screen->projections = rsp_arena_new0 (screen->arena, Projection *, screen->n_locations * n + 1);
    for (guint l = 0; l < screen->n_locations; l++)
      for (guint t = 0; t < n; t++) {
        Projection *own = rsp_arena_new0 (screen->arena, Projection, screen->paths[t]->len + 1);
        screen->projections[l * n + t] = own;
        for (guint i = 0; i < screen->paths[t]->len; i++) {
          const RspPath *path = screen->paths[t]->pdata[i];
          if (rsp_budget_is_exhausted (screen->budget))
            break;
          max_events = MAX (max_events, path->n_events);
          projection_init (&own[i], path, screen->locations[l], screen->arena);
        }
      }
    screen->interleaver = interleaver_new (n, max_events, screen->arena);
  }
  guint n = screen->program->n_threads;
  const Projection *threads[n + 1];
  for (guint l = 0; l < screen->n_locations; l++) {
    for (guint t = 0; t < n; t++)
      threads[t] = &screen->projections[l * n + t][numbers[t]];
    RspValue initial = { .bits = screen->program->locations[screen->locations[l]].initial };
    if (!interleaver_finds (screen->interleaver, threads, initial))
      return FALSE;
  }
  return TRUE;
}
