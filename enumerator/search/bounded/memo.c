/* Memo: residual problems and what their completions lead to.
 *
 * Two nodes of one search with equal keys have the same completions of what is open, leading to the
 * same results for the observables that are open. A key therefore holds all that those results
 * depend on:
 *
 *   - the open reads and their candidates; decided reads whose value is not known, and their
 * sources;
 *   - values of candidates that were not constant at the root;
 *   - the known values that open terms (what a write will write, path constraints, final registers)
 *     mention beside unknown ones;
 *   - the undecided part of co and of the chosen orders (elements ordered with all others do not
 * matter: orders are transitive);
 *   - which observables are open; of an open location, which writes may be last, and their values;
 *   - whether the execution is known to break a requirement;
 *   - what values known already leave of the filter and (-speedcheck) of the condition;
 *   - what the open checks can tell apart (model/bounds/bounds.h: rsp_bounds_key has its own argument).
 *
 * Everything else is the same in both: the pre-execution, the model, and the code that runs. */
#include "enumerator/search/bounded/memo.h"
#include "enumerator/search/bounded/searcher.h"
#include "enumerator/search/bounded/wanted.h"

enum
{
  TAG_READ = 1,
  TAG_SOURCE,
  TAG_VALUE,
  TAG_KNOWN,
  TAG_CONSTRAINT,
  TAG_OBSERVABLE,
  TAG_LAST,
  TAG_ORDER,
  TAG_CHECKS,
  TAG_WANTED
};

/* Parts with a lock each, so that threads seldom wait for one another. */
enum
{
  N_PARTS = 16
};

typedef struct Part
{
  GMutex lock;
  GHashTable *table; /* MemoKey → RspResults, both in the arena */
  RspArena *arena;
  gsize size;
} Part;

struct Memo
{
  Part parts[N_PARTS];
  gsize max_size; /* of a part */
};

/* ---- Parts of the key ---- */

static void
put (Bounded *s, guint64 word)
{
  g_array_append_val (s->key, word);
}

static void
put_tag (Bounded *s, guint tag, guint what)
{
  put (s, (guint64) tag << 48 | what);
}

static void
put_row (Bounded *s, const guint64 *row)
{
  g_array_append_vals (s->key, row, s->words);
}

static void
put_value (Bounded *s, guint tag, guint event, RspValue value)
{
  put_tag (s, tag, event);
  put (s, bounded_value_id (s, value));
}

/* Values of the known reads that a term mentions. */
static void
put_known_reads (Bounded *s, guint thread, const RspTerm *term)
{
  if (!term)
    return;
  if (term->kind != RSP_TERM_READ)
    {
      put_known_reads (s, thread, term->a);
      put_known_reads (s, thread, term->b);
      return;
    }
  guint event = rsp_pre_execution_event (s->pre, thread, term->event);
  if (s->value_known[event])
    put_value (s, TAG_KNOWN, event, s->values[event]);
}

static void
put_reads (Bounded *s)
{
  guint64 read_from[s->words]; /* what open reads may read */
  for (guint w = 0; w < s->words; w++)
    read_from[w] = 0;
  for (guint i = 0; i < s->pre->n_reads; i++)
    {
      guint read = s->pre->reads[i];
      const guint64 *candidates = rsp_bounded_candidates (s, read);
      gboolean open = rsp_row_count (candidates, s->words) > 1;
      if (!open && s->value_known[read])
        continue;
      put_tag (s, open ? TAG_READ : TAG_SOURCE, read);
      put_row (s, candidates);
      for (guint w = 0; w < s->words; w++)
        read_from[w] |= candidates[w];
    }
  for (all_bits (write, read_from, s->words))
    if (s->written_known[write] && !s->written_constant[write])
      put_value (s, TAG_VALUE, write, s->written[write]);
}

static void
put_terms (Bounded *s)
{
  for (guint event = 0; event < s->n; event++)
    {
      const RspEvent *write = s->pre->events[event];
      if (!write->written || s->written_known[event])
        continue;
      put_tag (s, TAG_VALUE, event);
      put_known_reads (s, write->thread, write->written);
    }
  for (guint i = 0; i < s->n_constraints; i++)
    {
      const Constraint *constraint = &s->constraints[i];
      gboolean open = FALSE;
      for (guint j = 0; j < constraint->n_reads; j++)
        open |= !s->value_known[constraint->reads[j]];
      if (!open)
        continue;
      put_tag (s, TAG_CONSTRAINT, i);
      put_known_reads (s, constraint->thread, constraint->term);
    }
}

/* The undecided part of a leaf's order on some elements. */
static void
put_order (Bounded *s, guint leaf, const RspMatrix *elements)
{
  guint64 open[s->words], row[s->words];
  gboolean any = FALSE;
  for (guint w = 0; w < s->words; w++)
    open[w] = 0;
  for (all_bits (x, elements->bits, s->words))
    {
      const guint64 *lo = rsp_bounds_lo (s->bounds, leaf, x),
                    *hi = rsp_bounds_hi (s->bounds, leaf, x);
      guint64 some = 0;
      for (guint w = 0; w < s->words; w++)
        some |= hi[w] & ~lo[w] & elements->bits[w];
      if (some)
        open[x / 64] |= G_GUINT64_CONSTANT (1) << (x % 64);
      any |= some != 0;
    }
  if (!any)
    return;
  put_tag (s, TAG_ORDER, leaf);
  put_row (s, open);
  for (all_bits (x, open, s->words))
    {
      for (guint w = 0; w < s->words; w++)
        row[w] = rsp_bounds_lo (s->bounds, leaf, x)[w] & open[w];
      put_row (s, row);
    }
}

static void
put_last_writes (Bounded *s, guint location)
{
  const RspMatrix *writes = s->writes[location];
  put_tag (s, TAG_LAST, location);
  for (all_bits (x, writes->bits, s->words))
    {
      if (!bounded_may_be_last (s, writes, x))
        continue;
      put_tag (s, TAG_LAST, x);
      if (s->written_known[x])
        put_value (s, TAG_VALUE, x, s->written[x]);
    }
}

static void
put_observables (Bounded *s, const Observed *observed)
{
  const RspProgram *program = s->pre->program;
  for (guint i = 0; i < observed->n_open; i++)
    {
      const RspObservable *observable = &program->observables[observed->open[i]];
      put_tag (s, TAG_OBSERVABLE, observed->open[i]);
      if (observable->is_register)
        put_known_reads (s, observable->thread,
                         s->pre->paths[observable->thread]->finals[observable->reg]);
      else
        put_last_writes (s, observable->location);
    }
}

/* Two lanes of multiply-and-fold mixing. */
static MemoKey
hash_key (const GArray *key)
{
  guint64 a = G_GUINT64_CONSTANT (0x9e3779b97f4a7c15), b = G_GUINT64_CONSTANT (0xd1b54a32d192ed03);
  for (guint i = 0; i < key->len; i++)
    {
      guint64 word = g_array_index (key, guint64, i);
      unsigned __int128 x
          = (unsigned __int128) (a ^ word) * G_GUINT64_CONSTANT (0xa0761d6478bd642f);
      unsigned __int128 y
          = (unsigned __int128) (b + word) * G_GUINT64_CONSTANT (0xe7037ed1a0b428db);
      a = (guint64) (x >> 64) ^ (guint64) x ^ i;
      b = (guint64) (y >> 64) + (guint64) y + (word << 1 | word >> 63);
    }
  return (MemoKey){ .a = a, .b = b };
}

MemoKey
memo_key (Bounded *s, const Observed *observed, gboolean bad)
{
  g_array_set_size (s->key, 0);
  put_reads (s);
  put_terms (s);
  for (guint i = 0; i < s->pre->program->n_locations; i++)
    put_order (s, RSP_LEAF_CO, s->writes[i]);
  for (guint i = 0; i < s->model->n_orders; i++)
    put_order (s, RSP_LEAF_ORDER + i, s->model->orders[i].set);
  put_observables (s, observed);
  put_tag (s, TAG_WANTED, 0);
  bounded_put_wanted (s, observed, s->key);
  put_tag (s, TAG_CHECKS, bad);
  rsp_bounds_key (s->bounds, s->key);
  return hash_key (s->key);
}

/* ---- The table ---- */

static guint
hash_memo_key (gconstpointer key)
{
  const MemoKey *hashed = key;
  return (guint) (hashed->a ^ hashed->a >> 32);
}

static gboolean
equal_memo_keys (gconstpointer x, gconstpointer y)
{
  const MemoKey *a = x, *b = y;
  return a->a == b->a && a->b == b->b;
}

Memo *
memo_new (gsize max_size)
{
  Memo *memo = g_new0 (Memo, 1);
  memo->max_size = max_size / N_PARTS;
  for (guint i = 0; i < N_PARTS; i++)
    {
      g_mutex_init (&memo->parts[i].lock);
      memo->parts[i].table = g_hash_table_new (hash_memo_key, equal_memo_keys);
      memo->parts[i].arena = rsp_arena_new ();
    }
  return memo;
}

void
memo_free (Memo *memo)
{
  if (!memo)
    return;
  for (guint i = 0; i < N_PARTS; i++)
    {
      g_hash_table_unref (memo->parts[i].table);
      rsp_arena_free (memo->parts[i].arena);
      g_mutex_clear (&memo->parts[i].lock);
    }
  g_free (memo);
}

static Part *
part_of (Memo *memo, MemoKey key)
{
  return &memo->parts[key.b % N_PARTS];
}

RspResults *
memo_find (Memo *memo, MemoKey key)
{
  Part *part = part_of (memo, key);
  g_mutex_lock (&part->lock);
  RspResults *found = g_hash_table_lookup (part->table, &key);
  if (found)
    rsp_results_ref (found);
  g_mutex_unlock (&part->lock);
  return found;
}

void
memo_store (Memo *memo, MemoKey key, RspResults *results)
{
  enum
  {
    ENTRY_OVERHEAD = sizeof (MemoKey) + 40
  };
  gsize size = rsp_results_packed_size (results) + ENTRY_OVERHEAD;
  Part *part = part_of (memo, key);
  g_mutex_lock (&part->lock);
  if (part->size + size <= memo->max_size && !g_hash_table_contains (part->table, &key))
    {
      part->size += size;
      g_hash_table_insert (part->table, rsp_arena_copy (part->arena, &key, sizeof key),
                           rsp_results_pack (results, part->arena));
    }
  g_mutex_unlock (&part->lock);
}
