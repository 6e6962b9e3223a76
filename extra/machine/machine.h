#pragma once

#include <glib.h>

#include "base/base.h"
#include "enumerator/paths/paths.h"
#include "parser/map/machine.h"
#include "parser/map/map.h"

/* ---- The bill ------------------------------------------------------------------------------- */

/* Events that hardware pays for. */

typedef enum RspBillItem {
#define RSP_BILL_ITEM(item, name, meaning) RSP_BILL_##item,
#include "extra/machine/bill.def"
#undef RSP_BILL_ITEM
  RSP_N_BILL_ITEMS
} RspBillItem;

enum { RSP_MOST_TIMED = 8 /* work-items that have clocks */ };

typedef struct RspBill {
  guint16 n[RSP_N_BILL_ITEMS];
  guint32 cycles[RSP_MOST_TIMED]; /* that pass for each work-item */
} RspBill;

/* The cycles of each item; the last entry is for any access. */
typedef struct RspLatencies {
  guint32 cycles[RSP_N_BILL_ITEMS + 1];
} RspLatencies;

typedef struct RspBillWord {
  const char *name, *meaning;
} RspBillWord;

extern const RspBillWord rsp_bill_words[RSP_N_BILL_ITEMS];

/* ---- Transition systems --------------------------------------------------------------------- */

/* The interface between a machine and the search.
 *
 * To add a machine: encode its state as a byte string in canonical form (two states that behave
 * alike are one string), write `start` and `expand`, and give the invariants that must hold in
 * every state. The search (rsp_search_run) then finds every end, counts states, observes the
 * limits, and finds the shortest trace to a state; cache_steps.c is the largest example. */

typedef struct RspBytes {
  const guint8 *data;
  gsize size;
} RspBytes;

/* The kinds of states without successors. */
typedef enum RspEnd {
  RSP_END_NONE,  /* it has successors */
  RSP_END_FINAL, /* all threads have finished */
  RSP_END_STUCK, /* some thread has not ended, and no step is possible: a deadlock */
  RSP_END_LEFT   /* the execution does not count: a loop needs more rounds, or the program failed */
} RspEnd;

/* The successors of one state, as a system's `expand` adds them. */
typedef struct RspSuccessors {
  GByteArray *bytes;
  GArray *ends;  /* of gsize: where each successor's bytes end */
  GArray *bills; /* of RspBill: what each step costs */
} RspSuccessors;

typedef struct RspSystem {
  gpointer data;
  /* Appends the initial state; *bill, unless NULL, becomes the bill of the steps that led to it. */
  void (*start) (gpointer data, GByteArray *state, RspBill *bill);
  /* Adds the successors of a state, one per enabled step: all of them, or as many as the system's
   * partial-order reduction finds sufficient for every end. The graph must be acyclic if the system
   * reduces. If there is no successor, adds none and returns the reason. */
  RspEnd (*expand) (gpointer data, RspBytes state, RspSuccessors *successors);
  /* The name of an invariant that the state violates, which lives as long as the system, or NULL.
   * May be NULL itself. */
  const char *(*violated) (gpointer data, RspBytes state);
  /* Appends lines that describe the step from a state to its successor number i. If from.data is
   * NULL: those that lead to the initial state. */
  void (*describe) (gpointer data, RspBytes from, guint i, GString *out);
  /* A number that every step increases, for the bill; NULL: there is none. */
  guint64 (*progress) (gpointer data, RspBytes state);
} RspSystem;

void rsp_successors_init (RspSuccessors *successors);
void rsp_successors_clear (RspSuccessors *successors);

/* Drops all successors, but keeps the memory. */
void rsp_successors_reset (RspSuccessors *successors);

/* Adds the bytes appended to `bytes` since the last call as a successor. bill may be NULL. */
void rsp_successors_add (RspSuccessors *successors, const RspBill *bill);
const RspBill *rsp_successors_bill (const RspSuccessors *successors, guint i);
guint rsp_successors_count (const RspSuccessors *successors);
RspBytes rsp_successors_get (const RspSuccessors *successors, guint i);

/* ---- States met ----------------------------------------------------------------------------- */

/* The states met so far: a hash set of byte strings, each with a number and the state from which it
 * was first reached. Open addressing; the strings are stored one after another in chunks that never
 * move. */

#define RSP_NO_STATE G_MAXUINT32

typedef struct RspStore RspStore;

RspStore *rsp_store_new (void);
void rsp_store_free (RspStore *store);

/* The state's number, from 0 in the order of insertion. *is_new: was it added? */
guint32 rsp_store_add (RspStore *store, RspBytes state, guint32 parent, gboolean *is_new);

/* Valid until the store is freed. */
RspBytes rsp_store_get (const RspStore *store, guint32 number);
guint32 rsp_store_count (const RspStore *store);

/* The size of the store in bytes, including tables. */
gsize rsp_store_size (const RspStore *store);

/* ---- The search ----------------------------------------------------------------------------- */

/* Visits every reachable state of a transition system once. */

typedef struct RspSearchOptions {
  gboolean breadth_first; /* if set, the path to a state is a shortest one; otherwise depth first */
  gboolean to_violation;  /* end at a state that violates an invariant */
  guint64 max_states;     /* 0: no limit */
  RspBudget *budget;      /* time and memory; NULL: no limits */
} RspSearchOptions;

/* Called for each state without a successor. FALSE ends the search. */
typedef gboolean (*RspSearchEnded) (gpointer user, guint32 number, RspBytes state, RspEnd end);

typedef struct RspStateSearch {
  RspStore *store;
  guint64 steps;        /* transitions */
  gboolean limited;     /* did max_states or the budget end it before all states were found? */
  const char *violated; /* an invariant that does not hold in some state; else NULL */
  guint32 where;        /* the first state that violates it */
} RspStateSearch;

/* Explores all states. ended may be NULL. Never NULL. */
RspStateSearch *rsp_search_run (const RspSystem *system, const RspSearchOptions *options,
                                RspSearchEnded ended, gpointer user);
void rsp_search_free (RspStateSearch *search);

/* Appends the steps from the initial state to a state of the search, as the system describes them.
 */
void rsp_search_describe (const RspSystem *system, const RspStateSearch *search, guint32 number,
                          GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspStateSearch, rsp_search_free)

/* ---- Instructions --------------------------------------------------------------------------- */

/* A mapping's rows as a machine executes them: with numbers of levels. */

typedef struct RspInstruction {
  RspMapKind kind;
  guint8 level;  /* from inside out; the number of levels is global memory */
  gboolean bare; /* no level was named */
  RspMapReach reach;
  guint8 locks;
  guint8 lines, when, stalls; /* as in RspMapInstruction */
  RspScope stalled;
  gboolean through;
  guint8 counted;  /* WAIT */
  gboolean joined; /* one step with the next */
} RspInstruction;

typedef struct RspCode {
  RspInstruction *instructions;
  guint n;
  const RspMapRow *row; /* NULL for the two below */
} RspCode;

enum {
  RSP_CODE_DIRECT, /* one access of memory: of local memory, outside the caches */
  RSP_CODE_NONE,   /* no instruction: of fences on local memory only */
  RSP_CODE_FIRST   /* the mapping's first row */
};

typedef struct RspCodes {
  const RspMap *map;
  GArray *codes; /* of RspCode */
  guint n_levels;
  gboolean counted; /* does the machine count outstanding accesses? */
} RspCodes;

/* NULL if the mapping names a level or an instruction that the machine does not have, which is
 * reported in diagnostics. map must outlive the result. */
RspCodes *rsp_codes_new (const RspMap *map, const RspMachine *machine, RspDiagnostics *diagnostics);
void rsp_codes_free (RspCodes *codes);

/* The number of the code of an event, or -1 if the mapping does not have a row for it. */
int rsp_codes_find (const RspCodes *codes, const RspProgram *program, const RspEvent *event);

/* A description of an event, for messages about a missing row. Newly allocated. */
char *rsp_codes_describe (const RspProgram *program, const RspEvent *event);

/* The beginning of a mapping's row for the event: "store rel dev". Newly allocated. */
char *rsp_codes_format_head (const RspProgram *program, const RspEvent *event);

static inline const RspCode *rsp_code (const RspCodes *codes, guint number) {
  return &g_array_index (codes->codes, RspCode, number);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspCodes, rsp_codes_free)

/* ---- Threads as automata -------------------------------------------------------------------- */

/* The threads of a test, as a machine runs them.
 *
 * The enumerator gives each thread's control-flow paths. While a machine runs, a thread is at a
 * *point*: the set of its paths that agree with what it has read so far, and the events of these
 * that are done. The paths of a set share the events that are done, so a point determines which
 * operations may come next: one if program order is total; several inside an expression that leaves
 * the order open, or if a weak compare-exchange may fail or not.
 *
 * Sets of paths are numbered, and sets of events are bits of a word, so a point is small. */

enum {
  RSP_MOST_EVENTS = 64,               /* of a thread's path */
  RSP_MOST_PLACES = 64,               /* locations that a test uses */
  RSP_MOST_INSTRUCTIONS = G_MAXUINT8, /* of a row */
  RSP_NO_EVENT = 0xff
};

typedef struct RspPoint {
  guint32 paths; /* number of a set */
  guint64 done;  /* events */
} RspPoint;

/* A possible next operation of a thread. */
typedef struct RspOperation {
  guint8 event;          /* RSP_NO_EVENT: the paths end */
  guint8 place;          /* number of the location; 0 for fences and barriers */
  guint32 paths;         /* the paths that continue with it */
  const RspEvent *first; /* its event on one of them; of a compare-exchange, one that succeeds if
                            there is one */
  RspPathEnd end;        /* if event is RSP_NO_EVENT */
  RspSpan end_span;
  const char *end_message;
} RspOperation;

/* What lies ahead of a point. */
typedef struct RspOutlook {
  guint64 reads;         /* done events whose values may still matter */
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
  struct RspPathSets *sets; /* per thread */
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

/* An event of a set's paths that is done or next; of a compare-exchange, one that succeeds if there
 * is one. */
const RspEvent *rsp_threads_event (const RspThreads *threads, guint thread, guint32 paths,
                                   guint event);

/* Does the path that the thread takes, or what the event writes, depend on these reads? */
gboolean rsp_threads_depends (const RspThreads *threads, guint thread, guint32 paths, guint event,
                              guint64 reads);

/* Must the exit half of a barrier wait for this thread, which has yet to come to the entry half of
 * the same instance? */
gboolean rsp_threads_awaits (RspThreads *threads, guint thread, RspPoint point,
                             const RspEvent *exit);

/* Calls visit for each event of each path. */
typedef void (*RspEventVisit) (gpointer user, const RspEvent *event);

void rsp_threads_each_event (const RspThreads *threads, RspEventVisit visit, gpointer user);

/* The number of paths of a set, and the value of a register at the end of its i-th path. */
guint rsp_threads_n_paths (RspThreads *threads, guint thread, guint16 paths);
RspValue rsp_threads_final (RspThreads *threads, guint thread, guint32 paths, guint i, guint reg,
                            const RspValue *values);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspThreads, rsp_threads_free)
