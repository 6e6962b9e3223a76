#ifndef RSP_PARSER_RESOLVE_SCOPE_H
#define RSP_PARSER_RESOLVE_SCOPE_H

#include "parser/resolve/resolve.h"

void litmus_resolve_scopes (LitmusResolver *resolver);

#endif
