#ifndef RSP_MODEL_BOUNDS_LABEL_H
#define RSP_MODEL_BOUNDS_LABEL_H

#include "model/bounds/state.h"

/* What a check asks, of the node of which label. After rsp_bounds_name. */
guint64 bounds_check_label (const RspBounds *b, guint check);

#endif
