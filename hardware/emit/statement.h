#pragma once

#include "hardware/emit/emit.h"

void emit_statement (Emitter *e, const RspStatement *statement);
