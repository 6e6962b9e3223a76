/* Errors and warnings of a document, as a fresh run reports them. */
#pragma once

#include "lsp/server.h"

/* Of textDocument/publishDiagnostics. */
JsonNode *lsp_diagnostics (LspServer *server, const LspDocument *document);
/* Of textDocument/codeAction: what the hints suggest. */
JsonNode *lsp_actions (LspServer *server, const LspDocument *document, JsonNode *params);
