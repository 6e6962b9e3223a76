#pragma once

#include "hardware/emit/emit.h"

/* The functions that run a thread, all threads, and work on an instance's memory; those of the
 * question; the test itself. */
void emit_threads (Emitter *e);
