/* Messages of JSON-RPC, each after a header with its length, on two file descriptors. */
#pragma once

#include "base/json.h"

typedef struct LspConnection {
  int in, out;
  GString *received; /* not yet taken */
  gboolean ended;    /* is there nothing more to read, or has something other than messages come? */
} LspConnection;

void lsp_connection_init (LspConnection *connection, int in, int out);
void lsp_connection_clear (LspConnection *connection);
/* Reads what has arrived; waits for something to arrive. */
void lsp_connection_read (LspConnection *connection);
/* The next whole message, or NULL. One that is not JSON is null. */
JsonNode *lsp_connection_take (LspConnection *connection);
/* Takes the message. */
void lsp_connection_send (LspConnection *connection, JsonNode *message);
