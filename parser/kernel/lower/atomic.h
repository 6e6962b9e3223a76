#ifndef RSP_PARSER_KERNEL_ATOMIC_H
#define RSP_PARSER_KERNEL_ATOMIC_H

#include "parser/kernel/lower/lower.h"

/* Atomic operations, fences and barriers. FALSE: the call is none. */
gboolean kernel_atomic (KernelLowerer *l, const KernelExpr *expr, KernelValue *value);

#endif
