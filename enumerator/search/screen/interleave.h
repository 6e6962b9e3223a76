/* Interleavings: can the accesses of a combination to one location come in some order, each path's in
 * its own, such that every read returns what was written last and no condition fails? That is what
 * coherence leaves of reads-from and co at one location (screen.h says where a model demands it). */
#ifndef RSP_ENUMERATOR_SEARCH_SCREEN_INTERLEAVE_H
#define RSP_ENUMERATOR_SEARCH_SCREEN_INTERLEAVE_H

#include "enumerator/paths/path.h"

typedef struct Access
{
  guint event; /* of the path */
  gboolean reads;
  gboolean simple;            /* nothing depends on what it reads but conditions on it alone */
  const RspTerm *written;     /* NULL unless it writes */
  const RspTerm **conditions; /* of the path, that mention it */
  guint n_conditions;
} Access;

/* The accesses of one path to one location, in program order. */
typedef struct Projection
{
  Access *accesses;
  guint n;
} Projection;

void projection_init (Projection *projection, const RspPath *path, guint location, RspArena *arena);

typedef struct Interleaver Interleaver;

/* max_events: of any path. Lives in arena. */
Interleaver *interleaver_new (guint n_threads, guint max_events, RspArena *arena);
void interleaver_free (Interleaver *x);
/* FALSE is certain: there is no such order. One projection per thread. */
gboolean interleaver_finds (Interleaver *x, const Projection *const *threads, RspValue initial);

#endif
