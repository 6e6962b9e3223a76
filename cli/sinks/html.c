/* The page of -html. */
#include "cli/sinks/report.h"
#include "cli/sinks/stream.h"
#include "report/page/page.h"

/* A run may take hours, so what can be known beforehand is reported beforehand. */
static gboolean
begin_html (CliSink *sink)
{
  return cli_can_write_file (sink->options->html);
}

static gboolean
end_html (CliSink *sink, const GPtrArray *records)
{
  g_autoptr (GString) page = g_string_new (NULL);
  rsp_page_format (records, page);
  return cli_write_file (sink->options->html, page);
}

const CliSink cli_sink_html = { .begin = begin_html, .end = end_html };
