/* Symbolic execution of statements. Loops are unrolled round by round; states that leave later come
 * first, as taken branches do elsewhere. */
#include "enumerator/paths/statement.h"
#include "enumerator/paths/expression.h"
#include "enumerator/paths/reduce/merge.h"
#include "enumerator/paths/operator.h"
#include "enumerator/paths/state.h"
#include "enumerator/paths/wait.h"

/* Evaluates the full expression in every running state of `states`, which it takes. */
static void
evaluate_all (RspExecutor *x, const RspExpr *expr, RspStates *states, RspStates *out)
{
  RspState *state;
  while ((state = states_take (states)))
    if (state->status == RSP_STATE_RUNNING && expr)
      expression_evaluate_full (x, expr, state, out);
    else
      states_append (out, state);
}

static void
run_all (RspExecutor *x, const RspStatement *statement, RspStates *states, RspStates *out)
{
  RspState *state;
  while ((state = states_take (states)))
    if (state->status == RSP_STATE_RUNNING && statement)
      statement_run (x, statement, state, out);
    else
      states_append (out, state);
}

/* Splits the running states by a condition (NULL: true). Other states go to out. */
static void
branch_all (RspExecutor *x, const RspExpr *condition, RspStates *states, RspStates *yes,
            RspStates *no, RspStates *out)
{
  RspStates evaluated = { 0 };
  RspState *state, *taken, *other;
  evaluate_all (x, condition, states, &evaluated);
  while ((state = states_take (&evaluated)))
    if (state->status != RSP_STATE_RUNNING)
      states_append (out, state);
    else if (!condition)
      states_append (yes, state);
    else
      {
        state_branch (x, state, state->value, condition->span, &taken, &other);
        if (taken)
          states_append (yes, taken);
        if (other)
          states_append (no, other);
      }
}

static void
run_if (RspExecutor *x, const RspStatement *statement, RspState *state, RspStates *out)
{
  RspStates states = { 0 }, evaluated = { 0 };
  RspState *yes, *no;
  states_append (&states, state);
  evaluate_all (x, statement->expr, &states, &evaluated);
  while ((state = states_take (&evaluated)))
    {
      if (state->status != RSP_STATE_RUNNING)
        {
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
typedef struct Loop
{
  const RspStatement *statement;
  const guint8 *live; /* registers whose values matter at the loop's head */
  RspStates *leaving; /* per round: states that left the loop in it */
} Loop;

/* After a body: states that left by break or return go to leaving, the others continue with the
 * next round. */
static void
sort_rounds (RspStates *after, RspStates *next, RspStates *leaving)
{
  RspState *state;
  while ((state = states_take (after)))
    {
      if (state->status == RSP_STATE_CONTINUING)
        state->status = RSP_STATE_RUNNING;
      if (state->status == RSP_STATE_RUNNING)
        {
          states_append (next, state);
          continue;
        }
      if (state->status == RSP_STATE_BREAKING)
        state->status = RSP_STATE_RUNNING;
      states_append (leaving, state);
    }
}

/* Ends states that have gone round as often as they may: those that have waited in the loop, as
 * often again. */
static void
truncate_rounds (const RspStatement *statement, guint extra_rounds, RspStates *states,
                 RspStates *out)
{
  RspStates kept = { 0 };
  RspState *state;
  while ((state = states_take (states)))
    {
      if (state->round && state->round->n_waits > extra_rounds)
        {
          states_append (&kept, state);
          continue;
        }
      state->status = RSP_STATE_TRUNCATED;
      state->end_span = statement->span;
      states_append (out, state);
    }
  *states = kept;
}

/* One round: the body, the step of a for loop, and the condition for the next round. `running` has
 * the states that go round again. */
static void
run_round (RspExecutor *x, const RspStatement *statement, RspStates *running, RspStates *leaving)
{
  RspStates after = { 0 }, next = { 0 }, stepped = { 0 };
  run_all (x, statement->body, running, &after);
  sort_rounds (&after, &next, leaving);
  evaluate_all (x, statement->kind == RSP_STATEMENT_FOR ? statement->step : NULL, &next, &stepped);
  if (statement->kind != RSP_STATEMENT_DO)
    wait_end_rounds (x, statement, &stepped, leaving);
  branch_all (x, statement->expr, &stepped, running, leaving, leaving);
  if (statement->kind == RSP_STATEMENT_DO)
    wait_end_rounds (x, statement, running, leaving);
}

static void
run_loop (RspExecutor *x, const RspStatement *statement, RspState *state, RspStates *out)
{
  guint rounds = x->options->unroll;
  const RspRound *outer = state->round;
  RspStates entering = { 0 }, running = { 0 };
  GPtrArray *leaving = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (leaving, g_new0 (RspStates, 1));
  states_append (&entering, state);
  if (statement->kind == RSP_STATEMENT_FOR && statement->init)
    {
      RspStates initial = entering;
      entering = (RspStates){ 0 };
      run_all (x, statement->init, &initial, &entering);
    }
  wait_begin_rounds (x, &entering);
  if (statement->kind == RSP_STATEMENT_DO)
    running = entering;
  else
    branch_all (x, statement->expr, &entering, &running, leaving->pdata[0], leaving->pdata[0]);
  for (guint round = 0; running.first && !x->gave_up; round++)
    {
      if (round >= rounds)
        truncate_rounds (statement, round - rounds, &running, out);
      RspStates *left = g_new0 (RspStates, 1);
      g_ptr_array_add (leaving, left);
      run_round (x, statement, &running, left);
      states_merge (x, &running, g_hash_table_lookup (x->live, statement->body));
    }
  truncate_rounds (statement, G_MAXUINT, &running, out);
  for (guint i = leaving->len; i-- > 0;)
    {
      wait_leave (leaving->pdata[i], outer);
      states_move (out, leaving->pdata[i]);
    }
  g_ptr_array_unref (leaving);
}

/* ---- Barriers ---- */

/* The number of earlier barriers with that label on the path. */
static guint
count_barriers (const RspState *state, const char *label)
{
  for (const RspEventNode *node = state->last; node; node = node->previous)
    if (node->event.kind == RSP_EVENT_EXIT && g_str_equal (node->event.barrier, label))
      return node->event.barrier_count + 1;
  return 0;
}

/* A barrier is two fences with its scope and on the memory of its flags: a release before it waits,
 * and an acquire after it. (OpenCL C 2.0, 6.13.8) */
static void
run_barrier (RspExecutor *x, const RspStatement *statement, RspState *state, RspStates *out)
{
  static const struct
  {
    RspEventKind kind;
    RspOrder order;
  } halves[] = { { RSP_EVENT_ENTRY, RSP_ORDER_RELEASE }, { RSP_EVENT_EXIT, RSP_ORDER_ACQUIRE } };
  const char *label = statement->label ? statement->label : "";
  RspEvent event = { .location = RSP_NO_LOCATION,
                     .scope = statement->scope,
                     .flags = statement->flags,
                     .barrier = label,
                     .barrier_count = count_barriers (state, label),
                     .span = statement->span };
  for (guint i = 0; i < G_N_ELEMENTS (halves); i++)
    {
      event.kind = halves[i].kind;
      event.order = halves[i].order;
      state_emit (x, state, &event, NULL, NULL);
      state_sequence_point (x, state);
    }
  states_append (out, state);
}

/* ---- All kinds ---- */

static void
run_block (RspExecutor *x, const RspStatement *block, RspState *state, RspStates *out)
{
  RspStates states = { 0 };
  states_append (&states, state);
  for (const RspStatement *s = block->first; s && !x->gave_up; s = s->next)
    {
      RspStates after = { 0 };
      run_all (x, s, &states, &after);
      states = after;
    }
  states_move (out, &states);
}

static void
run_declaration (RspExecutor *x, const RspStatement *statement, RspState *state, RspStates *out)
{
  RspStates results = { 0 };
  expression_evaluate_full (x, statement->expr, state, &results);
  while ((state = states_take (&results)))
    {
      const RspType *type = &x->thread->registers[statement->reg].type;
      if (state->status == RSP_STATE_RUNNING)
        state->registers[statement->reg]
            = (RspRegisterValue){ .term = term_to_type (x, state->value.term, type),
                                  .sources = state->value.sources };
      states_append (out, state);
    }
}

static void
run_kind (RspExecutor *x, const RspStatement *statement, RspState *state, RspStates *out)
{
  switch (statement->kind)
    {
    case RSP_STATEMENT_EXPRESSION:
      expression_evaluate_full (x, statement->expr, state, out);
      return;
    case RSP_STATEMENT_DECLARATION:
      if (statement->expr)
        run_declaration (x, statement, state, out);
      else
        states_append (out, state);
      return;
    case RSP_STATEMENT_BLOCK:
      run_block (x, statement, state, out);
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
      run_barrier (x, statement, state, out);
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

void
statement_run (RspExecutor *x, const RspStatement *statement, RspState *state, RspStates *out)
{
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
