/* Pictures of executions: DOT, and what Graphviz makes of it. */
#ifndef RSP_GRAPH_DOT_H
#define RSP_GRAPH_DOT_H

#include "explain/explanation.h"

/* What is drawn in addition to program order, reads-from, coherence and from-read. All arrays are
 * of strings, NULL-terminated; NULL is an empty one. */
typedef struct RspGraphOptions
{
  const char *const *shown;      /* -doshow: names of relations */
  const char *const *hidden;     /* -unshow */
  const char *const *attributes; /* -edgeattr: "R,key,value" */
} RspGraphOptions;

/* Appends the execution as DOT, the same text for the same execution, byte for byte: one column per
 * thread in the boxes of its scopes. title is the picture's label. The steps (NULL: none) are drawn
 * bold, and everything else grey. */
void rsp_graph_format (const RspExecutionView *view, const char *title, const RspStep *const *steps,
                       guint n_steps, const RspGraphOptions *options, GString *out);

/* The relation whose edge a step is, if pictures have edges of it: "rf" of a step of rfe. NULL
 * otherwise. */
const char *rsp_graph_edge (const RspStep *step);

#endif
