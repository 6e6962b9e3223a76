/* Pictures of executions, in DOT. */
#pragma once

#include "explain/explanation.h"

/* What is drawn in addition to program order, reads-from, coherence and from-read. All arrays are
 * NULL-terminated arrays of strings; NULL is an empty one. */
typedef struct RspGraphOptions {
  const char *const *shown;      /* -doshow: names of relations */
  const char *const *hidden;     /* -unshow */
  const char *const *attributes; /* -edgeattr: "R,key,value" */
} RspGraphOptions;

/* Appends the execution as DOT, always the same text for the same execution: one column per thread
 * in the boxes of its scopes. title is the picture's label. The steps (NULL: none) are drawn bold,
 * and everything else grey. */
void rsp_graph_format (const RspExecutionView *view, const char *title, const RspStep *const *steps,
                       guint n_steps, const RspGraphOptions *options, GString *out);

/* The relation to which a step's edge belongs in pictures, such as "rf" for a step of rfe; NULL if
 * pictures do not have it. */
const char *rsp_graph_edge (const RspStep *step);
