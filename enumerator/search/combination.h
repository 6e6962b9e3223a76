/* Combinations: one path per thread, and the search of the pre-execution they make. */
#pragma once

#include "enumerator/search/search.h"

/* A combination to search, and what the search finds. Several may run at once, each with its
 * own. */
typedef struct RspCombination {
  const RspProgram *program;
  const RspModel *model;
  const RspCheckOptions *options;
  RspBudget *budget;     /* shared */
  RspPool *pool;         /* shared; NULL after new */
  RspCommon *common;     /* shared; NULL after new */
  RspScreen *screen;     /* shared; NULL after new */
  const RspPath **paths; /* per thread */
  RspPreExecution *
      *kept; /* where its pre-execution is kept for other models, once it is made; NULL: nowhere */
  RspArena *kept_in;  /* NULL: no more are kept */
  guint *numbers;     /* per thread: the path's number among the thread's */
  const guint *class; /* per thread: see symmetry.h; NULL if no symmetry is used */
  guint max_ticks;    /* steps after which the search gives up (RSPCHECK_STOP_EXECUTIONS); 0: any
                         number */

  guint ticks; /* steps made */
  RspTally *tally;
  GArray *flags;    /* NULL after new; one reference is owned */
  GArray *prunings; /* see bounded/report/prunings.h; NULL: not counted */
  RspDiagnostics *diagnostics;
  RspStatistics statistics;
  gboolean thin_air;
  gboolean needs_execution; /* is the model staged separately on each execution? */
  gboolean fails; /* do some of the paths fail, and does a consistent execution take all of them? */
} RspCombination;

RspCombination *combination_new (const RspProgram *program, const RspModel *model,
                                 const RspCheckOptions *options, RspBudget *budget,
                                 const RspPath *const *paths, const guint *numbers,
                                 const guint *class);
void combination_free (RspCombination *combination);

/* Searches it. If its threads are exchangeable, its states are copied to all arrangements. If the
 * search ends early, the budget has the reason. */
void combination_search (RspCombination *combination);
