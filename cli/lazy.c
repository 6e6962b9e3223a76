/* Libraries that are loaded when they are needed. */
#include "cli/lazy.h"
#include "generated/cli/sonames.h"

#include <dlfcn.h>

/* The file of each library is the one that programs linked with it record (SONAME): the Makefile
 * looks it up. */
static const struct {
  const char *name, *file;
} libraries[] = {
  [CLI_LIBRARY_GRAPHVIZ] = { "Graphviz", CLI_LAZY_GRAPHVIZ },
#ifdef RSP_SERVES
  [CLI_LIBRARY_SOUP] = { "libsoup", CLI_LAZY_SOUP },
#endif
#ifdef RSP_CONFINES
  [CLI_LIBRARY_SECCOMP] = { "libseccomp", CLI_LAZY_SECCOMP },
#endif
};

_Static_assert(sizeof CLI_LAZY_GRAPHVIZ > 1, "the Makefile has not found Graphviz's SONAME");

gpointer cli_lazy_find (CliLibrary library, const char *symbol, GError **error) {
  gpointer handle = dlopen (libraries[library].file, RTLD_LAZY | RTLD_LOCAL);
  gpointer found = handle ? dlsym (handle, symbol) : NULL;
  if (!found)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "cannot load %s: %s",
                 libraries[library].name, dlerror ());
  return found;
}
