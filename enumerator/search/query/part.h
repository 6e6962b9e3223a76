#pragma once

#include "enumerator/options.h"
#include "enumerator/pre_execution.h"
#include "model/dag/valuation.h"
#include "model/model.h"

/* One combination of paths, staged. Parts that answered a question stay until the query is
 * freed, others until they are released. */
typedef struct RspQueryPart {
  RspArena *arena;
  RspPreExecution *pre;
  RspStaging *staging;
  RspValuation **valuations; /* per staged model: evaluates its axioms and names; made when
                              * needed */
  gboolean answered;         /* has an execution of it answered a question? */
} RspQueryPart;

/* staging is NULL if the model fails on it or the budget is exhausted. Valuations have room, and
 * are not made. */
RspQueryPart *query_part_stage (const RspProgram *program, const RspModel *model,
                                const RspCheckOptions *options, const RspPath *const *paths,
                                RspBudget *budget, RspDiagnostics *diagnostics);
void query_part_free (RspQueryPart *part); /* or NULL */
