/* Search: all ways to complete one pre-execution into an execution that the model allows.
 *
 * Two engines do it. The naive one completes every reads-from, coherence and chosen order and asks
 * the model last; the bounded one asks it on the way (see bounded.c). They must agree on
 * everything. */
#ifndef RSP_ENUMERATOR_SEARCH_SEARCH_H
#define RSP_ENUMERATOR_SEARCH_SEARCH_H

#include "base/pool.h"
#include "enumerator/execution.h"
#include "enumerator/search/states/tally.h"

/* The flags of a model, in order of appearance: a GArray of RspFlag whose names are owned. */
GArray *rsp_flags_new (void);
/* Adds those of a staged model that are not there yet. */
void rsp_flags_note (GArray *flags, const RspStagedModel *model);
void rsp_flags_raise (GArray *flags, const char *name);
/* Adds those of one to the other, raised where either is. */
void rsp_flags_add_all (GArray *to, const GArray *from);

/* What searches of different combinations share: see bounded/common.h. */
typedef struct RspCommon RspCommon;

typedef struct RspSearch RspSearch;

/* Takes a complete execution before its axioms are evaluated (failed, raised and n_derived are not
 * set). restaged: the model where it had to be staged on this very execution, else NULL. */
typedef void (*RspLeafVisit) (RspSearch *search, const RspExecution *execution,
                              const RspStagedModel *restaged);

struct RspSearch
{
  const RspModel *model;
  const RspPreExecution *pre;
  const RspCheckOptions *options;
  RspDiagnostics *diagnostics;
  RspBudget *budget;
  RspCommon *common;    /* NULL: shared with no other search */
  RspPool *pool;        /* threads that may help; else NULL */
  const guint *class;   /* exchangeable threads: see symmetry.h; NULL when no symmetry is used */
  const guint *numbers; /* per thread: which path it takes */
  RspStatistics *statistics;
  RspTally *tally;
  GArray *flags;        /* see rsp_flags_new */
  GArray *prunings;     /* see prunings.h */
  gboolean thin_air;    /* some execution has values out of thin air */
  gboolean exists_only; /* only whether there is an execution: found; the tally stays as it is */
  gboolean found;
  guint ticks;       /* steps so far */
  guint max_ticks;   /* after which the search gives up (RSPCHECK_STOP_EXECUTIONS); 0: never */
  RspLeafVisit leaf; /* where complete executions go, instead of being recorded; else NULL */
  gpointer leaf_data;
  gboolean
      notes_used; /* of each axiom it is noted whether it forced a pair (in prunings: once at least) */
};

/* Counts one step; every so often looks at the clock. FALSE when the search must end. */
gboolean rsp_search_tick (RspSearch *search);

/* Are executions that end so of use? Not those that the filter drops, nor, under -speedcheck, those
 * that cannot answer the question. */
gboolean rsp_search_accepts (const RspSearch *search, const RspValue *state);

/* The end of both: one complete execution's verdict is known, and it is relevant. */
void rsp_search_record (RspSearch *search, const RspValue *state, const char *reads,
                        RspCount executions, RspCount n_undefined);

#endif
