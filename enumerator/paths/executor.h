/* The symbolic execution of one thread: shared by the files behind path.h.
 *
 * Execution is big-step on sets of states: evaluating an expression, or running a statement, takes
 * one state and appends the states it may lead to, in the order of the branches, to a list. Events,
 * constraints and event sets are immutable and shared by the states that have them in common; a
 * state itself is a few pointers and the registers. */
#pragma once

#include "enumerator/paths/path.h"

/* ---- Sets of events ---- */

/* An immutable set of event numbers. There is one object per set, so pointers can be compared. NULL
 * is the empty set; the last word is never 0. */
typedef struct RspEventSet {
  guint words;
  guint64 word[];
} RspEventSet;

/* ---- States ---- */

/* The value of an expression. */
typedef struct RspPathValue {
  const RspTerm *term;
  const RspEventSet *sources; /* reads it depends on, by syntax */
  const RspEventSet *after;   /* events sequenced before the end of its computation (closed under
                               * po) */
} RspPathValue;

/* The place that an address denotes: a register of the thread, or a location. */
typedef struct RspPlace {
  gboolean is_register;
  guint index;
} RspPlace;

typedef struct RspRegisterValue {
  const RspTerm *term;
  const RspEventSet *sources;
} RspRegisterValue;

/* An event with its predecessors in the path: one object per event and past. */
typedef struct RspEventNode {
  const struct RspEventNode *previous;
  guint number;
  RspEvent event;
  const RspEventSet *before; /* po-predecessors */
  const RspEventSet *addr, *data, *ctrl;
} RspEventNode;

typedef struct RspConstraintNode {
  const struct RspConstraintNode *previous;
  guint length;
  RspConstraint constraint;
} RspConstraintNode;

typedef enum RspStateStatus {
  RSP_STATE_RUNNING,
  RSP_STATE_BREAKING,
  RSP_STATE_CONTINUING,
  RSP_STATE_RETURNED,
  RSP_STATE_TRUNCATED,
  RSP_STATE_STUCK, /* for loops that wait: see wait.h */
  RSP_STATE_FAILED
} RspStateStatus;

/* The state at which the innermost loop's round began: see wait.h. */
typedef struct RspRound {
  const struct RspRound *previous; /* of the same loop, since it was entered */
  guint n_events;
  guint n_waits; /* of the loop's rounds before this one */
  guint
      waits_since; /* the first event of the waiting rounds right before this one; else n_events */
  RspRegisterValue registers[];
} RspRound;

typedef struct RspState {
  struct RspState *next; /* in a list */
  RspStateStatus status;
  RspSpan end_span;        /* TRUNCATED, STUCK, FAILED: as in RspPath */
  const char *end_message; /* FAILED */
  gint64 end_address;      /* FAILED, an access: where; 0: it is not known */
  guint n_events;
  const RspEventNode *last;
  const RspConstraintNode *constraints;
  const RspEventSet *ctrl;             /* reads that some branch taken so far depends on */
  const RspEventSet *before;           /* events sequenced before what is evaluated next */
  const RspRound *round;               /* NULL outside loops, and if waits are not searched for */
  guint n_waits, wait_begin, wait_end; /* as in RspPath */
  RspPathValue value;                  /* of the expression just evaluated */
  RspPlace place;                      /* of the address just resolved */
  RspRegisterValue registers[];
} RspState;

typedef struct RspStates {
  RspState *first, *last;
} RspStates;

/* Limits, all reported by executor_give_up. */
enum {
  RSP_MAX_PATHS = 100000,   /* states alive at once, and so paths of a thread */
  RSP_MAX_EVENTS = 2000,    /* events of a path */
  RSP_MAX_TERM = 10000,     /* nodes of a term */
  RSP_MAX_DEPTH = 2000,     /* nested expressions and statements */
  RSP_MAX_STEPS = 10000000, /* expressions evaluated */
  RSP_MAX_ROUNDS = 4096     /* of a loop whose end does not depend on what is read */
};

typedef struct RspExecutor {
  const RspProgram *program;
  const RspThread *thread;
  guint thread_index;
  const RspPathOptions *options;
  RspTerms *terms;
  RspArena *arena;   /* of the paths */
  RspArena *scratch; /* of everything else */
  RspDiagnostics *diagnostics;

  GHashTable *sets;         /* interned: each RspEventSet */
  GHashTable *events;       /* interned: each RspEventNode */
  GHashTable *live;         /* statement → guint8 per register: may be read after it */
  guint8 *escapes;          /* per register: its address is taken */
  guint8 *all_registers;    /* per register: TRUE */
  guint8 *escaping_objects; /* per location; NULL until asked for: see escape.c */
  guint8 *observed;         /* per register: the condition or `locations` names it */

  const RspTerm *unset; /* the value of registers that have none */

  RspState *pool; /* dropped states, for reuse */
  guint n_states;
  guint depth;
  guint64 n_steps;
  gboolean gave_up;
  gboolean tries;   /* a loop's rounds are not counted, so that exceeding a limit is no error yet */
  gboolean overran; /* gave_up, because of such a limit */

  RspValue *known_values; /* scratch of state_assume, per event */
  gboolean *known;
} RspExecutor;

/* assign.c */

/* expression.c: called after both operands have been evaluated; the value of b is state->value.
 * Takes the state. */
typedef void (*RspCombine) (RspExecutor *x, const RspExpr *expr, RspPathValue a, RspState *state,
                            RspStates *out);
typedef void (*RspEvaluate) (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out);
