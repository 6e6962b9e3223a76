/* Counting: if no axiom is open, the remaining orders are the linear extensions of what is decided;
 * they are counted, not enumerated. */
#include "enumerator/search/bounded/count.h"
#include "enumerator/search/bounded/count_partial.h"
#include "enumerator/search/bounded/share/numbers.h"
#include "enumerator/search/bounded/values/known.h"

#include <string.h>

enum {
  SUBSETS_PER_LOOK = 1 << 14, /* steps between checks of the clock */
  MAX_COUNTED = 20            /* limit of elements of a partial order for counting over subsets */
};

/* The undecided part of one leaf's order on some elements: the elements whose order with some other
 * is open. An element ordered with all others splits every extension at the same place, so leaving
 * it out changes no count. make_poset is FALSE if there are too many. */
typedef struct Poset {
  guint n;
  guint *elements;
  guint32 *before; /* per element: the others that come before it, as bits */
} Poset;

static gboolean make_poset (const Searcher *s, guint leaf, const RspMatrix *elements,
                            Poset *poset) {
  poset->n = 0;
  for (all_bits (x, elements->bits, s->words)) {
    const guint64 *lo = rsp_bounds_lo (s->bounds, leaf, x),
                  *hi = rsp_bounds_hi (s->bounds, leaf, x);
    gboolean open = FALSE;
    for (guint w = 0; w < s->words; w++)
      open |= (hi[w] & ~lo[w] & elements->bits[w]) != 0;
    if (open && poset->n == MAX_COUNTED)
      return FALSE;
    if (open)
      poset->elements[poset->n++] = x;
  }
  for (guint i = 0; i < poset->n; i++) {
    poset->before[i] = 0;
    for (guint j = 0; j < poset->n; j++)
      if (rsp_row_has (rsp_bounds_lo (s->bounds, leaf, poset->elements[j]), poset->elements[i]))
        poset->before[i] |= 1u << j;
  }
  return TRUE;
}

static guint32 all_of (const Poset *poset) {
  return (guint32) ((G_GUINT64_CONSTANT (1) << poset->n) - 1);
}

/* For each subset of the elements, the number of extensions that begin with exactly these: 0 for
 * those not closed downwards. NULL if the budget is exhausted. */
static RspCount *count_beginnings (Searcher *s, const Poset *poset) {
  guint32 full = all_of (poset);
  RspCount *ways = g_new0 (RspCount, (gsize) full + 1);
  ways[0] = 1;
  for (guint32 subset = 0; subset < full; subset++) {
    if (subset % SUBSETS_PER_LOOK == SUBSETS_PER_LOOK - 1
        && rsp_budget_is_exhausted (s->search->budget)) {
      g_free (ways);
      return NULL;
    }
    if (!ways[subset])
      continue;
    for (guint i = 0; i < poset->n; i++) {
      guint32 bit = 1u << i;
      if (!(subset & bit) && !(poset->before[i] & ~subset))
        ways[subset | bit] = rsp_count_add (ways[subset | bit], ways[subset]);
    }
  }
  return ways;
}

/* The number of all extensions; 0 if the budget is exhausted. */
static RspCount count_extensions (Searcher *s, const Poset *poset) {
  g_autofree RspCount *ways = count_beginnings (s, poset);
  return ways ? ways[all_of (poset)] : 0;
}

/* The possible ends of a location's coherence: writes that may be last, with the number of
 * orders. */
typedef struct Ending {
  guint observable; /* the open observable this decides, as an index into Observed.open */
  guint n;
  guint32 *values; /* value numbers of the last write */
  RspCount *ways;
} Ending;

static gboolean is_maximal (const Poset *poset, guint i) {
  for (guint j = 0; j < poset->n; j++)
    if (poset->before[j] & (1u << i))
      return FALSE;
  return TRUE;
}

static void find_ending (Searcher *s, const Poset *poset, Ending *ending) {
  g_autofree RspCount *ways = count_beginnings (s, poset);
  for (guint i = 0; ways && i < poset->n; i++)
    if (is_maximal (poset, i)) {
      ending->values[ending->n] = rsp_number_of (s, known_written (s, poset->elements[i]));
      ending->ways[ending->n++] = ways[all_of (poset) & ~(1u << i)];
    }
}

/* ---- Partial orders: their completions are no linear extensions (count_partial.h) ---- */

/* The elements whose order with some other is not known to be one way or the other; FALSE if there
 * are too many. */
static gboolean make_partial (const Searcher *s, guint leaf, const RspMatrix *elements,
                              guint *members, PartialOrders *orders) {
  *orders = (PartialOrders){ .n = 0 };
  for (all_bits (x, elements->bits, s->words)) {
    const guint64 *after = rsp_bounds_lo (s->bounds, leaf, x),
                  *before = rsp_bounds_inverse_lo (s->bounds, leaf, x);
    guint others = 0;
    for (all_bits (y, elements->bits, s->words))
      others += y != x && !rsp_row_has (after, y) && !rsp_row_has (before, y);
    if (others && orders->n == COUNT_PARTIAL_ELEMENTS)
      return FALSE;
    if (others)
      members[orders->n++] = x;
  }
  for (guint i = 0; i < orders->n; i++)
    for (guint j = 0; j < orders->n; j++) {
      guint x = members[i], y = members[j];
      orders->least[i] |= (guint16) (rsp_row_has (rsp_bounds_lo (s->bounds, leaf, x), y) << j);
      orders->most[i] |= (guint16) (rsp_row_has (rsp_bounds_hi (s->bounds, leaf, x), y) << j);
      orders->related[i] |= (guint16) (rsp_matrix_get (s->related[leaf], x, y) << j);
    }
  return TRUE;
}

/* The number of orders in which a write is last: nothing comes after it. */
static gboolean count_with_last (Searcher *s, const PartialOrders *orders, const guint *members,
                                 guint write, RspCount *ways) {
  PartialOrders last = *orders;
  for (guint i = 0; i < orders->n; i++)
    if (members[i] == write)
      last.most[i] = 0;
  return count_partial (&last, s->search->budget, ways);
}

/* Each write that may be last, with the number of orders in which it is. Writes that are alike have
 * the same number. */
static gboolean find_partial_ending (Searcher *s, const RspMatrix *writes,
                                     const PartialOrders *orders, const guint *members,
                                     Ending *ending) {
  guint8 class_of[COUNT_PARTIAL_ELEMENTS];
  RspCount of_class[COUNT_PARTIAL_ELEMENTS + 1];
  count_partial_classes (orders, class_of);
  for (all_bits (write, writes->bits, s->words)) {
    guint i = 0;
    while (i < orders->n && members[i] != write)
      i++;
    guint class = i < orders->n ? class_of[i] : COUNT_PARTIAL_ELEMENTS;
    if (!may_be_last (s, writes, write))
      continue;
    if (class >= i && !count_with_last (s, orders, members, write, &of_class[class]))
      return FALSE;
    ending->values[ending->n] = rsp_number_of (s, known_written (s, write));
    ending->ways[ending->n++] = of_class[class];
  }
  return TRUE;
}

/* Combines the endings from index `index` on. */
static void combine (Searcher *s, const Ending *endings, guint n, guint index, guint32 *values,
                     RspCount ways, gboolean undefined, RspResults *results) {
  if (index == n) {
    if (!may_add (s, results->n))
      return;
    rsp_results_add (results, values, ways, undefined ? ways : 0, 0);
    return;
  }
  for (guint i = 0; i < endings[index].n; i++) {
    values[endings[index].observable] = endings[index].values[i];
    combine (s, endings, n, index + 1, values, rsp_count_multiply (ways, endings[index].ways[i]),
             undefined, results);
  }
}

/* The open observable of a location, as an index into observed->open; G_MAXUINT if it has none. */
static guint open_observable (const Searcher *s, const Observed *observed, guint location) {
  const RspProgram *program = s->pre->program;
  for (guint i = 0; i < observed->n_open; i++) {
    const RspObservable *observable = &program->observables[observed->open[i]];
    if (!observable->is_register && observable->location == location)
      return i;
  }
  return G_MAXUINT;
}

/* What has been counted: the endings of observed locations, and the ways to complete all other
 * orders. */
typedef struct Counting {
  Searcher *s;
  RspCount ways;
  Ending *endings;
  guint n_endings;
  guint32 *values; /* MAX_COUNTED per ending, and as many of ending_ways */
  RspCount *ending_ways;
} Counting;

static Ending *add_ending (Counting *c, guint observable) {
  gsize first = (gsize) c->n_endings * MAX_COUNTED;
  Ending *ending = &c->endings[c->n_endings++];
  *ending = (Ending){ .observable = observable,
                      .values = c->values + first,
                      .ways = c->ending_ways + first };
  return ending;
}

/* observable: that the last element decides, or G_MAXUINT. FALSE if there are too many elements. */
static gboolean count_total_order (Counting *c, guint leaf, const RspMatrix *elements,
                                   guint observable) {
  guint members[MAX_COUNTED];
  guint32 before[MAX_COUNTED];
  Poset poset = { .elements = members, .before = before };
  if (!make_poset (c->s, leaf, elements, &poset))
    return FALSE;
  if (poset.n && observable != G_MAXUINT)
    find_ending (c->s, &poset, add_ending (c, observable));
  else if (poset.n)
    c->ways = rsp_count_multiply (c->ways, count_extensions (c->s, &poset));
  return TRUE;
}

static gboolean count_partial_order (Counting *c, guint leaf, const RspMatrix *elements,
                                     guint observable) {
  guint members[COUNT_PARTIAL_ELEMENTS];
  PartialOrders orders;
  RspCount ways;
  if (!make_partial (c->s, leaf, elements, members, &orders))
    return FALSE;
  if (observable != G_MAXUINT)
    return rsp_matrix_count (elements) <= MAX_COUNTED
           && find_partial_ending (c->s, elements, &orders, members, add_ending (c, observable));
  if (!count_partial (&orders, c->s->search->budget, &ways))
    return FALSE;
  c->ways = rsp_count_multiply (c->ways, ways);
  return TRUE;
}

static gboolean count_order (Counting *c, guint leaf, const RspMatrix *elements, guint observable) {
  return c->s->related[leaf] ? count_partial_order (c, leaf, elements, observable)
                             : count_total_order (c, leaf, elements, observable);
}

gboolean count_completions (Searcher *s, const Observed *observed, gboolean undefined,
                            RspResults *results) {
  guint n_locations = s->pre->program->n_locations;
  gsize most_endings = MIN (n_locations, observed->n_open) + 1;
  g_autofree Ending *endings = g_new0 (Ending, most_endings);
  g_autofree guint32 *values = g_new0 (guint32, observed->n_open + 1);
  g_autofree guint32 *ending_values = g_new0 (guint32, most_endings * MAX_COUNTED);
  g_autofree RspCount *ending_ways = g_new0 (RspCount, most_endings * MAX_COUNTED);
  Counting c = {
    .s = s, .ways = 1, .endings = endings, .values = ending_values, .ending_ways = ending_ways
  };
  for (guint i = 0; i < n_locations; i++)
    if (!count_order (&c, RSP_LEAF_CO, s->writes[i], open_observable (s, observed, i)))
      return FALSE;
  for (guint i = 0; i < s->model->n_orders; i++)
    if (!count_order (&c, RSP_LEAF_ORDER + i, s->model->orders[i].set, G_MAXUINT))
      return FALSE;
  combine (s, endings, c.n_endings, 0, values, c.ways, undefined, results);
  return TRUE;
}

void count_final_writes (Searcher *s, const Observed *observed, gboolean undefined,
                         RspResults *results) {
  Ending endings[observed->n_open + 1];
  guint32 values[observed->n_open + 1];
  g_autofree guint32 *ending_values = g_new0 (guint32, (gsize) observed->n_open * s->n + 1);
  g_autofree RspCount *ways = g_new (RspCount, s->n);
  for (guint i = 0; i < s->n; i++)
    ways[i] = 1;
  for (guint i = 0; i < observed->n_open; i++) {
    const RspObservable *observable = &s->pre->program->observables[observed->open[i]];
    const RspMatrix *writes = s->writes[observable->location];
    g_assert (!observable->is_register);
    endings[i]
        = (Ending){ .observable = i, .values = ending_values + (gsize) i * s->n, .ways = ways };
    for (all_bits (write, writes->bits, s->words))
      if (may_be_last (s, writes, write))
        endings[i].values[endings[i].n++] = rsp_number_of (s, known_written (s, write));
  }
  combine (s, endings, observed->n_open, 0, values, 1, undefined, results);
}
