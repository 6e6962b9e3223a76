/* Does an execution end in the same values without some of its writes? */
#pragma once

#include "enumerator/search/search.h"

/* Of every execution that the model allows: if a write of the events from `first` on, before `end`,
 * is the last one of a location whose final value is shown, then its read-modify-write reads from
 * the last of the other writes; and no such value justifies itself. (These writes write back what
 * was read.) FALSE is not certain. search: as for cases_try. */
gboolean final_writes_have_sources (RspSearch *search, const RspStagedModel *model, guint first,
                                    guint end);
