#pragma once

#include "model/load.h"

/* The path of a file that exists: tries the path as given (below folder, unless that is NULL), then
 * below each directory, each time also with ".cat" added. NULL if there is none; free with
 * g_free. */
char *load_find (const char *path, const char *folder, const char *const *directories);
/* A hint for a missing file: "did you mean `…`?", or where it was searched for. Free with
 * g_free. */
char *load_hint (const char *path, const char *folder, const char *const *directories);
/* The text of a file that is built into the program, whatever the folders contain; else NULL. */
const char *load_builtin (const char *path);
