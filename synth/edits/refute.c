#include "synth/edits/refute.h"

#include "enumerator/search/query/query.h"
#include "enumerator/search/spin.h"

#include <string.h>

enum {
  MOST_REASONS = 8 /* those that served last; the others are forgotten */
};

typedef struct Reason {
  char *flag;     /* raised; or NULL: an outcome */
  RspProp *props; /* the outcome: the first of a row of propositions; NULL: the test's condition */
  guint part;     /* where it was found last */
} Reason;

static void free_reason (gpointer data) {
  Reason *reason = data;
  g_free (reason->flag);
  g_free (reason->props);
  g_free (reason);
}

SynthReasons *synth_reasons_new (void) { return g_ptr_array_new_with_free_func (free_reason); }

/* ---- Learning ---- */

static void add (SynthReasons *reasons, const char *flag, RspProp *props) {
  Reason *reason = g_new0 (Reason, 1);
  reason->flag = g_strdup (flag);
  reason->props = props;
  g_ptr_array_insert (reasons, 0, reason);
  if (reasons->len > MOST_REASONS)
    g_ptr_array_set_size (reasons, MOST_REASONS);
}

static gboolean has_flag (const SynthReasons *reasons, const char *flag) {
  for (guint i = 0; i < reasons->len; i++)
    if (g_strcmp0 (((const Reason *) reasons->pdata[i])->flag, flag) == 0)
      return TRUE;
  return FALSE;
}

gboolean synth_flag_counts (const RspFlag *flag, gboolean all) {
  return flag->raised && (flag->undefined || (all && !g_str_equal (flag->name, RSP_SPIN_FLAG)));
}

void synth_reasons_add_flags (SynthReasons *reasons, const RspOutcome *outcome, gboolean all) {
  for (guint i = 0; i < outcome->n_flags; i++) {
    const RspFlag *flag = &outcome->flags[i];
    if (synth_flag_counts (flag, all) && !has_flag (reasons, flag->name))
      add (reasons, flag->name, NULL);
  }
}

void synth_reasons_add_condition (SynthReasons *reasons) {
  for (guint i = 0; i < reasons->len; i++) {
    const Reason *reason = reasons->pdata[i];
    if (!reason->flag && !reason->props)
      return;
  }
  add (reasons, NULL, NULL);
}

/* Each printed observable has its value: n atoms, and before them n that join them. */
void synth_reasons_add_state (SynthReasons *reasons, const RspOutcome *outcome, guint state) {
  const RspStateCount *shown = &outcome->states[state];
  guint n = outcome->n_printed;
  for (guint k = 0; k < n; k++)
    if (rsp_outcome_value (outcome, shown, k).unknown)
      return;
  RspProp *props = g_new0 (RspProp, 2 * n + 1);
  for (guint k = 0; k < n; k++) {
    RspProp *atom = &props[n + k];
    props[k] = (RspProp){ .kind = RSP_PROP_AND, .a = atom, .b = &props[k + 1] };
    atom->kind = RSP_PROP_ATOM;
    atom->op = RSP_OP_EQ;
    atom->left = (RspOperand){ .is_observable = TRUE, .observable = outcome->printed[k] };
    atom->right = (RspOperand){ .constant = rsp_outcome_value (outcome, shown, k).bits };
  }
  if (n)
    props[n - 1].b = props[n - 1].a;
  else
    props[0].kind = RSP_PROP_TRUE;
  add (reasons, NULL, props);
}

/* ---- Asking ---- */

static const RspExecution *find (Reason *reason, RspQuery *query, const RspProgram *program,
                                 guint max_steps, RspArena *arena) {
  const RspProp *outcome = reason->props ? reason->props : program->condition;
  RspQuestion question = { .raised = reason->flag,
                           .outcome = reason->flag ? NULL : outcome,
                           .max_steps = max_steps,
                           .first_part = reason->part };
  const RspExecution *execution = rsp_query_find (query, &question, arena, NULL);
  if (execution)
    reason->part = rsp_query_last_part (query);
  return execution;
}

gboolean synth_reasons_refute (SynthReasons *reasons, const RspProgram *program,
                               const RspModel *model, const RspCheckOptions *options,
                               guint max_steps, SynthRefuted refuted, gpointer data) {
  const RspExecution *found = NULL;
  if (reasons->len == 0 || program->filter)
    return FALSE;
  RspQuery *query = rsp_query_new_consulting (program, model, options);
  RspArena *arena = rsp_arena_new ();
  for (guint i = 0; i < reasons->len && !found; i++) {
    Reason *reason = reasons->pdata[i];
    found = find (reason, query, program, max_steps, arena);
    if (found) {
      g_ptr_array_insert (reasons, 0, g_ptr_array_steal_index (reasons, i));
      refuted (data, found, reason->flag);
    }
  }
  rsp_arena_free (arena);
  rsp_query_free (query);
  return found != NULL;
}
