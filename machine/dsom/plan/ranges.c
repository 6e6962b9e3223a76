#include "machine/dsom/plan/ranges.h"

enum { MOST_POINTS = 1 << 20 };

/* ---- Sets of ranges ---- */

static int compare_ranges (gconstpointer a, gconstpointer b) {
  const RspDsomRange *x = a, *y = b;
  if (x->offset != y->offset)
    return x->offset < y->offset ? -1 : 1;
  return x->size < y->size ? -1 : x->size > y->size;
}

/* Sorts the ranges and merges those that overlap or are adjacent. */
static void merge_ranges (GArray *ranges) {
  guint n = 0;
  g_array_sort (ranges, compare_ranges);
  for (guint i = 0; i < ranges->len; i++) {
    RspDsomRange range = g_array_index (ranges, RspDsomRange, i);
    RspDsomRange *last = n ? &g_array_index (ranges, RspDsomRange, n - 1) : NULL;
    if (range.size <= 0)
      continue;
    if (last && range.offset <= last->offset + last->size)
      last->size = MAX (last->size, range.offset + range.size - last->offset);
    else
      g_array_index (ranges, RspDsomRange, n++) = range;
  }
  g_array_set_size (ranges, n);
}

/* ---- Enumeration ---- */

/* The number of points, or more than MOST_POINTS. */
static gint64 count_points (const RspAffine *affine, guint n) {
  gint64 points = 1;
  for (guint i = 0; i < n; i++) {
    points *= MAX (affine->high[i] - affine->low[i] + 1, 0);
    points = MIN (points, (gint64) MOST_POINTS + 1);
  }
  return points;
}

/* The next point, the last variable first. FALSE after the last one. */
static gboolean next_point (const RspAffine *affine, guint n, gint64 *x) {
  for (guint i = n; i-- > 0; x[i] = affine->low[i])
    if (x[i]++ < affine->high[i])
      return TRUE;
  return FALSE;
}

/* Each point of the domain is one range of that size. */
static void enumerate (const RspAffine *affine, gint64 size, GArray *ranges) {
  gint64 x[RSP_AFFINE_VARIABLES];
  for (guint i = 0; i < affine->n; i++)
    x[i] = affine->low[i];
  do {
    RspDsomRange range = { rsp_linear_at (&affine->value, affine->n, x), size };
    if (rsp_affine_allows (affine, x))
      g_array_append_val (ranges, range);
  } while (next_point (affine, affine->n, x));
  merge_ranges (ranges);
}

/* The same in bytes. */
static RspAffine scale (const RspAffine *affine, guint element) {
  RspAffine bytes = *affine;
  bytes.value.constant *= element;
  for (guint i = 0; i < affine->n; i++)
    bytes.value.coefficients[i] *= element;
  return bytes;
}

gboolean rsp_ranges_naive (const RspAffine *affine, guint element, GArray *ranges) {
  gint64 points = count_points (affine, affine->n);
  g_array_set_size (ranges, 0);
  if (points > MOST_POINTS)
    return FALSE;
  RspAffine bytes = scale (affine, element);
  if (points)
    enumerate (&bytes, element, ranges);
  return TRUE;
}

/* ---- The fast algorithm ---- */

/* X := low + high - X where the coefficient is negative. */
static void normalise (RspAffine *affine) {
  for (guint i = 0; i < affine->n; i++) {
    gint64 *a = &affine->value.coefficients[i];
    if (*a >= 0)
      continue;
    affine->value.constant += *a * (affine->low[i] + affine->high[i]);
    *a = -*a;
  }
}

static void swap (gint64 *a, guint i, guint k) {
  gint64 old = a[i];
  a[i] = a[k];
  a[k] = old;
}

/* Variables by ascending coefficients. */
static void sort_variables (RspAffine *affine) {
  for (guint i = 1; i < affine->n; i++)
    for (guint k = i; k > 0 && affine->value.coefficients[k] < affine->value.coefficients[k - 1];
         k--) {
      swap (affine->value.coefficients, k, k - 1);
      swap (affine->low, k, k - 1);
      swap (affine->high, k, k - 1);
    }
}

/* Removes the first n variables. */
static void drop_variables (RspAffine *affine, guint n) {
  affine->n -= n;
  for (guint i = 0; i < affine->n; i++) {
    affine->value.coefficients[i] = affine->value.coefficients[i + n];
    affine->low[i] = affine->low[i + n];
    affine->high[i] = affine->high[i + n];
  }
}

gboolean rsp_ranges_fast (const RspAffine *affine, guint element, GArray *ranges) {
  g_assert (affine->n_constraints == 0);
  RspAffine rest = scale (affine, element);
  gint64 size = element;
  guint absorbed = 0;
  g_array_set_size (ranges, 0);
  if (count_points (affine, affine->n) == 0)
    return TRUE;
  normalise (&rest);
  sort_variables (&rest);
  for (; absorbed < rest.n && rest.value.coefficients[absorbed] <= size; absorbed++) {
    gint64 a = rest.value.coefficients[absorbed];
    rest.value.constant += rest.low[absorbed] * a;
    size += (rest.high[absorbed] - rest.low[absorbed]) * a;
  }
  drop_variables (&rest, absorbed);
  if (count_points (&rest, rest.n) > MOST_POINTS)
    return FALSE;
  enumerate (&rest, size, ranges);
  return TRUE;
}

gboolean rsp_ranges_of (const RspAffine *affine, guint element, GArray *ranges) {
  return affine->n_constraints ? rsp_ranges_naive (affine, element, ranges)
                               : rsp_ranges_fast (affine, element, ranges);
}
