/* Twins: alternatives of one choice that differ only in the names of two exchangeable threads.
 *
 * Let two threads of one class (symmetry.h) take the same path, and let every decision so far be
 * the same with the two swapped. Then swapping their events maps the completions of one alternative
 * onto those of its image, since everything else (the pre-execution, the model, the values) follows
 * from decisions and is the same too. So one of them is searched, and its results are given to the
 * other with the two threads' registers exchanged. */
#include "enumerator/search/bounded/twins.h"
#include "enumerator/search/bounded/values/known.h"

typedef struct Swap {
  guint a, b;             /* threads */
  guint first_a, first_b; /* their first events */
  guint n;                /* events of each */
} Swap;

static guint image (const Swap *swap, guint event) {
  if (event >= swap->first_a && event < swap->first_a + swap->n)
    return event - swap->first_a + swap->first_b;
  if (event >= swap->first_b && event < swap->first_b + swap->n)
    return event - swap->first_b + swap->first_a;
  return event;
}

/* The swap of the threads of two events, if these take the same path. */
static gboolean find_swap (const Searcher *s, guint x, guint y, Swap *swap) {
  const RspPreExecution *pre = s->pre;
  const RspSearch *search = s->search;
  swap->a = pre->events[x]->thread;
  swap->b = pre->events[y]->thread;
  if (swap->a == RSP_NO_THREAD || swap->b == RSP_NO_THREAD || swap->a == swap->b
      || search->class[swap->a] != search->class[swap->b]
      || search->numbers[swap->a] != search->numbers[swap->b])
    return FALSE;
  swap->first_a = pre->first[swap->a];
  swap->first_b = pre->first[swap->b];
  swap->n = pre->first[swap->a + 1] - swap->first_a;
  return image (swap, x) == y;
}

/* Is the image of row x the row of x's image? */
static gboolean row_is_kept (const Searcher *s, const Swap *swap, const guint64 *row,
                             const guint64 *image_row) {
  guint64 swapped[s->words];
  for (guint w = 0; w < s->words; w++)
    swapped[w] = row[w];
  for (guint i = 0; i < swap->n; i++) {
    guint a = swap->first_a + i, b = swap->first_b + i;
    if (rsp_row_has (row, a) == rsp_row_has (row, b))
      continue;
    swapped[a / 64] ^= G_GUINT64_CONSTANT (1) << (a % 64);
    swapped[b / 64] ^= G_GUINT64_CONSTANT (1) << (b % 64);
  }
  for (guint w = 0; w < s->words; w++)
    if (swapped[w] != image_row[w])
      return FALSE;
  return TRUE;
}

static gboolean leaf_is_kept (const Searcher *s, const Swap *swap, guint leaf) {
  for (guint x = 0; x < s->n; x++) {
    guint y = image (swap, x);
    if (!row_is_kept (s, swap, rsp_bounds_hi (s->bounds, leaf, x),
                      rsp_bounds_hi (s->bounds, leaf, y))
        || !row_is_kept (s, swap, rsp_bounds_lo (s->bounds, leaf, x),
                         rsp_bounds_lo (s->bounds, leaf, y)))
      return FALSE;
  }
  return TRUE;
}

static gboolean values_are_kept (const Searcher *s, const Swap *swap) {
  for (guint i = 0; i < swap->n; i++) {
    guint x = swap->first_a + i, y = swap->first_b + i;
    if (known_has_value (s, x) != known_has_value (s, y)
        || known_has_written (s, x) != known_has_written (s, y)
        || (known_has_value (s, x) && !rsp_value_equal (known_value (s, x), known_value (s, y)))
        || (known_has_written (s, x)
            && !rsp_value_equal (known_written (s, x), known_written (s, y))))
      return FALSE;
  }
  return TRUE;
}

/* Does the convention that orders writes no execution chooses order the images of writes likewise?
 */
static gboolean convention_is_kept (const Searcher *s, const Swap *swap) {
  const RspMatrix *against = s->model->by_convention;
  for (guint x = 0; against && x < s->n; x++)
    if (!row_is_kept (s, swap, rsp_matrix_row (against, x),
                      rsp_matrix_row (against, image (swap, x))))
      return FALSE;
  return TRUE;
}

static gboolean are_twins (const Searcher *s, const Choice *choice, guint explored,
                           guint alternative) {
  Swap swap;
  if (choice->kind == CHOICE_SPLIT || choice->kind == CHOICE_PAIR
      || !find_swap (s, explored, alternative, &swap)
      || (choice->kind == CHOICE_READ && image (&swap, choice->read) != choice->read)
      || !values_are_kept (s, &swap) || !convention_is_kept (s, &swap))
    return FALSE;
  for (guint leaf = 0; leaf < RSP_LEAF_ORDER + s->model->n_orders; leaf++)
    if (!leaf_is_kept (s, &swap, leaf))
      return FALSE;
  return TRUE;
}

void twins_find (const Searcher *s, const Choice *choice, guint *twin) {
  for (all_bits (alternative, choice->set, s->words)) {
    twin[alternative] = alternative;
    for (all_bits (other, choice->set, s->words)) {
      if (other == alternative)
        break;
      if (twin[other] == other && are_twins (s, choice, other, alternative)) {
        twin[alternative] = other;
        break;
      }
    }
  }
}

/* The index, among the open observables, of the one whose value an open observable takes if two
 * threads are swapped. */
static guint swapped_place (const Searcher *s, const Observed *observed, guint place, guint a,
                            guint b) {
  const RspObservable *observables = s->pre->program->observables;
  const RspObservable *observable = &observables[observed->open[place]];
  if (!observable->is_register || (observable->thread != a && observable->thread != b))
    return place;
  guint thread = observable->thread == a ? b : a;
  for (guint i = 0; i < observed->n_open; i++) {
    const RspObservable *other = &observables[observed->open[i]];
    if (other->is_register && other->thread == thread && other->reg == observable->reg)
      return i;
  }
  g_assert_not_reached (); /* same registers shown, same values known: see symmetry_find */
}

void twins_add (Searcher *s, const Observed *observed, guint explored, guint alternative,
                const RspResults *found, RspResults *results) {
  guint a = s->pre->events[explored]->thread, b = s->pre->events[alternative]->thread;
  guint from[observed->n_open + 1];
  guint32 values[observed->n_open + 1];
  for (guint i = 0; i < observed->n_open; i++)
    from[i] = swapped_place (s, observed, i, a, b);
  for (guint row = 0; row < found->n && may_pass_on (s, row); row++) {
    for (guint i = 0; i < observed->n_open; i++)
      values[i] = found->values[(gsize) row * found->width + from[i]];
    rsp_results_add (results, values, found->executions[row], rsp_results_n_undefined (found, row),
                     found->flags[row]);
  }
}
