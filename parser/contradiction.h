#pragma once

#include "parser/program.h"

/* Is there no choice of values under which the proposition holds, whatever the program? FALSE also
 * if that is too hard to tell. */
gboolean prop_is_contradiction (const RspProgram *program, const RspProp *prop);
