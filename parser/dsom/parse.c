#include "parser/dsom/parse.h"

#include "parser/dsom/resolve.h"

#include "generated/parser/dsom/grammar.h"

gboolean rsp_dsom_recognises (const RspSource *source) { return rsp_dsom_scan_recognises (source); }

static gboolean run_grammar (DsomParser *parser, RspSource *source) {
  rsp_dsom_scan_begin (&parser->scan, source, parser->arena, parser->diagnostics);
  int status = rsp_dsom_yyparse (parser);
  rsp_dsom_scan_end (&parser->scan);
  return status == 0;
}

RspDsomProgram *rsp_dsom_parse (RspSource *source, RspDiagnostics *diagnostics) {
  RspArena *arena = rsp_arena_new ();
  RspDsomProgram *program = rsp_arena_new0 (arena, RspDsomProgram, 1);
  program->arena = arena;
  program->source = rsp_source_ref (source);
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  DsomParser parser = { .arena = arena,
                        .diagnostics = diagnostics,
                        .names = g_hash_table_new (g_str_hash, g_str_equal),
                        .kernel_names = g_hash_table_new (g_str_hash, g_str_equal),
                        .assigned = g_ptr_array_new () };
  gboolean good = run_grammar (&parser, source);
  if (good && rsp_diagnostics_count_errors (diagnostics) == errors)
    dsom_resolve (program, &parser);
  g_hash_table_unref (parser.names);
  g_hash_table_unref (parser.kernel_names);
  g_ptr_array_unref (parser.assigned);
  if (good && rsp_diagnostics_count_errors (diagnostics) == errors)
    return program;
  rsp_dsom_program_free (program);
  return NULL;
}

void rsp_dsom_program_free (RspDsomProgram *program) {
  if (!program)
    return;
  RspArena *arena = program->arena; /* holds the program itself */
  rsp_source_unref (program->source);
  rsp_arena_free (arena);
}

/* ---- The hash ---- */

char *rsp_dsom_hash (const RspDsomProgram *program) {
  g_autoptr (RspArena) arena = rsp_arena_new ();
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_MD5);
  TokenScan scan;
  DsomToken token;
  TokenRange range;
  rsp_dsom_scan_begin (&scan, program->source, arena, diagnostics);
  while (rsp_dsom_flex_lex (&token, &range, scan.flex) > 0) {
    g_checksum_update (sum, (const guchar *) program->source->text + range.begin,
                       (gssize) (range.end - range.begin));
    g_checksum_update (sum, (const guchar *) " ", 1);
  }
  rsp_dsom_scan_end (&scan);
  return g_strdup (g_checksum_get_string (sum));
}
