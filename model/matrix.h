#pragma once

#include "base/base.h"
#include "parser/language.h"
#include "public/rspcheck-enums.h"

/* ---- Matrix --------------------------------------------------------------------------------- */

/* Matrix: a set of events or a relation on events, as bits.
 *
 * n events; a set has one row, a relation n rows; row i, bit j means "i is related to j".
 *
 *      word 0           word 1          …  word words-1
 *   ┌────────────────┬────────────────┬──┬────────────────┐
 *   │ events 0 … 63  │ events 64 … 127│  │                │  row 0
 *   ├────────────────┼────────────────┼──┼────────────────┤
 *   │                                                     │  row 1 (relations only) …
 *
 * bits[row * words + word]; event e is bit e % 64 of word e / 64. Bits at n and above are always 0.
 * words is 1 or more: see rsp_words_for. Operands and results have the same n.
 * A result is made in the arena or written to `out`, which must not be one of the operands unless a
 * comment allows it. */

#include "base/base.h"
#include "base/base.h"

typedef struct RspMatrix {
  guint n;
  guint rows; /* 1: a set; n: a relation */
  guint words;
  guint64 *bits;
} RspMatrix;

/* The number of words in a row of n events. */
guint rsp_words_for (guint n);

/* Empty ones. With one event, both kinds have rows == 1; the kind is kept elsewhere (RspNode). */
RspMatrix *rsp_set_new (RspArena *arena, guint n);
RspMatrix *rsp_relation_new (RspArena *arena, guint n);

/* One with arbitrary bits. */
RspMatrix *rsp_matrix_room (RspArena *arena, guint n, gboolean is_set);
RspMatrix *rsp_matrix_copy (RspArena *arena, const RspMatrix *a);

static inline guint64 *rsp_matrix_row (const RspMatrix *a, guint row) {
  RSP_CONTRACT (row < a->rows);
  return a->bits + (gsize) row * a->words;
}

static inline gboolean rsp_row_has (const guint64 *row, guint bit) {
  return (row[bit / 64] >> (bit % 64)) & 1;
}

/* Has the row more than one bit? */
static inline gboolean rsp_row_has_several (const guint64 *row, guint words) {
  guint64 before = 0, several = 0;
  for (guint w = 0; w < words; w++) {
    several |= (row[w] & (row[w] - 1)) | (before ? row[w] : 0);
    before |= row[w];
  }
  return several != 0;
}

static inline gboolean rsp_matrix_get (const RspMatrix *a, guint row, guint event) {
  RSP_CONTRACT (event < a->n);
  return rsp_row_has (rsp_matrix_row (a, row), event);
}

static inline void rsp_matrix_add (RspMatrix *a, guint row, guint event) {
  RSP_CONTRACT (event < a->n);
  rsp_matrix_row (a, row)[event / 64] |= G_GUINT64_CONSTANT (1) << (event % 64);
}

static inline void rsp_matrix_remove (RspMatrix *a, guint row, guint event) {
  RSP_CONTRACT (event < a->n);
  rsp_matrix_row (a, row)[event / 64] &= ~(G_GUINT64_CONSTANT (1) << (event % 64));
}

static inline gboolean rsp_set_has (const RspMatrix *set, guint event) {
  return rsp_matrix_get (set, 0, event);
}

static inline void rsp_set_add (RspMatrix *set, guint event) { rsp_matrix_add (set, 0, event); }

/* Visits the set bits of one row: for (all_bits (e, row, words)) { … }. */
#define all_bits(e, row, words)                                                                    \
  guint e = rsp_next_bit ((row), (words), 0);                                                      \
  e != G_MAXUINT;                                                                                  \
  e = rsp_next_bit ((row), (words), e + 1)

/* The first set bit at or after `from`, or G_MAXUINT. */
static inline guint rsp_next_bit (const guint64 *row, guint words, guint from) {
  guint word = from / 64;
  if (word >= words)
    return G_MAXUINT;
  guint64 bits = row[word] & (~G_GUINT64_CONSTANT (0) << (from % 64));
  while (!bits) {
    if (++word == words)
      return G_MAXUINT;
    bits = row[word];
  }
  return word * 64 + (guint) __builtin_ctzll (bits);
}

/* Sets and relations alike. */
void rsp_matrix_clear (RspMatrix *a);
void rsp_matrix_fill (RspMatrix *a); /* all events, or all pairs */
void rsp_matrix_assign (RspMatrix *out, const RspMatrix *a);
void rsp_matrix_union (RspMatrix *out, const RspMatrix *a,
                       const RspMatrix *b); /* out may be a or b */
void rsp_matrix_intersect (RspMatrix *out, const RspMatrix *a,
                           const RspMatrix *b); /* out may be a or b */
void rsp_matrix_difference (RspMatrix *out, const RspMatrix *a,
                            const RspMatrix *b); /* out may be a or b */
gboolean rsp_matrix_equal (const RspMatrix *a, const RspMatrix *b);
gboolean rsp_matrix_subset (const RspMatrix *a, const RspMatrix *b);
gboolean rsp_matrix_is_empty (const RspMatrix *a);
guint rsp_matrix_count (const RspMatrix *a);
guint rsp_matrix_hash (const RspMatrix *a);

/* Relations. */
void rsp_relation_identity (RspMatrix *out, const RspMatrix *set);                  /* [set] */
void rsp_relation_product (RspMatrix *out, const RspMatrix *a, const RspMatrix *b); /* sets a * b */
void rsp_relation_compose (RspMatrix *out, const RspMatrix *a, const RspMatrix *b); /* a ; b */
void rsp_relation_inverse (RspMatrix *out, const RspMatrix *a);

/* Adds the pairs of a, with the numbers that its events have in out. */
void rsp_relation_add_renamed (RspMatrix *out, const RspMatrix *a, const guint *numbers);
void rsp_relation_close (RspMatrix *a); /* a becomes a+ (Warshall's algorithm) */
void rsp_relation_domain (RspMatrix *set, const RspMatrix *a);
gboolean rsp_relation_is_irreflexive (const RspMatrix *a);
gboolean rsp_relation_is_acyclic (const RspMatrix *a);

/* ---- Axiom kind ----------------------------------------------------------------------------- */

/* The demand of axioms of a kind, from public/axiom_kinds.def. */

/* The columns of public/axiom_kinds.def: the forbidden pairs are those of the relation or of its
 * transitive closure that relate an event to itself, or all of them. */
typedef struct RspAxiomForm {
  const char *word;
  gboolean closed, reflexive, takes_sets;
} RspAxiomForm;

const RspAxiomForm *rsp_axiom_form (RspcheckAxiomKind kind);

/* Does the value satisfy the kind's demand? It is a relation, or a set if the kind applies to
 * sets. */
gboolean rsp_axiom_form_holds (const RspAxiomForm *form, const RspMatrix *value);

/* ---- Base ----------------------------------------------------------------------------------- */

/* Base: what a model sees of one pre-execution and, when it judges complete executions, of one
 * candidate execution. Filled by the enumerator; the model sees nothing else of a test. */

typedef enum RspBaseSet {
#define RSP_BASE_SET(id, name, meaning) RSP_BASE_SET_##id,
#define RSP_BASE_WORD(number)           RSP_BASE_SET_WORD_##number,
#define RSP_BASE_NAMELESS_SET(id)       RSP_BASE_SET_##id,
#include "model/base_names.def"
  RSP_N_BASE_SETS
} RspBaseSet;

typedef enum RspBaseRelation {
#define RSP_BASE_RELATION(id, name, meaning) RSP_BASE_RELATION_##id,
#define RSP_BASE_NAMELESS_RELATION(id)       RSP_BASE_RELATION_##id,
#include "model/base_names.def"
  RSP_N_BASE_RELATIONS
} RspBaseRelation;

/* The least and the greatest possible contents of a relation. */
typedef struct RspExtent {
  const RspMatrix *least, *most;
} RspExtent;

typedef struct RspBase {
  guint n;                     /* events */
  const RspLanguage *language; /* of the test; NULL: names of all languages may be used */
  gboolean blocked;            /* a barrier is never complete: there is no execution */
  RspMatrix *sets[RSP_N_BASE_SETS];
  RspMatrix *relations[RSP_N_BASE_RELATIONS];
  const char **places; /* per event: its location's name, NULL for fences; NULL: none has one */
  /* TRUE for sets that are not known yet although the rest is: they are leaves of the DAG. This
   * lets a model be staged once for many programs that differ in these sets
   * (extra/synth/). */
  gboolean open[RSP_N_BASE_SETS];
  /* With open sets: what the model looks into may be assumed, before it first chooses among known
   * values (`with`). assumed: the values, in the order in which it looks; when they do not suffice,
   * staging ends and says what is to be assumed next (RspStaging.wanted). */
  gboolean assumes;
  RspMatrix *const *assumed;
  guint n_assumed;
  /* Nothing is known, not even n (except that it is at least 2): all sets and relations are leaves
   * of the DAG (model/stage/stage.h). */
  gboolean generic;
  /* NULL while the search has not decided them. If given, the model is evaluated on them
   * directly. */
  RspMatrix *rf, *co;
  /* If rf and co are given: the orders that the model chooses, if they are known too, else NULL. */
  RspMatrix *const *orders;
  guint n_orders;
} RspBase;
