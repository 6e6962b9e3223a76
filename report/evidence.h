/* Evidence: the events that show why a flag is raised, and explanations, in a record. */
#pragma once

#include "report/record.h"

void rsp_record_add_event (RspRecord *record, const RspRecordEvent *event);
/* Takes over evidence, of RspEvidence. */
void rsp_record_set_evidence (RspRecord *record, const GPtrArray *evidence);
/* Takes over explanations. */
void rsp_record_set_explanations (RspRecord *record, RspExplanations *explanations);
/* After that: candidates, as text. */
void rsp_record_set_candidates (RspRecord *record, const RspCandidateViews *candidates);
/* Appends the events that show why the flag is raised, after a blank: " between P0 line 5 `*x = 1`
 * and P1 line 9 `r0 = *x`", " at …" for one event, " on the cycle …, …, …" for more; nothing if the
 * record has no evidence. */
void rsp_record_format_evidence (const RspRecord *record, const char *flag, GString *out);
