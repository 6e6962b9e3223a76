/* Steps in words. */
#ifndef RSP_MACHINE_DSOM_DESCRIBE_H
#define RSP_MACHINE_DSOM_DESCRIBE_H

#include "machine/dsom/state.h"

/* As a system's `describe` (framework/system.h); data: DsomMachine. */
void dsom_describe (gpointer data, RspBytes from, guint i, GString *out);

/* Appends "WB b(13,4) from 0" and the like to the step's line, if there is one. */
void dsom_log (DsomMachine *m, const char *format, ...) G_GNUC_PRINTF (2, 3);
void dsom_log_range (DsomMachine *m, guint first, guint size);

#endif
