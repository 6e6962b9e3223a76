/* Parsing one cat file. */
#include "parser/cat/parse.h"
#include "parser/cat/build.h"

#include "generated/parser/cat/grammar.h"

RspCatFile *rsp_cat_parse (RspSource *source, RspArena *arena, RspDiagnostics *diagnostics) {
  if (source->length > G_MAXINT / 2) {
    rsp_error (diagnostics, ((RspSpan){ .source = source }), NULL,
               "the file is too large: %zu bytes", source->length);
    return NULL;
  }
  RspCatFile *file = rsp_arena_new0 (arena, RspCatFile, 1);
  file->arena = arena;
  file->source = source;
  file->options = rsp_arena_new0 (arena, const char *, 1);
  CatParser parser = { .arena = arena, .diagnostics = diagnostics, .file = file };
  rsp_cat_scan_begin (&parser.scan, source, arena, diagnostics);
  int status = rsp_cat_yyparse (&parser);
  rsp_cat_scan_end (&parser.scan);
  return status == 0 && !parser.too_deep ? file : NULL;
}
