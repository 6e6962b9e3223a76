/* Tests in OpenCL and C: what the grammar builds, and its errors. */
#include "base/base.h"
#include "parser/columns/columns.h"
#include "parser/litmus/internal.h"
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

gint64 rsp_litmus_array_size (LitmusParser *parser, TokenRange range, LitmusNumber size) {
  if (size.value >= 1 && size.value <= LITMUS_MAX_ELEMENTS)
    return size.value;
  rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
             "an array may have 1 to %d elements", LITMUS_MAX_ELEMENTS);
  return 1;
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

LitmusParameter *rsp_litmus_parameter (LitmusParser *parser, LitmusSpecs *specs,
                                       LitmusDeclarator *declarator) {
  LitmusParameter *parameter = rsp_arena_new0 (parser->arena, LitmusParameter, 1);
  parameter->specs = specs;
  parameter->declarator = declarator;
  return parameter;
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
                                 LitmusList positions, LitmusList parameters, RspStatement *body,
                                 TokenRange body_range) {
  LitmusThread *thread = rsp_arena_new0 (parser->arena, LitmusThread, 1);
  thread->span = rsp_litmus_span (parser, range);
  thread->name = name;
  thread->positions = positions;
  thread->parameters = parameters;
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

/* ---- Build code ----------------------------------------------------------------------------- */

/* Building the syntax tree: expressions and statements. */

static RspExpr *new_expr (LitmusParser *parser, TokenRange range, RspExprKind kind) {
  RspExpr *expr = rsp_arena_new0 (parser->arena, RspExpr, 1);
  expr->kind = kind;
  expr->span = rsp_litmus_span (parser, range);
  return expr;
}

RspExpr *litmus_constant (LitmusParser *parser, TokenRange range, gint64 value, RspType type) {
  RspExpr *expr = new_expr (parser, range, RSP_EXPR_CONSTANT);
  expr->u.constant = value;
  expr->type = type;
  return expr;
}

RspExpr *litmus_name (LitmusParser *parser, TokenRange range, const char *name) {
  RspExpr *expr = new_expr (parser, range, RSP_EXPR_REGISTER);
  expr->name = name;
  expr->u.reg = G_MAXUINT;
  return expr;
}

RspExpr *litmus_node (LitmusParser *parser, TokenRange range, RspExprKind kind, RspOperator op,
                      RspExpr *a, RspExpr *b, RspExpr *c) {
  RspExpr *expr = new_expr (parser, range, kind);
  expr->u.node.op = op;
  expr->u.node.a = a;
  expr->u.node.b = b;
  expr->u.node.c = c;
  return expr;
}

RspExpr *litmus_step (LitmusParser *parser, TokenRange range, RspOperator op, gboolean post,
                      RspExpr *a) {
  RspExpr *expr = litmus_node (parser, range, RSP_EXPR_STEP, op, a, NULL, NULL);
  expr->u.node.post = post;
  return expr;
}

RspExpr *litmus_cast (LitmusParser *parser, TokenRange range, RspType type, RspExpr *a) {
  RspExpr *expr = litmus_node (parser, range, RSP_EXPR_CAST, RSP_OP_NONE, a, NULL, NULL);
  expr->type = type;
  return expr;
}

RspExpr *litmus_call (LitmusParser *parser, TokenRange range, const char *name,
                      LitmusList arguments) {
  RspExpr *expr = new_expr (parser, range, RSP_EXPR_CALL);
  expr->name = name;
  expr->u.call = rsp_arena_new0 (parser->arena, RspCall, 1);
  expr->u.call->name = name;
  expr->u.call->arguments = (RspExpr **) arguments.items;
  expr->u.call->n_arguments = arguments.n;
  return expr;
}

RspStatement *litmus_statement (LitmusParser *parser, TokenRange range, RspStatementKind kind,
                                RspExpr *expr, RspStatement *body) {
  RspStatement *statement = rsp_arena_new0 (parser->arena, RspStatement, 1);
  statement->kind = kind;
  statement->span = rsp_litmus_span (parser, range);
  statement->expr = expr;
  statement->body = body;
  return statement;
}

static void check_register_type (LitmusParser *parser, const LitmusSpecs *specs,
                                 const LitmusDeclarator *decl) {
  RspSpan span = rsp_litmus_span (parser, decl->range);
  gboolean shared = specs->space && specs->space->value != RSP_SPACE_PRIVATE;
  if (decl->is_array)
    rsp_error (parser->diagnostics, span,
               "arrays are declared in the initial state and passed as parameters",
               "found the array `%s` inside a thread, expected a register", decl->name);
  else if (shared && decl->stars.n == 0)
    rsp_error (parser->diagnostics, span, "shared memory is passed as a parameter",
               "found `%s` in %s memory, expected a register", decl->name, specs->space->word);
  else if (decl->stars.n == 0 && specs->base && specs->base->value == 0)
    rsp_error (parser->diagnostics, span, NULL, "`%s` cannot be of type void", decl->name);
}

LitmusList litmus_declarations (LitmusParser *parser, LitmusSpecs *specs, LitmusList declarators) {
  LitmusList statements = { NULL, 0 };
  for (guint i = 0; i < declarators.n; i++) {
    const LitmusDeclarator *decl = declarators.items[i];
    check_register_type (parser, specs, decl);
    LitmusLocal *local = rsp_arena_new0 (parser->arena, LitmusLocal, 1);
    local->name = decl->name;
    local->span = rsp_litmus_span (parser, decl->range);
    local->type = rsp_litmus_type (specs, decl->stars.n);
    if (decl->stars.n == 0)
      local->type.is_atomic = local->type.is_volatile = FALSE;
    TokenRange range = decl->range;
    if (decl->initialiser)
      range.end = decl->initialiser->span.end;
    RspStatement *statement
        = litmus_statement (parser, range, RSP_STATEMENT_DECLARATION, decl->initialiser, NULL);
    statement->reg = parser->test->locals.n;
    parser->test->locals = rsp_litmus_append (parser, parser->test->locals, local);
    statements = rsp_litmus_append (parser, statements, statement);
  }
  return statements;
}

RspStatement *litmus_block (LitmusParser *parser, TokenRange range, LitmusList statements) {
  RspStatement *block = litmus_statement (parser, range, RSP_STATEMENT_BLOCK, NULL, NULL);
  RspStatement **link = &block->first;
  for (guint i = 0; i < statements.n; i++) {
    *link = statements.items[i];
    link = &(*link)->next;
  }
  return block;
}

RspStatement *litmus_single (LitmusParser *parser, TokenRange range, LitmusList statements) {
  return statements.n == 1 ? statements.items[0] : litmus_block (parser, range, statements);
}

RspStatement *litmus_return (LitmusParser *parser, TokenRange range, RspExpr *expr) {
  RspStatement *statement = litmus_statement (parser, range, RSP_STATEMENT_RETURN, NULL, NULL);
  if (!expr)
    return statement;
  TokenRange expr_range = { expr->span.begin, expr->span.end };
  RspStatement *value = litmus_statement (parser, expr_range, RSP_STATEMENT_EXPRESSION, expr, NULL);
  LitmusList both = rsp_litmus_append (parser, (LitmusList){ NULL, 0 }, value);
  return litmus_block (parser, range, rsp_litmus_append (parser, both, statement));
}

RspStatement *litmus_barrier (LitmusParser *parser, TokenRange range, const char *word,
                              LitmusList arguments) {
  RspExpr *call = litmus_call (parser, range, word, arguments);
  return litmus_statement (parser, range, RSP_STATEMENT_BARRIER, call, NULL);
}

/* ---- Errors --------------------------------------------------------------------------------- */

/* Messages of syntax errors: "found …, expected …", and a hint at the likely cause. */

/* Without NULL, `[` opens only a postfix operator or an array's size; a group of places needs `a
 * number` too. After a thread's name also `:` may follow, of `regions:`, which nobody means. */
static const TokenGroup groups[] = {
  { .keys = { "(", "@" }, .members = { ":" } },
  { .keys = { "a doc string" },
    .phrase = "the initial state (`{ … }`)",
    .members = { "a doc string", "{" } },
  { .keys = { "if" },
    .phrase = "a statement",
    .members = { "if",     ";",        "while",  "do",      "for",
                 "break",  "continue", "return", "barrier", "work_group_barrier",
                 "a type", "_Atomic",  "{",      "a name",  "a number",
                 "(",      "*",        "&",      "+",       "-",
                 "~",      "!",        "++",     "--",      "true",
                 "false",  "NULL" } },
  { .keys = { "!" },
    .phrase = "an expression",
    .members = { "!", "a name", "a number", "(", "*", "&", "+", "-", "~", "++", "--", "true",
                 "false", "NULL" } },
  { .keys = { "/" },
    .phrase = "an operator",
    .members = { "/", "(",  "*",  "&",  "+",  "-",  "%",  "|",  "^",  "<",  ">",  "?", "[",
                 "=", "+=", "++", "--", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||" } },
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

/* Does the line begin with a thread, as in the first row of the table: `P0@cta 0`, `P0 |`? */
static gboolean begins_table (const char *line) {
  line += strspn (line, " \t");
  if (*line++ != 'P' || !g_ascii_isdigit (*line))
    return FALSE;
  line += strspn (line, "0123456789");
  line += strspn (line, " \t");
  return *line == '@' || *line == '|' || *line == ';';
}

/* Is the range in the table, or after it, while the initial state has not ended? That is so in the
 * first row alone. */
static char *brace_before_table (const SyntaxError *error) {
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

/* The brace that is missing, or NULL. */
static char *missing_brace (gconstpointer data, const SyntaxError *error) {
  const LitmusParser *parser = data;
  const LitmusScan *scan = &parser->scan;
  if (parser->columns)
    return brace_before_table (error);
  if (!rsp_litmus_scan_in_body (scan) && !rsp_litmus_scan_in_initial (scan))
    return NULL;
  if (scan->stray)
    return g_strdup_printf ("is a `}` missing before line %u?", line_of (parser, scan->stray));
  return error->at_end
             ? g_strdup_printf ("the `{` on line %u is never closed", line_of (parser, scan->brace))
             : NULL;
}

static const SyntaxSlip slips[] = { { .found = "final", .hint = LITMUS_FINAL_HINT } };

#define SYNTAX(foreign, own_slips, n_own_slips)                                                    \
  {                                                                                                \
    .texts = "litmus tests", .never = (foreign), .groups = groups,                                 \
    .n_groups = G_N_ELEMENTS (groups), .slips = (own_slips), .n_slips = (n_own_slips),             \
    .sections = sections, .most = 6, .guess_first = missing_brace                                  \
  }

static const char *const of_columns[] = { "`PTX NAME` or `VULKAN NAME`", "END", NULL },
                         *const of_bodies[]
                         = { "scopeTree", "with", "a type", "_Atomic", "kernel", NULL };

const SyntaxLanguage litmus_syntax = SYNTAX (of_columns, NULL, 0),
                     columns_syntax = SYNTAX (of_bodies, slips, G_N_ELEMENTS (slips));

void litmus_too_deep (LitmusParser *parser, TokenRange range) {
  rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
             "this is nested too deeply for a litmus test");
}

/* ---- Parse ---------------------------------------------------------------------------------- */

/* From a source to a program. */

static gboolean is_type (const char *word) { return rsp_litmus_type_word (word) != NULL; }

static void begin_scan (LitmusParser *parser, RspSpan span, gboolean is_c) {
  LitmusScan *scan = &parser->scan;
  if (parser->columns && parser->only_question)
    rsp_columns_scan_begin_question (scan, span, parser->arena, parser->diagnostics);
  else if (parser->columns)
    rsp_columns_scan_begin (scan, span.source, parser->arena, parser->diagnostics);
  else if (parser->only_question)
    rsp_litmus_scan_begin_question (scan, span, parser->arena, parser->diagnostics);
  else
    rsp_litmus_scan_begin (scan, span.source, parser->arena, parser->diagnostics);
  scan->is_type = is_type;
  scan->is_c = is_c;
}

/* Runs the grammar; NULL after an error. */
static LitmusTest *run_grammar (LitmusParser *parser, RspSpan span, gboolean is_c) {
  guint errors = rsp_diagnostics_count_errors (parser->diagnostics);
  parser->source = span.source;
  parser->test = rsp_arena_new0 (parser->arena, LitmusTest, 1);
  begin_scan (parser, span, is_c);
  int status = rsp_litmus_yyparse (parser);
  (parser->columns ? rsp_columns_scan_end : rsp_litmus_scan_end) (&parser->scan);
  gboolean good = status == 0 && rsp_diagnostics_count_errors (parser->diagnostics) == errors;
  return good ? parser->test : NULL;
}

/* The syntax of the test, with its question replaced by the one in the span, if it has a source. */
static LitmusTest *parse_syntax (RspSource *source, RspSpan question, ColumnsTest *columns,
                                 RspArena *arena, RspDiagnostics *diagnostics) {
  LitmusParser parser = { .arena = arena, .diagnostics = diagnostics, .columns = columns };
  LitmusTest *test = run_grammar (&parser, (RspSpan){ .source = source }, FALSE);
  if (!test || !question.source)
    return test;
  parser = (LitmusParser){
    .arena = arena, .diagnostics = diagnostics, .columns = columns, .only_question = TRUE
  };
  LitmusTest *parsed = run_grammar (&parser, question, test->language == RSP_LANGUAGE_C);
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
  ColumnsTest columns = { .diagnostics = diagnostics,
                          .strict = strict,
                          .language = rsp_columns_recognise (source) };
  if (columns.language)
    columns.alphabet = rsp_columns_alphabet (columns.language);
  LitmusTest *test
      = parse_syntax (source, question, columns.language ? &columns : NULL, arena, diagnostics);
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
  LitmusParser parser = { .arena = arena,
                          .diagnostics = diagnostics,
                          .columns = &none,
                          .only_question = TRUE,
                          .end_of_test = TRUE };
  return run_grammar (&parser, span, FALSE);
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
