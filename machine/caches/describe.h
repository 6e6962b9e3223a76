/* Steps in words. */
#ifndef RSP_MACHINE_CACHES_DESCRIBE_H
#define RSP_MACHINE_CACHES_DESCRIBE_H

#include "machine/caches/state.h"

/* Appends a part to the step's line. Does nothing without a log. */
void caches_note (Caches *m, const State *s, const char *format, ...) G_GNUC_PRINTF (3, 4);
void caches_describe (gpointer data, RspBytes from, guint i, GString *out);

#endif
