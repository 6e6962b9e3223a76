#include "parser/dsom/build.h"

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

DsomPlace *dsom_place (DsomParser *parser, TokenRange range, const char *name) {
  DsomPlace *place = rsp_arena_new0 (parser->arena, DsomPlace, 1);
  place->name = name;
  place->span = dsom_span (parser, range);
  return place;
}

DsomPlace *dsom_element (DsomParser *parser, TokenRange range, const char *name, gint64 index) {
  DsomPlace *place = dsom_place (parser, range, name);
  place->has_index = TRUE;
  place->index = index;
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

enum {
  MOST_HEIGHT = 1000 /* limit of an expression's depth, and so of recursion */
};

static guint check_height (DsomParser *parser, RspSpan span, guint height) {
  if (height > MOST_HEIGHT && !parser->too_deep) {
    parser->too_deep = TRUE;
    rsp_error (parser->diagnostics, span, NULL, "this has more than %d nested operators",
               MOST_HEIGHT);
  }
  return height;
}

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
  expr->height = check_height (parser, expr->span, MAX (a->height, b ? b->height : 0) + 1);
  return expr;
}

/* ---- Commands and the question ---- */

DsomCommand *dsom_command (DsomParser *parser, TokenRange range, DsomCommandKind kind) {
  DsomCommand *command = rsp_arena_new0 (parser->arena, DsomCommand, 1);
  command->kind = kind;
  command->span = dsom_span (parser, range);
  return command;
}

DsomProp *dsom_prop (DsomParser *parser, TokenRange range, RspPropKind kind, DsomProp *a,
                     DsomProp *b) {
  DsomProp *prop = rsp_arena_new0 (parser->arena, DsomProp, 1);
  prop->kind = kind;
  prop->a = a;
  prop->b = b;
  prop->span = dsom_span (parser, range);
  prop->depth = check_height (parser, prop->span, MAX (a ? a->depth : 0, b ? b->depth : 0) + 1);
  return prop;
}
