#ifndef RSP_HARDWARE_EMIT_STATEMENT_H
#define RSP_HARDWARE_EMIT_STATEMENT_H

#include "hardware/emit/emit.h"

void emit_statement (Emitter *e, const RspStatement *statement);

#endif
