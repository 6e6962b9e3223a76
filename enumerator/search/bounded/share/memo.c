/* The memo's table: the results of residual problems by their keys. */
#include "enumerator/search/bounded/share/memo.h"
#include "enumerator/search/bounded/share/common.h"
#include "enumerator/search/bounded/share/naming.h"

/* Parts, each with its own lock, so that threads seldom wait for one another. */
enum {
  N_PARTS = 16,
  /* Results of so many bytes are kept as they are, smaller ones packed in the arena. */
  KEPT_SIZE = 1 << 16
};

typedef struct Part {
  GMutex lock;
  GHashTable *table; /* RspHash → RspResults, both in the arena; NULL: nothing yet */
  RspArena *arena;   /* NULL: nothing yet */
  GPtrArray *kept;   /* results that are not in the arena; NULL: none */
  gsize size;
} Part;

struct Memo {
  Part parts[N_PARTS];
  gsize max_size; /* of a part */
};

Memo *memo_new (gsize max_size) {
  Memo *memo = g_new0 (Memo, 1);
  memo->max_size = max_size / N_PARTS;
  for (guint i = 0; i < N_PARTS; i++) {
    g_mutex_init (&memo->parts[i].lock);
  }
  return memo;
}

void memo_free (Memo *memo) {
  if (!memo)
    return;
  for (guint i = 0; i < N_PARTS; i++) {
    g_clear_pointer (&memo->parts[i].table, g_hash_table_unref);
    g_clear_pointer (&memo->parts[i].kept, g_ptr_array_unref);
    rsp_arena_free (memo->parts[i].arena);
    g_mutex_clear (&memo->parts[i].lock);
  }
  g_free (memo);
}

gboolean memo_is_full (Memo *memo) {
  gboolean full = FALSE;
  for (guint i = 0; i < N_PARTS; i++) {
    Part *part = &memo->parts[i];
    g_mutex_lock (&part->lock);
    full |= part->size > memo->max_size / 16 * 15;
    g_mutex_unlock (&part->lock);
  }
  return full;
}

static Part *part_of (Memo *memo, RspHash key) { return &memo->parts[key.b % N_PARTS]; }

static RspResults *look_up (Memo *memo, RspHash key) {
  Part *part = part_of (memo, key);
  g_mutex_lock (&part->lock);
  RspResults *found = part->table ? g_hash_table_lookup (part->table, &key) : NULL;
  if (found)
    rsp_results_ref (found);
  g_mutex_unlock (&part->lock);
  return found;
}

RspResults *memo_find (Searcher *s, const Observed *observed, RspHash key) {
  RspResults *found = look_up (s->shared->memo, key);
  guint order[observed->n_open + 1], place[observed->n_open + 1];
  if (!found || !s->naming || !naming_order (s, observed, order))
    return found;
  for (guint i = 0; i < observed->n_open; i++)
    place[order[i]] = i;
  RspResults *own = rsp_results_permute (found, place);
  rsp_results_unref (found);
  return own;
}

/* Most parts are never used in a small search. */
static void open_part (Part *part) {
  if (part->table)
    return;
  part->table = g_hash_table_new (rsp_hash_key, rsp_hash_equal);
  part->arena = rsp_arena_new ();
}

static RspResults *keep (Part *part, RspResults *results) {
  if (rsp_results_packed_size (results) < KEPT_SIZE)
    return rsp_results_pack (results, part->arena);
  if (!part->kept)
    part->kept = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_results_unref);
  rsp_results_trim (results);
  g_ptr_array_add (part->kept, rsp_results_ref (results));
  return results;
}

/* No one else uses the results yet, and no one changes them from now on. */
static void store (Memo *memo, RspHash key, RspResults *results) {
  enum { ENTRY_OVERHEAD = sizeof (RspHash) + 40 };
  gsize size = rsp_results_packed_size (results) + ENTRY_OVERHEAD;
  Part *part = part_of (memo, key);
  g_mutex_lock (&part->lock);
  open_part (part);
  if (part->size + size <= memo->max_size && !g_hash_table_contains (part->table, &key)) {
    part->size += size;
    g_hash_table_insert (part->table, rsp_arena_copy (part->arena, &key, sizeof key),
                         keep (part, results));
  }
  g_mutex_unlock (&part->lock);
}

void memo_store (Searcher *s, const Observed *observed, RspHash key, RspResults *results) {
  guint order[observed->n_open + 1];
  /* Nodes below have taken names of their own. */
  if (s->naming && observed->n_open > 1)
    naming_choose (s);
  if (!s->naming || !naming_order (s, observed, order)) {
    store (s->shared->memo, key, results);
    return;
  }
  g_autoptr (RspResults) named = rsp_results_permute (results, order);
  store (s->shared->memo, key, named);
}
