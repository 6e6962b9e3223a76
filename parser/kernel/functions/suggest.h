#pragma once

#include "parser/kernel/lower/lower.h"

/* "did you mean `…`?" among the functions of the file and OpenCL C's, newly allocated, or NULL. */
char *rsp_kernel_function_hint (const KernelLowerer *l, const char *name);

/* Does the name begin as that of a function, in so many characters, and is its rest misspelt? */
gboolean kernel_is_misspelt (const char *name, gsize begin);
