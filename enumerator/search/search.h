#pragma once

#include "base/base.h"
#include "enumerator/execution.h"
#include "enumerator/outcome.h"
#include "enumerator/paths/paths.h"
#include "model/model.h"
#include "parser/program.h"

/* ---- Check ---------------------------------------------------------------------------------- */

/* Checking one program under one model: paths, pre-executions, staging, search, and the outcome. */

/* Never NULL. Diagnostics receive warnings (truncated loops) and errors (RSPCHECK_STOP_ERROR,
 * failed paths). */
RspOutcome *rsp_check (const RspProgram *program, const RspModel *model,
                       const RspCheckOptions *options, RspDiagnostics *diagnostics);

/* ---- Screen --------------------------------------------------------------------------------- */

/* Screening: combinations of paths that coherence alone rules out are discarded before they are
 * staged. That is true of most combinations of paths that wait or retry, because one thread must be
 * first.
 *
 * It is not assumed but proved (screen.c), location by location, that the model demands coherence,
 * once enough combinations have had no execution for the proof to pay off. */

typedef struct RspScreen RspScreen;

/* paths: per thread, of RspPath; all outlive the screen. Nothing is screened until `after` (> 0)
 * combinations have had no execution. Questions about updates are not answered before some times as
 * many of them were asked, unless `after` is 1. */
RspScreen *screen_new (const RspProgram *program, const RspModel *model,
                       const RspCheckOptions *options, guint after, GPtrArray *const *paths,
                       RspBudget *budget);
void screen_free (RspScreen *screen);

/* Records that a combination has no execution. Any thread may call it. */
void screen_note_empty (RspScreen *screen);

/* Is each read-modify-write of the location, in every execution, in co the next after the write
 * that it reads? FALSE: that is not known (yet: it is proved once it has been asked often enough
 * for the proof to pay off). Any thread may call it. */
gboolean rsp_screen_updates_follow (RspScreen *screen, guint location);

/* Is there, in every execution, an order of the accesses to the location that respects that of each
 * thread, and in which each read returns the last value written? Proved when it is asked. */
gboolean rsp_screen_is_coherent (RspScreen *screen, guint location);

/* Can the combination have an execution? numbers: per thread, the number of its path. FALSE is
 * certain. */
gboolean screen_admits (RspScreen *screen, const guint *numbers);

/* ---- Tally ---------------------------------------------------------------------------------- */

/* Tally: final states and how many executions lead to each. */

typedef struct RspTally RspTally;

/* The observables that states show are those not named by the filter alone. */
RspTally *rsp_tally_new (const RspProgram *program);
void rsp_tally_free (RspTally *tally);

/* Adds executions (n_undefined of them violate a requirement) that end in a state: a value for
 * every observable of the program. FALSE if the program's filter drops them, so that nothing is
 * added. */
gboolean rsp_tally_add (RspTally *tally, const RspValue *state, RspCount executions,
                        RspCount n_undefined);

/* The same for a state as numbers of its values, one for every observable. differs: is it known
 * that no state added so far has the same values? */
gboolean tally_add_numbered (RspTally *tally, const guint32 *state, RspCount executions,
                             RspCount n_undefined, gboolean differs);
guint32 rsp_tally_number (RspTally *tally, RspValue value);

/* Is it empty, and does it show all observables, so that states which differ do so here? */
gboolean rsp_tally_takes_all (const RspTally *tally);

/* Would tally_add keep it? */
gboolean tally_keeps (const RspTally *tally, const RspValue *state);

/* Adds all of *from to *to. The contents of *from are unspecified afterwards: an empty *to is
 * exchanged with it. */
void tally_take (RspTally **to, RspTally **from);

/* Merges; observable i of a state of `to` gets the value of observable where[i] in `from`. Only for
 * programs without a filter, whose states have all observables. */
void tally_add_renamed (RspTally *to, const RspTally *from, const guint *where);

/* Counts each state, as it is shown, as one execution. */
void tally_count_states (RspTally *tally);
RspCount tally_executions (const RspTally *tally);

/* Is there an execution in which the condition's proposition holds (fails), or may hold (fail),
 * depending on undetermined values? */
gboolean tally_may_hold (const RspTally *tally);
gboolean tally_may_fail (const RspTally *tally);

/* The approximate size of the states in bytes. */
gsize tally_size (const RspTally *tally);

/* Ends the budget if the tally exceeds what it allows. */
void tally_limit (const RspTally *tally, RspBudget *budget);

/* Fills the outcome's printed, states, positive, negative, undetermined and n_undefined, and
 * transfers the arena that has them; the tally is unusable afterwards. If the budget is exhausted,
 * also while states are sorted, large numbers of states are left out, but the counts stay. */
void rsp_tally_finish (RspTally *tally, RspBudget *budget, RspOutcome *outcome);

/* ---- Search --------------------------------------------------------------------------------- */

/* Search: all ways to complete one pre-execution into an execution that the model allows.
 *
 * There are two engines. The naive one completes every reads-from, coherence and chosen order
 * before it evaluates the model; the bounded one uses the model's bounds to prune (see bounded.c).
 * They must agree on everything. */

/* The flags of a model, in order of appearance: a GArray of RspFlag whose names are owned. */
GArray *search_flags_new (void);

/* Adds the flags of a staged model that are missing. */
void search_flags_note (GArray *flags, const RspStagedModel *model);
void search_flags_raise (GArray *flags, const char *name);

/* Is it raised? */
gboolean search_flags_has (const GArray *flags, const char *name);

/* Adds the flags of one to the other; a flag is raised if it is in either. */
void search_flags_add_all (GArray *to, const GArray *from);

/* Shared by searches of different combinations: see enumerator/bounded/bounded.h. */
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
  const guint *class; /* exchangeable threads: see combinations.c; NULL if no symmetry is used */
  const guint *numbers; /* per thread: the number of its path */
  RspStatistics *statistics;
  RspTally *tally;
  GArray *flags;         /* see search_flags_new */
  GArray *prunings;      /* of RspPruning; NULL: not counted */
  gboolean thin_air;     /* has some execution values out of thin air? */
  gboolean exists_only;  /* only find out whether there is an execution (found); the tally does not
                          * change */
  gboolean skips_counts; /* may one execution stand for all with the same state and flags? */
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

/* May a plain axiom fail under -through? */
gboolean axiom_goes_through (const RspStagedAxiom *axiom, RspcheckThrough through);

/* Both engines end here: records a relevant complete execution whose verdict is known. */
void search_record (RspSearch *search, const RspValue *state, RspCount executions,
                    RspCount n_undefined);

/* The same for a state as the tally's numbers (see tally_add_numbered), unless it is only asked
 * whether there is one. */
void search_record_numbered (RspSearch *search, const guint32 *state, RspCount executions,
                             RspCount n_undefined, gboolean differs);

/* ---- Spin ----------------------------------------------------------------------------------- */

/* -spin last: loops that wait keep only their last round.
 *
 * There are two kinds of paths (RspPathOptions.spin_last): without a round that only waits, and
 * with one. The first are searched; the second show whether the model allows waiting rounds to be
 * omitted. */

typedef struct RspSpin {
  const RspProgram *program;
  const RspModel *model;
  const RspCheckOptions *options;
  RspBudget *budget;
  RspTerms *terms;    /* of the paths */
  GPtrArray **ended;  /* per thread: of RspPath, that end and have no waiting round */
  GPtrArray **waited; /* per thread: that end, with waiting rounds */
} RspSpin;

/* Makes the lists from each thread's paths (paths[t]: of RspPath), in which only those without a
 * waiting round remain. */
void spin_sort_paths (RspSpin *spin, GPtrArray **paths);
void spin_free_lists (RspSpin *spin);

/* Does the answer about paths without waiting rounds hold for all paths? FALSE if the model may
 * distinguish such a round (model/bounds/bounds.h), or if that is not known. */
gboolean spin_is_whole (const RspSpin *spin);
#define RSP_SPIN_FLAG "never_ends"

/* ---- Combinations --------------------------------------------------------------------------- */

/* A running check: the combinations of paths of a program, one path per thread, searched, or
 * collected for other questions (enumerator/query/). One or several threads search them; the
 * results are added up, so they do not depend on the number of threads. */

enum {
  SEARCH_MANY_COMBINATIONS = 128 /* for which -engine auto asks the solver */
};

typedef struct Check {
  const RspProgram *program; /* from check_start on, `bound`: it says the model's words */
  RspProgram bound;
  const RspModel *model;
  const RspCheckOptions *options;
  RspDiagnostics *diagnostics;
  RspOutcome *outcome;
  RspArena *arena; /* terms and paths */
  RspTerms *terms;
  GPtrArray **paths;           /* per thread: of RspPath */
  const RspPath **chosen;      /* per thread */
  guint *numbers;              /* per thread: the chosen path's number among its paths */
  guint *class;                /* per thread: see combinations.c; NULL if no symmetry is used */
  RspFeasibility *feasibility; /* NULL if every combination is searched */
  RspScreen *screen;           /* the same */
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
  gboolean skips_counts; /* of its searches */
  gboolean one_suffices; /* may the first execution stand for all? */
  GMutex lock;           /* guards the following fields, diagnostics and outcome */
  RspTally *tally;
  GArray *flags;
  GArray *prunings; /* of RspPruning; NULL: not counted */
  guint ticks_left; /* steps before the solver is asked */
  guint ticks;      /* of the last search that had a limit */
  guint turn_steps; /* of the last turn without counts; 0: there was none */
  guint visits;     /* of combinations and beginnings of some */
  guint pending;    /* combinations that the pool has yet to search */
  GCond idle;       /* there are none */
  RspValue *serial; /* the state that threads end in if they run one after the other; NULL: the
                     * model forbids that, or it is not known */
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

/* Chooses the paths that threads take if they run one after the other, in the order of their
 * numbers, which most models allow. FALSE if some waits for a later one. */
gboolean check_choose_serial (Check *check);

/* Makes that execution of these paths, in arena, without orders of a model. FALSE if there is
 * none. */
gboolean check_run_serially (const RspPreExecution *pre, RspArena *arena, RspExecution *execution);
void check_end (Check *check);

/* ---- Failures ------------------------------------------------------------------------------- */

/* Paths on which a program fails: a division by zero, an access outside every object. */

/* A path fails on some execution: an error, once for each place. */
void check_report_failed_path (Check *check, const RspPath *failed, guint thread);
gboolean check_has_reported (const Check *check, const RspPath *failed);

/* ---- Naive ---------------------------------------------------------------------------------- */

/* Adds to the search's tally, flags, thin_air and statistics, and stores in budget->stop why it
 * ended. staging is that of the pre-execution. */
void rsp_search_naive (RspSearch *search, const RspStaging *staging);

/* Stages the model on one execution and records its verdict. The model's own choices are made
 * again: the execution's orders and script are not read. */
void rsp_search_judge (RspSearch *search, const RspExecution *execution);

/* ---- Places --------------------------------------------------------------------------------- */

/* Places in the scope tree that make no difference: a lock whose operations all have the scope of
 * the device treats its threads alike, in whatever work-groups they are. Then any two threads of
 * the same code may be exchanged, not only those that the tree treats alike.
 *
 * Let two threads exchange their places, and nothing else. If no axiom and no flag of the model can
 * have another value on any execution, the threads may be exchanged: an execution with the two
 * threads' roles exchanged is, but for their names, the first one in the changed tree. The model's
 * expressions are evaluated with all choices of an execution open, on the accesses of all paths:
 * which pairs may they contain, and of which may the two trees make a difference? What is not in an
 * execution only makes both smaller. */

/* class[t]: the first thread that t is exchangeable with, perhaps itself, because of the tree
 * (symmetry_find), or under the model in executions of these paths (per thread: of RspPath). FALSE
 * if there are none. */
gboolean places_find_classes (const RspProgram *program, const RspModel *model,
                              GPtrArray *const *paths, RspBudget *budget, guint *class);

/* The program with its threads at two places: does the model say the same of both? FALSE if that
 * is not known. */
gboolean rsp_places_agree (const RspProgram *program, const RspProgram *other,
                           const RspModel *model, GPtrArray *const *paths, RspBudget *budget);

/* ---- Barriers ------------------------------------------------------------------------------- */

/* Barriers in combinations of paths that may not end. */

/* The ways of all threads to end or not. */
typedef struct BarrierThreads {
  const RspProgram *program;
  GPtrArray *const *paths; /* per thread: of RspPath */
  RspTerms *terms;
} BarrierThreads;

/* Does the thread, which takes this path, keep others waiting at a barrier without a quorum? It
 * does if it has not come to it and, should it ever go on, may; in languages whose barriers all
 * threads must execute, whenever it has not come. */
gboolean rsp_barrier_is_held (const BarrierThreads *threads, guint thread, const RspPath *path,
                              const RspEvent *barrier);

/* ---- Recursion ------------------------------------------------------------------------------ */

/* Tries the model's recursive definitions that are not monotone on one candidate execution, whether
 * or not the model allows it. FALSE if one of them does not converge, which is reported. */
gboolean try_recursions (RspSearch *search, const RspStaging *staging);

/* Reports a recursive definition that did not converge. */
void search_report_divergence (RspSearch *search, RspDag *dag);

/* ---- Results -------------------------------------------------------------------------------- */

/* Results: what the completions of one search node lead to.
 *
 * A table from assignments of the open observables (one value number each, see bounded.h, in the
 * order of the observables) to the number of executions that end in them, how many of these violate
 * a requirement, and the flags that any of them raises. Reference-counted; one result may be used
 * for many nodes. */

typedef struct RspResults {
  guint width;       /* values per row */
  guint n, capacity; /* rows */
  guint32 *values;   /* n × width */
  RspCount *executions;
  RspCount *n_undefined; /* NULL: 0 everywhere */
  guint32 *flags;
  guint32 *slots; /* open addressing: row + 1, 0 where empty; n_slots a power of two */
  guint n_slots;
  guint n_hashed;    /* rows that have slots: the others get theirs when a row is looked for */
  guint n_batched;   /* rows at the end of the last batch */
  gboolean is_small; /* private: are the rows next to this, where there is room for a few? */
  gint references;   /* atomic: any thread may read results in the memo, and none may change them */
} RspResults;

RspResults *rsp_results_new (guint width);
RspResults *rsp_results_ref (RspResults *results);
void rsp_results_unref (RspResults *results);

static inline RspCount rsp_results_n_undefined (const RspResults *results, guint row) {
  return results->n_undefined ? results->n_undefined[row] : 0;
}

/* Adds to the row with these values (copied), which is made if it is missing. */
void rsp_results_add (RspResults *results, const guint32 *values, RspCount executions,
                      RspCount n_undefined, guint32 flags);

/* The row with these values, which is made, without executions, if it is missing. */
guint rsp_results_obtain (RspResults *results, const guint32 *values);

/* The same for values that no row has: none is looked for. */
guint rsp_results_append (RspResults *results, const guint32 *values);

/* Adds to a row. */
void rsp_results_count (RspResults *results, guint row, RspCount executions, RspCount n_undefined,
                        guint32 flags);

/* A batch is a set of rows that differ from each other and are added between these two calls.
 * known: per column, the value that all of them have, or G_MAXUINT32. Returns whether it is known
 * that they differ from the rows added so far. */
gboolean rsp_results_begin_batch (RspResults *results, const guint32 *known);
void rsp_results_end_batch (RspResults *results);

/* A copy in which column i is column from[i] of results. */
RspResults *rsp_results_permute (const RspResults *results, const guint *from);

/* Bytes in memory, or what the packed copy would take. */
gsize rsp_results_size (const RspResults *results);
gsize rsp_results_packed_size (const RspResults *results);

/* Releases what only further rows would need. */
void rsp_results_trim (RspResults *results);

/* A compact, read-only copy. It lives as long as the arena: one reference is never released. */
RspResults *rsp_results_pack (const RspResults *results, RspArena *arena);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspResults, rsp_results_unref)

/* ---- Symmetry ------------------------------------------------------------------------------- */

/* Symmetry: threads that have the same paths at exchangeable places of the scope tree.
 *
 * Combinations of paths that differ only by exchanging such threads have the same executions except
 * for the threads' names. One of them is searched (paths of exchangeable threads in ascending
 * order); its states are then given to all, with registers renamed. */

/* like[t]: the first thread of the same paths (paths[t]: of RspPath), by the same code or at the
 * same places of one text. What they write where nothing reads and no state shows it may differ. */
void rsp_symmetry_find_like (const RspProgram *program, GPtrArray *const *paths, guint *like);

/* class[t]: the first thread that t is exchangeable with, perhaps itself. Threads are exchangeable
 * if they are alike, the tree is the same with the two swapped, and the states show the same
 * registers of both. FALSE if there are none (each thread is a class). */
gboolean symmetry_find (const RspProgram *program, const guint *like, guint *class);

/* Of two threads that are alike: does nothing but their places in the tree speak against an
 * exchange? */
gboolean rsp_symmetry_allows (const RspProgram *program, guint a, guint b);

/* Classes may be exchangeable as a whole, each thread of the one with that of the same place of the
 * other: those of work-groups that are alike. block[t], of the first thread of a class: the first
 * thread of the first class that is exchangeable with its own; of other threads a number above all
 * threads. */
void symmetry_find_blocks (const RspProgram *program, const guint *like, const guint *class,
                           guint *block);

/* The thread of the same class before this one, or G_MAXUINT. */
guint symmetry_previous (const guint *class, guint thread);
