#pragma once

#include "parser/kernel/lower/lower.h"

/* The program's question: no assertion has failed, and those over final memory hold. */
void kernel_resolve_asserts (KernelLowerer *l);
