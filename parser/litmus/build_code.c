/* Building the syntax tree: expressions and statements. */
#include "parser/litmus/build_code.h"
#include "parser/litmus/build.h"
#include "parser/litmus/types.h"

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
