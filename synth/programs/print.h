#pragma once

#include "synth/programs/program.h"

/* The whole test. comment has lines (or is NULL); condition is a proposition. Newly allocated. */
char *rsp_synth_program_print (const SynthProgram *program, gboolean opencl, const char *comment,
                               const char *condition);
/* One line: "P0: W(rel,wg) x=1; … || P1: …". Newly allocated. */
char *synth_program_summary (const SynthProgram *program, gboolean opencl);
