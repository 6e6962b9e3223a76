/* Completions that are counted instead of visited, and questions about all that a model allows. */
#include "enumerator/bounded/bounded.h"
#include "enumerator/bounded/internal.h"
#include "enumerator/execution.h"
#include "enumerator/values/values.h"

#include <string.h>

/* ---- Final write ---------------------------------------------------------------------------- */

/* Each way in which a write could be the last one while another follows its source, and each in
 * which its value could come back to its own read, is decided and propagated, until propagation
 * refutes it: atomicity of read-modify-writes and coherence do. */

typedef struct Removed {
  guint first, end;
} Removed;

static gboolean is_removed (const Removed *removed, guint event) {
  return event >= removed->first && event < removed->end;
}

/* May the write be the last one, read from `source`, and the other one come after the source? */
static gboolean may_follow (Searcher *s, guint write, guint read, guint source, guint other,
                            const RspMatrix *writes) {
  guint values = searcher_push (s);
  gboolean may = decide_source (s, source, read);
  for (all_bits (earlier, writes->bits, s->words))
    may = may && (earlier == write || exclude_order (s, RSP_LEAF_CO, write, earlier));
  may = may && decide_order (s, RSP_LEAF_CO, source, other) && propagate (s);
  searcher_pop (s, values);
  return may;
}

/* A source that is removed has a source of its own, which is not looked for. */
static gboolean source_is_last (Searcher *s, guint write, guint read, guint source,
                                const Removed *removed) {
  const RspMatrix *writes = s->writes[s->pre->events[write]->location];
  if (is_removed (removed, source))
    return FALSE;
  for (all_bits (other, writes->bits, s->words))
    if (other != source && !is_removed (removed, other)
        && may_follow (s, write, read, source, other, writes))
      return FALSE;
  return TRUE;
}

/* May the value that is written reach the source of the write's own read, by way of an access of
 * another thread or of a later one? Such values justify each other, which is lost with the write.
 */
static gboolean may_come_back (Searcher *s, guint write, guint read, guint source) {
  const RspEvent *last = s->pre->events[source];
  gboolean may = FALSE;
  for (guint e = s->pre->first[last->thread]; e <= source && !may; e++)
    if (e != read && rsp_event_is_read (s->pre->events[e])
        && rsp_row_has (rsp_bounded_candidates (s, e), write)) {
      guint values = searcher_push (s);
      may = decide_source (s, source, read) && decide_source (s, write, e) && propagate (s);
      searcher_pop (s, values);
    }
  return may;
}

static gboolean has_source (Searcher *s, guint write, const Removed *removed) {
  const RspEvent *event = s->pre->events[write];
  gboolean shown = rsp_location_is_shown (s->pre->program, event->location);
  if (event->kind == RSP_EVENT_WRITE && !event->rmw_half)
    return !shown;
  guint read = event->rmw_half ? write - 1 : write;
  guint64 sources[s->words];
  for (guint w = 0; w < s->words; w++)
    sources[w] = rsp_bounded_candidates (s, read)[w];
  for (all_bits (source, sources, s->words))
    if ((!rsp_event_is_initial (s->pre->events[source]) && may_come_back (s, write, read, source))
        || (shown && !source_is_last (s, write, read, source, removed)))
      return FALSE;
  return TRUE;
}

gboolean final_writes_have_sources (RspSearch *search, const RspStagedModel *model, guint first,
                                    guint end) {
  Shared shared = { 0 };
  Removed removed = { first, end };
  Searcher s = { .search = search, .pre = search->pre, .model = model, .shared = &shared };
  while (first < end && !rsp_event_is_write (search->pre->events[first]))
    first++;
  if (first == end)
    return TRUE;
  if (!searcher_open (&s))
    return FALSE;
  gboolean have = TRUE;
  if (propagate_begin (&s))
    for (guint e = first; e < end && have; e++)
      have = !rsp_event_is_write (search->pre->events[e]) || has_source (&s, e, &removed);
  searcher_close (&s);
  return have && rsp_budget_stop (search->budget) == RSPCHECK_STOP_COMPLETE;
}

/* ---- Cases ---------------------------------------------------------------------------------- */

typedef struct Trial {
  Searcher searcher;
  const RspCases *cases;
} Trial;

static gboolean holds_from_here (Trial *trial);

static gboolean is_open_pair (const Searcher *s, guint leaf, guint a, guint b) {
  return rsp_row_has (rsp_bounds_hi (s->bounds, leaf, a), b)
         && !rsp_row_has (rsp_bounds_lo (s->bounds, leaf, a), b);
}

/* ---- One more decision ---- */
static gboolean holds_of_read (Trial *trial, guint read) {
  Searcher *s = &trial->searcher;
  guint64 set[s->words];
  Choice choice = { .kind = CHOICE_READ, .read = read, .set = set };
  for (guint w = 0; w < s->words; w++)
    set[w] = rsp_bounded_candidates (s, read)[w];
  /* One write is enough among those that differ only in the names of exchangeable threads. */
  guint twin[s->n + 1];
  if (s->search->class) {
    twins_find (s, &choice, twin);
    for (all_bits (write, choice.set, s->words))
      if (twin[write] != write)
        choice.set[write / 64] &= ~(G_GUINT64_CONSTANT (1) << (write % 64));
  }
  gboolean holds = TRUE;
  for (all_bits (write, set, s->words)) {
    guint values = searcher_push (s);
    holds = holds && (!decide_source (s, write, read) || holds_from_here (trial));
    searcher_pop (s, values);
  }
  return holds;
}

/* ---- Which decision ---- */
static gboolean find_read (const Searcher *s, const guint *reads, guint n, gboolean rmw_only,
                           guint *read) {
  for (guint i = 0; i < n; i++) {
    *read = reads[i];
    const RspEvent *event = s->pre->events[*read];
    if (is_open_read (s, *read) && (!rmw_only || event->kind == RSP_EVENT_RMW || event->rmw_half))
      return TRUE;
  }
  return FALSE;
}

static guint source_of (const Searcher *s, guint read) {
  return rsp_next_bit (rsp_bounded_candidates (s, read), s->words, 0);
}

static gboolean holds_in_both_orders (Trial *trial, guint leaf, guint a, guint b) {
  static gboolean (*const decide[]) (Searcher *, guint, guint, guint)
      = { decide_order, exclude_order };
  Searcher *s = &trial->searcher;
  gboolean holds = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (decide) && holds; i++) {
    guint values = searcher_push (s);
    holds = !decide[i](s, leaf, a, b) || holds_from_here (trial);
    searcher_pop (s, values);
  }
  return holds;
}

/* Read-modify-writes come first: their order determines what the threads got (a ticket, a lock). */
static gboolean holds_further (Trial *trial) {
  const Searcher *s = &trial->searcher;
  const RspCases *cases = trial->cases;
  guint read;
  if (find_read (s, s->pre->reads, s->pre->n_reads, TRUE, &read)
      || find_read (s, cases->reads, cases->n_reads, FALSE, &read))
    return holds_of_read (trial, read);
  /* The writes that the reads of interest read from, which is decided. */
  for (guint i = 0; i < cases->n_reads; i++)
    for (guint j = 0; j < i; j++) {
      guint a = source_of (s, cases->reads[i]), b = source_of (s, cases->reads[j]);
      if (is_open_pair (s, RSP_LEAF_CO, a, b))
        return holds_in_both_orders (trial, RSP_LEAF_CO, a, b);
    }
  if (find_read (s, s->pre->reads, s->pre->n_reads, FALSE, &read))
    return holds_of_read (trial, read);
  for (guint leaf = RSP_LEAF_CO; leaf < RSP_LEAF_ORDER + s->model->n_orders; leaf++)
    for (guint a = 0; a < s->n; a++)
      for (guint b = 0; b < s->n; b++)
        if (is_open_pair (s, leaf, a, b))
          return holds_in_both_orders (trial, leaf, a, b);
  return FALSE;
}

static gboolean holds_from_here (Trial *trial) {
  Searcher *s = &trial->searcher;
  if (!*trial->cases->left || rsp_budget_is_exhausted (s->search->budget))
    return FALSE;
  --*trial->cases->left;
  if (!propagate (s))
    return rsp_budget_stop (s->search->budget) == RSPCHECK_STOP_COMPLETE;
  return trial->cases->holds (s->bounds, trial->cases->data) || holds_further (trial);
}

gboolean cases_try (RspSearch *search, const RspStagedModel *model, const RspCases *cases) {
  Shared shared = { 0 };
  Trial trial
      = { .searcher = { .search = search, .pre = search->pre, .model = model, .shared = &shared },
          .cases = cases };
  if (!searcher_open (&trial.searcher))
    return FALSE;
  gboolean holds = !propagate_begin (&trial.searcher) || holds_from_here (&trial);
  searcher_close (&trial.searcher);
  return holds && rsp_budget_stop (search->budget) == RSPCHECK_STOP_COMPLETE;
}

/* ---- Partial orders ------------------------------------------------------------------------- */

/* Counting partial orders. One element after the other is inserted into each order of the elements
 * before it: what comes before it is closed downwards, what comes after it is closed upwards, and
 * the first is before the second. Orders that differ only by an exchange of elements that are alike
 * are one kind, which carries their number. So the 431,723,379 orders of eight free elements are
 * counted from the 2,045 kinds of orders of seven. */

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

/* The possible places of the new element among those before it, as bits of these. */
typedef struct Place {
  guint16 must_follow, may_follow; /* what comes before it */
  guint16 must_precede, may_precede;
  guint16 related;
} Place;

typedef struct PartialCounting {
  const PartialOrders *orders;
  guint8 element[COUNT_PARTIAL_ELEMENTS]; /* in the order in which they are inserted */
  guint8 class_of[COUNT_PARTIAL_ELEMENTS];
  guint n;           /* elements inserted */
  Place place;       /* of the next one */
  gboolean is_last;  /* it is the last one: its places are only counted */
  GHashTable *kinds; /* with the next one: set of Kind */
  RspCount total;
} PartialCounting;

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

/* Per element the first one that it can be exchanged with: swapping the two changes nothing. */
static void count_partial_classes (const PartialOrders *orders, guint8 *class_of) {
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

/* Exchanges elements of a class so that they stand by signature. */
static void normalise (const PartialCounting *c, guint16 *after, guint n) {
  guint64 signature[COUNT_PARTIAL_ELEMENTS] = { 0 };
  /* A number per element that depends on what is before it and after it, but not on the elements'
   * places. */
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
static guint16 map_row (const PartialCounting *c, const guint16 *rows, guint element,
                        gboolean inverse) {
  guint16 mapped = 0;
  for (guint i = 0; i < c->n; i++)
    mapped |= (guint16) ((inverse ? rows[c->element[i]] >> element : rows[element] >> c->element[i])
                         & 1)
              << i;
  return mapped;
}

/* The new element after these elements and before those. */
static void insert (PartialCounting *c, const Kind *kind, guint16 before, guint16 after) {
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

/* One more element in all kinds. */
static gboolean insert_next (PartialCounting *c, RspBudget *budget) {
  g_autoptr (GHashTable) kinds = c->kinds;
  GHashTableIter iter;
  gpointer key;
  gboolean done = TRUE;
  const PartialOrders *orders = c->orders;
  guint next = c->element[c->n];
  c->place = (Place){ .must_follow = map_row (c, orders->least, next, TRUE),
                      .may_follow = map_row (c, orders->most, next, TRUE),
                      .must_precede = map_row (c, orders->least, next, FALSE),
                      .may_precede = map_row (c, orders->most, next, FALSE),
                      .related = map_row (c, orders->related, next, FALSE) };
  c->is_last = c->n + 1 == orders->n;
  c->kinds = g_hash_table_new_full (hash_kind, equal_kinds, g_free, NULL);
  g_hash_table_iter_init (&iter, kinds);
  while (done && g_hash_table_iter_next (&iter, &key, NULL)) {
    const Kind *kind = key;
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
    done = g_hash_table_size (c->kinds) <= MAX_KINDS && !rsp_budget_is_exhausted (budget);
  }
  c->n++;
  return done;
}

gboolean count_partial (const PartialOrders *orders, RspBudget *budget, RspCount *count) {
  PartialCounting c
      = { .orders = orders, .kinds = g_hash_table_new_full (hash_kind, equal_kinds, g_free, NULL) };
  gboolean done = TRUE;
  Kind none = { .number = 1 };
  count_partial_classes (orders, c.class_of);
  /* Class by class, the largest first. */
  guint placed = 0, n = c.orders->n, size_of[COUNT_PARTIAL_ELEMENTS] = { 0 };
  for (guint i = 0; i < n; i++)
    size_of[c.class_of[i]]++;
  for (guint size = n; size > 0; size--)
    for (guint first = 0; first < n; first++)
      for (guint i = first; i < n && size_of[first] == size; i++)
        if (c.class_of[i] == first)
          c.element[placed++] = (guint8) i;
  g_hash_table_add (c.kinds, g_memdup2 (&none, sizeof none));
  while (done && c.n < orders->n)
    done = insert_next (&c, budget);
  g_hash_table_unref (c.kinds);
  *count = orders->n ? c.total : 1;
  return done;
}

/* ---- Count ---------------------------------------------------------------------------------- */

/* Counting: if no axiom is open, the remaining orders are the linear extensions of what is decided;
 * they are counted, not enumerated. */

enum {
  SUBSETS_PER_LOOK = 1 << 14, /* steps between checks of the clock */
  MAX_COUNTED = 20            /* limit of elements of a partial order for counting over subsets */
};

/* The undecided part of one leaf's order on some elements: the elements whose order with some other
 * is open. An element ordered with all others splits every extension at the same place, so leaving
 * it out changes no count. */
typedef struct Poset {
  guint n;
  guint elements[MAX_COUNTED];
  guint32 before[MAX_COUNTED]; /* per element: the others that come before it, as bits */
} Poset;

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

/* The possible ends of a location's coherence: writes that may be last, with the number of
 * orders. */
typedef struct Ending {
  guint observable; /* the open observable this decides, as an index into Observed.open */
  guint n;
  guint32 *values; /* value numbers of the last write */
  RspCount *ways;
} Ending;

/* ---- Partial orders: their completions are not linear extensions ---- */
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
    PartialOrders last = *orders; /* in which nothing comes after the write */
    if (i < orders->n)
      last.most[i] = 0;
    if (class >= i && !count_partial (&last, s->search->budget, &of_class[class]))
      return FALSE;
    ending->values[ending->n] = rsp_number_of (s, known_final (s, write));
    ending->ways[ending->n++] = of_class[class];
  }
  return TRUE;
}

/* Combines the endings from index `index` on; FALSE if the search ends. */
static gboolean combine (Searcher *s, const Ending *endings, guint n, guint index, guint32 *values,
                         RspCount ways, gboolean undefined, RspResults *results) {
  gboolean more = index < n || may_add (s, ++s->combined); /* which may be no new rows */
  if (index == n && more)
    rsp_results_add (results, values, ways, undefined ? ways : 0, 0);
  for (guint i = 0; index < n && i < endings[index].n && more; i++) {
    values[endings[index].observable] = endings[index].values[i];
    more = combine (s, endings, n, index + 1, values,
                    rsp_count_multiply (ways, endings[index].ways[i]), undefined, results);
  }
  return more;
}

/* What has been counted: the endings of observed locations, and the ways to complete all other
 * orders. */
typedef struct TotalCounting {
  Searcher *s;
  RspCount ways;
  Ending *endings;
  guint n_endings;
  guint32 *values; /* MAX_COUNTED per ending, and as many of ending_ways */
  RspCount *ending_ways;
} TotalCounting;

static Ending *add_ending (TotalCounting *c, guint observable) {
  gsize first = (gsize) c->n_endings * MAX_COUNTED;
  Ending *ending = &c->endings[c->n_endings++];
  *ending = (Ending){ .observable = observable,
                      .values = c->values + first,
                      .ways = c->ending_ways + first };
  return ending;
}

/* observable: that the last element decides, or G_MAXUINT. FALSE if there are too many elements. */
static gboolean count_total_order (TotalCounting *c, guint leaf, const RspMatrix *elements,
                                   guint observable) {
  Poset poset = { .n = 0 };
  for (all_bits (x, elements->bits, c->s->words)) {
    const guint64 *lo = rsp_bounds_lo (c->s->bounds, leaf, x),
                  *hi = rsp_bounds_hi (c->s->bounds, leaf, x);
    gboolean open = FALSE;
    for (guint w = 0; w < c->s->words; w++)
      open |= (hi[w] & ~lo[w] & elements->bits[w]) != 0;
    if (open && poset.n == MAX_COUNTED)
      return FALSE;
    if (open)
      poset.elements[poset.n++] = x;
  }
  guint32 followed = 0; /* elements that come before others */
  for (guint i = 0; i < poset.n; i++) {
    poset.before[i] = 0;
    for (guint j = 0; j < poset.n; j++)
      if (rsp_row_has (rsp_bounds_lo (c->s->bounds, leaf, poset.elements[j]), poset.elements[i]))
        poset.before[i] |= 1u << j;
    followed |= poset.before[i];
  }
  if (!poset.n)
    return TRUE;
  g_autofree RspCount *ways = count_beginnings (c->s, &poset);
  if (observable == G_MAXUINT) {
    c->ways = rsp_count_multiply (c->ways, ways ? ways[all_of (&poset)] : 0);
    return TRUE;
  }
  Ending *ending = add_ending (c, observable);
  for (guint i = 0; ways && i < poset.n; i++)
    if (!(followed & 1u << i)) {
      ending->values[ending->n] = rsp_number_of (c->s, known_final (c->s, poset.elements[i]));
      ending->ways[ending->n++] = ways[all_of (&poset) & ~(1u << i)];
    }
  return TRUE;
}

static gboolean count_partial_order (TotalCounting *c, guint leaf, const RspMatrix *elements,
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

static gboolean count_order (TotalCounting *c, guint leaf, const RspMatrix *elements,
                             guint observable) {
  return (c->s->related[leaf] ? count_partial_order : count_total_order) (c, leaf, elements,
                                                                          observable);
}

gboolean count_completions (Searcher *s, const Observed *observed, gboolean undefined,
                            RspResults *results) {
  guint n_locations = s->pre->program->n_locations;
  gsize most_endings = MIN (n_locations, observed->n_open) + 1;
  g_autofree Ending *endings = g_new0 (Ending, most_endings);
  g_autofree guint32 *values = g_new0 (guint32, observed->n_open + 1);
  g_autofree guint32 *ending_values = g_new0 (guint32, most_endings * MAX_COUNTED);
  g_autofree RspCount *ending_ways = g_new0 (RspCount, most_endings * MAX_COUNTED);
  TotalCounting c = {
    .s = s, .ways = 1, .endings = endings, .values = ending_values, .ending_ways = ending_ways
  };
  for (guint i = 0; i < n_locations; i++) {
    guint open = 0; /* index of the location's observable, if it is open */
    for (; open < observed->n_open; open++) {
      const RspObservable *o = &s->pre->program->observables[observed->open[open]];
      if (!o->is_register && o->location == i)
        break;
    }
    if (!count_order (&c, RSP_LEAF_CO, s->writes[i], open < observed->n_open ? open : G_MAXUINT))
      return FALSE;
  }
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
        endings[i].values[endings[i].n++] = rsp_number_of (s, known_final (s, write));
  }
  combine (s, endings, observed->n_open, 0, values, 1, undefined, results);
}
