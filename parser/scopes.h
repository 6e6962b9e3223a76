#ifndef RSP_PARSER_SCOPES_H
#define RSP_PARSER_SCOPES_H

#include "parser/program.h"

/* The scope tree as `scopeTree` has it: "(device (work_group P0) (work_group P1))", without kernels
 * that are a device's only one and sub-groups of one thread. Newly allocated. */
char *rsp_program_format_scopes (const RspProgram *program);

#endif
