#ifndef RSP_REPORT_LOG_CONDITION_H
#define RSP_REPORT_LOG_CONDITION_H

#include "report/log/text.h"

/* NULL when text is none, or none that is understood. */
RspLogCondition *rsp_log_condition_parse (const char *text);
void rsp_log_condition_free (RspLogCondition *condition);
/* As rsp_program_format_condition has it; newly allocated. */
char *rsp_log_condition_format (const RspLogCondition *condition);
RspQuantifier rsp_log_condition_quantifier (const RspLogCondition *condition);
/* Whether the proposition holds in a state: 1, 0, or -1 if the state does not decide it. */
int rsp_log_condition_holds (const RspLogCondition *condition, const GArray *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspLogCondition, rsp_log_condition_free)

#endif
