#pragma once

#include "base/base.h"
#include "enumerator/terms/terms.h"
#include "model/matrix.h"

/* ---- Path ----------------------------------------------------------------------------------- */

/* Paths: the control-flow paths of one thread, each a sequence of events with symbolic values. */

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
  guint32 words;      /* that the test says of it: RspProgram.words */
  gboolean is_ghost;  /* RspExpr.is_ghost */
  gboolean failed_rmw;
  gboolean no_result; /* a reduction: a read-modify-write whose old value is not returned */
  gboolean is_unless; /* the read-modify-write of a RSP_CALL_…UNLESS, between the fences */
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
  gboolean barrier_waits;   /* RSP_EVENT_BARRIER: its thread has arrived before */
  gboolean barrier_passes;  /* RSP_EVENT_BARRIER with a quorum that others may meet: it goes on once
                               they have met, and they do not wait for it */
  gboolean barrier_phase;   /* with a quorum, by RSP_BARRIERS_PHASES: barrier_count is the phase, a
                               choice of the path */
  gboolean barrier_whole;   /* RspBarrier.whole */
  gboolean barrier_all;     /* without a quorum, by RSP_BARRIERS_ALL_THREADS */
  const RspTerm *written;   /* writes and RMWs; over the reads of the same path */
  const RspTerm
      *read; /* reads and RMWs: the RSP_TERM_READ of this event (in the location's type) */
  const RspTerm
      *no_source; /* a write-back to *expected: `read` of the same operation's read of it */
  RspSpan span;
} RspEvent;

/* Are they alike but for their thread, place in the program and values? */
static inline gboolean rsp_event_is_alike (const RspEvent *a, const RspEvent *b) {
  return a->kind == b->kind && a->location == b->location && a->order == b->order
         && a->scope == b->scope && a->flags == b->flags && a->is_atomic == b->is_atomic
         && a->words == b->words && a->is_ghost == b->is_ghost && a->failed_rmw == b->failed_rmw
         && a->no_result == b->no_result && a->is_unless == b->is_unless
         && a->rmw_half == b->rmw_half && g_strcmp0 (a->barrier, b->barrier) == 0
         && a->barrier_count == b->barrier_count && a->tags == b->tags && a->reach == b->reach
         && a->virtual_location == b->virtual_location && a->barrier_name == b->barrier_name
         && a->barrier_quorum == b->barrier_quorum && a->barrier_arrives == b->barrier_arrives
         && a->barrier_waits == b->barrier_waits && a->barrier_passes == b->barrier_passes
         && a->meeting == b->meeting;
}

/* Does a read return any value, not that of the write that it reads from? */
static inline gboolean rsp_event_reads_any (const RspEvent *event) {
  return (event->tags & RSP_TAG_BIT (ANYVALUE)) != 0;
}

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
  RSP_PATH_BLOCKED,   /* ends at a barrier, where it waits for ever; see loops.c */
  RSP_PATH_STOPPED,   /* ends anywhere, as the thread is not run any more; see loops.c */
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
  gboolean end_any;        /* FAILED: does that address depend on unknown arguments? */
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

/* TRUE if it depends on unknown values, apart from the implementation's choices. */
gboolean rsp_path_is_guessed (const RspPath *path);

/* Appends the reads (guint, by number) whose values a path of the thread uses, some perhaps more
 * than once. */
void rsp_path_add_used (const RspProgram *program, guint thread, const RspPath *path,
                        GArray *reads);

/* Barriers that differ from the default, as bits: those of one event, and wide ones. */
typedef enum RspBarrierRule {
  RSP_BARRIERS_ALL_THREADS
  = 1, /* without a quorum: they wait for all threads of the group that have not ended */
  RSP_BARRIERS_PHASES
  = 2,                  /* with one: so many threads complete a phase, and the next begin another */
  RSP_BARRIERS_WIDE = 4 /* a wide barrier joins its scope, not only its work-group */
} RspBarrierRule;

typedef struct RspPathOptions {
  guint unroll;        /* rounds per loop */
  gboolean unroll_all; /* as RspCheckOptions' */
  /* Omit rounds that only wait (they change nothing: see loops.c). The result has the paths without
   * such rounds, and paths with some (n_waits > 0), for which `unroll` allows that many more. */
  gboolean spin_last;
  /* Instead: omit rounds without an effect on registers and memory (they read, and write back what
   * they read), and add paths that end (STUCK) in rounds that may repeat for ever: each register is
   * at their end what it was at their beginning, as a constraint. */
  gboolean cycles;
  gboolean cas_writeback; /* a failing compare-exchange writes *expected */
  gboolean single;        /* only a single path is of use; its relations are left empty */
  guint barriers;         /* bits of RspBarrierRule */
  RspBudget *budget;      /* NULL: no limits */
} RspPathOptions;

/* All paths of a thread, in a fixed order (source order of branches, the taken branch first). Each
 * access has one location: an address that depends on values read makes one path per possible
 * location, with that as a constraint. Paths that no values can take (constraints that are constant
 * zero) are left out. Everything lives in arena. FALSE, with a diagnostic, if there are too many
 * paths or events (internal.h has the limits, which the message names); FALSE, silently, if the
 * budget is exhausted. */
gboolean rsp_paths_enumerate (const RspProgram *program, guint thread,
                              const RspPathOptions *options, RspTerms *terms, RspArena *arena,
                              GPtrArray *paths, RspDiagnostics *diagnostics);

/* ---- Phases --------------------------------------------------------------------------------- */

/* What plain reads return between barriers, where that is the same in all executions. */
typedef struct RspPhases RspPhases;

/* Looks for it, and sets program->phases for all paths that are enumerated later; those that no
 * execution takes are then left out, and conditions that always hold are in none. It is in the
 * program's arena. */
void rsp_phases_find (RspProgram *program, const RspPathOptions *options, RspPhasesEnd end);

/* Do paths end so that have been enumerated since then? What races before is not proved: where
 * atomic operations order it, nothing may. */
gboolean rsp_phases_are_cut (const RspProgram *program);

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

/* ---- Feasible ------------------------------------------------------------------------------- */

/* Shared by the files behind RspFeasibility: paths taken apart, and sets of values. */

enum {
  RSP_MAX_VALUES = 128,        /* values of a location or read; a larger set becomes "any" */
  RSP_MAX_COMBINATIONS = 4096, /* combinations of values of several reads that are tried */
  RSP_MAX_TRIES = 4096         /* steps of the search for values that satisfy a path */
};

typedef struct RspValueSet {
  gboolean any;     /* any number */
  gboolean unknown; /* also undetermined values */
  guint n, room;
  gint64 *values;
  guint n_visible; /* of a location: number of values from earlier rounds, which reads see */
} RspValueSet;

typedef struct RspConditionFacts {
  const RspTerm *term;
  guint *reads;
  guint n_reads;
} RspConditionFacts;

typedef struct RspReadFacts {
  guint event, location;
  guint n_seen;                      /* number of the location's values examined so far */
  gboolean saw_any;                  /* was the location's set "any" when examined? */
  RspValueSet set;                   /* values that satisfy the conditions on this read alone */
  const RspConditionFacts **related; /* conditions on this read and others */
  guint n_related;
} RspReadFacts;

typedef struct RspWriteFacts {
  guint location;
  const RspTerm *term;
  guint *reads; /* numbers in RspPathFacts.reads */
  guint n_reads;
  gboolean recursive; /* is some read in the component of the location? */
  guint n_done;       /* values of the one read, or combinations, evaluated so far */
  gboolean did_unknown;
} RspWriteFacts;

typedef struct RspPathFacts {
  const RspPath *path;
  RspReadFacts *reads;
  RspWriteFacts *writes; /* by component of the location */
  RspConditionFacts *conditions;
  guint n_reads, n_writes, n_conditions;
  guint *related;    /* reads that conditions relate to others, group by group */
  guint *group_ends; /* per group: one past its last in `related` */
  guint n_groups;
  guint thread;
  guint next_write; /* first of the current component */
} RspPathFacts;

struct RspFeasibility {
  const RspProgram *program;
  RspArena *arena;
  GPtrArray **facts;  /* per thread: of RspPathFacts, as in paths */
  GPtrArray **active; /* per thread: the paths that may be chosen */
  RspValueSet *sets;  /* per location */
  guint *component;   /* per location: locations whose values depend on each other have one number,
                         and values only depend on components of the same or a lower number */
  guint n_components;
  GPtrArray **writers; /* per component: of active RspPathFacts with writes to it, by thread; while
                          values are sought */
  guint **locations;   /* per component: its locations */
  guint *n_locations;
  /* Of GPtrArray **: the active paths before each choice; NULL: it changed nothing. */
  GPtrArray *choices;
  guint8 *circles;  /* per location: may hold an undetermined value of a circle */
  RspValue *values; /* scratch: per event of a path */
  gboolean *known;  /* the same; all FALSE if not in use */
  gboolean changed;
  RspBudget *budget; /* NULL: no limits */
  gboolean feasible; /* with nothing chosen */
};

/* Is the budget exhausted? Results are incomplete then. */
static inline gboolean feasibility_is_exhausted (const RspFeasibility *f) {
  rsp_budget_limit_part (f->budget, rsp_arena_size (f->arena));
  return rsp_budget_is_exhausted (f->budget);
}

/* Removes from each thread's paths (paths[thread]: of RspPath) those whose constraints no values
 * satisfy, given everything that any remaining path of any thread may write to each location (and
 * its initial value); a fixpoint over finite value sets, widened to "anything" past a limit. If the
 * budget (NULL: no limits) is exhausted, the remaining paths are kept. */
void rsp_paths_prune (const RspProgram *program, GPtrArray **paths, RspBudget *budget);

/* TRUE if any of the paths (RspPath) comes to a barrier. */
gboolean rsp_paths_meet (const GPtrArray *paths);

RspFeasibility *rsp_feasibility_new (const RspProgram *program, GPtrArray *const *paths,
                                     RspBudget *budget);

/* The same for the paths that the analysis was made for. TRUE if some were removed; the analysis no
 * longer applies to the rest. */
gboolean rsp_feasibility_prune (const RspFeasibility *feasibility, GPtrArray **paths);
void rsp_feasibility_free (RspFeasibility *feasibility);

/* Chooses a path of a thread in addition to earlier choices. Can there be values for all of them
 * together with some path of each other thread? FALSE is certain, TRUE is not. Either way
 * rsp_feasibility_retract undoes the last choice. */
gboolean rsp_feasibility_choose (RspFeasibility *feasibility, guint thread, const RspPath *path);
void rsp_feasibility_retract (RspFeasibility *feasibility);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspFeasibility, rsp_feasibility_free)

/* ---- Cut ------------------------------------------------------------------------------------ */

/* Parts of paths: without some events, or up to the event at which a thread stops. */

/* The path without its events begin … end - 1; its constraints and final values are those of the
 * whole. */
RspPath *rsp_path_without (const RspPath *path, guint begin, guint end, RspArena *arena);

/* Adds to `cut` the ways in which a thread may get no further on one of its paths: at each barrier
 * that makes it wait (BLOCKED); if it may stop, after each write and each arrival at a barrier, for
 * which others may have waited, and if it may not start, before everything (STOPPED). A read before
 * which a thread could have stopped as well makes no difference to the others. Final values are
 * those of the whole path. */
void rsp_paths_cut (const GPtrArray *paths, gboolean may_not_start, gboolean may_stop,
                    RspArena *arena, GPtrArray *cut);

/* May the thread of a path that has not ended, if it ever goes on, take the other path, which
 * begins alike? Of rounds that repeat, it goes on from their beginning. */
gboolean rsp_path_may_become (const RspPath *path, const RspPath *other, RspTerms *terms);

/* Adds to `paths`, for each one that ends in rounds that may repeat for ever, those that repeat
 * them from any later event on: when one thread is where its rounds begin, another may be in the
 * middle of them. Not for rounds with barriers. */
void rsp_paths_rotate (GPtrArray *paths, RspTerms *terms, RspArena *arena);

/* ---- Names ---------------------------------------------------------------------------------- */

/* Gives each path its names. like: as in RspNames. Lives in arena. */
RspNames *rsp_paths_name_events (const RspProgram *program, const guint *like,
                                 GPtrArray *const *paths, RspArena *arena);
