#ifndef RSP_MAP_ERRORS_H
#define RSP_MAP_ERRORS_H

#include "parser/expected.h"
#include "parser/map/build.h"

void map_syntax_error (MapParser *parser, TokenRange range, gboolean at_end, Expected expected);

#endif
