#include "enumerator/search/query/query.h"
#include "enumerator/search/query/attempt.h"
#include "enumerator/search/query/question.h"

enum {
  KEPT_PARTS = 256,   /* parts without an answer that stay staged */
  MOST_LISTED = 4096, /* combinations that are listed although the solver can be asked */
  ASK_AFTER = 1 << 11 /* steps of a search without a limit, after which it is */
};

/* ---- Parts ---- */

RspQueryPart *rsp_query_part (RspQuery *query, guint i) {
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

void rsp_query_release_part (RspQuery *query, guint i) {
  RspQueryPart *part = query->parts->pdata[i];
  if (i < KEPT_PARTS || !part || part->answered)
    return;
  query_part_free (part);
  query->parts->pdata[i] = NULL;
}

/* Of the combinations that are listed. */
static void open_parts (RspQuery *query) {
  guint n = combinations_n (query->combinations);
  query->budget = combinations_budget (query->combinations);
  query->cores = cores_new (n);
  query->parts = g_ptr_array_new_with_free_func ((GDestroyNotify) query_part_free);
  g_ptr_array_set_size (query->parts, (gint) n);
}

static void close_parts (RspQuery *query) {
  g_ptr_array_unref (query->parts);
  cores_free (query->cores);
}

static void list_parts (RspQuery *query) {
  if (query->is_listed)
    return;
  close_parts (query);
  combinations_list (query->combinations);
  open_parts (query);
  query->is_listed = TRUE;
}

/* ---- Questions ---- */

static void turn_to_outcome (RspQuery *query, const RspProp *outcome) {
  if (outcome == query->outcome)
    return;
  cores_clear (query->cores);
  query->outcome = outcome;
}

static void visit_each_part (Attempt *attempt) {
  RspQuery *query = attempt->query;
  guint n = query->parts->len;
  for (guint k = 0; k < n && !attempt->ended; k++) {
    guint i = attempt->number = (attempt->question->first_part + k) % n;
    if (attempt->question->outcome
        && cores_refute (query->cores, i, attempt->question, query->options.through))
      continue;
    attempt->part = rsp_query_part (query, i);
    if (!attempt->part)
      return;
    attempt_search_part (attempt, i);
    rsp_query_release_part (query, i);
  }
}

static void visit_parts (Attempt *attempt) {
  RspQuery *query = attempt->query;
  const RspProp *outcome = attempt->question->outcome;
  query->program.condition = (RspProp *) (outcome ? outcome : &query_always);
  if (outcome)
    turn_to_outcome (query, outcome);
  if (attempt->first)
    attempt->common = combinations_common (query->combinations, query->budget.max_memory / 4);
  attempt->core = rsp_core_new ();
  attempt->all_core = rsp_core_new ();
  visit_each_part (attempt);
  g_array_unref (attempt->core);
  g_array_unref (attempt->all_core);
  rsp_common_free (attempt->common);
}

gboolean rsp_query_each (RspQuery *query, const RspQuestion *question, RspQueryVisit visit,
                         gpointer data) {
  Attempt attempt = { .query = query, .question = question, .visit = visit, .data = data };
  visit_parts (&attempt);
  return query->is_listed && !attempt.ended && rsp_query_stop (query) == RSPCHECK_STOP_COMPLETE;
}

typedef struct Found {
  RspArena *arena;
  RspExecution *execution;
} Found;

/* An execution that the solver found. */
static void take_consulted (gpointer data, RspQueryPart *part, const RspExecution *found) {
  Attempt *attempt = data;
  const RspStagedModel *model = part->staging->models[0];
  RspExecution execution = *found;
  if (!part->valuations[0])
    part->valuations[0] = question_valuation (model);
  attempt->part = part;
  if (!attempt->ended)
    attempt_evaluate (attempt, model, part->valuations[0], &execution);
}

/* FALSE if the solver does not know. */
static gboolean ask (Attempt *attempt) {
  RspQuery *query = attempt->query;
  query->program.condition
      = (RspProp *) (attempt->question->outcome ? attempt->question->outcome : &query_always);
  if (!query->consult)
    query->consult = consult_new (&query->program, query->model, &query->options,
                                  query->combinations, &query->budget, query->diagnostics);
  query->may_ask = query->consult != NULL;
  if (!query->consult)
    return FALSE;
  SatAnswer answer = consult_find (query->consult, attempt->question, take_consulted, attempt);
  return answer == SAT_NO || (answer == SAT_YES && attempt->ended);
}

static gboolean take_first (gpointer data, const RspExecution *execution) {
  Found *found = data;
  found->execution = rsp_execution_copy (execution, found->arena);
  return FALSE;
}

/* The first answer by a search. FALSE if it gives up. */
static gboolean search_first (RspQuery *query, const RspQuestion *question, Found *found) {
  Attempt attempt
      = { .query = query, .question = question, .visit = take_first, .data = found, .first = TRUE };
  visit_parts (&attempt);
  return found->execution || !attempt.ended;
}

static gboolean ask_first (RspQuery *query, const RspQuestion *question, Found *found) {
  Attempt attempt = { .query = query, .question = question, .visit = take_first, .data = found };
  return query->may_ask && rsp_query_stop (query) == RSPCHECK_STOP_COMPLETE && ask (&attempt);
}

/* If the solver does not know, or cannot be asked, it is as without it; but only questions without
 * a limit are worth the list of too many combinations. */
RspExecution *rsp_query_find (RspQuery *query, const RspQuestion *question, RspArena *arena,
                              gboolean *given_up) {
  Found found = { .arena = arena };
  RspQuestion limited = *question;
  gboolean was_listed = query->is_listed;
  if (query->may_ask && !question->max_steps)
    limited.max_steps = ASK_AFTER;
  gboolean done = (was_listed && search_first (query, &limited, &found))
                  || ask_first (query, question, &found);
  if (!done && rsp_query_stop (query) == RSPCHECK_STOP_COMPLETE
      && (!question->max_steps || !(was_listed || query->may_ask))) {
    list_parts (query);
    done = search_first (query, question, &found);
  }
  if (given_up)
    *given_up = !found.execution && (!done || rsp_query_stop (query) != RSPCHECK_STOP_COMPLETE);
  return found.execution;
}

/* ---- The whole ---- */

static RspQuery *begin (const RspProgram *program, const RspModel *model,
                        const RspCheckOptions *options) {
  RspQuery *query = g_new0 (RspQuery, 1);
  query->program = *program;
  query->program.condition = (RspProp *) &query_always;
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

static RspQuery *begin_on (RspQuery *query, RspCombinations *combinations) {
  query->combinations = combinations;
  query->is_listed = TRUE;
  open_parts (query);
  return query;
}

RspQuery *rsp_query_new (const RspProgram *program, const RspModel *model,
                         const RspCheckOptions *options) {
  RspQuery *query = begin (program, model, options);
  query->options.engine = RSPCHECK_ENGINE_BOUNDED;
  return begin_on (query, combinations_new (&query->program, model, &query->options));
}

RspQuery *rsp_query_new_consulting (const RspProgram *program, const RspModel *model,
                                    const RspCheckOptions *options) {
  if (options->engine != RSPCHECK_ENGINE_SAT && options->engine != RSPCHECK_ENGINE_AUTO)
    return rsp_query_new (program, model, options);
  RspQuery *query = begin (program, model, options);
  query->options.engine = RSPCHECK_ENGINE_BOUNDED;
  RspCombinations *combinations = rsp_combinations_open (&query->program, model, &query->options);
  guint64 n = combinations_most (combinations);
  gboolean is_listed = n <= MOST_LISTED && !options->asks_only;
  query->may_ask = n >= SEARCH_MANY_COMBINATIONS || options->asks_only;
  if (is_listed)
    combinations_list (combinations);
  begin_on (query, combinations);
  query->is_listed = is_listed;
  return query;
}

RspQuery *rsp_query_new_of (const RspProgram *program, const RspModel *model,
                            const RspCheckOptions *options, const RspPath *const *paths,
                            const RspBudget *budget) {
  RspQuery *query = begin (program, model, options);
  return begin_on (query, combinations_of (&query->program, model, &query->options, paths, budget));
}

void rsp_query_free (RspQuery *query) {
  if (!query)
    return;
  close_parts (query);
  consult_free (query->consult);
  rsp_combinations_free (query->combinations);
  rsp_diagnostics_free (query->diagnostics);
  g_free (query);
}

const RspProgram *rsp_query_program (const RspQuery *query) { return &query->program; }

RspcheckStop rsp_query_stop (const RspQuery *query) {
  return rsp_budget_stop (&((RspQuery *) query)->budget);
}

RspBudget *rsp_query_budget (RspQuery *query) { return &query->budget; }

RspDiagnostics *rsp_query_diagnostics (RspQuery *query) { return query->diagnostics; }

guint rsp_query_last_part (const RspQuery *query) { return query->last_part; }

guint rsp_query_n_parts (const RspQuery *query) { return query->parts->len; }
