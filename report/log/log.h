/* The log, in herd's format, so that herd's log readers can read it. */
#pragma once

#include "report/record.h"

/* Appends the log of one test, a blank line at its end:
 *
 *   Test NAME Allowed
 *   States 2
 *   0:r0=0; x=1;
 *   0:r0=1; x=1;
 *   Ok                                  `Loop Ok` where unrolling truncated a loop
 *   Witnesses
 *   Positive: 1 Negative: 1
 *   Bad executions (1 in total): 0      only if the model has an undefined_unless
 *   Flag data_race                      one for each flag that some execution raises
 *   Condition exists (0:r0=1)
 *   Observation NAME Sometimes 1 1
 *   Hash=…
 *   ScopeHash=…                         only if scope_hash
 *
 * and that of a device's runs is litmus7's:
 *
 *   Test NAME Allowed
 *   Histogram (2 states)
 *   13428 *>1:r0=1; 1:r1=0;            `*` where the condition holds
 *   794210:>1:r0=1; 1:r1=1;
 *   Ok
 *
 *   Witnesses
 *   Positive: 13428, Negative: 794210
 *   Condition exists (…) is validated
 *   Hash=…
 *   Observation NAME Sometimes 13428 794210
 *   Time NAME 0.20
 *   Device …, Compiler …, Rounds …, Setup …
 *   Model opencl: Violation             for each judgement, and each state under it
 *   NOT ALLOWED by opencl: 1:r0=1; 1:r1=0;  seen 13428 times
 *   allowed by opencl: 1:r0=1; 1:r1=1;  seen 794210 times
 *   allowed by opencl: 1:r0=0; 1:r1=0;  not seen
 *
 * A test that did not finish has only its first line and the reason (`Timeout after 60 s`). A test
 * or model that could not be read has no log. */
void rsp_log_format (const RspRecord *record, gboolean scope_hash, GString *out);

/* Takes what has been formatted so far, and empties it. */
typedef void (*RspLogPartTake) (GString *part, gpointer data);
/* The same for a log that may be long: parts are taken whenever they are long enough. What remains
 * in `out` is the caller's to take. */
void rsp_log_format_parts (const RspRecord *record, gboolean scope_hash, GString *out,
                           RspLogPartTake take, gpointer data);
