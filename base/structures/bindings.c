/* Bindings: persistent maps from small numbers, as trees whose paths are copied. */
#include "base/structures/bindings.h"

enum { ARITY = 4 };

/* Numbered like a heap: the root is 0, the children of n are ARITY * n + 1 and so on. */
struct RspBindings {
  gconstpointer value;
  const RspBindings *children[ARITY];
};

const char *rsp_symbol (GHashTable *symbols, RspArena *arena, const char *name, guint *number) {
  gpointer symbol, known;
  if (!g_hash_table_lookup_extended (symbols, name, &symbol, &known)) {
    symbol = arena ? rsp_arena_strdup (arena, name) : (gpointer) name;
    known = GUINT_TO_POINTER (g_hash_table_size (symbols));
    g_hash_table_insert (symbols, symbol, known);
  }
  if (number)
    *number = GPOINTER_TO_UINT (known);
  return symbol;
}

const RspBindings *rsp_bindings_add (RspArena *arena, const RspBindings *bindings, guint number,
                                     gconstpointer value) {
  const RspBindings *root = NULL, **link = &root;
  for (;; number = (number - 1) / ARITY) {
    RspBindings *copy = rsp_arena_new0 (arena, RspBindings, 1);
    if (bindings)
      *copy = *bindings;
    *link = copy;
    if (number == 0) {
      copy->value = value;
      return root;
    }
    link = &copy->children[(number - 1) % ARITY];
    bindings = *link;
  }
}

gconstpointer rsp_bindings_look_up (const RspBindings *bindings, guint number) {
  for (; bindings && number; number = (number - 1) / ARITY)
    bindings = bindings->children[(number - 1) % ARITY];
  return bindings ? bindings->value : NULL;
}
