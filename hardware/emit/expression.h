#pragma once

#include "hardware/emit/emit.h"

/* The value of an expression, and the address of the place that it names. Newly allocated. */
char *emit_expression (Emitter *e, const RspExpr *expr);
/* A plain load from an address of the type. */
char *emit_plain_load (const Emitter *e, const RspType *type, const char *address);
/* text as a value of the type, as an assignment converts it. */
char *emit_convert (const Emitter *e, const RspType *type, const char *text);
