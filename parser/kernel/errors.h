#ifndef RSP_PARSER_KERNEL_ERRORS_H
#define RSP_PARSER_KERNEL_ERRORS_H

#include "parser/kernel/syntax.h"

void kernel_syntax_error (KernelParser *parser, TokenRange range, gboolean at_end,
                          const char *const *expected, guint n_expected);

#endif
