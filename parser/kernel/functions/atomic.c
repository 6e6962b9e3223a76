/* Atomic operations, fences and barriers: those of OpenCL C 2.0 (6.13.11), by the forms of
 * parser/litmus/words.def, and those of 1.x, which are relaxed and of scope device. */
#include "parser/kernel/functions/atomic.h"
#include "parser/kernel/lower/expr.h"
#include "parser/kernel/lower/fold.h"
#include "parser/kernel/lower/place.h"
#include "parser/kernel/lower/type.h"
#include "parser/kernel/lower/value.h"

#include "parser/litmus/words.h"
#include "parser/resolve/call.h"

#include <string.h>

/* A call whose arguments are being read. */
typedef struct Atomic {
  KernelLowerer *l;
  const KernelExpr *expr;
  RspCall *call;
  const KernelType *content; /* of the object */
  guint next;
} Atomic;

/* ---- Arguments ---- */

static const KernelExpr *next_argument (Atomic *a) {
  return a->next < a->expr->args.n ? a->expr->args.items[a->next++] : NULL;
}

static const char *word_of (const KernelExpr *argument) {
  return argument->kind == KERNEL_NAME ? argument->name : "";
}

static void report_word (Atomic *a, const KernelExpr *argument, const char *expected, char *hint) {
  g_autofree char *owned = hint;
  kernel_error (a->l, argument->span, owned, "found an argument that is not %s", expected);
}

/* The value of an argument that is a constant: the parameter of an inlined function may be one. */
static gboolean constant_argument (KernelLowerer *l, const KernelExpr *argument, gint64 *number) {
  RspOrder order;
  RspScope scope;
  const char *word = word_of (argument);
  gboolean known = !*word || rsp_kernel_find_name (l, word) || rsp_litmus_order_word (word, &order)
                   || rsp_litmus_scope_word (word, &scope);
  return rsp_kernel_evaluate (l, argument, number)
         || (known && rsp_kernel_constant_value (l, argument, number));
}

static RspOrder read_order (Atomic *a) {
  const KernelExpr *argument = next_argument (a);
  RspOrder order = RSP_ORDER_SEQ_CST;
  gint64 number;
  if (!constant_argument (a->l, argument, &number) || !rsp_kernel_order_of (number, &order)
      || order == RSP_ORDER_CONSUME)
    report_word (a, argument, "a memory order such as `memory_order_acquire`",
                 rsp_litmus_order_hint (word_of (argument)));
  return order;
}

static RspScope read_scope (Atomic *a) {
  const KernelExpr *argument = next_argument (a);
  RspScope scope = RSP_SCOPE_DEVICE;
  gint64 number;
  if (!constant_argument (a->l, argument, &number) || !rsp_kernel_scope_of (number, &scope))
    report_word (a, argument, "a memory scope such as `memory_scope_device`",
                 rsp_litmus_scope_hint (word_of (argument)));
  return scope;
}

/* `CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE`, or a constant. */
static gboolean add_flags (KernelLowerer *l, const KernelExpr *argument, guint *flags) {
  guint flag;
  gint64 number;
  if (argument->kind == KERNEL_BINARY && argument->op == RSP_OP_OR)
    return add_flags (l, argument->a, flags) && add_flags (l, argument->b, flags);
  if (rsp_litmus_flag_word (word_of (argument), &flag))
    *flags |= flag;
  else if (constant_argument (l, argument, &number))
    *flags |= rsp_kernel_flags_of (number);
  else
    return FALSE;
  return TRUE;
}

static guint read_flags (Atomic *a) {
  const KernelExpr *argument = next_argument (a);
  guint flags = 0;
  if (!add_flags (a->l, argument, &flags))
    report_word (a, argument, "a constant such as `CLK_GLOBAL_MEM_FENCE`", NULL);
  return flags;
}

static RspExpr *read_pointer (Atomic *a, const KernelType **content) {
  const KernelExpr *argument = next_argument (a);
  KernelValue pointer = rsp_kernel_value (a->l, argument);
  *content = &kernel_int;
  if (pointer.type->kind == KERNEL_POINTER && rsp_kernel_is_scalar (pointer.type->to))
    *content = pointer.type->to;
  else if (!a->l->gave_up)
    kernel_error (a->l, argument->span, "did you forget a `&`?",
                  "found an argument of `%s` that is not the address of a scalar",
                  a->expr->a->name);
  return pointer.n ? pointer.cells[0] : rsp_kernel_constant (a->l, argument->span, 0, &kernel_size);
}

static RspExpr *read_value (Atomic *a) {
  const KernelExpr *argument = next_argument (a);
  KernelValue value
      = rsp_kernel_to_type (a->l, rsp_kernel_value (a->l, argument), a->content, argument->span);
  return value.cells[0];
}

static void take_argument (Atomic *a, char letter) {
  const KernelType *content;
  switch (letter) {
  case 'p':
    a->call->object = read_pointer (a, &a->content);
    break;
  case 'e':
    a->call->expected = read_pointer (a, &content);
    break;
  case 'v':
    a->call->value = read_value (a);
    break;
  case 'o':
    a->call->order = read_order (a);
    break;
  case 'f':
    a->call->failure = read_order (a);
    break;
  case 's':
    a->call->scope = read_scope (a);
    break;
  default:
    a->call->flags = read_flags (a);
  }
}

/* Arguments by the form; those in brackets are optional, and at the end. FALSE with an error. */
static gboolean take_arguments (Atomic *a, const char *form) {
  guint least = 0, most = 0, n = a->expr->args.n;
  gboolean optional = FALSE;
  for (const char *c = form; *c; c++)
    if (*c == '[' || *c == ']')
      optional = *c == '[';
    else {
      most++;
      least += !optional;
    }
  if (n < least || n > most) {
    kernel_error (a->l, a->expr->span, NULL, "found %u argument%s of `%s`, expected %u%s", n,
                  n == 1 ? "" : "s", a->expr->a->name, least, most > least ? " or more" : "");
    return FALSE;
  }
  for (const char *c = form; *c && a->next < n; c++)
    if (*c != '[' && *c != ']')
      take_argument (a, *c);
  return TRUE;
}

/* ---- Calls ---- */

static RspExpr *call_expr (const Atomic *a, const KernelType *type) {
  RspExpr *expr = rsp_arena_new0 (a->l->arena, RspExpr, 1);
  expr->kind = RSP_EXPR_CALL;
  expr->span = a->expr->span;
  expr->type = rsp_kernel_cell_type (type);
  expr->u.call = a->call;
  expr->name = a->call->name;
  return expr;
}

static Atomic begin_call (KernelLowerer *l, const KernelExpr *expr, RspCallKind kind) {
  Atomic a = { .l = l, .expr = expr, .content = &kernel_int };
  a.call = rsp_arena_new0 (l->arena, RspCall, 1);
  a.call->kind = kind;
  a.call->order = a.call->failure = RSP_ORDER_SEQ_CST;
  a.call->scope = RSP_SCOPE_DEVICE;
  a.call->name = expr->a->name;
  a.call->n_arguments = expr->args.n;
  a.call->arguments = rsp_arena_new0 (l->arena, RspExpr *, expr->args.n + 1);
  for (guint i = 0; i < expr->args.n; i++) {
    a.call->arguments[i] = rsp_arena_new0 (l->arena, RspExpr, 1);
    a.call->arguments[i]->span = ((const KernelExpr *) expr->args.items[i])->span;
  }
  return a;
}

static const KernelType *result_type (const Atomic *a) {
  switch (a->call->kind) {
  case RSP_CALL_LOAD:
  case RSP_CALL_FETCH:
  case RSP_CALL_SWAP:
    return a->content;
  case RSP_CALL_CAS:
  case RSP_CALL_FLAG_TEST_AND_SET:
    return &kernel_bool;
  default:
    return &kernel_void;
  }
}

static KernelValue finish_call (const Atomic *a) {
  const KernelType *type = result_type (a);
  RspOrder order;
  const char *mistake = rsp_call_order_mistake (a->call, &order);
  if (mistake)
    kernel_error (a->l, a->expr->span, NULL, "`%s` with `%s`: %s", a->call->name,
                  rsp_order_name (order), mistake);
  if (a->content->kind == KERNEL_FLOAT && a->call->kind == RSP_CALL_FETCH
      && a->call->op != RSP_OP_EXCHANGE)
    rsp_kernel_refuse (a->l, a->expr->span, "use an integer", "`%s` on a floating-point number",
                       a->call->name);
  if (type->kind != KERNEL_VOID)
    return rsp_kernel_scalar (a->l, call_expr (a, type), type);
  rsp_kernel_emit_expr (a->l, call_expr (a, &kernel_void));
  return rsp_kernel_no_value ();
}

/* The forms of OpenCL C 2.0. */
static gboolean new_atomic (KernelLowerer *l, const KernelExpr *expr, KernelValue *value) {
  LitmusCallForm form;
  if (!rsp_litmus_call_form (expr->a->name, &form) || !g_str_has_prefix (expr->a->name, "atomic_")
      || form.kind == RSP_CALL_REDUCE)
    return FALSE;
  Atomic a = begin_call (l, expr, form.kind);
  a.call->op = form.op;
  a.call->weak = form.weak;
  a.call->remote = form.remote;
  a.call->flags = form.kind == RSP_CALL_FENCE ? RSP_FENCE_GLOBAL | RSP_FENCE_LOCAL : 0;
  *value = take_arguments (&a, form.arguments) ? finish_call (&a)
                                               : rsp_kernel_dummy (l, expr->span, result_type (&a));
  return TRUE;
}

/* ---- OpenCL C 1.x ---- */

static const struct {
  const char *name; /* after atomic_ or atom_ */
  RspOperator op;
  const char *form;
} old_atomics[] = {
#define OLD_ATOMIC(name, op, form) { name, RSP_OP_##op, form },
#include "parser/kernel/functions/atomics.def"
};

/* atomic_cmpxchg (p, expected, desired): the old value, which is what a compare-exchange leaves in
 * *expected either way. */
static KernelValue compare_exchange (KernelLowerer *l, const KernelExpr *expr) {
  Atomic a = begin_call (l, expr, RSP_CALL_CAS);
  a.call->order = a.call->failure = RSP_ORDER_RELAXED;
  if (expr->args.n != 3) {
    kernel_error (l, expr->span, NULL, "found %u arguments of `%s`, expected 3", expr->args.n,
                  expr->a->name);
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  }
  take_argument (&a, 'p');
  RspExpr *expected = read_value (&a);
  take_argument (&a, 'v');
  KernelPlace place = rsp_kernel_registers (
      a.content, rsp_kernel_add_registers (l, "", a.content, FALSE, expr->span));
  rsp_kernel_store (l, place, rsp_kernel_scalar (l, expected, a.content), expr->span);
  a.call->expected = rsp_kernel_address (l, place, expr->span);
  rsp_kernel_emit_expr (l, call_expr (&a, &kernel_bool));
  return rsp_kernel_load (l, place, expr->span);
}

static gboolean old_atomic (KernelLowerer *l, const KernelExpr *expr, KernelValue *value) {
  const char *name = expr->a->name;
  const char *rest = g_str_has_prefix (name, "atomic_") ? name + 7
                     : g_str_has_prefix (name, "atom_") ? name + 5
                                                        : NULL;
  if (rest && strcmp (rest, "cmpxchg") == 0) {
    *value = compare_exchange (l, expr);
    return TRUE;
  }
  for (gsize i = 0; rest && i < G_N_ELEMENTS (old_atomics); i++)
    if (strcmp (rest, old_atomics[i].name) == 0) {
      Atomic a = begin_call (l, expr, RSP_CALL_FETCH);
      a.call->op = old_atomics[i].op;
      a.call->order = RSP_ORDER_RELAXED;
      if (!take_arguments (&a, old_atomics[i].form))
        *value = rsp_kernel_dummy (l, expr->span, &kernel_int);
      else {
        if (!a.call->value)
          a.call->value = rsp_kernel_constant (l, expr->span, 1, a.content);
        *value = finish_call (&a);
      }
      return TRUE;
    }
  return FALSE;
}

/* ---- Fences and barriers ---- */

/* The fences of OpenCL C 1.x. */
static gboolean old_fence (KernelLowerer *l, const KernelExpr *expr, KernelValue *value) {
  static const struct {
    const char *name;
    RspOrder order;
  } fences[] = {
#define OLD_FENCE(name, order) { name, RSP_ORDER_##order },
#include "parser/kernel/functions/atomics.def"
  };
  for (gsize i = 0; i < G_N_ELEMENTS (fences); i++)
    if (strcmp (expr->a->name, fences[i].name) == 0) {
      Atomic a = begin_call (l, expr, RSP_CALL_FENCE);
      a.call->order = fences[i].order;
      a.call->scope = RSP_SCOPE_WORK_GROUP;
      *value = take_arguments (&a, "m") ? finish_call (&a) : rsp_kernel_no_value ();
      return TRUE;
    }
  return FALSE;
}

/* Work-items wait for each other at the same barrier of the text, in the same calls. */
static const char *barrier_label (KernelLowerer *l, RspSpan span) {
  guint line, column;
  rsp_source_position (span.source, span.begin, &line, &column);
  return rsp_arena_printf (l->arena, "%u:%u%s", line, column, l->frame->place);
}

static gboolean barrier (KernelLowerer *l, const KernelExpr *expr, KernelValue *value) {
  const char *name = expr->a->name;
  gboolean sub_group = strcmp (name, "sub_group_barrier") == 0;
  if (strcmp (name, "barrier") != 0 && strcmp (name, "work_group_barrier") != 0 && !sub_group)
    return FALSE;
  Atomic a = begin_call (l, expr, RSP_CALL_FENCE);
  *value = rsp_kernel_no_value ();
  a.call->scope = sub_group ? RSP_SCOPE_SUB_GROUP : RSP_SCOPE_WORK_GROUP;
  if (!take_arguments (&a, "m[s]"))
    return TRUE;
  RspStatement *statement = rsp_kernel_emit (l, RSP_STATEMENT_BARRIER, expr->span);
  statement->flags = a.call->flags;
  statement->scope = a.call->scope;
  statement->sub_group = sub_group;
  statement->label = barrier_label (l, expr->span);
  return TRUE;
}

gboolean kernel_atomic (KernelLowerer *l, const KernelExpr *expr, KernelValue *value) {
  return barrier (l, expr, value) || old_fence (l, expr, value) || new_atomic (l, expr, value)
         || old_atomic (l, expr, value);
}
