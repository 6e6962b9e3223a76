#ifndef RSP_ENUMERATOR_TERMS_EVALUATE_H
#define RSP_ENUMERATOR_TERMS_EVALUATE_H

#include "enumerator/terms/term.h"

/* The term's value. Operations on undetermined values: + and - of a constant shift them,
 * conversions and neutral operands (x | 0, x * 1) leave them; what is decided whatever the value is
 * (x & 0, x % 1, x - x) is that number. == and != compare them (an undetermined value equals no
 * constant); of the other comparisons, < and > are false, <= and >= true, so that of a condition
 * and its negation one holds. (Without compounds, comparisons of two different ones are OPAQUE.)
 * Anything else is an undetermined value of its own, from `compounds`.
 *
 * With `symbolic`, comparisons that are not sure, and conversions to a narrower type, are such
 * undetermined values too. */
RspTermOutcome rsp_term_evaluate_outcome (const RspTerm *term, const RspEvaluation *evaluation,
                                          RspValue *value);

/* The same with all reads known and without compounds: FALSE for a division by zero. When the value
 * is OPAQUE, it is 0 and *opaque, when not NULL, is set. */
gboolean rsp_term_evaluate (const RspTerm *term, const RspValue *reads, RspValue *value,
                            gboolean *opaque);

/* The same while some reads are open: known[event]: is it decided? Returns FALSE when the term's
 * value is not determined yet. */
gboolean rsp_term_evaluate_partial (const RspTerm *term, const RspValue *reads,
                                    const gboolean *known, RspValue *value);

#endif
