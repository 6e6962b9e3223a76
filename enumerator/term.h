/* Terms: the values of a symbolic execution, as expressions over what the reads of a path return.
 *
 * Terms are hash-consed in a RspTerms, so equal terms are one pointer, and are simplified as they
 * are built (constants folded; x ^ x, x - x, x * 0, x & 0 are 0; casts that change nothing go). Every
 * term is in the range of its C type: arithmetic wraps to `type.bits` (signed overflow too, as on the
 * hardware). Addresses (RSP_ADDRESS_TAG) are values; only + and - of a constant, == and != know them. */
#ifndef RSP_TERM_H
#define RSP_TERM_H

#include "parser/litmus.h"

typedef enum RspTermKind
{
  RSP_TERM_CONSTANT,
  RSP_TERM_READ,  /* what event number `event` of the path returns */
  RSP_TERM_UNARY, /* op a: NEGATE, COMPLEMENT, LOGICAL_NOT */
  RSP_TERM_BINARY, /* a op b: ADD … MAX and EQ … GE; also a pointer's step */
  RSP_TERM_CAST   /* a converted to (bits, is_signed) */
} RspTermKind;

typedef struct RspTerm
{
  RspTermKind kind;
  RspOperator op;
  guint8 bits; /* of the result; 64 for an address */
  gboolean is_signed;
  gint64 constant;
  guint event;
  const struct RspTerm *a, *b;
  guint id; /* number of the term in its RspTerms */
} RspTerm;

typedef struct RspTerms RspTerms;

RspTerms *rsp_terms_new (RspArena *arena);
void rsp_terms_free (RspTerms *terms);

const RspTerm *rsp_term_constant (RspTerms *terms, gint64 value, guint8 bits, gboolean is_signed);
const RspTerm *rsp_term_read (RspTerms *terms, guint event, guint8 bits, gboolean is_signed);
const RspTerm *rsp_term_unary (RspTerms *terms, RspOperator op, const RspTerm *a);
/* Division and remainder by a term that may be zero, and shifts out of range, must have been guarded
 * by a path condition; on constants they are the caller's error (asserted). */
const RspTerm *rsp_term_binary (RspTerms *terms, RspOperator op, const RspTerm *a, const RspTerm *b);
const RspTerm *rsp_term_cast (RspTerms *terms, const RspTerm *a, guint8 bits, gboolean is_signed);

/* A value found by the search. unknown == 0: `bits` is the value. unknown == k > 0: an undetermined
 * value plus `bits`: values that justify each other in a circle (out of thin air); printed "?k",
 * "?k+1". It equals only itself. */
typedef struct RspValue
{
  gint64 bits;
  guint unknown;
} RspValue;

static inline gboolean
rsp_value_equal (RspValue a, RspValue b)
{
  return a.bits == b.bits && a.unknown == b.unknown;
}

/* The term's value, given what the path's reads return (indexed by event number of the path). FALSE
 * when it divides by zero. Operations on undetermined values: + and - of a constant shift them; == and
 * != compare them (an undetermined value equals no constant); anything else gives 0 in a way that
 * *opaque, when not NULL, is set. */
gboolean rsp_term_evaluate (const RspTerm *term, const RspValue *reads, RspValue *value, gboolean *opaque);

/* The same while some reads are open: known[event] tells which are decided. Returns FALSE when the
 * term's value is not determined yet. */
gboolean rsp_term_evaluate_partial (const RspTerm *term, const RspValue *reads, const gboolean *known,
                                    RspValue *value);

#endif
