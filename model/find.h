#ifndef RSP_MODEL_FIND_H
#define RSP_MODEL_FIND_H

#include "model/load.h"

/* The path under which a file is there: as given (below folder, where there is one), then below
 * each directory; each time also with ".cat" added. NULL when there is none; free with g_free. */
char *load_find (const char *path, const char *folder, const char *const *directories);
/* "did you mean `…`?" for a missing file, or where it was searched for; free with g_free. */
char *load_hint (const char *path, const char *folder, const char *const *directories);
/* The text of a file that is part of the program, whatever lies in the folders; else NULL. */
const char *load_builtin (const char *path);

#endif
