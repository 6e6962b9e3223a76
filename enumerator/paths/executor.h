/* What the files behind path.h share: the symbolic execution of one thread.
 *
 * Execution is big-step on sets of states: evaluating an expression, or running a statement, takes
 * one state and appends the states it may lead to, in the order of the branches, to a list. Events,
 * constraints and event sets are immutable and shared by the states that have them in common; a
 * state itself is a few pointers and the registers. */
#ifndef RSP_PATH_PRIVATE_H
#define RSP_PATH_PRIVATE_H

#include "enumerator/paths/path.h"

/* ---- Sets of events ---- */

/* An immutable set of event numbers; there is one object per set, so pointers compare. NULL is the
 * empty set; the last word is never 0. */
typedef struct RspEventSet
{
  guint words;
  guint64 word[];
} RspEventSet;

/* ---- States ---- */

/* The value of an expression. */
typedef struct RspPathValue
{
  const RspTerm *term;
  const RspEventSet *sources; /* reads it depends on, by syntax */
  const RspEventSet *after; /* events sequenced before its computation is done (closed under po) */
} RspPathValue;

/* Where an address leads: a register of the thread, or a location. */
typedef struct RspPlace
{
  gboolean is_register;
  guint index;
} RspPlace;

typedef struct RspRegisterValue
{
  const RspTerm *term;
  const RspEventSet *sources;
} RspRegisterValue;

/* An event with its place in the path: one object per event and past. */
typedef struct RspEventNode
{
  const struct RspEventNode *previous;
  guint number;
  RspEvent event;
  const RspEventSet *before; /* po-predecessors */
  const RspEventSet *addr, *data, *ctrl;
} RspEventNode;

typedef struct RspConstraintNode
{
  const struct RspConstraintNode *previous;
  guint length;
  RspConstraint constraint;
} RspConstraintNode;

typedef enum RspStateStatus
{
  RSP_STATE_RUNNING,
  RSP_STATE_BREAKING,
  RSP_STATE_CONTINUING,
  RSP_STATE_RETURNED,
  RSP_STATE_CUT,
  RSP_STATE_FAILED
} RspStateStatus;

typedef struct RspState
{
  struct RspState *next; /* in a list */
  RspStateStatus status;
  RspSpan end_span;        /* CUT, FAILED: as in RspPath */
  const char *end_message; /* FAILED */
  guint n_events;
  const RspEventNode *last;
  const RspConstraintNode *constraints;
  const RspEventSet *ctrl;   /* reads that some branch taken so far depends on */
  const RspEventSet *before; /* events sequenced before whatever is evaluated next */
  RspPathValue value;        /* of the expression just evaluated */
  RspPlace place;            /* of the address just resolved */
  RspRegisterValue registers[];
} RspState;

typedef struct RspStates
{
  RspState *first, *last;
} RspStates;

/* Limits, all reported by rsp_executor_give_up. */
enum
{
  RSP_MAX_PATHS = 100000,   /* states alive at once, and so paths of a thread */
  RSP_MAX_EVENTS = 2000,    /* events of a path */
  RSP_MAX_TERM = 10000,     /* nodes of a term */
  RSP_MAX_DEPTH = 2000,     /* nested expressions and statements */
  RSP_MAX_STEPS = 10000000, /* expressions evaluated */
  RSP_MAX_MEMORY = 1 << 29  /* bytes of the paths of a thread */
};

typedef struct RspExecutor
{
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
  guint8 *escaping_objects; /* per location: see escape.c */
  guint8 *observed;         /* per register: the condition or `locations` names it */

  RspState *pool; /* states that were dropped */
  guint n_states;
  guint depth;
  guint64 n_steps;
  gboolean gave_up;

  RspValue *known_values; /* scratch of rsp_state_assume, per event */
  gboolean *known;
} RspExecutor;

/* state.c: sets */
GHashTable *rsp_event_sets_new (void);
GHashTable *rsp_event_nodes_new (void);
const RspEventSet *rsp_event_set_union (RspExecutor *x, const RspEventSet *a, const RspEventSet *b);
const RspEventSet *rsp_event_set_with (RspExecutor *x, const RspEventSet *a, guint event);
/* a and the events begin … end - 1. */
const RspEventSet *rsp_event_set_with_range (RspExecutor *x, const RspEventSet *a, guint begin,
                                             guint end);

/* state.c: states */
RspState *rsp_state_new (RspExecutor *x);
RspState *rsp_state_fork (RspExecutor *x, const RspState *state);
void rsp_state_drop (RspExecutor *x, RspState *state);
void rsp_states_append (RspStates *states, RspState *state);
RspState *rsp_states_take (RspStates *states); /* NULL when there is none */
/* Moves all of `from` to the end of `to`. */
void rsp_states_move (RspStates *to, RspStates *from);

/* Ends the path of a state. */
void rsp_state_fail (RspState *state, RspSpan span, const char *message);
/* Ends the whole execution with an error; message is a format for the thread's name. Once. */
void rsp_executor_give_up (RspExecutor *x, RspSpan span, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* Gives up, without a word, when the budget is over. TRUE when given up, now or before. */
gboolean rsp_executor_is_late (RspExecutor *x);
/* Counts a step and a level of nesting; FALSE: too much, the execution gave up. */
gboolean rsp_executor_enter (RspExecutor *x, RspSpan span);
void rsp_executor_leave (RspExecutor *x);

/* Adds the constraint that a condition holds. FALSE: it plainly cannot with those there are. */
gboolean rsp_state_assume (RspExecutor *x, RspState *state, const RspTerm *condition, RspSpan span);
/* Two ways on, as value is nonzero or not: *yes and *no, each NULL when it plainly cannot be. Takes
 * the state. */
void rsp_state_branch (RspExecutor *x, RspState *state, RspPathValue value, RspSpan span,
                       RspState **yes, RspState **no);
/* Every event so far is sequenced before what comes next. */
void rsp_state_sequence_point (RspExecutor *x, RspState *state);

/* Appends an event that depends on the reads of addr and data, after all of state->before. Returns
 * its number. */
guint rsp_state_emit (RspExecutor *x, RspState *state, const RspEvent *event,
                      const RspEventSet *addr, const RspEventSet *data);

/* access.c */
/* The places that an address may be, each in a state of its own with `place` set; and a failed
 * state where it may be none. Takes the state. */
void rsp_access_resolve (RspExecutor *x, RspState *state, const RspTerm *address, RspSpan span,
                         RspStates *out);
/* The C type of what lies at a place. */
const RspType *rsp_place_type (const RspExecutor *x, RspPlace place);
gint64 rsp_register_address (const RspExecutor *x, guint reg);
/* A plain read or write of state->place, through an address that depends on addr; state->value is
 * what was read, in the place's own type, and what it comes after. A register makes no event. */
void rsp_access_read (RspExecutor *x, RspState *state, const RspEventSet *addr, RspSpan span);
/* Returns the number of the event, or G_MAXUINT for a register. */
guint rsp_access_write (RspExecutor *x, RspState *state, const RspEventSet *addr,
                        RspPathValue value, RspSpan span);

/* operator.c */
const RspTerm *rsp_term_to_type (RspExecutor *x, const RspTerm *term, const RspType *type);
/* Gives up on values that have grown too large to compute with. */
void rsp_executor_check_term (RspExecutor *x, const RspTerm *term, RspSpan span);
/* state->value becomes a op b, after the promotions and conversions of C, in the type that they
 * give. Where a division or shift may fail, a failed state goes to `failed`; NULL when it can only
 * fail. Takes the state. */
RspState *rsp_operate (RspExecutor *x, RspState *state, RspOperator op, RspPathValue a,
                       RspPathValue b, RspSpan span, RspStates *failed);
/* The same for an operator of one operand. */
void rsp_operate_unary (RspExecutor *x, RspState *state, RspOperator op, RspPathValue a,
                        RspSpan span);

/* expression.c: each takes the state and leaves its `before` as it was. */
void rsp_expression_evaluate (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out);
/* The same, and a full expression: a sequence point follows. */
void rsp_expression_evaluate_full (RspExecutor *x, const RspExpr *expr, RspState *state,
                                   RspStates *out);

/* assign.c */
/* The address of an lvalue. */
void rsp_expression_address (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out);
/* RSP_EXPR_ASSIGN and RSP_EXPR_STEP. */
void rsp_expression_assign (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out);

/* expression.c: what is done when both operands have been evaluated; that of b is
 * state->value. Takes the state. */
typedef void (*RspCombine) (RspExecutor *x, const RspExpr *expr, RspPathValue a, RspState *state,
                            RspStates *out);
typedef void (*RspEvaluate) (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out);

/* Evaluates operands a (with a function of its own: it may be an lvalue) and b of expr,
 * unsequenced; b NULL: there is only one, and state->value is it too. */
void rsp_expression_operands (RspExecutor *x, const RspExpr *expr, RspEvaluate evaluate_a,
                              const RspExpr *a, const RspExpr *b, RspState *state,
                              RspCombine combine, RspStates *out);

/* call.c */
void rsp_call_evaluate (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out);

/* statement.c */
void rsp_statement_run (RspExecutor *x, const RspStatement *statement, RspState *state,
                        RspStates *out);

/* escape.c: fills x->escaping_objects. */
void rsp_executor_find_escaping (RspExecutor *x);

/* live.c: fills x->live, x->escapes and x->observed. */
void rsp_executor_find_live (RspExecutor *x);

/* merge.c: joins states that differ only in a condition and its negation. live: per register,
 * whether its value still matters; NULL at the end of the path, where only observed ones do, and
 * what would feed later dependencies does not. */
void rsp_states_merge (RspExecutor *x, RspStates *states, const guint8 *live);

#endif
