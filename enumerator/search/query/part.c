#include "enumerator/search/query/part.h"
#include "model/stage/template/template.h"

RspQueryPart *query_part_stage (const RspProgram *program, const RspModel *model,
                                const RspCheckOptions *options, const RspPath *const *paths,
                                RspBudget *budget, RspDiagnostics *diagnostics) {
  RspQueryPart *part = g_new0 (RspQueryPart, 1);
  part->arena = rsp_arena_new ();
  part->pre = rsp_pre_execution_new (program, paths, part->arena);
  RspStageOptions own
      = { .skipped_checks = options->skipped_checks, .budget = budget, .keep_names = TRUE };
  part->staging = rsp_model_stage (model, part->pre->base, &own, part->arena, diagnostics);
  if (part->staging)
    part->valuations = rsp_arena_new0 (part->arena, RspValuation *, part->staging->n_models + 1);
  return part;
}

void query_part_free (RspQueryPart *part) {
  if (!part)
    return;
  for (guint i = 0; part->staging && i < part->staging->n_models; i++)
    rsp_valuation_free (part->valuations[i]);
  rsp_staging_clear (part->staging);
  rsp_arena_free (part->arena);
  g_free (part);
}
