#pragma once

#include "enumerator/paths/paths.h"
#include "parser/translation.h"

/* ---- Executor ------------------------------------------------------------------------------- */

/* The symbolic execution of one thread: shared by the files of this folder.
 *
 * Execution is big-step on sets of states: evaluating an expression, or running a statement, takes
 * one state and appends the states it may lead to, in the order of the branches, to a list. Events,
 * constraints and event sets are immutable and shared by the states that have them in common; a
 * state itself is a few pointers and the registers. */

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
enum { RSP_STANDS = 2 /* of RspExecutor.escapes: it stands for a location */ };

typedef struct RspPlace {
  gboolean is_register;
  guint index;
  guint64 tags;      /* of a plain access to it, in a language with tags; else 0 */
  RspLevel reach;    /* the same: what the access's scope covers */
  gboolean is_ghost; /* RspExpr.is_ghost of the access */
} RspPlace;

typedef struct RspRegisterValue {
  const RspTerm *term;
  const RspEventSet *sources;
} RspRegisterValue;

/* Which barriers of its work-group come before an event: those that order accesses to local memory,
 * those that order accesses to global memory, and all. */
typedef enum RspPhaseKind {
  RSP_PHASE_LOCAL,
  RSP_PHASE_GLOBAL,
  RSP_PHASE_ANY,
  RSP_N_PHASES
} RspPhaseKind;

/* An event with its predecessors in the path: one object per event and past. */
typedef struct RspEventNode {
  const struct RspEventNode *previous;
  guint number;
  RspEvent event;
  guint place;               /* work-items: in the text, as findings name it; else 0 */
  guint phase[RSP_N_PHASES]; /* how many barriers came before */
  gboolean is_known;         /* a read that returns `value` in all executions; */
  gboolean is_guess;         /* in those of which others are not followed */
  gint64 value;
  const RspEventSet *before; /* po-predecessors */
  const RspEventSet *addr, *data, *ctrl;
} RspEventNode;

typedef struct RspConstraintNode {
  const struct RspConstraintNode *previous;
  guint length;   /* this one and those before it */
  guint n_fixing; /* of these, those that may fix a read: constraint_fixes */
  RspConstraint constraint;
} RspConstraintNode;

typedef enum RspStateStatus {
  RSP_STATE_RUNNING,
  RSP_STATE_BREAKING,
  RSP_STATE_CONTINUING,
  RSP_STATE_LEAVING, /* to `target` */
  RSP_STATE_RETURNED,
  RSP_STATE_CUT, /* nothing behind is followed: phases_end */
  RSP_STATE_TRUNCATED,
  RSP_STATE_STUCK, /* for loops that wait: see loops.c */
  RSP_STATE_FAILED
} RspStateStatus;

/* The state at which the innermost loop's round began: see loops.c. */
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
  const RspStatement *target; /* LEAVING */
  RspSpan end_span;           /* TRUNCATED, STUCK, FAILED: as in RspPath */
  const char *end_message;    /* FAILED */
  gint64 end_address;         /* FAILED, an access: where; 0: it is not known */
  gboolean end_any;           /* FAILED: as in RspPath */
  guint n_events;
  const RspEventNode *last;
  const RspConstraintNode *constraints;
  const RspEventSet *ctrl;    /* reads that some branch taken so far depends on */
  const RspEventSet *before;  /* events sequenced before what is evaluated next */
  const RspEventSet *copying; /* of asynchronous copies that nothing has waited for: sequenced
                                 before nothing of the thread */
  const RspRound *round;      /* NULL outside loops, and if waits are not searched for */
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
  RSP_MAX_PATHS = 100000,    /* states alive at once, and so paths of a thread */
  RSP_MAX_PHASE_PATHS = 512, /* the same while phases, or only one path, are looked for */
  RSP_MAX_EVENTS = 10000,    /* events of a path */
  RSP_MAX_TERM = 10000,      /* nodes of a term */
  RSP_MAX_DEPTH = 2000,      /* nested expressions and statements */
  RSP_MAX_STEPS = 10000000,  /* expressions evaluated */
  RSP_MAX_ROUNDS = 16384     /* of a loop whose end does not depend on what is read */
};

/* A loop that is being executed, where threads meet at a barrier in the same rounds of the loops
 * around it. */
typedef struct RspLoopRound {
  const struct RspLoopRound *around;
  guint number;   /* of the round; 0: the statement that is executed is not in the loop */
  guint first;    /* number of events before the round, at least */
  gboolean meets; /* are there barriers in it? Then no round is left out: later ones would become
                     earlier ones */
} RspLoopRound;

typedef struct RspExecutor {
  const RspProgram *program;
  const RspThread *thread;
  guint thread_index;
  const RspPathOptions *options;
  RspTerms *terms;
  RspArena *arena;   /* of the paths */
  RspArena *scratch; /* of everything else */
  RspDiagnostics *diagnostics;
  GPtrArray *paths; /* NULL: phases are looked for instead */

  GHashTable *sets;         /* interned: each RspEventSet */
  GHashTable *events;       /* interned: each RspEventNode */
  GHashTable *live;         /* statement → guint8 per register: may be read after it */
  guint8 *escapes;          /* per register: TRUE if its address is taken; or RSP_STANDS */
  guint8 *all_registers;    /* per register: TRUE */
  guint8 *objects;          /* executor_find_objects; NULL until asked for */
  gboolean atomic_pointers; /* do atomic operations access what pointers denote? */
  guint8 *observed;         /* per register: the condition or `locations` names it */

  const RspLoopRound *rounds; /* of the innermost loop; NULL: none, or barriers do not ask for it */
  const RspTerm *unset;       /* the value of registers that have none */

  RspState *pool; /* dropped states, for reuse */
  guint n_states;
  guint depth;
  guint64 n_steps;
  gboolean gave_up;
  gboolean tries;   /* a loop's rounds are not counted, so that exceeding a limit is no error yet */
  gboolean overran; /* gave_up, because of such a limit */

  RspValue *known_values; /* scratch of state_evaluate, for n_known events */
  gboolean *known;
  guint n_known;
} RspExecutor;

/* expression.c: called after both operands have been evaluated; the value of b is state->value.
 * Takes the state. */
typedef void (*RspCombine) (RspExecutor *x, const RspExpr *expr, RspPathValue a, RspState *state,
                            RspStates *out);

typedef void (*RspEvaluate) (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out);

/* ---- Access --------------------------------------------------------------------------------- */

/* The places that an address may denote, each in a state of its own with `place` set, and a failed
 * state if it may denote none. Takes the state. */
void access_resolve (RspExecutor *x, RspState *state, const RspTerm *address, RspSpan span,
                     RspStates *out);

/* The C type of the contents of a place. */
const RspType *place_type (const RspExecutor *x, RspPlace place);

gint64 register_address (const RspExecutor *x, guint reg);

/* The value of a read, in terms: of an opaque location, nothing is known but that it is read. */
const RspTerm *access_value (RspExecutor *x, RspPlace place, const RspTerm *read);

/* A plain read or write of state->place, through an address that depends on addr. state->value
 * becomes the value read, in the place's own type, with the events that precede it. Accesses to
 * registers make no events. */
void access_read (RspExecutor *x, RspState *state, const RspEventSet *addr, RspSpan span);

/* The value of state->place is used, but it has none. */
void access_fail_unset (RspExecutor *x, RspState *state, RspSpan span);

/* Returns the number of the event, or G_MAXUINT for a register. */
guint access_write (RspExecutor *x, RspState *state, const RspEventSet *addr, RspPathValue value,
                    RspSpan span);

/* The same, of a compare-exchange that fails, to *expected: the operation does not read its own
 * write there. read: the value that it read. */
guint access_write_back (RspExecutor *x, RspState *state, const RspEventSet *addr,
                         RspPathValue value, const RspTerm *read, RspSpan span);

/* ---- Phases --------------------------------------------------------------------------------- */

/* Notes what the event that follows the state's last one returns, if it is a read that always
 * returns the same. */
void phases_know (RspExecutor *x, const RspState *state, RspEventNode *node);

/* While they are looked for: must a state end before a condition that is not decided, as what it
 * depends on is not yet known? Its events are noted then. */
gboolean phases_cut (RspExecutor *x, const RspState *state, const RspTerm *condition);

/* Which way to take at an open condition: 0 or 1 if a race leaves it open, by the values before the
 * race, or if a schedule decides it; -1: both. */
int phases_guess (RspExecutor *x, const RspState *state, const RspTerm *condition);

/* Do threads have only the paths of a schedule? */
gboolean phases_are_scheduled (const RspExecutor *x);

/* Is the barrier behind the state's events the last one? */
gboolean phases_end (const RspExecutor *x, const RspState *state);

/* Are they looked for? Then the state is the end of a path, whose events are noted. */
gboolean phases_note_end (RspExecutor *x, const RspState *state);

/* ---- Assign --------------------------------------------------------------------------------- */

/* The address of an lvalue. */
void expression_address (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out);

/* RSP_EXPR_ASSIGN and RSP_EXPR_STEP. */
void expression_assign (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out);

/* ---- Barrier -------------------------------------------------------------------------------- */

/* A statement of kind RSP_STATEMENT_BARRIER. */
void barrier_run (RspExecutor *x, const RspStatement *statement, RspState *state, RspStates *out);

/* ---- Call ----------------------------------------------------------------------------------- */

/* call.c */
void call_evaluate (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out);

/* ---- Translated ----------------------------------------------------------------------------- */

/* The events of a program that is translated from another language (parser/translation.h). Its
 * accesses and barriers take the tags of the instructions that they become, with fences around
 * them. */

/* What an operation becomes; NULL if the program is not translated, or if the mapping has no row
 * for it, which is reported. In a language without scopes an operation has the widest. */
const RspSequence *translated_find (RspExecutor *x, RspMapped mapped, RspSpan span);

/* Gives the event of an instruction its tags, and none of the source's order and scope. */
void translated_set (RspEvent *event, const RspTranslated *instruction, guint64 tags);

/* ---- Events --------------------------------------------------------------------------------- */

/* The events of a call, and how it ends. */

/* A call that is being executed. */
typedef struct Call {
  RspExecutor *x;
  const RspExpr *expr;
  const RspCall *call;
  RspStates *out;
  guint first;               /* number of the first event of its arguments */
  const RspEventSet *before; /* events before the whole expression */
  RspPathValue object, expected, operand;
  const RspSequence *sequence; /* of a translated program: what the operation becomes */
} Call;

/* ---- Code ----------------------------------------------------------------------------------- */

/* Runs a statement of kind RSP_STATEMENT_CODE. Takes the state. */
void code_run (RspExecutor *x, const RspStatement *code, RspState *state, RspStates *out);

/* ---- Expression ----------------------------------------------------------------------------- */

/* Each takes the state and leaves its `before` unchanged. */
void expression_evaluate (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out);

/* The same for a full expression, which a sequence point follows. */
void expression_evaluate_full (RspExecutor *x, const RspExpr *expr, RspState *state,
                               RspStates *out);

/* Evaluates operands a (with a function of its own, since it may be an lvalue) and b of expr,
 * unsequenced. If b is NULL, there is only one operand, which is also state->value. */
void expression_operands (RspExecutor *x, const RspExpr *expr, RspEvaluate evaluate_a,
                          const RspExpr *a, const RspExpr *b, RspState *state, RspCombine combine,
                          RspStates *out);

/* Does evaluating the expression neither access memory, nor change anything, nor branch, nor
 * fail? */
gboolean expression_is_pure (const RspExpr *expr);

/* ---- Counted -------------------------------------------------------------------------------- */

/* Do registers that every round changes alike decide how many rounds the loop has, whatever is read
 * in it? `for (i = 0; i < n; i++)`: the loop then ends by itself if their values are known. */
gboolean loop_is_counted (RspExecutor *x, const RspStatement *loop);

/* Does it have a `break` that only registers decide, of which a round changes some? */
gboolean loop_counts_to_break (RspExecutor *x, const RspStatement *loop);

/* May the statement come to a barrier? */
gboolean statement_meets (RspExecutor *x, const RspStatement *statement);

/* ---- Wait ----------------------------------------------------------------------------------- */

/* Waits: rounds of a loop that change nothing.
 *
 * A round goes from the loop's head to its head. It waits if all its events (at least one) are
 * reads, and read-modify-writes that write what they read, and every register that may still be
 * read keeps its value, unless threads meet in the loop by its rounds. Whatever follows such a
 * round could have happened instead of it. With RspPathOptions.spin_last, paths have no such
 * rounds. In addition there are paths with up to RSP_MAX_WAITS of them, which show what one more
 * adds.
 *
 * With RspPathOptions.cycles, there are also paths that end in any rounds after which all registers
 * are what they were before. */

/* Records that these states are at the loop's head. */
void wait_begin_rounds (RspExecutor *x, const RspStates *states);

/* At the end of a round: removes from `states` those that have waited once too often; those whose
 * rounds may repeat for ever also go to out. The others are at the loop's head again. live: per
 * register, may its value there still be read? */
void wait_end_rounds (RspExecutor *x, const RspStatement *loop, const guint8 *live,
                      RspStates *states, RspStates *out);

/* Records that these states have left the loop, and are back in the round in which they entered
 * it. */
void wait_leave (const RspStates *states, const RspRound *outer);

/* Ends states that have gone round a loop as often as they may, except those that have waited in it
 * more than extra_rounds times, which may go on as often again. The former go to out. */
void wait_truncate_rounds (const RspStatement *loop, guint extra_rounds, RspStates *states,
                           RspStates *out);

/* ---- Operator ------------------------------------------------------------------------------- */

/* The element of an address (parser/program.h) that stands for all whose numbers do not fit. */
#define RSP_FAR_ELEMENT G_MININT32

const RspTerm *term_to_type (RspExecutor *x, const RspTerm *term, const RspType *type);

/* Gives up if a value has become too large to compute with. */
void executor_check_term (RspExecutor *x, const RspTerm *term, RspSpan span);

/* state->value becomes a op b, after C's promotions and conversions and in the resulting type. If a
 * division or shift may fail, a failed state goes to `failed`; NULL if it can only fail. Takes the
 * state. */
RspState *operate (RspExecutor *x, RspState *state, RspOperator op, RspPathValue a, RspPathValue b,
                   RspSpan span, RspStates *failed);

/* Of an address that was stepped: an address far outside of its object instead, if it looks like
 * that of another one. */
const RspTerm *operator_stay_in_object (RspExecutor *x, const RspTerm *address,
                                        const RspTerm *stepped);

/* ---- Escape --------------------------------------------------------------------------------- */

enum {
  RSP_OBJECT_ESCAPES = 1, /* a pointer that was read may denote it */
  RSP_OBJECT_ATOMIC = 2   /* an atomic operation of some thread may access it */
};

/* Per location, for the first ones of objects. Found when first asked for; NULL if the executor
 * gave up on the way. */
const guint8 *executor_find_objects (RspExecutor *x);

/* ---- Live ----------------------------------------------------------------------------------- */

/* Fills x->live, x->escapes and x->observed. */
void executor_find_live (RspExecutor *x);

/* Where do rounds of a loop begin and end: at the body (TRUE), or at the condition, because that
 * reads? */
gboolean executor_begins_with_body (const RspStatement *loop);

/* Per register: may its value where a round begins still be read? In the executor's scratch arena.
 */
const guint8 *executor_live_at_head (RspExecutor *x, const RspStatement *loop);

/* The same at a statement of code with jumps. */
const guint8 *executor_live_before (RspExecutor *x, const RspStatement *statement);

/* ---- Merge ---------------------------------------------------------------------------------- */

/* Merges states that differ only in a condition and its negation. live: per register, does its
 * value still matter? NULL at the end of the path, where only observed registers matter, and
 * dependencies of later events do not. */
void states_merge (RspExecutor *x, RspStates *states, const guint8 *live);

/* ---- State ---------------------------------------------------------------------------------- */

const RspEventSet *event_set_union (RspExecutor *x, const RspEventSet *a, const RspEventSet *b);
const RspEventSet *event_set_with (RspExecutor *x, const RspEventSet *a, guint event);

/* a and the events begin … end - 1. */
const RspEventSet *event_set_with_range (RspExecutor *x, const RspEventSet *a, guint begin,
                                         guint end);

const RspEventSet *event_set_without (RspExecutor *x, const RspEventSet *a, const RspEventSet *b);

/* Those of the set that come before event number `end`. */
const RspEventSet *event_set_below (RspExecutor *x, const RspEventSet *a, guint end);
RspState *state_fork (RspExecutor *x, const RspState *state);
void state_drop (RspExecutor *x, RspState *state);
void states_append (RspStates *states, RspState *state);
RspState *states_take (RspStates *states); /* NULL if there is none */

/* The next one that is running; those before it go to out. */
static inline RspState *states_take_running (RspStates *states, RspStates *out) {
  RspState *state;
  while ((state = states_take (states)) && state->status != RSP_STATE_RUNNING)
    states_append (out, state);
  return state;
}

/* Moves all of `from` to the end of `to`. */
void states_move (RspStates *to, RspStates *from);

/* An object's name in messages, in quotes, with an index or without. */
const char *executor_name (const RspExecutor *x, const char *name, gboolean indexed);

/* Ends the path of a state. */
/* The register is read before it has a value. */
void state_fail_unset (RspExecutor *x, RspState *state, guint reg, RspSpan span);
void state_fail (RspState *state, RspSpan span, const char *message);

/* Ends the whole symbolic execution with an error, once. */
void executor_give_up (RspExecutor *x, RspSpan span, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* Gives up silently if the budget is exhausted. TRUE if it has given up, now or before. */
gboolean executor_is_exhausted (RspExecutor *x);

/* Counts a step and a level of nesting. FALSE if there are too many and the execution gave up. */
gboolean executor_enter (RspExecutor *x, RspSpan span);
void executor_leave (RspExecutor *x);

/* Can the condition, if it holds, fix the value of a read? */
gboolean constraint_fixes (const RspTerm *condition);

/* The value of a term, given what constraints and phases say of reads, also guesses of phases.
 * FALSE: it is open. */
gboolean state_evaluate (RspExecutor *x, const RspState *state, const RspTerm *term,
                         gboolean guesses, gint64 *value);

/* Adds the constraint that a condition holds. Takes the state; NULL if that obviously contradicts
 * the existing ones. */
RspState *state_assume (RspExecutor *x, RspState *state, const RspTerm *condition, RspSpan span);

/* Splits it by whether the condition holds: *yes and *no, each NULL if it is obviously impossible.
 * Takes the state. */
void state_split (RspExecutor *x, RspState *state, const RspTerm *condition, RspSpan span,
                  RspState **yes, RspState **no);

/* The same by whether a value is nonzero, on which all that comes later depends. */
void state_branch (RspExecutor *x, RspState *state, RspPathValue value, RspSpan span,
                   RspState **yes, RspState **no);

/* Every event so far is sequenced before what comes next, but for those of copies under way. */
void state_sequence_point (RspExecutor *x, RspState *state);

/* Appends an event that depends on the reads of addr and data, after all of state->before. Returns
 * its number. */
guint state_emit (RspExecutor *x, RspState *state, const RspEvent *event, const RspEventSet *addr,
                  const RspEventSet *data);

/* ---- Statement ------------------------------------------------------------------------------ */

/* statement.c */
void statement_run (RspExecutor *x, const RspStatement *statement, RspState *state, RspStates *out);
