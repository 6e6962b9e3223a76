/* What the files behind term.h share. */
#ifndef RSP_TERM_PRIVATE_H
#define RSP_TERM_PRIVATE_H

#include "enumerator/values/term.h"

/* The one term with the key's kind, operator, type and operands. No simplification. */
const RspTerm *rsp_term_intern (RspTerms *terms, const RspTerm *key);

#endif
