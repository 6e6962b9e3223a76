#ifndef RSP_MAP_ERRORS_H
#define RSP_MAP_ERRORS_H

#include "parser/map/build.h"

void map_syntax_error (MapParser *parser, MapRange range, gboolean at_end,
                       const char *const *expected, guint n_expected);

#endif
