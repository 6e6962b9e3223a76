/* The predefined functions, including those of herd7's stdlib.cat and cross.cat, after the
 * descriptions in Alglave, Cousot, Maranget (2016) and docs/cat.md. */
#include "model/stage/predefined/functions.h"
#include "model/stage/expr.h"
#include "model/stage/operator.h"
#include "model/stage/predefined/names.h"
#include "model/stage/set.h"
#include "model/stage/trace.h"
#include "model/stage/value.h"

#include <string.h>

#define MAX_ARGUMENTS 3

struct StageFunction {
  const char *name;
  const char *signature; /* see base_names.def */
  const StageValue *(*call) (Stage *stage, RspSpan span, StageItems arguments);
};

static RspNodeId unary (Stage *stage, RspNodeOp op, RspNodeId a) {
  return rsp_dag_unary (stage->dag, op, a);
}

/* ---- Functions of sets and relations ---- */

static const StageValue *call_domain (Stage *stage, RspSpan span, StageItems arguments) {
  RspNodeId r;
  if (!stage_to_relation (stage, arguments[0], span, &r))
    return NULL;
  const StageValue *domain = stage_node (stage, unary (stage, RSP_NODE_DOMAIN, r));
  return stage_traced (stage, domain, RSP_TRACE_DOMAIN, arguments[0], NULL);
}

static const StageValue *call_range (Stage *stage, RspSpan span, StageItems arguments) {
  RspNodeId r;
  if (!stage_to_relation (stage, arguments[0], span, &r))
    return NULL;
  const StageValue *range
      = stage_node (stage, unary (stage, RSP_NODE_DOMAIN, unary (stage, RSP_NODE_INVERSE, r)));
  return stage_traced (stage, range, RSP_TRACE_RANGE, arguments[0], NULL);
}

static const StageValue *call_noid (Stage *stage, RspSpan span, StageItems arguments) {
  const StageValue *id = rsp_stage_predefined (stage, "id");
  return stage_binary (stage, span, RSP_CAT_DIFF, arguments[0],
                       stage_traced_base (stage, id, "id"));
}

static const StageValue *call_toid (Stage *stage, RspSpan span, StageItems arguments) {
  return stage_unary (stage, span, RSP_CAT_IDENTITY, arguments[0]);
}

static RspNodeId base_relation (Stage *stage, const char *name) {
  return rsp_stage_predefined (stage, name)->u.node;
}

static const StageValue *base_value (Stage *stage, const char *name) {
  return stage_traced_base (stage, rsp_stage_predefined (stage, name), name);
}

/* first ; [s] ; po */
static const StageValue *through_fence (Stage *stage, RspSpan span, const StageValue *first,
                                        const StageValue *fences) {
  const StageValue *at = stage_unary (stage, span, RSP_CAT_IDENTITY, fences);
  const StageValue *before = at ? stage_binary (stage, span, RSP_CAT_SEQ, first, at) : NULL;
  return before ? stage_binary (stage, span, RSP_CAT_SEQ, before, base_value (stage, "po")) : NULL;
}

static const StageValue *call_fencerel (Stage *stage, RspSpan span, StageItems arguments) {
  return through_fence (stage, span, base_value (stage, "po"), arguments[0]);
}

static const StageValue *call_ctrlcfence (Stage *stage, RspSpan span, StageItems arguments) {
  return through_fence (stage, span, base_value (stage, "ctrl"), arguments[0]);
}

static const StageValue *call_ctrlcfence_of (Stage *stage, RspSpan span, StageItems arguments) {
  return through_fence (stage, span, arguments[0], arguments[1]);
}

static const StageValue *call_imply (Stage *stage, RspSpan span, StageItems arguments) {
  const StageValue *not = stage_unary (stage, span, RSP_CAT_COMPLEMENT, arguments[0]);
  return not ? stage_binary (stage, span, RSP_CAT_UNION, not, arguments[1]) : NULL;
}

static const StageValue *without_detour (Stage *stage, RspSpan span, const StageValue *r,
                                         const StageValue *there, const StageValue *on) {
  const StageValue *detour = stage_binary (stage, span, RSP_CAT_SEQ, there, on);
  return detour ? stage_binary (stage, span, RSP_CAT_DIFF, r, detour) : NULL;
}

static const StageValue *call_nodetour (Stage *stage, RspSpan span, StageItems arguments) {
  return without_detour (stage, span, arguments[0], arguments[1], arguments[2]);
}

static const StageValue *call_singlestep (Stage *stage, RspSpan span, StageItems arguments) {
  return without_detour (stage, span, arguments[0], arguments[0], arguments[0]);
}

/* ---- Classes ---- */

static gboolean is_equivalence (const RspMatrix *r) {
  for (guint a = 0; a < r->n; a++)
    for (all_bits (b, rsp_matrix_row (r, a), r->words))
      for (guint word = 0; word < r->words; word++)
        if (rsp_matrix_row (r, a)[word] != rsp_matrix_row (r, b)[word])
          return FALSE; /* related events must have the same successors, including themselves */
  for (guint a = 0; a < r->n; a++)
    for (all_bits (b, rsp_matrix_row (r, a), r->words))
      if (!rsp_matrix_get (r, b, a))
        return FALSE;
  return TRUE;
}

/* The classes of an equivalence on its field, restricted to the events of `set`. */
static const StageValue *classes_within (Stage *stage, const RspMatrix *equivalence,
                                         const RspMatrix *set) {
  g_autoptr (GPtrArray) classes = g_ptr_array_new ();
  RspMatrix *rest = rsp_matrix_copy (stage->arena, set);
  for (all_bits (e, set->bits, set->words)) {
    if (!rsp_set_has (rest, e) || !rsp_matrix_get (equivalence, e, e))
      continue;
    RspMatrix *class = rsp_set_new (stage->arena, stage->dag->n);
    for (guint word = 0; word < set->words; word++)
      class->bits[word] = rsp_matrix_row (equivalence, e)[word] & set->bits[word];
    rsp_matrix_difference (rest, rest, class);
    RspNodeId node = rsp_dag_constant (stage->dag, TRUE, class);
    g_ptr_array_add (classes, (gpointer) stage_node (stage, node));
  }
  return stage_set_of (stage, (StageItems) classes->pdata, classes->len);
}

static const StageValue *call_classes (Stage *stage, RspSpan span, StageItems arguments) {
  RspNodeId node;
  if (!stage_to_relation (stage, arguments[0], span, &node))
    return NULL;
  const RspMatrix *relation = stage_constant (stage, node, span);
  if (!relation)
    return NULL;
  if (!is_equivalence (relation))
    return stage_fail (
        stage, span,
        "`classes` needs an equivalence (symmetric and transitive), but this is not one");
  const RspNode *all = rsp_dag_node (stage->dag, stage->dag->universe[TRUE]);
  return classes_within (stage, relation, all->constant);
}

/* Events without a location are in no class. */
static const StageValue *call_partition (Stage *stage, RspSpan span, StageItems arguments) {
  RspNodeId set, loc = base_relation (stage, "loc");
  if (!stage_to_set (stage, arguments[0], span, &set))
    return NULL;
  const RspMatrix *events = stage_constant (stage, set, span);
  return events ? classes_within (stage, rsp_dag_node (stage->dag, loc)->constant, events) : NULL;
}

/* ---- Functions of sets of values ---- */

static const StageValue *call_fold (Stage *stage, RspSpan span, StageItems arguments) {
  StageItems items;
  guint n;
  const StageValue *result = arguments[2];
  if (!stage_elements (stage, arguments[1], span, &items, &n))
    return NULL;
  for (guint i = 0; i < n && result; i++) {
    const StageValue *both[] = { items[i], result };
    result = stage_apply (stage, span, arguments[0], stage_list (stage, STAGE_TUPLE, both, 2));
  }
  return result;
}

static const StageValue *call_map (Stage *stage, RspSpan span, StageItems arguments) {
  StageItems items;
  guint n;
  if (!stage_elements (stage, arguments[1], span, &items, &n))
    return NULL;
  const StageValue **images = rsp_arena_new0 (stage->arena, const StageValue *, n);
  for (guint i = 0; i < n; i++)
    if (!(images[i] = stage_apply (stage, span, arguments[0], items[i])))
      return NULL;
  return stage_set_of (stage, images, n);
}

RspNodeId rsp_stage_order_within (Stage *stage, RspNodeId relation, RspNodeId set) {
  RspNodeId pairs = stage_binary_node (stage, RSP_NODE_PRODUCT, set, set);
  RspNodeId beyond = stage_binary_node (stage, RSP_NODE_DIFF, relation, pairs);
  if (beyond != stage->dag->empty[FALSE])
    relation = unary (stage, RSP_NODE_PLUS, relation);
  return stage_binary_node (stage, RSP_NODE_INTER, relation, pairs);
}

static const StageValue *call_linearisations (Stage *stage, RspSpan span, StageItems arguments) {
  RspNodeId set, relation;
  if (!stage_to_set (stage, arguments[0], span, &set)
      || !stage_to_relation (stage, arguments[1], span, &relation))
    return NULL;
  StageValue *value = rsp_arena_new0 (stage->arena, StageValue, 1);
  value->kind = STAGE_ORDERS;
  value->u.orders.set = set;
  value->u.orders.relation = rsp_stage_order_within (stage, relation, set);
  return value;
}

static const StageValue *call_cross (Stage *stage, RspSpan span, StageItems arguments) {
  StageItems items;
  guint n;
  if (!stage_elements (stage, arguments[0], span, &items, &n))
    return NULL;
  return stage_list (stage, STAGE_CROSS, items, n);
}

static const StageValue *call_co_locs (Stage *stage, RspSpan span, StageItems arguments) {
  StageItems items;
  guint n;
  if (!stage_elements (stage, arguments[1], span, &items, &n))
    return NULL;
  const StageValue **orders = rsp_arena_new0 (stage->arena, const StageValue *, n);
  for (guint i = 0; i < n; i++) {
    const StageValue *both[] = { items[i], arguments[0] };
    if (!(orders[i] = call_linearisations (stage, span, both)))
      return NULL;
  }
  return stage_set_of (stage, orders, n);
}

static const StageValue *call_generate_orders (Stage *stage, RspSpan span, StageItems arguments) {
  const StageValue *both[] = { arguments[1], call_partition (stage, span, arguments) };
  const StageValue *orders = both[1] ? call_co_locs (stage, span, both) : NULL;
  return orders ? call_cross (stage, span, &orders) : NULL;
}

static const StageValue *call_generate_cos (Stage *stage, RspSpan span, StageItems arguments) {
  const StageValue *both[] = { rsp_stage_predefined (stage, "W"), arguments[0] };
  return call_generate_orders (stage, span, both);
}

/* ---- Tags ---- */

/* The meaning of the tags of bell files. */
static const struct {
  const char *tag, *events, *scope;
} tags[] = {
#define TAG(tag, events, scope) { tag, events, scope },
#include "model/tags.def"
};

/* Any other tag denotes the base set of its name, with a capital letter as in herd7 or as it is, or
 * the empty set. */
static const StageValue *call_tag2events (Stage *stage, RspSpan span, StageItems arguments) {
  if (arguments[0]->kind != STAGE_TAG)
    return stage_fail (stage, span, "`tag2events` needs a tag");
  const char *tag = arguments[0]->u.tag;
  for (guint i = 0; i < G_N_ELEMENTS (tags); i++)
    if (tags[i].events && strcmp (tags[i].tag, tag) == 0)
      return rsp_stage_predefined (stage, tags[i].events);
  g_autofree char *capital = g_strdup (tag);
  capital[0] = g_ascii_toupper (tag[0]);
  const StageValue *named = rsp_stage_predefined (stage, capital);
  if (!named || !stage_is_set (stage, named))
    named = rsp_stage_predefined (stage, tag);
  return named && stage_is_set (stage, named) ? named : stage_node (stage, stage->dag->empty[TRUE]);
}

static const StageValue *call_tag2scope (Stage *stage, RspSpan span, StageItems arguments) {
  if (arguments[0]->kind != STAGE_TAG)
    return stage_fail (stage, span, "`tag2scope` needs a tag");
  const char *tag = arguments[0]->u.tag;
  for (guint i = 0; i < G_N_ELEMENTS (tags); i++)
    if (tags[i].scope && strcmp (tags[i].tag, tag) == 0)
      return rsp_stage_predefined (stage, tags[i].scope);
  return stage_fail (stage, span, "the scope tree has no level '%s", tag);
}

/* ---- Calling ---- */

static const StageValue *call_classes_loc (Stage *stage, RspSpan span, StageItems arguments) {
  return call_partition (stage, span, arguments);
}

static const StageFunction functions[] = {
#define RSP_BASE_FUNCTION(id, name, signature, meaning) { name, signature, call_##id },
#include "model/base_names.def"
};

static guint count_parameters (const StageFunction *function) {
  return (guint) strcspn (function->signature, ">");
}

const StageFunction *stage_function (const char *name) {
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (strcmp (functions[i].name, name) == 0)
      return &functions[i];
  return NULL;
}

/* The function of this name that takes as many arguments as are given at once; or else itself. */
static const StageFunction *overloaded (const StageFunction *function, const StageValue *argument) {
  guint n = argument->kind == STAGE_TUPLE ? argument->u.list.n : 1;
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (strcmp (functions[i].name, function->name) == 0 && count_parameters (&functions[i]) == n)
      return &functions[i];
  return function;
}

/* The function with one more argument or, given a tuple that still fits, several. */
static const StageValue *with_arguments (Stage *stage, const StageValue *function,
                                         const StageValue *argument) {
  const StageValue *all[MAX_ARGUMENTS];
  guint n = function->u.builtin.n, arity = count_parameters (function->u.builtin.function);
  for (guint i = 0; i < n; i++)
    all[i] = function->u.builtin.arguments[i];
  if (argument->kind == STAGE_TUPLE && arity > 1 && n + argument->u.list.n <= arity)
    for (guint i = 0; i < argument->u.list.n; i++)
      all[n++] = argument->u.list.items[i];
  else
    all[n++] = argument;
  StageValue *value = rsp_arena_copy (stage->arena, function, sizeof *function);
  value->u.builtin.arguments = rsp_arena_copy (stage->arena, all, n * sizeof all[0]);
  value->u.builtin.n = n;
  return value;
}

const StageValue *stage_call_builtin (Stage *stage, RspSpan span, const StageValue *function,
                                      const StageValue *argument) {
  if (function->u.builtin.n == 0) {
    StageValue *chosen = rsp_arena_copy (stage->arena, function, sizeof *function);
    chosen->u.builtin.function = overloaded (function->u.builtin.function, argument);
    function = chosen;
  }
  const StageFunction *called = function->u.builtin.function;
  function = with_arguments (stage, function, argument);
  if (function->u.builtin.n < count_parameters (called))
    return function;
  return called->call (stage, span, function->u.builtin.arguments);
}
