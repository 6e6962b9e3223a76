#include "enumerator/search/query/asked.h"
#include "enumerator/event.h"
#include "enumerator/search/query/cores.h"
#include "enumerator/values/final_state.h"
#include "enumerator/values/values.h"

struct Asked
{
  const RspProgram *program;
  const RspModel *model;
  const RspCheckOptions *options;
  const RspCombinations *combinations;
  RspBudget *budget;
  RspDiagnostics *diagnostics;
  SatOracle *oracle;
  GPtrArray *parts;       /* of RspQueryPart: those of executions that were found */
  const RspProp *outcome; /* of the last question with one */
  Cores *cores;           /* of all combinations, for that outcome */
};

Asked *
asked_new (const RspProgram *program, const RspModel *model, const RspCheckOptions *options,
           const RspCombinations *combinations, RspBudget *budget, RspDiagnostics *diagnostics)
{
  SatOracle *oracle
      = sat_oracle_new (program, model, options, combinations_all_paths (combinations),
                        combinations_terms (combinations), budget);
  if (!oracle)
    return NULL;
  Asked *asked = g_new0 (Asked, 1);
  *asked = (Asked){ .program = program,
                    .model = model,
                    .options = options,
                    .combinations = combinations,
                    .budget = budget,
                    .diagnostics = diagnostics,
                    .oracle = oracle,
                    .parts = g_ptr_array_new_with_free_func ((GDestroyNotify) query_part_free),
                    .cores = cores_new (1) };
  return asked;
}

void
asked_free (Asked *asked)
{
  if (!asked)
    return;
  sat_oracle_free (asked->oracle);
  g_ptr_array_unref (asked->parts);
  cores_free (asked->cores);
  g_free (asked);
}

/* ---- Executions ---- */

/* The part of the execution that was found; NULL if it cannot be staged as one model. */
static RspQueryPart *
stage_part (Asked *asked)
{
  guint n = asked->program->n_threads;
  GPtrArray *const *all = combinations_all_paths (asked->combinations);
  g_autofree guint *numbers = g_new0 (guint, n + 1);
  g_autofree const RspPath **paths = g_new0 (const RspPath *, n + 1);
  sat_oracle_paths (asked->oracle, numbers);
  for (guint t = 0; t < n; t++)
    paths[t] = all[t]->pdata[numbers[t]];
  RspQueryPart *part = query_part_stage (asked->program, asked->model, asked->options, paths,
                                         asked->budget, asked->diagnostics);
  g_ptr_array_add (asked->parts, part);
  gboolean is_one
      = part->staging && !part->staging->needs_execution && part->staging->n_models == 1;
  return is_one ? part : NULL;
}

/* What reads return and registers hold. FALSE if that is not possible. */
static gboolean
find_values (RspExecution *execution, RspArena *arena)
{
  const RspPreExecution *pre = execution->pre;
  guint *source = rsp_arena_new0 (arena, guint, pre->n + 1);
  for (guint w = 0; w < pre->n; w++)
    for (all_bits (r, rsp_matrix_row (execution->rf, w), execution->rf->words))
      source[r] = w;
  execution->values = rsp_arena_new0 (arena, RspValue, pre->n + 1);
  execution->written = rsp_arena_new0 (arena, RspValue, pre->n + 1);
  execution->last = rsp_arena_new0 (arena, guint, pre->program->n_locations + 1);
  execution->state = rsp_arena_new0 (arena, RspValue, pre->program->n_observables + 1);
  return rsp_values_solve (pre, source, execution->values, execution->written, execution->state,
                           &execution->thin_air);
}

typedef struct Visiting
{
  const RspQuestion *question;
  AskedVisit visit;
  gpointer data;
  RspQueryPart *part;
  RspExecution execution;
} Visiting;

static void
visit_final (gpointer data)
{
  Visiting *v = data;
  const RspExecution *execution = &v->execution;
  const RspProp *outcome = v->question->outcome, *filter = execution->pre->program->filter;
  rsp_final_state (execution->pre, execution->written, execution->last, execution->state);
  if ((!outcome || rsp_prop_holds (outcome, execution->state))
      && (!filter || rsp_prop_holds (filter, execution->state)))
    v->visit (v->data, v->part, execution);
}

static gboolean
visit_execution (Asked *asked, const RspQuestion *question, AskedVisit visit, gpointer data)
{
  Visiting visiting = { question, visit, data, stage_part (asked), { 0 } };
  if (!visiting.part)
    return FALSE;
  RspArena *arena = rsp_arena_new ();
  sat_oracle_read (asked->oracle, visiting.part->pre, arena, &visiting.execution);
  gboolean has_values = find_values (&visiting.execution, arena);
  if (has_values)
    rsp_final_writes_each (visiting.part->pre, visiting.execution.co, visiting.execution.last,
                           visit_final, &visiting);
  rsp_arena_free (arena);
  return has_values;
}

/* ---- Questions ---- */

static void
turn_to_outcome (Asked *asked, const RspProp *outcome)
{
  if (outcome != asked->outcome)
    cores_clear (asked->cores);
  asked->outcome = outcome;
}

SatAnswer
asked_find (Asked *asked, const RspQuestion *question, AskedVisit visit, gpointer data)
{
  gboolean is_plain = question->outcome && !question->failing && !question->raised;
  if (question->outcome)
    turn_to_outcome (asked, question->outcome);
  if (is_plain && cores_refute (asked->cores, 0, question, asked->options->through))
    return SAT_NO;
  SatAnswer answer = sat_oracle_ask (asked->oracle, question);
  if (answer == SAT_NO && is_plain)
    cores_add (asked->cores, 0, sat_oracle_core (asked->oracle));
  if (answer == SAT_YES && !visit_execution (asked, question, visit, data))
    return SAT_UNKNOWN;
  return answer;
}
