/* Symbolic execution of statements. Loops are unrolled round by round; states that leave later come
 * first, as taken branches do elsewhere. */
#include "enumerator/paths/statement.h"
#include "enumerator/paths/call/barrier.h"
#include "enumerator/paths/loops/counted.h"
#include "enumerator/paths/expression.h"
#include "enumerator/paths/reduce/live.h"
#include "enumerator/paths/reduce/merge.h"
#include "enumerator/paths/operator.h"
#include "enumerator/paths/state.h"
#include "enumerator/paths/loops/wait.h"
#include "enumerator/terms/simplify.h"

/* Evaluates the full expression in every running state of `states`, which it takes. */
static void evaluate_all (RspExecutor *x, const RspExpr *expr, RspStates *states, RspStates *out) {
  RspState *state;
  while ((state = states_take (states)))
    if (state->status == RSP_STATE_RUNNING && expr)
      expression_evaluate_full (x, expr, state, out);
    else
      states_append (out, state);
}

static void run_all (RspExecutor *x, const RspStatement *statement, RspStates *states,
                     RspStates *out) {
  RspState *state;
  while ((state = states_take (states)))
    if (state->status == RSP_STATE_RUNNING && statement)
      statement_run (x, statement, state, out);
    else
      states_append (out, state);
}

/* Splits the running states by the condition of a loop (NULL: true). Other states go to out. TRUE
 * if calculations alone decided it. */
static gboolean branch_all (RspExecutor *x, const RspExpr *condition, RspStates *states,
                            RspStates *yes, RspStates *no, RspStates *out) {
  RspStates evaluated = { 0 };
  RspState *state, *taken, *other;
  gboolean decided = TRUE;
  evaluate_all (x, condition, states, &evaluated);
  while ((state = states_take (&evaluated)))
    if (state->status != RSP_STATE_RUNNING)
      states_append (out, state);
    else if (!condition)
      states_append (yes, state);
    else {
      decided &= state->value.term->kind == RSP_TERM_CONSTANT;
      state_branch (x, state, state->value, condition->span, &taken, &other);
      if (taken)
        states_append (yes, taken);
      if (other)
        states_append (no, other);
    }
  return decided;
}

static void run_if (RspExecutor *x, const RspStatement *statement, RspState *state,
                    RspStates *out) {
  RspStates states = { 0 }, evaluated = { 0 };
  RspState *yes, *no;
  states_append (&states, state);
  evaluate_all (x, statement->expr, &states, &evaluated);
  while ((state = states_take (&evaluated))) {
    if (state->status != RSP_STATE_RUNNING) {
      states_append (out, state);
      continue;
    }
    state_branch (x, state, state->value, statement->expr->span, &yes, &no);
    if (yes)
      statement_run (x, statement->body, yes, out);
    if (no && statement->otherwise)
      statement_run (x, statement->otherwise, no, out);
    else if (no)
      states_append (out, no);
  }
}

/* ---- Loops ---- */

/* A loop that is being executed. */
typedef struct Loop {
  RspExecutor *x;
  const RspStatement *statement;
  gboolean counted;   /* does it count? (counted.h) */
  gboolean endless;   /* does nothing but a `break` end it, one that does not count? */
  gboolean decided;   /* did calculations alone decide that the next round is executed? */
  gboolean straight;  /* did the last round only go on, whatever is read? */
  gboolean may_try;   /* may such rounds be left out of the count? */
  guint round;        /* of those that are counted */
  RspStates running;  /* at the loop's head */
  RspStates cut;      /* after too many rounds */
  GPtrArray *leaving; /* per round: states that left the loop in it */
} Loop;

/* After a body: states that left by break or return go to leaving, the others continue with the
 * next round. */
static void sort_rounds (RspStates *after, RspStates *next, RspStates *leaving) {
  RspState *state;
  while ((state = states_take (after))) {
    if (state->status == RSP_STATE_CONTINUING)
      state->status = RSP_STATE_RUNNING;
    if (state->status == RSP_STATE_RUNNING) {
      states_append (next, state);
      continue;
    }
    if (state->status == RSP_STATE_BREAKING)
      state->status = RSP_STATE_RUNNING;
    states_append (leaving, state);
  }
}

/* One round: the body, the step of a for loop, and the condition for the next round. `running` has
 * the states that go round again. TRUE if calculations alone decided that they do. */
static gboolean run_round (RspExecutor *x, const RspStatement *statement, RspStates *running,
                           RspStates *leaving) {
  RspStates after = { 0 }, next = { 0 }, stepped = { 0 };
  run_all (x, statement->body, running, &after);
  sort_rounds (&after, &next, leaving);
  evaluate_all (x, statement->kind == RSP_STATEMENT_FOR ? statement->step : NULL, &next, &stepped);
  if (!executor_begins_with_body (statement))
    wait_end_rounds (x, statement, executor_live_at_head (x, statement), &stepped, leaving);
  gboolean decided = branch_all (x, statement->expr, &stepped, running, leaving, leaving);
  if (executor_begins_with_body (statement))
    wait_end_rounds (x, statement, executor_live_at_head (x, statement), running, leaving);
  return decided;
}

/* The one way on which a loop is executed so far. */
typedef struct Way {
  gboolean alone; /* is there one state, and did none leave the loop? */
  const RspConstraintNode *constraints;
  guint n_events;
} Way;

static Way find_way (const RspStates *running, const RspStates *left) {
  const RspState *state = running->first;
  return (Way){ .alone = state && !state->next && !left->first,
                .constraints = state ? state->constraints : NULL,
                .n_events = state ? state->n_events : 0 };
}

/* Did the round only go on, whatever is read? A loop that may be endless must not have accessed
 * memory either. */
static gboolean went_straight (const Loop *loop, Way before, Way after) {
  return before.alone && after.alone && before.constraints == after.constraints
         && (!loop->endless || before.n_events == after.n_events);
}

static gboolean is_endless (RspExecutor *x, const RspStatement *loop) {
  return (!loop->expr || loop->expr->kind == RSP_EXPR_CONSTANT) && !loop_counts_to_break (x, loop);
}

/* Is the next round left out of the count because it seems that the loop takes one way to its end?
 */
static gboolean is_tried (const Loop *loop) {
  return loop->may_try && !loop->counted && loop->decided && loop->straight
         && find_way (&loop->running, &(RspStates){ 0 }).alone;
}

static void run_next_round (Loop *loop) {
  RspExecutor *x = loop->x;
  const Way before = find_way (&loop->running, &(RspStates){ 0 });
  const guint rounds = x->options->unroll;
  loop->round += !((loop->decided && loop->counted) || is_tried (loop));
  if (loop->round > rounds)
    wait_truncate_rounds (loop->statement, loop->round - 1 - rounds, &loop->running, &loop->cut);
  RspStates *left = g_new0 (RspStates, 1);
  g_ptr_array_add (loop->leaving, left);
  loop->decided = run_round (x, loop->statement, &loop->running, left);
  loop->straight = went_straight (loop, before, find_way (&loop->running, left));
  states_merge (x, &loop->running, g_hash_table_lookup (x->live, loop->statement->body));
}

static gboolean goes_on (const Loop *loop) {
  return loop->running.first && !loop->x->gave_up && loop->leaving->len <= RSP_MAX_ROUNDS;
}

/* Executes the rest of a loop, of which the next round is not counted. If that exceeds a limit,
 * everything is as before, but all rounds will be counted. */
static void try_rounds (Loop *loop) {
  RspExecutor *x = loop->x;
  RspState *state = state_fork (x, loop->running.first);
  const Loop before = *loop;
  const guint n_leaving = loop->leaving->len, n_states = x->n_states;
  const guint64 n_steps = x->n_steps;
  x->tries = TRUE;
  while (goes_on (loop))
    run_next_round (loop);
  x->tries = FALSE;
  if (!x->overran && (x->gave_up || !loop->running.first)) {
    state_drop (x, state);
    return;
  }
  x->gave_up = x->overran = FALSE;
  x->n_states = n_states;
  x->n_steps = n_steps;
  *loop = before;
  loop->may_try = FALSE;
  loop->running = (RspStates){ state, state };
  g_ptr_array_set_size (loop->leaving, (gint) n_leaving);
}

static void run_rounds (Loop *loop) {
  RspExecutor *x = loop->x;
  while (goes_on (loop))
    if (!x->tries && is_tried (loop))
      try_rounds (loop);
    else
      run_next_round (loop);
  if (x->tries && loop->running.first)
    x->gave_up = x->overran = TRUE;
  wait_truncate_rounds (loop->statement, G_MAXUINT, &loop->running, &loop->cut);
}

static void run_loop (RspExecutor *x, const RspStatement *statement, RspState *state,
                      RspStates *out) {
  const gboolean endless = is_endless (x, statement);
  Loop loop = { .x = x,
                .statement = statement,
                .endless = endless,
                .counted = loop_is_counted (x, statement),
                .decided = TRUE,
                .straight = !endless,
                .may_try = x->program->counts_loops,
                .leaving = g_ptr_array_new_with_free_func (g_free) };
  const RspRound *outer = state->round;
  RspStates entering = { 0 }, *left = g_new0 (RspStates, 1);
  g_ptr_array_add (loop.leaving, left);
  states_append (&entering, state);
  if (statement->kind == RSP_STATEMENT_FOR && statement->init) {
    RspStates initial = entering;
    entering = (RspStates){ 0 };
    run_all (x, statement->init, &initial, &entering);
  }
  if (!executor_begins_with_body (statement))
    wait_begin_rounds (x, &entering);
  if (statement->kind == RSP_STATEMENT_DO)
    loop.running = entering;
  else
    loop.decided = branch_all (x, statement->expr, &entering, &loop.running, left, left);
  if (executor_begins_with_body (statement))
    wait_begin_rounds (x, &loop.running);
  run_rounds (&loop);
  states_move (out, &loop.cut);
  for (guint i = loop.leaving->len; i-- > 0;) {
    wait_leave (loop.leaving->pdata[i], outer);
    states_move (out, loop.leaving->pdata[i]);
  }
  g_ptr_array_unref (loop.leaving);
}

/* ---- All kinds ---- */

static void run_list (RspExecutor *x, const RspStatement *first, RspState *state, RspStates *out) {
  RspStates states = { 0 };
  states_append (&states, state);
  for (const RspStatement *s = first; s && !x->gave_up; s = s->next) {
    RspStates after = { 0 };
    run_all (x, s, &states, &after);
    states = after;
  }
  states_move (out, &states);
}

/* Runs statements that end with `ended`, or at their end. */
static void run_until (RspExecutor *x, const RspStatement *first, RspStateStatus ended,
                       RspState *state, RspStates *out) {
  RspStates results = { 0 };
  run_list (x, first, state, &results);
  while ((state = states_take (&results))) {
    if (state->status == ended)
      state->status = RSP_STATE_RUNNING;
    states_append (out, state);
  }
}

/* Does the value have the label, a CASE? */
static const RspTerm *matches_label (RspExecutor *x, const RspTerm *value,
                                     const RspStatement *label) {
  const RspTerm *first
      = rsp_term_constant (x->terms, label->expr->u.constant, value->bits, value->is_signed);
  if (!label->step)
    return rsp_term_binary (x->terms, RSP_OP_EQ, value, first);
  const RspTerm *last
      = rsp_term_constant (x->terms, label->step->u.constant, value->bits, value->is_signed);
  return rsp_term_binary (x->terms, RSP_OP_AND, rsp_term_binary (x->terms, RSP_OP_GE, value, first),
                          rsp_term_binary (x->terms, RSP_OP_LE, value, last));
}

/* The state has the value to compare; the first label that has it is where it enters. */
static void enter_switch (RspExecutor *x, const RspStatement *block, RspState *state,
                          RspStates *out) {
  const RspStatement *otherwise = NULL;
  const RspPathValue value = state->value;
  for (const RspStatement *s = block->first; s && state; s = s->next) {
    RspState *yes;
    RspPathValue equal = value;
    if (s->kind != RSP_STATEMENT_CASE)
      continue;
    if (!s->expr) {
      otherwise = s;
      continue;
    }
    equal.term = matches_label (x, value.term, s);
    state_branch (x, state, equal, s->span, &yes, &state);
    if (yes)
      run_until (x, s->next, RSP_STATE_BREAKING, yes, out);
  }
  if (state && otherwise)
    run_until (x, otherwise->next, RSP_STATE_BREAKING, state, out);
  else if (state)
    states_append (out, state);
}

static void run_switch (RspExecutor *x, const RspStatement *statement, RspState *state,
                        RspStates *out) {
  RspStates evaluated = { 0 };
  expression_evaluate_full (x, statement->expr, state, &evaluated);
  while ((state = states_take (&evaluated)))
    if (state->status == RSP_STATE_RUNNING)
      enter_switch (x, statement->body, state, out);
    else
      states_append (out, state);
}

/* What satisfies an assumption goes on alone. After an assertion everything does, and what does not
 * satisfy it also fails. */
static void run_demand (RspExecutor *x, const RspStatement *statement, RspState *state,
                        RspStates *out) {
  const gboolean asserts = statement->kind == RSP_STATEMENT_ASSERT;
  RspStates evaluated = { 0 };
  RspState *yes, *no;
  expression_evaluate_full (x, statement->expr, state, &evaluated);
  while ((state = states_take (&evaluated))) {
    const gboolean running = state->status == RSP_STATE_RUNNING;
    if (asserts || !running)
      states_append (out, running ? state_fork (x, state) : state);
    if (!running)
      continue;
    state_branch (x, state, state->value, statement->span, &yes, &no);
    if (no && asserts)
      state_fail (no, statement->span, RSP_ASSERTION_FAILS);
    RspState *kept = asserts ? no : yes, *dropped = asserts ? yes : no;
    if (kept)
      states_append (out, kept);
    if (dropped)
      state_drop (x, dropped);
  }
}

static void run_declaration (RspExecutor *x, const RspStatement *statement, RspState *state,
                             RspStates *out) {
  if (!statement->expr) {
    if (x->thread->registers[statement->reg].unset)
      state->registers[statement->reg] = (RspRegisterValue){ .term = x->unset };
    states_append (out, state);
    return;
  }
  RspStates results = { 0 };
  expression_evaluate_full (x, statement->expr, state, &results);
  while ((state = states_take (&results))) {
    const RspType *type = &x->thread->registers[statement->reg].type;
    if (state->status == RSP_STATE_RUNNING)
      state->registers[statement->reg]
          = (RspRegisterValue){ .term = term_to_type (x, state->value.term, type),
                                .sources = state->value.sources };
    states_append (out, state);
  }
}

static void run_kind (RspExecutor *x, const RspStatement *statement, RspState *state,
                      RspStates *out) {
  switch (statement->kind) {
  case RSP_STATEMENT_EXPRESSION:
    expression_evaluate_full (x, statement->expr, state, out);
    return;
  case RSP_STATEMENT_DECLARATION:
    run_declaration (x, statement, state, out);
    return;
  case RSP_STATEMENT_BLOCK:
    run_list (x, statement->first, state, out);
    return;
  case RSP_STATEMENT_IF:
    run_if (x, statement, state, out);
    return;
  case RSP_STATEMENT_WHILE:
  case RSP_STATEMENT_DO:
  case RSP_STATEMENT_FOR:
    run_loop (x, statement, state, out);
    return;
  case RSP_STATEMENT_BARRIER:
    barrier_run (x, statement, state, out);
    return;
  case RSP_STATEMENT_SWITCH:
    run_switch (x, statement, state, out);
    return;
  case RSP_STATEMENT_FRAME:
    run_until (x, statement->body, RSP_STATE_RETURNED, state, out);
    return;
  case RSP_STATEMENT_ASSUME:
  case RSP_STATEMENT_ASSERT:
    run_demand (x, statement, state, out);
    return;
  case RSP_STATEMENT_BREAK:
    state->status = RSP_STATE_BREAKING;
    break;
  case RSP_STATEMENT_CONTINUE:
    state->status = RSP_STATE_CONTINUING;
    break;
  case RSP_STATEMENT_RETURN:
    state->status = RSP_STATE_RETURNED;
    break;
  default:
    break;
  }
  states_append (out, state);
}

void statement_run (RspExecutor *x, const RspStatement *statement, RspState *state,
                    RspStates *out) {
  RspStates results = { 0 };
  if (executor_enter (x, statement->span))
    run_kind (x, statement, state, &results);
  else
    state_drop (x, state);
  executor_leave (x);
  const guint8 *live = g_hash_table_lookup (x->live, statement);
  if (live) /* otherwise one state becomes at most one */
    states_merge (x, &results, live);
  states_move (out, &results);
}
