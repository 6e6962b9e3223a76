/* Values of cat: making, describing, converting and comparing them. */
#include "model/stage/value.h"
#include "model/dag/private.h"

#include <string.h>

const StageValue stage_empty = { .kind = STAGE_EMPTY };
const StageValue stage_universe = { .kind = STAGE_UNIVERSE };
const StageValue stage_unknown = { .kind = STAGE_UNKNOWN };

/* ---- Making ---- */

static StageValue *new_value (Stage *stage, StageKind kind) {
  StageValue *value = rsp_arena_new0 (stage->arena, StageValue, 1);
  value->kind = kind;
  return value;
}

const StageValue *stage_node (Stage *stage, RspNodeId node) {
  StageValue *value = new_value (stage, STAGE_NODE);
  value->u.node = node;
  return value;
}

const StageValue *stage_event (Stage *stage, guint event) {
  StageValue *value = new_value (stage, STAGE_EVENT);
  value->u.events[0] = event;
  return value;
}

const StageValue *stage_pair (Stage *stage, guint a, guint b) {
  StageValue *value = new_value (stage, STAGE_PAIR);
  value->u.events[0] = a;
  value->u.events[1] = b;
  return value;
}

const StageValue *stage_tag (Stage *stage, const char *tag) {
  StageValue *value = new_value (stage, STAGE_TAG);
  value->u.tag = tag;
  return value;
}

const StageValue *stage_list (Stage *stage, StageKind kind, StageItems items, guint n) {
  StageValue *value = new_value (stage, kind);
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

/* Converts a tuple of two events to a pair. */
static gboolean is_event_tuple (const StageValue *value) {
  return value->kind == STAGE_TUPLE && value->u.list.n == 2
         && value->u.list.items[0]->kind == STAGE_EVENT
         && value->u.list.items[1]->kind == STAGE_EVENT;
}

gboolean stage_is_set (const Stage *stage, const StageValue *value) {
  return value->kind == STAGE_EVENT
         || (value->kind == STAGE_NODE && rsp_dag_node (stage->dag, value->u.node)->is_set);
}

gboolean stage_is_relation (const Stage *stage, const StageValue *value) {
  return value->kind == STAGE_PAIR || is_event_tuple (value)
         || (value->kind == STAGE_NODE && !rsp_dag_node (stage->dag, value->u.node)->is_set);
}

gboolean stage_is_function (const StageValue *value) {
  return value->kind == STAGE_CLOSURE || value->kind == STAGE_BUILTIN;
}

gboolean stage_is_constant (const Stage *stage, RspNodeId node) {
  return rsp_dag_node (stage->dag, node)->op == RSP_NODE_CONSTANT;
}

/* ---- Converting ---- */

static RspNodeId one_event (Stage *stage, guint event) {
  RspMatrix *set = rsp_dag_scratch (stage->dag, TRUE);
  rsp_matrix_clear (set);
  rsp_set_add (set, event);
  return rsp_dag_scratch_constant (stage->dag, TRUE);
}

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
  *node = value->kind == STAGE_EVENT ? one_event (stage, value->u.events[0]) : value->u.node;
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

gboolean stage_to_node (Stage *stage, const StageValue *value, RspSpan span, RspNodeId *node) {
  if (stage_is_set (stage, value))
    return stage_to_set (stage, value, span, node);
  return stage_to_relation (stage, value, span, node);
}

/* May the value of a node be assumed? After a choice it could be another in each replay. */
static gboolean may_assume (const Stage *stage) {
  return stage->base->assumes && stage->status == STAGE_OK && stage->next_choice == 0
         && !stage->missed;
}

static const RspMatrix *assumed_value (Stage *stage, RspNodeId node) {
  if (stage->next_assumed < stage->base->n_assumed)
    return stage->base->assumed[stage->next_assumed++];
  stage->needed = node;
  stage->status = STAGE_NEEDS_VALUE;
  return NULL;
}

const RspMatrix *stage_constant (Stage *stage, RspNodeId node, RspSpan span) {
  if (!stage->base->generic && stage_is_constant (stage, node))
    return rsp_dag_node (stage->dag, node)->constant;
  if (may_assume (stage))
    return assumed_value (stage, node);
  stage_postpone (stage, span);
  return NULL;
}

/* ---- Comparing ---- */

/* At the first difference of two constants, the one that has the pair comes first. */
static int compare_matrices (const RspMatrix *a, const RspMatrix *b) {
  gsize words = (gsize) a->rows * a->words;
  for (gsize i = 0; i < words; i++) {
    guint64 differ = a->bits[i] ^ b->bits[i];
    if (differ)
      return a->bits[i] & differ & -differ ? -1 : 1;
  }
  return 0;
}

static int compare_numbers (guintptr a, guintptr b) { return a < b ? -1 : a > b; }

static int compare_nodes (const Stage *stage, RspNodeId x, RspNodeId y) {
  const RspNode *a = rsp_dag_node (stage->dag, x), *b = rsp_dag_node (stage->dag, y);
  gboolean constants = a->op == RSP_NODE_CONSTANT && b->op == RSP_NODE_CONSTANT;
  if (x == y || !constants || a->is_set != b->is_set)
    return compare_numbers (x, y);
  return compare_matrices (a->constant, b->constant);
}

static int compare_lists (const Stage *stage, const StageValue *a, const StageValue *b) {
  guint n = MIN (a->u.list.n, b->u.list.n);
  for (guint i = 0; i < n; i++) {
    int order = stage_compare (stage, a->u.list.items[i], b->u.list.items[i]);
    if (order)
      return order;
  }
  return compare_numbers (a->u.list.n, b->u.list.n);
}

int stage_compare (const Stage *stage, const StageValue *a, const StageValue *b) {
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
  case STAGE_CROSS:
    return compare_lists (stage, a, b);
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

/* Sets: sorted sets of known values are equal if they are equal item by item. */
static RspTruth equal_sets (const Stage *stage, const StageValue *a, const StageValue *b) {
  if (stage_compare (stage, a, b) == 0)
    return RSP_HOLDS;
  return stage_is_known (stage, a) && stage_is_known (stage, b) ? equal_tuples (stage, a, b)
                                                                : RSP_OPEN;
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
    case STAGE_VALUES:
      return equal_sets (stage, a, b);
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
