/* What the editor asks about models. Each function answers the request of its name with a result,
 * or null. */
#pragma once

#include "lsp/server.h"

JsonNode *lsp_cat_hover (LspServer *server, const LspDocument *document, JsonNode *params);
JsonNode *lsp_cat_definition (LspServer *server, const LspDocument *document, JsonNode *params);
JsonNode *lsp_cat_references (LspServer *server, const LspDocument *document, JsonNode *params);
/* Refuses, with a reason in *error, a name that cannot be one, or that is already used. */
JsonNode *lsp_cat_rename (LspServer *server, const LspDocument *document, JsonNode *params,
                          char **error);
JsonNode *lsp_cat_completion (LspServer *server, const LspDocument *document, JsonNode *params);
JsonNode *lsp_cat_signature (LspServer *server, const LspDocument *document, JsonNode *params);
/* Above an edited model: how many tests of the workspace the edit changes. */
JsonNode *lsp_cat_lenses (LspServer *server, const LspDocument *document, JsonNode *params);
JsonNode *lsp_cat_symbols (LspServer *server, const LspDocument *document, JsonNode *params);
JsonNode *lsp_cat_folding (LspServer *server, const LspDocument *document, JsonNode *params);
