#pragma once

#include "base/base.h"
#include "enumerator/execution.h"
#include "enumerator/terms/terms.h"

/* ---- Final state ---------------------------------------------------------------------------- */

/* Completes a final state, in which rsp_values_solve has filled the registers: the value of each
 * observable that is a location, from the final write per location (last[location], G_MAXUINT if
 * no event accesses it). state has n_observables entries. */
void rsp_final_state (const RspPreExecution *pre, const RspValue *written, const guint *last,
                      RspValue *state);

enum { RSP_MAX_COMPARED = 32 };

/* The numbers that the condition and the filter compare with observables, and where they compare
 * two of these, the initial values, in the order of their first appearance; of more than there is
 * room for, the first. Returns how many. RspValue.excluded says which of these numbers an
 * undetermined value cannot be. */
guint rsp_compared_numbers (const RspProgram *program, gint64 numbers[RSP_MAX_COMPARED]);

/* The truth of an atom's comparison. RSP_OPEN if it depends on what an undetermined value is: such
 * a value equals itself and differs from itself plus an offset; any number that it is not known not
 * to be, and another undetermined value, may equal it or not. */
RspTruth rsp_atom_truth (const RspProgram *program, const RspProp *atom, RspValue left,
                         RspValue right);

/* Sets last, per location, in each possible way: one of its co-maximal writes if a final state
 * shows the location (there are several only where coherence is partial), else the first of them;
 * G_MAXUINT for a location without writes. Calls visit each time. */
void rsp_final_writes_each (const RspPreExecution *pre, const RspMatrix *co, guint *last,
                            void (*visit) (gpointer data), gpointer data);

/* What a location holds at the end that the event has written last (G_MAXUINT: none has), by the
 * value per event. Where that is any value, or depends on unknown functions, it is undetermined. */
RspValue rsp_final_value (const RspPreExecution *pre, guint location, guint event,
                          const RspValue *written);

/* Do final states have the location's value? */
gboolean rsp_location_is_shown (const RspProgram *program, guint location);

/* The truth of a proposition about the program in a state. RSP_OPEN if it depends on undetermined
 * values, of which the filter, if there is one, is known to hold. */
RspTruth rsp_state_truth (const RspProgram *program, const RspProp *prop, const RspValue *state);

/* The same for a state in another form, whose value of an observable value_of returns. */
RspTruth rsp_state_truth_in (const RspProgram *program, const RspProp *prop,
                             RspValue (*value_of) (gconstpointer state, guint observable),
                             gconstpointer state);

/* Of a copy of a program: final states are of memory alone, without a filter or a condition. Which
 * locations are observed stays, since models see it (FW, co0). */
void rsp_program_hide_registers (RspProgram *program);

/* ---- Solver --------------------------------------------------------------------------------- */

/* Private to this folder: how rsp_values_solve works. */

/* A solution in progress. Arrays are per event of the pre-execution. */
typedef struct RspSolver {
  const RspPreExecution *pre;
  const guint *source; /* per read */
  RspValue *values;    /* per read, if known */
  gboolean *known;
  RspCompounds compounds; /* numbers all undetermined values */
  GArray *bound; /* of RspBoundTerm: the terms that cycles write; NULL while there are none */
  guint *stack;
  guint8 *on_stack;
  guint8 *pinned; /* per read: does its value come from a constraint of a path? */
} RspSolver;

/* ---- Values --------------------------------------------------------------------------------- */

/* Do some values justify each other in a cycle? */
typedef enum RspThinAir {
  RSP_NO_THIN_AIR,
  RSP_THIN_AIR_DETERMINED, /* the paths' constraints determine them: a branch was taken because r ==
                              42 */
  RSP_THIN_AIR_UNDETERMINED /* some may be several numbers */
} RspThinAir;

/* Solves the values of a complete reads-from: source[e] is the write that event e reads from (reads
 * only). Fills values[e] with what each event reads (reads and RMWs), written[e] with what it
 * writes (writes and RMWs), and state[i] with the value of each observable that is a register.
 * FALSE if no values satisfy the equations and all paths' constraints. Values in a cycle stay
 * undetermined (RspValue.unknown, numbered from 1 in order of the first event) unless a constraint
 * says which number one is; a constraint whose truth depends on them may hold. */
gboolean rsp_values_solve (const RspPreExecution *pre, const guint *source, RspValue *values,
                           RspValue *written, RspValue *state, RspThinAir *thin_air);

/* The same of an execution whose reads-from is chosen: fills its values, written, state and
 * thin_air, in arena. */
gboolean rsp_execution_solve (RspExecution *execution, RspArena *arena);
