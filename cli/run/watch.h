/* -watch: what is known while a test is being checked or programs are being searched. Lines of
 * JSON, appended to a file. */
#pragma once

#include <glib.h>

struct CliResult;

/* The page's data for the first n models of the result; is_partial: of the last one so far, which
 * the line says. */
void cli_watch_tell (const char *path, const struct CliResult *result, guint n,
                     gboolean is_partial);
/* How far a search is: { "searched": words }, which need no escapes. */
void cli_watch_search (const char *path, const char *format, ...) G_GNUC_PRINTF (2, 3);
