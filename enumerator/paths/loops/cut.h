/* Parts of paths: without some events, or up to the event at which a thread stops. */
#pragma once

#include "enumerator/paths/path.h"

/* The path without its events begin … end - 1; its constraints and final values are those of the
 * whole. */
RspPath *rsp_path_without (const RspPath *path, guint begin, guint end, RspArena *arena);

/* Adds to `cut` the ways in which a thread may get no further on one of its paths: at each barrier
 * that makes it wait (BLOCKED); if it may stop, after each write and each arrival at a barrier, for
 * which others may have waited, and if it may not start, before everything (STOPPED). A read before
 * which a thread could have stopped as well makes no difference to the others. Final values are
 * those of the whole path. */
void rsp_paths_cut (const GPtrArray *paths, gboolean may_not_start, gboolean may_stop,
                    RspArena *arena, GPtrArray *cut);

/* May the thread of a path that has not ended, if it ever goes on, take the other path, which
 * begins alike? Of rounds that repeat, it goes on from their beginning. */
gboolean rsp_path_may_become (const RspPath *path, const RspPath *other, RspTerms *terms);

/* Adds to `paths`, for each one that ends in rounds that may repeat for ever, those that repeat
 * them from any later event on: when one thread is where its rounds begin, another may be in the
 * middle of them. Not for rounds with barriers. */
void rsp_paths_rotate (GPtrArray *paths, RspTerms *terms, RspArena *arena);
