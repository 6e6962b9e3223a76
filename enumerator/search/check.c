/* The check of one program under one model: its paths, a search per combination of them, the
 * outcome. */
#include "enumerator/search/check.h"
#include "enumerator/event.h"
#include "enumerator/search/combinations.h"
#include "enumerator/search/progress/hang.h"
#include "enumerator/search/bounded/report/prunings.h"
#include "model/names.h"

static void finish_failures (Check *check) {
  RspOutcome *outcome = check->outcome;
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
}

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
  finish_failures (check);
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
    outcome->has_undefined |= rsp_model_has_undefined (check->model);
}

/* The flag of a hang, at the first thread that runs for ever. */
static RspFlag flag_of (const RspHang *hang) {
  guint t = 0;
  while (hang->threads[t].fate != RSP_FATE_UNENDING)
    t++;
  const RspHangThread *thread = &hang->threads[t];
  return (RspFlag){ .name = g_strdup (RSP_SPIN_FLAG),
                    .raised = TRUE,
                    .span = thread->span,
                    .thread = t,
                    .at_barrier = thread->at_barrier };
}

static void find_endless (Check *check) {
  RspProgress fair = { .promise[RSP_LEVEL_THREAD] = RSP_PROMISE_FAIR };
  RspHangs *found = rsp_hangs_find (check->program, check->model, check->options, &fair, 1,
                                    &check->budget, check->diagnostics);
  if (found->items[0].hangs) {
    g_autoptr (GArray) flags = search_flags_new ();
    RspFlag flag = flag_of (&found->items[0]);
    g_array_append_val (flags, flag);
    search_flags_add_all (check->flags, flags);
    rsp_hang_warn (found, &found->items[0], check->diagnostics);
  }
  rsp_hangs_free (found);
}

/* Only where no execution was found. */
static void look_for_barriers (Check *check) {
  if (rsp_outcome_may_hold (check->outcome) || rsp_outcome_may_fail (check->outcome))
    return;
  for (guint t = 0; t < check->program->n_threads; t++)
    for (guint i = 0; i < check->paths[t]->len; i++) {
      const RspPath *path = check->paths[t]->pdata[i];
      for (guint e = 0; e < path->n_events; e++)
        check->outcome->barriers |= rsp_event_is_arrival (&path->events[e]);
    }
}

/* Comes last, since nothing else depends on it. It is a question of its own, which is still open if
 * that of the condition has been answered. */
static void look_for_endless (Check *check) {
  if (check->options->spin != RSPCHECK_SPIN_LAST || check->options->prefixes || check->collected)
    return;
  gboolean answered = rsp_budget_set_aside_found (&check->budget);
  if (!rsp_budget_is_exhausted (&check->budget))
    find_endless (check);
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
                  .path_cache = options->path_cache,
                  .outcome = outcome };
  check_start (&check);
  check_run (&check);
  look_for_endless (&check);
  finish (&check);
  look_for_barriers (&check);
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

/* OpenCL C, 6.13.8: a barrier is for the work-items of a work-group, whatever its memory scope. */
static void warn_about_wide_barrier (const RspProgram *program, const RspModel *model,
                                     RspDiagnostics *diagnostics) {
  if (program->wide_barrier.source && !model->wide_barriers)
    rsp_warning (
        diagnostics, program->wide_barrier,
        "write `work_group_barrier` if that is meant; the HRF models have wider barriers",
        "test %s: model %s: OpenCL has no barrier of several work-groups, and this one joins its "
        "own work-group only",
        program->name, model->name);
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

static gboolean any_at_barrier (const RspHangs *hangs) {
  for (guint t = 0; hangs->items[0].hangs && t < hangs->program.n_threads; t++)
    if (hangs->items[0].threads[t].fate == RSP_FATE_UNENDING
        && hangs->items[0].threads[t].at_barrier)
      return TRUE;
  return FALSE;
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
  for (guint t = 0; any_at_barrier (found) && t < found->program.n_threads; t++) {
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
  warn_about_wide_barrier (program, model, diagnostics);
  RspOutcome *outcome = check_once (program, model, options, diagnostics);
  gboolean finished
      = outcome->stop == RSPCHECK_STOP_COMPLETE || outcome->stop == RSPCHECK_STOP_FOUND;
  if (finished && options->speedcheck != RSPCHECK_SPEED_EXACT && program->quantifier == RSP_FORALL)
    look_for_positive (outcome, model, options, start, diagnostics);
  warn_if_all_wait (outcome, model, options, start, diagnostics);
  return outcome;
}
