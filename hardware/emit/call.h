#pragma once

#include "hardware/emit/emit.h"

char *emit_call (Emitter *e, const RspExpr *expr);
/* The barrier's text. */
char *emit_barrier (const Emitter *e, const RspStatement *statement);
