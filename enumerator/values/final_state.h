#pragma once

#include "base/truth.h"
#include "enumerator/pre_execution.h"

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
