#pragma once

#include "model/load.h"

/* A hint for a missing file: "did you mean `…`?", or where it was searched for. Free with
 * g_free. */
char *load_hint (const char *path, const char *folder, const char *const *directories);
/* The text of a file that is built into the program, whatever the folders contain; else NULL. */
const char *load_builtin (const char *path);
