#include "enumerator/search/search.h"
#include "enumerator/values/final_state.h"

#include <string.h>

enum {
  TICKS_PER_LOOK = 8 /* steps between checks of the clock */
};

gboolean search_tick (RspSearch *search) {
  if (++search->ticks % TICKS_PER_LOOK == 0)
    rsp_budget_is_exhausted (search->budget);
  if (search->max_ticks && search->ticks > search->max_ticks)
    rsp_budget_give_up (search->budget);
  return rsp_budget_stop (search->budget) == RSPCHECK_STOP_COMPLETE && !search->found;
}

static void clear_flag (gpointer data) { g_free ((char *) ((RspFlag *) data)->name); }

GArray *search_flags_new (void) {
  GArray *flags = g_array_new (FALSE, FALSE, sizeof (RspFlag));
  g_array_set_clear_func (flags, clear_flag);
  return flags;
}

static RspFlag *find_flag (GArray *flags, const char *name) {
  for (guint i = 0; i < flags->len; i++)
    if (strcmp (g_array_index (flags, RspFlag, i).name, name) == 0)
      return &g_array_index (flags, RspFlag, i);
  return NULL;
}

/* The flag of a name, which is added if it is missing. */
static RspFlag *obtain_flag (GArray *flags, const char *name) {
  RspFlag *flag = find_flag (flags, name);
  if (flag)
    return flag;
  RspFlag new_flag = { .name = g_strdup (name) };
  g_array_append_val (flags, new_flag);
  return &g_array_index (flags, RspFlag, flags->len - 1);
}

void search_flags_note (GArray *flags, const RspStagedModel *model) {
  for (guint i = 0; i < model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &model->axioms[i];
    if (axiom->role == RSPCHECK_ROLE_FLAG || axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS)
      obtain_flag (flags, model->flags[axiom->flag])->undefined
          |= axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS;
  }
}

void search_flags_add_all (GArray *to, const GArray *from) {
  for (guint i = 0; i < from->len; i++) {
    const RspFlag *added = &g_array_index (from, RspFlag, i);
    RspFlag *flag = obtain_flag (to, added->name);
    flag->undefined |= added->undefined;
    flag->raised |= added->raised;
    if (added->span.source) {
      flag->span = added->span;
      flag->thread = added->thread;
      flag->at_barrier = added->at_barrier;
    }
  }
}

void search_flags_raise (GArray *flags, const char *name) {
  RspFlag *flag = find_flag (flags, name);
  g_assert (flag);
  flag->raised = TRUE;
}

/* Under -speedcheck: is the question answered? */
static gboolean answered (const RspSearch *search) {
  if (search->options->speedcheck != RSPCHECK_SPEED_FAST)
    return FALSE;
  return search->pre->program->quantifier == RSP_FORALL ? tally_may_fail (search->tally)
                                                        : tally_may_hold (search->tally);
}

static gboolean is_register (const RspProgram *program, const RspOperand *operand) {
  return operand->is_observable && program->observables[operand->observable].is_register;
}

static gboolean names_registers (const RspProgram *program, const RspProp *prop) {
  return prop
         && (prop->kind == RSP_PROP_ATOM
                 ? is_register (program, &prop->left) || is_register (program, &prop->right)
                 : names_registers (program, prop->a) || names_registers (program, prop->b));
}

gboolean search_narrows_by_thread (const RspProgram *program, const RspCheckOptions *options) {
  return program->filter
         || (options->speedcheck != RSPCHECK_SPEED_EXACT
             && names_registers (program, program->condition));
}

gboolean search_accepts (const RspSearch *search, const RspValue *state) {
  const RspProgram *program = search->pre->program;
  if (search->exists_only)
    return TRUE;
  if (!tally_keeps (search->tally, state))
    return FALSE;
  return search->options->speedcheck == RSPCHECK_SPEED_EXACT
         || rsp_state_truth (program, program->condition, state)
                != (program->quantifier == RSP_FORALL ? RSP_HOLDS : RSP_FAILS);
}

static void look_at_limits (RspSearch *search) {
  RspBudget *budget = search->budget;
  if (answered (search))
    rsp_budget_end (budget, RSPCHECK_STOP_FOUND);
  else if (budget->max_executions && tally_executions (search->tally) > budget->max_executions)
    rsp_budget_end (budget, RSPCHECK_STOP_EXECUTIONS);
  else if (tally_size (search->tally) > budget->max_memory)
    rsp_budget_end (budget, RSPCHECK_STOP_MEMORY);
}

void search_record (RspSearch *search, const RspValue *state, const char *reads,
                    RspCount executions, RspCount n_undefined) {
  if (search->exists_only) {
    search->found = TRUE;
    return;
  }
  rsp_tally_add (search->tally, state, reads, executions, n_undefined);
  look_at_limits (search);
}

void search_record_numbered (RspSearch *search, const guint32 *state, RspCount executions,
                             RspCount n_undefined, gboolean differs) {
  tally_add_numbered (search->tally, state, executions, n_undefined, differs);
  look_at_limits (search);
}
