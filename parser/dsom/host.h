/* The host's commands, resolved. */
#pragma once

#include "parser/dsom/names.h"

/* The commands, in a list with their predecessors. */
void dsom_resolve_host (DsomResolver *resolver, const DsomCommand *host);
