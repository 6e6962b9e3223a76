/* Event types: the combinations of base sets that an event can be in. */
#pragma once

#include "model/base.h"

/* One bit per base set (1 << RspBaseSet): those that an event of the type is in. */
typedef guint64 RspEventType;

/* All of them (of RspEventType), each once. Newly allocated. */
GArray *event_types (void);
