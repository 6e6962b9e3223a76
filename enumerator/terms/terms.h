#pragma once

#include "parser/program.h"

/* ---- Term ----------------------------------------------------------------------------------- */

/* Terms: the values of a symbolic execution, as expressions over the values that a path's reads
 * return.
 *
 * Terms are hash-consed in an RspTerms, so equal terms are one pointer, and are simplified as they
 * are built (constants are folded; x ^ x, x - x, x * 0, x & 0 are 0; casts without effect are
 * removed). Every term is in the range of its C type: arithmetic wraps to `type.bits` (signed
 * overflow too, as on the hardware). Addresses (RSP_ADDRESS_TAG) are ordinary 64-bit values:
 * elements are the low half, so a pointer steps by adding, as long as it stays within 2^31 elements
 * of its start. */

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

/* Does it depend on uninterpreted functions elsewhere than in `known`? */
gboolean rsp_term_is_free_without (const RspTerm *term, const RspTerm *known);

/* The number of the function that is calculated (rsp_float_function) and that the term applies to
 * *n operands; 0: there is none. n may be NULL. */
gint64 rsp_term_function (const RspTerm *term, guint *n);

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

/* The results of operations on undetermined values so far. */
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

/* ---- Compound ------------------------------------------------------------------------------- */

/* Compounds: the results of operations on undetermined values. All that is known about them is that
 * the same operation on the same values gives the same result (congruence). So each is an
 * undetermined value with a number of its own, the same whenever the operation and its operands
 * recur. */

/* The values that an undetermined value may have. */
typedef struct RspRange {
  guint unknown;
  gint64 low, high;
} RspRange;

struct RspCompounds {
  GArray *entries;  /* NULL while there are none */
  GArray *ranges;   /* of RspRange; NULL while there are none */
  guint n_unknowns; /* undetermined values so far, of any kind; they are 1 … n_unknowns */
};

void rsp_compounds_clear (RspCompounds *compounds);
guint rsp_compounds_new_unknown (RspCompounds *compounds);

/* The result of the operation of `term` (RSP_TERM_UNARY, _BINARY or _CAST) on values a and b (b is
 * zero if there is one operand). */
RspValue rsp_compounds_obtain (RspCompounds *compounds, const RspTerm *term, RspValue a,
                               RspValue b);

/* From now on, undetermined value number `unknown` is `value` for every operation that resulted in
 * it. */
void rsp_compounds_bind (RspCompounds *compounds, guint unknown, RspValue value);

/* Every value that undetermined value number `unknown` may have is from low to high. */
void rsp_compounds_limit (RspCompounds *compounds, guint unknown, gint64 low, gint64 high);

/* FALSE if nothing is known about its values. */
gboolean rsp_compounds_range (const RspCompounds *compounds, guint unknown, gint64 *low,
                              gint64 *high);

/* The newest of the undetermined values from which this one is computed, through any number of
 * operations; itself if it is not the result of an operation. */
guint rsp_compounds_newest (const RspCompounds *compounds, guint unknown);

/* ---- Condition ------------------------------------------------------------------------------ */

/* a != 0, as an int that is 0 or 1; and its negation, a == 0. Conditions of paths have this form,
 * so that always exactly one of a condition and its negation holds. */
const RspTerm *rsp_term_condition (RspTerms *terms, const RspTerm *a);
const RspTerm *rsp_term_negate_condition (RspTerms *terms, const RspTerm *a);

/* ---- Evaluate ------------------------------------------------------------------------------- */

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

/* ---- Make ----------------------------------------------------------------------------------- */

/* Terms as they are written: nothing is simplified but sums with a constant. And what they look
 * like. */

/* term = base + offset; base is NULL for a constant. */
const RspTerm *rsp_term_split (const RspTerm *term, gint64 *offset);

static inline gboolean is_constant (const RspTerm *term, gint64 value) {
  return term->kind == RSP_TERM_CONSTANT && term->constant == value;
}

static inline gboolean is_binary (const RspTerm *term, RspOperator op) {
  return term->kind == RSP_TERM_BINARY && term->op == op;
}

static inline gboolean is_unary (const RspTerm *term, RspOperator op) {
  return term->kind == RSP_TERM_UNARY && term->op == op;
}

/* ---- Range ---------------------------------------------------------------------------------- */

/* The range of values that a term may have. */

/* Every value of the term is from *low to *high, which follow from its type, its outermost
 * operators, and the reads that `given` knows. given NULL: none is known. */
void rsp_term_range (const RspTerm *term, const RspEvaluation *given, RspWide *low, RspWide *high);

/* Is the term a conversion that leaves every value of its operand as it is? */
gboolean rsp_term_is_same_value_cast (const RspTerm *term);

/* ---- Simplify ------------------------------------------------------------------------------- */

/* NEGATE and COMPLEMENT in a's type; LOGICAL_NOT gives an int. */
const RspTerm *rsp_term_unary (RspTerms *terms, RspOperator op, const RspTerm *a);

/* Operands of different types are converted to the wider one (unsigned among equals; callers
 * promote small types first where C does); the result has their type, a shift's that of a, a
 * comparison's is int (32 bits, signed) 0 or 1. Division and remainder by a term that may be zero,
 * and shifts out of range, must have been guarded by a path condition; on constants they are the
 * caller's error (asserted). */
const RspTerm *rsp_term_binary (RspTerms *terms, RspOperator op, const RspTerm *a,
                                const RspTerm *b);

/* ---- Value ---------------------------------------------------------------------------------- */

/* Values in final states. */

/* The order of values in states: undetermined values come last. */
int rsp_value_compare (RspValue a, RspValue b);

/* Appends a value of that type, "5", "x" (an address), "S1", "S1_2" or "S1_m2" (undetermined), to
 * out. */
void rsp_value_format (const RspProgram *program, const RspType *type, RspValue value,
                       GString *out);

/* ---- Value table ---------------------------------------------------------------------------- */

/* Values as small numbers, from 0 in order of appearance, so that states are rows of numbers. */

/* Many a table stays empty, so nothing is allocated before the first value, and few have more than
 * some values. */
typedef struct RspValueTable {
  RspArena *arena;   /* has the values; outlives the table */
  GHashTable *ids;   /* RspValue → its number + 1; NULL while there are few */
  RspValue **values; /* by number, in the arena */
  guint n, capacity;
} RspValueTable;

void rsp_value_table_clear (RspValueTable *table);

/* The number of a value, which is added if it is missing. */
guint32 rsp_value_table_number (RspValueTable *table, RspValue value);

static inline guint rsp_value_table_count (const RspValueTable *table) { return table->n; }

static inline RspValue *rsp_value_table_get (const RspValueTable *table, guint32 number) {
  return table->values[number];
}

/* From values to what a caller keeps about them. */
GHashTable *rsp_value_hash_table_new (void);
