/* The page of -html. */
#include "cli/sinks/render.h"
#include "cli/sinks/report.h"
#include "cli/sinks/stream.h"
#include "report/page/page.h"

/* A run may take hours, so what can be known beforehand is reported beforehand. */
static gboolean
begin_html (CliSink *sink)
{
  return cli_can_write_file (sink->options->html);
}

/* The SVG element alone, without what stands before it in a file. Graphviz is started when there is
 * something to draw. */
static char *
draw (gpointer data, const char *dot)
{
  CliSink *sink = data;
  if (!sink->data)
    sink->data = cli_renderer_new ();
  g_autoptr (GBytes) bytes = cli_render (sink->data, dot, "svg");
  gsize length = 0;
  const char *text = bytes ? g_bytes_get_data (bytes, &length) : NULL;
  const char *start = text ? g_strstr_len (text, (gssize) length, "<svg") : NULL;
  return start ? g_strndup (start, length - (gsize) (start - text)) : NULL;
}

static gboolean
end_html (CliSink *sink, const GPtrArray *records)
{
  g_autoptr (GString) page = g_string_new (NULL);
  RspPageDrawing drawing = { draw, sink };
  rsp_page_format (records, &drawing, page);
  return cli_write_file (sink->options->html, page);
}

static void
clear_html (CliSink *sink)
{
  cli_renderer_free (sink->data);
}

const CliSink cli_sink_html = { .begin = begin_html, .end = end_html, .clear = clear_html };
