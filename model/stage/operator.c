/* Operators on sets and relations, and on the literals 0 and unv, whose kind only the other operand
 * determines. */
#include "model/stage/operator.h"
#include "model/stage/set.h"
#include "model/stage/value.h"
#include "model/stage/trace.h"

static const StageValue *node_unary (Stage *stage, RspNodeOp op, RspNodeId a) {
  return stage_node (stage, rsp_dag_unary (stage->dag, op, a));
}

static const StageValue *node_binary (Stage *stage, RspNodeOp op, RspNodeId a, RspNodeId b) {
  return stage_node (stage, rsp_dag_binary (stage->dag, op, a, b));
}

static const StageValue *complement (Stage *stage, RspSpan span, const StageValue *a) {
  if (a->kind == STAGE_EMPTY)
    return &stage_universe;
  if (a->kind == STAGE_UNIVERSE)
    return &stage_empty;
  RspNodeId node;
  if (!stage_to_node (stage, a, span, &node))
    return NULL;
  gboolean is_set = rsp_dag_node (stage->dag, node)->is_set;
  return node_binary (stage, RSP_NODE_DIFF, stage->dag->universe[is_set], node);
}

/* a | id */
static const StageValue *or_identity (Stage *stage, RspNodeId a) {
  return node_binary (stage, RSP_NODE_UNION, a, stage->dag->identity);
}

static const StageValue *apply_unary (Stage *stage, RspSpan span, RspCatExprKind op,
                                      const StageValue *a) {
  RspNodeId node;
  if (op == RSP_CAT_COMPLEMENT)
    return complement (stage, span, a);
  gboolean on_sets = op == RSP_CAT_IDENTITY || op == RSP_CAT_SQUARE;
  if (!(on_sets ? stage_to_set : stage_to_relation) (stage, a, span, &node))
    return NULL;
  switch (op) {
  case RSP_CAT_IDENTITY:
    return node_unary (stage, RSP_NODE_IDENTITY, node);
  case RSP_CAT_SQUARE:
    return node_binary (stage, RSP_NODE_PRODUCT, node, node);
  case RSP_CAT_INVERSE:
    return node_unary (stage, RSP_NODE_INVERSE, node);
  case RSP_CAT_PLUS:
    return node_unary (stage, RSP_NODE_PLUS, node);
  case RSP_CAT_STAR:
    return or_identity (stage, rsp_dag_unary (stage->dag, RSP_NODE_PLUS, node));
  default: /* RSP_CAT_OPTION */
    return or_identity (stage, node);
  }
}

const StageValue *stage_unary (Stage *stage, RspSpan span, RspCatExprKind op, const StageValue *a) {
  static const RspTraceOp ops[]
      = { [RSP_CAT_COMPLEMENT] = RSP_TRACE_COMPLEMENT, [RSP_CAT_IDENTITY] = RSP_TRACE_IDENTITY,
          [RSP_CAT_SQUARE] = RSP_TRACE_PRODUCT,        [RSP_CAT_INVERSE] = RSP_TRACE_INVERSE,
          [RSP_CAT_PLUS] = RSP_TRACE_CLOSURE,          [RSP_CAT_STAR] = RSP_TRACE_STAR,
          [RSP_CAT_OPTION] = RSP_TRACE_OPTION };
  const StageValue *result = apply_unary (stage, span, op, a);
  return stage_traced (stage, result, ops[op], a, op == RSP_CAT_SQUARE ? a : NULL);
}

/* | & \ on two literals: 0 is no, unv is yes. */
static const StageValue *combine_literals (RspCatExprKind op, const StageValue *a,
                                           const StageValue *b) {
  gboolean x = a->kind == STAGE_UNIVERSE, y = b->kind == STAGE_UNIVERSE;
  gboolean all = op == RSP_CAT_UNION ? x || y : op == RSP_CAT_INTER ? x && y : x && !y;
  return all ? &stage_universe : &stage_empty;
}

/* | & \ */
static const StageValue *combine (Stage *stage, RspSpan span, RspCatExprKind op,
                                  const StageValue *a, const StageValue *b) {
  if (stage_is_literal (a) && stage_is_literal (b))
    return combine_literals (op, a, b);
  if (stage_is_collection (a) || stage_is_collection (b))
    return stage_combine_values (stage, span, op, a, b);
  RspNodeOp node_op = op == RSP_CAT_UNION   ? RSP_NODE_UNION
                      : op == RSP_CAT_INTER ? RSP_NODE_INTER
                                            : RSP_NODE_DIFF;
  RspNodeId x, y;
  gboolean of_sets = stage_is_set (stage, stage_is_literal (a) ? b : a);
  if (!(of_sets ? stage_to_set : stage_to_relation) (stage, a, span, &x)
      || !(of_sets ? stage_to_set : stage_to_relation) (stage, b, span, &y))
    return NULL;
  return node_binary (stage, node_op, x, y);
}

static const StageValue *apply_binary (Stage *stage, RspSpan span, RspCatExprKind op,
                                       const StageValue *a, const StageValue *b) {
  RspNodeId x, y;
  switch (op) {
  case RSP_CAT_ADD:
    return stage_add (stage, span, a, b);
  case RSP_CAT_SEQ:
    if (!stage_to_relation (stage, a, span, &x) || !stage_to_relation (stage, b, span, &y))
      return NULL;
    return node_binary (stage, RSP_NODE_SEQ, x, y);
  case RSP_CAT_PRODUCT:
    if (!stage_to_set (stage, a, span, &x) || !stage_to_set (stage, b, span, &y))
      return NULL;
    return node_binary (stage, RSP_NODE_PRODUCT, x, y);
  default:
    return combine (stage, span, op, a, b);
  }
}

const StageValue *stage_binary (Stage *stage, RspSpan span, RspCatExprKind op, const StageValue *a,
                                const StageValue *b) {
  static const RspTraceOp ops[] = { [RSP_CAT_UNION] = RSP_TRACE_UNION,
                                    [RSP_CAT_INTER] = RSP_TRACE_INTERSECTION,
                                    [RSP_CAT_DIFF] = RSP_TRACE_DIFFERENCE,
                                    [RSP_CAT_SEQ] = RSP_TRACE_SEQUENCE,
                                    [RSP_CAT_PRODUCT] = RSP_TRACE_PRODUCT };
  const StageValue *result = apply_binary (stage, span, op, a, b);
  return op == RSP_CAT_ADD ? result : stage_traced (stage, result, ops[op], a, b);
}
