/* Changes: how a test's answer changes when the test is changed. */
#pragma once

#include "report/record.h"

/* From one record to another. The lists are of const char * owned by the records, and empty if one
 * of the two has no answer, those of states also if it has undefined behaviour. */
typedef struct RspChange {
  const RspRecord *before, *after;
  GPtrArray *gained, *lost;             /* states */
  GPtrArray *flags_gained, *flags_lost; /* flags */
} RspChange;

void rsp_change_init (RspChange *change, const RspRecord *before, const RspRecord *after);
void rsp_change_clear (RspChange *change);
/* Have both records an answer? */
gboolean rsp_change_is_known (const RspChange *change);
/* Are states what the two are compared by? See rsp_records_compare_states. */
gboolean rsp_change_compares_states (const RspChange *change);
/* Both have an answer, with the same flags, and the same observation and states, or undefined
 * behaviour. */
gboolean rsp_change_is_none (const RspChange *change);

/* "Never", or the reason for a missing answer. */
const char *rsp_change_observation (const RspRecord *record);
/* "Never -> Sometimes", or "Never" if it is the same. Newly allocated. */
char *rsp_change_format_verdict (const RspChange *change);
/* "+data_race -divergence", or "" if they are the same. Newly allocated. */
char *rsp_change_format_flags (const RspChange *change);
/* Appends a line for each state gained or lost, "+ 1:r0=1;", indented by this many blanks. */
void rsp_change_format_states (const RspChange *change, guint indent, GString *out);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RspChange, rsp_change_clear)
