#pragma once

#include "enumerator/pre_execution.h"

/* Completes a final state, in which rsp_values_solve has filled the registers: the value of each
 * observable that is a location, from the final write per location (last[location], G_MAXUINT if
 * no event accesses it). state has n_observables entries. */
void rsp_final_state (const RspPreExecution *pre, const RspValue *written, const guint *last,
                      RspValue *state);

/* Does the comparison of an atom hold? Undetermined values are less than nothing. */
gboolean rsp_atom_holds (const RspProp *atom, RspValue left, RspValue right);

/* Sets last, per location, in each possible way: one of its co-maximal writes if a final state shows
 * the location (there are several only where coherence is partial), else the first of them;
 * G_MAXUINT for a location without writes. Calls visit each time. */
void rsp_final_writes_each (const RspPreExecution *pre, const RspMatrix *co, guint *last,
                            void (*visit) (gpointer data), gpointer data);

/* Do final states have the location's value? */
gboolean rsp_location_is_shown (const RspProgram *program, guint location);

/* Does a proposition hold in a state? */
gboolean rsp_prop_holds (const RspProp *prop, const RspValue *state);
/* The same for a state in another form, whose value of an observable value_of returns. */
gboolean rsp_prop_holds_in (const RspProp *prop,
                            RspValue (*value_of) (gconstpointer state, guint observable),
                            gconstpointer state);

/* Of a copy of a program: final states are of memory alone, without a filter or a condition. Which locations are
 * observed stays, since models see it (FW, co0). */
void rsp_program_hide_registers (RspProgram *program);
