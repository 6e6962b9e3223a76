/* The paths of a check, and places of the scope tree that the model cannot tell apart. */
#include "enumerator/execution.h"
#include "enumerator/search/internal.h"
#include "enumerator/search/search.h"
#include "model/stage/stage.h"

#include <string.h>

/* ---- Paths ---------------------------------------------------------------------------------- */

static RspPathOptions path_options (Check *check) {
  return (RspPathOptions){ .unroll = check->options->unroll,
                           .unroll_all = check->options->unroll_all,
                           .cas_writeback
                           = rsp_cas_writes_back (check->options->cas_writeback,
                                                  check->program->language->cas_writeback),
                           .spin_last = check->spin_last,
                           .barriers = rsp_barriers_rules (check->model),
                           .budget = &check->budget };
}

gboolean check_has_conditions (const Check *check) {
  for (guint t = 0; t < check->program->n_threads; t++)
    for (guint i = 0; i < check->paths[t]->len; i++)
      if (((const RspPath *) check->paths[t]->pdata[i])->n_constraints)
        return TRUE;
  return FALSE;
}

/* Adds the paths on which the thread may repeat rounds for ever. */
static gboolean add_stuck (Check *check, guint thread) {
  RspPathOptions options = path_options (check);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  options.spin_last = FALSE;
  options.cycles = TRUE;
  if (!rsp_paths_enumerate (check->program, thread, &options, check->terms, check->arena, all,
                            check->diagnostics))
    return FALSE;
  for (guint i = 0; i < all->len; i++)
    if (((const RspPath *) all->pdata[i])->end == RSP_PATH_STUCK)
      g_ptr_array_add (check->paths[thread], all->pdata[i]);
  return TRUE;
}

/* ---- Reads that return any value ---- */
enum {
  MAX_ANY_VALUES = 12 /* reads of a path that may return any value */
};

/* Does a path of another thread write to the location? */
static gboolean is_written_elsewhere (const Check *check, guint thread, guint location) {
  for (guint t = 0; t < check->program->n_threads; t++)
    for (guint i = 0; i < check->paths[t]->len && t != thread; i++) {
      const RspPath *path = check->paths[t]->pdata[i];
      for (guint e = 0; e < path->n_events; e++)
        if (path->events[e].location == location && rsp_event_is_write (&path->events[e]))
          return TRUE;
    }
  return FALSE;
}

/* Per event of a path: does it read what another thread writes, and use the value? */
static guint8 *find_used (const Check *check, guint thread, const RspPath *path) {
  guint8 *used = g_new0 (guint8, path->n_events + 1);
  g_autoptr (GArray) reads = g_array_new (FALSE, FALSE, sizeof (guint));
  rsp_path_add_used (check->program, thread, path, reads);
  for (guint i = 0; i < reads->len; i++) {
    const guint e = g_array_index (reads, guint, i);
    used[e] = is_written_elsewhere (check, thread, path->events[e].location);
  }
  return used;
}

/* The path with any value for those of its used reads whose bit the number has. */
static RspPath *with_any_values (Check *check, const RspPath *path, const GArray *used,
                                 guint number) {
  RspPath *copy = rsp_arena_copy (check->arena, path, sizeof *path);
  copy->events = rsp_arena_copy (check->arena, path->events, sizeof (RspEvent) * path->n_events);
  for (guint i = 0; i < used->len; i++)
    if (number >> i & 1)
      copy->events[g_array_index (used, guint, i)].tags |= RSP_TAG_BIT (ANYVALUE);
  return copy;
}

/* Adds, where the model has reads that return any value, the paths with such reads. Which are, the
 * model says. */
static gboolean add_any_values (Check *check, guint thread) {
  GPtrArray *paths = check->paths[thread];
  const guint n = paths->len;
  for (guint i = 0; i < n; i++) {
    RspPath *path = paths->pdata[i];
    if (path->end == RSP_PATH_FAILED || path->end == RSP_PATH_TRUNCATED)
      continue;
    g_autofree guint8 *is_used = find_used (check, thread, path);
    g_autoptr (GArray) used = g_array_new (FALSE, FALSE, sizeof (guint));
    for (guint e = 0; e < path->n_events; e++)
      if (is_used[e]) {
        path->events[e].tags |= RSP_TAG_BIT (USED);
        g_array_append_val (used, e);
      }
    if (used->len > MAX_ANY_VALUES) {
      rsp_error (check->diagnostics, check->program->threads[thread].span, "use a smaller -unroll",
                 "thread %s: more than %u of its reads may be undefined",
                 check->program->threads[thread].name, MAX_ANY_VALUES);
      return FALSE;
    }
    for (guint number = 1; number < 1u << used->len; number++)
      g_ptr_array_add (paths, with_any_values (check, path, used, number));
  }
  return TRUE;
}

static gboolean enumerate_paths (Check *check) {
  const RspProgram *program = check->program;
  RspPathOptions options = path_options (check);
  g_clear_pointer (&check->feasibility, rsp_feasibility_free);
  for (guint i = 0; i < program->n_threads; i++)
    if (!rsp_paths_enumerate (program, i, &options, check->terms, check->arena, check->paths[i],
                              check->diagnostics))
      return FALSE;
  for (guint i = 0; i < program->n_threads && rsp_model_names (check->model, "ANYVALUE"); i++)
    if (!add_any_values (check, i))
      return FALSE;
  if (check->spin_last)
    spin_sort_paths (&check->spin, check->paths);
  if (check->options->prefixes && check->options->spin == RSPCHECK_SPIN_LAST)
    for (guint i = 0; i < program->n_threads; i++)
      if (!add_stuck (check, i))
        return FALSE;
  if (!check_has_conditions (check))
    return TRUE;
  /* The analysis of the paths also serves the search, if no path has been removed. */
  check->feasibility = rsp_feasibility_new (program, check->paths, &check->budget);
  if (rsp_feasibility_prune (check->feasibility, check->paths))
    g_clear_pointer (&check->feasibility, rsp_feasibility_free);
  return TRUE;
}

static gboolean find_paths (Check *check) {
  const RspRounds known = check->options->rounds;
  check->spin_last = check->options->spin == RSPCHECK_SPIN_LAST && known != RSP_ROUNDS_KEPT;
  if (!enumerate_paths (check))
    return FALSE;
  check->outcome->rounds = check->spin_last ? RSP_ROUNDS_LEFT_OUT : RSP_ROUNDS_KEPT;
  if (!check->spin_last || known == RSP_ROUNDS_LEFT_OUT || spin_is_whole (&check->spin))
    return TRUE;
  check->spin_last = FALSE;
  check->outcome->rounds = RSP_ROUNDS_KEPT;
  if (rsp_budget_is_exhausted (&check->budget))
    return TRUE;
  if (check->options->through != RSPCHECK_THROUGH_NONE)
    rsp_warning (check->diagnostics, (RspSpan){ 0 }, NULL,
                 "test %s: -through also counts forbidden executions, which may differ in each "
                 "round: its loops are unrolled despite -spin last",
                 check->program->name);
  else
    rsp_warning (check->diagnostics, (RspSpan){ 0 }, NULL,
                 "test %s: model %s may see how often a loop has waited: its loops are unrolled "
                 "despite -spin last",
                 check->program->name, check->model->name);
  for (guint i = 0; i < check->program->n_threads; i++)
    g_ptr_array_set_size (check->paths[i], 0);
  return enumerate_paths (check);
}

/* The first barrier from the event with the number on; NULL: there is none. */
static const RspEvent *next_arrival (const RspPath *path, guint *number) {
  for (; *number < path->n_events; (*number)++)
    if (rsp_event_is_at_barrier (&path->events[*number]))
      return &path->events[(*number)++];
  return NULL;
}

/* Do the paths come to the same barriers, one after the other? */
static gboolean meet_alike (const RspPath *a, const RspPath *b) {
  guint i = 0, k = 0;
  for (;;) {
    const RspEvent *one = next_arrival (a, &i), *other = next_arrival (b, &k);
    if (!one || !other)
      return one == other;
    if (!rsp_event_is_same_barrier (one, other))
      return FALSE;
  }
}

/* May every combination of paths have come as far as they go? Not if one waits at a barrier and
 * another does not. */
static gboolean all_meet (const Check *check) {
  const RspPath *first = NULL;
  for (guint i = 0; i < check->program->n_threads; i++)
    for (guint k = 0; k < check->paths[i]->len; k++) {
      const RspPath *path = check->paths[i]->pdata[k];
      first = first ? first : path;
      if (!meet_alike (first, path))
        return FALSE;
    }
  return TRUE;
}

gboolean check_obtain_paths (Check *check) {
  if (!find_paths (check))
    return FALSE;
  g_autoptr (GHashTable) reported = g_hash_table_new (NULL, NULL);
  const gboolean keeps = check->options->prefixes && all_meet (check);
  for (guint i = 0; i < check->program->n_threads; i++) {
    GPtrArray *paths = check->paths[i];
    guint kept = 0;
    for (guint j = 0; j < paths->len; j++) {
      RspPath *path = paths->pdata[j];
      gboolean truncated = path->end == RSP_PATH_TRUNCATED;
      check->outcome->loop |= truncated;
      if (truncated && g_hash_table_add (reported, GUINT_TO_POINTER (path->end_span.begin + 1)))
        rsp_warning (check->diagnostics, path->end_span, "-unroll N allows more rounds",
                     "test %s: this loop may need more than %u rounds; %s", check->program->name,
                     check->options->unroll,
                     keeps ? "executions that do are followed only this far"
                           : "executions that do are left out");
      gboolean ends = !truncated && path->end != RSP_PATH_STUCK;
      if (!ends && keeps)
        path->end = RSP_PATH_COMPLETE;
      if (ends || keeps)
        paths->pdata[kept++] = path;
    }
    if (kept < paths->len)
      g_clear_pointer (&check->feasibility, rsp_feasibility_free);
    g_ptr_array_set_size (paths, (gint) kept);
  }
  return TRUE;
}

void check_start_paths (Check *check) {
  guint n = check->program->n_threads;
  check->arena = rsp_arena_new_within (&check->budget);
  check->terms = rsp_terms_new (check->arena);
  check->paths = g_new0 (GPtrArray *, n);
  for (guint i = 0; i < n; i++)
    check->paths[i] = g_ptr_array_new ();
  check->spin = (RspSpin){ .program = check->program,
                           .model = check->model,
                           .options = check->options,
                           .budget = &check->budget,
                           .terms = check->terms };
}

void check_end_paths (Check *check) {
  rsp_feasibility_free (check->feasibility);
  for (guint i = 0; i < check->program->n_threads; i++)
    g_ptr_array_unref (check->paths[i]);
  g_free (check->paths);
  rsp_terms_free (check->terms);
  rsp_arena_free (check->arena);
}

/* ---- Places --------------------------------------------------------------------------------- */

/* ---- All accesses ---- */
/* One path with an event for each kind of access of a thread; NULL if there is a barrier, which is
 * one work-group's. Its relations are full: within a thread, places make no difference. */
static const RspPath *gather (const GPtrArray *paths, RspArena *arena) {
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (RspEvent));
  for (guint p = 0; p < paths->len; p++) {
    const RspPath *path = paths->pdata[p];
    for (guint e = 0; e < path->n_events; e++) {
      guint i = 0;
      while (i < events->len
             && !rsp_event_is_alike (&g_array_index (events, RspEvent, i), &path->events[e]))
        i++;
      if (rsp_event_is_at_barrier (&path->events[e]))
        return NULL;
      if (i == events->len)
        g_array_append_val (events, path->events[e]);
    }
  }
  RspPath *all = rsp_arena_new0 (arena, RspPath, 1);
  all->n_events = events->len;
  all->events = rsp_arena_copy (arena, events->data, sizeof (RspEvent) * events->len);
  all->po = rsp_relation_new (arena, events->len);
  rsp_matrix_fill (all->po);
  all->addr = all->data = all->ctrl = all->po;
  return all;
}

/* ---- The model on two trees ---- */
/* What a node may contain, in either tree, and the part on which the trees may differ. */
typedef struct Value {
  RspMatrix *may, *parts;
} Value;

typedef struct Trees {
  const RspStagedModel *model;
  const RspBase *bases[2];
  RspMatrix *within; /* pairs of events of one thread */
  Value *values;     /* per node; of NULL: no axiom needs it */
  RspArena *arena;
} Trees;

/* A level of the scope tree relates all events of a thread to each other, and those of two threads
 * or none: paths make no difference to it. */
static gboolean is_level (guint relation) {
  switch (relation) {
#define RSP_LEVEL(id, relation, ...) case RSP_BASE_RELATION_##relation:
#define RSP_OWN_LEVEL(id)            case RSP_BASE_RELATION_##id:
#include "parser/scopes.def"
    return TRUE;
  default:
    return FALSE;
  }
}

/* Is a within b, on both trees? */
static gboolean is_known_within (gconstpointer data, RspNodeId a, RspNodeId b) {
  const Trees *trees = data;
  const RspNode *x = rsp_dag_node (trees->model->dag, a), *y = rsp_dag_node (trees->model->dag, b);
  gboolean is_within = x->op == RSP_NODE_OPEN && y->op == RSP_NODE_OPEN && !y->is_set
                       && is_level (y->index - RSP_N_BASE_SETS);
  for (guint i = 0; i < 2 && is_within; i++) {
    const RspMatrix *level = trees->bases[i]->relations[y->index - RSP_N_BASE_SETS];
    is_within = rsp_matrix_subset (trees->bases[i]->relations[x->index - RSP_N_BASE_SETS], level)
                && rsp_matrix_subset (trees->within, level);
  }
  return is_within || rsp_matrix_is_empty (trees->values[a].may);
}

static void add_terms (const RspDag *dag, RspNodeId id, GArray *terms) {
  const RspNode *node = rsp_dag_node (dag, id);
  if (node->op != RSP_NODE_UNION) {
    g_array_append_val (terms, id);
    return;
  }
  add_terms (dag, node->a, terms);
  add_terms (dag, node->b, terms);
}

/* A term that is within another one, such as what is true of a work-group within the same of its
 * device, adds nothing to a union. */
static void look_at_union (const Trees *trees, RspNodeId id) {
  g_autoptr (GArray) terms = g_array_new (FALSE, FALSE, sizeof (RspNodeId));
  add_terms (trees->model->dag, id, terms);
  for (guint i = terms->len; i-- > 0;) {
    const RspNodeId own = g_array_index (terms, RspNodeId, i);
    gboolean adds = TRUE;
    for (guint k = 0; k < terms->len && adds && !rsp_matrix_is_empty (trees->values[own].parts);
         k++)
      adds = k == i
             || !rsp_dag_known_within (trees->model->dag, own, g_array_index (terms, RspNodeId, k),
                                       is_known_within, trees);
    if (adds)
      rsp_matrix_union (trees->values[id].parts, trees->values[id].parts, trees->values[own].parts);
    else
      g_array_remove_index (terms, i);
  }
}

static void look_at_operator (gpointer data, RspNodeId id) {
  const Trees *trees = data;
  const RspNode *node = rsp_dag_node (trees->model->dag, id);
  const Value *a = &trees->values[node->a], *b = &trees->values[node->b];
  Value *value = &trees->values[id];
  if (!value->may)
    return;
  switch (node->op) {
  case RSP_NODE_DIFF:
    rsp_matrix_assign (value->may, a->may);
    rsp_matrix_intersect (value->parts, a->may, b->parts);
    rsp_matrix_union (value->parts, value->parts, a->parts);
    return;
  case RSP_NODE_INTER:
  case RSP_NODE_SEQ:
  case RSP_NODE_PRODUCT:
    rsp_node_compute (node->op, value->may, a->may, b->may);
    RspMatrix *other = rsp_matrix_copy (trees->arena, value->parts);
    rsp_node_compute (node->op, value->parts, a->parts, b->may);
    rsp_node_compute (node->op, other, a->may, b->parts);
    rsp_matrix_union (value->parts, value->parts, other);
    return;
  case RSP_NODE_PLUS:
    rsp_node_compute (node->op, value->may, a->may, NULL);
    if (!rsp_matrix_is_empty (a->parts))
      rsp_matrix_assign (value->parts, value->may);
    return;
  case RSP_NODE_UNION:
    rsp_node_compute (node->op, value->may, a->may, b->may);
    look_at_union (trees, id);
    return;
  case RSP_NODE_INVERSE:
  case RSP_NODE_IDENTITY:
  case RSP_NODE_DOMAIN:
    rsp_node_compute (node->op, value->may, a->may, NULL);
    rsp_node_compute (node->op, value->parts, a->parts, NULL);
    return;
  case RSP_NODE_LEAVES:
    break;
  }
  g_assert_not_reached ();
}

static void look_at_leaf (gpointer data, RspNodeId id) {
  const Trees *trees = data;
  const RspNode *node = rsp_dag_node (trees->model->dag, id);
  Value *value = &trees->values[id];
  if (!value->may)
    return;
  if (node->op == RSP_NODE_CONSTANT) {
    const RspDag *dag = trees->model->dag;
    if (id == dag->identity)
      for (guint e = 0; e < value->may->n; e++)
        rsp_matrix_add (value->may, e, e);
    else if (id != dag->empty[FALSE] && id != dag->empty[TRUE])
      rsp_matrix_fill (value->may);
  } else if (node->op == RSP_NODE_OPEN) {
    const RspMatrix *x[2];
    for (guint i = 0; i < 2; i++)
      x[i] = node->is_set ? trees->bases[i]->sets[node->index]
                          : trees->bases[i]->relations[node->index - RSP_N_BASE_SETS];
    rsp_matrix_union (value->may, x[0], x[1]);
    rsp_matrix_intersect (value->parts, x[0], x[1]);
    rsp_matrix_difference (value->parts, value->may, value->parts);
    if (!node->is_set)
      rsp_matrix_union (value->may, value->may, trees->within);
  } else
    rsp_matrix_fill (value->may);
}

static gboolean look_at_recursion (gpointer data, RspNodeId to, RspNodeId from) {
  const Trees *trees = data;
  Value *value = &trees->values[to];
  const Value *other = &trees->values[from];
  if (!value->may
      || (rsp_matrix_equal (value->may, other->may)
          && rsp_matrix_equal (value->parts, other->parts)))
    return FALSE;
  rsp_matrix_union (value->may, value->may, other->may);
  rsp_matrix_union (value->parts, value->parts, other->parts);
  return !rsp_arena_is_exhausted (trees->arena);
}

/* FALSE if memory does not suffice. */
static gboolean look_at_model (Trees *trees, const guint8 *needed) {
  const RspDag *dag = trees->model->dag;
  static const RspDomain domain = { look_at_leaf, look_at_operator, look_at_recursion };
  for (RspNodeId id = 0; id < dag->nodes->len; id++)
    if (needed[id]) {
      gboolean is_set = rsp_dag_node (dag, id)->is_set;
      guint n = trees->bases[0]->n;
      RspMatrix *(*new) (RspArena *, guint) = is_set ? rsp_set_new : rsp_relation_new;
      trees->values[id] = (Value){ new (trees->arena, n), new (trees->arena, n) };
    }
  if (!rsp_arena_is_exhausted (trees->arena))
    rsp_dag_walk (dag, &domain, trees);
  return !rsp_arena_is_exhausted (trees->arena);
}

/* ---- Two threads ---- */
typedef struct Places {
  const RspProgram *program;
  const RspStagedModel *model;
  const RspPath **paths; /* per thread */
  RspPreExecution *pre;
  RspBudget *budget;
} Places;

static gboolean is_the_same_in (const Places *places, const RspProgram *program, RspArena *arena) {
  const RspPreExecution *changed = rsp_pre_execution_new (program, places->paths, arena);
  if (!changed)
    return FALSE;
  Trees trees = { .model = places->model,
                  .bases = { places->pre->base, changed->base },
                  .within = rsp_relation_new (arena, changed->n),
                  .arena = arena };
  for (guint t = 0; t < program->n_threads; t++)
    for (guint a = changed->first[t]; a < changed->first[t + 1]; a++)
      for (guint b = changed->first[t]; b < changed->first[t + 1]; b++)
        rsp_matrix_add (trees.within, a, b);
  /* Do the trees make no difference to any axiom or flag? */
  const RspStagedModel *model = trees.model;
  guint n = model->dag->nodes->len;
  g_autofree guint8 *needed = g_new0 (guint8, n + 1);
  trees.values = rsp_arena_new0 (trees.arena, Value, n + 1);
  for (guint i = 0; i < model->n_axioms; i++)
    needed[model->axioms[i].node] = TRUE;
  rsp_dag_mark_below (model->dag, needed);
  if (!look_at_model (&trees, needed))
    return FALSE;
  for (guint i = 0; i < model->n_axioms; i++)
    if (!rsp_matrix_is_empty (trees.values[model->axioms[i].node].parts))
      return FALSE;
  return TRUE;
}

static gboolean may_exchange_places (const Places *places, guint a, guint b) {
  RspArena *arena = rsp_arena_new_within (places->budget);
  RspProgram program = *places->program;
  gsize size = sizeof (RspThread) * program.n_threads;
  program.threads = rsp_arena_copy (arena, program.threads, size);
  memcpy (program.threads[a].place, places->program->threads[b].place,
          sizeof program.threads->place);
  memcpy (program.threads[b].place, places->program->threads[a].place,
          sizeof program.threads->place);
  gboolean may = is_the_same_in (places, &program, arena);
  rsp_arena_free (arena);
  return may;
}

/* ---- All threads ---- */
/* Another class that is alike, with a smaller number; else G_MAXUINT. */
static guint next_partner (const guint *class, const guint *like, guint thread, guint from) {
  for (guint t = from; t < thread; t++)
    if (class[t] == t && like[t] == like[thread])
      return t;
  return G_MAXUINT;
}

static gboolean join (const Places *places, const guint *like, guint *class) {
  const RspProgram *program = places->program;
  gboolean any = FALSE;
  for (guint t = 0; t < program->n_threads; t++)
    for (guint other = class[t] == t ? next_partner (class, like, t, 0) : G_MAXUINT;
         other != G_MAXUINT && class[t] == t; other = next_partner (class, like, t, other + 1))
      if (rsp_symmetry_allows (program, other, t) && may_exchange_places (places, other, t)) {
        for (guint member = program->n_threads; member-- > t;)
          if (class[member] == t)
            class[member] = other;
        any = TRUE;
      }
  return any;
}

/* FALSE if the model cannot be opened, there are barriers, or memory does not suffice. */
static gboolean open_places (Places *places, const RspProgram *program, const RspModel *model,
                             GPtrArray *const *paths, RspBudget *budget, RspArena *arena) {
  *places = (Places){ .program = program, .budget = budget };
  places->model = rsp_model_opened (model, budget);
  places->paths = rsp_arena_new0 (arena, const RspPath *, program->n_threads + 1);
  for (guint t = 0; t < program->n_threads; t++)
    if (!places->model || !(places->paths[t] = gather (paths[t], arena)))
      return FALSE;
  places->pre = places->model ? rsp_pre_execution_new (program, places->paths, arena) : NULL;
  return places->pre != NULL;
}

gboolean rsp_places_agree (const RspProgram *program, const RspProgram *other,
                           const RspModel *model, GPtrArray *const *paths, RspBudget *budget) {
  Places places;
  RspArena *arena = rsp_arena_new_within (budget);
  gboolean agree = !program->language->partial_co
                   && open_places (&places, program, model, paths, budget, arena)
                   && is_the_same_in (&places, other, arena);
  rsp_arena_free (arena);
  return agree;
}

gboolean places_find_classes (const RspProgram *program, const RspModel *model,
                              GPtrArray *const *paths, RspBudget *budget, guint *class) {
  g_autofree guint *like = g_new0 (guint, program->n_threads + 1);
  rsp_symmetry_find_like (program, paths, like);
  gboolean any = symmetry_find (program, like, class);
  Places places;
  gboolean have_partners = FALSE;
  for (guint t = 0; t < program->n_threads; t++)
    have_partners |= class[t] == t && next_partner (class, like, t, 0) != G_MAXUINT;
  if (program->language->partial_co || !have_partners)
    return any;
  RspArena *arena = rsp_arena_new_within (budget);
  any |= open_places (&places, program, model, paths, budget, arena) && join (&places, like, class);
  rsp_arena_free (arena);
  return any;
}
