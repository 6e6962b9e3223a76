/* The state of a machine made of caches, and what its parts have in common. Private to
 * machine/caches.
 *
 * For each location a sequence of *values* is kept, oldest first, and for each cache and location a
 * *line*: a mask of the values that a read there may return. A clean copy may be evicted and
 * fetched again at any time, so its value is decided only when a thread reads it: any value that
 * has been one level out since the last invalidation, but none older than what has been read before
 * (the proof for two levels is in docs/machines.md). A dirty line has one value, which has not been
 * written out yet; its mask has that bit, or none if the line is invalid. Without reduction a mask
 * has at most one bit, and fetching and evicting are steps. */
#pragma once

#include "machine/caches/shape.h"
#include "machine/framework/bill.h"
#include "machine/framework/system.h"
#include "machine/mapping/code.h"
#include "machine/program/threads.h"

enum {
  MOST_VALUES = 32, /* values of a location at one time */
  SPARE_VALUES = 4, /* values that one step may add */
  MARKER = 0x80,    /* FIFO entries: MARKER | thread, or a place */
  MOST_THREADS = 64,
  MOST_REQUESTS = 8 /* outstanding ones of a thread */
};

/* Flags of a thread. */
enum {
  THREAD_FINISHED = 1,
  THREAD_LEFT = 2,    /* it is on a path that is left out */
  THREAD_PUT = 4,     /* FLU: its markers have been placed */
  THREAD_DONE = 8,    /* the operation has taken effect on memory */
  THREAD_LINE = 16,   /* it holds the line lock of its place */
  THREAD_RMWS = 32,   /* it holds RMW locks */
  THREAD_EVERY = 64,  /* … on every device */
  THREAD_WAITED = 128 /* it has waited at its LOCK: for the bill */
};

/* An access that a thread has issued and that has not taken effect, or a CLEAN (the reading
 * accesses=counted). */
typedef struct Request {
  guint8 kind;  /* RspMapKind */
  guint8 event; /* not of CLEAN */
  guint8 place; /* of CLEAN: its reach */
  guint8 level;
} Request;

typedef struct Thread {
  guint64 done; /* events */
  guint32 paths;
  guint16 code;
  guint8 event; /* RSP_NO_EVENT between operations */
  guint8 place;
  guint8 at; /* instruction */
  guint8 flags;
  guint8 n_requests;
  Request requests[MOST_REQUESTS]; /* in the order in which they were issued */
} Thread;

typedef struct Line {
  guint32 mask;
  guint8 dirty; /* number of the value to be written out, + 1; 0: clean */
} Line;

typedef struct State {
  gpointer block; /* holds all of the following; copying it copies the state */
  Thread *threads;
  gint64 *reads;    /* per thread and event: what it read */
  Line *lines;      /* per node and place */
  gint64 *values;   /* per place: MOST_VALUES */
  guint8 *n_values; /* per place */
  guint8 *fifos;    /* per node: capacity entries */
  guint16 *n_fifos; /* per node */
} State;

typedef struct Caches {
  const RspProgram *program;
  RspThreads *threads;
  const RspCodes *codes;
  RspReadings readings;
  Shape shape;
  guint n_threads, n_places, n_nodes, most_events, capacity;
  gsize block_size;
  guint64 observed; /* places shown in final states */
  guint64 local;    /* places in local memory */
  gboolean lazy;    /* do masks represent future fetches? */
  gboolean reduced;
  gboolean counted;           /* can accesses be outstanding? */
  guint bypassed;             /* levels from inside out that some access bypasses: see bypass.c */
  gboolean too_many_values;   /* has a state been left out for lack of space? */
  gboolean counting;          /* bills are requested */
  gboolean tracing;           /* will steps be described? Then values are kept even if no thread
                               * will read them */
  const RspOperation *failed; /* an execution on which the program divides by zero or fails
                               * similarly */
  const RspEvent *missing;    /* an operation for which the mapping has no row */
  gboolean truncated;         /* does some execution need more rounds of a loop? */
  RspBill bill;               /* of the step being taken */
  GPtrArray *scratch;         /* of State: a stack */
  guint depth;                /* number of states in use */
  RspSuccessors *successors;  /* of the current expansion */
  GString *log;               /* of the step being described; else NULL */
  GString *trace;             /* receives the log of successor `traced` */
  guint traced;
  RspSystem system;
} Caches;

static inline guint64 place_bit (guint place) { return G_GUINT64_CONSTANT (1) << place; }

static inline gboolean is_local (const Caches *m, guint place) {
  return (m->local & place_bit (place)) != 0;
}

static inline const char *place_name (const Caches *m, guint place) {
  return m->program->locations[m->threads->locations[place]].name;
}

static inline Line *line_at (const Caches *m, const State *s, guint node, guint place) {
  return &s->lines[node * m->n_places + place];
}

static inline guint8 *fifo_of (const Caches *m, const State *s, guint node) {
  return s->fifos + (gsize) node * m->capacity;
}

static inline gint64 *values_of (const State *s, guint place) {
  return s->values + (gsize) place * MOST_VALUES;
}

static inline gint64 *reads_of_thread (const Caches *m, const State *s, guint thread) {
  return s->reads + (gsize) thread * m->most_events;
}

void caches_measure (Caches *m);
State *caches_new (const Caches *m);
void caches_free (gpointer state);
void caches_start (Caches *m, State *s);
/* Pushes a copy of `from` onto the stack; pop releases it. */
State *caches_push (Caches *m, const State *from);
void caches_pop (Caches *m);

gboolean fifo_has (const Caches *m, const State *s, guint node, guint8 entry);
/* Appends a part to the step's line. Does nothing without a log. */
void caches_note (Caches *m, const char *format, ...) G_GNUC_PRINTF (2, 3);
