/* The bounded engine: depth-first over open decisions, asking the model's bounds after each.
 *
 * At a node: propagate to a fixpoint; stop if no completion is left; look the residual problem up;
 * else branch. Once no check is open and all reads are decided, what is left is counted. A node's
 * results speak of the observables that are open there; the parent adds the values that its child
 * knew. */
#include "enumerator/bounded.h"
#include "enumerator/cuts.h"

#include <string.h>

/* Pseudo-flags above those of the model. */
enum
{
  FLAG_THIN_AIR = 31,
  FLAG_ASSERTION = 30,
  MAX_FLAGS = 30
};

enum
{
  ROWS_PER_LOOK = 1024 /* rows of results between two looks at the clock */
};

static RspResults *explore (Bounded *s, const Observed *observed, gboolean bad);

/* ---- Values of observables ---- */

static guint
hash_value (gconstpointer key)
{
  const RspValue *value = key;
  return (guint) (value->bits ^ value->bits >> 32) * 2654435761u ^ value->unknown;
}

static gboolean
equal_values (gconstpointer a, gconstpointer b)
{
  return rsp_value_equal (*(const RspValue *) a, *(const RspValue *) b);
}

guint32
rsp_bounded_value_id (Bounded *s, RspValue value)
{
  gpointer found = g_hash_table_lookup (s->value_ids, &value);
  if (found)
    return GPOINTER_TO_UINT (found) - 1;
  RspValue *own = rsp_arena_copy (s->arena, &value, sizeof value);
  g_ptr_array_add (s->value_table, own);
  g_hash_table_insert (s->value_ids, own, GUINT_TO_POINTER (s->value_table->len));
  return s->value_table->len - 1;
}

/* The co-last write of a location, or G_MAXUINT while several may be. */
static guint
last_write (const Bounded *s, guint location)
{
  const RspMatrix *writes = s->writes[location];
  guint last = G_MAXUINT;
  for (all_bits (x, writes->bits, s->words))
    {
      const guint64 *lo = rsp_bounds_lo (s->bounds, RSP_LEAF_CO, x);
      guint64 later = 0;
      for (guint w = 0; w < s->words; w++)
        later |= lo[w] & writes->bits[w];
      if (later)
        continue;
      if (last != G_MAXUINT)
        return G_MAXUINT;
      last = x;
    }
  return last;
}

static gboolean
observe_one (const Bounded *s, const RspObservable *observable, RspValue *value)
{
  const RspPreExecution *pre = s->pre;
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
      if (observe_one (s, &program->observables[i], &value))
        observed->value[i] = rsp_bounded_value_id (s, value);
      else
        {
          observed->value[i] = RSP_UNSEEN;
          observed->open[observed->n_open++] = i;
        }
    }
}

/* ---- What the checks say ---- */

/* Flags that every completion of this node raises. */
static guint32
known_flags (const Bounded *s)
{
  guint32 flags = s->n_undetermined ? 1u << FLAG_THIN_AIR : 0;
  for (guint i = 0; i < s->model->n_checks; i++)
    {
      const RspStagedCheck *check = &s->model->checks[i];
      RspTruth truth = rsp_bounds_check (s->bounds, i);
      if (check->role == RSP_CAT_ASSERT && truth == RSP_FAILS)
        flags |= 1u << FLAG_ASSERTION;
      else if ((check->role == RSP_CAT_UNDEFINED_UNLESS && truth == RSP_FAILS)
               || (check->role == RSP_CAT_FLAG && truth == RSP_HOLDS))
        flags |= 1u << check->flag;
    }
  return flags;
}

static gboolean
is_bad (const Bounded *s)
{
  for (guint i = 0; i < s->model->n_checks; i++)
    if (s->model->checks[i].role == RSP_CAT_UNDEFINED_UNLESS
        && rsp_bounds_check (s->bounds, i) == RSP_FAILS)
      return TRUE;
  return FALSE;
}

/* Checks whose answer would change nothing are followed no longer: a flag that is raised already,
 * and a requirement when the execution breaks another and its flag is raised. */
static void
drop_idle_checks (Bounded *s, gboolean bad)
{
  for (guint i = 0; i < s->model->n_checks; i++)
    {
      const RspStagedCheck *check = &s->model->checks[i];
      if (check->role == RSP_CAT_REQUIRE_CONSISTENT || check->role == RSP_CAT_ASSERT)
        continue;
      gboolean raised = s->raised & 1u << check->flag;
      if (s->search->exists_only || (raised && (check->role == RSP_CAT_FLAG || bad)))
        rsp_bounds_drop (s->bounds, i);
    }
}

static gboolean
has_open_checks (const Bounded *s)
{
  for (guint i = 0; i < s->model->n_checks; i++)
    if (rsp_bounds_is_followed (s->bounds, i))
      return TRUE;
  return FALSE;
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
  if (!rsp_bounded_propagate (s))
    return FALSE;
  return !reads_decided (s) || values_known (s) || rsp_bounded_solve_circles (s);
}

static gboolean
is_over (const Bounded *s)
{
  return s->answered || rsp_budget_stop (s->search->budget) != RSP_STOP_COMPLETE;
}

gboolean
rsp_bounded_may_add (Bounded *s, guint row)
{
  if (row % ROWS_PER_LOOK == 0)
    rsp_budget_is_over (s->search->budget);
  return rsp_budget_stop (s->search->budget) == RSP_STOP_COMPLETE && !s->search->found;
}

static void
raise_flags (Bounded *s, guint32 flags)
{
  RspSearch *search = s->search;
  for (guint i = 0; i < s->model->n_flags; i++)
    if (flags & 1u << i)
      rsp_flags_raise (search->flags, s->model->flags[i]);
  search->thin_air |= (flags >> FLAG_THIN_AIR) & 1;
  if (!(flags & 1u << FLAG_ASSERTION) || rsp_budget_stop (search->budget) == RSP_STOP_ERROR)
    return;
  for (guint i = 0; i < s->model->n_checks; i++)
    if (s->model->checks[i].role == RSP_CAT_ASSERT)
      rsp_error (search->diagnostics, s->model->checks[i].span, NULL,
                 "the model's assertion fails on an execution of test %s", s->pre->program->name);
  rsp_budget_end (search->budget, RSP_STOP_ERROR);
}

/* Hands a node's results over as states of the program. */
static void
deliver (Bounded *s, const Observed *observed, const RspResults *results, gboolean bad,
         guint32 flags)
{
  const RspProgram *program = s->pre->program;
  g_autofree RspValue *state = g_new0 (RspValue, program->n_observables + 1);
  for (guint row = 0; row < results->n && rsp_bounded_may_add (s, row); row++)
    {
      for (guint i = 0; i < program->n_observables; i++)
        if (observed->value[i] != RSP_UNSEEN)
          state[i] = *(RspValue *) s->value_table->pdata[observed->value[i]];
      for (guint i = 0; i < observed->n_open; i++)
        state[observed->open[i]]
            = *(RspValue *)
                   s->value_table->pdata[results->values[(gsize) row * results->width + i]];
      if (!rsp_search_wants (s->search, state))
        continue;
      RspCount executions = results->executions[row];
      rsp_search_record (s->search, state, NULL, executions, bad ? executions : results->bad[row]);
      if (!s->search->exists_only)
        raise_flags (s, results->flags[row] | flags);
    }
}

/* Adds a child's results to its parent's, with what the child knew and the parent did not. */
static void
absorb (Bounded *s, const Observed *parent, RspResults *results, const Observed *child,
        const RspResults *found)
{
  gboolean bad = is_bad (s);
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
  for (guint row = 0; row < found->n && rsp_bounded_may_add (s, row); row++)
    {
      for (guint i = 0; i < parent->n_open; i++)
        if (from[i] != G_MAXUINT)
          values[i] = found->values[(gsize) row * found->width + from[i]];
      RspCount executions = found->executions[row];
      rsp_results_add (results, values, executions, bad ? executions : found->bad[row],
                       found->flags[row] | flags);
      if (!s->pre->program->filter)
        s->raised |= found->flags[row] | flags;
    }
  if (rsp_results_size (results) > s->search->budget->max_memory)
    rsp_budget_end (s->search->budget, RSP_STOP_MEMORY);
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
  if (!rsp_bounded_is_wanted (s, &observed))
    return;
  RspResults *found = explore (s, &observed, is_bad (s));
  if (found->n)
    absorb (s, parent, results, &observed, found);
  rsp_results_unref (found);
}

static void
search_alternative (Bounded *s, const Observed *observed, const Choice *choice, guint alternative,
                    RspResults *results)
{
  guint values = s->value_trail->len;
  rsp_bounds_push (s->bounds);
  if (rsp_bounded_take (s, choice, alternative))
    try_alternative (s, observed, results);
  rsp_bounds_pop (s->bounds);
  rsp_bounded_undo_values (s, values);
}

/* An alternative that was searched, and what it added. */
typedef struct Explored
{
  guint alternative;
  RspResults *results;
} Explored;

static const Explored *
find_twin (const Bounded *s, const Choice *choice, const GArray *explored, guint alternative)
{
  for (guint i = 0; i < explored->len; i++)
    {
      const Explored *other = &g_array_index (explored, Explored, i);
      if (rsp_bounded_are_twins (s, choice, other->alternative, alternative))
        return other;
    }
  return NULL;
}

static void
add_all (Bounded *s, const RspResults *from, RspResults *to)
{
  for (guint row = 0; row < from->n && rsp_bounded_may_add (s, row); row++)
    rsp_results_add (to, from->values + (gsize) row * from->width, from->executions[row],
                     from->bad[row], from->flags[row]);
}

/* With exchangeable threads: of alternatives that are the same but for their names, one is
 * searched. */
static void
branch_on_classes (Bounded *s, const Observed *observed, const Choice *choice, RspResults *results)
{
  g_autoptr (GArray) explored = g_array_new (FALSE, FALSE, sizeof (Explored));
  for (all_bits (alternative, choice->set, s->words))
    {
      if (is_over (s))
        break;
      const Explored *twin = find_twin (s, choice, explored, alternative);
      if (twin)
        {
          rsp_bounded_add_twin (s, observed, twin->alternative, alternative, twin->results,
                                results);
          continue;
        }
      Explored own = { .alternative = alternative, .results = rsp_results_new (observed->n_open) };
      search_alternative (s, observed, choice, alternative, own.results);
      add_all (s, own.results, results);
      g_array_append_val (explored, own);
    }
  for (guint i = 0; i < explored->len; i++)
    rsp_results_unref (g_array_index (explored, Explored, i).results);
}

static void
branch (Bounded *s, const Observed *observed, const Choice *choice, RspResults *results)
{
  if (s->search->class)
    {
      branch_on_classes (s, observed, choice, results);
      return;
    }
  for (all_bits (alternative, choice->set, s->words))
    {
      if (is_over (s))
        return;
      search_alternative (s, observed, choice, alternative, results);
    }
}

/* Everything is decided, or nothing asked any more of the orders left: FALSE when it is not so. */
static gboolean
finish (Bounded *s, const Observed *observed, gboolean bad, ChoiceKind kind, RspResults **out)
{
  RspResults *results = *out;
  if (kind == CHOICE_NONE)
    {
      g_assert (observed->n_open == 0 && !has_open_checks (s));
      rsp_results_add (results, NULL, 1, bad, 0);
    }
  else if (kind != CHOICE_NEXT || (s->disabled & RSP_FEATURE_COUNT) || has_open_checks (s)
           || !reads_decided (s) || !rsp_bounded_count (s, observed, bad, results))
    return FALSE;
  s->search->statistics->leaves++;
  *out = results = rsp_bounded_keep_wanted (s, observed, results);
  if (results->n && rsp_bounded_ends_at_first (s))
    s->answered = TRUE;
  return TRUE;
}

static RspResults *
explore (Bounded *s, const Observed *observed, gboolean bad)
{
  RspResults *results = rsp_results_new (observed->n_open);
  s->search->statistics->nodes++;
  if (!rsp_search_tick (s->search))
    return results;
  drop_idle_checks (s, bad);
  guint64 set[s->words], rest[s->words];
  Choice choice = { .set = set, .rest = rest };
  rsp_bounded_choose (s, &choice);
  if (finish (s, observed, bad, choice.kind, &results))
    return results;
  if (!s->memo)
    {
      branch (s, observed, &choice, results);
      return results;
    }
  MemoKey key = rsp_memo_key (s, observed, bad);
  RspResults *known = rsp_memo_find (s->memo, key);
  if (known)
    {
      s->search->statistics->memo_hits++;
      rsp_results_unref (results);
      return rsp_results_ref (known);
    }
  branch (s, observed, &choice, results);
  if (!is_over (s))
    rsp_memo_store (s->memo, key, results);
  return results;
}

/* ---- The whole ---- */

static void
search_root (Bounded *s)
{
  if (!rsp_bounded_start (s))
    return;
  for (guint event = 0; event < s->n; event++)
    s->written_constant[event] = s->written_known[event];
  if (!enter (s))
    return;
  g_autofree guint32 *value = g_new (guint32, s->pre->program->n_observables + 1);
  g_autofree guint *open = g_new (guint, s->pre->program->n_observables + 1);
  Observed observed = { .value = value, .open = open };
  observe (s, &observed);
  if (!rsp_bounded_is_wanted (s, &observed))
    return;
  gboolean bad = is_bad (s);
  RspResults *results = explore (s, &observed, bad);
  deliver (s, &observed, results, bad, known_flags (s));
  rsp_results_unref (results);
}

/* co before any decision: the initial write first. */
static RspMatrix *
possible_co (Bounded *s)
{
  RspMatrix *co = rsp_relation_new (s->arena, s->n);
  for (guint i = 0; i < s->pre->program->n_locations; i++)
    for (all_bits (x, s->writes[i]->bits, s->words))
      for (all_bits (y, s->writes[i]->bits, s->words))
        if (x != y)
          rsp_matrix_add (co, x, y);
  return co;
}

static gboolean
order_initial_writes (Bounded *s)
{
  for (guint i = 0; i < s->pre->program->n_locations; i++)
    for (all_bits (x, s->writes[i]->bits, s->words))
      if (x != s->pre->initial[i] && !rsp_bounded_order (s, RSP_LEAF_CO, s->pre->initial[i], x))
        return FALSE;
  return TRUE;
}

static void
find_writes (Bounded *s)
{
  const RspPreExecution *pre = s->pre;
  s->writes = rsp_arena_new0 (s->arena, RspMatrix *, pre->program->n_locations);
  for (guint i = 0; i < pre->program->n_locations; i++)
    s->writes[i] = rsp_set_new (s->arena, s->n);
  for (all_bits (e, pre->base->sets[RSP_BASE_SET_W]->bits, s->words))
    rsp_set_add (s->writes[pre->events[e]->location], e);
}

static guint32
flags_raised_before (const RspSearch *search, const RspStagedModel *model)
{
  guint32 raised = 0;
  for (guint i = 0; i < search->flags->len; i++)
    {
      const RspFlag *flag = &g_array_index (search->flags, RspFlag, i);
      for (guint j = 0; flag->raised && j < model->n_flags; j++)
        if (strcmp (model->flags[j], flag->name) == 0)
          raised |= 1u << j;
    }
  return raised;
}

static void
tell_cuts (const Bounded *s)
{
  for (guint i = 0; i < s->model->n_checks; i++)
    if (s->model->checks[i].role == RSP_CAT_REQUIRE_CONSISTENT)
      {
        g_autofree char *name = rsp_cuts_name (&s->model->checks[i]);
        rsp_cuts_add (s->search->cuts, name, s->cuts[i]);
      }
  rsp_cuts_add (s->search->cuts, RSP_CUTS_VALUES, s->cuts[s->model->n_checks + CUT_VALUES]);
  rsp_cuts_add (s->search->cuts, RSP_CUTS_FORCED, s->cuts[s->model->n_checks + CUT_FORCED]);
}

/* FALSE when the model is beyond the bounds, and there is a budget left for another engine. */
static gboolean
search_model (RspSearch *search, const RspStagedModel *model)
{
  if (model->n_flags > MAX_FLAGS)
    return FALSE;
  RspArena *arena = rsp_arena_new ();
  const RspPreExecution *pre = search->pre;
  Bounded s = { .search = search,
                .pre = pre,
                .model = model,
                .arena = arena,
                .n = pre->n,
                .words = pre->candidates->words,
                .disabled = search->options->disabled,
                .values = rsp_arena_new0 (arena, RspValue, pre->n),
                .written = rsp_arena_new0 (arena, RspValue, pre->n),
                .value_known = rsp_arena_new0 (arena, gboolean, pre->n),
                .written_known = rsp_arena_new0 (arena, gboolean, pre->n),
                .written_constant = rsp_arena_new0 (arena, gboolean, pre->n),
                .source = rsp_arena_new0 (arena, guint, pre->n),
                .cuts = rsp_arena_new0 (arena, guint64, model->n_checks + N_CUTS),
                .raised = flags_raised_before (search, model) };
  find_writes (&s);
  RspMatrix *rf = rsp_relation_new (arena, pre->n);
  rsp_relation_inverse (rf, pre->candidates);
  s.bounds = rsp_bounds_new (model, rf, possible_co (&s), arena);
  if (!s.bounds)
    {
      rsp_arena_free (arena);
      return rsp_budget_is_over (search->budget);
    }
  s.value_trail = g_array_new (FALSE, FALSE, sizeof (guint));
  s.forced = g_array_new (FALSE, FALSE, sizeof (RspForced));
  s.key = g_array_new (FALSE, FALSE, sizeof (guint64));
  s.value_ids = g_hash_table_new (hash_value, equal_values);
  s.value_table = g_ptr_array_new ();
  if (!(s.disabled & RSP_FEATURE_MEMO))
    s.memo = rsp_memo_new (search->budget->max_memory / 2);
  if (order_initial_writes (&s))
    search_root (&s);
  if (rsp_bounds_diverged (s.bounds) && !rsp_budget_is_over (search->budget))
    {
      rsp_error (search->diagnostics, (RspSpan){ 0 }, NULL,
                 "model %s: a recursive definition does not converge on test %s",
                 search->model->name, pre->program->name);
      rsp_budget_end (search->budget, RSP_STOP_ERROR);
    }
  tell_cuts (&s);
  rsp_memo_free (s.memo);
  g_ptr_array_unref (s.value_table);
  g_hash_table_unref (s.value_ids);
  g_array_unref (s.key);
  g_array_unref (s.forced);
  g_array_unref (s.value_trail);
  rsp_bounds_free (s.bounds);
  rsp_arena_free (arena);
  return TRUE;
}

void
rsp_search_bounded (RspSearch *search, const RspStaging *staging)
{
  for (guint i = 0; i < staging->n_models; i++)
    if (!search_model (search, staging->models[i]))
      {
        RspStaging one = { .models = &staging->models[i], .n_models = 1 };
        rsp_search_naive (search, &one);
      }
}
