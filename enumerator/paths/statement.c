/* Statements, loops and jumps of a thread. */
#include "enumerator/paths/internal.h"
#include "enumerator/terms/terms.h"

/* ---- Assign --------------------------------------------------------------------------------- */

/* Symbolic execution of lvalues and of the operators that assign. An assignment's write follows the
 * value computations of both sides (C11 6.5.16), and is unsequenced against their side effects. */

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

void expression_address (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out) {
  switch (expr->kind) {
  case RSP_EXPR_REGISTER:
    state->value = (RspPathValue){ .term = rsp_term_constant (
                                       x->terms, register_address (x, expr->u.reg), 64, FALSE) };
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

static void combine_modify (RspExecutor *x, const RspExpr *expr, RspPathValue a, RspState *state,
                            RspStates *out) {
  RspPathValue b = state->value;
  RspStates places = { 0 };
  if (expr->kind == RSP_EXPR_STEP)
    b = (RspPathValue){ .term = rsp_term_constant (x->terms, 1, 32, TRUE) };
  access_resolve (x, state, a.term, expr->span, &places);
  while ((state = states_take_running (&places, out))) {
    /* state->place, at the address, is read, changed by b, and written. */
    const RspEventSet *before = state->before;
    RspStates failed = { 0 };
    state->before = event_set_union (x, before, a.after);
    access_read (x, state, a.sources, expr->span);
    RspPathValue old = state->value;
    state = operate (x, state, expr->u.node.op, old, b, expr->span, &failed);
    if (state) {
      if (expr->type.pointers)
        state->value.term = operator_stay_in_object (x, old.term, state->value.term);
      /* Write state->value to state->place; it is also the expression's value, except for x++,
       * where that is `old`. */
      RspPathValue value = state->value;
      value.term = term_to_type (x, value.term, &expr->type);
      state->before = event_set_union (x, before, value.after);
      access_write (x, state, a.sources, value, expr->span);
      state->value = expr->kind == RSP_EXPR_STEP && expr->u.node.post ? old : value;
      state->value.term = term_to_type (x, state->value.term, &expr->type);
      state->before = before;
      states_append (out, state);
    }
    states_move (out, &failed);
  }
}

void expression_assign (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out) {
  gboolean plain = expr->kind == RSP_EXPR_ASSIGN && expr->u.node.op == RSP_OP_NONE;
  const RspExpr *b = expr->kind == RSP_EXPR_ASSIGN ? expr->u.node.b : NULL;
  expression_operands (x, expr, expression_address, expr->u.node.a, b, state,
                       plain ? combine_assign : combine_modify, out);
}

/* ---- Statement ------------------------------------------------------------------------------ */

/* Symbolic execution of statements. Loops are unrolled round by round; states that leave later come
 * first, as taken branches do elsewhere. */

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
  while ((state = states_take_running (&evaluated, out)))
    if (!condition)
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
  while ((state = states_take_running (&evaluated, out))) {
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
typedef struct StatementLoop {
  RspExecutor *x;
  const RspStatement *statement;
  gboolean counted;   /* does it count? See loop_is_counted */
  gboolean endless;   /* does nothing but a `break` end it, one that does not count? */
  gboolean decided;   /* did calculations alone decide that the next round is executed? */
  gboolean straight;  /* did the last round only go on, whatever is read? */
  gboolean may_try;   /* may such rounds be left out of the count? */
  guint round;        /* of those that are counted */
  RspLoopRound own;   /* of all */
  RspStates running;  /* at the loop's head */
  RspStates cut;      /* after too many rounds */
  GPtrArray *leaving; /* per round: states that left the loop in it */
} StatementLoop;

/* Has the state left what the statement ends? */
static gboolean ends_at (const RspState *state, RspStateStatus ended,
                         const RspStatement *statement) {
  return state->status == ended && (!statement->label || state->target == statement);
}

static void run_on (RspState *state) {
  state->status = RSP_STATE_RUNNING;
  state->target = NULL;
}

/* One round: the body, the step of a for loop, and the condition for the next round. `running` has
 * the states that go round again. TRUE if calculations alone decided that they do. */
static gboolean run_round (RspExecutor *x, const RspStatement *statement, RspStates *running,
                           RspStates *leaving) {
  RspStates after = { 0 }, next = { 0 }, stepped = { 0 };
  run_all (x, statement->body, running, &after);
  /* After a body: states that left by break or return go to leaving, the others continue with the
   * next round. */
  RspState *state;
  while ((state = states_take (&after))) {
    const gboolean again = statement->label ? ends_at (state, RSP_STATE_LEAVING, statement)
                                            : state->status == RSP_STATE_RUNNING
                                                  || state->status == RSP_STATE_CONTINUING;
    if (again || (!statement->label && state->status == RSP_STATE_BREAKING))
      run_on (state);
    states_append (again ? &next : leaving, state);
  }
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

/* Is the next round left out of the count because it seems that the loop takes one way to its end?
 */
static gboolean is_tried (const StatementLoop *loop) {
  return loop->may_try && !loop->counted && loop->decided && loop->straight
         && find_way (&loop->running, &(RspStates){ 0 }).alone;
}

static void run_next_round (StatementLoop *loop) {
  RspExecutor *x = loop->x;
  const Way before = find_way (&loop->running, &(RspStates){ 0 });
  const guint rounds = x->options->unroll;
  loop->round += !((loop->decided && loop->counted) || is_tried (loop));
  if (loop->round > rounds)
    wait_truncate_rounds (loop->statement, loop->round - 1 - rounds, &loop->running, &loop->cut);
  RspStates *left = g_new0 (RspStates, 1);
  g_ptr_array_add (loop->leaving, left);
  loop->own.number++;
  loop->own.first = G_MAXUINT;
  for (const RspState *state = loop->running.first; state; state = state->next)
    loop->own.first = MIN (loop->own.first, state->n_events);
  loop->decided = run_round (x, loop->statement, &loop->running, left);
  /* Did the round only go on, whatever is read? A loop that may be endless must not have accessed
   * memory either. */
  const Way after = find_way (&loop->running, left);
  loop->straight = before.alone && after.alone && before.constraints == after.constraints
                   && (!loop->endless || before.n_events == after.n_events);
  states_merge (x, &loop->running, g_hash_table_lookup (x->live, loop->statement->body));
}

static gboolean goes_on (const StatementLoop *loop) {
  return loop->running.first && !loop->x->gave_up && loop->leaving->len <= RSP_MAX_ROUNDS;
}

/* Executes the rest of a loop, of which the next round is not counted. If that exceeds a limit,
 * everything is as before, but all rounds will be counted. */
static void try_rounds (StatementLoop *loop) {
  RspExecutor *x = loop->x;
  RspState *state = state_fork (x, loop->running.first);
  const StatementLoop before = *loop;
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

static void statement_run_loop (RspExecutor *x, const RspStatement *statement, RspState *state,
                                RspStates *out) {
  const gboolean endless = !statement->label
                           && (!statement->expr || statement->expr->kind == RSP_EXPR_CONSTANT)
                           && !loop_counts_to_break (x, statement);
  StatementLoop loop
      = { .x = x,
          .statement = statement,
          .endless = endless,
          .counted = !x->options->unroll_all && loop_is_counted (x, statement),
          .decided = TRUE,
          .straight = !endless,
          .may_try = !x->options->unroll_all && rsp_statement_language (x->program)->counts_loops,
          .leaving = g_ptr_array_new_with_free_func (g_free),
          .own = { .around = x->rounds } };
  const RspRound *outer = state->round;
  RspStates entering = { 0 }, *left = g_new0 (RspStates, 1);
  g_ptr_array_add (loop.leaving, left);
  states_append (&entering, state);
  if (statement->kind == RSP_STATEMENT_FOR && statement->init) {
    RspStates initial = entering;
    entering = (RspStates){ 0 };
    run_all (x, statement->init, &initial, &entering);
  }
  if (rsp_statement_language (x->program)->round_barriers) {
    loop.own.meets = statement_meets (x, statement);
    x->rounds = &loop.own;
  }
  if (!executor_begins_with_body (statement))
    wait_begin_rounds (x, &entering);
  if (statement->kind == RSP_STATEMENT_DO)
    loop.running = entering;
  else
    loop.decided = branch_all (x, statement->expr, &entering, &loop.running, left, left);
  if (executor_begins_with_body (statement))
    wait_begin_rounds (x, &loop.running);
  while (goes_on (&loop))
    if (!x->tries && is_tried (&loop))
      try_rounds (&loop);
    else
      run_next_round (&loop);
  x->rounds = loop.own.around;
  if (x->tries && loop.running.first)
    x->gave_up = x->overran = TRUE;
  wait_truncate_rounds (statement, G_MAXUINT, &loop.running, &loop.cut);
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

/* Runs statements of another one that end with `ended`, or at their end. */
static void run_until (RspExecutor *x, const RspStatement *statement, const RspStatement *first,
                       RspStateStatus ended, RspState *state, RspStates *out) {
  RspStates results = { 0 };
  run_list (x, first, state, &results);
  while ((state = states_take (&results))) {
    if (ends_at (state, ended, statement))
      run_on (state);
    states_append (out, state);
  }
}

/* The condition that the value matches the label, a CASE. */
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

static void run_switch (RspExecutor *x, const RspStatement *statement, RspState *state,
                        RspStates *out) {
  RspStates evaluated = { 0 };
  expression_evaluate_full (x, statement->expr, state, &evaluated);
  while ((state = states_take_running (&evaluated, out))) {
    /* The state has the value to compare; the first label that has it is where it enters. */
    const RspStatement *otherwise = NULL;
    const RspPathValue value = state->value;
    for (const RspStatement *s = statement->body->first; s && state; s = s->next) {
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
        run_until (x, statement, s->next, RSP_STATE_BREAKING, yes, out);
    }
    if (state && otherwise)
      run_until (x, statement, otherwise->next, RSP_STATE_BREAKING, state, out);
    else if (state)
      states_append (out, state);
  }
}

/* What satisfies an assumption goes on alone. What does not satisfy an assertion fails; then
 * everything goes on, or, if it has a message of its own, only what satisfies it. */
static void run_demand (RspExecutor *x, const RspStatement *statement, RspState *state,
                        RspStates *out) {
  const gboolean asserts = statement->kind == RSP_STATEMENT_ASSERT,
                 goes_on = asserts && !statement->label;
  RspStates evaluated = { 0 };
  RspState *yes, *no;
  expression_evaluate_full (x, statement->expr, state, &evaluated);
  while ((state = states_take (&evaluated))) {
    const gboolean running = state->status == RSP_STATE_RUNNING;
    if (goes_on || !running)
      states_append (out, running ? state_fork (x, state) : state);
    if (!running)
      continue;
    state_branch (x, state, state->value, statement->span, &yes, &no);
    if (no && asserts) {
      state_fail (no, statement->span, statement->label ? statement->label : RSP_ASSERTION_FAILS);
      states_append (out, no);
    } else if (no)
      state_drop (x, no);
    if (yes && !goes_on)
      states_append (out, yes);
    else if (yes)
      state_drop (x, yes);
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
    statement_run_loop (x, statement, state, out);
    return;
  case RSP_STATEMENT_BARRIER:
    barrier_run (x, statement, state, out);
    return;
  case RSP_STATEMENT_SWITCH:
    run_switch (x, statement, state, out);
    return;
  case RSP_STATEMENT_FRAME:
    run_until (x, statement, statement->body,
               statement->label ? RSP_STATE_LEAVING : RSP_STATE_RETURNED, state, out);
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
  case RSP_STATEMENT_LEAVE:
    state->status = RSP_STATE_LEAVING;
    state->target = statement->target;
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

/* ---- Code ----------------------------------------------------------------------------------- */

/* Symbolic execution of code with jumps. States wait at the statement that they execute next, and
 * the statements are run in the order of the text. A statement that a jump goes back to is the head
 * of a loop, which reaches to the last such jump; a loop that ends inside another one's range is
 * extended to that one's end, so that loops nest. Going back begins a round. */

/* A loop that is being executed. */
typedef struct CodeLoop {
  guint head, end;
  guint cut;             /* where rounds begin and end, as far as waiting is concerned */
  const RspRound *outer; /* of the state that entered it */
  struct CodeLoop *around;
  guint n_left;     /* states that left it so far */
  guint round;      /* of all rounds, also of those that are not counted */
  RspLoopRound own; /* its number: as far as the statement that is executed is in the loop */
} CodeLoop;

typedef struct Code {
  RspExecutor *x;
  const RspStatement **statements;
  guint n;
  guint8 *meets; /* per statement: may it come to a barrier? */
  guint *ends;   /* per statement: the end of the loop whose head it is, or 0 */
  RspStates *at; /* per statement, and after the last: states that execute it next */
  RspStates *done;
  CodeLoop *loop; /* the innermost one; NULL: none */
} Code;

static void run_range (Code *c, guint first, guint end, gboolean in_loop);

/* ---- Loops ---- */
/* The state leaves all loops, and executes nothing more. */
static void end_path (Code *c, RspState *state) {
  for (CodeLoop *loop = c->loop; loop; loop = loop->around)
    loop->n_left++;
  states_append (c->done, state);
}

/* The state executes statement number `next` next. It leaves the loops that this is not in. */
static void move_to (Code *c, RspState *state, guint next) {
  for (CodeLoop *loop = c->loop; loop && (next < loop->head || next >= loop->end);
       loop = loop->around) {
    state->round = loop->outer;
    loop->n_left++;
  }
  states_append (&c->at[next], state);
}

static void end_waits (Code *c) {
  const CodeLoop *loop = c->loop;
  const guint8 *live = executor_live_before (c->x, c->statements[loop->cut]);
  wait_end_rounds (c->x, c->statements[loop->head], live, &c->at[loop->cut], c->done);
}

/* Jumps that leave a loop at its head belong to the end of the round before, as in `do`. */
static guint find_cut (const Code *c, guint head) {
  guint cut = head;
  while (cut < c->ends[head]
         && (c->statements[cut]->kind == RSP_STATEMENT_EMPTY
             || (c->statements[cut]->kind == RSP_STATEMENT_JUMP && c->statements[cut]->expr
                 && (c->statements[cut]->target->index < head
                     || c->statements[cut]->target->index >= c->ends[head]))))
    cut++;
  return cut < c->ends[head] ? cut : head;
}

/* The rounds of the innermost loop, beginning with the states that wait in it. */
static void code_run_rounds (Code *c) {
  const guint head = c->loop->head, rounds = c->x->options->unroll;
  const RspStatement *first = c->statements[head];
  const guint8 *live = executor_live_before (c->x, first);
  /* May its rounds be left out of the count? Not those of a loop that nothing ends. */
  const RspStatement *last = c->statements[c->loop->end - 1];
  gboolean ends = last->kind != RSP_STATEMENT_JUMP || last->expr; /* as in `do` */
  for (guint i = c->loop->head; i < c->loop->end; i++) {
    const RspStatement *s = c->statements[i];
    ends |= s->kind == RSP_STATEMENT_RETURN
            || (s->kind == RSP_STATEMENT_JUMP
                && (s->target->index < c->loop->head || s->target->index >= c->loop->end));
  }
  const gboolean counts = ends && rsp_statement_language (c->x->program)->counts_loops;
  for (guint round = c->loop->round = 1;; round++, c->loop->round++) {
    const guint n_left = c->loop->n_left;
    run_range (c, head, c->loop->end, TRUE);
    /* Where every state goes on whatever is read, the round is not counted. */
    if (counts && c->loop->n_left == n_left && c->loop->round < RSP_MAX_ROUNDS)
      round--;
    if (c->loop->cut == head)
      end_waits (c);
    RspStates running = c->at[head];
    c->at[head] = (RspStates){ 0 };
    if (round >= rounds)
      wait_truncate_rounds (first, round - rounds, &running, c->done);
    if (!running.first || c->x->gave_up) {
      wait_truncate_rounds (first, G_MAXUINT, &running, c->done);
      return;
    }
    states_merge (c->x, &running, live);
    c->at[head] = running;
  }
}

/* May a round come from statement number `from` back to the head? seen: per statement, has it been
 * asked? */
static gboolean goes_back (const Code *c, const CodeLoop *loop, guint from, guint8 *seen) {
  for (; from > loop->head && from < loop->end && !seen[from]; from++) {
    const RspStatement *s = c->statements[from];
    seen[from] = TRUE;
    if (s->kind == RSP_STATEMENT_JUMP && goes_back (c, loop, s->target->index, seen))
      return TRUE;
    if (s->kind == RSP_STATEMENT_RETURN || (s->kind == RSP_STATEMENT_JUMP && !s->expr))
      return FALSE;
  }
  return from == loop->head;
}

/* Is the statement in the loop? Blocks that only lead out of it may also lie in its range. */
static gboolean is_in (const Code *c, const CodeLoop *loop, guint statement) {
  g_autofree guint8 *seen = g_new0 (guint8, c->n + 1);
  return goes_back (c, loop, statement, seen);
}

static void code_run_loop (Code *c, guint head) {
  guint n = c->ends[head] - head;
  g_autofree RspStates *entering = g_new (RspStates, n);
  for (guint i = 0; i < n; i++) {
    entering[i] = c->at[head + i];
    c->at[head + i] = (RspStates){ 0 };
  }
  RspState *state;
  for (guint i = 0; i < n; i++)
    while ((state = states_take (&entering[i]))) {
      /* Run the loop for one state, which enters it at the head or further down. The latter has
       * made no whole round when it comes to the head. */
      guint entry = head + i;
      CodeLoop loop = { .head = head,
                        .end = c->ends[head],
                        .cut = find_cut (c, head),
                        .outer = state->round,
                        .around = c->loop,
                        .own = { .around = c->x->rounds } };
      for (guint k = head; k < loop.end; k++)
        loop.own.meets |= c->meets[k] && is_in (c, &loop, k);
      c->loop = &loop;
      if (rsp_statement_language (c->x->program)->round_barriers)
        c->x->rounds = &loop.own;
      states_append (&c->at[entry], state);
      if (entry == loop.cut)
        wait_begin_rounds (c->x, &c->at[entry]);
      else
        state->round = NULL;
      code_run_rounds (c);
      c->loop = loop.around;
      c->x->rounds = loop.own.around;
    }
}

/* ---- Statements ---- */
static void run_jump (Code *c, const RspStatement *jump, RspState *state) {
  RspStates evaluated = { 0 };
  RspState *taken, *other;
  if (!jump->expr) {
    move_to (c, state, jump->target->index);
    return;
  }
  expression_evaluate_full (c->x, jump->expr, state, &evaluated);
  while ((state = states_take (&evaluated))) {
    if (state->status != RSP_STATE_RUNNING) {
      end_path (c, state);
      continue;
    }
    state_branch (c->x, state, state->value, jump->span, &taken, &other);
    if (taken)
      move_to (c, taken, jump->target->index);
    if (other)
      move_to (c, other, jump->index + 1);
  }
}

/* in_loop: is `first` the head of the loop that is being executed? */
static void run_range (Code *c, guint first, guint end, gboolean in_loop) {
  for (guint i = first; i < end && !c->x->gave_up;) {
    if (in_loop && i == c->loop->cut && i != first)
      end_waits (c);
    if (c->ends[i] && !(in_loop && i == first)) {
      code_run_loop (c, i);
      i = c->ends[i];
      continue;
    }
    RspStates here = c->at[i];
    RspState *state;
    c->at[i] = (RspStates){ 0 };
    while ((state = states_take (&here)))
      if (c->statements[i]->kind == RSP_STATEMENT_JUMP)
        run_jump (c, c->statements[i], state);
      else {
        RspStates results = { 0 };
        if (c->meets[i]) {
          for (CodeLoop *loop = c->loop; loop; loop = loop->around)
            loop->own.number = is_in (c, loop, i) ? loop->round : 0;
        }
        statement_run (c->x, c->statements[i], state, &results);
        while ((state = states_take (&results)))
          if (state->status == RSP_STATE_RUNNING)
            move_to (c, state, c->statements[i]->index + 1);
          else
            end_path (c, state);
      }
    i++;
  }
}

void code_run (RspExecutor *x, const RspStatement *code, RspState *state, RspStates *out) {
  Code c = { .x = x, .done = out };
  for (const RspStatement *s = code->first; s; s = s->next)
    c.n++;
  c.statements = g_new0 (const RspStatement *, c.n + 1);
  c.meets = g_new0 (guint8, c.n + 1);
  for (const RspStatement *s = code->first; s; s = s->next) {
    c.statements[s->index] = s;
    c.meets[s->index]
        = rsp_statement_language (x->program)->round_barriers && statement_meets (x, s);
  }
  c.ends = g_new0 (guint, c.n + 1);
  c.at = g_new0 (RspStates, c.n + 1);
  for (guint i = 0; i < c.n; i++) {
    const RspStatement *target = c.statements[i]->target;
    if (target && target->index <= i)
      c.ends[target->index] = i + 1;
  }
  for (gboolean changed = TRUE; changed;) {
    changed = FALSE;
    for (guint a = 0; a < c.n; a++)
      for (guint b = a + 1; b < c.ends[a]; b++)
        if (c.ends[b] > c.ends[a]) {
          c.ends[a] = c.ends[b];
          changed = TRUE;
        }
  }
  states_append (&c.at[0], state);
  run_range (&c, 0, c.n, FALSE);
  states_move (out, &c.at[c.n]);
  g_free (c.statements);
  g_free (c.meets);
  g_free (c.ends);
  g_free (c.at);
}
