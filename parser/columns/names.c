/* Locations and registers by name. */
#include "parser/columns/names.h"
#include "parser/resolve/initial.h"

#include <string.h>

/* is_array: are the names of its cells those of elements? */
static guint add_object (ColumnsResolver *r, const char *name, guint n, gboolean is_array,
                         RspSpan span) {
  guint first = r->locations->len;
  LitmusObject *object = rsp_arena_new0 (r->base.arena, LitmusObject, 1);
  *object = (LitmusObject){ .name = name,
                            .type = columns_value_type (),
                            .is_array = is_array,
                            .n_elements = n,
                            .index = r->base.objects->len,
                            .first = first,
                            .span = span };
  for (guint i = 0; i < n; i++) {
    const char *cell = is_array ? rsp_arena_printf (r->base.arena, "%s[%u]", name, i) : name;
    RspLocation location = { .name = cell,
                             .type = object->type,
                             .object = first,
                             .physical = first + i,
                             .n_elements = n,
                             .proxy = RSP_TAG_GEN,
                             .span = span };
    g_array_append_val (r->locations, location);
  }
  g_ptr_array_add (r->base.objects, object);
  g_hash_table_insert (r->base.object_names, (gpointer) name, object);
  return first;
}

guint columns_array (ColumnsResolver *r, const char *name, guint n, RspSpan span) {
  return add_object (r, name, n, TRUE, span);
}

guint columns_location (ColumnsResolver *r, const char *name, RspSpan span) {
  const LitmusObject *known = g_hash_table_lookup (r->base.object_names, name);
  return known ? known->first : add_object (r, name, 1, FALSE, span);
}

gint64 columns_address (ColumnsResolver *r, const LitmusPlace *place) {
  gint64 address = rsp_address (columns_location (r, place->name, place->span), 0);
  LitmusObject *object;
  rsp_litmus_resolve_address (&r->base, place, &address, &object);
  return address;
}

guint columns_find_register (const ColumnsResolver *r, const char *name) {
  for (guint i = 0; i < r->registers->len; i++)
    if (strcmp (g_array_index (r->registers, RspRegister, i).name, name) == 0)
      return i;
  return G_MAXUINT;
}

gboolean columns_is_register_name (const char *name) {
  if (name[0] != 'r' || !name[1])
    return FALSE;
  for (const char *c = name + 1; *c; c++)
    if (!g_ascii_isdigit (*c))
      return FALSE;
  return TRUE;
}

/* `r0`, `r1`, … and what the initial state sets are registers. */
gboolean columns_is_register (const ColumnsResolver *r, const char *name) {
  return columns_find_register (r, name) != G_MAXUINT || columns_is_register_name (name);
}

guint columns_register (ColumnsResolver *r, const char *name, RspSpan span) {
  guint known = columns_find_register (r, name);
  if (known != G_MAXUINT)
    return known;
  RspRegister reg = { .name = name, .type = columns_value_type (), .span = span };
  g_array_append_val (r->registers, reg);
  return r->registers->len - 1;
}
