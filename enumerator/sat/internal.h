#pragma once

#include "enumerator/execution.h"
#include "enumerator/outcome.h"
#include "enumerator/sat/sat.h"
#include "model/dag/dag.h"
#include "model/model.h"

/* ---- Circuit -------------------------------------------------------------------------------- */

/* Circuits of conjunctions and negations, and their clauses.
 *
 * Gates are hash-consed. A gate becomes clauses only on demand, and only in the directions that are
 * demanded (Plaisted and Greenbaum, "A structure-preserving clause form translation", 1986): `gate
 * -> definition` where it occurs positively, the converse where it occurs negatively. That does not
 * change which assignments of the inputs are possible. */

/* Twice the number of a gate, plus 1 if it is negated. */
typedef guint32 Lit;

enum { LIT_FALSE = 0, LIT_TRUE = 1 };

typedef struct Circuit Circuit;

/* Adds the clauses of one direction of a gate with a definition of its own: of `lit -> …`, or of
 * the converse. */
typedef void (*CircuitDefine) (gpointer data, guint i, guint j, Lit lit, gboolean forward);

/* The solver must outlive it. */
Circuit *circuit_new (SatSolver *solver, RspBudget *budget);
void circuit_free (Circuit *circuit);

static inline Lit lit_not (Lit a) { return a ^ 1; }

Lit circuit_input (Circuit *circuit);

/* Calls define (data, i, j) for each direction that is demanded, once. */
Lit circuit_defined (Circuit *circuit, CircuitDefine define, gpointer data, guint i, guint j);
Lit circuit_and (Circuit *circuit, Lit a, Lit b);
Lit circuit_or (Circuit *circuit, Lit a, Lit b);

/* These reorder and overwrite lits. */
Lit circuit_and_all (Circuit *circuit, Lit *lits, guint n);
Lit circuit_or_all (Circuit *circuit, Lit *lits, guint n);

/* One of the literals must hold. */
void circuit_clause (Circuit *circuit, const Lit *lits, guint n);
void circuit_require (Circuit *circuit, Lit lit);
void circuit_imply (Circuit *circuit, Lit condition, Lit lit);

/* If all of n conditions hold, lit does. */
void circuit_imply_from (Circuit *circuit, const Lit *conditions, guint n, Lit lit);
void circuit_at_most_one (Circuit *circuit, const Lit *lits, guint n);

/* Can everything that is required hold together with the literals that are assumed? */
SatAnswer circuit_solve (Circuit *circuit, const Lit *assumed, guint n);

/* After SAT_YES, until anything is required: the value of an input or its negation. An input in no
 * clause is FALSE. */
gboolean circuit_value (const Circuit *circuit, Lit lit);

/* ---- Fold ----------------------------------------------------------------------------------- */

/* All paths of a program as one: which path each thread takes is a literal, and an access that
 * several paths of a thread make is one event (enumerator/paths/reduce.c), which exists if the
 * thread takes one of them. */

typedef struct SatThread {
  guint n_paths;
  const RspPath *const *paths;
  Lit *taken;     /* per path; exactly one holds */
  guint **events; /* per path: for each of its events, that of the fold (of the thread) */
  guint **places; /* per path: for each event of the fold, its number on the path, or G_MAXUINT */
  guint n_events;
} SatThread;

typedef struct SatFold {
  const RspProgram *program;
  RspArena *arena;
  Circuit *circuit;
  SatThread *threads;
  RspPreExecution *pre;             /* of the folded paths; sets and relations say what may be */
  Lit *exists;                      /* per event of pre */
  const Lit *kept;                  /* of a part, per event: does it remain? NULL: all do */
  RspMatrix *together;              /* events that may exist in one execution; reflexive */
  guint fewest_events, most_events; /* bounds of the number of events of an execution */
  const char *refusal;              /* why the program cannot be encoded; NULL: it can */
} SatFold;

/* paths[t]: of RspPath, not empty. NULL if the budget is exhausted. */
SatFold *sat_fold_new (const RspProgram *program, GPtrArray *const *paths, RspTerms *terms,
                       Circuit *circuit, RspArena *arena);

/* The fold restricted to the events kept. An initial write remains if a remaining event accesses
 * its location. */
SatFold *sat_fold_part (const SatFold *fold, const Lit *kept);

/* Holds if a thread takes one of these paths (a set of numbers). */
Lit sat_fold_takes (const SatFold *fold, guint thread, const RspMatrix *paths);

/* The pair is in a base relation of the execution. */
Lit sat_fold_base_pair (const SatFold *fold, RspBaseRelation relation, guint a, guint b);

/* The event is in a base set of the execution. */
Lit sat_fold_base_member (const SatFold *fold, RspBaseSet set, guint event);

/* Both events exist. */
Lit sat_fold_both (const SatFold *fold, guint a, guint b);

/* The number of an event on a path of its thread, or G_MAXUINT. */
guint sat_fold_place (const SatFold *fold, guint event, guint path);

/* The fold's event for this event of a path. */
guint sat_fold_event (const SatFold *fold, guint thread, guint path, guint number);

/* ---- Barriers ------------------------------------------------------------------------------- */

/* Barriers of one event: which paths of the threads go past them together. */

/* Holds if the barrier's quorum comes to it (meet: meets there); without a quorum, if all that come
 * meet. */
Lit sat_barrier_has_enough (const SatFold *fold, const RspEvent *barrier, gboolean meet);

/* Requires that of every barrier that is passed. Refuses if threads may wait for each other at
 * different barriers. */
void sat_barriers_require (SatFold *fold);

/* ---- Choices -------------------------------------------------------------------------------- */

/* The choices of an execution, as literals: reads-from, coherence, and the orders of the model. */

/* A strict order on some events, total or partial, whether they exist or not. */
typedef struct SatOrder {
  RspMatrix *pairs; /* what may be ordered, both ways */
  Lit *before;      /* n × n; meaningful where pairs has them */
} SatOrder;

typedef struct SatChoices {
  const SatFold *fold;
  Lit *rf; /* n × n: [write * n + read]; LIT_FALSE where it may not be */
  SatOrder co;
  SatOrder *orders; /* of the staged model */
} SatChoices;

SatChoices *sat_choices_new (const SatFold *fold, const RspStagedModel *model);

static inline Lit sat_choices_rf (const SatChoices *choices, guint write, guint read) {
  return choices->rf[write * choices->fold->pre->n + read];
}

/* Both exist, and a comes before b. */
Lit sat_choices_ordered (const SatChoices *choices, const SatOrder *order, guint a, guint b);

/* ---- Relations ------------------------------------------------------------------------------ */

/* The values of a staged model's nodes, as literals: is an event in the set, a pair in the
 * relation? They are made on demand, one by one. */

typedef struct SatRelations {
  const SatFold *fold;
  const SatChoices *choices;
  const RspDag *dag;
  guint n;             /* events */
  RspMatrix **may;     /* per node: what it may have in some execution; NULL: no axiom needs it */
  Lit **lits;          /* per node: n or n × n; NULL while there are none */
  gboolean *acyclic;   /* per node: is it known to be acyclic? See rsp_sat_relations_trust */
  const char *refusal; /* what cannot be encoded; NULL: nothing so far */

  /* Private to relations.c. */
  gboolean *depends; /* per node: does it depend on variables of recursive definitions? */
  struct SatClosure **closures;   /* per node: its closure; NULL: not needed so far */
  struct SatVariable **variables; /* per VARIABLE; the same */
  Lit ***ranks;                   /* per VARIABLE, per event or pair; NULL: none */
  guint rank_bits;
  const Lit *justified;         /* the rank of the pair that is being justified */
  GHashTable *while_justifying; /* SatPlace → literal + 1, of nodes that depend on variables; NULL:
                                 * nothing is being justified */
} SatRelations;

typedef struct SatPlace {
  RspNodeId id;
  guint a, b;
} SatPlace;

typedef struct SatVariable {
  SatRelations *relations;
  RspNodeId id;
  Lit *lits; /* n or n × n; 0: not made yet */
} SatVariable;

enum {
  LIT_NONE = G_MAXUINT32 /* not made yet */
};

/* model: evaluated with everything open (RspBase.generic). */
SatRelations *rsp_sat_relations_new (const SatFold *fold, const SatChoices *choices,
                                     const RspStagedModel *model);

/* Assumes the axiom: closures that it keeps acyclic need fewer clauses from now on. */
void rsp_sat_relations_trust (SatRelations *relations, const RspStagedAxiom *axiom);

/* For a set, b is 0. */
Lit rsp_sat_relations_get (SatRelations *relations, RspNodeId node, guint a, guint b);

/* ---- Part ----------------------------------------------------------------------------------- */

/* An execution without some of its reads, and without read-modify-writes that write back what they
 * read: its choices and the model's relations, as literals beside those of the whole. What read
 * from such a read-modify-write reads from its source instead. */

typedef struct SatPart {
  const SatFold *whole;
  const SatChoices *whole_choices;
  const Lit *kept;      /* per event */
  RspMatrix *removable; /* a set: what is not always kept */
  SatFold *fold;
  SatChoices *choices;
  SatRelations *relations; /* no axiom is trusted */
} SatPart;

/* kept: per event of the whole, TRUE of initial writes. */
SatPart *sat_part_new (const SatRelations *whole, const RspStagedModel *model, const Lit *kept);

/* Holds if the part does not end like the whole: a read has lost its source, the removed last write
 * of a location does not leave its source as the last one, or an initial write is gone. */
Lit sat_part_is_cut (const SatPart *part);

/* May the node's value in the part have the event: as a member of a set, in a pair of a relation?
 */
gboolean sat_part_may_concern (const SatPart *part, RspNodeId node, guint event);

/* ---- Lemmas --------------------------------------------------------------------------------- */

/* Lemmas that compare a node's value in the part with that in the whole, proved from the operands
 * up. */

/* Of pairs (or events) that remain (and, of the second kind, are not set aside): */
typedef enum SatLemma {
  LEMMA_WITHIN = RSP_PART_WITHIN, /* if the part has it, the whole does */
  LEMMA_COVERS = RSP_PART_COVERS  /* if the whole has it, the part does */
} SatLemma;

typedef struct SatLemmas SatLemmas;

SatLemmas *sat_lemmas_new (const SatPart *part, SatRelations *whole);

/* The same, with some events set aside (the set is kept, not copied). Without a removed acquire, a
 * later read that acquires nothing may be unordered: once it is set aside, that matters only where
 * an axiom is about that read. */
SatLemmas *sat_lemmas_without (const SatLemmas *from, const RspMatrix *aside);

/* TRUE if it follows from the node's operator and operands, or from earlier questions. */
gboolean sat_lemmas_know (const SatLemmas *lemmas, RspNodeId node, SatLemma lemma);

/* Tries to prove the lemma from the node's operands. pairs: if that fails, asks the solver about
 * each of the node's pairs, which may take long. */
gboolean sat_lemmas_hold (SatLemmas *lemmas, RspNodeId node, SatLemma lemma, gboolean pairs);

/* ---- Values --------------------------------------------------------------------------------- */

/* What events read and write, as literals: one for each value that may be.
 *
 * Values come from constants by way of reads, so the values that may be are found by iteration, as
 * many rounds as an execution has reads that it writes something from. Values that would justify
 * each other cyclically (thin air) have no such order. They are one more value, "of a circle", of
 * which only the source is known; the encoding is exact if no execution has one.
 *
 * The results of reads that may return any value, and what is computed from them, are unknown too:
 * sat.c evaluates such executions once they are found. */

/* The values that something may have, ascending, and a literal for each. */
typedef struct SatValues {
  guint n;
  gint64 *values;
  Lit *lits;
} SatValues;

typedef struct SatValuation {
  const SatFold *fold;
  const SatChoices *choices;
  SatValues *read, *written; /* per event */
  Lit *circle;               /* per event: does it read a value of a circle? LIT_FALSE: never */
  Lit *unknown, *written_unknown; /* per event: does it read (write) any value, or what depends on
                                   * one? LIT_FALSE: never */
  const char *refusal;            /* why the values cannot be encoded; NULL: they can */
} SatValuation;

/* takes_any: unless it is set, reads that return any value are refused. screen: what is proved of
 * all executions that are sought, or NULL. */
SatValuation *rsp_sat_values_new (const SatFold *fold, const SatChoices *choices,
                                  gboolean takes_any, RspScreen *screen);

/* Holds if some event reads a value of a circle. */
Lit rsp_sat_values_circle (const SatValuation *valuation);

/* ---- Problem -------------------------------------------------------------------------------- */

/* Executions of a program as a problem: some of each thread's paths, with a model that accepts
 * them. */

typedef struct SatProblem {
  RspDiagnostics *diagnostics; /* of evaluating the model; NULL: they are dropped */
  gboolean takes_any;          /* does the caller evaluate reads that may return any value? */
  const char *refusal;         /* why it cannot be encoded exactly; NULL: it can, or may */
  RspScreen *screen;           /* of executions that pass all axioms; NULL: they need not */
  RspArena *arena;
  SatSolver *solver;
  Circuit *circuit;
  const RspStagedModel *model; /* with everything open */
  SatFold *fold;
  SatChoices *choices;
  SatValuation *values;
  SatRelations *relations;
  guint *like, *class; /* per thread: the first one alike, the first one to exchange it with */
} SatProblem;

/* Encodes the executions of these paths, of two events or more, that the model accepts. Values that
 * justify each other, which no execution may have, are not excluded. FALSE if it cannot be encoded
 * exactly apart from that. Must be zero before, except for diagnostics and takes_any, and be
 * cleared in any case. */
gboolean sat_problem_open (SatProblem *problem, const RspProgram *program, const RspModel *model,
                           const RspCheckOptions *options, GPtrArray *const *paths, RspTerms *terms,
                           RspBudget *budget);

/* The same without requiring axioms: all executions of these paths. */
gboolean sat_problem_encode (SatProblem *problem, const RspProgram *program, const RspModel *model,
                             const RspCheckOptions *options, GPtrArray *const *paths,
                             RspTerms *terms, RspBudget *budget);
void sat_problem_clear (SatProblem *problem);

/* Does the literal hold in none of them? FALSE also if the budget is exhausted. */
gboolean sat_problem_rules_out (const SatProblem *problem, Lit lit);

/* Threads that are alike but may not be exchanged. */
typedef enum SatFixed {
  SAT_FIXED_NONE,
  SAT_FIXED_SHOWN,   /* those whose registers the states show */
  SAT_FIXED_BY_PLACE /* those at places of the tree that differ (enumerator/search/search.h) */
} SatFixed;

/* Holds in at least one arrangement of exchangeable threads; `except` keeps its place. */
Lit sat_problem_in_order (const SatProblem *problem, SatFixed fixed, guint except);

/* ---- Sums ----------------------------------------------------------------------------------- */

/* Requires that read-modify-writes find the sums of what is added before them, where the screen
 * shows that each follows the write it reads. No execution is left out. */
void sat_sums_require (const SatProblem *problem);

/* ---- Axioms --------------------------------------------------------------------------------- */

/* A pair (of a set, an event twice) that an axiom forbids, and the literal that it is present. */
typedef struct SatForbidden {
  guint a, b;
  Lit lit;
} SatForbidden;

/* Requires all plain axioms. */
void rsp_sat_axioms_require (SatRelations *relations, const RspStagedModel *model);

/* Holds if the execution fails the axiom (a flag of role FLAG: if it is raised). */
Lit sat_axioms_raised (SatRelations *relations, const RspStagedAxiom *axiom);

/* The same by a pair that counts for the question; *known becomes FALSE if the axiom is not one of
 * those that a single pair breaks. */
Lit sat_axioms_counting (SatRelations *relations, const RspStagedAxiom *axiom,
                         const RspQuestion *question, gboolean *known);

/* Holds if something that the axiom forbids is present. */
Lit rsp_sat_axioms_broken (SatRelations *relations, const RspStagedAxiom *axiom);

/* Of SatForbidden: all that the axiom forbids, within what its node may have. */
GArray *rsp_sat_axioms_forbidden (SatRelations *relations, const RspStagedAxiom *axiom,
                                  const RspMatrix *may);

/* ---- Recursive ------------------------------------------------------------------------------ */

/* Transitive closures and recursive definitions, as literals with definitions of their own: a pair
 * holds if it follows from others, and only if it does so without a circle. */

/* Implies that the relation has a circle; may hold if it has one. */
Lit rsp_recursive_circle (SatRelations *relations, RspNodeId of);

/* ---- Symmetry ------------------------------------------------------------------------------- */

/* Breaking the symmetry of threads: of executions that differ only by exchanging threads, some are
 * left out, and at least one is kept. */

/* If this literal is assumed, at least one arrangement of exchangeable threads remains (class and
 * block: see enumerator/search/search.h). hidden: exchange only threads whose registers the states
 * do not show. */
Lit sat_symmetry_break (const SatChoices *choices, const guint *class, const guint *block,
                        gboolean hidden);

/* ---- States --------------------------------------------------------------------------------- */

/* Final states: a literal for each value that an observable may have in the end. */

/* Per observable of the program. */
typedef struct SatStates {
  SatValuation *valuation;
  SatValues *observed; /* numbers */
  Lit *unknown;        /* its value is none of them; LIT_FALSE: never */
  Lit *open;           /* it is an initial one that is open */
  Lit **finals;        /* of a location, per event: it is the last write */
} SatStates;

SatStates *sat_states_new (SatValuation *valuation);

/* The literal of a value (of gint64, with a Lit each), which is added if it is missing. */
Lit sat_value_obtain (Circuit *circuit, GArray *values, GArray *lits, gint64 value);

/* Holds if the proposition may have this truth in the final state; exact unless it depends on
 * unknown values. */
Lit sat_states_may_be (const SatStates *states, const RspProp *prop, gboolean truth);

/* After SAT_YES: fills in the value of each observable. FALSE: some are open initial values. */
gboolean sat_states_read (const SatStates *states, RspValue *state);

/* Adds the literals of the state, without observables that only the filter needs. Values that are
 * unknown for another reason than that they are open have LIT_FALSE. */
void sat_states_describe (const SatStates *states, const RspValue *state, GArray *lits);
