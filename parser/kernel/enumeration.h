#pragma once

#include "parser/kernel/syntax.h"

/* The type of all enumerations. */
KernelType *kernel_enum (KernelParser *parser);
void kernel_begin_enumeration (KernelParser *parser);
/* value NULL: one more than the enumerator before it. */
void kernel_add_enumerator (KernelParser *parser, TokenRange range, const char *name,
                            KernelExpr *value);
/* The enumerators since the last call, which the declaration that ends now declares. */
LitmusList kernel_take_enumerators (KernelParser *parser);
