/* Names and types of expressions and calls. */
#include "parser/litmus/litmus.h"
#include "parser/resolve/internal.h"
#include "parser/resolve/resolve.h"

#include <string.h>

static void litmus_resolve_call (LitmusResolver *resolver, RspExpr *expr);

/* ---- Expr ----------------------------------------------------------------------------------- */

/* Expressions and their types (C11 6.3.1 and 6.5). */

enum {
  MAX_DEPTH = 1000 /* limit of an expression's depth */
};

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

/* ---- Call ----------------------------------------------------------------------------------- */

/* Atomic operations, fences and barriers: arguments by the forms of parser/litmus/words.def, and
 * which orders C11 allows where (C11 7.17.7; OpenCL C 2.0, 6.13.11). */

/* A call whose arguments are being read. */
typedef struct Call {
  LitmusResolver *resolver;
  RspExpr *expr;
  RspCall *call;
  guint next;      /* index of the next argument */
  RspType content; /* type of what the object argument points to */
} Call;

/* ---- Words as arguments ---- */
static const char *word_of (const RspExpr *argument) {
  return argument->kind == RSP_EXPR_REGISTER ? argument->name : NULL;
}

static void report_word (LitmusResolver *resolver, const RspExpr *argument, const char *expected,
                         const char *hint) {
  const char *word = word_of (argument);
  if (word)
    litmus_error (resolver, argument->span, hint, "found `%s`, expected %s", word, expected);
  else
    litmus_error (resolver, argument->span, hint, "found an expression, expected %s", expected);
}

static RspOrder read_order (LitmusResolver *resolver, const RspExpr *argument) {
  const char *word = word_of (argument);
  RspOrder order = RSP_ORDER_SEQ_CST;
  if (word && rsp_litmus_order_word (word, &order)) {
    if (order == RSP_ORDER_CONSUME && resolver->program->language->id == RSP_LANGUAGE_OPENCL)
      litmus_error (resolver, argument->span, NULL,
                    "found `%s`, which OpenCL does not have: expected a memory order", word);
    return order;
  }
  g_autofree char *hint = word ? rsp_litmus_order_hint (word) : NULL;
  report_word (resolver, argument, "a memory order", hint);
  return order;
}

static RspScope read_scope (LitmusResolver *resolver, const RspExpr *argument) {
  const char *word = word_of (argument);
  RspScope scope = RSP_SCOPE_DEVICE;
  if (word && rsp_litmus_scope_word (word, &scope))
    return scope;
  g_autofree char *hint = word ? rsp_litmus_scope_hint (word) : NULL;
  report_word (resolver, argument, "a memory scope", hint);
  return scope;
}

static gboolean is_flag_union (const RspExpr *argument) {
  return argument->kind == RSP_EXPR_BINARY && argument->u.node.op == RSP_OP_OR;
}

/* `CLK_…`, several joined by `|`, or 0. Walks down the left of the union. */
static guint read_flags (LitmusResolver *resolver, const RspExpr *argument) {
  guint flags = 0, flag;
  for (gboolean more = TRUE; more;) {
    more = is_flag_union (argument);
    const RspExpr *item = more ? argument->u.node.b : argument;
    const char *word = word_of (item);
    if (word && rsp_litmus_flag_word (word, &flag))
      flags |= flag;
    else if (item->kind != RSP_EXPR_CONSTANT || item->u.constant != 0) {
      g_autofree char *hint = word ? rsp_litmus_flag_hint (word) : NULL;
      report_word (resolver, item, "fence flags such as `CLK_GLOBAL_MEM_FENCE`", hint);
    }
    argument = more ? argument->u.node.a : argument;
  }
  return flags;
}

static gboolean looks_like_flags (const RspExpr *argument) {
  guint flag;
  const char *word = word_of (argument);
  return is_flag_union (argument) || argument->kind == RSP_EXPR_CONSTANT
         || (word && rsp_litmus_flag_word (word, &flag));
}

/* ---- Values as arguments ---- */
/* Warns about an atomic operation on a location that no thread declares atomic, which is an error
 * in C. */
static void check_atomic (LitmusResolver *resolver, const RspExpr *argument) {
  if (argument->kind != RSP_EXPR_LOCATION)
    return;
  LitmusObject *object = litmus_find_object (resolver, argument->name);
  if (!object || object->atomic || object->warned || object->type.pointers)
    return;
  object->warned = TRUE;
  litmus_warning (resolver, argument->span, NULL,
                  "atomic operation on `%s`, which nothing declares atomic", argument->name);
}

/* `*x` or `a[i]` where the address of a location is needed. */
static char *address_hint (const RspExpr *argument) {
  if (argument->kind == RSP_EXPR_DEREF && argument->u.node.a->kind == RSP_EXPR_LOCATION)
    return g_strdup_printf ("did you mean `%s`?", argument->u.node.a->name);
  if (argument->kind == RSP_EXPR_DEREF || argument->kind == RSP_EXPR_INDEX)
    return g_strdup ("did you forget a `&`?");
  return NULL;
}

/* An undeclared name would be a register that holds 0, which is not an address. */
static gboolean check_declared (const Call *c, const RspExpr *argument) {
  const char *word = word_of (argument);
  if (!word || litmus_is_declared (c->resolver, word))
    return TRUE;
  g_autofree char *hint = litmus_name_hint (c->resolver, word);
  litmus_error (c->resolver, argument->span, hint, "found `%s`, which is not a parameter of %s",
                word, c->resolver->thread->name);
  return FALSE;
}

static gboolean check_address (const Call *c, const RspExpr *argument) {
  RspType type = argument->type;
  if (type.pointers && !litmus_is_void (litmus_pointed_type (type)))
    return TRUE;
  g_autofree char *hint = address_hint (argument), *name = rsp_litmus_type_name (type);
  litmus_error (c->resolver, argument->span, hint,
                "argument %u of `%s` has type `%s`, expected the address of a location",
                c->next + 1, c->call->name, name);
  return FALSE;
}

static RspExpr *read_address (Call *c, RspExpr *argument) {
  gboolean good = check_declared (c, argument);
  if (good)
    litmus_resolve_value (c->resolver, argument);
  if (good && check_address (c, argument))
    return argument;
  argument->type = rsp_litmus_int_type ();
  argument->type.pointers = 1;
  return argument;
}

static RspExpr *read_object (Call *c, RspExpr *argument) {
  read_address (c, argument);
  c->content = litmus_pointed_type (argument->type);
  if (c->call->kind != RSP_CALL_INIT)
    check_atomic (c->resolver, argument);
  return argument;
}

static RspExpr *read_value (Call *c, RspExpr *argument) {
  litmus_resolve_value (c->resolver, argument);
  litmus_check_conversion (c->resolver, argument, c->content, "the location's type is");
  return argument;
}

/* ---- Forms ---- */
/* Least and most arguments of a form. */
static void count_arguments (const char *form, guint *least, guint *most) {
  gboolean optional = FALSE;
  *least = *most = 0;
  for (; *form; form++)
    if (*form == '[' || *form == ']')
      optional = *form == '[';
    else {
      *most += 1;
      *least += !optional;
    }
}

static gboolean check_count (Call *c, const char *form) {
  guint least, most, n = c->call->n_arguments;
  count_arguments (form, &least, &most);
  if (n >= least && n <= most)
    return TRUE;
  g_autofree char *expected = least == most       ? g_strdup_printf ("%u", most)
                              : least + 1 == most ? g_strdup_printf ("%u or %u", least, most)
                                                  : g_strdup_printf ("%u to %u", least, most);
  litmus_error (c->resolver, c->expr->span, NULL, "found %u argument%s, expected %s for `%s`", n,
                n == 1 ? "" : "s", expected, c->call->name);
  return FALSE;
}

/* Reads the next argument as the kind that the letter denotes. */
static void take_argument (Call *c, char letter) {
  RspExpr *argument = c->call->arguments[c->next];
  switch (letter) {
  case 'p':
    c->call->object = read_object (c, argument);
    break;
  case 'e':
    c->call->expected = read_address (c, argument);
    break;
  case 'v':
    c->call->value = read_value (c, argument);
    break;
  case 'o':
    c->call->order = read_order (c->resolver, argument);
    break;
  case 'f':
    c->call->failure = read_order (c->resolver, argument);
    break;
  case 's':
    c->call->scope = read_scope (c->resolver, argument);
    break;
  default:
    c->call->flags = read_flags (c->resolver, argument);
  }
  c->next++;
}

static gboolean has_optional (const Call *c, char letter) {
  if (c->next == c->call->n_arguments)
    return FALSE;
  return letter != 'm' || looks_like_flags (c->call->arguments[c->next]);
}

/* FALSE, with an error, if the arguments do not fit the form. */
static gboolean take_arguments (Call *c, const char *form) {
  gboolean optional = FALSE;
  if (!check_count (c, form))
    return FALSE;
  for (; *form; form++)
    if (*form == '[' || *form == ']')
      optional = *form == '[';
    else if (!optional || has_optional (c, *form)) {
      if (c->next == c->call->n_arguments) {
        litmus_error (c->resolver, c->expr->span, NULL, "found too few arguments for `%s`",
                      c->call->name);
        return FALSE;
      }
      take_argument (c, *form);
    }
  if (c->next == c->call->n_arguments)
    return TRUE;
  report_word (c->resolver, c->call->arguments[c->next], "no more arguments", NULL);
  return FALSE;
}

/* ---- Orders ---- */
static gboolean one_of (RspOrder order, RspOrder a, RspOrder b) { return order == a || order == b; }

/* Is `failure` no stronger than `success`? acquire and release cannot be compared. */
static gboolean failure_allowed (RspOrder failure, RspOrder success) {
  gboolean acquires = success == RSP_ORDER_ACQUIRE || success == RSP_ORDER_ACQ_REL
                      || success == RSP_ORDER_SEQ_CST;
  switch (failure) {
  case RSP_ORDER_RELAXED:
    return TRUE;
  case RSP_ORDER_CONSUME:
    return acquires || success == RSP_ORDER_CONSUME;
  case RSP_ORDER_ACQUIRE:
    return acquires;
  default:
    return success == RSP_ORDER_SEQ_CST;
  }
}

const char *rsp_call_order_mistake (const RspCall *call, RspOrder *order) {
  *order = call->order;
  switch (call->kind) {
  case RSP_CALL_LOAD:
    return one_of (*order, RSP_ORDER_RELEASE, RSP_ORDER_ACQ_REL) ? "C11 has no load that releases"
                                                                 : NULL;
  case RSP_CALL_REDUCE:
    return one_of (*order, RSP_ORDER_ACQUIRE, RSP_ORDER_ACQ_REL) || *order == RSP_ORDER_CONSUME
               ? "C++26 has no reduction that acquires"
               : NULL;
  case RSP_CALL_STORE:
  case RSP_CALL_FLAG_CLEAR:
    return one_of (*order, RSP_ORDER_ACQUIRE, RSP_ORDER_ACQ_REL) || *order == RSP_ORDER_CONSUME
               ? "C11 has no store that acquires"
               : NULL;
  case RSP_CALL_CAS:
    *order = call->failure;
    if (one_of (*order, RSP_ORDER_RELEASE, RSP_ORDER_ACQ_REL))
      return "a failed compare-exchange is a load, which cannot release";
    return failure_allowed (*order, call->order)
               ? NULL
               : "the failure order is stronger than the success order";
  default:
    return NULL;
  }
}

static void check_orders (const Call *c) {
  RspOrder order;
  const char *why = rsp_call_order_mistake (c->call, &order);
  if (why)
    rsp_report (c->resolver->diagnostics, c->resolver->strict ? RSP_ERROR : RSP_WARNING,
                c->expr->span, NULL, "`%s` with `%s`: %s", c->call->name, rsp_order_name (order),
                why);
}

/* ---- Calls ---- */
static RspType call_type (const Call *c) {
  switch (c->call->kind) {
  case RSP_CALL_LOAD:
  case RSP_CALL_FETCH:
  case RSP_CALL_SWAP:
    return litmus_value_type (c->content);
  case RSP_CALL_CAS:
  case RSP_CALL_FLAG_TEST_AND_SET:
    return (RspType){ .bits = 1, .space = RSP_SPACE_PRIVATE };
  case RSP_CALL_STORE:
  case RSP_CALL_REDUCE:
  case RSP_CALL_FENCE:
  case RSP_CALL_FLAG_CLEAR:
  case RSP_CALL_INIT:
    break;
  }
  return (RspType){ .space = RSP_SPACE_PRIVATE };
}

/* fetch_and and the like make no sense on a pointer; adding does. */
static void check_operator (const Call *c) {
  RspOperator op = c->call->op;
  gboolean computes = c->call->kind == RSP_CALL_FETCH || c->call->kind == RSP_CALL_REDUCE;
  if (computes && c->content.pointers && op != RSP_OP_EXCHANGE && op != RSP_OP_ADD
      && op != RSP_OP_SUB)
    litmus_error (c->resolver, c->expr->span, NULL, "`%s` on a location that holds an address",
                  c->call->name);
}

static void check_language (const LitmusResolver *resolver, const RspExpr *expr,
                            const LitmusCallForm *form) {
  if (form->kind == RSP_CALL_REDUCE && resolver->program->language->id != RSP_LANGUAGE_C)
    litmus_error (resolver, expr->span,
                  "an `atomic_fetch_` operation without its result is similar",
                  "found a call to `%s`, which only C tests have", expr->name);
}

static void litmus_resolve_call (LitmusResolver *resolver, RspExpr *expr) {
  Call c = { .resolver = resolver, .expr = expr, .call = expr->u.call };
  c.content = rsp_litmus_int_type ();
  LitmusCallForm form;
  expr->type = rsp_litmus_int_type ();
  if (!rsp_litmus_call_form (expr->name, &form)) {
    g_autofree char *hint = rsp_litmus_call_hint (expr->name);
    litmus_error (resolver, expr->span, hint,
                  "found a call to `%s`, which is not an operation that tests may use", expr->name);
    return;
  }
  check_language (resolver, expr, &form);
  c.call->kind = form.kind;
  c.call->op = form.op;
  c.call->weak = form.weak;
  c.call->remote = form.remote;
  c.call->order = c.call->failure = RSP_ORDER_SEQ_CST;
  c.call->scope = RSP_SCOPE_DEVICE;
  c.call->flags = form.kind == RSP_CALL_FENCE ? RSP_FENCE_GLOBAL | RSP_FENCE_LOCAL : 0;
  if (!take_arguments (&c, form.arguments))
    return;
  expr->type = call_type (&c);
  check_operator (&c);
  check_orders (&c);
}

void litmus_resolve_barrier (LitmusResolver *resolver, RspStatement *statement) {
  Call c = { .resolver = resolver, .expr = statement->expr, .call = statement->expr->u.call };
  c.call->scope = RSP_SCOPE_WORK_GROUP;
  take_arguments (&c, "m[s]");
  statement->flags = c.call->flags;
  statement->scope = c.call->scope;
  statement->wide = c.call->scope > RSP_SCOPE_WORK_GROUP && g_str_equal (c.expr->name, "barrier");
  statement->expr = NULL;
  if (statement->wide && !resolver->program->wide_barrier.source)
    resolver->program->wide_barrier = statement->span;
}
