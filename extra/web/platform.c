/* Stand-ins for threads, Graphviz and -serve in WebAssembly. */
#include "cli/internal.h"
#include "cli/lazy.h"
#include "cli/workers.h"
#include "report/page/page.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Lazy ----------------------------------------------------------------------------------- */

/* In WebAssembly nothing can be loaded. */

gpointer cli_lazy_find (CliLibrary library, const char *symbol, GError **error) {
  (void) library;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "Graphviz is not in this program (%s)",
               symbol);
  return NULL;
}

/* ---- Absent --------------------------------------------------------------------------------- */

/* Functions that the program and GLib call and a browser lacks: translations. */

const char *g_dngettext (const char *domain, const char *one, const char *several, gulong n) {
  (void) domain;
  return n == 1 ? one : several;
}

/* ---- Pictures ------------------------------------------------------------------------------- */

/* report/page/page.h without Graphviz: the graphs are in the page as they are, and the page
 * draws those that it shows. */

char *rsp_page_pack_pictures (const RspRecord *const *cells, guint n_models,
                              const RspPageDrawing *drawing) {
  GString *out = g_string_new ("{\"cells\":[");
  gboolean any = FALSE;
  for (guint k = 0; k < n_models; k++) {
    const char *candidates = cells[k] ? cells[k]->candidates : NULL;
    g_string_append_printf (out, "%s%s", k ? "," : "", candidates ? candidates : "null");
    any |= candidates != NULL;
  }
  g_string_append (out, "]}");
  return g_string_free (out, !any || !drawing);
}

/* ---- Workers -------------------------------------------------------------------------------- */

/* cli/workers.c without threads and signals. */

void cli_signals_hold (CliSignals *signals) { (void) signals; }

int cli_signals_arrived (const CliSignals *signals) {
  (void) signals;
  return 0;
}

int cli_signal_held (void) { return 0; }

void cli_signals_release (const CliSignals *signals) { (void) signals; }

gboolean cli_signal_is_ignored (int number) { return number > 0; }

void cli_signals_die (int number) { _Exit (128 + number); }

CliWorkEnd cli_workers_run (const CliWork *work, guint jobs, guint n) {
  (void) jobs;
  for (guint i = 0; i < n; i++) {
    const CliWorkView view = { n, i, TRUE, i, g_get_monotonic_time () };
    if (work->tick && !work->tick (work->data, &view))
      return CLI_WORK_INTERRUPTED;
    if (!work->take (work->data, i, work->make (work->data, i)))
      return CLI_WORK_ENDED;
  }
  return CLI_WORK_DONE;
}
