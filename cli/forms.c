/* The forms of the report on standard output. */
#include "cli/report.h"
#include "cli/stream.h"
#include "report/compare.h"
#include "report/json.h"
#include "report/log.h"

#include <unistd.h>

static gboolean
take_log (CliSink *sink, const RspRecord *record)
{
  const CliOptions *options = sink->options;
  g_autoptr (GString) log = g_string_new (NULL);
  if (options->bad_executions || !rsp_record_is_undefined (record))
    rsp_log_format (record, options->verbose > 0, log);
  return cli_write (log);
}

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
      = { .colour = cli_wants_colour (STDOUT_FILENO), .only_diff = sink->options->diff > 0 };
  rsp_compare_format (records, &style, table);
  return cli_write (table);
}

const CliSink cli_sink_log = { .take = take_log };
const CliSink cli_sink_json = { .take = take_json };
const CliSink cli_sink_tsv = { .begin = begin_tsv, .take = take_tsv };
const CliSink cli_sink_table = { .end = end_table };
