#pragma once

#include "hardware/emit/emit.h"

void emit_memory (Emitter *e);
