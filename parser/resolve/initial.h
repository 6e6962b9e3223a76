#pragma once

#include "parser/resolve/resolve.h"

/* Lays out the objects as locations, and sets the initial values of cells and registers. */
void litmus_resolve_initial (LitmusResolver *resolver);
/* Keeps the initial state as text, with room for `more` entries after it. */
void rsp_litmus_keep_initial (LitmusResolver *resolver, guint more);
/* The address that `x`, `&x` or `a[1]` denotes; FALSE with an error. target receives the object. */
gboolean rsp_litmus_resolve_address (LitmusResolver *resolver, const LitmusPlace *place,
                                     gint64 *address, LitmusObject **target);
LitmusRegisterInit *litmus_find_register_init (const LitmusResolver *resolver, guint thread,
                                               const char *name);
/* An error if the number, as a pointer, would be taken for the address of an object. */
void litmus_check_pointer_number (LitmusResolver *resolver, RspSpan span, gint64 number);
/* The value that an object of the type holds after storing `value`. */
gint64 litmus_convert (gint64 value, RspType type);
/* Is the number 2^63 or more, and the type smaller? */
gboolean litmus_is_beyond (const LitmusPlace *place, RspType type);
