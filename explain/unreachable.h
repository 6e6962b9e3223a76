/* Outcomes that cannot happen under any model. */
#pragma once

#include "enumerator/search/check.h"
#include "explain/scene.h"

/* Sentences (in the explanations' arena, NULL-terminated) on an outcome that no candidate has. */
const char **unreachable_reasons (Explaining *explaining, const RspProp *outcome);
