/* Edits: lines of files that should read otherwise. They are printed as a unified diff without
 * context, and made on request. */
#ifndef RSP_CLI_EXPECT_EDITS_H
#define RSP_CLI_EXPECT_EDITS_H

#include "base/diagnostic.h"

typedef struct CliEdits CliEdits;

CliEdits *cli_edits_new (void);
void cli_edits_free (CliEdits *edits);

/* Line `line` (from 1) of the file reads old and should read text, or be gone if text is NULL. what
 * is printed after the diff's `@@`. The same edit given twice counts once; a line with two
 * different edits cannot be edited. Lines have no newline; everything is copied. */
void cli_edits_change (CliEdits *edits, const char *path, guint line, const char *old,
                       const char *text, const char *what);
/* A line at the end of the file, once. head is what comes before it in a file that is not there. */
void cli_edits_append (CliEdits *edits, const char *path, const char *head, const char *text);
/* The file must not be written, whatever other edits there are. */
void cli_edits_forbid (CliEdits *edits, const char *path);

/* Appends the diff, file by file in the order of their first edit, with ANSI colours if colour. */
void cli_edits_format (CliEdits *edits, gboolean colour, GString *out);
/* Writes the files, each at once or not at all. FALSE when an edit could not be made, reported in
 * diagnostics or, when a file cannot be written, on standard error. */
gboolean cli_edits_make (CliEdits *edits, RspDiagnostics *diagnostics);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliEdits, cli_edits_free)

#endif
