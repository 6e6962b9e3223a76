#include "lsp/languages/cat_names.h"

#include <string.h>

/* ---- Predefined names ---- */

const LspBaseName lsp_base_names[] = {
#define SET                                             "set of events"
#define RELATION                                        "relation"
#define RSP_BASE_SET(id, name, meaning)                 { name, SET, meaning, FALSE },
#define RSP_BASE_RELATION(id, name, meaning)            { name, RELATION, meaning, FALSE },
#define RSP_BASE_DERIVED(id, kind, name, meaning)       { name, kind, meaning, FALSE },
#define RSP_BASE_LITERAL(id, name, meaning)             { name, "set or relation", meaning, FALSE },
#define RSP_BASE_ALIAS(name, other)                     { name, other, NULL, TRUE },
#define RSP_BASE_FOREIGN(name)                          { name, "set or relation", "always empty here", FALSE },
#define RSP_BASE_FUNCTION(id, name, signature, meaning) { name, "function", meaning, FALSE },
#include "model/base_names.def"
#undef SET
#undef RELATION
  { NULL, NULL, NULL, FALSE }
};

const LspBaseName *lsp_base_name (const char *name) {
  for (const LspBaseName *base = lsp_base_names; base->name; base++)
    if (g_str_equal (base->name, name))
      return base;
  return NULL;
}

/* ---- Reading ---- */

static gboolean is_first_of_statement (const char *text, gsize at) {
  return (at == 0 || text[at - 1] == '\n') && g_ascii_isalpha (text[at]);
}

/* Reads the document's beginning, up to a line on or before `end` on which a statement seems to
 * begin: the last one before which everything can be read, of a few. */
static RspModel *read_beginning (LspServer *server, const LspDocument *document, gsize end) {
  enum {
    MOST_TRIES = 4 /* the statement that is being written may end where the next one begins */
  };
  const char *text = document->source->text;
  RspModel *model = NULL;
  for (guint i = 0; i < MOST_TRIES && end > 0 && !(model && model->statements); i++, end--) {
    while (end > 0 && !is_first_of_statement (text, end))
      end--;
    if (end == 0)
      break;
    g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
    RspSource *source = rsp_source_new (document->path, g_strndup (text, end), end);
    g_hash_table_insert (server->texts, g_strdup (document->path), source);
    rsp_model_free (model);
    model = lsp_read_model (server, document->path, unread);
  }
  g_hash_table_insert (server->texts, g_strdup (document->path), rsp_source_ref (document->source));
  return model;
}

/* The first error in the document's own text; -1 if there is none. */
static gint64 first_error (const RspDiagnostics *diagnostics, const LspDocument *document) {
  for (guint i = 0; i < rsp_diagnostics_count (diagnostics); i++) {
    const RspDiagnostic *entry = rsp_diagnostics_get (diagnostics, i);
    if (entry->severity == RSP_ERROR && entry->span.source
        && g_str_equal (entry->span.source->name, document->path))
      return entry->span.begin;
  }
  return -1;
}

LspNames *lsp_names_new (LspServer *server, const LspDocument *document) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = lsp_read_model (server, document->path, diagnostics);
  gint64 error = first_error (diagnostics, document);
  if (model && !model->statements && error >= 0) {
    RspModel *beginning = read_beginning (server, document, (gsize) error);
    if (beginning) {
      rsp_model_free (model);
      model = beginning;
    }
  }
  if (!model)
    return NULL;
  LspNames *names = g_new0 (LspNames, 1);
  names->uses = rsp_uses_find (model, NULL);
  names->model = g_steal_pointer (&model);
  return names;
}

void lsp_names_free (LspNames *names) {
  rsp_uses_free (names->uses);
  rsp_model_free (names->model);
  g_free (names);
}

/* ---- Looking up ---- */

static gboolean has (RspSpan span, const LspDocument *document, guint offset) {
  return span.source && span.begin <= offset && offset <= span.end
         && g_str_equal (span.source->name, document->path);
}

const RspDefinition *lsp_names_at (const LspNames *names, const LspDocument *document, guint offset,
                                   RspSpan *place) {
  const RspUses *uses = names->uses;
  for (guint i = 0; i < uses->uses->len; i++) {
    const RspUse *use = &g_array_index (uses->uses, RspUse, i);
    *place = use->span;
    if (has (use->span, document, offset))
      return use->definition;
  }
  for (guint i = 0; i < uses->definitions->len; i++) {
    const RspDefinition *definition = uses->definitions->pdata[i];
    *place = definition->span;
    if (has (definition->span, document, offset))
      return definition;
  }
  *place = RSP_NOWHERE;
  return NULL;
}

const RspCatStatement *lsp_statement_of (const RspCatStatement *statements, RspSpan span) {
  for (const RspCatStatement *statement = statements; statement; statement = statement->next) {
    if (statement->span.source == span.source && statement->span.begin <= span.begin
        && span.end <= statement->span.end)
      return statement;
    const RspCatStatement *inner = lsp_statement_of (statement->included, span);
    if (inner)
      return inner;
  }
  return NULL;
}
