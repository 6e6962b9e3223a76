/* What code does with a name, whatever it stands for. */
#pragma once

#include "parser/kernel/syntax.h"

/* Does the expression (NULL: none) have the name in it? */
gboolean kernel_mentions (const KernelExpr *expr, const char *name);
/* Does the statement assign to the name, or take its address? */
gboolean kernel_assigns (const KernelStatement *statement, const char *name);
