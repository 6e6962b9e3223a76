/* What the editor asks about kernels. */
#pragma once

#include "lsp/server.h"

JsonNode *lsp_kernel_hover (LspServer *server, const LspDocument *document, JsonNode *params);
/* Also the file that is included, or that declares the name. */
JsonNode *lsp_kernel_definition (LspServer *server, const LspDocument *document, JsonNode *params);
/* In the document itself. */
JsonNode *lsp_kernel_references (LspServer *server, const LspDocument *document, JsonNode *params);
/* Refuses, with a reason in *error, a name that is already used, that is declared in another file,
 * or with which the kernel has other errors. */
JsonNode *lsp_kernel_rename (LspServer *server, const LspDocument *document, JsonNode *params,
                             char **error);
JsonNode *lsp_kernel_completion (LspServer *server, const LspDocument *document, JsonNode *params);
JsonNode *lsp_kernel_symbols (LspServer *server, const LspDocument *document, JsonNode *params);
