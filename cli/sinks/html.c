/* The page of -html. */
#include "cli/sinks/live.h"
#include "cli/sinks/render.h"
#include "cli/sinks/report.h"
#include "cli/base/stream.h"
#include "report/page/page.h"

/* A run may take hours, so errors that can be detected beforehand are reported beforehand. */
static gboolean begin_html (CliSink *sink) {
  g_autofree char *workbench = sink->options->live ? cli_live_find () : NULL;
  if (!sink->options->live || workbench)
    return cli_can_write_file (sink->options->html);
  fprintf (stderr, "error: -live needs the workbench's page, which `make workbench` makes\n");
  return FALSE;
}

typedef struct Drawer {
  CliRenderer *renderer;
  GError *error; /* why some picture is missing, or NULL */
} Drawer;

/* The SVG element alone, without what precedes it in a file. */
static char *draw (gpointer data, const char *dot) {
  Drawer *drawer = data;
  g_autoptr (GBytes) bytes
      = cli_render (drawer->renderer, dot, "svg", drawer->error ? NULL : &drawer->error);
  gsize length = 0;
  const char *text = bytes ? g_bytes_get_data (bytes, &length) : NULL;
  const char *start = text ? g_strstr_len (text, (gssize) length, "<svg") : NULL;
  return start ? g_strndup (start, length - (gsize) (start - text)) : NULL;
}

/* The page is written even if pictures are missing. */
static gboolean end_html (CliSink *sink, const GPtrArray *records) {
  g_autoptr (GString) page = g_string_new (NULL);
  Drawer drawer = { cli_renderer_new (), NULL };
  g_autofree char *live = sink->options->live ? cli_live_format (sink->options) : NULL;
  RspPageDrawing drawing = { draw, &drawer, live };
  rsp_page_format (records, &drawing, page);
  cli_renderer_free (drawer.renderer);
  gboolean written = cli_write_file (sink->options->html, page);
  if (drawer.error)
    fprintf (stderr, "error: %s lacks pictures: %s\n", sink->options->html, drawer.error->message);
  g_autoptr (GError) error = drawer.error;
  return written && !error;
}

const CliSink cli_sink_html = { .begin = begin_html, .end = end_html, .keeps_records = TRUE };
