/* Programs of commands: what the grammar builds, and its errors. */
#include "base/base.h"
#include "generated/extra/dsom/grammar.h"
#include "extra/dsom/program.h"
#include "extra/dsom/internal.h"
#include "parser/program.h"

/* ---- Affine --------------------------------------------------------------------------------- */

gint64 rsp_linear_at (const RspLinear *linear, guint n, const gint64 *x) {
  gint64 value = linear->constant;
  for (guint i = 0; i < n; i++)
    value += linear->coefficients[i] * x[i];
  return value;
}

gboolean rsp_affine_allows (const RspAffine *affine, const gint64 *x) {
  for (guint i = 0; i < affine->n_constraints; i++)
    if (!rsp_compare (affine->constraints[i].op,
                      rsp_linear_at (&affine->constraints[i].linear, affine->n, x), 0))
      return FALSE;
  return TRUE;
}

/* ---- Names ---------------------------------------------------------------------------------- */

static gboolean find (GHashTable *names, const char *name, guint *number) {
  gpointer found = g_hash_table_lookup (names, name);
  *number = GPOINTER_TO_UINT (found) - 1;
  return found != NULL;
}

int dsom_find_buffer (DsomResolver *resolver, RspSpan span, const char *name) {
  guint number;
  if (find (resolver->buffers, name, &number))
    return (int) number;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < resolver->program->n_buffers; i++)
    g_ptr_array_add (names, (gpointer) resolver->program->buffers[i].name);
  g_autofree char *hint = rsp_did_you_mean_in (name, names);
  rsp_error (resolver->diagnostics, span, hint, "there is no buffer `%s`", name);
  return -1;
}

guint dsom_declare_register (DsomResolver *resolver, const char *name) {
  guint number;
  if (find (resolver->registers, name, &number))
    return number;
  RspDsomRegister *reg = rsp_arena_new0 (resolver->program->arena, RspDsomRegister, 1);
  reg->name = name;
  g_ptr_array_add (resolver->register_list, reg);
  g_hash_table_insert (resolver->registers, (gpointer) name,
                       GUINT_TO_POINTER (resolver->register_list->len));
  return resolver->register_list->len - 1;
}

/* ---- Build ---------------------------------------------------------------------------------- */

RspSpan dsom_span (const DsomParser *parser, TokenRange range) {
  return rsp_scan_span (&parser->scan, range);
}

/* ---- Lists ---- */
/* The first item of a list points to the last, so that appending takes constant time. */
#define DEFINE_ADD(function, Type)                                                                 \
  Type *function (Type *list, Type *one) {                                                         \
    if (!list)                                                                                     \
      return one;                                                                                  \
    (list->last ? list->last : list)->next = one;                                                  \
    list->last = one->last ? one->last : one;                                                      \
    return list;                                                                                   \
  }

DEFINE_ADD (dsom_add_number, DsomNumber)

DEFINE_ADD (dsom_add_place, DsomPlace)

DEFINE_ADD (dsom_add_variable, RspDsomVariable)

DEFINE_ADD (dsom_add_clause, DsomClause)

DEFINE_ADD (dsom_add_command, DsomCommand)

DEFINE_ADD (dsom_add_statement, RspDsomStatement)

static DEFINE_ADD (add_buffer, DsomBuffer) static DEFINE_ADD (
    add_register, DsomRegister) static DEFINE_ADD (add_kernel, DsomKernel)

    DsomNumber *dsom_number (DsomParser *parser, TokenRange range, gint64 value) {
  DsomNumber *number = rsp_arena_new0 (parser->arena, DsomNumber, 1);
  number->value = value;
  number->span = dsom_span (parser, range);
  return number;
}

DsomPlace *dsom_element (DsomParser *parser, TokenRange range, const char *name, gint64 index) {
  DsomPlace *place = rsp_arena_new0 (parser->arena, DsomPlace, 1);
  *place = (DsomPlace){ .name = name, .index = index, .span = dsom_span (parser, range) };
  return place;
}

RspDsomVariable *dsom_variable (DsomParser *parser, TokenRange range, const char *name, gint64 low,
                                gint64 high) {
  RspDsomVariable *variable = rsp_arena_new0 (parser->arena, RspDsomVariable, 1);
  variable->name = name;
  variable->low = low;
  variable->high = high;
  variable->span = dsom_span (parser, range);
  return variable;
}

/* ---- Declarations ---- */
/* Enters the name of a declaration, or reports that it is already declared. */
static void enter (DsomParser *parser, GHashTable *names, RspSpan span, const char *name,
                   gpointer declaration) {
  if (names == parser->names && g_str_equal (name, "moved"))
    rsp_error (parser->diagnostics, span, NULL,
               "`moved` is the number of bytes moved and cannot be declared");
  else if (!g_hash_table_insert (names, (gpointer) name, declaration))
    rsp_error (parser->diagnostics, span, NULL, "`%s` is declared twice", name);
}

void dsom_buffer (DsomParser *parser, TokenRange range, const char *name, guint element,
                  DsomNumber *size, DsomNumber *initial) {
  DsomBuffer *buffer = rsp_arena_new0 (parser->arena, DsomBuffer, 1);
  *buffer = (DsomBuffer){ .name = name,
                          .element = element,
                          .size = size,
                          .initial = initial,
                          .span = dsom_span (parser, range) };
  enter (parser, parser->names, buffer->span, name, buffer);
  parser->buffers = add_buffer (parser->buffers, buffer);
}

void dsom_register (DsomParser *parser, TokenRange range, const char *name, DsomNumber *initial) {
  DsomRegister *reg = rsp_arena_new0 (parser->arena, DsomRegister, 1);
  *reg = (DsomRegister){ .name = name, .initial = initial, .span = dsom_span (parser, range) };
  enter (parser, parser->names, reg->span, name, reg);
  parser->registers = add_register (parser->registers, reg);
}

void dsom_devices (DsomParser *parser, TokenRange range, DsomNumber *number) {
  if (parser->devices)
    rsp_error (parser->diagnostics, dsom_span (parser, range), NULL,
               "the number of devices is given twice");
  else if (number->value < 1 || number->value > RSP_DSOM_MOST_DEVICES)
    rsp_error (parser->diagnostics, number->span, NULL,
               "the number of devices must be between 1 and %d", RSP_DSOM_MOST_DEVICES);
  parser->devices = number;
}

void dsom_kernel (DsomParser *parser, TokenRange range, const char *name, DsomClause *clauses,
                  RspDsomStatement *body) {
  DsomKernel *kernel = rsp_arena_new0 (parser->arena, DsomKernel, 1);
  *kernel = (DsomKernel){
    .name = name, .clauses = clauses, .body = body, .span = dsom_span (parser, range)
  };
  enter (parser, parser->kernel_names, kernel->span, name, kernel);
  parser->kernels = add_kernel (parser->kernels, kernel);
}

DsomClause *dsom_clause (DsomParser *parser, TokenRange range, RspDsomAccessKind kind,
                         const char *buffer) {
  DsomClause *clause = rsp_arena_new0 (parser->arena, DsomClause, 1);
  clause->kind = kind;
  clause->buffer = buffer;
  clause->span = dsom_span (parser, range);
  return clause;
}

/* ---- Bodies ---- */
RspDsomStatement *dsom_statement (DsomParser *parser, TokenRange range, RspDsomStatementKind kind,
                                  RspDsomExpr *value, RspDsomStatement *body) {
  RspDsomStatement *statement = rsp_arena_new0 (parser->arena, RspDsomStatement, 1);
  statement->kind = kind;
  statement->value = value;
  statement->body = body;
  statement->span = dsom_span (parser, range);
  return statement;
}

RspDsomStatement *dsom_assign (DsomParser *parser, TokenRange range, RspDsomExpr *target,
                               RspDsomExpr *value) {
  RspDsomStatement *statement = dsom_statement (parser, range, RSP_DSOM_ASSIGN, value, NULL);
  statement->target = target;
  if (target->kind == RSP_DSOM_NAME)
    g_ptr_array_add (parser->assigned, (gpointer) target->name);
  return statement;
}

static RspDsomExpr *new_expr (DsomParser *parser, TokenRange range, RspDsomExprKind kind) {
  RspDsomExpr *expr = rsp_arena_new0 (parser->arena, RspDsomExpr, 1);
  expr->kind = kind;
  expr->span = dsom_span (parser, range);
  return expr;
}

RspDsomExpr *dsom_constant (DsomParser *parser, TokenRange range, gint64 value) {
  RspDsomExpr *expr = new_expr (parser, range, RSP_DSOM_CONSTANT);
  expr->constant = value;
  return expr;
}

RspDsomExpr *dsom_name (DsomParser *parser, TokenRange range, const char *name,
                        RspDsomExpr *index) {
  RspDsomExpr *expr = new_expr (parser, range, index ? RSP_DSOM_ELEMENT : RSP_DSOM_NAME);
  expr->name = name;
  expr->a = index;
  expr->height = index ? index->height + 1 : 0;
  return expr;
}

RspDsomExpr *dsom_operation (DsomParser *parser, TokenRange range, RspOperator op, RspDsomExpr *a,
                             RspDsomExpr *b) {
  RspDsomExpr *expr = new_expr (parser, range, RSP_DSOM_OPERATION);
  expr->op = op;
  expr->a = a;
  expr->b = b;
  guint height = MAX (a->height, b ? b->height : 0) + 1;
  if (height > DSOM_MOST_HEIGHT && !parser->too_deep) {
    parser->too_deep = TRUE;
    rsp_error (parser->diagnostics, expr->span, NULL, "this has more than %d nested operators",
               DSOM_MOST_HEIGHT);
  }
  expr->height = height;
  return expr;
}

/* ---- Commands ---- */
DsomCommand *dsom_command (DsomParser *parser, TokenRange range, DsomCommandKind kind) {
  DsomCommand *command = rsp_arena_new0 (parser->arena, DsomCommand, 1);
  command->kind = kind;
  command->span = dsom_span (parser, range);
  return command;
}

/* ---- Errors --------------------------------------------------------------------------------- */

/* Operators that can continue an expression count as one thing. */
static const TokenGroup operators[] = {
  { .least = 3,
    .phrase = "an operator",
    .members = { "+", "-", "*", "/", "%", "&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "&&",
                 "||", "/\\", "\\/", "=>" } },
};

const SyntaxLanguage dsom_syntax
    = { .texts = "programs of commands", .groups = operators, .n_groups = 1, .most = 6 };

/* ---- Parse ---------------------------------------------------------------------------------- */

gboolean rsp_dsom_recognises (const RspSource *source) { return rsp_dsom_scan_recognises (source); }

RspDsomProgram *rsp_dsom_parse (RspSource *source, RspDiagnostics *diagnostics) {
  RspArena *arena = rsp_arena_new ();
  RspDsomProgram *program = rsp_arena_new0 (arena, RspDsomProgram, 1);
  program->arena = arena;
  program->source = rsp_source_ref (source);
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  DsomParser parser = { .arena = arena,
                        .diagnostics = diagnostics,
                        .names = g_hash_table_new (g_str_hash, g_str_equal),
                        .kernel_names = g_hash_table_new (g_str_hash, g_str_equal),
                        .assigned = g_ptr_array_new () };
  rsp_dsom_scan_begin (&parser.scan, source, parser.arena, parser.diagnostics);
  int status = rsp_dsom_yyparse (&parser);
  rsp_dsom_scan_end (&parser.scan);
  gboolean good = status == 0;
  const RspSpan rest = { source, parser.end, (guint) source->length };
  const LitmusTest *question = good ? rsp_litmus_parse_end (rest, arena, diagnostics) : NULL;
  if (question && rsp_diagnostics_count_errors (diagnostics) == errors)
    dsom_resolve (program, &parser, question);
  g_hash_table_unref (parser.names);
  g_hash_table_unref (parser.kernel_names);
  g_ptr_array_unref (parser.assigned);
  if (good && rsp_diagnostics_count_errors (diagnostics) == errors)
    return program;
  rsp_dsom_program_free (program);
  return NULL;
}

void rsp_dsom_program_free (RspDsomProgram *program) {
  if (!program)
    return;
  RspArena *arena = program->arena; /* holds the program itself */
  rsp_source_unref (program->source);
  rsp_arena_free (arena);
}

/* ---- The hash ---- */
char *rsp_dsom_hash (const RspDsomProgram *program) {
  g_autoptr (RspArena) arena = rsp_arena_new ();
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_MD5);
  TokenScan scan;
  DsomToken token;
  TokenRange range;
  rsp_dsom_scan_begin (&scan, program->source, arena, diagnostics);
  while (rsp_dsom_flex_lex (&token, &range, scan.flex) > 0) {
    g_checksum_update (sum, (const guchar *) program->source->text + range.begin,
                       (gssize) (range.end - range.begin));
    g_checksum_update (sum, (const guchar *) " ", 1);
  }
  rsp_dsom_scan_end (&scan);
  return g_strdup (g_checksum_get_string (sum));
}
