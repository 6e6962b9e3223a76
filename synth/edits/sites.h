#pragma once

#include "parser/kernel/kernel.h"
#include "synth/edits/edit.h"

/* The levels of a site in addition to the one in the test. */
typedef enum SynthDirection {
  SYNTH_STRONGER, /* also plain accesses made atomic, and fences in gaps */
  SYNTH_WEAKER,   /* also fences removed */
  SYNTH_ANY       /* all orders, scopes and forms of existing operations */
} SynthDirection;

/* All sites of a test, in the order of the text. Of SynthSite, owned. */
GPtrArray *rsp_synth_sites_find (const RspProgram *program, SynthDirection direction);
/* The same of a kernel, with barriers instead of fences. The pieces are of the kernel's own text:
 * sites that macros hide from there are left out. */
GPtrArray *rsp_synth_kernel_sites_find (const RspKernel *kernel);
/* Is level a of a site no stronger than level b? */
gboolean synth_level_within (const SynthSite *site, guint a, guint b);
