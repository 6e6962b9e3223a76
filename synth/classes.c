#include "synth/classes.h"
#include "synth/programs/steps.h"
#include "synth/programs/symmetry.h"

#include <string.h>

/* How a symmetry moves the events of a finding's two programs. */
typedef struct Moves {
  SynthSymmetry program, other;
} Moves;

/* All findings of one shape and edit. */
typedef struct Group {
  GPtrArray *findings;               /* of SynthFinding, in the order of the search */
  RspCandidates *candidates;         /* of the program if outcomes count, else NULL */
  Moves moves[SYNTH_MAX_SYMMETRIES]; /* the first moves nothing */
  guint n_moves;
} Group;

/* ---- Symmetries ---- */

static gboolean same_event (const SynthProgram *a, guint e, const SynthProgram *b, guint f) {
  const RspShapeEvent *x = &a->shape.events[e], *y = &b->shape.events[f];
  return x->kind == y->kind && x->half == y->half && x->location == y->location
         && x->address == y->address && x->flags == y->flags
         && rsp_label_equal (&a->labels[e], &b->labels[f]);
}

/* Does the edit leave the thread as it is? */
static gboolean is_untouched (const SynthFinding *finding, guint thread) {
  const SynthProgram *a = &finding->program, *b = &finding->other;
  guint f = 0;
  for (guint e = 0; e < a->shape.n_events; e++) {
    if (a->shape.events[e].thread != thread)
      continue;
    while (f < b->shape.n_events && b->shape.events[f].thread != thread)
      f++;
    if (f == b->shape.n_events || !same_event (a, e, b, f++))
      return FALSE;
  }
  while (f < b->shape.n_events && b->shape.events[f].thread != thread)
    f++;
  return f == b->shape.n_events;
}

/* Does the order map each program to itself, and the edit to itself? */
static gboolean is_symmetry (const SynthFinding *finding, const SynthOrder *order) {
  if (!synth_order_is_symmetry (&finding->program.shape, order))
    return FALSE;
  if (!finding->has_other)
    return TRUE;
  for (guint t = 0; t < finding->program.shape.n_threads; t++)
    if (order->thread[t] != t && !is_untouched (finding, t))
      return FALSE;
  return synth_order_is_symmetry (&finding->other.shape, order);
}

static void add_moves (Group *group, const SynthFinding *finding, const SynthOrder *order) {
  Moves *moves = &group->moves[group->n_moves++];
  synth_order_moves (&finding->program.shape, order, &moves->program);
  synth_order_moves (&finding->other.shape, order, &moves->other);
}

static void list_moves (Group *group, const SynthFinding *finding) {
  SynthOrder orders[SYNTH_MAX_SYMMETRIES];
  SynthOrder own = { { 0, 1, 2, 3, 4, 5, 6, 7 } };
  guint n = synth_orders_of_lengths (&finding->program.shape, orders);
  add_moves (group, finding, &own);
  for (guint i = 0; i < n; i++)
    if (is_symmetry (finding, &orders[i]))
      add_moves (group, finding, &orders[i]);
}

/* ---- Comparing ---- */

static gboolean is_within (const SynthProgram *a, const SynthSymmetry *symmetry,
                           const SynthProgram *b) {
  for (guint e = 0; e < b->shape.n_events; e++)
    if (!rsp_synth_label_is_within (&a->labels[symmetry->moves[e]], &b->labels[e]))
      return FALSE;
  return TRUE;
}

/* Is b's outcome what becomes of a's? */
static gboolean moves_outcome (const Group *group, const Moves *moves, const SynthFinding *a,
                               const SynthFinding *b) {
  const RspCandidates *candidates = group->candidates;
  RspShapeOutcome moved;
  if (!candidates)
    return TRUE;
  if (MAX (a->outcome, b->outcome) >= candidates->n_outcomes)
    return a->outcome == b->outcome;
  rsp_synth_outcome_move (&a->program.shape, &moves->program, &candidates->outcomes[a->outcome],
                          &moved);
  return memcmp (&moved, &candidates->outcomes[b->outcome], sizeof moved) == 0;
}

static gboolean same_outcome (const Group *group, const SynthFinding *a, const SynthFinding *b) {
  for (guint i = 0; i < group->n_moves; i++)
    if (moves_outcome (group, &group->moves[i], a, b))
      return TRUE;
  return FALSE;
}

/* The same outcome, with labels of a that are as weak as those of b or weaker? */
static gboolean covers (const Group *group, const SynthFinding *a, const SynthFinding *b) {
  for (guint i = 0; i < group->n_moves; i++) {
    const Moves *moves = &group->moves[i];
    if (is_within (&a->program, &moves->program, &b->program)
        && is_within (&a->other, &moves->other, &b->other) && moves_outcome (group, moves, a, b))
      return TRUE;
  }
  return FALSE;
}

/* A number that is smaller for weaker labels. */
static guint strength (const SynthFinding *finding) {
  guint sum = 0;
  for (guint e = 0; e < finding->program.shape.n_events; e++)
    sum += rsp_synth_label_strength (&finding->program.labels[e]);
  for (guint e = 0; e < finding->other.shape.n_events; e++)
    sum += rsp_synth_label_strength (&finding->other.labels[e]);
  return sum;
}

static int compare_strength (gconstpointer a, gconstpointer b) {
  guint x = strength (*(SynthFinding *const *) a), y = strength (*(SynthFinding *const *) b);
  return x < y ? -1 : x > y;
}

/* ---- Classes ---- */

static GPtrArray *findings_of_kind (const Group *group, guint kind) {
  GPtrArray *list = g_ptr_array_new ();
  for (guint i = 0; i < group->findings->len; i++)
    if (((const SynthFinding *) group->findings->pdata[i])->kinds & kind)
      g_ptr_array_add (list, group->findings->pdata[i]);
  return list;
}

/* In the order of their strength: what covers a finding comes before it. */
static GPtrArray *find_weakest (const Group *group, GPtrArray *findings) {
  GPtrArray *weakest = g_ptr_array_new ();
  g_autoptr (GPtrArray) sorted = g_ptr_array_copy (findings, NULL, NULL);
  g_ptr_array_sort (sorted, compare_strength);
  for (guint i = 0; i < sorted->len; i++) {
    gboolean covered = FALSE;
    for (guint k = 0; k < weakest->len && !covered; k++)
      covered = covers (group, weakest->pdata[k], sorted->pdata[i]);
    if (!covered)
      g_ptr_array_add (weakest, sorted->pdata[i]);
  }
  return weakest;
}

/* The class of a finding among those from the index `first` on; NULL: there is none yet. */
static SynthClass *find_class (const Group *group, const SynthFinding *finding, GArray *classes,
                               guint first) {
  for (guint i = first; i < classes->len; i++) {
    SynthClass *class = &g_array_index (classes, SynthClass, i);
    if (same_outcome (group, class->weakest, finding))
      return class;
  }
  return NULL;
}

/* The classes of one kind, which differ in their outcomes. */
static void add_kind (const Group *group, guint kind, GArray *classes) {
  g_autoptr (GPtrArray) findings = findings_of_kind (group, kind);
  g_autoptr (GPtrArray) weakest = find_weakest (group, findings);
  guint first = classes->len;
  for (guint i = 0; i < findings->len; i++) {
    if (!g_ptr_array_find (weakest, findings->pdata[i], NULL))
      continue;
    SynthClass new = { .weakest = findings->pdata[i] };
    SynthClass *class = find_class (group, new.weakest, classes, first);
    if (!class) {
      g_array_append_val (classes, new);
      class = &g_array_index (classes, SynthClass, classes->len - 1);
    }
    class->n_weakest++;
  }
  for (guint i = 0; i < findings->len; i++)
    find_class (group, findings->pdata[i], classes, first)->labellings++;
}

/* A finding that is the first of two kinds stands for the first kind. */
static void add_classes (const Group *group, guint n_kinds, GArray *classes) {
  guint first = classes->len;
  for (guint k = 0; k < n_kinds; k++) {
    guint n = classes->len;
    add_kind (group, 1u << k, classes);
    for (guint i = first; i < n && classes->len > n; i++)
      if (g_array_index (classes, SynthClass, i).weakest
          == g_array_index (classes, SynthClass, n).weakest)
        g_array_set_size (classes, n);
  }
}

/* ---- Groups ---- */

static char *shape_code (const SynthProgram *program) {
  SynthProgram bare = *program;
  memset (bare.labels, 0, sizeof bare.labels);
  return rsp_synth_program_code (&bare);
}

static char *group_key (const SynthFinding *finding) {
  g_autofree char *program = shape_code (&finding->program);
  g_autofree char *other = shape_code (&finding->other);
  return g_strjoin (" ", program, other, finding->edit, NULL);
}

static void free_group (gpointer data) {
  Group *group = data;
  g_ptr_array_unref (group->findings);
  rsp_candidates_free (group->candidates);
  g_free (group);
}

static Group *new_group (const SynthQuestion *question, const SynthFinding *finding) {
  Group *group = g_new0 (Group, 1);
  group->findings = g_ptr_array_new ();
  group->candidates
      = question->about_outcomes ? rsp_candidates_new (&finding->program.shape) : NULL;
  list_moves (group, finding);
  return group;
}

GArray *rsp_synth_classes_new (const SynthQuestion *question, const GPtrArray *found) {
  GArray *classes = g_array_new (FALSE, FALSE, sizeof (SynthClass));
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (free_group);
  for (guint i = 0; i < found->len; i++) {
    char *key = group_key (found->pdata[i]);
    Group *group = g_hash_table_lookup (by_key, key);
    if (!group) {
      group = new_group (question, found->pdata[i]);
      g_ptr_array_add (groups, group);
      g_hash_table_insert (by_key, g_steal_pointer (&key), group);
    }
    g_ptr_array_add (group->findings, found->pdata[i]);
    g_free (key);
  }
  for (guint i = 0; i < groups->len; i++)
    add_classes (groups->pdata[i], question->n_kinds, classes);
  return classes;
}
