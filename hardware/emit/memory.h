#ifndef RSP_HARDWARE_EMIT_MEMORY_H
#define RSP_HARDWARE_EMIT_MEMORY_H

#include "hardware/emit/emit.h"

void emit_memory (Emitter *e);

#endif
