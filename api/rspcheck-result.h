/* Checking a test under a model, and what comes out. Part of rspcheck.h. */
#ifndef RSPCHECK_RESULT_H
#define RSPCHECK_RESULT_H

#include <glib-object.h>
#include <rspcheck-enums.h>
#include <rspcheck-execution.h>
#include <rspcheck-explanation.h>
#include <rspcheck-model.h>
#include <rspcheck-options.h>
#include <rspcheck-test.h>

G_BEGIN_DECLS

#define RSPCHECK_TYPE_RESULT (rspcheck_result_get_type ())

/**
 * RspcheckResult:
 *
 * What came out of one test under one model.
 */
typedef struct RspcheckResult RspcheckResult;

GType rspcheck_result_get_type (void) G_GNUC_CONST;

/* ---- Checking --------------------------------------------------------------------------------- */

/**
 * rspcheck_check:
 * @test: a test
 * @model: a model
 * @options: (nullable): options, or %NULL for the defaults
 * @messages: (nullable): receives messages
 *
 * Checks the test under the model. A check that a limit or an error stopped gives a result too: see
 * rspcheck_result_stop().
 *
 * Returns: (transfer full): the result
 */
RspcheckResult *rspcheck_check (const RspcheckTest *test, const RspcheckModel *model,
                                const RspcheckOptions *options, GString *messages);

/**
 * rspcheck_explain:
 * @test: a test
 * @model: a model
 * @options: (nullable): options, or %NULL for the defaults
 * @outcomes: (nullable) (array zero-terminated=1): what to explain instead of the test's condition,
 * each as in a state ("1:r0=1; x=2;") or a proposition ("1:r0=1 /\ ~(x=2)")
 * @messages: (nullable): receives messages
 *
 * The same with explanations. Without outcomes these are: of the condition's proposition, whatever
 * the quantifier; for `forall`, also of its negation; and of every flag raised. See
 * rspcheck_result_explanation() and rspcheck_result_flag_reason().
 *
 * Returns: (transfer full): the result
 */
RspcheckResult *rspcheck_explain (const RspcheckTest *test, const RspcheckModel *model,
                                  const RspcheckOptions *options, const char *const *outcomes,
                                  GString *messages);

/**
 * rspcheck_show:
 * @test: a test
 * @model: a model
 * @options: (nullable): options, or %NULL for the defaults
 * @show: which executions
 * @most: how many at most
 * @messages: (nullable): receives messages
 *
 * The same with executions: see rspcheck_result_execution().
 *
 * Returns: (transfer full): the result
 */
RspcheckResult *rspcheck_show (const RspcheckTest *test, const RspcheckModel *model,
                               const RspcheckOptions *options, RspcheckShow show, guint most,
                               GString *messages);

/**
 * rspcheck_result_ref:
 * @result: a result
 *
 * Adds a reference.
 *
 * Returns: (transfer full): the same result
 */
RspcheckResult *rspcheck_result_ref (RspcheckResult *result);

/**
 * rspcheck_result_unref:
 * @result: (nullable) (transfer full): a result
 *
 * Gives a reference back.
 */
void rspcheck_result_unref (RspcheckResult *result);

/* ---- The answer ------------------------------------------------------------------------------- */

/**
 * rspcheck_result_stop:
 * @result: a result
 *
 * Why the check ended. After a time-out, a limit or an error there is no answer, and the counts and
 * states are those seen until then (of very many states, the counts alone).
 *
 * Returns: why it ended
 */
RspcheckStop rspcheck_result_stop (const RspcheckResult *result);

/**
 * rspcheck_result_reason:
 * @result: a result
 *
 * Returns: (transfer none) (nullable): why there is no answer ("Timeout after 60 s"); %NULL if
 * there is one
 */
const char *rspcheck_result_reason (const RspcheckResult *result);

/**
 * rspcheck_result_ok:
 * @result: a result
 *
 * Is the question answered with yes: `exists` by some execution, `~exists` by none, `forall` by
 * all?
 *
 * Returns: whether it is
 */
gboolean rspcheck_result_ok (const RspcheckResult *result);

/**
 * rspcheck_result_observation:
 * @result: a result
 *
 * Returns: how often the condition's proposition holds
 */
RspcheckObservation rspcheck_result_observation (const RspcheckResult *result);

/**
 * rspcheck_result_is_bounded:
 * @result: a result
 *
 * Returns: whether a loop needs more rounds than were unrolled: the answer is about the executions
 * that do not
 */
gboolean rspcheck_result_is_bounded (const RspcheckResult *result);

/**
 * rspcheck_result_is_undefined:
 * @result: a result
 *
 * Returns: whether some execution has undefined behaviour (a data race), and so the whole program
 * has
 */
gboolean rspcheck_result_is_undefined (const RspcheckResult *result);

/**
 * rspcheck_result_counts:
 * @result: a result
 * @positive: (out) (optional): executions whose proposition holds
 * @negative: (out) (optional): executions whose proposition does not hold
 * @undefined: (out) (optional): those among both that are undefined
 *
 * Numbers of executions, exact below %G_MAXUINT64, which stands for itself and all above.
 */
void rspcheck_result_counts (const RspcheckResult *result, guint64 *positive, guint64 *negative,
                             guint64 *undefined);

/**
 * rspcheck_result_n_undetermined:
 * @result: a result
 *
 * Returns: how many further executions there are, in which the proposition's truth depends on
 * values out of thin air: each may satisfy it and may refute it
 */
guint64 rspcheck_result_n_undetermined (const RspcheckResult *result);

/**
 * rspcheck_result_seconds:
 * @result: a result
 *
 * Returns: how long the check took, without what was explained or shown
 */
double rspcheck_result_seconds (const RspcheckResult *result);

/* ---- Flags ------------------------------------------------------------------------------------ */

/**
 * rspcheck_result_flags:
 * @result: a result
 *
 * Names of the model's flags that some execution raises ("data_race"), in the model's order, then
 * "thin_air" if values were found that justify each other in a cycle.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names
 */
const char *const *rspcheck_result_flags (const RspcheckResult *result);

/**
 * rspcheck_result_n_flag_events:
 * @result: a result
 * @flag: a flag's name
 *
 * How many events show why the flag is raised. They are searched for only if #RspcheckOptions has
 * `evidence`.
 *
 * Returns: their number
 */
guint rspcheck_result_n_flag_events (const RspcheckResult *result, const char *flag);

/**
 * rspcheck_result_flag_event:
 * @result: a result
 * @flag: a flag's name
 * @i: an index below rspcheck_result_n_flag_events()
 *
 * One of the events that show why the flag is raised: the two accesses of a race, the events of a
 * cycle or of a set. It has a thread, a line, a column and a source.
 *
 * Returns: (transfer full) (nullable): event number i
 */
RspcheckEvent *rspcheck_result_flag_event (const RspcheckResult *result, const char *flag, guint i);

/* ---- Final states ----------------------------------------------------------------------------- */

/**
 * rspcheck_result_n_states:
 * @result: a result
 *
 * Returns: the number of distinct final states
 */
guint rspcheck_result_n_states (const RspcheckResult *result);

/**
 * rspcheck_result_state:
 * @result: a result
 * @i: an index below rspcheck_result_n_states()
 *
 * State number i of the sorted states as the log prints it: "0:r0=1; x=2;".
 *
 * Returns: (transfer full) (nullable): the state
 */
char *rspcheck_result_state (const RspcheckResult *result, guint i);

/**
 * rspcheck_result_state_names:
 * @result: a result
 * @i: an index below rspcheck_result_n_states()
 *
 * The registers and locations of a state: "0:r0", "x". The same in all states, unless these also
 * show what reads returned.
 *
 * Returns: (transfer full) (nullable) (array zero-terminated=1): the names
 */
char **rspcheck_result_state_names (const RspcheckResult *result, guint i);

/**
 * rspcheck_result_state_values:
 * @result: a result
 * @i: an index below rspcheck_result_n_states()
 *
 * Their values, in the same order: "1", "-1", "x" for an address, "S1" for an undetermined value.
 *
 * Returns: (transfer full) (nullable) (array zero-terminated=1): the values
 */
char **rspcheck_result_state_values (const RspcheckResult *result, guint i);

/**
 * rspcheck_result_state_satisfies:
 * @result: a result
 * @i: an index below rspcheck_result_n_states()
 *
 * Returns: whether the state satisfies the proposition
 */
gboolean rspcheck_result_state_satisfies (const RspcheckResult *result, guint i);

/**
 * rspcheck_result_state_is_undetermined:
 * @result: a result
 * @i: an index below rspcheck_result_n_states()
 *
 * Returns: whether it depends on values out of thin air if the state satisfies the proposition
 */
gboolean rspcheck_result_state_is_undetermined (const RspcheckResult *result, guint i);

/**
 * rspcheck_result_state_executions:
 * @result: a result
 * @i: an index below rspcheck_result_n_states()
 *
 * Returns: how many executions end in the state, at most %G_MAXUINT64
 */
guint64 rspcheck_result_state_executions (const RspcheckResult *result, guint i);

/**
 * rspcheck_result_state_undefined:
 * @result: a result
 * @i: an index below rspcheck_result_n_states()
 *
 * Returns: how many of them are undefined, at most %G_MAXUINT64
 */
guint64 rspcheck_result_state_undefined (const RspcheckResult *result, guint i);

/* ---- Explanations and executions -------------------------------------------------------------- */

/**
 * rspcheck_result_n_explanations:
 * @result: a result
 *
 * Returns: the number of outcomes that are explained; 0 unless it is rspcheck_explain()'s
 */
guint rspcheck_result_n_explanations (const RspcheckResult *result);

/**
 * rspcheck_result_explanation:
 * @result: a result
 * @i: an index below rspcheck_result_n_explanations()
 *
 * Returns: (transfer full) (nullable): explanation number i, in the order of the questions
 */
RspcheckExplanation *rspcheck_result_explanation (const RspcheckResult *result, guint i);

/**
 * rspcheck_result_n_flag_reasons:
 * @result: a result
 *
 * Returns: the number of flags that are explained; 0 unless it is rspcheck_explain()'s
 */
guint rspcheck_result_n_flag_reasons (const RspcheckResult *result);

/**
 * rspcheck_result_flag_reason:
 * @result: a result
 * @i: an index below rspcheck_result_n_flag_reasons()
 *
 * Returns: (transfer full) (nullable): why flag number i is raised
 */
RspcheckFlagReason *rspcheck_result_flag_reason (const RspcheckResult *result, guint i);

/**
 * rspcheck_result_n_executions:
 * @result: a result
 *
 * Returns: the number of executions that are shown; 0 unless it is rspcheck_show()'s
 */
guint rspcheck_result_n_executions (const RspcheckResult *result);

/**
 * rspcheck_result_execution:
 * @result: a result
 * @i: an index below rspcheck_result_n_executions()
 *
 * Returns: (transfer full) (nullable): execution number i, in a fixed order
 */
RspcheckExecution *rspcheck_result_execution (const RspcheckResult *result, guint i);

/* ---- As text ---------------------------------------------------------------------------------- */

/**
 * rspcheck_result_log:
 * @result: a result
 * @scope_hash: whether to add a line `ScopeHash=`
 *
 * The whole log in herd's format, with a blank line at its end.
 *
 * Returns: (transfer full): the log
 */
char *rspcheck_result_log (const RspcheckResult *result, gboolean scope_hash);

/**
 * rspcheck_result_json:
 * @result: a result
 *
 * The result as one line of JSON, as `rspcheck -json` prints it and schema.json describes it.
 *
 * Returns: (transfer full): the line, without a newline
 */
char *rspcheck_result_json (const RspcheckResult *result);

/**
 * rspcheck_result_explanation_text:
 * @result: a result
 *
 * Its explanations as `rspcheck -explain` prints them.
 *
 * Returns: (transfer full): lines of text; an empty text if there are none
 */
char *rspcheck_result_explanation_text (const RspcheckResult *result);

/* As this was called before results were counted. */
#define rspcheck_result_free rspcheck_result_unref

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspcheckResult, rspcheck_result_unref)

G_END_DECLS

#endif
