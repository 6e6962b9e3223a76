/* Paths of two versions of a test that do the same. */
#pragma once

#include "enumerator/paths/path.h"

/* The same accesses and fences of the text one after the other, with fences of the version's own
 * between them? pieces: rsp_synth_version_pieces. *map, per event of the version's path, has the
 * number of the same event on the test's, or G_MAXUINT. */
gboolean synth_paths_agree (const RspPath *own, const RspPath *version, const GArray *pieces,
                            guint *map);

/* The path of a thread of the version (of RspPath) that does what the test's does, or the other way
 * round; NULL if there is none, or if there are several that a model may tell apart. */
const RspPath *synth_find_in_version (const GPtrArray *paths, const RspPath *own,
                                      const GArray *pieces);
const RspPath *synth_find_in_test (const GPtrArray *paths, const RspPath *version,
                                   const GArray *pieces);
