#pragma once

#include "enumerator/search/sat/choices.h"

/* For each node that an axiom needs, the events or pairs that its value may have in some execution.
 */
RspMatrix **may_new (const SatFold *fold, const SatChoices *choices, const RspStagedModel *model);
