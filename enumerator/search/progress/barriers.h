/* Barriers in combinations of paths that may not end. */
#pragma once

#include "enumerator/paths/path.h"

/* Do as many threads of its work-group reach each barrier that a thread passes as it takes (all, without a
 * quorum), fewer each at which one waits for ever, and do threads that repeat barriers repeat equally many? */
gboolean barriers_allow (const RspProgram *program, const RspPath *const *paths);
