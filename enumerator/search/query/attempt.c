#include "enumerator/search/query/attempt.h"
#include "enumerator/search/bounded/bounded.h"
#include "enumerator/search/query/question.h"

#include "enumerator/search/naive/naive.h"
#include "enumerator/search/bounded/report/prunings.h"
#include "enumerator/search/search.h"

const RspProp query_always = { .kind = RSP_PROP_TRUE };

gboolean rsp_query_goes_through (const RspQuery *query, const RspStagedAxiom *axiom) {
  return axiom_goes_through (axiom, query->options.through);
}

/* ---- Leaves ---- */

void attempt_evaluate (Attempt *attempt, const RspStagedModel *model, RspValuation *valuation,
                       RspExecution *execution) {
  const RspStagedAxiom *broken;
  if (!judge_execution (model, valuation, execution))
    return;
  if (question_is_answered (attempt->question, attempt->query->options.through, model, execution,
                            &broken)) {
    attempt->part->answered = attempt->answered = TRUE;
    attempt->query->last_part = attempt->number;
    attempt->ended = !attempt->visit (attempt->data, execution);
  } else if (broken && attempt->core)
    rsp_core_add (attempt->core, broken);
  judgement_clear (execution);
}

/* The engine's leaf: a complete execution. `restaged` is the model staged on this execution if that
 * was necessary, else NULL. */
static void reach_leaf (RspSearch *search, const RspExecution *found,
                        const RspStagedModel *restaged) {
  Attempt *attempt = search->leaf_data;
  RspQueryPart *part = attempt->part;
  RspExecution execution = *found;
  const RspStagedModel *model = restaged ? restaged : part->staging->models[attempt->index];
  RspValuation *valuation = restaged ? NULL : part->valuations[attempt->index];
  if (!valuation)
    valuation = question_valuation (model);
  if (!restaged)
    part->valuations[attempt->index] = valuation;
  execution.script = model->script;
  execution.n_script = model->n_script;
  attempt_evaluate (attempt, model, valuation, &execution);
  if (restaged)
    rsp_valuation_free (valuation);
  if (attempt->ended)
    rsp_budget_end (search->budget, RSPCHECK_STOP_FOUND);
}

/* ---- One search ---- */

/* Searches under the plain axioms. If attempt is NULL, only finds out whether there is an
 * execution. */
static RspcheckStop search (RspQuery *query, const RspPreExecution *pre, const RspStaging *staging,
                            guint disabled, guint max_steps, Attempt *attempt) {
  RspLeafVisit leaf = attempt ? reach_leaf : NULL;
  RspStatistics statistics = { 0 };
  RspBudget budget = query->budget;
  RspCheckOptions options = query->options;
  options.disabled |= disabled;
  options.speedcheck = leaf ? RSPCHECK_SPEED_TRUE : RSPCHECK_SPEED_FAST;
  g_autoptr (GArray) flags = search_flags_new (), prunings = rsp_prunings_new ();
  RspSearch search = { .model = query->model,
                       .pre = pre,
                       .options = &options,
                       .diagnostics = query->diagnostics,
                       .budget = &budget,
                       .common = attempt ? attempt->common : NULL,
                       .notes_used = attempt != NULL,
                       .statistics = &statistics,
                       .tally = rsp_tally_new (&query->program),
                       .flags = flags,
                       .prunings = prunings,
                       .leaf = leaf,
                       .leaf_data = attempt,
                       .max_ticks = max_steps };
  if (options.engine == RSPCHECK_ENGINE_NAIVE)
    rsp_search_naive (&search, staging);
  else
    rsp_search_bounded (&search, staging);
  rsp_tally_free (search.tally);
  RspcheckStop stop = rsp_budget_stop (&budget);
  if (attempt) {
    attempt->steps += search.ticks;
    attempt->ended |= stop != RSPCHECK_STOP_COMPLETE;
    attempt->remembers |= statistics.memo_hits > 0;
    core_add_used (attempt->core, staging, prunings);
  }
  if (stop != RSPCHECK_STOP_COMPLETE && stop != RSPCHECK_STOP_FOUND
      && stop != RSPCHECK_STOP_EXECUTIONS)
    rsp_budget_end (&query->budget, stop);
  return stop;
}

gboolean rsp_query_is_possible (RspQuery *query, RspQueryPart *part, const RspStagedModel *model,
                                const GArray *axioms) {
  RspStagedModel narrowed = *model, *models[] = { &narrowed };
  narrowed.axioms = (RspStagedAxiom *) axioms->data;
  narrowed.n_axioms = axioms->len;
  RspStaging staging = { .models = models, .n_models = 1 };
  query->program.condition = (RspProp *) &query_always;
  return search (query, part->pre, &staging, 0, 0, NULL) == RSPCHECK_STOP_FOUND;
}

/* The memo may skip a partial execution only if its completions have no answer, here and in the
 * other combinations that share it: so it is used only if the first answer ends the search and the
 * engine's axioms express the whole question. */
static void search_model (Attempt *attempt, const RspStagedModel *model, gboolean needs_execution) {
  gboolean exact;
  if (!needs_execution && !question_may_be_answered (attempt->question, model))
    return;
  g_autoptr (GArray) axioms
      = question_axioms (attempt->question, attempt->query->options.through, model, &exact);
  RspStagedModel narrowed = *model, *models[] = { &narrowed };
  narrowed.axioms = (RspStagedAxiom *) axioms->data;
  narrowed.n_axioms = axioms->len;
  narrowed.n_flags = 0;
  RspStaging staging = { .models = models,
                         .n_models = needs_execution ? 0 : 1,
                         .needs_execution = needs_execution,
                         .known = needs_execution ? &narrowed : NULL };
  guint disabled = RSP_FEATURE_COUNT;
  if (!exact || !attempt->first || needs_execution)
    disabled |= RSP_FEATURE_MEMO;
  guint most = attempt->question->max_steps;
  search (attempt->query, attempt->part->pre, &staging, disabled,
          most ? most - MIN (most - 1, attempt->steps) : 0, attempt);
}

/* A staged model without axioms, for models that need executions and have no axioms known without
 * one. */
static void search_unstaged (Attempt *attempt) {
  const RspStaging *staging = attempt->part->staging;
  if (staging->known) {
    search_model (attempt, staging->known, TRUE);
    return;
  }
  RspStagedModel nothing = { .dag = rsp_dag_new (attempt->part->arena, attempt->part->pre->n) };
  search_model (attempt, &nothing, TRUE);
  rsp_dag_free (nothing.dag);
}

/* For a part without an answer: records the axioms that had an effect in this search, or in earlier
 * searches whose results it used. */
static void note_core (Attempt *attempt, guint part) {
  const RspQuestion *question = attempt->question;
  for (guint i = 0; i < attempt->core->len; i++)
    rsp_core_add (attempt->all_core, &g_array_index (attempt->core, RspStagedAxiom, i));
  gboolean is_core
      = !attempt->ended && !attempt->answered && !question->failing && !question->raised;
  if (is_core && question->outcome)
    cores_add (attempt->query->cores, part, attempt->remembers ? attempt->all_core : attempt->core);
}

void attempt_search_part (Attempt *attempt, guint part) {
  const RspStaging *staging = attempt->part->staging;
  attempt->answered = attempt->remembers = FALSE;
  g_array_set_size (attempt->core, 0);
  if (staging->needs_execution)
    search_unstaged (attempt);
  for (attempt->index = 0; attempt->index < staging->n_models && !attempt->ended; attempt->index++)
    search_model (attempt, staging->models[attempt->index], FALSE);
  note_core (attempt, part);
}
