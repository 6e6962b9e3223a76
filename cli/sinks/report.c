#include "cli/sinks/report.h"
#include "cli/machine/machines.h"

struct CliReport {
  const CliOptions *options;
  CliExpectations *expectations;
  GArray *sinks;      /* of CliSink */
  GPtrArray *row;     /* of RspRecord: those of the current test */
  GPtrArray *records; /* of RspRecord: all before them, if some sink keeps them */
  gboolean unsound;   /* has there been a test that a mapping makes unsound? */
};

#define all_sinks(sink, report)                                                                    \
  CliSink *sink = (CliSink *) (report)->sinks->data, *end_ = sink + (report)->sinks->len;          \
  sink < end_;                                                                                     \
  sink++

/* The form on standard output. NULL if more than one is requested. */
static const CliSink *choose_form (const CliOptions *options, guint n_models,
                                   RspDiagnostics *diagnostics) {
  const char *wrong = NULL;
  if (!!options->json + !!options->tsv + !!options->diff + !!options->expect > 1)
    wrong = "`-json`, `-tsv`, `-diff` and `-expect` are forms of one report: give only one of them";
  else if (options->expect && options->check.speedcheck != RSPCHECK_SPEED_EXACT)
    wrong = "`-expect` compares counts of executions, and `-speedcheck` does not count them";
  else if (options->expect && options->check.engine == RSPCHECK_ENGINE_SAT)
    wrong = "`-expect` compares counts of executions, and `-engine sat` does not count them";
  else if (options->expect && options->compared->len)
    wrong = "`-expect` compares with what is expected, and `-compare` with logs: give only one of "
            "them";
  if (wrong) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s", wrong);
    return NULL;
  }
  if (options->expect)
    return &cli_sink_expect;
  if (options->json)
    return &cli_sink_json;
  if (options->tsv)
    return &cli_sink_tsv;
  if (cli_machines_are_requested (options))
    return &cli_sink_machine;
  if (options->run != RSP_N_TARGETS && !options->diff && !options->compared->len)
    return &cli_sink_device;
  if (n_models > 1 || options->diff || options->compared->len)
    return &cli_sink_table;
  return options->progress->len > 1 ? &cli_sink_progress : &cli_sink_log;
}

/* Pictures go to files, or as text after the log. */
static gboolean draws (const CliOptions *options) {
  return options->show != 0 || options->view || options->drawn->len
         || options->format != CLI_FORMAT_NOT_GIVEN;
}

/* FALSE, with an error, if pictures that are not text have no folder. */
static gboolean may_draw (const CliOptions *options, RspDiagnostics *diagnostics) {
  gboolean is_text = options->format == CLI_FORMAT_DOT || options->format == CLI_FORMAT_TEXT
                     || options->format == CLI_FORMAT_NOT_GIVEN;
  if (!draws (options) || is_text || options->logs || options->view)
    return TRUE;
  rsp_error (diagnostics, RSP_NOWHERE, "-o DIR",
             "pictures in this format go to files, which need a folder");
  return FALSE;
}

static void add_sink (CliReport *report, const CliSink *kind) {
  CliSink sink = *kind;
  sink.options = report->options;
  sink.expectations = report->expectations;
  g_array_append_val (report->sinks, sink);
}

CliReport *cli_report_new (const CliOptions *options, guint n_models, CliExpectations *expectations,
                           RspDiagnostics *diagnostics) {
  const CliSink *form = choose_form (options, n_models, diagnostics);
  if (!form || !may_draw (options, diagnostics))
    return NULL;
  CliReport *report = g_new0 (CliReport, 1);
  report->options = options;
  report->expectations = expectations;
  report->sinks = g_array_new (FALSE, FALSE, sizeof (CliSink));
  report->row = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_record_free);
  report->records = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_record_free);
  add_sink (report, form);
  if (options->logs)
    add_sink (report, &cli_sink_logs);
  if (draws (options))
    add_sink (report, &cli_sink_pictures);
  if (options->html)
    add_sink (report, &cli_sink_html);
  return report;
}

void cli_report_free (CliReport *report) {
  if (!report)
    return;
  for (all_sinks (sink, report))
    if (sink->clear)
      sink->clear (sink);
  g_array_unref (report->sinks);
  g_ptr_array_unref (report->row);
  g_ptr_array_unref (report->records);
  g_free (report);
}

gboolean cli_report_begin (CliReport *report) {
  for (all_sinks (sink, report))
    if (sink->begin && !sink->begin (sink))
      return FALSE;
  return TRUE;
}

static gboolean keeps_records (const CliReport *report) {
  for (all_sinks (sink, report))
    if (sink->keeps_records)
      return TRUE;
  return FALSE;
}

/* The test's last record was taken. */
static void end_row (CliReport *report) {
  if (report->row->len == 0)
    return;
  for (all_sinks (sink, report))
    if (sink->take_row)
      sink->take_row (sink, report->row);
  if (keeps_records (report))
    g_ptr_array_extend_and_steal (report->records, g_steal_pointer (&report->row));
  else
    g_ptr_array_unref (report->row);
  report->row = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_record_free);
}

gboolean cli_report_take (CliReport *report, RspRecord *record) {
  const RspMachineReport *machine = &record->machine;
  gboolean written = TRUE;
  if (report->row->len && ((RspRecord *) report->row->pdata[0])->index != record->index)
    end_row (report);
  report->unsound |= cli_machines_are_requested (report->options)
                     && (machine->verdict == RSP_UNSOUND || machine->violated);
  for (all_sinks (sink, report))
    written = written && (!sink->take || sink->take (sink, record));
  g_ptr_array_add (report->row, record);
  return written;
}

gboolean cli_report_end (CliReport *report) {
  end_row (report);
  for (all_sinks (sink, report))
    if (sink->end && !sink->end (sink, report->records))
      return FALSE;
  return TRUE;
}

gboolean cli_report_differs (const CliReport *report) {
  for (all_sinks (sink, report))
    if (sink->differs)
      return TRUE;
  return FALSE;
}

gboolean cli_report_is_unsound (const CliReport *report) { return report->unsound; }
