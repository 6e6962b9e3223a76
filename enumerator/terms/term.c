/* Terms: hash-consing, casts, ranges, and reads that a term mentions. The rules are in
 * simplify.c. */
#include "enumerator/terms/term.h"
#include "enumerator/terms/condition.h"
#include "enumerator/terms/range.h"
#include "enumerator/terms/simplify.h"

struct RspTerms {
  RspArena *arena;
  GHashTable *table; /* the terms, each its own key */
  guint n;
};

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

static guint tree_size (const RspTerm *term) {
  guint64 size = 1;
  if (term->a)
    size += term->a->size;
  if (term->b)
    size += term->b->size;
  return (guint) MIN (size, G_MAXUINT);
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
  term->size = tree_size (term);
  term->is_boolean = is_boolean (term);
  term->is_free
      = term->op == RSP_OP_APPLY || (term->a && term->a->is_free) || (term->b && term->b->is_free);
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

/* ---- Casts ---- */

/* Can a cast to bits be applied to the operand of an inner cast instead: are they equal modulo
 * 2^bits, or does the inner cast change nothing? */
static const RspTerm *skip_inner_casts (const RspTerm *a, guint8 bits) {
  while (a->kind == RSP_TERM_CAST && (bits <= a->bits || rsp_term_is_same_value_cast (a)))
    a = a->a;
  return a;
}

/* A sum with a constant is cast part by part, so that it keeps its linear form. */
const RspTerm *rsp_term_cast (RspTerms *terms, const RspTerm *a, guint8 bits, gboolean is_signed) {
  is_signed = is_signed != FALSE;
  if (bits == 1) {
    is_signed = FALSE;
    if (a->bits != 1)
      a = rsp_term_condition (terms, a);
  } else
    a = skip_inner_casts (a, bits);
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

/* ---- What a term mentions ---- */

static void add_event (GArray *events, guint event) {
  for (guint i = 0; i < events->len; i++)
    if (g_array_index (events, guint, i) == event)
      return;
  g_array_append_val (events, event);
}

void rsp_term_add_reads (const RspTerm *term, GArray *events) {
  if (term->kind == RSP_TERM_READ)
    add_event (events, term->event);
  if (term->a)
    rsp_term_add_reads (term->a, events);
  if (term->b)
    rsp_term_add_reads (term->b, events);
}
