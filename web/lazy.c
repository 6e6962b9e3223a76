/* In WebAssembly nothing can be loaded: of the libraries of cli/lazy/ there is what json.c has of
 * JSON-GLib. */
#include "cli/lazy/lazy.h"
#include "web/json.h"

gpointer cli_lazy_find (CliLibrary library, const char *symbol, GError **error) {
  static const char *const names[] = { "GObject", "GIO", "JSON-GLib", "Graphviz" };
  gpointer found = library <= CLI_LIBRARY_JSON_GLIB ? web_json_find (symbol) : NULL;
  if (!found)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "%s is not in this program (%s)",
                 names[library], symbol);
  return found;
}
