/* Counting partial orders. One element after the other is inserted into each order of the elements
 * before it: what comes before it is closed downwards, what comes after it is closed upwards, and
 * the first is before the second. Orders that differ only by an exchange of elements that are alike
 * are one kind, which carries their number. So the 431,723,379 orders of eight free elements are
 * counted from the 2,045 kinds of orders of seven. */
#include "enumerator/search/bounded/count_partial.h"

#include <string.h>

enum {
  MAX_KINDS = 1000000 /* of orders of the same elements */
};

#define BIT(i) (1u << (i))

/* An order of the elements inserted so far, which stand class by class, and in a class by their
 * signature, as far as that differs. */
typedef struct Kind {
  guint16 after[COUNT_PARTIAL_ELEMENTS];
  RspCount number; /* of orders that it stands for; no part of its hash */
} Kind;

/* How the new element may stand to those before it, as bits of these. */
typedef struct Place {
  guint16 must_follow, may_follow; /* what comes before it */
  guint16 must_precede, may_precede;
  guint16 related;
} Place;

typedef struct Counting {
  const PartialOrders *orders;
  guint8 element[COUNT_PARTIAL_ELEMENTS]; /* in the order in which they are inserted */
  guint8 class_of[COUNT_PARTIAL_ELEMENTS];
  guint n;           /* elements inserted */
  Place place;       /* of the next one */
  gboolean is_last;  /* it is the last one: its places are only counted */
  GHashTable *kinds; /* with the next one: set of Kind */
  RspCount total;
} Counting;

/* ---- Elements that are alike ---- */

static guint16 swap_bits (guint16 row, guint i, guint j) {
  guint16 differs = (guint16) ((row >> i ^ row >> j) & 1);
  return (guint16) (row ^ (differs << i | differs << j));
}

/* Does swapping i and j leave the rows as they are? */
static gboolean is_symmetric (const guint16 *rows, guint n, guint i, guint j) {
  for (guint k = 0; k < n; k++)
    if (swap_bits (rows[k], i, j) != rows[k == i ? j : k == j ? i : k])
      return FALSE;
  return TRUE;
}

void count_partial_classes (const PartialOrders *orders, guint8 *class_of) {
  guint n = orders->n;
  for (guint i = 0; i < n; i++) {
    guint first = 0;
    while (first < i
           && !(is_symmetric (orders->least, n, first, i)
                && is_symmetric (orders->most, n, first, i)
                && is_symmetric (orders->related, n, first, i)))
      first++;
    class_of[i] = (guint8) first;
  }
}

static guint class_size (const Counting *c, guint element) {
  guint size = 0;
  for (guint i = 0; i < c->orders->n; i++)
    size += c->class_of[i] == c->class_of[element];
  return size;
}

/* Class by class, the largest first. */
static void line_up (Counting *c) {
  guint placed = 0, n = c->orders->n;
  for (guint size = n; size > 0; size--)
    for (guint first = 0; first < n; first++)
      for (guint i = first; i < n && c->class_of[first] == first && class_size (c, first) == size;
           i++)
        if (c->class_of[i] == first)
          c->element[placed++] = (guint8) i;
}

/* ---- Kinds ---- */

static guint hash_kind (gconstpointer key) {
  const Kind *kind = key;
  guint64 hash = 0;
  for (guint i = 0; i < COUNT_PARTIAL_ELEMENTS; i++)
    hash = (hash ^ kind->after[i]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint) (hash >> 32);
}

static gboolean equal_kinds (gconstpointer a, gconstpointer b) {
  return memcmp (((const Kind *) a)->after, ((const Kind *) b)->after,
                 sizeof ((const Kind *) a)->after)
         == 0;
}

static void invert (const guint16 *after, guint n, guint16 *before) {
  for (guint i = 0; i < n; i++) {
    before[i] = 0;
    for (guint j = 0; j < n; j++)
      before[i] |= (guint16) ((after[j] >> i & 1) << j);
  }
}

static guint64 sum_signatures (const guint64 *signature, guint16 row) {
  guint64 sum = 0;
  for (guint i = 0; row >> i; i++)
    if (row >> i & 1)
      sum += signature[i] * (signature[i] >> 32 | 1);
  return sum;
}

/* A number per element that depends on what is before it and after it, but not on the elements'
 * places. */
static void sign (const Counting *c, const guint16 *after, guint n, guint64 *signature) {
  guint16 before[COUNT_PARTIAL_ELEMENTS];
  guint64 last[COUNT_PARTIAL_ELEMENTS];
  invert (after, n, before);
  for (guint i = 0; i < n; i++)
    signature[i] = c->class_of[c->element[i]] + 1u;
  for (guint round = 0; round < 3; round++) {
    memcpy (last, signature, sizeof last);
    for (guint i = 0; i < n; i++)
      signature[i] = (last[i] * 31 + sum_signatures (last, after[i]))
                         * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)
                     + sum_signatures (last, before[i]);
  }
}

/* Exchanges elements of a class so that they stand by signature. */
static void normalise (const Counting *c, guint16 *after, guint n) {
  guint64 signature[COUNT_PARTIAL_ELEMENTS] = { 0 };
  sign (c, after, n, signature);
  for (guint i = 1; i < n; i++)
    for (guint j = i; j > 0 && c->class_of[c->element[j]] == c->class_of[c->element[j - 1]]
                      && signature[j] < signature[j - 1];
         j--) {
      guint64 other = signature[j];
      guint16 row = after[j];
      signature[j] = signature[j - 1];
      signature[j - 1] = other;
      after[j] = after[j - 1];
      after[j - 1] = row;
      for (guint k = 0; k < n; k++)
        after[k] = swap_bits (after[k], j, j - 1);
    }
}

/* ---- Inserting ---- */

static guint16 map_row (const Counting *c, const guint16 *rows, guint element, gboolean inverse) {
  guint16 mapped = 0;
  for (guint i = 0; i < c->n; i++)
    mapped |= (guint16) ((inverse ? rows[c->element[i]] >> element : rows[element] >> c->element[i])
                         & 1)
              << i;
  return mapped;
}

static void find_place (Counting *c) {
  const PartialOrders *orders = c->orders;
  guint next = c->element[c->n];
  c->place = (Place){ .must_follow = map_row (c, orders->least, next, TRUE),
                      .may_follow = map_row (c, orders->most, next, TRUE),
                      .must_precede = map_row (c, orders->least, next, FALSE),
                      .may_precede = map_row (c, orders->most, next, FALSE),
                      .related = map_row (c, orders->related, next, FALSE) };
  c->is_last = c->n + 1 == orders->n;
}

/* The new element after these elements and before those. */
static void insert (Counting *c, const Kind *kind, guint16 before, guint16 after) {
  if (c->is_last) {
    c->total = rsp_count_add (c->total, kind->number);
    return;
  }
  Kind larger = *kind;
  larger.after[c->n] = after;
  for (guint i = 0; i < c->n; i++)
    larger.after[i] |= (guint16) ((before >> i & 1) << c->n);
  normalise (c, larger.after, c->n + 1);
  Kind *known = g_hash_table_lookup (c->kinds, &larger);
  if (known)
    known->number = rsp_count_add (known->number, kind->number);
  else
    g_hash_table_add (c->kinds, g_memdup2 (&larger, sizeof larger));
}

/* Sets that are closed under the rows, have all of `must` and no others than `may`. */
static guint closed_sets (const guint16 *rows, guint n, guint16 must, guint16 may, guint16 *sets) {
  guint n_sets = 0;
  for (guint32 set = 0; set < BIT (n); set++) {
    guint16 beyond = (guint16) ((set & ~(guint32) may) | (must & ~set));
    for (guint i = 0; !beyond && set >> i; i++)
      if (set >> i & 1)
        beyond |= (guint16) (rows[i] & ~set);
    if (!beyond)
      sets[n_sets++] = (guint16) set;
  }
  return n_sets;
}

static void insert_everywhere (Counting *c, const Kind *kind) {
  guint16 before[COUNT_PARTIAL_ELEMENTS];
  guint16 lower[BIT (COUNT_PARTIAL_ELEMENTS - 1)], upper[BIT (COUNT_PARTIAL_ELEMENTS - 1)];
  const Place *place = &c->place;
  invert (kind->after, c->n, before);
  guint n_lower = closed_sets (before, c->n, place->must_follow, place->may_follow, lower);
  guint n_upper = closed_sets (kind->after, c->n, place->must_precede, place->may_precede, upper);
  for (guint l = 0; l < n_lower; l++) {
    guint16 above = (guint16) (BIT (c->n) - 1); /* all of the lower set */
    for (guint i = 0; lower[l] >> i; i++)
      if (lower[l] >> i & 1)
        above &= kind->after[i];
    for (guint u = 0; u < n_upper; u++)
      if (!(upper[u] & ~above) && !(place->related & ~(lower[l] | upper[u])))
        insert (c, kind, lower[l], upper[u]);
  }
}

/* One more element in all kinds. */
static gboolean insert_next (Counting *c, RspBudget *budget) {
  g_autoptr (GHashTable) kinds = c->kinds;
  GHashTableIter iter;
  gpointer kind;
  gboolean done = TRUE;
  find_place (c);
  c->kinds = g_hash_table_new_full (hash_kind, equal_kinds, g_free, NULL);
  g_hash_table_iter_init (&iter, kinds);
  while (done && g_hash_table_iter_next (&iter, &kind, NULL)) {
    insert_everywhere (c, kind);
    done = g_hash_table_size (c->kinds) <= MAX_KINDS && !rsp_budget_is_exhausted (budget);
  }
  c->n++;
  return done;
}

gboolean count_partial (const PartialOrders *orders, RspBudget *budget, RspCount *count) {
  Counting c
      = { .orders = orders, .kinds = g_hash_table_new_full (hash_kind, equal_kinds, g_free, NULL) };
  gboolean done = TRUE;
  Kind none = { .number = 1 };
  count_partial_classes (orders, c.class_of);
  line_up (&c);
  g_hash_table_add (c.kinds, g_memdup2 (&none, sizeof none));
  while (done && c.n < orders->n)
    done = insert_next (&c, budget);
  g_hash_table_unref (c.kinds);
  *count = orders->n ? c.total : 1;
  return done;
}
