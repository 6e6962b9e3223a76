/* A run: which checks there are, who does them, and what becomes of their records. */
#include "api/api.h"
#include "cli/extra.h"
#include "cli/internal.h"
#include "cli/workers.h"
#include "enumerator/search/search.h"
#include "parser/litmus/litmus.h"
#include "report/page/page.h"
#include "report/record.h"
#include "report/report.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Notes ---------------------------------------------------------------------------------- */

/* Adds what -v tells of the cell's search to its diagnostics: the journal, if there is one,
 * statistics, and evidence. */
static void note_search (CliCell *cell, const RspModel *model, const GString *journal) {
  const RspRecord *record = cell->record;
  const RspStatistics *s = &record->statistics;
  g_auto (GStrv) lines = g_strsplit (journal ? journal->str : "", "\n", -1);
  for (guint i = 0; lines[i] && *lines[i]; i++)
    rsp_note (cell->diagnostics, RSP_NOWHERE, "%s", lines[i]);
  rsp_note (cell->diagnostics, RSP_NOWHERE, "test %s, model %s (%s, sha256 %s)", record->test,
            model->name, model->path, model->digest);
  rsp_note (cell->diagnostics, RSP_NOWHERE,
            "%" G_GUINT64_FORMAT " paths, %" G_GUINT64_FORMAT " pre-executions, %" G_GUINT64_FORMAT
            " nodes, %" G_GUINT64_FORMAT " pruned branches, %" G_GUINT64_FORMAT
            " leaves, %" G_GUINT64_FORMAT " found in the memo, %" G_GUINT64_FORMAT
            " forced pairs; paths %.3f s, staging %.3f s, search %.3f s",
            s->paths, s->pre_executions, s->nodes, s->prunings, s->leaves, s->memo_hits, s->forced,
            s->seconds_paths, s->seconds_stage, s->seconds_search);
  g_autoptr (GString) text = g_string_new ("pruned by:");
  for (guint i = 0; i < record->prunings->len; i++) {
    const RspPruning *pruning = &g_array_index (record->prunings, RspPruning, i);
    g_string_append_printf (text, "%s %s %" G_GUINT64_FORMAT, i ? "," : "", pruning->name,
                            pruning->n);
    if (pruning->forced)
      g_string_append_printf (text, " (forced %" G_GUINT64_FORMAT ")", pruning->forced);
  }
  if (record->prunings->len)
    rsp_note (cell->diagnostics, RSP_NOWHERE, "%s", text->str);
  for (guint i = 0; i < record->flags->len; i++) {
    const char *flag = record->flags->pdata[i];
    g_autoptr (GString) evidence = g_string_new (NULL);
    rsp_record_format_evidence (record, flag, evidence);
    if (evidence->len)
      rsp_note (cell->diagnostics, RSP_NOWHERE, "test %s, model %s: %s%s", record->test,
                record->model, flag, evidence->str);
  }
}

/* ---- Missing -------------------------------------------------------------------------------- */

enum {
  NAMED_MISSING = 8,   /* limit of missing tests, or shares, that are named */
  MOST_LISTED = 100000 /* limit of missing tests that are examined, in case a file claims
                        * billions */
};

/* Things of one kind that are missing. */
typedef struct Missing {
  guint n;
  GString *named;
} Missing;

static void miss (Missing *missing, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void miss (Missing *missing, const char *format, ...) {
  if (missing->n++ >= NAMED_MISSING) {
    if (missing->n == NAMED_MISSING + 1)
      g_string_append (missing->named, ", …");
    return;
  }
  va_list arguments;
  va_start (arguments, format);
  g_string_append (missing->named, missing->n > 1 ? ", " : "");
  g_string_append_vprintf (missing->named, format, arguments);
  va_end (arguments);
}

static const RspRecord *record_at (const GPtrArray *records, guint at) {
  return records->pdata[at];
}

/* The tests that are missing. */
typedef struct Tests {
  guint64 n;
  GArray *numbers; /* of guint, from 0: the first of them */
} Tests;

/* ---- Shares ---- */
/* The N of the shares K/N of the records; 0 if there is none. */
static guint shares_of (const GPtrArray *records) {
  guint of = 0;
  for (guint i = 0; i < records->len; i++) {
    guint number, own;
    const char *shard = record_at (records, i)->shard;
    if (!shard || sscanf (shard, "%u/%u", &number, &own) != 2)
      continue;
    if (!own || (of && own != of))
      return 0;
    of = own;
  }
  return of;
}

static int compare_numbers (gconstpointer a, gconstpointer b) {
  guint x = *(const guint *) a, y = *(const guint *) b;
  return (x > y) - (x < y);
}

/* ---- All ---- */
static void add_range (Tests *tests, guint begin, guint end) {
  for (guint index = begin; index < end && tests->numbers->len < MOST_LISTED; index++)
    g_array_append_val (tests->numbers, index);
  tests->n += end > begin ? end - begin : 0;
}

gboolean cli_missing_report (const GPtrArray *records, RspDiagnostics *diagnostics) {
  Tests tests = { 0, g_array_new (FALSE, FALSE, sizeof (guint)) };
  Missing models = { 0, g_string_new (NULL) };
  g_autoptr (GHashTable) titles = rsp_test_titles (records);
  guint next = 0;
  for (guint at = 0; at < records->len;) {
    const RspRecord *record = record_at (records, at);
    guint index = record->index, n = 0, columns = 0;
    add_range (&tests, next, index);
    next = index + 1;
    for (; at < records->len && record_at (records, at)->index == index; at++) {
      record = record_at (records, at);
      n += !record->log;
      columns = record->log ? columns : MAX (columns, record->columns);
    }
    g_autofree char *title = rsp_test_title (titles, record->test, record->path);
    if (n < columns)
      miss (&models, "%s (%u of %u)", title, n, columns);
  }
  if (records->len)
    add_range (&tests, next, record_at (records, 0)->total);
  if (tests.n) {
    /* "5 tests of share 2/3 are missing: number 1 of 14, …" */
    Missing shares = { 0, g_string_new (NULL) }, missing = { 0, g_string_new (NULL) };
    guint of = shares_of (records);
    g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint)); /* K of the shares */
    for (guint i = 0; of && i < tests.numbers->len; i++) {
      guint share = cli_share_of (g_array_index (tests.numbers, guint, i), of);
      g_array_append_val (numbers, share);
    }
    g_array_sort (numbers, compare_numbers);
    for (guint i = 0; i < numbers->len; i++)
      if (i == 0 || g_array_index (numbers, guint, i) != g_array_index (numbers, guint, i - 1))
        miss (&shares, "%u/%u", g_array_index (numbers, guint, i), of);
    g_autofree char *hint
        = of ? g_strdup_printf (
              "run `-shard %s`, or continue it with `-resume FILE` if it was interrupted",
              shares.named->str)
             : g_strdup ("continue the interrupted run with `-resume FILE`");
    for (guint i = 0; i < tests.numbers->len; i++)
      miss (&missing, "number %u of %u", g_array_index (tests.numbers, guint, i) + 1,
            record_at (records, 0)->total);
    rsp_error (diagnostics, RSP_NOWHERE, hint, "%" G_GUINT64_FORMAT " test%s%s%s %s missing: %s",
               tests.n, tests.n == 1 ? "" : "s", of ? " of share " : "", shares.named->str,
               tests.n == 1 ? "is" : "are", missing.named->str);
    g_string_free (shares.named, TRUE);
    g_string_free (missing.named, TRUE);
  }
  if (models.n)
    rsp_error (diagnostics, RSP_NOWHERE, "continue the interrupted run with `-resume FILE`",
               "%u %s not checked under all models: %s", models.n,
               models.n == 1 ? "test was" : "tests were", models.named->str);
  g_string_free (models.named, TRUE);
  g_array_unref (tests.numbers);
  return tests.n > 0;
}

/* ---- Progress ------------------------------------------------------------------------------- */

/* Tests done, speed, time left, and slowest: the test that has been worked on for the longest time,
 * or NULL. */
static void update_progress (const CliWorkView *view, const char *slowest) {
  g_autoptr (GString) line = g_string_new (NULL);
  const double seconds = cli_progress_seconds ();
  g_string_append_printf (line, "%u/%u tests", view->done, view->n);
  if (view->done && seconds > 0) {
    double rate = view->done / seconds;
    g_string_append_printf (line, rate < 10 ? ", %.1f/s, " : ", %.0f/s, ", rate);
    cli_append_time ((view->n - view->done) / rate, line);
    g_string_append (line, " left");
  }
  if (slowest) {
    g_string_append (line, ", at ");
    cli_append_time ((double) (g_get_monotonic_time () - view->since) / G_TIME_SPAN_SECOND, line);
    g_string_append_printf (line, ": %s", slowest);
  }
  cli_progress_update (line->str);
}

/* ---- Watch ---------------------------------------------------------------------------------- */

/* The page's data for the first n models of the result; is_partial: of the last one so far, which
 * the line says. */
static void append_watched (const char *path, const struct CliResult *result, guint n,
                            gboolean is_partial) {
  g_autoptr (GPtrArray) records = g_ptr_array_new ();
  g_autoptr (GString) data = g_string_new (NULL);
  for (guint k = 0; k < n; k++)
    g_ptr_array_add (records, result->cells[k].record);
  rsp_page_format_data (records, data);
  if (is_partial)
    g_string_insert (data, 1, "\"partial\":true,");
  cli_append_file (path, data);
}

void cli_watch_search (const char *path, const char *format, ...) {
  g_autoptr (GString) line = g_string_new ("{\"searched\":\"");
  va_list arguments;
  va_start (arguments, format);
  g_string_append_vprintf (line, format, arguments);
  va_end (arguments);
  g_string_append (line, "\"}\n");
  cli_append_file (path, line);
}

/* ---- Job ------------------------------------------------------------------------------------ */

/* ---- Reading ---- */
/* Parses source if its test is selected, with the question that the selection has for it. */
static RspProgram *parse_selected (const CliJobs *jobs, RspSource *source, CliResult *result) {
  gboolean strict = jobs->options->strict > 0;
  g_autoptr (RspProgram) program = rsp_litmus_parse (source, strict, result->diagnostics);
  if (!program) {
    /* If the file is a kernel or a model, one error says so, and how such a file is given. */
    RspDiagnostics *diagnostics = result->diagnostics;
    gboolean is_model = g_str_has_suffix (source->name, ".cat");
    gboolean is_c = g_str_has_suffix (source->name, ".cl") || g_str_has_suffix (source->name, ".c");
    if (is_model || (is_c && strstr (source->text, "kernel"))) {
      g_autofree char *hint
          = is_model ? g_strdup_printf ("`rspcheck -model %s TEST.litmus`", source->name)
                     : g_strdup_printf ("`rspcheck -kernel %s -grid 2x2`", source->name);
      rsp_diagnostics_truncate (diagnostics, 0);
      rsp_error (diagnostics, RSP_NOWHERE, hint, "%s: is a %s, not a litmus test", source->name,
                 is_model ? "model" : "kernel");
    }
    return NULL;
  }
  result->selected = cli_selection_includes (jobs->selection, program->name);
  if (!result->selected)
    return NULL;
  RspSpan question = cli_selection_question (jobs->selection, program->name);
  if (question.source) {
    rsp_diagnostics_truncate (result->diagnostics, 0);
    rsp_program_free (program);
    program = rsp_litmus_parse_with_question (source, question, strict, result->diagnostics);
  }
  if (program)
    cli_selection_set_kind (jobs->selection, program);
  return g_steal_pointer (&program);
}

/* NULL after an error. */
static RspSource *read_source (const char *path, CliResult *result) {
  g_autoptr (GError) error = NULL;
  RspSource *source = rsp_source_read (path, &error);
  if (!source) {
    g_autofree char *hint = cli_inputs_hint (path, ".litmus");
    rsp_error (result->diagnostics, RSP_NOWHERE, hint, "%s", error->message);
  }
  return source;
}

RspProgram *cli_job_read (const CliJobs *jobs, const char *path, CliResult *result) {
  g_autoptr (RspSource) source = read_source (path, result);
  return source ? parse_selected (jobs, source, result) : NULL;
}

/* ---- Results ---- */
GPtrArray *cli_job_columns (const CliJobs *jobs, guint i, const char *test, RspSource *source,
                            const GPtrArray *defaults, CliResult *result) {
  const CliTest what = { test, source, defaults };
  if (jobs->expectations)
    return cli_expectations_columns (jobs->expectations, jobs->paths->pdata[i], &what,
                                     result->diagnostics);
  return g_ptr_array_ref ((GPtrArray *) defaults);
}

void cli_result_begin (CliResult *result, guint n) {
  result->n_cells = n;
  result->cells = g_new0 (CliCell, result->n_cells);
}

static void number_record (const CliJobs *jobs, guint i, guint k, guint n, RspRecord *record) {
  record->index = i;
  record->total = jobs->paths->len;
  record->column = k;
  record->columns = n;
  rsp_record_set_shard (record, jobs->options->shard.number, jobs->options->shard.of);
}

RspRecord *cli_job_record (const CliJobs *jobs, guint i, guint k, const char *test,
                           const GPtrArray *columns, const char *reason) {
  const CliColumn *column = columns->pdata[k];
  RspRecord *record = rsp_record_new (test, jobs->paths->pdata[i], column->label, reason);
  number_record (jobs, i, k, columns->len, record);
  record->options = g_strdup (column->described);
  return record;
}

gboolean cli_job_take_over (const CliJobs *jobs, CliCell *cell) {
  if (!jobs->resume)
    return FALSE;
  RspRecord *found = cli_resume_find (jobs->resume, cell->record, &cell->stale);
  if (!found)
    return FALSE;
  if (cli_report_needs_executions (jobs->options, found->columns)) {
    rsp_record_free (found); /* the file has explanations as JSON only, and no pictures */
    return FALSE;
  }
  rsp_record_free (cell->record);
  cell->record = found;
  return TRUE;
}

/* ---- One test under one model ---- */
/* Checks the test under the model of cell k. timeout: in seconds; 0: none. */
static void check (const CliJobs *jobs, const RspProgram *program, const CliColumn *column,
                   double timeout, CliResult *result, guint k) {
  CliCell *cell = &result->cells[k];
  const RspModel *model = cell->model->model;
  const CliOptions *options = jobs->options;
  g_autofree const char **outcomes = g_new0 (const char *, options->outcomes->len + 1);
  for (guint i = 0; i < options->outcomes->len; i++)
    outcomes[i] = options->outcomes->pdata[i];
  RspRunOptions run = { .check = column->check,
                        .explain = options->explain || options->outcomes->len,
                        .outcomes = outcomes,
                        .progress = (const RspProgress *) column->progress->data,
                        .n_progress = column->progress->len,
                        .candidates = options->html ? options->most_shown : 0,
                        .show = (RspcheckShow) options->show,
                        .most_shown = options->most_shown };
  /* Evidence is for reports that show it, and for records that are kept for any report. */
  run.evidence = options->json || options->diff || options->html || options->latex
                 || options->resume || options->verbose || options->explain;
  run.check.timeout = timeout;
  run.check.attribute = options->json || options->resume || options->verbose;
  g_autoptr (GString) journal = options->verbose > 1 ? g_string_new (NULL) : NULL;
  run.check.journal = journal;
  rsp_run (program, model, &run, cell->record, cell->diagnostics);
  if (options->verbose)
    note_search (cell, model, journal);
  if (!options->log_undefined && options->omitted_flag
      && rsp_record_has_flag (cell->record, options->omitted_flag))
    rsp_note (cell->diagnostics, RSP_NOWHERE, "%s: flag %s, so no log (-badexecs false)",
              program->name, options->omitted_flag);
}

static void begin_cell (const CliJobs *jobs, guint i, guint k, const RspProgram *program,
                        const GPtrArray *columns, CliResult *result) {
  CliCell *cell = &result->cells[k];
  cell->diagnostics = rsp_diagnostics_new ();
  cell->model = cli_models_get (jobs->models, columns->pdata[k], jobs->paths->pdata[i]);
  cell->record = cli_job_record (jobs, i, k, program->name, columns, "the model cannot be read");
  if (k > 0 && !jobs->resume) /* a record of an earlier run may have been made by another version */
    rsp_record_set_program_of (cell->record, result->cells[0].record);
  else
    rsp_record_set_program (cell->record, program);
  if (!cell->model->model)
    return;
  cell->record->model_digest = g_strdup (cell->model->model->digest);
  if (jobs->resume)
    rsp_record_set_question (cell->record, program);
}

/* For -watch: checks for a short time, tells what was found, and checks again for four times as
 * long, until the answer is known (TRUE), there are no states after two seconds, or the next try
 * would take as long as the check may. Explanations are not cut short. */
static gboolean check_briefly (const CliJobs *jobs, guint i, guint k, const RspProgram *program,
                               const GPtrArray *columns, CliResult *result) {
  const guint first = 60, more = 4; /* milliseconds, times */
  const CliColumn *column = columns->pdata[k];
  const CliOptions *options = jobs->options;
  CliCell *cell = &result->cells[k];
  double most = column->check.timeout > 0 ? column->check.timeout * 1000 : G_MAXUINT;
  if (!options->watch || options->explain || options->outcomes->len || column->progress->len)
    return FALSE;
  gboolean has_states = TRUE;
  for (guint64 wait = first; (has_states || wait < 2000) && wait < most / more; wait *= more) {
    check (jobs, program, column, wait / 1000.0, result, k);
    if (cell->record->status != RSP_STATUS_TIMEOUT)
      return TRUE;
    has_states = cell->record->states->len > 0;
    if (has_states)
      append_watched (options->watch, result, k + 1, TRUE);
    rsp_record_free (cell->record);
    rsp_diagnostics_free (cell->diagnostics);
    begin_cell (jobs, i, k, program, columns, result);
  }
  return FALSE;
}

/* ---- All ---- */
/* A test that cannot be read or checked still has its row. */
static void record_unread (const CliJobs *jobs, guint i, const GPtrArray *columns,
                           const char *reason, CliResult *result) {
  g_autofree char *name = rsp_visible_name (jobs->paths->pdata[i]);
  cli_result_begin (result, columns->len);
  for (guint k = 0; k < result->n_cells; k++) {
    result->cells[k].diagnostics = rsp_diagnostics_new ();
    result->cells[k].record = cli_job_record (jobs, i, k, name, columns, reason);
    if (jobs->resume)
      cli_resume_add (jobs->resume, result->cells[k].record);
  }
}

/* A test in a language that the run's models or its method are not for. */
static void leave_out (const CliJobs *jobs, guint i, const char *test, RspSource *source,
                       const char *language, const GPtrArray *labels, CliResult *result) {
  cli_result_begin (result, labels->len);
  for (guint k = 0; k < labels->len; k++) {
    CliCell *cell = &result->cells[k];
    cell->diagnostics = rsp_diagnostics_new ();
    cell->record = rsp_record_new (test, jobs->paths->pdata[i], labels->pdata[k],
                                   "not for tests of this language");
    number_record (jobs, i, k, labels->len, cell->record);
    if (jobs->paths->len > 1)
      rsp_record_leave_out (cell->record, language, source);
    if (jobs->resume)
      cli_resume_add (jobs->resume, cell->record);
  }
  if (jobs->paths->len > 1)
    return;
  g_ptr_array_add ((GPtrArray *) labels, NULL);
  g_autofree char *all = g_strjoinv (", ", (char **) labels->pdata);
  const CliTests *tests = cli_tests_of (source);
  g_autofree char *hint = tests ? g_strdup_printf ("-machine %s", tests->machine) : NULL;
  rsp_error (result->diagnostics, RSP_NOWHERE, hint, "test %s: %s tests cannot be run under %s",
             test, language, all);
}

void cli_job_check (const CliJobs *jobs, guint i, const RspProgram *program,
                    const GPtrArray *columns, CliResult *result) {
  cli_result_begin (result, columns->len);
  for (guint k = 0; k < result->n_cells; k++) {
    const CliColumn *column = columns->pdata[k];
    CliCell *cell = &result->cells[k];
    begin_cell (jobs, i, k, program, columns, result);
    const RspModel *model = cell->model->model;
    gboolean fits = model && (jobs->paths->len == 1 || rsp_model_is_for (model, program->language));
    if (model && !fits)
      rsp_record_leave_out (cell->record, program->language->word, program->source);
    gboolean known = fits && cli_job_take_over (jobs, cell);
    if (fits && !known && !check_briefly (jobs, i, k, program, columns, result))
      check (jobs, program, column, column->check.timeout, result, k);
    if (jobs->resume && !known)
      cli_resume_add (jobs->resume, cell->record);
    if (jobs->options->watch && k + 1 < result->n_cells)
      append_watched (jobs->options->watch, result, k + 1, FALSE);
  }
}

/* A test in one of the usual languages, under models or by the run's method. */
static void run_program (const CliJobs *jobs, guint i, RspSource *source, CliResult *result) {
  g_autoptr (RspProgram) program = parse_selected (jobs, source, result);
  if (!program)
    return;
  g_autoptr (GPtrArray) columns = cli_job_columns (
      jobs, i, program->name, program->source,
      cli_columns_for (jobs->columns, program->language->id, program->newer), result);
  if (!jobs->method)
    cli_job_check (jobs, i, program, columns, result);
  else if (jobs->method->is_for (jobs->opened, jobs, i, program))
    jobs->method->run (jobs->opened, jobs, i, program, columns, result);
  else {
    g_autoptr (GPtrArray) labels = jobs->method->labels (jobs->opened, jobs);
    leave_out (jobs, i, program->name, source, program->language->word, labels, result);
  }
}

void cli_result_free (CliResult *result) {
  if (!result)
    return;
  rsp_diagnostics_free (result->diagnostics);
  for (guint i = 0; i < result->n_cells; i++) {
    CliCell *cell = &result->cells[i];
    rsp_diagnostics_free (cell->diagnostics);
    rsp_record_free (cell->record);
  }
  g_free (result->cells);
  g_free (result);
}

/* ---- Run ------------------------------------------------------------------------------------ */

typedef struct Run {
  CliJobs jobs;
  RspDiagnostics *diagnostics;
  CliReport *report;
  CliCompared *compared;
  const GArray *share; /* of guint: numbers of the tests to do */
  GPtrArray *merged;   /* of RspRecord: of -merge; else NULL */
  CliSignals signals;
  int arrived; /* the signal that ended the work, or 0 */
  guint n_taken;
  CliWarnings *warnings;
  GArray *left_out;  /* of CliLeftOut */
  gboolean any_kept; /* has a result come that was not left out? */
  int status;
} Run;

enum {
  MOST_WAITING = 256 << 20 /* bytes of results that wait for one before them */
};

/* Prints the diagnostics; an error makes the run unfinished. */
static void tell (Run *run, RspDiagnostics *diagnostics) {
  if (cli_print_diagnostics (diagnostics, run->jobs.options->quiet))
    run->status = CLI_STATUS_UNFINISHED;
}

/* Notes what becomes of the record. loaded: its model, or NULL. */
static void note_record (Run *run, const RspRecord *record, const RspModel *loaded) {
  gboolean left_out = rsp_record_is_left_out (record);
  if (left_out)
    cli_left_out_add (run->left_out, record->model, loaded, record->language);
  else if (!rsp_record_is_ok (record))
    run->status = CLI_STATUS_UNFINISHED;
  run->any_kept |= !left_out;
}

/* Reports what many tests have in common. */
static void tell_rest (Run *run, gboolean is_whole) {
  cli_warnings_tell (run->warnings, run->diagnostics);
  cli_left_out_report (run->left_out, is_whole && !run->any_kept, run->diagnostics);
  tell (run, run->diagnostics);
}

/* Says in words what the models answer, before logs and tables, which have their own form: with -v,
 * and for a single test on a terminal. */
static void tell_answer (Run *run, const CliResult *result) {
  const CliOptions *options = run->jobs.options;
  gboolean alone = run->jobs.paths->len == 1 && isatty (STDOUT_FILENO) && isatty (STDERR_FILENO);
  gboolean any = FALSE; /* is there an answer, instead of errors? */
  g_autoptr (GPtrArray) records = g_ptr_array_new ();
  for (guint k = 0; k < result->n_cells; k++) {
    g_ptr_array_add (records, result->cells[k].record);
    any |= rsp_record_is_ok (result->cells[k].record);
  }
  if (!any || options->json || options->tsv || (!options->verbose && !alone))
    return;
  g_autofree char *answer
      = rsp_records_sentences ((const RspRecord *const *) records->pdata, records->len);
  rsp_note (run->diagnostics, RSP_NOWHERE, "test %s: %s", result->cells[0].record->test, answer);
  tell (run, run->diagnostics);
}

/* ---- Results, in order ---- */
/* Takes the records, which come from logs. */
static gboolean take_records (Run *run, GPtrArray *records) {
  gboolean written = TRUE;
  tell (run, run->diagnostics);
  for (guint i = 0; records && i < records->len && written; i++)
    written = cli_report_take (run->report, g_steal_pointer (&records->pdata[i]));
  return written;
}

/* Reports the result. FALSE if the output cannot be written. */
static gboolean take (gpointer data, guint i, gpointer made) {
  Run *run = data;
  CliResult *result = made;
  gboolean written = TRUE;
  (void) i;
  g_autoptr (GPtrArray) compared = NULL;
  gboolean kept = !result->n_cells; /* what is left out is not warned of */
  for (guint k = 0; k < result->n_cells; k++)
    kept |= !rsp_record_is_left_out (result->cells[k].record);
  if (!kept)
    rsp_diagnostics_drop (result->diagnostics, RSP_WARNING);
  cli_warnings_take (run->warnings, run->n_taken, result->diagnostics);
  tell (run, result->diagnostics);
  gboolean admitted
      = result->n_cells
        && cli_compared_admits (run->compared, result->cells[0].record, run->diagnostics);
  if (admitted)
    compared = cli_compared_with (run->compared, result->cells[0].record, run->diagnostics);
  if (admitted)
    tell_answer (run, result);
  for (guint k = 0; admitted && k < result->n_cells && written; k++) {
    CliCell *cell = &result->cells[k];
    CliModel *const models[] = { cell->model, cell->target };
    for (guint m = 0; m < G_N_ELEMENTS (models); m++)
      if (models[m]) {
        cli_models_report (run->jobs.models, models[m], run->diagnostics);
        tell (run, run->diagnostics);
      }
    note_record (run, cell->record, cell->model ? cell->model->model : NULL);
    if (run->jobs.resume)
      cli_resume_report (run->jobs.resume, &cell->stale, cell->record, cell->diagnostics);
    written = cli_report_take (run->report, g_steal_pointer (&cell->record));
    cli_warnings_take (run->warnings, run->n_taken, cell->diagnostics);
    tell (run, cell->diagnostics);
  }
  written = written && take_records (run, compared);
  written = written && (!run->jobs.resume || cli_resume_check (run->jobs.resume, run->diagnostics));
  run->n_taken++;
  cli_result_free (result);
  cli_progress_renew ();
  return written;
}

static CliResult *new_result (void) {
  CliResult *result = g_new0 (CliResult, 1);
  result->diagnostics = rsp_diagnostics_new ();
  result->selected = TRUE;
  return result;
}

/* Runs that test of the share. Any thread may call it. */
static gpointer make (gpointer data, guint number) {
  Run *run = data;
  const CliJobs *jobs = &run->jobs;
  guint i = g_array_index (run->share, guint, number);
  CliResult *result = new_result ();
  g_autoptr (RspSource) source = read_source (jobs->paths->pdata[i], result);
  const CliTests *tests = source ? cli_tests_of (source) : NULL;
  const GPtrArray *columns = tests ? cli_columns_of_tests (jobs->columns, tests)
                                   : cli_columns_for (jobs->columns, RSP_LANGUAGE_OPENCL, FALSE);
  if (tests && tests->may_run (jobs->options))
    tests->run (jobs, i, source, result);
  else if (tests) {
    /* The same for a test in a language of its own. */
    g_autofree char *test = tests->read (source, result->diagnostics);
    result->selected = !test || cli_selection_includes (jobs->selection, test);
    if (test && result->selected) {
      g_autoptr (GPtrArray) labels = jobs->method ? jobs->method->labels (jobs->opened, jobs)
                                                  : g_ptr_array_new_with_free_func (g_free);
      for (guint k = 0; !jobs->method && k < jobs->columns->given->len; k++)
        g_ptr_array_add (labels,
                         g_strdup (((const CliColumn *) jobs->columns->given->pdata[k])->label));
      leave_out (jobs, i, test, source, tests->language, labels, result);
    }
  } else if (source)
    run_program (jobs, i, source, result);
  if (!result->n_cells && result->selected)
    record_unread (jobs, i, columns, "the test cannot be read", result);
  return result;
}

/* The result of a test if a failed assertion ended make. */
static gpointer fail (gpointer data, guint number) {
  Run *run = data;
  const CliJobs *jobs = &run->jobs;
  guint i = g_array_index (run->share, guint, number);
  CliResult *result = new_result ();
  rsp_error (result->diagnostics, RSP_NOWHERE,
             "this is a bug in rspcheck: please report it, with the test and the model",
             "%s: internal error (an assertion failed, see above)",
             (const char *) jobs->paths->pdata[i]);
  record_unread (jobs, i, cli_columns_for (jobs->columns, RSP_LANGUAGE_OPENCL, FALSE),
                 "internal error", result);
  return result;
}

static gsize size (gconstpointer made) {
  const CliResult *result = made;
  gsize bytes = 0;
  for (guint i = 0; i < result->n_cells; i++)
    bytes += rsp_record_size (result->cells[i].record);
  return bytes;
}

/* FALSE if a signal has arrived. */
static gboolean tick (gpointer data, const CliWorkView *view) {
  Run *run = data;
  run->arrived = cli_signals_arrived (&run->signals);
  g_autofree char *slowest = NULL;
  if (view->busy)
    slowest = g_path_get_basename (
        run->jobs.paths->pdata[g_array_index (run->share, guint, view->oldest)]);
  if (!run->arrived)
    update_progress (view, slowest);
  return !run->arrived;
}

static void drop (gpointer result) { cli_result_free (result); }

/* ---- The run ---- */
/* Signals and faults end the run in good order: finished tests are reported, and nothing is left
 * half done. */
static gboolean work (Run *run) {
  CliWork work = { .make = make,
                   .fail = fail,
                   .take = take,
                   .drop = drop,
                   .size = size,
                   .most_waiting = MOST_WAITING,
                   .tick = tick,
                   .data = run };
  cli_progress_begin (run->jobs.options, NULL, NULL);
  cli_signals_hold (&run->signals);
  CliWorkEnd end = cli_workers_run (&work, run->jobs.options->jobs, run->share->len);
  cli_progress_end ();
  tell_rest (run, end == CLI_WORK_DONE && !run->jobs.options->shard.of);
  if (end == CLI_WORK_INTERRUPTED) {
    const char *file = run->jobs.options->resume;
    g_autofree char *hint
        = file ? g_strdup_printf ("finished results are in %s: the same command continues the run",
                                  file)
               : g_strdup ("with `-resume FILE` a run saves its results and can be continued");
    rsp_error (run->diagnostics, RSP_NOWHERE, hint, "interrupted: %u of %u tests were checked",
               run->n_taken, run->share->len);
    tell (run, run->diagnostics);
    cli_signals_die (run->arrived);
  }
  if (end == CLI_WORK_FAILED) {
    rsp_error (run->diagnostics, RSP_NOWHERE,
               "this is a bug in rspcheck: please report it, with the tests and the models",
               "internal error (an assertion failed, see above): %u of %u tests were checked",
               run->n_taken, run->share->len);
    tell (run, run->diagnostics);
    cli_report_end (run->report);
    cli_signals_die (SIGABRT);
  }
  cli_signals_release (&run->signals);
  return end == CLI_WORK_DONE;
}

/* FALSE if the run ended early. */
static gboolean take_all (Run *run) {
  const CliOptions *options = run->jobs.options;
  if (run->merged) {
    /* Records of -merge, grouped by test, each row with its logs. */
    const GPtrArray *records = run->merged;
    gboolean written = TRUE;
    for (guint i = 0; written && i < records->len;) {
      RspRecord *first = records->pdata[i];
      guint index = first->index;
      gboolean admitted = cli_compared_admits (run->compared, first, run->diagnostics);
      g_autoptr (GPtrArray) compared
          = admitted ? cli_compared_with (run->compared, first, run->diagnostics) : NULL;
      for (; written && i < records->len && ((RspRecord *) records->pdata[i])->index == index;
           i++) {
        if (!admitted)
          continue;
        note_record (run, records->pdata[i], NULL);
        written = cli_report_take (run->report, g_steal_pointer (&records->pdata[i]));
      }
      written = written && take_records (run, compared);
    }
    tell_rest (run, TRUE);
    return written;
  }
  if (options->inputs->len == 0) {
    gboolean written = TRUE;
    for (guint i = 0; i < cli_compared_n_tests (run->compared) && written; i++) {
      g_autoptr (GPtrArray) row = cli_compared_row (run->compared, i, run->diagnostics);
      written = take_records (run, row);
    }
    return written;
  }
  return work (run);
}

/* FALSE if options are given that do not apply to -merge, whose records determine what was run. */
static gboolean check_merge (const CliOptions *options, RspDiagnostics *diagnostics) {
  const struct {
    const char *name;
    gboolean given;
  } others[] = { { "model", options->models->len > 0 },
                 { "names", options->names->len > 0 },
                 { "kinds", options->kinds->len > 0 && !options->expect },
                 { "conds", options->conditions->len > 0 },
                 { "shard", options->shard.of > 0 },
                 { "resume", options->resume != NULL } };
  for (guint i = 0; options->merge && i < G_N_ELEMENTS (others); i++)
    if (others[i].given) {
      rsp_error (
          diagnostics, RSP_NOWHERE, NULL,
          "`-merge` only reports the contents of its files: it cannot be combined with `-%s`",
          others[i].name);
      return FALSE;
    }
  return TRUE;
}

/* Opens the files that the options name. FALSE after an error. */
static gboolean open_run (Run *run) {
  CliJobs *jobs = &run->jobs;
  const CliOptions *options = jobs->options;
  jobs->columns = cli_columns_new (options, run->diagnostics);
  if (!jobs->columns)
    return FALSE;
  g_autoptr (GPtrArray) own = g_ptr_array_new (); /* paths of the tests whose results are taken */
  for (guint i = 0; i < run->share->len; i++)
    g_ptr_array_add (own, jobs->paths->pdata[g_array_index (run->share, guint, i)]);
  for (guint i = 0; run->merged && i < run->merged->len; i++)
    g_ptr_array_add (own, ((const RspRecord *) run->merged->pdata[i])->path);
  if (options->expect)
    jobs->expectations
        = cli_expectations_new (options, jobs->columns, jobs->selection, own, run->diagnostics);
  guint n_models = run->merged ? cli_merge_count_models (run->merged) : jobs->columns->given->len;
  if (options->diff && MAX (n_models, 1) + options->compared->len < 2
      && !cli_requested (options, CLI_COMMAND_CHECKED)) {
    rsp_error (run->diagnostics, RSP_NOWHERE, "`rspcheck -diff -model A.cat -model B.cat TEST...`",
               "`-diff` compares models: give at least two");
    return FALSE;
  }
  run->report = cli_report_new (options, n_models, jobs->expectations, jobs->paths, run->merged,
                                run->diagnostics);
  if (!run->report)
    return FALSE;
  run->compared = cli_compared_new (options, jobs->columns, jobs->selection, run->diagnostics);
  jobs->models = cli_models_new (options);
  const CliCommand *command = cli_requested (options, CLI_COMMAND_RUNS_A_TEST);
  jobs->method = command ? command->method : NULL;
  jobs->opened = command ? jobs->method->open (options, run->diagnostics) : NULL;
  return jobs->opened || !command;
}

static int do_run (Run *run) {
  const CliOptions *options = run->jobs.options;
  if (options->verbose)
    rsp_note (run->diagnostics, RSP_NOWHERE, "rspcheck " RSP_VERSION " %s", options->command);
  tell (run, run->diagnostics);
  const CliCommand *command = cli_requested (options, CLI_COMMAND_RUNS_TESTS);
  if (command) {
    int status
        = command->run_tests (&run->jobs, run->share, run->report, run->compared, run->diagnostics);
    return status == CLI_STATUS_OK ? run->status : status;
  }
  if (!cli_report_begin (run->report) || !take_all (run) || !cli_report_end (run->report))
    run->status = CLI_STATUS_UNFINISHED;
  else {
    if (options->shard.of == 0) /* otherwise other shares run the rest */
      cli_compared_report_left (run->compared, run->diagnostics);
    cli_selection_report_missing (run->jobs.selection, run->diagnostics);
    cli_models_report_unknown (run->jobs.models, run->diagnostics);
  }
  tell (run, run->diagnostics);
  if (cli_report_is_unsound (run->report)) /* whatever else could not be finished */
    return CLI_STATUS_DIFFERENT;
  return run->status == CLI_STATUS_OK && cli_report_differs (run->report) ? CLI_STATUS_DIFFERENT
                                                                          : run->status;
}

int cli_run (CliOptions *options, RspDiagnostics *diagnostics) {
  g_autoptr (CliSelection) selection
      = check_merge (options, diagnostics) && cli_extra_check_tests (options, diagnostics)
            ? cli_selection_new (options, diagnostics)
            : NULL;
  if (!selection) {
    cli_print_diagnostics (diagnostics, FALSE);
    return CLI_STATUS_USAGE;
  }
  g_autoptr (GPtrArray) merged = options->merge ? cli_merge_read (options, diagnostics) : NULL;
  g_autoptr (CliResume) resume
      = options->resume ? cli_resume_new (options->resume, diagnostics) : NULL;
  if ((options->merge && !merged) || (options->resume && !resume)) {
    cli_print_diagnostics (diagnostics, options->quiet);
    return CLI_STATUS_UNFINISHED;
  }
  g_autoptr (GPtrArray) paths
      = options->merge ? g_ptr_array_new () : cli_inputs_expand (options->inputs, diagnostics);
  if (!options->merge)
    cli_share_filter (paths, options, selection, diagnostics);
  g_autoptr (GArray) share = cli_share_take (options->shard, paths->len);
  /* If there are more threads than tests, several work on each. */
  if (options->jobs == 0)
    options->jobs = g_get_num_processors ();
  options->check.jobs = MAX (options->jobs / MAX (share->len, 1), 1);
  Run run
      = { .jobs = { .options = options, .selection = selection, .paths = paths, .resume = resume },
          .share = share,
          .merged = merged,
          .warnings = cli_warnings_new (options->verbose > 0 || paths->len == 1),
          .left_out = cli_left_out_new (),
          .diagnostics = diagnostics };
  if (!options->init_writes)
    rsp_warning (diagnostics, RSP_NOWHERE, NULL,
                 "`-initwrites false` has no effect: initial writes are always events");
  gboolean open = open_run (&run);
  int status = open ? do_run (&run) : CLI_STATUS_USAGE;
  if (!open)
    cli_print_diagnostics (diagnostics, FALSE);
  CliJobs *jobs = &run.jobs;
  if (jobs->opened)
    jobs->method->close (jobs->opened);
  g_clear_pointer (&jobs->models, cli_models_free);
  g_clear_pointer (&run.compared, cli_compared_free);
  g_clear_pointer (&run.report, cli_report_free);
  g_clear_pointer (&jobs->expectations, cli_expectations_free);
  g_clear_pointer (&jobs->columns, cli_columns_free);
  cli_warnings_free (run.warnings);
  g_array_unref (run.left_out);
  return status;
}
