#include "enumerator/search/sat/proofs/problem.h"
#include "enumerator/search/places.h"
#include "enumerator/search/sat/barriers.h"
#include "enumerator/search/sat/relations/axioms.h"
#include "enumerator/search/sat/symmetry.h"
#include "enumerator/search/symmetry.h"
#include "model/stage/template/template.h"

static const RspStagedModel *evaluate_model (const RspProgram *program, const RspModel *model,
                                             const RspCheckOptions *options, RspArena *arena,
                                             RspBudget *budget) {
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  RspStageOptions staging = { .skipped_checks = options->skipped_checks, .budget = budget };
  return rsp_model_stage_open (model, program->language, &staging, arena, unheard);
}

gboolean sat_problem_encode (SatProblem *problem, const RspProgram *program, const RspModel *model,
                             const RspCheckOptions *options, GPtrArray *const *paths,
                             RspTerms *terms, RspBudget *budget) {
  *problem
      = (SatProblem){ .arena = rsp_arena_new_within (budget), .solver = sat_solver_new (budget) };
  if (!problem->solver)
    return FALSE;
  problem->circuit = circuit_new (problem->solver, budget);
  problem->class = rsp_arena_new0 (problem->arena, guint, program->n_threads + 1);
  places_find_classes (program, model, paths, budget, problem->class);
  problem->model = evaluate_model (program, model, options, problem->arena, budget);
  if (!problem->model)
    return FALSE;
  SatFold *fold = sat_fold_new (program, paths, terms, problem->circuit, problem->arena);
  if (fold)
    sat_barriers_require (fold);
  if (!fold || fold->refusal)
    return FALSE;
  problem->fold = fold;
  problem->choices = sat_choices_new (fold, problem->model);
  problem->values = rsp_sat_values_new (fold, problem->choices);
  if (problem->values->refusal || rsp_budget_is_exhausted (budget))
    return FALSE;
  problem->relations = rsp_sat_relations_new (fold, problem->choices, problem->model);
  return !problem->relations->refusal && !rsp_budget_is_exhausted (budget);
}

gboolean sat_problem_open (SatProblem *problem, const RspProgram *program, const RspModel *model,
                           const RspCheckOptions *options, GPtrArray *const *paths, RspTerms *terms,
                           RspBudget *budget) {
  if (!sat_problem_encode (problem, program, model, options, paths, terms, budget))
    return FALSE;
  rsp_sat_axioms_require (problem->relations, problem->model);
  return !rsp_budget_is_exhausted (budget);
}

void sat_problem_clear (SatProblem *problem) {
  if (problem->model)
    rsp_dag_free (problem->model->dag);
  circuit_free (problem->circuit);
  sat_solver_free (problem->solver);
  rsp_arena_free (problem->arena);
}

gboolean sat_problem_rules_out (const SatProblem *problem, Lit lit) {
  return circuit_solve (problem->circuit, &lit, 1) == SAT_NO;
}

Lit sat_problem_in_order (const SatProblem *problem, SatFixed fixed, guint except) {
  const RspProgram *program = problem->fold->program;
  g_autofree guint *class = g_memdup2 (problem->class, sizeof (guint) * program->n_threads);
  g_autofree guint *block = g_new0 (guint, program->n_threads + 1);
  if (fixed == SAT_FIXED_BY_PLACE)
    symmetry_find (program, class);
  symmetry_find_blocks (program, class, block);
  if (except < program->n_threads) {
    guint none = program->n_threads + 1; /* they are like no other */
    block[class[except]] = none + class[except];
    block[except] = class[except] = none + except;
  }
  return sat_symmetry_break (problem->choices, class, block, fixed == SAT_FIXED_SHOWN);
}
