/* Search: all ways to complete one pre-execution into an execution that the model allows.
 *
 * There are two engines. The naive one completes every reads-from, coherence and chosen order
 * before it evaluates the model; the bounded one uses the model's bounds to prune (see bounded.c).
 * They must agree on everything. */
#pragma once

#include "base/pool.h"
#include "enumerator/execution.h"
#include "enumerator/search/screen/screen.h"
#include "enumerator/search/states/tally.h"

/* The flags of a model, in order of appearance: a GArray of RspFlag whose names are owned. */
GArray *search_flags_new (void);
/* Adds the flags of a staged model that are missing. */
void search_flags_note (GArray *flags, const RspStagedModel *model);
void search_flags_raise (GArray *flags, const char *name);
/* Adds the flags of one to the other; a flag is raised if it is in either. */
void search_flags_add_all (GArray *to, const GArray *from);

/* Shared by searches of different combinations: see bounded/common.h. */
typedef struct RspCommon RspCommon;

typedef struct RspSearch RspSearch;

/* Receives a complete execution before its axioms are evaluated (failed, raised and n_derived are
 * not set). restaged: the model staged on this execution if that was necessary, else NULL. */
typedef void (*RspLeafVisit) (RspSearch *search, const RspExecution *execution,
                              const RspStagedModel *restaged);

struct RspSearch {
  const RspModel *model;
  const RspPreExecution *pre;
  const RspCheckOptions *options;
  RspDiagnostics *diagnostics;
  RspBudget *budget;
  RspCommon *common;  /* NULL: shared with no other search */
  RspPool *pool;      /* threads that may help; else NULL */
  RspScreen *screen;  /* what the model is proved to demand; NULL: nothing may be left out by it */
  const guint *class; /* exchangeable threads: see symmetry.h; NULL if no symmetry is used */
  const guint *numbers; /* per thread: the number of its path */
  RspStatistics *statistics;
  RspTally *tally;
  GArray *flags;        /* see search_flags_new */
  GArray *prunings;     /* see bounded/report/prunings.h; NULL: not counted */
  gboolean thin_air;    /* has some execution values out of thin air? */
  gboolean exists_only; /* only find out whether there is an execution (found); the tally does not
                         * change */
  gboolean found;
  guint ticks;       /* steps so far */
  guint max_ticks;   /* steps after which the search gives up (RSPCHECK_STOP_EXECUTIONS); 0:
                      * never */
  RspLeafVisit leaf; /* receives complete executions instead of recording them; else NULL */
  gpointer leaf_data;
  gboolean notes_used; /* record for each axiom whether it forced a pair (prunings counts at least
                        * one) */
};

/* Counts one step and checks the clock from time to time. FALSE if the search must end. */
gboolean search_tick (RspSearch *search);

/* May an execution be left out although one with exchanged threads is not? By the condition, under
 * -speedcheck, if it names registers; and by a filter, since states no longer have what only the
 * filter names. */
gboolean search_narrows_by_thread (const RspProgram *program, const RspCheckOptions *options);
/* Are executions with this final state relevant? Not those that the filter drops, nor, under
 * -speedcheck, those that cannot answer the question. */
gboolean search_accepts (const RspSearch *search, const RspValue *state);

/* Both engines end here: records a relevant complete execution whose verdict is known. */
void search_record (RspSearch *search, const RspValue *state, const char *reads,
                    RspCount executions, RspCount n_undefined);
/* The same for a state as the tally's numbers (see tally_add_numbered), unless it is only asked
 * whether there is one. */
void search_record_numbered (RspSearch *search, const guint32 *state, RspCount executions,
                             RspCount n_undefined, gboolean differs);
