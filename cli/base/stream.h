/* The two output streams, results and messages about them, and files of results. */
#pragma once

#include "base/diagnostic.h"

/* Writes text to standard output at once. FALSE, with a message on standard error, if it cannot be
 * written: the reader has closed it, or the disk is full. */
gboolean cli_write (const GString *text);
/* Replaces a file atomically: it is the old one or the new one, whatever happens. A pipe or a
 * device is written to. FALSE after an error, which is reported on standard error. */
gboolean cli_write_file (const char *path, const GString *text);
/* Appends to a file. Failure is as above. */
gboolean cli_append_file (const char *path, const GString *text);
/* Can the file be written, as far as that is known without writing? FALSE after an error, reported
 * as above. */
gboolean cli_can_write_file (const char *path);

/* Reports on standard error that the file or directory cannot be written, because of errno_.
 * FALSE. */
gboolean cli_report_unwritten (const char *path, int errno_);

/* Makes the directory, and those above it, unless it is there or NULL. FALSE after an error,
 * reported as above. */
gboolean cli_make_folder (const char *path);

/* Prints what diagnostics hold to standard error and drops it; without warnings and notes if
 * only_errors. Coloured on a terminal unless NO_COLOR is set. Returns the number of errors. */
guint cli_print_diagnostics (RspDiagnostics *diagnostics, gboolean only_errors);

/* Is the stream (STDOUT_FILENO, STDERR_FILENO) a terminal that should show colours? */
gboolean cli_uses_colour (int stream);
