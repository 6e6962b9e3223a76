#include "rspcheck-explanation.h"
#include "api/handle.h"

API_HANDLE (RspcheckExplanation, rspcheck_explanation, RspExplanation)
API_HANDLE (RspcheckBlame, rspcheck_blame, RspBlame)
API_HANDLE (RspcheckViolation, rspcheck_violation, RspViolation)
API_HANDLE (RspcheckStep, rspcheck_step, RspStep)
API_HANDLE (RspcheckFlagReason, rspcheck_flag_reason, RspFlagReason)

/* ---- Explanations of an outcome ---- */

API_FIELD (RspcheckExplanation, rspcheck_explanation, question, const char *, NULL,
           self->value->question)
API_FIELD (RspcheckExplanation, rspcheck_explanation, answer, RspcheckAnswer,
           RSPCHECK_ANSWER_UNKNOWN, self->value->answer)
API_LIST (RspcheckExplanation, rspcheck_explanation, reasons, reasons)
API_FIELD (RspcheckExplanation, rspcheck_explanation, witness, RspcheckExecution *, NULL,
           api_handle_new (self->result, self->value->witness))
API_PARTS (RspcheckExplanation, rspcheck_explanation, n_steps, self->value->n_steps, step,
           RspcheckStep, self->value->steps[i])
API_PARTS (RspcheckExplanation, rspcheck_explanation, n_blames, self->value->n_blames, blame,
           RspcheckBlame, &self->value->blames[i])
API_FIELD (RspcheckExplanation, rspcheck_explanation, has_more, gboolean, FALSE,
           self->value->more_blames)

/* ---- Blame and violations ---- */

API_LIST (RspcheckBlame, rspcheck_blame, axioms, axioms)
API_FIELD (RspcheckBlame, rspcheck_blame, candidates, guint64, 0, self->value->candidates)
API_FIELD (RspcheckBlame, rspcheck_blame, execution, RspcheckExecution *, NULL,
           api_handle_new (self->result, self->value->execution))
API_PARTS (RspcheckBlame, rspcheck_blame, n_violations, self->value->n_violations, violation,
           RspcheckViolation, &self->value->violations[i])

API_FIELD (RspcheckViolation, rspcheck_violation, axiom, const char *, NULL, self->value->axiom)
API_FIELD (RspcheckViolation, rspcheck_violation, kind, RspcheckAxiomKind, RSPCHECK_AXIOM_ACYCLIC,
           self->value->kind)
API_FIELD (RspcheckViolation, rspcheck_violation, is_negated, gboolean, FALSE, self->value->negated)
API_FIELD (RspcheckViolation, rspcheck_violation, relation, const char *, NULL,
           self->value->relation)
API_FIELD (RspcheckViolation, rspcheck_violation, file, const char *, NULL, self->value->file)
API_FIELD (RspcheckViolation, rspcheck_violation, line, guint, 0, self->value->line)
API_PARTS (RspcheckViolation, rspcheck_violation, n_steps, self->value->n_steps, step, RspcheckStep,
           self->value->steps[i])

/* ---- Steps ---- */

API_FIELD (RspcheckStep, rspcheck_step, start, guint, 0, self->value->from)
API_FIELD (RspcheckStep, rspcheck_step, end, guint, 0, self->value->to)
API_FIELD (RspcheckStep, rspcheck_step, relation, const char *, NULL, self->value->relation)
API_FIELD (RspcheckStep, rspcheck_step, is_set, gboolean, FALSE, self->value->is_set)
API_FIELD (RspcheckStep, rspcheck_step, is_absent, gboolean, FALSE, self->value->absent)
API_FIELD (RspcheckStep, rspcheck_step, operator, const char *, NULL,
           rsp_trace_op_name (self->value->as))
API_PARTS (RspcheckStep, rspcheck_step, n_steps, self->value->n_steps, step, RspcheckStep,
           self->value->steps[i])

/* ---- Flags ---- */

API_FIELD (RspcheckFlagReason, rspcheck_flag_reason, flag, const char *, NULL, self->value->flag)
API_FIELD (RspcheckFlagReason, rspcheck_flag_reason, is_undefined, gboolean, FALSE,
           self->value->undefined)
API_FIELD (RspcheckFlagReason, rspcheck_flag_reason, execution, RspcheckExecution *, NULL,
           api_handle_new (self->result, self->value->execution))
API_PARTS (RspcheckFlagReason, rspcheck_flag_reason, n_steps, self->value->n_steps, step,
           RspcheckStep, self->value->steps[i])
API_PARTS (RspcheckFlagReason, rspcheck_flag_reason, n_absent, self->value->n_absent, absent,
           RspcheckStep, self->value->absent[i])

gboolean rspcheck_flag_reason_pair (const RspcheckFlagReason *reason, guint *from, guint *to) {
  g_return_val_if_fail (reason != NULL, FALSE);
  if (reason->value->from == G_MAXUINT)
    return FALSE;
  if (from)
    *from = reason->value->from;
  if (to)
    *to = reason->value->to;
  return TRUE;
}
