#ifndef RSP_PARSER_LITMUS_BUILD_CODE_H
#define RSP_PARSER_LITMUS_BUILD_CODE_H

#include "parser/litmus/syntax.h"

RspExpr *litmus_constant (LitmusParser *parser, LitmusRange range, gint64 value, RspType type);
RspExpr *litmus_name (LitmusParser *parser, LitmusRange range, const char *name);
RspExpr *litmus_node (LitmusParser *parser, LitmusRange range, RspExprKind kind, RspOperator op,
                      RspExpr *a, RspExpr *b, RspExpr *c);
RspExpr *litmus_step (LitmusParser *parser, LitmusRange range, RspOperator op, gboolean post,
                      RspExpr *a);
RspExpr *litmus_cast (LitmusParser *parser, LitmusRange range, RspType type, RspExpr *a);
RspExpr *litmus_call (LitmusParser *parser, LitmusRange range, const char *name,
                      LitmusList arguments);

RspStatement *litmus_statement (LitmusParser *parser, LitmusRange range, RspStatementKind kind,
                                RspExpr *expr, RspStatement *body);
/* One declaration statement per declarator. */
LitmusList litmus_declarations (LitmusParser *parser, LitmusSpecs *specs, LitmusList declarators);
RspStatement *litmus_block (LitmusParser *parser, LitmusRange range, LitmusList statements);
/* The statement itself if there is only one, otherwise a block of them. */
RspStatement *litmus_single (LitmusParser *parser, LitmusRange range, LitmusList statements);
/* `return e;` is `{ e; return; }`. */
RspStatement *litmus_return (LitmusParser *parser, LitmusRange range, RspExpr *expr);
RspStatement *litmus_barrier (LitmusParser *parser, LitmusRange range, LitmusList arguments);

#endif
