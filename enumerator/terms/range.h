/* The range of values that a term may have. */
#pragma once

#include "enumerator/terms/evaluate.h"

/* Every value of the term is from *low to *high, which follow from its type, its outermost
 * operators, and the reads that `given` knows. given NULL: none is known. */
void rsp_term_range (const RspTerm *term, const RspEvaluation *given, RspWide *low, RspWide *high);

/* Is the term a conversion that leaves every value of its operand as it is? */
gboolean rsp_term_is_same_value_cast (const RspTerm *term);
