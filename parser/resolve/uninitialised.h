#ifndef RSP_PARSER_RESOLVE_UNINITIALISED_H
#define RSP_PARSER_RESOLVE_UNINITIALISED_H

#include "parser/resolve/resolve.h"

/* Warns about registers of a resolved thread that are read where nothing that may run before assigns
 * them, each once. Not about those of the initial state, parameters and implicit registers. */
void litmus_warn_of_uninitialised (LitmusResolver *resolver, const RspThread *thread);

#endif
