#pragma once

#include "parser/program.h"

/* The test's hash as herd prints it: hex MD5 over initial state, code and observables; the scope
 * tree does not enter it. Newly allocated. */
char *rsp_program_hash (const RspProgram *program);
/* Hex MD5 of the scope tree alone. Trees that group threads in the same way have equal hashes.
 * Newly allocated. */
char *rsp_program_scope_hash (const RspProgram *program);
