/* A running check: the combinations of paths of a program, one path per thread, searched, or
 * collected for other questions (query/collected.h). One or several threads search them; the
 * results are added up, so they do not depend on the number of threads. */
#pragma once

#include "enumerator/paths/feasible/feasible.h"
#include "enumerator/search/check.h"
#include "enumerator/search/screen/screen.h"
#include "enumerator/search/search.h"
#include "enumerator/search/spin.h"
#include "enumerator/search/states/tally.h"

enum {
  SEARCH_MANY_COMBINATIONS = 128 /* for which -engine auto asks the solver */
};

typedef struct Check {
  const RspProgram *program;
  const RspModel *model;
  const RspCheckOptions *options;
  RspDiagnostics *diagnostics;
  RspOutcome *outcome;
  RspArena *arena; /* terms and paths */
  RspTerms *terms;
  GPtrArray **paths;                /* per thread: of RspPath */
  RspPathCache *path_cache;         /* where they come from, and go; or NULL */
  gboolean has_paths;               /* are they all there, with nothing to report? */
  RspPreExecution **pre_executions; /* per combination, for the next check of the program: NULL if
                                     * not made yet; or NULL if they are not kept */
  const RspNames *names_found;      /* for `names`; NULL if not found yet */
  const RspPath **chosen;           /* per thread */
  guint *numbers;                   /* per thread: the chosen path's number among its paths */
  guint *class;                     /* per thread: see symmetry.h; NULL if no symmetry is used */
  RspFeasibility *feasibility;      /* NULL if every combination is searched */
  RspScreen *screen;                /* the same */
  RspBudget budget;
  gboolean spin_last;    /* do loops that wait have their last round only? */
  RspSpin spin;          /* in that case: the other paths */
  GPtrArray *collected;  /* of const RspPath **: collects the combinations instead of searching; or
                          * NULL */
  const RspNames *names; /* names of events, the same in all combinations; NULL if these share
                          * nothing */
  RspCommon *common;     /* NULL if they do, or are not searched */
  RspPool *pool;         /* NULL if this thread does all the work */
  gboolean is_limited;   /* is the solver asked if the search takes long? */
  GMutex lock;           /* guards the following fields, diagnostics and outcome */
  RspTally *tally;
  GArray *flags;
  GArray *prunings; /* see bounded/report/prunings.h; NULL: not counted */
  guint ticks_left; /* steps before the solver is asked */
  guint ticks;      /* of the last search that had a limit */
  guint visits;     /* of combinations and beginnings of some */
  guint pending;    /* combinations that the pool has yet to search */
  GCond idle;       /* there are none */
  gboolean needs_execution;
  GArray *failures; /* of RspFailure */
} Check;

/* Initialises the rest of a check whose program, model, options, diagnostics and outcome (and
 * collected) are set. */
void check_start (Check *check);
/* Finds the paths, then searches all combinations. */
void check_run (Check *check);
/* The two steps of that, without the solver. The second one also collects. FALSE after an error. */
gboolean check_find_all_paths (Check *check);
void check_search_combinations (Check *check);
/* The product of the numbers of paths of all threads; G_MAXUINT64 if it is greater. */
guint64 check_count_combinations (const Check *check);
void check_end (Check *check);
