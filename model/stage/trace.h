/* Records how values are computed. Values are returned unchanged if no trace is kept. */
#pragma once

#include "model/stage/stage.h"

StageTrace *stage_trace_new (void);
/* Frees it and returns the trace, in arena; nothing if arena is NULL. */
RspTrace *stage_trace_finish (StageTrace *trace, RspArena *arena);

/* The result with its operator and operands (NULL for those it lacks). */
const StageValue *stage_traced (Stage *stage, const StageValue *result, RspTraceOp op,
                                const StageValue *a, const StageValue *b);
const StageValue *stage_traced_base (Stage *stage, const StageValue *value, const char *name);
/* The result of a function under the name of its call. */
const StageValue *stage_traced_call (Stage *stage, const StageValue *result, const RspCatExpr *call,
                                     const StageEnv *env);
/* A recursive definition's value after one more round; before: NULL in the first. */
const StageValue *stage_traced_round (Stage *stage, const StageValue *value, const char *name,
                                      const StageValue *before);
/* Records what env binds beyond outer: as named; as chosen; as a definition of the model. */
void stage_trace_names (Stage *stage, const StageEnv *env, const StageEnv *outer);
void stage_trace_chosen (Stage *stage, const StageEnv *env, const StageEnv *outer);
void stage_trace_keep (Stage *stage, const StageEnv *env, const StageEnv *outer);
void stage_trace_axiom (Stage *stage, const RspStagedAxiom *axiom, const StageValue *value);
void stage_trace_show (Stage *stage, const RspCatStatement *statement, const StageEnv *env);
