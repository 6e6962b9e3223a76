/* Cases: does something hold of all executions of a pre-execution that a model allows?
 *
 * That is asked with nothing decided. Where the answer is not certain, one more read, or pair of co
 * or of a chosen order, is decided in each way, and it is asked again. What propagation refutes is
 * no execution. Exchangeable threads (search->class) may be exchanged in the question. */
#pragma once

#include "enumerator/search/search.h"
#include "model/bounds/bounds.h"

typedef struct RspCases {
  const guint *reads; /* events that matter: what they read from is decided early, then the order of
                         these writes */
  guint n_reads;
  guint *left; /* cases that may still be tried */
  /* Does it hold in every completion of what the bounds say? FALSE is not certain. */
  gboolean (*holds) (const RspBounds *bounds, gpointer data);
  gpointer data;
} RspCases;

/* FALSE is not certain. search: its model, pre, options, budget, statistics and flags are set. */
gboolean cases_try (RspSearch *search, const RspStagedModel *model, const RspCases *cases);
