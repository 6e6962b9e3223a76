/* Assignments, `op=`, `++` and `--`. */
#include "parser/kernel/lower/expr.h"
#include "parser/kernel/lower/place.h"
#include "parser/kernel/lower/type.h"
#include "parser/kernel/lower/value.h"

/* The value on the right, and the place on the left; FALSE after an error. */
static gboolean find_operands (KernelLowerer *l, const KernelExpr *expr, KernelPlace *place,
                               KernelValue *value) {
  *value = rsp_kernel_value (l, expr->b);
  if (kernel_must_be_sequenced (expr->a, expr->b))
    *value = rsp_kernel_held (l, *value, expr->b->span);
  return rsp_kernel_place (l, expr->a, place);
}

static KernelValue assign (KernelLowerer *l, const KernelExpr *expr) {
  KernelPlace place;
  KernelValue value;
  if (!find_operands (l, expr, &place, &value))
    return rsp_kernel_dummy (l, expr->span, value.type);
  value = rsp_kernel_to_type (l, value, place.type, expr->b->span);
  if (value.n == 1)
    return rsp_kernel_scalar (
        l,
        kernel_assignment (l, expr->span, place.type, rsp_kernel_leaf (l, place.type, 0),
                           kernel_cell (l, place, 0, expr->a->span), value.cells[0]),
        place.type);
  value = rsp_kernel_held (l, value, expr->span);
  rsp_kernel_store (l, place, value, expr->span);
  return value;
}

/* `a op= b` of integers: the program has it. */
static KernelValue modify_integer (KernelLowerer *l, const KernelExpr *expr, KernelPlace place,
                                   KernelValue b) {
  RspExpr *operand = b.cells[0];
  if (expr->op == RSP_OP_SHL || expr->op == RSP_OP_SHR)
    operand = rsp_kernel_node (
        l, expr->span, RSP_EXPR_BINARY, RSP_OP_AND, kernel_promoted (b.type), operand,
        rsp_kernel_constant (l, expr->span, kernel_promoted (place.type)->bits - 1, &kernel_int));
  return rsp_kernel_scalar (l,
                            rsp_kernel_node (l, expr->span, RSP_EXPR_ASSIGN, expr->op, place.type,
                                             kernel_cell (l, place, 0, expr->a->span), operand),
                            place.type);
}

static KernelValue modify (KernelLowerer *l, const KernelExpr *expr) {
  KernelPlace place;
  KernelValue b;
  if (!find_operands (l, expr, &place, &b))
    return rsp_kernel_dummy (l, expr->span, b.type);
  gboolean lenient = l->options->lenient && (expr->op == RSP_OP_DIV || expr->op == RSP_OP_MOD);
  if (kernel_is_plain (l, place) && b.type->kind == KERNEL_INTEGER && !lenient)
    return modify_integer (l, expr, place, b);
  place = rsp_kernel_reuse (l, place);
  KernelValue value
      = rsp_kernel_binary (l, expr->span, expr->op, rsp_kernel_load (l, place, expr->a->span), b);
  value = rsp_kernel_held (l, rsp_kernel_to_type (l, value, place.type, expr->span), expr->span);
  rsp_kernel_store (l, place, value, expr->span);
  return value;
}

KernelValue kernel_step_value (KernelLowerer *l, const KernelExpr *expr) {
  KernelPlace place;
  if (!rsp_kernel_place (l, expr->a, &place))
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  if (kernel_is_plain (l, place)) {
    RspExpr *node = rsp_kernel_node (l, expr->span, RSP_EXPR_STEP, expr->op, place.type,
                                     kernel_cell (l, place, 0, expr->a->span), NULL);
    node->u.node.post = expr->post;
    return rsp_kernel_scalar (l, node, place.type);
  }
  place = rsp_kernel_reuse (l, place);
  KernelValue old = rsp_kernel_held (l, rsp_kernel_load (l, place, expr->a->span), expr->span);
  KernelValue one
      = rsp_kernel_scalar (l, rsp_kernel_constant (l, expr->span, 1, &kernel_int), &kernel_int);
  KernelValue value = rsp_kernel_to_type (l, rsp_kernel_binary (l, expr->span, expr->op, old, one),
                                          place.type, expr->span);
  value = rsp_kernel_held (l, value, expr->span);
  rsp_kernel_store (l, place, value, expr->span);
  return expr->post ? old : value;
}

KernelValue kernel_assign (KernelLowerer *l, const KernelExpr *expr) {
  return expr->op == RSP_OP_NONE ? assign (l, expr) : modify (l, expr);
}
