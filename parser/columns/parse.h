#pragma once

#include "parser/program.h"

/* The language of a test whose threads are columns, by its first word; NULL if it is none. */
const RspLanguage *rsp_columns_recognise (const RspSource *source);
/* Parses and resolves one test of that language into program (its arena and source set), with the
 * question at the span `question` instead of its own if that has a source. Errors go to
 * diagnostics; FALSE if there was one. If strict, what the language's specification calls
 * ill-formed is an error. */
gboolean rsp_columns_parse (RspProgram *program, const RspLanguage *language, RspSpan question,
                            gboolean strict, RspDiagnostics *diagnostics);
