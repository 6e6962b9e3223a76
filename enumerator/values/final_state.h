#ifndef RSP_ENUMERATOR_VALUES_FINAL_STATE_H
#define RSP_ENUMERATOR_VALUES_FINAL_STATE_H

#include "enumerator/pre_execution.h"

/* Completes a final state, in which rsp_values_solve has filled the registers: the value of each
 * observable that is a location, from the co-last write per location (last[location], G_MAXUINT if
 * no event accesses it). state has n_observables entries. */
void rsp_final_state (const RspPreExecution *pre, const RspValue *written, const guint *last,
                      RspValue *state);

/* Does a proposition hold in a state? */
gboolean rsp_prop_holds (const RspProp *prop, const RspValue *state);

#endif
