#pragma once

#include "base/diagnostic.h"

/* Begins the line of an annotation: a comment of C that the preprocessor keeps, with its macros
 * expanded. A `\` at the end of the line continues it. */
#define KERNEL_ANNOTATION "//@"

/* What follows `//@ assert`, an assertion over final memory, at the beginning of a text; NULL: it
 * does not begin so. */
const char *rsp_kernel_assertion (const char *text);

/* Runs the system's preprocessor if there is something for it to do. The lines of the result are
 * those of the file, with the macros expanded; what a file includes is on the line that includes
 * it. NULL after an error. changed: the text is not the one that the file has. */
RspSource *kernel_preprocess (const RspSource *source, gboolean changed,
                              const char *const *arguments, RspDiagnostics *diagnostics);
