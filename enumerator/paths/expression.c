/* Symbolic execution of expressions, sequenced as in C11 (6.5): operands are unsequenced against
 * each other; &&, ||, ?: and the comma have a sequence point after their first operand. */
#include "enumerator/paths/expression.h"
#include "enumerator/paths/access.h"
#include "enumerator/paths/assign.h"
#include "enumerator/paths/call/call.h"
#include "enumerator/paths/operator.h"
#include "enumerator/paths/state.h"
#include "enumerator/paths/statement.h"
#include "enumerator/terms/condition.h"
#include "enumerator/terms/simplify.h"

void expression_operands (RspExecutor *x, const RspExpr *expr, RspEvaluate evaluate_a,
                          const RspExpr *a, const RspExpr *b, RspState *state, RspCombine combine,
                          RspStates *out) {
  RspStates left = { 0 }, right = { 0 };
  evaluate_a (x, a, state, &left);
  while ((state = states_take (&left))) {
    RspPathValue value = state->value;
    if (state->status == RSP_STATE_RUNNING && b)
      expression_evaluate (x, b, state, &right);
    else
      states_append (&right, state);
    while ((state = states_take (&right)))
      if (state->status == RSP_STATE_RUNNING)
        combine (x, expr, value, state, out);
      else
        states_append (out, state);
  }
}

/* ---- Plain operators ---- */

static void combine_binary (RspExecutor *x, const RspExpr *expr, RspPathValue a, RspState *state,
                            RspStates *out) {
  const RspTerm *b = state->value.term;
  RspStates failed = { 0 };
  if (operator_needs_one_object (expr))
    state = operate_on_pointers (x, state, expr, a, state->value, &failed);
  else
    state = operate (x, state, expr->u.node.op, a, state->value, expr->span, &failed);
  if (state) {
    const RspTerm *pointer = expr->u.node.a->type.pointers ? a.term : b;
    state->value.term = term_to_type (x, state->value.term, &expr->type);
    if (expr->type.pointers)
      state->value.term = operator_stay_in_object (x, pointer, state->value.term);
    states_append (out, state);
  }
  states_move (out, &failed);
}

static void combine_unary (RspExecutor *x, const RspExpr *expr, RspPathValue a, RspState *state,
                           RspStates *out) {
  operate_unary (x, state, expr->u.node.op, a, expr->span);
  state->value.term = term_to_type (x, state->value.term, &expr->type);
  states_append (out, state);
}

static void combine_cast (RspExecutor *x, const RspExpr *expr, RspPathValue a, RspState *state,
                          RspStates *out) {
  state->value = a;
  state->value.term = term_to_type (x, a.term, &expr->type);
  states_append (out, state);
}

/* Reads the contents of the address a. */
static void combine_read (RspExecutor *x, const RspExpr *expr, RspPathValue a, RspState *state,
                          RspStates *out) {
  const RspEventSet *before = state->before;
  RspStates places = { 0 };
  state->before = event_set_union (x, before, a.after);
  access_resolve (x, state, a.term, expr->span, &places);
  while ((state = states_take (&places))) {
    if (state->status == RSP_STATE_RUNNING) {
      expr->is_copied ? access_copy (x, state, a.sources, expr->span)
                      : access_read (x, state, a.sources, expr->span);
      state->value.term = term_to_type (x, state->value.term, &expr->type);
    }
    state->before = before;
    states_append (out, state);
  }
}

/* ---- Sequence points ---- */

gboolean expression_is_pure (const RspExpr *expr) {
  RspOperator op = expr->u.node.op;
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_LOCATION:
  case RSP_EXPR_REGISTER:
    return TRUE;
  case RSP_EXPR_UNARY:
  case RSP_EXPR_CAST:
    return expression_is_pure (expr->u.node.a);
  case RSP_EXPR_BINARY:
    return op != RSP_OP_DIV && op != RSP_OP_MOD && !rsp_operator_is_shift (op)
           && !operator_needs_one_object (expr) && expression_is_pure (expr->u.node.a)
           && expression_is_pure (expr->u.node.b);
  default:
    return FALSE;
  }
}

/* An expression's first operand, followed by a sequence point: its value, and the number of the
 * first event of the whole expression. */
typedef struct First {
  RspPathValue value;
  guint event;
} First;

/* Evaluates b after all of the first operand, on which the choice to evaluate b may have depended.
 * type NULL: the value is that of the condition. */
static void evaluate_second (RspExecutor *x, const RspExpr *b, const RspType *type,
                             const First *first, RspState *state, RspStates *out) {
  const RspEventSet *before = state->before;
  const RspEventSet *point = event_set_with_range (x, before, first->event, state->n_events);
  RspStates results = { 0 };
  state->before = point;
  expression_evaluate (x, b, state, &results);
  while ((state = states_take (&results))) {
    RspPathValue *value = &state->value;
    if (state->status == RSP_STATE_RUNNING) {
      value->after = event_set_union (x, point, value->after);
      value->sources = event_set_union (x, value->sources, first->value.sources);
      value->term
          = type ? term_to_type (x, value->term, type) : rsp_term_condition (x->terms, value->term);
    }
    state->before = before;
    states_append (out, state);
  }
}

/* && or ||, if the first operand decides it. */
static void finish_decided (RspExecutor *x, gboolean result, const First *first, RspState *state,
                            RspStates *out) {
  state->value = first->value;
  state->value.term = rsp_term_constant (x->terms, result, 32, TRUE);
  state->value.after = event_set_with_range (x, state->before, first->event, state->n_events);
  states_append (out, state);
}

/* && or || with a second operand that can always be evaluated, so that no branch is needed. */
static void combine_pure_logic (RspExecutor *x, const RspExpr *expr, const First *first,
                                RspState *state, RspStates *out) {
  RspOperator op = expr->u.node.op == RSP_OP_LOGICAL_AND ? RSP_OP_AND : RSP_OP_OR;
  const RspTerm *a = rsp_term_condition (x->terms, first->value.term);
  RspStates results = { 0 };
  evaluate_second (x, expr->u.node.b, NULL, first, state, &results);
  while ((state = states_take (&results))) {
    if (state->status == RSP_STATE_RUNNING)
      state->value.term = rsp_term_binary (x->terms, op, a, state->value.term);
    states_append (out, state);
  }
}

static void finish_logic (RspExecutor *x, const RspExpr *expr, const First *first, RspState *state,
                          RspStates *out) {
  gboolean is_and = expr->u.node.op == RSP_OP_LOGICAL_AND;
  RspState *yes, *no;
  if (first->value.term->kind != RSP_TERM_CONSTANT && expression_is_pure (expr->u.node.b)) {
    combine_pure_logic (x, expr, first, state, out);
    return;
  }
  state_branch (x, state, first->value, expr->u.node.a->span, &yes, &no);
  if (yes && is_and)
    evaluate_second (x, expr->u.node.b, NULL, first, yes, out);
  else if (yes)
    finish_decided (x, TRUE, first, yes, out);
  if (no && is_and)
    finish_decided (x, FALSE, first, no, out);
  else if (no)
    evaluate_second (x, expr->u.node.b, NULL, first, no, out);
}

static void finish_conditional (RspExecutor *x, const RspExpr *expr, const First *first,
                                RspState *state, RspStates *out) {
  RspState *yes, *no;
  state_branch (x, state, first->value, expr->u.node.a->span, &yes, &no);
  if (yes)
    evaluate_second (x, expr->u.node.b, &expr->type, first, yes, out);
  if (no)
    evaluate_second (x, expr->u.node.c, &expr->type, first, no, out);
}

static void evaluate_sequenced (RspExecutor *x, const RspExpr *expr, RspState *state,
                                RspStates *out) {
  First first = { .event = state->n_events };
  RspStates left = { 0 };
  expression_evaluate (x, expr->u.node.a, state, &left);
  while ((state = states_take (&left))) {
    first.value = state->value;
    if (state->status != RSP_STATE_RUNNING)
      states_append (out, state);
    else if (expr->kind == RSP_EXPR_CONDITIONAL)
      finish_conditional (x, expr, &first, state, out);
    else if (expr->u.node.op == RSP_OP_COMMA) {
      first.value.sources = NULL; /* the first value is discarded */
      evaluate_second (x, expr->u.node.b, &expr->type, &first, state, out);
    } else
      finish_logic (x, expr, &first, state, out);
  }
}

/* ---- Statements in expressions ---- */

static void evaluate_block (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out) {
  const RspEventSet *before = state->before;
  RspStates after = { 0 }, results = { 0 };
  statement_run (x, expr->u.block.body, state, &after);
  while ((state = states_take (&after)))
    if (state->status == RSP_STATE_RUNNING)
      expression_evaluate (x, expr->u.block.value, state, &results);
    else
      states_append (&results, state);
  while ((state = states_take (&results))) {
    state->value.after = event_set_with_range (x, NULL, 0, state->n_events);
    state->before = before;
    states_append (out, state);
  }
}

/* ---- All kinds ---- */

static void set_constant (RspExecutor *x, RspState *state, gint64 value, const RspType *type) {
  state->value = (RspPathValue){ .term = rsp_term_constant (x->terms, value, rsp_type_bits (type),
                                                            rsp_type_is_signed (type)) };
}

static void evaluate_leaf (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out) {
  if (expr->kind == RSP_EXPR_REGISTER) {
    const RspRegisterValue *reg = &state->registers[expr->u.reg];
    state->value = (RspPathValue){ .term = reg->term, .sources = reg->sources };
    if (reg->term == x->unset && !expr->is_copied)
      state_fail_unset (x, state, expr->u.reg, expr->span);
  } else if (expr->kind == RSP_EXPR_LOCATION) {
    const RspType address = { .bits = 64, .pointers = 1 };
    set_constant (x, state, rsp_address (expr->u.object, 0), &address);
  } else
    set_constant (x, state, expr->u.constant, &expr->type);
  states_append (out, state);
}

static void evaluate_node (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out) {
  const RspExpr *a = expr->u.node.a, *b = expr->u.node.b;
  RspOperator op = expr->u.node.op;
  switch (expr->kind) {
  case RSP_EXPR_UNARY:
    expression_operands (x, expr, expression_evaluate, a, NULL, state, combine_unary, out);
    return;
  case RSP_EXPR_CAST:
    expression_operands (x, expr, expression_evaluate, a, NULL, state, combine_cast, out);
    return;
  case RSP_EXPR_DEREF:
  case RSP_EXPR_INDEX:
    expression_operands (x, expr, expression_address, expr, NULL, state, combine_read, out);
    return;
  case RSP_EXPR_ADDRESS:
    expression_address (x, a, state, out);
    return;
  case RSP_EXPR_BINARY:
    if (op == RSP_OP_LOGICAL_AND || op == RSP_OP_LOGICAL_OR || op == RSP_OP_COMMA)
      evaluate_sequenced (x, expr, state, out);
    else
      expression_operands (x, expr, expression_evaluate, a, b, state, combine_binary, out);
    return;
  case RSP_EXPR_CONDITIONAL:
    evaluate_sequenced (x, expr, state, out);
    return;
  case RSP_EXPR_ASSIGN:
  case RSP_EXPR_STEP:
    expression_assign (x, expr, state, out);
    return;
  case RSP_EXPR_CALL:
    call_evaluate (x, expr, state, out);
    return;
  case RSP_EXPR_BLOCK:
    evaluate_block (x, expr, state, out);
    return;
  default:
    evaluate_leaf (x, expr, state, out);
    return;
  }
}

void expression_evaluate (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out) {
  if (executor_enter (x, expr->span))
    evaluate_node (x, expr, state, out);
  else
    state_drop (x, state);
  executor_leave (x);
}

void expression_evaluate_full (RspExecutor *x, const RspExpr *expr, RspState *state,
                               RspStates *out) {
  RspStates results = { 0 };
  expression_evaluate (x, expr, state, &results);
  while ((state = states_take (&results))) {
    state_sequence_point (x, state);
    states_append (out, state);
  }
}
