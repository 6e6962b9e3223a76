#include "lsp/languages/kernel.h"
#include "lsp/languages/kernel_names.h"
#include "lsp/languages/words.h"
#include "parser/kernel/kernel.h"

#include <string.h>

static const struct {
  const char *words;
  int symbol; /* the protocol's kind */
  LspCompletionKind completion;
} kinds[] = {
  [LSP_KERNEL_FUNCTION] = { "a function", 12, LSP_COMPLETE_FUNCTION },
  [LSP_KERNEL_PARAMETER] = { "a parameter", 13, LSP_COMPLETE_VARIABLE },
  [LSP_KERNEL_VARIABLE] = { "a variable", 13, LSP_COMPLETE_VARIABLE },
  [LSP_KERNEL_TYPE] = { "a type", 23, LSP_COMPLETE_TYPE },
  [LSP_KERNEL_TAG] = { "the tag of a type", 23, LSP_COMPLETE_TYPE },
  [LSP_KERNEL_MEMBER] = { "a member", 8, LSP_COMPLETE_VARIABLE },
  [LSP_KERNEL_ENUMERATOR] = { "a constant", 22, LSP_COMPLETE_CONSTANT },
  [LSP_KERNEL_MACRO] = { "a macro", 14, LSP_COMPLETE_CONSTANT },
};

static guint offset_of (const LspServer *server, const LspDocument *document, JsonNode *params) {
  return lsp_offset (document->source, rsp_json_get (params, "position", NULL), server->encoding);
}

/* ---- One name ---- */

/* The line on which it is declared, without what surrounds it; newly allocated. */
static char *declaring_line (const LspKernelName *name) {
  const char *text = name->span.source->text, *begin = text + name->span.begin;
  while (begin > text && begin[-1] != '\n')
    begin--;
  return g_strstrip (g_strndup (begin, strcspn (begin, "\r\n")));
}

JsonNode *lsp_kernel_hover (LspServer *server, const LspDocument *document, JsonNode *params) {
  RspSpan place;
  g_autoptr (LspKernelNames) names = lsp_kernel_names_new (server, document);
  const LspKernelName *name
      = lsp_kernel_name_at (names, offset_of (server, document, params), &place);
  if (!name)
    return lsp_kernel_word_hover (server, document, params);
  g_autofree char *line = declaring_line (name);
  g_autofree char *file = g_path_get_basename (name->span.source->name);
  g_autofree char *text
      = g_strdup_printf ("```c\n%s\n```\n`%s` is %s, declared in %s, line %u", line, name->name,
                         kinds[name->kind].words, file, rsp_span_line (name->span));
  return lsp_hover (server, place, text);
}

/* The file that the line of the byte includes with quotes; NULL if there is none. */
static JsonNode *included_file (const LspServer *server, const LspDocument *document,
                                guint offset) {
  RspSpan quoted = lsp_quoted_after (document->source, offset, "#include");
  g_autofree char *name = rsp_span_text (quoted);
  g_autofree char *path = name ? lsp_kernel_included_path (document->path, name) : NULL;
  return path ? lsp_file (server, path) : NULL;
}

JsonNode *lsp_kernel_definition (LspServer *server, const LspDocument *document, JsonNode *params) {
  RspSpan place;
  guint offset = offset_of (server, document, params);
  g_autoptr (LspKernelNames) names = lsp_kernel_names_new (server, document);
  const LspKernelName *name = lsp_kernel_name_at (names, offset, &place);
  JsonNode *found
      = name ? lsp_location (server, name->span) : included_file (server, document, offset);
  return found ? found : rsp_json_null ();
}

JsonNode *lsp_kernel_references (LspServer *server, const LspDocument *document, JsonNode *params) {
  RspSpan place;
  g_autoptr (LspKernelNames) names = lsp_kernel_names_new (server, document);
  lsp_kernel_name_at (names, offset_of (server, document, params), &place);
  if (!place.source)
    return rsp_json_null ();
  g_autoptr (GArray) uses = lsp_kernel_name_uses (names, place);
  JsonArray *array = json_array_new ();
  for (guint i = 0; i < uses->len; i++)
    rsp_json_add (array, lsp_location (server, g_array_index (uses, RspSpan, i)));
  return rsp_json_list (array);
}

/* ---- Rename ---- */

static guint count_errors (const char *path, const char *text) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  rsp_kernel_check (path, text, diagnostics);
  return rsp_diagnostics_count_errors (diagnostics);
}

/* Has the kernel the same errors if these places have the new name? */
static gboolean is_same_with (const LspDocument *document, const GArray *places, const char *name) {
  g_autoptr (GString) text = g_string_new (NULL);
  guint at = 0;
  for (guint i = 0; i < places->len; i++) {
    RspSpan place = g_array_index (places, RspSpan, i);
    g_string_append_len (text, document->source->text + at, place.begin - at);
    g_string_append (text, name);
    at = place.end;
  }
  g_string_append (text, document->source->text + at);
  return count_errors (document->path, text->str)
         == count_errors (document->path, document->source->text);
}

static gboolean is_known (const LspKernelNames *names, const char *word) {
  for (guint i = 0; i < names->names->len; i++)
    if (g_str_equal (g_array_index (names->names, LspKernelName, i).name, word))
      return TRUE;
  return FALSE;
}

JsonNode *lsp_kernel_rename (LspServer *server, const LspDocument *document, JsonNode *params,
                             char **error) {
  const char *new_name = rsp_json_as_text (rsp_json_get (params, "newName", NULL));
  RspSpan place;
  g_autoptr (LspKernelNames) names = lsp_kernel_names_new (server, document);
  const LspKernelName *name
      = lsp_kernel_name_at (names, offset_of (server, document, params), &place);
  g_autoptr (GArray) uses = lsp_kernel_name_uses (names, place);
  if (!name)
    *error = g_strdup ("there is no name here that the kernel declares");
  else if (name->span.source != document->source) {
    g_autofree char *file = g_path_get_basename (name->span.source->name);
    *error = g_strdup_printf ("`%s` is declared in %s", name->name, file);
  } else if (!lsp_is_c_name (new_name))
    *error = g_strdup_printf ("`%s` cannot be its name", new_name ? new_name : "");
  else if (is_known (names, new_name) || lsp_next_word (document->source, new_name, 0).source)
    *error = g_strdup_printf ("`%s` already means something here", new_name);
  else if (!is_same_with (document, uses, new_name))
    *error = g_strdup_printf ("`%s` cannot be its name", new_name);
  if (*error)
    return NULL;
  g_autoptr (JsonNode) places = lsp_kernel_references (server, document, params);
  return lsp_replace_all (places, new_name);
}

/* ---- All names ---- */

JsonNode *lsp_kernel_completion (LspServer *server, const LspDocument *document, JsonNode *params) {
  g_autoptr (GHashTable) offered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (LspKernelNames) names = lsp_kernel_names_new (server, document);
  guint offset = offset_of (server, document, params);
  JsonArray *items = json_array_new ();
  if (!lsp_offer_kernel_words (document, offset, items, offered))
    for (guint i = 0; i < names->names->len; i++) {
      const LspKernelName *name = &g_array_index (names->names, LspKernelName, i);
      if (lsp_kernel_name_is_visible (name, offset) && name->span.end != offset)
        lsp_offer (items, offered, name->name, kinds[name->kind].completion,
                   kinds[name->kind].words);
    }
  return rsp_json_list (items);
}

/* Functions, types, variables and macros that are not inside others. */
JsonNode *lsp_kernel_symbols (LspServer *server, const LspDocument *document, JsonNode *params) {
  (void) params;
  g_autoptr (LspKernelNames) names = lsp_kernel_names_new (server, document);
  JsonArray *array = json_array_new ();
  for (guint i = 0; i < names->names->len; i++) {
    const LspKernelName *name = &g_array_index (names->names, LspKernelName, i);
    RspSpan whole = { name->span.source, name->span.begin, name->whole_end };
    if (name->is_outer && name->kind != LSP_KERNEL_MEMBER && name->span.source == document->source)
      rsp_json_add (array, rsp_json_object ("name", rsp_json_text (name->name), "kind",
                                            rsp_json_number (kinds[name->kind].symbol), "range",
                                            lsp_range_of (server, whole), "selectionRange",
                                            lsp_range_of (server, name->span), NULL));
  }
  return rsp_json_list (array);
}
