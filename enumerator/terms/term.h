/* Terms: the values of a symbolic execution, as expressions over the values that a path's reads
 * return.
 *
 * Terms are hash-consed in an RspTerms, so equal terms are one pointer, and are simplified as they
 * are built (constants are folded; x ^ x, x - x, x * 0, x & 0 are 0; casts without effect are
 * removed). Every term is in the range of its C type: arithmetic wraps to `type.bits` (signed
 * overflow too, as on the hardware). Addresses (RSP_ADDRESS_TAG) are ordinary 64-bit values:
 * elements are the low half, so a pointer steps by adding, as long as it stays within 2^31 elements
 * of its start. */
#pragma once

#include "parser/arithmetic.h"

typedef enum RspTermKind {
  RSP_TERM_CONSTANT,
  RSP_TERM_READ,   /* what event number `event` of the path returns */
  RSP_TERM_UNARY,  /* op a: NEGATE, COMPLEMENT (a logical not becomes a comparison) */
  RSP_TERM_BINARY, /* a op b: ADD … MAX and EQ … LE; a and b have one type, but for shifts */
  RSP_TERM_CAST    /* a converted to (bits, is_signed) */
} RspTermKind;

typedef struct RspTerm {
  RspTermKind kind;
  RspOperator op;
  guint8 bits; /* of the result; 64 for an address */
  gboolean is_signed;
  gboolean is_boolean;    /* is it obviously 0 or 1, whatever its type? */
  gboolean is_free;       /* does it depend on an uninterpreted function? */
  gboolean has_reads;     /* or on what the path reads? */
  gboolean has_arguments; /* or on unknown arguments (RSP_FUNCTION_ARGUMENT)? */
  gint64 constant;
  guint event;
  const struct RspTerm *a, *b;
  guint id;   /* number of the term in its RspTerms */
  guint size; /* number of nodes as a tree (saturating), which bounds the cost and depth of
               * evaluation */
} RspTerm;

/* Is it an unknown argument? */
static inline gboolean rsp_term_is_argument (const RspTerm *term) {
  return term->kind == RSP_TERM_BINARY && term->op == RSP_OP_APPLY
         && term->a->kind == RSP_TERM_CONSTANT && term->a->constant == RSP_FUNCTION_ARGUMENT;
}

typedef struct RspTerms RspTerms;

RspTerms *rsp_terms_new (RspArena *arena);
void rsp_terms_free (RspTerms *terms);

const RspTerm *rsp_term_constant (RspTerms *terms, gint64 value, guint8 bits, gboolean is_signed);
const RspTerm *rsp_term_read (RspTerms *terms, guint event, guint8 bits, gboolean is_signed);
/* Converts to an integer type: wraps to its width, then extends by its sign. */
const RspTerm *rsp_term_cast (RspTerms *terms, const RspTerm *a, guint8 bits, gboolean is_signed);

/* Adds the event numbers of the reads that a term mentions to an array of guint, without
 * duplicates. */
void rsp_term_add_reads (const RspTerm *term, GArray *events);

/* A value found by the search. unknown == 0: `bits` is the value. unknown == k > 0: an undetermined
 * value plus `bits`: values that justify each other in a cycle (out of thin air); printed "Sk",
 * "Sk_1". */
typedef struct RspValue {
  gint64 bits;
  guint unknown;
  guint32
      excluded; /* bit i: it is known not to be number i of rsp_compared_numbers; 0 if unknown is */
} RspValue;

static inline gboolean rsp_value_equal (RspValue a, RspValue b) {
  return a.bits == b.bits && a.unknown == b.unknown;
}

/* Is also the same known of them? */
static inline gboolean rsp_value_same (RspValue a, RspValue b) {
  return rsp_value_equal (a, b) && a.excluded == b.excluded;
}

/* The outcome of an evaluation. */
typedef enum RspTermOutcome {
  RSP_TERM_DETERMINED, /* *value holds it */
  RSP_TERM_OPAQUE,     /* something made from an undetermined value */
  RSP_TERM_OPEN,       /* it depends on a read that is not known */
  RSP_TERM_UNDEFINED   /* a division by zero or a shift out of range */
} RspTermOutcome;

/* The results of operations on undetermined values so far: see compound.h. */
typedef struct RspCompounds RspCompounds;

/* A term's value in one thread, since solving a cycle gave it one. */
typedef struct RspBoundTerm {
  const RspTerm *term;
  guint thread;
  RspValue value;
} RspBoundTerm;

/* The input of an evaluation. */
typedef struct RspEvaluation {
  const RspValue *reads;   /* the values of the path's reads, indexed by event number of the path */
  const gboolean *known;   /* which of them are known; NULL: all */
  RspCompounds *compounds; /* NULL: such operations are OPAQUE */
  const GArray *bound;     /* of RspBoundTerm, wherever they occur in the term; NULL: none */
  guint thread;            /* the term's, if some are bound */
  gboolean symbolic;       /* undetermined values are variables of equations: see below */
} RspEvaluation;

/* The one term with the key's kind, operator, type and operands. No simplification. */
const RspTerm *rsp_term_intern (RspTerms *terms, const RspTerm *key);
