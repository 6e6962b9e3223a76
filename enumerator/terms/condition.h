#pragma once

#include "enumerator/terms/term.h"

/* a != 0, as an int that is 0 or 1; and its negation, a == 0. Conditions of paths have this form,
 * so that always exactly one of a condition and its negation holds. */
const RspTerm *rsp_term_condition (RspTerms *terms, const RspTerm *a);
const RspTerm *rsp_term_negate_condition (RspTerms *terms, const RspTerm *a);

/* a == b; a < b and a <= b (op is LT or LE): of operands of one type. */
const RspTerm *simplify_equal (RspTerms *terms, const RspTerm *a, const RspTerm *b);
const RspTerm *simplify_less (RspTerms *terms, RspOperator op, const RspTerm *a, const RspTerm *b);
