/* Where the events of evidence are in the test's text. */
#pragma once

#include "enumerator/search/evidence/evidence.h"
#include "model/matrix.h"

/* The event with its thread and place, without its texts. */
RspEvidenceEvent evidence_place (const RspPreExecution *pre, guint number);
/* All pairs (for a set: elements) but those on lines for which there is evidence of the flag. */
RspMatrix *evidence_elsewhere (const GPtrArray *all, const char *flag, const RspPreExecution *pre,
                               gboolean is_set, RspArena *arena);
