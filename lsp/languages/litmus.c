#include "lsp/languages/litmus.h"
#include "parser/litmus/parse.h"

#include <string.h>

/* ---- Names ---- */

/* NULL if the test has errors. */
static RspProgram *parse (const LspDocument *document) {
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  return rsp_litmus_parse (document->source, FALSE, unread);
}

static gboolean is (RspSpan word, const char *name) {
  gsize length = word.end - word.begin;
  return word.source && strlen (name) == length
         && strncmp (word.source->text + word.begin, name, length) == 0;
}

/* Where a thread, location or register of that name is declared, or first appears. Of registers,
 * that of the thread in which the word is. */
static RspSpan declaration (const RspProgram *program, RspSpan word) {
  const RspThread *here = NULL;
  for (guint i = 0; i < program->n_threads; i++) {
    const RspThread *thread = &program->threads[i];
    if (is (word, thread->name))
      return thread->span;
    if (thread->span.begin <= word.begin && (!here || here->span.begin < thread->span.begin))
      here = thread;
  }
  for (guint i = 0; here && i < here->n_registers; i++)
    if (is (word, here->registers[i].name) && here->registers[i].span.source)
      return here->registers[i].span;
  for (guint i = 0; i < program->n_locations; i++)
    if (is (word, program->locations[i].name) && program->locations[i].span.source)
      return program->locations[i].span;
  return RSP_NOWHERE;
}

static RspSpan word_of (const LspServer *server, const LspDocument *document, JsonNode *params) {
  JsonNode *position = rsp_json_get (params, "position", NULL);
  return lsp_word (document->source, lsp_offset (document->source, position, server->encoding),
                   TRUE);
}

JsonNode *lsp_litmus_definition (LspServer *server, const LspDocument *document, JsonNode *params) {
  g_autoptr (RspProgram) program = parse (document);
  RspSpan word = word_of (server, document, params);
  RspSpan found = program && word.source ? declaration (program, word) : RSP_NOWHERE;
  return found.source ? lsp_location (server, found) : rsp_json_null ();
}

/* All places of the word: whichever thread's register it is. */
JsonNode *lsp_litmus_references (LspServer *server, const LspDocument *document, JsonNode *params) {
  RspSpan word = word_of (server, document, params);
  if (!word.source)
    return rsp_json_null ();
  g_autofree char *name = rsp_span_text (word);
  JsonArray *array = json_array_new ();
  for (RspSpan found = lsp_next_word (document->source, name, 0); found.source;
       found = lsp_next_word (document->source, name, found.end))
    rsp_json_add (array, lsp_location (server, found));
  return rsp_json_list (array);
}

/* Is the test one without errors if the word has the new name everywhere? */
static gboolean is_test_with (RspSource *source, RspSpan word, const char *name) {
  g_autofree char *old = rsp_span_text (word);
  g_autoptr (GString) text = g_string_new (NULL);
  guint at = 0;
  for (RspSpan found; (found = lsp_next_word (source, old, at)).source; at = found.end) {
    g_string_append_len (text, source->text + at, found.begin - at);
    g_string_append (text, name);
  }
  g_string_append (text, source->text + at);
  RspSource *changed = rsp_source_new (source->name, g_strdup (text->str), text->len);
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  g_autoptr (RspProgram) program = rsp_litmus_parse (changed, FALSE, unread);
  rsp_source_unref (changed);
  return program != NULL;
}

JsonNode *lsp_litmus_rename (LspServer *server, const LspDocument *document, JsonNode *params,
                             char **error) {
  const char *name = rsp_json_as_text (rsp_json_get (params, "newName", NULL));
  g_autoptr (RspProgram) program = parse (document);
  RspSpan word = word_of (server, document, params);
  if (!program)
    *error = g_strdup ("the test has errors");
  else if (!word.source || !declaration (program, word).source)
    *error = g_strdup ("there is no name here that the test declares");
  else if (!lsp_is_c_name (name))
    *error = g_strdup_printf ("`%s` cannot be its name", name ? name : "");
  else if (lsp_next_word (document->source, name, 0).source)
    *error = g_strdup_printf ("`%s` already means something here", name);
  else if (!is_test_with (document->source, word, name))
    *error = g_strdup_printf ("`%s` cannot be its name", name);
  if (*error)
    return NULL;
  g_autoptr (JsonNode) places = lsp_litmus_references (server, document, params);
  return lsp_replace_all (places, name);
}

/* ---- Threads ---- */

/* The line (from 0) of a byte. */
static guint line_of (const RspSource *source, guint offset) {
  guint line, column;
  rsp_source_position (source, offset, &line, &column);
  return line - 1;
}

JsonNode *lsp_litmus_symbols (LspServer *server, const LspDocument *document, JsonNode *params) {
  (void) params;
  enum { SYMBOL_FUNCTION = 12 };
  g_autoptr (RspProgram) program = parse (document);
  JsonArray *array = json_array_new ();
  for (guint i = 0; program && i < program->n_threads; i++) {
    const RspThread *thread = &program->threads[i];
    JsonNode *range = lsp_range_of (server, thread->span);
    rsp_json_add (array, rsp_json_object ("name", rsp_json_text (thread->name), "kind",
                                          rsp_json_number (SYMBOL_FUNCTION), "range", range,
                                          "selectionRange", json_node_ref (range), NULL));
  }
  return rsp_json_list (array);
}

/* What is between braces on several lines. */
JsonNode *lsp_litmus_folding (LspServer *server, const LspDocument *document, JsonNode *params) {
  (void) server, (void) params;
  const RspSource *source = document->source;
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint)); /* bytes of open braces */
  JsonArray *array = json_array_new ();
  for (guint i = 0; i < source->length; i++)
    if (source->text[i] == '{')
      g_array_append_val (open, i);
    else if (source->text[i] == '}' && open->len) {
      guint first = line_of (source, g_array_index (open, guint, open->len - 1)),
            last = line_of (source, i);
      g_array_set_size (open, open->len - 1);
      if (last > first)
        rsp_json_add (array, rsp_json_object ("startLine", rsp_json_number (first), "endLine",
                                              rsp_json_number (last), NULL));
    }
  return rsp_json_list (array);
}

/* ---- Lenses ---- */

/* Where the condition begins: at the last of the words that may begin it. */
static guint condition_begin (const RspSource *source) {
  static const char *const beginnings[] = { "exists", "forall", "~exists", "not" };
  gsize begin = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (beginnings); i++)
    for (const char *at = source->text; (at = strstr (at, beginnings[i])); at++)
      if (at == source->text || at[-1] == '\n')
        begin = MAX (begin, (gsize) (at - source->text));
  return (guint) begin;
}

JsonNode *lsp_litmus_lenses (LspServer *server, const LspDocument *document, JsonNode *params) {
  (void) params;
  g_autoptr (RspProgram) program = parse (document);
  JsonArray *array = json_array_new ();
  if (!program)
    return rsp_json_list (array);
  guint begin = condition_begin (document->source);
  for (guint i = 0; i < MAX (server->models->len, 1); i++) {
    const char *model
        = server->models->len ? server->models->pdata[i] : program->language->default_model;
    rsp_json_add (array,
                  rsp_json_object (
                      "range", lsp_range (document->source, begin, begin, server->encoding), "data",
                      rsp_json_object ("uri", rsp_json_text (document->uri), "model",
                                       rsp_json_text (model), NULL),
                      NULL));
  }
  return rsp_json_list (array);
}
