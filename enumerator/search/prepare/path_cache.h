/* The paths of one program and the pre-executions of their combinations, which checks under several
 * models have in common: each check takes them from the cache, and gives them back when it ends.
 * One check at a time. */
#pragma once

#include "enumerator/search/combinations.h"

/* For checks of that very program. */
RspPathCache *rsp_path_cache_new (const RspProgram *program);
void rsp_path_cache_free (RspPathCache *cache);

/* Takes the arena, terms and paths of an earlier check that asked for the same paths. FALSE if
 * there are none. */
gboolean path_cache_take (RspPathCache *cache, Check *check);
/* Gives them back at the end of a check. FALSE if they are not all paths, or another check would
 * have to report something about them. */
gboolean path_cache_give (RspPathCache *cache, Check *check);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspPathCache, rsp_path_cache_free)
