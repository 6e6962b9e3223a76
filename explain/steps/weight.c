/* Weights: changing a scope or an order takes one word; what the execution decides takes a
 * different execution; moving a thread changes the scope tree; program order is fixed. */
#include "explain/steps/weight.h"

#include <string.h>

/* The name for which a spelling stands. */
static const char *
own_name (const char *name)
{
  static const char *const aliases[][2] = {
#define RSP_BASE_ALIAS(name, other) { name, other },
#include "model/base_names.def"
  };
  for (guint i = 0; i < G_N_ELEMENTS (aliases); i++)
    if (strcmp (aliases[i][0], name) == 0)
      return aliases[i][1];
  return name;
}

guint
base_weight (const char *name)
{
  static const struct
  {
    const char *name;
    guint weight;
  } weights[] = {
    { "_", 0 },
    { "unv", 0 },
#define RSP_SCOPE(id, level, word, text, short_word, set, relation) { "memory_scope_" word, 2 },
#include "parser/scopes.def"
    { "remote", 2 },
    { "memory_order_relaxed", 3 },
    { "memory_order_consume", 3 },
    { "memory_order_acquire", 3 },
    { "memory_order_release", 3 },
    { "memory_order_acq_rel", 3 },
    { "memory_order_seq_cst", 3 },
#define RSP_BASE_DERIVED(id, kind, name, meaning) { name, 3 },
#include "model/base_names.def"
    { "wi", 4 },
    { "ext-wi", 4 },
#define RSP_LEVEL(id, relation, word, text, short_word, in_tree, elsewhere, printed)               \
  { short_word, 4 }, { "ext-" short_word, 4 },
#include "parser/scopes.def"
    { "G", 4 },
    { "L", 4 },
    { "A", 6 },
    { "na", 6 },
    { "atomicloc", 6 },
    { "nonatomicloc", 6 },
    { "fga", 6 },
  };
  const char *own = own_name (name);
  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    if (strcmp (weights[i].name, own) == 0)
      return weights[i].weight;
  return G_MAXUINT;
}
