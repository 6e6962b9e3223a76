#include "synth/edits/versions/spread.h"
#include "enumerator/event.h"
#include "model/bounds/between.h"
#include "synth/edits/versions/follow.h"

#include <string.h>

/* A fence that some edits of a site add. */
typedef struct Added {
  guint thread;
  guint slot; /* the number of the thread's own events before it */
  guint site;
  guint count; /* of the same site and thread before it */
  const RspEvent *event;
  guint place; /* on the thread's path with everything added */
} Added;

/* What an edit changes. */
typedef struct Change {
  const RspPath **paths; /* of the version, per thread; NULL: it cannot be followed */
  guint **maps;          /* per thread and event of its path: of the test's path, or G_MAXUINT */
  guint **places;        /* the same on the path with everything added */
  RspMatrix *sets[RSP_N_BASE_SETS]; /* events whose membership it changes */
  RspMatrix *added;                 /* events that it adds */
} Change;

struct SynthSpread {
  const RspProgram *program;
  const RspStagedModel *model;
  const RspPath *const *paths;
  const GPtrArray *edits;
  RspArena *arena;
  Change *changes;      /* per edit */
  GArray *added;        /* of Added, in the order of their threads and slots */
  guint **own;          /* per thread and event of the test: its place */
  RspPreExecution *pre; /* with everything added */
  RspMatrix *own_events;
  RspMatrix *unordered; /* pairs whose program order is not known: fences of different sites */
  const RspMatrix *rf, *co;
  RspBetween *between;
  /* With the edits that are or may be made: events that are there, and that may be; members of
   * sets, and those of which that is not certain. */
  RspMatrix *there, *may_be;
  RspMatrix *sets[RSP_N_BASE_SETS], *unsure[RSP_N_BASE_SETS];
};

/* ---- Following the paths ---- */

static void follow (SynthSpread *spread, guint edit) {
  const SynthEdit *e = spread->edits->pdata[edit];
  Change *change = &spread->changes[edit];
  GPtrArray *const *all = rsp_combinations_all_paths (e->combinations);
  guint n = spread->program->n_threads;
  const RspPath **paths = rsp_arena_new0 (spread->arena, const RspPath *, n + 1);
  change->maps = rsp_arena_new0 (spread->arena, guint *, n + 1);
  change->places = rsp_arena_new0 (spread->arena, guint *, n + 1);
  for (guint t = 0; t < n; t++) {
    paths[t] = synth_find_in_version (all[t], spread->paths[t], e->pieces);
    if (!paths[t])
      return;
    change->maps[t] = rsp_arena_new0 (spread->arena, guint, paths[t]->n_events + 1);
    change->places[t] = rsp_arena_new0 (spread->arena, guint, paths[t]->n_events + 1);
    synth_paths_agree (spread->paths[t], paths[t], e->pieces, change->maps[t]);
  }
  change->paths = paths;
}

/* ---- Added fences ---- */

/* Of an edit's fence; *slot counts the thread's own events before it. */
static Added describe (const SynthSpread *spread, guint edit, guint thread, guint event) {
  const Change *change = &spread->changes[edit];
  const SynthEdit *e = spread->edits->pdata[edit];
  Added added = { .thread = thread, .site = e->site };
  for (guint i = 0; i < event; i++)
    if (change->maps[thread][i] == G_MAXUINT)
      added.count++;
    else
      added.slot++;
  added.event = &change->paths[thread]->events[event];
  return added;
}

static int compare_added (gconstpointer a, gconstpointer b) {
  const Added *x = a, *y = b;
  const guint of_x[] = { x->thread, x->slot, x->site, x->count };
  const guint of_y[] = { y->thread, y->slot, y->site, y->count };
  for (guint i = 0; i < G_N_ELEMENTS (of_x); i++)
    if (of_x[i] != of_y[i])
      return of_x[i] < of_y[i] ? -1 : 1;
  return 0;
}

static guint find_added (const SynthSpread *spread, const Added *added) {
  for (guint i = 0; i < spread->added->len; i++)
    if (compare_added (&g_array_index (spread->added, Added, i), added) == 0)
      return i;
  return G_MAXUINT;
}

static void add_fences (SynthSpread *spread, guint edit) {
  const Change *change = &spread->changes[edit];
  for (guint t = 0; t < spread->program->n_threads; t++)
    for (guint e = 0; e < change->paths[t]->n_events; e++)
      if (change->maps[t][e] == G_MAXUINT) {
        Added added = describe (spread, edit, t, e);
        if (find_added (spread, &added) == G_MAXUINT)
          g_array_append_val (spread->added, added);
      }
}

/* ---- The paths with everything added ---- */

static void place_events (SynthSpread *spread, guint thread) {
  const RspPath *path = spread->paths[thread];
  guint place = 0, i = 0;
  spread->own[thread] = rsp_arena_new0 (spread->arena, guint, path->n_events + 1);
  while (i < spread->added->len && g_array_index (spread->added, Added, i).thread < thread)
    i++;
  for (guint e = 0; e <= path->n_events; e++) {
    for (; i < spread->added->len; i++) {
      Added *added = &g_array_index (spread->added, Added, i);
      if (added->thread != thread || added->slot != e)
        break;
      added->place = place++;
    }
    spread->own[thread][e] = place++;
  }
}

static void place_of_edit (SynthSpread *spread, guint edit) {
  Change *change = &spread->changes[edit];
  for (guint t = 0; t < spread->program->n_threads; t++)
    for (guint e = 0; e < change->paths[t]->n_events; e++) {
      guint own = change->maps[t][e];
      if (own != G_MAXUINT) {
        change->places[t][e] = spread->own[t][own];
        continue;
      }
      Added added = describe (spread, edit, t, e);
      guint i = find_added (spread, &added);
      change->places[t][e] = g_array_index (spread->added, Added, i).place;
    }
}

static void copy_pairs (const RspMatrix *from, const guint *places, RspMatrix *to) {
  for (guint a = 0; a < from->n; a++)
    for (all_bits (b, rsp_matrix_row (from, a), from->words))
      rsp_matrix_add (to, places[a], places[b]);
}

/* Between fences of different sites: in order, and either way where nothing is between them. */
static void order_added (const SynthSpread *spread, guint thread, RspMatrix *po) {
  for (guint i = 0; i < spread->added->len; i++)
    for (guint k = 0; k < spread->added->len; k++) {
      const Added *a = &g_array_index (spread->added, Added, i);
      const Added *b = &g_array_index (spread->added, Added, k);
      if (a->thread == thread && b->thread == thread && a->site != b->site && a->slot <= b->slot)
        rsp_matrix_add (po, a->place, b->place);
    }
}

/* What may be related; certain pairs are those of the test's own events. */
static const RspPath *join_path (const SynthSpread *spread, guint thread) {
  static const gsize members[]
      = { G_STRUCT_OFFSET (RspPath, po), G_STRUCT_OFFSET (RspPath, addr),
          G_STRUCT_OFFSET (RspPath, data), G_STRUCT_OFFSET (RspPath, ctrl) };
  const RspPath *own = spread->paths[thread];
  guint n = spread->own[thread][own->n_events];
  RspPath *path = rsp_arena_copy (spread->arena, own, sizeof *own);
  path->n_events = n;
  path->events = rsp_arena_new0 (spread->arena, RspEvent, n + 1);
  for (guint e = 0; e < own->n_events; e++)
    path->events[spread->own[thread][e]] = own->events[e];
  for (guint i = 0; i < spread->added->len; i++) {
    const Added *added = &g_array_index (spread->added, Added, i);
    if (added->thread == thread)
      path->events[added->place] = *added->event;
  }
  for (guint m = 0; m < G_N_ELEMENTS (members); m++) {
    RspMatrix *pairs = rsp_relation_new (spread->arena, n);
    copy_pairs (G_STRUCT_MEMBER (RspMatrix *, own, members[m]), spread->own[thread], pairs);
    for (guint i = 0; i < spread->edits->len; i++)
      if (spread->changes[i].paths)
        copy_pairs (G_STRUCT_MEMBER (RspMatrix *, spread->changes[i].paths[thread], members[m]),
                    spread->changes[i].places[thread], pairs);
    G_STRUCT_MEMBER (RspMatrix *, path, members[m]) = pairs;
  }
  order_added (spread, thread, path->po);
  return path;
}

static gboolean join_paths (SynthSpread *spread) {
  guint n = spread->program->n_threads;
  g_autofree const RspPath **joined = g_new0 (const RspPath *, n + 1);
  g_array_sort (spread->added, compare_added);
  spread->own = rsp_arena_new0 (spread->arena, guint *, n + 1);
  for (guint t = 0; t < n; t++)
    place_events (spread, t);
  for (guint i = 0; i < spread->edits->len; i++)
    if (spread->changes[i].paths)
      place_of_edit (spread, i);
  for (guint t = 0; t < n; t++)
    joined[t] = join_path (spread, t);
  spread->pre = rsp_pre_execution_new (spread->program, joined, spread->arena);
  return spread->pre != NULL;
}

/* ---- What edits change ---- */

static void find_own_events (SynthSpread *spread) {
  spread->own_events = rsp_set_new (spread->arena, spread->pre->n);
  for (guint e = 0; e < spread->pre->first[0]; e++)
    rsp_set_add (spread->own_events, e);
  for (guint t = 0; t < spread->program->n_threads; t++)
    for (guint e = 0; e < spread->paths[t]->n_events; e++)
      rsp_set_add (spread->own_events, synth_spread_event (spread, t, e));
}

static void find_unordered (SynthSpread *spread) {
  spread->unordered = rsp_relation_new (spread->arena, spread->pre->n);
  for (guint i = 0; i < spread->added->len; i++)
    for (guint k = 0; k < spread->added->len; k++) {
      const Added *a = &g_array_index (spread->added, Added, i);
      const Added *b = &g_array_index (spread->added, Added, k);
      if (a->thread == b->thread && a->site != b->site)
        rsp_matrix_add (spread->unordered, spread->pre->first[a->thread] + a->place,
                        spread->pre->first[b->thread] + b->place);
    }
}

/* Per event of the version: that with everything added. */
static guint *number_events (const SynthSpread *spread, const Change *change,
                             const RspPreExecution *version) {
  guint *numbers = rsp_arena_new0 (spread->arena, guint, version->n + 1);
  for (guint e = 0; e < version->first[0]; e++)
    numbers[e] = e;
  for (guint t = 0; t < spread->program->n_threads; t++)
    for (guint e = version->first[t]; e < version->first[t + 1]; e++)
      numbers[e] = spread->pre->first[t] + change->places[t][e - version->first[t]];
  return numbers;
}

static void compare_sets (const SynthSpread *spread, guint edit) {
  Change *change = &spread->changes[edit];
  const SynthEdit *e = spread->edits->pdata[edit];
  const RspPreExecution *version = rsp_pre_execution_new (e->program, change->paths, spread->arena);
  if (!version || version->first[0] != spread->pre->first[0]) {
    change->paths = NULL;
    return;
  }
  const guint *numbers = number_events (spread, change, version);
  guint n = spread->pre->n;
  change->added = rsp_set_new (spread->arena, n);
  for (guint i = 0; i < version->n; i++)
    if (!rsp_set_has (spread->own_events, numbers[i]))
      rsp_set_add (change->added, numbers[i]);
  for (guint s = 0; s < RSP_N_BASE_SETS; s++) {
    change->sets[s] = rsp_set_new (spread->arena, n);
    for (guint i = 0; i < version->n; i++) {
      gboolean had = rsp_set_has (spread->own_events, numbers[i])
                     && rsp_set_has (spread->pre->base->sets[s], numbers[i]);
      if (rsp_set_has (version->base->sets[s], i) != had)
        rsp_set_add (change->sets[s], numbers[i]);
    }
  }
}

SynthSpread *synth_spread_new (const RspProgram *program, const RspStagedModel *model,
                               const RspPath *const *paths, const GPtrArray *edits,
                               RspArena *arena) {
  SynthSpread *spread = rsp_arena_new0 (arena, SynthSpread, 1);
  *spread = (SynthSpread){
    .program = program, .model = model, .paths = paths, .edits = edits, .arena = arena
  };
  spread->changes = rsp_arena_new0 (arena, Change, edits->len + 1);
  g_autoptr (GArray) added = g_array_new (FALSE, TRUE, sizeof (Added));
  spread->added = added;
  for (guint i = 0; i < edits->len; i++) {
    follow (spread, i);
    if (spread->changes[i].paths)
      add_fences (spread, i);
  }
  if (!join_paths (spread))
    return NULL;
  find_own_events (spread);
  find_unordered (spread);
  for (guint i = 0; i < edits->len; i++)
    if (spread->changes[i].paths)
      compare_sets (spread, i);
  spread->added = NULL;
  spread->there = rsp_set_new (arena, spread->pre->n);
  spread->may_be = rsp_set_new (arena, spread->pre->n);
  for (guint s = 0; s < RSP_N_BASE_SETS; s++) {
    spread->sets[s] = rsp_set_new (arena, spread->pre->n);
    spread->unsure[s] = rsp_set_new (arena, spread->pre->n);
  }
  spread->between = rsp_between_new (model, spread->pre->n, arena);
  return spread->between ? spread : NULL;
}

guint synth_spread_n (const SynthSpread *spread) { return spread->pre->n; }

guint synth_spread_event (const SynthSpread *spread, guint thread, guint event) {
  return spread->pre->first[thread] + spread->own[thread][event];
}

/* ---- The model ---- */

void synth_spread_set_execution (SynthSpread *spread, const RspMatrix *rf, const RspMatrix *co) {
  spread->rf = rf;
  spread->co = co;
}

/* Leaves a set's events, or a relation's pairs, of these. */
static void keep (RspMatrix *value, gboolean is_set, const RspMatrix *events) {
  for (guint row = 0; row < value->rows; row++)
    for (guint w = 0; w < value->words; w++)
      rsp_matrix_row (value, row)[w] &= is_set || rsp_set_has (events, row) ? events->bits[w] : 0;
}

static void bound_set (const SynthSpread *spread, guint set, gboolean is_least, RspMatrix *out) {
  if (is_least)
    rsp_matrix_difference (out, spread->sets[set], spread->unsure[set]);
  else
    rsp_matrix_union (out, spread->sets[set], spread->unsure[set]);
}

static void bound_relation (const SynthSpread *spread, guint relation, gboolean is_least,
                            RspMatrix *out) {
  rsp_matrix_assign (out, spread->pre->base->relations[relation]);
  if (is_least && relation == RSP_BASE_RELATION_PO)
    rsp_matrix_difference (out, out, spread->unordered);
}

static void bound_constant (const RspDag *dag, RspNodeId id, RspMatrix *out) {
  if (id == dag->identity)
    for (guint e = 0; e < out->n; e++)
      rsp_matrix_add (out, e, e);
  else if (id == dag->universe[TRUE] || id == dag->universe[FALSE])
    rsp_matrix_fill (out);
}

static void bound (const SynthSpread *spread, RspNodeId id, gboolean is_least, RspMatrix *out) {
  const RspDag *dag = spread->model->dag;
  const RspNode *node = rsp_dag_node (dag, id);
  if (node->op == RSP_NODE_RF || node->op == RSP_NODE_CO)
    rsp_matrix_assign (out, node->op == RSP_NODE_RF ? spread->rf : spread->co);
  else if (node->op == RSP_NODE_OPEN && node->is_set)
    bound_set (spread, node->index, is_least, out);
  else {
    if (node->op == RSP_NODE_OPEN)
      bound_relation (spread, node->index - RSP_N_BASE_SETS, is_least, out);
    else
      bound_constant (dag, id, out);
    keep (out, node->is_set, is_least ? spread->there : spread->may_be);
  }
}

static void bound_leaf (gpointer data, RspNodeId id, RspMatrix *least, RspMatrix *most) {
  if (least)
    bound (data, id, TRUE, least);
  if (most)
    bound (data, id, FALSE, most);
}

/* What two edits change in the same way is changed once; so it is certain if one of them is made.
 */
static void make (SynthSpread *spread, const guint8 *made, RspBaseSet set) {
  RspMatrix *members = spread->sets[set], *unsure = spread->unsure[set];
  rsp_matrix_clear (members);
  rsp_matrix_clear (unsure);
  for (guint i = 0; i < spread->edits->len; i++)
    if (made[i] != SYNTH_IS_NOT_MADE) {
      RspMatrix *out = made[i] == SYNTH_IS_MADE ? members : unsure;
      rsp_matrix_union (out, out, spread->changes[i].sets[set]);
    }
  for (guint w = 0; w < members->words; w++)
    members->bits[w] ^= spread->pre->base->sets[set]->bits[w] & spread->own_events->bits[w];
}

static void make_all (SynthSpread *spread, const guint8 *made) {
  rsp_matrix_assign (spread->there, spread->own_events);
  rsp_matrix_assign (spread->may_be, spread->own_events);
  for (guint i = 0; i < spread->edits->len; i++)
    if (made[i] != SYNTH_IS_NOT_MADE) {
      const RspMatrix *added = spread->changes[i].added;
      rsp_matrix_union (spread->may_be, spread->may_be, added);
      if (made[i] == SYNTH_IS_MADE)
        rsp_matrix_union (spread->there, spread->there, added);
    }
  for (guint s = 0; s < RSP_N_BASE_SETS; s++)
    make (spread, made, (RspBaseSet) s);
}

gboolean synth_spread_knows (const SynthSpread *spread, guint edit) {
  return spread->changes[edit].paths != NULL;
}

gboolean synth_spread_is_certain (SynthSpread *spread, const guint8 *made, const char *flag) {
  gboolean is_raised = !flag;
  make_all (spread, made);
  rsp_between_compute (spread->between, bound_leaf, spread);
  for (guint i = 0; i < spread->model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &spread->model->axioms[i];
    if (axiom->role == RSPCHECK_ROLE_AXIOM && !rsp_between_holds (spread->between, axiom))
      return FALSE;
    if (flag && g_strcmp0 (axiom->id, flag) == 0 && axiom->role != RSPCHECK_ROLE_AXIOM)
      is_raised |= rsp_between_raises (spread->between, axiom);
  }
  return is_raised;
}
