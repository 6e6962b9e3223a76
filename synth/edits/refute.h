/* Refutation: a version of a test is first searched for executions that ruled out earlier versions.
 *
 * One execution rules a version out: one that makes it undefined, or one whose outcome must not be.
 * Finding it is much faster than counting all executions, and most versions of a test fail for the
 * same reason in the same combination of paths. If one is found, the version is refuted; otherwise
 * nothing is proved, and the version is checked in full. */
#pragma once

#include "enumerator/execution.h"
#include "enumerator/options.h"
#include "enumerator/outcome.h"
#include "model/model.h"

/* Why versions were ruled out, what served last first. Freed with g_ptr_array_unref. */
typedef GPtrArray SynthReasons;

SynthReasons *synth_reasons_new (void);

/* Does a flag that is raised count? One that makes the version undefined; with `all`, every flag of
 * the model. Threads that may wait for ever are not what orders and scopes mend. */
gboolean synth_flag_counts (const RspFlag *flag, gboolean all);
/* An execution that raises one of the flags that the outcome has and that count. */
void synth_reasons_add_flags (SynthReasons *reasons, const RspOutcome *outcome, gboolean all);
/* An execution with the test's own condition. */
void synth_reasons_add_condition (SynthReasons *reasons);
/* An execution that ends in this state. */
void synth_reasons_add_state (SynthReasons *reasons, const RspOutcome *outcome, guint state);

/* Receives an execution, which is valid during the call, with its flag; or NULL if it is its
 * outcome that must not be. */
typedef void (*SynthRefuted) (gpointer data, const RspExecution *execution, const char *flag);

/* Does some reason hold for this version? TRUE is certain; then the execution is handed to refuted.
 */
gboolean synth_reasons_refute (SynthReasons *reasons, const RspProgram *program,
                               const RspModel *model, const RspCheckOptions *options,
                               guint max_steps, SynthRefuted refuted, gpointer data);
