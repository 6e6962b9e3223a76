#include "lsp/document.h"
#include "model/load.h"

#include <string.h>

/* ---- Positions ---- */

/* The end of the line that begins at text: its `\n`, `\r\n` or `\r`, or the end of all. */
static const char *end_of_line (const char *text, const char *end) {
  while (text < end && *text != '\n' && *text != '\r')
    text++;
  return text;
}

/* The start of the next line, or NULL after the last one. */
static const char *next_line (const char *text, const char *end) {
  text = end_of_line (text, end);
  if (text == end)
    return NULL;
  return text + (text[0] == '\r' && text + 1 < end && text[1] == '\n' ? 2 : 1);
}

/* How much a character counts. */
static guint units (const char *character, const char *end, LspEncoding encoding) {
  gsize bytes = MIN ((gsize) (end - character), (gsize) (g_utf8_next_char (character) - character));
  if (encoding == LSP_UTF_8)
    return (guint) bytes;
  return encoding == LSP_UTF_16 && bytes == 4 ? 2 : 1;
}

guint lsp_offset (const RspSource *source, JsonNode *position, LspEncoding encoding) {
  const char *text = source->text, *end = text + source->length;
  gint64 line = rsp_json_as_number (rsp_json_get (position, "line", NULL));
  gint64 character = rsp_json_as_number (rsp_json_get (position, "character", NULL));
  for (; line > 0; line--) {
    const char *next = next_line (text, end);
    if (!next)
      return (guint) source->length;
    text = next;
  }
  end = end_of_line (text, end);
  for (gint64 n = 0; text < end; text = MIN (g_utf8_next_char (text), end)) {
    n += units (text, end, encoding);
    if (n > character)
      break;
  }
  return (guint) (text - source->text);
}

static JsonNode *position_of (const RspSource *source, guint offset, LspEncoding encoding) {
  const char *text = source->text, *end = text + source->length;
  const char *at = text + MIN (offset, source->length), *next;
  gint64 line = 0, character = 0;
  for (; (next = next_line (text, end)) && next <= at; text = next)
    line++;
  for (at = MIN (at, end_of_line (text, end)); text < at; text = g_utf8_next_char (text))
    character += units (text, end, encoding);
  return rsp_json_object ("line", rsp_json_number (line), "character", rsp_json_number (character),
                          NULL);
}

JsonNode *lsp_range (const RspSource *source, guint begin, guint end, LspEncoding encoding) {
  return rsp_json_object ("start", position_of (source, begin, encoding), "end",
                          position_of (source, MAX (begin, end), encoding), NULL);
}

/* ---- Documents ---- */

/* The path of a `file:` URI, absolute and without links; of another one, the URI. Newly allocated.
 */
static char *path_of (const char *uri) {
  g_autofree char *path = g_filename_from_uri (uri, NULL, NULL);
  return rsp_model_resolve (path ? path : uri);
}

static LspKind kind_of (const char *path) {
  return g_str_has_suffix (path, ".litmus") ? LSP_TEST
         : g_str_has_suffix (path, ".cat")  ? LSP_MODEL
         : g_str_has_suffix (path, ".map")  ? LSP_MAPPING
         : g_str_has_suffix (path, ".cl")   ? LSP_KERNEL
                                            : LSP_OTHER;
}

/* Takes text. */
static void set_text (LspDocument *document, char *text, gsize length) {
  if (document->source)
    rsp_source_unref (document->source);
  document->source = rsp_source_new (document->path, text, length);
  document->changed = TRUE;
}

LspDocument *lsp_document_new (const char *uri, gint64 version, const char *text) {
  LspDocument *document = g_new0 (LspDocument, 1);
  document->uri = g_strdup (uri);
  document->path = path_of (uri);
  document->kind = kind_of (document->path);
  document->version = version;
  set_text (document, g_strdup (text), strlen (text));
  document->before = rsp_source_ref (document->source);
  return document;
}

void lsp_document_free (LspDocument *document) {
  rsp_source_unref (document->source);
  rsp_source_unref (document->before);
  g_free (document->uri);
  g_free (document->path);
  g_free (document);
}

void lsp_document_change (LspDocument *document, JsonArray *changes, LspEncoding encoding) {
  if (document->saved) {
    rsp_source_unref (document->before);
    document->before = rsp_source_ref (document->source);
    document->saved = FALSE;
  }
  for (guint i = 0; changes && i < json_array_get_length (changes); i++) {
    JsonNode *change = json_array_get_element (changes, i);
    JsonNode *range = rsp_json_get (change, "range", NULL);
    const char *text = rsp_json_as_text (rsp_json_get (change, "text", NULL));
    const RspSource *old = document->source;
    guint begin = range ? lsp_offset (old, rsp_json_get (range, "start", NULL), encoding) : 0;
    guint end = range ? lsp_offset (old, rsp_json_get (range, "end", NULL), encoding)
                      : (guint) old->length;
    GString *all = g_string_new_len (old->text, begin);
    g_string_append (all, text ? text : "");
    g_string_append (all, old->text + MAX (begin, end));
    gsize length = all->len;
    set_text (document, g_string_free (all, FALSE), length);
  }
}
