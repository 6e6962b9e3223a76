/* Outcomes that cannot happen under any model. */
#ifndef EXPLAIN_UNREACHABLE_H
#define EXPLAIN_UNREACHABLE_H

#include "enumerator/search/check.h"
#include "explain/scene.h"

/* Sentences (in the explanations' arena, NULL-terminated) on an outcome that no candidate has. */
const char **unreachable_reasons (Explaining *explaining, const RspProp *outcome);

#endif
