#include "enumerator/search/screen/proof.h"
#include "enumerator/event.h"
#include "enumerator/search/screen/part.h"
#include "model/bounds/between.h"
#include "model/stage/template/template.h"

enum {
  MAX_PARTS = 100000, /* limit of examined parts; beyond it there is no proof */
  MAX_PROVEN = 1000
};

struct Proof {
  const RspProgram *program;
  const RspStagedModel *model; /* with everything open; NULL: nothing can be proved */
  RspArena *arena;             /* of it */
  GPtrArray *const *paths;
  RspBudget *budget;
  GHashTable *seen;   /* RspHash: parts of the source that have been examined */
  GHashTable *proven; /* RspHash of a base → is the part forbidden? */
  guint n_parts;
  guint location;  /* under proof */
  GArray *singles; /* of Place: writes to it, one of each appearance */
  GArray *doubles; /* of Place: two successive writes of one path to it, one such pair of each
                    * appearance */
  GArray *writes;  /* of Place: the writes that a path's accesses may interact with: the initial
                    * write,  those of the path, and singles of other threads */
  gboolean holds;
};

/* NULL if it inspects values, or chooses among orders. */
static const RspStagedModel *open_model (const RspProgram *program, const RspModel *model,
                                         const RspStageOptions *options, RspBudget *budget,
                                         RspArena *arena) {
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  RspStageOptions own = { .skipped_checks = options->skipped_checks, .budget = budget };
  const RspStagedModel *opened
      = rsp_model_stage_open (model, program->language, &own, arena, unheard);
  if (!opened || !opened->n_orders)
    return opened;
  rsp_dag_free (opened->dag);
  return NULL;
}

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
                    .writes = g_array_new (FALSE, FALSE, sizeof (Place)) };
  proof->model = open_model (program, model, options, budget, proof->arena);
  return proof;
}

void proof_free (Proof *proof) {
  g_hash_table_unref (proof->seen);
  g_hash_table_unref (proof->proven);
  g_array_unref (proof->singles);
  g_array_unref (proof->doubles);
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

/* A hash of everything that a model sees. */
static RspHash hash_of_base (const RspBase *base) {
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 n = base->n;
  g_array_append_val (words, n);
  for (guint i = 0; i < RSP_N_BASE_SETS; i++)
    put_matrix (words, base->sets[i]);
  for (guint i = 0; i < RSP_N_BASE_RELATIONS; i++)
    put_matrix (words, base->relations[i]);
  put_matrix (words, base->rf);
  put_matrix (words, base->co);
  return rsp_hash_words ((const guint64 *) words->data, words->len);
}

/* What is the same in a part and in the whole, of the part's events: all that has a name, except
 * the barriers that some work-item never reaches. */
static const RspMatrix *known_value (const RspBase *base, guint index) {
  static const gboolean known[RSP_N_BASE_SETS + RSP_N_BASE_RELATIONS] = {
#define RSP_BASE_SET(id, name, meaning)                                                            \
  [RSP_BASE_SET_##id] = RSP_BASE_SET_##id != RSP_BASE_SET_DIVERGENT_FENCE,
#define RSP_BASE_RELATION(id, name, meaning) [RSP_N_BASE_SETS + RSP_BASE_RELATION_##id] = TRUE,
#include "model/base_names.def"
  };
  if (!known[index])
    return NULL;
  return index < RSP_N_BASE_SETS ? base->sets[index] : base->relations[index - RSP_N_BASE_SETS];
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
  RspBase *base = part_base (part, proof->program, arena);
  RspHash hash = hash_of_base (base);
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

static gboolean is_new (Proof *proof, RspHash hash) {
  return g_hash_table_add (proof->seen, g_memdup2 (&hash, sizeof hash));
}

/* Has a part that looks the same been examined? */
static gboolean is_seen (Proof *proof, const Part *part) {
  return !is_new (proof, part_look (part));
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

/* Do they belong to different paths of one thread? Singles are collected independently. */
static gboolean are_strangers (const Place *v, const Place *w, guint thread) {
  return !place_is_initial (v) && v->thread == w->thread && v->thread != thread;
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
  FOR_WRITES (v)
  FOR_WRITES (w)
  if (!places_are_same (v, w) && !are_strangers (v, w, a->thread))
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

static void demand_of_rmw (Proof *proof, const Place *a) {
  FOR_WRITES (w) {
    if (places_are_same (w, a) || place_is_initial (w))
      continue;
    Part reads_later = { .location = proof->location };
    part_add (&reads_later, RF, w, a);
    part_add (&reads_later, CO, a, w);
    demand (proof, &reads_later);
  }
  demand_of_all (proof, a, a, demand_rmw_skips);
}

static void demand_of_read_then_write (Proof *proof, const Place *a, const Place *b) {
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
}

static void demand_of_write_then_read (Proof *proof, const Place *a, const Place *b) {
  FOR_WRITES (w) {
    if (places_are_same (w, a))
      continue;
    Part earlier = { .location = proof->location };
    part_add (&earlier, RF, w, b);
    part_add (&earlier, CO, w, a);
    demand (proof, &earlier);
  }
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
  } else if (place_writes (a))
    demand_of_write_then_read (proof, a, b);
  else if (place_writes (b))
    demand_of_read_then_write (proof, a, b);
  else
    demand_of_all (proof, a, b, demand_reads_agree);
}

/* ---- All paths ---- */

static gboolean is_new_look (Proof *proof, const Place *a, const Place *b) {
  guint64 words[] = { (guint64) proof->location << 32 | 0xffff, place_look (a), place_look (b),
                      places_ties (a, b) };
  return is_new (proof, rsp_hash_words (words, G_N_ELEMENTS (words)));
}

/* The next write of a path to the location, from an event on; FALSE if there is none. */
static gboolean find_write (const Proof *proof, Place *place) {
  for (; place->event < place->path->n_events; place->event++)
    if (place->path->events[place->event].location == proof->location
        && rsp_event_is_write (&place->path->events[place->event]))
      return TRUE;
  return FALSE;
}

static void list_writes (Proof *proof, guint thread, const RspPath *path) {
  Place a = { .thread = thread, .path = path };
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

/* The writes that accesses of the path may interact with. */
static void meet_writes (Proof *proof, guint thread, const RspPath *path) {
  Place initial = { .thread = RSP_NO_THREAD }, own = { .thread = thread, .path = path };
  g_array_set_size (proof->writes, 0);
  g_array_append_val (proof->writes, initial);
  for (; find_write (proof, &own); own.event++)
    g_array_append_val (proof->writes, own);
  for (guint i = 0; i < proof->singles->len; i++) {
    const Place *single = &g_array_index (proof->singles, Place, i);
    if (single->thread != thread)
      g_array_append_val (proof->writes, *single);
  }
}

static void demand_of_updates (Proof *proof, guint thread, const RspPath *path) {
  Place a = { .thread = thread, .path = path };
  for (; a.event < path->n_events && proof->holds; a.event++)
    if (path->events[a.event].location == proof->location
        && path->events[a.event].kind == RSP_EVENT_RMW)
      demand_of_rmw (proof, &a);
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
  proof->holds = proof->model != NULL;
  g_hash_table_remove_all (proof->seen); /* what was examined may have been refuted */
  g_array_set_size (proof->singles, 0);
  g_array_set_size (proof->doubles, 0);
  for (guint t = 0; t < n && proof->holds; t++)
    for (guint i = 0; i < proof->paths[t]->len; i++)
      list_writes (proof, t, proof->paths[t]->pdata[i]);
  for (guint t = 0; t < n; t++)
    for (guint i = 0; i < proof->paths[t]->len && proof->holds; i++) {
      meet_writes (proof, t, proof->paths[t]->pdata[i]);
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
