/* Values of observables as small numbers, so that rows of results are rows of numbers. Searches
 * that share results have one table; each searcher has a copy of the part that it has seen, which
 * needs no lock. */
#include "enumerator/search/bounded/share/numbers.h"
#include "enumerator/search/bounded/share/common.h"

struct Numbers
{
  GMutex lock;
  RspArena *arena;
  GHashTable *ids;  /* RspValue → its number + 1 */
  GPtrArray *table; /* of RspValue, by number */
};

struct SeenNumbers
{
  GHashTable *ids;  /* RspValue → number + 1; the values are those of the common table */
  GPtrArray *table; /* of RspValue, by number; NULL if not seen */
};

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

Numbers *
numbers_new (void)
{
  Numbers *numbers = g_new0 (Numbers, 1);
  g_mutex_init (&numbers->lock);
  numbers->arena = rsp_arena_new ();
  numbers->ids = g_hash_table_new (hash_value, equal_values);
  numbers->table = g_ptr_array_new ();
  return numbers;
}

void
numbers_free (Numbers *numbers)
{
  g_ptr_array_unref (numbers->table);
  g_hash_table_unref (numbers->ids);
  rsp_arena_free (numbers->arena);
  g_mutex_clear (&numbers->lock);
  g_free (numbers);
}

/* ---- A searcher's copy ---- */

void
numbers_open (Searcher *s)
{
  s->numbers = rsp_arena_new0 (s->arena, SeenNumbers, 1);
  s->numbers->ids = g_hash_table_new (hash_value, equal_values);
  s->numbers->table = g_ptr_array_new ();
}

void
numbers_close (Searcher *s)
{
  g_ptr_array_unref (s->numbers->table);
  g_hash_table_unref (s->numbers->ids);
}

static void
remember (SeenNumbers *seen, guint32 number, RspValue *value)
{
  if (number >= seen->table->len)
    g_ptr_array_set_size (seen->table, (gint) number + 1);
  seen->table->pdata[number] = value;
  g_hash_table_insert (seen->ids, value, GUINT_TO_POINTER (number + 1));
}

guint32
rsp_number_of (Searcher *s, RspValue value)
{
  gpointer found = g_hash_table_lookup (s->numbers->ids, &value);
  if (found)
    return GPOINTER_TO_UINT (found) - 1;
  Numbers *common = s->shared->numbers;
  g_mutex_lock (&common->lock);
  found = g_hash_table_lookup (common->ids, &value);
  if (!found)
    {
      RspValue *own = rsp_arena_copy (common->arena, &value, sizeof value);
      g_ptr_array_add (common->table, own);
      found = GUINT_TO_POINTER (common->table->len);
      g_hash_table_insert (common->ids, own, found);
    }
  guint32 number = GPOINTER_TO_UINT (found) - 1;
  RspValue *numbered = common->table->pdata[number];
  g_mutex_unlock (&common->lock);
  remember (s->numbers, number, numbered);
  return number;
}

const RspValue *
rsp_numbered_value (Searcher *s, guint32 number)
{
  SeenNumbers *seen = s->numbers;
  if (number < seen->table->len && seen->table->pdata[number])
    return seen->table->pdata[number];
  Numbers *common = s->shared->numbers;
  g_mutex_lock (&common->lock);
  RspValue *value = common->table->pdata[number];
  g_mutex_unlock (&common->lock);
  remember (seen, number, value);
  return value;
}
