/* What may stand at a place: completion in tests, kernels and mappings. */
#ifndef RSP_LSP_WORDS_H
#define RSP_LSP_WORDS_H

#include "lsp/server.h"

JsonNode *lsp_litmus_completion (LspServer *server, const LspDocument *document, JsonNode *params);
JsonNode *lsp_kernel_completion (LspServer *server, const LspDocument *document, JsonNode *params);
JsonNode *lsp_map_completion (LspServer *server, const LspDocument *document, JsonNode *params);

#endif
