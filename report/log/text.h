/* States and conditions of logs in a uniform format: equal states compare equal, whichever tool
 * printed them. `[x]=0x3;` becomes `x=3;`, registers come first, by thread and name, and `not
 * (1:r0=1)` is `~(1:r0=1)`. */
#ifndef RSP_REPORT_LOG_TEXT_H
#define RSP_REPORT_LOG_TEXT_H

#include "parser/program.h"

/* A state as strings, in the log's order. */
typedef struct RspLogBinding
{
  char *name; /* "1:r0", "x", "a[1]" */
  char *value;
} RspLogBinding;

/* A condition: `exists (1:r0=1 /\ x=2)`. */
typedef struct RspLogCondition RspLogCondition;

/* ---- For both ---- */

typedef struct RspLogScan
{
  const char *at, *end;
} RspLogScan;

#endif
