#pragma once

#include "base/base.h"
#include "enumerator/bounded/bounded.h"

/* ---- Branch --------------------------------------------------------------------------------- */

/* The next decision. The alternatives of a choice are disjoint and cover all cases. */
typedef enum ChoiceKind {
  CHOICE_NONE,  /* everything is decided */
  CHOICE_READ,  /* event reads from each of the set in turn */
  CHOICE_SPLIT, /* event reads from `other`, or does not */
  CHOICE_NEXT,  /* each of the set in turn comes before all others of `rest` in a leaf's order */
  CHOICE_PAIR   /* in a leaf's partial order event `read` comes before `other`, or does not */
} ChoiceKind;

typedef struct Choice {
  ChoiceKind kind;
  guint read;    /* CHOICE_READ, CHOICE_SPLIT: the read; CHOICE_PAIR: the first of the pair */
  guint other;   /* CHOICE_SPLIT: the write; CHOICE_PAIR: the second of the pair */
  guint leaf;    /* CHOICE_NEXT, CHOICE_PAIR */
  guint64 *set;  /* the alternatives */
  guint64 *rest; /* CHOICE_NEXT: the elements still to be ordered, alternatives included */
} Choice;

/* ---- Count ---------------------------------------------------------------------------------- */

/* All axioms are settled and all reads decided: adds the completions of co and the chosen orders to
 * results. FALSE, with nothing added, if an order has too many undecided elements, or too many
 * completions are of different kinds. */
gboolean count_completions (Searcher *s, const Observed *observed, gboolean undefined,
                            RspResults *results);

/* Everything is decided, but of a partial coherence several writes may be maximal: adds one
 * execution for each choice of the final writes of the locations that are open. */
void count_final_writes (Searcher *s, const Observed *observed, gboolean undefined,
                         RspResults *results);

/* ---- Count partial -------------------------------------------------------------------------- */

enum {
  COUNT_PARTIAL_ELEMENTS = 10 /* the most elements that can be counted */
};

/* Strict partial orders of n elements: those that include `least`, are included in `most` and
 * relate each pair of `related` (symmetric). Row i has the elements after i, as bits. */
typedef struct PartialOrders {
  guint n;
  guint16 least[COUNT_PARTIAL_ELEMENTS], most[COUNT_PARTIAL_ELEMENTS],
      related[COUNT_PARTIAL_ELEMENTS];
} PartialOrders;

/* The number of these orders. FALSE if there are too many kinds of them to count, or if the budget
 * is exhausted. */
gboolean count_partial (const PartialOrders *orders, RspBudget *budget, RspCount *count);

/* ---- Decide --------------------------------------------------------------------------------- */

/* Decides that a comes before b in co or a chosen order, and so everything before a before
 * everything after b. FALSE if that is excluded. */
gboolean decide_order (Searcher *s, guint leaf, guint a, guint b);

/* Decides that a does not come before b: in a total order, or if they must be related, that b comes
 * before a. FALSE if that is excluded. */
gboolean exclude_order (Searcher *s, guint leaf, guint a, guint b);

/* Decides that the read reads from this write. FALSE if that is excluded. */
gboolean decide_source (Searcher *s, guint write, guint read);

/* ---- Flags ---------------------------------------------------------------------------------- */

/* Flags are bits: those of the model by number, and two more. */
enum { FLAG_THIN_AIR = 31, FLAG_ASSERTION = 30, MAX_FLAGS = 30 };

/* Raises the flags of executions that have been found. */
void flags_raise (Searcher *s, guint32 flags);

/* ---- Propagate ------------------------------------------------------------------------------ */

/* At the root: initial writes come first in co; initial values, constants, constraints on single
 * reads. FALSE: no completion. */
gboolean propagate_begin (Searcher *s);

/* Draws all conclusions from the decisions, to a fixpoint. FALSE: no completion. */
gboolean propagate (Searcher *s);

/* ---- Account -------------------------------------------------------------------------------- */

/* Reasons to prune a branch besides the axioms: numbered after these. */
enum { PRUNED_BY_VALUES, PRUNED_BY_FORCED, N_PRUNED_BY };

void account_open (Searcher *s);

/* Counts a pruned branch. why: an axiom's index, or the number of axioms plus PRUNED_BY_…. */
void account_pruned (Searcher *s, guint why);

/* Counts forced pairs for the axioms that forced them, if that is requested. */
void account_forced (Searcher *s);

/* Adds the counts of another searcher. */
void rsp_account_add (Searcher *to, const Searcher *from);

/* At the end: adds all to the search's prunings. */
void account_report (const Searcher *s);

/* ---- Journal -------------------------------------------------------------------------------- */

/* The journal of a search (-v -v): the decision of each node, the pairs that axioms force, and why
 * branches end, in the manner of Kissat's LOG. Events are e0, e1, …; a line begins with the number
 * of decisions above it. Written by searcher 0 alone, and only if it is requested:
 *
 *   JOURNAL (s, pruned, why)     journal_pruned (s, why), if there is a journal */

#define JOURNAL(s, entry, ...)                                                                     \
  do                                                                                               \
    if (G_UNLIKELY ((s)->journal))                                                                 \
      journal_##entry ((s), __VA_ARGS__);                                                          \
  while (0)

/* The search of one staged model of a combination begins: lists its events. */
void journal_begin (Searcher *s, guint n_events);

/* One alternative of a choice is taken. */
void journal_decision (Searcher *s, const Choice *choice, guint alternative);

/* A node with its results: found in the memo (known), or counted. */
void journal_results (Searcher *s, gboolean known, const RspResults *results);

/* ---- Crew ----------------------------------------------------------------------------------- */

/* The whole search of a searcher, which may end early. */
typedef RspResults *(*CrewSearch) (Searcher *s, Observed *observed);

/* Threads that help searcher 0. NULL if there can be none. */
Crew *crew_new (Searcher *s, CrewSearch explore);
void crew_free (Crew *crew);

/* To be called at each node: starts the helpers once the search is large. */
void crew_call (Crew *crew);

/* Ends their work. Returns the results (taken) of searcher 0 if they are complete, else those of
 * the helper that has complete ones. */
RspResults *crew_end (Crew *crew, RspResults *results);

/* ---- Key ------------------------------------------------------------------------------------ */

void key_open (Searcher *s);

/* The key of a node's residual problem. undefined: every completion is known to break a
 * requirement. */
RspHash key_of_node (Searcher *s, const Observed *observed, gboolean undefined);

/* ---- Naming --------------------------------------------------------------------------------- */

/* Names of events in keys if other pre-executions share the memo. */
struct Naming {
  const RspNames *names;
  guint words;      /* of a row of names */
  guint64 family;   /* common to combinations that share entries */
  gboolean renames; /* may threads that run the same code take each other's names? */
  guint *block;     /* per thread: the thread whose names its events have at this node */
  guint *event;     /* per event: its name at this node */
  guint64 *rank;    /* scratch: per thread */
};

/* Call after searcher_open. FALSE if the model does not allow names. */
gboolean naming_open (Searcher *s, const RspNames *names);

/* ---- Twins ---------------------------------------------------------------------------------- */

/* Twins are alternatives that differ only in the names of exchangeable threads. Finds, for each
 * alternative, its first twin in the choice's set, or itself if it has no earlier one. The result
 * is the same for every searcher, whatever its order. twin: per event. */
void twins_find (const Searcher *s, const Choice *choice, guint *twin);

/* ---- Constraints ---------------------------------------------------------------------------- */

/* A path constraint with the reads it mentions (events of the pre-execution). */
typedef struct Constraint {
  const RspTerm *term;
  guint thread;
  guint n_reads;
  guint *reads;
} Constraint;

struct Constraints {
  guint n;
  Constraint *all;
};

void constraints_open (Searcher *s);

/* Is the value of a read that it mentions unknown? */
gboolean rsp_constraint_is_open (const Searcher *s, const Constraint *constraint);

/* FALSE if a constraint fails. Removes candidates that would make one fail, and then sets
 * *changed. */
gboolean constraints_check (Searcher *s, gboolean *changed);

/* ---- Deliver -------------------------------------------------------------------------------- */

/* Records a node's results as states of the program. undefined, flags: known of all of them. */
void deliver (Searcher *s, const Observed *observed, const RspResults *results, gboolean undefined,
              guint32 flags);

/* ---- Demand --------------------------------------------------------------------------------- */

/* The values that matter at a node. */
struct Demanded {
  guint8 *events;  /* two per event: what it reads, what it writes */
  gboolean whole;  /* everything is in demand */
  guint8 *visited; /* scratch: per event */
};

/* After the root has been propagated: makes s->demand if there is something to gain. */
void demand_open (Searcher *s);

/* Finds which values matter at this node. */
void rsp_demand_find (Searcher *s, const Observed *observed);

/* Among the open reads whose values, computed by some thread, determine an open observable through
 * decided reads: the one with the fewest candidates, or G_MAXUINT. */
guint demand_next_read (Searcher *s, const Observed *observed);

/* TRUE if all values matter because some may justify each other in a cycle. */
static inline gboolean demand_is_whole (const Searcher *s) { return s->demand && s->demand->whole; }

/* TRUE if the value that the event reads, or writes, matters. */
static inline gboolean demand_has_read (const Searcher *s, guint event) {
  return !s->demand || s->demand->whole || s->demand->events[2 * event];
}

static inline gboolean demand_has_written (const Searcher *s, guint event) {
  return !s->demand || s->demand->whole || s->demand->events[2 * event + 1];
}

/* ---- Known ---------------------------------------------------------------------------------- */

/* The values known at a node: what events read and what they write. */
struct Known {
  RspValue *values, *written;        /* per event: what it reads, what it writes */
  gboolean *has_value, *has_written; /* per event: is it known? */
  gboolean *is_constant;             /* per event: was what it writes known at the root? */
  gboolean *has_learnt; /* per thread, within known_follow: has a read a value since what
                         * it writes was evaluated? */
  guint solved; /* 1 + the trail's length when all values were solved for at once, as some justify
                   each other, or some read returns any value; 0: they were not */
  gboolean thin_air;   /* then: do some justify each other? */
  RspValue *registers; /* per observable that is a register, if there are any */
  guint *trail; /* event * 2 + (1 for written) of each value, in the order in which they became
                   known */
  guint n_trail;
  guint *source; /* scratch: per event, used when all reads are decided */
};

void known_open (Searcher *s);

/* At the root: initial values and constants. */
void known_begin (Searcher *s);

/* Call when everything that follows from the root alone is known. */
void known_mark_constants (Searcher *s);

/* Computes all values that follow from decided reads. FALSE if none is new. */
gboolean known_follow (Searcher *s);

/* Call when all reads are decided: solves the remaining values, which are in cycles. FALSE if they
 * have no solution. */
gboolean known_solve_circles (Searcher *s);

/* Is the value of every read known? */
gboolean known_is_whole (const Searcher *s);

/* The trail's length, and undoing back to it. */
guint known_mark (const Searcher *s);
void known_undo (Searcher *s, guint mark);

static inline gboolean known_has_value (const Searcher *s, guint event) {
  return s->known->has_value[event];
}

static inline gboolean known_has_written (const Searcher *s, guint event) {
  return s->known->has_written[event];
}

static inline RspValue known_value (const Searcher *s, guint event) {
  return s->known->values[event];
}

static inline RspValue known_written (const Searcher *s, guint event) {
  return s->known->written[event];
}

/* The same if it is the last write of its location. */
RspValue known_final (const Searcher *s, guint event);

/* ---- Relevance ------------------------------------------------------------------------------ */

/* Can completions of this node be relevant? */
gboolean is_relevant (Searcher *s, const Observed *observed);

/* TRUE if the first relevant execution answers the question. */
gboolean rsp_bounded_ends_at_first (const Searcher *s);

/* Replaces results by its relevant rows. */
RspResults *keep_relevant (Searcher *s, const Observed *observed, RspResults *results);

/* Adds to key everything that the relevance of completions of this node depends on. */
void rsp_bounded_put_relevance (Searcher *s, const Observed *observed, RspHash *key);
