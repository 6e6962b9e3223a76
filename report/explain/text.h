/* Explanations as text, for a terminal and for documents. */
#ifndef RSP_EXPLAIN_TEXT_H
#define RSP_EXPLAIN_TEXT_H

#include "explain/explanation.h"

/* Appends what explains the test, ended by an empty line; in colour with ANSI escapes if `colour`. */
void rsp_explanations_format (const RspExplanations *explanations, gboolean colour, GString *out);

/* An execution as aligned columns, one per thread, with its reads-from and coherence below. */
void rsp_view_format (const RspExecutionView *view, GString *out);

/* Parts of it, without colour: steps one per line, each two blanks further in than what it explains;
 * and what an axiom says, followed by the steps of its violation. */
void rsp_steps_format (const RspExecutionView *view, const RspStep *const *steps, guint n,
                       GString *out);
void rsp_violation_format (const RspExecutionView *view, const RspViolation *violation,
                           GString *out);

#endif
