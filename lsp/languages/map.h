/* What the editor asks about mappings. */
#pragma once

#include "lsp/server.h"

JsonNode *lsp_map_completion (LspServer *server, const LspDocument *document, JsonNode *params);
JsonNode *lsp_map_hover (LspServer *server, const LspDocument *document, JsonNode *params);
/* The file that the line includes. */
JsonNode *lsp_map_definition (LspServer *server, const LspDocument *document, JsonNode *params);
/* Gives the mapping itself another name. */
JsonNode *lsp_map_rename (LspServer *server, const LspDocument *document, JsonNode *params,
                          char **error);
JsonNode *lsp_map_symbols (LspServer *server, const LspDocument *document, JsonNode *params);
