/* Symbolic execution of barriers. */
#include "enumerator/paths/call/barrier.h"
#include "enumerator/paths/expression.h"
#include "enumerator/paths/call/numbers.h"
#include "enumerator/paths/state.h"
#include "enumerator/paths/call/translated.h"
#include "enumerator/terms/condition.h"
#include "enumerator/terms/simplify.h"
#include "parser/scopes.h"

/* The number of earlier barriers with that label and name on the path. */
static guint count_barriers (const RspState *state, const char *label, gint64 name) {
  for (const RspEventNode *node = state->last; node; node = node->previous)
    if ((node->event.kind == RSP_EVENT_EXIT || node->event.kind == RSP_EVENT_BARRIER)
        && node->event.barrier_name == name && g_str_equal (node->event.barrier, label))
      return node->event.barrier_count + 1;
  return 0;
}

/* A barrier is two fences with its scope and on the memory of its flags: a release before it waits,
 * and an acquire after it. (OpenCL C 2.0, 6.13.8) */
static void run_two_fences (RspExecutor *x, const RspStatement *statement, RspState *state,
                            RspStates *out) {
  static const struct {
    RspEventKind kind;
    RspOrder order;
  } halves[] = { { RSP_EVENT_ENTRY, RSP_ORDER_RELEASE }, { RSP_EVENT_EXIT, RSP_ORDER_ACQUIRE } };
  const char *label = statement->label ? statement->label : "";
  RspLevel meeting = statement->sub_group ? RSP_LEVEL_SUB_GROUP
                     : statement->wide && x->options->barriers & RSP_BARRIERS_WIDE
                         ? rsp_scopes[statement->scope].level
                         : RSP_LEVEL_WORK_GROUP;
  RspEvent event = { .location = RSP_NO_LOCATION,
                     .scope = statement->scope,
                     .flags = statement->flags,
                     .barrier = label,
                     .barrier_count = count_barriers (state, label, 0),
                     .meeting = meeting,
                     .span = statement->span };
  for (guint i = 0; i < G_N_ELEMENTS (halves); i++) {
    event.kind = halves[i].kind;
    event.order = halves[i].order;
    state_emit (x, state, &event, NULL, NULL);
    state_sequence_point (x, state);
  }
  states_append (out, state);
}

/* ---- Barriers of one event ---- */

/* Takes a state in which the operand's value depends on what is read, and appends one for each
 * number that it may be, which is then the state's value. */
static void fork_by_number (RspExecutor *x, const RspExpr *operand, RspState *state,
                            RspStates *out) {
  const RspTerm *term = state->value.term;
  const RspType *type = &operand->type;
  gboolean complete;
  g_autoptr (GArray) numbers = program_numbers (x->program, x->options->unroll, &complete);
  for (guint i = 0; state && i < numbers->len; i++) {
    const RspTerm *number = rsp_term_constant (x->terms, g_array_index (numbers, gint64, i),
                                               rsp_type_bits (type), rsp_type_is_signed (type));
    const RspTerm *equal = rsp_term_binary (x->terms, RSP_OP_EQ, term, number);
    RspState *here = state_fork (x, state);
    here->value.term = number;
    if (state_assume (x, here, equal, operand->span))
      states_append (out, here);
    else
      state_drop (x, here);
    if (!state_assume (x, state, rsp_term_negate_condition (x->terms, equal), operand->span)) {
      state_drop (x, state);
      state = NULL;
    }
  }
  if (state && !complete)
    executor_give_up (x, operand->span,
                      "a barrier whose name or quorum depends on what is read is not supported if "
                      "that may be too many numbers");
  if (state)
    state_drop (x, state);
}

/* Takes a state and appends those in which the operand (NULL: 0) has a known number, which is the
 * state's value. */
static void evaluate_number (RspExecutor *x, const RspExpr *operand, RspState *state,
                             RspStates *out) {
  RspStates results = { 0 };
  if (!operand) {
    state->value = (RspPathValue){ .term = rsp_term_constant (x->terms, 0, 64, TRUE) };
    states_append (out, state);
    return;
  }
  expression_evaluate_full (x, operand, state, &results);
  while ((state = states_take (&results)))
    if (state->value.term->kind == RSP_TERM_CONSTANT)
      states_append (out, state);
    else
      fork_by_number (x, operand, state, out);
}

/* May so many others come to the barrier that they meet without this thread? */
static gboolean may_pass (const RspExecutor *x, gint64 quorum) {
  const RspThread *threads = x->program->threads;
  gint64 others = 0;
  for (guint t = 0; t < x->program->n_threads; t++)
    others
        += t != x->thread_index && rsp_threads_share (&threads[t], x->thread, RSP_LEVEL_WORK_GROUP);
  return quorum > 0 && others >= quorum;
}

/* Statements of a thread's code that are the barrier, and jumps back in it. */
static void count_statements (const RspStatement *code, const char *id, guint64 *barriers,
                              guint64 *jumps) {
  for (const RspStatement *s = code->first; s; s = s->next) {
    *barriers += s->barrier && g_str_equal (s->barrier->id, id);
    *jumps += s->kind == RSP_STATEMENT_JUMP && s->target && s->target->index <= s->index;
  }
}

/* No more threads come to the barrier of that id. */
static guint64 most_arrivals (const RspExecutor *x, const char *id) {
  guint64 all = 0;
  for (guint t = 0; t < x->program->n_threads; t++) {
    guint64 n = 0, jumps = 0;
    count_statements (x->program->threads[t].body, id, &n, &jumps);
    for (guint64 i = 0; i < MIN (jumps, 2); i++)
      n *= x->options->unroll + 1;
    all += n;
  }
  return all;
}

static void emit_barrier (RspExecutor *x, RspState *state, const RspEvent *event,
                          const RspSequence *sequence) {
  translated_before (x, state, sequence, event->span);
  state_emit (x, state, event, NULL, NULL);
  state_sequence_point (x, state);
  translated_after (x, state, sequence, event->span);
  state_sequence_point (x, state);
}

/* Appends a state for each phase in which the thread may come to the barrier. */
static void choose_phase (RspExecutor *x, const RspSequence *sequence, RspEvent event,
                          RspState *state, RspStates *out) {
  guint64 last = most_arrivals (x, event.barrier) / (guint64) event.barrier_quorum;
  event.barrier_phase = TRUE;
  for (; event.barrier_count < last; event.barrier_count++) {
    RspState *here = state_fork (x, state);
    emit_barrier (x, here, &event, sequence);
    states_append (out, here);
  }
  emit_barrier (x, state, &event, sequence);
  states_append (out, state);
}

/* Appends a state in which the thread is one of those that meet and, if others may meet without it,
 * one in which it is not. */
static void meet_or_pass (RspExecutor *x, const RspSequence *sequence, RspEvent event,
                          RspState *state, RspStates *out) {
  if (event.barrier_quorum > 0 && (x->options->barriers & RSP_BARRIERS_PHASES)) {
    choose_phase (x, sequence, event, state, out);
    return;
  }
  RspState *other = may_pass (x, event.barrier_quorum) ? state_fork (x, state) : NULL;
  event.barrier_all = !event.barrier_quorum && (x->options->barriers & RSP_BARRIERS_ALL_THREADS);
  emit_barrier (x, state, &event, sequence);
  states_append (out, state);
  event.barrier_passes = TRUE;
  if (other) {
    emit_barrier (x, other, &event, sequence);
    states_append (out, other);
  }
}

/* sequence: what the barrier is translated to; else NULL. */
static void run_single_barrier (RspExecutor *x, const RspBarrier *barrier,
                                const RspSequence *sequence, RspSpan span, RspState *state,
                                RspStates *out) {
  RspStates named = { 0 };
  evaluate_number (x, barrier->name, state, &named);
  while ((state = states_take (&named))) {
    gint64 name = state->value.term->constant;
    RspStates counted = { 0 };
    evaluate_number (x, barrier->quorum, state, &counted);
    while ((state = states_take (&counted))) {
      const RspEvent event = { .kind = RSP_EVENT_BARRIER,
                               .location = RSP_NO_LOCATION,
                               .virtual_location = RSP_NO_LOCATION,
                               .tags = barrier->tags,
                               .reach = barrier->reach,
                               .barrier = barrier->id,
                               .barrier_count = count_barriers (state, barrier->id, name),
                               .barrier_name = name,
                               .barrier_quorum = state->value.term->constant,
                               .barrier_arrives = barrier->arrives,
                               .meeting = RSP_LEVEL_WORK_GROUP,
                               .span = span };
      meet_or_pass (x, sequence, event, state, out);
    }
  }
}

/* ---- Barriers that are translated ---- */

static void run_translated (RspExecutor *x, const RspStatement *statement, RspState *state,
                            RspStates *out) {
  const RspBarrier *own = statement->barrier;
  RspMapped mapped = { .operation = RSP_MAP_BARRIER,
                       .order = RSP_ORDER_ACQ_REL,
                       .scope = statement->scope,
                       .flags = statement->flags };
  RspBarrier barrier = { .id = statement->label ? statement->label : "" };
  if (own) {
    barrier = *own;
    mapped.spelling = &own->spelling;
    mapped.reach = own->reach;
  }
  const RspSequence *sequence = translated_find (x, mapped, statement->span);
  if (!sequence) {
    states_append (out, state);
    return;
  }
  const RspTranslated *main = &sequence->instructions[sequence->main];
  barrier.tags = main->tags;
  barrier.reach = main->reach;
  barrier.arrives = main->arrives;
  run_single_barrier (x, &barrier, sequence, statement->span, state, out);
}

void barrier_run (RspExecutor *x, const RspStatement *statement, RspState *state, RspStates *out) {
  if (x->program->translation)
    run_translated (x, statement, state, out);
  else if (statement->barrier)
    run_single_barrier (x, statement->barrier, NULL, statement->span, state, out);
  else
    run_two_fences (x, statement, state, out);
}
