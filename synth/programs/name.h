#ifndef RSP_SYNTH_PROGRAMS_NAME_H
#define RSP_SYNTH_PROGRAMS_NAME_H

#include "synth/programs/program.h"

/* The name in the manner of the diy tools: a well-known name for the accesses, or else the accesses
 * themselves; the shared nodes of the scope tree; and per thread the labels:
 * "MP-dev+rel.wg+acq.dev". Programs of one space with one name are equal. Newly allocated. */
char *rsp_synth_program_name (const SynthProgram *program, gboolean opencl);

#endif
