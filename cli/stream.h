/* The two output streams: results, and messages about them. */
#ifndef CLI_STREAM_H
#define CLI_STREAM_H

#include "parser/diagnostic.h"

/* Writes text to standard output at once. FALSE, with a message on standard error, when it cannot
 * be written: the reader is gone or the disk is full. */
gboolean cli_write (const GString *text);

/* Prints what diagnostics hold to standard error and drops it; without warnings and notes if
 * only_errors. Coloured on a terminal unless NO_COLOR is set. Returns the number of errors. */
guint cli_tell (RspDiagnostics *diagnostics, gboolean only_errors);

/* Is the stream (STDOUT_FILENO, STDERR_FILENO) a terminal that wants colours? */
gboolean cli_wants_colour (int stream);

#endif
