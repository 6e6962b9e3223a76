/* The log, in herd's format, so that herd's log readers can read it. */
#ifndef RSP_REPORT_LOG_LOG_H
#define RSP_REPORT_LOG_LOG_H

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
 * A test that did not finish has only its first line and the reason (`Timeout after 60 s`). A test
 * or model that could not be read has no log. */
void rsp_log_format (const RspRecord *record, gboolean scope_hash, GString *out);

#endif
