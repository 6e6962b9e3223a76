/* Steps in words. */
#ifndef RSP_MACHINE_CACHES_DESCRIBE_H
#define RSP_MACHINE_CACHES_DESCRIBE_H

#include "machine/caches/state.h"

void caches_describe (gpointer data, RspBytes from, guint i, GString *out);

#endif
