/* Names of events that paths share: an access of the source, and the number of later events of the
 * same access on the path. */
#include "enumerator/paths/reduce/names.h"

#include <string.h>

typedef struct Name {
  guint thread; /* the first that runs the same code */
  guint begin;  /* of the access, from that of the thread's body */
  guint kind, location, order;
  guint flags; /* is_atomic, failed_rmw, barrier_passes */
  guint after; /* number of later ones on the path */
} Name;

static Name name_of (const RspProgram *program, guint thread, guint like, const RspEvent *event) {
  return (Name){ .thread = like,
                 .begin = event->span.begin - program->threads[thread].body->span.begin,
                 .kind = event->kind,
                 .location = event->location,
                 .order = event->order,
                 .flags = (event->is_atomic ? 1u : 0) | (event->failed_rmw ? 2u : 0)
                          | (event->no_result ? 4u : 0) | (event->barrier_passes ? 8u : 0) };
}

static guint hash_name (gconstpointer key) {
  const Name *name = key;
  guint hash = name->thread;
  hash = hash * 31 + name->begin;
  hash = hash * 31 + name->kind;
  hash = hash * 31 + name->location;
  hash = hash * 31 + name->flags;
  return hash * 31 + name->after;
}

static gboolean equal_names (gconstpointer a, gconstpointer b) {
  return memcmp (a, b, sizeof (Name)) == 0;
}

/* Names the events of a path; `numbers` is shared by all threads that run the same code. */
static void name_path (const RspProgram *program, guint thread, guint like, RspPath *path,
                       GHashTable *numbers, RspArena *arena) {
  g_autoptr (GHashTable) seen = g_hash_table_new (hash_name, equal_names);
  path->names = rsp_arena_new0 (arena, guint, path->n_events + 1);
  for (guint e = path->n_events; e-- > 0;) {
    Name *name = rsp_arena_new0 (arena, Name, 2);
    name[0] = name[1] = name_of (program, thread, like, &path->events[e]);
    name[1].after = GPOINTER_TO_UINT (g_hash_table_lookup (seen, &name[0]));
    g_hash_table_insert (seen, &name[0], GUINT_TO_POINTER (name[1].after + 1));
    gpointer number = g_hash_table_lookup (numbers, &name[1]);
    if (!number) {
      number = GUINT_TO_POINTER (g_hash_table_size (numbers) + 1);
      g_hash_table_insert (numbers, &name[1], number);
    }
    path->names[e] = GPOINTER_TO_UINT (number) - 1;
  }
}

RspNames *rsp_paths_name_events (const RspProgram *program, const guint *like,
                                 GPtrArray *const *paths, RspArena *arena) {
  guint n = program->n_threads;
  RspNames *names = rsp_arena_new0 (arena, RspNames, 1);
  GHashTable **numbers = g_new0 (GHashTable *, n + 1);
  names->n_threads = n;
  names->like = rsp_arena_copy (arena, like, sizeof (guint) * n);
  names->first = rsp_arena_new0 (arena, guint, n + 1);
  names->n = program->n_locations;
  for (guint t = 0; t < n; t++) {
    if (like[t] == t)
      numbers[t] = g_hash_table_new (hash_name, equal_names);
    for (guint i = 0; i < paths[t]->len; i++)
      name_path (program, t, like[t], paths[t]->pdata[i], numbers[like[t]], arena);
  }
  for (guint t = 0; t < n; t++) {
    names->first[t] = names->n;
    names->n += g_hash_table_size (numbers[like[t]]);
  }
  for (guint t = 0; t < n; t++)
    g_clear_pointer (&numbers[t], g_hash_table_unref);
  g_free (numbers);
  return names;
}
