/* Barriers of one event (PTX, Vulkan): do the threads get past all of them? */
#pragma once

#include "enumerator/pre_execution.h"

/* Does a thread's path go past a barrier at which it waits for ever, as too few threads come to it, or as
 * threads wait for each other at different barriers? The events must be numbered. */
gboolean barriers_block (const RspPreExecution *pre);

/* The same for any choice of events, where each thread has those of several paths and barriers have no quorum:
 * FALSE only if there is no circle of barriers that come before each other. The base relations must be filled. */
gboolean barriers_may_block (const RspPreExecution *pre);
