/* Tests in OpenCL and C: what the grammar builds, and its errors. */
#include "base/base.h"
#include "parser/c/c.h"
#include "parser/columns/columns.h"
#include "parser/litmus/litmus.h"
#include "parser/resolve/resolve.h"

#include <string.h>

/* ---- Build ---------------------------------------------------------------------------------- */

/* Building the syntax tree: lists, the initial state, threads, the scope tree, propositions. */

RspSpan rsp_litmus_span (const LitmusParser *parser, TokenRange range) {
  return (RspSpan){ .source = parser->source, .begin = range.begin, .end = range.end };
}

/* Capacities are powers of two: a list is full if its length is a power of two. */
LitmusList rsp_litmus_append (LitmusParser *parser, LitmusList list, gpointer item) {
  if ((list.n & (list.n - 1)) == 0) {
    gpointer *items = rsp_arena_new0 (parser->arena, gpointer, MAX (1, 2 * list.n));
    if (list.n)
      memcpy (items, list.items, list.n * sizeof *items);
    list.items = items;
  }
  list.items[list.n++] = item;
  return list;
}

LitmusList rsp_litmus_concat (LitmusParser *parser, LitmusList list, LitmusList more) {
  for (guint i = 0; i < more.n; i++)
    list = rsp_litmus_append (parser, list, more.items[i]);
  return list;
}

LitmusInit *rsp_litmus_init (LitmusParser *parser, TokenRange range, LitmusSpecs *specs,
                             LitmusStars stars, LitmusPlace *place) {
  LitmusInit *init = rsp_arena_new0 (parser->arena, LitmusInit, 1);
  init->span = rsp_litmus_span (parser, range);
  init->specs = specs;
  init->stars = stars;
  init->place = place;
  return init;
}

static gboolean is_huge (LitmusNumber number) { return number.value < 0 && !number.is_signed; }

LitmusNumber rsp_litmus_negate (LitmusParser *parser, TokenRange range, LitmusNumber number) {
  if (is_huge (number) && number.value != G_MININT64)
    rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
               "the number `-%" G_GUINT64_FORMAT "` does not fit in 64 bits",
               (guint64) number.value);
  number.value = (gint64) (0 - (guint64) number.value);
  number.is_signed = TRUE;
  return number;
}

gint64 rsp_litmus_index (LitmusParser *parser, TokenRange range, LitmusNumber index) {
  if (index.value >= 0 && index.value <= G_MAXINT32)
    return index.value;
  rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
             index.value < 0 ? "an index may not be negative" : "this index is too large");
  return 0;
}

LitmusPlace *rsp_litmus_place (LitmusParser *parser, TokenRange range, LitmusPlaceKind kind,
                               const char *name, gint64 element) {
  LitmusPlace *place = rsp_arena_new0 (parser->arena, LitmusPlace, 1);
  place->kind = kind;
  place->span = rsp_litmus_span (parser, range);
  place->name = name;
  place->element = element;
  return place;
}

LitmusPlace *rsp_litmus_number (LitmusParser *parser, TokenRange range, LitmusNumber number) {
  LitmusPlace *place = rsp_litmus_place (parser, range, LITMUS_NUMBER, NULL, LITMUS_NONE);
  place->number = number.value;
  place->is_huge = is_huge (number);
  return place;
}

void rsp_litmus_regions (LitmusParser *parser, TokenRange range, const char *word) {
  if (strcmp (word, "regions") == 0)
    rsp_warning (parser->diagnostics, rsp_litmus_span (parser, range),
                 "a location's memory is in the type of the parameter: `local atomic_int* x`",
                 "`regions` has no effect: it is for Bell models");
  else
    rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
               "found `%s:`, expected a thread or `regions:`", word);
}

LitmusPlace *rsp_litmus_small_number (LitmusParser *parser, TokenRange range, int number) {
  return rsp_litmus_number (parser, range, (LitmusNumber){ .value = number, .is_signed = TRUE });
}

LitmusPlace *rsp_litmus_register (LitmusParser *parser, TokenRange range, gint64 thread,
                                  const char *name) {
  LitmusPlace *place = rsp_litmus_place (parser, range, LITMUS_REGISTER, name, LITMUS_NONE);
  place->thread = thread;
  return place;
}

gint64 rsp_litmus_thread_number (const char *name) {
  gsize length = strlen (name);
  if (name[0] != 'P' || length < 2 || length > 8 || (name[1] == '0' && length > 2))
    return LITMUS_NONE;
  for (gsize i = 1; i < length; i++)
    if (!g_ascii_isdigit (name[i]))
      return LITMUS_NONE;
  return g_ascii_strtoll (name + 1, NULL, 10);
}

LitmusPlace *rsp_litmus_named_register (LitmusParser *parser, TokenRange range, const char *thread,
                                        TokenRange thread_range, const char *name) {
  gint64 number = rsp_litmus_thread_number (thread);
  if (number == LITMUS_NONE)
    rsp_error (parser->diagnostics, rsp_litmus_span (parser, thread_range), NULL,
               "found `%s`, expected a thread: a register is written `0:%s`", thread, name);
  return rsp_litmus_register (parser, range, number, name);
}

LitmusPosition *rsp_litmus_position (LitmusParser *parser, TokenRange range, const char *word,
                                     gint64 number) {
  LitmusPosition *position = rsp_arena_new0 (parser->arena, LitmusPosition, 1);
  position->span = rsp_litmus_span (parser, range);
  position->word = word;
  position->number = number;
  return position;
}

/* `P0 (void)` has no parameters. */
static LitmusList named_parameters (LitmusParser *parser, LitmusList parameters) {
  for (guint i = 0; i < parameters.n; i++) {
    const CVariable *parameter = parameters.items[i];
    if (parameters.n == 1 && !parameter->declarator && parameter->type->kind == C_VOID)
      return (LitmusList){ NULL, 0 };
    RspSpan span = parameter->span;
    span.begin = parameter->specs->words.range.begin;
    if (!parameter->name)
      rsp_error (parser->diagnostics, span, NULL,
                 "found a type, expected a parameter: its name is missing");
  }
  return parameters;
}

LitmusThread *rsp_litmus_thread (LitmusParser *parser, TokenRange range, const char *name,
                                 LitmusList positions, LitmusList parameters, CStatement *body,
                                 TokenRange body_range) {
  LitmusThread *thread = rsp_arena_new0 (parser->arena, LitmusThread, 1);
  thread->span = rsp_litmus_span (parser, range);
  thread->name = name;
  thread->positions = positions;
  thread->parameters = named_parameters (parser, parameters);
  thread->body = body;
  thread->raw = (TokenRange){ body_range.begin + 1, body_range.end - 1 };
  return thread;
}

LitmusTree *rsp_litmus_tree (LitmusParser *parser, TokenRange range, const char *word,
                             const LitmusList *children) {
  LitmusTree *tree = rsp_arena_new0 (parser->arena, LitmusTree, 1);
  tree->span = rsp_litmus_span (parser, range);
  tree->word = word;
  tree->is_leaf = !children;
  if (children)
    tree->children = *children;
  return tree;
}

static void check_once (LitmusParser *parser, TokenRange range, gboolean before,
                        const char *section) {
  if (before)
    rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
               "found a second `%s`, expected one", section);
}

void rsp_litmus_set_trees (LitmusParser *parser, TokenRange range, LitmusList trees) {
  check_once (parser, range, parser->test->scope_tree, "scopeTree");
  parser->test->scope_tree = TRUE;
  parser->test->scope_tree_span = rsp_litmus_span (parser, range);
  parser->test->trees = trees;
}

void rsp_litmus_set_locations (LitmusParser *parser, TokenRange range, LitmusList places) {
  check_once (parser, range, parser->test->has_locations, "locations");
  parser->test->has_locations = TRUE;
  parser->test->locations = places;
}

void rsp_litmus_set_filter (LitmusParser *parser, TokenRange range, LitmusProp *prop) {
  check_once (parser, range, parser->test->filter != NULL, "filter");
  parser->test->filter = prop;
}

LitmusProp *rsp_litmus_prop (LitmusParser *parser, TokenRange range, RspPropKind kind,
                             LitmusProp *a, LitmusProp *b) {
  LitmusProp *prop = rsp_arena_new0 (parser->arena, LitmusProp, 1);
  prop->kind = kind;
  prop->span = rsp_litmus_span (parser, range);
  prop->a = a;
  prop->b = b;
  return prop;
}

LitmusProp *rsp_litmus_array_prop (LitmusParser *parser, TokenRange range, RspOperator op,
                                   LitmusPlace *array, LitmusList values) {
  LitmusProp *prop = rsp_litmus_atom (parser, range, op, array, NULL);
  LitmusList *own = rsp_arena_new0 (parser->arena, LitmusList, 1);
  *own = values;
  prop->values = own;
  return prop;
}

void rsp_litmus_check_initialiser (LitmusParser *parser, TokenRange range, const char *name) {
  if (strcmp (name, "ATOMIC_INIT") != 0 && strcmp (name, "ATOMIC_VAR_INIT") != 0)
    rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
               "found `%s`, expected a value or `ATOMIC_INIT (…)`", name);
}

LitmusProp *rsp_litmus_atom (LitmusParser *parser, TokenRange range, RspOperator op,
                             LitmusPlace *left, LitmusPlace *right) {
  LitmusProp *prop = rsp_litmus_prop (parser, range, RSP_PROP_ATOM, NULL, NULL);
  prop->op = op;
  prop->left = left;
  prop->right = right;
  return prop;
}

/* ---- Errors --------------------------------------------------------------------------------- */

/* Messages of syntax errors: "found …, expected …", and a hint at the likely cause. */

/* Without NULL, `[` opens only a postfix operator or an array's size; a group of places needs `a
 * number` too. */
static const TokenGroup groups[] = {
  { { "a doc string" }, 0, "the initial state (`{ … }`)", { "a doc string", "{" } },
  { { "if" }, 0, "a statement", { "if",    ";",        "while",    "do",     "for",
                                  "break", "continue", "return",   "a type", "_Atomic",
                                  "{",     "a name",   "a number", "(",      "*",
                                  "&",     "+",        "-",        "~",      "!",
                                  "++",    "--",       "true",     "false",  "NULL" } },
  { { "!" },
    0,
    "an expression",
    { "!", "a name", "a number", "(", "*", "&", "+", "-", "~", "++", "--", "true", "false",
      "NULL" } },
  { { "/" }, 0, "an operator", { "/",  "(",  "*",  "&",  "+",
                                 "-",  "%",  "|",  "^",  "<",
                                 ">",  "?",  "[",  "=",  "an assignment",
                                 "++", "--", "==", "!=", "<=",
                                 ">=", "<<", ">>", "&&", "||" } },
  { { "!=" }, 0, "`=`", { "!=", "==", "=" } },
  { { "forall" },
    0,
    "the condition (`exists`, `~exists` or `forall`)",
    { "forall", "exists", "not", "~", "final", "observed", "(" } },
  { { "static" },
    0,
    "a thread (`P0 (…) { … }`)",
    { "static", "a name", "kernel", "a type", "_Atomic" } },
  { { "NULL" },
    0,
    "a value",
    { "NULL", "a name", "a number", "-", "&", "[", "*", "true", "false", "{" } },
  { { "true" },
    0,
    "a proposition",
    { "true", "a name", "a number", "-", "[", "*", "(", "~", "false", "not" } },
  { { "_Atomic" }, 0, "a type", { "_Atomic", "a type" } },
  { { "[", "a number" }, 0, "a location or register", { "[", "*", "a name", "a number" } },
};

enum {
  N_SHOWN = 6 /* limit of expected things in one message */
};

static guint line_of (const LitmusParser *parser, guint offset) {
  guint line, column;
  rsp_source_position (parser->source, offset, &line, &column);
  return line;
}

/* What may follow in a test, as one means it. After a thread's name also `:` could, of `regions:`,
 * and where a type begins all the words of C that do; what tests do not have at all their scanner
 * never finds. */
static Expected of_tests (Expected expected, const char **names) {
  static const char *const foreign[]
      = { "typedef", "struct", "union",         "enum",          "sizeof",   "switch", "case",
          "default", "goto",   "a type's name", "a real number", "a string", "->",     "'.'",
          "...",     NULL };
  gboolean thread = expects (expected, "'('") && expects (expected, "'@'");
  gboolean type = expects (expected, "typedef");
  guint n = 0;
  for (guint i = 0; i < expected.n; i++) {
    const char *name = expected.names[i];
    if (!g_strv_contains (foreign, name) && !(thread && g_str_equal (name, "':'"))
        && !(type && (g_str_equal (name, "kernel") || g_str_equal (name, "static"))))
      names[n++] = name;
  }
  return (Expected){ names, n };
}

/* A misspelt keyword outside bodies is taken for a name, and the error comes later. This looks at
 * the last name that began a line. */
static char *misspelt_section (const LitmusParser *parser) {
  static const char *const sections[]
      = { "exists", "forall", "filter", "locations", "scopeTree", NULL };
  const LitmusScan *scan = &parser->scan;
  TokenRange word = scan->line_word;
  g_autofree char *text = g_strndup (parser->source->text + word.begin, word.end - word.begin);
  const char *nearest = rsp_nearest (text, sections);
  if (!nearest || strcmp (nearest, text) == 0)
    return NULL;
  return g_strdup_printf ("is `%s` on line %u meant to be `%s`?", text,
                          line_of (parser, word.begin), nearest);
}

/* Is a `;` missing at the end of the line before? Not where a statement was expected, which may be
 * an empty one. */
static char *missing_semicolon (const LitmusParser *parser, TokenRange range, Expected expected) {
  const LitmusScan *scan = &parser->scan;
  guint before = line_of (parser, MAX (scan->previous_end, 1) - 1);
  if (!expects (expected, "';'") || expects (expected, "if"))
    return NULL;
  if (before < line_of (parser, range.begin))
    return g_strdup_printf ("is a `;` missing at the end of line %u?", before);
  return parser->source->text[range.begin] == '}' ? g_strdup ("is a `;` missing before the `}`?")
                                                  : NULL;
}

/* What probably went wrong: newly allocated, or NULL. */
static char *guess_cause (const LitmusParser *parser, TokenRange range, gboolean at_end,
                          const char *found, Expected expected) {
  const LitmusScan *scan = &parser->scan;
  gboolean in_body = rsp_c_scan_in_body (scan), in_initial = rsp_c_scan_in_initial (scan);
  if ((in_body || in_initial) && scan->stray)
    return g_strdup_printf ("is a `}` missing before line %u?", line_of (parser, scan->stray));
  if (at_end && (in_body || in_initial))
    return g_strdup_printf ("the `{` on line %u is never closed", line_of (parser, scan->brace));
  char *hint = at_end ? NULL : expected_near (expected, found);
  /* The `}` that was found may have closed the body already. */
  gboolean closes = !at_end && !in_initial && strcmp (found, "}") == 0;
  if (!hint && (in_body || closes) && !at_end)
    hint = missing_semicolon (parser, range, expected);
  if (!hint && !in_body && !in_initial)
    hint = misspelt_section (parser);
  return hint;
}

void litmus_syntax_error (LitmusParser *parser, TokenRange range, gboolean at_end,
                          Expected expected) {
  g_autofree const char **names = g_new (const char *, expected.n + 1);
  expected = of_tests (expected, names);
  g_autofree char *alternatives
      = expected_format (expected, groups, G_N_ELEMENTS (groups), N_SHOWN);
  if (at_end)
    range.begin = range.end = parser->scan.last_end;
  gsize length = range.end - range.begin;
  g_autofree char *text = g_strndup (parser->source->text + range.begin, length);
  g_autofree char *hint = guess_cause (parser, range, at_end, text, expected);
  gboolean empty = at_end && range.begin == 0;
  gboolean only_question = at_end && parser->only_question;
  g_autofree char *found = only_question     ? g_strdup ("the end of the condition")
                           : empty           ? g_strdup ("an empty file")
                           : at_end          ? g_strdup ("the end of the file")
                           : text[0] == '\n' ? g_strdup ("the end of the line")
                           : length > 40 || strchr (text, '\n') ? g_strdup ("this")
                                                                : g_strdup_printf ("`%s`", text);
  rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), hint, "found %s, expected %s",
             found, alternatives);
}

/* ---- Parse ---------------------------------------------------------------------------------- */

/* From a source to a program. */

/* The syntax of what is in the span, a test or (only its question is set) a question on its own;
 * NULL after an error. */
static LitmusTest *parse_syntax (CStart start, RspSpan span, RspLanguageId language,
                                 RspArena *arena, RspDiagnostics *diagnostics) {
  CParser parser = { .base = { .arena = arena, .diagnostics = diagnostics } };
  parser.base.test = rsp_arena_new0 (arena, LitmusTest, 1);
  parser.base.only_question = start == C_QUESTION;
  parser.base.scan.is_c = language == RSP_LANGUAGE_C;
  return c_parse (&parser, start, span) ? parser.base.test : NULL;
}

/* The syntax of the test, with its question replaced by the one in span, if there is a span. */
static LitmusTest *parse_test (RspSource *source, RspSpan question, RspArena *arena,
                               RspDiagnostics *diagnostics) {
  LitmusTest *test = parse_syntax (C_TEST, (RspSpan){ source, 0, (guint) source->length },
                                   RSP_LANGUAGE_OPENCL, arena, diagnostics);
  if (!test || !question.source)
    return test;
  LitmusTest *parsed = parse_syntax (C_QUESTION, question, test->language, arena, diagnostics);
  if (!parsed)
    return NULL;
  test->quantifier = parsed->quantifier;
  test->condition = parsed->condition;
  return test;
}

RspProgram *rsp_litmus_parse_with_question (RspSource *source, RspSpan question, gboolean strict,
                                            RspDiagnostics *diagnostics) {
  RspArena *arena = rsp_arena_new ();
  RspProgram *program = rsp_arena_new0 (arena, RspProgram, 1);
  program->arena = arena;
  program->source = rsp_source_ref (source);
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  const RspLanguage *columns = rsp_columns_recognise (source);
  LitmusTest *test = columns ? NULL : parse_test (source, question, arena, diagnostics);
  gboolean good = columns ? rsp_columns_parse (program, columns, question, strict, diagnostics)
                          : test != NULL;
  if (test)
    rsp_litmus_resolve (program, test, strict, diagnostics);
  if (good && rsp_diagnostics_count_errors (diagnostics) == errors)
    return program;
  rsp_program_free (program);
  return NULL;
}

RspProgram *rsp_litmus_parse (RspSource *source, gboolean strict, RspDiagnostics *diagnostics) {
  return rsp_litmus_parse_with_question (source, (RspSpan){ NULL, 0, 0 }, strict, diagnostics);
}

void rsp_program_free (RspProgram *program) {
  if (!program)
    return;
  RspArena *arena = program->arena; /* holds the program itself */
  rsp_source_unref (program->source);
  rsp_arena_free (arena);
}
