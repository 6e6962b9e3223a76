/* Where models and mappings lie. */
#pragma once

#include <glib.h>

/* The folder of the models that were installed with the program or library: the one that was fixed
 * when it was built, or, where that does not exist, ../share/rspcheck/cat from the shared library,
 * for one that was moved as a whole. Static. */
const char *rsp_model_directory (void);

/* Where models (name: "cat") or mappings ("machine") are searched for, in order: `first`
 * (NULL-terminated, may be NULL), the folder of the test, $RSPCHECK_LIB (folders separated by
 * colons), the folder of that name next to the program, and the installed one. NULL-terminated,
 * newly allocated: free with g_strfreev. test is a path, or NULL. */
char **rsp_directories (const char *name, const char *const *first, const char *test);
