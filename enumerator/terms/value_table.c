#include "enumerator/terms/value_table.h"

static guint
hash_value (gconstpointer key)
{
  const RspValue *value = key;
  return (guint) (value->bits ^ value->bits >> 32) * 2654435761u ^ value->unknown;
}

static gboolean
equal_values (gconstpointer a, gconstpointer b)
{
  return rsp_value_equal (*(const RspValue *) a, *(const RspValue *) b);
}

GHashTable *
rsp_value_hash_table_new (void)
{
  return g_hash_table_new (hash_value, equal_values);
}

void
rsp_value_table_clear (RspValueTable *table)
{
  g_clear_pointer (&table->values, g_ptr_array_unref);
  g_clear_pointer (&table->ids, g_hash_table_unref);
}

static guint32
add_value (RspValueTable *table, RspValue value)
{
  RspValue *own = rsp_arena_copy (table->arena, &value, sizeof value);
  g_ptr_array_add (table->values, own);
  g_hash_table_insert (table->ids, own, GUINT_TO_POINTER (table->values->len));
  return table->values->len - 1;
}

guint32
rsp_value_table_number (RspValueTable *table, RspValue value)
{
  if (!table->ids)
    {
      table->ids = rsp_value_hash_table_new ();
      table->values = g_ptr_array_new ();
    }
  gpointer found = g_hash_table_lookup (table->ids, &value);
  return found ? GPOINTER_TO_UINT (found) - 1 : add_value (table, value);
}
