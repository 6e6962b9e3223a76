#pragma once

#include "model/bounds/bounds.h"

/* Does a model's verdict on an execution carry over to the execution without some reads, and
 * read-modify-writes that write what they read? (What read from one of these reads from its source
 * then.) full and part are bounds on a pre-execution and on the same one without those events;
 * kept[e] is the event of full that event e of part is. TRUE: if the model accepts an execution of
 * full, it accepts the part that remains, which raises every flag that the whole raises. FALSE
 * proves nothing. */
gboolean rsp_bounds_bear_removal (const RspBounds *full, const RspBounds *part, const guint *kept);
