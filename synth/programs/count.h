/* The number of programs in a space. */
#pragma once

#include "synth/programs/shapes.h"

/* Of the shape: labellings up to its symmetries (Burnside's lemma). */
double synth_shape_programs (const SynthSpace *space, const RspShape *shape,
                             const SynthSymmetry *symmetries, guint n_symmetries);
