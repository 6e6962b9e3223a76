#pragma once

#include "enumerator/pre_execution.h"

/* Fills base->sets of a pre-execution whose events are numbered. */
void build_base_sets (RspPreExecution *pre);
