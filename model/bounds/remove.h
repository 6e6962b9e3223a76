#ifndef RSP_MODEL_BOUNDS_REMOVE_H
#define RSP_MODEL_BOUNDS_REMOVE_H

#include "model/bounds/bounds.h"

/* Is a model's verdict on an execution one on what is left of it when reads are removed? full and
 * part are bounds, with nothing decided, on a pre-execution and on the same without some reads;
 * kept[e] is the event of full that event e of part is. TRUE: if an execution of full is accepted,
 * so is what is left of it, and that raises every flag that the whole raises. FALSE is not
 * certain. */
gboolean rsp_bounds_bear_removal (const RspBounds *full, const RspBounds *part, const guint *kept);

#endif
