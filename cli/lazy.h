/* Libraries that are loaded at first use. Most runs write a log and need GLib alone; loading
 * GIO, GObject and Graphviz with the program would take longer than checking a test. */
#pragma once

#include <glib.h>

typedef enum CliLibrary {
  CLI_LIBRARY_GOBJECT,
  CLI_LIBRARY_GIO,
  CLI_LIBRARY_GRAPHVIZ,
  CLI_LIBRARY_SOUP
} CliLibrary;

/* The address of a function or variable. Loads the library if necessary; it stays loaded. NULL if
 * the library cannot be loaded or lacks the symbol. */
gpointer cli_lazy_find (CliLibrary library, const char *symbol, GError **error);
