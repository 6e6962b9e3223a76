#pragma once

#include "enumerator/pre_execution.h"

/* Fills base->relations of a pre-execution whose events are numbered and whose base sets are
 * filled. */
void build_base_relations (RspPreExecution *pre);
