/* How values came about: what is given comes back unchanged when no trace is kept. */
#ifndef STAGE_TRACE_H
#define STAGE_TRACE_H

#include "model/stage/stage.h"

StageTrace *stage_trace_new (void);
/* Frees it; in arena, unless that is NULL, the trace that was kept. */
RspTrace *stage_trace_finish (StageTrace *trace, RspArena *arena);

/* The result with its operator and operands (NULL where it has fewer). */
const StageValue *stage_traced (Stage *stage, const StageValue *result, RspTraceOp op,
                                const StageValue *a, const StageValue *b);
const StageValue *stage_traced_base (Stage *stage, const StageValue *value, const char *name);
/* The result of a function under the name of its call. */
const StageValue *stage_traced_call (Stage *stage, const StageValue *result, const RspCatExpr *call,
                                     const StageEnv *env);
/* A recursive definition's value after one more round; before: NULL in the first. */
const StageValue *stage_traced_round (Stage *stage, const StageValue *value, const char *name,
                                      const StageValue *before);
/* What env binds beyond outer bears its name; has been chosen; is a definition of the model's. */
void stage_trace_names (Stage *stage, const StageEnv *env, const StageEnv *outer);
void stage_trace_chosen (Stage *stage, const StageEnv *env, const StageEnv *outer);
void stage_trace_keep (Stage *stage, const StageEnv *env, const StageEnv *outer);
void stage_trace_axiom (Stage *stage, const RspStagedAxiom *axiom, const StageValue *value);
void stage_trace_show (Stage *stage, const RspCatStatement *statement, const StageEnv *env);

#endif
