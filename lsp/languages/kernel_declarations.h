#pragma once

#include "lsp/languages/kernel_scopes.h"

/* Declares what the tokens (of LspKernelToken) of a source's code declare. */
void lsp_kernel_read_declarations (LspKernelNames *names, RspSource *source, GArray *tokens);
