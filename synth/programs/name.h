#pragma once

#include "synth/programs/program.h"

/* The name in the manner of the diy tools: a well-known name for the accesses, or else the accesses
 * themselves; the shared nodes of the scope tree; and per thread the labels:
 * "MP-dev+rel.wg+acq.dev". Programs of one space with one name are equal. Newly allocated. */
char *rsp_synth_program_name (const SynthProgram *program, gboolean opencl);
/* The same of a program without labels: letters of the events instead, "MP-dev+R-R+W-W". */
char *rsp_synth_shape_name (const RspShape *shape, gboolean opencl);
