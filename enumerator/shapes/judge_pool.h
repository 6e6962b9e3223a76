/* Pool: staged models that later judges may use again.
 *
 * Shapes that differ in their guards share combinations, and so do shapes that differ in
 * dependencies, if the model ignores dependencies. Questions that remove events from programs meet
 * the same shapes again and again. A pool belongs to one thread and one set of options. */
#pragma once

#include "enumerator/shapes/judge.h"

RspJudgePool *rsp_judge_pool_new (void);
/* All judges that were made with it must have been freed. */
void rsp_judge_pool_free (RspJudgePool *pool);

typedef struct Part Part;

/* Private to enumerator/shapes/. A part of the model on the combination, used or new; pool may be
 * NULL. Give it back with judge_pool_put. */
Part *judge_pool_take (RspJudgePool *pool, const RspModel *model,
                       const RspShapeCombination *combination, const RspStageOptions *options,
                       RspDiagnostics *diagnostics);
void judge_pool_put (RspJudgePool *pool, Part *part);
