#include "enumerator/paths/loops/wait.h"
#include "enumerator/paths/state.h"
#include "enumerator/terms/condition.h"
#include "enumerator/terms/simplify.h"

#include <string.h>

/* n_waits: rounds of the loop so far that waited; since: the first event of those that come right
 * before. */
static void begin_round (RspExecutor *x, RspState *state, const RspRound *previous, guint n_waits,
                         guint since) {
  gsize registers = sizeof (RspRegisterValue) * x->thread->n_registers;
  RspRound *round = rsp_arena_alloc (x->scratch, sizeof *round + registers);
  round->previous = previous;
  round->n_events = state->n_events;
  round->n_waits = n_waits;
  round->waits_since = since;
  memcpy (round->registers, state->registers, registers);
  state->round = round;
}

static gboolean looks_at_rounds (const RspExecutor *x) {
  return x->options->spin_last || x->options->cycles;
}

void wait_begin_rounds (RspExecutor *x, const RspStates *states) {
  if (looks_at_rounds (x))
    for (RspState *state = states->first; state; state = state->next)
      begin_round (x, state, NULL, 0, state->n_events);
}

/* Are the registers what they were when the round began? What a register depends on may change, but
 * only by reads since then and of waiting rounds right before it: without the first of them, the
 * register depends on the others as it would have anyway. */
static gboolean leaves_nothing (RspExecutor *x, const RspState *state, const RspRound *round,
                                const guint8 *live) {
  for (guint i = 0; i < x->thread->n_registers; i++) {
    const RspRegisterValue *before = &round->registers[i], *now = &state->registers[i];
    if (live[i]
        && (before->term != now->term
            || event_set_below (x, before->sources, round->waits_since)
                   != event_set_below (x, now->sources, round->waits_since)))
      return FALSE;
  }
  return TRUE;
}

/* ---- Rounds that may repeat for ever ---- */

/* Assumes that each register that may still be read is what it was at the beginning of a round.
 * FALSE if it is not. */
static gboolean assume_same (RspExecutor *x, RspState *state, const RspRound *since,
                             const guint8 *live, RspSpan span) {
  for (guint i = 0; i < x->thread->n_registers; i++) {
    const RspTerm *before = since->registers[i].term, *now = state->registers[i].term;
    if (live[i] && before != now
        && !state_assume (x, state, rsp_term_binary (x->terms, RSP_OP_EQ, before, now), span))
      return FALSE;
  }
  return TRUE;
}

/* Since the event: a weak compare-exchange may fail without a reason, but not for ever. */
static gboolean fails_spuriously (const RspState *state, guint since) {
  for (const RspEventNode *node = state->last; node && node->number >= since; node = node->previous)
    if (node->event.spurious)
      return TRUE;
  return FALSE;
}

/* The last round may repeat for ever, or the last two, and so on. */
static void end_stuck (RspExecutor *x, const RspStatement *loop, const RspState *state,
                       const guint8 *live, RspStates *out) {
  for (const RspRound *since = state->round; since && !fails_spuriously (state, since->n_events);
       since = since->previous) {
    RspState *stuck = state_fork (x, state);
    if (!assume_same (x, stuck, since, live, loop->span)) {
      state_drop (x, stuck);
      continue;
    }
    stuck->status = RSP_STATE_STUCK;
    stuck->end_span = loop->span;
    stuck->wait_begin = since->n_events;
    stuck->wait_end = state->n_events;
    states_append (out, stuck);
  }
}

/* ---- Rounds that write back what they read ---- */

/* Per read-modify-write since the round began: does it write what it read? FALSE if there are other
 * events than those and reads. */
static gboolean find_write_backs (RspExecutor *x, const RspState *state, const RspRound *round,
                                  GPtrArray *conditions) {
  for (const RspEventNode *node = state->last; node && node->number >= round->n_events;
       node = node->previous) {
    const RspEvent *e = &node->event;
    const RspTerm *read
        = e->kind == RSP_EVENT_WRITE && e->rmw_half ? node->previous->event.read : e->read;
    if (e->kind == RSP_EVENT_READ)
      continue;
    if (e->kind != RSP_EVENT_RMW && !e->rmw_half)
      return FALSE;
    g_ptr_array_add (conditions,
                     (gpointer) rsp_term_binary (x->terms, RSP_OP_EQ, read, e->written));
  }
  return TRUE;
}

/* Of the states that rounds leave behind, those in which it has changed something go to out: for
 * each read-modify-write, those in which that is the first to have written another value than it
 * read. Takes the state; returns it with the assumption that nothing was changed, or NULL. */
static RspState *split_changed (RspExecutor *x, RspState *state, const GPtrArray *conditions,
                                RspSpan span, RspStates *out) {
  for (guint i = 0; state && i < conditions->len; i++) {
    const RspTerm *same = conditions->pdata[i];
    RspState *changed = state_fork (x, state);
    if (state_assume (x, changed, rsp_term_negate_condition (x->terms, same), span))
      states_append (out, changed);
    else
      state_drop (x, changed);
    if (state_assume (x, state, same, span))
      continue;
    state_drop (x, state);
    state = NULL;
  }
  return state;
}

/* ---- Rounds ---- */

/* The first of several waiting rounds is the one that may be left out. */
static void note_wait (RspState *state) {
  if (state->round->waits_since == state->round->n_events) {
    state->wait_begin = state->round->n_events;
    state->wait_end = state->n_events;
  }
  state->n_waits++;
}

/* A state that has made a round, of which rounds that may repeat for ever are already noted: what
 * remains of it if the last rounds are left out where they have no effect, be it only together.
 * Takes the state. */
static void drop_idle_rounds (RspExecutor *x, const RspStatement *loop, const guint8 *live,
                              RspState *state, RspStates *out) {
  g_autoptr (GPtrArray) conditions = g_ptr_array_new ();
  const RspRound *since = state->round;
  while (since && !leaves_nothing (x, state, since, live))
    since = since->previous;
  if (!since || !find_write_backs (x, state, since, conditions)) {
    states_append (out, state);
    return;
  }
  state = split_changed (x, state, conditions, loop->span, out);
  if (state)
    state_drop (x, state);
}

/* Rounds that wait have events. */
static gboolean may_wait (RspExecutor *x, const RspState *state, const guint8 *live,
                          GPtrArray *conditions) {
  const RspRound *round = state->round;
  return round && state->n_events > round->n_events && leaves_nothing (x, state, round, live)
         && find_write_backs (x, state, round, conditions);
}

/* A state that has made a round goes on with the next one, unless it has waited once too often.
 * Takes the state. */
static void end_wait (RspExecutor *x, RspState *state, gboolean waits, RspStates *kept) {
  const RspRound *round = state->status == RSP_STATE_RUNNING ? state->round : NULL;
  if (waits && state->n_waits == RSP_MAX_WAITS) {
    state_drop (x, state);
    return;
  }
  if (waits)
    note_wait (state);
  begin_round (x, state, round, round ? round->n_waits + (waits ? 1 : 0) : 0,
               waits ? round->waits_since : state->n_events);
  states_append (kept, state);
}

/* With -spin last. Takes the state. */
static void end_waiting_round (RspExecutor *x, const RspStatement *loop, const guint8 *live,
                               RspState *state, RspStates *kept) {
  g_autoptr (GPtrArray) conditions = g_ptr_array_new ();
  if (state->status != RSP_STATE_RUNNING || !may_wait (x, state, live, conditions)) {
    end_wait (x, state, FALSE, kept);
    return;
  }
  RspStates changed = { 0 };
  RspState *other, *same = split_changed (x, state, conditions, loop->span, &changed);
  if (same)
    end_wait (x, same, TRUE, kept);
  while ((other = states_take (&changed)))
    end_wait (x, other, FALSE, kept);
}

static void begin_next_rounds (RspExecutor *x, RspStates *states, const RspRound *round,
                               RspStates *kept) {
  for (RspState *state = states->first; state; state = state->next)
    begin_round (x, state, round, 0, state->n_events);
  states_move (kept, states);
}

void wait_end_rounds (RspExecutor *x, const RspStatement *loop, const guint8 *live,
                      RspStates *states, RspStates *out) {
  if (!looks_at_rounds (x))
    return;
  RspStates kept = { 0 };
  RspState *state;
  while ((state = states_take (states))) {
    const RspRound *round = state->status == RSP_STATE_RUNNING ? state->round : NULL;
    if (x->options->cycles && round) {
      RspStates rest = { 0 };
      end_stuck (x, loop, state, live, out);
      drop_idle_rounds (x, loop, live, state, &rest);
      begin_next_rounds (x, &rest, round, &kept);
      continue;
    }
    end_waiting_round (x, loop, live, state, &kept);
  }
  *states = kept;
}

void wait_leave (const RspStates *states, const RspRound *outer) {
  for (RspState *state = states->first; state; state = state->next)
    state->round = outer;
}

void wait_truncate_rounds (const RspStatement *statement, guint extra_rounds, RspStates *states,
                           RspStates *out) {
  RspStates kept = { 0 };
  RspState *state;
  while ((state = states_take (states))) {
    if (state->round && state->round->n_waits > extra_rounds) {
      states_append (&kept, state);
      continue;
    }
    state->status = RSP_STATE_TRUNCATED;
    state->end_span = statement->span;
    states_append (out, state);
  }
  *states = kept;
}
