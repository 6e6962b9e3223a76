/* Scenes: an execution under the trace of the model, from which steps are drawn. */
#pragma once

#include "enumerator/search/query/query.h"
#include "explain/steps/steps.h"

/* Shared by all explanations of one test under one model. */
typedef struct Explaining {
  const RspModel *model;
  const RspCheckOptions *options;
  RspQuery *query;
  RspArena *arena;   /* of the explanations */
  RspArena *scratch; /* of executions */
  RspDiagnostics *diagnostics;
} Explaining;

/* To be closed, which frees the query. Explanations, which go into the arena, stay. */
Explaining explaining_open (RspQuery *query, const RspModel *model, const RspCheckOptions *options,
                            RspArena *arena, RspDiagnostics *diagnostics);
void explaining_close (Explaining *explaining);

typedef struct Scene {
  RspArena *arena;
  const RspExecution *execution;
  RspTrace *trace;
  Steps *steps;
} Scene;

/* FALSE if the model cannot be traced on the execution (the budget is exhausted); otherwise call
 * scene_close. */
gboolean scene_open (Scene *scene, Explaining *explaining, const RspExecution *execution);
/* Closes it, and returns the execution as a view with the relations that its steps mention. */
const RspExecutionView *scene_close (Scene *scene, Explaining *explaining);

/* Why the axiom fails: see RspViolation. */
RspViolation scene_violation (Scene *scene, Explaining *explaining, const RspTracedAxiom *axiom);
