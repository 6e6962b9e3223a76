/* Inputs: from the arguments of the command line to the tests to run. */
#pragma once

#include "base/diagnostic.h"
#include "parser/program.h"

/* Expands tests, directories and @index files to paths of tests, in order ("-" stays). Arguments
 * that cannot be expanded are reported in diagnostics and left out. The array owns its strings. */
GPtrArray *cli_inputs_expand (const GPtrArray *inputs, RspDiagnostics *diagnostics);

/* The test of a path. NULL after an error, which is in diagnostics. strict: see rsp_litmus_parse.
 */
RspProgram *cli_inputs_read (const char *path, gboolean strict, RspDiagnostics *diagnostics);

/* "did you mean …?" of the tests in the folder of a path that does not exist; NULL if none is near.
 * Newly allocated. */
char *cli_inputs_hint (const char *path);
