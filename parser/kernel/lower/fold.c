/* Constants: operators on numbers of C's integer types, and constant expressions. */
#include "parser/kernel/lower/fold.h"
#include "parser/kernel/lower/expr.h"
#include "parser/kernel/functions/identity.h"
#include "parser/kernel/lower/place.h"
#include "parser/kernel/lower/type.h"
#include "parser/kernel/lower/value.h"

#include "parser/arithmetic.h"

#include <string.h>

/* A number of a type. */
typedef struct Number {
  gint64 value;
  KernelType type; /* an integer's */
} Number;

gint64 rsp_kernel_wrap (gint64 value, const KernelType *type) {
  return type->bits == 1 ? value != 0 : rsp_wrap (value, type->bits, type->is_signed);
}

static Number number_of (gint64 value, const KernelType *type) {
  return (Number){ rsp_kernel_wrap (value, type), *type };
}

/* ---- Operators ---- */

static Number fold_unary (RspOperator op, Number a) {
  if (op == RSP_OP_LOGICAL_NOT)
    return number_of (!a.value, &kernel_int);
  a = number_of (a.value, kernel_promoted (&a.type));
  if (op != RSP_OP_PLUS)
    a.value = rsp_fold_unary (op, a.value, a.type.bits, a.type.is_signed);
  return a;
}

/* A shift has the type of its first operand; both operands of the others are converted to one type.
 */
static gboolean fold_binary (RspOperator op, Number a, Number b, Number *result) {
  if (op == RSP_OP_LOGICAL_AND || op == RSP_OP_LOGICAL_OR) {
    *result = number_of (op == RSP_OP_LOGICAL_AND ? a.value && b.value : a.value || b.value,
                         &kernel_int);
    return TRUE;
  }
  if (op == RSP_OP_COMMA || op == RSP_OP_APPLY)
    return FALSE;
  const KernelType type = rsp_operator_is_shift (op) ? *kernel_promoted (&a.type)
                                                     : *rsp_kernel_common (&a.type, &b.type);
  a = number_of (a.value, &type);
  if (rsp_operator_is_shift (op))
    b.value &= type.bits - 1; /* 6.3.j */
  else
    b = number_of (b.value, &type);
  *result = number_of (0, rsp_operator_is_comparison (op) ? &kernel_int : &type);
  return rsp_fold_binary (op, a.value, b.value, type.bits, type.is_signed, &result->value);
}

static gboolean is_number (const RspExpr *expr, Number *number) {
  const RspType *type = &expr->type;
  *number
      = (Number){ expr->u.constant,
                  { .kind = KERNEL_INTEGER, .bits = type->bits, .is_signed = type->is_signed } };
  return expr->kind == RSP_EXPR_CONSTANT && !type->pointers && !type->is_float && type->bits;
}

RspExpr *kernel_folded (KernelLowerer *l, RspSpan span, RspOperator op, const RspExpr *a,
                        const RspExpr *b) {
  Number left, right, result;
  if (!is_number (a, &left) || (b && !is_number (b, &right)))
    return NULL;
  if (!b)
    result = fold_unary (op, left);
  else if (!fold_binary (op, left, right, &result))
    return NULL;
  return rsp_kernel_constant (l, span, result.value, &result.type);
}

/* ---- Constant expressions ---- */

gint64 kernel_measured (KernelLowerer *l, const KernelExpr *expr) {
  const KernelType *type = expr->type ? expr->type : rsp_kernel_type_of (l, expr->a);
  if (strcmp (expr->name, "vec_step") != 0)
    return (gint64) rsp_kernel_size_of (l, type, expr->span);
  return type->kind == KERNEL_VECTOR ? rsp_kernel_cells (l, type, expr->span) : 1;
}

static gboolean evaluate (KernelLowerer *l, const KernelExpr *expr, Number *number);

static gboolean evaluate_conditional (KernelLowerer *l, const KernelExpr *expr, Number *number) {
  Number condition, other;
  const KernelExpr *yes = expr->b ? expr->b : expr->a;
  if (!evaluate (l, expr->a, &condition) || !evaluate (l, condition.value ? yes : expr->c, number))
    return FALSE;
  if (evaluate (l, condition.value ? expr->c : yes, &other))
    *number = number_of (number->value, rsp_kernel_common (&number->type, &other.type));
  return TRUE;
}

static gboolean evaluate_binary (KernelLowerer *l, const KernelExpr *expr, Number *number) {
  Number a, b;
  return evaluate (l, expr->a, &a) && evaluate (l, expr->b, &b)
         && fold_binary (expr->op, a, b, number);
}

/* A variable whose value the text alone determines. */
static gboolean evaluate_variable (KernelLowerer *l, const KernelBinding *binding, Number *number) {
  const KernelType *type = binding->place.type;
  const RspExpr *address = binding->place.address;
  if (binding->place.in_registers || type->kind != KERNEL_INTEGER)
    return FALSE;
  if (binding->by_value && address->kind == RSP_EXPR_CONSTANT) {
    *number = number_of (address->u.constant, type);
    return TRUE;
  }
  if (binding->by_value || address->kind != RSP_EXPR_LOCATION)
    return FALSE;
  const RspLocation *location = &g_array_index (l->locations, RspLocation, address->u.object);
  *number = number_of (location->initial, type);
  return location->fixed && !location->opaque;
}

static gboolean evaluate_name (KernelLowerer *l, const KernelExpr *expr, Number *number) {
  const KernelBinding *binding = rsp_kernel_find_name (l, expr->name);
  return binding && evaluate_variable (l, binding, number);
}

static gboolean evaluate (KernelLowerer *l, const KernelExpr *expr, Number *number) {
  gint64 value;
  switch (expr->kind) {
  case KERNEL_NUMBER:
    *number = (Number){
      expr->number.value,
      { .kind = KERNEL_INTEGER, .bits = expr->number.bits, .is_signed = expr->number.is_signed }
    };
    return TRUE;
  case KERNEL_NAME:
    return evaluate_name (l, expr, number);
  case KERNEL_UNARY:
    if (!evaluate (l, expr->a, number))
      return FALSE;
    *number = fold_unary (expr->op, *number);
    return TRUE;
  case KERNEL_BINARY:
    return evaluate_binary (l, expr, number);
  case KERNEL_CONDITIONAL:
    return evaluate_conditional (l, expr, number);
  case KERNEL_CAST:
    if (expr->type->kind != KERNEL_INTEGER || !evaluate (l, expr->a, number))
      return FALSE;
    *number = number_of (number->value, expr->type);
    return TRUE;
  case KERNEL_CALL:
    if (!rsp_kernel_grid_size (l, expr, &value))
      return FALSE;
    *number = number_of (value, &kernel_size);
    return TRUE;
  case KERNEL_SIZEOF:
    *number = number_of (kernel_measured (l, expr), &kernel_size);
    return TRUE;
  default:
    return FALSE;
  }
}

gboolean rsp_kernel_evaluate (KernelLowerer *l, const KernelExpr *expr, gint64 *value) {
  Number number;
  if (!evaluate (l, expr, &number))
    return FALSE;
  *value = number.value;
  return TRUE;
}

gboolean rsp_kernel_constant_value (KernelLowerer *l, const KernelExpr *expr, gint64 *value) {
  KernelCode code;
  KernelCode *outer = rsp_kernel_begin (l, &code);
  const KernelValue found = rsp_kernel_value (l, expr);
  rsp_kernel_end (l, &code, outer, expr->span);
  if (code.first || found.n != 1 || found.cells[0]->kind != RSP_EXPR_CONSTANT)
    return FALSE;
  *value = found.cells[0]->u.constant;
  return TRUE;
}

void rsp_kernel_static_assert (KernelLowerer *l, const KernelExpr *expr, RspSpan span) {
  gint64 value;
  if (!rsp_kernel_evaluate (l, expr, &value))
    rsp_kernel_refuse (l, expr->span, "write `assert (…)`", "a static assertion about a variable");
  else if (!value)
    kernel_error (l, span, NULL, "the static assertion does not hold");
}

void rsp_kernel_bind_enumerator (KernelLowerer *l, const KernelVariable *enumerator) {
  gint64 value = 0;
  if (!rsp_kernel_evaluate (l, enumerator->initial, &value))
    rsp_kernel_refuse (l, enumerator->span, "write it as a number",
                       "an enumerator whose value is not a constant");
  const KernelType *type = rsp_wrap (value, 32, TRUE) == value ? &kernel_int : &kernel_long;
  RspExpr *constant = rsp_kernel_constant (l, enumerator->span, value, type);
  rsp_kernel_bind (l, enumerator->name, (KernelPlace){ .type = type, .address = constant }, TRUE);
}
