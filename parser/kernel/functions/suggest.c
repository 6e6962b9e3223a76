/* Suggestions for the names of functions. */
#include "parser/kernel/functions/suggest.h"
#include "parser/kernel/syntax.h"

#include "base/suggest.h"
#include "parser/litmus/words.h"

#include <string.h>

/* All but the operations of 2.0; `*` at the end is for any rest. */
static const char *const functions[] = {
#define BUILTIN(name, kind, instead) name,
#include "parser/kernel/functions/builtins.def"
#define OLD_ATOMIC(name, op, form) "atomic_" name, "atom_" name,
#define OLD_FENCE(name, order)     name,
#define OTHER(name)                name,
#include "parser/kernel/functions/atomics.def"
};

/* Of those that are built in. */
static GPtrArray *all_names (void) {
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  rsp_litmus_add_calls (names, FALSE);
  for (gsize i = 0; i < G_N_ELEMENTS (functions); i++)
    if (!g_str_has_suffix (functions[i], "*"))
      g_ptr_array_add (names, g_strdup (functions[i]));
  return names;
}

char *rsp_kernel_function_hint (const KernelLowerer *l, const char *name) {
  g_autoptr (GPtrArray) names = all_names ();
  for (guint i = 0; i < l->unit->functions.n; i++) {
    const KernelFunction *function = l->unit->functions.items[i];
    g_ptr_array_add (names, g_strdup (function->name));
  }
  g_ptr_array_add (names, NULL);
  return rsp_did_you_mean_words (name, (const char *const *) names->pdata,
                                 rsp_litmus_other_operations);
}

gboolean kernel_is_misspelt (const char *name, gsize begin) {
  g_autoptr (GPtrArray) names = all_names ();
  g_autoptr (GPtrArray) rests = g_ptr_array_new ();
  for (guint i = 0; i < names->len; i++)
    if (strncmp (names->pdata[i], name, begin) == 0)
      g_ptr_array_add (rests, (char *) names->pdata[i] + begin);
  g_ptr_array_add (rests, NULL);
  return rsp_nearest (name + begin, (const char *const *) rests->pdata) != NULL;
}
