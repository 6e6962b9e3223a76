#ifndef RSP_REPORT_LOG_CONDITION_H
#define RSP_REPORT_LOG_CONDITION_H

#include "report/log/text.h"

/* NULL if text is not a condition, or not one that is understood. */
RspLogCondition *rsp_log_condition_parse (const char *text);
void rsp_log_condition_free (RspLogCondition *condition);
/* In the form of rsp_program_format_condition; newly allocated. */
char *rsp_log_condition_format (const RspLogCondition *condition);
RspQuantifier rsp_log_condition_quantifier (const RspLogCondition *condition);
/* Does the proposition hold in a state? 1, 0, or -1 if the state does not decide it. */
int rsp_log_condition_holds (const RspLogCondition *condition, const GArray *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspLogCondition, rsp_log_condition_free)

#endif
