#pragma once

#include "parser/columns/resolve.h"

/* Index of the location of that name, or of an array's first element; it is new if this is the
 * first mention. */
guint columns_location (ColumnsResolver *r, const char *name, RspSpan span);
/* The same, of an array of n elements that has not been mentioned. */
guint columns_array (ColumnsResolver *r, const char *name, guint n, RspSpan span);
/* The same, of the element that a place names; an error if there is none. */
gint64 columns_address (ColumnsResolver *r, const LitmusPlace *place);
/* Index of the register of the current thread, which is new if this is the first mention; nothing
 * sets it yet. */
guint columns_register (ColumnsResolver *r, const char *name, RspSpan span);
/* The same, or G_MAXUINT if it has not been mentioned. */
guint columns_find_register (const ColumnsResolver *r, const char *name);
/* Is the name, in the current thread's code, a register? */
gboolean columns_is_register (const ColumnsResolver *r, const char *name);
/* Is it one of `r0`, `r1`, …, which are registers everywhere? */
gboolean columns_is_register_name (const char *name);
