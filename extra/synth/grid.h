/* Grid: a relation on at most eight events in one word, or a set of them in its first byte.
 *
 *   bit 8 * a + b of a relation: a is related to b          bit a of a set: a is in it
 *
 * Private to extra/synth/. The operators of RspMatrix (model/matrix.h) for programs so small
 * that a call would cost more than the work. */
#pragma once

#include <glib.h>

typedef guint64 Grid;

#define GRID_COLUMN   G_GUINT64_CONSTANT (0x0101010101010101) /* one bit in each row */
#define GRID_DIAGONAL G_GUINT64_CONSTANT (0x8040201008040201)

static inline Grid grid_pair (guint a, guint b) { return G_GUINT64_CONSTANT (1) << (8 * a + b); }

static inline guint grid_row (Grid relation, guint a) {
  return (guint) (relation >> (8 * a)) & 0xff;
}

/* The rows that have b, as whole rows of ones. */
static inline Grid grid_rows_with (Grid relation, guint b) {
  return ((relation >> b) & GRID_COLUMN) * 0xff;
}

/* The row of a in every row. */
static inline Grid grid_everywhere (Grid relation, guint a) {
  return grid_row (relation, a) * GRID_COLUMN;
}

static inline Grid grid_compose (Grid a, Grid b, guint n) {
  Grid out = 0;
  for (guint e = 0; e < n; e++)
    out |= grid_rows_with (a, e) & grid_everywhere (b, e);
  return out;
}

/* Warshall's algorithm. */
static inline Grid grid_close (Grid a, guint n) {
  for (guint e = 0; e < n; e++)
    a |= grid_rows_with (a, e) & grid_everywhere (a, e);
  return a;
}

/* Swaps along the diagonal: bits, then blocks of two, then blocks of four. */
static inline Grid grid_inverse (Grid a) {
  Grid t = (a ^ (a >> 7)) & G_GUINT64_CONSTANT (0x00aa00aa00aa00aa);
  a ^= t ^ (t << 7);
  t = (a ^ (a >> 14)) & G_GUINT64_CONSTANT (0x0000cccc0000cccc);
  a ^= t ^ (t << 14);
  t = (a ^ (a >> 28)) & G_GUINT64_CONSTANT (0x00000000f0f0f0f0);
  return a ^ t ^ (t << 28);
}

static inline Grid grid_identity (Grid set) { return (set * GRID_COLUMN) & GRID_DIAGONAL; }

/* The elements of a set as whole rows. */
static inline Grid grid_rows (Grid set) {
  Grid diagonal = grid_identity (set), rows = diagonal;
  rows |= (rows >> 1) & G_GUINT64_CONSTANT (0x7f7f7f7f7f7f7f7f);
  rows |= (rows >> 2) & G_GUINT64_CONSTANT (0x3f3f3f3f3f3f3f3f);
  rows |= (rows >> 4) & G_GUINT64_CONSTANT (0x0f0f0f0f0f0f0f0f);
  return (rows & GRID_COLUMN) * 0xff;
}

static inline Grid grid_product (Grid a, Grid b) { return grid_rows (a) & (b * GRID_COLUMN); }

static inline Grid grid_domain (Grid relation) {
  Grid any = relation | ((relation >> 4) & G_GUINT64_CONSTANT (0x0f0f0f0f0f0f0f0f));
  any |= (any >> 2) & G_GUINT64_CONSTANT (0x3f3f3f3f3f3f3f3f);
  any |= (any >> 1) & G_GUINT64_CONSTANT (0x7f7f7f7f7f7f7f7f);
  any &= GRID_COLUMN;
  return (any * G_GUINT64_CONSTANT (0x0102040810204080)) >> 56;
}
