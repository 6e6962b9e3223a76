#pragma once

#include <glib.h>

#include "enumerator/execution.h"
#include "enumerator/search/search.h"
#include "explain/explain.h"
#include "parser/kernel/kernel.h"
#include "report/record.h"

/* ---- Directories ---------------------------------------------------------------------------- */

/* The folders of models and mappings. */

/* The folder of the models that were installed with the program or library: the one that was fixed
 * when it was built, or, where that does not exist, ../share/rspcheck/cat from the shared library,
 * for one that was moved as a whole. Static. */
const char *rsp_model_directory (void);

/* Where models (name: "cat") or mappings ("machine") are searched for, in order: `first`
 * (NULL-terminated, may be NULL), the folder of the test, $RSPCHECK_LIB (folders separated by
 * colons), the folder of that name next to the program, and the installed one. NULL-terminated,
 * newly allocated: free with g_strfreev. test is a path, or NULL. */
char **rsp_directories (const char *name, const char *const *first, const char *test);

/* ---- Kernel --------------------------------------------------------------------------------- */

/* Kernels before they are checked: their arrays get the sizes that their accesses need;
 * locations that only one work-item accesses, or nothing writes, cost no event. */

/* Reads the kernel, explores the paths of its work-items, and reads it again with the sizes found.
 * Sizes that a check found are in facts (of RspObjectFacts), to which more are added. NULL after an
 * error. */
RspKernel *rsp_kernel_explore (const char *path, RspKernelOptions *options, GPtrArray *facts,
                               const RspCheckOptions *check, RspDiagnostics *diagnostics);

/* Does a plain read that is in no race return, under the model, the last value before it by program
 * order and barriers, and do no two increments return the same? A few work-items are tried: values
 * out of thin air, barriers on both memories, and increments in one work-group, in two, and on two
 * devices. */
gboolean rsp_model_is_phased (const RspModel *model, const RspCheckOptions *check);

/* Must an array grow, because some executions access elements beyond its end? Then the facts get
 * its new size. */
gboolean rsp_kernel_grow (const RspKernel *kernel, const RspOutcome *outcome, GPtrArray *facts);

/* Does an execution access an element beyond the limit to which arrays grow? That is an error,
 * not a finding. */
gboolean rsp_kernel_is_cut (const RspKernel *kernel, const RspOutcome *outcome,
                            RspDiagnostics *diagnostics);
GPtrArray *rsp_kernel_facts_new (void);

/* All paths of a work-item, as rsp_paths_enumerate finds them: those of a check, and those on which
 * it never ends. */
gboolean rsp_kernel_paths (const RspKernel *kernel, guint thread, const RspCheckOptions *check,
                           RspTerms *terms, RspArena *arena, RspBudget *budget, GPtrArray *paths,
                           RspDiagnostics *diagnostics);

/* ---- Any ------------------------------------------------------------------------------------ */

/* Arguments that may have any value (`-arg n=any`): values that stand for all others. */

/* Values of each of the parameters options->unknown that stand for all others: the kernel
 * behaves with any values of their types as with some of these, except that it copies the values,
 * and results of calculations with them, to memory. loop: only values with which no loop needs more
 * rounds than the check unrolls. sampled: they stand only for themselves. Owned arrays of "n=4" or
 * "x[2]=0,5", or NULL for a parameter of whose values nothing is known; NULL after an error. A
 * single parameter of at most 8 bits may get all values of its type. groups: of each parameter, the
 * first of those whose values belong together, place by place. Fills options->unequal. */
GPtrArray *rsp_kernel_representatives (const char *path, RspKernelOptions *options,
                                       const RspCheckOptions *check, gboolean *loop,
                                       gboolean *sampled, guint *groups,
                                       RspDiagnostics *diagnostics);

/* Two lines of a kernel's text in any order, newly allocated: a key of RspKernelOptions.unequal. */
char *rsp_kernel_lines (guint line, guint other);

/* ---- Placements ----------------------------------------------------------------------------- */

/* The placements of a program's threads: all scope trees that differ at some levels. */

typedef struct RspPlacement {
  RspNodes *nodes;     /* per thread */
  guint n_nodes;       /* at the levels that vary */
  guint number;        /* in the order in which rsp_trees_each finds them */
  guint first;         /* the first one that differs only in the names of exchangeable threads */
  guint same;          /* of the first ones: an earlier one that the model cannot tell from it */
  gboolean is_own;     /* is it that of the test itself? */
  RspProgram *program; /* of the first ones: the program at this placement */
} RspPlacement;

typedef struct RspPlacements {
  const RspProgram *program;
  guint levels;  /* at which they differ: bits of RspLevel */
  GArray *all;   /* of RspPlacement: the fewest nodes first */
  guint n_first; /* those that are the first of their kind */
  RspArena *arena;
} RspPlacements;

/* levels: "wg,dev"; NULL: `exactly` (bits of RspLevel) unless it is 0, else those that its
 * operations name, as scopes or barriers. Threads that share local memory stay in one work-group.
 * The program must outlive it. NULL after an error. */
RspPlacements *rsp_placements_new (const RspProgram *program, const RspModel *model,
                                   const RspCheckOptions *options, const char *levels,
                                   guint exactly, RspDiagnostics *diagnostics);
void rsp_placements_free (RspPlacements *placements); /* or NULL */

/* The levels at which they would differ, without listing them: words as `levels` there, or NULL.
 * 0: there are too many threads. FALSE after an error. */
gboolean rsp_placements_levels (const RspProgram *program, const RspModel *model,
                                const RspCheckOptions *options, const char *words, guint *levels,
                                RspDiagnostics *diagnostics);

/* "YES wherever P0 and P1 share a work-group; NO otherwise": the shortest description of the
 * placements whose truth is RSP_HOLDS, against those for which it is RSP_FAILS (truth: per
 * placement; of others nothing is said); if none is short, how many they are. Newly allocated. */
char *rsp_placements_describe (const RspPlacements *placements, const RspTruth *truth,
                               const char *yes, const char *no);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspPlacements, rsp_placements_free)

/* ---- Run ------------------------------------------------------------------------------------ */

/* A run: one test under one model, and everything that a report says about it. The command line and
 * the library both go through here. */

typedef struct RspRunOptions {
  RspCheckOptions check;
  gboolean evidence; /* look for the events that show why flags are raised; takes searches of its
                        own, in what the check has left of its time */
  gboolean explain;  /* explain the answer and the flags */
  const char *const *outcomes; /* what to explain instead of the condition, NULL-terminated or NULL:
                                     "1:r0=1; x=2;" as in a state, or "1:r0=1 /\\ ~(x=2)" */
  const RspProgress *progress; /* does the test hang under these progress models? */
  guint n_progress;
  guint candidates;  /* with explain: how many candidates to keep per state, for the page; or 0 */
  RspcheckShow show; /* which executions to draw, up to most_shown */
  guint most_shown;
} RspRunOptions;

/* "unroll=2 engine=bounded … explain=true": every option that may change a record; variants are
 * those of the model, NULL-terminated. Newly allocated. */
char *rsp_run_options_format (const RspRunOptions *options, const char *const *variants);

/* A record of the test under the model `label`, before the check: an error with that reason.
 * path: of the test's file, or "". */
RspRecord *rsp_run_begin (const RspProgram *program, const char *path, const char *label,
                          const char *reason);

/* Checks the test and fills the record; returns why the check ended. Diagnostics receive the
 * messages of rsp_check. */
RspcheckStop rsp_run (const RspProgram *program, const RspModel *model,
                      const RspRunOptions *options, RspRecord *record, RspDiagnostics *diagnostics);
