/* Sets of a thread's paths, numbered. */
#pragma once

#include "machine/program/threads.h"

/* A path as a machine needs it, with sets of events as words. */
typedef struct PathFacts {
  const RspPath *path;
  guint64 all;          /* its events */
  guint64 *before;      /* per event: its predecessors in program order */
  guint64 *written;     /* per event: reads in the value that it writes */
  guint64 *constraints; /* per constraint: reads in it */
  guint64 finals;       /* reads in what is observed at the end */
} PathFacts;

typedef struct PathSet {
  guint16 *paths; /* ascending */
  guint n;
} PathSet;

typedef struct RspPathSets {
  PathFacts *facts;
  guint n_facts;
  GPtrArray *sets;     /* of PathSet */
  GHashTable *numbers; /* of PathSet to number + 1 */
  GHashTable *outlooks;
} RspPathSets;

/* paths: of RspPath. */
void path_sets_init (RspPathSets *sets, const GPtrArray *paths, const RspProgram *program,
                     guint thread, RspArena *arena);
void path_sets_clear (RspPathSets *sets);
/* The number of the set of these paths (copied). */
guint32 path_sets_number (RspPathSets *sets, const guint16 *paths, guint n, RspArena *arena);

static inline const PathSet *path_set (const RspPathSets *sets, guint32 number) {
  return sets->sets->pdata[number];
}

static inline guint64 event_bit (guint event) { return G_GUINT64_CONSTANT (1) << event; }
