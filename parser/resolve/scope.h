#pragma once

#include "parser/resolve/resolve.h"

void litmus_resolve_scopes (LitmusResolver *resolver);
