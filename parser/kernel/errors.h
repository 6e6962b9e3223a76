#pragma once

#include "parser/kernel/syntax.h"

void kernel_syntax_error (KernelParser *parser, TokenRange range, gboolean at_end,
                          const char *const *expected, guint n_expected);
