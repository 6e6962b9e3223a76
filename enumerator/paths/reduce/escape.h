#ifndef RSP_ENUMERATOR_PATHS_REDUCE_ESCAPE_H
#define RSP_ENUMERATOR_PATHS_REDUCE_ESCAPE_H

#include "enumerator/paths/executor.h"

/* Fills x->escaping_objects. */
void executor_find_escaping (RspExecutor *x);

#endif
