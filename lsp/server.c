#include "lsp/server.h"
#include "api/directories.h"
#include "model/names.h"
#include "model/type/check.h"

#include <string.h>

/* ---- Messages ---- */

static JsonNode *id_node (const char *id) { return json_from_string (id, NULL); }

void lsp_reply (LspServer *server, const char *id, JsonNode *result) {
  lsp_connection_send (&server->connection, rsp_json_object ("jsonrpc", rsp_json_text ("2.0"), "id",
                                                             id_node (id), "result", result, NULL));
}

void lsp_reply_error (LspServer *server, const char *id, int code, const char *message) {
  JsonNode *error
      = rsp_json_object ("code", rsp_json_number (code), "message", rsp_json_text (message), NULL);
  lsp_connection_send (&server->connection, rsp_json_object ("jsonrpc", rsp_json_text ("2.0"), "id",
                                                             id_node (id), "error", error, NULL));
}

void lsp_notify (LspServer *server, const char *method, JsonNode *params) {
  lsp_connection_send (&server->connection,
                       rsp_json_object ("jsonrpc", rsp_json_text ("2.0"), "method",
                                        rsp_json_text (method), "params", params, NULL));
}

/* ---- Models ---- */

RspModel *lsp_read_model (LspServer *server, const char *path, RspDiagnostics *diagnostics) {
  g_auto (GStrv) directories = rsp_directories ("cat", NULL, path);
  return rsp_model_read (path, (const char *const *) directories, server->texts, NULL, diagnostics);
}

RspModel *lsp_load_model (LspServer *server, const char *name, const char *test,
                          RspDiagnostics *diagnostics) {
  g_auto (GStrv) directories = rsp_directories ("cat", NULL, test);
  return rsp_model_load_with (name, (const char *const *) directories, server->texts, NULL,
                              diagnostics);
}

/* ---- Places ---- */

JsonNode *lsp_range_of (const LspServer *server, RspSpan span) {
  return lsp_range (span.source, span.begin, span.end, server->encoding);
}

/* Of a path without links: that of the open document, or of the file; NULL if it is neither. Newly
 * allocated. */
static char *uri_of (const LspServer *server, const char *path) {
  GHashTableIter iter;
  gpointer open;
  g_hash_table_iter_init (&iter, server->documents);
  while (g_hash_table_iter_next (&iter, NULL, &open))
    if (g_str_equal (((LspDocument *) open)->path, path))
      return g_strdup (((LspDocument *) open)->uri);
  return g_path_is_absolute (path) && g_file_test (path, G_FILE_TEST_EXISTS)
             ? g_filename_to_uri (path, NULL, NULL)
             : NULL;
}

/* Takes the range. */
static JsonNode *location (const LspServer *server, const char *file, JsonNode *range) {
  g_autofree char *path = rsp_model_resolve (file);
  g_autofree char *uri = uri_of (server, path);
  if (uri)
    return rsp_json_object ("uri", rsp_json_text (uri), "range", range, NULL);
  json_node_unref (range);
  return NULL;
}

JsonNode *lsp_location (const LspServer *server, RspSpan span) {
  return location (server, span.source->name, lsp_range_of (server, span));
}

JsonNode *lsp_file (const LspServer *server, const char *path) {
  g_autoptr (RspSource) nothing = rsp_source_new (path, g_strdup (""), 0);
  return location (server, path, lsp_range (nothing, 0, 0, server->encoding));
}

static gboolean is_in_word (char c, gboolean is_c) {
  return g_ascii_isalnum (c) || c == '_' || (!is_c && c && strchr (".-'", c));
}

RspSpan lsp_word (RspSource *source, guint offset, gboolean is_c) {
  const char *text = source->text;
  guint begin = MIN (offset, (guint) source->length), end = begin;
  while (begin > 0 && is_in_word (text[begin - 1], is_c))
    begin--;
  while (is_in_word (text[end], is_c))
    end++;
  return begin < end ? (RspSpan){ source, begin, end } : RSP_NOWHERE;
}

RspSpan lsp_next_word (RspSource *source, const char *name, guint from) {
  gsize length = strlen (name);
  for (const char *at = source->text + from; (at = strstr (at, name)); at += length) {
    guint begin = (guint) (at - source->text);
    RspSpan found = lsp_word (source, begin, TRUE);
    if (found.begin == begin && found.end - begin == length)
      return found;
  }
  return RSP_NOWHERE;
}

RspSpan lsp_quoted_after (RspSource *source, guint offset, const char *word) {
  guint line, column;
  rsp_source_position (source, offset, &line, &column);
  const char *text = source->text + source->lines[line - 1];
  text += strspn (text, " \t");
  if (!g_str_has_prefix (text, word))
    return RSP_NOWHERE;
  text += strlen (word) + strspn (text + strlen (word), " \t");
  gsize length = *text == '"' ? strcspn (text + 1, "\"\r\n") : 0;
  if (!length || text[length + 1] != '"')
    return RSP_NOWHERE;
  guint begin = (guint) (text + 1 - source->text);
  return (RspSpan){ source, begin, begin + (guint) length };
}

gboolean lsp_is_c_name (const char *name) {
  return name && *name && !g_ascii_isdigit (*name)
         && strspn (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_") == strlen (name);
}

gboolean lsp_call_at (const RspSource *source, guint offset, guint *end, int *commas) {
  guint depth = 0;
  *commas = 0;
  for (guint i = MIN (offset, (guint) source->length); i-- > 0;)
    switch (source->text[i]) {
    case ')':
      depth++;
      break;
    case ',':
      *commas += depth == 0;
      break;
    case '(':
      if (depth-- > 0)
        break;
      for (*end = i; *end > 0 && g_ascii_isspace (source->text[*end - 1]);)
        --*end;
      return TRUE;
    default:
      break;
    }
  return FALSE;
}

/* ---- Answers ---- */

JsonNode *lsp_hover (const LspServer *server, RspSpan place, const char *text) {
  return rsp_json_object (
      "contents",
      rsp_json_object ("kind", rsp_json_text ("markdown"), "value", rsp_json_text (text), NULL),
      "range", lsp_range_of (server, place), NULL);
}

JsonNode *lsp_signature (const char *head, int parameter) {
  g_auto (GStrv) words = g_strsplit_set (strchr (head, '(') + 1, ",)", -1);
  JsonArray *parameters = json_array_new (), *all = json_array_new ();
  for (guint i = 0; words[i] && words[i + 1]; i++)
    rsp_json_add (parameters,
                  rsp_json_object ("label", rsp_json_text (g_strstrip (words[i])), NULL));
  rsp_json_add (all, rsp_json_object ("label", rsp_json_text (head), "parameters",
                                      rsp_json_list (parameters), NULL));
  return rsp_json_object ("signatures", rsp_json_list (all), "activeSignature", rsp_json_number (0),
                          "activeParameter", rsp_json_number (parameter), NULL);
}

JsonNode *lsp_replace_all (JsonNode *places, const char *name) {
  JsonObject *changes = json_object_new ();
  JsonArray *all = rsp_json_as_list (places);
  for (guint i = 0; i < json_array_get_length (all); i++) {
    JsonNode *place = json_array_get_element (all, i);
    const char *uri = rsp_json_as_text (rsp_json_get (place, "uri", NULL));
    if (!json_object_get_member (changes, uri))
      json_object_set_array_member (changes, uri, json_array_new ());
    rsp_json_add (json_object_get_array_member (changes, uri),
                  rsp_json_object ("range", json_node_ref (rsp_json_get (place, "range", NULL)),
                                   "newText", rsp_json_text (name), NULL));
  }
  return rsp_json_object ("changes", rsp_json_members (changes), NULL);
}

/* ---- Completion ---- */

void lsp_offer (JsonArray *items, GHashTable *offered, const char *label, LspCompletionKind kind,
                const char *detail) {
  if (g_hash_table_add (offered, g_strdup (label)))
    rsp_json_add (items,
                  rsp_json_object ("label", rsp_json_text (label), "kind", rsp_json_number (kind),
                                   "detail", detail ? rsp_json_text (detail) : NULL, NULL));
}
