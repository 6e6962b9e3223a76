/* Words of tests and kernels: what may stand at a place, and what it means. */
#pragma once

#include "lsp/server.h"

JsonNode *lsp_litmus_completion (LspServer *server, const LspDocument *document, JsonNode *params);
/* The parameters of the atomic operation that is being called, in tests and kernels. */
JsonNode *lsp_call_signature (LspServer *server, const LspDocument *document, JsonNode *params);
/* What an operation of a kernel takes, and what other words of the language are. */
JsonNode *lsp_kernel_word_hover (LspServer *server, const LspDocument *document, JsonNode *params);
/* Offers what may stand at a byte of a kernel; TRUE if that is an order or a scope. */
gboolean lsp_offer_kernel_words (const LspDocument *document, guint offset, JsonArray *items,
                                 GHashTable *offered);
