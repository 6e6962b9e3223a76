/* Finished blocks in a file, so that an interrupted search can be continued and shares can be
 * combined: the concatenated files of all shares are a file of the whole.
 *
 *   KEY <tab> EVENTS <tab> SOUGHT <tab> BLOCK {<tab> FINDING} <tab> end
 *
 * Lines with another key are left alone; one that is not finished (no `end`) does not count. */
#ifndef RSP_SYNTH_KEPT_H
#define RSP_SYNTH_KEPT_H

#include "synth/questions/question.h"

typedef struct SynthKept SynthKept;

/* Reads the file, which need not be there, and opens it to append. NULL after an error, reported in
 * diagnostics. */
SynthKept *synth_kept_open (const char *path, const char *key, RspDiagnostics *diagnostics);
/* FALSE when something could not be written, reported in diagnostics. NULL is closed already. */
gboolean synth_kept_close (SynthKept *kept, RspDiagnostics *diagnostics);

/* Puts the blocks of a size that are there into blocks (by number, GPtrArray of SynthFinding), if
 * all the kinds in sought were searched for; other kinds are left out. */
void synth_kept_take (const SynthKept *kept, guint events, guint sought, GPtrArray *blocks);
/* Adds a block, at once. One thread at a time. */
void synth_kept_add (SynthKept *kept, guint events, guint sought, guint64 block,
                     const GPtrArray *found);

#endif
