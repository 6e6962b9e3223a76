/* Making expressions and statements of the program. */
#include "parser/kernel/lower/value.h"
#include "parser/kernel/lower/fold.h"
#include "parser/kernel/lower/type.h"

#include "parser/arithmetic.h"

#include <string.h>

enum {
  MAX_REUSED = 12,   /* operators of an expression that is evaluated several times */
  MORE_ELEMENTS = 64 /* of a private array in a lenient reading */
};

void rsp_kernel_refuse (KernelLowerer *l, RspSpan span, const char *instead, const char *format,
                        ...) {
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (!l->gave_up)
    kernel_error (l, span, instead, "found %s, which is not supported", what);
  l->gave_up = TRUE;
}

/* ---- Expressions ---- */

static RspExpr *new_expr (KernelLowerer *l, RspSpan span, RspExprKind kind,
                          const KernelType *type) {
  RspExpr *expr = rsp_arena_new0 (l->arena, RspExpr, 1);
  expr->kind = kind;
  expr->span = span;
  expr->type = rsp_kernel_cell_type (type);
  return expr;
}

RspExpr *rsp_kernel_constant (KernelLowerer *l, RspSpan span, gint64 value,
                              const KernelType *type) {
  RspExpr *expr = new_expr (l, span, RSP_EXPR_CONSTANT, type);
  expr->u.constant = value;
  return expr;
}

RspExpr *kernel_register (KernelLowerer *l, RspSpan span, guint reg) {
  RspExpr *expr = rsp_arena_new0 (l->arena, RspExpr, 1);
  const RspRegister *own = &g_array_index (l->registers, RspRegister, reg);
  expr->kind = RSP_EXPR_REGISTER;
  expr->span = span;
  expr->type = own->type;
  expr->u.reg = reg;
  expr->name = own->name;
  return expr;
}

RspExpr *rsp_kernel_node (KernelLowerer *l, RspSpan span, RspExprKind kind, RspOperator op,
                          const KernelType *type, RspExpr *a, RspExpr *b) {
  RspExpr *folded = kind == RSP_EXPR_UNARY || kind == RSP_EXPR_BINARY
                        ? kernel_folded (l, span, op, a, b)
                        : NULL;
  if (folded)
    return folded;
  RspExpr *expr = new_expr (l, span, kind, type);
  expr->u.node.op = op;
  expr->u.node.a = a;
  expr->u.node.b = b;
  return expr;
}

RspExpr *kernel_step (KernelLowerer *l, RspSpan span, RspExpr *pointer, gint64 cells) {
  if (!cells)
    return pointer;
  RspExpr *expr = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_ADD, &kernel_long, pointer,
                                   rsp_kernel_constant (l, span, cells, &kernel_long));
  expr->type = pointer->type;
  return expr;
}

static RspExpr *apply (KernelLowerer *l, RspSpan span, gint64 function, const KernelType *type,
                       RspExpr *const *arguments, guint n) {
  RspExpr *result = rsp_kernel_constant (l, span, function, &kernel_size);
  for (guint i = 0; i < n; i++)
    result = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_APPLY, &kernel_size, result,
                              arguments[i]);
  return rsp_kernel_node (l, span, RSP_EXPR_CAST, RSP_OP_NONE, type, result, NULL);
}

RspExpr *rsp_kernel_apply (KernelLowerer *l, RspSpan span, const char *function,
                           const KernelType *type, RspExpr *const *arguments, guint n) {
  return apply (l, span, g_str_hash (function), type, arguments, n);
}

RspExpr *rsp_kernel_unknown (KernelLowerer *l, RspSpan span, guint number, const KernelType *type) {
  RspExpr *own = rsp_kernel_constant (l, span, number, &kernel_int);
  return apply (l, span, RSP_FUNCTION_ARGUMENT, type, &own, 1);
}

/* A constant integer as a floating-point number, or the other way round. */
static gint64 convert_constant (gint64 value, const KernelType *from, const KernelType *to) {
  double wide = 0;
  float narrow;
  gint32 bits;
  if (from->kind == KERNEL_INTEGER)
    wide = from->is_signed ? (double) value : (double) (guint64) value;
  else if (from->bits == 64)
    memcpy (&wide, &value, sizeof wide);
  else {
    bits = (gint32) value;
    memcpy (&narrow, &bits, sizeof narrow);
    wide = (double) narrow;
  }
  if (to->kind == KERNEL_INTEGER && wide >= 0x1p63 && wide < 0x1p64)
    return (gint64) (guint64) wide;
  if (to->kind == KERNEL_INTEGER)
    return -wide <= 0x1p63 && wide < 0x1p63 ? (gint64) wide : 0;
  narrow = (float) wide;
  memcpy (&bits, &narrow, sizeof bits);
  memcpy (&value, &wide, sizeof value);
  return to->bits == 64 ? value : (gint64) (guint32) bits;
}

RspExpr *rsp_kernel_convert (KernelLowerer *l, RspExpr *expr, const KernelType *from,
                             const KernelType *to) {
  gboolean floats = from->kind == KERNEL_FLOAT || to->kind == KERNEL_FLOAT;
  if (from->kind == to->kind && from->bits == to->bits && from->is_signed == to->is_signed)
    return expr;
  /* Is it not 0? As conditions ask. */
  if (floats && to->bits == kernel_bool.bits)
    return rsp_kernel_node (l, expr->span, RSP_EXPR_CAST, RSP_OP_NONE, to, expr, NULL);
  if (floats && expr->kind == RSP_EXPR_CONSTANT) {
    expr = rsp_kernel_constant (l, expr->span, convert_constant (expr->u.constant, from, to),
                                to->kind == KERNEL_FLOAT ? to : &kernel_long);
    return to->kind == KERNEL_FLOAT
               ? expr
               : rsp_kernel_node (l, expr->span, RSP_EXPR_CAST, RSP_OP_NONE, to, expr, NULL);
  }
  if (floats) {
    g_autofree char *name
        = g_strdup_printf ("convert %u %u %u", from->bits, (guint) to->kind, to->bits);
    return rsp_kernel_apply (l, expr->span, name, to, &expr, 1);
  }
  if (expr->kind == RSP_EXPR_CONSTANT && from->kind == KERNEL_INTEGER && to->kind == KERNEL_INTEGER)
    return rsp_kernel_constant (l, expr->span, rsp_wrap (expr->u.constant, to->bits, to->is_signed),
                                to);
  return rsp_kernel_node (l, expr->span, RSP_EXPR_CAST, RSP_OP_NONE, to, expr, NULL);
}

/* The number of operators, or more than MAX_REUSED if one has an effect or reads memory. */
static guint weight (const RspExpr *expr) {
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_LOCATION:
  case RSP_EXPR_REGISTER:
    return 0;
  case RSP_EXPR_UNARY:
  case RSP_EXPR_CAST:
    return 1 + weight (expr->u.node.a);
  case RSP_EXPR_ADDRESS:
    return expr->u.node.a->kind == RSP_EXPR_REGISTER ? 0 : MAX_REUSED + 1;
  case RSP_EXPR_BINARY:
    return 1 + weight (expr->u.node.a) + weight (expr->u.node.b);
  default:
    return MAX_REUSED + 1;
  }
}

RspExpr *rsp_kernel_reusable (KernelLowerer *l, RspExpr *expr, const KernelType *type) {
  if (weight (expr) <= MAX_REUSED)
    return expr;
  guint reg = rsp_kernel_add_registers (l, "", type, FALSE, expr->span);
  RspExpr *target = kernel_register (l, expr->span, reg);
  rsp_kernel_emit_expr (
      l, rsp_kernel_node (l, expr->span, RSP_EXPR_ASSIGN, RSP_OP_NONE, type, target, expr));
  return kernel_register (l, expr->span, reg);
}

/* ---- Statements and registers ---- */

RspStatement *rsp_kernel_emit (KernelLowerer *l, RspStatementKind kind, RspSpan span) {
  RspStatement *statement = rsp_arena_new0 (l->arena, RspStatement, 1);
  statement->kind = kind;
  statement->span = span;
  if (++l->n_statements > KERNEL_MAX_STATEMENTS)
    rsp_kernel_refuse (l, span, NULL, "a work-item of more than %d statements",
                       KERNEL_MAX_STATEMENTS);
  if (l->code->last)
    l->code->last->next = statement;
  else
    l->code->first = statement;
  l->code->last = statement;
  return statement;
}

/* The same value, which is only copied. */
static RspExpr *only_copied (KernelLowerer *l, RspExpr *expr) {
  if (expr->kind != RSP_EXPR_REGISTER && expr->kind != RSP_EXPR_DEREF
      && expr->kind != RSP_EXPR_ASSIGN)
    return expr;
  RspExpr *copied = rsp_arena_copy (l->arena, expr, sizeof *expr);
  copied->is_copied = TRUE;
  return copied;
}

RspExpr *kernel_assignment (KernelLowerer *l, RspSpan span, const KernelType *whole,
                            const KernelType *leaf, RspExpr *target, RspExpr *value) {
  return rsp_kernel_node (l, span, RSP_EXPR_ASSIGN, RSP_OP_NONE, leaf, target,
                          rsp_kernel_is_scalar (whole) ? value : only_copied (l, value));
}

/* A private value that is assigned to another one is not used yet. */
void rsp_kernel_emit_expr (KernelLowerer *l, RspExpr *expr) {
  if (!expr)
    return;
  if (expr->kind == RSP_EXPR_ASSIGN) {
    expr->is_copied = TRUE;
    if (expr->u.node.op == RSP_OP_NONE && expr->u.node.a->kind == RSP_EXPR_REGISTER
        && expr->u.node.b->kind == RSP_EXPR_REGISTER)
      expr->u.node.b = only_copied (l, expr->u.node.b);
  }
  rsp_kernel_emit (l, RSP_STATEMENT_EXPRESSION, expr->span)->expr = expr;
}

guint rsp_kernel_add_registers (KernelLowerer *l, const char *name, const KernelType *type,
                                gboolean unset, RspSpan span) {
  guint first = l->registers->len, n = rsp_kernel_cells (l, type, span);
  if (first + n > KERNEL_MAX_REGISTERS) {
    rsp_kernel_refuse (l, span, NULL, "more than %d private values", KERNEL_MAX_REGISTERS);
    n = 1;
  }
  if (l->options->lenient && type->kind == KERNEL_ARRAY && n)
    n += MORE_ELEMENTS;
  for (guint i = 0; i < MAX (n, 1); i++) {
    RspRegister own = { .name = name,
                        .type = rsp_kernel_cell_type (rsp_kernel_leaf (l, type, i)),
                        .initialised = TRUE,
                        .unset = unset,
                        .element = i,
                        .n_elements = MAX (n, 1),
                        .span = span };
    g_array_append_val (l->registers, own);
  }
  return first;
}

KernelCode *rsp_kernel_begin (KernelLowerer *l, KernelCode *code) {
  KernelCode *outer = l->code;
  *code = (KernelCode){ NULL, NULL };
  l->code = code;
  return outer;
}

RspStatement *rsp_kernel_end (KernelLowerer *l, KernelCode *code, KernelCode *outer, RspSpan span) {
  RspStatement *block = rsp_arena_new0 (l->arena, RspStatement, 1);
  block->kind = RSP_STATEMENT_BLOCK;
  block->span = span;
  block->first = code->first;
  l->code = outer;
  return block;
}

/* ---- Values ---- */

KernelValue rsp_kernel_cells_value (KernelLowerer *l, const KernelType *type, guint n) {
  return (KernelValue){ type, rsp_arena_new0 (l->arena, RspExpr *, n + 1), n };
}

KernelValue rsp_kernel_scalar (KernelLowerer *l, RspExpr *expr, const KernelType *type) {
  KernelValue value = rsp_kernel_cells_value (l, type, 1);
  value.cells[0] = expr;
  return value;
}

KernelValue rsp_kernel_no_value (void) { return (KernelValue){ &kernel_void, NULL, 0 }; }

KernelValue rsp_kernel_dummy (KernelLowerer *l, RspSpan span, const KernelType *type) {
  if (type->kind == KERNEL_VOID)
    return rsp_kernel_no_value ();
  KernelValue value = rsp_kernel_cells_value (l, type, MAX (1, rsp_kernel_cells (l, type, span)));
  for (guint i = 0; i < value.n; i++)
    value.cells[i] = rsp_kernel_constant (l, span, 0, rsp_kernel_leaf (l, type, i));
  return value;
}

static KernelValue wrong_type (KernelLowerer *l, const KernelType *from, const KernelType *to,
                               RspSpan span) {
  g_autofree char *name = rsp_kernel_type_name (from), *expected = rsp_kernel_type_name (to);
  kernel_error (l, span, NULL, "found a value of type `%s`, expected `%s`", name, expected);
  return rsp_kernel_dummy (l, span, to);
}

static KernelValue to_vector (KernelLowerer *l, KernelValue value, const KernelType *type,
                              RspSpan span) {
  gboolean scalar = rsp_kernel_is_scalar (value.type);
  guint n = rsp_kernel_cells (l, type, span);
  if (!scalar && (value.type->kind != KERNEL_VECTOR || value.type->lanes != type->lanes))
    return wrong_type (l, value.type, type, span);
  KernelValue result = rsp_kernel_cells_value (l, type, n);
  RspExpr *shared = scalar ? rsp_kernel_reusable (
                        l, rsp_kernel_convert (l, value.cells[0], value.type, type->to), type->to)
                           : NULL;
  for (guint i = 0; i < n; i++)
    result.cells[i]
        = scalar ? shared : rsp_kernel_convert (l, value.cells[i], value.type->to, type->to);
  return result;
}

KernelValue rsp_kernel_to_type (KernelLowerer *l, KernelValue value, const KernelType *type,
                                RspSpan span) {
  if (type->kind == KERNEL_VOID)
    return rsp_kernel_no_value ();
  if (!value.n)
    return wrong_type (l, value.type, type, span);
  if (type->kind == KERNEL_VECTOR)
    return to_vector (l, value, type, span);
  if (rsp_kernel_is_scalar (type) && rsp_kernel_is_scalar (value.type))
    return rsp_kernel_scalar (l, rsp_kernel_convert (l, value.cells[0], value.type, type), type);
  if (type->kind == KERNEL_STRUCT && value.type->kind == KERNEL_STRUCT
      && type->record == value.type->record)
    return value;
  return wrong_type (l, value.type, type, span);
}

KernelValue rsp_kernel_held (KernelLowerer *l, KernelValue value, RspSpan span) {
  KernelValue held = rsp_kernel_cells_value (l, value.type, value.n);
  for (guint i = 0; i < value.n; i++)
    if (value.cells[i]->kind == RSP_EXPR_CONSTANT)
      held.cells[i] = value.cells[i];
    else {
      const KernelType *leaf = rsp_kernel_leaf (l, value.type, i);
      guint reg = rsp_kernel_add_registers (l, "", leaf, FALSE, span);
      rsp_kernel_emit_expr (l, kernel_assignment (l, span, value.type, leaf,
                                                  kernel_register (l, span, reg), value.cells[i]));
      held.cells[i] = kernel_register (l, span, reg);
    }
  return held;
}
