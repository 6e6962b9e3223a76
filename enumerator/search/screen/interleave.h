/* Interleavings: is there an order of the accesses of a combination to one location that respects
 * each path's order, in which every read returns the last value written and no condition fails?
 * Coherence demands exactly that at each location (screen.h: where a model demands coherence). */
#pragma once

#include "enumerator/paths/path.h"

typedef struct Access {
  guint event; /* of the path */
  gboolean reads;
  gboolean simple;            /* does nothing depend on what it reads except conditions on it
                               * alone? */
  const RspTerm *written;     /* NULL unless it writes */
  const RspTerm **conditions; /* of the path, that mention it */
  guint n_conditions;
} Access;

/* The accesses of one path to one location, in program order. */
typedef struct Projection {
  Access *accesses;
  guint n;
} Projection;

void projection_init (Projection *projection, const RspPath *path, guint location, RspArena *arena);

typedef struct Interleaver Interleaver;

/* max_events: of any path. Lives in arena. */
Interleaver *interleaver_new (guint n_threads, guint max_events, RspArena *arena);
void interleaver_free (Interleaver *x);
/* Is there such an order? FALSE is certain. One projection per thread. */
gboolean interleaver_finds (Interleaver *x, const Projection *const *threads, RspValue initial);
