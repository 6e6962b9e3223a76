#include "enumerator/terms/compound.h"

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

static gboolean equal (const Entry *x, const Entry *y) {
  return x->kind == y->kind && x->op == y->op && x->bits == y->bits && x->is_signed == y->is_signed
         && rsp_value_equal (x->a, y->a) && rsp_value_equal (x->b, y->b);
}

static RspValue wrapped (RspValue value, guint8 bits, gboolean is_signed) {
  value.bits = rsp_wrap (value.bits, MAX (bits, 8), is_signed);
  return value;
}

/* The operation, with the operands of a commutative one in order. */
static Entry key_of (const RspTerm *term, RspValue a, RspValue b) {
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
  return key;
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
  Entry key = key_of (term, a, b);
  if (!compounds->entries)
    compounds->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  for (guint i = 0; i < compounds->entries->len; i++) {
    const Entry *entry = &g_array_index (compounds->entries, Entry, i);
    if (equal (entry, &key))
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
