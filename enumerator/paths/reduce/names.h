#pragma once

#include "enumerator/paths/path.h"

/* Gives each path its names. like: as in RspNames. Lives in arena. */
RspNames *rsp_paths_name_events (const RspProgram *program, const guint *like,
                                 GPtrArray *const *paths, RspArena *arena);
