#ifndef RSP_PARSER_RESOLVE_CONDITION_H
#define RSP_PARSER_RESOLVE_CONDITION_H

#include "parser/resolve/resolve.h"

void rsp_litmus_resolve_condition (LitmusResolver *resolver);

#endif
