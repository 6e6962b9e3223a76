/* Executions to look at. */
#ifndef RSP_EXPLAIN_SHOW_H
#define RSP_EXPLAIN_SHOW_H

#include "enumerator/search/check.h"
#include "explain/explanation.h"

typedef enum RspShow
{
  RSP_SHOW_NONE,
  RSP_SHOW_ALL,  /* all that the model allows */
  RSP_SHOW_PROP, /* those of which the proposition holds */
  RSP_SHOW_NEG,  /* those of which it does not */
  RSP_SHOW_WIT, /* those that decide the question: of forall the refutations, else the proposition's */
  RSP_SHOW_COND, /* those that agree with the condition: for ~exists, of which the proposition fails */
  RSP_SHOW_FLAG /* those that raise a flag */
} RspShow;

/* Adds to views (of const RspExecutionView *, in arena) up to `most` executions, in a fixed order. */
void rsp_show (const RspProgram *program, const RspModel *model, const RspCheckOptions *options,
               RspShow show, guint most, RspArena *arena, GPtrArray *views,
               RspDiagnostics *diagnostics);

#endif
