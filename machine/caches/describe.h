/* Steps in words. */
#pragma once

#include "machine/caches/state.h"

void caches_describe (gpointer data, RspBytes from, guint i, GString *out);
