#include "lsp/check.h"
#include "api/directories.h"
#include "model/type/check.h"
#include "model/warn/warn.h"
#include "parser/cat/parse.h"
#include "parser/dsom/parse.h"
#include "parser/kernel/kernel.h"
#include "parser/litmus/parse.h"
#include "parser/map/load.h"

#include <string.h>

/* ---- What is wrong ---- */

static void check_test (RspSource *source, RspDiagnostics *diagnostics) {
  if (rsp_dsom_recognises (source))
    rsp_dsom_program_free (rsp_dsom_parse (source, diagnostics));
  else
    rsp_program_free (rsp_litmus_parse (source, FALSE, diagnostics));
}

static void check_mapping (const LspServer *server, RspSource *source,
                           RspDiagnostics *diagnostics) {
  g_auto (GStrv) folders = rsp_directories ("machine", NULL, source->name);
  rsp_map_free (rsp_map_parse (source, (const char *const *) folders, server->texts, diagnostics));
}

/* The model may be NULL, or have errors. */
static void check_model (RspModel *model, RspDiagnostics *diagnostics) {
  if (model && !rsp_diagnostics_count_errors (diagnostics)
      && rsp_model_check_types (model, diagnostics))
    rsp_model_warn (model, 0, NULL, diagnostics);
}

/* ---- Where ---- */

static gboolean includes (const RspCatStatement *statement, const RspSource *source) {
  for (; statement; statement = statement->next)
    if (statement->span.source == source || includes (statement->included, source)
        || includes (statement->body, source) || includes (statement->otherwise, source))
      return TRUE;
  return FALSE;
}

/* The include statement of the document by which the model has another text: the one whose
 * statements are from there, or else the last one that was followed. */
static RspSpan include_of (const RspModel *model, const RspSource *source) {
  RspSpan last = RSP_NOWHERE;
  for (const RspCatStatement *statement = model->statements; statement; statement = statement->next)
    if (statement->kind == RSP_CAT_STMT_INCLUDE) {
      if (includes (statement->included, source))
        return statement->name_span;
      if (!statement->included)
        last = last.source ? last : statement->name_span;
    }
  return last;
}

/* The span in the document's own text: that of a kernel has been through the preprocessor. */
static RspSpan span_in (const LspDocument *document, RspSpan span) {
  const RspSource *text = document->source;
  guint offsets[2] = { span.begin, span.end };
  if (document->kind != LSP_KERNEL || !span.source)
    return span;
  for (guint i = 0; i < 2; i++) {
    guint line, column, end;
    rsp_source_position (span.source, offsets[i], &line, &column);
    line = MIN (line, text->n_lines);
    end = text->lines[line - 1] + (guint) strcspn (text->text + text->lines[line - 1], "\r\n");
    offsets[i] = MIN (text->lines[line - 1] + column - 1, end);
  }
  return (RspSpan){ document->source, offsets[0], offsets[1] };
}

/* ---- As JSON ---- */

static JsonNode *related (const LspServer *server, RspSpan span, const char *message) {
  JsonNode *location = lsp_location (server, span);
  if (!location)
    return NULL;
  JsonArray *array = json_array_new ();
  rsp_json_add (array,
                rsp_json_object ("location", location, "message", rsp_json_text (message), NULL));
  return rsp_json_list (array);
}

static JsonNode *diagnostic_node (const LspServer *server, const LspDocument *document,
                                  const RspModel *model, const RspDiagnostic *diagnostic) {
  static const int severities[]
      = { [RSP_NOTE] = 3, [RSP_TRUNCATED] = 2, [RSP_WARNING] = 2, [RSP_ERROR] = 1 };
  RspSpan span = span_in (document, diagnostic->span);
  gboolean is_own = !span.source || g_str_equal (span.source->name, document->path);
  RspSpan here = is_own ? span : model ? include_of (model, span.source) : RSP_NOWHERE;
  guint line, column;
  g_autofree char *text = g_strdup (diagnostic->message);
  if (!is_own) {
    rsp_source_position (span.source, span.begin, &line, &column);
    g_free (text);
    text = g_strdup_printf ("%s:%u:%u: %s", span.source->name, line, column, diagnostic->message);
  }
  g_autofree char *message = diagnostic->hint
                                 ? g_strdup_printf ("%s\nhint: %s", text, diagnostic->hint)
                                 : g_strdup (text);
  return rsp_json_object (
      "range", lsp_range (document->source, here.begin, here.end, server->encoding), "severity",
      rsp_json_number (severities[diagnostic->severity]), "source", rsp_json_text ("rspcheck"),
      "message", rsp_json_text (message), "relatedInformation",
      is_own ? NULL : related (server, span, diagnostic->message), NULL);
}

static void add_diagnostic (const LspServer *server, const LspDocument *document,
                            const RspModel *model, const RspDiagnostic *diagnostic,
                            JsonArray *array) {
  rsp_json_add (array, diagnostic_node (server, document, model, diagnostic));
}

/* Checks the document; `each` adds what it makes of a diagnostic to the list. */
static JsonNode *collect (LspServer *server, const LspDocument *document,
                          void (*each) (const LspServer *, const LspDocument *, const RspModel *,
                                        const RspDiagnostic *, JsonArray *)) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = NULL;
  JsonArray *array = json_array_new ();
  if (document->kind == LSP_TEST)
    check_test (document->source, diagnostics);
  else if (document->kind == LSP_MODEL) {
    model = lsp_read_model (server, document->path, diagnostics);
    check_model (model, diagnostics);
  } else if (document->kind == LSP_MAPPING)
    check_mapping (server, document->source, diagnostics);
  else if (document->kind == LSP_KERNEL)
    rsp_kernel_check (document->path, document->source->text, diagnostics);
  for (guint i = 0; i < rsp_diagnostics_count (diagnostics); i++)
    each (server, document, model, rsp_diagnostics_get (diagnostics, i), array);
  return rsp_json_list (array);
}

JsonNode *lsp_diagnostics (LspServer *server, const LspDocument *document) {
  return rsp_json_object ("uri", rsp_json_text (document->uri), "version",
                          rsp_json_number (document->version), "diagnostics",
                          collect (server, document, add_diagnostic), NULL);
}

/* ---- Quick fixes ---- */

/* What should be there instead: from "did you mean `X`?", or `_x` for an unused x. NULL if that is
 * not known. */
static char *replacement (const RspDiagnostic *diagnostic) {
  static const char mean[] = "did you mean `", unused[] = "nothing uses `";
  const char *hint = diagnostic->hint;
  if (hint && g_str_has_prefix (hint, mean) && g_str_has_suffix (hint, "`?")) {
    gboolean is_string = diagnostic->span.source->text[diagnostic->span.begin] == '"';
    g_autofree char *name = g_strndup (hint + strlen (mean), strlen (hint) - strlen (mean) - 2);
    return g_strdup_printf (is_string ? "\"%s\"" : "%s", name);
  }
  if (!g_str_has_prefix (diagnostic->message, unused))
    return NULL;
  RspSpan span = diagnostic->span;
  return g_strdup_printf ("_%.*s", (int) (span.end - span.begin), span.source->text + span.begin);
}

/* An edit that mends what the diagnostic says. */
static void add_action (const LspServer *server, const LspDocument *document, const RspModel *model,
                        const RspDiagnostic *diagnostic, const char *title, RspSpan where,
                        const char *text, JsonArray *array) {
  JsonArray *edits = json_array_new (), *mended = json_array_new ();
  rsp_json_add (edits, rsp_json_object ("range", lsp_range_of (server, where), "newText",
                                        rsp_json_text (text), NULL));
  rsp_json_add (mended, diagnostic_node (server, document, model, diagnostic));
  rsp_json_add (
      array, rsp_json_object (
                 "title", rsp_json_text (title), "kind", rsp_json_text ("quickfix"), "diagnostics",
                 rsp_json_list (mended), "edit",
                 rsp_json_object (
                     "changes", rsp_json_object (document->uri, rsp_json_list (edits), NULL), NULL),
                 NULL));
}

/* Does the model's own text define the name for those that include it? */
static gboolean defines (RspSource *source, const char *name) {
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  RspArena *arena = rsp_arena_new ();
  const RspCatFile *file
      = strstr (source->text, name) ? rsp_cat_parse (source, arena, unread) : NULL;
  gboolean found = FALSE;
  for (const RspCatStatement *s = file ? file->statements : NULL; s && !found; s = s->next)
    for (const RspCatBinding *binding = s->bindings; binding; binding = binding->next)
      found |= !g_strcmp0 (binding->pattern->name, name);
  rsp_arena_free (arena);
  return found;
}

/* A model in the folder that defines the name, and does not include the document; newly allocated,
 * or NULL. */
static char *definer_in (const LspServer *server, const LspDocument *document, const char *folder,
                         const char *name) {
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  g_autofree char *own = g_path_get_basename (document->path), *found = NULL;
  for (const char *file; files && (file = g_dir_read_name (files));) {
    g_autofree char *path = g_build_filename (folder, file, NULL);
    RspSource *open = g_hash_table_lookup (server->texts, path),
              *source = open ? rsp_source_ref (open) : rsp_source_read (path, NULL);
    gboolean is_earlier = !found || strcmp (file, found) < 0;
    if (source && is_earlier && g_str_has_suffix (file, ".cat") && !g_str_equal (file, own)
        && !strstr (source->text, own) && defines (source, name)) {
      g_free (found);
      found = g_strdup (file);
    }
    if (source)
      rsp_source_unref (source);
  }
  return g_steal_pointer (&found);
}

/* `include` of a model that defines the name, before the first statement. */
static void add_include (const LspServer *server, const LspDocument *document,
                         const RspModel *model, const RspDiagnostic *diagnostic, JsonArray *array) {
  RspSpan span = diagnostic->span, top = RSP_NOWHERE;
  g_autofree char *name = rsp_span_text (span), *file = NULL;
  g_auto (GStrv) folders = rsp_directories ("cat", NULL, document->path);
  for (guint i = 0; folders[i] && !file; i++)
    file = definer_in (server, document, folders[i], name);
  for (const RspCatStatement *s = model ? model->statements : NULL; s && !top.source; s = s->next)
    if (g_str_equal (s->span.source->name, document->path))
      top = (RspSpan){ document->source, s->span.begin, s->span.begin };
  if (!file || !top.source)
    return;
  g_autofree char *text = g_strdup_printf ("include \"%s\"\n", file);
  g_autofree char *title = g_strdup_printf ("Include `%s`, which defines `%s`", file, name);
  add_action (server, document, model, diagnostic, title, top, text, array);
}

static void add_actions (const LspServer *server, const LspDocument *document,
                         const RspModel *model, const RspDiagnostic *diagnostic, JsonArray *array) {
  RspSpan span = diagnostic->span;
  if (document->kind == LSP_KERNEL || !span.source
      || !g_str_equal (span.source->name, document->path) || span.begin == span.end)
    return;
  g_autofree char *text = replacement (diagnostic);
  g_autofree char *title = text ? g_strdup_printf ("Replace by `%s`", text) : NULL;
  if (text)
    add_action (server, document, model, diagnostic, title, span, text, array);
  if (document->kind == LSP_MODEL && g_str_has_suffix (diagnostic->message, "` is not defined"))
    add_include (server, document, model, diagnostic, array);
}

/* Does the action's diagnostic overlap the range? */
static gboolean overlaps (const LspDocument *document, LspEncoding encoding, JsonNode *action,
                          JsonNode *range) {
  JsonNode *first
      = json_array_get_element (rsp_json_as_list (rsp_json_get (action, "diagnostics", NULL)), 0);
  const RspSource *source = document->source;
  return lsp_offset (source, rsp_json_get (first, "range", "start", NULL), encoding)
             <= lsp_offset (source, rsp_json_get (range, "end", NULL), encoding)
         && lsp_offset (source, rsp_json_get (range, "start", NULL), encoding)
                <= lsp_offset (source, rsp_json_get (first, "range", "end", NULL), encoding);
}

JsonNode *lsp_actions (LspServer *server, const LspDocument *document, JsonNode *params) {
  g_autoptr (JsonNode) all = collect (server, document, add_actions);
  JsonArray *actions = rsp_json_as_list (all), *found = json_array_new ();
  for (guint i = 0; i < json_array_get_length (actions); i++) {
    JsonNode *action = json_array_get_element (actions, i);
    if (overlaps (document, server->encoding, action, rsp_json_get (params, "range", NULL)))
      rsp_json_add (found, json_node_ref (action));
  }
  return rsp_json_list (found);
}
