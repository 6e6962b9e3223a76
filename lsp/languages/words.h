/* Words of tests, kernels and mappings: what may stand at a place, and what it means. */
#pragma once

#include "lsp/server.h"

JsonNode *lsp_litmus_completion (LspServer *server, const LspDocument *document, JsonNode *params);
JsonNode *lsp_kernel_completion (LspServer *server, const LspDocument *document, JsonNode *params);
JsonNode *lsp_map_completion (LspServer *server, const LspDocument *document, JsonNode *params);
/* The parameters of the atomic operation that is being called, in tests and kernels. */
JsonNode *lsp_call_signature (LspServer *server, const LspDocument *document, JsonNode *params);
JsonNode *lsp_kernel_hover (LspServer *server, const LspDocument *document, JsonNode *params);
JsonNode *lsp_map_hover (LspServer *server, const LspDocument *document, JsonNode *params);
