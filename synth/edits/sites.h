#ifndef RSP_SYNTH_EDITS_SITES_H
#define RSP_SYNTH_EDITS_SITES_H

#include "synth/edits/edit.h"

/* All sites of a test, in the order of the text: what can be strengthened, or weakened. Of SynthSite,
 * owned. */
GPtrArray *synth_sites_find (const RspProgram *program, gboolean stronger);
/* Is level a of a site no stronger than level b? */
gboolean synth_level_within (const SynthSite *site, guint a, guint b);

#endif
