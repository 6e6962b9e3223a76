/* Verdicts: the answer of an outcome to the test's question. All reports (log, JSON, tables) take
 * their words and counts from here. */
#pragma once

#include "enumerator/options.h"
#include "enumerator/outcome.h"

typedef struct RspVerdict {
  /* Did the search, or -speedcheck, end it with an answer? Otherwise a limit or an error stopped
   * it, or the program fails on some execution, and only `reason` is meaningful. */
  gboolean finished;
  char *reason; /* newly allocated; "Timeout after 60 s"; NULL if finished */
  /* exists: some execution; ~exists: none; forall: all (even if there are none). Where the answer
   * depends on undetermined values, an execution may satisfy and may refute the proposition. */
  gboolean ok;
  gboolean loop;                   /* a loop was truncated: the answer holds up to -unroll rounds */
  RspcheckObservation observation; /* counts of the proposition, whatever the quantifier */
  /* As in the log's `Witnesses`: executions for and against the question (swapped for ~exists). */
  RspCount positive, negative;
} RspVerdict;

/* options are those the check ran under: -speedcheck and the limits. Free with
 * rsp_verdict_clear. */
void rsp_verdict_init (RspVerdict *verdict, const RspOutcome *outcome,
                       const RspCheckOptions *options);
void rsp_verdict_clear (RspVerdict *verdict);

/* Why a search was stopped, newly allocated; NULL if it gave an answer. */
char *rsp_stop_reason (RspcheckStop stop, const RspCheckOptions *options);

/* "Never", "Sometimes", "Always", by RspcheckObservation; NULL ends them. */
extern const char *const rsp_observation_names[];
/* herd's kind of a test: "Allowed", "Forbidden", "Required". */
const char *rsp_quantifier_kind (RspQuantifier quantifier);
/* The quantifier of a kind; FALSE if the word is not a kind. Accepts herd's short forms ("Allow")
 * and ignores case. */
gboolean rsp_quantifier_from_kind (const char *kind, RspQuantifier *quantifier);

/* Names of the flags raised, in the model's order, each once; then "thin_air" if there are
 * undetermined values. NULL-terminated; free the array with g_free, the names are the outcome's. */
const char **rsp_outcome_flags (const RspOutcome *outcome);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RspVerdict, rsp_verdict_clear)
