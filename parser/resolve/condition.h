#pragma once

#include "parser/resolve/resolve.h"

void rsp_litmus_resolve_condition (LitmusResolver *resolver);
