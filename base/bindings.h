/* Bindings: what names are bound to, for environments that share their outer part.
 *
 * They never change: to add one gives new bindings, which share all but the path to it with the
 * old. Adding and looking up take time and memory in the logarithm of the number of names. */
#ifndef RSP_BASE_BINDINGS_H
#define RSP_BASE_BINDINGS_H

#include "base/arena.h"

/* NULL: nothing is bound. */
typedef struct RspBindings RspBindings;

/* The unique pointer for all equal names, from a table (of strings) that starts empty. *number
 * (unless number is NULL) is the name's own: 0, 1, … in the order of their first use. The name is
 * copied to the arena; with NULL, it must outlive the table. */
const char *rsp_symbol (GHashTable *symbols, RspArena *arena, const char *name, guint *number);

/* The bindings with the symbol of this number bound to value instead, in the arena. */
const RspBindings *rsp_bindings_add (RspArena *arena, const RspBindings *bindings, guint number,
                                     gconstpointer value);
/* NULL when unbound. */
gconstpointer rsp_bindings_look_up (const RspBindings *bindings, guint number);

#endif
