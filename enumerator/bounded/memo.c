/* The memo: its keys, what they name, and the searchers that share it. */
#include "enumerator/bounded/bounded.h"
#include "enumerator/bounded/internal.h"
#include "enumerator/terms/terms.h"
#include "model/bounds/bounds.h"

#include <string.h>

/* ---- Numbers -------------------------------------------------------------------------------- */

/* Values of observables as small numbers, so that rows of results are rows of numbers. Searches
 * that share results have one table; each searcher has a copy of the part that it has seen, which
 * needs no lock. */

enum {
  FEW_NUMBERS = 8 /* are compared one by one: most tests have no more */
};

struct SeenNumbers {
  GHashTable *ids;  /* RspValue → number + 1; the values are those of the common table */
  RspValue **table; /* by number, in the searcher's arena; NULL if not seen */
  guint n;          /* all that have been seen are less */
  guint capacity;   /* of the table; ids: NULL while this is that of a small one */
};

/* ---- A searcher's copy ---- */
void numbers_open (Searcher *s) { s->numbers = rsp_arena_new0 (s->arena, SeenNumbers, 1); }

void numbers_close (Searcher *s) { g_clear_pointer (&s->numbers->ids, g_hash_table_unref); }

static void remember (Searcher *s, guint32 number, RspValue *value) {
  SeenNumbers *seen = s->numbers;
  if (number >= seen->capacity) {
    seen->capacity = MAX (FEW_NUMBERS, 2 * number);
    RspValue **table = rsp_arena_new0 (s->arena, RspValue *, seen->capacity);
    for (guint i = 0; i < seen->n; i++)
      table[i] = seen->table[i];
    seen->table = table;
  }
  if (seen->capacity > FEW_NUMBERS && !seen->ids) {
    seen->ids = rsp_value_hash_table_new ();
    for (guint i = 0; i < seen->n; i++)
      if (seen->table[i])
        g_hash_table_insert (seen->ids, seen->table[i], GUINT_TO_POINTER (i + 1));
  }
  seen->table[number] = value;
  seen->n = MAX (seen->n, number + 1);
  if (seen->ids)
    g_hash_table_insert (seen->ids, value, GUINT_TO_POINTER (number + 1));
}

guint32 rsp_number_of (Searcher *s, RspValue value) {
  const SeenNumbers *seen = s->numbers;
  guint32 found = seen->ids ? GPOINTER_TO_UINT (g_hash_table_lookup (seen->ids, &value)) : 0;
  if (found)
    return found - 1;
  for (guint i = 0; i < seen->n && !seen->ids; i++)
    if (seen->table[i] && rsp_value_same (*seen->table[i], value))
      return i;
  RspCommon *common = s->shared->common;
  g_mutex_lock (&common->lock);
  guint32 number = rsp_value_table_number (&common->values, value);
  RspValue *numbered = rsp_value_table_get (&common->values, number);
  g_mutex_unlock (&common->lock);
  remember (s, number, numbered);
  return number;
}

guint32 rsp_count_numbers (Searcher *s) {
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&s->shared->common->lock);
  return rsp_value_table_count (&s->shared->common->values);
}

const RspValue *rsp_numbered_value (Searcher *s, guint32 number) {
  SeenNumbers *seen = s->numbers;
  if (number < seen->n && seen->table[number])
    return seen->table[number];
  RspCommon *common = s->shared->common;
  g_mutex_lock (&common->lock);
  RspValue *value = rsp_value_table_get (&common->values, number);
  g_mutex_unlock (&common->lock);
  remember (s, number, value);
  return value;
}

/* ---- Naming --------------------------------------------------------------------------------- */

/* Naming: how keys of the memo refer to events, so that nodes of different combinations of paths
 * can have the same key.
 *
 * An event is named after its access of the source (enumerator/paths/reduce.c), in the block of
 * names of its thread. Threads that run the same code have blocks of the same layout, and any of
 * them may take any of those blocks: a key describes the whole residual problem, with everything
 * that the model can still distinguish, so whatever bijection the names are, equal keys are
 * isomorphic problems. Blocks are assigned by what each thread has left to do; if that
 * distinguishes the threads, a problem has the same names whichever thread is which. The columns of
 * stored results are in the order of the names too.
 *
 * A filter or a condition that narrows the search refers to particular threads; each then keeps its
 * own block. */

gboolean naming_open (Searcher *s, const RspNames *names) {
  const RspProgram *program = s->pre->program;
  Naming *naming = rsp_arena_new0 (s->arena, Naming, 1);
  naming->names = names;
  naming->words = rsp_words_for (names->n);
  /* A hash of what results depend on besides values: the numbers of flags, and whether one
   * execution is enough (flags do not matter then). */
  guint64 family = s->search->exists_only ? 1 : 0;
  for (guint i = 0; i < s->model->n_flags; i++)
    family
        = (family ^ g_str_hash (s->model->flags[i])) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) + i;
  naming->family = family;
  naming->block = rsp_arena_new0 (s->arena, guint, program->n_threads + 1);
  naming->event = rsp_arena_new0 (s->arena, guint, s->n + 1);
  naming->rank = rsp_arena_new0 (s->arena, guint64, program->n_threads + 1);
  gboolean several = FALSE;
  for (guint t = 0; t < program->n_threads; t++)
    several |= names->like[t] != t;
  naming->renames
      = several
        && (s->search->exists_only || !search_narrows_by_thread (program, s->search->options));
  for (guint l = 0; l < program->n_locations; l++)
    if (s->pre->initial[l] != G_MAXUINT)
      naming->event[s->pre->initial[l]] = l;
  if (!rsp_bounds_name (s->bounds, naming->event, names->n))
    return FALSE;
  s->naming = naming;
  return TRUE;
}

/* ---- The open part of a thread ---- */
static guint64 mix (guint64 hash, guint64 word) {
  hash = (hash ^ word) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

static guint64 mix_term (Searcher *s, guint thread, const RspTerm *term, guint64 hash) {
  if (!term)
    return hash;
  if (term->kind == RSP_TERM_READ) {
    guint event = rsp_pre_execution_event (s->pre, thread, term->event);
    if (known_has_value (s, event))
      hash
          = mix (mix (hash, (guint64) known_value (s, event).bits), known_value (s, event).unknown);
  }
  hash = mix_term (s, thread, term->a, hash);
  return mix_term (s, thread, term->b, hash);
}

/* A hash of a thread's part of the residual problem: open reads, and writes whose value or place in
 * co is open. 0 if there is none. */
static guint64 left_to_do (Searcher *s, guint thread) {
  const RspPath *path = s->pre->paths[thread];
  guint64 hash = 0;
  for (guint i = 0; i < path->n_events; i++) {
    guint e = rsp_pre_execution_event (s->pre, thread, i);
    const RspEvent *event = s->pre->events[e];
    if (event->read && !known_has_value (s, e))
      hash = mix (mix (hash, (guint64) 3 * path->names[i]),
                  rsp_row_count (rsp_bounded_candidates (s, e), s->words));
    if (!event->written)
      continue;
    guint before = rsp_row_count (rsp_bounds_inverse_lo (s->bounds, RSP_LEAF_CO, e), s->words);
    guint may_follow = rsp_row_count (rsp_bounds_hi (s->bounds, RSP_LEAF_CO, e), s->words);
    guint follow = rsp_row_count (rsp_bounds_lo (s->bounds, RSP_LEAF_CO, e), s->words);
    if (may_follow != follow)
      hash = mix (mix (hash, 3 * path->names[i] + 1), (guint64) before << 32 | follow);
    if (!known_has_written (s, e))
      hash = mix (mix (hash, 3 * path->names[i] + 2), 1);
  }
  return hash;
}

/* Names the events of this node. Threads that run the same code get names by what they have left to
 * do, whatever their order. */
static void naming_choose (Searcher *s) {
  Naming *naming = s->naming;
  guint n = naming->names->n_threads;
  for (guint t = 0; t < n; t++)
    naming->block[t] = t;
  if (naming->renames) {
    for (guint t = 0; t < naming->names->n_threads; t++)
      naming->rank[t] = left_to_do (s, t);
    for (guint i = 0; i < s->constraints->n; i++) {
      const Constraint *constraint = &s->constraints->all[i];
      guint t = constraint->thread;
      if (rsp_constraint_is_open (s, constraint))
        naming->rank[t] = mix_term (s, t, constraint->term, mix (naming->rank[t], 5));
    }
    /* Assign the blocks of threads with the same code by rank, the least first. */
    guint n_threads = naming->names->n_threads;
    const guint *like = naming->names->like;
    for (guint t = 0; t < n_threads; t++) {
      guint place = 0;
      for (guint u = 0; u < n_threads; u++)
        if (like[u] == like[t]
            && (naming->rank[u] < naming->rank[t] || (naming->rank[u] == naming->rank[t] && u < t)))
          place++;
      for (guint u = 0; u < n_threads; u++)
        if (like[u] == like[t] && place-- == 0) {
          naming->block[t] = u;
          break;
        }
    }
  }
  for (guint t = 0; t < n; t++)
    for (guint i = 0; i < s->pre->paths[t]->n_events; i++)
      naming->event[rsp_pre_execution_event (s->pre, t, i)]
          = naming->names->first[naming->block[t]] + s->pre->paths[t]->names[i];
}

/* ---- Observables ---- */
/* The number by which keys and stored results refer to an observable. */
static guint naming_observable (const Searcher *s, guint observable) {
  const RspProgram *program = s->pre->program;
  const RspObservable *o = &program->observables[observable];
  if (!s->naming || !s->naming->renames)
    return observable;
  if (!o->is_register)
    return o->location;
  return program->n_locations + s->naming->block[o->thread] * 65536 + o->reg;
}

/* The open observables in the order of these numbers: order[i] is the place in observed->open of
 * the i-th. FALSE if that is their own order. */
static gboolean naming_order (const Searcher *s, const Observed *observed, guint *order) {
  gboolean moved = FALSE;
  for (guint i = 0; i < observed->n_open; i++) {
    guint j = i, number = naming_observable (s, observed->open[i]);
    for (; j > 0 && naming_observable (s, observed->open[order[j - 1]]) > number; j--)
      order[j] = order[j - 1];
    moved |= j != i;
    order[j] = i;
  }
  return moved;
}

/* ---- Key ------------------------------------------------------------------------------------ */

/* Keys: residual problems, for the memo.
 *
 * Two nodes of one search with equal keys have the same completions of what is open, leading to the
 * same results for the observables that are open. A key therefore has everything that those results
 * depend on:
 *
 *   - the open reads and their candidates; decided reads whose value is not known, and their
 *     sources;
 *   - values of candidates that were not constant at the root
 *     (of values only those in demand: see values.c);
 *   - the known values that open terms (what a write will write, path constraints, final registers)
 *     mention besides unknown ones;
 *   - the undecided part of co and of the chosen orders (elements whose place among all others is
 *     decided do not matter: orders are transitive);
 *   - which observables are open; of an open location, which writes may be last, and their values;
 *   - whether the execution is known to break a requirement;
 *   - the filter and (-speedcheck) the condition, as far as known values leave them open;
 *   - what the open axioms can distinguish (model/bounds/bounds.h: see the argument at
 *     rsp_bounds_key).
 *
 * Everything else is the same in both: the pre-execution, the model, and the code that runs.
 *
 * Nodes of different combinations of paths share entries too (Searcher.naming). Keys then also
 * contain whatever else may differ: events by names that paths share (enumerator/paths/reduce.c),
 * complete terms, values of all candidates, DAG nodes by labels (model/bounds/bounds.c); `family`
 * stands for what applies to a combination as a whole (the flags' numbers, whether one execution is
 * enough). A flag in an entry was raised where the entry was made; a flag that is missing because
 * it had been raised earlier was raised in the same check. */

enum {
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

struct Key {
  RspHash entry; /* the key so far; with names, its entry so far */
  RspHash sum;   /* with names: sum of the hashes of the entries so far */
  gboolean any;  /* with names: is the entry not empty? */
};

void key_open (Searcher *s) { s->key = rsp_arena_new0 (s->arena, Key, 1); }

/* ---- Parts of the key ---- */
static const RspHash BEGIN = RSP_HASH_BEGIN;

/* With names, a key is an unordered set of entries, since the order of threads is not that of their
 * names. */
static void end_entry (Searcher *s) {
  Key *key = s->key;
  if (!s->naming || !key->any)
    return;
  rsp_hash_add (&key->sum, key->entry);
  key->entry = BEGIN;
  key->any = FALSE;
}

static void put (Searcher *s, guint64 word) {
  rsp_hash_word (&s->key->entry, word);
  s->key->any = TRUE;
}

static void put_tag (Searcher *s, guint tag, guint what) { put (s, (guint64) tag << 48 | what); }

/* The number by which keys refer to an event. */
static guint name_of (const Searcher *s, guint event) {
  return s->naming ? s->naming->event[event] : event;
}

static void put_event (Searcher *s, guint tag, guint event) {
  put_tag (s, tag, name_of (s, event));
}

static void put_row (Searcher *s, const guint64 *row) {
  if (!s->naming) {
    for (guint w = 0; w < s->words; w++)
      put (s, row[w]);
    return;
  }
  guint64 by_name[s->naming->words];
  memset (by_name, 0, sizeof (guint64) * s->naming->words);
  for (all_bits (e, row, s->words))
    by_name[name_of (s, e) / 64] |= G_GUINT64_CONSTANT (1) << (name_of (s, e) % 64);
  for (guint w = 0; w < s->naming->words; w++)
    put (s, by_name[w]);
}

static void put_value (Searcher *s, guint tag, guint event, RspValue value) {
  put_event (s, tag, event);
  put (s, (guint64) value.bits);
  put (s, value.unknown);
  if (value.unknown)
    put (s, value.excluded);
}

/* A term as a function of the unknown reads that it mentions. Within one pre-execution, its
 * position identifies the term, and the known values of its reads are enough. */
static void put_term (Searcher *s, guint thread, const RspTerm *term) {
  if (!term)
    return;
  if (term->kind == RSP_TERM_READ) {
    guint event = rsp_pre_execution_event (s->pre, thread, term->event);
    if (known_has_value (s, event))
      put_value (s, TAG_KNOWN, event, known_value (s, event));
    else if (s->naming)
      put_event (s, TAG_UNKNOWN, event);
  }
  if (s->naming) {
    put_tag (s, TAG_TERM,
             (guint) term->kind << 24 | (guint) term->op << 16 | (guint) term->bits << 8
                 | (guint) term->is_signed);
    put (s, (guint64) term->constant);
  }
  put_term (s, thread, term->a);
  put_term (s, thread, term->b);
}

/* The elements that belong to an undecided pair; FALSE if there are none. */
static gboolean find_undecided (const Searcher *s, guint leaf, const RspMatrix *elements,
                                guint64 *open) {
  gboolean any = FALSE;
  for (guint w = 0; w < s->words; w++)
    open[w] = 0;
  for (all_bits (x, elements->bits, s->words)) {
    const guint64 *lo = rsp_bounds_lo (s->bounds, leaf, x),
                  *hi = rsp_bounds_hi (s->bounds, leaf, x);
    guint64 some = 0;
    for (guint w = 0; w < s->words; w++) {
      guint64 after = hi[w] & ~lo[w] & elements->bits[w];
      open[w] |= after; /* of a partial order, perhaps only these: not before x */
      some |= after;
    }
    if (some)
      open[x / 64] |= G_GUINT64_CONSTANT (1) << (x % 64);
    any |= some != 0;
  }
  return any;
}

/* The undecided part of a leaf's order on some elements. Of a partial order, an undecided pair is
 * not known from what is decided: both bounds matter. */
static void put_order (Searcher *s, guint leaf, const RspMatrix *elements) {
  guint64 open[s->words], row[s->words];
  if (!find_undecided (s, leaf, elements, open))
    return;
  if (!s->naming) {
    put_tag (s, TAG_ORDER, leaf);
    put_row (s, open);
  }
  for (all_bits (x, open, s->words)) {
    if (s->naming) {
      put_tag (s, TAG_ORDER, leaf);
      put (s, name_of (s, x));
    }
    for (guint w = 0; w < s->words; w++)
      row[w] = rsp_bounds_lo (s->bounds, leaf, x)[w] & open[w];
    put_row (s, row);
    for (guint w = 0; s->related[leaf] && w < s->words; w++)
      row[w] = rsp_bounds_hi (s->bounds, leaf, x)[w] & open[w];
    if (s->related[leaf])
      put_row (s, row);
    end_entry (s);
  }
}

static void put_observables (Searcher *s, const Observed *observed) {
  const RspProgram *program = s->pre->program;
  for (guint i = 0; i < observed->n_open; i++) {
    const RspObservable *observable = &program->observables[observed->open[i]];
    put_tag (s, TAG_OBSERVABLE, naming_observable (s, observed->open[i]));
    if (observable->is_register)
      put_term (s, observable->thread, s->pre->paths[observable->thread]->finals[observable->reg]);
    else {
      /* The last writes of locations. */
      const RspMatrix *writes = s->writes[observable->location];
      put_tag (s, TAG_LAST, observable->location);
      end_entry (s);
      for (all_bits (x, writes->bits, s->words)) {
        if (!may_be_last (s, writes, x))
          continue;
        put_event (s, TAG_LAST, x);
        if (known_has_written (s, x))
          put_value (s, TAG_VALUE, x, known_written (s, x));
        end_entry (s);
      }
    }
    end_entry (s);
  }
}

RspHash key_of_node (Searcher *s, const Observed *observed, gboolean undefined) {
  Key *key = s->key;
  if (s->naming) {
    naming_choose (s);
    key->sum = (RspHash){ .a = s->naming->family, .b = 0 };
  }
  key->entry = BEGIN;
  key->any = FALSE;
  rsp_demand_find (s, observed);
  guint64 read_from[s->words]; /* what open reads may read */
  for (guint w = 0; w < s->words; w++)
    read_from[w] = 0;
  for (guint i = 0; i < s->pre->n_reads; i++) {
    guint read = s->pre->reads[i];
    const guint64 *candidates = rsp_bounded_candidates (s, read);
    gboolean open = rsp_row_has_several (candidates, s->words);
    if (!open && (known_has_value (s, read) || !demand_has_read (s, read)))
      continue;
    put_event (s, open ? TAG_READ : TAG_SOURCE, read);
    put_row (s, candidates);
    end_entry (s);
    for (guint w = 0; w < s->words && demand_has_read (s, read); w++)
      read_from[w] |= candidates[w];
  }
  for (all_bits (write, read_from, s->words))
    if (known_has_written (s, write) && (s->naming || !s->known->is_constant[write])) {
      put_value (s, TAG_VALUE, write, known_written (s, write));
      end_entry (s);
    }
  for (guint event = 0; event < s->n; event++) {
    const RspEvent *write = s->pre->events[event];
    if (!write->written || known_has_written (s, event) || !demand_has_written (s, event))
      continue;
    put_event (s, TAG_VALUE, event);
    put_term (s, write->thread, write->written);
    end_entry (s);
  }
  for (guint i = 0; i < s->constraints->n; i++) {
    const Constraint *constraint = &s->constraints->all[i];
    if (!rsp_constraint_is_open (s, constraint))
      continue;
    put_tag (s, TAG_CONSTRAINT, s->naming ? 0 : i);
    put_term (s, constraint->thread, constraint->term);
    end_entry (s);
  }
  for (guint i = 0; i < s->pre->program->n_locations; i++)
    put_order (s, RSP_LEAF_CO, s->writes[i]);
  for (guint i = 0; i < s->model->n_orders; i++)
    put_order (s, RSP_LEAF_ORDER + i, s->model->orders[i].set);
  put_observables (s, observed);
  put_tag (s, TAG_RELEVANCE, 0);
  rsp_bounded_put_relevance (s, observed, &key->entry);
  put_tag (s, TAG_AXIOMS, (undefined ? 1 : 0) + (demand_is_whole (s) ? 2 : 0));
  end_entry (s);
  RspHash axioms = rsp_bounds_key (s->bounds);
  put (s, axioms.a);
  put (s, axioms.b);
  end_entry (s);
  return s->naming ? key->sum : key->entry;
}

/* ---- Memo ----------------------------------------------------------------------------------- */

/* The memo's table: the results of residual problems by their keys. */

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

RspResults *memo_find (Searcher *s, const Observed *observed, RspHash key) {
  Part *part = part_of (s->shared->common->memo, key);
  g_mutex_lock (&part->lock);
  RspResults *found = part->table ? g_hash_table_lookup (part->table, &key) : NULL;
  if (found)
    rsp_results_ref (found);
  g_mutex_unlock (&part->lock);
  guint order[observed->n_open + 1], place[observed->n_open + 1];
  if (!found || !s->naming || !naming_order (s, observed, order))
    return found;
  for (guint i = 0; i < observed->n_open; i++)
    place[order[i]] = i;
  RspResults *own = rsp_results_permute (found, place);
  rsp_results_unref (found);
  return own;
}

void memo_store (Searcher *s, const Observed *observed, RspHash key, RspResults *results) {
  enum { ENTRY_OVERHEAD = sizeof (RspHash) + 40 };
  guint order[observed->n_open + 1];
  /* Nodes below have taken names of their own. */
  if (s->naming && observed->n_open > 1)
    naming_choose (s);
  /* No one else uses the results yet, and no one changes them from now on. */
  g_autoptr (RspResults) named = s->naming && naming_order (s, observed, order)
                                     ? rsp_results_permute (results, order)
                                     : rsp_results_ref (results);
  gsize size = rsp_results_packed_size (named) + ENTRY_OVERHEAD;
  Memo *memo = s->shared->common->memo;
  Part *part = part_of (memo, key);
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&part->lock);
  /* Most parts are never used in a small search. */
  if (!part->table) {
    part->table = g_hash_table_new (rsp_hash_key, rsp_hash_equal);
    part->arena = rsp_arena_new ();
  }
  if (part->size + size <= memo->max_size && !g_hash_table_contains (part->table, &key)) {
    RspResults *kept = named;
    part->size += size;
    if (size - ENTRY_OVERHEAD < KEPT_SIZE)
      kept = rsp_results_pack (named, part->arena);
    else {
      if (!part->kept)
        part->kept = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_results_unref);
      rsp_results_trim (named);
      g_ptr_array_add (part->kept, rsp_results_ref (named));
    }
    g_hash_table_insert (part->table, rsp_arena_copy (part->arena, &key, sizeof key), kept);
  }
}

/* ---- Common --------------------------------------------------------------------------------- */

RspCommon *rsp_common_new (const RspNames *names, gsize max_size) {
  RspCommon *common = g_new0 (RspCommon, 1);
  g_mutex_init (&common->lock);
  common->values.arena = common->arena = rsp_arena_new ();
  common->names = names;
  if (max_size) {
    common->memo = g_new0 (Memo, 1);
    common->memo->max_size = max_size / N_PARTS;
    for (guint i = 0; i < N_PARTS; i++)
      g_mutex_init (&common->memo->parts[i].lock);
  }
  return common;
}

void rsp_common_free (RspCommon *common) {
  if (!common)
    return;
  if (common->memo) {
    for (guint i = 0; i < N_PARTS; i++) {
      g_clear_pointer (&common->memo->parts[i].table, g_hash_table_unref);
      g_clear_pointer (&common->memo->parts[i].kept, g_ptr_array_unref);
      rsp_arena_free (common->memo->parts[i].arena);
      g_mutex_clear (&common->memo->parts[i].lock);
    }
    g_free (common->memo);
  }
  rsp_value_table_clear (&common->values);
  rsp_arena_free (common->arena);
  g_mutex_clear (&common->lock);
  g_free (common);
}

/* ---- Crew ----------------------------------------------------------------------------------- */

/* Crews: several threads on one search.
 *
 * Every searcher searches the whole tree. Each tries the alternatives of a node in a different
 * order, and all share one memo of residual problems, where the others find what one has finished:
 * two that go through the children of a node from both ends meet in the middle, and again in the
 * child where they meet. No work is assigned in advance, so none can be assigned badly, and no
 * problem that the memo would have saved is solved twice because two tasks do not know about each
 * other. Results are tables of counts, which do not depend on the order in which threads fill them.
 * The first searcher with the root's results ends the others.
 *
 * A helper is a task of the check's pool. It runs once a thread is free, perhaps never: the caller
 * waits only for helpers that have begun. */

enum {
  HELP_AFTER = 64 /* nodes, by default: a shorter search is not worth a thread */
};

typedef struct Helper {
  RspTask task;
  Crew *crew;
  Searcher s;
  RspSearch search;
  RspStatistics statistics;
} Helper;

struct Crew {
  gint references; /* atomic: one for the caller, one for each helper in the pool */
  Searcher *caller;
  CrewSearch explore;
  Helper *helpers;
  guint n_helpers;

  GMutex lock; /* guards what follows */
  GCond ended; /* a helper has ended */
  guint running;
  gboolean closed;
  RspResults *results; /* complete results from a helper, or NULL */
};

Crew *crew_new (Searcher *s, CrewSearch explore) {
  if (!s->search->pool || s->search->options->jobs < 2 || !s->shared->common->memo)
    return NULL;
  Crew *crew = g_new0 (Crew, 1);
  crew->references = 1;
  crew->caller = s;
  crew->explore = explore;
  g_mutex_init (&crew->lock);
  g_cond_init (&crew->ended);
  return crew;
}

static void unref (Crew *crew) {
  if (!g_atomic_int_dec_and_test (&crew->references))
    return;
  g_mutex_clear (&crew->lock);
  g_cond_clear (&crew->ended);
  g_free (crew->helpers);
  g_free (crew);
}

/* ---- A helper ---- */
static void run (RspTask *task) {
  Helper *helper = (Helper *) task;
  Crew *crew = helper->crew;
  Searcher *s = &helper->s;
  g_mutex_lock (&crew->lock);
  gboolean open = !crew->closed;
  crew->running += open;
  g_mutex_unlock (&crew->lock);
  if (open) {
    Observed observed;
    RspResults *results = crew->explore (s, &observed);
    /* If another searcher is done already, this one's results are not the complete ones. If the
     * first execution answers the question, a helper can only report that there is none. */
    if (results && rsp_budget_stop (s->search->budget) == RSPCHECK_STOP_COMPLETE
        && (!results->n || !rsp_bounded_ends_at_first (s))
        && g_atomic_int_compare_and_exchange (&s->shared->done, FALSE, TRUE))
      crew->results = g_steal_pointer (&results);
    /* They may lie in the memo, which the caller frees once no helper is running. */
    rsp_results_unref (results);
    g_mutex_lock (&crew->lock);
    crew->running--;
    g_cond_broadcast (&crew->ended);
    g_mutex_unlock (&crew->lock);
  }
  unref (crew);
}

/* ---- The caller ---- */
/* FALSE if the budget is exhausted. */
static gboolean prepare (Crew *crew, guint i) {
  Helper *helper = &crew->helpers[i];
  const Searcher *caller = crew->caller;
  helper->task.run = run;
  helper->crew = crew;
  helper->search = *caller->search;
  helper->search.statistics = &helper->statistics;
  helper->s = (Searcher){ .search = &helper->search,
                          .pre = caller->pre,
                          .model = caller->model,
                          .shared = caller->shared,
                          .number = i + 1 };
  if (!searcher_open (&helper->s))
    return FALSE;
  key_open (&helper->s);
  return !caller->naming || naming_open (&helper->s, caller->naming->names);
}

void crew_call (Crew *crew) {
  const RspSearch *own = crew->caller->search;
  guint64 nodes = own->statistics->nodes;
  guint after = own->options->help_after ? own->options->help_after : HELP_AFTER;
  gboolean look = nodes >= after && (nodes & (nodes - 1)) == 0; /* a power of two */
  if (look && !crew->helpers && rsp_pool_waiting (own->pool) == 0) {
    guint n_wanted = own->options->jobs - 1;
    crew->helpers = g_new0 (Helper, n_wanted);
    while (crew->n_helpers < n_wanted && prepare (crew, crew->n_helpers))
      crew->n_helpers++;
    own->statistics->helpers += crew->n_helpers;
    for (guint i = 0; i < crew->n_helpers; i++) {
      g_atomic_int_inc (&crew->references);
      rsp_pool_push (own->pool, &crew->helpers[i].task);
    }
  }
}

RspResults *crew_end (Crew *crew, RspResults *results) {
  gboolean own = g_atomic_int_compare_and_exchange (&crew->caller->shared->done, FALSE, TRUE);
  g_mutex_lock (&crew->lock);
  crew->closed = TRUE;
  while (crew->running)
    g_cond_wait (&crew->ended, &crew->lock);
  g_mutex_unlock (&crew->lock);
  if (own)
    return results;
  rsp_results_unref (results);
  return g_steal_pointer (&crew->results);
}

void crew_free (Crew *crew) {
  if (!crew)
    return;
  for (guint i = 0; i < crew->n_helpers; i++) {
    rsp_statistics_add (crew->caller->search->statistics, crew->helpers[i].s.search->statistics);
    rsp_account_add (crew->caller, &crew->helpers[i].s);
    searcher_close (&crew->helpers[i].s);
  }
  rsp_results_unref (crew->results);
  unref (crew);
}
