/* Casts, and the literals of vectors, which are written like casts. */
#include "parser/kernel/lower/expr.h"
#include "parser/kernel/lower/type.h"
#include "parser/kernel/lower/value.h"

/* The operands of `(a, b, c)` as it is written. */
static void collect_commas (const KernelExpr *expr, GPtrArray *all, gboolean outermost) {
  if (expr->kind == KERNEL_BINARY && expr->op == RSP_OP_COMMA
      && (outermost || !expr->in_parentheses)) {
    collect_commas (expr->a, all, FALSE);
    collect_commas (expr->b, all, FALSE);
  } else
    g_ptr_array_add (all, (gpointer) expr);
}

static KernelValue vector_literal (KernelLowerer *l, const KernelExpr *expr) {
  const KernelType *type = expr->type;
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();
  collect_commas (expr->a, parts, TRUE);
  if (parts->len == 1)
    return rsp_kernel_to_type (l, rsp_kernel_value (l, parts->pdata[0]), type, expr->span);
  KernelValue result = rsp_kernel_dummy (l, expr->span, type);
  guint n = 0;
  for (guint i = 0; i < parts->len; i++) {
    const KernelExpr *part = parts->pdata[i];
    KernelValue value = rsp_kernel_value (l, part);
    guint lanes = value.type->kind == KERNEL_VECTOR ? value.type->lanes : MIN (value.n, 1);
    const KernelType *lane = value.type->kind == KERNEL_VECTOR ? value.type->to : value.type;
    for (guint k = 0; k < lanes && n < type->lanes; k++, n++)
      result.cells[n] = rsp_kernel_convert (l, value.cells[k], lane, type->to);
  }
  if (n != type->lanes && !l->gave_up)
    kernel_error (l, expr->span, NULL, "found %u values, expected %u", n, type->lanes);
  return result;
}

static guint64 leaf_size (KernelLowerer *l, const KernelType *type) {
  return rsp_kernel_size_of (l, rsp_kernel_leaf (l, type, 0), RSP_NOWHERE);
}

static void check_pointers (KernelLowerer *l, const KernelType *from, const KernelType *to,
                            RspSpan span) {
  gboolean from_void = from->to->kind == KERNEL_VOID, to_void = to->to->kind == KERNEL_VOID;
  if (to_void || (!from_void && leaf_size (l, from->to) == leaf_size (l, to->to)))
    return;
  g_autofree char *name = rsp_kernel_type_name (from), *target = rsp_kernel_type_name (to);
  rsp_kernel_refuse (l, span, "give the object the type with which it is accessed",
                     "a cast of `%s` to `%s`", name, target);
}

KernelValue kernel_cast (KernelLowerer *l, const KernelExpr *expr) {
  if (expr->type->kind == KERNEL_VECTOR && expr->a->in_parentheses)
    return vector_literal (l, expr);
  if (expr->type->kind == KERNEL_VOID) {
    rsp_kernel_effect (l, expr->a);
    return rsp_kernel_no_value ();
  }
  KernelValue value = rsp_kernel_value (l, expr->a);
  gboolean from = value.type->kind == KERNEL_POINTER, to = expr->type->kind == KERNEL_POINTER;
  if (from && to)
    check_pointers (l, value.type, expr->type, expr->span);
  else if (from && expr->type->bits != 64)
    rsp_kernel_refuse (l, expr->span, "use `ulong` or `size_t`",
                       "a cast of a pointer to a smaller integer");
  return rsp_kernel_to_type (l, value, expr->type, expr->span);
}

/* ---- The same bytes ---- */

static RspExpr *cast (KernelLowerer *l, RspSpan span, const KernelType *type, RspExpr *expr) {
  return rsp_kernel_node (l, span, RSP_EXPR_CAST, RSP_OP_NONE, type, expr, NULL);
}

static RspExpr *shift (KernelLowerer *l, RspSpan span, RspOperator op, RspExpr *expr, guint bits) {
  return bits ? rsp_kernel_node (l, span, RSP_EXPR_BINARY, op, &kernel_size, expr,
                                 rsp_kernel_constant (l, span, bits, &kernel_int))
              : expr;
}

/* One cell of the new type, of the cells that have its bytes: a part of one, or several; the first
 * byte is the lowest. */
static RspExpr *join_cells (KernelLowerer *l, RspSpan span, KernelValue from,
                            const KernelType *leaf, guint number) {
  const guint own = rsp_kernel_leaf (l, from.type, 0)->bits, first = number * leaf->bits;
  const KernelType bytes = { .kind = KERNEL_INTEGER, .bits = own };
  RspExpr *all = NULL;
  for (guint k = first / own; k * own < first + leaf->bits; k++) {
    RspExpr *cell = cast (l, span, &kernel_size, cast (l, span, &bytes, from.cells[k]));
    cell = k * own < first ? shift (l, span, RSP_OP_SHR, cell, first - k * own)
                           : shift (l, span, RSP_OP_SHL, cell, k * own - first);
    all = all ? rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_OR, &kernel_size, all, cell)
              : cell;
  }
  return cast (l, span, leaf, all);
}

static gboolean is_number (const KernelType *type) {
  return type->kind == KERNEL_INTEGER || type->kind == KERNEL_FLOAT;
}

gboolean rsp_kernel_reinterpret (KernelLowerer *l, RspSpan span, KernelValue from,
                                 const KernelType *type, KernelValue *value) {
  const guint n = rsp_kernel_cells (l, type, span);
  if (!from.n || !n)
    return FALSE;
  const KernelType *own = rsp_kernel_leaf (l, from.type, 0), *leaf = rsp_kernel_leaf (l, type, 0);
  const guint64 size = rsp_kernel_size_of (l, own, span),
                other = rsp_kernel_size_of (l, leaf, span);
  const gboolean same = from.n == n && size == other;
  if (!same && (!is_number (own) || !is_number (leaf) || from.n * size != n * other))
    return FALSE;
  if (!same)
    from = rsp_kernel_held (l, from, span);
  *value = rsp_kernel_cells_value (l, type, n);
  for (guint i = 0; i < n; i++)
    value->cells[i] = same ? cast (l, span, rsp_kernel_leaf (l, type, i), from.cells[i])
                           : join_cells (l, span, from, leaf, i);
  return TRUE;
}
