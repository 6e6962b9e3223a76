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
#include "machine/cost/bill.h"
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
  gboolean lazy;    /* masks stand for fetches to come */
  gboolean reduced;
  guint bypassed;             /* levels from inside out that some access passes by: see bypass.c */
  gboolean too_many_values;   /* some state was left out for want of room */
  gboolean counting;          /* bills are requested */
  gboolean tracing;           /* steps will be described: values stay even if nobody reads them */
  const RspOperation *failed; /* the program divides by zero or the like on some execution */
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

/* ---- state.c ---- */
void caches_measure (Caches *m);
State *caches_new (const Caches *m);
void caches_free (gpointer state);
void caches_copy (const Caches *m, State *to, const State *from);
void caches_start (Caches *m, State *s);
/* A state on top of the stack, a copy of `from`; pop gives it back. */
State *caches_push (Caches *m, const State *from);
void caches_pop (Caches *m);

/* ---- bypass.c ---- */
/* How many levels, from inside out, some access of the program passes by: it acts further out, and
 * neither waits for what is dirty there nor makes copies invalid. */
guint caches_bypassed (const Caches *m);

/* ---- codec.c: byte strings ---- */
void caches_encode (Caches *m, State *s, GByteArray *out);
void caches_decode (Caches *m, RspBytes bytes, State *s);

/* ---- tidy.c: the canonical form ---- */
/* Forgets what cannot matter any more and numbers the values anew. */
void caches_tidy (Caches *m, State *s);

/* ---- cache.c: what single caches do ---- */
/* Lets each clean copy hold what is one level out: fetches that may have happened. */
void cache_refresh (const Caches *m, State *s);
/* A new value at a node, dirty unless that is memory. */
void cache_write (Caches *m, State *s, guint node, guint place, gint64 value);
/* The head of a FIFO, an address, goes one level out. */
void cache_drain (Caches *m, State *s, guint node);
void cache_pop (const Caches *m, State *s, guint node);
void cache_invalidate (const Caches *m, State *s, guint node);
/* Would cache_invalidate change anything that somebody can see? */
gboolean cache_invalidate_matters (const Caches *m, const State *s, guint node);
/* The node where a read at `node` finds its value: buffers without the address pass it on. */
guint cache_reader (const Caches *m, const State *s, guint node, guint place);
/* A read at a node returned value number `value`: none older will be read there again. */
void cache_pick (const Caches *m, State *s, guint node, guint place, guint value);
/* The node fetches the line from the one outside it, and that from the next, if need be: what a load
 * that misses does. FALSE when it cannot now. */
gboolean cache_fetch (Caches *m, State *s, guint node, guint place);
/* May the address at the head of the node's FIFO, clean, go before something else happens? */
gboolean cache_head_is_settled (Caches *m, const State *s, guint node);
gboolean fifo_has (const Caches *m, const State *s, guint node, guint8 entry);

/* ---- lock.c ---- */
gboolean lock_is_free (const Caches *m, const State *s, guint thread,
                       const RspInstruction *instruction);
void lock_take (const Caches *m, State *s, guint thread, const RspInstruction *instruction);
void lock_release (State *s, guint thread);
/* Does a line lock keep this cache from fetching the place? */
gboolean lock_stops_fetch (const Caches *m, const State *s, guint node, guint place);
gboolean lock_stops_drain (Caches *m, const State *s, guint node, guint place);
/* … this thread from an access at a node outside its work-group? */
gboolean lock_stops_outer (const Caches *m, const State *s, guint thread, guint node, guint place);
/* … from an RMW inside its work-group? */
gboolean lock_stops_rmw (const Caches *m, const State *s, guint thread);
gboolean lock_any_line (const Caches *m, const State *s);

/* ---- thread.c: what threads do by themselves ---- */
const RspInstruction *thread_instruction (const Caches *m, const State *s, guint thread);
const RspOutlook *thread_outlook (Caches *m, const State *s, guint thread);
const RspEvent *thread_event (Caches *m, const State *s, guint thread);
/* May the thread go on with this operation now? */
gboolean thread_can_begin (Caches *m, const State *s, guint thread, const RspOperation *operation);
void thread_begin (Caches *m, State *s, guint thread, const RspOperation *operation);
gboolean thread_has_markers (const Caches *m, const State *s, guint thread);
/* The instruction is done. */
void thread_next (State *s, guint thread);

/* ---- move.c: FLU and INV ---- */
/* Calls for each node that the instruction means, until one call gives FALSE. */
typedef gboolean (*NodeVisit) (Caches *m, State *s, guint node, guint thread);
gboolean move_each (Caches *m, State *s, guint thread, const RspInstruction *instruction,
                    NodeVisit visit);
void move_flush (Caches *m, State *s, guint thread, const RspInstruction *instruction);
void move_invalidate (Caches *m, State *s, guint thread, const RspInstruction *instruction);
gboolean move_invalidate_matters (Caches *m, State *s, guint thread,
                                  const RspInstruction *instruction);

/* ---- access.c: LD, ST, RMW ---- */
/* Calls `then` with each state that the access may lead to, the instruction done. */
typedef void (*Then) (Caches *m, State *s, guint thread);
void access_expand (Caches *m, const State *s, guint thread, Then then);
/* Is it a load whose value nothing can change any more, so that it may as well come first? */
gboolean access_is_settled (Caches *m, const State *s, guint thread);
/* Does it wait for others' dirty copies of its line? */
gboolean access_waits (Caches *m, const State *s, guint thread);

/* ---- settle.c ---- */
/* Takes all steps that need no choice, then tidies. */
void caches_settle (Caches *m, State *s);

/* ---- step.c ---- */
RspEnd caches_expand (gpointer data, RspBytes bytes, RspSuccessors *successors);

/* ---- invariant.c ---- */
const char *caches_violated (gpointer data, RspBytes bytes);

/* ---- describe.c ---- */
/* One more part of the step's line. Does nothing without a log. */
void caches_note (Caches *m, const State *s, const char *format, ...) G_GNUC_PRINTF (3, 4);
void caches_describe (gpointer data, RspBytes from, guint i, GString *out);

#endif
