/* Atomic operations, fences and barriers: arguments by the forms of parser/litmus/words.def, and
 * which orders C11 allows where (C11 7.17.7; OpenCL C 2.0, 6.13.11). */
#include "parser/resolve/call.h"
#include "parser/litmus/types.h"
#include "parser/litmus/words.h"
#include "parser/resolve/expr.h"
#include "parser/resolve/objects.h"
#include "parser/resolve/thread.h"

#include <string.h>

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

void litmus_resolve_call (LitmusResolver *resolver, RspExpr *expr) {
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
