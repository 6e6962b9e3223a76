/* The file's variables, and strings. */
#include "parser/kernel/program/globals.h"
#include "parser/arithmetic.h"
#include "parser/kernel/lower/expr.h"
#include "parser/kernel/lower/fold.h"
#include "parser/kernel/lower/place.h"
#include "parser/kernel/lower/type.h"
#include "parser/kernel/lower/value.h"
#include "parser/kernel/program/objects.h"

#include <string.h>

/* ---- Strings ---- */

KernelPlace rsp_kernel_string (KernelLowerer *l, const KernelExpr *expr) {
  static const KernelType character = { .kind = KERNEL_INTEGER,
                                        .bits = 8,
                                        .is_signed = TRUE,
                                        .is_const = TRUE,
                                        .space = RSP_SPACE_CONSTANT };
  const guint n = (guint) strlen (expr->name) + 1;
  const KernelType *type = rsp_kernel_array_of (l, &character, n);
  g_autofree char *key = g_strdup_printf ("\"%s", expr->name);
  guint object = GPOINTER_TO_UINT (g_hash_table_lookup (l->local, key));
  if (object)
    return kernel_memory_place (l, type, object - 1, expr->span);
  g_autofree char *own = g_strdup_printf ("string %u", l->locations->len);
  object = kernel_add_object (l, own, type, FALSE, n, RSP_SPACE_CONSTANT, FALSE, expr->span);
  for (guint i = 0; object + i < l->locations->len; i++)
    g_array_index (l->locations, RspLocation, object + i).initial
        = rsp_kernel_wrap ((guchar) expr->name[i], &character);
  g_hash_table_insert (l->local, g_steal_pointer (&key), GUINT_TO_POINTER (object + 1));
  return kernel_memory_place (l, type, object, expr->span);
}

/* ---- Initial values ---- */

gboolean kernel_fixed_address (const RspExpr *expr, guint *object, gint64 *cell) {
  gint64 a, b;
  switch (expr->kind) {
  case RSP_EXPR_LOCATION:
    *object = expr->u.object;
    *cell = 0;
    return TRUE;
  case RSP_EXPR_CONSTANT:
    *cell = expr->u.constant;
    return TRUE;
  case RSP_EXPR_CAST:
    return kernel_fixed_address (expr->u.node.a, object, cell);
  case RSP_EXPR_BINARY:
    if (!kernel_fixed_address (expr->u.node.a, object, &a)
        || !kernel_fixed_address (expr->u.node.b, object, &b))
      return FALSE;
    *cell = expr->u.node.op == RSP_OP_MUL ? a * b : a + b;
    return expr->u.node.op == RSP_OP_MUL || expr->u.node.op == RSP_OP_ADD;
  default:
    return FALSE;
  }
}

/* Is it the result of floating-point operations on constants? */
static gboolean is_calculated (const RspExpr *expr) {
  return expr->kind == RSP_EXPR_CAST
             ? is_calculated (expr->u.node.a)
             : expr->kind == RSP_EXPR_BINARY && expr->u.node.op == RSP_OP_APPLY;
}

/* What a statement of an initialiser assigns, as far as it is constant; registers that it uses have
 * their values. NULL: it is not constant. */
static const RspExpr *constant_of (const RspStatement *statement, guint first,
                                   const GPtrArray *values) {
  const RspExpr *assign = statement->expr;
  if (statement->kind != RSP_STATEMENT_EXPRESSION || assign->kind != RSP_EXPR_ASSIGN
      || assign->u.node.a->kind != RSP_EXPR_REGISTER || assign->u.node.a->u.reg < first)
    return NULL;
  const RspExpr *value = assign->u.node.b;
  guint object;
  gint64 cell;
  if (value->kind == RSP_EXPR_REGISTER && value->u.reg >= first)
    return values->pdata[value->u.reg - first];
  return kernel_fixed_address (value, &object, &cell) || is_calculated (value) ? value : NULL;
}

/* number: of the location */
static void set_value (RspLocation *location, const RspExpr *value, guint number) {
  guint object = G_MAXUINT;
  gint64 cell = 0;
  location->opaque = !kernel_fixed_address (value, &object, &cell);
  location->initial = location->opaque      ? number
                      : object == G_MAXUINT ? rsp_wrap (cell, rsp_type_bits (&location->type),
                                                        rsp_type_is_signed (&location->type))
                                            : rsp_address (object, (gint32) cell);
}

/* The values of a variable's initialiser, which must be constant. What floating-point operations
 * give is not known. */
static void initialise_global (KernelLowerer *l, const KernelVariable *variable,
                               const KernelType *type, guint object) {
  KernelCode code;
  KernelCode *outer = rsp_kernel_begin (l, &code);
  guint first = rsp_kernel_add_registers (l, variable->name, type, FALSE, variable->span);
  guint n = l->registers->len - first;
  rsp_kernel_initialise (l, rsp_kernel_registers (type, first), variable->initial);
  rsp_kernel_end (l, &code, outer, variable->span);
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  g_ptr_array_set_size (values, (gint) (l->registers->len - first));
  for (const RspStatement *s = code.first; s; s = s->next) {
    const RspExpr *value = constant_of (s, first, values);
    if (!value) {
      rsp_kernel_refuse (l, s->span, "write the value as a number",
                         "an initial value that is not a constant");
      return;
    }
    guint cell = s->expr->u.node.a->u.reg - first;
    values->pdata[cell] = (gpointer) value;
    if (cell >= n || object + cell >= l->locations->len)
      continue;
    set_value (&g_array_index (l->locations, RspLocation, object + cell), value, object + cell);
  }
}

void kernel_lay_out_global (KernelLowerer *l, const KernelVariable *variable) {
  RspSpace space
      = variable->type->space == RSP_SPACE_PRIVATE ? RSP_SPACE_GLOBAL : variable->type->space;
  const KernelType *type = rsp_kernel_completed (l, variable);
  if (space == RSP_SPACE_LOCAL)
    rsp_kernel_refuse (l, variable->span, "declare it in the kernel",
                       "a variable in local memory outside of functions");
  if (type->kind == KERNEL_OPAQUE) {
    guint reg = 0;
    rsp_kernel_bind (l, variable->name, rsp_kernel_registers (type, reg), FALSE);
    return;
  }
  guint object = kernel_add_object (l, variable->name, type, FALSE,
                                    MAX (1, rsp_kernel_cells (l, type, variable->span)), space,
                                    FALSE, variable->span);
  rsp_kernel_bind (l, variable->name, kernel_memory_place (l, type, object, variable->span), FALSE);
  if (variable->initial)
    initialise_global (l, variable, type, object);
}
