#include "report/verdict.h"

static const struct {
  const char *name, *short_name;
} kinds[] = { [RSP_EXISTS] = { "Allowed", "Allow" },
              [RSP_NOT_EXISTS] = { "Forbidden", "Forbid" },
              [RSP_FORALL] = { "Required", "Require" } };

const char *rsp_quantifier_kind (RspQuantifier quantifier) { return kinds[quantifier].name; }

gboolean rsp_quantifier_from_kind (const char *kind, RspQuantifier *quantifier) {
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_ascii_strcasecmp (kind, kinds[i].name) == 0
        || g_ascii_strcasecmp (kind, kinds[i].short_name) == 0) {
      *quantifier = i;
      return TRUE;
    }
  return FALSE;
}

const char *const rsp_observation_names[] = { "Never", "Sometimes", "Always", NULL };

/* Adds name unless it is there. */
static void add_flag (GPtrArray *names, const char *name) {
  if (!g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
    g_ptr_array_add (names, (gpointer) name);
}

const char **rsp_outcome_flags (const RspOutcome *outcome) {
  GPtrArray *names = g_ptr_array_new ();
  for (guint i = 0; i < outcome->n_flags; i++)
    if (outcome->flags[i].raised)
      add_flag (names, outcome->flags[i].name);
  if (outcome->thin_air)
    add_flag (names, "thin_air");
  g_ptr_array_add (names, NULL);
  return (const char **) g_ptr_array_free (names, FALSE);
}

static char *memory_reason (gsize bytes) {
  g_autofree char *limit = rsp_size_format (bytes ? bytes : RSP_DEFAULT_MEMORY);
  return g_strdup_printf ("Memory limit of %s reached", limit);
}

char *rsp_stop_reason (RspcheckStop stop, const RspCheckOptions *options) {
  switch (stop) {
  case RSPCHECK_STOP_TIMEOUT:
    return g_strdup_printf ("Timeout after %g s", options->timeout);
  case RSPCHECK_STOP_EXECUTIONS:
    return g_strdup_printf ("Limit of %" G_GUINT64_FORMAT " executions reached",
                            options->max_executions);
  case RSPCHECK_STOP_MEMORY:
    return memory_reason (options->max_memory);
  case RSPCHECK_STOP_ERROR:
    return g_strdup ("Error: not checked");
  case RSPCHECK_STOP_COMPLETE:
  case RSPCHECK_STOP_FOUND:
    break;
  }
  return NULL;
}

/* A program that fails on some execution, by dividing by zero or the like, has no answer, even if
 * its other executions have final states. */
static char *no_answer_reason (const RspOutcome *outcome, const RspCheckOptions *options) {
  char *reason = rsp_stop_reason (outcome->stop, options);
  if (reason || !outcome->failure)
    return reason;
  return g_strdup_printf ("Error: %s on some execution", outcome->failure);
}

/* A hurried search counts one side only: the executions that satisfy the condition, or for forall
 * those that refute it. So it can report Never: for an exists it searched for all satisfying
 * executions and found none; for a forall a separate search looked for one. But it cannot report
 * Always: for an exists, seeing none of the other side means nothing, and the answer for a forall
 * must not look like that of a full search. */
static RspcheckObservation observe (const RspOutcome *outcome, const RspCheckOptions *options) {
  if (options->speedcheck == RSPCHECK_SPEED_EXACT) {
    if (!rsp_outcome_may_hold (outcome))
      return RSPCHECK_NEVER;
    return rsp_outcome_may_fail (outcome) ? RSPCHECK_SOMETIMES : RSPCHECK_ALWAYS;
  }
  return rsp_outcome_may_hold (outcome) || outcome->satisfiable ? RSPCHECK_SOMETIMES
                                                                : RSPCHECK_NEVER;
}

void rsp_verdict_init (RspVerdict *verdict, const RspOutcome *outcome,
                       const RspCheckOptions *options) {
  RspQuantifier quantifier = outcome->program->quantifier;
  gboolean swapped = quantifier == RSP_NOT_EXISTS;
  char *reason = no_answer_reason (outcome, options);
  *verdict = (RspVerdict){
    .finished = reason == NULL,
    .reason = reason,
    .ok = quantifier == RSP_EXISTS       ? rsp_outcome_may_hold (outcome)
          : quantifier == RSP_NOT_EXISTS ? !rsp_outcome_may_hold (outcome)
                                         : !rsp_outcome_may_fail (outcome),
    .loop = outcome->loop,
    .observation = observe (outcome, options),
    .positive = swapped ? outcome->negative : outcome->positive,
    .negative = swapped ? outcome->positive : outcome->negative,
  };
}

void rsp_verdict_clear (RspVerdict *verdict) { g_clear_pointer (&verdict->reason, g_free); }
