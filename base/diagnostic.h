/* Diagnostics: the errors, warnings and notes about the program's input.
 *
 * Printed in the manner of GCC and Clang:
 *
 *   FILE:LINE:COL: error: message
 *     source line
 *         ^~~~~
 *   FILE:LINE:COL: hint: did you mean `…`?                                                       */
#pragma once

#include "base/source.h"

#include <stdio.h>

typedef enum RspSeverity {
  RSP_NOTE,
  RSP_TRUNCATED, /* a warning that a limit truncated the search; reports of many tests count these
                  */
  RSP_WARNING,
  RSP_ERROR
} RspSeverity;

typedef struct RspDiagnostic {
  RspSeverity severity;
  RspSpan span; /* span.source is a counted reference, or NULL */
  char *message;
  char *hint; /* NULL if there is none */
} RspDiagnostic;

typedef struct RspDiagnostics RspDiagnostics;

RspDiagnostics *rsp_diagnostics_new (void);
void rsp_diagnostics_free (RspDiagnostics *diagnostics);

/* hint may be NULL; it is copied. format has no final full stop or newline. */
void rsp_report (RspDiagnostics *diagnostics, RspSeverity severity, RspSpan span, const char *hint,
                 const char *format, ...) G_GNUC_PRINTF (5, 6);
#define rsp_error(diagnostics, span, hint, ...)                                                    \
  rsp_report ((diagnostics), RSP_ERROR, (span), (hint), __VA_ARGS__)
#define rsp_warning(diagnostics, span, hint, ...)                                                  \
  rsp_report ((diagnostics), RSP_WARNING, (span), (hint), __VA_ARGS__)
#define rsp_truncated(diagnostics, span, hint, ...)                                                \
  rsp_report ((diagnostics), RSP_TRUNCATED, (span), (hint), __VA_ARGS__)
#define rsp_note(diagnostics, span, ...)                                                           \
  rsp_report ((diagnostics), RSP_NOTE, (span), NULL, __VA_ARGS__)

guint rsp_diagnostics_count (const RspDiagnostics *diagnostics);
guint rsp_diagnostics_count_errors (const RspDiagnostics *diagnostics);
const RspDiagnostic *rsp_diagnostics_get (const RspDiagnostics *diagnostics, guint index);
/* Drops all entries after the first count. */
void rsp_diagnostics_truncate (RspDiagnostics *diagnostics, guint count);
/* Drops all entries of a severity. TRUE if there were any. */
gboolean rsp_diagnostics_drop (RspDiagnostics *diagnostics, RspSeverity severity);
/* Moves all entries to the end of `to`, except warnings that it already holds: same text, same
 * place in a file of the same name. */
void rsp_diagnostics_move (RspDiagnostics *to, RspDiagnostics *from);

/* Appends what is printed of one entry. */
void rsp_diagnostic_format (const RspDiagnostic *diagnostic, gboolean colour, GString *out);

/* Reads a source, see rsp_source_read. NULL after an error, which is reported at `at`. */
RspSource *rsp_source_load (const char *path, RspSpan at, RspDiagnostics *diagnostics);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspDiagnostics, rsp_diagnostics_free)
