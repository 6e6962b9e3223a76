#include "cli/device/results.h"
#include "cli/base/stream.h"
#include "report/tables/relate.h"
#include "report/log/read_log.h"

#include <string.h>

typedef struct Results {
  const CliJobs *jobs;
  const CliSuite *suite;
  const GPtrArray *columns; /* of CliColumn: those of -model */
  GPtrArray *entries;       /* of RspLogEntry, in the suite's order; some tests may be missing */
  guint n_entries;          /* taken so far */
  const char *log;
  CliReport *report;
  CliCompared *compared;
  gboolean failed, violated;
} Results;

/* ---- The device's record ---- */

/* "Refused NAME: reason" */
static char *find_reason (const Results *r, const RspProgram *program) {
  g_autofree char *begin = g_strdup_printf ("Refused %s: ", program->name);
  const char *at = g_str_has_prefix (r->log, begin) ? r->log : strstr (r->log, begin);
  if (!at)
    return g_strdup ("the tests' program ended before this test");
  at += strlen (begin);
  return g_strndup (at, strcspn (at, "\n"));
}

/* The log's record of the program; NULL if it has none. */
static RspRecord *take_entry (Results *r, const RspProgram *program) {
  if (r->n_entries == r->entries->len)
    return NULL;
  RspLogEntry *entry = r->entries->pdata[r->n_entries];
  if (!g_str_equal (entry->record->test, program->name))
    return NULL;
  r->n_entries++;
  return g_steal_pointer (&entry->record);
}

static char *describe_options (const CliOptions *options) {
  return g_strdup_printf (
      "run=%s remote=%s unroll=%u runs=%" G_GUINT64_FORMAT " seconds=%g seed=%" G_GUINT64_FORMAT,
      rsp_target_names[options->run], options->bounds.remote ? "ordinary" : "refuse",
      options->check.unroll, options->runs, options->seconds, options->seed);
}

/* The target's name, or a different one if a model has that name (opencl). */
static char *column_label (const Results *r) {
  const char *name = rsp_target_names[r->jobs->options->run];
  for (guint k = 0; k < r->columns->len; k++)
    if (g_str_equal (((const CliColumn *) r->columns->pdata[k])->label, name))
      return g_strdup_printf ("%s device", name);
  return g_strdup (name);
}

static RspRecord *device_record (Results *r, guint i) {
  const RspProgram *program = r->suite->programs->pdata[i];
  guint index = g_array_index (r->suite->indices, guint, i);
  const char *path = r->jobs->paths->pdata[index];
  RspRecord *record = take_entry (r, program);
  if (!record) {
    g_autofree char *reason = find_reason (r, program);
    record = rsp_record_new (program->name, path, "", reason);
  }
  record->is_device = TRUE;
  record->index = index;
  record->total = r->jobs->paths->len;
  record->column = r->columns->len;
  record->columns = r->columns->len + 1;
  g_clear_pointer (&record->log, g_free);
  g_free (record->path);
  record->path = g_strdup (path);
  g_free (record->model);
  record->model = column_label (r);
  record->options = describe_options (r->jobs->options);
  g_free (record->version);
  record->version = g_strdup (RSP_VERSION);
  rsp_record_set_program (record, program);
  rsp_record_set_question (record, program);
  return record;
}

/* ---- Rows ---- */

static void take_record (Results *r, RspRecord *record) {
  r->failed |= !rsp_record_is_ok (record);
  r->failed |= !cli_report_take (r->report, record);
}

/* The device's record, and the records of logs for the same test. */
static void take_device (Results *r, RspRecord *device) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (GPtrArray) compared = cli_compared_with (r->compared, device, diagnostics);
  cli_print_diagnostics (diagnostics, r->jobs->options->quiet);
  take_record (r, device);
  for (guint k = 0; k < compared->len; k++)
    cli_report_take (r->report, g_steal_pointer (&compared->pdata[k]));
}

static void report_cell (Results *r, CliCell *cell) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  cli_models_report (r->jobs->models, cell->model, diagnostics);
  r->failed |= cli_print_diagnostics (diagnostics, r->jobs->options->quiet) > 0;
  r->failed |= cli_print_diagnostics (cell->diagnostics, r->jobs->options->quiet) > 0;
  cell->record->columns++;
}

static void report_row (Results *r, guint i) {
  CliResult *result = g_new0 (CliResult, 1);
  RspRecord *device = device_record (r, i);
  result->diagnostics = rsp_diagnostics_new ();
  cli_job_check (r->jobs, device->index, r->suite->programs->pdata[i], r->columns, result);
  for (guint k = 0; k < result->n_cells; k++) {
    report_cell (r, &result->cells[k]);
    rsp_judge_record (device, result->cells[k].record);
  }
  r->violated |= rsp_record_is_violation (device);
  for (guint k = 0; k < result->n_cells; k++)
    take_record (r, g_steal_pointer (&result->cells[k].record));
  take_device (r, device);
  cli_result_free (result);
}

gboolean cli_results_report (const CliJobs *jobs, const CliSuite *suite, const char *log,
                             CliReport *report, CliCompared *compared, gboolean *violated) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspSource) source = rsp_source_new ("log", g_strdup (log), strlen (log));
  Results r = { .jobs = jobs,
                .suite = suite,
                .columns = jobs->columns->given,
                .entries = rsp_log_read (source, rsp_target_names[jobs->options->run], diagnostics),
                .log = log,
                .report = report,
                .compared = compared };
  r.failed = !cli_report_begin (report);
  for (guint i = 0; i < suite->programs->len; i++)
    report_row (&r, i);
  r.failed |= !cli_report_end (report);
  g_ptr_array_unref (r.entries);
  *violated = r.violated;
  return !r.failed;
}
