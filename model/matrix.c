/* Sets and relations of events as rows of bits. */
#include "base/base.h"
#include "model/matrix.h"

#include <string.h>

/* Bit matrices: loops over words. Where rows are walked bit by bit, rows of one word (up to 64
 * events) have code of their own. */

guint rsp_words_for (guint n) { return n ? (n - 1) / 64 + 1 : 1; }

static gsize size_of (guint n, guint rows) {
  return sizeof (RspMatrix) + (gsize) rows * rsp_words_for (n) * sizeof (guint64);
}

static RspMatrix *begin (RspMatrix *matrix, guint n, guint rows) {
  *matrix = (RspMatrix){
    .n = n, .rows = rows, .words = rsp_words_for (n), .bits = (guint64 *) (matrix + 1)
  };
  return matrix;
}

static RspMatrix *new_matrix (RspArena *arena, guint n, guint rows) {
  return begin (rsp_arena_alloc (arena, size_of (n, rows)), n, rows);
}

RspMatrix *rsp_matrix_room (RspArena *arena, guint n, gboolean is_set) {
  guint rows = is_set ? 1 : n;
  return begin (rsp_arena_room (arena, size_of (n, rows)), n, rows);
}

RspMatrix *rsp_set_new (RspArena *arena, guint n) { return new_matrix (arena, n, 1); }

RspMatrix *rsp_relation_new (RspArena *arena, guint n) { return new_matrix (arena, n, n); }

static gsize n_words (const RspMatrix *a) { return (gsize) a->rows * a->words; }

RspMatrix *rsp_matrix_copy (RspArena *arena, const RspMatrix *a) {
  RspMatrix *copy = rsp_arena_copy (arena, a, sizeof *a);
  copy->bits = rsp_arena_copy (arena, a->bits, n_words (a) * sizeof *a->bits);
  return copy;
}

/* ---- What callers promise ---- */
/* Both sets or both relations, with the same n. */
static inline gboolean are_alike (const RspMatrix *a, const RspMatrix *b) {
  return a->n == b->n && a->rows == b->rows;
}

/* A set and a relation with the same n, which share no memory. */
static inline gboolean are_set_and_relation (const RspMatrix *set, const RspMatrix *relation) {
  return set->rows == 1 && relation->rows == relation->n && set->n == relation->n
         && set->bits != relation->bits;
}

static inline gboolean is_relation (const RspMatrix *a) { return a->rows == a->n; }

/* ---- Sets and relations alike ---- */
void rsp_matrix_clear (RspMatrix *a) {
  if (n_words (a))
    memset (a->bits, 0, n_words (a) * sizeof *a->bits);
}

/* The bits of word `word` that are events. */
static guint64 valid_bits (guint n, guint word) {
  if (n / 64 > word)
    return ~G_GUINT64_CONSTANT (0);
  return n / 64 == word ? (G_GUINT64_CONSTANT (1) << (n % 64)) - 1 : 0;
}

void rsp_matrix_fill (RspMatrix *a) {
  for (guint word = 0; word < a->words; word++) {
    guint64 valid = valid_bits (a->n, word);
    for (guint row = 0; row < a->rows; row++)
      rsp_matrix_row (a, row)[word] = valid;
  }
}

void rsp_matrix_assign (RspMatrix *out, const RspMatrix *a) {
  RSP_CONTRACT (are_alike (out, a) && (out->bits != a->bits || !n_words (a)));
  if (n_words (a))
    memcpy (out->bits, a->bits, n_words (a) * sizeof *a->bits);
}

void rsp_matrix_union (RspMatrix *out, const RspMatrix *a, const RspMatrix *b) {
  RSP_CONTRACT (are_alike (out, a) && are_alike (a, b));
  gsize words = n_words (a);
  for (gsize i = 0; i < words; i++)
    out->bits[i] = a->bits[i] | b->bits[i];
}

void rsp_matrix_intersect (RspMatrix *out, const RspMatrix *a, const RspMatrix *b) {
  RSP_CONTRACT (are_alike (out, a) && are_alike (a, b));
  gsize words = n_words (a);
  for (gsize i = 0; i < words; i++)
    out->bits[i] = a->bits[i] & b->bits[i];
}

void rsp_matrix_difference (RspMatrix *out, const RspMatrix *a, const RspMatrix *b) {
  RSP_CONTRACT (are_alike (out, a) && are_alike (a, b));
  gsize words = n_words (a);
  for (gsize i = 0; i < words; i++)
    out->bits[i] = a->bits[i] & ~b->bits[i];
}

gboolean rsp_matrix_equal (const RspMatrix *a, const RspMatrix *b) {
  RSP_CONTRACT (are_alike (a, b));
  return n_words (a) == 0 || memcmp (a->bits, b->bits, n_words (a) * sizeof *a->bits) == 0;
}

gboolean rsp_matrix_subset (const RspMatrix *a, const RspMatrix *b) {
  RSP_CONTRACT (are_alike (a, b));
  gsize words = n_words (a);
  for (gsize i = 0; i < words; i++)
    if (a->bits[i] & ~b->bits[i])
      return FALSE;
  return TRUE;
}

gboolean rsp_matrix_is_empty (const RspMatrix *a) {
  gsize words = n_words (a);
  for (gsize i = 0; i < words; i++)
    if (a->bits[i])
      return FALSE;
  return TRUE;
}

guint rsp_matrix_count (const RspMatrix *a) {
  gsize words = n_words (a);
  guint count = 0;
  for (gsize i = 0; i < words; i++)
    count += (guint) __builtin_popcountll (a->bits[i]);
  return count;
}

static guint64 mix (guint64 hash, guint64 word) {
  hash = (hash ^ word) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  return hash ^ (hash >> 32);
}

/* Multiply and fold; four lanes, since each multiplication waits for the one before. */
guint rsp_matrix_hash (const RspMatrix *a) {
  gsize words = n_words (a), i = 0;
  guint64 lane[4] = { words, 1, 2, 3 };
  for (; i + 4 <= words; i += 4)
    for (guint j = 0; j < 4; j++)
      lane[j] = mix (lane[j], a->bits[i + j]);
  for (; i < words; i++)
    lane[0] = mix (lane[0], a->bits[i]);
  return (guint) mix (mix (mix (lane[0], lane[1]), lane[2]), lane[3]);
}

/* ---- Relations ---- */
void rsp_relation_identity (RspMatrix *out, const RspMatrix *set) {
  RSP_CONTRACT (are_set_and_relation (set, out));
  if (out->words == 1) {
    for (guint i = 0; i < out->n; i++)
      out->bits[i] = set->bits[0] & (G_GUINT64_CONSTANT (1) << i);
    return;
  }
  rsp_matrix_clear (out);
  for (all_bits (e, set->bits, set->words))
    rsp_matrix_add (out, e, e);
}

void rsp_relation_product (RspMatrix *out, const RspMatrix *a, const RspMatrix *b) {
  RSP_CONTRACT (are_set_and_relation (a, out) && are_set_and_relation (b, out));
  if (out->words == 1) {
    for (guint i = 0; i < out->n; i++)
      out->bits[i] = a->bits[0] >> i & 1 ? b->bits[0] : 0;
    return;
  }
  rsp_matrix_clear (out);
  for (all_bits (e, a->bits, a->words))
    memcpy (rsp_matrix_row (out, e), b->bits, b->words * sizeof *b->bits);
}

static void add_row (guint64 *row, const guint64 *other, guint words) {
  for (guint i = 0; i < words; i++)
    row[i] |= other[i];
}

void rsp_relation_compose (RspMatrix *out, const RspMatrix *a, const RspMatrix *b) {
  RSP_CONTRACT (is_relation (out) && are_alike (out, a) && are_alike (a, b));
  RSP_CONTRACT (!n_words (a) || (out->bits != a->bits && out->bits != b->bits));
  if (a->words == 1) {
    for (guint i = 0; i < a->n; i++) {
      guint64 row = 0;
      for (guint64 rest = a->bits[i]; rest; rest &= rest - 1)
        row |= b->bits[__builtin_ctzll (rest)];
      out->bits[i] = row;
    }
    return;
  }
  rsp_matrix_clear (out);
  for (guint i = 0; i < a->n; i++)
    for (all_bits (j, rsp_matrix_row (a, i), a->words))
      add_row (rsp_matrix_row (out, i), rsp_matrix_row (b, j), a->words);
}

void rsp_relation_inverse (RspMatrix *out, const RspMatrix *a) {
  RSP_CONTRACT (is_relation (a) && are_alike (out, a) && (out->bits != a->bits || !n_words (a)));
  rsp_matrix_clear (out);
  if (a->words == 1) {
    for (guint i = 0; i < a->n; i++)
      for (guint64 rest = a->bits[i]; rest; rest &= rest - 1)
        out->bits[__builtin_ctzll (rest)] |= G_GUINT64_CONSTANT (1) << i;
    return;
  }
  for (guint i = 0; i < a->n; i++)
    for (all_bits (j, rsp_matrix_row (a, i), a->words))
      rsp_matrix_add (out, j, i);
}

void rsp_relation_add_renamed (RspMatrix *out, const RspMatrix *a, const guint *numbers) {
  for (guint i = 0; i < a->n; i++)
    for (all_bits (j, rsp_matrix_row (a, i), a->words))
      rsp_matrix_add (out, numbers[i], numbers[j]);
}

void rsp_relation_close (RspMatrix *a) {
  RSP_CONTRACT (is_relation (a));
  if (a->words == 1) {
    guint64 *rows = a->bits;
    for (guint k = 0; k < a->n; k++)
      for (guint i = 0; i < a->n && rows[k]; i++)
        if (rows[i] >> k & 1)
          rows[i] |= rows[k];
    return;
  }
  for (guint k = 0; k < a->n; k++)
    for (guint i = 0; i < a->n; i++)
      if (i != k && rsp_matrix_get (a, i, k))
        add_row (rsp_matrix_row (a, i), rsp_matrix_row (a, k), a->words);
}

void rsp_relation_domain (RspMatrix *set, const RspMatrix *a) {
  RSP_CONTRACT (are_set_and_relation (set, a));
  rsp_matrix_clear (set);
  for (guint i = 0; i < a->n; i++)
    if (rsp_next_bit (rsp_matrix_row (a, i), a->words, 0) != G_MAXUINT)
      rsp_set_add (set, i);
}

gboolean rsp_relation_is_irreflexive (const RspMatrix *a) {
  RSP_CONTRACT (is_relation (a));
  for (guint i = 0; i < a->n; i++)
    if (rsp_matrix_get (a, i, i))
      return FALSE;
  return TRUE;
}

/* Removes from `left` every event without a successor in it; FALSE if there was none. */
static gboolean remove_sinks (const RspMatrix *a, guint64 *left) {
  gboolean any = FALSE;
  for (all_bits (e, left, a->words)) {
    gboolean meets = FALSE;
    for (guint word = 0; word < a->words && !meets; word++)
      meets = (rsp_matrix_row (a, e)[word] & left[word]) != 0;
    if (meets)
      continue;
    left[e / 64] &= ~(G_GUINT64_CONSTANT (1) << (e % 64));
    any = TRUE;
  }
  return any;
}

static gboolean is_acyclic_one_word (const guint64 *rows, guint64 left) {
  guint64 before = 0;
  while (left != before) {
    before = left;
    for (guint64 rest = left; rest; rest &= rest - 1)
      if (!(rows[__builtin_ctzll (rest)] & left))
        left &= ~(rest & -rest);
  }
  return !left;
}

/* Topological sorting (Kahn): a relation is acyclic if removing sinks leaves nothing. */
gboolean rsp_relation_is_acyclic (const RspMatrix *a) {
  RSP_CONTRACT (is_relation (a));
  if (a->words == 1)
    return is_acyclic_one_word (a->bits, valid_bits (a->n, 0));
  guint64 few[4];
  guint64 *left = a->words <= G_N_ELEMENTS (few) ? few : g_new (guint64, a->words);
  for (guint word = 0; word < a->words; word++)
    left[word] = valid_bits (a->n, word);
  while (remove_sinks (a, left))
    ;
  gboolean acyclic = rsp_next_bit (left, a->words, 0) == G_MAXUINT;
  if (left != few)
    g_free (left);
  return acyclic;
}
