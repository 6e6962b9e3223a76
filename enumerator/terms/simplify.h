#pragma once

#include "enumerator/terms/term.h"

/* NEGATE and COMPLEMENT in a's type; LOGICAL_NOT gives an int. */
const RspTerm *rsp_term_unary (RspTerms *terms, RspOperator op, const RspTerm *a);
/* Operands of different types are converted to the wider one (unsigned among equals; callers
 * promote small types first where C does); the result has their type, a shift's that of a, a
 * comparison's is int (32 bits, signed) 0 or 1. Division and remainder by a term that may be zero,
 * and shifts out of range, must have been guarded by a path condition; on constants they are the
 * caller's error (asserted). */
const RspTerm *rsp_term_binary (RspTerms *terms, RspOperator op, const RspTerm *a,
                                const RspTerm *b);
