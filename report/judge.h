/* Judgements: what was seen on a device compared with what a model allows. */
#ifndef RSP_JUDGE_H
#define RSP_JUDGE_H

#include "report/record.h"

/* seen is a device's record, allowed a model's, of the same test. */
RspJudged rsp_judge (const RspRecord *seen, const RspRecord *allowed);
/* Judges, and keeps the judgement in seen. */
void rsp_judge_record (RspRecord *seen, const RspRecord *allowed);
/* The first violation among the record's judgements decides; RSP_JUDGED_NOT when it has none. */
gboolean rsp_record_is_violation (const RspRecord *record);
/* "Agrees", "Racy", "Violation", "Bounded", "NotJudged"; NULL ends them. */
extern const char *const rsp_judged_names[];

#endif
