/* The combinations of paths of a program, one path per thread: searched for a check, or collected for
 * other questions. Those that are searched are taken one after the other or by several threads; what
 * they find is added up, so the result is the same. */
#ifndef RSP_COMBINATIONS_H
#define RSP_COMBINATIONS_H

#include "enumerator/paths/feasible/feasible.h"
#include "enumerator/search/check.h"
#include "enumerator/search/screen/screen.h"
#include "enumerator/search/search.h"
#include "enumerator/search/spin.h"
#include "enumerator/search/states/tally.h"

typedef struct RspCombinations RspCombinations;

/* Those that a check under these options would search, in its order, and those that symmetry spares
 * it; without those on which a path goes wrong. Which ones there are is not known beyond the budget
 * (its state: rsp_combinations_budget). */
RspCombinations *rsp_combinations_new (const RspProgram *program, const RspModel *model,
                                       const RspCheckOptions *options);
void rsp_combinations_free (RspCombinations *combinations);
guint rsp_combinations_n (const RspCombinations *combinations);
/* One path per thread; they live as long as the combinations. */
const RspPath *const *rsp_combinations_paths (const RspCombinations *combinations, guint i);
/* Which of its paths each thread takes; threads that run the same code have the same ones. */
const guint *rsp_combinations_numbers (const RspCombinations *combinations, guint i);
/* What searches of all of them may share, of so many bytes; NULL where they cannot. The caller's; it refers
 * to the combinations. */
RspCommon *rsp_combinations_common (const RspCombinations *combinations, gsize max_size);
/* What the options' time and memory leave, with the clock running since rsp_combinations_new. */
RspBudget rsp_combinations_budget (const RspCombinations *combinations);

/* ---- Private to this folder: a check under way ---- */

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
  guint *class;                /* per thread: see symmetry.h; NULL when no symmetry is used */
  RspFeasibility *feasibility; /* NULL when every combination is searched */
  RspScreen *screen;           /* the same */
  RspBudget budget;
  gboolean spin_last;   /* loops that wait have their last round only */
  RspSpin spin;         /* then: the other paths */
  GPtrArray *collected; /* of const RspPath **: the combinations, which are not searched; or NULL */
  GPtrArray *collected_numbers; /* of guint *: the same by numbers */
  const RspNames
      *names;        /* of events, the same in all combinations; NULL when these share nothing */
  RspCommon *common; /* NULL when they do, or are not searched */
  RspPool *pool;     /* NULL when this thread does all the work */
  GMutex lock;       /* guards what follows, diagnostics and outcome */
  RspTally *tally;
  GArray *flags;
  GArray *prunings; /* see prunings.h */
  guint pending;    /* combinations that the pool has yet to search */
  GCond idle;       /* there are none */
  gboolean needs_execution;
  GHashTable *reported; /* where the spans of failed paths begin that are already reported */
} Check;

/* program, model, options, diagnostics and outcome (and collected) are set: makes the rest. */
void check_start (Check *check);
/* Finds the paths, then searches or collects all combinations. */
void check_run (Check *check);
void check_end (Check *check);

#endif
