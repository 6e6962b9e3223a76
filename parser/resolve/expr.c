/* Expressions and their types (C11 6.3.1 and 6.5). */
#include "parser/resolve/expr.h"
#include "parser/litmus/types.h"
#include "parser/resolve/call.h"
#include "parser/resolve/initial.h"
#include "parser/resolve/thread.h"

enum {
  MAX_DEPTH = 1000 /* limit of an expression's depth */
};

/* ---- Types ---- */

gboolean litmus_is_void (RspType type) { return type.bits == 0 && type.pointers == 0; }

RspType litmus_value_type (RspType type) {
  if (type.pointers)
    return type;
  return (RspType){ .bits = type.bits, .is_signed = type.is_signed, .space = RSP_SPACE_PRIVATE };
}

RspType litmus_pointed_type (RspType pointer) {
  pointer.pointers--;
  return pointer;
}

static RspType promoted (RspType type) {
  return type.bits < 32 ? rsp_litmus_int_type () : litmus_value_type (type);
}

/* The usual arithmetic conversions. */
static RspType common_type (RspType a, RspType b) {
  a = promoted (a);
  b = promoted (b);
  if (a.bits != b.bits)
    return a.bits > b.bits ? a : b;
  return a.is_signed ? b : a;
}

static gboolean is_null (const RspExpr *expr) {
  return expr->kind == RSP_EXPR_CONSTANT && expr->u.constant == 0;
}

/* ---- Checks ---- */

char *litmus_content_hint (const RspExpr *expr) {
  if (expr->kind != RSP_EXPR_LOCATION)
    return NULL;
  return g_strdup_printf ("`%s` is an address; did you mean `*%s`?", expr->name, expr->name);
}

static void report_operand (LitmusResolver *resolver, const RspExpr *expr, const char *expected) {
  g_autofree char *name = rsp_litmus_type_name (expr->type);
  g_autofree char *hint = litmus_content_hint (expr);
  litmus_error (resolver, expr->span, hint, "found a value of type `%s`, expected %s", name,
                expected);
}

/* Reports a pointer where an integer is needed. */
static gboolean check_integer (LitmusResolver *resolver, const RspExpr *expr) {
  if (!expr->type.pointers)
    return TRUE;
  report_operand (resolver, expr, "an integer");
  return FALSE;
}

gboolean litmus_may_store (const RspExpr *expr, RspType type) {
  RspType from = expr->type;
  if (type.pointers)
    return from.pointers || is_null (expr);
  return !from.pointers || type.bits == 64 || type.bits == 1;
}

void litmus_check_conversion (LitmusResolver *resolver, const RspExpr *expr, RspType type,
                              const char *where) {
  if (litmus_may_store (expr, type))
    return;
  RspType from = expr->type;
  g_autofree char *from_name = rsp_litmus_type_name (from), *name = rsp_litmus_type_name (type);
  g_autofree char *hint = litmus_content_hint (expr);
  litmus_error (resolver, expr->span, hint, "found a value of type `%s`, but %s `%s`", from_name,
                where, name);
}

/* Can the (resolved) expression be assigned to? If not, reports it. */
static gboolean check_assignable (LitmusResolver *resolver, const RspExpr *expr) {
  if (expr->kind == RSP_EXPR_REGISTER || expr->kind == RSP_EXPR_DEREF
      || expr->kind == RSP_EXPR_INDEX)
    return TRUE;
  g_autofree char *hint = litmus_content_hint (expr);
  litmus_error (resolver, expr->span, hint,
                "this cannot be assigned to: expected a register, `*p` or `a[i]`");
  return FALSE;
}

/* ---- Operators ---- */

static RspType additive_type (LitmusResolver *resolver, RspOperator op, const RspExpr *a,
                              const RspExpr *b) {
  if (a->type.pointers && b->type.pointers && op == RSP_OP_SUB)
    return (RspType){ .bits = 64, .is_signed = TRUE, .space = RSP_SPACE_PRIVATE };
  if (a->type.pointers && !b->type.pointers)
    return a->type;
  if (b->type.pointers && !a->type.pointers && op == RSP_OP_ADD)
    return b->type;
  check_integer (resolver, b);
  return a->type;
}

static RspType comparison_type (LitmusResolver *resolver, const RspExpr *a, const RspExpr *b) {
  gboolean a_pointer = a->type.pointers > 0, b_pointer = b->type.pointers > 0;
  if (a_pointer != b_pointer && !is_null (a_pointer ? b : a))
    report_operand (resolver, a_pointer ? a : b, "an integer, as on the other side");
  return rsp_litmus_int_type ();
}

/* The type of `a op b`; both are resolved. */
static RspType binary_type (LitmusResolver *resolver, RspOperator op, const RspExpr *a,
                            const RspExpr *b) {
  switch (op) {
  case RSP_OP_EQ:
  case RSP_OP_NE:
  case RSP_OP_LT:
  case RSP_OP_LE:
  case RSP_OP_GT:
  case RSP_OP_GE:
    return comparison_type (resolver, a, b);
  case RSP_OP_ADD:
  case RSP_OP_SUB:
    if (a->type.pointers || b->type.pointers)
      return additive_type (resolver, op, a, b);
    break;
  case RSP_OP_SHL:
  case RSP_OP_SHR:
    check_integer (resolver, b);
    return check_integer (resolver, a) ? promoted (a->type) : rsp_litmus_int_type ();
  default:
    break;
  }
  if (!check_integer (resolver, a) || !check_integer (resolver, b))
    return rsp_litmus_int_type ();
  return common_type (a->type, b->type);
}

static void resolve_binary (LitmusResolver *resolver, RspExpr *expr) {
  RspExpr *a = expr->u.node.a, *b = expr->u.node.b;
  switch (expr->u.node.op) {
  case RSP_OP_COMMA:
    litmus_resolve_expr (resolver, a);
    litmus_resolve_expr (resolver, b);
    expr->type = litmus_value_type (b->type);
    break;
  case RSP_OP_LOGICAL_AND:
  case RSP_OP_LOGICAL_OR:
    litmus_resolve_test (resolver, a);
    litmus_resolve_test (resolver, b);
    expr->type = rsp_litmus_int_type ();
    break;
  default:
    litmus_resolve_value (resolver, a);
    litmus_resolve_value (resolver, b);
    expr->type = binary_type (resolver, expr->u.node.op, a, b);
  }
}

static void resolve_unary (LitmusResolver *resolver, RspExpr *expr) {
  RspExpr *a = expr->u.node.a;
  expr->type = rsp_litmus_int_type ();
  if (expr->u.node.op == RSP_OP_LOGICAL_NOT) {
    litmus_resolve_test (resolver, a);
    return;
  }
  litmus_resolve_value (resolver, a);
  if (check_integer (resolver, a))
    expr->type = promoted (a->type);
}

static void resolve_assignment (LitmusResolver *resolver, RspExpr *expr) {
  RspExpr *a = expr->u.node.a, *b = expr->u.node.b;
  RspOperator op = expr->u.node.op;
  litmus_resolve_value (resolver, b);
  /* An undeclared register takes the type of the first value assigned to it. */
  if (a->kind == RSP_EXPR_REGISTER && a->u.reg == G_MAXUINT && op == RSP_OP_NONE)
    litmus_resolve_name (resolver, a, b->type.pointers ? b->type : promoted (b->type));
  else
    litmus_resolve_value (resolver, a);
  expr->type = litmus_value_type (a->type);
  if (!check_assignable (resolver, a))
    return;
  if (op != RSP_OP_NONE)
    binary_type (resolver, op, a, b);
  else
    litmus_check_conversion (resolver, b, a->type, "the target has type");
}

static void resolve_step (LitmusResolver *resolver, RspExpr *expr) {
  litmus_resolve_value (resolver, expr->u.node.a);
  check_assignable (resolver, expr->u.node.a);
  expr->type = litmus_value_type (expr->u.node.a->type);
}

static void resolve_conditional (LitmusResolver *resolver, RspExpr *expr) {
  RspExpr *b = expr->u.node.b, *c = expr->u.node.c;
  litmus_resolve_test (resolver, expr->u.node.a);
  litmus_resolve_expr (resolver, b);
  litmus_resolve_expr (resolver, c);
  if (litmus_is_void (b->type) || litmus_is_void (c->type))
    expr->type = (RspType){ .space = RSP_SPACE_PRIVATE };
  else if (b->type.pointers && (c->type.pointers || is_null (c)))
    expr->type = b->type;
  else if (c->type.pointers && is_null (b))
    expr->type = c->type;
  else if (check_integer (resolver, b) && check_integer (resolver, c))
    expr->type = common_type (b->type, c->type);
  else
    expr->type = rsp_litmus_int_type ();
}

/* ---- Memory ---- */

/* Checks that a pointer can be dereferenced. */
static gboolean check_pointer (LitmusResolver *resolver, const RspExpr *expr) {
  if (expr->type.pointers && !litmus_is_void (litmus_pointed_type (expr->type)))
    return TRUE;
  report_operand (resolver, expr, "a pointer");
  return FALSE;
}

static void resolve_deref (LitmusResolver *resolver, RspExpr *expr) {
  RspExpr *a = expr->u.node.a;
  litmus_resolve_value (resolver, a);
  expr->type = rsp_litmus_int_type ();
  if (check_pointer (resolver, a))
    expr->type = litmus_value_type (litmus_pointed_type (a->type));
}

static void resolve_index (LitmusResolver *resolver, RspExpr *expr) {
  litmus_resolve_value (resolver, expr->u.node.a);
  litmus_resolve_value (resolver, expr->u.node.b);
  if (!expr->u.node.a->type.pointers && expr->u.node.b->type.pointers) {
    RspExpr *array = expr->u.node.b; /* `1[a]` is `a[1]` */
    expr->u.node.b = expr->u.node.a;
    expr->u.node.a = array;
  }
  expr->type = rsp_litmus_int_type ();
  if (check_pointer (resolver, expr->u.node.a) && check_integer (resolver, expr->u.node.b))
    expr->type = litmus_value_type (litmus_pointed_type (expr->u.node.a->type));
}

/* `&x` of a parameter is taken as `x`: the address of the parameter itself is of no use to a
 * test. */
static void take_parameter (LitmusResolver *resolver, RspExpr *expr) {
  const RspExpr *a = expr->u.node.a;
  RspSpan span = expr->span;
  litmus_warning (resolver, span, NULL, "`%s` is an address already: `&%s` is taken as `%s`",
                  a->name, a->name, a->name);
  *expr = *a;
  expr->span = span;
}

static void resolve_address (LitmusResolver *resolver, RspExpr *expr) {
  RspExpr *a = expr->u.node.a;
  litmus_resolve_value (resolver, a);
  switch (a->kind) {
  case RSP_EXPR_LOCATION:
    take_parameter (resolver, expr);
    break;
  case RSP_EXPR_REGISTER:
    expr->type = a->type;
    expr->type.space = RSP_SPACE_PRIVATE;
    expr->type.pointers++;
    break;
  case RSP_EXPR_DEREF:
  case RSP_EXPR_INDEX:
    expr->type = a->u.node.a->type;
    break;
  default:
    litmus_error (resolver, a->span, NULL,
                  "this has no address: expected a register, `*p` or `a[i]`");
    expr->type = a->type;
    expr->type.pointers++;
  }
}

static void resolve_cast (LitmusResolver *resolver, RspExpr *expr) {
  if (litmus_is_void (expr->type))
    litmus_resolve_expr (resolver, expr->u.node.a);
  else
    litmus_resolve_value (resolver, expr->u.node.a);
  if (expr->type.pointers && expr->u.node.a->kind == RSP_EXPR_CONSTANT)
    litmus_check_pointer_number (resolver, expr->span, expr->u.node.a->u.constant);
  expr->type = litmus_value_type (expr->type);
}

/* ---- All ---- */

static void resolve_kind (LitmusResolver *resolver, RspExpr *expr) {
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_LOCATION:
  case RSP_EXPR_BLOCK: /* not in tests */
    break;
  case RSP_EXPR_REGISTER:
    litmus_resolve_name (resolver, expr, rsp_litmus_int_type ());
    break;
  case RSP_EXPR_UNARY:
    resolve_unary (resolver, expr);
    break;
  case RSP_EXPR_BINARY:
    resolve_binary (resolver, expr);
    break;
  case RSP_EXPR_ASSIGN:
    resolve_assignment (resolver, expr);
    break;
  case RSP_EXPR_STEP:
    resolve_step (resolver, expr);
    break;
  case RSP_EXPR_CONDITIONAL:
    resolve_conditional (resolver, expr);
    break;
  case RSP_EXPR_CAST:
    resolve_cast (resolver, expr);
    break;
  case RSP_EXPR_DEREF:
    resolve_deref (resolver, expr);
    break;
  case RSP_EXPR_INDEX:
    resolve_index (resolver, expr);
    break;
  case RSP_EXPR_ADDRESS:
    resolve_address (resolver, expr);
    break;
  case RSP_EXPR_CALL:
    litmus_resolve_call (resolver, expr);
    break;
  }
}

void litmus_resolve_expr (LitmusResolver *resolver, RspExpr *expr) {
  resolver->depth++;
  if (resolver->depth == MAX_DEPTH && !resolver->too_deep)
    litmus_error (resolver, expr->span, NULL,
                  "this expression is nested too deeply: more than %d operators within each other",
                  MAX_DEPTH);
  resolver->too_deep |= resolver->depth == MAX_DEPTH;
  if (resolver->depth < MAX_DEPTH)
    resolve_kind (resolver, expr);
  else
    expr->type = rsp_litmus_int_type ();
  resolver->depth--;
}

void litmus_resolve_value (LitmusResolver *resolver, RspExpr *expr) {
  litmus_resolve_expr (resolver, expr);
  if (!litmus_is_void (expr->type))
    return;
  litmus_error (resolver, expr->span, NULL, "this has no value, but one is needed");
  expr->type = rsp_litmus_int_type ();
}

void litmus_resolve_test (LitmusResolver *resolver, RspExpr *expr) {
  litmus_resolve_value (resolver, expr);
  g_autofree char *hint = litmus_content_hint (expr);
  if (hint)
    litmus_warning (resolver, expr->span, hint, "this is always true");
  if (expr->kind == RSP_EXPR_ASSIGN && !expr->in_parentheses)
    litmus_warning (resolver, expr->span,
                    "`==` compares; put an assignment that is meant in parentheses",
                    "assignment used as a condition");
}
