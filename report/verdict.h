/* Verdicts: what an outcome says about the test's question. Every report (log, JSON, tables) takes
 * its words and counts from here. */
#ifndef RSP_REPORT_VERDICT_H
#define RSP_REPORT_VERDICT_H

#include "enumerator/options.h"
#include "enumerator/outcome.h"

typedef struct RspVerdict
{
  /* The search ended by itself, or -speedcheck ended it: what follows is an answer. Otherwise a
   * limit or an error stopped it and only `reason` says anything. */
  gboolean finished;
  char *reason;  /* newly allocated; "Timeout after 60 s"; NULL when finished */
  gboolean ok;   /* exists: some execution; ~exists: none; forall: all (also: all of none) */
  gboolean loop; /* a loop was truncated: the answer holds up to -unroll rounds */
  RspcheckObservation observation; /* of the proposition, whatever the quantifier */
  /* As the log's `Witnesses` has them: executions for and against the question (swapped for
   * ~exists). */
  RspCount positive, negative;
} RspVerdict;

/* options are those the check ran under: -speedcheck and the limits. Free with
 * rsp_verdict_clear. */
void rsp_verdict_init (RspVerdict *verdict, const RspOutcome *outcome,
                       const RspCheckOptions *options);
void rsp_verdict_clear (RspVerdict *verdict);

/* "Never", "Sometimes", "Always". */
const char *rsp_observation_name (RspcheckObservation observation);
/* herd's kind of a test: "Allowed", "Forbidden", "Required". */
const char *rsp_quantifier_kind (RspQuantifier quantifier);
/* The quantifier of a kind; FALSE when the word is none. herd's short forms ("Allow") count, and
 * any case does. */
gboolean rsp_quantifier_from_kind (const char *kind, RspQuantifier *quantifier);

/* The program has undefined behaviour: some execution breaks an undefined_unless. */
gboolean rsp_outcome_is_undefined (const RspOutcome *outcome);

/* Names of the flags raised, in the model's order, each once; then "thin_air" if there are
 * undetermined values. NULL-terminated; free the array with g_free, the names are the outcome's. */
const char **rsp_outcome_flags (const RspOutcome *outcome);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RspVerdict, rsp_verdict_clear)

#endif
