/* Paths: the control-flow paths of one thread, each a sequence of events with symbolic values. */
#ifndef RSP_ENUMERATOR_PATHS_PATH_H
#define RSP_ENUMERATOR_PATHS_PATH_H

#include "enumerator/terms/term.h"
#include "base/budget.h"
#include "model/matrix.h"

#define RSP_NO_LOCATION G_MAXUINT

typedef enum RspEventKind
{
  RSP_EVENT_READ,
  RSP_EVENT_WRITE,
  RSP_EVENT_RMW, /* one event, in R and in W */
  RSP_EVENT_FENCE,
  RSP_EVENT_ENTRY, /* first half of a barrier */
  RSP_EVENT_EXIT   /* second half */
} RspEventKind;

typedef struct RspEvent
{
  RspEventKind kind;
  guint thread;   /* index; RSP_NO_THREAD for initial writes */
  guint location; /* index; RSP_NO_LOCATION for fences and barrier halves */
  RspOrder order;
  RspScope scope;
  guint flags;        /* fences and barrier halves: RSP_FENCE_… bits */
  gboolean is_atomic; /* an atomic operation (not atomic_init) */
  gboolean remote;
  gboolean failed_rmw;
  /* Barriers: label ("" when unlabelled) and how many of that label came before on this path.
   * Halves of the same (label, count) are one instance. */
  const char *barrier;
  guint barrier_count;
  const RspTerm *written; /* writes and RMWs; over the reads of the same path */
  const RspTerm
      *read; /* reads and RMWs: the RSP_TERM_READ of this event (in the location's type) */
  RspSpan span;
} RspEvent;

/* A condition on the path's reads: `term` must be nonzero. */
typedef struct RspConstraint
{
  const RspTerm *term;
  RspSpan span;
} RspConstraint;

typedef enum RspPathEnd
{
  RSP_PATH_COMPLETE,
  RSP_PATH_STUCK,     /* in a round of a loop that waits; see RspPathOptions.spin_last */
  RSP_PATH_TRUNCATED, /* a loop needs more than -unroll rounds: dropped, reported */
  RSP_PATH_FAILED /* division by zero, shift out of range, an access outside every object: an error
                     if the path can happen */
} RspPathEnd;

typedef struct RspPath
{
  RspPathEnd end;
  RspSpan end_span;        /* TRUNCATED, STUCK: the loop; FAILED: the expression */
  const char *end_message; /* FAILED: "division by zero", … */
  RspEvent *events;        /* in an order that extends po */
  guint n_events;
  RspMatrix *po; /* n_events × n_events: transitive, irreflexive; partial inside expressions */
  RspMatrix *addr, *data, *ctrl;
  guint wait_begin, wait_end; /* events of a round that only waits, [begin, end); else 0, 0 */
  RspConstraint *constraints;
  guint n_constraints;
  guint *names;           /* per event, once rsp_paths_name_events gave them: see RspNames */
  const RspTerm **finals; /* per register of the thread: its final value; NULL where no observable
                             of the program names it (paths that differ only there are one) */
} RspPath;

typedef struct RspPathOptions
{
  guint unroll; /* rounds per loop */
  /* Rounds that only wait (they read, and leave nothing behind) are omitted. The result has the
   * paths without such rounds; paths with one of them, which have wait_end > 0; and paths that end
   * in one. */
  gboolean spin_last;
  gboolean cas_writeback; /* a failing compare-exchange writes *expected */
  RspBudget *budget;      /* NULL: no limits */
} RspPathOptions;

/* All paths of a thread, in a fixed order (source order of branches, the taken branch first). Each
 * access has one location: an address that depends on what was read makes a path per location it
 * may be, with the constraint that it is. Paths that no values can take (constraints that are
 * constant zero) are left out. Everything lives in arena. FALSE, with a diagnostic, when there are
 * too many paths or events (limits are in executor.h and named in the message), and without one,
 * when the budget is exhausted. */
gboolean rsp_paths_enumerate (const RspProgram *program, guint thread,
                              const RspPathOptions *options, RspTerms *terms, RspArena *arena,
                              GPtrArray *paths, RspDiagnostics *diagnostics);

/* Names that different paths have in common. Event e of a path of thread t is
 * first[t] + path->names[e]; below first[0] are the program's locations, for their initial writes.
 * Events of different paths have one name when they are the same access of the source and as many
 * of it come after them, so that paths which differ only in how often they went round a loop share
 * the names of their ends. Threads of one number in `like` have blocks of one size, in which the
 * same accesses have the same places. */
typedef struct RspNames
{
  guint n_threads, n; /* n: names in all */
  guint *like;        /* per thread: the first one that runs the same code */
  guint *first;       /* per thread */
} RspNames;

/* The same analysis for choosing paths thread by thread. paths must outlive it, and not change.
 * When the budget is exhausted everything is feasible. */
typedef struct RspFeasibility RspFeasibility;

#endif
