/* Names and types of expressions and calls. */
#include "parser/c/c.h"
#include "parser/resolve/internal.h"
#include "parser/resolve/resolve.h"

#include <string.h>

static RspExpr *litmus_resolve_call (LitmusResolver *resolver, const CExpr *syntax);

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

/* Is the name that of a constant? */
static gboolean names_constant (const CExpr *name, gint64 *value) {
  *value = strcmp (name->name, "true") == 0;
  return *value || strcmp (name->name, "false") == 0 || strcmp (name->name, "NULL") == 0;
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

static RspExpr *resolve_step (LitmusResolver *resolver, const CExpr *syntax) {
  RspExpr *a = litmus_resolve_value (resolver, syntax->a);
  check_assignable (resolver, a);
  RspExpr *expr = new_node (resolver, syntax, RSP_EXPR_STEP, a, NULL);
  expr->type = litmus_value_type (a->type);
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

static RspExpr *resolve_deref (LitmusResolver *resolver, const CExpr *syntax) {
  RspExpr *a = litmus_resolve_value (resolver, syntax->a);
  RspExpr *expr = new_node (resolver, syntax, RSP_EXPR_DEREF, a, NULL);
  if (check_pointer (resolver, a))
    expr->type = litmus_value_type (litmus_pointed_type (a->type));
  return expr;
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
  const CVariable *written = syntax->written;
  LitmusShape shape = litmus_shape (resolver, written);
  RspType type = rsp_litmus_type (&written->specs->words, shape.stars.n + shape.is_array);
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

static RspExpr *resolve_kind (LitmusResolver *resolver, const CExpr *syntax) {
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
  case C_STEP:
    return resolve_step (resolver, syntax);
  case C_CONDITIONAL:
    if (!syntax->b)
      break;
    return resolve_conditional (resolver, syntax);
  case C_CAST:
    return resolve_cast (resolver, syntax);
  case C_DEREF:
    return resolve_deref (resolver, syntax);
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

RspExpr *litmus_resolve_expr (LitmusResolver *resolver, const CExpr *syntax) {
  if (resolver->depth + 1 == MAX_DEPTH) {
    if (!resolver->too_deep)
      litmus_error (
          resolver, syntax->span, NULL,
          "this expression is nested too deeply: more than %d operators within each other",
          MAX_DEPTH);
    resolver->too_deep = TRUE;
    return constant (resolver, syntax, 0, rsp_litmus_int_type ());
  }
  resolver->depth++;
  RspExpr *expr = resolve_kind (resolver, syntax);
  resolver->depth--;
  return expr;
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

/* Atomic operations, fences and barriers: arguments by the forms of parser/litmus/words.def, and
 * which orders C11 allows where (C11 7.17.7; OpenCL C 2.0, 6.13.11). */

/* A call whose arguments are being read. */
typedef struct Call {
  LitmusResolver *resolver;
  const CExpr *syntax;
  RspCall *call;
  guint next;      /* index of the next argument */
  RspType content; /* type of what the object argument points to */
} Call;

/* ---- Words as arguments ---- */
static const char *word_of (const CExpr *argument) {
  gint64 value;
  return argument->kind == C_NAME && !names_constant (argument, &value) ? argument->name : NULL;
}

static void report_word (LitmusResolver *resolver, const CExpr *argument, const char *expected,
                         const char *hint) {
  const char *word = word_of (argument);
  if (word)
    litmus_error (resolver, argument->span, hint, "found `%s`, expected %s", word, expected);
  else
    litmus_error (resolver, argument->span, hint, "found an expression, expected %s", expected);
}

static RspOrder read_order (LitmusResolver *resolver, const CExpr *argument) {
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

static RspScope read_scope (LitmusResolver *resolver, const CExpr *argument) {
  const char *word = word_of (argument);
  RspScope scope = RSP_SCOPE_DEVICE;
  if (word && rsp_litmus_scope_word (word, &scope))
    return scope;
  g_autofree char *hint = word ? rsp_litmus_scope_hint (word) : NULL;
  report_word (resolver, argument, "a memory scope", hint);
  return scope;
}

static gboolean is_flag_union (const CExpr *argument) {
  return argument->kind == C_BINARY && argument->op == RSP_OP_OR;
}

/* `CLK_…`, several joined by `|`, or 0. Walks down the left of the union. */
static guint read_flags (LitmusResolver *resolver, const CExpr *argument) {
  guint flags = 0, flag;
  for (gboolean more = TRUE; more;) {
    more = is_flag_union (argument);
    const CExpr *item = more ? argument->b : argument;
    const char *word = word_of (item);
    if (word && rsp_litmus_flag_word (word, &flag))
      flags |= flag;
    else if (item->kind != C_NUMBER || item->number.value != 0) {
      g_autofree char *hint = word ? rsp_litmus_flag_hint (word) : NULL;
      report_word (resolver, item, "fence flags such as `CLK_GLOBAL_MEM_FENCE`", hint);
    }
    argument = more ? argument->a : argument;
  }
  return flags;
}

static gboolean looks_like_flags (const CExpr *argument) {
  guint flag;
  const char *word = word_of (argument);
  return is_flag_union (argument) || argument->kind == C_NUMBER
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
static gboolean check_declared (const Call *c, const CExpr *argument) {
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

static RspExpr *read_address (Call *c, const CExpr *argument) {
  RspType pointer = rsp_litmus_int_type ();
  pointer.pointers = 1;
  if (!check_declared (c, argument))
    return constant (c->resolver, argument, 0, pointer);
  RspExpr *address = litmus_resolve_value (c->resolver, argument);
  if (!check_address (c, address))
    address->type = pointer;
  return address;
}

static RspExpr *read_object (Call *c, const CExpr *argument) {
  RspExpr *object = read_address (c, argument);
  c->content = litmus_pointed_type (object->type);
  if (c->call->kind != RSP_CALL_INIT)
    check_atomic (c->resolver, object);
  return object;
}

static RspExpr *read_value (Call *c, const CExpr *argument) {
  RspExpr *value = litmus_resolve_value (c->resolver, argument);
  litmus_check_conversion (c->resolver, value, c->content, "the location's type is");
  return value;
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
  guint least, most, n = c->syntax->args.n;
  count_arguments (form, &least, &most);
  if (n >= least && n <= most)
    return TRUE;
  g_autofree char *expected = least == most       ? g_strdup_printf ("%u", most)
                              : least + 1 == most ? g_strdup_printf ("%u or %u", least, most)
                                                  : g_strdup_printf ("%u to %u", least, most);
  litmus_error (c->resolver, c->syntax->span, NULL, "found %u argument%s, expected %s for `%s`", n,
                n == 1 ? "" : "s", expected, c->call->name);
  return FALSE;
}

/* Reads the next argument as the kind that the letter denotes. */
static void take_argument (Call *c, char letter) {
  const CExpr *argument = c->syntax->args.items[c->next];
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
  if (c->next == c->syntax->args.n)
    return FALSE;
  return letter != 'm' || looks_like_flags (c->syntax->args.items[c->next]);
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
      if (c->next == c->syntax->args.n) {
        litmus_error (c->resolver, c->syntax->span, NULL, "found too few arguments for `%s`",
                      c->call->name);
        return FALSE;
      }
      take_argument (c, *form);
    }
  if (c->next == c->syntax->args.n)
    return TRUE;
  report_word (c->resolver, c->syntax->args.items[c->next], "no more arguments", NULL);
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
                c->syntax->span, NULL, "`%s` with `%s`: %s", c->call->name, rsp_order_name (order),
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
    litmus_error (c->resolver, c->syntax->span, NULL, "`%s` on a location that holds an address",
                  c->call->name);
}

static void check_language (const LitmusResolver *resolver, const CExpr *syntax,
                            const LitmusCallForm *form) {
  if (form->kind == RSP_CALL_REDUCE && resolver->program->language->id != RSP_LANGUAGE_C)
    litmus_error (resolver, syntax->span,
                  "an `atomic_fetch_` operation without its result is similar",
                  "found a call to `%s`, which only C tests have", syntax->a->name);
}

static Call begin_call (LitmusResolver *resolver, const CExpr *syntax) {
  Call c = { .resolver = resolver, .syntax = syntax };
  c.call = rsp_arena_new0 (resolver->arena, RspCall, 1);
  c.call->name = syntax->a->name;
  c.call->n_arguments = syntax->args.n;
  c.call->arguments = rsp_arena_new0 (resolver->arena, RspSpan, syntax->args.n + 1);
  for (guint i = 0; i < syntax->args.n; i++)
    c.call->arguments[i] = ((const CExpr *) syntax->args.items[i])->span;
  return c;
}

static RspExpr *litmus_resolve_call (LitmusResolver *resolver, const CExpr *syntax) {
  const char *name = syntax->a->name;
  Call c = begin_call (resolver, syntax);
  c.content = rsp_litmus_int_type ();
  LitmusCallForm form;
  RspExpr *expr = new_expr (resolver, syntax, RSP_EXPR_CALL);
  expr->name = name;
  expr->u.call = c.call;
  expr->type = rsp_litmus_int_type ();
  if (!rsp_litmus_call_form (name, &form)) {
    g_autofree char *hint = rsp_litmus_call_hint (name);
    if (litmus_is_barrier (syntax))
      litmus_error (resolver, syntax->span, NULL, "`%s` is a statement, which has no value", name);
    else
      litmus_error (resolver, syntax->span, hint,
                    "found a call to `%s`, which is not an operation that tests may use", name);
    return expr;
  }
  check_language (resolver, syntax, &form);
  c.call->kind = form.kind;
  c.call->op = form.op;
  c.call->weak = form.weak;
  c.call->remote = form.remote;
  c.call->order = c.call->failure = RSP_ORDER_SEQ_CST;
  c.call->scope = RSP_SCOPE_DEVICE;
  c.call->flags = form.kind == RSP_CALL_FENCE ? RSP_FENCE_GLOBAL | RSP_FENCE_LOCAL : 0;
  if (!take_arguments (&c, form.arguments))
    return expr;
  expr->type = call_type (&c);
  check_operator (&c);
  check_orders (&c);
  return expr;
}

gboolean litmus_is_barrier (const CExpr *syntax) {
  return syntax && syntax->kind == C_CALL && syntax->a->kind == C_NAME
         && (strcmp (syntax->a->name, "barrier") == 0
             || strcmp (syntax->a->name, "work_group_barrier") == 0);
}

void litmus_resolve_barrier (LitmusResolver *resolver, const CExpr *syntax,
                             RspStatement *statement) {
  Call c = begin_call (resolver, syntax);
  c.call->scope = RSP_SCOPE_WORK_GROUP;
  take_arguments (&c, "m[s]");
  statement->flags = c.call->flags;
  statement->scope = c.call->scope;
  statement->wide = c.call->scope > RSP_SCOPE_WORK_GROUP && strcmp (c.call->name, "barrier") == 0;
  if (statement->wide && !resolver->program->wide_barrier.source)
    resolver->program->wide_barrier = statement->span;
}
