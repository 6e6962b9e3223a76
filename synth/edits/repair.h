#pragma once

#include "synth/edits/task.h"

/* All minimal sets of edits with the smallest sufficient number. FALSE after an error of the test
 * or the model, which is reported in diagnostics. */
gboolean rsp_synth_repair (SynthTask *task, RspDiagnostics *diagnostics);
