/* What rounds that repeat for ever leave in memory. */
#pragma once

#include "enumerator/execution.h"

/* Do the rounds leave each location with the value that it had? */
gboolean memory_is_restored (const RspExecution *execution);
