#include "lsp/languages/map.h"
#include "api/directories.h"
#include "parser/columns/instruction.h"
#include "parser/map/load.h"

#include <string.h>

static guint offset_of (const LspServer *server, const LspDocument *document, JsonNode *params) {
  return lsp_offset (document->source, rsp_json_get (params, "position", NULL), server->encoding);
}

/* ---- Words ---- */

/* Operations come first. */
static const struct {
  const char *word, *meaning;
} rows[] = {
#define RSP_MAP_OPERATION(word, operation, meaning) { word, meaning },
#define RSP_MAP_SELECTOR(word, kind, bits, meaning) { word, meaning },
#include "parser/map/words.def"
};

static const char *skip_blanks (const char *text) { return text + strspn (text, " \t"); }

/* Is it a line `source LANGUAGE …`? */
static gboolean names_source (const char *line, const char *language) {
  line = skip_blanks (line);
  if (!g_str_has_prefix (line, "source") || !g_ascii_isspace (line[strlen ("source")]))
    return FALSE;
  const char *word = skip_blanks (line + strlen ("source"));
  return g_str_has_prefix (word, language) && !g_ascii_isalnum (word[strlen (language)]);
}

/* The language whose words select rows; NULL: those above do. The text may have errors elsewhere.
 */
static const RspLanguage *source_of (const LspDocument *document) {
  g_auto (GStrv) lines = g_strsplit (document->source->text, "\n", -1);
  for (char **line = lines; *line; line++)
    for (guint i = 0; i < RSP_N_LANGUAGES; i++)
      if (rsp_languages[i].tagged && names_source (*line, rsp_languages[i].word))
        return &rsp_languages[i];
  return NULL;
}

/* What a word of the language is, by the tag that it adds; NULL: not a word of it. Newly allocated.
 */
static char *source_meaning (const RspLanguage *language, const char *word) {
  const ColumnsAlphabet *alphabet = rsp_columns_alphabet (language);
  const ColumnsForm *form = rsp_columns_form (alphabet, word);
  const ColumnsSuffix *suffix = rsp_columns_suffix (alphabet, word);
  if (form)
    return g_strdup_printf ("instruction of %s", language->word);
  if (!suffix)
    return NULL;
  if (!suffix->tags)
    return g_strdup_printf ("suffix of %s", language->word);
  return g_strdup_printf ("suffix of %s: %s", language->word,
                          rsp_tags[__builtin_ctzll (suffix->tags)].text);
}

static void offer_source (const RspLanguage *language, JsonArray *items, GHashTable *offered) {
  const ColumnsAlphabet *alphabet = rsp_columns_alphabet (language);
  for (const ColumnsForm *form = alphabet->forms; form->word; form++) {
    g_autofree char *meaning = source_meaning (language, form->word);
    lsp_offer (items, offered, form->word, LSP_COMPLETE_KEYWORD, meaning);
  }
  for (const ColumnsSuffix *suffix = alphabet->suffixes; suffix->word; suffix++) {
    g_autofree char *meaning = source_meaning (language, suffix->word);
    lsp_offer (items, offered, suffix->word, LSP_COMPLETE_KEYWORD, meaning);
  }
}

JsonNode *lsp_map_hover (LspServer *server, const LspDocument *document, JsonNode *params) {
  RspSpan place = lsp_word (document->source, offset_of (server, document, params), TRUE);
  g_autofree char *name = rsp_span_text (place);
  const RspLanguage *source = source_of (document);
  g_autofree char *meaning = source && name ? source_meaning (source, name) : NULL;
  if (meaning)
    return lsp_hover (server, place, meaning);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (!g_strcmp0 (rows[i].word, name))
      return lsp_hover (server, place, rows[i].meaning);
  return rsp_json_null ();
}

JsonNode *lsp_map_completion (LspServer *server, const LspDocument *document, JsonNode *params) {
  g_autoptr (GHashTable) offered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  JsonArray *items = json_array_new ();
  const RspLanguage *source = source_of (document);
  (void) server, (void) params;
  for (gsize i = 0; i < (source ? RSP_MAP_N_OPERATIONS : G_N_ELEMENTS (rows)); i++)
    lsp_offer (items, offered, rows[i].word, LSP_COMPLETE_KEYWORD, rows[i].meaning);
  if (source)
    offer_source (source, items, offered);
  return rsp_json_list (items);
}

/* ---- Files and names ---- */

JsonNode *lsp_map_definition (LspServer *server, const LspDocument *document, JsonNode *params) {
  guint offset = offset_of (server, document, params);
  g_autofree char *name = rsp_span_text (lsp_quoted_after (document->source, offset, "include"));
  g_auto (GStrv) folders = rsp_directories ("machine", NULL, document->path);
  g_autofree char *path
      = name ? rsp_map_find_file (document->path, name, (const char *const *) folders) : NULL;
  JsonNode *found = path ? lsp_file (server, path) : NULL;
  return found ? found : rsp_json_null ();
}

JsonNode *lsp_map_rename (LspServer *server, const LspDocument *document, JsonNode *params,
                          char **error) {
  const char *name = rsp_json_as_text (rsp_json_get (params, "newName", NULL));
  RspSpan place
      = lsp_quoted_after (document->source, offset_of (server, document, params), "mapping");
  if (!place.source)
    *error = g_strdup ("only the mapping's own name can be another one");
  else if (!name || !*name || strpbrk (name, "\"\n"))
    *error = g_strdup_printf ("`%s` cannot be its name", name ? name : "");
  if (*error)
    return NULL;
  JsonArray *places = json_array_new ();
  rsp_json_add (places, lsp_location (server, place));
  g_autoptr (JsonNode) all = rsp_json_list (places);
  return lsp_replace_all (all, name);
}

/* The rows, by what they select. */
JsonNode *lsp_map_symbols (LspServer *server, const LspDocument *document, JsonNode *params) {
  enum { SYMBOL_EVENT = 24 };
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  g_auto (GStrv) folders = rsp_directories ("machine", NULL, document->path);
  g_autoptr (RspMap) map
      = rsp_map_parse (document->source, (const char *const *) folders, server->texts, unread);
  JsonArray *array = json_array_new ();
  (void) params;
  for (const RspMapRow *row = map ? map->rows : NULL; row; row = row->next)
    if (row->span.source == document->source) {
      g_autofree char *head = rsp_span_text (row->span);
      guint end = row->span.end + (guint) strcspn (document->source->text + row->span.end, "\r\n");
      RspSpan whole = { row->span.source, row->span.begin, end };
      rsp_json_add (array, rsp_json_object ("name", rsp_json_text (g_strstrip (head)), "kind",
                                            rsp_json_number (SYMBOL_EVENT), "range",
                                            lsp_range_of (server, whole), "selectionRange",
                                            lsp_range_of (server, row->span), NULL));
    }
  return rsp_json_list (array);
}
