/* Counting: if no axiom is open, the remaining orders are the linear extensions of what is decided;
 * they are counted, not enumerated. */
#include "enumerator/search/bounded/count.h"
#include "enumerator/search/bounded/share/numbers.h"
#include "enumerator/search/bounded/values/known.h"

#include <string.h>

enum
{
  SUBSETS_PER_LOOK = 1 << 14, /* steps between checks of the clock */
  MAX_COUNTED = 20            /* limit of elements of a partial order for counting over subsets */
};

/* The undecided part of one leaf's order on some elements: the elements whose order with some other
 * is open. An element ordered with all others splits every extension at the same place, so leaving
 * it out changes no count. make_poset is FALSE if there are too many. */
typedef struct Poset
{
  guint n;
  guint *elements;
  guint32 *before; /* per element: the others that come before it, as bits */
} Poset;

static gboolean
make_poset (const Searcher *s, guint leaf, const RspMatrix *elements, Poset *poset)
{
  poset->n = 0;
  for (all_bits (x, elements->bits, s->words))
    {
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
  for (guint i = 0; i < poset->n; i++)
    {
      poset->before[i] = 0;
      for (guint j = 0; j < poset->n; j++)
        if (rsp_row_has (rsp_bounds_lo (s->bounds, leaf, poset->elements[j]), poset->elements[i]))
          poset->before[i] |= 1u << j;
    }
  return TRUE;
}

static guint32
all_of (const Poset *poset)
{
  return (guint32) ((G_GUINT64_CONSTANT (1) << poset->n) - 1);
}

/* For each subset of the elements, the number of extensions that begin with exactly these: 0 for
 * those not closed downwards. NULL if the budget is exhausted. */
static RspCount *
count_beginnings (Searcher *s, const Poset *poset)
{
  guint32 full = all_of (poset);
  RspCount *ways = g_new0 (RspCount, (gsize) full + 1);
  ways[0] = 1;
  for (guint32 subset = 0; subset < full; subset++)
    {
      if (subset % SUBSETS_PER_LOOK == SUBSETS_PER_LOOK - 1
          && rsp_budget_is_exhausted (s->search->budget))
        {
          g_free (ways);
          return NULL;
        }
      if (!ways[subset])
        continue;
      for (guint i = 0; i < poset->n; i++)
        {
          guint32 bit = 1u << i;
          if (!(subset & bit) && !(poset->before[i] & ~subset))
            ways[subset | bit] = rsp_count_add (ways[subset | bit], ways[subset]);
        }
    }
  return ways;
}

/* The number of all extensions; 0 if the budget is exhausted. */
static RspCount
count_extensions (Searcher *s, const Poset *poset)
{
  g_autofree RspCount *ways = count_beginnings (s, poset);
  return ways ? ways[all_of (poset)] : 0;
}

/* The possible ends of a location's coherence: writes that may be last, with the number of
 * orders. */
typedef struct Ending
{
  guint observable; /* the open observable this decides, as an index into Observed.open */
  guint n;
  guint32 *values; /* value numbers of the last write */
  RspCount *ways;
} Ending;

static gboolean
is_maximal (const Poset *poset, guint i)
{
  for (guint j = 0; j < poset->n; j++)
    if (poset->before[j] & (1u << i))
      return FALSE;
  return TRUE;
}

static void
find_ending (Searcher *s, const Poset *poset, Ending *ending)
{
  g_autofree RspCount *ways = count_beginnings (s, poset);
  for (guint i = 0; ways && i < poset->n; i++)
    if (is_maximal (poset, i))
      {
        ending->values[ending->n] = rsp_number_of (s, known_written (s, poset->elements[i]));
        ending->ways[ending->n++] = ways[all_of (poset) & ~(1u << i)];
      }
}

/* Combines the endings from index `index` on. */
static void
combine (Searcher *s, const Ending *endings, guint n, guint index, guint32 *values, RspCount ways,
         gboolean undefined, RspResults *results)
{
  if (index == n)
    {
      if (!may_add (s, results->n))
        return;
      rsp_results_add (results, values, ways, undefined ? ways : 0, 0);
      return;
    }
  for (guint i = 0; i < endings[index].n; i++)
    {
      values[endings[index].observable] = endings[index].values[i];
      combine (s, endings, n, index + 1, values, rsp_count_multiply (ways, endings[index].ways[i]),
               undefined, results);
    }
}

/* The open observable of a location, as an index into observed->open; G_MAXUINT if it has none. */
static guint
open_observable (const Searcher *s, const Observed *observed, guint location)
{
  const RspProgram *program = s->pre->program;
  for (guint i = 0; i < observed->n_open; i++)
    {
      const RspObservable *observable = &program->observables[observed->open[i]];
      if (!observable->is_register && observable->location == location)
        return i;
    }
  return G_MAXUINT;
}

gboolean
count_completions (Searcher *s, const Observed *observed, gboolean undefined, RspResults *results)
{
  guint elements[MAX_COUNTED];
  guint32 before[MAX_COUNTED];
  Poset poset = { .elements = elements, .before = before };
  guint n_locations = s->pre->program->n_locations, n_endings = 0;
  gsize most_endings = MIN (n_locations, observed->n_open) + 1;
  g_autofree Ending *endings = g_new0 (Ending, most_endings);
  g_autofree guint32 *values = g_new0 (guint32, observed->n_open + 1);
  g_autofree guint32 *ending_values = g_new0 (guint32, most_endings * MAX_COUNTED);
  g_autofree RspCount *ending_ways = g_new0 (RspCount, most_endings * MAX_COUNTED);
  RspCount ways = 1;
  for (guint i = 0; i < n_locations; i++)
    {
      if (!make_poset (s, RSP_LEAF_CO, s->writes[i], &poset))
        return FALSE;
      if (!poset.n)
        continue;
      guint observable = open_observable (s, observed, i);
      if (observable == G_MAXUINT)
        {
          ways = rsp_count_multiply (ways, count_extensions (s, &poset));
          continue;
        }
      Ending *ending = &endings[n_endings];
      ending->observable = observable;
      ending->values = ending_values + (gsize) n_endings * MAX_COUNTED;
      ending->ways = ending_ways + (gsize) n_endings * MAX_COUNTED;
      n_endings++;
      find_ending (s, &poset, ending);
    }
  for (guint i = 0; i < s->model->n_orders; i++)
    {
      if (!make_poset (s, RSP_LEAF_ORDER + i, s->model->orders[i].set, &poset))
        return FALSE;
      ways = rsp_count_multiply (ways, count_extensions (s, &poset));
    }
  combine (s, endings, n_endings, 0, values, ways, undefined, results);
  return TRUE;
}
