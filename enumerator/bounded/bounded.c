/* The bounded engine: a node of its search, from decision to leaf. */
#include "enumerator/bounded/bounded.h"
#include "enumerator/bounded/internal.h"
#include "enumerator/search/search.h"
#include "enumerator/values/values.h"

#include <string.h>

/* ---- Flags ---------------------------------------------------------------------------------- */

/* Flags: those that a node's completions raise, those raised already, and axioms that are no longer
 * needed because of them. */

/* The flags that every completion of this node raises. */
static guint32 flags_known (const Searcher *s) {
  guint32 flags = s->known->solved && s->known->thin_air ? 1u << FLAG_THIN_AIR : 0;
  for (guint i = 0; i < s->model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &s->model->axioms[i];
    RspTruth truth = rsp_bounds_axiom (s->bounds, i);
    if (axiom->role == RSPCHECK_ROLE_ASSERT && truth == RSP_FAILS)
      flags |= 1u << FLAG_ASSERTION;
    else if ((axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS && truth == RSP_FAILS)
             || (axiom->role == RSPCHECK_ROLE_FLAG && truth == RSP_HOLDS))
      flags |= 1u << axiom->flag;
  }
  return flags;
}

/* Is every completion of this node undefined? */
static gboolean flags_are_undefined (const Searcher *s) {
  for (guint i = 0; i < s->model->n_axioms; i++)
    if (s->model->axioms[i].role == RSPCHECK_ROLE_UNDEFINED_UNLESS
        && rsp_bounds_axiom (s->bounds, i) == RSP_FAILS)
      return TRUE;
  return FALSE;
}

void flags_raise (Searcher *s, guint32 flags) {
  RspSearch *search = s->search;
  for (guint i = 0; i < s->model->n_flags; i++)
    if (flags & 1u << i)
      search_flags_raise (search->flags, s->model->flags[i]);
  search->thin_air |= (flags >> FLAG_THIN_AIR) & 1;
  if (!(flags & 1u << FLAG_ASSERTION) || rsp_budget_stop (search->budget) == RSPCHECK_STOP_ERROR)
    return;
  for (guint i = 0; i < s->model->n_axioms; i++)
    if (s->model->axioms[i].role == RSPCHECK_ROLE_ASSERT)
      rsp_error (search->diagnostics, s->model->axioms[i].span, NULL,
                 "the model's assertion fails on an execution of test %s", s->pre->program->name);
  rsp_budget_end (search->budget, RSPCHECK_STOP_ERROR);
}

/* ---- Searcher ------------------------------------------------------------------------------- */

/* Searchers: opening and closing them with their parts, and questions that all parts ask. */

enum {
  ROWS_PER_LOOK = 1024, /* rows of results between checks of the clock */
  ROWS_AT_END = 256     /* rows of a node that are kept once the time is over */
};

gboolean searcher_open (Searcher *s) {
  s->arena = rsp_arena_new_within (s->search->budget);
  s->n = s->pre->n;
  s->words = s->pre->candidates->words;
  s->writes = rsp_pre_execution_writes (s->pre, s->arena);
  s->related = rsp_arena_new0 (s->arena, const RspMatrix *, RSP_LEAF_ORDER + s->model->n_orders);
  s->related[RSP_LEAF_CO] = s->pre->related_writes;
  for (guint i = 0; i < s->model->n_orders; i++)
    s->related[RSP_LEAF_ORDER + i] = s->model->orders[i].related;
  /* Flags that the check has raised already. */
  const GArray *flags = s->search->flags;
  for (guint i = 0; i < flags->len; i++) {
    const RspFlag *flag = &g_array_index (flags, RspFlag, i);
    for (guint j = 0; flag->raised && j < s->model->n_flags; j++)
      if (strcmp (s->model->flags[j], flag->name) == 0)
        s->raised |= 1u << j;
  }
  known_open (s);
  constraints_open (s);
  numbers_open (s);
  account_open (s);
  s->forced = g_array_new (FALSE, FALSE, sizeof (RspForced));
  s->bounds = rsp_bounds_new (s->model, s->pre->rf, s->pre->co, s->arena);
  if (!s->bounds) {
    searcher_close (s);
    return FALSE;
  }
  s->candidates = rsp_bounds_inverse_hi (s->bounds, RSP_LEAF_RF, 0);
  return TRUE;
}

void searcher_close (Searcher *s) {
  rsp_bounds_free (s->bounds);
  g_array_unref (s->forced);
  numbers_close (s);
  rsp_arena_free (s->arena);
}

guint searcher_push (Searcher *s) {
  s->depth++;
  rsp_bounds_push (s->bounds);
  return known_mark (s);
}

void searcher_pop (Searcher *s, guint values) {
  rsp_bounds_pop (s->bounds);
  known_undo (s, values);
  s->depth--;
}

/* Is some axiom open and followed? */
static gboolean has_open_axiom (const Searcher *s) {
  for (guint i = 0; i < s->model->n_axioms; i++)
    if (rsp_bounds_is_followed (s->bounds, i))
      return TRUE;
  return FALSE;
}

gboolean may_add (Searcher *s, guint row) {
  if (row % ROWS_PER_LOOK == 0)
    rsp_budget_is_exhausted (s->search->budget);
  return rsp_budget_stop (s->search->budget) == RSPCHECK_STOP_COMPLETE && !s->search->found;
}

gboolean may_pass_on (Searcher *s, guint row) {
  return may_add (s, row)
         || (rsp_budget_stop (s->search->budget) == RSPCHECK_STOP_TIMEOUT && row < ROWS_AT_END
             && !s->search->exists_only);
}

gboolean may_be_last (const Searcher *s, const RspMatrix *writes, guint write) {
  const guint64 *after = rsp_bounds_lo (s->bounds, RSP_LEAF_CO, write);
  for (guint w = 0; w < s->words; w++)
    if (after[w] & writes->bits[w])
      return FALSE;
  return TRUE;
}

/* Does every read have one candidate? */
static gboolean reads_are_decided (const Searcher *s) {
  for (guint i = 0; i < s->pre->n_reads; i++)
    if (is_open_read (s, s->pre->reads[i]))
      return FALSE;
  return TRUE;
}

/* Has the search's answer been found, by this searcher or another, or the budget been exhausted? */
static gboolean is_finished (const Searcher *s) {
  return s->answered || g_atomic_int_get (&s->shared->done)
         || rsp_budget_stop (s->search->budget) != RSPCHECK_STOP_COMPLETE;
}

/* ---- Twins ---------------------------------------------------------------------------------- */

/* Twins: alternatives of one choice that differ only in the names of two exchangeable threads.
 *
 * Let two threads of one class (enumerator/search/combinations.c) take the same path, and let every
 * decision so far be the same with the two swapped. Then swapping their events maps the completions
 * of one alternative onto those of its image, since everything else (the pre-execution, the model,
 * the values) follows from decisions and is the same too. So one of them is searched, and its
 * results are given to the other with the two threads' registers exchanged. */

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

static gboolean are_twins (const Searcher *s, const Choice *choice, guint explored,
                           guint alternative) {
  const RspMatrix *by_convention = s->model->by_convention;
  Swap swap;
  if (choice->kind == CHOICE_SPLIT || choice->kind == CHOICE_PAIR
      || !find_swap (s, explored, alternative, &swap)
      || (choice->kind == CHOICE_READ && image (&swap, choice->read) != choice->read)
      || !values_are_kept (s, &swap))
    return FALSE;
  for (guint x = 0; x < s->n; x++) {
    guint y = image (&swap, x);
    /* The convention that orders writes no execution chooses orders their images likewise. */
    if (by_convention
        && !row_is_kept (s, &swap, rsp_matrix_row (by_convention, x),
                         rsp_matrix_row (by_convention, y)))
      return FALSE;
    for (guint leaf = 0; leaf < RSP_LEAF_ORDER + s->model->n_orders; leaf++)
      if (!row_is_kept (s, &swap, rsp_bounds_hi (s->bounds, leaf, x),
                        rsp_bounds_hi (s->bounds, leaf, y))
          || !row_is_kept (s, &swap, rsp_bounds_lo (s->bounds, leaf, x),
                           rsp_bounds_lo (s->bounds, leaf, y)))
        return FALSE;
  }
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

/* ---- Decide --------------------------------------------------------------------------------- */

/* Decisions on the base relations, each together with its consequences. */

/* A set of events: `row` and one more. */
static void copy_with (const Searcher *s, const guint64 *row, guint event, guint64 *set) {
  for (guint w = 0; w < s->words; w++)
    set[w] = row[w];
  set[event / 64] |= G_GUINT64_CONSTANT (1) << (event % 64);
}

static gboolean may_precede (const Searcher *s, guint leaf, guint a, guint b) {
  return rsp_row_has (rsp_bounds_hi (s->bounds, leaf, a), b);
}

static gboolean precedes (const Searcher *s, guint leaf, guint a, guint b) {
  return rsp_row_has (rsp_bounds_lo (s->bounds, leaf, a), b);
}

/* In a partial order, what follows from x < y and the excluded pairs of x and y: if c cannot come
 * after x, it cannot come after y, and what cannot come before y cannot come before x. */
static gboolean exclude_around (Searcher *s, guint leaf, guint x, guint y) {
  /* The events that the relation orders together with x. */
  const RspMatrix *all = leaf == RSP_LEAF_CO ? s->writes[s->pre->events[x]->location]
                                             : s->model->orders[leaf - RSP_LEAF_ORDER].set;
  for (all_bits (c, all->bits, s->words)) {
    if (c == x || c == y)
      continue;
    if ((!may_precede (s, leaf, x, c) && !exclude_order (s, leaf, y, c))
        || (!may_precede (s, leaf, c, y) && !exclude_order (s, leaf, c, x)))
      return FALSE;
  }
  return TRUE;
}

gboolean decide_order (Searcher *s, guint leaf, guint a, guint b) {
  RspBounds *bounds = s->bounds;
  if (precedes (s, leaf, a, b))
    return TRUE;
  /* Everything up to and including a comes before b and everything after it. */
  guint64 before[s->words], after[s->words];
  copy_with (s, rsp_bounds_inverse_lo (bounds, leaf, a), a, before);
  copy_with (s, rsp_bounds_lo (bounds, leaf, b), b, after);
  for (all_bits (x, before, s->words))
    for (all_bits (y, after, s->words)) {
      if (precedes (s, leaf, x, y))
        continue;
      if (!may_precede (s, leaf, x, y))
        return FALSE;
      rsp_bounds_decide (bounds, leaf, x, y);
      rsp_bounds_exclude (bounds, leaf, y, x);
    }
  for (all_bits (x, before, s->words))
    for (all_bits (y, after, s->words))
      if (s->related[leaf] && !exclude_around (s, leaf, x, y))
        return FALSE;
  return TRUE;
}

gboolean exclude_order (Searcher *s, guint leaf, guint a, guint b) {
  if (!s->related[leaf] || rsp_matrix_get (s->related[leaf], a, b))
    return decide_order (s, leaf, b, a);
  if (!may_precede (s, leaf, a, b))
    return TRUE;
  guint64 after[s->words], before[s->words];
  copy_with (s, rsp_bounds_lo (s->bounds, leaf, a), a, after);
  copy_with (s, rsp_bounds_inverse_lo (s->bounds, leaf, b), b, before);
  if (rsp_row_has (after, b))
    return FALSE;
  rsp_bounds_exclude (s->bounds, leaf, a, b);
  for (all_bits (x, after, s->words))
    for (all_bits (y, before, s->words))
      if (!exclude_order (s, leaf, x, y))
        return FALSE;
  return TRUE;
}

gboolean decide_source (Searcher *s, guint write, guint read) {
  const guint64 *candidates = rsp_bounded_candidates (s, read);
  if (!rsp_row_has (candidates, write))
    return FALSE;
  guint64 others[s->words];
  for (guint w = 0; w < s->words; w++)
    others[w] = candidates[w];
  for (all_bits (other, others, s->words))
    if (other != write)
      rsp_bounds_exclude (s->bounds, RSP_LEAF_RF, other, read);
  if (!rsp_row_has (rsp_bounds_inverse_lo (s->bounds, RSP_LEAF_RF, read), write))
    rsp_bounds_decide (s->bounds, RSP_LEAF_RF, write, read);
  return TRUE;
}

/* ---- Propagate ------------------------------------------------------------------------------ */

/* Propagation to a fixpoint: candidates, coherence, values, path constraints, and pairs that the
 * model's open axioms force. */

enum {
  PAIRS_PER_LOOK = 64 /* pairs decided between checks of the clock */
};

static gboolean propagate_values (Searcher *s) {
  gboolean changed = TRUE;
  while (changed) {
    changed = FALSE;
    /* Decide the reads with only one candidate. */
    for (guint i = 0; i < s->pre->n_reads; i++) {
      guint read = s->pre->reads[i];
      const guint64 *candidates = rsp_bounded_candidates (s, read);
      guint write = rsp_next_bit (candidates, s->words, 0);
      if (write == G_MAXUINT)
        return FALSE;
      if (!rsp_row_has_several (candidates, s->words)
          && !rsp_row_has (rsp_bounds_inverse_lo (s->bounds, RSP_LEAF_RF, read), write))
        rsp_bounds_decide (s->bounds, RSP_LEAF_RF, write, read);
    }
    if (known_follow (s) && !constraints_check (s, &changed))
      return FALSE;
  }
  return TRUE;
}

static gboolean prune (Searcher *s, guint why) {
  account_pruned (s, why);
  return FALSE;
}

gboolean propagate_begin (Searcher *s) {
  gboolean changed = FALSE;
  known_begin (s);
  return constraints_check (s, &changed) || prune (s, s->model->n_axioms + PRUNED_BY_VALUES);
}

/* Decides that the read does not read from this write. FALSE if another axiom requires it. */
static gboolean exclude_source (Searcher *s, guint write, guint read) {
  if (rsp_row_has (rsp_bounds_lo (s->bounds, RSP_LEAF_RF, write), read))
    return FALSE;
  if (rsp_row_has (rsp_bounds_hi (s->bounds, RSP_LEAF_RF, write), read))
    rsp_bounds_exclude (s->bounds, RSP_LEAF_RF, write, read);
  return TRUE;
}

static gboolean apply_forced (Searcher *s) {
  for (guint i = 0; i < s->forced->len; i++) {
    RspForced pair = g_array_index (s->forced, RspForced, i);
    if (i % PAIRS_PER_LOOK == PAIRS_PER_LOOK - 1 && rsp_budget_is_exhausted (s->search->budget))
      return FALSE;
    gboolean possible;
    if (pair.leaf == RSP_LEAF_RF)
      possible = (pair.required ? decide_source : exclude_source) (s, pair.a, pair.b);
    else
      possible = (pair.required ? decide_order : exclude_order) (s, pair.leaf, pair.a, pair.b);
    if (!possible)
      return FALSE;
  }
  return TRUE;
}

gboolean propagate (Searcher *s) {
  for (guint why = PRUNED_BY_VALUES;; why = PRUNED_BY_FORCED) {
    if (!propagate_values (s))
      return prune (s, s->model->n_axioms + why);
    if (!rsp_bounds_update (s->bounds))
      return prune (s, rsp_bounds_broken (s->bounds));
    if (is_disabled (s, RSP_FEATURE_FORCE))
      return TRUE;
    g_array_set_size (s->forced, 0);
    rsp_bounds_force (s->bounds, s->forced);
    if (!s->forced->len)
      return TRUE;
    s->search->statistics->forced += s->forced->len;
    account_forced (s);
    if (!apply_forced (s))
      return prune (s, s->model->n_axioms + PRUNED_BY_FORCED);
  }
}

/* ---- Leaf ----------------------------------------------------------------------------------- */

/* Leaves: complete executions. They are built for queries that inspect executions, and for models
 * that depend on values which only a complete execution has. The axioms of such a model that do not
 * depend on these values prune the search as usual, and every remaining execution is judged as in
 * the naive engine, so nothing can be counted, memoised, or shared between threads. */

static RspMatrix *decided (const Searcher *s, guint leaf, RspArena *arena) {
  RspMatrix *relation = rsp_relation_new (arena, s->n);
  for (guint x = 0; x < s->n; x++)
    for (all_bits (y, rsp_bounds_lo (s->bounds, leaf, x), s->words))
      rsp_matrix_add (relation, x, y);
  return relation;
}

/* Builds the execution, in arena; everything is decided. */
static RspExecution complete_execution (const Searcher *s, RspArena *arena) {
  guint n_locations = s->pre->program->n_locations;
  guint n_observables = s->pre->program->n_observables;
  RspMatrix **orders = rsp_arena_new0 (arena, RspMatrix *, s->model->n_orders + 1);
  for (guint i = 0; i < s->model->n_orders; i++)
    orders[i] = decided (s, RSP_LEAF_ORDER + i, arena);
  return (RspExecution){ .pre = s->pre,
                         .rf = decided (s, RSP_LEAF_RF, arena),
                         .co = decided (s, RSP_LEAF_CO, arena),
                         .orders = orders,
                         .n_orders = s->model->n_orders,
                         .values = s->known->values,
                         .written = s->known->written,
                         .state = rsp_arena_new0 (arena, RspValue, n_observables + 1),
                         .last = rsp_arena_new0 (arena, guint, n_locations + 1),
                         .thin_air = s->known->solved && s->known->thin_air };
}

/* An execution with the searcher that found it. */
typedef struct Leaf {
  const Searcher *s;
  RspExecution execution;
} Leaf;

static void judge (gpointer data) {
  Leaf *leaf = data;
  RspSearch *search = leaf->s->search;
  RspExecution *execution = &leaf->execution;
  rsp_final_state (leaf->s->pre, execution->written, execution->last, execution->state);
  if (leaf->s->judges_leaves)
    rsp_search_judge (search, execution);
  else if (search_accepts (search, execution->state))
    search->leaf (search, execution, NULL);
}

/* ---- Branch --------------------------------------------------------------------------------- */

/* Branching: which open decision to take next. */

static gboolean is_rmw (const Searcher *s, guint event) {
  return s->pre->events[event]->kind == RSP_EVENT_RMW;
}

/* The number of writes before one in co. */
static guint n_before (const Searcher *s, guint write) {
  return rsp_row_count (rsp_bounds_inverse_lo (s->bounds, RSP_LEAF_CO, write), s->words);
}

/* The write that comes right before one of choice->set, if that is the next. */
static guint last_before (const Searcher *s, guint next) {
  const guint64 *before = rsp_bounds_inverse_lo (s->bounds, RSP_LEAF_CO, next);
  guint n = rsp_row_count (before, s->words);
  for (all_bits (write, before, s->words))
    if (n_before (s, write) + 1 == n)
      return write;
  return G_MAXUINT;
}

/* Leaves out read-modify-writes that cannot read the write that they would follow, if the model is
 * known to demand it. Propagation would find that out for each of them and each decision about
 * other reads before. No alternative may be left. */
static void drop_strayed_updates (const Searcher *s, Choice *choice) {
  RspScreen *screen = s->search->screen;
  if (!screen || is_disabled (s, RSP_FEATURE_UPDATES))
    return;
  for (all_bits (next, choice->set, s->words)) {
    guint last = is_rmw (s, next) ? last_before (s, next) : G_MAXUINT;
    if (last != G_MAXUINT && !rsp_row_has (rsp_bounded_candidates (s, next), last)
        && rsp_screen_updates_follow (screen, s->pre->events[next]->location))
      choice->set[next / 64] &= ~(G_GUINT64_CONSTANT (1) << (next % 64));
  }
}

/* rest: the elements of `set` that are not yet ordered with some other element of it; set: those of
 * them that may be the first. FALSE if there are none. */
static gboolean find_next (const Searcher *s, guint leaf, const RspMatrix *elements,
                           Choice *choice) {
  memset (choice->rest, 0, sizeof (guint64) * s->words);
  gboolean any = FALSE;
  for (all_bits (x, elements->bits, s->words)) {
    const guint64 *lo = rsp_bounds_lo (s->bounds, leaf, x),
                  *hi = rsp_bounds_hi (s->bounds, leaf, x);
    gboolean open = FALSE;
    for (guint w = 0; w < s->words; w++)
      open |= (hi[w] & ~lo[w] & elements->bits[w]) != 0;
    if (open)
      choice->rest[x / 64] |= G_GUINT64_CONSTANT (1) << (x % 64);
    any |= open;
  }
  if (!any)
    return FALSE;
  memcpy (choice->set, choice->rest, sizeof (guint64) * s->words);
  for (all_bits (x, choice->rest, s->words))
    for (guint w = 0; w < s->words; w++)
      if (rsp_bounds_inverse_lo (s->bounds, leaf, x)[w] & choice->rest[w])
        choice->set[x / 64] &= ~(G_GUINT64_CONSTANT (1) << (x % 64));
  choice->kind = CHOICE_NEXT;
  choice->leaf = leaf;
  if (leaf == RSP_LEAF_CO)
    drop_strayed_updates (s, choice);
  return TRUE;
}

static void set_pair (const Searcher *s, Choice *choice, guint read, guint other) {
  choice->read = read;
  choice->other = other;
  memset (choice->set, 0, sizeof (guint64) * s->words);
  choice->set[read / 64] |= G_GUINT64_CONSTANT (1) << (read % 64);
  choice->set[other / 64] |= G_GUINT64_CONSTANT (1) << (other % 64);
}

/* A pair of a partial order that is not decided; FALSE if there is none. */
static gboolean find_pair (const Searcher *s, guint leaf, const RspMatrix *elements,
                           Choice *choice) {
  for (all_bits (x, elements->bits, s->words))
    for (all_bits (y, rsp_bounds_hi (s->bounds, leaf, x), s->words))
      if (!rsp_row_has (rsp_bounds_lo (s->bounds, leaf, x), y)) {
        choice->kind = CHOICE_PAIR;
        choice->leaf = leaf;
        set_pair (s, choice, x, y);
        return TRUE;
      }
  return FALSE;
}

static gboolean find_open (const Searcher *s, guint leaf, const RspMatrix *elements,
                           Choice *choice) {
  return (s->related[leaf] ? find_pair : find_next) (s, leaf, elements, choice);
}

/* Kinds of reads, as bits. */
enum { LOADS = 1, UPDATES = 2 };

/* The last candidate in co, outside choice->rest, of a load that may also read from choice->rest;
 * G_MAXUINT if there is none. */
static guint last_settled (const Searcher *s, const Choice *choice, guint read) {
  guint settled = G_MAXUINT;
  gboolean waits = FALSE;
  if (is_rmw (s, read))
    return G_MAXUINT;
  for (all_bits (write, rsp_bounded_candidates (s, read), s->words))
    if (rsp_row_has (choice->rest, write))
      waits = TRUE;
    else if (settled == G_MAXUINT || n_before (s, write) > n_before (s, settled))
      settled = write;
  return waits ? settled : G_MAXUINT;
}

/* Of the open reads that may read from a write whose place in co is settled, while the places of
 * other writes they may read from (those of choice->rest) are not: the one whose last settled
 * candidate comes first. Read-modify-writes are left out: the next write decides them. */
static void find_settled_candidate (const Searcher *s, Choice *choice) {
  guint location = s->pre->events[rsp_next_bit (choice->rest, s->words, 0)]->location;
  guint earliest = G_MAXUINT;
  for (guint i = 0; i < s->pre->n_reads; i++) {
    guint read = s->pre->reads[i];
    guint settled
        = s->pre->events[read]->location == location ? last_settled (s, choice, read) : G_MAXUINT;
    if (settled == G_MAXUINT || n_before (s, settled) >= earliest)
      continue;
    earliest = n_before (s, settled);
    choice->kind = CHOICE_SPLIT;
    set_pair (s, choice, read, settled);
  }
}

/* Sweeps a contended location (open reads, several writes whose order is open) along its coherence:
 * which reads read from the writes placed so far, then which write is next. The residual problem
 * after each step depends on little of what came before, so the memo is most effective. kinds: of
 * the open reads that make a location contended. */
static gboolean choose_contended_location (const Searcher *s, guint kinds, Choice *choice) {
  const RspPreExecution *pre = s->pre;
  guint8 is_ordered[pre->program->n_locations + 1]; /* locations seen to be */
  memset (is_ordered, 0, sizeof is_ordered);
  for (guint i = 0; i < pre->n_reads; i++) {
    guint read = pre->reads[i], location = pre->events[read]->location;
    if (is_ordered[location] || !(kinds & (is_rmw (s, read) ? UPDATES : LOADS))
        || !is_open_read (s, read))
      continue;
    if (find_next (s, RSP_LEAF_CO, s->writes[location], choice)) {
      if (rsp_row_has_several (choice->set, s->words))
        find_settled_candidate (s, choice);
      return TRUE;
    }
    is_ordered[location] = TRUE;
  }
  return FALSE;
}

static gboolean set_read (const Searcher *s, Choice *choice, guint read) {
  if (read == G_MAXUINT)
    return FALSE;
  choice->kind = CHOICE_READ;
  choice->read = read;
  memcpy (choice->set, rsp_bounded_candidates (s, read), sizeof (guint64) * s->words);
  return TRUE;
}

/* The open read with the fewest candidates, of those that are the first of their threads: what is
 * left is then the end of each thread, whichever way its beginning went, and the memo knows it. */
static guint next_read (const Searcher *s) {
  guint fewest = G_MAXUINT, last = RSP_NO_THREAD, next = G_MAXUINT;
  for (guint i = 0; i < s->pre->n_reads; i++) {
    guint read = s->pre->reads[i], thread = s->pre->events[read]->thread;
    guint n = rsp_row_count (rsp_bounded_candidates (s, read), s->words);
    if (n > 1 && thread != last && n < fewest) {
      fewest = n;
      next = read;
    }
    last = n > 1 ? thread : last;
  }
  return next;
}

/* set and rest are the caller's, of s->words words each. CHOICE_SPLIT and CHOICE_PAIR have two
 * alternatives, `other` and `read`: one of them stands for "not" (SPLIT: read, PAIR: other).
 *
 * Sweeps help to settle axioms; once none is open, reads are decided first and the completions of
 * co are counted. First come locations for which open read-modify-writes contend: their order
 * determines what the threads get (a ticket, a lock, a task), and that determines what they may
 * read elsewhere. A partial coherence has no next write. */
static void branch_choose (Searcher *s, const Observed *observed, Choice *choice) {
  guint first = is_disabled (s, RSP_FEATURE_UPDATES) ? LOADS | UPDATES : UPDATES;
  choice->kind = CHOICE_NONE;
  if (set_read (s, choice, demand_next_read (s, observed)))
    return;
  if (!is_disabled (s, RSP_FEATURE_BRANCH) && has_open_axiom (s) && !s->related[RSP_LEAF_CO]
      && (choose_contended_location (s, first, choice)
          || choose_contended_location (s, (LOADS | UPDATES) & ~first, choice)))
    return;
  if (set_read (s, choice, next_read (s)))
    return;
  for (guint i = 0; i < s->pre->program->n_locations; i++)
    if (find_open (s, RSP_LEAF_CO, s->writes[i], choice))
      return;
  for (guint i = 0; i < s->model->n_orders; i++)
    if (find_open (s, RSP_LEAF_ORDER + i, s->model->orders[i].set, choice))
      return;
}

static gboolean branch_take (Searcher *s, const Choice *choice, guint alternative) {
  if (choice->kind == CHOICE_SPLIT && alternative == choice->read) {
    rsp_bounds_exclude (s->bounds, RSP_LEAF_RF, choice->other, choice->read);
    return TRUE;
  }
  if (choice->kind == CHOICE_READ || choice->kind == CHOICE_SPLIT)
    return decide_source (s, alternative, choice->read);
  if (choice->kind == CHOICE_PAIR)
    return alternative == choice->read
               ? decide_order (s, choice->leaf, choice->read, choice->other)
               : exclude_order (s, choice->leaf, choice->read, choice->other);
  for (all_bits (other, choice->rest, s->words))
    if (other != alternative && !decide_order (s, choice->leaf, alternative, other))
      return FALSE;
  return TRUE;
}

/* The alternatives of a choice, first to last; helpers use other orders, so that searchers meet in
 * the memo rather than at every node. Returns their number; alternatives has room for all. */
static guint branch_line_up (const Searcher *s, const Choice *choice, guint *alternatives) {
  guint n = 0;
  for (all_bits (alternative, choice->set, s->words))
    alternatives[n++] = alternative;
  for (guint i = 0; s->number % 2 && i < n / 2; i++) {
    guint last = alternatives[n - 1 - i];
    alternatives[n - 1 - i] = alternatives[i];
    alternatives[i] = last;
  }
  if (s->number < 2 || n < 2)
    return n;
  guint64 turn
      = (s->search->statistics->nodes * 64 + s->number) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  guint swap = (guint) (turn >> 33) % n, first = alternatives[0];
  alternatives[0] = alternatives[swap];
  alternatives[swap] = first;
  return n;
}

/* ---- Bounded -------------------------------------------------------------------------------- */

/* The bounded engine: depth-first over open decisions, refreshing the model's bounds after each.
 *
 * At a node: propagate to a fixpoint; stop if no completion remains; look up the residual problem;
 * otherwise branch. Once no axiom is open and all reads are decided, the completions are counted. A
 * node's results are about the observables that are open there; the parent adds the values that its
 * child knows. */

static RspResults *explore (Searcher *s, const Observed *observed, gboolean undefined);

/* ---- Nodes ---- */
/* Propagates. If all reads are decided, the remaining values are in cycles, which are solved. */
static gboolean enter (Searcher *s) {
  return propagate (s) && (!reads_are_decided (s) || known_is_whole (s) || known_solve_circles (s));
}

/* Adds a child's results to its parent's, whose open observables are its columns. */
static void absorb (Searcher *s, const Observed *parent, RspResults *results, const Observed *child,
                    const RspResults *found) {
  gboolean undefined = flags_are_undefined (s);
  guint32 flags = flags_known (s);
  /* A row of the parent with the values that only the child knows, and the columns that both have.
   */
  guint32 values[parent->n_open + 1];
  guint to[parent->n_open + 1], from[parent->n_open + 1], n = 0;
  for (guint i = 0, j = 0; i < parent->n_open; i++) {
    values[i] = child->value[parent->open[i]];
    while (j < child->n_open && child->open[j] < parent->open[i])
      j++;
    if (j == child->n_open || child->open[j] != parent->open[i])
      continue;
    to[n] = i;
    from[n++] = j;
  }
  gboolean differ = rsp_results_begin_batch (results, values) && n == child->n_open;
  for (guint row = 0; row < found->n && may_pass_on (s, row); row++) {
    for (guint i = 0; i < n; i++)
      values[to[i]] = found->values[(gsize) row * found->width + from[i]];
    RspCount executions = found->executions[row];
    guint own
        = differ ? rsp_results_append (results, values) : rsp_results_obtain (results, values);
    rsp_results_count (results, own, executions,
                       undefined ? executions : rsp_results_n_undefined (found, row),
                       found->flags[row] | flags);
    if (!s->pre->program->filter)
      s->raised |= found->flags[row] | flags;
  }
  rsp_results_end_batch (results);
  if (rsp_results_size (results) > s->search->budget->max_memory)
    rsp_budget_end (s->search->budget, RSPCHECK_STOP_MEMORY);
}

static void search_alternative (Searcher *s, const Observed *observed, const Choice *choice,
                                guint alternative, RspResults *results) {
  JOURNAL (s, decision, choice, alternative);
  guint values = searcher_push (s);
  if (branch_take (s, choice, alternative) && enter (s)) {
    guint n = s->pre->program->n_observables;
    guint32 value[n + 1];
    guint open[n + 1];
    Observed own = { .value = value, .open = open };
    observe (s, &own);
    if (is_relevant (s, &own)) {
      g_autoptr (RspResults) found = explore (s, &own, flags_are_undefined (s));
      if (found->n)
        absorb (s, observed, results, &own, found);
    }
  }
  searcher_pop (s, values);
}

/* Without counts: is one completion enough, since all have the same state and flags? */
static gboolean one_suffices (const Searcher *s, const Observed *observed) {
  gboolean same = s->search->skips_counts && !observed->n_open;
  for (guint i = 0; same && i < s->model->n_axioms; i++)
    same
        = s->model->axioms[i].role == RSPCHECK_ROLE_AXIOM || !rsp_bounds_is_followed (s->bounds, i);
  return same;
}

/* With exchangeable threads, only one of several alternatives that differ just in their names is
 * searched. */
static void branch_on_classes (Searcher *s, const Observed *observed, const Choice *choice,
                               RspResults *results) {
  guint alternatives[rsp_row_count (choice->set, s->words) + 1];
  g_autofree guint *twin = g_new (guint, s->n);
  guint n = branch_line_up (s, choice, alternatives);
  const gboolean one = one_suffices (s, observed);
  twins_find (s, choice, twin);
  for (guint i = 0; i < n && !is_finished (s) && !(one && results->n); i++) {
    guint searched = alternatives[i];
    if (twin[searched] != searched)
      continue;
    RspResults *own = rsp_results_new (observed->n_open);
    search_alternative (s, observed, choice, searched, own);
    for (guint row = 0; row < own->n && may_pass_on (s, row); row++) {
      /* Rows without values have no table of them. */
      const guint32 *values = own->width ? own->values + (gsize) row * own->width : NULL;
      rsp_results_add (results, values, own->executions[row], rsp_results_n_undefined (own, row),
                       own->flags[row]);
    }
    for (all_bits (other, choice->set, s->words))
      if (other != searched && twin[other] == searched) {
        /* A twin has the same results, with the registers of the two threads exchanged. */
        guint a = s->pre->events[searched]->thread, b = s->pre->events[other]->thread;
        guint from[observed->n_open + 1];
        guint32 values[observed->n_open + 1];
        for (guint j = 0; j < observed->n_open; j++)
          from[j] = swapped_place (s, observed, j, a, b);
        for (guint row = 0; row < own->n && may_pass_on (s, row); row++) {
          for (guint j = 0; j < observed->n_open; j++)
            values[j] = own->values[(gsize) row * own->width + from[j]];
          rsp_results_add (results, values, own->executions[row],
                           rsp_results_n_undefined (own, row), own->flags[row]);
        }
      }
    rsp_results_unref (own);
  }
}

/* Adds the completions of this node if open orders matter to no axiom. Otherwise FALSE. */
static gboolean count_open_orders (Searcher *s, const Observed *observed, gboolean undefined,
                                   RspResults *results) {
  return !is_disabled (s, RSP_FEATURE_COUNT) && !has_open_axiom (s) && reads_are_decided (s)
         && count_completions (s, observed, undefined, results);
}

/* The results of this node are there: keeps the relevant ones; none if the search has ended
 * meanwhile, when they may be wrong. */
static void end_node (Searcher *s, const Observed *observed, RspResults **results) {
  s->search->statistics->leaves++;
  if (rsp_budget_stop (s->search->budget) == RSPCHECK_STOP_TIMEOUT) {
    rsp_results_unref (*results);
    *results = rsp_results_new (observed->n_open);
  }
  *results = keep_relevant (s, observed, *results);
  s->answered |= (*results)->n && rsp_bounded_ends_at_first (s) && s->number == 0;
}

/* If everything is decided, or total orders are open that matter to no axiom, adds the results of
 * this node. Otherwise FALSE. */
static gboolean finish (Searcher *s, const Observed *observed, gboolean undefined, ChoiceKind kind,
                        RspResults **results) {
  if (kind == CHOICE_NONE && (s->judges_leaves || s->search->leaf)) {
    /* Judge the execution under the whole model, or pass it to the search's leaf. */
    g_autoptr (RspArena) arena = rsp_arena_new_within (s->search->budget);
    Leaf leaf = { .s = s, .execution = complete_execution (s, arena) };
    for (guint i = 0; i < s->pre->program->n_observables; i++)
      if (s->pre->program->observables[i].is_register)
        observe_one (s, i, &leaf.execution.state[i]);
    rsp_final_writes_each (s->pre, leaf.execution.co, leaf.execution.last, judge, &leaf);
    return TRUE;
  }
  if (kind == CHOICE_NONE) {
    g_assert (!has_open_axiom (s));
    count_final_writes (s, observed, undefined, *results);
  } else if (kind != CHOICE_NEXT || !count_open_orders (s, observed, undefined, *results))
    return FALSE;
  end_node (s, observed, results);
  return TRUE;
}

/* Counts the completions of partial orders, which takes longer than to look into the memo, or
 * branches. */
static void complete (Searcher *s, const Observed *observed, gboolean undefined,
                      const Choice *choice, RspResults **results) {
  if (choice->kind == CHOICE_PAIR && count_open_orders (s, observed, undefined, *results)) {
    end_node (s, observed, results);
    return;
  }
  if (s->search->class) {
    branch_on_classes (s, observed, choice, *results);
    return;
  }
  guint alternatives[rsp_row_count (choice->set, s->words) + 1];
  guint n = branch_line_up (s, choice, alternatives);
  const gboolean one = one_suffices (s, observed);
  for (guint i = 0; i < n && !is_finished (s) && !(one && (*results)->n); i++)
    search_alternative (s, observed, choice, alternatives[i], *results);
}

static RspResults *explore (Searcher *s, const Observed *observed, gboolean undefined) {
  RspResults *results = rsp_results_new (observed->n_open);
  s->search->statistics->nodes++;
  if (!search_tick (s->search))
    return results;
  if (s->crew)
    crew_call (s->crew);
  /* Stop following axioms whose truth would change nothing: those of a flag that is already raised,
   * and requirements if the execution violates another one whose flag is raised. */
  for (guint i = 0; i < s->model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &s->model->axioms[i];
    if (axiom->role == RSPCHECK_ROLE_AXIOM || axiom->role == RSPCHECK_ROLE_ASSERT)
      continue;
    gboolean raised = s->raised & 1u << axiom->flag;
    if (s->search->exists_only || (raised && (axiom->role == RSPCHECK_ROLE_FLAG || undefined)))
      rsp_bounds_drop (s->bounds, i);
  }
  guint64 set[s->words], rest[s->words];
  Choice choice = { .set = set, .rest = rest };
  branch_choose (s, observed, &choice);
  if (finish (s, observed, undefined, choice.kind, &results)) {
    JOURNAL (s, results, FALSE, results);
    return results;
  }
  /* If there is only one alternative, its node is looked up instead of this one. */
  if (!s->shared->common->memo
      || (choice.kind == CHOICE_NEXT && rsp_row_count (choice.set, s->words) <= 1)) {
    complete (s, observed, undefined, &choice, &results);
    return results;
  }
  RspHash key = key_of_node (s, observed, undefined);
  RspResults *known = memo_find (s, observed, key);
  if (known) {
    s->search->statistics->memo_hits++;
    JOURNAL (s, results, TRUE, known);
    rsp_results_unref (results);
    return known;
  }
  complete (s, observed, undefined, &choice, &results);
  /* If the first execution ends the search, it must be the same one whichever thread finds it: the
   * memo records only that there is none. The root of a search that has the memo for itself never
   * comes again. */
  gboolean alone = s->depth == 0 && s->shared->is_own && !s->crew;
  if (!alone && !is_finished (s) && !(results->n && rsp_bounded_ends_at_first (s)))
    memo_store (s, observed, key, results);
  return results;
}

/* ---- The whole ---- */
/* The whole search, with what is known at its root. NULL if there are no completions. Incomplete if
 * the search ended early. */
static RspResults *explore_root (Searcher *s, Observed *observed) {
  if (!propagate_begin (s))
    return NULL;
  known_mark_constants (s);
  demand_open (s);
  if (!enter (s))
    return NULL;
  guint n = s->pre->program->n_observables + 1;
  observed->value = rsp_arena_new0 (s->arena, guint32, n);
  observed->open = rsp_arena_new0 (s->arena, guint, n);
  observe (s, observed);
  return is_relevant (s, observed) ? explore (s, observed, flags_are_undefined (s)) : NULL;
}

/* Searches under one staged model. FALSE if bounds cannot handle it and there is budget left for
 * another engine. */
static gboolean search_model (RspSearch *search, const RspStagedModel *model,
                              gboolean judges_leaves) {
  Shared shared = { 0 };
  Searcher s = { .search = search,
                 .pre = search->pre,
                 .model = model,
                 .shared = &shared,
                 .judges_leaves = judges_leaves };
  if (model->n_flags > MAX_FLAGS)
    return FALSE;
  if (!searcher_open (&s))
    return rsp_budget_is_exhausted (search->budget);
  key_open (&s);
  /* Uses the memo of the check if there is one that has room; otherwise the searchers have a memo
   * of their own. */
  RspCommon *common = search->common;
  gboolean remembers = !is_disabled (&s, RSP_FEATURE_MEMO);
  shared.is_own
      = !remembers || !common || memo_is_full (common->memo) || !naming_open (&s, common->names);
  gsize size = search->budget->max_memory / (common ? 4 : 2);
  shared.common = shared.is_own ? rsp_common_new (NULL, remembers ? size : 0) : common;
  s.journal = search->options->journal;
  JOURNAL (&s, begin, s.n);
  s.crew = crew_new (&s, explore_root);
  Observed observed;
  RspResults *results = explore_root (&s, &observed);
  if (s.crew)
    results = crew_end (s.crew, results);
  if (results)
    deliver (&s, &observed, results, flags_are_undefined (&s), flags_known (&s));
  rsp_results_unref (results);
  crew_free (s.crew);
  search_report_divergence (search, model->dag);
  account_report (&s);
  searcher_close (&s);
  if (shared.is_own)
    rsp_common_free (shared.common);
  return TRUE;
}

void rsp_search_bounded (RspSearch *search, const RspStaging *staging) {
  if (staging->needs_execution) {
    RspCheckOptions options = *search->options;
    options.disabled |= RSP_FEATURE_MEMO | RSP_FEATURE_COUNT;
    RspSearch judging = *search;
    judging.options = &options;
    judging.pool = NULL;
    judging.class = NULL;
    if (staging->known && search_model (&judging, staging->known, TRUE)) {
      search->thin_air |= judging.thin_air;
      search->found |= judging.found;
    } else
      rsp_search_naive (search, staging);
    return;
  }
  for (guint i = 0; i < staging->n_models; i++)
    if (!search_model (search, staging->models[i], FALSE)) {
      RspStaging one = { .models = &staging->models[i], .n_models = 1 };
      rsp_search_naive (search, &one);
    }
}
