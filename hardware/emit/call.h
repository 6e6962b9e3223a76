#ifndef RSP_HARDWARE_EMIT_CALL_H
#define RSP_HARDWARE_EMIT_CALL_H

#include "hardware/emit/emit.h"

char *emit_call (Emitter *e, const RspExpr *expr);
/* The barrier's text. */
char *emit_barrier (const Emitter *e, const RspStatement *statement);

#endif
