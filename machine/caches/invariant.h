/* What must hold in every state. */
#ifndef RSP_MACHINE_CACHES_INVARIANT_H
#define RSP_MACHINE_CACHES_INVARIANT_H

#include "machine/caches/state.h"

const char *caches_violated (gpointer data, RspBytes bytes);

#endif
