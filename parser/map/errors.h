#pragma once

#include "parser/expected.h"
#include "parser/map/build.h"

void map_syntax_error (MapParser *parser, TokenRange range, gboolean at_end, Expected expected);
