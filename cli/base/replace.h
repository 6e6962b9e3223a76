#ifndef RSP_CLI_BASE_REPLACE_H
#define RSP_CLI_BASE_REPLACE_H

#include <glib.h>

/* Writes a regular file, or makes it: at any time there is the old text or the new one, whole. An
 * old file keeps its mode. 0, or the errno of what failed; then the old file is as it was. */
int replace_file (const char *path, const GString *text);

#endif
