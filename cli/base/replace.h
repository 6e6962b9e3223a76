#ifndef RSP_CLI_BASE_REPLACE_H
#define RSP_CLI_BASE_REPLACE_H

#include <glib.h>

/* Writes or creates a regular file: at any time it has the complete old text or the complete new
 * one. An old file keeps its mode. 0, or an errno; the old file is then unchanged. */
int replace_file (const char *path, const GString *text);

#endif
