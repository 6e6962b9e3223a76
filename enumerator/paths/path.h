/* Paths: the control-flow paths of one thread, each a sequence of events with symbolic values. */
#pragma once

#include "enumerator/terms/term.h"
#include "base/budget.h"
#include "model/matrix.h"

#define RSP_NO_LOCATION G_MAXUINT

enum {
  RSP_MAX_WAITS = 2 /* rounds of a path that only wait, with RspPathOptions.spin_last */
};

typedef enum RspEventKind {
  RSP_EVENT_READ,
  RSP_EVENT_WRITE,
  RSP_EVENT_RMW, /* one event, in R and in W */
  RSP_EVENT_FENCE,
  RSP_EVENT_ENTRY,  /* first half of a barrier */
  RSP_EVENT_EXIT,   /* second half */
  RSP_EVENT_BARRIER /* a barrier that is one event, in languages with tags */
} RspEventKind;

typedef struct RspEvent {
  RspEventKind kind;
  guint thread;   /* index; RSP_NO_THREAD for initial writes */
  guint location; /* index; RSP_NO_LOCATION for fences and barrier halves */
  RspOrder order;
  RspScope scope;
  guint flags;        /* fences and barrier halves: RSP_FENCE_… bits */
  gboolean is_atomic; /* an atomic operation (not atomic_init) */
  gboolean remote;
  gboolean failed_rmw;
  gboolean no_result; /* a reduction: a read-modify-write whose old value is not returned */
  gboolean spurious; /* with cycles: a weak compare-exchange that fails although the values agree */
  gboolean
      rmw_half; /* of a read-modify-write of two events: the read, or the write that follows it */
  /* Barriers: label ("" if unlabelled), and the number of earlier barriers with that label on this
   * path. Halves with the same (label, count) belong to one instance. */
  const char *barrier;
  guint barrier_count;
  RspLevel meeting; /* barriers: the threads that share this level with the barrier's own meet */
  /* In languages with tags (which set no order, scope, flags): */
  guint64 tags;             /* bits of RspTag */
  RspLevel reach;           /* what its scope covers; RSP_LEVEL_THREAD: it has none */
  guint virtual_location;   /* the location or alias that an access names; `location` is physical */
  gint64 barrier_name;      /* RSP_EVENT_BARRIER: the resource; 0: none given */
  gint64 barrier_quorum;    /* RSP_EVENT_BARRIER: 0: none */
  gboolean barrier_arrives; /* RSP_EVENT_BARRIER: it does not wait */
  gboolean barrier_passes;  /* RSP_EVENT_BARRIER with a quorum that others may meet: it goes on once
                               they have met, and they do not wait for it */
  gboolean barrier_phase;   /* with a quorum, by RSP_BARRIERS_PHASES: barrier_count is the phase, a
                               choice of the path */
  gboolean barrier_all;     /* without a quorum, by RSP_BARRIERS_ALL_THREADS */
  const RspTerm *written;   /* writes and RMWs; over the reads of the same path */
  const RspTerm
      *read; /* reads and RMWs: the RSP_TERM_READ of this event (in the location's type) */
  const RspTerm
      *no_source; /* a write-back to *expected: `read` of the same operation's read of it */
  RspSpan span;
} RspEvent;

/* A condition on the path's reads: `term` must be nonzero. */
typedef struct RspConstraint {
  const RspTerm *term;
  RspSpan span;
} RspConstraint;

/* A condition on uninterpreted functions of constants: it holds for all threads, or for none. */
typedef struct RspFreeCondition {
  const RspTerm *term, *negation;
} RspFreeCondition;

typedef enum RspPathEnd {
  RSP_PATH_COMPLETE,
  RSP_PATH_STUCK, /* ends in rounds of a loop that may repeat for ever; see RspPathOptions.cycles */
  RSP_PATH_BLOCKED,   /* ends at a barrier, where it waits for ever; see cut.h */
  RSP_PATH_STOPPED,   /* ends anywhere, as the thread is not run any more; see cut.h */
  RSP_PATH_TRUNCATED, /* a loop needs more than -unroll rounds: dropped and reported */
  RSP_PATH_FAILED /* division by zero, shift out of range, an access outside every object: an error
                   * if the path is possible */
} RspPathEnd;

/* The message where an RSP_STATEMENT_ASSERT fails. */
#define RSP_ASSERTION_FAILS "the assertion fails"

typedef struct RspPath {
  RspPathEnd end;
  RspSpan end_span;        /* TRUNCATED, STUCK: the loop; FAILED: the expression */
  const char *end_message; /* FAILED: "division by zero", … */
  gint64 end_address;      /* FAILED: the address outside every object, or that of the object after
                              whose last element the access is; 0: none */
  RspEvent *events;        /* in an order that extends po */
  guint n_events;
  RspMatrix *po; /* n_events × n_events: transitive, irreflexive; partial inside expressions */
  RspMatrix *addr, *data, *ctrl;
  guint n_waits;              /* rounds that only wait: 0, 1 or RSP_MAX_WAITS */
  guint wait_begin, wait_end; /* events of the last, [begin, end), or of the first of several
                               * in a row; else 0, 0. STUCK: the events that repeat */
  guint rotated; /* STUCK: number of events of the rounds that the path repeats before they do for
                    ever */
  RspConstraint *constraints;
  guint n_constraints;
  RspFreeCondition *free;
  guint n_free;
  const RspTerm **mixed; /* conditions on uninterpreted functions of what is read, which some
                            function satisfies */
  guint n_mixed;
  guint *names;           /* per event, after rsp_paths_name_events: see RspNames */
  const RspTerm **finals; /* per register of the thread: its final value; NULL if no observable of
                           * the program names it (paths that differ only there are one path) */
} RspPath;

/* How barriers differ from the default, as bits: those of one event, and wide ones. */
typedef enum RspBarrierRule {
  RSP_BARRIERS_ALL_THREADS
  = 1, /* without a quorum: they wait for all threads of the group that have not ended */
  RSP_BARRIERS_PHASES
  = 2,                  /* with one: so many threads complete a phase, and the next begin another */
  RSP_BARRIERS_WIDE = 4 /* a wide barrier joins its scope, not only its work-group */
} RspBarrierRule;

typedef struct RspPathOptions {
  guint unroll; /* rounds per loop */
  /* Omit rounds that only wait (they change nothing: see wait.h). The result has the paths without
   * such rounds, and paths with some (n_waits > 0), for which `unroll` allows that many more. */
  gboolean spin_last;
  /* Instead: omit rounds without an effect on registers and memory (they read, and write back what
   * they read), and add paths that end (STUCK) in rounds that may repeat for ever: each register is
   * at their end what it was at their beginning, as a constraint. */
  gboolean cycles;
  gboolean cas_writeback; /* a failing compare-exchange writes *expected */
  guint barriers;         /* bits of RspBarrierRule */
  RspBudget *budget;      /* NULL: no limits */
} RspPathOptions;

/* All paths of a thread, in a fixed order (source order of branches, the taken branch first). Each
 * access has one location: an address that depends on values read makes one path per possible
 * location, with that as a constraint. Paths that no values can take (constraints that are constant
 * zero) are left out. Everything lives in arena. FALSE, with a diagnostic, if there are too many
 * paths or events (executor.h has the limits, which the message names); FALSE, silently, if the
 * budget is exhausted. */
gboolean rsp_paths_enumerate (const RspProgram *program, guint thread,
                              const RspPathOptions *options, RspTerms *terms, RspArena *arena,
                              GPtrArray *paths, RspDiagnostics *diagnostics);

/* Can some function satisfy the free conditions of both? (Each one's own are consistent.) */
gboolean rsp_paths_agree (const RspPath *a, const RspPath *b);

/* Names that different paths have in common. Event e of a path of thread t is
 * first[t] + path->names[e]; below first[0] are the program's locations, for their initial writes.
 * Events of different paths have the same name if they are the same access of the source and are
 * followed by the same number of its events, so that paths that differ only in the number of rounds
 * of a loop share the names at their ends. Threads with the same number in `like` have blocks of
 * the same size, in which the same accesses have the same places. */
typedef struct RspNames {
  guint n_threads, n; /* n: names in all */
  guint *like;        /* per thread: the first one that runs the same code */
  guint *first;       /* per thread */
} RspNames;

/* The same analysis for choosing paths thread by thread. paths must outlive it, and not change.
 * If the budget is exhausted, everything is feasible. */
typedef struct RspFeasibility RspFeasibility;
