/* Terms: symbolic values, built simplified. */
#include "enumerator/terms/terms.h"

/* ---- Term ----------------------------------------------------------------------------------- */

/* Terms: hash-consing, casts, ranges, and reads that a term mentions. */

struct RspTerms {
  RspArena *arena;
  GHashTable *table; /* the terms, each its own key */
  guint n;
};

gboolean rsp_term_is_free_without (const RspTerm *term, const RspTerm *known) {
  if (term == known || !term->is_free)
    return FALSE;
  return (term->kind == RSP_TERM_BINARY && term->op == RSP_OP_APPLY)
         || (term->a && rsp_term_is_free_without (term->a, known))
         || (term->b && rsp_term_is_free_without (term->b, known));
}

gint64 rsp_term_function (const RspTerm *term, guint *n) {
  guint given = 0;
  for (; term->kind == RSP_TERM_BINARY && term->op == RSP_OP_APPLY; term = term->a)
    given++;
  if (n)
    *n = given;
  return term->kind == RSP_TERM_CONSTANT && rsp_float_operands (term->constant) ? term->constant
                                                                                : 0;
}

static guint hash_term (gconstpointer data) {
  const RspTerm *term = data;
  guint hash = (guint) term->kind * 31 + (guint) term->op;
  hash = hash * 31 + term->bits * 2u + (term->is_signed ? 1 : 0);
  hash = hash * 31 + (guint) ((guint64) term->constant ^ ((guint64) term->constant >> 32));
  hash = hash * 31 + term->event;
  hash = hash * 31 + (term->a ? term->a->id + 1 : 0);
  hash = hash * 31 + (term->b ? term->b->id + 1 : 0);
  return hash;
}

static gboolean equal_terms (gconstpointer x, gconstpointer y) {
  const RspTerm *a = x, *b = y;
  return a->kind == b->kind && a->op == b->op && a->bits == b->bits && a->is_signed == b->is_signed
         && a->constant == b->constant && a->event == b->event && a->a == b->a && a->b == b->b;
}

RspTerms *rsp_terms_new (RspArena *arena) {
  RspTerms *terms = g_new0 (RspTerms, 1);
  terms->arena = arena;
  terms->table = g_hash_table_new (hash_term, equal_terms);
  return terms;
}

void rsp_terms_free (RspTerms *terms) {
  if (!terms)
    return;
  g_hash_table_unref (terms->table);
  g_free (terms);
}

static gboolean is_boolean (const RspTerm *term) {
  switch (term->kind) {
  case RSP_TERM_CONSTANT:
    return term->constant == 0 || term->constant == 1;
  case RSP_TERM_READ:
    return term->bits == 1;
  case RSP_TERM_CAST:
    return term->a->is_boolean;
  case RSP_TERM_BINARY:
    if (rsp_operator_is_comparison (term->op))
      return TRUE;
    return (term->op == RSP_OP_AND || term->op == RSP_OP_OR || term->op == RSP_OP_XOR)
           && term->a->is_boolean && term->b->is_boolean;
  default:
    return FALSE;
  }
}

const RspTerm *rsp_term_intern (RspTerms *terms, const RspTerm *key) {
  RspTerm *term = g_hash_table_lookup (terms->table, key);
  if (term)
    return term;
  term = rsp_arena_copy (terms->arena, key, sizeof *key);
  term->id = terms->n++;
  guint64 size = 1;
  if (term->a)
    size += term->a->size;
  if (term->b)
    size += term->b->size;
  term->size = (guint) MIN (size, G_MAXUINT);
  term->is_boolean = is_boolean (term);
  term->is_free = (term->op == RSP_OP_APPLY && !rsp_term_function (term, NULL))
                  || (term->a && term->a->is_free) || (term->b && term->b->is_free);
  term->has_reads = term->kind == RSP_TERM_READ || (term->a && term->a->has_reads)
                    || (term->b && term->b->has_reads);
  term->has_arguments = rsp_term_is_argument (term) || (term->a && term->a->has_arguments)
                        || (term->b && term->b->has_arguments);
  g_hash_table_add (terms->table, term);
  return term;
}

const RspTerm *rsp_term_constant (RspTerms *terms, gint64 value, guint8 bits, gboolean is_signed) {
  RspTerm key = { .kind = RSP_TERM_CONSTANT,
                  .bits = bits,
                  .is_signed = is_signed != FALSE,
                  .constant = rsp_wrap (value, bits, is_signed) };
  return rsp_term_intern (terms, &key);
}

const RspTerm *rsp_term_read (RspTerms *terms, guint event, guint8 bits, gboolean is_signed) {
  RspTerm key
      = { .kind = RSP_TERM_READ, .bits = bits, .is_signed = is_signed != FALSE, .event = event };
  return rsp_term_intern (terms, &key);
}

/* A sum with a constant is cast part by part, so that it keeps its linear form. */
const RspTerm *rsp_term_cast (RspTerms *terms, const RspTerm *a, guint8 bits, gboolean is_signed) {
  is_signed = is_signed != FALSE;
  if (bits == 1) {
    is_signed = FALSE;
    if (a->bits != 1)
      a = rsp_term_condition (terms, a);
  }
  /* A cast to no more bits is one of the inner cast's operand, as they are equal modulo 2^bits; so
   * is one of an inner cast that changes nothing. */
  while (a->kind == RSP_TERM_CAST && (bits <= a->bits || rsp_term_is_same_value_cast (a)))
    a = a->a;
  if (a->bits == bits && a->is_signed == is_signed)
    return a;
  if (a->kind == RSP_TERM_CONSTANT)
    return rsp_term_constant (terms, a->constant, bits, is_signed);
  if (a->kind == RSP_TERM_BINARY && a->op == RSP_OP_ADD && a->b->kind == RSP_TERM_CONSTANT
      && bits > 1 && bits <= a->bits)
    return rsp_term_binary (terms, RSP_OP_ADD, rsp_term_cast (terms, a->a, bits, is_signed),
                            rsp_term_cast (terms, a->b, bits, is_signed));
  RspTerm key = { .kind = RSP_TERM_CAST, .bits = bits, .is_signed = is_signed, .a = a };
  return rsp_term_intern (terms, &key);
}

void rsp_term_add_reads (const RspTerm *term, GArray *events) {
  guint i = 0;
  while (i < events->len && g_array_index (events, guint, i) != term->event)
    i++;
  if (term->kind == RSP_TERM_READ && i == events->len)
    g_array_append_val (events, term->event);
  if (term->a)
    rsp_term_add_reads (term->a, events);
  if (term->b)
    rsp_term_add_reads (term->b, events);
}

/* ---- Make ----------------------------------------------------------------------------------- */

/* The operands have one type; a comparison is an int, other operators have a's type. */
static const RspTerm *term_make (RspTerms *terms, RspOperator op, const RspTerm *a,
                                 const RspTerm *b) {
  gboolean compares = rsp_operator_is_comparison (op);
  RspTerm key = { .kind = RSP_TERM_BINARY,
                  .op = op,
                  .bits = compares ? 32 : a->bits,
                  .is_signed = compares || a->is_signed,
                  .a = a,
                  .b = b };
  return rsp_term_intern (terms, &key);
}

static const RspTerm *term_make_unary (RspTerms *terms, RspOperator op, const RspTerm *a) {
  RspTerm key
      = { .kind = RSP_TERM_UNARY, .op = op, .bits = a->bits, .is_signed = a->is_signed, .a = a };
  return rsp_term_intern (terms, &key);
}

/* A constant of the type of `like`; the int 0 or 1. */
static const RspTerm *constant_like (RspTerms *terms, const RspTerm *like, gint64 value) {
  return rsp_term_constant (terms, value, like->bits, like->is_signed);
}

static const RspTerm *truth_constant (RspTerms *terms, gboolean value) {
  return rsp_term_constant (terms, value, 32, TRUE);
}

const RspTerm *rsp_term_split (const RspTerm *term, gint64 *offset) {
  *offset = 0;
  if (term->kind == RSP_TERM_CONSTANT) {
    *offset = term->constant;
    return NULL;
  }
  if (!is_binary (term, RSP_OP_ADD) || term->b->kind != RSP_TERM_CONSTANT)
    return term;
  *offset = term->b->constant;
  return term->a;
}

static const RspTerm *term_plus (RspTerms *terms, const RspTerm *base, gint64 offset) {
  gint64 more;
  const RspTerm *inner = rsp_term_split (base, &more);
  const RspTerm *sum = constant_like (terms, base, (gint64) ((guint64) offset + (guint64) more));
  if (!inner)
    return sum;
  return sum->constant == 0 ? inner : term_make (terms, RSP_OP_ADD, inner, sum);
}

/* ---- Range ---------------------------------------------------------------------------------- */

/* Intervals: the range of each operator's result, from the ranges of its operands. A result that
 * may wrap has the range of its type. */

/* The number of operators visited. Shared operands are visited again. */
enum { DEPTH = 6 };

typedef struct Range {
  RspWide low, high;
} Range;

static Range range_of_type (const RspTerm *term) {
  return (Range){ rsp_type_low (term->bits, term->is_signed),
                  rsp_type_high (term->bits, term->is_signed) };
}

static gboolean lies_within (Range inner, Range outer) {
  return inner.low >= outer.low && inner.high <= outer.high;
}

/* Neither operand is negative. */
static Range combine_natural (RspOperator op, Range a, Range b, Range type) {
  switch (op) {
  case RSP_OP_MUL:
    return a.high <= G_MAXINT64 && b.high <= G_MAXINT64 ? (Range){ a.low * b.low, a.high * b.high }
                                                        : type;
  case RSP_OP_DIV:
  case RSP_OP_SHR:
    return (Range){ 0, a.high };
  case RSP_OP_OR:
  case RSP_OP_XOR: {
    RspWide all = 0; /* the least 2^k - 1 that is not less than either */
    while (all < MAX (a.high, b.high))
      all = 2 * all + 1;
    return (Range){ 0, all };
  }
  default:
    return type;
  }
}

static Range combine (RspOperator op, Range a, Range b, Range type) {
  switch (op) {
  case RSP_OP_ADD:
    return (Range){ a.low + b.low, a.high + b.high };
  case RSP_OP_SUB:
    return (Range){ a.low - b.high, a.high - b.low };
  case RSP_OP_MIN:
    return (Range){ MIN (a.low, b.low), MIN (a.high, b.high) };
  case RSP_OP_MAX:
    return (Range){ MAX (a.low, b.low), MAX (a.high, b.high) };
  case RSP_OP_AND:
    if (a.low >= 0 || b.low >= 0)
      return (Range){ 0, a.low < 0 ? b.high : b.low < 0 ? a.high : MIN (a.high, b.high) };
    return type;
  case RSP_OP_MOD:
    if (b.low > 0)
      return (Range){ a.low < 0 ? MAX (a.low, 1 - b.high) : 0,
                      a.high > 0 ? MIN (a.high, b.high - 1) : 0 };
    return type;
  default:
    return a.low >= 0 && b.low >= 0 ? combine_natural (op, a, b, type) : type;
  }
}

static Range range_of (const RspTerm *term, const RspEvaluation *given, guint depth) {
  Range type = range_of_type (term), range = type;
  RspWide value;
  if (term->kind == RSP_TERM_CONSTANT) {
    value = rsp_widen (term->constant, term->bits, term->is_signed);
    return (Range){ value, value };
  }
  if (term->kind == RSP_TERM_READ
      && (given && (!given->known || given->known[term->event])
          && !given->reads[term->event].unknown)) {
    value = rsp_widen (given->reads[term->event].bits, term->bits, term->is_signed);
    return (Range){ value, value };
  }
  if (term->kind == RSP_TERM_BINARY && rsp_operator_is_comparison (term->op))
    return (Range){ 0, 1 };
  if (term->kind == RSP_TERM_BINARY && depth)
    range = combine (term->op, range_of (term->a, given, depth - 1),
                     range_of (term->b, given, depth - 1), type);
  else if (term->kind == RSP_TERM_CAST && depth)
    range = range_of (term->a, given, depth - 1);
  if (!lies_within (range, type))
    range = type;
  return term->is_boolean ? (Range){ MAX (range.low, 0), MIN (range.high, 1) } : range;
}

void rsp_term_range (const RspTerm *term, const RspEvaluation *given, RspWide *low, RspWide *high) {
  Range range = range_of (term, given, DEPTH);
  *low = range.low;
  *high = range.high;
}

gboolean rsp_term_is_same_value_cast (const RspTerm *term) {
  return term->kind == RSP_TERM_CAST
         && lies_within (range_of (term->a, NULL, DEPTH), range_of_type (term));
}

/* ---- Compound ------------------------------------------------------------------------------- */

typedef struct Entry {
  RspTermKind kind;
  RspOperator op;
  guint8 bits; /* of the first operand; of the result for a cast */
  gboolean is_signed;
  RspValue a, b;
  guint number; /* of the undetermined value made for it */
  guint newest; /* see rsp_compounds_newest */
  RspValue result;
} Entry;

void rsp_compounds_clear (RspCompounds *compounds) {
  if (compounds->entries)
    g_array_unref (compounds->entries);
  if (compounds->ranges)
    g_array_unref (compounds->ranges);
  *compounds = (RspCompounds){ 0 };
}

guint rsp_compounds_new_unknown (RspCompounds *compounds) { return ++compounds->n_unknowns; }

static RspRange *find_range (const RspCompounds *compounds, guint unknown) {
  for (guint i = 0; compounds->ranges && i < compounds->ranges->len; i++) {
    RspRange *range = &g_array_index (compounds->ranges, RspRange, i);
    if (range->unknown == unknown)
      return range;
  }
  return NULL;
}

void rsp_compounds_limit (RspCompounds *compounds, guint unknown, gint64 low, gint64 high) {
  RspRange range = { unknown, low, high }, *known = find_range (compounds, unknown);
  if (!compounds->ranges)
    compounds->ranges = g_array_new (FALSE, FALSE, sizeof (RspRange));
  if (known)
    *known = (RspRange){ unknown, MAX (known->low, low), MIN (known->high, high) };
  else
    g_array_append_val (compounds->ranges, range);
}

gboolean rsp_compounds_range (const RspCompounds *compounds, guint unknown, gint64 *low,
                              gint64 *high) {
  const RspRange *range = find_range (compounds, unknown);
  if (!range)
    return FALSE;
  *low = range->low;
  *high = range->high;
  return TRUE;
}

static RspValue wrapped (RspValue value, guint8 bits, gboolean is_signed) {
  value.bits = rsp_wrap (value.bits, MAX (bits, 8), is_signed);
  return value;
}

guint rsp_compounds_newest (const RspCompounds *compounds, guint unknown) {
  for (guint i = 0; compounds->entries && i < compounds->entries->len; i++) {
    const Entry *entry = &g_array_index (compounds->entries, Entry, i);
    if (entry->number == unknown)
      return entry->newest;
  }
  return unknown;
}

RspValue rsp_compounds_obtain (RspCompounds *compounds, const RspTerm *term, RspValue a,
                               RspValue b) {
  /* The operation, with the operands of a commutative one in order. */
  const RspTerm *type = term->kind == RSP_TERM_CAST ? term : term->a;
  Entry key = { .kind = term->kind,
                .op = term->kind == RSP_TERM_CAST ? RSP_OP_NONE : term->op,
                .bits = type->bits,
                .is_signed = type->is_signed };
  key.a = wrapped (a, term->a->bits, term->a->is_signed);
  if (term->b)
    key.b = wrapped (b, term->b->bits, term->b->is_signed);
  gboolean swapped = key.a.unknown > key.b.unknown
                     || (key.a.unknown == key.b.unknown && key.a.bits > key.b.bits);
  if (term->kind == RSP_TERM_BINARY && rsp_operator_is_commutative (term->op) && swapped) {
    RspValue first = key.a;
    key.a = key.b;
    key.b = first;
  }
  if (!compounds->entries)
    compounds->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  for (guint i = 0; i < compounds->entries->len; i++) {
    const Entry *entry = &g_array_index (compounds->entries, Entry, i);
    if (entry->kind == key.kind && entry->op == key.op && entry->bits == key.bits
        && entry->is_signed == key.is_signed && rsp_value_equal (entry->a, key.a)
        && rsp_value_equal (entry->b, key.b))
      return entry->result;
  }
  key.number = rsp_compounds_new_unknown (compounds);
  key.newest = MAX (rsp_compounds_newest (compounds, key.a.unknown),
                    rsp_compounds_newest (compounds, key.b.unknown));
  key.result = (RspValue){ .unknown = key.number };
  if (term->kind == RSP_TERM_BINARY && rsp_operator_is_comparison (term->op))
    rsp_compounds_limit (compounds, key.number, 0, 1);
  g_array_append_val (compounds->entries, key);
  return key.result;
}

void rsp_compounds_bind (RspCompounds *compounds, guint unknown, RspValue value) {
  for (guint i = 0; compounds->entries && i < compounds->entries->len; i++) {
    RspValue *result = &g_array_index (compounds->entries, Entry, i).result;
    if (result->unknown == unknown)
      *result = (RspValue){ .bits = (gint64) ((guint64) value.bits + (guint64) result->bits),
                            .unknown = value.unknown };
  }
}

/* ---- Condition ------------------------------------------------------------------------------ */

/* Comparisons, and the conditions that are made of them. */

/* ---- Comparisons ---- */
/* Is it a cast to at least as many bits, which keeps different values different? (Casts to and from
 * bool are another matter.) */
static gboolean is_injective_cast (const RspTerm *term) {
  return term->kind == RSP_TERM_CAST && term->a->bits != 1 && term->bits >= term->a->bits;
}

/* FALSE if no value of a's operands makes it equal to value. */
static gboolean may_equal (const RspTerm *a, gint64 value) {
  RspWide low, high, wide = rsp_widen (value, a->bits, a->is_signed);
  rsp_term_range (a, NULL, &low, &high);
  if (wide < low || wide > high)
    return FALSE;
  return !is_injective_cast (a)
         || rsp_wrap (rsp_wrap (value, a->a->bits, a->a->is_signed), a->bits, a->is_signed)
                == value;
}

/* Takes one step that brings `a == value` closer to a plain read, changing *a and *value; FALSE if
 * there is none. */
static gboolean invert_step (const RspTerm **a, gint64 *value) {
  const RspTerm *x = *a;
  guint64 v = (guint64) *value;
  if (is_unary (x, RSP_OP_NEGATE) || is_unary (x, RSP_OP_COMPLEMENT))
    *value = rsp_fold_unary (x->op, *value, x->bits, x->is_signed);
  else if (is_injective_cast (x))
    *value = rsp_wrap (*value, x->a->bits, x->a->is_signed);
  else if (is_binary (x, RSP_OP_ADD) && x->b->kind == RSP_TERM_CONSTANT)
    *value = rsp_wrap ((gint64) (v - (guint64) x->b->constant), x->bits, x->is_signed);
  else if (is_binary (x, RSP_OP_XOR) && x->b->kind == RSP_TERM_CONSTANT)
    *value = rsp_wrap ((gint64) (v ^ (guint64) x->b->constant), x->bits, x->is_signed);
  else
    return FALSE;
  *a = x->a;
  return TRUE;
}

static const RspTerm *equal_to_constant (RspTerms *terms, const RspTerm *a, gint64 value) {
  do
    if (!may_equal (a, value))
      return truth_constant (terms, FALSE);
  while (invert_step (&a, &value));
  if (a->is_boolean)
    return value ? rsp_term_condition (terms, a) : rsp_term_negate_condition (terms, a);
  if (value == 0 && (is_binary (a, RSP_OP_SUB) || is_binary (a, RSP_OP_XOR)))
    return rsp_term_binary (terms, RSP_OP_EQ, a->a, a->b);
  return term_make (terms, RSP_OP_EQ, a, constant_like (terms, a, value));
}

/* a == b; a < b and a <= b (op is LT or LE): of operands of one type. */
static const RspTerm *simplify_equal (RspTerms *terms, const RspTerm *a, const RspTerm *b) {
  if (a == b)
    return truth_constant (terms, TRUE);
  if (b->kind == RSP_TERM_CONSTANT)
    return equal_to_constant (terms, a, b->constant);
  /* Casts of the same kind on both sides are removed if they keep different values different. */
  while (is_injective_cast (a) && is_injective_cast (b) && a->a->bits == b->a->bits
         && a->a->is_signed == b->a->is_signed) {
    a = a->a;
    b = b->a;
  }
  gint64 offset_a, offset_b;
  const RspTerm *base_a = rsp_term_split (a, &offset_a), *base_b = rsp_term_split (b, &offset_b);
  if (base_a == base_b)
    return truth_constant (terms, offset_a == offset_b);
  if (offset_a && offset_b) {
    a = term_plus (terms, base_a, (gint64) ((guint64) offset_a - (guint64) offset_b));
    b = base_b;
  }
  return a->id <= b->id ? term_make (terms, RSP_OP_EQ, a, b) : term_make (terms, RSP_OP_EQ, b, a);
}

/* ---- Conditions ---- */
const RspTerm *rsp_term_condition (RspTerms *terms, const RspTerm *a) {
  while (a->kind == RSP_TERM_CAST && a->is_boolean)
    a = a->a;
  if (a->kind == RSP_TERM_CONSTANT)
    return truth_constant (terms, a->constant != 0);
  if (a->is_boolean && a->kind == RSP_TERM_BINARY)
    return rsp_term_cast (terms, a, 32, TRUE);
  return rsp_term_negate_condition (terms, rsp_term_negate_condition (terms, a));
}

/* By De Morgan's laws if a is a conjunction or disjunction of conditions. */
const RspTerm *rsp_term_negate_condition (RspTerms *terms, const RspTerm *a) {
  while (a->kind == RSP_TERM_CAST && a->is_boolean)
    a = a->a;
  if (a->kind == RSP_TERM_CONSTANT)
    return truth_constant (terms, a->constant == 0);
  if (a->kind == RSP_TERM_BINARY && rsp_operator_is_comparison (a->op)) {
    switch (a->op) {
    case RSP_OP_EQ:
      if (a->a->is_boolean && a->a->kind == RSP_TERM_BINARY && is_constant (a->b, 0))
        return rsp_term_condition (terms, a->a);
      return term_make (terms, RSP_OP_NE, a->a, a->b);
    case RSP_OP_NE:
      return term_make (terms, RSP_OP_EQ, a->a, a->b);
    case RSP_OP_LT:
      return term_make (terms, RSP_OP_LE, a->b, a->a);
    default:
      return term_make (terms, RSP_OP_LT, a->b, a->a);
    }
  }
  if (!a->is_boolean)
    return equal_to_constant (terms, a, 0);
  if (is_binary (a, RSP_OP_AND) || is_binary (a, RSP_OP_OR))
    return rsp_term_binary (terms, a->op == RSP_OP_AND ? RSP_OP_OR : RSP_OP_AND,
                            rsp_term_negate_condition (terms, a->a),
                            rsp_term_negate_condition (terms, a->b));
  return term_make (terms, RSP_OP_EQ, a, constant_like (terms, a, 0));
}

/* ---- Simplify ------------------------------------------------------------------------------- */

/* Terms: the rules by which they are simplified as they are built. A rule holds for every value of
 * the operands' type, modulo 2^bits; types with one bit (bool) are widened before any arithmetic.
 *
 * A term's linear form is base + constant, where base is not a sum with a constant. */

/* ---- Sums ---- */
static const RspTerm *add_bases (RspTerms *terms, const RspTerm *a, const RspTerm *b) {
  if (is_binary (a, RSP_OP_SUB) && a->b == b)
    return a->a;
  if (is_binary (b, RSP_OP_SUB) && b->b == a)
    return b->a;
  if ((is_unary (a, RSP_OP_NEGATE) && a->a == b) || (is_unary (b, RSP_OP_NEGATE) && b->a == a))
    return constant_like (terms, a, 0);
  return a->id <= b->id ? term_make (terms, RSP_OP_ADD, a, b) : term_make (terms, RSP_OP_ADD, b, a);
}

static const RspTerm *simplify_negate (RspTerms *terms, const RspTerm *a) {
  if (is_unary (a, RSP_OP_NEGATE))
    return a->a;
  if (is_binary (a, RSP_OP_SUB))
    return term_make (terms, RSP_OP_SUB, a->b, a->a);
  return term_make_unary (terms, RSP_OP_NEGATE, a);
}

static const RspTerm *simplify_subtract (RspTerms *terms, const RspTerm *a, const RspTerm *b) {
  gint64 offset_a, offset_b;
  const RspTerm *base_a = rsp_term_split (a, &offset_a), *base_b = rsp_term_split (b, &offset_b);
  const RspTerm *base;
  if (!base_b)
    base = base_a;
  else if (!base_a)
    base = simplify_negate (terms, base_b);
  else if (base_a == base_b)
    base = constant_like (terms, base_a, 0);
  else if (is_binary (base_a, RSP_OP_ADD) && (base_a->a == base_b || base_a->b == base_b))
    base = base_a->a == base_b ? base_a->b : base_a->a;
  else
    base = term_make (terms, RSP_OP_SUB, base_a, base_b);
  return term_plus (terms, base, (gint64) ((guint64) offset_a - (guint64) offset_b));
}

/* ---- Products, shifts and bits ---- */
/* Do the guards hold: is a divisor not zero, is a shift in range? */
static const RspTerm *simplify_divide (RspTerms *terms, RspOperator op, const RspTerm *a,
                                       const RspTerm *b) {
  gboolean quotient = op == RSP_OP_DIV;
  if (is_constant (b, 1))
    return quotient ? a : constant_like (terms, a, 0);
  if (is_constant (a, 0))
    return a;
  if (a == b)
    return constant_like (terms, a, quotient ? 1 : 0);
  return term_make (terms, op, a, b);
}

/* x op c op d = x op (c op d) for constants. */
static const RspTerm *fold_into (RspTerms *terms, RspOperator op, const RspTerm *a,
                                 const RspTerm *b) {
  if (b->kind != RSP_TERM_CONSTANT || !is_binary (a, op) || a->b->kind != RSP_TERM_CONSTANT)
    return term_make (terms, op, a, b);
  return rsp_term_binary (terms, op, a->a, rsp_term_binary (terms, op, a->b, b));
}

static gboolean are_opposite_conditions (RspTerms *terms, const RspTerm *a, const RspTerm *b) {
  return a->bits == 32 && a->is_signed && a->is_boolean && b->is_boolean
         && a->kind == RSP_TERM_BINARY && rsp_operator_is_comparison (a->op)
         && rsp_term_negate_condition (terms, a) == b;
}

/* The constant of the type with all bits set. */
static gboolean is_all_ones (const RspTerm *term) {
  return is_constant (term, rsp_wrap (-1, term->bits, term->is_signed));
}

/* a & b, a | b: one constant of b changes nothing, and the other one decides. */
static const RspTerm *simplify_bits (RspTerms *terms, RspOperator op, const RspTerm *a,
                                     const RspTerm *b) {
  const gboolean is_and = op == RSP_OP_AND, is_zero = is_constant (b, 0),
                 is_full = is_all_ones (b) || (is_constant (b, 1) && a->is_boolean);
  if (a == b || (is_and ? is_full : is_zero))
    return a;
  if (is_and ? is_zero : is_full)
    return b;
  if (are_opposite_conditions (terms, a, b))
    return constant_like (terms, a, !is_and);
  return fold_into (terms, op, a, b);
}

static const RspTerm *simplify_xor (RspTerms *terms, const RspTerm *a, const RspTerm *b) {
  if (a == b)
    return constant_like (terms, a, 0);
  if (is_constant (b, 0))
    return a;
  if (is_binary (a, RSP_OP_XOR) && (a->a == b || a->b == b))
    return a->a == b ? a->b : a->a;
  if (is_binary (b, RSP_OP_XOR) && (b->a == a || b->b == a))
    return b->a == a ? b->b : b->a;
  return fold_into (terms, RSP_OP_XOR, a, b);
}

/* ---- The constructors ---- */
const RspTerm *rsp_term_unary (RspTerms *terms, RspOperator op, const RspTerm *a) {
  if (op == RSP_OP_LOGICAL_NOT)
    return rsp_term_negate_condition (terms, a);
  if (op == RSP_OP_PLUS)
    return a;
  if (a->bits == 1)
    a = rsp_term_cast (terms, a, 32, TRUE);
  if (a->kind == RSP_TERM_CONSTANT)
    return constant_like (terms, a, rsp_fold_unary (op, a->constant, a->bits, a->is_signed));
  if (op == RSP_OP_NEGATE)
    return simplify_negate (terms, a);
  return is_unary (a, RSP_OP_COMPLEMENT) ? a->a : term_make_unary (terms, op, a);
}

static const RspTerm *widen_bool (RspTerms *terms, const RspTerm *a) {
  return a->bits == 1 ? rsp_term_cast (terms, a, 32, TRUE) : a;
}

static const RspTerm *simplify (RspTerms *terms, RspOperator op, const RspTerm *a,
                                const RspTerm *b) {
  switch (op) {
  case RSP_OP_ADD: {
    gint64 offset_a, offset_b;
    const RspTerm *base_a = rsp_term_split (a, &offset_a), *base_b = rsp_term_split (b, &offset_b);
    const RspTerm *base
        = base_a && base_b ? add_bases (terms, base_a, base_b) : (base_a ? base_a : base_b);
    return term_plus (terms, base, (gint64) ((guint64) offset_a + (guint64) offset_b));
  }
  case RSP_OP_SUB:
    return simplify_subtract (terms, a, b);
  case RSP_OP_MUL:
    return is_constant (b, 0) ? b : is_constant (b, 1) ? a : term_make (terms, RSP_OP_MUL, a, b);
  case RSP_OP_DIV:
  case RSP_OP_MOD:
    return simplify_divide (terms, op, a, b);
  case RSP_OP_SHL:
  case RSP_OP_SHR:
    return is_constant (b, 0) || is_constant (a, 0) ? a : term_make (terms, op, a, b);
  case RSP_OP_AND:
  case RSP_OP_OR:
    return simplify_bits (terms, op, a, b);
  case RSP_OP_XOR:
    return simplify_xor (terms, a, b);
  case RSP_OP_EQ:
    return simplify_equal (terms, a, b);
  case RSP_OP_NE:
    return rsp_term_negate_condition (terms, simplify_equal (terms, a, b));
  case RSP_OP_LT:
  case RSP_OP_LE: {
    if (a == b)
      return truth_constant (terms, op == RSP_OP_LE);
    RspWide low_a, high_a, low_b, high_b;
    rsp_term_range (a, NULL, &low_a, &high_a);
    rsp_term_range (b, NULL, &low_b, &high_b);
    if (op == RSP_OP_LT ? high_a < low_b : high_a <= low_b)
      return truth_constant (terms, TRUE);
    if (op == RSP_OP_LT ? low_a >= high_b : low_a > high_b)
      return truth_constant (terms, FALSE);
    return term_make (terms, op, a, b);
  }
  case RSP_OP_MIN:
  case RSP_OP_MAX:
  case RSP_OP_EXCHANGE:
    return a == b ? a : term_make (terms, op, a, b);
  case RSP_OP_APPLY:
  case RSP_OP_GT:
  case RSP_OP_GE:
  RSP_CASES_WITHOUT_FOLDING:
    break;
  }
  return term_make (terms, op, a, b);
}

/* The argument of an uninterpreted function. The result of another one for numbers alone is a
 * number, as its evaluation has it, so that calculations with floats of which none is read do not
 * grow. */
static const RspTerm *argument_term (RspTerms *terms, const RspTerm *term) {
  RspValue value;
  if (!term->is_free || term->has_reads || term->has_arguments
      || !rsp_term_evaluate (term, NULL, &value, NULL))
    return term;
  return constant_like (terms, term, value.bits);
}

/* Applies a function. One that is calculated is a number if all its operands are; of what is not
 * known, it is an uninterpreted one. */
static const RspTerm *apply (RspTerms *terms, const RspTerm *a, const RspTerm *b) {
  const RspTerm *operands[RSP_FLOAT_MOST_OPERANDS];
  gint64 values[RSP_FLOAT_MOST_OPERANDS];
  guint n;
  gboolean known = TRUE, hidden = FALSE;
  const gint64 function = rsp_term_function (a, &n);
  if (!function)
    return term_make (terms, RSP_OP_APPLY, argument_term (terms, a), argument_term (terms, b));
  if (n + 1 < rsp_float_operands (function))
    return term_make (terms, RSP_OP_APPLY, a, b);
  operands[n] = b;
  for (const RspTerm *t = a; n > 0; t = t->a)
    operands[--n] = t->b;
  for (; n < rsp_float_operands (function); n++) {
    known &= operands[n]->kind == RSP_TERM_CONSTANT;
    hidden |= operands[n]->is_free && !operands[n]->has_arguments;
    values[n] = operands[n]->constant;
  }
  if (known)
    return constant_like (terms, a, rsp_float_calculate (function, values));
  if (!hidden)
    return term_make (terms, RSP_OP_APPLY, a, b);
  const RspTerm *whole = rsp_term_constant (terms, -function, 64, FALSE);
  for (guint i = 0; i < n; i++)
    whole = term_make (terms, RSP_OP_APPLY, whole, argument_term (terms, operands[i]));
  return whole;
}

const RspTerm *rsp_term_binary (RspTerms *terms, RspOperator op, const RspTerm *a,
                                const RspTerm *b) {
  if (op == RSP_OP_EXCHANGE)
    return b;
  if (op == RSP_OP_GT || op == RSP_OP_GE)
    return rsp_term_binary (terms, op == RSP_OP_GT ? RSP_OP_LT : RSP_OP_LE, b, a);
  a = widen_bool (terms, a);
  b = widen_bool (terms, b);
  if (!rsp_operator_is_shift (op)) {
    gboolean is_signed = a->bits == b->bits  ? a->is_signed && b->is_signed
                         : a->bits > b->bits ? a->is_signed
                                             : b->is_signed;
    guint8 bits = MAX (a->bits, b->bits);
    a = rsp_term_cast (terms, a, bits, is_signed);
    b = rsp_term_cast (terms, b, bits, is_signed);
  }
  if (op == RSP_OP_APPLY)
    return apply (terms, a, b);
  if (a->kind == RSP_TERM_CONSTANT && b->kind == RSP_TERM_CONSTANT) {
    /* Constants are folded. */
    gint64 value = 0;
    gboolean defined
        = rsp_fold_binary (op, a->constant, b->constant, a->bits, a->is_signed, &value);
    g_return_val_if_fail (defined, constant_like (terms, a, 0));
    return rsp_operator_is_comparison (op) ? truth_constant (terms, value != 0)
                                           : constant_like (terms, a, value);
  }
  if (rsp_operator_is_commutative (op)
      && (a->kind == RSP_TERM_CONSTANT || (b->kind != RSP_TERM_CONSTANT && a->id > b->id))) {
    const RspTerm *other = a;
    a = b;
    b = other;
  }
  return simplify (terms, op, a, b);
}
