/* Kernels: their bodies and accesses, resolved. */
#pragma once

#include "parser/dsom/names.h"

/* Names written and read in a body, resolved, and the kernel's accesses. */
void dsom_resolve_kernel (DsomResolver *resolver, const DsomKernel *syntax, RspDsomKernel *kernel);
