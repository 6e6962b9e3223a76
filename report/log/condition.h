/* Conditions of logs in a uniform format: `not (1:r0=1)` is `~(1:r0=1)`. */
#pragma once

#include "parser/proposition.h"

/* `exists (1:r0=1 /\ x=2)` */
typedef struct RspLogCondition RspLogCondition;

/* NULL if text is not a condition, or not one that is understood. */
RspLogCondition *rsp_log_condition_parse (const char *text);
void rsp_log_condition_free (RspLogCondition *condition);
/* In the form of rsp_program_format_condition; newly allocated. */
char *rsp_log_condition_format (const RspLogCondition *condition);
RspQuantifier rsp_log_condition_quantifier (const RspLogCondition *condition);
/* The proposition's truth in a state; open if the state does not decide it. */
RspTruth rsp_log_condition_truth (const RspLogCondition *condition, const GArray *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspLogCondition, rsp_log_condition_free)
