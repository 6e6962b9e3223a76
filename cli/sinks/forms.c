/* The forms of the report on standard output, but for the log. */
#include "cli/expect/expect.h"
#include "cli/sinks/report.h"
#include "cli/sinks/stream.h"
#include "report/json/json.h"
#include "report/tsv.h"

#include <unistd.h>

static gboolean
take_json (CliSink *sink, const RspRecord *record)
{
  g_autoptr (GString) line = g_string_new (NULL);
  (void) sink;
  rsp_json_format (record, line);
  return cli_write (line);
}

static gboolean
begin_tsv (CliSink *sink)
{
  g_autoptr (GString) head = g_string_new (NULL);
  (void) sink;
  rsp_tsv_format_header (head);
  return cli_write (head);
}

static gboolean
take_tsv (CliSink *sink, const RspRecord *record)
{
  g_autoptr (GString) line = g_string_new (NULL);
  (void) sink;
  rsp_tsv_format (record, line);
  return cli_write (line);
}

static gboolean
end_table (CliSink *sink, const GPtrArray *records)
{
  g_autoptr (GString) table = g_string_new (NULL);
  RspTableStyle style
      = { .colour = cli_uses_colour (STDOUT_FILENO), .only_diff = sink->options->diff > 0 };
  rsp_compare_format (records, &style, table);
  return cli_write (table);
}

/* ---- -expect ---- */

static gboolean
begin_expect (CliSink *sink)
{
  sink->data = cli_comparison_new (sink->expectations);
  return TRUE;
}

static gboolean
take_expect (CliSink *sink, const RspRecord *record)
{
  cli_comparison_take (sink->data, record);
  return TRUE;
}

/* Shows the differences, and only then makes them what is expected. */
static gboolean
end_expect (CliSink *sink, const GPtrArray *records)
{
  CliComparison *comparison = sink->data;
  gboolean promote = sink->options->promote > 0, written;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  (void) records;
  cli_comparison_end (comparison);
  cli_comparison_format (comparison, cli_uses_colour (STDOUT_FILENO), text);
  if (!promote)
    cli_comparison_note_promote (comparison, diagnostics);
  written = cli_write (text) && (!promote || cli_comparison_promote (comparison, diagnostics));
  cli_print_diagnostics (diagnostics, sink->options->quiet);
  if (!written)
    return FALSE;
  sink->differs = !promote && cli_comparison_differs (comparison);
  g_string_truncate (text, 0);
  cli_comparison_format_counts (comparison, promote, text);
  return cli_write (text);
}

static void
clear_expect (CliSink *sink)
{
  cli_comparison_free (sink->data);
}

const CliSink cli_sink_json = { .take = take_json };
const CliSink cli_sink_tsv = { .begin = begin_tsv, .take = take_tsv };
const CliSink cli_sink_table = { .end = end_table };
const CliSink cli_sink_expect
    = { .begin = begin_expect, .take = take_expect, .end = end_expect, .clear = clear_expect };
