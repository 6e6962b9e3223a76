/* What rounds that repeat for ever leave in memory. */
#ifndef RSP_ENUMERATOR_SEARCH_PROGRESS_MEMORY_H
#define RSP_ENUMERATOR_SEARCH_PROGRESS_MEMORY_H

#include "enumerator/execution.h"

/* Do the rounds leave each location with the value that it had? */
gboolean memory_is_restored (const RspExecution *execution);

#endif
