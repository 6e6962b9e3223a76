#include "machine/program/sets.h"

#include <string.h>

static guint hash_set (gconstpointer key) {
  const PathSet *set = key;
  guint hash = set->n;
  for (guint i = 0; i < set->n; i++)
    hash = hash * 31 + set->paths[i];
  return hash;
}

static gboolean equal_sets (gconstpointer x, gconstpointer y) {
  const PathSet *a = x, *b = y;
  return a->n == b->n && memcmp (a->paths, b->paths, a->n * sizeof a->paths[0]) == 0;
}

static guint64 reads_of (const RspTerm *term) {
  guint64 reads = 0;
  if (!term)
    return 0;
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (guint));
  rsp_term_add_reads (term, events);
  for (guint i = 0; i < events->len; i++)
    reads |= event_bit (g_array_index (events, guint, i));
  return reads;
}

static void find_facts (PathFacts *facts, const RspPath *path, const RspProgram *program,
                        guint thread, RspArena *arena) {
  facts->path = path;
  facts->before = rsp_arena_new0 (arena, guint64, path->n_events);
  facts->written = rsp_arena_new0 (arena, guint64, path->n_events);
  facts->constraints = rsp_arena_new0 (arena, guint64, path->n_constraints);
  for (guint e = 0; e < path->n_events; e++) {
    facts->all |= event_bit (e);
    facts->written[e] = reads_of (path->events[e].written) & ~event_bit (e);
    for (guint f = 0; f < path->n_events; f++)
      if (rsp_matrix_get (path->po, f, e))
        facts->before[e] |= event_bit (f);
  }
  for (guint i = 0; i < path->n_constraints; i++)
    facts->constraints[i] = reads_of (path->constraints[i].term);
  for (guint i = 0; i < program->n_observables; i++) {
    const RspObservable *observable = &program->observables[i];
    if (observable->is_register && observable->thread == thread && path->finals)
      facts->finals |= reads_of (path->finals[observable->reg]);
  }
}

void path_sets_init (RspPathSets *sets, const GPtrArray *paths, const RspProgram *program,
                     guint thread, RspArena *arena) {
  sets->n_facts = paths->len;
  sets->facts = rsp_arena_new0 (arena, PathFacts, paths->len);
  for (guint i = 0; i < paths->len; i++)
    find_facts (&sets->facts[i], paths->pdata[i], program, thread, arena);
  sets->sets = g_ptr_array_new ();
  sets->numbers = g_hash_table_new (hash_set, equal_sets);
}

void path_sets_clear (RspPathSets *sets) {
  if (sets->sets)
    g_ptr_array_unref (sets->sets);
  if (sets->numbers)
    g_hash_table_unref (sets->numbers);
  if (sets->outlooks)
    g_hash_table_unref (sets->outlooks);
}

guint32 path_sets_number (RspPathSets *sets, const guint16 *paths, guint n, RspArena *arena) {
  PathSet key = { (guint16 *) paths, n };
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (sets->numbers, &key));
  if (number)
    return number - 1;
  PathSet *set = rsp_arena_new0 (arena, PathSet, 1);
  *set = (PathSet){ rsp_arena_copy (arena, paths, n * sizeof paths[0]), n };
  g_ptr_array_add (sets->sets, set);
  g_hash_table_insert (sets->numbers, set, GUINT_TO_POINTER (sets->sets->len));
  return sets->sets->len - 1;
}
