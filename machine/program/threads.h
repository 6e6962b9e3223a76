/* The threads of a test as automata that a machine can run.
 *
 * The enumerator gives each thread's control-flow paths. While a machine runs, a thread is at a
 * *point*: the set of its paths that agree with what it has read so far, and the events of these
 * that are done. The paths of a set share the events that are done, so a point determines which
 * operations may come next: one if program order is total; several inside an expression that leaves
 * the order open, or if a weak compare-exchange may fail or not.
 *
 * Sets of paths are numbered, and sets of events are bits of a word, so a point is small. */
#pragma once

#include "enumerator/paths/path.h"

enum {
  RSP_MOST_EVENTS = 64, /* of a thread's path */
  RSP_MOST_PLACES = 64, /* locations that a test uses */
  RSP_NO_EVENT = 0xff
};

typedef struct RspPoint {
  guint32 paths; /* number of a set */
  guint64 done;  /* events */
} RspPoint;

/* What a thread may do next. */
typedef struct RspOperation {
  guint8 event;  /* RSP_NO_EVENT: the paths end */
  guint8 place;  /* number of the location; 0 for fences and barriers */
  guint32 paths; /* the paths that continue with it */
  const RspEvent
      *first;     /* of one of them; of a compare-exchange, one that succeeds if there is one */
  RspPathEnd end; /* if event is RSP_NO_EVENT */
  RspSpan end_span;
  const char *end_message;
} RspOperation;

/* What lies ahead of a point. */
typedef struct RspOutlook {
  guint64 reads;         /* events that are done and whose value may still matter */
  guint64 loads, stores; /* places that operations ahead may read, may write */
  RspOperation *operations;
  guint n_operations;
} RspOutlook;

/* A possible effect of an operation. */
typedef struct RspEffect {
  guint32 paths;
  gboolean writes;
  gint64 written;
} RspEffect;

typedef struct RspThreads {
  const RspProgram *program;
  guint n;                  /* threads */
  guint n_places;           /* locations used by some path or observed */
  guint *locations;         /* per place: index of the location in the program */
  guint *n_events;          /* per thread: of the longest path */
  guint *n_writes;          /* per thread: the largest number of writes of a path */
  struct RspPathSets *sets; /* per thread: see threads.c */
  RspArena *arena;
  RspTerms *terms;
} RspThreads;

typedef struct RspThreadsOptions {
  guint unroll;
  gboolean cas_writeback;
  gboolean wide_barriers;
  RspBudget *budget;
} RspThreadsOptions;

/* NULL, with a diagnostic, if a thread has too many paths or events, or the test too many
 * locations, for a machine. */
RspThreads *rsp_threads_new (const RspProgram *program, const RspThreadsOptions *options,
                             RspDiagnostics *diagnostics);
void rsp_threads_free (RspThreads *threads);

/* The point at which a thread starts. */
RspPoint rsp_threads_start (RspThreads *threads, guint thread);
/* Appends to effects (of RspEffect) the possible effects of `event` for the paths of a set; `got`
 * is the value that it reads, if it reads. values and the bits of known have the values read
 * before; values[event] is overwritten. Appends none if no path agrees with the value read. */
void rsp_threads_effects (RspThreads *threads, guint thread, guint32 paths, guint event,
                          RspValue *values, guint64 known, gint64 got, GArray *effects);
/* An event of the paths of a set that is done or next; of a compare-exchange, one that succeeds if
 * there is one. */
const RspEvent *rsp_threads_event (const RspThreads *threads, guint thread, guint32 paths,
                                   guint event);
/* Is it open, as long as these reads are, which of the paths a thread takes, or what the event
 * writes? */
gboolean rsp_threads_depends (const RspThreads *threads, guint thread, guint32 paths, guint event,
                              guint64 reads);
/* Must the exit half of a barrier wait for this thread, since it may still come to the entry half
 * of the same instance? */
gboolean rsp_threads_awaits (RspThreads *threads, guint thread, RspPoint point,
                             const RspEvent *exit);
/* Calls visit for each event of each path. */
typedef void (*RspEventVisit) (gpointer user, const RspEvent *event);
void rsp_threads_each_event (const RspThreads *threads, RspEventVisit visit, gpointer user);
/* Calls `visit` once per path of the set with the value of a register at the end. */
guint rsp_threads_n_paths (RspThreads *threads, guint thread, guint16 paths);
RspValue rsp_threads_final (RspThreads *threads, guint thread, guint32 paths, guint i, guint reg,
                            const RspValue *values);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspThreads, rsp_threads_free)
