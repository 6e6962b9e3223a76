/* The constraints under which the paths are taken: they fail, or remove candidates of reads. */
#include "enumerator/search/bounded/values/constraints.h"
#include "enumerator/search/bounded/values/known.h"

enum { NONE = G_MAXUINT, SEVERAL = G_MAXUINT - 1 };

void constraints_open (Searcher *s) {
  const RspPreExecution *pre = s->pre;
  guint total = 0;
  for (guint t = 0; t < pre->program->n_threads; t++)
    total += pre->paths[t]->n_constraints;
  s->constraints = rsp_arena_new0 (s->arena, Constraints, 1);
  s->constraints->all = rsp_arena_new0 (s->arena, Constraint, total);
  for (guint t = 0; t < pre->program->n_threads; t++)
    for (guint i = 0; i < pre->paths[t]->n_constraints; i++) {
      Constraint *constraint = &s->constraints->all[s->constraints->n++];
      g_autoptr (GArray) reads = g_array_new (FALSE, FALSE, sizeof (guint));
      constraint->term = pre->paths[t]->constraints[i].term;
      constraint->thread = t;
      rsp_term_add_reads (constraint->term, reads);
      for (guint k = 0; k < reads->len; k++) {
        guint *read = &g_array_index (reads, guint, k);
        *read = rsp_pre_execution_event (pre, t, *read);
      }
      constraint->n_reads = reads->len;
      constraint->reads = rsp_arena_copy (s->arena, reads->data, sizeof (guint) * reads->len);
    }
}

gboolean rsp_constraint_is_open (const Searcher *s, const Constraint *constraint) {
  for (guint i = 0; i < constraint->n_reads; i++)
    if (!known_has_value (s, constraint->reads[i]))
      return TRUE;
  return FALSE;
}

/* The only unknown read of a constraint; NONE or SEVERAL if it is not one. */
static guint only_unknown (const Searcher *s, const Constraint *constraint) {
  guint only = NONE;
  for (guint i = 0; i < constraint->n_reads; i++) {
    if (known_has_value (s, constraint->reads[i]))
      continue;
    if (only != NONE)
      return SEVERAL;
    only = constraint->reads[i];
  }
  return only;
}

/* Would the constraint hold if the read returned the value? */
static gboolean allows (Searcher *s, const Constraint *constraint, guint read, RspValue value) {
  RspValue result = { 0 };
  return !known_evaluate_if (s, read, value, constraint->thread, constraint->term, &result)
         || result.bits || result.unknown;
}

/* Removes the candidates of a read whose value a constraint rules out. changed: there were any.
 * FALSE if the read is decided to read from one. */
static gboolean filter_candidates (Searcher *s, const Constraint *constraint, guint read,
                                   gboolean *changed) {
  guint64 candidates[s->words];
  for (guint w = 0; w < s->words; w++)
    candidates[w] = rsp_bounded_candidates (s, read)[w];
  for (all_bits (write, candidates, s->words))
    if (known_has_written (s, write) && !allows (s, constraint, read, known_written (s, write))) {
      if (rsp_row_has (rsp_bounds_lo (s->bounds, RSP_LEAF_RF, write), read))
        return FALSE;
      rsp_bounds_exclude (s->bounds, RSP_LEAF_RF, write, read);
      *changed = TRUE;
    }
  return TRUE;
}

gboolean constraints_check (Searcher *s, gboolean *changed) {
  if (s->known->thin_air) /* they have been checked when the values were found */
    return TRUE;
  for (guint i = 0; i < s->constraints->n; i++) {
    const Constraint *constraint = &s->constraints->all[i];
    guint unknown = only_unknown (s, constraint);
    RspValue value;
    if (unknown == NONE) {
      if (!known_evaluate (s, constraint->thread, constraint->term, &value)
          || (!value.bits && !value.unknown))
        return FALSE;
    } else if (unknown != SEVERAL && !is_disabled (s, RSP_FEATURE_VALUES)
               && !filter_candidates (s, constraint, unknown, changed))
      return FALSE;
  }
  return TRUE;
}
