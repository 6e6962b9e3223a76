#pragma once

#include "synth/programs/program.h"

/* A program of a language with tags, as rsp_synth_program_print. */
char *synth_columns_print (const SynthProgram *program, const char *comment, const char *condition);
/* The comment with an empty line after it; NULL: nothing. Of tests in any form. */
void synth_append_comment (GString *text, const char *comment);
