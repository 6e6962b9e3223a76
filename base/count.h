/* Exact counts of executions. 128 bits hold every count that enumeration can reach and most that
 * multiplication reaches; larger counts saturate. */
#pragma once

#include <glib.h>

typedef unsigned __int128 RspCount;

/* The saturated count. */
#define RSP_COUNT_MAX (~(RspCount) 0)

/* Both saturate at RSP_COUNT_MAX. */
RspCount rsp_count_add (RspCount a, RspCount b);
RspCount rsp_count_multiply (RspCount a, RspCount b);

/* Appends the decimal digits to out, or "more than 3e38" for RSP_COUNT_MAX. */
void rsp_count_format (RspCount count, GString *out);
