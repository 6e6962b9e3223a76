#pragma once

#include <glib.h>

#include "extra/machine/machine.h"
#include "parser/map/machine.h"
#include "parser/program.h"

/* ---- The tree of caches --------------------------------------------------------------------- */

/* The caches that a machine has for a test.
 *
 *   MEM                            node 0: global memory
 *   ├── L2 of device 0             level 1
 *   │   ├── L1 of work-group 0     level 0: what loads and stores meet first
 *   │   └── L1 of work-group 1
 *   └── L2 of device 1 …                                                                          */

enum {
  MOST_LEVELS = RSP_MOST_CACHES,
  MEMORY = 0 /* the node of global memory */
};

/* ---- Private part ---- */
typedef struct CacheNode {
  guint level;    /* of the machine; n_levels for memory */
  guint parent;   /* node */
  guint first;    /* a thread below it */
  guint instance; /* number of its sub-group, work-group or device */
  guint device;   /* number; of memory: none */
  char *name;     /* "L1(P0,P1)" */
} CacheNode;

typedef struct Shape {
  const RspMachine *machine;
  const RspProgram *program;
  GArray *nodes; /* of CacheNode, parents before children */
  guint *own;    /* per thread and level: the node */
  guint kept; /* levels that have nodes: an outermost one with a single cache may be merged with MEM
               */
} Shape;

static inline const CacheNode *shape_node (const Shape *shape, guint node) {
  return &g_array_index (shape->nodes, CacheNode, node);
}

/* The thread's node at a level; level n_levels is memory. */
static inline guint shape_own (const Shape *shape, guint thread, guint level) {
  return level < shape->kept ? shape->own[thread * MOST_LEVELS + level] : MEMORY;
}

/* Is node inside the tree below `above`, or the same? */
gboolean shape_is_below (const Shape *shape, guint node, guint above);

/* Is it shared by no more than a work-group? */
gboolean shape_is_inner (const Shape *shape, guint node);
gboolean shape_is_buffer (const Shape *shape, guint node);

/* Is the node a cache that line locks guard? */
gboolean shape_is_guarded (const Shape *shape, guint node);

/* The readings of a node that is not memory. */
static inline const RspReadings *shape_readings (const Shape *shape, guint node) {
  return &shape->machine->levels[shape_node (shape, node)->level].readings;
}

/* ---- States --------------------------------------------------------------------------------- */

/* The state of a machine made of caches.
 *
 * For each location a sequence of *values* is kept, oldest first, and for each cache and location a
 * *line*: a mask of the values that a read there may return. A clean copy may be evicted and
 * fetched again at any time, so its value is chosen only when a thread reads it, from the values
 * that have been one level out since the last invalidation and are not older than one read before
 * (docs/machines.md has the proof for two levels). A dirty line has one value, which is still to be
 * written out; its mask is that bit, or empty if the line is invalid. Without reduction a mask has
 * at most one bit, and fetching and evicting are steps. */

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
  THREAD_LEFT = 2,    /* its path does not count */
  THREAD_PUT = 4,     /* FLU: its markers have been placed */
  THREAD_DONE = 8,    /* the operation has taken effect on memory */
  THREAD_LINE = 16,   /* it holds the line lock of its place */
  THREAD_RMWS = 32,   /* it holds RMW locks */
  THREAD_EVERY = 64,  /* … on every device */
  THREAD_WAITED = 128 /* it has waited at its LOCK, for the bill */
};

/* An access, or a CLEAN, that a thread has issued and that has not taken effect yet (the reading
 * accesses=counted). */
typedef struct Request {
  guint8 kind;  /* RspMapKind */
  guint8 event; /* not of CLEAN */
  guint8 place; /* of CLEAN: its reach */
  guint8 level; /* with THROUGH: the own caches inside it are written too */
} Request;

enum { THROUGH = 0x80 };

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
  guint8 owned; /* is the cache its owner (OWN)? */
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
  RspReadings readings; /* of the machine; those of caches: shape_readings */
  Shape shape;
  guint n_threads, n_places, n_nodes, most_events, capacity;
  gsize block_size;
  guint64 observed; /* places shown in final states */
  guint64 local;    /* places in local memory */
  gboolean demands; /* do some caches fetch on demand only? */
  gboolean lazy;    /* do masks represent future fetches? */
  gboolean reduced;
  gboolean counted;           /* can accesses be outstanding? */
  guint bypassed;             /* levels from inside out that some access bypasses: see Bypass */
  gboolean too_many_values;   /* was a state dropped for lack of space? */
  gboolean counting;          /* bills are requested */
  gboolean tracing;           /* steps will be described: keep values that no thread will read */
  const RspOperation *failed; /* the end of an execution that divides by zero or fails similarly */
  const RspEvent *missing;    /* an operation for which the mapping has no row */
  gboolean truncated;         /* does some execution need more rounds of a loop? */
  RspBill bill;               /* of the step being taken */
  guint charged;              /* the thread that takes the step; MOST_THREADS: a cache does */
  const RspLatencies *latencies;
  GPtrArray *scratch;        /* of State: a stack */
  guint depth;               /* number of states in use */
  RspSuccessors *successors; /* of the current expansion */
  GString *log;              /* of the step being described; else NULL */
  GString *trace;            /* receives the log of successor `traced` */
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

/* Pushes a copy of `from` onto the stack; pop releases it. */
State *caches_push (Caches *m, const State *from);
void caches_pop (Caches *m);
gboolean fifo_has (const Caches *m, const State *s, guint node, guint8 entry);

/* Appends a part to the line of the step, if there is a log. */
void caches_note (Caches *m, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Counts an item in the bill, and lets its cycles pass. */
void caches_charge (Caches *m, const State *s, RspBillItem item);

/* Lets cycles pass for a thread, and for those that wait for a lock that it holds. */
void caches_elapse (Caches *m, const State *s, guint thread, guint32 cycles);

/* ---- Operations of single caches ------------------------------------------------------------ */

/* Adds to each clean copy the values one level out, which it may have fetched. */
void cache_refresh (const Caches *m, State *s);

/* Could the line yet get another value from the levels outside the node? A line lock may keep it
 * away for now. */
gboolean cache_has_newer (const Caches *m, const State *s, guint node, guint place);

/* Is the copy undecided, and could it not be fetched again for now, were it evicted? */
gboolean cache_may_be_gone (const Caches *m, const State *s, guint node, guint place);

/* Writes a new value at a node; it is dirty unless the node is memory. */
void cache_write (Caches *m, State *s, guint node, guint place, gint64 value);

/* Moves an entry of a FIFO, a dirty address, one level out. */
void cache_drain (Caches *m, State *s, guint node, guint i);
void cache_pop (const Caches *m, State *s, guint node, guint i);

/* How many entries of the node's FIFO may be drained next: the head only, or all. */
guint cache_n_drainable (const Caches *m, const State *s, guint node);
/* Invalidates those of the places that the node does not own. */
void cache_invalidate (const Caches *m, State *s, guint node, guint64 places);

/* Would cache_invalidate change anything observable? */
gboolean cache_invalidate_matters (const Caches *m, const State *s, guint node, guint64 places);

/* The node where a read at `node` finds its value: buffers that lack the address pass it on. */
guint cache_reader (const Caches *m, const State *s, guint node, guint place);

/* Records that a read at a node returned value number `value`: older ones cannot be read there
 * again. */
void cache_pick (const Caches *m, State *s, guint node, guint place, guint value);

/* Fetches the line as a load that misses does: from the next outer node, which may have to fetch it
 * first. FALSE if that is impossible now. */
gboolean cache_fetch (Caches *m, State *s, guint node, guint place);

/* Can the clean address at the head of the node's FIFO be removed at once? */
gboolean cache_head_is_settled (Caches *m, const State *s, guint node);

/* ---- The machine ---------------------------------------------------------------------------- */

/* Machines made of caches, running one test: a transition system (RspSystem). */

typedef struct Caches RspCaches;

typedef struct RspCachesOptions {
  const RspMachine *machine;
  const RspMap *map;
  RspThreadsOptions threads;
  gboolean tracing;              /* will steps be described? */
  gboolean counting;             /* do bills also count waiting at locks? */
  const RspLatencies *latencies; /* or NULL: no clocks are kept */
} RspCachesOptions;

/* Does the machine have what the mapping's rows name? If not, an error is reported. */
gboolean rsp_machine_takes (const RspMachine *machine, const RspMap *map,
                            RspDiagnostics *diagnostics);

/* NULL, with a diagnostic, if the machine cannot run the test or lacks the mapping's levels.
 * program and the mapping must outlive it. */
RspCaches *rsp_caches_new (const RspProgram *program, const RspCachesOptions *options,
                           RspDiagnostics *diagnostics);
void rsp_caches_free (RspCaches *caches);
const RspSystem *rsp_caches_system (const RspCaches *caches);

/* Calls visit with the final state (a value per observable) of a state that is RSP_END_FINAL.
 * Usually once; several times if paths of a thread differ in nothing that the machine does. */
typedef void (*RspFinalVisit) (gpointer user, const RspValue *values);

void rsp_caches_finals (RspCaches *caches, RspBytes state, RspFinalVisit visit, gpointer user);

/* What the search has met so far: */
gboolean rsp_caches_is_truncated (const RspCaches *caches);    /* has a loop needed more rounds? */
gboolean rsp_caches_too_many_values (const RspCaches *caches); /* were states dropped? */

/* Reports what stops the run: an operation for which the mapping has no row (FALSE), or an
 * execution that divides by zero or fails similarly (*failure, the caches' text; else NULL). */
gboolean rsp_caches_report (const RspCaches *caches, const char **failure,
                            RspDiagnostics *diagnostics);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspCaches, rsp_caches_free)

/* ---- States as byte strings ----------------------------------------------------------------- */

void caches_encode (Caches *m, State *s, GByteArray *out);
void caches_decode (Caches *m, RspBytes bytes, State *s);

/* ---- Locks ---------------------------------------------------------------------------------- */

/* Locks of lines, held by threads. */

gboolean lock_is_free (const Caches *m, const State *s, guint thread,
                       const RspInstruction *instruction);
void lock_take (const Caches *m, State *s, guint thread, const RspInstruction *instruction);
void lock_release (State *s, guint thread);

/* Does h lock the line in a cache outside its own work-group? */
gboolean lock_is_out (const Caches *m, const State *s, guint h, guint node, guint place);

/* Does a line lock keep this cache from fetching the place? */
gboolean lock_stops_fetch (const Caches *m, const State *s, guint node, guint place);

/* Does one keep this thread from an access at a node outside its work-group? */
gboolean lock_stops_outer (const Caches *m, const State *s, guint thread, guint node, guint place);

/* Does a LOCK rmw keep this thread from an RMW inside its work-group? */
gboolean lock_stops_rmw (const Caches *m, const State *s, guint thread);

/* Does a STALL keep this thread from such operations (bits like RSP_MAP_ACQUIRES) in a cache of
 * this scope? */
gboolean lock_stalls (const Caches *m, const State *s, guint thread, guint operations,
                      RspScope per);
gboolean lock_any_line (const Caches *m, const State *s);
/* Does the thread hold a lock, or stall others? */
gboolean lock_holds_any (const Caches *m, const State *s, guint thread);

/* ---- Accesses ------------------------------------------------------------------------------- */

/* Called with each state to which an access (LD, ST or RMW) may lead, after the instruction. */
typedef void (*Then) (Caches *m, State *s, guint thread);

/* ---- Steps without a choice ----------------------------------------------------------------- */

/* Takes all steps without a choice, then tidies. */
void caches_settle (Caches *m, State *s);

/* ---- Successors ----------------------------------------------------------------------------- */

RspEnd caches_expand (gpointer data, RspBytes bytes, RspSuccessors *successors);

/* ---- Threads -------------------------------------------------------------------------------- */

/* What lies ahead, after the operations that have taken effect. */
const RspOutlook *thread_outlook (Caches *m, const State *s, guint thread);

/* ---- The canonical form --------------------------------------------------------------------- */

/* Makes the state canonical: drops what can no longer matter, and renumbers the values. */
void caches_tidy (Caches *m, State *s);
