/* Memo: residual problems and what their completions lead to.
 *
 * Two nodes of one search with equal keys have the same completions of what is open, leading to the
 * same results for the observables that are open. A key therefore holds all that those results
 * depend on:
 *
 *   - the open reads and their candidates; decided reads whose value is not known, and their
 * sources;
 *   - values of candidates that were not constant at the root;
 *     (of values only those in demand: see demand.c)
 *   - the known values that open terms (what a write will write, path constraints, final registers)
 *     mention besides unknown ones;
 *   - the undecided part of co and of the chosen orders (elements ordered with all others do not
 *     matter: orders are transitive);
 *   - which observables are open; of an open location, which writes may be last, and their values;
 *   - whether the execution is known to break a requirement;
 *   - what values known already leave of the filter and (-speedcheck) of the condition;
 *   - what the open axioms can distinguish (model/bounds/bounds.h: rsp_bounds_key has its own
 *     argument).
 *
 * Everything else is the same in both: the pre-execution, the model, and the code that runs.
 *
 * Nodes of different combinations of paths share entries too (Bounded.names). What then differs
 * besides the above is written out: events by names that paths have in common (paths/names.c),
 * terms whole, values of all candidates, DAG nodes by labels (model/bounds/label.c); and what
 * applies to a combination as a whole (the flags' numbers, whether one execution is enough) is
 * `family`. A flag that an entry has is raised already by where it was found; one that is missing
 * from it because it had been raised before was raised in the same check. */
#include "enumerator/search/bounded/share/memo.h"
#include "enumerator/search/bounded/demand.h"
#include "enumerator/search/bounded/share/naming.h"
#include "enumerator/search/bounded/searcher.h"
#include "enumerator/search/bounded/relevance.h"

#include <string.h>

enum
{
  TAG_READ = 1,
  TAG_SOURCE,
  TAG_VALUE,
  TAG_KNOWN,
  TAG_UNKNOWN,
  TAG_TERM,
  TAG_CONSTRAINT,
  TAG_OBSERVABLE,
  TAG_LAST,
  TAG_ORDER,
  TAG_AXIOMS,
  TAG_RELEVANCE
};

/* Parts with a lock each, so that threads seldom wait for one another. */
enum
{
  N_PARTS = 16,
  TRIAL = 2000,   /* lookups before the memo is tested for whether it pays */
  WORTHWHILE = 16 /* they do if one of so many finds something */
};

typedef struct Part
{
  GMutex lock;
  GHashTable *table; /* RspHash → RspResults, both in the arena */
  RspArena *arena;
  gsize size;
  guint64 lookups, hits;
} Part;

struct Memo
{
  Part parts[N_PARTS];
  gsize max_size; /* of a part */
};

/* ---- Parts of the key ---- */

/* With names a key is a set of entries, in no order: the order of threads is not that of their
 * names. */
static void
end_entry (Bounded *s)
{
  if (!s->naming || !s->key->len)
    return;
  rsp_hash_add (&s->naming->key, rsp_hash_words ((const guint64 *) s->key->data, s->key->len));
  g_array_set_size (s->key, 0);
}

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

/* How keys speak of an event. */
static guint
name_of (const Bounded *s, guint event)
{
  return s->naming ? s->naming->event[event] : event;
}

static void
put_event (Bounded *s, guint tag, guint event)
{
  put_tag (s, tag, name_of (s, event));
}

static void
put_row (Bounded *s, const guint64 *row)
{
  if (!s->naming)
    {
      g_array_append_vals (s->key, row, s->words);
      return;
    }
  guint at = s->key->len;
  g_array_set_size (s->key, at + s->naming->words);
  guint64 *out = &g_array_index (s->key, guint64, at);
  memset (out, 0, sizeof (guint64) * s->naming->words);
  for (all_bits (e, row, s->words))
    out[name_of (s, e) / 64] |= G_GUINT64_CONSTANT (1) << (name_of (s, e) % 64);
}

static void
put_value (Bounded *s, guint tag, guint event, RspValue value)
{
  put_event (s, tag, event);
  put (s, bounded_value_id (s, value));
}

/* A term as a function of the reads it mentions that are not known. Within one pre-execution its
 * place says which term it is, and what is known of its reads is enough. */
static void
put_term (Bounded *s, guint thread, const RspTerm *term)
{
  if (!term)
    return;
  if (term->kind == RSP_TERM_READ)
    {
      guint event = rsp_pre_execution_event (s->pre, thread, term->event);
      if (s->value_known[event])
        put_value (s, TAG_KNOWN, event, s->values[event]);
      else if (s->naming)
        put_event (s, TAG_UNKNOWN, event);
    }
  if (s->naming)
    {
      put_tag (s, TAG_TERM,
               (guint) term->kind << 24 | (guint) term->op << 16 | (guint) term->bits << 8
                   | (guint) term->is_signed);
      put (s, (guint64) term->constant);
    }
  put_term (s, thread, term->a);
  put_term (s, thread, term->b);
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
      if (!open && (s->value_known[read] || !demand_has_read (s, read)))
        continue;
      put_event (s, open ? TAG_READ : TAG_SOURCE, read);
      put_row (s, candidates);
      end_entry (s);
      for (guint w = 0; w < s->words && demand_has_read (s, read); w++)
        read_from[w] |= candidates[w];
    }
  for (all_bits (write, read_from, s->words))
    if (s->written_known[write] && (s->naming || !s->written_constant[write]))
      {
        put_value (s, TAG_VALUE, write, s->written[write]);
        end_entry (s);
      }
}

static void
put_terms (Bounded *s)
{
  for (guint event = 0; event < s->n; event++)
    {
      const RspEvent *write = s->pre->events[event];
      if (!write->written || s->written_known[event] || !demand_has_written (s, event))
        continue;
      put_event (s, TAG_VALUE, event);
      put_term (s, write->thread, write->written);
      end_entry (s);
    }
  for (guint i = 0; i < s->n_constraints; i++)
    {
      const Constraint *constraint = &s->constraints[i];
      gboolean open = FALSE;
      for (guint j = 0; j < constraint->n_reads; j++)
        open |= !s->value_known[constraint->reads[j]];
      if (!open)
        continue;
      put_tag (s, TAG_CONSTRAINT, s->naming ? 0 : i);
      put_term (s, constraint->thread, constraint->term);
      end_entry (s);
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
  if (!s->naming)
    {
      put_tag (s, TAG_ORDER, leaf);
      put_row (s, open);
    }
  for (all_bits (x, open, s->words))
    {
      if (s->naming)
        {
          put_tag (s, TAG_ORDER, leaf);
          put (s, name_of (s, x));
        }
      for (guint w = 0; w < s->words; w++)
        row[w] = rsp_bounds_lo (s->bounds, leaf, x)[w] & open[w];
      put_row (s, row);
      end_entry (s);
    }
}

static void
put_last_writes (Bounded *s, guint location)
{
  const RspMatrix *writes = s->writes[location];
  put_tag (s, TAG_LAST, location);
  end_entry (s);
  for (all_bits (x, writes->bits, s->words))
    {
      if (!bounded_may_be_last (s, writes, x))
        continue;
      put_event (s, TAG_LAST, x);
      if (s->written_known[x])
        put_value (s, TAG_VALUE, x, s->written[x]);
      end_entry (s);
    }
}

static void
put_observables (Bounded *s, const Observed *observed)
{
  const RspProgram *program = s->pre->program;
  for (guint i = 0; i < observed->n_open; i++)
    {
      const RspObservable *observable = &program->observables[observed->open[i]];
      put_tag (s, TAG_OBSERVABLE, naming_observable (s, observed->open[i]));
      if (observable->is_register)
        put_term (s, observable->thread,
                  s->pre->paths[observable->thread]->finals[observable->reg]);
      else
        put_last_writes (s, observable->location);
      end_entry (s);
    }
}

RspHash
memo_key (Bounded *s, const Observed *observed, gboolean undefined)
{
  Naming *naming = s->naming;
  g_array_set_size (s->key, 0);
  if (naming)
    {
      naming_choose (s);
      naming->key = (RspHash){ .a = naming->family, .b = 0 };
    }
  demand_find (s, observed);
  put_reads (s);
  put_terms (s);
  for (guint i = 0; i < s->pre->program->n_locations; i++)
    put_order (s, RSP_LEAF_CO, s->writes[i]);
  for (guint i = 0; i < s->model->n_orders; i++)
    put_order (s, RSP_LEAF_ORDER + i, s->model->orders[i].set);
  put_observables (s, observed);
  put_tag (s, TAG_RELEVANCE, 0);
  bounded_put_relevance (s, observed, s->key);
  put_tag (s, TAG_AXIOMS, (undefined ? 1 : 0) + (s->all_in_demand ? 2 : 0));
  end_entry (s);
  rsp_bounds_key (s->bounds, s->key);
  end_entry (s);
  return naming ? naming->key : rsp_hash_words ((const guint64 *) s->key->data, s->key->len);
}

/* ---- The table ---- */

static guint
hash_memo_key (gconstpointer key)
{
  const RspHash *hashed = key;
  return (guint) (hashed->a ^ hashed->a >> 32);
}

static gboolean
equal_memo_keys (gconstpointer x, gconstpointer y)
{
  const RspHash *a = x, *b = y;
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

gboolean
memo_pays (Memo *memo)
{
  guint64 lookups = 0, hits = 0;
  gboolean full = FALSE;
  for (guint i = 0; i < N_PARTS; i++)
    {
      Part *part = &memo->parts[i];
      g_mutex_lock (&part->lock);
      lookups += part->lookups;
      hits += part->hits;
      full |= part->size > memo->max_size / 16 * 15;
      g_mutex_unlock (&part->lock);
    }
  return !full && (lookups < TRIAL || hits * WORTHWHILE > lookups);
}

static Part *
part_of (Memo *memo, RspHash key)
{
  return &memo->parts[key.b % N_PARTS];
}

static RspResults *
look_up (Memo *memo, RspHash key)
{
  Part *part = part_of (memo, key);
  g_mutex_lock (&part->lock);
  RspResults *found = g_hash_table_lookup (part->table, &key);
  part->lookups++;
  part->hits += found != NULL;
  if (found)
    rsp_results_ref (found);
  g_mutex_unlock (&part->lock);
  return found;
}

RspResults *
memo_find (Bounded *s, const Observed *observed, RspHash key)
{
  RspResults *found = look_up (s->memo, key);
  guint order[observed->n_open + 1], place[observed->n_open + 1];
  if (!found || !s->naming || !naming_order (s, observed, order))
    return found;
  for (guint i = 0; i < observed->n_open; i++)
    place[order[i]] = i;
  RspResults *own = rsp_results_permute (found, place);
  rsp_results_unref (found);
  return own;
}

static void
store (Memo *memo, RspHash key, const RspResults *results)
{
  enum
  {
    ENTRY_OVERHEAD = sizeof (RspHash) + 40
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

void
memo_store (Bounded *s, const Observed *observed, RspHash key, RspResults *results)
{
  guint order[observed->n_open + 1];
  /* Nodes below took names of their own. */
  if (s->naming)
    naming_choose (s);
  if (!s->naming || !naming_order (s, observed, order))
    {
      store (s->memo, key, results);
      return;
    }
  RspResults *named = rsp_results_permute (results, order);
  store (s->memo, key, named);
  rsp_results_unref (named);
}
