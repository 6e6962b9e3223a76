/* What must hold in every state. */
#pragma once

#include "machine/caches/state.h"

const char *caches_violated (gpointer data, RspBytes bytes);
