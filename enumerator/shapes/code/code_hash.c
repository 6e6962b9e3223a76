/* Value numbering (Cocke, Schwartz 1970) of a staged model under a labelling: the number of a node
 * is that of its value if the value is known, and otherwise that of its operator on the numbers of
 * its operands, up to the laws of 0 and unv. Numbers are hashes of 128 bits, so that two staged
 * models can be compared. */
#include "enumerator/shapes/code/code_hash.h"
#include "enumerator/shapes/code/code_private.h"

/* A node's number, and its value if that does not depend on rf and co. */
typedef struct Number {
  RspHash hash;
  gboolean known;
  Grid value;
} Number;

/* What is numbered: the first word of its hash. */
enum { OPERATOR, KNOWN, LEAF, RECURSION, AXIOM };

#define HASH(...)                                                                                  \
  rsp_hash_words ((const guint64[]){ __VA_ARGS__ },                                                \
                  sizeof (guint64[]){ __VA_ARGS__ } / sizeof (guint64))

static RspHash hash_operator (guint op, RspHash a, RspHash b) {
  return HASH (OPERATOR, op, a.a, a.b, b.a, b.b);
}

static Number known (gboolean is_set, Grid value) {
  return (Number){ HASH (KNOWN, (guint64) is_set, value), TRUE, value };
}

static Number leaf (const Code *code, guint id) {
  const RspNode *node = rsp_dag_node (code->model->dag, id);
  Bounds value = code->values[id];
  if (!code->dynamic[id] && node->op != RSP_NODE_VARIABLE && value.lo == value.hi)
    return known (node->is_set, value.lo);
  RspHash hash = HASH (LEAF, node->op, node->index, node->group);
  if (node->op == RSP_NODE_VARIABLE)
    rsp_hash_word (&hash, node->b);
  if (node->op == RSP_NODE_ORDER)
    rsp_hash_word (&hash, code->model->orders[node->index].set->bits[0]);
  if (node->op == RSP_NODE_OPEN) {
    rsp_hash_word (&hash, value.lo);
    rsp_hash_word (&hash, value.hi);
  }
  return (Number){ .hash = hash };
}

static Number number_union (Number a, Number b) {
  if (a.known && a.value == 0)
    return b;
  if (b.known && b.value == 0)
    return a;
  gboolean swapped = b.hash.a < a.hash.a;
  return (Number){ .hash = hash_operator (RSP_NODE_UNION, swapped ? b.hash : a.hash,
                                          swapped ? a.hash : b.hash) };
}

static Number number_intersection (Number a, Number b, gboolean is_set, Grid universe) {
  if ((a.known && a.value == 0) || (b.known && b.value == 0))
    return known (is_set, 0);
  if (a.known && a.value == universe)
    return b;
  if (b.known && b.value == universe)
    return a;
  gboolean swapped = b.hash.a < a.hash.a;
  return (Number){ .hash = hash_operator (RSP_NODE_INTER, swapped ? b.hash : a.hash,
                                          swapped ? a.hash : b.hash) };
}

static Number number_difference (Number a, Number b, gboolean is_set, Grid universe) {
  if ((a.known && a.value == 0) || (b.known && b.value == universe))
    return known (is_set, 0);
  if (b.known && b.value == 0)
    return a;
  return (Number){ .hash = hash_operator (RSP_NODE_DIFF, a.hash, b.hash) };
}

static Number number_node (const Code *code, const Number *numbers, const Instruction *i) {
  Grid universe = i->is_set ? (1u << code->n) - 1 : code->universe;
  Bounds own = code->values[i->node];
  Number a = numbers[i->a], b = numbers[i->b];
  if (!code->dynamic[i->node] && !rsp_dag_node (code->model->dag, i->node)->group
      && own.lo == own.hi)
    return known (i->is_set, own.lo);
  switch (i->op) {
  case RSP_NODE_UNION:
    return number_union (a, b);
  case RSP_NODE_INTER:
    return number_intersection (a, b, i->is_set, universe);
  case RSP_NODE_DIFF:
    return number_difference (a, b, i->is_set, universe);
  case RSP_NODE_SEQ:
  case RSP_NODE_PRODUCT:
    if ((a.known && a.value == 0) || (b.known && b.value == 0))
      return known (FALSE, 0);
    return (Number){ .hash = hash_operator (i->op, a.hash, b.hash) };
  default: /* INVERSE, PLUS, IDENTITY, DOMAIN */
    if (a.known && a.value == 0)
      return known (i->is_set, 0);
    return (Number){ .hash = hash_operator (i->op, a.hash, (RspHash){ 0, 0 }) };
  }
}

static void number_list (const Code *code, Number *numbers, const GArray *list);

/* A recursive definition: the numbers of its bodies, with a number for each variable. */
static Number number_fix (const Code *code, Number *numbers, const Instruction *i) {
  const RspFix *fix = &g_array_index (code->model->dag->groups, RspFix, i->group);
  RspHash hash = HASH (RECURSION, i->b);
  number_list (code, numbers, code->rounds[i->group]);
  for (guint k = 0; k < fix->n; k++)
    hash = hash_operator (RSP_NODE_FIX, hash, numbers[fix->bodies[k]].hash);
  return (Number){ .hash = hash };
}

static void number_list (const Code *code, Number *numbers, const GArray *list) {
  const Instruction *all = (const Instruction *) (gconstpointer) list->data;
  for (guint i = 0; i < list->len; i++)
    numbers[all[i].node] = all[i].op == RSP_NODE_FIX ? number_fix (code, numbers, &all[i])
                                                     : number_node (code, numbers, &all[i]);
}

RspHash code_hash_axioms (const Code *code) {
  const RspStagedModel *model = code->model;
  guint n = model->dag->nodes->len;
  RspHash sum = { 0, 0 };
  g_autofree Number *numbers = g_new (Number, n);
  for (guint id = 0; id < n; id++)
    numbers[id] = leaf (code, id);
  number_list (code, numbers, code->fixed);
  for (guint i = 0; i < model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &model->axioms[i];
    number_list (code, numbers, code->per_axiom[i]);
    Number value = numbers[axiom->node];
    if ((value.known && value.value == 0 && !axiom->negated)
        || (axiom->role != RSPCHECK_ROLE_AXIOM && axiom->role != RSPCHECK_ROLE_UNDEFINED_UNLESS))
      continue;
    rsp_hash_add (&sum, HASH (AXIOM, axiom->role, axiom->kind, (guint64) axiom->negated,
                              value.hash.a, value.hash.b));
  }
  return sum;
}
