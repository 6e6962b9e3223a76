/* Executions as values. Part of rspcheck.h. */
#ifndef RSPCHECK_EXECUTION_H
#define RSPCHECK_EXECUTION_H

#include <glib-object.h>
#include <rspcheck-enums.h>

G_BEGIN_DECLS

#define RSPCHECK_TYPE_EVENT     (rspcheck_event_get_type ())
#define RSPCHECK_TYPE_RELATION  (rspcheck_relation_get_type ())
#define RSPCHECK_TYPE_EXECUTION (rspcheck_execution_get_type ())

/**
 * RspcheckEvent:
 *
 * A read, a write, both in one, a fence or a barrier of an execution.
 */
typedef struct RspcheckEvent RspcheckEvent;

/**
 * RspcheckRelation:
 *
 * A set or relation over the events of an execution. A set relates its events to themselves.
 */
typedef struct RspcheckRelation RspcheckRelation;

/**
 * RspcheckExecution:
 *
 * One way in which a program may run, whatever a model says of it: events, and relations over them.
 * Events are numbered from 0: initial writes first, then thread by thread in program order.
 */
typedef struct RspcheckExecution RspcheckExecution;

GType rspcheck_event_get_type (void) G_GNUC_CONST;
GType rspcheck_relation_get_type (void) G_GNUC_CONST;
GType rspcheck_execution_get_type (void) G_GNUC_CONST;

/* ---- Executions ------------------------------------------------------------------------------- */

/**
 * rspcheck_execution_ref:
 * @execution: an execution
 *
 * Adds a reference.
 *
 * Returns: (transfer full): the same execution
 */
RspcheckExecution *rspcheck_execution_ref (RspcheckExecution *execution);

/**
 * rspcheck_execution_unref:
 * @execution: (nullable) (transfer full): an execution
 *
 * Gives a reference back.
 */
void rspcheck_execution_unref (RspcheckExecution *execution);

/**
 * rspcheck_execution_n_events:
 * @execution: an execution
 *
 * Returns: the number of its events
 */
guint rspcheck_execution_n_events (const RspcheckExecution *execution);

/**
 * rspcheck_execution_event:
 * @execution: an execution
 * @i: an index below rspcheck_execution_n_events()
 *
 * Returns: (transfer full) (nullable): event number i
 */
RspcheckEvent *rspcheck_execution_event (const RspcheckExecution *execution, guint i);

/**
 * rspcheck_execution_n_relations:
 * @execution: an execution
 *
 * Returns: the number of its sets and relations
 */
guint rspcheck_execution_n_relations (const RspcheckExecution *execution);

/**
 * rspcheck_execution_relation:
 * @execution: an execution
 * @i: an index below rspcheck_execution_n_relations()
 *
 * Set or relation number i: first those of the execution itself (po, rf, co, fr, what the model
 * names without defining it, and the orders that it chooses), then those that the model defines.
 *
 * Returns: (transfer full) (nullable): the relation
 */
RspcheckRelation *rspcheck_execution_relation (const RspcheckExecution *execution, guint i);

/**
 * rspcheck_execution_find_relation:
 * @execution: an execution
 * @name: a name of the model, or of the execution itself
 *
 * Returns: (transfer full) (nullable): the relation of this name, or %NULL if there is none
 */
RspcheckRelation *rspcheck_execution_find_relation (const RspcheckExecution *execution,
                                                    const char *name);

/**
 * rspcheck_execution_state_names:
 * @execution: an execution
 *
 * The registers and locations of the final state.
 *
 * Returns: (transfer full) (array zero-terminated=1): names: "0:r0", "x"
 */
char **rspcheck_execution_state_names (const RspcheckExecution *execution);

/**
 * rspcheck_execution_state_values:
 * @execution: an execution
 *
 * Their values, in the same order.
 *
 * Returns: (transfer full) (array zero-terminated=1): values: "1", "-1", "x" for an address
 */
char **rspcheck_execution_state_values (const RspcheckExecution *execution);

/**
 * rspcheck_execution_failed:
 * @execution: an execution
 *
 * Which of the model's axioms it fails: none if the model allows it.
 *
 * Returns: (transfer full) (array zero-terminated=1): their names, as rspcheck_axiom_name() has
 * them
 */
char **rspcheck_execution_failed (const RspcheckExecution *execution);

/**
 * rspcheck_execution_raised:
 * @execution: an execution
 *
 * Which flags it raises.
 *
 * Returns: (transfer full) (array zero-terminated=1): their names
 */
char **rspcheck_execution_raised (const RspcheckExecution *execution);

/**
 * rspcheck_execution_text:
 * @execution: an execution
 *
 * The execution for people: one column per thread, reads-from and coherence below.
 *
 * Returns: (transfer full): lines of text
 */
char *rspcheck_execution_text (const RspcheckExecution *execution);

/**
 * rspcheck_execution_dot:
 * @execution: an execution
 * @title: (nullable): the picture's label
 *
 * The execution as a graph for Graphviz, the same text for the same execution.
 *
 * Returns: (transfer full): a graph in the language DOT
 */
char *rspcheck_execution_dot (const RspcheckExecution *execution, const char *title);

/* ---- Events ----------------------------------------------------------------------------------- */

/**
 * rspcheck_event_ref:
 * @event: an event
 *
 * Adds a reference.
 *
 * Returns: (transfer full): the same event
 */
RspcheckEvent *rspcheck_event_ref (RspcheckEvent *event);

/**
 * rspcheck_event_unref:
 * @event: (nullable) (transfer full): an event
 *
 * Gives a reference back.
 */
void rspcheck_event_unref (RspcheckEvent *event);

/**
 * rspcheck_event_id:
 * @event: an event
 *
 * A short name: "a", "b", …; "i0", … for initial writes.
 *
 * Returns: (transfer none) (nullable): the name; %NULL for an event of rspcheck_result_flag_event()
 */
const char *rspcheck_event_id (const RspcheckEvent *event);

/**
 * rspcheck_event_thread:
 * @event: an event
 *
 * Returns: the number of its thread (0 for P0), or -1 for an initial write
 */
int rspcheck_event_thread (const RspcheckEvent *event);

/**
 * rspcheck_event_line:
 * @event: an event
 *
 * Returns: its line in the test's text, from 1; 0 if it is nowhere there
 */
guint rspcheck_event_line (const RspcheckEvent *event);

/**
 * rspcheck_event_column:
 * @event: an event
 *
 * Returns: its column in that line, from 1; 0 if it is nowhere there
 */
guint rspcheck_event_column (const RspcheckEvent *event);

/**
 * rspcheck_event_source:
 * @event: an event
 *
 * Returns: (transfer none): the access, fence or barrier as the test has it: "*x = 1"
 */
const char *rspcheck_event_source (const RspcheckEvent *event);

/**
 * rspcheck_event_text:
 * @event: an event
 *
 * Returns: (transfer none) (nullable): "R(acq,dev)x=1"; %NULL for an event of
 *   rspcheck_result_flag_event()
 */
const char *rspcheck_event_text (const RspcheckEvent *event);

/**
 * rspcheck_event_sets:
 * @event: an event
 *
 * The base sets that it is in: "R", "A", "ACQ", …
 *
 * Returns: (transfer full) (array zero-terminated=1): their names
 */
char **rspcheck_event_sets (const RspcheckEvent *event);

/**
 * rspcheck_event_location:
 * @event: an event
 *
 * Returns: (transfer none) (nullable): the location that it accesses, if any
 */
const char *rspcheck_event_location (const RspcheckEvent *event);

/**
 * rspcheck_event_read:
 * @event: an event
 *
 * Returns: (transfer none) (nullable): the value that it reads, if any
 */
const char *rspcheck_event_read (const RspcheckEvent *event);

/**
 * rspcheck_event_written:
 * @event: an event
 *
 * Returns: (transfer none) (nullable): the value that it writes, if any
 */
const char *rspcheck_event_written (const RspcheckEvent *event);

/* ---- Relations -------------------------------------------------------------------------------- */

/**
 * rspcheck_relation_ref:
 * @relation: a relation
 *
 * Adds a reference.
 *
 * Returns: (transfer full): the same relation
 */
RspcheckRelation *rspcheck_relation_ref (RspcheckRelation *relation);

/**
 * rspcheck_relation_unref:
 * @relation: (nullable) (transfer full): a relation
 *
 * Gives a reference back.
 */
void rspcheck_relation_unref (RspcheckRelation *relation);

/**
 * rspcheck_relation_name:
 * @relation: a relation
 *
 * Returns: (transfer none): its name
 */
const char *rspcheck_relation_name (const RspcheckRelation *relation);

/**
 * rspcheck_relation_is_set:
 * @relation: a relation
 *
 * Returns: whether it is a set of events
 */
gboolean rspcheck_relation_is_set (const RspcheckRelation *relation);

/**
 * rspcheck_relation_is_defined:
 * @relation: a relation
 *
 * Returns: whether the model defines it; %FALSE for those of the execution itself
 */
gboolean rspcheck_relation_is_defined (const RspcheckRelation *relation);

/**
 * rspcheck_relation_holds:
 * @relation: a relation
 * @from: number of an event of its execution
 * @to: number of an event of its execution
 *
 * Returns: whether it relates them
 */
gboolean rspcheck_relation_holds (const RspcheckRelation *relation, guint from, guint to);

/**
 * rspcheck_relation_pairs:
 * @relation: a relation
 * @n: (out): twice the number of its pairs
 *
 * All its pairs: the number of an event, the number of an event that it is related to, and so on.
 *
 * Returns: (transfer full) (array length=n): numbers of events
 */
guint *rspcheck_relation_pairs (const RspcheckRelation *relation, gsize *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspcheckEvent, rspcheck_event_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspcheckRelation, rspcheck_relation_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspcheckExecution, rspcheck_execution_unref)

G_END_DECLS

#endif
