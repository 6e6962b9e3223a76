/* Values of terms. */
#include "enumerator/terms/terms.h"
#include "parser/program.h"

#include <string.h>

/* ---- Value ---------------------------------------------------------------------------------- */

/* Values in final states: their order and their text. */

int rsp_value_compare (RspValue a, RspValue b) {
  if (a.unknown != b.unknown)
    return a.unknown < b.unknown ? -1 : 1;
  return (a.bits > b.bits) - (a.bits < b.bits);
}

void rsp_value_format (const RspProgram *program, const RspType *type, RspValue value,
                       GString *out) {
  if (!value.unknown) {
    rsp_program_format_value (program, type, value.bits, out);
    return;
  }
  /* A symbol in herd's style, of letters, digits and underscores: its log readers accept no
   * others. */
  g_string_append_printf (out, "S%u", value.unknown);
  if (value.bits)
    g_string_append_printf (out, "_%s%" G_GUINT64_FORMAT, value.bits < 0 ? "m" : "",
                            value.bits < 0 ? -(guint64) value.bits : (guint64) value.bits);
}

/* ---- Value table ---------------------------------------------------------------------------- */

enum {
  FEW_VALUES = 8 /* are compared one by one: most tests have no more */
};

static guint hash_value (gconstpointer key) {
  const RspValue *value = key;
  return (guint) (value->bits ^ value->bits >> 32) * 2654435761u ^ value->unknown;
}

static gboolean equal_values (gconstpointer a, gconstpointer b) {
  return rsp_value_same (*(const RspValue *) a, *(const RspValue *) b);
}

GHashTable *rsp_value_hash_table_new (void) { return g_hash_table_new (hash_value, equal_values); }

void rsp_value_table_clear (RspValueTable *table) {
  g_clear_pointer (&table->ids, g_hash_table_unref);
}

static void hash_value_at (RspValueTable *table, guint number) {
  g_hash_table_insert (table->ids, table->values[number], GUINT_TO_POINTER (number + 1));
}

guint32 rsp_value_table_number (RspValueTable *table, RspValue value) {
  guint32 found = table->ids ? GPOINTER_TO_UINT (g_hash_table_lookup (table->ids, &value)) : 0;
  if (found)
    return found - 1;
  for (guint i = 0; i < table->n && !table->ids; i++)
    if (rsp_value_same (*table->values[i], value))
      return i;
  guint number = table->n;
  if (number == table->capacity) {
    table->capacity = MAX (2 * table->capacity, FEW_VALUES);
    RspValue **values = rsp_arena_new0 (table->arena, RspValue *, table->capacity);
    if (table->n)
      memcpy (values, table->values, table->n * sizeof values[0]);
    table->values = values;
  }
  table->values[table->n++] = rsp_arena_copy (table->arena, &value, sizeof value);
  if (table->ids)
    hash_value_at (table, number);
  else if (number >= FEW_VALUES) {
    table->ids = rsp_value_hash_table_new ();
    for (guint i = 0; i <= number; i++)
      hash_value_at (table, i);
  }
  return number;
}

/* ---- Evaluate ------------------------------------------------------------------------------- */

/* Terms: evaluation, on numbers, on undetermined values, and while reads are open. */

/* An operand: its outcome, and its value if determined. */
typedef struct Operand {
  RspTermOutcome outcome;
  RspValue value;
} Operand;

/* From low to high. */
typedef struct Interval {
  RspWide low, high;
} Interval;

static Operand evaluate (const RspEvaluation *evaluation, const RspTerm *term);

static Operand determined (gint64 bits) {
  return (Operand){ .outcome = RSP_TERM_DETERMINED, .value = { .bits = bits } };
}

static Operand without_value (RspTermOutcome outcome) { return (Operand){ .outcome = outcome }; }

static gboolean is_number (Operand a) {
  return a.outcome == RSP_TERM_DETERMINED && a.value.unknown == 0;
}

static gboolean is_the_number (Operand a, gint64 value) {
  return is_number (a) && a.value.bits == value;
}

static gboolean is_unknown (Operand a) {
  return a.outcome == RSP_TERM_DETERMINED && a.value.unknown != 0;
}

/* ---- Undetermined values ---- */
/* An undetermined value moved by an offset. */
static Operand moved (Operand a, gint64 offset, const RspTerm *type) {
  guint64 bits = (guint64) a.value.bits + (guint64) offset;
  a.value.bits = rsp_wrap ((gint64) bits, MAX (type->bits, 8), type->is_signed);
  return a;
}

/* The result of an operation that is not known. */
static Operand compound (const RspEvaluation *evaluation, const RspTerm *term, Operand a,
                         Operand b) {
  if (!evaluation->compounds || a.outcome == RSP_TERM_OPAQUE || b.outcome == RSP_TERM_OPAQUE)
    return without_value (RSP_TERM_OPAQUE);
  return (Operand){ .outcome = RSP_TERM_DETERMINED,
                    .value = rsp_compounds_obtain (evaluation->compounds, term, a.value, b.value) };
}

static Interval interval_of (const RspEvaluation *evaluation, const RspTerm *type, Operand a) {
  if (is_number (a)) {
    RspWide value = rsp_widen (a.value.bits, type->bits, type->is_signed);
    return (Interval){ value, value };
  }
  Interval all
      = { rsp_type_low (type->bits, type->is_signed), rsp_type_high (type->bits, type->is_signed) };
  gint64 low, high;
  if (!is_unknown (a) || !evaluation->compounds
      || !rsp_compounds_range (evaluation->compounds, a.value.unknown, &low, &high))
    return all;
  Interval range = { (RspWide) low + a.value.bits, (RspWide) high + a.value.bits };
  return range.low >= all.low && range.high <= all.high ? range : all;
}

static gboolean is_least (Operand a, const RspTerm *type) {
  return is_number (a)
         && rsp_widen (a.value.bits, type->bits, type->is_signed)
                == rsp_type_low (type->bits, type->is_signed);
}

static gboolean is_greatest (Operand a, const RspTerm *type) {
  return is_number (a)
         && rsp_widen (a.value.bits, type->bits, type->is_signed)
                == rsp_type_high (type->bits, type->is_signed);
}

static gboolean is_neutral_right (RspOperator op, Operand b, const RspTerm *type) {
  switch (op) {
  case RSP_OP_OR:
  case RSP_OP_XOR:
  case RSP_OP_SHL:
  case RSP_OP_SHR:
    return is_the_number (b, 0);
  case RSP_OP_MUL:
  case RSP_OP_DIV:
    return is_the_number (b, 1);
  case RSP_OP_AND:
    return is_the_number (b, rsp_wrap (-1, type->bits, type->is_signed));
  case RSP_OP_MIN:
    return is_greatest (b, type);
  case RSP_OP_MAX:
    return is_least (b, type);
  default:
    return FALSE;
  }
}

/* An operation on a value and itself. *known: is the result known? (Divisions have been guarded
 * against 0.) */
static Operand apply_to_equals (RspOperator op, Operand a, gboolean *known) {
  *known = TRUE;
  switch (op) {
  case RSP_OP_XOR:
  case RSP_OP_MOD:
    return determined (0);
  case RSP_OP_DIV:
    return determined (1);
  case RSP_OP_AND:
  case RSP_OP_OR:
  case RSP_OP_MIN:
  case RSP_OP_MAX:
    return a;
  default:
    *known = FALSE;
    return a;
  }
}

/* Two evaluated operands, at least one of which is an undetermined value. */
static Operand apply_to_unknown (const RspEvaluation *evaluation, const RspTerm *term, Operand a,
                                 Operand b) {
  const RspTerm *type = term->a;
  gboolean known = FALSE;
  if (term->op == RSP_OP_ADD && is_unknown (a) != is_unknown (b))
    return is_unknown (a) ? moved (a, b.value.bits, type) : moved (b, a.value.bits, type);
  if (term->op == RSP_OP_SUB && !is_unknown (b))
    return moved (a, (gint64) - (guint64) b.value.bits, type);
  if ((is_unknown (a) && is_neutral_right (term->op, b, type))
      || ((term->op == RSP_OP_DIV || term->op == RSP_OP_MOD || term->op == RSP_OP_SHL
           || term->op == RSP_OP_SHR)
          && is_the_number (a, 0)))
    return a;
  if (is_unknown (b) && rsp_operator_is_commutative (term->op)
      && is_neutral_right (term->op, a, type))
    return b;
  if (term->op == RSP_OP_SUB && a.value.unknown == b.value.unknown)
    return determined (rsp_wrap ((gint64) ((guint64) a.value.bits - (guint64) b.value.bits),
                                 type->bits, type->is_signed));
  Operand result = rsp_value_equal (a.value, b.value) ? apply_to_equals (term->op, a, &known) : a;
  return known ? result : compound (evaluation, term, a, b);
}

/* ---- Operators ---- */
/* An operand that determines the result whatever the other one is: it is then the result. */
static gboolean is_absorbing (const RspTerm *term, Operand a) {
  switch (term->op) {
  case RSP_OP_MUL:
  case RSP_OP_AND:
    return is_the_number (a, 0);
  case RSP_OP_OR:
    return is_the_number (a, rsp_wrap (-1, term->bits, term->is_signed));
  case RSP_OP_MIN:
    return is_least (a, term);
  case RSP_OP_MAX:
    return is_greatest (a, term);
  default:
    return FALSE;
  }
}

/* A function that is calculated, of numbers; FALSE: the term is another one. */
static gboolean evaluate_function (const RspEvaluation *evaluation, const RspTerm *term,
                                   Operand *result) {
  gint64 operands[RSP_FLOAT_MOST_OPERANDS];
  guint n;
  const gint64 function = rsp_term_function (term, &n);
  if (!function || n < rsp_float_operands (function))
    return FALSE;
  for (const RspTerm *t = term; n > 0; t = t->a) {
    *result = evaluate (evaluation, t->b);
    if (result->outcome == RSP_TERM_OPEN || result->outcome == RSP_TERM_UNDEFINED)
      return TRUE;
    if (!is_number (*result))
      return FALSE;
    operands[--n] = result->value.bits;
  }
  *result = determined (rsp_float_calculate (function, operands));
  return TRUE;
}

static Operand evaluate_binary (const RspEvaluation *evaluation, const RspTerm *term) {
  Operand a;
  if (term->op == RSP_OP_APPLY && evaluate_function (evaluation, term, &a))
    return a;
  a = evaluate (evaluation, term->a);
  if (is_absorbing (term, a))
    return a;
  Operand b = evaluate (evaluation, term->b);
  if (is_absorbing (term, b))
    return b;
  if (a.outcome == RSP_TERM_UNDEFINED || b.outcome == RSP_TERM_UNDEFINED)
    return without_value (RSP_TERM_UNDEFINED);
  if (a.outcome == RSP_TERM_OPEN || b.outcome == RSP_TERM_OPEN)
    return without_value (RSP_TERM_OPEN);
  if (is_number (a) && is_number (b)) {
    gint64 result = 0;
    if (!rsp_fold_binary (term->op, a.value.bits, b.value.bits, term->a->bits, term->a->is_signed,
                          &result))
      return without_value (RSP_TERM_UNDEFINED);
    return determined (result);
  }
  /* x % 1 and x % -1. */
  if (term->op == RSP_OP_MOD
      && (is_the_number (b, 1) || (term->is_signed && is_the_number (b, -1))))
    return determined (0);
  if (rsp_operator_is_comparison (term->op)) {
    /* A comparison with an undetermined value on at least one side. */
    RspOperator op = term->op;
    if (is_unknown (a) && is_unknown (b) && rsp_value_equal (a.value, b.value))
      return determined (op == RSP_OP_EQ || op == RSP_OP_LE);
    if (is_unknown (a) && is_unknown (b) && a.value.unknown == b.value.unknown
        && (op == RSP_OP_EQ || op == RSP_OP_NE))
      return determined (op == RSP_OP_NE);
    /* A comparison that may be undetermined: do all values of both sides decide it alike? */
    Interval x = interval_of (evaluation, term->a, a), y = interval_of (evaluation, term->b, b);
    gboolean less = x.high < y.low;
    gboolean greater = x.low > y.high;
    if ((op == RSP_OP_EQ || op == RSP_OP_NE) && (less || greater))
      return determined (op == RSP_OP_NE);
    if (op == RSP_OP_LT && (less || x.low >= y.high))
      return determined (less);
    if (op == RSP_OP_LE && (greater || x.high <= y.low))
      return determined (!greater);
    return compound (evaluation, term, a, b);
  }
  if (a.outcome == RSP_TERM_OPAQUE || b.outcome == RSP_TERM_OPAQUE)
    return without_value (RSP_TERM_OPAQUE);
  return apply_to_unknown (evaluation, term, a, b);
}

/* TRUE only if the conversion keeps an undetermined value as it is. */
static gboolean fits (const RspEvaluation *evaluation, const RspTerm *cast, Operand a) {
  RspWide low = rsp_type_low (cast->bits, cast->is_signed);
  RspWide high = rsp_type_high (cast->bits, cast->is_signed);
  Interval own = interval_of (evaluation, cast->a, a), all;
  rsp_term_range (cast->a, evaluation, &all.low, &all.high);
  return (own.low >= low && own.high <= high) || (all.low >= low && all.high <= high);
}

static Operand evaluate (const RspEvaluation *evaluation, const RspTerm *term) {
  for (guint i = 0; evaluation->bound && i < evaluation->bound->len; i++) {
    const RspBoundTerm *bound = &g_array_index (evaluation->bound, RspBoundTerm, i);
    if (bound->term == term && bound->thread == evaluation->thread)
      return (Operand){ .outcome = RSP_TERM_DETERMINED, .value = bound->value };
  }
  switch (term->kind) {
  case RSP_TERM_CONSTANT:
    return determined (term->constant);
  case RSP_TERM_READ:
    if (evaluation->known && !evaluation->known[term->event])
      return without_value (RSP_TERM_OPEN);
    return (Operand){ .outcome = RSP_TERM_DETERMINED, .value = evaluation->reads[term->event] };
  case RSP_TERM_UNARY: {
    Operand a = evaluate (evaluation, term->a);
    if (is_unknown (a))
      return compound (evaluation, term, a, determined (0));
    if (a.outcome == RSP_TERM_DETERMINED)
      a.value.bits = rsp_fold_unary (term->op, a.value.bits, term->bits, term->is_signed);
    return a;
  }
  case RSP_TERM_CAST: {
    Operand a = evaluate (evaluation, term->a);
    if (is_unknown (a) && term->bits < term->a->bits
        && (evaluation->symbolic || !fits (evaluation, term, a)))
      return compound (evaluation, term, a, determined (0)); /* no longer the same value */
    if (is_unknown (a))
      return moved (a, 0, term);
    if (a.outcome == RSP_TERM_DETERMINED)
      a.value.bits = rsp_wrap (a.value.bits, term->bits, term->is_signed);
    return a;
  }
  default:
    return evaluate_binary (evaluation, term);
  }
}

RspTermOutcome rsp_term_evaluate_outcome (const RspTerm *term, const RspEvaluation *evaluation,
                                          RspValue *value) {
  Operand result = evaluate (evaluation, term);
  *value = result.value;
  return result.outcome;
}

gboolean rsp_term_evaluate (const RspTerm *term, const RspValue *reads, RspValue *value,
                            gboolean *opaque) {
  RspEvaluation evaluation = { .reads = reads };
  RspTermOutcome outcome = rsp_term_evaluate_outcome (term, &evaluation, value);
  if (opaque)
    *opaque = outcome == RSP_TERM_OPAQUE;
  return outcome != RSP_TERM_UNDEFINED;
}

gboolean rsp_term_evaluate_partial (const RspTerm *term, const RspValue *reads,
                                    const gboolean *known, RspValue *value) {
  RspEvaluation evaluation = { .reads = reads, .known = known };
  RspTermOutcome outcome = rsp_term_evaluate_outcome (term, &evaluation, value);
  return outcome == RSP_TERM_DETERMINED || outcome == RSP_TERM_OPAQUE;
}
