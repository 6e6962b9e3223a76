/* Claims: the observations that a test's comments expect.
 *
 *   (* Result: Never *)                          under every model
 *   // Result opencl: Sometimes                  under this one
 *
 * `Result` is at the beginning of a line or comment, after any `*`. */
#pragma once

#include "base/diagnostic.h"
#include "report/verdict.h"

typedef struct CliClaim {
  RspSpan span; /* of the word: Never, Sometimes or Always. Borrows the source */
  char *model;  /* as -model takes it; NULL: any */
  RspcheckObservation observation;
} CliClaim;

/* The claims in a test's text, in order. Gives a warning for text that looks like a claim but names
 * no observation. Free with g_array_unref. */
GArray *cli_claims_read (RspSource *source, RspDiagnostics *diagnostics);
