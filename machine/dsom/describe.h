/* Steps in words. */
#pragma once

#include "machine/dsom/state.h"

/* As a system's `describe` (framework/system.h); data: DsomMachine. */
void dsom_describe (gpointer data, RspBytes from, guint i, GString *out);
