#pragma once

#include "parser/expected.h"
#include "parser/kernel/syntax.h"

void kernel_syntax_error (KernelParser *parser, TokenRange range, gboolean at_end,
                          Expected expected);
