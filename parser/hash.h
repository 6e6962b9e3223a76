#ifndef RSP_PARSER_HASH_H
#define RSP_PARSER_HASH_H

#include "parser/program.h"

/* The test's hash as herd prints it: hex MD5 over initial state, code and what is observed; the
 * scope tree does not enter it. Newly allocated. */
char *rsp_program_hash (const RspProgram *program);
/* Hex MD5 of the scope tree alone: equal for trees that put the same threads together. Newly
 * allocated. */
char *rsp_program_scope_hash (const RspProgram *program);

#endif
