#include "enumerator/search/query/consult.h"
#include "enumerator/event.h"
#include "enumerator/search/query/cores.h"
#include "enumerator/values/final_state.h"
#include "enumerator/values/values.h"

struct Consult {
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

Consult *consult_new (const RspProgram *program, const RspModel *model,
                      const RspCheckOptions *options, const RspCombinations *combinations,
                      RspBudget *budget, RspDiagnostics *diagnostics) {
  SatOracle *oracle
      = rsp_sat_oracle_new (program, model, options, rsp_combinations_all_paths (combinations),
                            combinations_terms (combinations), budget);
  if (!oracle)
    return NULL;
  Consult *consult = g_new0 (Consult, 1);
  *consult = (Consult){ .program = program,
                        .model = model,
                        .options = options,
                        .combinations = combinations,
                        .budget = budget,
                        .diagnostics = diagnostics,
                        .oracle = oracle,
                        .parts = g_ptr_array_new_with_free_func ((GDestroyNotify) query_part_free),
                        .cores = cores_new (1) };
  return consult;
}

void consult_free (Consult *consult) {
  if (!consult)
    return;
  rsp_sat_oracle_free (consult->oracle);
  g_ptr_array_unref (consult->parts);
  cores_free (consult->cores);
  g_free (consult);
}

/* ---- Executions ---- */

/* The part of the execution that was found; NULL if it cannot be staged as one model. */
static RspQueryPart *stage_part (Consult *consult) {
  guint n = consult->program->n_threads;
  GPtrArray *const *all = rsp_combinations_all_paths (consult->combinations);
  g_autofree guint *numbers = g_new0 (guint, n + 1);
  g_autofree const RspPath **paths = g_new0 (const RspPath *, n + 1);
  rsp_sat_oracle_paths (consult->oracle, numbers);
  for (guint t = 0; t < n; t++)
    paths[t] = all[t]->pdata[numbers[t]];
  RspQueryPart *part = query_part_stage (consult->program, consult->model, consult->options, paths,
                                         consult->budget, consult->diagnostics);
  g_ptr_array_add (consult->parts, part);
  gboolean is_one
      = part->staging && !part->staging->needs_execution && part->staging->n_models == 1;
  return is_one ? part : NULL;
}

/* What reads return and registers hold. FALSE if that is not possible. */
static gboolean find_values (RspExecution *execution, RspArena *arena) {
  const RspPreExecution *pre = execution->pre;
  guint *source = rsp_arena_new0 (arena, guint, pre->n + 1);
  for (guint w = 0; w < pre->n; w++)
    for (all_bits (r, rsp_matrix_row (execution->rf, w), execution->rf->words))
      source[r] = w;
  execution->values = rsp_arena_new0 (arena, RspValue, pre->n + 1);
  execution->written = rsp_arena_new0 (arena, RspValue, pre->n + 1);
  execution->last = rsp_arena_new0 (arena, guint, pre->program->n_locations + 1);
  execution->state = rsp_arena_new0 (arena, RspValue, pre->program->n_observables + 1);
  RspThinAir thin_air;
  gboolean solved = rsp_values_solve (pre, source, execution->values, execution->written,
                                      execution->state, &thin_air);
  execution->thin_air = thin_air != RSP_NO_THIN_AIR;
  return solved;
}

typedef struct Visiting {
  const RspQuestion *question;
  ConsultVisit visit;
  gpointer data;
  RspQueryPart *part;
  RspExecution execution;
} Visiting;

static void visit_final (gpointer data) {
  Visiting *v = data;
  const RspExecution *execution = &v->execution;
  const RspProp *outcome = v->question->outcome, *filter = execution->pre->program->filter;
  rsp_final_state (execution->pre, execution->written, execution->last, execution->state);
  if ((!outcome
       || rsp_state_truth (execution->pre->program, outcome, execution->state) != RSP_FAILS)
      && (!filter
          || rsp_state_truth (execution->pre->program, filter, execution->state) != RSP_FAILS))
    v->visit (v->data, v->part, execution);
}

static gboolean visit_execution (Consult *consult, const RspQuestion *question, ConsultVisit visit,
                                 gpointer data) {
  Visiting visiting = { question, visit, data, stage_part (consult), { 0 } };
  if (!visiting.part)
    return FALSE;
  RspArena *arena = rsp_arena_new ();
  rsp_sat_oracle_read (consult->oracle, visiting.part->pre, arena, &visiting.execution);
  gboolean has_values = find_values (&visiting.execution, arena);
  if (has_values)
    rsp_final_writes_each (visiting.part->pre, visiting.execution.co, visiting.execution.last,
                           visit_final, &visiting);
  rsp_arena_free (arena);
  return has_values;
}

/* ---- Questions ---- */

static void turn_to_outcome (Consult *consult, const RspProp *outcome) {
  if (outcome != consult->outcome)
    cores_clear (consult->cores);
  consult->outcome = outcome;
}

SatAnswer consult_find (Consult *consult, const RspQuestion *question, ConsultVisit visit,
                        gpointer data) {
  gboolean is_plain = question->outcome && !question->failing && !question->raised;
  if (question->outcome)
    turn_to_outcome (consult, question->outcome);
  if (is_plain && cores_refute (consult->cores, 0, question, consult->options->through))
    return SAT_NO;
  SatAnswer answer = rsp_sat_oracle_ask (consult->oracle, question);
  if (answer == SAT_NO && is_plain)
    cores_add (consult->cores, 0, rsp_sat_oracle_core (consult->oracle));
  if (answer == SAT_YES && !visit_execution (consult, question, visit, data))
    return SAT_UNKNOWN;
  return answer;
}
