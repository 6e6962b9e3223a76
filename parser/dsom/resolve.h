/* From the syntax of a program of commands to the program. Private to this front end. */
#pragma once

#include "parser/dsom/build.h"

/* Fills program; errors go to diagnostics. */
void dsom_resolve (RspDsomProgram *program, DsomParser *parser);
