#pragma once

#include "synth/edits/edit.h"

/* The levels of the test itself, per site. Newly allocated. */
guint8 *rsp_synth_own_levels (const GPtrArray *sites);
/* The text of a version. Newly allocated. */
char *rsp_synth_version_text (const RspProgram *program, const GPtrArray *sites,
                              const guint8 *levels);
/* What the version replaces in the test's text, by place: of SynthPiece, whose texts belong to the
 * sites. */
GArray *rsp_synth_version_pieces (const GPtrArray *sites, const guint8 *levels);
/* Where what begins at a place of the test's text begins in the version's. */
guint synth_pieces_place (const GArray *pieces, guint at);
/* A unified diff for `patch -p0`; "" if the texts are the same. Newly allocated. */
char *rsp_synth_text_diff (const char *old_path, const char *new_path, const char *before,
                           const char *after);
/* "line 7: atomic_load_explicit: memory_order_acquire instead of memory_order_relaxed" for one
 * site. Newly allocated. */
char *rsp_synth_site_describe (const SynthSite *site, guint level);
