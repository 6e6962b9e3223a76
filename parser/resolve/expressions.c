/* Names and types of expressions and calls. */
#include "parser/c/c.h"
#include "parser/resolve/internal.h"
#include "parser/resolve/resolve.h"

#include <string.h>

static RspExpr *litmus_resolve_call (LitmusResolver *resolver, const CExpr *syntax);

/* ---- Expr ----------------------------------------------------------------------------------- */

/* Expressions and their types (C11 6.3.1 and 6.5). */

/* ---- Types ---- */
static gboolean litmus_is_void (RspType type) { return type.bits == 0 && type.pointers == 0; }

/* The type of a value read from an object of this type. */
static RspType litmus_value_type (RspType type) {
  if (type.pointers)
    return type;
  return (RspType){ .bits = type.bits, .is_signed = type.is_signed, .space = RSP_SPACE_PRIVATE };
}

static RspType litmus_pointed_type (RspType pointer) {
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

/* Is the name that of a constant? */
static gboolean names_constant (const CExpr *name, gint64 *value) {
  *value = strcmp (name->name, "true") == 0;
  return *value || strcmp (name->name, "false") == 0 || strcmp (name->name, "NULL") == 0;
}

/* ---- Operators ---- */
/* The type of `a op b`; both are resolved. */
static RspType binary_type (LitmusResolver *resolver, RspOperator op, const RspExpr *a,
                            const RspExpr *b) {
  switch (op) {
  case RSP_OP_EQ:
  case RSP_OP_NE:
  case RSP_OP_LT:
  case RSP_OP_LE:
  case RSP_OP_GT:
  case RSP_OP_GE: {
    gboolean a_pointer = a->type.pointers > 0, b_pointer = b->type.pointers > 0;
    if (a_pointer != b_pointer && !is_null (a_pointer ? b : a))
      report_operand (resolver, a_pointer ? a : b, "an integer, as on the other side");
    return rsp_litmus_int_type ();
  }
  case RSP_OP_ADD:
  case RSP_OP_SUB:
    if (a->type.pointers || b->type.pointers) {
      if (a->type.pointers && b->type.pointers && op == RSP_OP_SUB)
        return (RspType){ .bits = 64, .is_signed = TRUE, .space = RSP_SPACE_PRIVATE };
      if (a->type.pointers && !b->type.pointers)
        return a->type;
      if (b->type.pointers && !a->type.pointers && op == RSP_OP_ADD)
        return b->type;
      check_integer (resolver, b);
      return a->type;
    }
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

static RspExpr *new_expr (LitmusResolver *resolver, const CExpr *syntax, RspExprKind kind) {
  RspExpr *expr = rsp_arena_new0 (resolver->arena, RspExpr, 1);
  expr->kind = kind;
  expr->span = syntax->span;
  return expr;
}

static RspExpr *new_node (LitmusResolver *resolver, const CExpr *syntax, RspExprKind kind,
                          RspExpr *a, RspExpr *b) {
  RspExpr *expr = new_expr (resolver, syntax, kind);
  expr->u.node.op = syntax->op;
  expr->u.node.post = syntax->post;
  expr->u.node.a = a;
  expr->u.node.b = b;
  expr->type = rsp_litmus_int_type ();
  return expr;
}

static RspExpr *resolve_binary (LitmusResolver *resolver, const CExpr *syntax) {
  gboolean comma = syntax->op == RSP_OP_COMMA;
  gboolean logic = syntax->op == RSP_OP_LOGICAL_AND || syntax->op == RSP_OP_LOGICAL_OR;
  RspExpr *(*resolve) (LitmusResolver *, const CExpr *) = comma   ? litmus_resolve_expr
                                                          : logic ? litmus_resolve_test
                                                                  : litmus_resolve_value;
  RspExpr *a = resolve (resolver, syntax->a), *b = resolve (resolver, syntax->b);
  RspExpr *expr = new_node (resolver, syntax, RSP_EXPR_BINARY, a, b);
  if (comma)
    expr->type = litmus_value_type (b->type);
  else if (!logic)
    expr->type = binary_type (resolver, syntax->op, a, b);
  return expr;
}

static RspExpr *resolve_unary (LitmusResolver *resolver, const CExpr *syntax) {
  gboolean logic = syntax->op == RSP_OP_LOGICAL_NOT;
  RspExpr *a = logic ? litmus_resolve_test (resolver, syntax->a)
                     : litmus_resolve_value (resolver, syntax->a);
  RspExpr *expr = new_node (resolver, syntax, RSP_EXPR_UNARY, a, NULL);
  if (!logic && check_integer (resolver, a))
    expr->type = promoted (a->type);
  return expr;
}

static RspExpr *resolve_assignment (LitmusResolver *resolver, const CExpr *syntax) {
  RspExpr *b = litmus_resolve_value (resolver, syntax->b), *a;
  /* An undeclared register takes the type of the first value assigned to it. */
  gint64 value;
  if (syntax->a->kind == C_NAME && !names_constant (syntax->a, &value) && syntax->op == RSP_OP_NONE)
    a = litmus_resolve_name (resolver, syntax->a, b->type.pointers ? b->type : promoted (b->type));
  else
    a = litmus_resolve_value (resolver, syntax->a);
  RspExpr *expr = new_node (resolver, syntax, RSP_EXPR_ASSIGN, a, b);
  expr->type = litmus_value_type (a->type);
  if (!check_assignable (resolver, a))
    return expr;
  if (syntax->op != RSP_OP_NONE)
    binary_type (resolver, syntax->op, a, b);
  else
    litmus_check_conversion (resolver, b, a->type, "the target has type");
  return expr;
}

static RspExpr *resolve_conditional (LitmusResolver *resolver, const CExpr *syntax) {
  RspExpr *a = litmus_resolve_test (resolver, syntax->a),
          *b = litmus_resolve_expr (resolver, syntax->b),
          *c = litmus_resolve_expr (resolver, syntax->c);
  RspExpr *expr = new_node (resolver, syntax, RSP_EXPR_CONDITIONAL, a, b);
  expr->u.node.c = c;
  if (litmus_is_void (b->type) || litmus_is_void (c->type))
    expr->type = (RspType){ .space = RSP_SPACE_PRIVATE };
  else if (b->type.pointers && (c->type.pointers || is_null (c)))
    expr->type = b->type;
  else if (c->type.pointers && is_null (b))
    expr->type = c->type;
  else if (check_integer (resolver, b) && check_integer (resolver, c))
    expr->type = common_type (b->type, c->type);
  return expr;
}

/* ---- Memory ---- */
/* Checks that a pointer can be dereferenced. */
static gboolean check_pointer (LitmusResolver *resolver, const RspExpr *expr) {
  if (expr->type.pointers && !litmus_is_void (litmus_pointed_type (expr->type)))
    return TRUE;
  report_operand (resolver, expr, "a pointer");
  return FALSE;
}

static RspExpr *resolve_index (LitmusResolver *resolver, const CExpr *syntax) {
  RspExpr *a = litmus_resolve_value (resolver, syntax->a),
          *b = litmus_resolve_value (resolver, syntax->b);
  gboolean swapped = !a->type.pointers && b->type.pointers; /* `1[a]` is `a[1]` */
  RspExpr *array = swapped ? b : a, *index = swapped ? a : b;
  RspExpr *expr = new_node (resolver, syntax, RSP_EXPR_INDEX, array, index);
  if (check_pointer (resolver, array) && check_integer (resolver, index))
    expr->type = litmus_value_type (litmus_pointed_type (array->type));
  return expr;
}

static RspExpr *resolve_address (LitmusResolver *resolver, const CExpr *syntax) {
  RspExpr *a = litmus_resolve_value (resolver, syntax->a);
  RspExpr *expr = new_node (resolver, syntax, RSP_EXPR_ADDRESS, a, NULL);
  switch (a->kind) {
  case RSP_EXPR_LOCATION:
    /* The address of the parameter itself is of no use to a test. */
    litmus_warning (resolver, syntax->span, NULL,
                    "`%s` is an address already: `&%s` is taken as `%s`", a->name, a->name,
                    a->name);
    *expr = *a;
    expr->span = syntax->span;
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
  return expr;
}

static RspExpr *resolve_cast (LitmusResolver *resolver, const CExpr *syntax) {
  RspType type = litmus_type_of (syntax->type);
  litmus_check_type (resolver, syntax->type, syntax->span);
  RspExpr *a = litmus_is_void (type) ? litmus_resolve_expr (resolver, syntax->a)
                                     : litmus_resolve_value (resolver, syntax->a);
  RspExpr *expr = new_node (resolver, syntax, RSP_EXPR_CAST, a, NULL);
  if (type.pointers && a->kind == RSP_EXPR_CONSTANT)
    litmus_check_pointer_number (resolver, syntax->span, a->u.constant);
  expr->type = litmus_value_type (type);
  return expr;
}

/* ---- All ---- */
static RspExpr *constant (LitmusResolver *resolver, const CExpr *syntax, gint64 value,
                          RspType type) {
  RspExpr *expr = new_expr (resolver, syntax, RSP_EXPR_CONSTANT);
  expr->u.constant = value;
  expr->type = type;
  return expr;
}

RspExpr *litmus_resolve_expr (LitmusResolver *resolver, const CExpr *syntax) {
  gint64 value;
  switch (syntax->kind) {
  case C_NUMBER:
    return constant (resolver, syntax, syntax->number.value,
                     rsp_litmus_number_type (syntax->number));
  case C_NAME:
    if (names_constant (syntax, &value))
      return constant (resolver, syntax, value,
                       strcmp (syntax->name, "NULL") == 0 ? rsp_litmus_null_type ()
                                                          : rsp_litmus_int_type ());
    return litmus_resolve_name (resolver, syntax, rsp_litmus_int_type ());
  case C_UNARY:
    return resolve_unary (resolver, syntax);
  case C_BINARY:
    return resolve_binary (resolver, syntax);
  case C_ASSIGN:
    return resolve_assignment (resolver, syntax);
  case C_STEP: {
    RspExpr *a = litmus_resolve_value (resolver, syntax->a);
    check_assignable (resolver, a);
    RspExpr *expr = new_node (resolver, syntax, RSP_EXPR_STEP, a, NULL);
    expr->type = litmus_value_type (a->type);
    return expr;
  }
  case C_CONDITIONAL:
    if (!syntax->b)
      break;
    return resolve_conditional (resolver, syntax);
  case C_CAST:
    return resolve_cast (resolver, syntax);
  case C_DEREF: {
    RspExpr *a = litmus_resolve_value (resolver, syntax->a);
    RspExpr *expr = new_node (resolver, syntax, RSP_EXPR_DEREF, a, NULL);
    if (check_pointer (resolver, a))
      expr->type = litmus_value_type (litmus_pointed_type (a->type));
    return expr;
  }
  case C_INDEX:
    return resolve_index (resolver, syntax);
  case C_ADDRESS:
    return resolve_address (resolver, syntax);
  case C_CALL:
    if (syntax->a->kind != C_NAME)
      break;
    return litmus_resolve_call (resolver, syntax);
  default:
    break;
  }
  litmus_error (resolver, syntax->span, NULL,
                "this is outside the part of C that tests are written in");
  return constant (resolver, syntax, 0, rsp_litmus_int_type ());
}

RspExpr *litmus_resolve_value (LitmusResolver *resolver, const CExpr *syntax) {
  RspExpr *expr = litmus_resolve_expr (resolver, syntax);
  if (!litmus_is_void (expr->type))
    return expr;
  litmus_error (resolver, expr->span, NULL, "this has no value, but one is needed");
  expr->type = rsp_litmus_int_type ();
  return expr;
}

RspExpr *litmus_resolve_test (LitmusResolver *resolver, const CExpr *syntax) {
  RspExpr *expr = litmus_resolve_value (resolver, syntax);
  g_autofree char *hint = litmus_content_hint (expr);
  if (hint)
    litmus_warning (resolver, expr->span, hint, "this is always true");
  if (syntax->kind == C_ASSIGN && !syntax->in_parentheses)
    litmus_warning (resolver, expr->span,
                    "`==` compares; put an assignment that is meant in parentheses",
                    "assignment used as a condition");
  return expr;
}

/* ---- Call ----------------------------------------------------------------------------------- */

/* Atomic operations, fences and barriers. */

typedef struct Call {
  CCall base;
  LitmusResolver *resolver;
  RspType content; /* type of what the object argument points to */
} Call;

/* ---- Arguments ---- */
/* An undeclared name would be a register that holds 0, which is not an address. */
static gboolean check_declared (const Call *c, const CExpr *argument) {
  if (argument->kind != C_NAME || names_constant (argument, &(gint64){ 0 })
      || litmus_is_declared (c->resolver, argument->name))
    return TRUE;
  g_autofree char *hint = litmus_name_hint (c->resolver, argument->name);
  litmus_error (c->resolver, argument->span, hint, "found `%s`, which is not a parameter of %s",
                argument->name, c->resolver->thread->name);
  return FALSE;
}

static gboolean check_address (const Call *c, const RspExpr *argument) {
  RspType type = argument->type;
  if (type.pointers && !litmus_is_void (litmus_pointed_type (type)))
    return TRUE;
  gboolean content = argument->kind == RSP_EXPR_DEREF, element = argument->kind == RSP_EXPR_INDEX;
  g_autofree char *name = rsp_litmus_type_name (type);
  g_autofree char *hint = content && argument->u.node.a->kind == RSP_EXPR_LOCATION
                              ? g_strdup_printf ("did you mean `%s`?", argument->u.node.a->name)
                          : content || element ? g_strdup ("did you forget a `&`?")
                                               : NULL;
  litmus_error (c->resolver, argument->span, hint,
                "argument %u of `%s` has type `%s`, expected the address of a location",
                c->base.next + 1, c->base.call->name, name);
  return FALSE;
}

static RspExpr *read_pointer (CCall *base, const CExpr *argument, gboolean is_object) {
  Call *c = (Call *) base;
  RspType pointer = rsp_litmus_int_type ();
  pointer.pointers = 1;
  RspExpr *address;
  if (check_declared (c, argument)) {
    address = litmus_resolve_value (c->resolver, argument);
    if (!check_address (c, address))
      address->type = pointer;
  } else
    address = constant (c->resolver, argument, 0, pointer);
  if (!is_object)
    return address;
  c->content = litmus_pointed_type (address->type);
  LitmusObject *object
      = address->kind == RSP_EXPR_LOCATION ? litmus_find_object (c->resolver, address->name) : NULL;
  if (base->call->kind != RSP_CALL_INIT && object && !object->atomic && !object->warned
      && !object->type.pointers) { /* no thread declares it atomic: an error in C */
    object->warned = TRUE;
    litmus_warning (c->resolver, address->span, NULL,
                    "atomic operation on `%s`, which nothing declares atomic", address->name);
  }
  return address;
}

static RspExpr *read_value (CCall *base, const CExpr *argument) {
  const Call *c = (const Call *) base;
  RspExpr *value = litmus_resolve_value (c->resolver, argument);
  litmus_check_conversion (c->resolver, value, c->content, "the location's type is");
  return value;
}

/* ---- Calls ---- */
static Call new_call (LitmusResolver *resolver) {
  return (Call){ .base = { .diagnostics = resolver->diagnostics,
                           .words = &resolver->program->words,
                           .is_c = resolver->program->language->id == RSP_LANGUAGE_C,
                           .pointer = read_pointer,
                           .value = read_value },
                 .resolver = resolver,
                 .content = rsp_litmus_int_type () };
}

static RspExpr *litmus_resolve_call (LitmusResolver *resolver, const CExpr *syntax) {
  const char *name = syntax->a->name, *form;
  Call c = new_call (resolver);
  if (litmus_is_barrier (syntax)) {
    litmus_error (resolver, syntax->span, NULL, "`%s` is a statement, which has no value", name);
    return constant (resolver, syntax, 0, rsp_litmus_int_type ());
  }
  if (!c_begin_operation (&c.base, resolver->arena, syntax, &form)) {
    g_autofree char *hint = rsp_litmus_call_hint (name);
    litmus_error (resolver, syntax->span, hint,
                  "found a call to `%s`, which is not an operation that tests may use", name);
    return constant (resolver, syntax, 0, rsp_litmus_int_type ());
  }
  RspCallKind kind = c.base.call->kind;
  gboolean unless = rsp_call_is_unless (kind);
  if ((unless || kind == RSP_CALL_REDUCE) && !c.base.is_c)
    litmus_error (resolver, syntax->span,
                  unless ? "use a loop around `atomic_compare_exchange_strong (p, &old, old + a)`"
                         : "an `atomic_fetch_` operation without its result is similar",
                  "found a call to `%s`, which only C tests have", name);
  RspExpr *expr = new_expr (resolver, syntax, RSP_EXPR_CALL);
  expr->name = name;
  expr->u.call = c.base.call;
  expr->type = rsp_litmus_int_type ();
  if (!c_take_arguments (&c.base, form))
    return expr;
  CResult result = c_call_result (kind);
  expr->type = result == C_RESULT_CONTENT
                   ? litmus_value_type (c.content)
                   : (RspType){ .bits = result == C_RESULT_BOOL, .space = RSP_SPACE_PRIVATE };
  const RspCall *call = c.base.call;
  gboolean computes = unless || kind == RSP_CALL_FETCH || kind == RSP_CALL_REDUCE;
  /* fetch_and and the like make no sense on a pointer; adding does. */
  if (computes && c.content.pointers && call->op != RSP_OP_EXCHANGE && call->op != RSP_OP_ADD
      && call->op != RSP_OP_SUB)
    litmus_error (resolver, syntax->span, NULL, "`%s` on a location that holds an address",
                  call->name);
  c_check_orders (&c.base, resolver->strict ? RSP_ERROR : RSP_WARNING);
  return expr;
}

gboolean litmus_is_barrier (const CExpr *syntax) {
  return syntax && syntax->kind == C_CALL && syntax->a->kind == C_NAME
         && (strcmp (syntax->a->name, "barrier") == 0
             || strcmp (syntax->a->name, "work_group_barrier") == 0);
}

void litmus_resolve_barrier (LitmusResolver *resolver, const CExpr *syntax,
                             RspStatement *statement) {
  Call c = new_call (resolver);
  c_begin_call (&c.base, resolver->arena, syntax, RSP_CALL_FENCE);
  const RspCall *call = c.base.call;
  c.base.call->scope = RSP_SCOPE_WORK_GROUP;
  c_take_arguments (&c.base, "m[s]");
  statement->words = call->words;
  statement->flags = call->flags;
  statement->scope = call->scope;
  statement->wide = rsp_scope_is_wider (call->scope, RSP_SCOPE_WORK_GROUP)
                    && strcmp (call->name, "barrier") == 0;
  if (statement->wide && !resolver->program->wide_barrier.source)
    resolver->program->wide_barrier = statement->span;
}
