#include "lsp/check.h"
#include "model/type/check.h"
#include "model/warn/warn.h"
#include "parser/dsom/parse.h"
#include "parser/litmus/parse.h"
#include "parser/map/load.h"

#include <string.h>

/* ---- What is wrong ---- */

static void
check_test (RspSource *source, RspDiagnostics *diagnostics)
{
  if (rsp_dsom_recognises (source))
    rsp_dsom_program_free (rsp_dsom_parse (source, diagnostics));
  else
    rsp_program_free (rsp_litmus_parse (source, FALSE, diagnostics));
}

/* The model may be NULL, or have errors. */
static void
check_model (RspModel *model, RspDiagnostics *diagnostics)
{
  if (model && !rsp_diagnostics_count_errors (diagnostics)
      && rsp_model_check_types (model, diagnostics))
    rsp_model_warn (model, 0, NULL, diagnostics);
}

/* ---- Where ---- */

static gboolean
includes (const RspCatStatement *statement, const RspSource *source)
{
  for (; statement; statement = statement->next)
    if (statement->span.source == source || includes (statement->included, source)
        || includes (statement->body, source) || includes (statement->otherwise, source))
      return TRUE;
  return FALSE;
}

/* The include statement of the document by which the model has another text: the one whose statements are from
 * there, or else the last one that was followed. */
static RspSpan
include_of (const RspModel *model, const RspSource *source)
{
  RspSpan last = RSP_NOWHERE;
  for (const RspCatStatement *statement = model->statements; statement; statement = statement->next)
    if (statement->kind == RSP_CAT_STMT_INCLUDE)
      {
        if (includes (statement->included, source))
          return statement->name_span;
        if (!statement->included)
          last = last.source ? last : statement->name_span;
      }
  return last;
}

/* ---- As JSON ---- */

static JsonNode *
related (const LspServer *server, RspSpan span, const char *message)
{
  JsonNode *location = lsp_location (server, span);
  if (!location)
    return NULL;
  JsonArray *array = json_array_new ();
  rsp_json_add (array,
                rsp_json_object ("location", location, "message", rsp_json_text (message), NULL));
  return rsp_json_list (array);
}

static JsonNode *
diagnostic_node (const LspServer *server, const LspDocument *document, const RspModel *model,
                 const RspDiagnostic *diagnostic)
{
  static const int severities[]
      = { [RSP_NOTE] = 3, [RSP_TRUNCATED] = 2, [RSP_WARNING] = 2, [RSP_ERROR] = 1 };
  RspSpan span = diagnostic->span;
  gboolean is_own = !span.source || g_str_equal (span.source->name, document->path);
  RspSpan here = is_own ? span : model ? include_of (model, span.source) : RSP_NOWHERE;
  guint line, column;
  g_autofree char *text = g_strdup (diagnostic->message);
  if (!is_own)
    {
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

/* Checks the document; calls `each` for every diagnostic. */
static JsonNode *
collect (LspServer *server, const LspDocument *document,
         JsonNode *(*each) (const LspServer *, const LspDocument *, const RspModel *,
                            const RspDiagnostic *) )
{
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = NULL;
  JsonArray *array = json_array_new ();
  if (document->kind == LSP_TEST)
    check_test (document->source, diagnostics);
  else if (document->kind == LSP_MODEL)
    {
      model = lsp_read_model (server, document->path, diagnostics);
      check_model (model, diagnostics);
    }
  else if (document->kind == LSP_MAPPING)
    rsp_map_free (rsp_map_parse (document->source, NULL, diagnostics));
  for (guint i = 0; i < rsp_diagnostics_count (diagnostics); i++)
    {
      JsonNode *node = each (server, document, model, rsp_diagnostics_get (diagnostics, i));
      if (node)
        rsp_json_add (array, node);
    }
  return rsp_json_list (array);
}

JsonNode *
lsp_diagnostics (LspServer *server, const LspDocument *document)
{
  return rsp_json_object ("uri", rsp_json_text (document->uri), "version",
                          rsp_json_number (document->version), "diagnostics",
                          collect (server, document, diagnostic_node), NULL);
}

/* ---- Quick fixes ---- */

/* What should be there instead: from "did you mean `X`?", or `_x` for an unused x. NULL if that is not known. */
static char *
replacement (const RspDiagnostic *diagnostic)
{
  static const char mean[] = "did you mean `", unused[] = "nothing uses `";
  const char *hint = diagnostic->hint;
  if (hint && g_str_has_prefix (hint, mean) && g_str_has_suffix (hint, "`?"))
    {
      gboolean is_string = diagnostic->span.source->text[diagnostic->span.begin] == '"';
      g_autofree char *name = g_strndup (hint + strlen (mean), strlen (hint) - strlen (mean) - 2);
      return g_strdup_printf (is_string ? "\"%s\"" : "%s", name);
    }
  if (!g_str_has_prefix (diagnostic->message, unused))
    return NULL;
  RspSpan span = diagnostic->span;
  return g_strdup_printf ("_%.*s", (int) (span.end - span.begin), span.source->text + span.begin);
}

static JsonNode *
action_node (const LspServer *server, const LspDocument *document, const RspModel *model,
             const RspDiagnostic *diagnostic)
{
  RspSpan span = diagnostic->span;
  if (!span.source || !g_str_equal (span.source->name, document->path) || span.begin == span.end)
    return NULL;
  g_autofree char *text = replacement (diagnostic);
  if (!text)
    return NULL;
  g_autofree char *title = g_strdup_printf ("Replace by `%s`", text);
  JsonNode *range = lsp_range (document->source, span.begin, span.end, server->encoding);
  JsonArray *edits = json_array_new (), *mended = json_array_new ();
  rsp_json_add (edits, rsp_json_object ("range", range, "newText", rsp_json_text (text), NULL));
  rsp_json_add (mended, diagnostic_node (server, document, model, diagnostic));
  return rsp_json_object (
      "title", rsp_json_text (title), "kind", rsp_json_text ("quickfix"), "diagnostics",
      rsp_json_list (mended), "edit",
      rsp_json_object ("changes", rsp_json_object (document->uri, rsp_json_list (edits), NULL),
                       NULL),
      NULL);
}

/* Does the action's diagnostic overlap the range? */
static gboolean
overlaps (const LspDocument *document, LspEncoding encoding, JsonNode *action, JsonNode *range)
{
  JsonNode *first
      = json_array_get_element (rsp_json_as_list (rsp_json_get (action, "diagnostics", NULL)), 0);
  const RspSource *source = document->source;
  return lsp_offset (source, rsp_json_get (first, "range", "start", NULL), encoding)
             <= lsp_offset (source, rsp_json_get (range, "end", NULL), encoding)
         && lsp_offset (source, rsp_json_get (range, "start", NULL), encoding)
                <= lsp_offset (source, rsp_json_get (first, "range", "end", NULL), encoding);
}

JsonNode *
lsp_actions (LspServer *server, const LspDocument *document, JsonNode *params)
{
  g_autoptr (JsonNode) all = collect (server, document, action_node);
  JsonArray *actions = rsp_json_as_list (all), *found = json_array_new ();
  for (guint i = 0; i < json_array_get_length (actions); i++)
    {
      JsonNode *action = json_array_get_element (actions, i);
      if (overlaps (document, server->encoding, action, rsp_json_get (params, "range", NULL)))
        rsp_json_add (found, json_node_ref (action));
    }
  return rsp_json_list (found);
}
