/* Symbolic execution of lvalues and of the operators that assign. An assignment's write follows the
 * value computations of both sides (C11 6.5.16), and is unsequenced against their side effects. */
#include "enumerator/paths/assign.h"
#include "enumerator/paths/access.h"
#include "enumerator/paths/expression.h"
#include "enumerator/paths/operator.h"
#include "enumerator/paths/state.h"

/* The address a + b. */
static void combine_index (RspExecutor *x, const RspExpr *expr, RspPathValue a, RspState *state,
                           RspStates *out) {
  RspPathValue b = state->value;
  a.term = rsp_term_cast (x->terms, a.term, 64, FALSE);
  /* Neither operand can fail, so the sum always exists. */
  state = operate (x, state, RSP_OP_ADD, a, b, expr->span, NULL);
  state->value.term = operator_stay_in_object (x, a.term, state->value.term);
  states_append (out, state);
}

static void set_register_address (RspExecutor *x, const RspExpr *expr, RspState *state) {
  gint64 address = register_address (x, expr->u.reg);
  state->value = (RspPathValue){ .term = rsp_term_constant (x->terms, address, 64, FALSE) };
}

void expression_address (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out) {
  switch (expr->kind) {
  case RSP_EXPR_REGISTER:
    set_register_address (x, expr, state);
    states_append (out, state);
    return;
  case RSP_EXPR_INDEX:
    expression_operands (x, expr, expression_evaluate, expr->u.node.a, expr->u.node.b, state,
                         combine_index, out);
    return;
  case RSP_EXPR_DEREF:
    expression_evaluate (x, expr->u.node.a, state, out);
    return;
  default:
    expression_evaluate (x, expr, state, out);
    return;
  }
}

/* ---- Assignment: a is the address, state->value what is assigned ---- */

static void combine_assign (RspExecutor *x, const RspExpr *expr, RspPathValue a, RspState *state,
                            RspStates *out) {
  const RspEventSet *before = state->before;
  RspPathValue value = state->value;
  RspStates places = { 0 };
  value.term = term_to_type (x, value.term, &expr->type);
  value.after = event_set_union (x, a.after, value.after);
  state->before = event_set_union (x, before, value.after);
  access_resolve (x, state, a.term, expr->span, &places);
  while ((state = states_take (&places))) {
    if (state->status == RSP_STATE_RUNNING)
      access_write (x, state, a.sources, value, expr->span);
    if (state->status == RSP_STATE_RUNNING && value.term == x->unset && !expr->is_copied)
      access_fail_unset (x, state, expr->span);
    state->value = value;
    state->before = before;
    states_append (out, state);
  }
}

/* ---- Read, change, write ---- */

/* Writes state->value to state->place; it is also the expression's value, except for x++, where
 * that is `old`. */
static void write_back (RspExecutor *x, const RspExpr *expr, RspPathValue address, RspPathValue old,
                        const RspEventSet *before, RspState *state) {
  RspPathValue value = state->value;
  value.term = term_to_type (x, value.term, &expr->type);
  state->before = event_set_union (x, before, value.after);
  access_write (x, state, address.sources, value, expr->span);
  state->value = expr->kind == RSP_EXPR_STEP && expr->u.node.post ? old : value;
  state->value.term = term_to_type (x, state->value.term, &expr->type);
}

/* state->place, at the address, is read, changed by b, and written. */
static void modify (RspExecutor *x, const RspExpr *expr, RspPathValue address, RspPathValue b,
                    RspState *state, RspStates *out) {
  const RspEventSet *before = state->before;
  RspStates failed = { 0 };
  state->before = event_set_union (x, before, address.after);
  access_read (x, state, address.sources, expr->span);
  RspPathValue old = state->value;
  state = operate (x, state, expr->u.node.op, old, b, expr->span, &failed);
  if (state) {
    if (expr->type.pointers)
      state->value.term = operator_stay_in_object (x, old.term, state->value.term);
    write_back (x, expr, address, old, before, state);
    state->before = before;
    states_append (out, state);
  }
  states_move (out, &failed);
}

static void combine_modify (RspExecutor *x, const RspExpr *expr, RspPathValue a, RspState *state,
                            RspStates *out) {
  RspPathValue b = state->value;
  RspStates places = { 0 };
  if (expr->kind == RSP_EXPR_STEP)
    b = (RspPathValue){ .term = rsp_term_constant (x->terms, 1, 32, TRUE) };
  access_resolve (x, state, a.term, expr->span, &places);
  while ((state = states_take (&places)))
    if (state->status == RSP_STATE_RUNNING)
      modify (x, expr, a, b, state, out);
    else
      states_append (out, state);
}

void expression_assign (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out) {
  gboolean plain = expr->kind == RSP_EXPR_ASSIGN && expr->u.node.op == RSP_OP_NONE;
  const RspExpr *b = expr->kind == RSP_EXPR_ASSIGN ? expr->u.node.b : NULL;
  expression_operands (x, expr, expression_address, expr->u.node.a, b, state,
                       plain ? combine_assign : combine_modify, out);
}
