#pragma once

#include "hardware/emit/emit.h"

void emit_question (Emitter *e);
void emit_table (Emitter *e, const char *note);
