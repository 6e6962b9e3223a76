#pragma once

#include "parser/map/build.h"
#include "parser/map/tree.h"

/* Adds the rows of the file. FALSE after an error, which is reported: then nothing more is read. */
gboolean map_include (MapParser *parser, TokenRange range, const char *path);

/* The path of the file that the mapping `from` includes by this name: in its folder, else in
 * directories (NULL-terminated; may be NULL). Newly allocated; NULL if there is none. */
char *rsp_map_find_file (const char *from, const char *name, const char *const *directories);
/* Parses a mapping; directories: for included files. texts: absolute path → RspSource, of files
 * that are read from there instead of from disk; or NULL. NULL after an error, reported in
 * diagnostics. */
RspMap *rsp_map_parse (RspSource *source, const char *const *directories, GHashTable *texts,
                       RspDiagnostics *diagnostics);
/* The same for a file. */
RspMap *rsp_map_load (const char *path, const char *const *directories,
                      RspDiagnostics *diagnostics);
void rsp_map_free (RspMap *map);

/* The row for an operation, or NULL. */
const RspMapRow *rsp_map_find (const RspMap *map, RspMapOperation operation, RspOrder order,
                               RspScope scope, gboolean remote);
/* The same for an instruction of the mapping's source language. */
const RspMapRow *rsp_map_find_spelled (const RspMap *map, RspSpelling spelling);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspMap, rsp_map_free)
