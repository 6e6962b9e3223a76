#pragma once

#include "parser/resolve/resolve.h"

void litmus_resolve_call (LitmusResolver *resolver, RspExpr *expr);
/* Why C11 forbids the operation's orders, and which of them; NULL: it does not. */
const char *rsp_call_order_mistake (const RspCall *call, RspOrder *order);
void litmus_resolve_barrier (LitmusResolver *resolver, RspStatement *statement);
