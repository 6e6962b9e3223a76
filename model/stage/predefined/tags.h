#pragma once

#include "model/stage/stage.h"

/* A base relation that follows from the tags of events, as an expression over their sets: `sr`, for
 * programs whose tags are open. The empty relation for any other. */
RspNodeId stage_relation_of_tags (Stage *stage, RspBaseRelation id);
