/* Edits: changes of lines in files. They are printed as a unified diff without context, and made on
 * request. */
#pragma once

#include "base/diagnostic.h"

/* Of one file each. Freed with g_ptr_array_unref. */
typedef GPtrArray CliEdits;

CliEdits *cli_edits_new (void);

/* Changes line `line` (from 1) of the file from old to text, or removes it if text is NULL. what is
 * printed after the diff's `@@`. The same edit given twice counts once; a line with two different
 * edits cannot be edited. Lines have no newline; everything is copied. */
void cli_edits_change (CliEdits *edits, const char *path, guint line, const char *old,
                       const char *text, const char *what);
/* Appends a line to the file, once. head comes before it if the file does not exist. */
void cli_edits_append (CliEdits *edits, const char *path, const char *head, const char *text);
/* Prevents the file from being written, whatever other edits there are. */
void cli_edits_forbid (CliEdits *edits, const char *path);

/* Appends the diff, file by file in the order of their first edit, with ANSI colours if colour. */
void cli_edits_format (CliEdits *edits, gboolean colour, GString *out);
/* Writes the files, each completely or not at all. FALSE if an edit could not be made, which is
 * reported in diagnostics, or on standard error if a file cannot be written. */
gboolean cli_edits_make (CliEdits *edits, RspDiagnostics *diagnostics);
