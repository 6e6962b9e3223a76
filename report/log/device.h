/* The log of a device's runs: litmus7's. */
#ifndef RSP_LOG_DEVICE_H
#define RSP_LOG_DEVICE_H

#include "report/record.h"

/* Appends the log of one test, a blank line at its end:
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
 *   allowed by opencl: 1:r0=0; 1:r1=0;  not seen */
void log_format_device (const RspRecord *record, GString *out);

#endif
