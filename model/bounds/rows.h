/* Row operations of one width: RSP_WORDS is 1, 2, 4, or 0 for b->words. Included by the files that
 * compile the bounds per width, before forward.h, force.h and key.h. */
#include "model/bounds/state.h"

#include <string.h>

#if RSP_WORDS == 0
#define WORDS(b)            ((b)->words)
#define ROW_BUFFER(b, name) guint64 name[(b)->words]
#else
#define WORDS(b)            ((guint) RSP_WORDS)
#define ROW_BUFFER(b, name) guint64 name[RSP_WORDS]
#endif

#define for_words(b, w)    for (guint w = 0; w < WORDS (b); w++)
#define row_of(b, bits, x) ((bits) + WORDS (b) * (gsize) (x))
#define all_in(b, e, row)  all_bits (e, row, WORDS (b))

static inline gboolean
row_has (const guint64 *row, guint bit)
{
  return (row[bit / 64] >> (bit % 64)) & 1;
}

static inline void
row_add (guint64 *row, guint bit)
{
  row[bit / 64] |= G_GUINT64_CONSTANT (1) << (bit % 64);
}

static inline gboolean
row_empty (const RspBounds *b, const guint64 *row)
{
  guint64 any = 0;
  for_words (b, w) any |= row[w];
  (void) b;
  return !any;
}

static inline gboolean
rows_meet (const RspBounds *b, const guint64 *x, const guint64 *y)
{
  guint64 any = 0;
  for_words (b, w) any |= x[w] & y[w];
  (void) b;
  return any != 0;
}

static inline void
row_clear (const RspBounds *b, guint64 *row)
{
  for_words (b, w) row[w] = 0;
  (void) b;
}

static inline void
row_copy (const RspBounds *b, guint64 *to, const guint64 *from)
{
  for_words (b, w) to[w] = from[w];
  (void) b;
}

static inline void
row_join (const RspBounds *b, guint64 *to, const guint64 *from)
{
  for_words (b, w) to[w] |= from[w];
  (void) b;
}

/* Undecided bits of a node's row. */
G_GNUC_UNUSED static inline void
row_open (const RspBounds *b, const Node *node, guint x, guint64 *out)
{
  const guint64 *lo = row_of (b, node->side[LO].bits, x), *hi = row_of (b, node->side[HI].bits, x);
  for_words (b, w) out[w] = hi[w] & ~lo[w];
  (void) b;
}

/* Gives a row a new value: trail, delta and changed follow. */
static inline void
set_row (RspBounds *b, Side *side, guint x, const guint64 *value)
{
  guint64 *row = row_of (b, side->bits, x);
  guint64 difference = 0;
  for_words (b, w) difference |= row[w] ^ value[w];
  if (!difference)
    return;
  guint64 *delta = row_of (b, side->delta, x);
  guint at = b->trail->len;
  g_array_set_size (b->trail, at + WORDS (b) + 1);
  guint64 *saved = &g_array_index (b->trail, guint64, at);
  for_words (b, w)
  {
    saved[w] = row[w];
    delta[w] |= row[w] ^ value[w];
    row[w] = value[w];
  }
  saved[WORDS (b)] = (guint64) (guintptr) row;
  row_add (side->changed, x);
  side->touched = TRUE;
}
