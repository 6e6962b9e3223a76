/* Propagation: candidates, coherence, values, path constraints, and what the model's open axioms
 * forbid, to a fixpoint. */
#include "enumerator/search/bounded/propagate.h"
#include "enumerator/search/bounded/journal.h"
#include "enumerator/terms/evaluate.h"
#include "enumerator/values/values.h"

enum
{
  PAIRS_PER_LOOK = 64 /* pairs decided between two looks at the clock */
};

/* ---- Orders ---- */

gboolean
bounded_order (Bounded *s, guint leaf, guint a, guint b)
{
  RspBounds *bounds = s->bounds;
  if (rsp_row_has (rsp_bounds_lo (bounds, leaf, a), b))
    return TRUE;
  if (!rsp_row_has (rsp_bounds_hi (bounds, leaf, a), b))
    return FALSE;
  /* What is before a or a itself comes before what is after b or b itself. */
  guint64 before[s->words], after[s->words];
  for (guint w = 0; w < s->words; w++)
    {
      before[w] = rsp_bounds_inverse_lo (bounds, leaf, a)[w];
      after[w] = rsp_bounds_lo (bounds, leaf, b)[w];
    }
  before[a / 64] |= G_GUINT64_CONSTANT (1) << (a % 64);
  after[b / 64] |= G_GUINT64_CONSTANT (1) << (b % 64);
  for (all_bits (x, before, s->words))
    for (all_bits (y, after, s->words))
      {
        if (rsp_row_has (rsp_bounds_lo (bounds, leaf, x), y))
          continue;
        rsp_bounds_decide (bounds, leaf, x, y);
        rsp_bounds_exclude (bounds, leaf, y, x);
      }
  return TRUE;
}

/* ---- Values ---- */

static void
learn (Bounded *s, guint event, gboolean is_written, RspValue value)
{
  guint entry = event * 2 + (is_written ? 1 : 0);
  g_array_append_val (s->value_trail, entry);
  (is_written ? s->written : s->values)[event] = value;
  (is_written ? s->written_known : s->value_known)[event] = TRUE;
  s->n_undetermined += value.unknown != 0;
}

void
bounded_undo_values (Bounded *s, guint to)
{
  while (s->value_trail->len > to)
    {
      guint entry = g_array_index (s->value_trail, guint, s->value_trail->len - 1);
      g_array_set_size (s->value_trail, s->value_trail->len - 1);
      const RspValue *value = &(entry % 2 ? s->written : s->values)[entry / 2];
      (entry % 2 ? s->written_known : s->value_known)[entry / 2] = FALSE;
      s->n_undetermined -= value->unknown != 0;
    }
}

/* The value of a term of a thread's path, as far as its reads are known. */
static gboolean
evaluate (const Bounded *s, guint thread, const RspTerm *term, RspValue *value)
{
  guint first = s->pre->first[thread];
  return rsp_term_evaluate_partial (term, s->values + first, s->value_known + first, value);
}

static gboolean
learn_written (Bounded *s, guint event)
{
  const RspEvent *write = s->pre->events[event];
  RspValue value;
  if (!write->written || s->written_known[event]
      || !evaluate (s, write->thread, write->written, &value))
    return FALSE;
  learn (s, event, TRUE, value);
  return TRUE;
}

/* Values that follow from decided reads. */
static gboolean
follow_values (Bounded *s)
{
  gboolean learnt = FALSE, again = TRUE;
  while (again)
    {
      again = FALSE;
      for (guint i = 0; i < s->pre->n_reads; i++)
        {
          guint read = s->pre->reads[i];
          if (s->value_known[read])
            continue;
          const guint64 *decided = rsp_bounds_inverse_lo (s->bounds, RSP_LEAF_RF, read);
          guint write = rsp_next_bit (decided, s->words, 0);
          if (write == G_MAXUINT || !s->written_known[write])
            continue;
          learn (s, read, FALSE, s->written[write]);
          again = learnt = TRUE;
        }
      for (guint event = 0; again && event < s->n; event++)
        learn_written (s, event);
    }
  return learnt;
}

/* ---- Reads-from ---- */

gboolean
bounded_read_from (Bounded *s, guint write, guint read)
{
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

/* Reads with one candidate read from it. FALSE when a read has none. */
static gboolean
decide_single_candidates (Bounded *s)
{
  for (guint i = 0; i < s->pre->n_reads; i++)
    {
      guint read = s->pre->reads[i];
      const guint64 *candidates = rsp_bounded_candidates (s, read);
      guint write = rsp_next_bit (candidates, s->words, 0);
      if (write == G_MAXUINT)
        return FALSE;
      if (rsp_row_count (candidates, s->words) == 1
          && !rsp_row_has (rsp_bounds_inverse_lo (s->bounds, RSP_LEAF_RF, read), write))
        rsp_bounds_decide (s->bounds, RSP_LEAF_RF, write, read);
    }
  return TRUE;
}

/* ---- Path constraints ---- */

static void
collect_reads (const RspPreExecution *pre, guint thread, const RspTerm *term, GArray *reads)
{
  if (!term)
    return;
  if (term->kind == RSP_TERM_READ)
    {
      guint event = rsp_pre_execution_event (pre, thread, term->event);
      for (guint i = 0; i < reads->len; i++)
        if (g_array_index (reads, guint, i) == event)
          return;
      g_array_append_val (reads, event);
      return;
    }
  collect_reads (pre, thread, term->a, reads);
  collect_reads (pre, thread, term->b, reads);
}

static void
prepare_constraints (Bounded *s)
{
  const RspPreExecution *pre = s->pre;
  guint total = 0;
  for (guint t = 0; t < pre->program->n_threads; t++)
    total += pre->paths[t]->n_constraints;
  s->constraints = rsp_arena_new0 (s->arena, Constraint, total);
  for (guint t = 0; t < pre->program->n_threads; t++)
    for (guint i = 0; i < pre->paths[t]->n_constraints; i++)
      {
        Constraint *constraint = &s->constraints[s->n_constraints++];
        g_autoptr (GArray) reads = g_array_new (FALSE, FALSE, sizeof (guint));
        constraint->term = pre->paths[t]->constraints[i].term;
        constraint->thread = t;
        collect_reads (pre, t, constraint->term, reads);
        constraint->n_reads = reads->len;
        constraint->reads = rsp_arena_copy (s->arena, reads->data, sizeof (guint) * reads->len);
      }
}

/* The only unknown read of a constraint; G_MAXUINT when all are known, G_MAXUINT - 1 when several.
 */
static guint
only_unknown (const Bounded *s, const Constraint *constraint)
{
  guint only = G_MAXUINT;
  for (guint i = 0; i < constraint->n_reads; i++)
    {
      if (s->value_known[constraint->reads[i]])
        continue;
      if (only != G_MAXUINT)
        return G_MAXUINT - 1;
      only = constraint->reads[i];
    }
  return only;
}

/* Would the constraint hold if the read returned the value? */
static gboolean
allows (Bounded *s, const Constraint *constraint, guint read, RspValue value)
{
  RspValue result = { 0 };
  RspValue before = s->values[read];
  s->values[read] = value;
  s->value_known[read] = TRUE;
  gboolean known = evaluate (s, constraint->thread, constraint->term, &result);
  s->value_known[read] = FALSE;
  s->values[read] = before;
  return !known || result.bits || result.unknown;
}

/* Removes the candidates of a read whose value a constraint rules out. TRUE when there were any. */
static gboolean
filter_candidates (Bounded *s, const Constraint *constraint, guint read)
{
  guint64 candidates[s->words];
  gboolean removed = FALSE;
  for (guint w = 0; w < s->words; w++)
    candidates[w] = rsp_bounded_candidates (s, read)[w];
  for (all_bits (write, candidates, s->words))
    if (s->written_known[write] && !allows (s, constraint, read, s->written[write]))
      {
        rsp_bounds_exclude (s->bounds, RSP_LEAF_RF, write, read);
        removed = TRUE;
      }
  return removed;
}

/* FALSE when a constraint fails; *changed when candidates were removed. */
static gboolean
check_constraints (Bounded *s, gboolean *changed)
{
  for (guint i = 0; i < s->n_constraints; i++)
    {
      const Constraint *constraint = &s->constraints[i];
      guint unknown = only_unknown (s, constraint);
      RspValue value;
      if (unknown == G_MAXUINT)
        {
          if (!evaluate (s, constraint->thread, constraint->term, &value)
              || (!value.bits && !value.unknown))
            return FALSE;
        }
      else if (unknown != G_MAXUINT - 1 && !(s->disabled & RSP_FEATURE_VALUES))
        *changed |= filter_candidates (s, constraint, unknown);
    }
  return TRUE;
}

gboolean
bounded_start (Bounded *s)
{
  const RspPreExecution *pre = s->pre;
  gboolean changed = FALSE;
  prepare_constraints (s);
  for (guint event = 0; event < s->n; event++)
    {
      guint location = pre->events[event]->location;
      if (pre->events[event]->thread != RSP_NO_THREAD)
        learn_written (s, event);
      else
        learn (s, event, TRUE, (RspValue){ .bits = pre->program->locations[location].initial });
    }
  return check_constraints (s, &changed);
}

gboolean
bounded_solve_circles (Bounded *s)
{
  const RspPreExecution *pre = s->pre;
  for (guint i = 0; i < pre->n_reads; i++)
    s->source[pre->reads[i]]
        = rsp_next_bit (rsp_bounded_candidates (s, pre->reads[i]), s->words, 0);
  g_autofree RspValue *values = g_new0 (RspValue, s->n);
  g_autofree RspValue *written = g_new0 (RspValue, s->n);
  gboolean thin_air = FALSE;
  if (!rsp_values_solve (pre, s->source, values, written, s->registers, &thin_air))
    return FALSE;
  for (guint i = 0; i < pre->n_reads; i++)
    if (!s->value_known[pre->reads[i]])
      learn (s, pre->reads[i], FALSE, values[pre->reads[i]]);
  for (guint event = 0; event < s->n; event++)
    if (pre->events[event]->written && !s->written_known[event])
      learn (s, event, TRUE, written[event]);
  return TRUE;
}

/* ---- The fixpoint ---- */

static gboolean
propagate_values (Bounded *s)
{
  gboolean changed = TRUE;
  while (changed)
    {
      changed = FALSE;
      if (!decide_single_candidates (s))
        return FALSE;
      if (follow_values (s) && !check_constraints (s, &changed))
        return FALSE;
    }
  return TRUE;
}

static gboolean
apply_to_rf (Bounded *s, const RspForced *pair)
{
  if (pair->required)
    return bounded_read_from (s, pair->a, pair->b);
  if (rsp_row_has (rsp_bounds_lo (s->bounds, RSP_LEAF_RF, pair->a), pair->b))
    return FALSE; /* another axiom requires it */
  if (rsp_row_has (rsp_bounds_hi (s->bounds, RSP_LEAF_RF, pair->a), pair->b))
    rsp_bounds_exclude (s->bounds, RSP_LEAF_RF, pair->a, pair->b);
  return TRUE;
}

static gboolean
apply_forced (Bounded *s)
{
  for (guint i = 0; i < s->forced->len; i++)
    {
      RspForced pair = g_array_index (s->forced, RspForced, i);
      if (i % PAIRS_PER_LOOK == PAIRS_PER_LOOK - 1 && rsp_budget_is_exhausted (s->search->budget))
        return FALSE;
      gboolean possible = pair.leaf == RSP_LEAF_RF ? apply_to_rf (s, &pair)
                          : pair.required          ? bounded_order (s, pair.leaf, pair.a, pair.b)
                                                   : bounded_order (s, pair.leaf, pair.b, pair.a);
      if (!possible)
        return FALSE;
    }
  return TRUE;
}

static gboolean
prune (Bounded *s, guint why)
{
  s->prunings[why]++;
  s->search->statistics->prunings++;
  JOURNAL (s, pruned, why);
  return FALSE;
}

/* Which axioms forced the pairs of this round: each by itself, once more. */
static void
attribute (Bounded *s)
{
  for (guint i = 0; s->forced_by && i < s->model->n_axioms; i++)
    {
      g_array_set_size (s->forced_by_one, 0);
      rsp_bounds_force_by (s->bounds, i, s->forced_by_one);
      s->forced_by[i] += s->forced_by_one->len;
      JOURNAL (s, forced, i);
    }
}

gboolean
bounded_propagate (Bounded *s)
{
  for (guint why = PRUNED_BY_VALUES;; why = PRUNED_BY_FORCED)
    {
      if (!propagate_values (s))
        return prune (s, s->model->n_axioms + why);
      if (!rsp_bounds_update (s->bounds))
        return prune (s, rsp_bounds_broken (s->bounds));
      if (s->disabled & RSP_FEATURE_FORCE)
        return TRUE;
      g_array_set_size (s->forced, 0);
      rsp_bounds_force (s->bounds, s->forced);
      if (!s->forced->len)
        return TRUE;
      s->search->statistics->forced += s->forced->len;
      attribute (s);
      if (!apply_forced (s))
        return prune (s, s->model->n_axioms + PRUNED_BY_FORCED);
    }
}
