/* Symbolic execution of code with jumps. States wait at the statement that they execute next, and
 * the statements are run in the order of the text. A statement that a jump goes back to is the head
 * of a loop, which reaches to the last such jump; a loop that ends inside another one's range is
 * extended to that one's end, so that loops nest. Going back begins a round. */
#include "enumerator/paths/code.h"
#include "enumerator/paths/expression.h"
#include "enumerator/paths/reduce/live.h"
#include "enumerator/paths/reduce/merge.h"
#include "enumerator/paths/state.h"
#include "enumerator/paths/statement.h"
#include "enumerator/paths/loops/wait.h"

/* A loop that is being executed. */
typedef struct Loop {
  guint head, end;
  guint cut;             /* where rounds begin and end, as far as waiting is concerned */
  const RspRound *outer; /* of the state that entered it */
  struct Loop *around;
} Loop;

typedef struct Code {
  RspExecutor *x;
  const RspStatement **statements;
  guint n;
  guint *ends;   /* per statement: the end of the loop whose head it is, or 0 */
  RspStates *at; /* per statement, and after the last: states that execute it next */
  RspStates *done;
  Loop *loop; /* the innermost one; NULL: none */
} Code;

static void run_range (Code *c, guint first, guint end, gboolean in_loop);

/* ---- Loops ---- */

static void find_loops (Code *c) {
  for (guint i = 0; i < c->n; i++) {
    const RspStatement *target = c->statements[i]->target;
    if (target && target->index <= i)
      c->ends[target->index] = i + 1;
  }
  for (gboolean changed = TRUE; changed;) {
    changed = FALSE;
    for (guint a = 0; a < c->n; a++)
      for (guint b = a + 1; b < c->ends[a]; b++)
        if (c->ends[b] > c->ends[a]) {
          c->ends[a] = c->ends[b];
          changed = TRUE;
        }
  }
}

/* The state executes statement number `next` next. It leaves the loops that this is not in. */
static void move_to (Code *c, RspState *state, guint next) {
  for (const Loop *loop = c->loop; loop && (next < loop->head || next >= loop->end);
       loop = loop->around)
    state->round = loop->outer;
  states_append (&c->at[next], state);
}

static void end_waits (Code *c) {
  const Loop *loop = c->loop;
  const guint8 *live = executor_live_before (c->x, c->statements[loop->cut]);
  wait_end_rounds (c->x, c->statements[loop->head], live, &c->at[loop->cut], c->done);
}

static gboolean leaves_loop (const Code *c, const RspStatement *s, guint head) {
  return s->kind == RSP_STATEMENT_JUMP && s->expr
         && (s->target->index < head || s->target->index >= c->ends[head]);
}

/* Jumps that leave a loop at its head belong to the end of the round before, as in `do`. */
static guint find_cut (const Code *c, guint head) {
  guint cut = head;
  while (cut < c->ends[head]
         && (c->statements[cut]->kind == RSP_STATEMENT_EMPTY
             || leaves_loop (c, c->statements[cut], head)))
    cut++;
  return cut < c->ends[head] ? cut : head;
}

/* The rounds of the innermost loop, beginning with the states that wait in it. */
static void run_rounds (Code *c) {
  const guint head = c->loop->head, rounds = c->x->options->unroll;
  const RspStatement *first = c->statements[head];
  const guint8 *live = executor_live_before (c->x, first);
  for (guint round = 1;; round++) {
    run_range (c, head, c->loop->end, TRUE);
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

/* Runs a loop for one state, which enters it at the head or further down. The latter has made no
 * whole round when it comes to the head. */
static void run_entry (Code *c, guint head, guint entry, RspState *state) {
  Loop loop = { head, c->ends[head], find_cut (c, head), state->round, c->loop };
  c->loop = &loop;
  states_append (&c->at[entry], state);
  if (entry == loop.cut)
    wait_begin_rounds (c->x, &c->at[entry]);
  else
    state->round = NULL;
  run_rounds (c);
  c->loop = loop.around;
}

static void run_loop (Code *c, guint head) {
  guint n = c->ends[head] - head;
  g_autofree RspStates *entering = g_new (RspStates, n);
  for (guint i = 0; i < n; i++) {
    entering[i] = c->at[head + i];
    c->at[head + i] = (RspStates){ 0 };
  }
  RspState *state;
  for (guint i = 0; i < n; i++)
    while ((state = states_take (&entering[i])))
      run_entry (c, head, head + i, state);
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
      states_append (c->done, state);
      continue;
    }
    state_branch (c->x, state, state->value, jump->span, &taken, &other);
    if (taken)
      move_to (c, taken, jump->target->index);
    if (other)
      move_to (c, other, jump->index + 1);
  }
}

static void run_statement (Code *c, const RspStatement *statement, RspState *state) {
  RspStates results = { 0 };
  statement_run (c->x, statement, state, &results);
  while ((state = states_take (&results)))
    if (state->status == RSP_STATE_RUNNING)
      move_to (c, state, statement->index + 1);
    else
      states_append (c->done, state);
}

/* in_loop: is `first` the head of the loop that is being executed? */
static void run_range (Code *c, guint first, guint end, gboolean in_loop) {
  for (guint i = first; i < end && !c->x->gave_up;) {
    if (in_loop && i == c->loop->cut && i != first)
      end_waits (c);
    if (c->ends[i] && !(in_loop && i == first)) {
      run_loop (c, i);
      i = c->ends[i];
      continue;
    }
    RspStates here = c->at[i];
    RspState *state;
    c->at[i] = (RspStates){ 0 };
    while ((state = states_take (&here)))
      if (c->statements[i]->kind == RSP_STATEMENT_JUMP)
        run_jump (c, c->statements[i], state);
      else
        run_statement (c, c->statements[i], state);
    i++;
  }
}

void code_run (RspExecutor *x, const RspStatement *code, RspState *state, RspStates *out) {
  Code c = { .x = x, .done = out };
  for (const RspStatement *s = code->first; s; s = s->next)
    c.n++;
  c.statements = g_new0 (const RspStatement *, c.n + 1);
  for (const RspStatement *s = code->first; s; s = s->next)
    c.statements[s->index] = s;
  c.ends = g_new0 (guint, c.n + 1);
  c.at = g_new0 (RspStates, c.n + 1);
  find_loops (&c);
  states_append (&c.at[0], state);
  run_range (&c, 0, c.n, FALSE);
  states_move (out, &c.at[c.n]);
  g_free (c.statements);
  g_free (c.ends);
  g_free (c.at);
}
