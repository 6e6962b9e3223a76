/* The steps of commands. */
#pragma once

#include "machine/dsom/state.h"

/* Performs the next step of a command; of a blocking one, all consecutive steps. FALSE if it has
 * none now. Sets m->bill. */
gboolean dsom_step (DsomMachine *m, DsomState *s, guint c);
/* "I1" … "I5": an invariant that the state violates, or NULL. I3 is that all valid copies hold the
 * latest value; the others are in table.h. */
const char *dsom_violated (gpointer machine, RspBytes state);
/* As a system's `expand` (framework/system.h); data: DsomMachine. */
RspEnd dsom_expand (gpointer data, RspBytes state, RspSuccessors *successors);
