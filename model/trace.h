/* Traces: a model evaluated on one execution, with how every set and relation came about.
 *
 * The terms of a trace are the model's own expressions with their values: names as the model's
 * author wrote them, functions with the arguments they were applied to, recursive definitions round
 * by round. Explanations walk down them; nothing here is simplified. */
#ifndef RSP_TRACE_H
#define RSP_TRACE_H

#include "model/model.h"
#include "model/trace_op.h"

typedef struct RspTraceTerm RspTraceTerm;

struct RspTraceTerm
{
  RspTraceOp op;
  gboolean is_set;
  const char *name; /* the author's: "hb", "ra_sw(G)"; NULL for an expression without one */
  const RspMatrix *value;
  const RspTraceTerm *operands[2]; /* as many as the operator has; NULL beyond */
  /* Of a recursive definition: the same name one round earlier; NULL in the first round, and for
   * everything else. Values grow from round to round if the definition is monotone. */
  const RspTraceTerm *before;
};

typedef struct RspTracedAxiom
{
  const char *id; /* see RspStagedAxiom */
  RspcheckAxiomRole role;
  RspcheckAxiomKind kind;
  gboolean negated, holds;
  RspSpan span;
  const RspTraceTerm *term;
} RspTracedAxiom;

typedef struct RspTrace
{
  const RspTraceTerm **names; /* defined sets and relations, in order of definition */
  guint n_names;
  const RspTracedAxiom *axioms; /* all, those of flags too, in the model's order */
  guint n_axioms;
  const RspTraceTerm **shown; /* `show`: in order; each has a name */
  guint n_shown;
  const char **hidden; /* `unshow`: names */
  guint n_hidden;
} RspTrace;

/* The term as the author might write it, names for what has one: "[rel & G] ; po". Appends to out. */
void rsp_trace_term_format (const RspTraceTerm *term, GString *out);

#endif
