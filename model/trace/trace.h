/* Traces: a model evaluated on one execution, together with how every set and relation was
 * computed.
 *
 * The terms of a trace are the model's own expressions with their values: names as the author wrote
 * them, functions with their arguments, recursive definitions round by round. Explanations walk
 * down these terms; nothing is simplified. */
#pragma once

#include "model/model.h"
#include "model/trace/trace_op.h"

typedef struct RspTraceTerm RspTraceTerm;

struct RspTraceTerm {
  RspTraceOp op;
  gboolean is_set;
  const char *name; /* the author's name: "hb", "ra_sw(G)"; NULL for an expression without one */
  const RspMatrix *value;
  const RspTraceTerm *operands[2]; /* the operator's operands; the rest are NULL */
  /* Of a recursive definition: the same name one round earlier; NULL in the first round, and for
   * everything else. Values grow from round to round if the definition is monotone. */
  const RspTraceTerm *before;
};

typedef struct RspTracedAxiom {
  const char *id; /* see RspStagedAxiom */
  RspcheckAxiomRole role;
  RspcheckAxiomKind kind;
  gboolean negated, holds;
  RspSpan span;
  const RspTraceTerm *term;
} RspTracedAxiom;

typedef struct RspTrace {
  const RspTraceTerm **names; /* defined sets and relations, in order of definition */
  guint n_names;
  const RspTracedAxiom *axioms; /* all axioms, including those of flags, in the model's order */
  guint n_axioms;
  const RspTraceTerm **shown; /* `show`: in order; each has a name */
  guint n_shown;
  const char **hidden; /* `unshow`: its names */
  guint n_hidden;
  const RspMatrix *unseen_co; /* pairs of co that are no choice of the execution; NULL: none */
} RspTrace;

/* Appends the term to out as the author might write it, using names where there are any: "[rel & G]
 * ; po". */
void rsp_trace_term_format (const RspTraceTerm *term, GString *out);
