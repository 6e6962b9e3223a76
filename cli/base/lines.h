/* Files of lines: the common form of @index, -conf, -names, -kinds and -conds files. */
#pragma once

#include "base/diagnostic.h"

/* A line without its comment and without blanks around it; never empty. */
typedef struct CliLine {
  char *text;
  RspSpan span;
} CliLine;

/* Reads a file's lines. `#` begins a comment at the start of a line or after a blank, but not
 * within double quotes. NULL after an error, reported in diagnostics at `at`. Free with
 * g_array_unref; spans are valid as long as the array. */
GArray *cli_lines_read (const char *path, RspSpan at, RspDiagnostics *diagnostics);

/* Splits a line at its first blank: terminates the first word there and returns the rest without
 * leading blanks; NULL if there is none. */
char *cli_line_split (CliLine *line);
