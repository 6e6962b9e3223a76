#pragma once

#include "parser/litmus/litmus.h"

RspExpr *litmus_constant (LitmusParser *parser, TokenRange range, gint64 value, RspType type);
RspExpr *litmus_name (LitmusParser *parser, TokenRange range, const char *name);
RspExpr *litmus_node (LitmusParser *parser, TokenRange range, RspExprKind kind, RspOperator op,
                      RspExpr *a, RspExpr *b, RspExpr *c);
RspExpr *litmus_step (LitmusParser *parser, TokenRange range, RspOperator op, gboolean post,
                      RspExpr *a);
RspExpr *litmus_cast (LitmusParser *parser, TokenRange range, RspType type, RspExpr *a);
RspExpr *litmus_call (LitmusParser *parser, TokenRange range, const char *name,
                      LitmusList arguments);
RspStatement *litmus_statement (LitmusParser *parser, TokenRange range, RspStatementKind kind,
                                RspExpr *expr, RspStatement *body);

/* One declaration statement per declarator. */
LitmusList litmus_declarations (LitmusParser *parser, LitmusSpecs *specs, LitmusList declarators);
RspStatement *litmus_block (LitmusParser *parser, TokenRange range, LitmusList statements);

/* The statement itself if there is only one, otherwise a block of them. */
RspStatement *litmus_single (LitmusParser *parser, TokenRange range, LitmusList statements);

/* `return e;` is `{ e; return; }`. */
RspStatement *litmus_return (LitmusParser *parser, TokenRange range, RspExpr *expr);
RspStatement *litmus_barrier (LitmusParser *parser, TokenRange range, const char *word,
                              LitmusList arguments);
