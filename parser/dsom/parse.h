#pragma once

#include "parser/dsom/program.h"

/* Is this a program of commands: is its head `DSOM`? */
gboolean rsp_dsom_recognises (const RspSource *source);

/* Parses and resolves a program of commands. Errors go to diagnostics; NULL if there was one. The
 * program holds a reference to source. */
RspDsomProgram *rsp_dsom_parse (RspSource *source, RspDiagnostics *diagnostics);
void rsp_dsom_program_free (RspDsomProgram *program);

/* The hexadecimal MD5 of the program's tokens, so that blanks and comments do not count. Newly
 * allocated. */
char *rsp_dsom_hash (const RspDsomProgram *program);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspDsomProgram, rsp_dsom_program_free)
