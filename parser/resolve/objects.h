#pragma once

#include "parser/resolve/resolve.h"

void litmus_resolve_objects (LitmusResolver *resolver);
LitmusObject *litmus_find_object (const LitmusResolver *resolver, const char *name);
/* "did you mean `…`?" among the objects' names, newly allocated, or NULL. */
char *litmus_object_hint (const LitmusResolver *resolver, const char *name);
