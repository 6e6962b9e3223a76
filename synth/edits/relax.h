#ifndef RSP_SYNTH_EDITS_RELAX_H
#define RSP_SYNTH_EDITS_RELAX_H

#include "synth/edits/task.h"

/* All maximal sets of weakenings that leave final states and definedness as they are. The search
 * goes from less to more: a set that does not does not have a larger one that does. */
gboolean rsp_synth_relax (SynthTask *task, RspDiagnostics *diagnostics);

#endif
