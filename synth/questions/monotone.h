/* Strengthenings, which are also rewrites. */
#pragma once

#include "synth/questions/question.h"

/* Every strengthening of one event of the shape, and every fence of it added, under the work's
 * first model. The kinds of what is found: a new outcome; the program becomes undefined. FALSE if
 * it did not finish. */
gboolean synth_monotone_steps (SynthWork *work, const RspShape *shape,
                               const SynthSymmetry *symmetries, guint n_symmetries,
                               guint kind_outcome, guint kind_undefined);
