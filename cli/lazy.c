/* Libraries that are loaded when one of their functions is first called. */
#include "cli/lazy.h"
#include "generated/cli/sonames.h"

#include <dlfcn.h>

/* The name of each library is the one that programs linked with it record (SONAME): the Makefile
 * looks it up. */
static const struct {
  const char *name, *file;
} libraries[] = {
  [CLI_LIBRARY_GOBJECT] = { "GObject", CLI_LAZY_GOBJECT },
  [CLI_LIBRARY_GIO] = { "GIO", CLI_LAZY_GIO },
  [CLI_LIBRARY_GRAPHVIZ] = { "Graphviz", CLI_LAZY_GRAPHVIZ },
#ifdef RSP_SERVES
  [CLI_LIBRARY_SOUP] = { "libsoup", CLI_LAZY_SOUP },
#endif
};

_Static_assert(sizeof CLI_LAZY_GOBJECT > 1 && sizeof CLI_LAZY_GIO > 1
                   && sizeof CLI_LAZY_GRAPHVIZ > 1,
               "the Makefile has not found the SONAME of each library");

gpointer cli_lazy_find (CliLibrary library, const char *symbol, GError **error) {
  gpointer handle = dlopen (libraries[library].file, RTLD_LAZY | RTLD_LOCAL);
  gpointer found = handle ? dlsym (handle, symbol) : NULL;
  if (!found)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "cannot load %s: %s",
                 libraries[library].name, dlerror ());
  return found;
}
