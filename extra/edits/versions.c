/* What one execution says about many versions of a test. */
#include "enumerator/execution.h"
#include "enumerator/paths/paths.h"
#include "enumerator/query/query.h"
#include "model/bounds/bounds.h"
#include "model/model.h"
#include "model/stage/stage.h"
#include "parser/litmus/litmus.h"
#include "extra/edits/edits.h"

#include <string.h>

/* One edit alone: a site at another level. */
typedef struct SynthEdit {
  guint site, level;
  GArray *pieces; /* see rsp_synth_version_pieces */
  RspProgram *program;
  RspCombinations *combinations; /* the version's paths */
} SynthEdit;

typedef struct SynthSpread SynthSpread;

typedef enum SynthMade { SYNTH_IS_NOT_MADE, SYNTH_MAY_BE_MADE, SYNTH_IS_MADE } SynthMade;

/* ---- Follow --------------------------------------------------------------------------------- */

/* Paths of two versions of a test that do the same. */

/* Do the paths have the same accesses and fences of the text in the same order, apart from fences
 * that the version adds? pieces: rsp_synth_version_pieces. map: per event of the version's path,
 * the number of the same event on the test's path, or G_MAXUINT. */
static gboolean paths_agree (const RspPath *own, const RspPath *version, const GArray *pieces,
                             guint *map) {
  guint n = 0;
  if (own->end != RSP_PATH_COMPLETE || version->end != RSP_PATH_COMPLETE || version->n_waits)
    return FALSE;
  for (guint e = 0; e < version->n_events; e++) {
    const RspEvent *event = &version->events[e];
    /* Edits change neither the order of instructions nor values: places in the text identify a
     * path. */
    gboolean is_own
        = n < own->n_events
          && (own->events[n].kind == event->kind && own->events[n].location == event->location
              && own->events[n].failed_rmw == event->failed_rmw
              && own->events[n].rmw_half == event->rmw_half
              && synth_pieces_place (pieces, own->events[n].span.begin) == event->span.begin);
    if (!is_own && event->kind != RSP_EVENT_FENCE)
      return FALSE;
    map[e] = is_own ? n++ : G_MAXUINT;
  }
  return n == own->n_events;
}

static gboolean look_alike (const RspPath *a, const RspPath *b) {
  if (a->n_events != b->n_events || !rsp_matrix_equal (a->po, b->po)
      || !rsp_matrix_equal (a->addr, b->addr) || !rsp_matrix_equal (a->data, b->data)
      || !rsp_matrix_equal (a->ctrl, b->ctrl))
    return FALSE;
  for (guint e = 0; e < a->n_events; e++)
    if (!rsp_event_is_alike (&a->events[e], &b->events[e]))
      return FALSE;
  return TRUE;
}

/* The path, among those of a thread of the version or of the test, that does the same as the
 * other's path; NULL if there is none, or if there are several that a model may distinguish. */
static const RspPath *find_same_path (const GPtrArray *paths, const RspPath *path,
                                      const GArray *pieces, gboolean in_version) {
  const RspPath *found = NULL;
  for (guint i = 0; i < paths->len; i++) {
    const RspPath *other = paths->pdata[i], *version = in_version ? other : path;
    g_autofree guint *map = g_new (guint, version->n_events + 1);
    if (!paths_agree (in_version ? path : other, version, pieces, map))
      continue;
    if (found && !look_alike (found, other))
      return NULL;
    found = other;
  }
  return found;
}

/* ---- Spread --------------------------------------------------------------------------------- */

/* One execution in many versions of a test at once. Edits change neither values nor what may be
 * read, so the same choices for the same accesses are a candidate execution of every version. Edits
 * only change the base sets, each those of its own events, and add fences. If some edits may be
 * made or not, each base set has a lower and an upper bound, which may still determine the model's
 * verdict. */

/* A fence that some edits of a site add. */
typedef struct Added {
  guint thread;
  guint slot; /* the number of the thread's own events before it */
  guint site;
  guint count; /* of fences of the same site and thread before it */
  const RspEvent *event;
  guint place; /* on the thread's path with everything added */
} Added;

/* The changes of an edit. */
typedef struct Change {
  const RspPath **paths; /* of the version, per thread; NULL: it cannot be followed */
  guint **maps;          /* per thread and event of its path: that of the test's, or G_MAXUINT */
  guint **places;        /* the same, on the path with everything added */
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
  RspMatrix *unordered; /* pairs whose program order is unknown: fences of different sites */
  const RspMatrix *rf, *co;
  RspBetween *between;
  /* With the edits that are or may be made: events that are there, and that may be; certain members
   * of sets, and uncertain ones. */
  RspMatrix *there, *may_be;
  RspMatrix *sets[RSP_N_BASE_SETS], *unsure[RSP_N_BASE_SETS];
};

/* The number of an event of the test's paths in the execution, initial writes first. */
static guint spread_event (const SynthSpread *spread, guint thread, guint event) {
  return spread->pre->first[thread] + spread->own[thread][event];
}

/* Can the edit be followed? */
static gboolean can_follow (const SynthSpread *spread, guint edit) {
  return spread->changes[edit].paths != NULL;
}

/* ---- Added fences ---- */
static Added describe_fence (const SynthSpread *spread, guint edit, guint thread, guint event) {
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

/* Finds the paths of the edit's version, and the fences that it adds. */
static void follow_edit (SynthSpread *spread, guint edit) {
  const SynthEdit *e = spread->edits->pdata[edit];
  Change *change = &spread->changes[edit];
  GPtrArray *const *all = rsp_combinations_all_paths (e->combinations);
  guint n = spread->program->n_threads;
  const RspPath **paths = rsp_arena_new0 (spread->arena, const RspPath *, n + 1);
  change->maps = rsp_arena_new0 (spread->arena, guint *, n + 1);
  change->places = rsp_arena_new0 (spread->arena, guint *, n + 1);
  for (guint t = 0; t < n; t++) {
    paths[t] = find_same_path (all[t], spread->paths[t], e->pieces, TRUE);
    if (!paths[t])
      return;
    change->maps[t] = rsp_arena_new0 (spread->arena, guint, paths[t]->n_events + 1);
    change->places[t] = rsp_arena_new0 (spread->arena, guint, paths[t]->n_events + 1);
    paths_agree (spread->paths[t], paths[t], e->pieces, change->maps[t]);
  }
  change->paths = paths;
  for (guint t = 0; t < n; t++)
    for (guint i = 0; i < paths[t]->n_events; i++) {
      if (change->maps[t][i] != G_MAXUINT)
        continue;
      Added added = describe_fence (spread, edit, t, i);
      if (find_added (spread, &added) == G_MAXUINT)
        g_array_append_val (spread->added, added);
    }
}

/* ---- The paths with everything added ---- */
static void place_events_of_edit (SynthSpread *spread, guint edit) {
  Change *change = &spread->changes[edit];
  for (guint t = 0; t < spread->program->n_threads; t++)
    for (guint e = 0; e < change->paths[t]->n_events; e++) {
      guint own = change->maps[t][e];
      if (own != G_MAXUINT) {
        change->places[t][e] = spread->own[t][own];
        continue;
      }
      Added added = describe_fence (spread, edit, t, e);
      guint i = find_added (spread, &added);
      change->places[t][e] = g_array_index (spread->added, Added, i).place;
    }
}

/* The thread's path with everything added. Its relations are upper bounds; only pairs of the test's
 * own events are certain. */
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
    rsp_relation_add_renamed (pairs, G_STRUCT_MEMBER (RspMatrix *, own, members[m]),
                              spread->own[thread]);
    for (guint i = 0; i < spread->edits->len; i++)
      if (spread->changes[i].paths)
        rsp_relation_add_renamed (
            pairs, G_STRUCT_MEMBER (RspMatrix *, spread->changes[i].paths[thread], members[m]),
            spread->changes[i].places[thread]);
    G_STRUCT_MEMBER (RspMatrix *, path, members[m]) = pairs;
  }
  /* Fences of different sites: in order, and in either order if nothing is between them. */
  for (guint i = 0; i < spread->added->len; i++)
    for (guint k = 0; k < spread->added->len; k++) {
      const Added *a = &g_array_index (spread->added, Added, i);
      const Added *b = &g_array_index (spread->added, Added, k);
      if (a->thread == thread && b->thread == thread && a->site != b->site && a->slot <= b->slot)
        rsp_matrix_add (path->po, a->place, b->place);
    }
  return path;
}

static gboolean join_paths (SynthSpread *spread) {
  guint n = spread->program->n_threads;
  g_autofree const RspPath **joined = g_new0 (const RspPath *, n + 1);
  g_array_sort (spread->added, compare_added);
  spread->own = rsp_arena_new0 (spread->arena, guint *, n + 1);
  for (guint t = 0; t < n; t++) {
    const RspPath *path = spread->paths[t];
    guint place = 0, i = 0;
    spread->own[t] = rsp_arena_new0 (spread->arena, guint, path->n_events + 1);
    while (i < spread->added->len && g_array_index (spread->added, Added, i).thread < t)
      i++;
    for (guint e = 0; e <= path->n_events; e++) {
      for (; i < spread->added->len; i++) {
        Added *added = &g_array_index (spread->added, Added, i);
        if (added->thread != t || added->slot != e)
          break;
        added->place = place++;
      }
      spread->own[t][e] = place++;
    }
  }
  for (guint i = 0; i < spread->edits->len; i++)
    if (spread->changes[i].paths)
      place_events_of_edit (spread, i);
  for (guint t = 0; t < n; t++)
    joined[t] = join_path (spread, t);
  spread->pre = rsp_pre_execution_new (spread->program, joined, spread->arena);
  return spread->pre != NULL;
}

/* ---- What edits change ---- */
static void compare_sets (const SynthSpread *spread, guint edit) {
  Change *change = &spread->changes[edit];
  const SynthEdit *e = spread->edits->pdata[edit];
  const RspPreExecution *version = rsp_pre_execution_new (e->program, change->paths, spread->arena);
  if (!version || version->first[0] != spread->pre->first[0]) {
    change->paths = NULL;
    return;
  }
  guint n = spread->pre->n;
  /* The numbers of the version's events among those with everything added. */
  guint *numbers = rsp_arena_new0 (spread->arena, guint, version->n + 1);
  for (guint i = 0; i < version->first[0]; i++)
    numbers[i] = i;
  for (guint t = 0; t < spread->program->n_threads; t++)
    for (guint i = version->first[t]; i < version->first[t + 1]; i++)
      numbers[i] = spread->pre->first[t] + change->places[t][i - version->first[t]];
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

/* model: with everything open, without orders of its own. paths: the test's, one per thread. edits:
 * of SynthEdit. All must outlive the arena. NULL if the joined paths are not a pre-execution, or
 * the model has no bounds. */
static SynthSpread *new_spread (const RspProgram *program, const RspStagedModel *model,
                                const RspPath *const *paths, const GPtrArray *edits,
                                RspArena *arena) {
  SynthSpread *spread = rsp_arena_new0 (arena, SynthSpread, 1);
  *spread = (SynthSpread){
    .program = program, .model = model, .paths = paths, .edits = edits, .arena = arena
  };
  spread->changes = rsp_arena_new0 (arena, Change, edits->len + 1);
  g_autoptr (GArray) added = g_array_new (FALSE, TRUE, sizeof (Added));
  spread->added = added;
  for (guint i = 0; i < edits->len; i++)
    follow_edit (spread, i);
  if (!join_paths (spread))
    return NULL;
  spread->own_events = rsp_set_new (arena, spread->pre->n);
  for (guint e = 0; e < spread->pre->first[0]; e++)
    rsp_set_add (spread->own_events, e);
  for (guint t = 0; t < program->n_threads; t++)
    for (guint e = 0; e < paths[t]->n_events; e++)
      rsp_set_add (spread->own_events, spread_event (spread, t, e));
  spread->unordered = rsp_relation_new (arena, spread->pre->n);
  for (guint i = 0; i < added->len; i++)
    for (guint k = 0; k < added->len; k++) {
      const Added *a = &g_array_index (added, Added, i), *b = &g_array_index (added, Added, k);
      if (a->thread == b->thread && a->site != b->site)
        rsp_matrix_add (spread->unordered, spread->pre->first[a->thread] + a->place,
                        spread->pre->first[b->thread] + b->place);
    }
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

/* ---- The model ---- */
/* A leaf's lower bound (is_least) or upper bound. */
static void bound (const SynthSpread *spread, RspNodeId id, gboolean is_least, RspMatrix *out) {
  const RspDag *dag = spread->model->dag;
  const RspNode *node = rsp_dag_node (dag, id);
  const RspMatrix *events = is_least ? spread->there : spread->may_be;
  if (node->op == RSP_NODE_RF || node->op == RSP_NODE_CO) {
    rsp_matrix_assign (out, node->op == RSP_NODE_RF ? spread->rf : spread->co);
    return;
  }
  if (node->op == RSP_NODE_OPEN && node->is_set) {
    guint set = node->index;
    if (is_least)
      rsp_matrix_difference (out, spread->sets[set], spread->unsure[set]);
    else
      rsp_matrix_union (out, spread->sets[set], spread->unsure[set]);
    return;
  }
  if (node->op == RSP_NODE_OPEN) {
    guint relation = node->index - RSP_N_BASE_SETS;
    rsp_matrix_assign (out, spread->pre->base->relations[relation]);
    if (is_least && relation == RSP_BASE_RELATION_PO)
      rsp_matrix_difference (out, out, spread->unordered);
  } else if (id == dag->identity)
    for (guint e = 0; e < out->n; e++)
      rsp_matrix_add (out, e, e);
  else if (id == dag->universe[TRUE] || id == dag->universe[FALSE])
    rsp_matrix_fill (out);
  for (guint row = 0; row < out->rows; row++) /* of events that are there, or may be */
    for (guint w = 0; w < out->words; w++)
      rsp_matrix_row (out, row)[w]
          &= node->is_set || rsp_set_has (events, row) ? events->bits[w] : 0;
}

static void bound_leaf (gpointer data, RspNodeId id, RspMatrix *least, RspMatrix *most) {
  if (least)
    bound (data, id, TRUE, least);
  if (most)
    bound (data, id, FALSE, most);
}

/* Applies the edits that are made (SynthMade, per edit). If two make the same change, it is made
 * once; so it is certain if one of them is made. */
static void make_edits (SynthSpread *spread, const guint8 *made) {
  rsp_matrix_assign (spread->there, spread->own_events);
  rsp_matrix_assign (spread->may_be, spread->own_events);
  for (guint i = 0; i < spread->edits->len; i++)
    if (made[i] != SYNTH_IS_NOT_MADE) {
      const RspMatrix *added = spread->changes[i].added;
      rsp_matrix_union (spread->may_be, spread->may_be, added);
      if (made[i] == SYNTH_IS_MADE)
        rsp_matrix_union (spread->there, spread->there, added);
    }
  for (guint s = 0; s < RSP_N_BASE_SETS; s++) {
    RspMatrix *members = spread->sets[s], *unsure = spread->unsure[s];
    rsp_matrix_clear (members);
    rsp_matrix_clear (unsure);
    for (guint i = 0; i < spread->edits->len; i++)
      if (made[i] != SYNTH_IS_NOT_MADE) {
        RspMatrix *out = made[i] == SYNTH_IS_MADE ? members : unsure;
        rsp_matrix_union (out, out, spread->changes[i].sets[s]);
      }
    for (guint w = 0; w < members->words; w++)
      members->bits[w] ^= spread->pre->base->sets[s]->bits[w] & spread->own_events->bits[w];
  }
}

/* ---- Witness -------------------------------------------------------------------------------- */

enum {
  MOST_TRIALS = 16 /* the most recently used are kept */
};

struct SynthWitnesses {
  const RspProgram *program; /* says the model's words */
  RspProgram bound;
  const GPtrArray *sites;
  const RspModel *model;
  RspCheckOptions options;
  RspArena *arena;              /* of the model */
  const RspStagedModel *staged; /* NULL: executions cannot be followed */
  RspCombinations *own;         /* the test's paths; NULL: not needed so far */
  GPtrArray *edits;             /* of SynthEdit: all */
  GPtrArray *trials;            /* of Trial, most recently used first */
  GPtrArray *list; /* of guint8 *: per site, levels, 1 << level, that do not help together */
};

/* ---- Edits ---- */
static void free_edit (gpointer data) {
  SynthEdit *edit = data;
  rsp_combinations_free (edit->combinations);
  rsp_program_free (edit->program);
  g_array_unref (edit->pieces);
  g_free (edit);
}

/* Adds the edit, unless its version cannot be parsed and so is never a repair. */
static void add_edit (SynthWitnesses *witnesses, guint site, guint level) {
  g_autofree guint8 *levels = rsp_synth_own_levels (witnesses->sites);
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  levels[site] = (guint8) level;
  char *text = rsp_synth_version_text (witnesses->program, witnesses->sites, levels);
  RspSource *source = rsp_source_new (witnesses->program->source->name, text, strlen (text));
  RspProgram *program = rsp_litmus_parse (source, FALSE, unheard);
  rsp_source_unref (source);
  if (!program)
    return;
  if (!rsp_words_bind (program, witnesses->model, NULL)) {
    rsp_program_free (program);
    return;
  }
  SynthEdit *edit = g_new (SynthEdit, 1);
  *edit = (SynthEdit){ .site = site,
                       .level = level,
                       .pieces = rsp_synth_version_pieces (witnesses->sites, levels),
                       .program = program,
                       .combinations
                       = rsp_combinations_open (program, witnesses->model, &witnesses->options) };
  g_ptr_array_add (witnesses->edits, edit);
}

/* ---- One execution ---- */
/* An execution that is tried on further versions. */
typedef struct Trial {
  RspArena *arena;
  SynthSpread *spread;
  char *flag;    /* or NULL */
  guint8 *found; /* of SynthMade, per edit: what did not help with the last version it ruled out */
} Trial;

static void free_trial (gpointer data) {
  Trial *trial = data;
  rsp_arena_free (trial->arena);
  g_free (trial->flag);
  g_free (trial->found);
  g_free (trial);
}

static RspMatrix *move_pairs (const RspMatrix *pairs, const guint *numbers, guint n,
                              RspArena *arena) {
  RspMatrix *moved = rsp_relation_new (arena, n);
  rsp_relation_add_renamed (moved, pairs, numbers);
  return moved;
}

/* NULL if the execution cannot be followed from its version back to the test. */
static SynthSpread *spread_execution (const SynthWitnesses *witnesses,
                                      const RspExecution *execution, const guint8 *levels,
                                      RspArena *arena) {
  const RspPreExecution *pre = execution->pre;
  guint n_threads = witnesses->program->n_threads;
  g_autoptr (GArray) pieces = rsp_synth_version_pieces (witnesses->sites, levels);
  GPtrArray *const *all = rsp_combinations_all_paths (witnesses->own);
  const RspPath **paths = rsp_arena_new0 (arena, const RspPath *, n_threads + 1);
  for (guint t = 0; t < n_threads; t++) {
    paths[t] = find_same_path (all[t], pre->paths[t], pieces, FALSE);
    if (!paths[t])
      return NULL;
  }
  SynthSpread *spread
      = new_spread (witnesses->program, witnesses->staged, paths, witnesses->edits, arena);
  if (!spread)
    return NULL;
  /* Per event of the execution: its number in the spread, or G_MAXUINT for an added fence. */
  g_autofree guint *numbers = g_new (guint, pre->n + 1);
  for (guint e = 0; e < pre->first[0]; e++)
    numbers[e] = e;
  for (guint t = 0; t < n_threads; t++) {
    g_autofree guint *map = g_new (guint, pre->paths[t]->n_events + 1);
    paths_agree (paths[t], pre->paths[t], pieces, map);
    for (guint e = 0; e < pre->paths[t]->n_events; e++)
      numbers[pre->first[t] + e]
          = map[e] == G_MAXUINT ? G_MAXUINT : spread_event (spread, t, map[e]);
  }
  spread->rf = move_pairs (execution->rf, numbers, spread->pre->n, arena);
  spread->co = move_pairs (execution->co, numbers, spread->pre->n, arena);
  return spread;
}

/* ---- What does not help ---- */
/* Does the model certainly accept the execution, and raise the trial's flag, if any? made: of
 * SynthMade, per edit. */
static gboolean is_certain (const Trial *trial, const guint8 *made) {
  SynthSpread *spread = trial->spread;
  gboolean is_raised = !trial->flag;
  make_edits (spread, made);
  rsp_between_compute (spread->between, bound_leaf, spread);
  for (guint i = 0; i < spread->model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &spread->model->axioms[i];
    if (axiom->role == RSPCHECK_ROLE_AXIOM && !rsp_between_holds (spread->between, axiom))
      return FALSE;
    if (trial->flag && g_strcmp0 (axiom->id, trial->flag) == 0
        && axiom->role != RSPCHECK_ROLE_AXIOM)
      is_raised |= rsp_between_raises (spread->between, axiom);
  }
  return is_raised;
}

/* Allows those edits [from, to) that are not made: all (like NULL), or those that may be made in
 * `like`. FALSE, and nothing has changed, if they help together. */
static gboolean allow (const Trial *trial, guint8 *made, guint from, guint to, const guint8 *like) {
  g_autofree guint8 *before = g_memdup2 (made + from, to - from);
  for (guint i = from; i < to; i++)
    if (made[i] == SYNTH_IS_NOT_MADE
        && (like ? like[i] == SYNTH_MAY_BE_MADE : can_follow (trial->spread, i)))
      made[i] = SYNTH_MAY_BE_MADE;
  if (from == to || is_certain (trial, made))
    return TRUE;
  memcpy (made + from, before, to - from);
  return FALSE;
}

/* Allows as many as do not help, by bisection. */
static void allow_most (const Trial *trial, guint8 *made, guint from, guint to) {
  guint middle = from + (to - from) / 2;
  if (allow (trial, made, from, to, NULL) || to - from == 1)
    return;
  allow_most (trial, made, from, middle);
  allow_most (trial, made, middle, to);
}

/* The levels of edits that are made replace others; those of edits that may be made are added. */
static void admit (const SynthWitnesses *witnesses, const guint8 *made, SynthMade how,
                   guint8 *admitted) {
  for (guint i = 0; i < witnesses->edits->len; i++) {
    const SynthEdit *edit = witnesses->edits->pdata[i];
    guint8 level = (guint8) (1 << edit->level), *all = &admitted[edit->site];
    if (made[i] == how)
      *all = how == SYNTH_IS_MADE ? level : *all | level;
  }
}

/* Does the execution rule the version out? If so, this also remembers what else does not help:
 * which of its edits are not needed for that, and which of the others do not matter. */
static gboolean try_on (SynthWitnesses *witnesses, Trial *trial, const guint8 *levels) {
  guint n = witnesses->edits->len;
  g_autofree guint8 *made = g_new0 (guint8, n + 1);
  for (guint i = 0; i < n; i++) {
    const SynthEdit *edit = witnesses->edits->pdata[i];
    if (levels[edit->site] != edit->level)
      continue;
    made[i] = SYNTH_IS_MADE;
    if (!can_follow (trial->spread, i))
      return FALSE;
  }
  if (!is_certain (trial, made))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (made[i] == SYNTH_IS_MADE) {
      made[i] = SYNTH_MAY_BE_MADE;
      if (!is_certain (trial, made))
        made[i] = SYNTH_IS_MADE;
    }
  /* Mostly the same edits as last time do not help. */
  if (!trial->found || !allow (trial, made, 0, n, trial->found))
    allow_most (trial, made, 0, n);
  guint8 *admitted = rsp_synth_own_levels (witnesses->sites);
  for (guint i = 0; i < witnesses->sites->len; i++)
    admitted[i] = (guint8) (1 << admitted[i]);
  admit (witnesses, made, SYNTH_MAY_BE_MADE, admitted);
  admit (witnesses, made, SYNTH_IS_MADE, admitted);
  g_ptr_array_add (witnesses->list, admitted);
  g_free (trial->found);
  trial->found = g_memdup2 (made, n + 1);
  return TRUE;
}

void synth_witnesses_add (SynthWitnesses *witnesses, const guint8 *levels,
                          const RspExecution *execution, const char *flag) {
  if (!witnesses->staged)
    return;
  if (!witnesses->own) {
    witnesses->own
        = rsp_combinations_open (witnesses->program, witnesses->model, &witnesses->options);
    for (guint i = 0; i < witnesses->sites->len; i++) {
      const SynthSite *site = witnesses->sites->pdata[i];
      for (guint level = 0; level < site->n_levels; level++)
        if (level != site->own)
          add_edit (witnesses, i, level);
    }
  }
  Trial *trial = g_new (Trial, 1);
  *trial = (Trial){ .arena = rsp_arena_new (), .flag = g_strdup (flag) };
  trial->spread = spread_execution (witnesses, execution, levels, trial->arena);
  if (!trial->spread || !try_on (witnesses, trial, levels)) {
    free_trial (trial);
    return;
  }
  g_ptr_array_insert (witnesses->trials, 0, trial);
  if (witnesses->trials->len > MOST_TRIALS)
    g_ptr_array_set_size (witnesses->trials, MOST_TRIALS);
}

gboolean synth_witnesses_refute (SynthWitnesses *witnesses, const guint8 *levels) {
  for (guint i = witnesses->list->len; i-- > 0;) {
    guint8 *admitted = witnesses->list->pdata[i];
    guint site = 0;
    while (site < witnesses->sites->len && admitted[site] >> levels[site] & 1)
      site++;
    if (site < witnesses->sites->len)
      continue;
    g_ptr_array_add (witnesses->list, g_ptr_array_steal_index (witnesses->list, i));
    return TRUE;
  }
  for (guint i = 0; i < witnesses->trials->len; i++)
    if (try_on (witnesses, witnesses->trials->pdata[i], levels)) {
      g_ptr_array_insert (witnesses->trials, 0, g_ptr_array_steal_index (witnesses->trials, i));
      return TRUE;
    }
  return FALSE;
}

/* ---- New and free ---- */

SynthWitnesses *synth_witnesses_new (const RspProgram *program, const GPtrArray *sites,
                                     const RspModel *model, const RspCheckOptions *options) {
  SynthWitnesses *witnesses = g_new0 (SynthWitnesses, 1);
  *witnesses = (SynthWitnesses){ .program = program,
                                 .sites = sites,
                                 .model = model,
                                 .options = *options,
                                 .arena = rsp_arena_new (),
                                 .edits = g_ptr_array_new_with_free_func (free_edit),
                                 .trials = g_ptr_array_new_with_free_func (free_trial),
                                 .list = g_ptr_array_new_with_free_func (g_free) };
  witnesses->bound = *program;
  witnesses->program = &witnesses->bound;
  rsp_words_bind (&witnesses->bound, model, NULL);
  witnesses->options.spin = RSPCHECK_SPIN_ALL;
  /* Executions cannot be followed if the model chooses orders or sees only a part of coherence, or
   * if edits change relations, as in languages with tags. */
  if (program->language->tagged || options->through != RSPCHECK_THROUGH_NONE)
    return witnesses;
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  RspStageOptions stage = { .skipped_checks = options->skipped_checks };
  const RspStagedModel *staged
      = rsp_model_stage_open (model, program->language, &stage, witnesses->arena, unheard);
  if (staged && (staged->n_orders || !staged->sees_co))
    rsp_dag_free (staged->dag);
  else
    witnesses->staged = staged;
  return witnesses;
}

void synth_witnesses_free (SynthWitnesses *witnesses) {
  if (!witnesses)
    return;
  if (witnesses->staged)
    rsp_dag_free (witnesses->staged->dag);
  rsp_arena_free (witnesses->arena);
  rsp_combinations_free (witnesses->own);
  g_ptr_array_unref (witnesses->trials);
  g_ptr_array_unref (witnesses->edits);
  g_ptr_array_unref (witnesses->list);
  g_free (witnesses);
}
