/* Sets as collections: their elements, one by one. A set of events and a relation are taken apart
 * into events and pairs; a set of values is a sorted list.
 *
 * Two elements that differ only in what the search decides ({rf, co}) are treated as different: a
 * fold then visits both, which makes no difference to functions such as unions and
 * intersections. */
#include "model/stage/set.h"
#include "model/dag/dag.h"
#include "model/dag/simplify.h"
#include "model/stage/expr.h"
#include "model/stage/choices/orders.h"
#include "model/stage/value.h"

enum {
  ITEMS_PER_STEP = 64 /* looked through */
};

/* ---- Making ---- */

static int compare_items (gconstpointer a, gconstpointer b, gpointer stage) {
  return stage_compare (stage, *(const StageValue *const *) a, *(const StageValue *const *) b);
}

/* Sorts the items and removes duplicates; returns how many are left. */
static guint sort_items (Stage *stage, const StageValue **items, guint n) {
  if (stage->base->generic && n > 1 && items[0]->kind != STAGE_TAG)
    stage_postpone (stage, (RspSpan){ 0 }); /* neither equality nor order is known */
  g_qsort_with_data (items, (gint) n, sizeof items[0], compare_items, stage);
  guint kept = 0;
  for (guint i = 0; i < n; i++)
    if (kept == 0 || stage_compare (stage, items[kept - 1], items[i]) != 0)
      items[kept++] = items[i];
  return kept;
}

static gboolean all_are (const Stage *stage, StageItems items, guint n, gboolean events) {
  for (guint i = 0; i < n; i++)
    if (events ? items[i]->kind != STAGE_EVENT
               : items[i]->kind == STAGE_NODE || !stage_is_relation (stage, items[i]))
      return FALSE;
  return TRUE;
}

/* The set of n > 0 events, or the relation of n > 0 pairs. */
static const StageValue *union_of (Stage *stage, StageItems items, guint n, gboolean events) {
  RspMatrix *all = rsp_dag_matrix (stage->dag, events);
  RspSpan nowhere = { 0 };
  for (guint i = 0; i < n; i++) {
    RspNodeId node;
    if (!stage_to_node (stage, items[i], nowhere, &node))
      return NULL;
    rsp_matrix_union (all, all, rsp_dag_node (stage->dag, node)->constant);
  }
  return stage_node (stage, rsp_dag_constant (stage->dag, events, all));
}

/* If there are sets (relations) among the items, literals, events and pairs become sets (relations)
 * too. */
static void unify_items (Stage *stage, const StageValue **items, guint n) {
  guint at = 0;
  while (at < n && items[at]->kind != STAGE_NODE)
    at++;
  if (at == n)
    return;
  gboolean is_set = stage_is_set (stage, items[at]);
  RspSpan nowhere = { 0 };
  for (guint i = 0; i < n; i++) {
    const StageValue *item = items[i];
    RspNodeId node;
    gboolean literal = item->kind == STAGE_EMPTY || item->kind == STAGE_UNIVERSE;
    if (item->kind == STAGE_NODE
        || !(literal || (is_set ? stage_is_set : stage_is_relation) (stage, item)))
      continue;
    if ((is_set ? stage_to_set : stage_to_relation) (stage, item, nowhere, &node))
      items[i] = stage_node (stage, node);
  }
}

const StageValue *stage_set_of (Stage *stage, StageItems items, guint n) {
  if (n == 0)
    return &stage_empty;
  if (all_are (stage, items, n, TRUE))
    return union_of (stage, items, n, TRUE);
  if (all_are (stage, items, n, FALSE))
    return union_of (stage, items, n, FALSE);
  const StageValue *set = stage_list (stage, STAGE_VALUES, items, n);
  unify_items (stage, set->u.list.items, n);
  guint kept = sort_items (stage, set->u.list.items, n);
  return stage_list (stage, STAGE_VALUES, set->u.list.items, kept);
}

const StageValue *stage_add (Stage *stage, RspSpan span, const StageValue *element,
                             const StageValue *set) {
  set = stage_spell_out (stage, span, set);
  if (!set)
    return NULL;
  if (set->kind == STAGE_EMPTY)
    return stage_set_of (stage, &element, 1);
  if (set->kind == STAGE_UNIVERSE)
    return set;
  if (set->kind == STAGE_VALUES) {
    guint n = set->u.list.n;
    if (!stage_spend (stage, span, n))
      return NULL;
    g_autofree const StageValue **items = g_new (const StageValue *, n + 1);
    items[0] = element;
    for (guint i = 0; i < n; i++)
      items[i + 1] = set->u.list.items[i];
    return stage_set_of (stage, items, n + 1);
  }
  RspNodeId a, b;
  if (element->kind == STAGE_NODE || stage_is_set (stage, element) != stage_is_set (stage, set))
    return stage_fail (stage, span, "cannot add %s to %s", stage_describe (stage, element),
                       stage_describe (stage, set));
  if (!stage_to_node (stage, element, span, &a) || !stage_to_node (stage, set, span, &b))
    return NULL;
  return stage_node (stage, rsp_dag_binary (stage->dag, RSP_NODE_UNION, a, b));
}

/* ---- Taking apart ---- */

static gboolean list_pairs (Stage *stage, RspSpan span, const RspMatrix *relation,
                            GPtrArray *found) {
  for (guint a = 0; a < relation->n; a++) {
    if (!stage_spend (stage, span, 1))
      return FALSE;
    for (all_bits (b, rsp_matrix_row (relation, a), relation->words))
      g_ptr_array_add (found, (gpointer) stage_pair (stage, a, b));
  }
  return TRUE;
}

static void list_events (Stage *stage, const RspMatrix *set, GPtrArray *found) {
  for (all_bits (e, set->bits, set->words))
    g_ptr_array_add (found, (gpointer) stage_event (stage, e));
}

gboolean stage_elements (Stage *stage, const StageValue *set, RspSpan span, StageItems *items,
                         guint *n) {
  set = stage_spell_out (stage, span, set);
  if (!set)
    return FALSE;
  *items = NULL;
  *n = 0;
  if (set->kind == STAGE_EMPTY)
    return TRUE;
  if (set->kind == STAGE_VALUES) {
    *items = set->u.list.items;
    *n = set->u.list.n;
    return TRUE;
  }
  RspNodeId node;
  if (!stage_to_node (stage, set, span, &node)) /* unv on its own is a relation */
    return FALSE;
  const RspMatrix *value = stage_constant (stage, node, span);
  if (!value)
    return FALSE;
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  if (rsp_dag_node (stage->dag, node)->is_set)
    list_events (stage, value, found);
  else if (!list_pairs (stage, span, value, found))
    return FALSE;
  *items = rsp_arena_copy (stage->arena, found->pdata, found->len * sizeof (gpointer));
  *n = found->len;
  return TRUE;
}

/* The first bit of a known set or relation, and the rest. */
static void split_matrix (Stage *stage, const RspMatrix *value, gboolean is_set, gboolean *any,
                          const StageValue **first, const StageValue **rest) {
  for (guint row = 0; row < value->rows; row++) {
    guint e = rsp_next_bit (rsp_matrix_row (value, row), value->words, 0);
    if (e == G_MAXUINT)
      continue;
    RspMatrix *others = rsp_dag_scratch (stage->dag, is_set);
    rsp_matrix_assign (others, value);
    rsp_matrix_remove (others, row, e);
    *any = TRUE;
    *first = is_set ? stage_event (stage, e) : stage_pair (stage, row, e);
    *rest = stage_node (stage, rsp_dag_scratch_constant (stage->dag, is_set));
    return;
  }
  *any = FALSE;
}

gboolean stage_split_first (Stage *stage, const StageValue *set, RspSpan span, gboolean *any,
                            const StageValue **first, const StageValue **rest) {
  if (set->kind == STAGE_NODE) {
    const RspMatrix *value = stage_constant (stage, set->u.node, span);
    if (!value)
      return FALSE;
    split_matrix (stage, value, stage_is_set (stage, set), any, first, rest);
    return TRUE;
  }
  StageItems items;
  guint n;
  if (!stage_elements (stage, set, span, &items, &n))
    return FALSE;
  *any = n > 0;
  if (n == 0)
    return TRUE;
  *first = items[0];
  if (set->kind != STAGE_VALUES) {
    *rest = stage_set_of (stage, items + 1, n - 1);
    return TRUE;
  }
  StageValue *others = rsp_arena_new0 (stage->arena, StageValue, 1);
  others->kind = STAGE_VALUES; /* shares the items, so that recursion over a set copies none */
  others->u.list.items = set->u.list.items + 1;
  others->u.list.n = n - 1;
  *rest = n > 1 ? others : &stage_empty;
  return TRUE;
}

gboolean stage_split_middle (Stage *stage, const StageValue *set, RspSpan span, gboolean *any,
                             const StageValue **before, const StageValue **middle,
                             const StageValue **after) {
  StageItems items;
  guint n;
  if (!stage_elements (stage, set, span, &items, &n))
    return FALSE;
  *any = n > 0;
  if (n == 0)
    return TRUE;
  guint at = n / 2;
  *before = stage_set_of (stage, items, at);
  *middle = items[at];
  *after = stage_set_of (stage, items + at + 1, n - at - 1);
  return TRUE;
}

/* ---- Comparing ---- */

static RspTruth node_contains (Stage *stage, RspNodeId node, const StageValue *element,
                               RspSpan span) {
  RspNodeId one;
  gboolean is_set = rsp_dag_node (stage->dag, node)->is_set;
  if (!(is_set ? stage_to_set : stage_to_relation) (stage, element, span, &one))
    return RSP_FAILS;
  if (rsp_dag_within (stage->dag, one, node))
    return RSP_HOLDS;
  return stage_is_constant (stage, one) && stage_is_constant (stage, node) ? RSP_FAILS : RSP_OPEN;
}

RspTruth stage_contains (Stage *stage, const StageValue *set, const StageValue *element,
                         RspSpan span) {
  set = stage_spell_out (stage, span, set);
  if (!set || set->kind == STAGE_EMPTY)
    return RSP_FAILS;
  if (set->kind == STAGE_UNIVERSE)
    return RSP_HOLDS;
  if (set->kind != STAGE_VALUES) {
    RspNodeId node;
    return stage_to_node (stage, set, span, &node) ? node_contains (stage, node, element, span)
                                                   : RSP_FAILS;
  }
  RspTruth found = RSP_FAILS;
  if (!stage_spend (stage, span, set->u.list.n / ITEMS_PER_STEP))
    return RSP_FAILS;
  for (guint i = 0; i < set->u.list.n && found != RSP_HOLDS; i++) {
    RspTruth one = stage_equal (stage, set->u.list.items[i], element);
    if (one != RSP_FAILS)
      found = one;
  }
  return found;
}

static RspTruth each_contained (Stage *stage, const StageValue *a, const StageValue *b,
                                RspSpan span) {
  StageItems items;
  guint n;
  RspTruth all = RSP_HOLDS;
  if (!stage_elements (stage, a, span, &items, &n) || !(b = stage_spell_out (stage, span, b)))
    return RSP_FAILS;
  for (guint i = 0; i < n && all != RSP_FAILS; i++) {
    RspTruth one = stage_contains (stage, b, items[i], span);
    if (one != RSP_HOLDS)
      all = one;
  }
  return all;
}

RspTruth stage_subset (Stage *stage, const StageValue *a, const StageValue *b, RspSpan span) {
  RspNodeId x, y;
  if (a->kind == STAGE_EMPTY || b->kind == STAGE_UNIVERSE)
    return RSP_HOLDS;
  if (stage_is_collection (a) || stage_is_collection (b))
    return each_contained (stage, a, b, span);
  gboolean of_sets = stage_is_set (stage, a) || stage_is_set (stage, b);
  if (!(of_sets ? stage_to_set : stage_to_relation) (stage, a, span, &x)
      || !(of_sets ? stage_to_set : stage_to_relation) (stage, b, span, &y))
    return RSP_FAILS;
  if (rsp_dag_within (stage->dag, x, y))
    return RSP_HOLDS;
  return stage_is_constant (stage, x) && stage_is_constant (stage, y) ? RSP_FAILS : RSP_OPEN;
}

/* ---- Operators on sets of values ---- */

/* The items of a that are in b (or, for a difference, are not). */
static const StageValue *select_items (Stage *stage, RspSpan span, gboolean inside,
                                       StageItems items, guint n, const StageValue *b) {
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  for (guint i = 0; i < n; i++) {
    RspTruth in = stage_contains (stage, b, items[i], span);
    if (stage->status != STAGE_OK)
      return NULL;
    if (in == RSP_OPEN)
      return stage_await_execution (stage, span);
    if ((in == RSP_HOLDS) == inside)
      g_ptr_array_add (kept, (gpointer) items[i]);
  }
  return stage_set_of (stage, (StageItems) kept->pdata, kept->len);
}

static const StageValue *unite (Stage *stage, StageItems a, guint n_a, StageItems b, guint n_b) {
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  for (guint i = 0; i < n_a; i++)
    g_ptr_array_add (all, (gpointer) a[i]);
  for (guint i = 0; i < n_b; i++)
    g_ptr_array_add (all, (gpointer) b[i]);
  return stage_set_of (stage, (StageItems) all->pdata, all->len);
}

const StageValue *stage_combine_values (Stage *stage, RspSpan span, RspCatExprKind op,
                                        const StageValue *a, const StageValue *b) {
  StageItems items[2];
  guint n[2];
  if ((!stage_is_collection (a) && a->kind != STAGE_EMPTY)
      || (!stage_is_collection (b) && b->kind != STAGE_EMPTY))
    return stage_fail (stage, span, "cannot combine %s with %s", stage_describe (stage, a),
                       stage_describe (stage, b));
  if (!stage_elements (stage, a, span, &items[0], &n[0])
      || !stage_elements (stage, b, span, &items[1], &n[1])
      || !stage_spend (stage, span, n[0] + n[1]))
    return NULL;
  if (op == RSP_CAT_UNION)
    return unite (stage, items[0], n[0], items[1], n[1]);
  b = stage_spell_out (stage, span, b);
  return select_items (stage, span, op == RSP_CAT_INTER, items[0], n[0], b);
}
