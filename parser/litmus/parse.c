/* From a source to a program. */
#include "parser/litmus/parse.h"
#include "parser/columns/parse.h"
#include "parser/resolve/resolve.h"

/* Runs the grammar over the source of parser->scan; NULL after an error. */
static LitmusTest *run_grammar (LitmusParser *parser) {
  guint errors = rsp_diagnostics_count_errors (parser->diagnostics);
  parser->test = rsp_arena_new0 (parser->arena, LitmusTest, 1);
  int status = rsp_litmus_yyparse (parser);
  rsp_litmus_scan_end (&parser->scan);
  gboolean good = status == 0 && rsp_diagnostics_count_errors (parser->diagnostics) == errors;
  return good ? parser->test : NULL;
}

static gboolean is_type (const char *word) { return rsp_litmus_type_word (word) != NULL; }

static LitmusTest *parse_test (RspSource *source, RspArena *arena, RspDiagnostics *diagnostics) {
  LitmusParser parser = { .arena = arena, .source = source, .diagnostics = diagnostics };
  rsp_litmus_scan_begin (&parser.scan, source, arena, diagnostics);
  parser.scan.is_type = is_type;
  return run_grammar (&parser);
}

/* Parses a question on its own: only the question of the returned test is set. */
static LitmusTest *parse_question (RspSpan span, RspLanguageId language, RspArena *arena,
                                   RspDiagnostics *diagnostics) {
  LitmusParser parser = { .arena = arena, .source = span.source, .diagnostics = diagnostics };
  parser.only_question = TRUE;
  rsp_litmus_scan_begin_question (&parser.scan, span, arena, diagnostics);
  parser.scan.is_c = language == RSP_LANGUAGE_C;
  parser.scan.is_type = is_type;
  return run_grammar (&parser);
}

/* The syntax of the test, with its question replaced by the one in span, if there is a span. */
static LitmusTest *parse_syntax (RspSource *source, RspSpan question, RspArena *arena,
                                 RspDiagnostics *diagnostics) {
  LitmusTest *test = parse_test (source, arena, diagnostics);
  if (!test || !question.source)
    return test;
  LitmusTest *parsed = parse_question (question, test->language, arena, diagnostics);
  if (!parsed)
    return NULL;
  test->quantifier = parsed->quantifier;
  test->condition = parsed->condition;
  return test;
}

RspProgram *rsp_litmus_parse_with_question (RspSource *source, RspSpan question, gboolean strict,
                                            RspDiagnostics *diagnostics) {
  RspArena *arena = rsp_arena_new ();
  RspProgram *program = rsp_arena_new0 (arena, RspProgram, 1);
  program->arena = arena;
  program->source = rsp_source_ref (source);
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  const RspLanguage *columns = rsp_columns_recognise (source);
  LitmusTest *test = columns ? NULL : parse_syntax (source, question, arena, diagnostics);
  gboolean good = columns ? rsp_columns_parse (program, columns, question, strict, diagnostics)
                          : test != NULL;
  if (test)
    rsp_litmus_resolve (program, test, strict, diagnostics);
  if (good && rsp_diagnostics_count_errors (diagnostics) == errors)
    return program;
  rsp_program_free (program);
  return NULL;
}

RspProgram *rsp_litmus_parse (RspSource *source, gboolean strict, RspDiagnostics *diagnostics) {
  return rsp_litmus_parse_with_question (source, (RspSpan){ NULL, 0, 0 }, strict, diagnostics);
}

void rsp_program_free (RspProgram *program) {
  if (!program)
    return;
  RspArena *arena = program->arena; /* holds the program itself */
  rsp_source_unref (program->source);
  rsp_arena_free (arena);
}
