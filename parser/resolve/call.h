#ifndef RSP_PARSER_RESOLVE_CALL_H
#define RSP_PARSER_RESOLVE_CALL_H

#include "parser/resolve/resolve.h"

void litmus_resolve_call (LitmusResolver *resolver, RspExpr *expr);
void litmus_resolve_barrier (LitmusResolver *resolver, RspStatement *statement);

#endif
