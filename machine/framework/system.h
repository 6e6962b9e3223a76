/* A transition system to explore: the interface between a machine and the search.
 *
 * To add a machine: encode its state as a byte string in canonical form (two states that behave
 * alike are one string), write `start` and `expand`, and give the invariants that must hold in
 * every state. The search (search.h) then finds every end, counts states, observes the limits, and
 * finds the shortest trace to a state; machine/caches is the largest example. */
#pragma once

#include "machine/framework/bill.h"

typedef struct RspBytes {
  const guint8 *data;
  gsize size;
} RspBytes;

/* The kinds of states without successors. */
typedef enum RspEnd {
  RSP_END_NONE,  /* it has successors */
  RSP_END_FINAL, /* all threads have finished */
  RSP_END_STUCK, /* some thread has not ended, and no step is possible: a deadlock */
  RSP_END_LEFT   /* the execution is left out: a loop needs more rounds, the program failed */
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
  /* The name of an invariant that the state violates, or NULL. May be NULL itself. */
  const char *(*violated) (gpointer data, RspBytes state);
  /* Appends a description of the step from a state to its successor number i, as lines with
   * newlines. If data is NULL: of what has already happened in the initial state. */
  void (*describe) (gpointer data, RspBytes from, guint i, GString *out);
  /* A number that every step increases: for the bill. NULL if there is none. */
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
