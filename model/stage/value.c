/* Values of cat: relations, sets, tuples, functions. */
#include "model/dag/dag.h"
#include "model/stage/internal.h"

#include <string.h>

/* ---- Value ---------------------------------------------------------------------------------- */

/* Values of cat: making, describing, converting and comparing them. */

const StageValue stage_empty = { .kind = STAGE_EMPTY };

const StageValue stage_universe = { .kind = STAGE_UNIVERSE };

static const StageValue stage_unknown = { .kind = STAGE_UNKNOWN };

/* ---- Making ---- */
StageValue *stage_value (Stage *stage, StageKind kind) {
  StageValue *value = rsp_arena_new0 (stage->arena, StageValue, 1);
  value->kind = kind;
  return value;
}

const StageValue *stage_node (Stage *stage, RspNodeId node) {
  StageValue *value = stage_value (stage, STAGE_NODE);
  value->u.node = node;
  return value;
}

static const StageValue *stage_event (Stage *stage, guint event) {
  StageValue *value = stage_value (stage, STAGE_EVENT);
  value->u.events[0] = event;
  return value;
}

static const StageValue *stage_pair (Stage *stage, guint a, guint b) {
  StageValue *value = stage_value (stage, STAGE_PAIR);
  value->u.events[0] = a;
  value->u.events[1] = b;
  return value;
}

const StageValue *stage_tag (Stage *stage, const char *tag) {
  StageValue *value = stage_value (stage, STAGE_TAG);
  value->u.tag = tag;
  return value;
}

const StageValue *stage_list (Stage *stage, StageKind kind, StageItems items, guint n) {
  StageValue *value = stage_value (stage, kind);
  value->u.list.items = rsp_arena_copy (stage->arena, items, n * sizeof items[0]);
  value->u.list.n = n;
  return value;
}

/* ---- Ending an evaluation ---- */
static void fail (Stage *stage, RspSpan span, const char *format, va_list arguments) {
  g_autofree char *message = g_strdup_vprintf (format, arguments);
  if (stage->status == STAGE_EXHAUSTED || stage->status == STAGE_NEEDS_ORDER)
    return;
  if (stage->status == STAGE_OK)
    rsp_error (stage->diagnostics, span, NULL, "%s", message);
  stage->status = STAGE_FAILED;
}

const StageValue *stage_fail (Stage *stage, RspSpan span, const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  fail (stage, span, format, arguments);
  va_end (arguments);
  return NULL;
}

gboolean stage_refuse (Stage *stage, RspSpan span, const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  fail (stage, span, format, arguments);
  va_end (arguments);
  return FALSE;
}

gboolean stage_postpone (Stage *stage, RspSpan span) {
  if (stage->base->rf) {
    gboolean first = stage->status == STAGE_OK;
    stage_refuse (stage, span,
                  "this needs the value of a chosen order (S, or `with … from`), which "
                  "cannot be inspected");
    if (first)
      stage->status = STAGE_NEEDS_ORDER;
    return FALSE;
  }
  stage->looked = TRUE;
  if (stage->status == STAGE_OK)
    stage->status = STAGE_NEEDS_EXECUTION;
  return FALSE;
}

const StageValue *stage_await_execution (Stage *stage, RspSpan span) {
  stage_postpone (stage, span);
  return NULL;
}

/* ---- Kinds ---- */
const char *stage_describe (const Stage *stage, const StageValue *value) {
  switch (value->kind) {
  case STAGE_EMPTY:
    return "an empty set or relation";
  case STAGE_UNIVERSE:
    return "all events or pairs";
  case STAGE_NODE:
    return rsp_dag_node (stage->dag, value->u.node)->is_set ? "a set of events" : "a relation";
  case STAGE_EVENT:
    return "an event";
  case STAGE_PAIR:
    return "a pair of events";
  case STAGE_TAG:
    return "a tag";
  case STAGE_TUPLE:
    return "a tuple";
  case STAGE_CLOSURE:
  case STAGE_BUILTIN:
    return "a function";
  case STAGE_PROCEDURE:
    return "a procedure";
  default:
    return "a set of sets or relations";
  }
}

gboolean stage_is_set (const Stage *stage, const StageValue *value) {
  return value->kind == STAGE_EVENT
         || (value->kind == STAGE_NODE && rsp_dag_node (stage->dag, value->u.node)->is_set);
}

gboolean stage_is_relation (const Stage *stage, const StageValue *value) {
  return value->kind == STAGE_PAIR
         || (value->kind == STAGE_TUPLE && value->u.list.n == 2
             && value->u.list.items[0]->kind == STAGE_EVENT
             && value->u.list.items[1]->kind == STAGE_EVENT)
         || (value->kind == STAGE_NODE && !rsp_dag_node (stage->dag, value->u.node)->is_set);
}

gboolean stage_is_function (const StageValue *value) {
  return value->kind == STAGE_CLOSURE || value->kind == STAGE_BUILTIN;
}

gboolean stage_is_constant (const Stage *stage, RspNodeId node) {
  return rsp_dag_node (stage->dag, node)->op == RSP_NODE_CONSTANT;
}

/* ---- Converting ---- */
static RspNodeId one_pair (Stage *stage, guint a, guint b) {
  RspMatrix *relation = rsp_dag_scratch (stage->dag, FALSE);
  rsp_matrix_clear (relation);
  rsp_matrix_add (relation, a, b);
  return rsp_dag_scratch_constant (stage->dag, FALSE);
}

/* Literals of the given kind. */
static gboolean literal_to_node (Stage *stage, const StageValue *value, gboolean is_set,
                                 RspNodeId *node) {
  if (value->kind == STAGE_EMPTY || (value->kind == STAGE_VALUES && value->u.list.n == 0))
    *node = stage->dag->empty[is_set];
  else if (value->kind == STAGE_UNIVERSE)
    *node = stage->dag->universe[is_set];
  else
    return FALSE;
  return TRUE;
}

gboolean stage_to_set (Stage *stage, const StageValue *value, RspSpan span, RspNodeId *node) {
  if (literal_to_node (stage, value, TRUE, node))
    return TRUE;
  if (!stage_is_set (stage, value))
    return stage_refuse (stage, span, "a set of events is needed here, but this is %s",
                         stage_describe (stage, value));
  *node = value->u.node;
  if (value->kind == STAGE_EVENT) {
    RspMatrix *set = rsp_dag_scratch (stage->dag, TRUE);
    rsp_matrix_clear (set);
    rsp_set_add (set, value->u.events[0]);
    *node = rsp_dag_scratch_constant (stage->dag, TRUE);
  }
  return TRUE;
}

gboolean stage_to_relation (Stage *stage, const StageValue *value, RspSpan span, RspNodeId *node) {
  if (literal_to_node (stage, value, FALSE, node))
    return TRUE;
  if (!stage_is_relation (stage, value))
    return stage_refuse (stage, span, "a relation is needed here, but this is %s",
                         stage_describe (stage, value));
  if (value->kind == STAGE_PAIR)
    *node = one_pair (stage, value->u.events[0], value->u.events[1]);
  else if (value->kind == STAGE_TUPLE)
    *node = one_pair (stage, value->u.list.items[0]->u.events[0],
                      value->u.list.items[1]->u.events[0]);
  else
    *node = value->u.node;
  return TRUE;
}

gboolean stage_to_kind (Stage *stage, const StageValue *value, gboolean is_set, RspSpan span,
                        RspNodeId *node) {
  return (is_set ? stage_to_set : stage_to_relation) (stage, value, span, node);
}

gboolean stage_to_node (Stage *stage, const StageValue *value, RspSpan span, RspNodeId *node) {
  return stage_to_kind (stage, value, stage_is_set (stage, value), span, node);
}

gboolean stage_both_to_nodes (Stage *stage, const StageValue *a, const StageValue *b, RspSpan span,
                              RspNodeId *x, RspNodeId *y) {
  gboolean of_sets = stage_is_set (stage, a) || stage_is_set (stage, b);
  return stage_to_kind (stage, a, of_sets, span, x) && stage_to_kind (stage, b, of_sets, span, y);
}

const RspMatrix *stage_constant (Stage *stage, RspNodeId node, RspSpan span) {
  if (!stage->base->generic && stage_is_constant (stage, node))
    return rsp_dag_node (stage->dag, node)->constant;
  /* May the value of a node be assumed? After a choice it could be another in each replay. */
  if (stage->base->assumes && stage->status == STAGE_OK && stage->next_choice == 0
      && !stage->missed) {
    if (stage->next_assumed < stage->base->n_assumed)
      return stage->base->assumed[stage->next_assumed++];
    stage->needed = node;
    stage->status = STAGE_NEEDS_VALUE;
    return NULL;
  }
  stage_postpone (stage, span);
  return NULL;
}

/* ---- Comparing ---- */
static int compare_numbers (guintptr a, guintptr b) { return a < b ? -1 : a > b; }

static int compare_nodes (const Stage *stage, RspNodeId x, RspNodeId y) {
  const RspNode *a = rsp_dag_node (stage->dag, x), *b = rsp_dag_node (stage->dag, y);
  gboolean constants = a->op == RSP_NODE_CONSTANT && b->op == RSP_NODE_CONSTANT;
  if (x == y || !constants || a->is_set != b->is_set)
    return compare_numbers (x, y);
  /* At the first difference of two constants, the one that has the pair comes first. */
  gsize words = (gsize) a->constant->rows * a->constant->words;
  for (gsize i = 0; i < words; i++) {
    guint64 differ = a->constant->bits[i] ^ b->constant->bits[i];
    if (differ)
      return a->constant->bits[i] & differ & -differ ? -1 : 1;
  }
  return 0;
}

/* A total order on values, by which sets of values are sorted. */
static int stage_compare (const Stage *stage, const StageValue *a, const StageValue *b) {
  if (a == b)
    return 0;
  if (a->kind != b->kind)
    return compare_numbers (a->kind, b->kind);
  switch (a->kind) {
  case STAGE_EMPTY:
  case STAGE_UNIVERSE:
  case STAGE_UNKNOWN:
    return 0;
  case STAGE_NODE:
    return compare_nodes (stage, a->u.node, b->u.node);
  case STAGE_PAIR:
    if (a->u.events[0] == b->u.events[0])
      return compare_numbers (a->u.events[1], b->u.events[1]);
    return compare_numbers (a->u.events[0], b->u.events[0]);
  case STAGE_EVENT:
    return compare_numbers (a->u.events[0], b->u.events[0]);
  case STAGE_TAG:
    return strcmp (a->u.tag, b->u.tag);
  case STAGE_VALUES:
  case STAGE_TUPLE:
  case STAGE_CROSS: {
    guint n = MIN (a->u.list.n, b->u.list.n);
    for (guint i = 0; i < n; i++) {
      int order = stage_compare (stage, a->u.list.items[i], b->u.list.items[i]);
      if (order)
        return order;
    }
    return compare_numbers (a->u.list.n, b->u.list.n);
  }
  case STAGE_ORDERS:
    if (a->u.orders.set == b->u.orders.set)
      return compare_nodes (stage, a->u.orders.relation, b->u.orders.relation);
    return compare_nodes (stage, a->u.orders.set, b->u.orders.set);
  default:
    return compare_numbers ((guintptr) a, (guintptr) b);
  }
}

static RspTruth equal_nodes (const Stage *stage, RspNodeId a, RspNodeId b) {
  if (a == b)
    return RSP_HOLDS;
  return stage_is_constant (stage, a) && stage_is_constant (stage, b) ? RSP_FAILS : RSP_OPEN;
}

gboolean stage_is_known (const Stage *stage, const StageValue *value) {
  if (value->kind == STAGE_NODE)
    return stage_is_constant (stage, value->u.node);
  if (value->kind != STAGE_VALUES && value->kind != STAGE_TUPLE)
    return TRUE;
  for (guint i = 0; i < value->u.list.n; i++)
    if (!stage_is_known (stage, value->u.list.items[i]))
      return FALSE;
  return TRUE;
}

/* Tuples, item by item. */
static RspTruth equal_tuples (const Stage *stage, const StageValue *a, const StageValue *b) {
  RspTruth all = rsp_truth (a->u.list.n == b->u.list.n);
  for (guint i = 0; all != RSP_FAILS && i < a->u.list.n; i++) {
    RspTruth one = stage_equal (stage, a->u.list.items[i], b->u.list.items[i]);
    if (one != RSP_HOLDS)
      all = one;
  }
  return all;
}

/* A literal and a value of known kind. */
static RspTruth equal_literal (const Stage *stage, const StageValue *literal,
                               const StageValue *value) {
  gboolean is_empty = literal->kind == STAGE_EMPTY;
  gboolean is_set = stage_is_set (stage, value);
  if (value->kind == STAGE_NODE)
    return equal_nodes (stage, value->u.node,
                        is_empty ? stage->dag->empty[is_set] : stage->dag->universe[is_set]);
  if (value->kind == STAGE_EVENT || value->kind == STAGE_PAIR)
    return rsp_truth (!is_empty && stage->dag->n == 1);
  return rsp_truth (is_empty && value->kind == STAGE_VALUES && value->u.list.n == 0);
}

/* An event and a set: is the set that of the event alone? Likewise a pair and a relation. */
static RspTruth equal_single (const Stage *stage, const StageValue *single,
                              const StageValue *value) {
  if (value->kind != STAGE_NODE)
    return RSP_FAILS;
  const RspNode *node = rsp_dag_node (stage->dag, value->u.node);
  if (node->is_set != (single->kind == STAGE_EVENT))
    return RSP_FAILS;
  if (node->op != RSP_NODE_CONSTANT)
    return RSP_OPEN;
  guint row = node->is_set ? 0 : single->u.events[0];
  guint column = node->is_set ? single->u.events[0] : single->u.events[1];
  return rsp_truth (rsp_matrix_count (node->constant) == 1
                    && rsp_matrix_get (node->constant, row, column));
}

gboolean stage_is_literal (const StageValue *value) {
  return value->kind == STAGE_EMPTY || value->kind == STAGE_UNIVERSE;
}

gboolean stage_is_collection (const StageValue *value) {
  return value->kind == STAGE_VALUES || value->kind == STAGE_ORDERS || value->kind == STAGE_CROSS;
}

static gboolean is_single (const StageValue *value) {
  return value->kind == STAGE_EVENT || value->kind == STAGE_PAIR;
}

RspTruth stage_equal (const Stage *stage, const StageValue *a, const StageValue *b) {
  if (a->kind == b->kind)
    switch (a->kind) {
    case STAGE_NODE:
      return equal_nodes (stage, a->u.node, b->u.node);
    case STAGE_VALUES: {
      /* Sets: sorted sets of known values are equal if they are equal item by item. */
      if (stage_compare (stage, a, b) == 0)
        return RSP_HOLDS;
      return stage_is_known (stage, a) && stage_is_known (stage, b) ? equal_tuples (stage, a, b)
                                                                    : RSP_OPEN;
    }
    case STAGE_TUPLE:
      return equal_tuples (stage, a, b);
    default:
      return rsp_truth (stage_compare (stage, a, b) == 0);
    }
  if (stage_is_literal (a) && stage_is_literal (b))
    return rsp_truth (stage->dag->n == 0);
  if (stage_is_literal (a))
    return equal_literal (stage, a, b);
  if (stage_is_literal (b))
    return equal_literal (stage, b, a);
  if (is_single (a))
    return equal_single (stage, a, b);
  return is_single (b) ? equal_single (stage, b, a) : RSP_FAILS;
}

/* ---- Env ------------------------------------------------------------------------------------ */

/* Names and patterns. */

/* Names belong to the model's tree or are literals, and so outlive the staging. */
static const char *symbol_of (Stage *stage, const char *name, guint *number) {
  return rsp_symbol (stage->symbols, NULL, name, number);
}

enum {
  MAX_WALK = 32, /* environments that a look-up may walk through before names are indexed */
  MIN_WALK = 16
};

const StageEnv *stage_bind (Stage *stage, const StageEnv *env, const char *name,
                            const StageValue *value) {
  StageEnv *inner = rsp_arena_new0 (stage->arena, StageEnv, 1);
  inner->symbol = symbol_of (stage, name, &inner->number);
  inner->value = value;
  inner->next = env;
  inner->walk = env ? env->walk + 1 : 1;
  if (inner->walk == MAX_WALK) {
    /* Keeps the walk short. The innermost environments, those of function calls, are left as they
     * are: an index does not pay for them, whereas the environment in which a function was made is
     * indexed once. */
    const StageEnv *outer = inner;
    for (inner->walk = 0; inner->walk < MIN_WALK && !outer->names; inner->walk++)
      outer = outer->next;
    if (!outer->names) {
      /* Indexes the names of an environment that is fewer than MAX_WALK steps from an indexed one.
       */
      StageEnv *e = (StageEnv *) outer;
      const StageEnv *added[MAX_WALK], *rest = e;
      guint n = 0;
      for (; rest && !rest->names && n < MAX_WALK; rest = rest->next)
        added[n++] = rest;
      const RspBindings *names = rest ? rest->names : NULL;
      while (n--)
        names = rsp_bindings_add (stage->arena, names, added[n]->number, added[n]);
      e->names = names;
    }
  }
  return inner;
}

/* The parts of a tuple or of a pair. FALSE if the value does not have exactly n parts. */
static gboolean parts (Stage *stage, const StageValue *value, guint n, StageItems *items) {
  if (value->kind == STAGE_PAIR && n == 2) {
    const StageValue **both = rsp_arena_new0 (stage->arena, const StageValue *, 2);
    both[0] = stage_event (stage, value->u.events[0]);
    both[1] = stage_event (stage, value->u.events[1]);
    *items = both;
    return TRUE;
  }
  if (value->kind != STAGE_TUPLE || value->u.list.n != n)
    return FALSE;
  *items = value->u.list.items;
  return TRUE;
}

gboolean stage_bind_pattern (Stage *stage, const StageEnv **env, const RspCatPattern *pattern,
                             const StageValue *value) {
  if (!pattern->is_tuple) {
    if (pattern->name)
      *env = stage_bind (stage, *env, pattern->name, value);
    return TRUE;
  }
  StageItems items;
  if (!parts (stage, value, pattern->n_items, &items))
    return stage_refuse (stage, pattern->span, "this takes %u values, but is given %s",
                         pattern->n_items, stage_describe (stage, value));
  for (guint i = 0; i < pattern->n_items; i++)
    if (!stage_bind_pattern (stage, env, pattern->items[i], items[i]))
      return FALSE;
  return TRUE;
}

void stage_bind_unknown (Stage *stage, const StageEnv **env, const RspCatPattern *pattern) {
  if (pattern->name)
    *env = stage_bind (stage, *env, pattern->name, &stage_unknown);
  for (guint i = 0; i < pattern->n_items; i++)
    stage_bind_unknown (stage, env, pattern->items[i]);
}

const StageValue *stage_look_up (Stage *stage, const StageEnv *env, const char *name,
                                 gboolean *own) {
  guint number;
  const char *symbol = symbol_of (stage, name, &number);
  while (env && env->symbol != symbol)
    env = env->names ? rsp_bindings_look_up (env->names, number) : env->next;
  *own = env != NULL;
  if (env)
    return env->value;
  const StageValue *value = g_hash_table_lookup (stage->predefined, symbol);
  if (!value && (value = rsp_stage_predefined (stage, symbol)))
    g_hash_table_insert (stage->predefined, (gpointer) symbol, (gpointer) value);
  return value;
}

/* ---- Set ------------------------------------------------------------------------------------ */

/* Sets as collections: their elements, one by one. A set of events and a relation are taken apart
 * into events and pairs; a set of values is a sorted list.
 *
 * Two elements that differ only in what the search decides ({rf, co}) are treated as different: a
 * fold then visits both, which makes no difference to functions such as unions and
 * intersections. */

enum {
  ITEMS_PER_STEP = 64 /* looked through */
};

/* ---- Making ---- */
static int compare_items (gconstpointer a, gconstpointer b, gpointer stage) {
  return stage_compare (stage, *(const StageValue *const *) a, *(const StageValue *const *) b);
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
    gboolean fits
        = stage_is_literal (item) || (is_set ? stage_is_set : stage_is_relation) (stage, item);
    if (item->kind != STAGE_NODE && fits && stage_to_kind (stage, item, is_set, nowhere, &node))
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
  /* Sorted, without duplicates. */
  if (stage->base->generic && n > 1 && set->u.list.items[0]->kind != STAGE_TAG)
    stage_postpone (stage, (RspSpan){ 0 }); /* neither equality nor order is known */
  g_qsort_with_data (set->u.list.items, (gint) n, sizeof set->u.list.items[0], compare_items,
                     stage);
  guint kept = 0;
  for (guint i = 0; i < n; i++)
    if (kept == 0 || stage_compare (stage, set->u.list.items[kept - 1], set->u.list.items[i]) != 0)
      set->u.list.items[kept++] = set->u.list.items[i];
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
  return stage_node (stage, rsp_dag_union (stage->dag, a, b));
}

/* ---- Taking apart ---- */
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
  if (rsp_dag_node (stage->dag, node)->is_set) {
    for (all_bits (e, value->bits, value->words))
      g_ptr_array_add (found, (gpointer) stage_event (stage, e));
  } else {
    for (guint a = 0; a < value->n; a++) {
      if (!stage_spend (stage, span, 1))
        return FALSE;
      for (all_bits (b, rsp_matrix_row (value, a), value->words))
        g_ptr_array_add (found, (gpointer) stage_pair (stage, a, b));
    }
  }
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
  /* Shares the items, so that recursion over a set copies none. */
  StageValue *others = stage_value (stage, STAGE_VALUES);
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
static RspTruth within (const Stage *stage, RspNodeId a, RspNodeId b) {
  if (rsp_dag_within (stage->dag, a, b))
    return RSP_HOLDS;
  return stage_is_constant (stage, a) && stage_is_constant (stage, b) ? RSP_FAILS : RSP_OPEN;
}

RspTruth stage_contains (Stage *stage, const StageValue *set, const StageValue *element,
                         RspSpan span) {
  set = stage_spell_out (stage, span, set);
  if (!set || set->kind == STAGE_EMPTY)
    return RSP_FAILS;
  if (set->kind == STAGE_UNIVERSE)
    return RSP_HOLDS;
  if (set->kind != STAGE_VALUES) {
    RspNodeId one, all;
    return stage_to_node (stage, set, span, &all)
                   && stage_to_kind (stage, element, rsp_dag_node (stage->dag, all)->is_set, span,
                                     &one)
               ? within (stage, one, all)
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

RspTruth stage_subset (Stage *stage, const StageValue *a, const StageValue *b, RspSpan span) {
  RspNodeId x, y;
  if (a->kind == STAGE_EMPTY || b->kind == STAGE_UNIVERSE)
    return RSP_HOLDS;
  if (stage_is_collection (a) || stage_is_collection (b)) {
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
  return stage_both_to_nodes (stage, a, b, span, &x, &y) ? within (stage, x, y) : RSP_FAILS;
}

/* ---- Operators on sets of values ---- */
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
  if (op == RSP_CAT_UNION) {
    g_autoptr (GPtrArray) all = g_ptr_array_new ();
    for (guint i = 0; i < n[0]; i++)
      g_ptr_array_add (all, (gpointer) items[0][i]);
    for (guint i = 0; i < n[1]; i++)
      g_ptr_array_add (all, (gpointer) items[1][i]);
    return stage_set_of (stage, (StageItems) all->pdata, all->len);
  }
  b = stage_spell_out (stage, span, b);
  /* The items of a that are in b or, for a difference, are not. */
  gboolean inside = op == RSP_CAT_INTER;
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  for (guint i = 0; i < n[0]; i++) {
    RspTruth in = stage_contains (stage, b, items[0][i], span);
    if (stage->status != STAGE_OK)
      return NULL;
    if (in == RSP_OPEN)
      return stage_await_execution (stage, span);
    if ((in == RSP_HOLDS) == inside)
      g_ptr_array_add (kept, (gpointer) items[0][i]);
  }
  return stage_set_of (stage, (StageItems) kept->pdata, kept->len);
}
