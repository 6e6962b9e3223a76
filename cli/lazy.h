/* Graphviz, libsoup, libseccomp and GIO are loaded when a picture is drawn, when a server starts,
 * when the program is confined, when it starts other programs: few runs need them, and loading them
 * takes longer than checking a test. */
#pragma once

#include <glib.h>

typedef enum CliLibrary {
  CLI_LIBRARY_GRAPHVIZ,
  CLI_LIBRARY_SOUP,
  CLI_LIBRARY_SECCOMP,
  CLI_LIBRARY_GIO
} CliLibrary;

/* The address of a function or variable. Loads the library if necessary; it stays loaded. NULL if
 * the library cannot be loaded or lacks the symbol. */
gpointer cli_lazy_find (CliLibrary library, const char *symbol, GError **error);
