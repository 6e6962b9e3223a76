/* What the editor asks about tests. */
#pragma once

#include "lsp/server.h"

JsonNode *lsp_litmus_definition (LspServer *server, const LspDocument *document, JsonNode *params);
JsonNode *lsp_litmus_references (LspServer *server, const LspDocument *document, JsonNode *params);
/* Gives a thread, location or register another name everywhere. Refuses, with a reason in *error, a
 * name that is already used or that breaks the test. */
JsonNode *lsp_litmus_rename (LspServer *server, const LspDocument *document, JsonNode *params,
                             char **error);
JsonNode *lsp_litmus_symbols (LspServer *server, const LspDocument *document, JsonNode *params);
JsonNode *lsp_litmus_folding (LspServer *server, const LspDocument *document, JsonNode *params);
/* A lens above the condition for each model; their verdicts are found when they are resolved. */
JsonNode *lsp_litmus_lenses (LspServer *server, const LspDocument *document, JsonNode *params);
