/* Bindings: a persistent map from names to values, for environments that share their outer part.
 *
 *
 * Bindings never change: adding one gives new bindings, which share everything with the old ones
 * except the path to the new one. Adding takes time and memory, and looking up time, logarithmic in
 * the number of names. */
#pragma once

#include "base/arena.h"

/* NULL: nothing is bound. */
typedef struct RspBindings RspBindings;

/* The unique pointer for all equal names, from a table (of strings) that starts empty. *number,
 * unless number is NULL, becomes the name's number: 0, 1, … in the order of first use. The name is
 * copied to the arena; if arena is NULL, the name must outlive the table. */
const char *rsp_symbol (GHashTable *symbols, RspArena *arena, const char *name, guint *number);

/* The bindings, except that the symbol of this number is bound to value; allocated in the arena. */
const RspBindings *rsp_bindings_add (RspArena *arena, const RspBindings *bindings, guint number,
                                     gconstpointer value);
/* NULL if unbound. */
gconstpointer rsp_bindings_look_up (const RspBindings *bindings, guint number);
