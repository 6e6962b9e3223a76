/* The host's commands, resolved. */
#ifndef RSP_PARSER_DSOM_HOST_H
#define RSP_PARSER_DSOM_HOST_H

#include "parser/dsom/resolve.h"

/* The commands, in a list with their predecessors. */
void dsom_resolve_host (DsomResolver *resolver, const DsomCommand *host);

#endif
