/* The number of programs in a space. */
#ifndef RSP_SYNTH_PROGRAMS_COUNT_H
#define RSP_SYNTH_PROGRAMS_COUNT_H

#include "synth/programs/shapes.h"

/* Of the shape: labellings up to its symmetries (Burnside's lemma). */
double synth_shape_programs (const SynthSpace *space, const RspShape *shape,
                             const SynthSymmetry *symmetries, guint n_symmetries);

#endif
