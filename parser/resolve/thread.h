#pragma once

#include "parser/resolve/resolve.h"

void litmus_resolve_thread (LitmusResolver *resolver, guint index);
/* Is the name known, so that using it declares no implicit register? */
gboolean litmus_is_declared (const LitmusResolver *resolver, const char *name);
/* A hint at what an undeclared name was meant to be: newly allocated, or NULL. */
char *litmus_name_hint (const LitmusResolver *resolver, const char *name);
/* Turns a name into an RSP_EXPR_LOCATION or RSP_EXPR_REGISTER, with its type. An undeclared one
 * becomes an implicit register of type `like`. */
void litmus_resolve_name (LitmusResolver *resolver, RspExpr *expr, RspType like);
