#ifndef RSP_LSP_FORMAT_H
#define RSP_LSP_FORMAT_H

#include "lsp/server.h"

/* The edits that lay a model or a test in C out; none for a text whose tokens are not. */
JsonNode *lsp_format (LspServer *server, const LspDocument *document, JsonNode *params);

#endif
