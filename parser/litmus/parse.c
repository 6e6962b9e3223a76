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
  return parser->place
             ? *parser->place
             : (RspSpan){ .source = parser->source, .begin = range.begin, .end = range.end };
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

LitmusInit *rsp_litmus_init (LitmusParser *parser, TokenRange range, const CVariable *declared,
                             LitmusPlace *place) {
  LitmusInit *init = rsp_arena_new0 (parser->arena, LitmusInit, 1);
  init->span = rsp_litmus_span (parser, range);
  init->declared = declared;
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

LitmusThread *rsp_litmus_thread (LitmusParser *parser, TokenRange range, const char *name,
                                 LitmusList positions, LitmusList parameters, CStatement *body,
                                 TokenRange body_range) {
  LitmusThread *thread = rsp_arena_new0 (parser->arena, LitmusThread, 1);
  thread->span = rsp_litmus_span (parser, range);
  thread->name = name;
  thread->positions = positions;
  thread->parameters = parameters;
  for (guint i = 0; i < parameters.n; i++) {
    const CVariable *parameter = parameters.items[i];
    RspSpan span = parameter->span;
    span.begin = parameter->specs->words.range.begin;
    if (parameters.n == 1 && !parameter->name && parameter->type->kind == C_VOID)
      thread->parameters = (LitmusList){ NULL, 0 }; /* `P0 (void)` */
    else if (!parameter->name)
      rsp_error (parser->diagnostics, span, NULL,
                 "found a type, expected a parameter: its name is missing");
  }
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

static gboolean is_chain (RspPropKind kind) { return kind == RSP_PROP_AND || kind == RSP_PROP_OR; }

LitmusProp *rsp_litmus_prop (LitmusParser *parser, TokenRange range, RspPropKind kind,
                             LitmusProp *a, LitmusProp *b) {
  LitmusProp *prop = rsp_arena_new0 (parser->arena, LitmusProp, 1);
  prop->kind = kind;
  prop->span = rsp_litmus_span (parser, range);
  prop->a = a;
  prop->b = b;
  guint inner = a ? a->depth - (a->kind == kind && is_chain (kind)) : 0;
  prop->depth = (b ? MAX (inner, b->depth) : inner) + 1;
  return prop;
}

static LitmusProp *balance (LitmusParser *parser, LitmusProp *prop);

/* Members first … last - 1, counted from the end of the list. */
static LitmusProp *join (LitmusParser *parser, RspPropKind kind, GPtrArray *members, guint first,
                         guint last) {
  if (last - first == 1)
    return balance (parser, members->pdata[members->len - 1 - first]);
  guint middle = first + (last - first + 1) / 2;
  LitmusProp *prop = rsp_arena_new0 (parser->arena, LitmusProp, 1);
  LitmusProp *a = join (parser, kind, members, first, middle);
  LitmusProp *b = join (parser, kind, members, middle, last);
  *prop = (LitmusProp){ .kind = kind, .span = rsp_span_join (a->span, b->span), .a = a, .b = b };
  return prop;
}

static LitmusProp *balance (LitmusParser *parser, LitmusProp *prop) {
  const LitmusProp *chain = prop;
  if (chain && is_chain (chain->kind)) {
    g_autoptr (GPtrArray) members = g_ptr_array_new ();
    for (; prop->kind == chain->kind; prop = prop->a)
      g_ptr_array_add (members, prop->b);
    g_ptr_array_add (members, prop);
    prop = join (parser, chain->kind, members, 0, members->len);
    prop->span = chain->span;
  } else if (prop) {
    prop->a = balance (parser, prop->a);
    prop->b = balance (parser, prop->b);
  }
  return prop;
}

LitmusProp *rsp_litmus_balance (LitmusParser *parser, LitmusProp *prop) {
  if (!prop || prop->depth <= LITMUS_MAX_DEPTH)
    return balance (parser, prop);
  for (guint all = prop->depth; prop->depth + LITMUS_MAX_DEPTH > all;)
    prop = prop->b && prop->b->depth > prop->a->depth ? prop->b : prop->a;
  rsp_error (parser->diagnostics, prop->span, NULL, "this is nested too deeply for a condition");
  return NULL;
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
 * number` too. After a thread's name also `:` may follow, of `regions:`, which nobody means. */
static const TokenGroup groups[] = {
  { .keys = { "(", "@" }, .members = { ":" } },
  { .keys = { "typedef" },
    .members = { "typedef", "struct", "union", "enum", "kernel", "static" } },
  { .keys = { "a doc string" },
    .phrase = "the initial state (`{ … }`)",
    .members = { "a doc string", "{" } },
  { .keys = { "if" },
    .phrase = "a statement",
    .members
    = { "if",      ";", "while",  "do",       "for",  "break", "continue", "return", "a type",
        "_Atomic", "{", "a name", "a number", "(",    "*",     "&",        "+",      "-",
        "~",       "!", "++",     "--",       "true", "false", "NULL",     "[" } },
  { .keys = { "!" },
    .phrase = "an expression",
    .members = { "!", "a name", "a number", "(", "*", "&", "+", "-", "~", "++", "--", "true",
                 "false", "NULL" } },
  { .keys = { "/" }, .phrase = "an operator", .members = { "/",  "(",  "*",  "&",  "+",
                                                           "-",  "%",  "|",  "^",  "<",
                                                           ">",  "?",  "[",  "=",  "an assignment",
                                                           "++", "--", "==", "!=", "<=",
                                                           ">=", "<<", ">>", "&&", "||" } },
  { .keys = { "!=" }, .phrase = "`=`", .members = { "!=", "==", "=", "<", ">", "<=", ">=" } },
  { .keys = { "forall" },
    .phrase = "the condition (`exists`, `~exists` or `forall`)",
    .members = { "forall", "exists", "not", "~", "final", "observed", "(" } },
  { .keys = { "static" },
    .phrase = "a thread (`P0 (…) { … }`)",
    .members = { "static", "a name", "kernel", "a type", "_Atomic" } },
  { .keys = { "NULL" },
    .phrase = "a value",
    .members = { "NULL", "a name", "a number", "-", "&", "[", "*", "true", "false", "{" } },
  { .keys = { "true" },
    .phrase = "a proposition",
    .members = { "true", "a name", "a number", "-", "[", "*", "&", "(", "~", "false", "not" } },
  { .keys = { "_Atomic" }, .phrase = "a type", .members = { "_Atomic", "a type" } },
  { .keys = { "[", "a number" },
    .phrase = "a location or register",
    .members = { "[", "*", "a name", "a number" } },
};

static const char *const sections[]
    = { "exists", "forall", "filter", "locations", "scopeTree", NULL };

static guint line_of (const LitmusParser *parser, guint offset) {
  return rsp_span_line ((RspSpan){ parser->source, offset, offset });
}

/* TRUE if the line begins with a thread, like the first row of the table: `P0@cta 0`, `P0 |`. */
static gboolean begins_table (const char *line) {
  line += strspn (line, " \t");
  if (*line++ != 'P' || !g_ascii_isdigit (*line))
    return FALSE;
  line += strspn (line, "0123456789");
  line += strspn (line, " \t");
  return *line == '@' || *line == '|' || *line == ';';
}

/* The brace that is missing, or NULL. */
static char *missing_brace (gconstpointer data, const SyntaxError *error) {
  const LitmusParser *parser = data;
  const LitmusScan *scan = &parser->scan;
  if (parser->columns) {
    /* Is the range in the table, or after it, while the initial state has not ended? That is so in
     * the first row alone. */
    const char *text = error->source->text, *begin = text + error->range.begin;
    gint open = 0;
    while (begin > text && begin[-1] != '\n')
      begin--;
    for (const char *c = text; c < begin; c++)
      open += (*c == '{') - (*c == '}');
    return open > 0 && begins_table (begin)
               ? g_strdup_printf ("is a `}` missing before line %u?",
                                  rsp_span_line ((RspSpan){ error->source, error->range.begin, 0 }))
               : NULL;
  }
  if (!rsp_c_scan_in_body (scan) && !rsp_c_scan_in_initial (scan))
    return NULL;
  if (scan->stray)
    return g_strdup_printf ("is a `}` missing before line %u?", line_of (parser, scan->stray));
  return error->at_end
             ? g_strdup_printf ("the `{` on line %u is never closed", line_of (parser, scan->brace))
             : NULL;
}

#define CONNECTIVES "`/\\` is and, `\\/` is or"
static const SyntaxSlip slips[] = {
  { .found = "&", .expected = "/\\", .hint = CONNECTIVES },
  { .found = "and", .expected = "/\\", .hint = CONNECTIVES },
  { .found = "or", .expected = "/\\", .hint = CONNECTIVES },
  { .found = ",", .expected = "/\\", .hint = CONNECTIVES },
  /* The last one is for columns: other tests may have it. */
  { .found = "final", .hint = LITMUS_FINAL_HINT },
};

#define SYNTAX(foreign, own_slips, n_own_slips)                                                    \
  {                                                                                                \
    .texts = "litmus tests", .never = (foreign), .groups = groups,                                 \
    .n_groups = G_N_ELEMENTS (groups), .slips = (own_slips), .n_slips = (n_own_slips),             \
    .sections = sections, .most = 6, .guess_first = missing_brace                                  \
  }

/* Reports C that the common grammar has and tests do not. */
#define ONLY_IN_KERNELS                                                                            \
  "sizeof", "switch", "case", "default", "goto", "a type's name", "a real number", "a string",     \
      "->", "'.'", "..."

static const char *const not_in_tests[]
    = { "`PTX NAME`, `VULKAN NAME` or `AMDGPU NAME`", ONLY_IN_KERNELS, NULL };
static const char *const not_in_columns[]
    = { "scopeTree", "with", "a type", "_Atomic", "kernel", ONLY_IN_KERNELS, NULL };

const SyntaxLanguage litmus_syntax = SYNTAX (not_in_tests, slips, G_N_ELEMENTS (slips) - 1),
                     columns_syntax = SYNTAX (not_in_columns, slips, G_N_ELEMENTS (slips));

/* ---- Parse ---------------------------------------------------------------------------------- */

/* From a source to a program. */

/* The syntax of what is in the span, a test or (only its question is set) a question on its own;
 * columns: the threads, if they are columns. NULL after an error. */
static LitmusTest *parse_syntax (CStart start, RspSpan span, RspLanguageId language,
                                 ColumnsTest *columns, RspArena *arena,
                                 RspDiagnostics *diagnostics) {
  CParser parser = { .base = { .arena = arena, .diagnostics = diagnostics, .columns = columns } };
  parser.base.test = rsp_arena_new0 (arena, LitmusTest, 1);
  parser.base.scan.is_c = language == RSP_LANGUAGE_C;
  return c_parse (&parser, start, span) ? parser.base.test : NULL;
}

/* The syntax of the test, with its question replaced by the one in the span, if it has a source. */
static LitmusTest *parse_test (RspSource *source, RspSpan question, ColumnsTest *columns,
                               RspArena *arena, RspDiagnostics *diagnostics) {
  LitmusTest *test = parse_syntax (C_TEST, (RspSpan){ source, 0, (guint) source->length },
                                   RSP_LANGUAGE_OPENCL, columns, arena, diagnostics);
  if (!test || !question.source)
    return test;
  LitmusTest *parsed
      = parse_syntax (C_QUESTION, question, test->language, columns, arena, diagnostics);
  if (!parsed)
    return NULL;
  test->quantifier = parsed->quantifier;
  test->condition = parsed->condition;
  test->all_placements = parsed->all_placements || (test->scope_tree && !test->trees.n);
  return test;
}

RspProgram *rsp_litmus_parse_with_question (RspSource *source, RspSpan question, gboolean strict,
                                            RspDiagnostics *diagnostics) {
  RspArena *arena = rsp_arena_new ();
  RspProgram *program = rsp_arena_new0 (arena, RspProgram, 1);
  program->arena = arena;
  program->source = rsp_source_ref (source);
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  ColumnsTest columns = { .diagnostics = diagnostics,
                          .strict = strict,
                          .program = program,
                          .language = rsp_columns_recognise (source) };
  if (columns.language)
    columns.alphabet = rsp_columns_alphabet (columns.language);
  LitmusTest *test
      = parse_test (source, question, columns.language ? &columns : NULL, arena, diagnostics);
  if (test && columns.language)
    rsp_columns_resolve (program, test, &columns, diagnostics);
  else if (test)
    rsp_litmus_resolve (program, test, strict, diagnostics);
  if (test && rsp_diagnostics_count_errors (diagnostics) == errors)
    return program;
  rsp_program_free (program);
  return NULL;
}

LitmusTest *rsp_litmus_parse_end (RspSpan span, RspArena *arena, RspDiagnostics *diagnostics) {
  ColumnsTest none = { .diagnostics = diagnostics }; /* whose conditions have `<`, too */
  return parse_syntax (C_END, span, RSP_LANGUAGE_OPENCL, &none, arena, diagnostics);
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
