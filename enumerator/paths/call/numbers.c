#include "enumerator/paths/call/numbers.h"
#include "parser/arithmetic.h"

enum { MAX_NUMBERS = 128, VALUE_BITS = 64 };

/* NULL: any number, as in a register or memory. */
typedef struct Operation {
  RspOperator op;
  const RspExpr *a, *b;
} Operation;

typedef struct Numbers {
  GArray *values;     /* of gint64 */
  GArray *operations; /* of Operation */
} Numbers;

static void add_number (GArray *values, gint64 value) {
  for (guint i = 0; i < values->len; i++)
    if (g_array_index (values, gint64, i) == value)
      return;
  g_array_append_val (values, value);
}

/* ---- The program's ---- */

static void add_operation (Numbers *numbers, RspOperator op, const RspExpr *a, const RspExpr *b) {
  Operation operation = { op, a, b };
  g_array_append_val (numbers->operations, operation);
}

/* A program in columns only has constants, registers, locations, assignments, calls and binary
 * operations; a comparison is a jump's, and nobody's value. */
static void add_expr (Numbers *numbers, const RspExpr *expr) {
  if (!expr)
    return;
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
    add_number (numbers->values, expr->u.constant);
    return;
  case RSP_EXPR_LOCATION:
    add_number (numbers->values, rsp_address (expr->u.object, 0));
    return;
  case RSP_EXPR_CALL:
    if (expr->u.call->kind == RSP_CALL_FETCH && expr->u.call->op != RSP_OP_EXCHANGE)
      add_operation (numbers, expr->u.call->op, NULL, expr->u.call->value);
    add_expr (numbers, expr->u.call->value);
    return;
  case RSP_EXPR_BINARY:
  case RSP_EXPR_ASSIGN:
    if (expr->kind == RSP_EXPR_BINARY && !rsp_operator_is_comparison (expr->u.node.op))
      add_operation (numbers, expr->u.node.op, expr->u.node.a, expr->u.node.b);
    add_expr (numbers, expr->u.node.a);
    add_expr (numbers, expr->u.node.b);
    return;
  default:
    return;
  }
}

/* How many operations may come one after the other? Each jump back may repeat all of its thread. */
static guint add_thread (Numbers *numbers, const RspThread *thread, guint unroll) {
  guint before = numbers->operations->len, rounds = 1;
  for (guint i = 0; i < thread->n_registers; i++)
    add_number (numbers->values, thread->registers[i].initial);
  for (const RspStatement *s = thread->body->first; s; s = s->next) {
    add_expr (numbers, s->expr);
    if (s->kind == RSP_STATEMENT_JUMP && s->target->index <= s->index)
      rounds = MIN (rounds * (unroll + 1), MAX_NUMBERS);
  }
  return MIN ((numbers->operations->len - before) * rounds, MAX_NUMBERS);
}

/* ---- What operations make of them ---- */

static gboolean is_operand (const RspExpr *operand, gint64 value) {
  if (operand && operand->kind == RSP_EXPR_CONSTANT)
    return value == operand->u.constant;
  if (operand && operand->kind == RSP_EXPR_LOCATION)
    return value == rsp_address (operand->u.object, 0);
  return TRUE;
}

/* The results of one more operation. FALSE if there are too many numbers. */
static gboolean operate (const Numbers *numbers) {
  GArray *values = numbers->values;
  guint n = values->len;
  for (guint i = 0; i < numbers->operations->len; i++) {
    const Operation *operation = &g_array_index (numbers->operations, Operation, i);
    for (guint j = 0; j < n * n && values->len <= MAX_NUMBERS; j++) {
      gint64 a = g_array_index (values, gint64, j / n), b = g_array_index (values, gint64, j % n);
      gint64 result;
      if (is_operand (operation->a, a) && is_operand (operation->b, b)
          && rsp_fold_binary (operation->op, a, b, VALUE_BITS, TRUE, &result))
        add_number (values, result);
    }
  }
  return values->len <= MAX_NUMBERS;
}

GArray *program_numbers (const RspProgram *program, guint unroll, gboolean *complete) {
  Numbers numbers = { .values = g_array_new (FALSE, FALSE, sizeof (gint64)),
                      .operations = g_array_new (FALSE, FALSE, sizeof (Operation)) };
  guint longest = 0, before = 0;
  for (guint i = 0; i < program->n_locations; i++)
    add_number (numbers.values, program->locations[i].initial);
  for (guint t = 0; t < program->n_threads; t++)
    longest += add_thread (&numbers, &program->threads[t], unroll);
  *complete = TRUE;
  for (guint i = 0; i < longest && *complete && numbers.values->len > before; i++) {
    before = numbers.values->len;
    *complete = operate (&numbers);
  }
  g_array_unref (numbers.operations);
  return numbers.values;
}
