#include "lsp/languages/words.h"
#include "parser/columns/instruction.h"
#include "parser/columns/parse.h"
#include "parser/litmus/parse.h"
#include "parser/litmus/words.h"

#include <string.h>

/* Where a word of C stands: in tests, in kernels, or as that argument of an atomic operation. */
typedef enum Place { IN_TESTS = 1, IN_KERNELS = 2, ORDERS = 4, SCOPES = 8 } Place;

typedef struct Word {
  const char *word;
  guint places;
  LspCompletionKind kind;
  const char *detail;
} Word;

static const Word words[] = {
#define ANYWHERE (IN_TESTS | IN_KERNELS)
#define IN_INIT  0
#define IN_OUTER IN_TESTS
#define IN_BODY  IN_KERNELS
#define WORD(word, token, where)                                                                   \
  { word, IN_TESTS | ((where) &IN_KERNELS), LSP_COMPLETE_KEYWORD, NULL },
#include "lexer/litmus_words.def"
#define TYPE(word, kind, value, flag, spelling) { word, ANYWHERE, LSP_COMPLETE_TYPE, NULL },
#define ORDER(word, value)                      { word, ANYWHERE | ORDERS, LSP_COMPLETE_CONSTANT, "memory order" },
#define FLAG(word, value)                       { word, ANYWHERE, LSP_COMPLETE_CONSTANT, "memory of a fence" },
#define SCOPE(word, value)                      { word, ANYWHERE | SCOPES, LSP_COMPLETE_CONSTANT, "scope" },
#define LEVEL(word, value)                      { word, IN_TESTS, LSP_COMPLETE_KEYWORD, "level of the scope tree" },
#define CALL(name, short_name, kind, op, weak, plain, explicit)                                    \
  { name, ANYWHERE, LSP_COMPLETE_FUNCTION, "atomic operation" },                                   \
      { name "_explicit", ANYWHERE, LSP_COMPLETE_FUNCTION, "atomic operation with an order" },
#include "parser/litmus/words.def"
#define BUILTIN(name, kind, instead) { name, IN_KERNELS, LSP_COMPLETE_FUNCTION, instead },
#include "parser/kernel/functions/builtins.def"
  { NULL, 0, 0, NULL }
};

static void offer_words (JsonArray *items, GHashTable *offered, guint places) {
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

/* Which words the argument at the offset is one of: orders, scopes; 0 if it may be another
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

JsonNode *lsp_call_signature (LspServer *server, const LspDocument *document, JsonNode *params) {
  guint offset
      = lsp_offset (document->source, rsp_json_get (params, "position", NULL), server->encoding);
  LitmusCallForm form;
  int commas;
  g_autofree char *name = call_at (document, offset, &form, &commas);
  g_autofree char *head = name ? call_head (name, &form) : NULL;
  return head ? lsp_signature (head, commas) : rsp_json_null ();
}

JsonNode *lsp_kernel_word_hover (LspServer *server, const LspDocument *document, JsonNode *params) {
  guint offset
      = lsp_offset (document->source, rsp_json_get (params, "position", NULL), server->encoding);
  RspSpan place = lsp_word (document->source, offset, TRUE);
  g_autofree char *name = text_of (place);
  LitmusCallForm form;
  g_autofree char *head
      = rsp_litmus_call_form (name, &form) && form.arguments ? call_head (name, &form) : NULL;
  const char *found = head;
  for (const Word *word = words; word->word && !found; word++)
    if ((word->places & IN_KERNELS) && g_str_equal (word->word, name))
      found = word->detail;
  return found ? lsp_hover (server, place, found) : rsp_json_null ();
}

/* ---- Columns ---- */

/* The beginning of the instruction before the offset, without the suffix that is being written; ""
 * if there is none. Newly allocated. */
static char *instruction_before (const RspSource *source, guint offset) {
  guint end = MIN (offset, (guint) source->length), begin;
  while (end > 0 && (g_ascii_isalnum (source->text[end - 1]) || source->text[end - 1] == '_'))
    end--;
  for (begin = end; begin > 0 && !strchr (" \t\r\n|;:", source->text[begin - 1]);)
    begin--;
  return g_strndup (source->text + begin, end - begin);
}

/* Instructions; behind one and a dot, the suffixes that it may have. */
static void offer_instructions (const ColumnsAlphabet *alphabet, const LspDocument *document,
                                guint offset, JsonArray *items, GHashTable *offered) {
  static const char *const details[COLUMNS_N_KINDS]
      = { [COLUMNS_ORDER] = "memory order", [COLUMNS_SCOPE] = "scope", [COLUMNS_OP] = "operation" };
  g_autofree char *before = instruction_before (document->source, offset);
  gsize length = strcspn (before, ".");
  for (const ColumnsForm *form = alphabet->forms; form->word; form++) {
    gboolean is_it = strlen (form->word) == length && strncmp (form->word, before, length) == 0;
    if (!*before)
      lsp_offer (items, offered, form->word, LSP_COMPLETE_FUNCTION, "instruction");
    for (const ColumnsSuffix *suffix = alphabet->suffixes; is_it && suffix->word; suffix++)
      if (form->allowed >> suffix->kind & 1
          && (suffix->kind != COLUMNS_ORDER || (form->orders & suffix->value)))
        lsp_offer (items, offered, suffix->word, LSP_COMPLETE_CONSTANT, details[suffix->kind]);
  }
}

/* ---- All ---- */

/* Locations and registers. */
static void offer_names (const LspDocument *document, JsonArray *items, GHashTable *offered) {
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  g_autoptr (RspProgram) program = rsp_litmus_parse (document->source, FALSE, unread);
  for (guint i = 0; program && i < program->n_locations; i++)
    lsp_offer (items, offered, program->locations[i].name, LSP_COMPLETE_VARIABLE, "location");
  for (guint i = 0; program && i < program->n_threads; i++)
    for (guint k = 0; k < program->threads[i].n_registers; k++)
      lsp_offer (items, offered, program->threads[i].registers[k].name, LSP_COMPLETE_VARIABLE,
                 "register");
}

JsonNode *lsp_litmus_completion (LspServer *server, const LspDocument *document, JsonNode *params) {
  g_autoptr (GHashTable) offered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint offset
      = lsp_offset (document->source, rsp_json_get (params, "position", NULL), server->encoding);
  const RspLanguage *columns = rsp_columns_recognise (document->source);
  guint places = columns ? 0 : argument_at (document, offset);
  JsonArray *items = json_array_new ();
  if (!places)
    offer_names (document, items, offered);
  if (columns)
    offer_instructions (rsp_columns_alphabet (columns), document, offset, items, offered);
  else
    offer_words (items, offered, places ? places : IN_TESTS);
  return rsp_json_list (items);
}

gboolean lsp_offer_kernel_words (const LspDocument *document, guint offset, JsonArray *items,
                                 GHashTable *offered) {
  guint places = argument_at (document, offset);
  offer_words (items, offered, places ? places : IN_KERNELS);
  return places != 0;
}
