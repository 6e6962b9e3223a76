/* C's types and operators on the values of a symbolic execution. */
#include "enumerator/paths/operator.h"
#include "enumerator/paths/state.h"
#include "enumerator/terms/condition.h"
#include "enumerator/terms/simplify.h"

const RspTerm *term_to_type (RspExecutor *x, const RspTerm *term, const RspType *type) {
  return term == x->unset
             ? term
             : rsp_term_cast (x->terms, term, rsp_type_bits (type), rsp_type_is_signed (type));
}

/* C11 6.3.1.1: an int holds every value of the smaller types. */
static const RspTerm *promote (RspExecutor *x, const RspTerm *term) {
  return term->bits < 32 ? rsp_term_cast (x->terms, term, 32, TRUE) : term;
}

void executor_check_term (RspExecutor *x, const RspTerm *term, RspSpan span) {
  if (term->size > RSP_MAX_TERM)
    executor_give_up (x, span, "a value takes more than %d operations: lower -unroll",
                      RSP_MAX_TERM);
}

/* ---- Operations that may fail ---- */

/* If `guard` may be false, adds a failed state to `failed`. Returns the state that continues,
 * or NULL. */
static RspState *guard_state (RspExecutor *x, RspState *state, const RspTerm *guard, RspSpan span,
                              const char *message, RspStates *failed) {
  guard = rsp_term_condition (x->terms, guard);
  if (guard->kind == RSP_TERM_CONSTANT && guard->constant)
    return state;
  RspState *other = state_fork (x, state);
  if (state_assume (x, other, rsp_term_negate_condition (x->terms, guard), span)) {
    state_fail (other, span, message);
    states_append (failed, other);
  } else
    state_drop (x, other);
  if (state_assume (x, state, guard, span))
    return state;
  state_drop (x, state);
  return NULL;
}

static RspState *guard_operator (RspExecutor *x, RspState *state, RspOperator op, const RspTerm *a,
                                 const RspTerm *b, RspSpan span, RspStates *failed) {
  if (op == RSP_OP_DIV || op == RSP_OP_MOD)
    return guard_state (x, state, b, span, "division by zero", failed);
  if (!rsp_operator_is_shift (op))
    return state;
  const RspTerm *amount = rsp_term_cast (x->terms, b, b->bits, FALSE);
  const RspTerm *most = rsp_term_constant (x->terms, a->bits - 1, b->bits, FALSE);
  return guard_state (x, state, rsp_term_binary (x->terms, RSP_OP_LE, amount, most), span,
                      "shift by a negative amount, or by as many bits as the value has", failed);
}

/* C11 6.5.6 and 6.5.8 define the difference and the order of pointers only within one object. */
gboolean operator_needs_one_object (const RspExpr *expr) {
  RspOperator op = expr->u.node.op;
  return expr->u.node.a->type.pointers && expr->u.node.b->type.pointers
         && (op == RSP_OP_SUB || op == RSP_OP_LT || op == RSP_OP_LE || op == RSP_OP_GT
             || op == RSP_OP_GE);
}

/* The object of an address (see parser/program.h). A negative element borrows from it. */
static const RspTerm *object_of (RspExecutor *x, const RspTerm *address) {
  const RspTerm *half = rsp_term_constant (x->terms, G_GINT64_CONSTANT (1) << 31, 64, FALSE);
  const RspTerm *bits = rsp_term_constant (x->terms, 32, 64, FALSE);
  const RspTerm *whole = rsp_term_cast (x->terms, address, 64, FALSE);
  return rsp_term_binary (x->terms, RSP_OP_SHR, rsp_term_binary (x->terms, RSP_OP_ADD, whole, half),
                          bits);
}

const RspTerm *operator_stay_in_object (RspExecutor *x, const RspTerm *address,
                                        const RspTerm *stepped) {
  if (address->kind != RSP_TERM_CONSTANT || stepped->kind != RSP_TERM_CONSTANT
      || !rsp_is_address (address->constant))
    return stepped;
  guint object = rsp_address_object (address->constant);
  if (rsp_is_address (stepped->constant) && rsp_address_object (stepped->constant) == object)
    return stepped;
  return rsp_term_constant (x->terms, rsp_address (object, RSP_FAR_ELEMENT), stepped->bits,
                            stepped->is_signed);
}

RspState *operate_on_pointers (RspExecutor *x, RspState *state, const RspExpr *expr, RspPathValue a,
                               RspPathValue b, RspStates *failed) {
  const RspTerm *same
      = rsp_term_binary (x->terms, RSP_OP_EQ, object_of (x, a.term), object_of (x, b.term));
  state = guard_state (x, state, same, expr->span,
                       expr->u.node.op == RSP_OP_SUB ? "difference of pointers to different objects"
                                                     : "order of pointers to different objects",
                       failed);
  return state ? operate (x, state, expr->u.node.op, a, b, expr->span, failed) : NULL;
}

/* ---- Operators ---- */

RspState *operate (RspExecutor *x, RspState *state, RspOperator op, RspPathValue a, RspPathValue b,
                   RspSpan span, RspStates *failed) {
  const RspTerm *left = promote (x, a.term), *right = promote (x, b.term);
  state = guard_operator (x, state, op, left, right, span, failed);
  if (!state)
    return NULL;
  state->value = (RspPathValue){ .term = rsp_term_binary (x->terms, op, left, right),
                                 .sources = event_set_union (x, a.sources, b.sources),
                                 .after = event_set_union (x, a.after, b.after) };
  executor_check_term (x, state->value.term, span);
  return state;
}

void operate_unary (RspExecutor *x, RspState *state, RspOperator op, RspPathValue a, RspSpan span) {
  state->value = a;
  state->value.term = rsp_term_unary (x->terms, op, promote (x, a.term));
  executor_check_term (x, state->value.term, span);
}
