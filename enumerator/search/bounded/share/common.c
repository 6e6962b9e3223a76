#include "enumerator/search/bounded/share/common.h"
#include "enumerator/search/bounded/share/memo.h"

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
values_table_new (void)
{
  return g_hash_table_new (hash_value, equal_values);
}

RspCommon *
rsp_common_new (const RspNames *names, gsize max_size)
{
  Values *values = g_new0 (Values, 1);
  g_mutex_init (&values->lock);
  values->arena = rsp_arena_new ();
  values->ids = values_table_new ();
  values->table = g_ptr_array_new ();
  RspCommon *common = g_new0 (RspCommon, 1);
  common->values = values;
  common->names = names;
  if (max_size)
    common->memo = memo_new (max_size);
  return common;
}

void
rsp_common_free (RspCommon *common)
{
  if (!common)
    return;
  Values *values = common->values;
  memo_free (common->memo);
  g_ptr_array_unref (values->table);
  g_hash_table_unref (values->ids);
  rsp_arena_free (values->arena);
  g_mutex_clear (&values->lock);
  g_free (values);
  g_free (common);
}
