#ifndef RSP_ENUMERATOR_PATHS_LIVE_H
#define RSP_ENUMERATOR_PATHS_LIVE_H

#include "enumerator/paths/executor.h"

/* Fills x->live, x->escapes and x->observed. */
void executor_find_live (RspExecutor *x);

#endif
