/* A complete execution as a value: one way in which a program may run, whether or not a model
 * allows it.
 *
 * The pre-execution determines each thread's path and so the events. An execution adds what the
 * search decides, reads-from, coherence and the orders that the model chooses (S, `with x from
 * linearisations …`), and what follows from these: the values and the final state. Matrices are
 * over the pre-execution's events. */
#pragma once

#include "enumerator/pre_execution.h"

typedef struct RspExecution {
  const RspPreExecution *pre;
  RspMatrix *rf;      /* write → read */
  RspMatrix *co;      /* transitive, the initial write of each location first */
  RspMatrix **orders; /* per chosen order of the staged model: strict, total, transitive */
  guint n_orders;
  const guint *script; /* the model's choices among known values: see RspStagedModel */
  guint n_script;
  RspValue *values;  /* per event: what it reads */
  RspValue *written; /* per event: what it writes */
  guint *last;       /* per location: its co-last write, or G_MAXUINT if no event accesses it */
  RspValue *state;   /* per observable of the program; see rsp_final_state */
  gboolean thin_air; /* do some values justify each other in a cycle? */

  /* The model's verdict, as ids of its axioms (see RspStagedAxiom) without duplicates, in the
   * model's order; NULL-terminated. */
  const char **failed; /* plain axioms that fail: none if the model accepts the execution */
  const char **raised; /* flags, and requirements that the execution violates */
  guint64 n_derived;   /* number of pairs in the model's named sets and relations */
} RspExecution;

/* A copy that lives in arena; it shares the original's pre-execution. */
RspExecution *rsp_execution_copy (const RspExecution *execution, RspArena *arena);

/* Does an axiom fail (plain), or is a flag raised? id as in `failed` and `raised`. */
gboolean rsp_execution_fails (const RspExecution *execution, const char *id);
gboolean rsp_execution_raises (const RspExecution *execution, const char *flag);
