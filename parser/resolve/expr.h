#pragma once

#include "parser/resolve/resolve.h"

/* Completes an expression; void ones are allowed. */
void litmus_resolve_expr (LitmusResolver *resolver, RspExpr *expr);
/* Completes an expression whose value is used (not void). */
void litmus_resolve_value (LitmusResolver *resolver, RspExpr *expr);
/* A value that is compared with zero. */
void litmus_resolve_test (LitmusResolver *resolver, RspExpr *expr);
gboolean litmus_may_store (const RspExpr *expr, RspType type);
/* Checks that an expression's value may be stored as `type`; `where` begins the second part of the
 * message ("`r0` is"). */
void litmus_check_conversion (LitmusResolver *resolver, const RspExpr *expr, RspType type,
                              const char *where);
/* The type of a value read from an object of this type. */
RspType litmus_value_type (RspType type);
RspType litmus_pointed_type (RspType pointer);
gboolean litmus_is_void (RspType type);
/* "did you mean `*x`?" where expr is a parameter used as if it were its content; or NULL. */
char *litmus_content_hint (const RspExpr *expr);
