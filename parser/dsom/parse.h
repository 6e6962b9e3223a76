#ifndef RSP_PARSER_DSOM_PARSE_H
#define RSP_PARSER_DSOM_PARSE_H

#include "parser/dsom/program.h"

/* Is this a program of commands: is its head `DSOM`? */
gboolean rsp_dsom_recognises (const RspSource *source);

/* Parses and resolves one. Errors go to diagnostics; NULL when there was one. The program holds a
 * reference to source. */
RspDsomProgram *rsp_dsom_parse (RspSource *source, RspDiagnostics *diagnostics);
void rsp_dsom_program_free (RspDsomProgram *program);

/* "exists (r=1 /\ b[0]=2)", as logs have it. Newly allocated. */
char *rsp_dsom_format_condition (const RspDsomProgram *program);

/* MD5 of the program's tokens: neither blanks nor comments count. Newly allocated. */
char *rsp_dsom_hash (const RspDsomProgram *program);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspDsomProgram, rsp_dsom_program_free)

#endif
