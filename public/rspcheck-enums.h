/* The enumerations of librspcheck, which the program's own folders use too. Included by rspcheck.h.
 */
#ifndef RSPCHECK_ENUMS_H
#define RSPCHECK_ENUMS_H

#include <glib.h>

G_BEGIN_DECLS

/* ---- How to check ----------------------------------------------------------------------------- */

/**
 * RspcheckEngine:
 * @RSPCHECK_ENGINE_BOUNDED: asks the model during the search
 * @RSPCHECK_ENGINE_NAIVE: builds every candidate execution and then asks: slow and obvious
 * @RSPCHECK_ENGINE_SAT: asks a SAT solver for final states and flags; each state counts as one
 * execution
 * @RSPCHECK_ENGINE_AUTO: as SAT in a hurried search (see #RspcheckSpeed) of a test whose threads
 * have many paths, if the solver can decide it, and otherwise as BOUNDED
 *
 * How executions are searched.
 */
typedef enum RspcheckEngine {
  RSPCHECK_ENGINE_BOUNDED,
  RSPCHECK_ENGINE_NAIVE,
  RSPCHECK_ENGINE_SAT,
  RSPCHECK_ENGINE_AUTO
} RspcheckEngine;

/**
 * RspcheckThrough:
 * @RSPCHECK_THROUGH_NONE: none
 * @RSPCHECK_THROUGH_INVALID: those that fail a named axiom
 * @RSPCHECK_THROUGH_ALL: all
 *
 * Which executions count although the model forbids them (herd's `-through`).
 */
typedef enum RspcheckThrough {
  RSPCHECK_THROUGH_NONE,
  RSPCHECK_THROUGH_INVALID,
  RSPCHECK_THROUGH_ALL
} RspcheckThrough;

/**
 * RspcheckSpeed:
 * @RSPCHECK_SPEED_EXACT: after every execution: all are counted
 * @RSPCHECK_SPEED_TRUE: after every execution that satisfies the condition (that refutes it, for
 *   `forall`): only those are looked for
 * @RSPCHECK_SPEED_FAST: after the first of them
 *
 * When a search ends. After a hurried search (all but exact) the counts are of what was seen until
 * then, and the observation is never RSPCHECK_ALWAYS.
 */
typedef enum RspcheckSpeed {
  RSPCHECK_SPEED_EXACT,
  RSPCHECK_SPEED_TRUE,
  RSPCHECK_SPEED_FAST
} RspcheckSpeed;

/**
 * RspcheckCasWriteback:
 * @RSPCHECK_CAS_WRITEBACK_DEFAULT: in C tests, as the standard says; not in OpenCL tests, as
 *   published ones mean it
 * @RSPCHECK_CAS_WRITEBACK_ALWAYS: in all tests
 * @RSPCHECK_CAS_WRITEBACK_NEVER: in no test
 *
 * Does a failing compare-exchange write what it found to *expected?
 */
typedef enum RspcheckCasWriteback {
  RSPCHECK_CAS_WRITEBACK_DEFAULT,
  RSPCHECK_CAS_WRITEBACK_ALWAYS,
  RSPCHECK_CAS_WRITEBACK_NEVER
} RspcheckCasWriteback;

/**
 * RspcheckSpin:
 * @RSPCHECK_SPIN_ALL: as many as the loop is unrolled
 * @RSPCHECK_SPIN_LAST: the last one, where the model permits it; the answer is then about all
 *   executions, and a wait that may last for ever raises the flag never_ends
 *
 * Which rounds are kept of a loop that only waits.
 */
typedef enum RspcheckSpin { RSPCHECK_SPIN_ALL, RSPCHECK_SPIN_LAST } RspcheckSpin;

/**
 * RspcheckShow:
 * @RSPCHECK_SHOW_NONE: none
 * @RSPCHECK_SHOW_ALL: all that the model allows
 * @RSPCHECK_SHOW_PROP: those of which the proposition holds
 * @RSPCHECK_SHOW_NEG: those of which it does not hold
 * @RSPCHECK_SHOW_WIT: those that decide the question: of forall the refutations, else as PROP
 * @RSPCHECK_SHOW_COND: those that agree with the condition: as PROP, but as NEG for ~exists
 * @RSPCHECK_SHOW_FLAG: those that raise a flag
 *
 * Which executions to hand out.
 */
typedef enum RspcheckShow {
  RSPCHECK_SHOW_NONE,
  RSPCHECK_SHOW_ALL,
  RSPCHECK_SHOW_PROP,
  RSPCHECK_SHOW_NEG,
  RSPCHECK_SHOW_WIT,
  RSPCHECK_SHOW_COND,
  RSPCHECK_SHOW_FLAG
} RspcheckShow;

/* ---- What comes out --------------------------------------------------------------------------- */

/**
 * RspcheckStop:
 * @RSPCHECK_STOP_COMPLETE: every execution was seen
 * @RSPCHECK_STOP_FOUND: a hurried search has its answer
 * @RSPCHECK_STOP_TIMEOUT: no answer: the time limit was reached
 * @RSPCHECK_STOP_EXECUTIONS: no answer: the limit of executions was reached
 * @RSPCHECK_STOP_MEMORY: no answer: the limit of memory was reached
 * @RSPCHECK_STOP_ERROR: no answer: the model failed on this test, too many paths, …
 *
 * Why a check ended.
 */
typedef enum RspcheckStop {
  RSPCHECK_STOP_COMPLETE,
  RSPCHECK_STOP_FOUND,
  RSPCHECK_STOP_TIMEOUT,
  RSPCHECK_STOP_EXECUTIONS,
  RSPCHECK_STOP_MEMORY,
  RSPCHECK_STOP_ERROR
} RspcheckStop;

/**
 * RspcheckObservation:
 * @RSPCHECK_NEVER: no execution satisfies the condition's proposition
 * @RSPCHECK_SOMETIMES: some do and some do not
 * @RSPCHECK_ALWAYS: all do, and there is one
 *
 * How often the condition's proposition holds.
 */
typedef enum RspcheckObservation {
  RSPCHECK_NEVER,
  RSPCHECK_SOMETIMES,
  RSPCHECK_ALWAYS
} RspcheckObservation;

/**
 * RspcheckAnswer:
 * @RSPCHECK_ANSWER_ALLOWED: some execution of the model has the outcome
 * @RSPCHECK_ANSWER_FORBIDDEN: candidate executions have it, and the model forbids them all
 * @RSPCHECK_ANSWER_UNREACHABLE: no candidate execution has it, whatever a model says
 * @RSPCHECK_ANSWER_UNKNOWN: a limit ended the search
 *
 * What an explanation says of an outcome.
 */
typedef enum RspcheckAnswer {
  RSPCHECK_ANSWER_ALLOWED,
  RSPCHECK_ANSWER_FORBIDDEN,
  RSPCHECK_ANSWER_UNREACHABLE,
  RSPCHECK_ANSWER_UNKNOWN
} RspcheckAnswer;

/* ---- Models ----------------------------------------------------------------------------------- */

/**
 * RspcheckAxiomKind:
 * @RSPCHECK_AXIOM_ACYCLIC: a relation has no cycle
 * @RSPCHECK_AXIOM_IRREFLEXIVE: a relation relates no event to itself
 * @RSPCHECK_AXIOM_EMPTY: a set or relation is empty
 *
 * What an axiom of a model demands.
 */
typedef enum RspcheckAxiomKind {
  RSPCHECK_AXIOM_ACYCLIC,
  RSPCHECK_AXIOM_IRREFLEXIVE,
  RSPCHECK_AXIOM_EMPTY
} RspcheckAxiomKind;

/**
 * RspcheckAxiomRole:
 * @RSPCHECK_ROLE_AXIOM: the execution is forbidden
 * @RSPCHECK_ROLE_UNDEFINED_UNLESS: the program is undefined (also herd's `requires`)
 * @RSPCHECK_ROLE_FLAG: nothing; a flag is raised when the axiom holds (herd7's `flag`)
 * @RSPCHECK_ROLE_ASSERT: the model itself is wrong, which is an error
 * @RSPCHECK_ROLE_WARN_UNLESS: nothing; there is a warning at each of the test's operations that
 *   break it (`empty` of a set that the program alone decides)
 *
 * What follows for an execution that fails an axiom of a model.
 */
typedef enum RspcheckAxiomRole {
  RSPCHECK_ROLE_AXIOM,
  RSPCHECK_ROLE_UNDEFINED_UNLESS,
  RSPCHECK_ROLE_FLAG,
  RSPCHECK_ROLE_ASSERT,
  RSPCHECK_ROLE_WARN_UNLESS
} RspcheckAxiomRole;

G_END_DECLS

#endif
