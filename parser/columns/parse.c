/* From a source in columns to a program. */
#include "parser/columns/parse.h"
#include "parser/columns/instruction.h"
#include "parser/columns/resolve.h"

const RspLanguage *rsp_columns_recognise (const RspSource *source) {
  const RspLanguage *languages[RSP_N_LANGUAGES];
  const char *words[RSP_N_LANGUAGES + 1] = { NULL };
  guint n = 0;
  for (guint i = 0; i < RSP_N_LANGUAGES; i++)
    if (rsp_columns_alphabet (&rsp_languages[i])) {
      languages[n] = &rsp_languages[i];
      words[n++] = rsp_languages[i].word;
    }
  int found = rsp_columns_scan_recognises (source, words);
  return found < 0 ? NULL : languages[found];
}

static gboolean run_grammar (ColumnsParser *parser) {
  guint errors = rsp_diagnostics_count_errors (parser->base.diagnostics);
  parser->base.test = rsp_arena_new0 (parser->base.arena, LitmusTest, 1);
  int status = rsp_columns_yyparse (parser);
  rsp_columns_scan_end (&parser->base.scan);
  return status == 0 && rsp_diagnostics_count_errors (parser->base.diagnostics) == errors;
}

/* Replaces the test's question. */
static gboolean parse_question (LitmusTest *test, RspSpan span, RspArena *arena,
                                RspDiagnostics *diagnostics) {
  ColumnsParser parser = {
    .base
    = { .arena = arena, .source = span.source, .diagnostics = diagnostics, .only_question = TRUE }
  };
  rsp_columns_scan_begin_question (&parser.base.scan, span, arena, diagnostics);
  if (!run_grammar (&parser))
    return FALSE;
  test->quantifier = parser.base.test->quantifier;
  test->condition = parser.base.test->condition;
  return TRUE;
}

gboolean rsp_columns_parse (RspProgram *program, const RspLanguage *language, RspSpan question,
                            gboolean strict, RspDiagnostics *diagnostics) {
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  ColumnsParser parser
      = { .base
          = { .arena = program->arena, .source = program->source, .diagnostics = diagnostics },
          .strict = strict,
          .language = language,
          .alphabet = rsp_columns_alphabet (language) };
  rsp_columns_scan_begin (&parser.base.scan, program->source, program->arena, diagnostics);
  if (!run_grammar (&parser))
    return FALSE;
  if (question.source && !parse_question (parser.base.test, question, program->arena, diagnostics))
    return FALSE;
  columns_resolve (program, &parser, diagnostics);
  return rsp_diagnostics_count_errors (diagnostics) == errors;
}
