#include "enumerator/shapes/candidates.h"

#include "enumerator/shapes/combination.h"
#include "enumerator/shapes/code/grid.h"
#include "enumerator/shapes/partial_orders.h"

#include <string.h>

typedef struct Listing {
  const RspShape *whole;
  const RspShapeCombination *combination; /* the current combination */
  const RspShape *shape;                  /* the events that happen in it */
  guint index;                            /* its number */
  GArray *candidates, *outcomes;          /* of RspCandidate, RspShapeOutcome */
  RspShapeOutcome outcome;                /* so far */
  guint64 rf, co;
  guint first; /* index in outcomes of the first one for the current rf */
} Listing;

/* The writes of a location, initial write first. Returns their number. */
static guint list_writes (const RspShape *shape, guint location, guint8 *list) {
  guint n = 0;
  list[n++] = (guint8) location;
  for (guint e = 0; e < shape->n_events; e++)
    if (rsp_shape_is_write (&shape->events[e]) && shape->events[e].location == location)
      list[n++] = (guint8) rsp_shape_event (shape, e);
  return n;
}

static guint8 whole_event (const Listing *listing, guint event) {
  return (guint8) shape_combination_event (listing->combination, listing->whole, event);
}

static guint find_outcome (Listing *listing) {
  for (guint i = listing->first; i < listing->outcomes->len; i++)
    if (memcmp (&g_array_index (listing->outcomes, RspShapeOutcome, i), &listing->outcome,
                sizeof listing->outcome)
        == 0)
      return i;
  g_array_append_val (listing->outcomes, listing->outcome);
  return listing->outcomes->len - 1;
}

static void order_location (Listing *listing, guint location);
static void order_writes (Listing *listing, guint location, guint8 *left, guint n, guint placed);

/* Each partial order of the location's writes, after its initial write, with each last write. */
static void relate_writes (Listing *listing, guint location, const guint8 *writes, guint n) {
  guint set = 0;
  guint64 before = listing->co;
  guint8 *last = &listing->outcome.last[listing->combination->location[location]], was = *last;
  for (guint i = 1; i < n; i++)
    set |= 1u << writes[i];
  g_autoptr (GArray) orders = shape_partial_orders (set);
  for (guint k = 0; k < orders->len; k++) {
    Grid order = g_array_index (orders, Grid, k);
    listing->co = before | order | ((Grid) set << (8 * writes[0]));
    for (guint i = n > 1; i < n; i++)
      if (!grid_row (order, writes[i])) {
        *last = whole_event (listing, writes[i]);
        order_location (listing, location + 1);
      }
  }
  listing->co = before;
  *last = was;
}

static void order_location (Listing *listing, guint location) {
  guint8 left[RSP_SHAPE_EVENTS];
  if (location == listing->shape->n_locations) {
    RspCandidate candidate = { listing->rf, listing->co, find_outcome (listing), listing->index };
    g_array_append_val (listing->candidates, candidate);
    return;
  }
  guint n = list_writes (listing->shape, location, left);
  if (rsp_languages[listing->shape->language].partial_co) {
    relate_writes (listing, location, left, n);
    return;
  }
  listing->outcome.last[listing->combination->location[location]] = whole_event (listing, left[0]);
  order_writes (listing, location, left + 1, n - 1, 1u << left[0]);
}

/* Places the n remaining writes after those placed (a set), in every possible way. */
static void order_writes (Listing *listing, guint location, guint8 *left, guint n, guint placed) {
  if (n == 0) {
    order_location (listing, location + 1);
    return;
  }
  guint64 before = listing->co;
  guint8 *last = &listing->outcome.last[listing->combination->location[location]], was = *last;
  for (guint i = 0; i < n; i++) {
    guint8 rest[RSP_SHAPE_EVENTS], next = left[i];
    for (guint k = 0, j = 0; k < n; k++)
      if (k != i)
        rest[j++] = left[k];
    listing->co |= grid_rows (placed) & (GRID_COLUMN << next);
    *last = whole_event (listing, next);
    order_writes (listing, location, rest, n - 1, placed | 1u << next);
    listing->co = before;
  }
  *last = was;
}

static void choose_source (Listing *listing, guint event) {
  const RspShape *shape = listing->shape;
  while (event < shape->n_events && !rsp_shape_is_read (&shape->events[event]))
    event++;
  if (event == shape->n_events) {
    listing->first = listing->outcomes->len;
    order_location (listing, 0);
    return;
  }
  guint64 before = listing->rf;
  guint8 *source = &listing->outcome.source[listing->combination->event[event]], was = *source;
  for (guint left = listing->combination->sources[event]; left; left &= left - 1) {
    guint write = (guint) __builtin_ctz (left);
    *source = whole_event (listing, write);
    listing->rf = before | grid_pair (write, rsp_shape_event (shape, event));
    choose_source (listing, event + 1);
  }
  *source = was;
  listing->rf = before;
}

/* Events that do not happen read initial values and leave them in place. */
static void list_combination (Listing *listing) {
  const RspShape *whole = listing->whole;
  listing->shape = &listing->combination->shape;
  listing->rf = listing->co = 0;
  memset (&listing->outcome, 0, sizeof listing->outcome);
  for (guint e = 0; e < whole->n_events; e++)
    if (rsp_shape_is_read (&whole->events[e]))
      listing->outcome.source[e] = whole->events[e].location;
  for (guint8 x = 0; x < whole->n_locations; x++)
    listing->outcome.last[x] = x;
  choose_source (listing, 0);
}

/* Groups the candidates of one reads-from by outcome. */
static int by_outcome (gconstpointer a, gconstpointer b) {
  const RspCandidate *x = a, *y = b;
  if (x->outcome != y->outcome)
    return x->outcome < y->outcome ? -1 : 1;
  return x->co < y->co ? -1 : x->co > y->co;
}

RspCandidates *rsp_candidates_new (const RspShape *shape) {
  g_autoptr (GArray) combinations = shape_combinations_new (shape);
  Listing listing = { .whole = shape,
                      .candidates = g_array_new (FALSE, FALSE, sizeof (RspCandidate)),
                      .outcomes = g_array_new (FALSE, FALSE, sizeof (RspShapeOutcome)) };
  for (; listing.index < combinations->len; listing.index++) {
    listing.combination = &g_array_index (combinations, RspShapeCombination, listing.index);
    list_combination (&listing);
  }
  g_array_sort (listing.candidates, by_outcome);
  RspCandidates *candidates = g_new (RspCandidates, 1);
  candidates->n = listing.candidates->len;
  candidates->n_outcomes = listing.outcomes->len;
  candidates->list = (RspCandidate *) (gpointer) g_array_free (listing.candidates, FALSE);
  candidates->outcomes = (RspShapeOutcome *) (gpointer) g_array_free (listing.outcomes, FALSE);
  return candidates;
}

void rsp_candidates_free (RspCandidates *candidates) {
  if (!candidates)
    return;
  g_free (candidates->list);
  g_free (candidates->outcomes);
  g_free (candidates);
}
