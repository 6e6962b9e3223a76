/* Values of observables as small numbers, so that rows of results are rows of numbers. Searches
 * that share results have one table; each searcher has a copy of the part that it has seen, which
 * needs no lock. */
#include "enumerator/search/bounded/share/numbers.h"
#include "enumerator/search/bounded/share/common.h"
#include "enumerator/terms/value_table.h"

struct Numbers
{
  GMutex lock;
  RspArena *arena;
  RspValueTable table;
};

struct SeenNumbers
{
  GHashTable *ids;  /* RspValue → number + 1; the values are those of the common table */
  GPtrArray *table; /* of RspValue, by number; NULL if not seen */
};

Numbers *
numbers_new (void)
{
  Numbers *numbers = g_new0 (Numbers, 1);
  g_mutex_init (&numbers->lock);
  numbers->arena = rsp_arena_new ();
  numbers->table.arena = numbers->arena;
  return numbers;
}

void
numbers_free (Numbers *numbers)
{
  rsp_value_table_clear (&numbers->table);
  rsp_arena_free (numbers->arena);
  g_mutex_clear (&numbers->lock);
  g_free (numbers);
}

/* ---- A searcher's copy ---- */

void
numbers_open (Searcher *s)
{
  s->numbers = rsp_arena_new0 (s->arena, SeenNumbers, 1);
  s->numbers->ids = rsp_value_hash_table_new ();
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
  guint32 number = rsp_value_table_number (&common->table, value);
  RspValue *numbered = rsp_value_table_get (&common->table, number);
  g_mutex_unlock (&common->lock);
  remember (s->numbers, number, numbered);
  return number;
}

guint32
rsp_count_numbers (Searcher *s)
{
  Numbers *common = s->shared->numbers;
  g_mutex_lock (&common->lock);
  guint32 n = rsp_value_table_count (&common->table);
  g_mutex_unlock (&common->lock);
  return n;
}

const RspValue *
rsp_numbered_value (Searcher *s, guint32 number)
{
  SeenNumbers *seen = s->numbers;
  if (number < seen->table->len && seen->table->pdata[number])
    return seen->table->pdata[number];
  Numbers *common = s->shared->numbers;
  g_mutex_lock (&common->lock);
  RspValue *value = rsp_value_table_get (&common->table, number);
  g_mutex_unlock (&common->lock);
  remember (seen, number, value);
  return value;
}
