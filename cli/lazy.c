/* Libraries that are loaded when they are needed. */
#include "cli/lazy.h"
#include "cli/gio.h"
#include "generated/cli/sonames.h"

#include <dlfcn.h>

/* The file of each library is the one that programs linked with it record (SONAME): the Makefile
 * looks it up. */
static const struct {
  const char *name, *file;
} libraries[] = {
  [CLI_LIBRARY_GIO] = { "GIO", CLI_LAZY_GIO },
  [CLI_LIBRARY_GRAPHVIZ] = { "Graphviz", CLI_LAZY_GRAPHVIZ },
#ifdef RSP_SERVES
  [CLI_LIBRARY_SOUP] = { "libsoup", CLI_LAZY_SOUP },
#endif
#ifdef RSP_CONFINES
  [CLI_LIBRARY_SECCOMP] = { "libseccomp", CLI_LAZY_SECCOMP },
#endif
};

_Static_assert(sizeof CLI_LAZY_GRAPHVIZ > 1, "the Makefile has not found Graphviz's SONAME");
_Static_assert(sizeof CLI_LAZY_GIO > 1, "the Makefile has not found GIO's SONAME");

CliGio cli_gio;

gpointer cli_lazy_find (CliLibrary library, const char *symbol, GError **error) {
  gpointer handle = dlopen (libraries[library].file, RTLD_LAZY | RTLD_LOCAL);
  gpointer found = handle ? dlsym (handle, symbol) : NULL;
  if (!found)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "cannot load %s: %s",
                 libraries[library].name, dlerror ());
  return found;
}

gboolean cli_load_gio (GError **error) {
#define LOAD(name)                                                                                 \
  if (!(cli_gio.name = cli_lazy_find (CLI_LIBRARY_GIO, "g_" #name, error)))                        \
    return FALSE;
  CLI_GIO (LOAD)
#undef LOAD
  return TRUE;
}
