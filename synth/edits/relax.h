#pragma once

#include "synth/edits/task.h"

/* All maximal sets of weakenings that change neither final states nor definedness, and raise no
 * flag if the test raises none. The search assumes that if a set changes something, so does every
 * larger one. */
gboolean rsp_synth_relax (SynthTask *task, RspDiagnostics *diagnostics);
