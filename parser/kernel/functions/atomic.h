#pragma once

#include "parser/kernel/lower/lower.h"

/* Atomic operations, fences and barriers. FALSE: the call is none. */
gboolean kernel_atomic (KernelLowerer *l, const KernelExpr *expr, KernelValue *value);
