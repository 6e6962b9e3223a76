/* The combinations of paths of a program, one path per thread: searched for a check, or collected
 * for other questions. One or several threads search them; the results are added up, so they do not
 * depend on the number of threads. */
#pragma once

#include "enumerator/paths/feasible/feasible.h"
#include "enumerator/search/check.h"
#include "enumerator/search/screen/screen.h"
#include "enumerator/search/search.h"
#include "enumerator/search/spin.h"
#include "enumerator/search/states/tally.h"

enum
{
  SEARCH_MANY_COMBINATIONS = 128 /* for which -engine auto asks the solver */
};

typedef struct RspCombinations RspCombinations;

/* The combinations that a check under these options would search, in its order, and those that it
 * would omit because of symmetry, except those on which a path fails. Incomplete if the budget is
 * exhausted (see combinations_budget). */
RspCombinations *combinations_new (const RspProgram *program, const RspModel *model,
                                   const RspCheckOptions *options);
/* The same with the paths only, until combinations_list. */
RspCombinations *combinations_open (const RspProgram *program, const RspModel *model,
                                    const RspCheckOptions *options);
void combinations_list (RspCombinations *combinations);
/* The product of the numbers of paths of all threads; G_MAXUINT64 if it is greater. */
guint64 combinations_most (const RspCombinations *combinations);
/* Per thread: of RspPath. */
GPtrArray *const *combinations_all_paths (const RspCombinations *combinations);
RspTerms *combinations_terms (const RspCombinations *combinations);
/* One only, of paths that the caller owns, with a copy of a budget. */
RspCombinations *combinations_of (const RspProgram *program, const RspModel *model,
                                  const RspCheckOptions *options, const RspPath *const *paths,
                                  const RspBudget *budget);
void combinations_free (RspCombinations *combinations);
guint combinations_n (const RspCombinations *combinations);
/* One path per thread; they live as long as the combinations. */
const RspPath *const *combinations_paths (const RspCombinations *combinations, guint i);
/* The number of the path that each thread takes; threads that run the same code number their paths
 * alike. */
const guint *combinations_numbers (const RspCombinations *combinations, guint i);
/* What the searches of all of them may share, with a memo of this many bytes; NULL if they cannot.
 * The caller owns it; it refers to the combinations. */
RspCommon *combinations_common (const RspCombinations *combinations, gsize max_size);
/* The rest of the options' time and memory; the clock has been running since
 * combinations_new. */
RspBudget combinations_budget (const RspCombinations *combinations);

/* ---- Private to this folder: a running check ---- */

typedef struct Check
{
  const RspProgram *program;
  const RspModel *model;
  const RspCheckOptions *options;
  RspDiagnostics *diagnostics;
  RspOutcome *outcome;
  RspArena *arena; /* terms and paths */
  RspTerms *terms;
  GPtrArray **paths;           /* per thread: of RspPath */
  const RspPath **chosen;      /* per thread */
  guint *numbers;              /* per thread: the chosen path's number among its paths */
  guint *class;                /* per thread: see symmetry.h; NULL if no symmetry is used */
  RspFeasibility *feasibility; /* NULL if every combination is searched */
  RspScreen *screen;           /* the same */
  RspBudget budget;
  gboolean spin_last;   /* do loops that wait have their last round only? */
  RspSpin spin;         /* in that case: the other paths */
  GPtrArray *collected; /* of const RspPath **: collects the combinations instead of searching; or
                         * NULL */
  GPtrArray *collected_numbers; /* of guint *: the same by numbers */
  const RspNames *names; /* names of events, the same in all combinations; NULL if these share
                      * nothing */
  RspCommon *common;     /* NULL if they do, or are not searched */
  RspPool *pool;         /* NULL if this thread does all the work */
  gboolean is_limited;   /* is the solver asked if the search takes long? */
  GMutex lock;           /* guards the following fields, diagnostics and outcome */
  RspTally *tally;
  GArray *flags;
  GArray *prunings; /* see prunings.h */
  guint ticks_left; /* steps before the solver is asked */
  guint pending;    /* combinations that the pool has yet to search */
  GCond idle;       /* there are none */
  gboolean needs_execution;
  GArray *failures;     /* of RspFailure */
  GHashTable *reported; /* starts of the spans of failed paths that have been reported */
} Check;

/* Initialises the rest of a check whose program, model, options, diagnostics and outcome (and
 * collected) are set. */
void check_start (Check *check);
/* Finds the paths, then searches or collects all combinations. */
void check_run (Check *check);
void check_end (Check *check);
