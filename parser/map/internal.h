#pragma once

#include "parser/errors.h"
#include "parser/map/map.h"

/* ---- Errors --------------------------------------------------------------------------------- */

/* Shared by mappings to machines, mappings to languages, and machines. */
extern const SyntaxLanguage map_syntax[3];

/* ---- Words ---------------------------------------------------------------------------------- */

/* Is it an order or a scope in rows for other languages? */
gboolean map_is_selector (const char *word);

/* "lazy": operations that have this word; "lazy?": and those that do not. */
MapSelection map_select_word (MapParser *parser, TokenRange range, const char *word);

/* ---- Tagged --------------------------------------------------------------------------------- */

/* Rows of a mapping whose source is a language with tags: they select instructions by the words of
 * that language. */

/* What the row is for: an operation, or one first word of the language ("tld"). Another word is
 * reported. */
void map_tagged_operation (MapParser *parser, TokenRange range, const char *word, RspMapRow *row);

/* A suffix ("acquire"). */
MapSelection map_tagged_select (MapParser *parser, TokenRange range, const char *word);

/* The row's suffixes: those of the selection. */
void map_tagged_end_head (const MapParser *parser, guint64 suffixes, RspMapRow *row);
gboolean map_tagged_matches (const RspMapRow *row, RspSpelling spelling);

/* Warns about a row that matches nothing, or only operations that a row above matches. */
void map_tagged_check_row (const RspMap *map, const RspMapRow *row, RspDiagnostics *diagnostics);
