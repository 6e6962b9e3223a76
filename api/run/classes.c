/* The numbers of a type are divided into pieces. In one on which all conditions are periodic, the
 * numbers of one period stand for all. Small pieces are looked at number by number. */
#include "api/run/classes.h"
#include "api/run/pieces.h"
#include "enumerator/terms/evaluate.h"

enum {
  SMALL_PIECE = 1 << 16,
  MAX_PIECES = 1 << 12,
  MAX_TESTS = 1 << 24, /* numbers times conditions */
  MAX_CLASSES = 256
};

typedef struct Classes {
  const GPtrArray *conditions;
  GArray *bound;     /* the unknown and its value, as a RspBoundTerm */
  GHashTable *found; /* from the truth of all conditions, as a text, to a gint64 */
  gboolean failed;
  guint n_pieces;
  guint64 n_tests;
} Classes;

static char truth (const RspTerm *condition, const RspEvaluation *evaluation) {
  RspValue result;
  if (rsp_term_evaluate_outcome (condition, evaluation, &result) != RSP_TERM_DETERMINED)
    return '?';
  return result.bits ? '1' : '0';
}

/* By the distance from 0, a positive number before the negative one: 0, 1, -1, 2, … */
static guint64 rank (gint64 value) {
  if (value == G_MININT64)
    return G_MAXUINT64;
  return value > 0 ? 2 * (guint64) value - 1 : 2 * (guint64) -value;
}

static void add_number (Classes *c, gint64 value) {
  g_autofree char *key = g_malloc0 (c->conditions->len + 1);
  const RspEvaluation evaluation = { .bound = c->bound };
  g_array_index (c->bound, RspBoundTerm, 0).value.bits = value;
  for (guint i = 0; i < c->conditions->len; i++)
    key[i] = truth (c->conditions->pdata[i], &evaluation);
  gint64 *known = g_hash_table_lookup (c->found, key);
  if (!known)
    g_hash_table_insert (c->found, g_steal_pointer (&key), g_memdup2 (&value, sizeof value));
  else if (rank (value) < rank (*known))
    *known = value;
}

/* So many of the piece in a row, near 0. */
static void add_numbers (Classes *c, const Piece *piece, guint64 n) {
  const RspWide count = MIN (piece->high - piece->low + 1, (RspWide) n);
  const RspWide first = CLAMP (0, piece->low, piece->high - count + 1);
  c->n_tests += (guint64) count * c->conditions->len;
  c->failed |= c->n_tests > MAX_TESTS;
  for (RspWide i = 0; i < count && !c->failed; i++)
    add_number (c, (gint64) (first + i));
  c->failed |= g_hash_table_size (c->found) > MAX_CLASSES;
}

static void add_piece (Classes *c, const RspTerm *unknown, RspWide low, RspWide high) {
  Piece piece = { .unknown = unknown, .low = low, .high = high };
  c->failed |= c->n_pieces++ > MAX_PIECES;
  if (c->failed || low > high)
    return;
  guint64 period = SMALL_PIECE;
  if (high - low >= SMALL_PIECE)
    period = piece_period (&piece, c->conditions);
  c->failed |= piece.failed;
  if (!piece.divided) {
    add_numbers (c, &piece, period);
    return;
  }
  c->failed |= piece.from <= low && piece.to >= high; /* it does not get smaller */
  add_piece (c, unknown, low, piece.from - 1);
  add_piece (c, unknown, piece.from, piece.to);
  add_piece (c, unknown, piece.to + 1, high);
}

/* Does it apply functions that are not calculated to the unknown? */
static gboolean applies_functions (const RspTerm *term, const RspTerm *unknown) {
  if (term == unknown || !term->is_free)
    return FALSE;
  return (term->kind == RSP_TERM_BINARY && term->op == RSP_OP_APPLY)
         || (term->a && applies_functions (term->a, unknown))
         || (term->b && applies_functions (term->b, unknown));
}

static int compare_ranks (gconstpointer a, gconstpointer b) {
  guint64 x = rank (*(const gint64 *) a), y = rank (*(const gint64 *) b);
  return x < y ? -1 : x > y;
}

gboolean rsp_classes_find (const GPtrArray *conditions, const RspTerm *unknown, guint8 bits,
                           gboolean is_signed, GArray *values) {
  const RspBoundTerm own = { .term = unknown };
  g_autoptr (GArray) bound = g_array_new (FALSE, FALSE, sizeof own);
  g_array_append_val (bound, own);
  Classes c = { .conditions = conditions,
                .bound = bound,
                .found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free) };
  GHashTableIter iter;
  gpointer value;
  for (guint i = 0; i < conditions->len; i++)
    c.failed |= applies_functions (conditions->pdata[i], unknown);
  add_piece (&c, unknown, rsp_type_low (bits, is_signed), rsp_type_high (bits, is_signed));
  g_hash_table_iter_init (&iter, c.found);
  while (!c.failed && g_hash_table_iter_next (&iter, NULL, &value))
    g_array_append_vals (values, value, 1);
  g_hash_table_unref (c.found);
  g_array_sort (values, compare_ranks);
  return !c.failed;
}
