/* Steps in words. */
#ifndef RSP_MACHINE_DSOM_DESCRIBE_H
#define RSP_MACHINE_DSOM_DESCRIBE_H

#include "machine/dsom/state.h"

/* As a system's `describe` (framework/system.h); data: DsomMachine. */
void dsom_describe (gpointer data, RspBytes from, guint i, GString *out);

#endif
