#include "parser/dsom/names.h"

#include "base/suggest.h"

static gboolean find (GHashTable *names, const char *name, guint *number) {
  gpointer found = g_hash_table_lookup (names, name);
  *number = GPOINTER_TO_UINT (found) - 1;
  return found != NULL;
}

int dsom_find_buffer (DsomResolver *resolver, RspSpan span, const char *name) {
  guint number;
  if (find (resolver->buffers, name, &number))
    return (int) number;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < resolver->program->n_buffers; i++)
    g_ptr_array_add (names, (gpointer) resolver->program->buffers[i].name);
  g_ptr_array_add (names, NULL);
  g_autofree char *hint = rsp_did_you_mean (name, (const char *const *) names->pdata);
  rsp_error (resolver->diagnostics, span, hint, "there is no buffer `%s`", name);
  return -1;
}

guint dsom_declare_register (DsomResolver *resolver, const char *name) {
  guint number;
  if (find (resolver->registers, name, &number))
    return number;
  RspDsomRegister *reg = rsp_arena_new0 (resolver->program->arena, RspDsomRegister, 1);
  reg->name = name;
  g_ptr_array_add (resolver->register_list, reg);
  g_hash_table_insert (resolver->registers, (gpointer) name,
                       GUINT_TO_POINTER (resolver->register_list->len));
  return resolver->register_list->len - 1;
}
