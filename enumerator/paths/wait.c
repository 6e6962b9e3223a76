#include "enumerator/paths/wait.h"
#include "enumerator/paths/reduce/live.h"
#include "enumerator/paths/state.h"

#include <string.h>

/* n_waits: rounds of the loop so far that waited. */
static void
begin_round (RspExecutor *x, RspState *state, guint n_waits)
{
  gsize registers = sizeof (RspRegisterValue) * x->thread->n_registers;
  RspRound *round = rsp_arena_alloc (x->scratch, sizeof *round + registers);
  round->n_events = state->n_events;
  round->n_waits = n_waits;
  memcpy (round->registers, state->registers, registers);
  state->round = round;
}

void
wait_begin_rounds (RspExecutor *x, const RspStates *states)
{
  if (x->options->spin_last)
    for (RspState *state = states->first; state; state = state->next)
      begin_round (x, state, 0);
}

static gboolean
only_reads (const RspState *state)
{
  guint since = state->round->n_events;
  if (state->n_events == since)
    return FALSE;
  for (const RspEventNode *node = state->last; node && node->number >= since; node = node->previous)
    if (node->event.kind != RSP_EVENT_READ)
      return FALSE;
  return TRUE;
}

static gboolean
leaves_nothing (const RspExecutor *x, const RspState *state, const guint8 *live)
{
  for (guint i = 0; i < x->thread->n_registers; i++)
    {
      const RspRegisterValue *before = &state->round->registers[i], *now = &state->registers[i];
      if (live[i] && (before->term != now->term || before->sources != now->sources))
        return FALSE;
    }
  return TRUE;
}

static void
end_stuck (RspExecutor *x, const RspStatement *loop, const RspState *state, RspStates *out)
{
  RspState *stuck = state_fork (x, state);
  stuck->status = RSP_STATE_STUCK;
  stuck->end_span = loop->span;
  states_append (out, stuck);
}

void
wait_end_rounds (RspExecutor *x, const RspStatement *loop, RspStates *states, RspStates *out)
{
  if (!x->options->spin_last)
    return;
  const guint8 *live = executor_live_at_head (x, loop);
  RspStates kept = { 0 };
  RspState *state;
  while ((state = states_take (states)))
    {
      gboolean waits = state->status == RSP_STATE_RUNNING && state->round && only_reads (state)
                       && leaves_nothing (x, state, live);
      if (waits && state->n_waits == RSP_MAX_WAITS)
        {
          state_drop (x, state);
          continue;
        }
      if (waits)
        {
          state->wait_begin = state->round->n_events;
          state->wait_end = state->n_events;
          if (state->n_waits == 0)
            end_stuck (x, loop, state, out);
          state->n_waits++;
        }
      begin_round (x, state, state->round ? state->round->n_waits + (waits ? 1 : 0) : 0);
      states_append (&kept, state);
    }
  *states = kept;
}

void
wait_leave (const RspStates *states, const RspRound *outer)
{
  for (RspState *state = states->first; state; state = state->next)
    state->round = outer;
}
