#include "enumerator/search/query/query.h"
#include "base/contract.h"
#include "enumerator/search/bounded/bounded.h"
#include "enumerator/search/bounded/share/common.h"
#include "enumerator/search/query/cores.h"
#include "enumerator/search/query/mirror.h"
#include "enumerator/search/query/part.h"
#include "enumerator/search/query/question.h"

#include "enumerator/search/combinations.h"
#include "enumerator/search/naive/naive.h"
#include "enumerator/search/prunings.h"
#include "enumerator/search/search.h"

#include <string.h>

enum
{
  KEPT_PARTS = 256 /* parts without an answer that stay staged */
};

struct RspQuery
{
  RspProgram program; /* the test, with the outcome in question as its condition */
  const RspModel *model;
  RspCheckOptions options;
  RspDiagnostics *diagnostics;
  RspBudget budget;
  RspCombinations *combinations;
  GPtrArray *parts; /* of RspQueryPart, per combination: NULL until it is staged */
  /* What is known about the combinations for the outcome of the last question. */
  const RspProp *outcome;
  Cores *cores;
  Mirrors mirrors;
  guint last_part; /* answered questions */
};

/* One question about one staged model. */
typedef struct Attempt
{
  RspQuery *query;
  const RspQuestion *question;
  RspQueryVisit visit;
  gpointer data;
  RspQueryPart *part;
  guint number;            /* of the part */
  guint index;             /* of the staged model in the part */
  gboolean first;          /* only the first answer counts */
  gboolean ended;          /* has the visit ended? */
  guint steps;             /* of all searches so far */
  RspCommon *common;       /* their shared part; NULL if they share nothing */
  GArray *core, *all_core; /* axioms that had an effect in searching this part, and in any search so
                            * far */
  gboolean answered;       /* does this part have an answer? */
  guint images;            /* of its executions: see RspExecution */
  gboolean remembers;      /* has a search of it used results of another one? */
} Attempt;

static const RspProp always = { .kind = RSP_PROP_TRUE };

gboolean
rsp_query_goes_through (const RspQuery *query, const RspStagedAxiom *axiom)
{
  return axiom_goes_through (axiom, query->options.through);
}

/* ---- Leaves ---- */

static void
evaluate (Attempt *attempt, const RspStagedModel *model, RspValuation *valuation,
          RspExecution *execution)
{
  const RspStagedAxiom *broken;
  if (!judge_execution (model, valuation, execution))
    return;
  if (question_is_answered (attempt->question, attempt->query->options.through, model, execution,
                            &broken))
    {
      attempt->part->answered = attempt->answered = TRUE;
      attempt->query->last_part = attempt->number;
      execution->images = attempt->images;
      attempt->ended = !attempt->visit (attempt->data, execution);
    }
  else if (broken)
    core_add (attempt->core, broken);
  judgement_clear (execution);
}

/* The engine's leaf: a complete execution. `restaged` is the model staged on this execution if that
 * was necessary, else NULL. */
static void
reach_leaf (RspSearch *search, const RspExecution *found, const RspStagedModel *restaged)
{
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
  evaluate (attempt, model, valuation, &execution);
  if (restaged)
    rsp_valuation_free (valuation);
  if (attempt->ended)
    rsp_budget_end (search->budget, RSPCHECK_STOP_FOUND);
}

/* ---- One search ---- */

/* Searches under the plain axioms. If attempt is NULL, only finds out whether there is an
 * execution. */
static RspcheckStop
search (RspQuery *query, const RspPreExecution *pre, const RspStaging *staging, guint disabled,
        guint max_steps, Attempt *attempt)
{
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
  if (attempt)
    {
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

gboolean
rsp_query_is_possible (RspQuery *query, RspQueryPart *part, const RspStagedModel *model,
                       const GArray *axioms)
{
  RspStagedModel narrowed = *model, *models[] = { &narrowed };
  narrowed.axioms = (RspStagedAxiom *) axioms->data;
  narrowed.n_axioms = axioms->len;
  RspStaging staging = { .models = models, .n_models = 1 };
  query->program.condition = (RspProp *) &always;
  return search (query, part->pre, &staging, 0, 0, NULL) == RSPCHECK_STOP_FOUND;
}

/* The memo may skip a partial execution only if its completions have no answer: so it is used only
 * if the first answer ends the search and the engine's axioms express the whole question. */
static void
search_model (Attempt *attempt, const RspStagedModel *model, gboolean needs_execution)
{
  gboolean exact;
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
static void
search_unstaged (Attempt *attempt)
{
  const RspStaging *staging = attempt->part->staging;
  if (staging->known)
    {
      search_model (attempt, staging->known, TRUE);
      return;
    }
  RspStagedModel nothing = { .dag = rsp_dag_new (attempt->part->arena, attempt->part->pre->n) };
  search_model (attempt, &nothing, TRUE);
  rsp_dag_free (nothing.dag);
}

/* For a part without an answer: records the axioms that had an effect in this search, or in earlier
 * searches whose results it used. */
static void
note_core (Attempt *attempt, guint part)
{
  const RspQuestion *question = attempt->question;
  for (guint i = 0; i < attempt->core->len; i++)
    core_add (attempt->all_core, &g_array_index (attempt->core, RspStagedAxiom, i));
  gboolean is_core
      = !attempt->ended && !attempt->answered && !question->failing && !question->raised;
  if (is_core && question->outcome)
    cores_add (attempt->query->cores, attempt->query->mirrors.image[part],
               attempt->remembers ? attempt->all_core : attempt->core);
}

static void
search_part (Attempt *attempt, guint part)
{
  const RspStaging *staging = attempt->part->staging;
  attempt->answered = attempt->remembers = FALSE;
  attempt->images = attempt->question->distinct ? attempt->query->mirrors.n_images[part] : 1;
  g_array_set_size (attempt->core, 0);
  if (staging->needs_execution)
    search_unstaged (attempt);
  for (attempt->index = 0; attempt->index < staging->n_models && !attempt->ended; attempt->index++)
    search_model (attempt, staging->models[attempt->index], FALSE);
  note_core (attempt, part);
}

/* ---- Parts ---- */

RspQueryPart *
rsp_query_part (RspQuery *query, guint i)
{
  if (rsp_budget_is_exhausted (&query->budget))
    return NULL;
  if (!query->parts->pdata[i])
    query->parts->pdata[i] = query_part_stage (&query->program, query->model, &query->options,
                                               combinations_paths (query->combinations, i),
                                               &query->budget, query->diagnostics);
  RspQueryPart *part = query->parts->pdata[i];
  if (!part->staging)
    rsp_budget_end (&query->budget, RSPCHECK_STOP_ERROR);
  return part->staging ? part : NULL;
}

void
rsp_query_release_part (RspQuery *query, guint i)
{
  RspQueryPart *part = query->parts->pdata[i];
  if (i < KEPT_PARTS || !part || part->answered)
    return;
  query_part_free (part);
  query->parts->pdata[i] = NULL;
}

/* ---- Questions ---- */

static void
turn_to_outcome (RspQuery *query, const RspProp *outcome)
{
  if (outcome == query->outcome)
    return;
  cores_clear (query->cores);
  mirrors_find (&query->mirrors, &query->program, outcome, query->combinations);
  query->outcome = outcome;
}

/* For a first answer it is known that no earlier part has one. */
static gboolean
is_worth_staging (const Attempt *attempt, guint i)
{
  RspQuery *query = attempt->query;
  if (!attempt->question->outcome)
    return TRUE;
  if ((attempt->first || attempt->question->distinct) && query->mirrors.image[i] != i)
    return FALSE;
  return !cores_refute (query->cores, query->mirrors.image[i], attempt->question,
                        query->options.through);
}

static void
visit_each_part (Attempt *attempt)
{
  RspQuery *query = attempt->query;
  guint n = query->parts->len;
  for (guint k = 0; k < n && !attempt->ended; k++)
    {
      guint i = attempt->number = (attempt->question->first_part + k) % n;
      if (!is_worth_staging (attempt, i))
        continue;
      attempt->part = rsp_query_part (query, i);
      if (!attempt->part)
        return;
      search_part (attempt, i);
      rsp_query_release_part (query, i);
    }
}

static void
visit_parts (Attempt *attempt)
{
  RspQuery *query = attempt->query;
  const RspProp *outcome = attempt->question->outcome;
  query->program.condition = (RspProp *) (outcome ? outcome : &always);
  if (outcome)
    turn_to_outcome (query, outcome);
  if (attempt->first)
    attempt->common = combinations_common (query->combinations, query->budget.max_memory / 4);
  attempt->core = core_new ();
  attempt->all_core = core_new ();
  visit_each_part (attempt);
  g_array_unref (attempt->core);
  g_array_unref (attempt->all_core);
  rsp_common_free (attempt->common);
}

gboolean
rsp_query_each (RspQuery *query, const RspQuestion *question, RspQueryVisit visit, gpointer data)
{
  RSP_CONTRACT (question->outcome || !question->distinct);
  Attempt attempt = { .query = query, .question = question, .visit = visit, .data = data };
  visit_parts (&attempt);
  return !attempt.ended && rsp_query_stop (query) == RSPCHECK_STOP_COMPLETE;
}

typedef struct Found
{
  RspArena *arena;
  RspExecution *execution;
} Found;

static gboolean
take_first (gpointer data, const RspExecution *execution)
{
  Found *found = data;
  found->execution = rsp_execution_copy (execution, found->arena);
  return FALSE;
}

RspExecution *
rsp_query_find (RspQuery *query, const RspQuestion *question, RspArena *arena, gboolean *given_up)
{
  Found found = { .arena = arena };
  Attempt attempt = {
    .query = query, .question = question, .visit = take_first, .data = &found, .first = TRUE
  };
  visit_parts (&attempt);
  if (given_up)
    *given_up
        = !found.execution && (attempt.ended || rsp_query_stop (query) != RSPCHECK_STOP_COMPLETE);
  return found.execution;
}

/* ---- The whole ---- */

static RspQuery *
begin (const RspProgram *program, const RspModel *model, const RspCheckOptions *options)
{
  RspQuery *query = g_new0 (RspQuery, 1);
  query->program = *program;
  query->program.condition = (RspProp *) &always;
  query->program.quantifier = RSP_EXISTS;
  query->model = model;
  query->options = *options;
  query->options.outcome_reads = FALSE;
  query->options.max_executions = 0;
  query->options.jobs = 1;
  query->options.journal = NULL;
  query->diagnostics = rsp_diagnostics_new ();
  return query;
}

static RspQuery *
begin_on (RspQuery *query, RspCombinations *combinations)
{
  query->combinations = combinations;
  query->budget = combinations_budget (query->combinations);
  query->cores = cores_new (combinations_n (query->combinations));
  mirrors_open (&query->mirrors, query->combinations);
  query->parts = g_ptr_array_new_with_free_func ((GDestroyNotify) query_part_free);
  g_ptr_array_set_size (query->parts, (gint) combinations_n (query->combinations));
  return query;
}

RspQuery *
rsp_query_new (const RspProgram *program, const RspModel *model, const RspCheckOptions *options)
{
  RspQuery *query = begin (program, model, options);
  query->options.engine = RSPCHECK_ENGINE_BOUNDED;
  return begin_on (query, combinations_new (&query->program, model, &query->options));
}

RspQuery *
rsp_query_new_of (const RspProgram *program, const RspModel *model, const RspCheckOptions *options,
                  const RspPath *const *paths, const RspBudget *budget)
{
  RspQuery *query = begin (program, model, options);
  return begin_on (query, combinations_of (&query->program, model, &query->options, paths, budget));
}

void
rsp_query_free (RspQuery *query)
{
  if (!query)
    return;
  g_ptr_array_unref (query->parts);
  mirrors_close (&query->mirrors);
  cores_free (query->cores);
  combinations_free (query->combinations);
  rsp_diagnostics_free (query->diagnostics);
  g_free (query);
}

const RspProgram *
rsp_query_program (const RspQuery *query)
{
  return &query->program;
}

RspcheckStop
rsp_query_stop (const RspQuery *query)
{
  return rsp_budget_stop (&((RspQuery *) query)->budget);
}

RspBudget *
rsp_query_budget (RspQuery *query)
{
  return &query->budget;
}

RspDiagnostics *
rsp_query_diagnostics (RspQuery *query)
{
  return query->diagnostics;
}

guint
rsp_query_last_part (const RspQuery *query)
{
  return query->last_part;
}

guint
rsp_query_n_parts (const RspQuery *query)
{
  return query->parts->len;
}
