#pragma once

#include "parser/map/build.h"
#include "parser/map/tree.h"

/* Adds the rows of the file. FALSE after an error, which is reported: then nothing more is read. */
gboolean map_include (MapParser *parser, TokenRange range, const char *path);

/* Parses a mapping. An included file is searched for in the folder of the including file, then in
 * directories (NULL-terminated; may be NULL). NULL after an error, reported in diagnostics. */
RspMap *rsp_map_parse (RspSource *source, const char *const *directories,
                       RspDiagnostics *diagnostics);
/* The same for a file. */
RspMap *rsp_map_load (const char *path, const char *const *directories,
                      RspDiagnostics *diagnostics);
void rsp_map_free (RspMap *map);

/* The row for an operation, or NULL. */
const RspMapRow *rsp_map_find (const RspMap *map, RspMapOperation operation, RspOrder order,
                               RspScope scope, gboolean remote);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspMap, rsp_map_free)
