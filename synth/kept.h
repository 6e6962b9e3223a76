/* Finished blocks in a file, so that an interrupted search can be continued and shares can be
 * combined: the concatenated files of all shares are a file of the whole.
 *
 *   KEY <tab> EVENTS <tab> SOUGHT <tab> BLOCK {<tab> FINDING} <tab> end
 *
 * Lines with a different key are ignored, and so are unfinished ones (without `end`). */
#pragma once

#include "synth/questions/question.h"

typedef struct SynthKept SynthKept;

/* Reads the file, which need not exist, and opens it for appending. NULL after an error, which is
 * reported in diagnostics. */
SynthKept *synth_kept_open (const char *path, const char *key, RspDiagnostics *diagnostics);
/* FALSE if something could not be written, which is reported in diagnostics. NULL is ignored. */
gboolean synth_kept_close (SynthKept *kept, RspDiagnostics *diagnostics);

/* Stores the existing blocks of a size in blocks (by number, GPtrArray of SynthFinding), if all the
 * kinds in sought were searched for; other kinds are left out. */
void synth_kept_take (const SynthKept *kept, guint events, guint sought, GPtrArray *blocks);
/* Adds a block, at once. One thread at a time. */
void synth_kept_add (SynthKept *kept, guint events, guint sought, guint64 block,
                     const GPtrArray *found);
