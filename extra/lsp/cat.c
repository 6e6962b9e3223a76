/* Models and mappings in an editor. */
#include "api/api.h"
#include "base/base.h"
#include "extra/lsp/internal.h"
#include "model/type/type.h"
#include "model/warn/warn.h"
#include "parser/columns/columns.h"
#include "parser/map/map.h"

#include <string.h>

typedef struct LspNames {
  RspModel *model;
  RspUses *uses;
} LspNames;

/* A predefined name. */
typedef struct LspBaseName {
  const char *name, *kind,
      *meaning; /* kind: "set of events"; of an alias: the name that it stands for */
  gboolean is_alias;
} LspBaseName;

static void lsp_names_free (LspNames *names);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LspNames, lsp_names_free)

/* ---- Cat names ------------------------------------------------------------------------------ */

/* The names of a model, where they are defined and used. */

/* ---- Predefined names ---- */
static const LspBaseName lsp_base_names[] = {
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

/* The predefined name that is written so, or NULL. */
static const LspBaseName *lsp_base_name (const char *name) {
  for (const LspBaseName *base = lsp_base_names; base->name; base++)
    if (g_str_equal (base->name, name))
      return base;
  return NULL;
}

/* ---- Reading ---- */
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

/* The names of a model as far as it can be read: up to the line of a syntax error in its own text.
 * NULL if it cannot be read at all. */
static LspNames *lsp_names_new (LspServer *server, const LspDocument *document) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = lsp_read_model (server, document->path, diagnostics);
  gint64 error = first_error (diagnostics, document);
  if (model && !model->statements && error >= 0) {
    /* Reads the document's beginning, up to a line on or before `end` on which a statement seems to
     * begin: the last one before which everything can be read, of a few. */
    gsize end = (gsize) error;
    enum {
      MOST_TRIES = 4 /* the statement that is being written may end where the next one begins */
    };
    const char *text = document->source->text;
    RspModel *beginning = NULL;
    for (guint i = 0; i < MOST_TRIES && end > 0 && !(beginning && beginning->statements);
         i++, end--) {
      while (end > 0 && !(text[end - 1] == '\n' && g_ascii_isalpha (text[end])))
        end--;
      if (end == 0)
        break;
      g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
      RspSource *source = rsp_source_new (document->path, g_strndup (text, end), end);
      g_hash_table_insert (server->texts, g_strdup (document->path), source);
      rsp_model_free (beginning);
      beginning = lsp_read_model (server, document->path, unread);
    }
    g_hash_table_insert (server->texts, g_strdup (document->path),
                         rsp_source_ref (document->source));
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

static void lsp_names_free (LspNames *names) {
  rsp_uses_free (names->uses);
  rsp_model_free (names->model);
  g_free (names);
}

/* ---- Looking up ---- */
static gboolean has (RspSpan span, const LspDocument *document, guint offset) {
  return span.source && span.begin <= offset && offset <= span.end
         && g_str_equal (span.source->name, document->path);
}

/* The definition to which the name at a byte of the document refers, or that is there; and the
 * name's place. NULL if the model does not define it. */
static const RspDefinition *lsp_names_at (const LspNames *names, const LspDocument *document,
                                          guint offset, RspSpan *place) {
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

/* The `let`, or other statement, of which the span is a part; NULL if there is none. */
static const RspCatStatement *lsp_statement_of (const RspCatStatement *statements, RspSpan span) {
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

/* ---- Cat ------------------------------------------------------------------------------------ */

/* The byte at params' position. */
/* The name that a request is about. */
typedef struct LookUp {
  guint offset;                    /* the byte at its position */
  const RspDefinition *definition; /* of the name there; NULL: the model has none */
  RspSpan place;                   /* of the name; without a source: there is none */
} LookUp;

/* The names of the document's model, with what is at params' position among them; NULL if there are
 * none. For the caller to free, after *found. */
static LspNames *look_up (LspServer *server, const LspDocument *document, RspJson *params,
                          LookUp *found) {
  LspNames *names = lsp_names_new (server, document);
  *found = (LookUp){ 0 };
  if (!names)
    return NULL;
  found->offset = lsp_offset_of (server, document, params);
  found->definition = lsp_names_at (names, document, found->offset, &found->place);
  return names;
}

/* ---- Hover ---- */
enum {
  MOST_LINES = 20 /* of a definition's text */
};

static void append_definition (const LspNames *names, const RspDefinition *definition,
                               GString *out) {
  g_autoptr (GHashTable) types = rsp_model_describe_types (names->model);
  const char *type = g_hash_table_lookup (types, definition->pattern);
  const RspCatStatement *statement = lsp_statement_of (names->model->statements, definition->span);
  RspSpan span = statement ? statement->span : definition->span;
  g_autofree char *text = rsp_span_text (span);
  g_auto (GStrv) lines = g_strsplit (text, "\n", MOST_LINES + 1);
  if (g_strv_length (lines) > MOST_LINES) {
    g_free (lines[MOST_LINES]);
    lines[MOST_LINES] = g_strdup ("…");
  }
  g_autofree char *shown = g_strjoinv ("\n", lines);
  g_autofree char *file = g_path_get_basename (definition->span.source->name);
  g_string_append_printf (out, "```cat\n%s\n```\n`%s` is %s, defined in %s, line %u", shown,
                          definition->name, type ? type : "a name", file,
                          rsp_span_line (definition->span));
}

/* Says what a name is that the model does not define. */
static void append_predefined (const LspNames *names, RspSpan word, GString *out) {
  g_autofree char *name = rsp_span_text (word);
  const LspBaseName *base = lsp_base_name (name);
  if (base && base->is_alias) {
    g_string_append_printf (out, "`%s` is another spelling of `%s`\n\n", base->name, base->kind);
    base = lsp_base_name (base->kind);
    if (!base)
      return;
  }
  if (base) {
    g_string_append_printf (out, "`%s`, predefined: a %s\n\n%s", base->name, base->kind,
                            base->meaning);
    return;
  }
  for (guint i = 0; i < names->model->words->len; i++) {
    const RspModelWord *own = &g_array_index (names->model->words, RspModelWord, i);
    g_autofree char *places = rsp_word_places_format (own->places);
    if (g_str_equal (own->name, name) || g_strcmp0 (own->scope, name) == 0)
      g_string_append_printf (out, "`%s`, a word of `enum %s`: of %s", name, own->kind, places);
  }
  for (const RspCatStatement *statement = names->model->prelude; statement;
       statement = statement->next)
    if (statement->bindings && !g_strcmp0 (statement->bindings->pattern->name, name))
      g_string_append_printf (out, "```cat\n%.*s\n```\n`%s` is predefined",
                              (int) (statement->span.end - statement->span.begin),
                              statement->span.source->text + statement->span.begin, name);
}

RspJson *lsp_cat_hover (LspServer *server, const LspDocument *document, RspJson *params) {
  LookUp found;
  g_autoptr (LspNames) names = look_up (server, document, params, &found);
  if (!names)
    return NULL;
  RspSpan place
      = found.place.source ? found.place : lsp_word (document->source, found.offset, FALSE);
  g_autoptr (GString) text = g_string_new (NULL);
  if (found.definition)
    append_definition (names, found.definition, text);
  else if (place.source)
    append_predefined (names, place, text);
  if (!text->len)
    return NULL;
  return lsp_hover (server, place, text->str);
}

/* ---- Definition ---- */
RspJson *lsp_cat_definition (LspServer *server, const LspDocument *document, RspJson *params) {
  LookUp found;
  g_autoptr (LspNames) names = look_up (server, document, params, &found);
  if (!names)
    return NULL;
  RspJson *place = found.definition ? lsp_location (server, found.definition->span) : NULL;
  const RspCatStatement *s = found.definition ? NULL : names->model->statements;
  for (; s && !place; s = s->next) /* the file of an include statement there */
    if (s->kind == RSP_CAT_STMT_INCLUDE && s->included && s->name_span.begin <= found.offset
        && found.offset <= s->name_span.end && g_str_equal (s->span.source->name, document->path))
      place = lsp_location (server, (RspSpan){ s->included->span.source, 0, 0 });
  return place;
}

/* ---- References ---- */
/* A search for a definition and its uses. */
typedef struct Search {
  const char *path; /* of the text of the definition */
  guint begin;
  gboolean with_definition;
  GHashTable *seen;  /* "path:begin" */
  RspJson *places;   /* locations */
  const char *avoid; /* a name that none of the models may have; or NULL */
  gboolean met;
} Search;

static gboolean is_searched (const Search *search, const RspDefinition *definition) {
  return definition && definition->span.begin == search->begin
         && g_str_equal (definition->span.source->name, search->path);
}

static void add_place (const LspServer *server, Search *search, RspSpan span) {
  RspJson *location = lsp_location (server, span);
  char *key = g_strdup_printf ("%s:%u", span.source->name, span.begin);
  if (g_hash_table_add (search->seen, key) && location)
    rsp_json_add (search->places, location);
  else
    g_clear_pointer (&location, rsp_json_unref);
}

static void search_model (LspServer *server, const char *path, Search *search) {
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = lsp_read_model (server, path, unread);
  if (!model)
    return;
  g_autoptr (RspUses) uses = rsp_uses_find (model, NULL);
  gboolean has_it = FALSE, met = FALSE;
  for (guint i = 0; i < uses->definitions->len; i++) {
    const RspDefinition *definition = uses->definitions->pdata[i];
    met |= search->avoid && g_str_equal (definition->name, search->avoid);
    if (!is_searched (search, definition))
      continue;
    has_it = TRUE;
    if (search->with_definition)
      add_place (server, search, definition->span);
  }
  for (guint i = 0; i < uses->uses->len; i++) {
    const RspUse *use = &g_array_index (uses->uses, RspUse, i);
    met |= search->avoid && g_str_equal (use->name, search->avoid);
    if (is_searched (search, use->definition))
      add_place (server, search, use->span);
  }
  search->met |= has_it && met;
}

/* Locations of the name at the position, or NULL if the model does not define it. */
static RspJson *find_references (LspServer *server, const LspDocument *document, RspJson *params,
                                 gboolean with_definition, const char *avoid, gboolean *met) {
  LookUp found;
  g_autoptr (LspNames) names = look_up (server, document, params, &found);
  if (!names || !found.definition)
    return NULL;
  const RspDefinition *definition = found.definition;
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Search search = { .path = definition->span.source->name,
                    .begin = definition->span.begin,
                    .with_definition = with_definition,
                    .seen = seen,
                    .places = rsp_json_list (),
                    .avoid = avoid };
  /* the models of the document's folder, and those that are open */
  g_autofree char *folder = g_path_get_dirname (document->path);
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  for (const char *name; files && (name = g_dir_read_name (files));)
    if (g_str_has_suffix (name, ".cat"))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  GHashTableIter iter;
  gpointer open;
  g_hash_table_iter_init (&iter, server->documents);
  while (g_hash_table_iter_next (&iter, NULL, &open))
    if (((LspDocument *) open)->kind == LSP_MODEL)
      g_ptr_array_add (paths, g_strdup (((LspDocument *) open)->path));
  g_ptr_array_sort (paths, rsp_compare_names);
  for (guint i = 0; i < paths->len; i++)
    search_model (server, paths->pdata[i], &search);
  *met = search.met;
  return search.places;
}

RspJson *lsp_cat_references (LspServer *server, const LspDocument *document, RspJson *params) {
  RspJson *node = rsp_json_get (params, "context", "includeDeclaration", NULL);
  gboolean met, with_definition = rsp_json_is_true (node);
  RspJson *found = find_references (server, document, params, with_definition, NULL, &met);
  return found;
}

/* ---- Rename ---- */
static const char *const keywords[] = {
#define WORD(word, token, begins, where) word,
#include "lexer/cat_words.def"
  NULL
};

RspJson *lsp_cat_rename (LspServer *server, const LspDocument *document, RspJson *params,
                         char **error) {
  const char *name = rsp_json_as_text (rsp_json_get (params, "newName", NULL));
  gboolean met = FALSE;
  gboolean is_name
      = name && (g_ascii_isalpha (*name) || *name == '_') && !g_str_equal (name, "_")
        && strspn (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_.-'") == strlen (name)
        && !g_strv_contains (keywords, name);
  if (!is_name) {
    *error = g_strdup_printf ("`%s` cannot be a name", name ? name : "");
    return NULL;
  }
  g_autoptr (RspJson) places = find_references (server, document, params, TRUE, name, &met);
  if (!places || !rsp_json_length (rsp_json_as_list (places)))
    *error = g_strdup ("there is no name here that the model defines");
  else if (met || lsp_base_name (name))
    *error = g_strdup_printf ("`%s` already means something here", name);
  if (*error)
    return NULL;
  return lsp_replace_all (places, name);
}

/* ---- Completion ---- */
RspJson *lsp_cat_completion (LspServer *server, const LspDocument *document, RspJson *params) {
  g_autoptr (LspNames) names = lsp_names_new (server, document);
  g_autoptr (GHashTable) offered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) types = names ? rsp_model_describe_types (names->model) : NULL;
  guint offset = lsp_offset_of (server, document, params);
  RspJson *items = rsp_json_list ();
  for (guint i = names ? names->uses->definitions->len : 0; i-- > 0;) {
    const RspDefinition *definition = names->uses->definitions->pdata[i];
    const char *type = g_hash_table_lookup (types, definition->pattern);
    gboolean is_own = g_str_equal (definition->span.source->name, document->path);
    gboolean is_function = type && strstr (type, "function");
    if (is_own ? definition->span.end < offset : definition->is_global)
      lsp_offer (items, offered, definition->name,
                 is_function ? LSP_COMPLETE_FUNCTION : LSP_COMPLETE_VARIABLE, type);
  }
  for (guint i = 0; names && i < names->model->words->len; i++) {
    const RspModelWord *word = &g_array_index (names->model->words, RspModelWord, i);
    const char *detail = "the operations that tests say this word of";
    lsp_offer (items, offered, word->name, LSP_COMPLETE_CONSTANT,
               word->scope ? "threads that share this level" : detail);
    if (word->scope)
      lsp_offer (items, offered, word->scope, LSP_COMPLETE_CONSTANT, detail);
  }
  for (const LspBaseName *base = lsp_base_names; base->name; base++)
    lsp_offer (items, offered, base->name,
               g_str_equal (base->kind, "function") ? LSP_COMPLETE_FUNCTION : LSP_COMPLETE_CONSTANT,
               base->is_alias ? base->kind : base->meaning);
  for (guint i = 0; keywords[i]; i++)
    lsp_offer (items, offered, keywords[i], LSP_COMPLETE_KEYWORD, NULL);
  return items;
}

/* ---- Symbols, folding ---- */
RspJson *lsp_cat_symbols (LspServer *server, const LspDocument *document, RspJson *params) {
  (void) params;
  g_autoptr (LspNames) names = lsp_names_new (server, document);
  RspJson *array = rsp_json_list ();
  for (const RspCatStatement *s = names ? names->model->statements : NULL; s; s = s->next) {
    for (const RspCatBinding *binding = s->bindings; binding; binding = binding->next)
      if (binding->pattern->name)
        lsp_add_symbol (
            server, array, binding->pattern->name,
            binding->value->kind == RSP_CAT_FUN ? LSP_SYMBOL_FUNCTION : LSP_SYMBOL_VARIABLE,
            rsp_span_join (binding->pattern->span, binding->span), binding->pattern->span);
    if (s->kind == RSP_CAT_STMT_AXIOM && s->name)
      lsp_add_symbol (server, array, s->name, LSP_SYMBOL_EVENT, s->span, s->name_span);
    else if (s->kind == RSP_CAT_STMT_PROCEDURE)
      lsp_add_symbol (server, array, s->name, LSP_SYMBOL_FUNCTION, s->span, s->name_span);
  }
  return array;
}

RspJson *lsp_cat_folding (LspServer *server, const LspDocument *document, RspJson *params) {
  (void) params;
  g_autoptr (LspNames) names = lsp_names_new (server, document);
  RspJson *array = rsp_json_list ();
  for (const RspCatStatement *s = names ? names->model->statements : NULL; s; s = s->next)
    lsp_add_fold (array, s->span);
  return array;
}

/* ---- Lenses ---- */
RspJson *lsp_cat_lenses (LspServer *server, const LspDocument *document, RspJson *params) {
  (void) params;
  RspJson *array = rsp_json_list ();
  if (strcmp (document->source->text, document->before->text) != 0)
    rsp_json_add (array, rsp_json_object (
                             "range", lsp_range (document->source, 0, 0, server->encoding), "data",
                             rsp_json_object ("uri", rsp_json_text (document->uri), NULL), NULL));
  return array;
}

/* ---- Signatures ---- */
/* `f (x, y)`, as the last definition of the word that has parameters begins; NULL if none has.
 * Newly allocated. */
static char *head_of (const LspNames *names, RspSpan word) {
  g_autofree char *name = rsp_span_text (word);
  for (guint i = names->uses->definitions->len; i-- > 0;) {
    const RspDefinition *definition = names->uses->definitions->pdata[i];
    const char *begin = definition->span.source->text + definition->span.begin,
               *equals = strchr (begin, '='), *paren = strchr (begin, '(');
    if (g_str_equal (definition->name, name) && equals && paren && paren < equals)
      return g_strchomp (g_strndup (begin, (gsize) (equals - begin)));
  }
  return NULL;
}

RspJson *lsp_cat_signature (LspServer *server, const LspDocument *document, RspJson *params) {
  g_autoptr (LspNames) names = lsp_names_new (server, document);
  guint end;
  int commas;
  if (!names
      || !lsp_call_at (document->source, lsp_offset_of (server, document, params), &end, &commas))
    return NULL;
  RspSpan word = lsp_word (document->source, end, FALSE);
  g_autofree char *head = word.source ? head_of (names, word) : NULL;
  return head ? lsp_signature (head, commas) : NULL;
}

/* ---- Map ------------------------------------------------------------------------------------ */

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

/* The language whose words select rows, from a line `source LANGUAGE …`; NULL: those above do. The
 * text may have errors elsewhere. */
static const RspLanguage *source_of (const LspDocument *document) {
  g_auto (GStrv) lines = g_strsplit (document->source->text, "\n", -1);
  for (guint n = 0; lines[n]; n++) {
    const char *line = skip_blanks (lines[n]);
    if (!g_str_has_prefix (line, "source") || !g_ascii_isspace (line[strlen ("source")]))
      continue;
    const char *word = skip_blanks (line + strlen ("source"));
    for (guint i = 0; i < RSP_N_LANGUAGES; i++) {
      const char *language = rsp_languages[i].word;
      if (rsp_languages[i].tagged && g_str_has_prefix (word, language)
          && !g_ascii_isalnum (word[strlen (language)]))
        return &rsp_languages[i];
    }
  }
  return NULL;
}

/* Describes a word of the language by the tag that it adds; NULL if it is not one. Newly allocated.
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

/* Says which operations may have the model's word; NULL: no model has it. Newly allocated. */
static char *own_meaning (LspServer *server, const LspDocument *document,
                          const RspLanguage *language, const char *word) {
  const char *name;
  for (guint i = 0; (name = lsp_model_name (server, i, language->default_model)); i++) {
    g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
    g_autoptr (RspModel) model = lsp_load_model (server, name, document->path, unread);
    guint k = model ? rsp_model_word (model, word) : 0;
    if (!model || k == model->words->len)
      continue;
    g_autofree char *of
        = rsp_word_places_format (g_array_index (model->words, RspModelWord, k).places);
    return g_strdup_printf ("a word of %s", of);
  }
  return NULL;
}

RspJson *lsp_map_hover (LspServer *server, const LspDocument *document, RspJson *params) {
  RspSpan place = lsp_word (document->source, lsp_offset_of (server, document, params), TRUE);
  g_autofree char *name = rsp_span_text (place);
  const RspLanguage *source = source_of (document);
  g_autofree char *meaning = source && name ? source_meaning (source, name) : NULL;
  if (meaning)
    return lsp_hover (server, place, meaning);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (!g_strcmp0 (rows[i].word, name))
      return lsp_hover (server, place, rows[i].meaning);
  g_autofree char *own
      = name ? own_meaning (server, document, source ? source : &rsp_languages[RSP_LANGUAGE_OPENCL],
                            name)
             : NULL;
  return own ? lsp_hover (server, place, own) : NULL;
}

RspJson *lsp_map_completion (LspServer *server, const LspDocument *document, RspJson *params) {
  g_autoptr (GHashTable) offered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  RspJson *items = rsp_json_list ();
  const RspLanguage *source = source_of (document);
  (void) params;
  for (gsize i = 0; i < (source ? RSP_MAP_N_OPERATIONS : G_N_ELEMENTS (rows)); i++)
    lsp_offer (items, offered, rows[i].word, LSP_COMPLETE_KEYWORD, rows[i].meaning);
  if (source) {
    const ColumnsAlphabet *alphabet = rsp_columns_alphabet (source);
    for (const ColumnsForm *form = alphabet->forms; form->word; form++) {
      g_autofree char *meaning = source_meaning (source, form->word);
      lsp_offer (items, offered, form->word, LSP_COMPLETE_KEYWORD, meaning);
    }
    for (const ColumnsSuffix *suffix = alphabet->suffixes; suffix->word; suffix++) {
      g_autofree char *meaning = source_meaning (source, suffix->word);
      lsp_offer (items, offered, suffix->word, LSP_COMPLETE_KEYWORD, meaning);
    }
  }
  lsp_offer_model_words (server, document, source ? source : &rsp_languages[RSP_LANGUAGE_OPENCL], 0,
                         items, offered);
  return items;
}

/* ---- Files and names ---- */
RspJson *lsp_map_definition (LspServer *server, const LspDocument *document, RspJson *params) {
  guint offset = lsp_offset_of (server, document, params);
  g_autofree char *name = rsp_span_text (lsp_quoted_after (document->source, offset, "include"));
  g_auto (GStrv) folders = rsp_directories ("machine", NULL, document->path);
  g_autofree char *path
      = name ? rsp_map_find_file (document->path, name, (const char *const *) folders) : NULL;
  RspJson *found = path ? lsp_file (server, path) : NULL;
  return found;
}

RspJson *lsp_map_rename (LspServer *server, const LspDocument *document, RspJson *params,
                         char **error) {
  const char *name = rsp_json_as_text (rsp_json_get (params, "newName", NULL));
  RspSpan place
      = lsp_quoted_after (document->source, lsp_offset_of (server, document, params), "mapping");
  if (!place.source)
    *error = g_strdup ("only the mapping's own name can be another one");
  else if (!name || !*name || strpbrk (name, "\"\n"))
    *error = g_strdup_printf ("`%s` cannot be its name", name ? name : "");
  if (*error)
    return NULL;
  RspJson *places = rsp_json_list ();
  rsp_json_add (places, lsp_location (server, place));
  g_autoptr (RspJson) all = places;
  return lsp_replace_all (all, name);
}

/* The rows, by what they select. */
RspJson *lsp_map_symbols (LspServer *server, const LspDocument *document, RspJson *params) {
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  g_auto (GStrv) folders = rsp_directories ("machine", NULL, document->path);
  g_autoptr (RspMap) map
      = rsp_map_parse (document->source, (const char *const *) folders, server->texts, unread);
  RspJson *array = rsp_json_list ();
  (void) params;
  for (const RspMapRow *row = map ? map->rows : NULL; row; row = row->next)
    if (row->span.source == document->source) {
      g_autofree char *head = rsp_span_text (row->span);
      guint end = row->span.end + (guint) strcspn (document->source->text + row->span.end, "\r\n");
      RspSpan whole = { row->span.source, row->span.begin, end };
      lsp_add_symbol (server, array, g_strstrip (head), LSP_SYMBOL_EVENT, whole, row->span);
    }
  return array;
}
