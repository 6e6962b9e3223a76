/* Explanations as text, for a terminal and for documents. */
#pragma once

#include "explain/explanation.h"

/* Appends the explanations of the test, followed by an empty line; in colour with ANSI escapes if
 * `colour`. */
void rsp_explanations_format (const RspExplanations *explanations, gboolean colour, GString *out);

/* Describes an axiom, followed by the steps of its violation; without colour. */
void rsp_violation_format (const RspExecutionView *view, const RspViolation *violation,
                           GString *out);
