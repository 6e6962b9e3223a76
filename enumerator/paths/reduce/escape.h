#pragma once

#include "enumerator/paths/executor.h"

/* Fills x->escaping_objects. */
void executor_find_escaping (RspExecutor *x);
