#include "enumerator/search/states/tally.h"
#include "enumerator/values/final_state.h"

#include "enumerator/search/states/sort.h"

#include <string.h>

/* One state: the values that are printed, and the text of -outcomereads. The condition names only
 * what is printed, so its truth depends on the state alone. */
typedef struct Entry
{
  const RspValue *values;
  guint n_values;
  const char *reads;
  guint hash;
  gboolean satisfies;
  RspCount executions, n_undefined;
} Entry;

struct RspTally
{
  const RspProgram *program;
  RspArena *arena;
  guint *printed;
  guint n_printed;
  RspValue *values;    /* scratch of rsp_tally_add */
  GHashTable *entries; /* of Entry, each its own key; NULL for up to FEW_STATES */
  GPtrArray *all;      /* the same, in order of appearance */
  RspCount executions, positive, n_undefined;
};

enum
{
  FEW_STATES = 8, /* are compared one by one: most tests have no more */
  MAX_UNFINISHED_STATES
  = 10000 /* limit of states shown after a limit or -speedcheck ended the search */
};

static guint
hash_of (const Entry *entry)
{
  guint64 hash = entry->n_values;
  for (guint i = 0; i < entry->n_values; i++)
    {
      hash = (hash ^ (guint64) entry->values[i].bits ^ ((guint64) entry->values[i].unknown << 40))
             * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
      hash ^= hash >> 29;
    }
  if (entry->reads)
    hash ^= g_str_hash (entry->reads);
  return (guint) (hash ^ (hash >> 32));
}

static guint
hash_entry (gconstpointer key)
{
  return ((const Entry *) key)->hash;
}

static gboolean
equal_entries (gconstpointer x, gconstpointer y)
{
  const Entry *a = x, *b = y;
  if (a->hash != b->hash || g_strcmp0 (a->reads, b->reads) != 0)
    return FALSE;
  for (guint i = 0; i < a->n_values; i++)
    if (!rsp_value_equal (a->values[i], b->values[i]))
      return FALSE;
  return TRUE;
}

RspTally *
rsp_tally_new (const RspProgram *program)
{
  RspTally *tally = g_new0 (RspTally, 1);
  tally->program = program;
  tally->arena = rsp_arena_new ();
  tally->printed = rsp_arena_new0 (tally->arena, guint, program->n_observables);
  for (guint i = 0; i < program->n_observables; i++)
    if (!program->filter_only || !program->filter_only[i])
      tally->printed[tally->n_printed++] = i;
  tally->values = rsp_arena_new0 (tally->arena, RspValue, tally->n_printed);
  tally->all = g_ptr_array_new ();
  return tally;
}

void
rsp_tally_free (RspTally *tally)
{
  if (!tally)
    return;
  g_clear_pointer (&tally->entries, g_hash_table_unref);
  g_ptr_array_unref (tally->all);
  rsp_arena_free (tally->arena);
  g_free (tally);
}

/* NULL if there is none. */
static Entry *
look_up (const RspTally *tally, const Entry *key)
{
  if (tally->entries)
    return g_hash_table_lookup (tally->entries, key);
  for (guint i = 0; i < tally->all->len; i++)
    if (equal_entries (tally->all->pdata[i], key))
      return tally->all->pdata[i];
  return NULL;
}

static void
append_entry (RspTally *tally, Entry *entry)
{
  g_ptr_array_add (tally->all, entry);
  if (!tally->entries && tally->all->len > FEW_STATES)
    {
      tally->entries = g_hash_table_new (hash_entry, equal_entries);
      for (guint i = 0; i < tally->all->len; i++)
        g_hash_table_add (tally->entries, tally->all->pdata[i]);
    }
  else if (tally->entries)
    g_hash_table_add (tally->entries, entry);
}

static Entry *
find_entry (RspTally *tally, const Entry *key)
{
  Entry *entry = look_up (tally, key);
  if (entry)
    return entry;
  entry = rsp_arena_new0 (tally->arena, Entry, 1);
  *entry = *key;
  entry->values = rsp_arena_copy (tally->arena, key->values, sizeof (RspValue) * key->n_values);
  entry->reads = key->reads ? rsp_arena_strdup (tally->arena, key->reads) : NULL;
  entry->executions = entry->n_undefined = 0;
  append_entry (tally, entry);
  return entry;
}

static void
add_entry (RspTally *tally, const Entry *key, RspCount executions, RspCount n_undefined)
{
  Entry *entry = find_entry (tally, key);
  entry->executions = rsp_count_add (entry->executions, executions);
  entry->n_undefined = rsp_count_add (entry->n_undefined, n_undefined);
  tally->executions = rsp_count_add (tally->executions, executions);
  tally->n_undefined = rsp_count_add (tally->n_undefined, n_undefined);
  if (key->satisfies)
    tally->positive = rsp_count_add (tally->positive, executions);
}

gboolean
tally_keeps (const RspTally *tally, const RspValue *state)
{
  return !tally->program->filter || rsp_prop_holds (tally->program->filter, state);
}

/* Numbers undetermined values in the order in which the state shows them, so that states that
 * differ only in these numbers are one. */
static void
renumber_circles (RspValue *values, guint n)
{
  for (guint i = 0, next = 1; i < n; i++)
    {
      guint old = values[i].unknown;
      if (old < next)
        continue;
      for (guint j = i; j < n; j++)
        if (values[j].unknown == old)
          values[j].unknown = next;
        else if (values[j].unknown == next)
          values[j].unknown = old;
      next++;
    }
}

gboolean
rsp_tally_add (RspTally *tally, const RspValue *state, const char *reads, RspCount executions,
               RspCount n_undefined)
{
  if (!tally_keeps (tally, state))
    return FALSE;
  for (guint i = 0; i < tally->n_printed; i++)
    tally->values[i] = state[tally->printed[i]];
  renumber_circles (tally->values, tally->n_printed);
  Entry key = { .values = tally->values,
                .n_values = tally->n_printed,
                .reads = reads,
                .satisfies = rsp_prop_holds (tally->program->condition, state) };
  key.hash = hash_of (&key);
  add_entry (tally, &key, executions, n_undefined);
  return TRUE;
}

static void
merge (RspTally *to, const RspTally *from)
{
  for (guint i = 0; i < from->all->len; i++)
    {
      const Entry *entry = from->all->pdata[i];
      add_entry (to, entry, entry->executions, entry->n_undefined);
    }
}

void
tally_take (RspTally **to, RspTally **from)
{
  if ((*to)->all->len)
    {
      merge (*to, *from);
      return;
    }
  RspTally *empty = *to;
  *to = *from;
  *from = empty;
}

void
tally_add_renamed (RspTally *to, const RspTally *from, const guint *where)
{
  g_autofree RspValue *state = g_new (RspValue, to->program->n_observables + 1);
  for (guint k = 0; k < from->all->len; k++)
    {
      const Entry *entry = from->all->pdata[k];
      for (guint i = 0; i < to->program->n_observables; i++)
        state[i] = entry->values[where[i]];
      rsp_tally_add (to, state, entry->reads, entry->executions, entry->n_undefined);
    }
}

RspCount
tally_executions (const RspTally *tally)
{
  return tally->executions;
}

RspCount
tally_positive (const RspTally *tally)
{
  return tally->positive;
}

gsize
tally_size (const RspTally *tally)
{
  return rsp_arena_size (tally->arena) + (gsize) tally->all->len * 32;
}

static int
compare_reads (gconstpointer x, gconstpointer y, gpointer all)
{
  Entry *const *entries = all;
  return g_strcmp0 (entries[*(const guint *) x]->reads, entries[*(const guint *) y]->reads);
}

/* By values, then by the text of -outcomereads. */
static gboolean
find_order (const RspTally *tally, RspBudget *budget, guint *order)
{
  guint n = tally->all->len;
  Entry *const *all = (Entry *const *) tally->all->pdata;
  g_autofree const RspValue **states = g_new (const RspValue *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      order[i] = i;
      states[i] = all[i]->values;
    }
  if (n && all[0]->reads)
    g_qsort_with_data (order, (gint) n, sizeof order[0], compare_reads, (gpointer) all);
  return states_sort (states, n, tally->n_printed, budget, order);
}

static void
give_states (const RspTally *tally, const guint *order, RspOutcome *outcome)
{
  outcome->n_states = tally->all->len;
  outcome->states = rsp_arena_new0 (tally->arena, RspStateCount, tally->all->len);
  for (guint i = 0; i < tally->all->len; i++)
    {
      const Entry *entry = tally->all->pdata[order[i]];
      outcome->states[i] = (RspStateCount){ .values = entry->values,
                                            .reads = entry->reads,
                                            .satisfies = entry->satisfies,
                                            .executions = entry->executions,
                                            .n_undefined = entry->n_undefined };
    }
}

void
rsp_tally_finish (RspTally *tally, RspBudget *budget, RspOutcome *outcome)
{
  outcome->n_printed = tally->n_printed;
  outcome->printed = tally->printed;
  outcome->positive = tally->positive;
  outcome->negative
      = tally->executions == RSP_COUNT_MAX ? RSP_COUNT_MAX : tally->executions - tally->positive;
  outcome->n_undefined = tally->n_undefined;
  gboolean complete = rsp_budget_stop (budget) == RSPCHECK_STOP_COMPLETE;
  g_autofree guint *order = g_new (guint, tally->all->len + 1);
  if ((complete || tally->all->len <= MAX_UNFINISHED_STATES)
      && find_order (tally, complete ? budget : NULL, order))
    give_states (tally, order, outcome);
  outcome->arena = g_steal_pointer (&tally->arena);
}
