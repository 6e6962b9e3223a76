#include "lsp/server.h"
#include "api/directories.h"
#include "model/names.h"
#include "model/type/check.h"

#include <string.h>

/* ---- Messages ---- */

static JsonNode *
id_node (const char *id)
{
  return json_from_string (id, NULL);
}

void
lsp_reply (LspServer *server, const char *id, JsonNode *result)
{
  lsp_connection_send (&server->connection, rsp_json_object ("jsonrpc", rsp_json_text ("2.0"), "id",
                                                             id_node (id), "result", result, NULL));
}

void
lsp_reply_error (LspServer *server, const char *id, int code, const char *message)
{
  JsonNode *error
      = rsp_json_object ("code", rsp_json_number (code), "message", rsp_json_text (message), NULL);
  lsp_connection_send (&server->connection, rsp_json_object ("jsonrpc", rsp_json_text ("2.0"), "id",
                                                             id_node (id), "error", error, NULL));
}

void
lsp_notify (LspServer *server, const char *method, JsonNode *params)
{
  lsp_connection_send (&server->connection,
                       rsp_json_object ("jsonrpc", rsp_json_text ("2.0"), "method",
                                        rsp_json_text (method), "params", params, NULL));
}

/* ---- Models ---- */

RspModel *
lsp_read_model (LspServer *server, const char *path, RspDiagnostics *diagnostics)
{
  g_auto (GStrv) directories = rsp_directories ("cat", NULL, path);
  return rsp_model_read (path, (const char *const *) directories, server->texts, NULL, diagnostics);
}

RspModel *
lsp_load_model (LspServer *server, const char *name, const char *test, RspDiagnostics *diagnostics)
{
  g_auto (GStrv) directories = rsp_directories ("cat", NULL, test);
  return rsp_model_load_with (name, (const char *const *) directories, server->texts, NULL,
                              diagnostics);
}

/* ---- Places ---- */

JsonNode *
lsp_range_of (const LspServer *server, RspSpan span)
{
  return lsp_range (span.source, span.begin, span.end, server->encoding);
}

JsonNode *
lsp_location (const LspServer *server, RspSpan span)
{
  GHashTableIter iter;
  gpointer open;
  g_autofree char *path = rsp_model_resolve (span.source->name);
  g_autofree char *uri = NULL;
  g_hash_table_iter_init (&iter, server->documents);
  while (g_hash_table_iter_next (&iter, NULL, &open))
    if (g_str_equal (((LspDocument *) open)->path, path))
      uri = g_strdup (((LspDocument *) open)->uri);
  if (!uri && g_path_is_absolute (path) && g_file_test (path, G_FILE_TEST_EXISTS))
    uri = g_filename_to_uri (path, NULL, NULL);
  return uri ? rsp_json_object ("uri", rsp_json_text (uri), "range", lsp_range_of (server, span),
                                NULL)
             : NULL;
}

static gboolean
is_in_word (char c, gboolean is_c)
{
  return g_ascii_isalnum (c) || c == '_' || (!is_c && c && strchr (".-'", c));
}

RspSpan
lsp_word (RspSource *source, guint offset, gboolean is_c)
{
  const char *text = source->text;
  guint begin = MIN (offset, (guint) source->length), end = begin;
  while (begin > 0 && is_in_word (text[begin - 1], is_c))
    begin--;
  while (is_in_word (text[end], is_c))
    end++;
  return begin < end ? (RspSpan){ source, begin, end } : RSP_NOWHERE;
}

gboolean
lsp_call_at (const RspSource *source, guint offset, guint *open, int *commas)
{
  guint depth = 0;
  *commas = 0;
  for (guint i = MIN (offset, (guint) source->length); i-- > 0;)
    switch (source->text[i])
      {
      case ')':
        depth++;
        break;
      case ',':
        *commas += depth == 0;
        break;
      case '(':
        *open = i;
        if (depth-- == 0)
          return TRUE;
        break;
      default:
        break;
      }
  return FALSE;
}

/* ---- Completion ---- */

void
lsp_offer (JsonArray *items, GHashTable *offered, const char *label, LspCompletionKind kind,
           const char *detail)
{
  if (g_hash_table_add (offered, g_strdup (label)))
    rsp_json_add (items,
                  rsp_json_object ("label", rsp_json_text (label), "kind", rsp_json_number (kind),
                                   "detail", detail ? rsp_json_text (detail) : NULL, NULL));
}
