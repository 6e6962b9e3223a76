#pragma once

#include "enumerator/paths/executor.h"

/* Per location: may it be what a pointer that was read denotes? Found when first asked for; NULL if
 * the executor gave up on the way. */
const guint8 *executor_escaping_objects (RspExecutor *x);
