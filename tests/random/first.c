#include "tests/random/first.h"
#include "enumerator/search/search.h"
#include "enumerator/terms/terms.h"

#include <stdio.h>
#include <string.h>

static gboolean has_state (const RspOutcome *outcome, const RspOutcome *other,
                           const RspStateCount *state) {
  for (guint i = 0; i < outcome->n_states; i++) {
    gboolean same = TRUE;
    for (guint j = 0; j < outcome->n_printed && same; j++)
      same = rsp_value_equal (rsp_outcome_value (outcome, &outcome->states[i], j),
                              rsp_outcome_value (other, state, j));
    if (same)
      return TRUE;
  }
  return FALSE;
}

static gboolean raises (const RspOutcome *outcome, const char *flag) {
  for (guint i = 0; i < outcome->n_flags; i++)
    if (outcome->flags[i].raised && strcmp (outcome->flags[i].name, flag) == 0)
      return TRUE;
  return FALSE;
}

/* Does a search that ended early leave the verdict as it is, with some of the states and flags? */
static gboolean is_part (const RspOutcome *whole, const RspOutcome *part) {
  gboolean is_forall = whole->program->quantifier == RSP_FORALL;
  gboolean sought = is_forall ? rsp_outcome_may_fail (whole) : rsp_outcome_may_hold (whole);
  gboolean found = is_forall ? rsp_outcome_may_fail (part) : rsp_outcome_may_hold (part);
  if (found != sought || (part->n_states > 0) != sought
      || (rsp_outcome_may_hold (part) || part->satisfiable) != rsp_outcome_may_hold (whole))
    return FALSE;
  for (guint i = 0; i < part->n_states; i++)
    if (!has_state (whole, part, &part->states[i]))
      return FALSE;
  for (guint i = 0; i < part->n_flags; i++)
    if (part->flags[i].raised && strcmp (part->flags[i].name, RSP_SPIN_FLAG) != 0
        && !raises (whole, part->flags[i].name))
      return FALSE;
  return TRUE;
}

static gboolean agrees (const RspModel *model, const RspOutcome *whole,
                        const RspCheckOptions *options) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspOutcome) part = rsp_check (whole->program, model, options, diagnostics);
  if (part->stop == RSPCHECK_STOP_ERROR && options->engine == RSPCHECK_ENGINE_SAT)
    return TRUE;
  if ((part->stop == RSPCHECK_STOP_COMPLETE || part->stop == RSPCHECK_STOP_FOUND)
      && is_part (whole, part))
    return TRUE;
  printf ("DISAGREE: -speedcheck fast (engine %d, jobs %u, forall %d) has %u states, all have %u\n",
          options->engine, options->jobs, whole->program->quantifier == RSP_FORALL, part->n_states,
          whole->n_states);
  return FALSE;
}

gboolean first_agrees (const RspModel *model, RspCheckOptions options, const RspOutcome *whole) {
  static const RspcheckEngine engines[] = { RSPCHECK_ENGINE_BOUNDED, RSPCHECK_ENGINE_BOUNDED,
                                            RSPCHECK_ENGINE_SAT, RSPCHECK_ENGINE_AUTO };
  if (options.speedcheck != RSPCHECK_SPEED_EXACT)
    return TRUE;
  RspProgram other = *whole->program;
  RspOutcome asked_otherwise = *whole;
  other.quantifier = other.quantifier == RSP_FORALL ? RSP_EXISTS : RSP_FORALL;
  asked_otherwise.program = &other;
  gboolean agree = TRUE;
  options.speedcheck = RSPCHECK_SPEED_FAST;
  options.help_after = 1;
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++) {
    options.engine = engines[i];
    options.jobs = i == 1 ? 4 : 1;
    agree &= agrees (model, whole, &options);
    agree &= agrees (model, &asked_otherwise, &options);
  }
  return agree;
}
