/* A check: one program under one model. It begins and ends here. */
#include "enumerator/bounded/bounded.h"
#include "enumerator/execution.h"
#include "enumerator/search/hang.h"
#include "enumerator/search/search.h"
#include "enumerator/values/values.h"
#include "model/dag/dag.h"
#include "model/model.h"

#include <string.h>

/* ---- Recursion ------------------------------------------------------------------------------ */

/* Recursive definitions that do not converge: `let rec r = id \ (r | rf)` never stops changing,
 * whatever the execution. Before a search, they are tried on one candidate execution, so that both
 * engines find a faulty model at once, even if the bounded one would prune every branch. A
 * definition that converges there but not on another execution is found when the search reaches
 * that execution. */

void search_report_divergence (RspSearch *search, RspDag *dag) {
  if (rsp_dag_report_divergence (dag, search->diagnostics))
    rsp_budget_end (search->budget, RSPCHECK_STOP_ERROR);
}

/* Orders the members of a set by number, those of different locations separately. */
static RspMatrix *by_number (const RspPreExecution *pre, const RspMatrix *set,
                             gboolean per_location, RspArena *arena) {
  RspMatrix *order = rsp_relation_new (arena, pre->n);
  for (all_bits (a, set->bits, set->words))
    for (all_bits (b, set->bits, set->words))
      if (a < b && (!per_location || pre->events[a]->location == pre->events[b]->location))
        rsp_matrix_add (order, a, b);
  return order;
}

gboolean try_recursions (RspSearch *search, const RspStaging *staging) {
  for (guint i = 0; i <= staging->n_models; i++) {
    const RspStagedModel *model = i < staging->n_models ? staging->models[i] : staging->known;
    gboolean may_diverge = FALSE;
    for (guint j = 0; model && j < model->dag->groups->len; j++)
      may_diverge |= !g_array_index (model->dag->groups, RspFix, j).monotone;
    if (!may_diverge)
      continue;
    g_autoptr (RspArena) arena = rsp_arena_new ();
    RspNodeId *roots = rsp_arena_new0 (arena, RspNodeId, model->n_axioms);
    for (guint j = 0; j < model->n_axioms; j++)
      roots[j] = model->axioms[j].node;
    RspMatrix **orders = rsp_arena_new0 (arena, RspMatrix *, model->n_orders);
    for (guint j = 0; j < model->n_orders; j++)
      orders[j] = by_number (search->pre, model->orders[j].set, FALSE, arena);
    g_autoptr (RspValuation) valuation = rsp_valuation_new (model->dag, roots, model->n_axioms);
    /* Every read takes its first candidate. */
    RspMatrix *rf = rsp_relation_new (arena, search->pre->n);
    for (guint j = 0; j < search->pre->n_reads; j++) {
      const guint64 *row = rsp_matrix_row (search->pre->candidates, search->pre->reads[j]);
      guint write = rsp_next_bit (row, search->pre->candidates->words, 0);
      if (write != G_MAXUINT)
        rsp_matrix_add (rf, write, search->pre->reads[j]);
    }
    rsp_valuation_evaluate (
        valuation, rf,
        by_number (search->pre, search->pre->base->sets[RSP_BASE_SET_W], TRUE, arena), orders);
    search_report_divergence (search, model->dag);
    if (rsp_budget_stop (search->budget) != RSPCHECK_STOP_COMPLETE)
      return FALSE;
  }
  return TRUE;
}

/* ---- Check ---------------------------------------------------------------------------------- */

static void finish (Check *check) {
  RspOutcome *outcome = check->outcome;
  rsp_tally_finish (check->tally, &check->budget, outcome);
  outcome->stop = rsp_budget_stop (&check->budget);
  g_assert (outcome->stop != RSPCHECK_STOP_FOUND
            || (outcome->n_states
                && (check->program->quantifier == RSP_FORALL ? rsp_outcome_may_fail (outcome)
                                                             : rsp_outcome_may_hold (outcome))));
  if (check->prunings)
    outcome->prunings
        = rsp_prunings_finish (check->prunings, check->model, check->options->skipped_checks,
                               outcome->arena, &outcome->n_prunings);
  outcome->n_failures = check->failures->len;
  outcome->failures = rsp_arena_copy (outcome->arena, check->failures->data,
                                      sizeof (RspFailure) * check->failures->len);
  const RspFailure *first = outcome->failures;
  for (guint i = 0; i < outcome->n_failures; i++) {
    RspFailure *failure = &outcome->failures[i];
    failure->message = rsp_arena_strdup (outcome->arena, failure->message);
    first = failure->span.begin < first->span.begin ? failure : first;
  }
  outcome->failure = outcome->n_failures ? first->message : NULL;
  outcome->n_flags = check->flags->len;
  outcome->flags
      = rsp_arena_copy (outcome->arena, check->flags->data, sizeof (RspFlag) * check->flags->len);
  for (guint i = 0; i < outcome->n_flags; i++) {
    outcome->flags[i].name = rsp_arena_strdup (outcome->arena, outcome->flags[i].name);
    outcome->has_undefined |= outcome->flags[i].undefined;
  }
  /* Without a pre-execution the model has not been staged; without an execution, perhaps not
   * completely. */
  if (outcome->statistics.pre_executions == 0 || check->needs_execution)
    outcome->has_undefined |= rsp_model_has_undefined (check->model, FALSE);
}

/* Comes last, since nothing else depends on it. It is a question of its own, which is still open if
 * that of the condition has been answered. */
static void look_for_endless (Check *check) {
  if (check->options->spin != RSPCHECK_SPIN_LAST || check->options->prefixes || check->collected)
    return;
  gboolean answered = rsp_budget_set_aside_found (&check->budget);
  if (!rsp_budget_is_exhausted (&check->budget)) {
    RspProgress fair = { .promise[RSP_LEVEL_THREAD] = RSP_PROMISE_FAIR };
    RspHangs *found = rsp_hangs_find (check->program, check->model, check->options, &fair, 1,
                                      &check->budget, check->diagnostics);
    if (found->items[0].hangs) {
      g_autoptr (GArray) flags = search_flags_new ();
      /* The flag of a hang, at the first thread that runs for ever. */
      guint t = 0;
      while (found->items[0].threads[t].fate != RSP_FATE_UNENDING)
        t++;
      const RspHangThread *thread = &found->items[0].threads[t];
      RspFlag flag = (RspFlag){ .name = g_strdup (RSP_SPIN_FLAG),
                                .raised = TRUE,
                                .span = thread->span,
                                .thread = t,
                                .at_barrier = thread->at_barrier };
      g_array_append_val (flags, flag);
      search_flags_add_all (check->flags, flags);
      rsp_hang_warn (found, &found->items[0], check->diagnostics);
    }
    rsp_hangs_free (found);
  }
  if (answered)
    rsp_budget_restore_found (&check->budget);
}

static RspOutcome *check_once (const RspProgram *program, const RspModel *model,
                               const RspCheckOptions *options, RspDiagnostics *diagnostics) {
  RspOutcome *outcome = g_new0 (RspOutcome, 1);
  outcome->program = program;
  Check check = { .program = program,
                  .model = model,
                  .options = options,
                  .diagnostics = diagnostics,
                  .outcome = outcome };
  check_start (&check);
  check_run (&check);
  look_for_endless (&check);
  finish (&check);
  /* Only where no execution was found. */
  if (!rsp_outcome_may_hold (check.outcome) && !rsp_outcome_may_fail (check.outcome)) {
    for (guint t = 0; t < check.program->n_threads; t++)
      for (guint i = 0; i < check.paths[t]->len; i++) {
        const RspPath *path = check.paths[t]->pdata[i];
        for (guint e = 0; e < path->n_events; e++)
          check.outcome->barriers |= rsp_event_is_at_barrier (&path->events[e]);
      }
  }
  check_end (&check);
  return outcome;
}

/* A hurried search of a forall looks for refutations. A second search finds out whether anything
 * satisfies it, to distinguish Never from Sometimes. */
static void look_for_positive (RspOutcome *outcome, const RspModel *model,
                               const RspCheckOptions *options, gint64 start,
                               RspDiagnostics *diagnostics) {
  RspProgram program = *outcome->program;
  double spent = (double) (g_get_monotonic_time () - start) / 1e6;
  RspCheckOptions rest = rsp_check_options_rest (options, spent);
  g_autoptr (RspDiagnostics) own = rsp_diagnostics_new ();
  program.quantifier = RSP_EXISTS;
  rest.speedcheck = RSPCHECK_SPEED_FAST;
  g_autoptr (RspOutcome) other = check_once (&program, model, &rest, own);
  outcome->satisfiable = rsp_outcome_may_hold (other);
  if (other->stop == RSPCHECK_STOP_COMPLETE || other->stop == RSPCHECK_STOP_FOUND)
    return;
  outcome->stop = other->stop;
  rsp_diagnostics_move (diagnostics, own);
}

/* ---- Tests that never end ---- */
static gboolean has_execution (const RspOutcome *outcome, const RspModel *model,
                               const RspCheckOptions *options) {
  RspProgram program = *outcome->program;
  RspProp any = { .kind = RSP_PROP_TRUE };
  RspCheckOptions fast = *options;
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  program.quantifier = RSP_EXISTS;
  program.condition = &any;
  program.filter = NULL;
  fast.speedcheck = RSPCHECK_SPEED_FAST;
  fast.verdict = FALSE;
  g_autoptr (RspOutcome) other = check_once (&program, model, &fast, unheard);
  return other->positive > 0 || other->stop != RSPCHECK_STOP_COMPLETE;
}

/* Do threads wait at barriers for ever, as far as the outcome can tell? */
static gboolean may_all_wait (const RspOutcome *outcome, const RspCheckOptions *options) {
  for (guint i = 0; i < outcome->n_flags; i++)
    if (outcome->flags[i].raised && g_str_equal (outcome->flags[i].name, RSP_SPIN_FLAG))
      return FALSE; /* warnings say so already */
  return outcome->barriers && outcome->stop == RSPCHECK_STOP_COMPLETE && !outcome->n_failures
         && !outcome->loop && !options->prefixes;
}

/* Without an execution, because threads wait at barriers for ever: a warning says how they may. */
static void warn_if_all_wait (const RspOutcome *outcome, const RspModel *model,
                              const RspCheckOptions *options, gint64 start,
                              RspDiagnostics *diagnostics) {
  double spent = (double) (g_get_monotonic_time () - start) / 1e6;
  RspCheckOptions rest = rsp_check_options_rest (options, spent);
  if (!may_all_wait (outcome, options) || has_execution (outcome, model, &rest))
    return;
  RspProgress fair = { .promise[RSP_LEVEL_THREAD] = RSP_PROMISE_FAIR };
  RspBudget budget
      = { .deadline = rsp_deadline_in (rest.timeout), .max_memory = RSP_DEFAULT_MEMORY };
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  RspHangs *found = rsp_hangs_find (outcome->program, model, &rest, &fair, 1, &budget, unheard);
  const guint n = found->items[0].hangs ? found->program.n_threads : 0;
  gboolean at_barrier = FALSE;
  for (guint t = 0; t < n; t++)
    at_barrier |= found->items[0].threads[t].fate == RSP_FATE_UNENDING
                  && found->items[0].threads[t].at_barrier;
  for (guint t = 0; t < n && at_barrier; t++) {
    const RspHangThread *thread = &found->items[0].threads[t];
    if (thread->fate == RSP_FATE_UNENDING)
      rsp_warning (diagnostics, thread->span, NULL,
                   "test %s: no execution ends: P%u waits for ever %s", outcome->program->name, t,
                   thread->at_barrier ? "at this barrier" : "here");
  }
  rsp_hangs_free (found);
}

RspOutcome *rsp_check (const RspProgram *program, const RspModel *model,
                       const RspCheckOptions *options, RspDiagnostics *diagnostics) {
  gint64 start = g_get_monotonic_time ();
  /* OpenCL C, 6.13.8: a barrier is for the work-items of a work-group, whatever its memory scope.
   */
  if (program->wide_barrier.source && !model->wide_barriers)
    rsp_warning (
        diagnostics, program->wide_barrier,
        "write `work_group_barrier` if that is meant; the HRF models have wider barriers",
        "test %s: model %s: OpenCL has no barrier of several work-groups, and this one joins its "
        "own work-group only",
        program->name, model->name);
  RspOutcome *outcome = check_once (program, model, options, diagnostics);
  gboolean finished
      = outcome->stop == RSPCHECK_STOP_COMPLETE || outcome->stop == RSPCHECK_STOP_FOUND;
  if (finished && options->speedcheck != RSPCHECK_SPEED_EXACT && program->quantifier == RSP_FORALL)
    look_for_positive (outcome, model, options, start, diagnostics);
  warn_if_all_wait (outcome, model, options, start, diagnostics);
  return outcome;
}

/* ---- Search --------------------------------------------------------------------------------- */

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

static RspFlag *find_flag (const GArray *flags, const char *name) {
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

gboolean search_flags_has (const GArray *flags, const char *name) {
  const RspFlag *flag = find_flag (flags, name);
  return flag && flag->raised;
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

void tally_limit (const RspTally *tally, RspBudget *budget) {
  if (budget->max_executions && tally_executions (tally) > budget->max_executions)
    rsp_budget_end (budget, RSPCHECK_STOP_EXECUTIONS);
  else if (tally_size (tally) > budget->max_memory)
    rsp_budget_end (budget, RSPCHECK_STOP_MEMORY);
}

static void look_at_limits (RspSearch *search) {
  if (answered (search))
    rsp_budget_end (search->budget, RSPCHECK_STOP_FOUND);
  else
    tally_limit (search->tally, search->budget);
}

gboolean axiom_goes_through (const RspStagedAxiom *axiom, RspcheckThrough through) {
  return axiom->id
         && (through == RSPCHECK_THROUGH_ALL
             || (through == RSPCHECK_THROUGH_INVALID && axiom->name));
}

void search_record (RspSearch *search, const RspValue *state, RspCount executions,
                    RspCount n_undefined) {
  if (search->exists_only) {
    search->found = TRUE;
    return;
  }
  rsp_tally_add (search->tally, state, executions, n_undefined);
  look_at_limits (search);
}

void search_record_numbered (RspSearch *search, const guint32 *state, RspCount executions,
                             RspCount n_undefined, gboolean differs) {
  tally_add_numbered (search->tally, state, executions, n_undefined, differs);
  look_at_limits (search);
}
