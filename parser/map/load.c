/* Reading mappings from files. */
#include "parser/map/load.h"
#include "parser/map/tagged.h"
#include "base/suggest.h"

#include <string.h>

#include "generated/parser/map/grammar.h"

enum {
  MOST_INCLUDES = 16, /* nested */
  MOST_FILES = 1000   /* files per mapping: nested includes grow fast */
};

/* Parses source into map, at *last; FALSE after an error. */
static gboolean parse_file (RspSource *source, RspMap *map, RspMapRow ***last,
                            const char *const *directories, GHashTable *texts, guint depth,
                            RspDiagnostics *diagnostics) {
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  MapParser parser = { .map = map,
                       .diagnostics = diagnostics,
                       .directories = directories,
                       .texts = texts,
                       .last = *last,
                       .depth = depth,
                       .instructions = g_array_new (FALSE, FALSE, sizeof (RspMapInstruction)) };
  g_ptr_array_add (map->sources, rsp_source_ref (source));
  rsp_map_scan_begin (&parser.scan, source, map->arena, diagnostics);
  int status = rsp_map_yyparse (&parser);
  rsp_map_scan_end (&parser.scan);
  g_array_unref (parser.instructions);
  *last = parser.last;
  return status == 0 && rsp_diagnostics_count_errors (diagnostics) == errors;
}

char *rsp_map_find_file (const char *from, const char *name, const char *const *directories) {
  g_autofree char *folder = g_path_get_dirname (from);
  return rsp_find_file (name, folder, directories, "");
}

/* The file's text as the caller has it, or from disk. */
static RspSource *read_text (const MapParser *parser, const char *path, RspSpan span) {
  g_autofree char *plain = g_canonicalize_filename (path, NULL);
  RspSource *given = parser->texts ? g_hash_table_lookup (parser->texts, plain) : NULL;
  return given ? rsp_source_ref (given) : rsp_source_load (path, span, parser->diagnostics);
}

gboolean map_include (MapParser *parser, TokenRange range, const char *name) {
  RspSpan span = rsp_scan_span (&parser->scan, range);
  g_autofree char *path = rsp_map_find_file (parser->scan.source->name, name, parser->directories);
  if (parser->depth == MOST_INCLUDES) {
    rsp_error (parser->diagnostics, span, NULL, "mappings include each other in a cycle");
    return FALSE;
  }
  if (parser->map->sources->len == MOST_FILES) {
    rsp_error (parser->diagnostics, span, NULL, "the mapping includes more than %d files",
               MOST_FILES);
    return FALSE;
  }
  if (!path) {
    rsp_error (parser->diagnostics, span, NULL, "no such mapping: `%s`", name);
    return FALSE;
  }
  g_autoptr (RspSource) source = read_text (parser, path, span);
  if (!source)
    return FALSE;
  const char *own = parser->map->name;
  gboolean good = parse_file (source, parser->map, &parser->last, parser->directories,
                              parser->texts, parser->depth + 1, parser->diagnostics);
  parser->map->name = own;
  return good;
}

static gboolean matches (const RspMapRow *row, RspMapOperation operation, RspOrder order,
                         RspScope scope, gboolean remote) {
  return row->operation == operation && (row->orders >> order & 1) && (row->scopes >> scope & 1)
         && (row->remotes >> (remote ? 1 : 0) & 1);
}

static gboolean exists (RspOrder order, RspScope scope, gboolean remote) {
  return order != RSP_ORDER_NA || (scope == RSP_SCOPE_WORK_ITEM && !remote);
}

/* Warns about a row that matches no operation; one that is included may be replaced. */
static void check_row (const RspMap *map, const RspMapRow *row, RspDiagnostics *diagnostics) {
  gboolean fits = FALSE, used = FALSE;
  for (guint cell = 0; cell < 8 * 5 * 2; cell++) {
    RspOrder order = (RspOrder) (cell / 10);
    RspScope scope = (RspScope) (cell / 2 % 5);
    gboolean remote = cell % 2;
    if (!exists (order, scope, remote))
      continue;
    fits |= matches (row, row->operation, order, scope, remote);
    used |= rsp_map_find (map, row->operation, order, scope, remote) == row;
  }
  if (!fits)
    rsp_warning (
        diagnostics, row->span, NULL,
        "this row matches no operation: plain accesses have scope `wi` and are never remote");
  else if (!used && strcmp (row->span.source->name, map->path) == 0)
    rsp_warning (diagnostics, row->span, NULL,
                 "this row matches no operation: the rows above match everything that it matches");
}

RspMap *rsp_map_parse (RspSource *source, const char *const *directories, GHashTable *texts,
                       RspDiagnostics *diagnostics) {
  const char *path = source->name;
  g_autoptr (RspMap) map = g_new0 (RspMap, 1);
  map->arena = rsp_arena_new ();
  map->sources = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_source_unref);
  map->path = rsp_arena_strdup (map->arena, path);
  RspMapRow **last = &map->rows;
  if (!parse_file (source, map, &last, directories, texts, 0, diagnostics))
    return NULL;
  if (!map->name) {
    g_autofree char *base = g_path_get_basename (path);
    gsize length = strlen (base) - (g_str_has_suffix (base, ".map") ? 4 : 0);
    map->name = rsp_arena_strndup (map->arena, base, length);
  }
  if (!map->rows) {
    rsp_error (diagnostics, RSP_NOWHERE, "`rspcheck -help-mapping` describes the format of rows",
               "%s: this mapping has no rows", path);
    return NULL;
  }
  for (const RspMapRow *row = map->rows; row; row = row->next)
    (map->source ? map_tagged_check_row : check_row) (map, row, diagnostics);
  return g_steal_pointer (&map);
}

RspMap *rsp_map_load (const char *path, const char *const *directories,
                      RspDiagnostics *diagnostics) {
  g_autoptr (RspSource) source = rsp_source_load (path, RSP_NOWHERE, diagnostics);
  if (!source)
    return NULL;
  return rsp_map_parse (source, directories, NULL, diagnostics);
}

void rsp_map_free (RspMap *map) {
  if (!map)
    return;
  g_ptr_array_unref (map->sources);
  rsp_arena_free (map->arena);
  g_free (map);
}

const RspMapRow *rsp_map_find (const RspMap *map, RspMapOperation operation, RspOrder order,
                               RspScope scope, gboolean remote) {
  for (const RspMapRow *row = map->rows; row; row = row->next)
    if (matches (row, operation, order, scope, remote))
      return row;
  return NULL;
}

const RspMapRow *rsp_map_find_spelled (const RspMap *map, RspSpelling spelling) {
  for (const RspMapRow *row = map->rows; row; row = row->next)
    if (map_tagged_matches (row, spelling))
      return row;
  return NULL;
}
