/* Tests in an editor. */
#include "extra/lsp/internal.h"
#include "parser/columns/columns.h"
#include "parser/litmus/litmus.h"

#include <string.h>

/* ---- Words ---------------------------------------------------------------------------------- */

/* Where a word of C stands: in tests, in kernels, or as that argument of an atomic operation. */
typedef enum Place { IN_TESTS = 1, IN_KERNELS = 2, ORDERS = 4, SCOPES = 8 } Place;

typedef struct Word {
  const char *word;
  guint places;
  LspCompletionKind kind;
  const char *detail;
} Word;

static const Word words[] = {
#define ANYWHERE                 (IN_TESTS | IN_KERNELS)
#define IN_INIT                  IN_TESTS
#define IN_OUTER                 IN_TESTS
#define IN_BODY                  IN_TESTS
#define IN_KERNEL                IN_KERNELS
#define WORD(word, token, where) { word, (where), LSP_COMPLETE_KEYWORD, NULL },
#include "lexer/c_words.def"
#define TYPE(word, kind, value, flag, spelling) { word, ANYWHERE, LSP_COMPLETE_TYPE, NULL },
#define ORDER(word, value)                      { word, ANYWHERE | ORDERS, LSP_COMPLETE_CONSTANT, "memory order" },
#define FLAG(word, value)                       { word, ANYWHERE, LSP_COMPLETE_CONSTANT, "memory of a fence" },
#define SCOPE(word, value)                      { word, ANYWHERE | SCOPES, LSP_COMPLETE_CONSTANT, "scope" },
#define LEVEL(word, value)                      { word, IN_TESTS, LSP_COMPLETE_KEYWORD, "level of the scope tree" },
#define CALL(name, short_name, kind, op, weak, plain, explicit)                                    \
  { name, ANYWHERE, LSP_COMPLETE_FUNCTION, "atomic operation" },                                   \
      { name "_explicit", ANYWHERE, LSP_COMPLETE_FUNCTION, "atomic operation with an order" },
#define OLD_CALL(name, kind, op, order, form)                                                      \
  { name, IN_KERNELS, LSP_COMPLETE_FUNCTION, "atomic operation or barrier" },
#include "parser/litmus/words.def"
  { "barrier", IN_TESTS, LSP_COMPLETE_FUNCTION, NULL },
  { "work_group_barrier", IN_TESTS, LSP_COMPLETE_FUNCTION, NULL },
#define BUILTIN(name, kind, instead) { name, IN_KERNELS, LSP_COMPLETE_FUNCTION, instead },
#include "parser/kernel/builtins.def"
  { NULL, 0, 0, NULL }
};

static void offer_words (RspJson *items, GHashTable *offered, guint places) {
  for (const Word *word = words; word->word; word++)
    if ((word->places & places) && !strchr (word->word, '*'))
      lsp_offer (items, offered, word->word, word->kind, word->detail);
}

/* ---- Arguments ---- */
/* A word's text; "" if there is none. Newly allocated. */
static char *text_of (RspSpan word) { return word.source ? rsp_span_text (word) : g_strdup (""); }

/* The atomic operation whose call is open at the offset, newly allocated, with what it takes and
 * how many commas are before the offset; NULL if there is none. */
static char *call_at (const LspDocument *document, guint offset, LitmusCallForm *form,
                      int *commas) {
  guint end;
  if (!lsp_call_at (document->source, offset, &end, commas))
    return NULL;
  g_autofree char *name = text_of (lsp_word (document->source, end, TRUE));
  return rsp_litmus_call_form (name, form) && form->arguments ? g_steal_pointer (&name) : NULL;
}

/* The words that the argument at the offset may be: ORDERS or SCOPES; 0 if it may be any
 * expression. */
static guint argument_at (const LspDocument *document, guint offset) {
  LitmusCallForm form;
  int commas;
  g_autofree char *name = call_at (document, offset, &form, &commas);
  if (!name)
    return 0;
  const char *letter = form.arguments;
  for (; *letter && (commas > 0 || strchr ("[]", *letter)); letter++)
    commas -= !strchr ("[]", *letter);
  return *letter == 'o' || *letter == 'f' ? ORDERS : *letter == 's' ? SCOPES : 0;
}

/* "atomic_store_explicit (object, value, order, scope)": newly allocated. */
static char *call_head (const char *name, const LitmusCallForm *form) {
  static const struct {
    char letter;
    const char *word;
  } parameters[]
      = { { 'p', "object" }, { 'v', "value" }, { 'e', "expected" },        { 'o', "order" },
          { 's', "scope" },  { 'm', "flags" }, { 'f', "order of failure" } };
  GString *head = g_string_new (name);
  g_string_append (head, " (");
  for (const char *letter = form->arguments; *letter; letter++)
    for (gsize i = 0; i < G_N_ELEMENTS (parameters); i++)
      if (parameters[i].letter == *letter)
        g_string_append_printf (head, "%s%s", g_str_has_suffix (head->str, "(") ? "" : ", ",
                                parameters[i].word);
  g_string_append_c (head, ')');
  return g_string_free (head, FALSE);
}

RspJson *lsp_call_signature (LspServer *server, const LspDocument *document, RspJson *params) {
  guint offset = lsp_offset_of (server, document, params);
  LitmusCallForm form;
  int commas;
  g_autofree char *name = call_at (document, offset, &form, &commas);
  g_autofree char *head = name ? call_head (name, &form) : NULL;
  return head ? lsp_signature (head, commas) : NULL;
}

RspJson *lsp_kernel_word_hover (LspServer *server, const LspDocument *document, RspJson *params) {
  guint offset = lsp_offset_of (server, document, params);
  RspSpan place = lsp_word (document->source, offset, TRUE);
  g_autofree char *name = text_of (place);
  LitmusCallForm form;
  g_autofree char *head
      = rsp_litmus_call_form (name, &form) && form.arguments ? call_head (name, &form) : NULL;
  const char *found = head;
  for (const Word *word = words; word->word && !found; word++)
    if ((word->places & IN_KERNELS) && g_str_equal (word->word, name))
      found = word->detail;
  return found ? lsp_hover (server, place, found) : NULL;
}

/* ---- All ---- */
void lsp_offer_model_words (LspServer *server, const LspDocument *document,
                            const RspLanguage *language, guint places, RspJson *items,
                            GHashTable *offered) {
  const char *name;
  for (guint i = 0; (name = lsp_model_name (server, i, language->default_model)); i++) {
    g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
    g_autoptr (RspModel) model = lsp_load_model (server, name, document->path, unread);
    for (guint k = 0; model && k < model->words->len; k++) {
      const RspModelWord *word = &g_array_index (model->words, RspModelWord, k);
      g_autofree char *of = rsp_word_places_format (word->places),
                      *detail = g_strdup_printf ("a word of %s", of);
      if (places & SCOPES && word->scope)
        lsp_offer (items, offered, word->scope, LSP_COMPLETE_CONSTANT, "scope");
      else if (!places)
        lsp_offer (items, offered, word->name, LSP_COMPLETE_CONSTANT, detail);
    }
  }
}

RspJson *lsp_litmus_completion (LspServer *server, const LspDocument *document, RspJson *params) {
  g_autoptr (GHashTable) offered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint offset = lsp_offset_of (server, document, params);
  const RspLanguage *columns = rsp_columns_recognise (document->source);
  guint places = columns ? 0 : argument_at (document, offset);
  RspJson *items = rsp_json_list ();
  if (!places) {
    g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
    g_autoptr (RspProgram) program = rsp_litmus_parse (document->source, FALSE, unread);
    for (guint i = 0; program && i < program->n_locations; i++)
      lsp_offer (items, offered, program->locations[i].name, LSP_COMPLETE_VARIABLE, "location");
    for (guint i = 0; program && i < program->n_threads; i++)
      for (guint k = 0; k < program->threads[i].n_registers; k++)
        lsp_offer (items, offered, program->threads[i].registers[k].name, LSP_COMPLETE_VARIABLE,
                   "register");
  }
  if (columns) {
    const ColumnsAlphabet *alphabet = rsp_columns_alphabet (columns);
    /* Offers instructions; after one and a dot, its suffixes. */
    static const char *const details[COLUMNS_N_KINDS] = {
      [COLUMNS_ORDER] = "memory order", [COLUMNS_SCOPE] = "scope", [COLUMNS_OP] = "operation"
    };
    /* The instruction before the suffix at the offset, as far as it is written. */
    const char *text = document->source->text;
    guint end = MIN (offset, (guint) document->source->length), begin;
    while (end > 0 && (g_ascii_isalnum (text[end - 1]) || text[end - 1] == '_'))
      end--;
    for (begin = end; begin > 0 && !strchr (" \t\r\n|;:", text[begin - 1]);)
      begin--;
    g_autofree char *before = g_strndup (text + begin, end - begin);
    for (const ColumnsForm *form = alphabet->forms; form->word; form++)
      if (g_str_has_prefix (form->word, before))
        lsp_offer (items, offered, form->word + strlen (before), LSP_COMPLETE_FUNCTION,
                   "instruction");
    const ColumnsForm *form = rsp_columns_form (alphabet, before);
    for (const ColumnsSuffix *suffix = alphabet->suffixes; form && suffix->word; suffix++)
      if (form->allowed >> suffix->kind & 1
          && (suffix->kind != COLUMNS_ORDER || (form->orders & suffix->value)))
        lsp_offer (items, offered, suffix->word, LSP_COMPLETE_CONSTANT, details[suffix->kind]);
  } else
    offer_words (items, offered, places ? places : IN_TESTS);
  lsp_offer_model_words (server, document, columns ? columns : &rsp_languages[RSP_LANGUAGE_OPENCL],
                         places, items, offered);
  return items;
}

gboolean lsp_offer_kernel_words (LspServer *server, const LspDocument *document, guint offset,
                                 RspJson *items, GHashTable *offered) {
  guint places = argument_at (document, offset);
  offer_words (items, offered, places ? places : IN_KERNELS);
  lsp_offer_model_words (server, document, &rsp_languages[RSP_LANGUAGE_OPENCL], places, items,
                         offered);
  return places != 0;
}

/* ---- Litmus --------------------------------------------------------------------------------- */

/* ---- Names ---- */
/* The test; NULL if it has errors. */
static RspProgram *parse (const LspDocument *document) {
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  return rsp_litmus_parse (document->source, FALSE, unread);
}

static gboolean is (RspSpan word, const char *name) {
  gsize length = word.end - word.begin;
  return word.source && strlen (name) == length
         && strncmp (word.source->text + word.begin, name, length) == 0;
}

/* Where a thread, location or register of that name is declared, or first appears. Registers are
 * those of the thread that the word is in. */
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

static RspSpan word_of (const LspServer *server, const LspDocument *document, RspJson *params) {
  return lsp_word (document->source, lsp_offset_of (server, document, params), TRUE);
}

RspJson *lsp_litmus_definition (LspServer *server, const LspDocument *document, RspJson *params) {
  g_autoptr (RspProgram) program = parse (document);
  RspSpan word = word_of (server, document, params);
  RspSpan found = program && word.source ? declaration (program, word) : RSP_NOWHERE;
  return found.source ? lsp_location (server, found) : NULL;
}

/* All places of the word: whichever thread's register it is. */
RspJson *lsp_litmus_references (LspServer *server, const LspDocument *document, RspJson *params) {
  RspSpan word = word_of (server, document, params);
  if (!word.source)
    return NULL;
  g_autofree char *name = rsp_span_text (word);
  RspJson *array = rsp_json_list ();
  for (RspSpan found = lsp_next_word (document->source, name, 0); found.source;
       found = lsp_next_word (document->source, name, found.end))
    rsp_json_add (array, lsp_location (server, found));
  return array;
}

/* Is the test without errors if the word has the new name everywhere? */
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

RspJson *lsp_litmus_rename (LspServer *server, const LspDocument *document, RspJson *params,
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
  g_autoptr (RspJson) places = lsp_litmus_references (server, document, params);
  return lsp_replace_all (places, name);
}

/* ---- Threads ---- */
RspJson *lsp_litmus_symbols (LspServer *server, const LspDocument *document, RspJson *params) {
  (void) params;
  g_autoptr (RspProgram) program = parse (document);
  RspJson *array = rsp_json_list ();
  for (guint i = 0; program && i < program->n_threads; i++) {
    const RspThread *thread = &program->threads[i];
    lsp_add_symbol (server, array, thread->name, LSP_SYMBOL_FUNCTION, thread->span, thread->span);
  }
  return array;
}

/* Folds what is between braces on several lines. */
RspJson *lsp_litmus_folding (LspServer *server, const LspDocument *document, RspJson *params) {
  (void) server, (void) params;
  RspSource *source = document->source;
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint)); /* bytes of open braces */
  RspJson *array = rsp_json_list ();
  for (guint i = 0; i < source->length; i++)
    if (source->text[i] == '{')
      g_array_append_val (open, i);
    else if (source->text[i] == '}' && open->len) {
      lsp_add_fold (array, (RspSpan){ source, g_array_index (open, guint, open->len - 1), i });
      g_array_set_size (open, open->len - 1);
    }
  return array;
}

/* ---- Lenses ---- */
RspJson *lsp_litmus_lenses (LspServer *server, const LspDocument *document, RspJson *params) {
  (void) params;
  g_autoptr (RspProgram) program = parse (document);
  RspJson *array = rsp_json_list ();
  if (!program)
    return array;
  /* Where the condition begins: at the last of the words that may begin it. */
  static const char *const beginnings[] = { "exists", "forall", "~exists", "not" };
  guint begin = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (beginnings); i++)
    for (const char *at = document->source->text; (at = strstr (at, beginnings[i])); at++)
      if (at == document->source->text || at[-1] == '\n')
        begin = MAX (begin, (guint) (at - document->source->text));
  const char *model, *usual = rsp_program_default_model (program);
  for (guint i = 0; (model = lsp_model_name (server, i, usual)); i++)
    rsp_json_add (array,
                  rsp_json_object (
                      "range", lsp_range (document->source, begin, begin, server->encoding), "data",
                      rsp_json_object ("uri", rsp_json_text (document->uri), "model",
                                       rsp_json_text (model), NULL),
                      NULL));
  return array;
}

/* ---- Flags ---- */
void lsp_litmus_append_flags (const LspServer *server, const RspSource *source,
                              const RspRecord *record, const char *model, GString *out) {
  g_autoptr (RspJson) all = rsp_json_list ();
  for (guint i = 0; i < record->evidence->len; i++) {
    const RspRecordEvent *event = &g_array_index (record->evidence, RspRecordEvent, i);
    if (!event->line)
      continue;
    g_autoptr (GString) message = g_string_new (event->flag);
    rsp_record_format_evidence (record, event->flag, message);
    g_string_append_printf (message, " (%s)", model);
    guint line = source->lines[event->line - 1], begin = line + event->column - 1,
          end = line + (guint) strcspn (source->text + line, "\r\n");
    rsp_json_add (
        all, rsp_json_object ("range", lsp_range (source, begin, end, server->encoding), "severity",
                              rsp_json_number (2), "source", rsp_json_text ("rspcheck"), "code",
                              rsp_json_text (event->flag), "message", rsp_json_text (message->str),
                              "data", rsp_json_text (model), NULL));
  }
  rsp_json_append (all, out);
}
