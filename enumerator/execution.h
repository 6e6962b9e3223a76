/* A complete execution as a value: one way in which a program may run, whatever a model says of it.
 *
 * The pre-execution says which path each thread takes and so which events there are; an execution
 * adds what the search decides: reads-from, coherence, the orders that the model chooses (S, `with x
 * from linearisations …`), and what follows: the values and the final state. Matrices are over the
 * pre-execution's events. */
#ifndef RSP_EXECUTION_H
#define RSP_EXECUTION_H

#include "enumerator/pre_execution.h"

typedef struct RspExecution
{
  const RspPreExecution *pre;
  RspMatrix *rf;      /* write → read */
  RspMatrix *co;      /* transitive, the initial write of each location first */
  RspMatrix **orders; /* per chosen order of the staged model: strict, total, transitive */
  guint n_orders;
  const guint *script; /* how the model chose among known values: see RspStagedModel */
  guint n_script;
  RspValue *values;  /* per event: what it reads */
  RspValue *written; /* per event: what it writes */
  guint *last;       /* per location: its co-last write, or G_MAXUINT when no event accesses it */
  RspValue *state;   /* per observable of the program; see rsp_final_state */
  gboolean thin_air; /* some values justify each other in a circle */

  /* What the model says, by the ids of its axioms (see RspStagedAxiom), each once, in the model's
   * order; NULL-terminated. */
  const char **failed; /* plain axioms that fail: none when the model accepts the execution */
  const char **raised; /* flags, and requirements that the execution breaks */
  guint64 n_derived;   /* pairs in the sets and relations that the model defines by name */
  guint images; /* executions that it stands for, itself included: see RspQuestion.distinct */
} RspExecution;

/* A copy that lives in arena; the pre-execution stays the original's. */
RspExecution *rsp_execution_copy (const RspExecution *execution, RspArena *arena);

/* Does an axiom fail (plain), or is a flag raised? id as in `failed` and `raised`. */
gboolean rsp_execution_fails (const RspExecution *execution, const char *id);
gboolean rsp_execution_raises (const RspExecution *execution, const char *flag);

#endif
