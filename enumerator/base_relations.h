#ifndef RSP_ENUMERATOR_BASE_RELATIONS_H
#define RSP_ENUMERATOR_BASE_RELATIONS_H

#include "enumerator/pre_execution.h"

/* Fills base->relations of a pre-execution whose events are numbered and whose base sets are
 * filled. */
void rsp_build_base_relations (RspPreExecution *pre);

#endif
