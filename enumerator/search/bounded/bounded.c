/* The bounded engine: depth-first over open decisions, asking the model's bounds after each.
 *
 * At a node: propagate to a fixpoint; stop if no completion is left; look the residual problem up;
 * else branch. Once no axiom is open and all reads are decided, what is left is counted. A node's
 * results speak of the observables that are open there; the parent adds the values that its child
 * knew. */
#include "enumerator/search/bounded/bounded.h"
#include "enumerator/search/bounded/branch.h"
#include "enumerator/search/bounded/count.h"
#include "enumerator/search/bounded/share/crew.h"
#include "enumerator/search/bounded/journal.h"
#include "enumerator/search/bounded/leaf.h"
#include "enumerator/search/bounded/demand.h"
#include "enumerator/search/bounded/share/memo.h"
#include "enumerator/search/bounded/propagate.h"
#include "enumerator/search/bounded/searcher.h"
#include "enumerator/search/bounded/twins.h"
#include "enumerator/search/bounded/relevance.h"
#include "enumerator/search/prunings.h"
#include "enumerator/search/naive.h"
#include "enumerator/search/recursion.h"
#include "enumerator/terms/evaluate.h"

#include <string.h>

/* Pseudo-flags above those of the model. */
enum
{
  FLAG_THIN_AIR = 31,
  FLAG_ASSERTION = 30,
  MAX_FLAGS = 30
};

static RspResults *explore (Bounded *s, const Observed *observed, gboolean undefined);

/* ---- Values of observables ---- */

/* The co-last write of a location, or G_MAXUINT while several may be. */
static guint
last_write (const Bounded *s, guint location)
{
  const RspMatrix *writes = s->writes[location];
  guint last = G_MAXUINT;
  for (all_bits (x, writes->bits, s->words))
    {
      if (!bounded_may_be_last (s, writes, x))
        continue;
      if (last != G_MAXUINT)
        return G_MAXUINT;
      last = x;
    }
  return last;
}

gboolean
rsp_bounded_observe_one (const Bounded *s, guint i, RspValue *value)
{
  const RspPreExecution *pre = s->pre;
  const RspObservable *observable = &pre->program->observables[i];
  if (observable->is_register && s->n_undetermined)
    {
      *value = s->registers[i];
      return TRUE;
    }
  if (observable->is_register)
    {
      guint first = pre->first[observable->thread];
      const RspTerm *term = pre->paths[observable->thread]->finals[observable->reg];
      return rsp_term_evaluate_partial (term, s->values + first, s->value_known + first, value);
    }
  if (pre->initial[observable->location] == G_MAXUINT)
    {
      *value = (RspValue){ .bits = pre->program->locations[observable->location].initial };
      return TRUE;
    }
  guint last = last_write (s, observable->location);
  if (last == G_MAXUINT || !s->written_known[last])
    return FALSE;
  *value = s->written[last];
  return TRUE;
}

static void
observe (Bounded *s, Observed *observed)
{
  const RspProgram *program = s->pre->program;
  observed->n_open = 0;
  for (guint i = 0; i < program->n_observables; i++)
    {
      RspValue value;
      if (rsp_bounded_observe_one (s, i, &value))
        observed->value[i] = bounded_value_id (s, value);
      else
        {
          observed->value[i] = RSP_UNSEEN;
          observed->open[observed->n_open++] = i;
        }
    }
}

/* ---- What the axioms say ---- */

/* Flags that every completion of this node raises. */
static guint32
known_flags (const Bounded *s)
{
  guint32 flags = s->n_undetermined ? 1u << FLAG_THIN_AIR : 0;
  for (guint i = 0; i < s->model->n_axioms; i++)
    {
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

static gboolean
is_undefined (const Bounded *s)
{
  for (guint i = 0; i < s->model->n_axioms; i++)
    if (s->model->axioms[i].role == RSPCHECK_ROLE_UNDEFINED_UNLESS
        && rsp_bounds_axiom (s->bounds, i) == RSP_FAILS)
      return TRUE;
  return FALSE;
}

/* Axioms whose answer would change nothing are followed no longer: a flag that is raised already,
 * and a requirement when the execution breaks another and its flag is raised. */
static void
drop_idle_axioms (Bounded *s, gboolean undefined)
{
  for (guint i = 0; i < s->model->n_axioms; i++)
    {
      const RspStagedAxiom *axiom = &s->model->axioms[i];
      if (axiom->role == RSPCHECK_ROLE_AXIOM || axiom->role == RSPCHECK_ROLE_ASSERT)
        continue;
      gboolean raised = s->raised & 1u << axiom->flag;
      if (s->search->exists_only || (raised && (axiom->role == RSPCHECK_ROLE_FLAG || undefined)))
        rsp_bounds_drop (s->bounds, i);
    }
}

/* ---- Nodes ---- */

static gboolean
reads_decided (const Bounded *s)
{
  for (guint i = 0; i < s->pre->n_reads; i++)
    if (rsp_row_count (rsp_bounded_candidates (s, s->pre->reads[i]), s->words) > 1)
      return FALSE;
  return TRUE;
}

static gboolean
values_known (const Bounded *s)
{
  for (guint i = 0; i < s->pre->n_reads; i++)
    if (!s->value_known[s->pre->reads[i]])
      return FALSE;
  return TRUE;
}

/* Propagates; when all reads are decided, values left are in circles and are solved. */
static gboolean
enter (Bounded *s)
{
  if (!bounded_propagate (s))
    return FALSE;
  return !reads_decided (s) || values_known (s) || bounded_solve_circles (s);
}

static gboolean
is_finished (const Bounded *s)
{
  return s->answered || g_atomic_int_get (&s->shared->done)
         || rsp_budget_stop (s->search->budget) != RSPCHECK_STOP_COMPLETE;
}

static void
raise_flags (Bounded *s, guint32 flags)
{
  RspSearch *search = s->search;
  for (guint i = 0; i < s->model->n_flags; i++)
    if (flags & 1u << i)
      rsp_flags_raise (search->flags, s->model->flags[i]);
  search->thin_air |= (flags >> FLAG_THIN_AIR) & 1;
  if (!(flags & 1u << FLAG_ASSERTION) || rsp_budget_stop (search->budget) == RSPCHECK_STOP_ERROR)
    return;
  for (guint i = 0; i < s->model->n_axioms; i++)
    if (s->model->axioms[i].role == RSPCHECK_ROLE_ASSERT)
      rsp_error (search->diagnostics, s->model->axioms[i].span, NULL,
                 "the model's assertion fails on an execution of test %s", s->pre->program->name);
  rsp_budget_end (search->budget, RSPCHECK_STOP_ERROR);
}

/* Hands a node's results over as states of the program. */
static void
deliver (Bounded *s, const Observed *observed, const RspResults *results, gboolean undefined,
         guint32 flags)
{
  const RspProgram *program = s->pre->program;
  g_autofree RspValue *state = g_new0 (RspValue, program->n_observables + 1);
  for (guint row = 0; row < results->n && bounded_may_add (s, row); row++)
    {
      for (guint i = 0; i < program->n_observables; i++)
        if (observed->value[i] != RSP_UNSEEN)
          state[i] = *bounded_value (s, observed->value[i]);
      for (guint i = 0; i < observed->n_open; i++)
        state[observed->open[i]]
            = *bounded_value (s, results->values[(gsize) row * results->width + i]);
      if (!rsp_search_accepts (s->search, state))
        continue;
      RspCount executions = results->executions[row];
      rsp_search_record (s->search, state, NULL, executions,
                         undefined ? executions : results->n_undefined[row]);
      if (!s->search->exists_only)
        raise_flags (s, results->flags[row] | flags);
    }
}

/* Adds a child's results to its parent's, with what the child knew and the parent did not. */
static void
absorb (Bounded *s, const Observed *parent, RspResults *results, const Observed *child,
        const RspResults *found)
{
  gboolean undefined = is_undefined (s);
  guint32 flags = known_flags (s);
  guint from[parent->n_open
             + 1]; /* per open observable of the parent: its column in the child's rows */
  guint32 values[parent->n_open + 1];
  for (guint i = 0, j = 0; i < parent->n_open; i++)
    {
      while (j < child->n_open && child->open[j] < parent->open[i])
        j++;
      gboolean open = j < child->n_open && child->open[j] == parent->open[i];
      from[i] = open ? j : G_MAXUINT;
      values[i] = child->value[parent->open[i]];
    }
  for (guint row = 0; row < found->n && bounded_may_add (s, row); row++)
    {
      for (guint i = 0; i < parent->n_open; i++)
        if (from[i] != G_MAXUINT)
          values[i] = found->values[(gsize) row * found->width + from[i]];
      RspCount executions = found->executions[row];
      rsp_results_add (results, values, executions,
                       undefined ? executions : found->n_undefined[row], found->flags[row] | flags);
      if (!s->pre->program->filter)
        s->raised |= found->flags[row] | flags;
    }
  if (rsp_results_size (results) > s->search->budget->max_memory)
    rsp_budget_end (s->search->budget, RSPCHECK_STOP_MEMORY);
}

/* One alternative of a choice, taken. */
static void
try_alternative (Bounded *s, const Observed *parent, RspResults *results)
{
  if (!enter (s))
    return;
  guint n = s->pre->program->n_observables;
  guint32 value[n + 1];
  guint open[n + 1];
  Observed observed = { .value = value, .open = open };
  observe (s, &observed);
  if (!bounded_is_relevant (s, &observed))
    return;
  RspResults *found = explore (s, &observed, is_undefined (s));
  if (found->n)
    absorb (s, parent, results, &observed, found);
  rsp_results_unref (found);
}

static void
search_alternative (Bounded *s, const Observed *observed, const Choice *choice, guint alternative,
                    RspResults *results)
{
  guint values = s->value_trail->len;
  JOURNAL (s, decision, choice, alternative);
  s->depth++;
  rsp_bounds_push (s->bounds);
  if (bounded_take (s, choice, alternative))
    try_alternative (s, observed, results);
  rsp_bounds_pop (s->bounds);
  bounded_undo_values (s, values);
  s->depth--;
}

static void
add_all (Bounded *s, const RspResults *from, RspResults *to)
{
  for (guint row = 0; row < from->n && bounded_may_add (s, row); row++)
    {
      /* Rows without values have no table of them. */
      const guint32 *values = from->width ? from->values + (gsize) row * from->width : NULL;
      rsp_results_add (to, values, from->executions[row], from->n_undefined[row], from->flags[row]);
    }
}

/* The alternatives of a choice, first to last; helpers go other ways round, so that searchers meet
 * in the memo and not at every node. Gives how many. */
static guint
line_up (const Bounded *s, const Choice *choice, guint *alternatives)
{
  guint n = 0;
  for (all_bits (alternative, choice->set, s->words))
    alternatives[n++] = alternative;
  for (guint i = 0; s->number % 2 && i < n / 2; i++)
    {
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

/* For each alternative its first twin among those of the set; itself if it has none before it. The
 * same for every searcher, whatever its order. */
static void
find_twins (const Bounded *s, const Choice *choice, guint *twin)
{
  for (all_bits (alternative, choice->set, s->words))
    {
      twin[alternative] = alternative;
      for (all_bits (other, choice->set, s->words))
        {
          if (other == alternative)
            break;
          if (twin[other] == other && bounded_are_twins (s, choice, other, alternative))
            {
              twin[alternative] = other;
              break;
            }
        }
    }
}

/* With exchangeable threads: of alternatives that are the same but for their names, one is
 * searched. */
static void
branch_on_classes (Bounded *s, const Observed *observed, const Choice *choice, RspResults *results)
{
  guint alternatives[rsp_row_count (choice->set, s->words) + 1];
  g_autofree guint *twin = g_new (guint, s->n);
  guint n = line_up (s, choice, alternatives);
  find_twins (s, choice, twin);
  for (guint i = 0; i < n && !is_finished (s); i++)
    {
      guint searched = alternatives[i];
      if (twin[searched] != searched)
        continue;
      RspResults *own = rsp_results_new (observed->n_open);
      search_alternative (s, observed, choice, searched, own);
      add_all (s, own, results);
      for (all_bits (other, choice->set, s->words))
        if (other != searched && twin[other] == searched)
          bounded_add_twin (s, observed, searched, other, own, results);
      rsp_results_unref (own);
    }
}

static void
branch (Bounded *s, const Observed *observed, const Choice *choice, RspResults *results)
{
  if (s->search->class)
    {
      branch_on_classes (s, observed, choice, results);
      return;
    }
  guint alternatives[rsp_row_count (choice->set, s->words) + 1];
  guint n = line_up (s, choice, alternatives);
  for (guint i = 0; i < n && !is_finished (s); i++)
    search_alternative (s, observed, choice, alternatives[i], results);
}

/* If everything is decided, or if the open orders matter to no axiom, adds the results of this
 * node. Else FALSE. */
static gboolean
finish (Bounded *s, const Observed *observed, gboolean undefined, ChoiceKind kind, RspResults **out)
{
  RspResults *results = *out;
  if (kind == CHOICE_NONE && (s->judges_leaves || s->search->leaf))
    {
      bounded_judge (s);
      return TRUE;
    }
  if (kind == CHOICE_NONE)
    {
      g_assert (observed->n_open == 0 && !bounded_has_open_axiom (s));
      rsp_results_add (results, NULL, 1, undefined, 0);
    }
  else if (kind != CHOICE_NEXT || (s->disabled & RSP_FEATURE_COUNT) || bounded_has_open_axiom (s)
           || !reads_decided (s) || !bounded_count (s, observed, undefined, results))
    return FALSE;
  s->search->statistics->leaves++;
  *out = results = bounded_keep_relevant (s, observed, results);
  s->answered |= results->n && bounded_ends_at_first (s) && s->number == 0;
  return TRUE;
}

static RspResults *
explore (Bounded *s, const Observed *observed, gboolean undefined)
{
  RspResults *results = rsp_results_new (observed->n_open);
  s->search->statistics->nodes++;
  if (!rsp_search_tick (s->search))
    return results;
  if (s->crew)
    crew_call (s->crew);
  drop_idle_axioms (s, undefined);
  guint64 set[s->words], rest[s->words];
  Choice choice = { .set = set, .rest = rest };
  bounded_choose (s, observed, &choice);
  if (finish (s, observed, undefined, choice.kind, &results))
    {
      JOURNAL (s, results, FALSE, results);
      return results;
    }
  if (!s->memo)
    {
      branch (s, observed, &choice, results);
      return results;
    }
  RspHash key = memo_key (s, observed, undefined);
  RspResults *known = memo_find (s, observed, key);
  if (known)
    {
      s->search->statistics->memo_hits++;
      JOURNAL (s, results, TRUE, known);
      rsp_results_unref (results);
      return known;
    }
  branch (s, observed, &choice, results);
  /* Where the first execution ends the search, it must be the same one whoever searches: only that
   * there is none is remembered. */
  if (!is_finished (s) && !(results->n && bounded_ends_at_first (s)))
    memo_store (s, observed, key, results);
  return results;
}

/* ---- The whole ---- */

static gboolean
order_initial_writes (Bounded *s)
{
  for (guint i = 0; i < s->pre->program->n_locations; i++)
    for (all_bits (x, s->writes[i]->bits, s->words))
      if (x != s->pre->initial[i] && !bounded_order (s, RSP_LEAF_CO, s->pre->initial[i], x))
        return FALSE;
  return TRUE;
}

RspResults *
rsp_bounded_explore_root (Bounded *s, Observed *observed)
{
  if (!order_initial_writes (s) || !bounded_start (s))
    return NULL;
  for (guint event = 0; event < s->n; event++)
    s->written_constant[event] = s->written_known[event];
  demand_open (s);
  if (!enter (s))
    return NULL;
  guint n = s->pre->program->n_observables + 1;
  observed->value = rsp_arena_new0 (s->arena, guint32, n);
  observed->open = rsp_arena_new0 (s->arena, guint, n);
  observe (s, observed);
  return bounded_is_relevant (s, observed) ? explore (s, observed, is_undefined (s)) : NULL;
}

static void
search_root (Bounded *s)
{
  Observed observed;
  RspResults *results = rsp_bounded_explore_root (s, &observed);
  if (s->crew)
    results = crew_end (s->crew, results);
  if (results)
    deliver (s, &observed, results, is_undefined (s), known_flags (s));
  rsp_results_unref (results);
}

static void
report_prunings (const Bounded *s)
{
  for (guint i = 0; i < s->model->n_axioms; i++)
    if (s->model->axioms[i].role == RSPCHECK_ROLE_AXIOM)
      {
        g_autofree char *name = rsp_axiom_label (&s->model->axioms[i]);
        rsp_prunings_add (s->search->prunings, name, s->prunings[i],
                          s->forced_by ? s->forced_by[i] : 0);
      }
  rsp_prunings_add (s->search->prunings, RSP_PRUNED_BY_VALUES,
                    s->prunings[s->model->n_axioms + PRUNED_BY_VALUES], 0);
  rsp_prunings_add (s->search->prunings, RSP_PRUNED_BY_FORCED,
                    s->prunings[s->model->n_axioms + PRUNED_BY_FORCED], 0);
}

/* Searches under one staged model. FALSE when it is beyond the bounds, and there is a budget left for
 * another engine. */
static gboolean
search_model (RspSearch *search, const RspStagedModel *model, gboolean judges_leaves)
{
  Shared shared = { 0 };
  Bounded s = { .search = search,
                .pre = search->pre,
                .model = model,
                .shared = &shared,
                .judges_leaves = judges_leaves };
  if (model->n_flags > MAX_FLAGS)
    return FALSE;
  if (!bounded_open (&s))
    return rsp_budget_is_exhausted (search->budget);
  shared_open (&s);
  s.journal = search->options->journal;
  JOURNAL (&s, begin, s.n);
  s.crew = crew_new (&s);
  search_root (&s);
  crew_free (s.crew);
  rsp_search_report_divergence (search, model->dag);
  report_prunings (&s);
  bounded_close (&s);
  shared_close (&shared);
  return TRUE;
}

/* FALSE when nothing is known without an execution. */
static gboolean
search_judging_leaves (RspSearch *search, const RspStaging *staging)
{
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

void
rsp_search_bounded (RspSearch *search, const RspStaging *staging)
{
  if (staging->needs_execution)
    {
      if (!search_judging_leaves (search, staging))
        rsp_search_naive (search, staging);
      return;
    }
  for (guint i = 0; i < staging->n_models; i++)
    if (!search_model (search, staging->models[i], FALSE))
      {
        RspStaging one = { .models = &staging->models[i], .n_models = 1 };
        rsp_search_naive (search, &one);
      }
}
