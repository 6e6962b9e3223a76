/* Models: what the grammar builds, and its errors. */
#include "generated/parser/cat/grammar.h"
#include "lexer/cat.h"
#include "parser/cat/cat.h"

#include <string.h>

/* ---- Build ---------------------------------------------------------------------------------- */

/* Building the syntax tree of cat. All nodes live in the parser's arena. */

struct CatLink {
  gconstpointer item;
  CatLink *next;
};

CatList cat_append (CatParser *parser, CatList list, gconstpointer item) {
  CatLink *link = rsp_arena_new0 (parser->arena, CatLink, 1);
  link->item = item;
  if (list.last)
    list.last->next = link;
  else
    list.first = link;
  list.last = link;
  list.n++;
  return list;
}

CatList cat_concatenate (CatList a, CatList b) {
  if (a.n == 0)
    return b;
  a.last->next = b.first;
  a.last = b.last;
  a.n += b.n;
  return a;
}

gpointer *cat_array (CatParser *parser, CatList list) {
  gpointer *array = rsp_arena_new0 (parser->arena, gpointer, list.n + 1);
  guint i = 0;
  for (CatLink *link = list.first; link && i < list.n; link = link->next)
    array[i++] = (gpointer) link->item;
  return array;
}

/* ---- Depth ---- */
static guint condition_depth (const RspCatCondition *condition) {
  if (!condition)
    return 0;
  guint depth = MAX (condition_depth (condition->c), condition_depth (condition->d));
  depth = MAX (depth, condition->a ? condition->a->depth : 0);
  return MAX (depth, condition->b ? condition->b->depth : 0) + 1;
}

/* Sets the depth from those of the parts. The first expression that is too deep is reported. */
static RspCatExpr *finish (CatParser *parser, TokenRange range, RspCatExpr *expr) {
  guint depth = condition_depth (expr->condition);
  if (expr->a)
    depth = MAX (depth, expr->a->depth);
  if (expr->b)
    depth = MAX (depth, expr->b->depth);
  for (guint i = 0; i < expr->n_items; i++)
    depth = MAX (depth, expr->items[i]->depth);
  for (const RspCatBinding *binding = expr->bindings; binding; binding = binding->next)
    depth = MAX (depth, binding->value->depth);
  for (const RspCatClause *clause = expr->clauses; clause; clause = clause->next)
    depth = MAX (depth, clause->body->depth);
  expr->depth = depth + 1;
  if (expr->depth > CAT_MAX_DEPTH && !parser->too_deep)
    rsp_cat_too_deep (parser, range);
  return expr;
}

/* ---- Expressions ---- */
static RspCatExpr *new_expr (CatParser *parser, TokenRange range, RspCatExprKind kind) {
  RspCatExpr *expr = rsp_arena_new0 (parser->arena, RspCatExpr, 1);
  expr->kind = kind;
  expr->span = rsp_cat_scan_span (&parser->scan, range);
  return expr;
}

RspCatExpr *cat_expr (CatParser *parser, TokenRange range, RspCatExprKind kind, RspCatExpr *a,
                      RspCatExpr *b) {
  RspCatExpr *expr = new_expr (parser, range, kind);
  expr->a = a;
  expr->b = b;
  return finish (parser, range, expr);
}

RspCatExpr *cat_word (CatParser *parser, TokenRange range, RspCatExprKind kind, const char *name) {
  RspCatExpr *expr = new_expr (parser, range, kind);
  expr->name = name;
  return finish (parser, range, expr);
}

RspCatExpr *cat_items (CatParser *parser, TokenRange range, RspCatExprKind kind, CatList items) {
  if (kind == RSP_CAT_TUPLE && items.n == 1)
    return (RspCatExpr *) items.first->item;
  if (kind == RSP_CAT_SET && items.n == 0)
    kind = RSP_CAT_EMPTY;
  RspCatExpr *expr = new_expr (parser, range, kind);
  expr->items = (RspCatExpr **) cat_array (parser, items);
  expr->n_items = items.n;
  return finish (parser, range, expr);
}

RspCatExpr *cat_let (CatParser *parser, TokenRange range, gboolean recursive,
                     RspCatBinding *bindings, RspCatExpr *body) {
  RspCatExpr *expr = new_expr (parser, range, RSP_CAT_LET);
  expr->recursive = recursive;
  expr->bindings = bindings;
  expr->a = body;
  return finish (parser, range, expr);
}

/* One function of one parameter for each pattern, the first outermost. */
RspCatExpr *cat_fun (CatParser *parser, TokenRange range, CatList patterns, RspCatExpr *body) {
  RspCatPattern **array = (RspCatPattern **) cat_array (parser, patterns);
  for (guint i = patterns.n; i-- > 0;) {
    RspCatExpr *expr = new_expr (parser, range, RSP_CAT_FUN);
    expr->pattern = array[i];
    expr->a = body;
    body = finish (parser, range, expr);
  }
  return body;
}

RspCatExpr *cat_if (CatParser *parser, TokenRange range, RspCatCondition *condition,
                    RspCatExpr *yes, RspCatExpr *no) {
  RspCatExpr *expr = new_expr (parser, range, RSP_CAT_IF);
  expr->condition = condition;
  expr->a = yes;
  expr->b = no;
  return finish (parser, range, expr);
}

RspCatExpr *cat_match (CatParser *parser, TokenRange range, RspCatExpr *subject,
                       RspCatClause *clauses) {
  RspCatExpr *expr = new_expr (parser, range, RSP_CAT_MATCH);
  expr->a = subject;
  expr->clauses = clauses;
  return finish (parser, range, expr);
}

/* ---- Patterns, bindings, clauses, conditions ---- */
RspCatPattern *cat_pattern (CatParser *parser, TokenRange range, const char *name) {
  RspCatPattern *pattern = rsp_arena_new0 (parser->arena, RspCatPattern, 1);
  pattern->span = rsp_cat_scan_span (&parser->scan, range);
  pattern->name = name;
  return pattern;
}

RspCatPattern *cat_tuple_pattern (CatParser *parser, TokenRange range, CatList items) {
  if (items.n == 1)
    return (RspCatPattern *) items.first->item;
  RspCatPattern *pattern = cat_pattern (parser, range, NULL);
  pattern->is_tuple = TRUE;
  pattern->items = (RspCatPattern **) cat_array (parser, items);
  pattern->n_items = items.n;
  return pattern;
}

CatBindings cat_binding (CatParser *parser, TokenRange range, RspCatPattern *pattern,
                         CatList parameters, TokenRange function, RspCatExpr *value) {
  RspCatBinding *binding = rsp_arena_new0 (parser->arena, RspCatBinding, 1);
  binding->span = rsp_cat_scan_span (&parser->scan, range);
  binding->pattern = pattern;
  binding->value = cat_fun (parser, function, parameters, value);
  return (CatBindings){ binding, binding };
}

RspCatClause *cat_clause (CatParser *parser, TokenRange range, RspCatClauseKind kind,
                          const char *first, const char *second, const char *third) {
  RspCatClause *clause = rsp_arena_new0 (parser->arena, RspCatClause, 1);
  clause->kind = kind;
  clause->span = rsp_cat_scan_span (&parser->scan, range);
  clause->names[0] = first;
  clause->names[1] = second;
  clause->names[2] = third;
  return clause;
}

static RspCatCondition *new_condition (CatParser *parser, TokenRange range,
                                       RspCatConditionKind kind) {
  RspCatCondition *condition = rsp_arena_new0 (parser->arena, RspCatCondition, 1);
  condition->kind = kind;
  condition->span = rsp_cat_scan_span (&parser->scan, range);
  return condition;
}

RspCatCondition *cat_compare (CatParser *parser, TokenRange range, RspCatConditionKind kind,
                              RspCatExpr *a, RspCatExpr *b) {
  RspCatCondition *condition = new_condition (parser, range, kind);
  condition->a = a;
  condition->b = b;
  return condition;
}

RspCatCondition *cat_connect (CatParser *parser, TokenRange range, RspCatConditionKind kind,
                              RspCatCondition *c, RspCatCondition *d) {
  RspCatCondition *condition = new_condition (parser, range, kind);
  condition->c = c;
  condition->d = d;
  return condition;
}

RspCatCondition *cat_variant (CatParser *parser, TokenRange range, const char *variant) {
  RspCatCondition *condition = new_condition (parser, range, RSP_CAT_COND_VARIANT);
  condition->variant = variant;
  return condition;
}

/* ---- Statements ---- */
RspCatStatement *cat_statement (CatParser *parser, TokenRange range, RspCatStatementKind kind) {
  RspCatStatement *statement = rsp_arena_new0 (parser->arena, RspCatStatement, 1);
  statement->kind = kind;
  statement->span = rsp_cat_scan_span (&parser->scan, range);
  return statement;
}

CatStatements cat_join (CatStatements a, CatStatements b) {
  if (!a.first)
    return b;
  if (!b.first)
    return a;
  a.last->next = b.first;
  return (CatStatements){ a.first, b.last };
}

CatStatements cat_show (CatParser *parser, TokenRange range, CatList items) {
  CatList names = { NULL, NULL, 0 };
  CatStatements all = { NULL, NULL };
  for (CatLink *link = items.first; link; link = link->next) {
    RspCatStatement *item = (RspCatStatement *) link->item;
    if (item->expr)
      all = cat_join (all, (CatStatements){ item, item });
    else
      names = cat_append (parser, names, item->name);
  }
  if (names.n) {
    RspCatStatement *show = cat_statement (parser, range, RSP_CAT_STMT_SHOW);
    show->names = (const char **) cat_array (parser, names);
    all = cat_join ((CatStatements){ show, show }, all);
  }
  return all;
}

void cat_add_option (CatParser *parser, const char *option) {
  RspCatFile *file = parser->file;
  guint n = 0;
  while (file->options[n])
    n++;
  const char **options = rsp_arena_new0 (parser->arena, const char *, n + 2);
  for (guint i = 0; i < n; i++)
    options[i] = file->options[i];
  options[n] = option;
  file->options = options;
}

/* ---- Errors --------------------------------------------------------------------------------- */

/* Syntax errors in models. */

/* The order matters: operands that may follow an operator's left side are arguments of a function,
 * which would not help as a hint. */
static const TokenGroup groups[] = {
  { .keys = { "|", "^2" },
    .phrase = "an operator",
    .members = { "|",  "++",     ";",     "\\", "&", "*", "^*", "+", "?",     "^-1",
                 "^2", "a name", "a tag", "0",  "_", "(", "[",  "{", "begin", "from" } },
  { .keys = { "[", "~" },
    .phrase = "an expression",
    .members = { "a name", "a tag", "0", "_", "~", "(", "[", "{", "begin", "let", "fun", "if",
                 "match", "try", "debug", "from" } },
  { .keys = { "include", "let" },
    .phrase = "a statement",
    .members = { "let",
                 "acyclic",
                 "irreflexive",
                 "empty",
                 "undefined_unless",
                 "warn_unless",
                 "flag",
                 "assert",
                 "debug",
                 "show",
                 "unshow",
                 "include",
                 "procedure",
                 "call",
                 "enum",
                 "forall",
                 "with",
                 "if",
                 "match",
                 "instructions",
                 "~ before an axiom",
                 "and",
                 "in",
                 "when",
                 "the end of the file",
                 "a name of the model",
                 "an option" } },
  { .keys = { "acyclic", "empty" },
    .phrase = "an axiom",
    .members = { "acyclic", "irreflexive", "empty", "~ before an axiom" } },
  { .keys = { "_", "{" },
    .phrase = "a clause",
    .members = { "_", "{", "0", "a tag", "a name", "from", "||" } },
  { .keys = { "a name", "from" }, .phrase = "a name", .members = { "a name", "from", "a string" } },
};

static const SyntaxSlip slips[] = {
  { .found = "||", .expected = "|", .hint = "union is written `|`" },
  { .found = "->",
    .expected = "||",
    .hint = "clauses, and the tags of an enum, are separated by `||`" },
  { .found = "|",
    .expected = "||",
    .hint = "clauses, and the tags of an enum, are separated by `||`" },
  { .found = "&&", .expected = "&", .hint = "intersection is written `&`" },
  { .found = ")", .expected = "include", .hint = "no bracket is open here" },
  { .found = "]", .expected = "include", .hint = "no bracket is open here" },
  { .found = "}", .expected = "include", .hint = "no bracket is open here" },
};

static char *guess (gconstpointer data, const SyntaxError *error) {
  const CatParser *parser = data;
  const char *found = error->found;
  const Expected expected = error->expected;
  gboolean expression = expects (expected, "'['"), is_word = g_ascii_isalpha (found[0]);
  if (expects (expected, "')'") || expects (expected, "']'") || expects (expected, "'}'")) {
    /* If a bracket is open and what was found cannot be inside it, the bracket is the likely
     * mistake. */
    const GArray *brackets = parser->scan.brackets;
    for (guint i = brackets->len; i-- > 0;) {
      guint open = g_array_index (brackets, guint, i), line, column;
      if (open >= error->range.begin)
        continue;
      rsp_source_position (parser->scan.source, open, &line, &column);
      return g_strdup_printf ("the `%c` at %u:%u is still open", parser->scan.source->text[open],
                              line, column);
    }
    return NULL;
  }
  if (expects (expected, "include"))
    return rsp_cat_scan_statement_hint (found);
  gboolean name = expects (expected, "a name") && !expects (expected, "'{'");
  if (is_word && !expression && name && rsp_cat_scan_is_reserved (found))
    return g_strdup_printf ("`%s` is a word of the language and cannot be a name", found);
  if (is_word && expected.n <= 3 && expects (expected, "a tag"))
    return g_strdup_printf ("a tag is written `'%s`", found);
  if (is_word && expected.n == 1 && expects (expected, "a string"))
    return g_strdup_printf ("write `\"%s\"`", found);
  return NULL;
}

static const char *const statements[]
    = { "acyclic",     "irreflexive", "empty",     "undefined_unless",
        "warn_unless", "include",     "procedure", NULL };

const SyntaxLanguage cat_syntax = { .texts = "models",
                                    .groups = groups,
                                    .n_groups = G_N_ELEMENTS (groups),
                                    .slips = slips,
                                    .n_slips = G_N_ELEMENTS (slips),
                                    .sections = statements,
                                    .guess_first = guess };

char *rsp_cat_word_hint (const char *name) {
  return strlen (name) > 3 ? rsp_cat_scan_statement_hint (name) : NULL;
}

void rsp_cat_too_deep (CatParser *parser, TokenRange range) {
  parser->too_deep = TRUE;
  rsp_error (parser->diagnostics, rsp_cat_scan_span (&parser->scan, range), NULL,
             "this is nested too deeply: the limit is %d levels", CAT_MAX_DEPTH);
}

/* ---- Visit ---------------------------------------------------------------------------------- */

typedef struct Visit {
  const RspCatVisitor *to;
  gpointer data;
} Visit;

#define CALL(v, member, ...)                                                                       \
  do {                                                                                             \
    if ((v)->to->member)                                                                           \
      (v)->to->member ((v)->data, __VA_ARGS__);                                                    \
  } while (0)

static void visit_expr (const Visit *v, const RspCatExpr *expr);

static void visit_condition (const Visit *v, const RspCatCondition *condition) {
  if (!condition)
    return;
  CALL (v, condition, condition);
  visit_expr (v, condition->a);
  visit_expr (v, condition->b);
  visit_condition (v, condition->c);
  visit_condition (v, condition->d);
}

static void define (const Visit *v, const RspCatPattern *pattern, gboolean is_global) {
  if (pattern)
    CALL (v, define, pattern, is_global);
}

/* Values see the definitions before them and, with `rec`, each other. */
static void visit_bindings (const Visit *v, const RspCatBinding *bindings, gboolean recursive,
                            gboolean is_global) {
  for (const RspCatBinding *b = bindings; b && recursive; b = b->next)
    define (v, b->pattern, is_global);
  for (const RspCatBinding *b = bindings; b; b = b->next) {
    if (recursive)
      CALL (v, recursion, b->pattern, TRUE);
    visit_expr (v, b->value);
    if (recursive)
      CALL (v, recursion, b->pattern, FALSE);
  }
  for (const RspCatBinding *b = bindings; b && !recursive; b = b->next)
    define (v, b->pattern, is_global);
}

static void visit_expr (const Visit *v, const RspCatExpr *expr) {
  if (!expr)
    return;
  CALL (v, expr, expr);
  CALL (v, enter_scope, NULL);
  visit_condition (v, expr->condition);
  for (guint i = 0; i < expr->n_items; i++)
    visit_expr (v, expr->items[i]);
  visit_bindings (v, expr->bindings, expr->recursive, FALSE);
  define (v, expr->pattern, FALSE);
  visit_expr (v, expr->a);
  visit_expr (v, expr->b);
  for (const RspCatClause *clause = expr->clauses; clause; clause = clause->next) {
    CALL (v, enter_scope, NULL);
    CALL (v, define_clause, clause);
    visit_expr (v, clause->body);
    CALL (v, leave_scope, NULL);
  }
  CALL (v, leave_scope, NULL);
}

static void visit_branch (const Visit *v, const RspCatStatement *statement, guint number,
                          const RspCatStatement *body) {
  if (v->to->enter_branch && !v->to->enter_branch (v->data, statement, number))
    return;
  rsp_cat_visit (v->to, v->data, body);
  if (v->to->leave_branch)
    v->to->leave_branch (v->data);
}

static void visit_statement (const Visit *v, const RspCatStatement *statement) {
  guint number = 2;
  visit_condition (v, statement->condition);
  visit_expr (v, statement->expr);
  visit_bindings (v, statement->bindings, statement->recursive, TRUE);
  rsp_cat_visit (v->to, v->data, statement->included);
  switch (statement->kind) {
  case RSP_CAT_STMT_PROCEDURE:
  case RSP_CAT_STMT_FORALL:
    CALL (v, enter_scope, statement);
    define (v, statement->pattern, FALSE);
    rsp_cat_visit (v->to, v->data, statement->body);
    CALL (v, leave_scope, statement);
    break;
  case RSP_CAT_STMT_IF:
    visit_branch (v, statement, 0, statement->body);
    visit_branch (v, statement, 1, statement->otherwise);
    break;
  case RSP_CAT_STMT_MATCH:
    for (const RspCatClause *clause = statement->clauses; clause; clause = clause->next) {
      CALL (v, define_clause, clause);
      visit_branch (v, statement, number++, clause->statements);
    }
    break;
  default: /* `with` */
    define (v, statement->pattern, FALSE);
  }
}

void rsp_cat_visit (const RspCatVisitor *visitor, gpointer data, const RspCatStatement *statement) {
  const Visit visit = { visitor, data };
  for (; statement; statement = statement->next)
    if (!visitor->statement || visitor->statement (data, statement))
      visit_statement (&visit, statement);
}

/* ---- Parse ---------------------------------------------------------------------------------- */

/* Parsing one cat file. */

RspCatFile *rsp_cat_parse (RspSource *source, RspArena *arena, RspDiagnostics *diagnostics) {
  if (source->length > G_MAXINT / 2) {
    rsp_error (diagnostics, ((RspSpan){ .source = source }), NULL,
               "the file is too large: %zu bytes", source->length);
    return NULL;
  }
  RspCatFile *file = rsp_arena_new0 (arena, RspCatFile, 1);
  file->arena = arena;
  file->source = source;
  file->options = rsp_arena_new0 (arena, const char *, 1);
  CatParser parser = { .arena = arena, .diagnostics = diagnostics, .file = file };
  rsp_cat_scan_begin (&parser.scan, source, arena, diagnostics);
  int status = rsp_cat_yyparse (&parser);
  rsp_cat_scan_end (&parser.scan);
  return status == 0 && !parser.too_deep ? file : NULL;
}
