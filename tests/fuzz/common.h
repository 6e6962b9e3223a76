/* What the fuzz targets share: input as text, tight limits, a check as text. */
#pragma once

#include "enumerator/search/search.h"
#include "model/model.h"
#include "parser/litmus/litmus.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* The input as a source; NULL if it has a NUL byte or is longer than any test worth trying. */
RspSource *fuzz_source (const uint8_t *data, size_t size);
RspProgram *fuzz_program (RspSource *source);
/* A model that comes with rspcheck, loaded once; it must be there. */
const RspModel *fuzz_model (const char *name);

/* The input as a file, for readers that take a path: the path, newly allocated; close *file. */
char *fuzz_file_open (const uint8_t *data, size_t size, int *file);
/* Aborts when something was refused without an error that says why. */
void fuzz_require_reason (gboolean accepted, const RspDiagnostics *diagnostics);
/* An array of RspJsonLine that owns their records. */
GArray *fuzz_json_lines_new (void);
/* Limits that every input must keep: most inputs that the fuzzer makes are small, and a large one
 * costs the time of hundreds. */
void fuzz_check_options (RspCheckOptions *options);

/* Runs the program, with tight limits and in silence, if -confined allows the arguments and they
 * write no files: the exit status, or -1. own: arguments that come after these, of which more is
 * allowed; both end with NULL. */
int fuzz_run (char **arguments, const char *const *own);

/* Checks a kernel: options of the command line on its first line, then its text, or a module. It is
 * checked on a tiny grid by both engines, which may not find different things. */
void fuzz_kernel (const uint8_t *data, size_t size);

/* Checks a test with both engines, some hundred milliseconds at most, and aborts when both came to
 * an end and differ. */
void fuzz_compare (const RspProgram *program, const RspModel *model);
