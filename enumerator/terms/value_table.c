#include "enumerator/terms/value_table.h"

#include <string.h>

enum {
  FEW_VALUES = 8 /* are compared one by one: most tests have no more */
};

static guint hash_value (gconstpointer key) {
  const RspValue *value = key;
  return (guint) (value->bits ^ value->bits >> 32) * 2654435761u ^ value->unknown;
}

static gboolean equal_values (gconstpointer a, gconstpointer b) {
  return rsp_value_same (*(const RspValue *) a, *(const RspValue *) b);
}

GHashTable *rsp_value_hash_table_new (void) { return g_hash_table_new (hash_value, equal_values); }

void rsp_value_table_clear (RspValueTable *table) {
  g_clear_pointer (&table->ids, g_hash_table_unref);
}

/* The number of a value + 1, or 0. */
static guint32 find_value (const RspValueTable *table, RspValue value) {
  if (table->ids)
    return GPOINTER_TO_UINT (g_hash_table_lookup (table->ids, &value));
  guint n = rsp_value_table_count (table), i = 0;
  while (i < n && !rsp_value_same (*rsp_value_table_get (table, i), value))
    i++;
  return i < n ? i + 1 : 0;
}

static void hash_value_at (RspValueTable *table, guint number) {
  g_hash_table_insert (table->ids, table->values[number], GUINT_TO_POINTER (number + 1));
}

static void make_room (RspValueTable *table) {
  table->capacity = MAX (2 * table->capacity, FEW_VALUES);
  RspValue **values = rsp_arena_new0 (table->arena, RspValue *, table->capacity);
  if (table->n)
    memcpy (values, table->values, table->n * sizeof values[0]);
  table->values = values;
}

static guint32 add_value (RspValueTable *table, RspValue value) {
  guint number = table->n;
  if (number == table->capacity)
    make_room (table);
  table->values[table->n++] = rsp_arena_copy (table->arena, &value, sizeof value);
  if (table->ids)
    hash_value_at (table, number);
  else if (number >= FEW_VALUES) {
    table->ids = rsp_value_hash_table_new ();
    for (guint i = 0; i <= number; i++)
      hash_value_at (table, i);
  }
  return number;
}

guint32 rsp_value_table_number (RspValueTable *table, RspValue value) {
  guint32 found = find_value (table, value);
  return found ? found - 1 : add_value (table, value);
}
