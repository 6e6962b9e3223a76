/* Files of lines: the common form of @index, -conf, -names, -kinds and -conds files. */
#ifndef RSP_CLI_BASE_LINES_H
#define RSP_CLI_BASE_LINES_H

#include "base/diagnostic.h"

/* A line without its comment and without blanks around it; never empty. */
typedef struct CliLine
{
  char *text;
  RspSpan span;
} CliLine;

/* Reads a file's lines. `#` begins a comment at the start of a line or after a blank, but not
 * within double quotes. NULL after an error, reported in diagnostics at `at`. Free with
 * g_array_unref; spans are good while the array lives. */
GArray *cli_lines_read (const char *path, RspSpan at, RspDiagnostics *diagnostics);

/* Splits a line at its first blank: the first word is ended there and what follows is returned,
 * without blanks before it; NULL if nothing follows. */
char *cli_line_split (CliLine *line);

#endif
