#include "enumerator/search/query/collected.h"
#include "enumerator/search/bounded/share/common.h"

struct RspCombinations {
  Check check;
  RspDiagnostics *diagnostics;
  RspOutcome outcome;
};

static RspCombinations *new_combinations (const RspProgram *program, const RspModel *model,
                                          const RspCheckOptions *options) {
  RspCombinations *combinations = g_new0 (RspCombinations, 1);
  combinations->diagnostics = rsp_diagnostics_new ();
  combinations->check = (Check){ .program = program,
                                 .model = model,
                                 .options = options,
                                 .diagnostics = combinations->diagnostics,
                                 .outcome = &combinations->outcome,
                                 .collected = g_ptr_array_new () };
  check_start (&combinations->check);
  return combinations;
}

RspCombinations *rsp_combinations_open (const RspProgram *program, const RspModel *model,
                                        const RspCheckOptions *options) {
  RspCombinations *combinations = new_combinations (program, model, options);
  check_find_all_paths (&combinations->check);
  return combinations;
}

void combinations_list (RspCombinations *combinations) {
  if (rsp_budget_stop (&combinations->check.budget) == RSPCHECK_STOP_COMPLETE)
    check_search_combinations (&combinations->check);
}

RspCombinations *combinations_new (const RspProgram *program, const RspModel *model,
                                   const RspCheckOptions *options) {
  RspCombinations *combinations = rsp_combinations_open (program, model, options);
  combinations_list (combinations);
  return combinations;
}

guint64 combinations_most (const RspCombinations *combinations) {
  return check_count_combinations (&combinations->check);
}

GPtrArray *const *rsp_combinations_all_paths (const RspCombinations *combinations) {
  return combinations->check.paths;
}

RspTerms *combinations_terms (const RspCombinations *combinations) {
  return combinations->check.terms;
}

RspCombinations *combinations_of (const RspProgram *program, const RspModel *model,
                                  const RspCheckOptions *options, const RspPath *const *paths,
                                  const RspBudget *budget) {
  RspCombinations *combinations = new_combinations (program, model, options);
  Check *check = &combinations->check;
  check->budget = *budget;
  g_ptr_array_add (check->collected,
                   rsp_arena_copy (check->arena, paths, sizeof (RspPath *) * program->n_threads));
  return combinations;
}

void rsp_combinations_free (RspCombinations *combinations) {
  if (!combinations)
    return;
  check_end (&combinations->check);
  g_ptr_array_unref (combinations->check.collected);
  rsp_diagnostics_free (combinations->diagnostics);
  g_free (combinations);
}

guint combinations_n (const RspCombinations *combinations) {
  return combinations->check.collected->len;
}

const RspPath *const *combinations_paths (const RspCombinations *combinations, guint i) {
  return combinations->check.collected->pdata[i];
}

RspCommon *combinations_common (const RspCombinations *combinations, gsize max_size) {
  const RspNames *names = combinations->check.names;
  return names ? rsp_common_new (names, max_size) : NULL;
}

RspBudget combinations_budget (const RspCombinations *combinations) {
  return combinations->check.budget;
}
