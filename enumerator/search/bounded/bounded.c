/* The bounded engine: depth-first over open decisions, refreshing the model's bounds after each.
 *
 * At a node: propagate to a fixpoint; stop if no completion remains; look up the residual problem;
 * otherwise branch. Once no axiom is open and all reads are decided, the completions are counted. A
 * node's results are about the observables that are open there; the parent adds the values that its
 * child knows. */
#include "enumerator/search/bounded/bounded.h"
#include "enumerator/search/bounded/report/account.h"
#include "enumerator/search/bounded/branch.h"
#include "enumerator/search/bounded/count.h"
#include "enumerator/search/bounded/flags.h"
#include "enumerator/search/bounded/report/journal.h"
#include "enumerator/search/bounded/leaf.h"
#include "enumerator/search/bounded/propagate.h"
#include "enumerator/search/bounded/share/common.h"
#include "enumerator/search/bounded/share/crew.h"
#include "enumerator/search/bounded/share/key.h"
#include "enumerator/search/bounded/share/naming.h"
#include "enumerator/search/bounded/twins.h"
#include "enumerator/search/bounded/values/deliver.h"
#include "enumerator/search/bounded/values/demand.h"
#include "enumerator/search/bounded/values/known.h"
#include "enumerator/search/bounded/values/relevance.h"
#include "enumerator/search/naive/naive.h"
#include "enumerator/search/recursion.h"

static RspResults *explore (Searcher *s, const Observed *observed, gboolean undefined);

/* ---- Nodes ---- */

/* Propagates. If all reads are decided, the remaining values are in cycles, which are solved. */
static gboolean enter (Searcher *s) {
  if (!propagate (s))
    return FALSE;
  return !reads_are_decided (s) || known_is_whole (s) || known_solve_circles (s);
}

/* How the rows of a child become rows of its parent, whose open observables are its columns. */
typedef struct Passage {
  guint32 *values; /* a row of the parent, with the values that only the child knows */
  guint n;
  guint *to, *from; /* columns that both have */
} Passage;

static void find_passage (const Observed *parent, const Observed *child, Passage *passage) {
  passage->n = 0;
  for (guint i = 0, j = 0; i < parent->n_open; i++) {
    passage->values[i] = child->value[parent->open[i]];
    while (j < child->n_open && child->open[j] < parent->open[i])
      j++;
    if (j == child->n_open || child->open[j] != parent->open[i])
      continue;
    passage->to[passage->n] = i;
    passage->from[passage->n++] = j;
  }
}

/* Adds a child's results to its parent's. */
static void absorb (Searcher *s, const Observed *parent, RspResults *results, const Observed *child,
                    const RspResults *found) {
  gboolean undefined = flags_are_undefined (s);
  guint32 flags = flags_known (s);
  guint32 values[parent->n_open + 1];
  guint to[parent->n_open + 1], from[parent->n_open + 1];
  Passage passage = { .values = values, .to = to, .from = from };
  find_passage (parent, child, &passage);
  gboolean differ = rsp_results_begin_batch (results, values) && passage.n == child->n_open;
  for (guint row = 0; row < found->n && may_pass_on (s, row); row++) {
    for (guint i = 0; i < passage.n; i++)
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

/* Takes one alternative of a choice. */
static void try_alternative (Searcher *s, const Observed *parent, RspResults *results) {
  if (!enter (s))
    return;
  guint n = s->pre->program->n_observables;
  guint32 value[n + 1];
  guint open[n + 1];
  Observed observed = { .value = value, .open = open };
  observe (s, &observed);
  if (!is_relevant (s, &observed))
    return;
  g_autoptr (RspResults) found = explore (s, &observed, flags_are_undefined (s));
  if (found->n)
    absorb (s, parent, results, &observed, found);
}

static void search_alternative (Searcher *s, const Observed *observed, const Choice *choice,
                                guint alternative, RspResults *results) {
  JOURNAL (s, decision, choice, alternative);
  guint values = searcher_push (s);
  if (branch_take (s, choice, alternative))
    try_alternative (s, observed, results);
  searcher_pop (s, values);
}

static void add_all (Searcher *s, const RspResults *from, RspResults *to) {
  for (guint row = 0; row < from->n && may_pass_on (s, row); row++) {
    /* Rows without values have no table of them. */
    const guint32 *values = from->width ? from->values + (gsize) row * from->width : NULL;
    rsp_results_add (to, values, from->executions[row], rsp_results_n_undefined (from, row),
                     from->flags[row]);
  }
}

/* With exchangeable threads, only one of several alternatives that differ just in their names is
 * searched. */
static void branch_on_classes (Searcher *s, const Observed *observed, const Choice *choice,
                               RspResults *results) {
  guint alternatives[rsp_row_count (choice->set, s->words) + 1];
  g_autofree guint *twin = g_new (guint, s->n);
  guint n = branch_line_up (s, choice, alternatives);
  twins_find (s, choice, twin);
  for (guint i = 0; i < n && !is_finished (s); i++) {
    guint searched = alternatives[i];
    if (twin[searched] != searched)
      continue;
    RspResults *own = rsp_results_new (observed->n_open);
    search_alternative (s, observed, choice, searched, own);
    add_all (s, own, results);
    for (all_bits (other, choice->set, s->words))
      if (other != searched && twin[other] == searched)
        twins_add (s, observed, searched, other, own, results);
    rsp_results_unref (own);
  }
}

static void branch (Searcher *s, const Observed *observed, const Choice *choice,
                    RspResults *results) {
  if (s->search->class) {
    branch_on_classes (s, observed, choice, results);
    return;
  }
  guint alternatives[rsp_row_count (choice->set, s->words) + 1];
  guint n = branch_line_up (s, choice, alternatives);
  for (guint i = 0; i < n && !is_finished (s); i++)
    search_alternative (s, observed, choice, alternatives[i], results);
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
    leaf_judge (s);
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
static void count_or_branch (Searcher *s, const Observed *observed, gboolean undefined,
                             const Choice *choice, RspResults **results) {
  if (choice->kind == CHOICE_PAIR && count_open_orders (s, observed, undefined, *results))
    end_node (s, observed, results);
  else
    branch (s, observed, choice, *results);
}

/* Is there no more than one alternative? Then its node can be looked up instead of this one. */
static gboolean is_forced (const Searcher *s, const Choice *choice) {
  return choice->kind == CHOICE_NEXT && rsp_row_count (choice->set, s->words) <= 1;
}

static RspResults *explore (Searcher *s, const Observed *observed, gboolean undefined) {
  RspResults *results = rsp_results_new (observed->n_open);
  s->search->statistics->nodes++;
  if (!search_tick (s->search))
    return results;
  if (s->crew)
    crew_call (s->crew);
  flags_drop_idle_axioms (s, undefined);
  guint64 set[s->words], rest[s->words];
  Choice choice = { .set = set, .rest = rest };
  branch_choose (s, observed, &choice);
  if (finish (s, observed, undefined, choice.kind, &results)) {
    JOURNAL (s, results, FALSE, results);
    return results;
  }
  if (!s->shared->memo || is_forced (s, &choice)) {
    count_or_branch (s, observed, undefined, &choice, &results);
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
  count_or_branch (s, observed, undefined, &choice, &results);
  /* If the first execution ends the search, it must be the same one whichever thread finds it: the
   * memo records only that there is none. The root of a search that has the memo for itself never
   * comes again. */
  gboolean alone = s->depth == 0 && s->shared->own && !s->crew;
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

static void search_root (Searcher *s) {
  Observed observed;
  RspResults *results = explore_root (s, &observed);
  if (s->crew)
    results = crew_end (s->crew, results);
  if (results)
    deliver (s, &observed, results, flags_are_undefined (s), flags_known (s));
  rsp_results_unref (results);
}

/* Uses the memo of the check if there is one that has room; otherwise the searchers have a memo of
 * their own. */
static void open_shared (Searcher *s) {
  const RspSearch *search = s->search;
  RspCommon *common = search->common;
  gboolean remembers = !is_disabled (s, RSP_FEATURE_MEMO);
  if (remembers && common && !memo_is_full (common->memo) && naming_open (s, common->names)) {
    *s->shared = (Shared){ .memo = common->memo, .numbers = common->numbers };
    return;
  }
  gsize size = search->budget->max_memory / (common ? 4 : 2);
  RspCommon *own = rsp_common_new (NULL, remembers ? size : 0);
  *s->shared = (Shared){ .memo = own->memo, .numbers = own->numbers, .own = own };
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
  open_shared (&s);
  s.journal = search->options->journal;
  JOURNAL (&s, begin, s.n);
  s.crew = crew_new (&s, explore_root);
  search_root (&s);
  crew_free (s.crew);
  search_report_divergence (search, model->dag);
  account_report (&s);
  searcher_close (&s);
  rsp_common_free (shared.own);
  return TRUE;
}

/* FALSE if nothing is known without an execution. */
static gboolean search_judging_leaves (RspSearch *search, const RspStaging *staging) {
  RspCheckOptions options = *search->options;
  options.disabled |= RSP_FEATURE_MEMO | RSP_FEATURE_COUNT;
  RspSearch judging = *search;
  judging.options = &options;
  judging.pool = NULL;
  judging.class = NULL;
  if (!staging->known || !search_model (&judging, staging->known, TRUE))
    return FALSE;
  search->thin_air |= judging.thin_air;
  search->found |= judging.found;
  return TRUE;
}

void rsp_search_bounded (RspSearch *search, const RspStaging *staging) {
  if (staging->needs_execution) {
    if (!search_judging_leaves (search, staging))
      rsp_search_naive (search, staging);
    return;
  }
  for (guint i = 0; i < staging->n_models; i++)
    if (!search_model (search, staging->models[i], FALSE)) {
      RspStaging one = { .models = &staging->models[i], .n_models = 1 };
      rsp_search_naive (search, &one);
    }
}
