#pragma once

#include "parser/cat/tree.h"

/* Parses one file into a tree; does not follow includes. NULL after an error, which is reported in
 * diagnostics. The tree lives in arena and points into source, to which the caller keeps a
 * reference. */
RspCatFile *rsp_cat_parse (RspSource *source, RspArena *arena, RspDiagnostics *diagnostics);
