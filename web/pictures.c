/* report/page/pictures.h without Graphviz: the graphs are in the page as they are, and the page
 * draws those that it shows. */
#include "report/page/pictures.h"

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
