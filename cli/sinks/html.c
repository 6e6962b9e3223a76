/* The page of -html. */
#include "cli/sinks/render.h"
#include "cli/sinks/report.h"
#include "cli/base/stream.h"
#include "report/page/page.h"

/* A run may take hours, so errors that can be detected beforehand are reported beforehand. */
static gboolean
begin_html (CliSink *sink)
{
  return cli_can_write_file (sink->options->html);
}

typedef struct Drawer
{
  CliRenderer *renderer;
  GError *error; /* why some picture is missing, or NULL */
} Drawer;

/* The SVG element alone, without what precedes it in a file. */
static char *
draw (gpointer data, const char *dot)
{
  Drawer *drawer = data;
  g_autoptr (GBytes) bytes
      = cli_render (drawer->renderer, dot, "svg", drawer->error ? NULL : &drawer->error);
  gsize length = 0;
  const char *text = bytes ? g_bytes_get_data (bytes, &length) : NULL;
  const char *start = text ? g_strstr_len (text, (gssize) length, "<svg") : NULL;
  return start ? g_strndup (start, length - (gsize) (start - text)) : NULL;
}

/* The page is written even if pictures are missing. */
static gboolean
end_html (CliSink *sink, const GPtrArray *records)
{
  g_autoptr (GString) page = g_string_new (NULL);
  Drawer drawer = { cli_renderer_new (), NULL };
  RspPageDrawing drawing = { draw, &drawer };
  rsp_page_format (records, &drawing, page);
  cli_renderer_free (drawer.renderer);
  gboolean written = cli_write_file (sink->options->html, page);
  if (drawer.error)
    fprintf (stderr, "error: %s lacks pictures: %s\n", sink->options->html, drawer.error->message);
  g_autoptr (GError) error = drawer.error;
  return written && !error;
}

const CliSink cli_sink_html = { .begin = begin_html, .end = end_html, .keeps_records = TRUE };
