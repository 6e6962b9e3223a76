/* The report, which receives a run's records. It has one or more sinks, chosen by the options: a
 * form on standard output (log, comparison, tab-separated table, JSON Lines), and files. */
#pragma once

#include "cli/expect/expectations.h"
#include "report/record.h"

typedef struct CliReport CliReport;

/* NULL, with an error in diagnostics, if the options request forms that exclude each other.
 * Several models make the report a comparison. expectations are NULL without -expect. Both must
 * outlive the report. */
CliReport *cli_report_new (const CliOptions *options, guint n_models, CliExpectations *expectations,
                           RspDiagnostics *diagnostics);
void cli_report_free (CliReport *report);

/* Before the first record, for each record in the order of tests and models, and after the last
 * one. cli_report_take takes the record. FALSE if something cannot be written. */
gboolean cli_report_begin (CliReport *report);
gboolean cli_report_take (CliReport *report, RspRecord *record);
gboolean cli_report_end (CliReport *report);
/* After the end: was some result not as expected? */
gboolean cli_report_differs (const CliReport *report);
/* Was a test unsound on the machine, or did it violate an invariant? */
gboolean cli_report_is_unsound (const CliReport *report);

/* ---- Private part: for sinks ---- */

/* One form. Functions may be NULL if there is nothing to do, and return FALSE if they cannot
 * write. */
typedef struct CliSink {
  const CliOptions *options;
  CliExpectations *expectations; /* NULL without -expect */
  gboolean (*begin) (struct CliSink *sink);
  gboolean (*take) (struct CliSink *sink, const RspRecord *record);
  /* records: those of one test, once all of them were taken, of RspRecord */
  void (*take_row) (struct CliSink *sink, const GPtrArray *records);
  /* records: all of the run, in order, if the sink keeps them; else none */
  gboolean (*end) (struct CliSink *sink, const GPtrArray *records);
  void (*clear) (struct CliSink *sink);
  gboolean keeps_records;
  gpointer data;    /* the sink's own */
  gboolean differs; /* is some result not as expected? */
} CliSink;

/* The forms on standard output. */
extern const CliSink cli_sink_log, cli_sink_progress, cli_sink_tsv, cli_sink_json, cli_sink_table,
    cli_sink_expect, cli_sink_machine, cli_sink_device;
/* Files. */
extern const CliSink cli_sink_html, cli_sink_logs, cli_sink_pictures;
