/* From a source to a program. */
#include "parser/litmus_syntax.h"

/* Runs the grammar; NULL after an error. */
static LitmusTest *
parse_syntax (RspSource *source, RspArena *arena, RspDiagnostics *diagnostics)
{
  LitmusParser parser = { .arena = arena, .source = source, .diagnostics = diagnostics };
  parser.test = rsp_arena_new0 (arena, LitmusTest, 1);
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  litmus_scan_begin (&parser.scan, source, arena, diagnostics);
  int status = rsp_litmus_yyparse (&parser);
  litmus_scan_end (&parser.scan);
  gboolean good = status == 0 && rsp_diagnostics_count_errors (diagnostics) == errors;
  return good ? parser.test : NULL;
}

RspProgram *
rsp_litmus_parse (RspSource *source, gboolean strict, RspDiagnostics *diagnostics)
{
  RspArena *arena = rsp_arena_new ();
  RspProgram *program = rsp_arena_new0 (arena, RspProgram, 1);
  program->arena = arena;
  program->source = rsp_source_ref (source);
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  LitmusTest *test = parse_syntax (source, arena, diagnostics);
  if (test)
    litmus_resolve (program, test, strict, diagnostics);
  if (test && rsp_diagnostics_count_errors (diagnostics) == errors)
    return program;
  rsp_program_free (program);
  return NULL;
}

void
rsp_program_free (RspProgram *program)
{
  if (!program)
    return;
  RspArena *arena = program->arena; /* holds the program itself */
  rsp_source_unref (program->source);
  rsp_arena_free (arena);
}
