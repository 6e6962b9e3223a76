/* The forms of the report on standard output, except the log. */
#include "cli/expect/expect.h"
#include "cli/sinks/report.h"
#include "cli/base/stream.h"
#include "report/json/json.h"
#include "report/tables/tsv.h"

#include <unistd.h>

static gboolean take_json (CliSink *sink, const RspRecord *record) {
  g_autoptr (GString) line = g_string_new (NULL);
  (void) sink;
  rsp_json_format (record, line);
  return cli_write (line);
}

static gboolean begin_tsv (CliSink *sink) {
  g_autoptr (GString) head = g_string_new (NULL);
  (void) sink;
  rsp_tsv_format_header (head);
  return cli_write (head);
}

static gboolean take_tsv (CliSink *sink, const RspRecord *record) {
  g_autoptr (GString) line = g_string_new (NULL);
  (void) sink;
  rsp_tsv_format (record, line);
  return cli_write (line);
}

/* ---- Comparisons ---- */

static gboolean begin_table (CliSink *sink) {
  sink->data = rsp_comparison_new (&(RspTableStyle){ .colour = cli_uses_colour (STDOUT_FILENO),
                                                     .only_diff = sink->options->diff > 0 });
  return TRUE;
}

static void take_row (CliSink *sink, const GPtrArray *records) {
  rsp_comparison_add (sink->data, records);
}

static gboolean end_table (CliSink *sink, const GPtrArray *records) {
  g_autoptr (GString) table = g_string_new (NULL);
  (void) records;
  rsp_comparison_format (sink->data, table);
  return cli_write (table);
}

static void clear_table (CliSink *sink) { rsp_comparison_free (sink->data); }

/* ---- -expect ---- */

static gboolean begin_expect (CliSink *sink) {
  sink->data = cli_comparison_new (sink->expectations);
  return TRUE;
}

static gboolean take_expect (CliSink *sink, const RspRecord *record) {
  cli_comparison_take (sink->data, record);
  return TRUE;
}

/* Shows the differences, and only then promotes them. */
static gboolean end_expect (CliSink *sink, const GPtrArray *records) {
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

static void clear_expect (CliSink *sink) { cli_comparison_free (sink->data); }

const CliSink cli_sink_json = { .take = take_json };
const CliSink cli_sink_tsv = { .begin = begin_tsv, .take = take_tsv };
const CliSink cli_sink_table
    = { .begin = begin_table, .take_row = take_row, .end = end_table, .clear = clear_table };
const CliSink cli_sink_expect
    = { .begin = begin_expect, .take = take_expect, .end = end_expect, .clear = clear_expect };
