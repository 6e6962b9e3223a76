/* Operators on scalars and vectors (OpenCL C 2.0, 6.3). */
#include "parser/kernel/lower/expr.h"
#include "parser/kernel/lower/type.h"
#include "parser/kernel/lower/value.h"

static gboolean compares (RspOperator op) { return op >= RSP_OP_EQ && op <= RSP_OP_GE; }

/* ---- Sequence ---- */

typedef gboolean (*IsKind) (const KernelExpr *expr);

/* Is the expression, or one of its operands, of the kind? */
static gboolean has_kind (const KernelExpr *expr, IsKind is_kind) {
  if (!expr)
    return FALSE;
  for (guint i = 0; i < expr->args.n; i++)
    if (has_kind (expr->args.items[i], is_kind))
      return TRUE;
  return is_kind (expr) || has_kind (expr->a, is_kind) || has_kind (expr->b, is_kind)
         || has_kind (expr->c, is_kind);
}

/* What work-items ask about themselves is constant. */
static gboolean is_call (const KernelExpr *expr) {
  return expr->kind == KERNEL_CALL
         && !(expr->a->kind == KERNEL_NAME && g_str_has_prefix (expr->a->name, "get_"));
}

static gboolean is_access (const KernelExpr *expr) {
  return expr->kind == KERNEL_INDEX || expr->kind == KERNEL_DEREF || is_call (expr);
}

gboolean kernel_must_be_sequenced (const KernelExpr *a, const KernelExpr *b) {
  return (has_kind (a, is_call) && has_kind (b, is_access))
         || (has_kind (a, is_access) && has_kind (b, is_call));
}

/* ---- Pointers ---- */

static RspExpr *scaled (KernelLowerer *l, RspSpan span, RspExpr *index, gint64 cells) {
  if (index->kind == RSP_EXPR_CONSTANT)
    return rsp_kernel_constant (l, span, index->u.constant * cells, &kernel_long);
  index = rsp_kernel_node (l, span, RSP_EXPR_CAST, RSP_OP_NONE, &kernel_long, index, NULL);
  return cells == 1 ? index
                    : rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_MUL, &kernel_long, index,
                                       rsp_kernel_constant (l, span, cells, &kernel_long));
}

KernelValue rsp_kernel_offset (KernelLowerer *l, RspSpan span, KernelValue pointer,
                               KernelValue index, RspOperator op) {
  if (index.type->kind != KERNEL_INTEGER) {
    g_autofree char *name = rsp_kernel_type_name (index.type);
    if (!l->gave_up)
      kernel_error (l, span, NULL, "found an index of type `%s`, expected an integer", name);
    return pointer;
  }
  guint cells = rsp_kernel_cells (l, pointer.type->to, span);
  RspExpr *sum = rsp_kernel_node (l, span, RSP_EXPR_BINARY, op, &kernel_long, pointer.cells[0],
                                  scaled (l, span, index.cells[0], cells));
  sum->type = pointer.cells[0]->type;
  return rsp_kernel_scalar (l, sum, pointer.type);
}

static KernelValue pointer_difference (KernelLowerer *l, RspSpan span, KernelValue a,
                                       KernelValue b) {
  guint cells = rsp_kernel_cells (l, a.type->to, span);
  RspExpr *result = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_SUB, &kernel_long, a.cells[0],
                                     b.cells[0]);
  if (cells > 1)
    result = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_DIV, &kernel_long, result,
                              rsp_kernel_constant (l, span, cells, &kernel_long));
  return rsp_kernel_scalar (l, result, &kernel_long);
}

static KernelValue binary_pointers (KernelLowerer *l, RspSpan span, RspOperator op, KernelValue a,
                                    KernelValue b) {
  gboolean left = a.type->kind == KERNEL_POINTER, right = b.type->kind == KERNEL_POINTER;
  if (compares (op))
    return rsp_kernel_scalar (
        l, rsp_kernel_node (l, span, RSP_EXPR_BINARY, op, &kernel_int, a.cells[0], b.cells[0]),
        &kernel_int);
  if (op == RSP_OP_SUB && left && right)
    return pointer_difference (l, span, a, b);
  if (op == RSP_OP_ADD && left != right)
    return left ? rsp_kernel_offset (l, span, a, b, op) : rsp_kernel_offset (l, span, b, a, op);
  if (op == RSP_OP_SUB && left)
    return rsp_kernel_offset (l, span, a, b, op);
  kernel_error (l, span, NULL, "this operator does not take a pointer");
  return rsp_kernel_dummy (l, span, &kernel_int);
}

/* ---- Scalars ---- */

/* The names of uninterpreted functions. Equality is of bits. */
static const char *const float_operators[]
    = { [RSP_OP_ADD] = "+", [RSP_OP_SUB] = "-", [RSP_OP_MUL] = "*", [RSP_OP_DIV] = "/",
        [RSP_OP_LT] = "<",  [RSP_OP_LE] = "<=", [RSP_OP_GT] = ">",  [RSP_OP_GE] = ">=" };

static RspExpr *binary_floats (KernelLowerer *l, RspSpan span, RspOperator op,
                               const KernelType *type, RspExpr *a, RspExpr *b) {
  if (op == RSP_OP_EQ || op == RSP_OP_NE)
    return rsp_kernel_node (l, span, RSP_EXPR_BINARY, op, &kernel_int, a, b);
  const char *name = op < G_N_ELEMENTS (float_operators) ? float_operators[op] : NULL;
  if (!name) {
    kernel_error (l, span, NULL, "this operator does not take a floating-point number");
    return a;
  }
  RspExpr *arguments[] = { a, b };
  return rsp_kernel_apply (l, span, name, compares (op) ? &kernel_bool : type, arguments, 2);
}

/* A divisor of 0 becomes 1, if what goes wrong besides is wanted. */
static RspExpr *lenient_divisor (KernelLowerer *l, RspSpan span, const KernelType *type,
                                 RspExpr *b) {
  b = rsp_kernel_reusable (l, b, type);
  RspExpr *choice = rsp_kernel_node (l, span, RSP_EXPR_CONDITIONAL, RSP_OP_NONE, type, b, b);
  choice->u.node.c = rsp_kernel_constant (l, span, 1, type);
  return choice;
}

static RspExpr *binary_scalars (KernelLowerer *l, RspSpan span, RspOperator op,
                                const KernelType *a_type, RspExpr *a, const KernelType *b_type,
                                RspExpr *b, const KernelType **type) {
  const KernelType *common = rsp_kernel_common (a_type, b_type);
  if (op == RSP_OP_SHL || op == RSP_OP_SHR) {
    /* 6.3.j: the amount is taken modulo the width. */
    *type = kernel_promoted (a_type);
    RspExpr *mask = rsp_kernel_constant (l, span, (*type)->bits - 1, kernel_promoted (b_type));
    if (b->kind == RSP_EXPR_CONSTANT)
      b = rsp_kernel_constant (l, span, b->u.constant & ((*type)->bits - 1), &kernel_int);
    else
      b = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_AND, kernel_promoted (b_type), b, mask);
    return rsp_kernel_node (l, span, RSP_EXPR_BINARY, op, *type,
                            rsp_kernel_convert (l, a, a_type, *type), b);
  }
  *type = compares (op) ? &kernel_int : common;
  a = rsp_kernel_convert (l, a, a_type, common);
  b = rsp_kernel_convert (l, b, b_type, common);
  if (common->kind == KERNEL_FLOAT)
    return binary_floats (l, span, op, common, a, b);
  if (l->options->lenient && (op == RSP_OP_DIV || op == RSP_OP_MOD))
    b = lenient_divisor (l, span, common, b);
  return rsp_kernel_node (l, span, RSP_EXPR_BINARY, op, *type, a, b);
}

/* ---- Vectors ---- */

static const KernelType *truth_lane (const KernelType *lane) {
  static const KernelType lanes[] = { { .kind = KERNEL_INTEGER, .bits = 8, .is_signed = TRUE },
                                      { .kind = KERNEL_INTEGER, .bits = 16, .is_signed = TRUE },
                                      { .kind = KERNEL_INTEGER, .bits = 32, .is_signed = TRUE },
                                      { .kind = KERNEL_INTEGER, .bits = 64, .is_signed = TRUE } };
  return &lanes[lane->bits == 8 ? 0 : lane->bits == 16 ? 1 : lane->bits == 32 ? 2 : 3];
}

/* The amount of a shift is taken modulo the width of the lane, which has not been promoted (6.3.j).
 */
static RspExpr *lane_amount (KernelLowerer *l, RspSpan span, const KernelType *lane,
                             RspExpr *amount) {
  return rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_AND, kernel_promoted (lane), amount,
                          rsp_kernel_constant (l, span, lane->bits - 1, &kernel_int));
}

/* Lane by lane; comparisons are 0 or -1. */
static KernelValue binary_vectors (KernelLowerer *l, RspSpan span, RspOperator op, KernelValue a,
                                   KernelValue b) {
  const KernelType *type = a.type->kind == KERNEL_VECTOR ? a.type : b.type;
  gboolean truth = compares (op) || op == RSP_OP_LOGICAL_AND || op == RSP_OP_LOGICAL_OR;
  const KernelType *lane = truth ? truth_lane (type->to) : type->to, *own;
  a = rsp_kernel_to_type (l, a, type, span);
  b = rsp_kernel_to_type (l, b, type, span);
  gboolean shifts = op == RSP_OP_SHL || op == RSP_OP_SHR;
  for (guint i = 0; shifts && i < b.n; i++)
    b.cells[i] = lane_amount (l, span, type->to, b.cells[i]);
  KernelValue result
      = rsp_kernel_dummy (l, span, truth ? rsp_kernel_vector_of (l, lane, type->lanes) : type);
  for (guint i = 0; i < type->lanes && !l->gave_up; i++) {
    RspExpr *cell
        = op == RSP_OP_LOGICAL_AND || op == RSP_OP_LOGICAL_OR
              ? rsp_kernel_node (l, span, RSP_EXPR_BINARY, op, &kernel_int, a.cells[i], b.cells[i])
              : binary_scalars (l, span, op, type->to, a.cells[i], type->to, b.cells[i], &own);
    if (truth)
      cell = rsp_kernel_node (l, span, RSP_EXPR_UNARY, RSP_OP_NEGATE, &kernel_int, cell, NULL);
    result.cells[i] = truth || type->to->kind == KERNEL_INTEGER
                          ? rsp_kernel_node (l, span, RSP_EXPR_CAST, RSP_OP_NONE, lane, cell, NULL)
                          : cell;
  }
  return result;
}

KernelValue rsp_kernel_binary (KernelLowerer *l, RspSpan span, RspOperator op, KernelValue a,
                               KernelValue b) {
  const KernelType *type;
  if (!a.n || !b.n || a.type->kind == KERNEL_STRUCT || b.type->kind == KERNEL_STRUCT
      || a.type->kind == KERNEL_OPAQUE || b.type->kind == KERNEL_OPAQUE) {
    g_autofree char *left = rsp_kernel_type_name (a.type), *right = rsp_kernel_type_name (b.type);
    if (!l->gave_up)
      kernel_error (l, span, NULL, "this operator does not take a `%s` and a `%s`", left, right);
    return rsp_kernel_dummy (l, span, &kernel_int);
  }
  if (a.type->kind == KERNEL_VECTOR || b.type->kind == KERNEL_VECTOR)
    return binary_vectors (l, span, op, a, b);
  if (a.type->kind == KERNEL_POINTER || b.type->kind == KERNEL_POINTER)
    return binary_pointers (l, span, op, a, b);
  RspExpr *cell = binary_scalars (l, span, op, a.type, a.cells[0], b.type, b.cells[0], &type);
  return rsp_kernel_scalar (l, cell, type);
}

/* ---- Unary operators ---- */

static RspExpr *unary_scalar (KernelLowerer *l, RspSpan span, RspOperator op,
                              const KernelType *type, RspExpr *a) {
  if (type->kind == KERNEL_FLOAT && op == RSP_OP_NEGATE) {
    if (a->kind == RSP_EXPR_CONSTANT)
      return rsp_kernel_constant (
          l, span, a->u.constant ^ (gint64) (G_GUINT64_CONSTANT (1) << (type->bits - 1)), type);
    return rsp_kernel_apply (l, span, "negate", type, &a, 1);
  }
  return op == RSP_OP_PLUS ? a : rsp_kernel_node (l, span, RSP_EXPR_UNARY, op, type, a, NULL);
}

KernelValue kernel_unary (KernelLowerer *l, RspSpan span, RspOperator op, KernelValue a) {
  const KernelType *type = a.type;
  if (op == RSP_OP_LOGICAL_NOT && rsp_kernel_is_scalar (type))
    return rsp_kernel_scalar (
        l, rsp_kernel_node (l, span, RSP_EXPR_UNARY, op, &kernel_int, a.cells[0], NULL),
        &kernel_int);
  if (op == RSP_OP_LOGICAL_NOT && type->kind == KERNEL_VECTOR)
    return rsp_kernel_binary (l, span, RSP_OP_EQ, a, rsp_kernel_dummy (l, span, type));
  if (rsp_kernel_is_scalar (type) && type->kind != KERNEL_POINTER) {
    const KernelType *promoted = kernel_promoted (type);
    return rsp_kernel_scalar (
        l, unary_scalar (l, span, op, promoted, rsp_kernel_convert (l, a.cells[0], type, promoted)),
        promoted);
  }
  if (type->kind != KERNEL_VECTOR) {
    g_autofree char *name = rsp_kernel_type_name (type);
    if (!l->gave_up)
      kernel_error (l, span, NULL, "this operator does not take a `%s`", name);
    return rsp_kernel_dummy (l, span, &kernel_int);
  }
  const KernelType *promoted = kernel_promoted (type->to); /* the program's operators promote */
  KernelValue result = rsp_kernel_cells_value (l, type, a.n);
  for (guint i = 0; i < a.n; i++)
    result.cells[i] = rsp_kernel_convert (l, unary_scalar (l, span, op, promoted, a.cells[i]),
                                          promoted, type->to);
  return result;
}
