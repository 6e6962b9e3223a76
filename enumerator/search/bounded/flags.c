/* Flags: those that a node's completions raise, those raised already, and axioms that are no longer
 * needed because of them. */
#include "enumerator/search/bounded/flags.h"
#include "enumerator/search/bounded/values/known.h"

#include <string.h>

void flags_open (Searcher *s) {
  const GArray *flags = s->search->flags;
  for (guint i = 0; i < flags->len; i++) {
    const RspFlag *flag = &g_array_index (flags, RspFlag, i);
    for (guint j = 0; flag->raised && j < s->model->n_flags; j++)
      if (strcmp (s->model->flags[j], flag->name) == 0)
        s->raised |= 1u << j;
  }
}

guint32 flags_known (const Searcher *s) {
  guint32 flags = s->known->thin_air ? 1u << FLAG_THIN_AIR : 0;
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

gboolean flags_are_undefined (const Searcher *s) {
  for (guint i = 0; i < s->model->n_axioms; i++)
    if (s->model->axioms[i].role == RSPCHECK_ROLE_UNDEFINED_UNLESS
        && rsp_bounds_axiom (s->bounds, i) == RSP_FAILS)
      return TRUE;
  return FALSE;
}

void flags_drop_idle_axioms (Searcher *s, gboolean undefined) {
  for (guint i = 0; i < s->model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &s->model->axioms[i];
    if (axiom->role == RSPCHECK_ROLE_AXIOM || axiom->role == RSPCHECK_ROLE_ASSERT)
      continue;
    gboolean raised = s->raised & 1u << axiom->flag;
    if (s->search->exists_only || (raised && (axiom->role == RSPCHECK_ROLE_FLAG || undefined)))
      rsp_bounds_drop (s->bounds, i);
  }
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
