/* Why a model allows, forbids or leaves undefined what a test may do. Part of rspcheck.h. */
#ifndef RSPCHECK_EXPLANATION_H
#define RSPCHECK_EXPLANATION_H

#include <glib-object.h>
#include <rspcheck-enums.h>
#include <rspcheck-execution.h>

G_BEGIN_DECLS

#define RSPCHECK_TYPE_EXPLANATION (rspcheck_explanation_get_type ())
#define RSPCHECK_TYPE_BLAME       (rspcheck_blame_get_type ())
#define RSPCHECK_TYPE_VIOLATION   (rspcheck_violation_get_type ())
#define RSPCHECK_TYPE_STEP        (rspcheck_step_get_type ())
#define RSPCHECK_TYPE_FLAG_REASON (rspcheck_flag_reason_get_type ())

/**
 * RspcheckExplanation:
 *
 * Why an outcome is allowed or not: a witness, or blame.
 */
typedef struct RspcheckExplanation RspcheckExplanation;

/**
 * RspcheckBlame:
 *
 * A minimal set of axioms without which the model allows the outcome, with an execution that fails
 * just these.
 */
typedef struct RspcheckBlame RspcheckBlame;

/**
 * RspcheckViolation:
 *
 * How an execution fails an axiom: a cycle, an event related to itself, or a pair of what should be
 * empty.
 */
typedef struct RspcheckViolation RspcheckViolation;

/**
 * RspcheckStep:
 *
 * An edge between two events, and how it follows from steps of its own; or an edge that is absent,
 * and what is missing. A member of a set is an edge from the event to itself.
 */
typedef struct RspcheckStep RspcheckStep;

/**
 * RspcheckFlagReason:
 *
 * Why a flag is raised.
 */
typedef struct RspcheckFlagReason RspcheckFlagReason;

GType rspcheck_explanation_get_type (void) G_GNUC_CONST;
GType rspcheck_blame_get_type (void) G_GNUC_CONST;
GType rspcheck_violation_get_type (void) G_GNUC_CONST;
GType rspcheck_step_get_type (void) G_GNUC_CONST;
GType rspcheck_flag_reason_get_type (void) G_GNUC_CONST;

/* ---- Explanations of an outcome --------------------------------------------------------------- */

/**
 * rspcheck_explanation_ref:
 * @explanation: an explanation
 *
 * Adds a reference.
 *
 * Returns: (transfer full): the same explanation
 */
RspcheckExplanation *rspcheck_explanation_ref (RspcheckExplanation *explanation);

/**
 * rspcheck_explanation_unref:
 * @explanation: (nullable) (transfer full): an explanation
 *
 * Gives a reference back.
 */
void rspcheck_explanation_unref (RspcheckExplanation *explanation);

/**
 * rspcheck_explanation_question:
 * @explanation: an explanation
 *
 * Returns: (transfer none): the outcome that it is about: "1:r0=1 /\ 1:r1=0"
 */
const char *rspcheck_explanation_question (const RspcheckExplanation *explanation);

/**
 * rspcheck_explanation_answer:
 * @explanation: an explanation
 *
 * Returns: what the model says of the outcome
 */
RspcheckAnswer rspcheck_explanation_answer (const RspcheckExplanation *explanation);

/**
 * rspcheck_explanation_reasons:
 * @explanation: an explanation
 *
 * Of an unreachable outcome, what cannot come about; of an unknown one, why the search ended.
 *
 * Returns: (transfer full) (array zero-terminated=1): sentences
 */
char **rspcheck_explanation_reasons (const RspcheckExplanation *explanation);

/**
 * rspcheck_explanation_witness:
 * @explanation: an explanation
 *
 * Returns: (transfer full) (nullable): an execution with the outcome, if it is allowed
 */
RspcheckExecution *rspcheck_explanation_witness (const RspcheckExplanation *explanation);

/**
 * rspcheck_explanation_n_steps:
 * @explanation: an explanation
 *
 * Returns: the number of the steps of rspcheck_explanation_witness(): edges between threads of what
 * the model orders by a name of its own (its happens-before), without those that follow from others
 */
guint rspcheck_explanation_n_steps (const RspcheckExplanation *explanation);

/**
 * rspcheck_explanation_step:
 * @explanation: an explanation
 * @i: an index below rspcheck_explanation_n_steps()
 *
 * Returns: (transfer full) (nullable): step number i of the witness
 */
RspcheckStep *rspcheck_explanation_step (const RspcheckExplanation *explanation, guint i);

/**
 * rspcheck_explanation_n_blames:
 * @explanation: an explanation
 *
 * Returns: the number of its minimal sets of axioms; 0 unless the outcome is forbidden
 */
guint rspcheck_explanation_n_blames (const RspcheckExplanation *explanation);

/**
 * rspcheck_explanation_blame:
 * @explanation: an explanation
 * @i: an index below rspcheck_explanation_n_blames()
 *
 * Returns: (transfer full) (nullable): minimal set number i, smallest first
 */
RspcheckBlame *rspcheck_explanation_blame (const RspcheckExplanation *explanation, guint i);

/**
 * rspcheck_explanation_has_more:
 * @explanation: an explanation
 *
 * Returns: whether there may be further minimal sets, none smaller than those given
 */
gboolean rspcheck_explanation_has_more (const RspcheckExplanation *explanation);

/* ---- Blame and violations --------------------------------------------------------------------- */

/**
 * rspcheck_blame_ref:
 * @blame: a minimal set of axioms
 *
 * Adds a reference.
 *
 * Returns: (transfer full): the same blame
 */
RspcheckBlame *rspcheck_blame_ref (RspcheckBlame *blame);

/**
 * rspcheck_blame_unref:
 * @blame: (nullable) (transfer full): a minimal set of axioms
 *
 * Gives a reference back.
 */
void rspcheck_blame_unref (RspcheckBlame *blame);

/**
 * rspcheck_blame_axioms:
 * @blame: a minimal set of axioms
 *
 * Returns: (transfer full) (array zero-terminated=1): names of the axioms, in the model's order, as
 *   rspcheck_options_skip() takes them
 */
char **rspcheck_blame_axioms (const RspcheckBlame *blame);

/**
 * rspcheck_blame_candidates:
 * @blame: a minimal set of axioms
 *
 * Returns: the number of executions with the outcome that fail just these axioms; %G_MAXUINT64 if
 * they are too many to count
 */
guint64 rspcheck_blame_candidates (const RspcheckBlame *blame);

/**
 * rspcheck_blame_execution:
 * @blame: a minimal set of axioms
 *
 * Returns: (transfer full) (nullable): one of these executions
 */
RspcheckExecution *rspcheck_blame_execution (const RspcheckBlame *blame);

/**
 * rspcheck_blame_n_violations:
 * @blame: a minimal set of axioms
 *
 * Returns: the number of its violations: one per axiom
 */
guint rspcheck_blame_n_violations (const RspcheckBlame *blame);

/**
 * rspcheck_blame_violation:
 * @blame: a minimal set of axioms
 * @i: an index below rspcheck_blame_n_violations()
 *
 * Returns: (transfer full) (nullable): how rspcheck_blame_execution() fails axiom number i
 */
RspcheckViolation *rspcheck_blame_violation (const RspcheckBlame *blame, guint i);

/**
 * rspcheck_violation_ref:
 * @violation: a violation
 *
 * Adds a reference.
 *
 * Returns: (transfer full): the same violation
 */
RspcheckViolation *rspcheck_violation_ref (RspcheckViolation *violation);

/**
 * rspcheck_violation_unref:
 * @violation: (nullable) (transfer full): a violation
 *
 * Gives a reference back.
 */
void rspcheck_violation_unref (RspcheckViolation *violation);

/**
 * rspcheck_violation_axiom:
 * @violation: a violation
 *
 * Returns: (transfer none): the name of the axiom
 */
const char *rspcheck_violation_axiom (const RspcheckViolation *violation);

/**
 * rspcheck_violation_kind:
 * @violation: a violation
 *
 * Returns: what the axiom demands
 */
RspcheckAxiomKind rspcheck_violation_kind (const RspcheckViolation *violation);

/**
 * rspcheck_violation_is_negated:
 * @violation: a violation
 *
 * Returns: whether the axiom is negated: then it fails because nothing is there, and there
 *   are no steps
 */
gboolean rspcheck_violation_is_negated (const RspcheckViolation *violation);

/**
 * rspcheck_violation_relation:
 * @violation: a violation
 *
 * Returns: (transfer none): the set or relation that is checked, as the model has it
 */
const char *rspcheck_violation_relation (const RspcheckViolation *violation);

/**
 * rspcheck_violation_file:
 * @violation: a violation
 *
 * Returns: (transfer none) (type filename): the file that has the axiom
 */
const char *rspcheck_violation_file (const RspcheckViolation *violation);

/**
 * rspcheck_violation_line:
 * @violation: a violation
 *
 * Returns: the line of the axiom in that file
 */
guint rspcheck_violation_line (const RspcheckViolation *violation);

/**
 * rspcheck_violation_n_steps:
 * @violation: a violation
 *
 * Returns: the number of its edges
 */
guint rspcheck_violation_n_steps (const RspcheckViolation *violation);

/**
 * rspcheck_violation_step:
 * @violation: a violation
 * @i: an index below rspcheck_violation_n_steps()
 *
 * Of `acyclic`, edges end to end that lead back to the first; of others, one edge.
 *
 * Returns: (transfer full) (nullable): edge number i
 */
RspcheckStep *rspcheck_violation_step (const RspcheckViolation *violation, guint i);

/* ---- Steps ------------------------------------------------------------------------------------ */

/**
 * rspcheck_step_ref:
 * @step: a step
 *
 * Adds a reference.
 *
 * Returns: (transfer full): the same step
 */
RspcheckStep *rspcheck_step_ref (RspcheckStep *step);

/**
 * rspcheck_step_unref:
 * @step: (nullable) (transfer full): a step
 *
 * Gives a reference back.
 */
void rspcheck_step_unref (RspcheckStep *step);

/**
 * rspcheck_step_start:
 * @step: a step
 *
 * Returns: the number of the event where the edge begins, in the execution that is explained
 */
guint rspcheck_step_start (const RspcheckStep *step);

/**
 * rspcheck_step_end:
 * @step: a step
 *
 * Returns: the number of the event where it ends
 */
guint rspcheck_step_end (const RspcheckStep *step);

/**
 * rspcheck_step_relation:
 * @step: a step
 *
 * Returns: (transfer none): a name of the model, else the expression
 */
const char *rspcheck_step_relation (const RspcheckStep *step);

/**
 * rspcheck_step_is_set:
 * @step: a step
 *
 * Returns: whether this is a set, and the step a member of it
 */
gboolean rspcheck_step_is_set (const RspcheckStep *step);

/**
 * rspcheck_step_is_absent:
 * @step: a step
 *
 * Returns: whether the edge is absent: then its steps are what is missing to make it an edge
 */
gboolean rspcheck_step_is_absent (const RspcheckStep *step);

/**
 * rspcheck_step_operator:
 * @step: a step
 *
 * Returns: (transfer none): how the edge follows from its steps: "base", "union", "sequence",
 *   "closure", … (see `as` in schema.json)
 */
const char *rspcheck_step_operator (const RspcheckStep *step);

/**
 * rspcheck_step_n_steps:
 * @step: a step
 *
 * Returns: the number of steps that it follows from; 0 for a base relation
 */
guint rspcheck_step_n_steps (const RspcheckStep *step);

/**
 * rspcheck_step_step:
 * @step: a step
 * @i: an index below rspcheck_step_n_steps()
 *
 * Returns: (transfer full) (nullable): step number i that it follows from
 */
RspcheckStep *rspcheck_step_step (const RspcheckStep *step, guint i);

/* ---- Flags ------------------------------------------------------------------------------------ */

/**
 * rspcheck_flag_reason_ref:
 * @reason: a reason
 *
 * Adds a reference.
 *
 * Returns: (transfer full): the same reason
 */
RspcheckFlagReason *rspcheck_flag_reason_ref (RspcheckFlagReason *reason);

/**
 * rspcheck_flag_reason_unref:
 * @reason: (nullable) (transfer full): a reason
 *
 * Gives a reference back.
 */
void rspcheck_flag_reason_unref (RspcheckFlagReason *reason);

/**
 * rspcheck_flag_reason_flag:
 * @reason: a reason
 *
 * Returns: (transfer none): the flag's name
 */
const char *rspcheck_flag_reason_flag (const RspcheckFlagReason *reason);

/**
 * rspcheck_flag_reason_is_undefined:
 * @reason: a reason
 *
 * Returns: whether the flag makes the program undefined
 */
gboolean rspcheck_flag_reason_is_undefined (const RspcheckFlagReason *reason);

/**
 * rspcheck_flag_reason_execution:
 * @reason: a reason
 *
 * Returns: (transfer full) (nullable): an execution that raises the flag
 */
RspcheckExecution *rspcheck_flag_reason_execution (const RspcheckFlagReason *reason);

/**
 * rspcheck_flag_reason_pair:
 * @reason: a reason
 * @from: (out) (optional): number of an event of the execution
 * @to: (out) (optional): number of another; the same where the flag is about one event
 *
 * The events that the flag is about: the two accesses of a race.
 *
 * Returns: %FALSE if the flag is not about events
 */
gboolean rspcheck_flag_reason_pair (const RspcheckFlagReason *reason, guint *from, guint *to);

/**
 * rspcheck_flag_reason_n_steps:
 * @reason: a reason
 *
 * Returns: the number of edges that hold of the pair and matter
 */
guint rspcheck_flag_reason_n_steps (const RspcheckFlagReason *reason);

/**
 * rspcheck_flag_reason_step:
 * @reason: a reason
 * @i: an index below rspcheck_flag_reason_n_steps()
 *
 * Returns: (transfer full) (nullable): edge number i that holds
 */
RspcheckStep *rspcheck_flag_reason_step (const RspcheckFlagReason *reason, guint i);

/**
 * rspcheck_flag_reason_n_absent:
 * @reason: a reason
 *
 * Returns: the number of edges that do not hold of the pair and would have kept the flag down
 */
guint rspcheck_flag_reason_n_absent (const RspcheckFlagReason *reason);

/**
 * rspcheck_flag_reason_absent:
 * @reason: a reason
 * @i: an index below rspcheck_flag_reason_n_absent()
 *
 * Returns: (transfer full) (nullable): edge number i that does not hold
 */
RspcheckStep *rspcheck_flag_reason_absent (const RspcheckFlagReason *reason, guint i);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspcheckExplanation, rspcheck_explanation_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspcheckBlame, rspcheck_blame_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspcheckViolation, rspcheck_violation_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspcheckStep, rspcheck_step_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspcheckFlagReason, rspcheck_flag_reason_unref)

G_END_DECLS

#endif
