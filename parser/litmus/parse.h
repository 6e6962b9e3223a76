#pragma once

#include "parser/program.h"

/* Parses, resolves and checks one test. Errors and warnings go to diagnostics; NULL if there was an
 * error. If `strict`, memory orders that C11 forbids for an operation are errors instead of
 * warnings. The program holds a reference to source. */
RspProgram *rsp_litmus_parse (RspSource *source, gboolean strict, RspDiagnostics *diagnostics);
/* The same with another question (`exists (x=1)`), at the span `question` of any source, which must
 * outlive the program. */
RspProgram *rsp_litmus_parse_with_question (RspSource *source, RspSpan question, gboolean strict,
                                            RspDiagnostics *diagnostics);
void rsp_program_free (RspProgram *program);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspProgram, rsp_program_free)
