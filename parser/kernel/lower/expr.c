/* Expressions of kernels. */
#include "parser/kernel/lower/expr.h"
#include "parser/kernel/lower/fold.h"
#include "parser/kernel/functions/integer.h"
#include "parser/kernel/functions/suggest.h"
#include "parser/kernel/lower/place.h"
#include "parser/kernel/lower/type.h"
#include "parser/kernel/lower/value.h"

#include <string.h>

/* ---- Parts that are not always evaluated ---- */

/* The value, with the statements before it. */
static RspExpr *with_code (KernelLowerer *l, KernelCode *code, KernelCode *outer, RspExpr *value) {
  RspStatement *block = rsp_kernel_end (l, code, outer, value->span);
  if (!block->first)
    return value;
  RspExpr *expr = rsp_arena_new0 (l->arena, RspExpr, 1);
  expr->kind = RSP_EXPR_BLOCK;
  expr->span = value->span;
  expr->type = value->type;
  expr->u.block.body = block;
  expr->u.block.value = value;
  return expr;
}

RspExpr *rsp_kernel_condition (KernelLowerer *l, const KernelExpr *expr) {
  KernelCode code;
  const KernelType *type;
  KernelCode *outer = rsp_kernel_begin (l, &code);
  RspExpr *value = rsp_kernel_scalar_value (l, expr, &type);
  return with_code (l, &code, outer, value);
}

RspExpr *kernel_effect_expr (KernelLowerer *l, const KernelExpr *expr) {
  KernelCode code;
  if (!expr)
    return NULL;
  KernelCode *outer = rsp_kernel_begin (l, &code);
  rsp_kernel_effect (l, expr);
  if (!code.first) {
    rsp_kernel_end (l, &code, outer, expr->span);
    return NULL;
  }
  if (code.first == code.last && code.first->kind == RSP_STATEMENT_EXPRESSION) {
    rsp_kernel_end (l, &code, outer, expr->span);
    return code.first->expr;
  }
  return with_code (l, &code, outer, rsp_kernel_constant (l, expr->span, 0, &kernel_int));
}

/* A scalar's cell; after an error, 0. */
static RspExpr *scalar_of (KernelLowerer *l, KernelValue value, RspSpan span,
                           const KernelType **type) {
  *type = value.type;
  if (value.n && rsp_kernel_is_scalar (value.type))
    return value.cells[0];
  g_autofree char *found = rsp_kernel_type_name (value.type);
  if (!l->gave_up)
    kernel_error (l, span, NULL, "found a value of type `%s`, expected a scalar", found);
  *type = &kernel_int;
  return rsp_kernel_constant (l, span, 0, &kernel_int);
}

/* ---- Logic ---- */

static KernelValue logic (KernelLowerer *l, const KernelExpr *expr) {
  const KernelType *type;
  KernelValue left = rsp_kernel_value (l, expr->a);
  if (left.type->kind == KERNEL_VECTOR)
    return rsp_kernel_binary (l, expr->span, expr->op, left, rsp_kernel_value (l, expr->b));
  RspExpr *a = scalar_of (l, left, expr->a->span, &type);
  RspExpr *b = rsp_kernel_condition (l, expr->b);
  return rsp_kernel_scalar (
      l, rsp_kernel_node (l, expr->span, RSP_EXPR_BINARY, expr->op, &kernel_int, a, b),
      &kernel_int);
}

static KernelValue comma (KernelLowerer *l, const KernelExpr *expr) {
  rsp_kernel_effect (l, expr->a);
  return rsp_kernel_value (l, expr->b);
}

static const KernelType *conditional_type (KernelValue b, KernelValue c) {
  if (b.type->kind == KERNEL_VECTOR || b.type->kind == KERNEL_STRUCT || !c.n)
    return b.type;
  if (c.type->kind == KERNEL_VECTOR || c.type->kind == KERNEL_POINTER)
    return c.type;
  return b.type->kind == KERNEL_POINTER || !b.n ? b.type : rsp_kernel_common (b.type, c.type);
}

/* A vector as the condition chooses lane by lane: where it is negative, the first (6.3.i). */
static KernelValue choose_lanes (KernelLowerer *l, const KernelExpr *expr, KernelValue condition) {
  KernelValue b = expr->b ? rsp_kernel_value (l, expr->b) : condition,
              c = rsp_kernel_value (l, expr->c);
  const KernelType *type = conditional_type (b, c);
  b = rsp_kernel_held (l, rsp_kernel_to_type (l, b, type, expr->span), expr->span);
  c = rsp_kernel_held (l, rsp_kernel_to_type (l, c, type, expr->c->span), expr->span);
  if (b.n != condition.n || c.n != condition.n) {
    if (!l->gave_up)
      kernel_error (l, expr->span, NULL,
                    "the condition and the values of `?:` are not vectors of one length");
    return b;
  }
  return rsp_kernel_choose (l, expr->span, condition, b, c);
}

/* The value of one branch. */
static KernelValue branch_value (KernelLowerer *l, const KernelExpr *expr, KernelCode *code) {
  KernelCode *outer = rsp_kernel_begin (l, code);
  KernelValue value = rsp_kernel_value (l, expr);
  l->code = outer;
  return value;
}

/* Stores a branch's value, or executes it for its effects. */
static RspStatement *finish_branch (KernelLowerer *l, KernelCode *code, KernelValue value,
                                    KernelPlace result, RspSpan span) {
  KernelCode *outer = l->code;
  l->code = code;
  if (result.type->kind != KERNEL_VOID)
    rsp_kernel_store (l, result, rsp_kernel_to_type (l, value, result.type, span), span);
  return rsp_kernel_end (l, code, outer, span);
}

static KernelValue conditional (KernelLowerer *l, const KernelExpr *expr) {
  const KernelType *type;
  KernelCode then = { NULL, NULL }, other;
  KernelValue chooser = rsp_kernel_value (l, expr->a);
  if (chooser.type->kind == KERNEL_VECTOR || !expr->b)
    chooser = rsp_kernel_held (l, chooser, expr->a->span);
  if (chooser.type->kind == KERNEL_VECTOR)
    return choose_lanes (l, expr, chooser);
  RspExpr *condition = scalar_of (l, chooser, expr->a->span, &type);
  KernelValue b = expr->b ? branch_value (l, expr->b, &then) : chooser,
              c = branch_value (l, expr->c, &other);
  const KernelType *common = conditional_type (b, c);
  if (!then.first && !other.first && rsp_kernel_is_scalar (common) && b.n && c.n) {
    b = rsp_kernel_to_type (l, b, common, expr->span);
    c = rsp_kernel_to_type (l, c, common, expr->c->span);
    if (condition->kind == RSP_EXPR_CONSTANT)
      return condition->u.constant ? b : c;
    RspExpr *choice = rsp_kernel_node (l, expr->span, RSP_EXPR_CONDITIONAL, RSP_OP_NONE, common,
                                       condition, b.cells[0]);
    choice->u.node.c = c.cells[0];
    return rsp_kernel_scalar (l, choice, common);
  }
  KernelPlace result = rsp_kernel_registers (
      common, common->kind == KERNEL_VOID
                  ? 0
                  : rsp_kernel_add_registers (l, "", common, FALSE, expr->span));
  RspStatement *choice = rsp_kernel_emit (l, RSP_STATEMENT_IF, expr->span);
  choice->expr = condition;
  choice->body = finish_branch (l, &then, b, result, expr->span);
  choice->otherwise = finish_branch (l, &other, c, result, expr->c->span);
  return common->kind == KERNEL_VOID ? rsp_kernel_no_value ()
                                     : rsp_kernel_load (l, result, expr->span);
}

/* ---- Names and calls ---- */

static const KernelType *compound_type (KernelLowerer *l, const KernelExpr *expr) {
  const KernelVariable own = { .type = expr->type, .initial = expr->b };
  return rsp_kernel_completed (l, &own);
}

static KernelValue compound (KernelLowerer *l, const KernelExpr *expr) {
  const KernelType *type = compound_type (l, expr);
  KernelPlace place
      = rsp_kernel_registers (type, rsp_kernel_add_registers (l, "", type, FALSE, expr->span));
  rsp_kernel_initialise (l, place, expr->b);
  return rsp_kernel_load (l, place, expr->span);
}

static KernelValue name (KernelLowerer *l, const KernelExpr *expr) {
  const KernelBinding *binding = rsp_kernel_find_name (l, expr->name);
  KernelValue value = rsp_kernel_no_value ();
  KernelPlace place;
  if (binding && binding->by_value)
    return rsp_kernel_scalar (l, binding->place.address, binding->place.type);
  if (!binding && kernel_named_constant (l, expr, &value))
    return value;
  if (!rsp_kernel_place (l, expr, &place))
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  return rsp_kernel_load (l, place, expr->span);
}

static KernelValue call (KernelLowerer *l, const KernelExpr *expr) {
  KernelValue value = rsp_kernel_no_value ();
  const char *callee = expr->a->kind == KERNEL_NAME ? expr->a->name : NULL;
  if (!callee) {
    rsp_kernel_refuse (l, expr->span, "call the function by its name", "a call through a pointer");
    return value;
  }
  for (guint i = 0; i < l->unit->functions.n; i++) {
    const KernelFunction *function = l->unit->functions.items[i];
    if (strcmp (function->name, callee) == 0)
      return kernel_call (l, expr, function);
  }
  if (rsp_kernel_builtin (l, expr, &value))
    return value;
  g_autofree char *hint = rsp_kernel_function_hint (l, callee);
  if (!l->gave_up)
    kernel_error (l, expr->span,
                  hint ? hint : "write its definition into the file, or remove the call",
                  "the function `%s` is neither defined here nor built into OpenCL C", callee);
  l->gave_up = TRUE;
  return rsp_kernel_dummy (l, expr->span, &kernel_int);
}

/* The address of an array that is part of a value alone. */
static KernelValue elements (KernelLowerer *l, KernelValue array, RspSpan span) {
  KernelPlace place = rsp_kernel_registers (
      array.type, rsp_kernel_add_registers (l, "", array.type, FALSE, span));
  rsp_kernel_store (l, place, array, span);
  return rsp_kernel_load (l, place, span);
}

/* A component of a vector that is a value alone, or a member of such a structure. */
static KernelValue member_of_value (KernelLowerer *l, const KernelExpr *expr) {
  KernelValue whole = rsp_kernel_value (l, expr->a);
  guint8 lanes[16];
  guint first = 0;
  if (whole.type->kind == KERNEL_VECTOR) {
    guint n = kernel_lanes (whole.type, expr->name, lanes);
    KernelValue result = rsp_kernel_dummy (
        l, expr->span, n < 2 ? whole.type->to : rsp_kernel_vector_of (l, whole.type->to, n));
    for (guint i = 0; i < n; i++)
      result.cells[i] = whole.cells[lanes[i]];
    if (n)
      return result;
  }
  const KernelType *type = whole.type->kind == KERNEL_STRUCT
                               ? kernel_member (l, whole.type->record, expr->name, &first)
                               : NULL;
  if (!type) {
    if (!l->gave_up)
      kernel_error (l, expr->span, NULL, "this value has no member `%s`", expr->name);
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  }
  KernelValue value = { type, whole.cells + first, rsp_kernel_cells (l, type, expr->span) };
  return type->kind == KERNEL_ARRAY ? elements (l, value, expr->span) : value;
}

static KernelValue address (KernelLowerer *l, const KernelExpr *expr) {
  KernelPlace place;
  if (!rsp_kernel_place (l, expr->a, &place))
    return rsp_kernel_dummy (l, expr->span, rsp_kernel_pointer_to (l, &kernel_int));
  if (place.lanes)
    rsp_kernel_refuse (l, expr->span, NULL, "the address of several components");
  return rsp_kernel_scalar (l, rsp_kernel_address (l, place, expr->span),
                            rsp_kernel_pointer_to (l, place.type));
}

const KernelType *rsp_kernel_type_of (KernelLowerer *l, const KernelExpr *expr) {
  KernelCode code;
  KernelPlace place;
  if (expr->kind == KERNEL_CAST)
    return expr->type;
  if (expr->kind == KERNEL_COMPOUND)
    return compound_type (l, expr);
  KernelCode *outer = rsp_kernel_begin (l, &code);
  const KernelType *type = kernel_denotes_object (l, expr) && rsp_kernel_place (l, expr, &place)
                               ? place.type
                               : rsp_kernel_value (l, expr).type;
  rsp_kernel_end (l, &code, outer, expr->span);
  return type;
}

static KernelValue size (KernelLowerer *l, const KernelExpr *expr) {
  gint64 value = kernel_measured (l, expr);
  return rsp_kernel_scalar (l, rsp_kernel_constant (l, expr->span, value, &kernel_size),
                            &kernel_size);
}

/* ---- All kinds ---- */

static KernelValue literal (KernelLowerer *l, const KernelExpr *expr) {
  KernelType *type = rsp_arena_new0 (l->arena, KernelType, 1);
  *type = (KernelType){ .kind = expr->kind == KERNEL_REAL ? KERNEL_FLOAT : KERNEL_INTEGER,
                        .bits = expr->number.bits,
                        .is_signed = expr->number.is_signed,
                        .space = RSP_SPACE_PRIVATE };
  return rsp_kernel_scalar (l, rsp_kernel_constant (l, expr->span, expr->number.value, type), type);
}

static KernelValue value_of_kind (KernelLowerer *l, const KernelExpr *expr) {
  KernelPlace place;
  switch (expr->kind) {
  case KERNEL_NAME:
    return name (l, expr);
  case KERNEL_NUMBER:
  case KERNEL_REAL:
    return literal (l, expr);
  case KERNEL_CALL:
    return call (l, expr);
  case KERNEL_MEMBER:
    if (!kernel_denotes_object (l, expr->a))
      return member_of_value (l, expr);
    break;
  case KERNEL_ADDRESS:
    return address (l, expr);
  case KERNEL_UNARY:
    return kernel_unary (l, expr->span, expr->op, rsp_kernel_value (l, expr->a));
  case KERNEL_BINARY:
    if (expr->op == RSP_OP_COMMA)
      return comma (l, expr);
    if (expr->op == RSP_OP_LOGICAL_AND || expr->op == RSP_OP_LOGICAL_OR)
      return logic (l, expr);
    {
      KernelValue a = rsp_kernel_value (l, expr->a);
      if (kernel_must_be_sequenced (expr->a, expr->b))
        a = rsp_kernel_held (l, a, expr->a->span);
      return rsp_kernel_binary (l, expr->span, expr->op, a, rsp_kernel_value (l, expr->b));
    }
  case KERNEL_ASSIGN:
    return kernel_assign (l, expr);
  case KERNEL_STEP:
    return kernel_step_value (l, expr);
  case KERNEL_CONDITIONAL:
    return conditional (l, expr);
  case KERNEL_CAST:
    return kernel_cast (l, expr);
  case KERNEL_SIZEOF:
    return size (l, expr);
  case KERNEL_COMPOUND:
    return compound (l, expr);
  case KERNEL_INDEX:
  case KERNEL_DEREF:
  case KERNEL_STRING:
    break;
  case KERNEL_BRACES:
  case KERNEL_DESIGNATED:
    kernel_error (l, expr->span, NULL, "found braces, expected a value");
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  }
  if (!rsp_kernel_place (l, expr, &place))
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  return rsp_kernel_load (l, place, expr->span);
}

KernelValue rsp_kernel_value (KernelLowerer *l, const KernelExpr *expr) {
  if (l->depth >= KERNEL_MAX_DEPTH || l->gave_up) {
    rsp_kernel_refuse (l, expr->span, NULL, "an expression nested more than %d deep",
                       KERNEL_MAX_DEPTH);
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  }
  l->depth++;
  KernelValue value = value_of_kind (l, expr);
  l->depth--;
  return value;
}

RspExpr *rsp_kernel_scalar_value (KernelLowerer *l, const KernelExpr *expr,
                                  const KernelType **type) {
  return scalar_of (l, rsp_kernel_value (l, expr), expr->span, type);
}

static gboolean has_effect (const RspExpr *expr) {
  return expr->kind != RSP_EXPR_CONSTANT && expr->kind != RSP_EXPR_REGISTER
         && expr->kind != RSP_EXPR_LOCATION;
}

void rsp_kernel_effect (KernelLowerer *l, const KernelExpr *expr) {
  KernelValue value = rsp_kernel_value (l, expr);
  if (value.n == 1 && has_effect (value.cells[0]))
    rsp_kernel_emit_expr (l, value.cells[0]);
}
