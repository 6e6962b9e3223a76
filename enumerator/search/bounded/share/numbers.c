/* Values of observables as small numbers, so that rows of results are rows of numbers. Searches
 * that share results have one table; each searcher has a copy of the part that it has seen, which
 * needs no lock. */
#include "enumerator/search/bounded/share/numbers.h"
#include "enumerator/search/bounded/share/common.h"
#include "enumerator/terms/value_table.h"

enum {
  FEW_NUMBERS = 8 /* are compared one by one: most tests have no more */
};

struct Numbers {
  GMutex lock;
  RspArena *arena;
  RspValueTable table;
};

struct SeenNumbers {
  GHashTable *ids;  /* RspValue → number + 1; the values are those of the common table */
  RspValue **table; /* by number, in the searcher's arena; NULL if not seen */
  guint n;          /* all that have been seen are less */
  guint capacity;   /* of the table; ids: NULL while this is that of a small one */
};

Numbers *numbers_new (void) {
  Numbers *numbers = g_new0 (Numbers, 1);
  g_mutex_init (&numbers->lock);
  numbers->arena = rsp_arena_new ();
  numbers->table.arena = numbers->arena;
  return numbers;
}

void numbers_free (Numbers *numbers) {
  rsp_value_table_clear (&numbers->table);
  rsp_arena_free (numbers->arena);
  g_mutex_clear (&numbers->lock);
  g_free (numbers);
}

/* ---- A searcher's copy ---- */

void numbers_open (Searcher *s) { s->numbers = rsp_arena_new0 (s->arena, SeenNumbers, 1); }

void numbers_close (Searcher *s) { g_clear_pointer (&s->numbers->ids, g_hash_table_unref); }

static void make_room (Searcher *s, guint32 number) {
  SeenNumbers *seen = s->numbers;
  seen->capacity = MAX (FEW_NUMBERS, 2 * number);
  RspValue **table = rsp_arena_new0 (s->arena, RspValue *, seen->capacity);
  for (guint i = 0; i < seen->n; i++)
    table[i] = seen->table[i];
  seen->table = table;
  if (seen->capacity == FEW_NUMBERS || seen->ids)
    return;
  seen->ids = rsp_value_hash_table_new ();
  for (guint i = 0; i < seen->n; i++)
    if (table[i])
      g_hash_table_insert (seen->ids, table[i], GUINT_TO_POINTER (i + 1));
}

static void remember (Searcher *s, guint32 number, RspValue *value) {
  SeenNumbers *seen = s->numbers;
  if (number >= seen->capacity)
    make_room (s, number);
  seen->table[number] = value;
  seen->n = MAX (seen->n, number + 1);
  if (seen->ids)
    g_hash_table_insert (seen->ids, value, GUINT_TO_POINTER (number + 1));
}

/* The number of a value + 1; 0 if it has not been seen. */
static guint32 find_seen (const SeenNumbers *seen, const RspValue *value) {
  if (seen->ids)
    return GPOINTER_TO_UINT (g_hash_table_lookup (seen->ids, value));
  for (guint i = 0; i < seen->n; i++)
    if (seen->table[i] && rsp_value_same (*seen->table[i], *value))
      return i + 1;
  return 0;
}

guint32 rsp_number_of (Searcher *s, RspValue value) {
  guint32 found = find_seen (s->numbers, &value);
  if (found)
    return found - 1;
  Numbers *common = s->shared->numbers;
  g_mutex_lock (&common->lock);
  guint32 number = rsp_value_table_number (&common->table, value);
  RspValue *numbered = rsp_value_table_get (&common->table, number);
  g_mutex_unlock (&common->lock);
  remember (s, number, numbered);
  return number;
}

guint32 rsp_count_numbers (Searcher *s) {
  Numbers *common = s->shared->numbers;
  g_mutex_lock (&common->lock);
  guint32 n = rsp_value_table_count (&common->table);
  g_mutex_unlock (&common->lock);
  return n;
}

const RspValue *rsp_numbered_value (Searcher *s, guint32 number) {
  SeenNumbers *seen = s->numbers;
  if (number < seen->n && seen->table[number])
    return seen->table[number];
  Numbers *common = s->shared->numbers;
  g_mutex_lock (&common->lock);
  RspValue *value = rsp_value_table_get (&common->table, number);
  g_mutex_unlock (&common->lock);
  remember (s, number, value);
  return value;
}
