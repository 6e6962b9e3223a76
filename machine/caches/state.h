/* The state of a machine made of caches, and what its parts share. Private to machine/caches.
 *
 * For each location a sequence of *values* is kept, oldest first, and for each cache and location a
 * *line*: a mask of the values that a read there may return. A copy that is clean may be evicted
 * and fetched again at any time, so what it holds is decided only when somebody reads: any value
 * that was one level out since the last invalidation, and none older than what was read before
 * (Reduction, spec of the machines; the proof for two levels is in docs/machines.md). A dirty line
 * has one value, which is not written out yet; its mask has that bit, or none where the line is
 * invalid. Without reduction a mask has at most one bit, and fetching and evicting are steps. */
#ifndef RSP_MACHINE_CACHES_STATE_H
#define RSP_MACHINE_CACHES_STATE_H

#include "machine/caches/shape.h"
#include "machine/framework/bill.h"
#include "machine/framework/system.h"
#include "machine/mapping/code.h"
#include "machine/program/threads.h"

enum
{
  MOST_VALUES = 32, /* of a location at one time */
  SPARE_VALUES = 4, /* that one step may add */
  MARKER = 0x80,    /* FIFO entries: MARKER | thread, or a place */
  MOST_THREADS = 64
};

/* Flags of a thread. */
enum
{
  THREAD_FINISHED = 1,
  THREAD_LEFT = 2,    /* on a path that is left out */
  THREAD_PUT = 4,     /* FLU: its markers are put */
  THREAD_DONE = 8,    /* the operation has taken effect on memory */
  THREAD_LINE = 16,   /* holds the line lock of its place */
  THREAD_RMWS = 32,   /* holds RMW locks */
  THREAD_EVERY = 64,  /* … on every device */
  THREAD_WAITED = 128 /* it has waited at its LOCK: for the bill */
};

typedef struct Thread
{
  guint64 done; /* events */
  guint32 paths;
  guint16 code;
  guint8 event; /* RSP_NO_EVENT between operations */
  guint8 place;
  guint8 at; /* instruction */
  guint8 flags;
} Thread;

typedef struct Line
{
  guint32 mask;
  guint8 dirty; /* number of the value to be written out, + 1; 0: clean */
} Line;

typedef struct State
{
  gpointer block; /* all of the below; a state is copied by copying it */
  Thread *threads;
  gint64 *reads;    /* per thread and event: what it read */
  Line *lines;      /* per node and place */
  gint64 *values;   /* per place: MOST_VALUES */
  guint8 *n_values; /* per place */
  guint8 *fifos;    /* per node: capacity entries */
  guint16 *n_fifos; /* per node */
} State;

typedef struct Caches
{
  const RspProgram *program;
  RspThreads *threads;
  const RspCodes *codes;
  RspReadings readings;
  Shape shape;
  guint n_threads, n_places, n_nodes, most_events, capacity;
  gsize block_size;
  guint64 observed; /* places that final states show */
  guint64 local;    /* places in local memory */
  gboolean lazy;    /* masks represent fetches to come */
  gboolean reduced;
  guint bypassed;             /* levels from inside out that some access passes by: see bypass.c */
  gboolean too_many_values;   /* some state was left out for want of room */
  gboolean counting;          /* bills are requested */
  gboolean tracing;           /* steps will be described: values are kept even if no thread will
                                 read them */
  const RspOperation *failed; /* the program divides by zero or similar on some execution */
  const RspEvent *missing;    /* an operation that the mapping has no row for */
  gboolean truncated;         /* some execution needs more rounds of a loop */
  RspBill bill;               /* of the step being taken */
  GPtrArray *scratch;         /* of State: a stack */
  guint depth;                /* of it in use */
  RspSuccessors *successors;  /* of the expansion under way */
  GString *log;               /* of the step that is described; else NULL */
  GString *trace;             /* where the log of successor `traced` goes */
  guint traced;
  RspSystem system;
} Caches;

static inline guint64
place_bit (guint place)
{
  return G_GUINT64_CONSTANT (1) << place;
}

static inline const char *
place_name (const Caches *m, guint place)
{
  return m->program->locations[m->threads->locations[place]].name;
}

static inline Line *
line_at (const Caches *m, const State *s, guint node, guint place)
{
  return &s->lines[node * m->n_places + place];
}

static inline guint8 *
fifo_of (const Caches *m, const State *s, guint node)
{
  return s->fifos + (gsize) node * m->capacity;
}

static inline gint64 *
values_of (const State *s, guint place)
{
  return s->values + (gsize) place * MOST_VALUES;
}

static inline gint64 *
reads_of_thread (const Caches *m, const State *s, guint thread)
{
  return s->reads + (gsize) thread * m->most_events;
}

void caches_measure (Caches *m);
State *caches_new (const Caches *m);
void caches_free (gpointer state);
void caches_copy (const Caches *m, State *to, const State *from);
void caches_start (Caches *m, State *s);
/* A state on top of the stack, a copy of `from`; pop gives it back. */
State *caches_push (Caches *m, const State *from);
void caches_pop (Caches *m);

#endif
