#pragma once

#include "enumerator/terms/term.h"

/* The term's value. Operations on undetermined values: + and - of a constant shift them,
 * conversions that lose nothing and neutral operands (x | 0, x * 1) leave them; expressions that do
 * not depend on the value (x & 0, x % 1, x - x, x == x, and comparisons that the ranges of both
 * sides decide) are numbers. Anything else is a separate undetermined value, from `compounds`;
 * without these it is OPAQUE. With `symbolic`, that is so of all conversions to a narrower type. */
RspTermOutcome rsp_term_evaluate_outcome (const RspTerm *term, const RspEvaluation *evaluation,
                                          RspValue *value);

/* The same with all reads known and without compounds. FALSE for a division by zero. An OPAQUE
 * value is returned as 0, and *opaque is set unless it is NULL. */
gboolean rsp_term_evaluate (const RspTerm *term, const RspValue *reads, RspValue *value,
                            gboolean *opaque);

/* The same while some reads are open (known[event]: is it decided?). FALSE if the term's value is
 * not determined yet. */
gboolean rsp_term_evaluate_partial (const RspTerm *term, const RspValue *reads,
                                    const gboolean *known, RspValue *value);
