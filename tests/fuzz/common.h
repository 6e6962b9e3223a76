/* What the fuzz targets share: input as text, tight limits, a check as text. */
#ifndef RSP_TESTS_FUZZ_COMMON_H
#define RSP_TESTS_FUZZ_COMMON_H

#include "enumerator/search/check.h"
#include "model/model.h"
#include "parser/litmus/parse.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* The input as a source; NULL when it has a NUL byte or is longer than any test worth trying. */
RspSource *fuzz_source (const uint8_t *data, size_t size);
RspProgram *fuzz_program (RspSource *source);
/* A model that comes with rspcheck, loaded once; it must be there. */
const RspModel *fuzz_model (const char *name);

/* Checks a test with both engines, some hundred milliseconds at most, and aborts when both came to
 * an end and differ. */
void fuzz_compare (const RspProgram *program, const RspModel *model);

#endif
