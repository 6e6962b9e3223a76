#pragma once

#include "parser/resolve/resolve.h"

/* Warns, once per register, about registers of a resolved thread that are read before any statement
 * can have assigned them. Exceptions are registers of the initial state, parameters and implicit
 * registers. */
void rsp_litmus_warn_of_uninitialised (LitmusResolver *resolver, const RspThread *thread);
