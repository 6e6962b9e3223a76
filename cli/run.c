#include "cli/run.h"
#include "cli/inputs.h"
#include "cli/models.h"
#include "cli/selection.h"
#include "cli/stream.h"
#include "report/log.h"

typedef struct Test
{
  const char *path;
  RspProgram
      *program; /* NULL before it is read, when it cannot be read, or when it is not wanted */
  gboolean read;
} Test;

typedef struct Run
{
  CliOptions *options;
  CliModels *models;
  CliSelection *selection;
  RspDiagnostics *diagnostics;
  Test *tests;
  guint n_tests;
  int status;
} Run;

static const RspSpan nowhere = { NULL, 0, 0 };

/* Prints what there is to say; an error among it makes the run unfinished. */
static void
tell (Run *run)
{
  if (cli_tell (run->diagnostics, run->options->quiet))
    run->status = CLI_STATUS_UNFINISHED;
}

/* ---- Tests ---- */

/* Parses source if its test is wanted, with the question that the selection has for it. */
static RspProgram *
parse_wanted (Run *run, RspSource *source)
{
  gboolean strict = run->options->strict > 0;
  guint said = rsp_diagnostics_count (run->diagnostics);
  g_autoptr (RspProgram) program = rsp_litmus_parse (source, strict, run->diagnostics);
  if (!program || !cli_selection_wants (run->selection, program))
    return NULL;
  RspSpan question = cli_selection_question (run->selection, program->name);
  if (question.source)
    {
      rsp_diagnostics_truncate (run->diagnostics, said);
      rsp_program_free (program);
      program = rsp_litmus_parse_asking (source, question, strict, run->diagnostics);
    }
  if (program)
    cli_selection_set_kind (run->selection, program);
  return g_steal_pointer (&program);
}

static RspProgram *
read_program (Run *run, const char *path)
{
  g_autoptr (GError) error = NULL;
  RspSource *source = rsp_source_read (path, &error);
  if (!source)
    {
      rsp_error (run->diagnostics, nowhere, NULL, "%s", error->message);
      return NULL;
    }
  RspProgram *program = parse_wanted (run, source);
  rsp_source_unref (source);
  return program;
}

/* Reads the test if this was not done yet. */
static RspProgram *
get_program (Run *run, Test *test)
{
  if (!test->read)
    {
      test->read = TRUE;
      test->program = read_program (run, test->path);
      tell (run);
    }
  return test->program;
}

/* ---- One test under one model ---- */

static const char *
default_model (const RspProgram *program)
{
  return program->dialect == RSP_DIALECT_C ? "rc11.cat" : "opencl_rem.cat";
}

static void
note_statistics (Run *run, const RspOutcome *outcome, const RspModel *model)
{
  const RspStatistics *s = &outcome->statistics;
  if (!run->options->verbose)
    return;
  rsp_note (run->diagnostics, nowhere,
            "rspcheck " RSP_VERSION ", test %s, model %s (%s, sha256 %s)", outcome->program->name,
            model->name, model->path, model->digest);
  rsp_note (run->diagnostics, nowhere,
            "%" G_GUINT64_FORMAT " paths, %" G_GUINT64_FORMAT " pre-executions, %" G_GUINT64_FORMAT
            " nodes, %" G_GUINT64_FORMAT " cuts, %" G_GUINT64_FORMAT " leaves, %" G_GUINT64_FORMAT
            " found in the memo; paths %.3f s, staging %.3f s, search %.3f s",
            s->paths, s->pre_executions, s->nodes, s->cuts, s->leaves, s->memo_hits,
            s->seconds_paths, s->seconds_stage, s->seconds_search);
}

/* FALSE when the log cannot be written. */
static gboolean
print_log (Run *run, const RspOutcome *outcome)
{
  if (!run->options->bad_executions && rsp_outcome_is_undefined (outcome))
    {
      rsp_note (run->diagnostics, nowhere, "%s: undefined behaviour, so no log (-badexecs false)",
                outcome->program->name);
      return TRUE;
    }
  g_autoptr (GString) log = g_string_new (NULL);
  rsp_log_format (outcome, &run->options->check, run->options->verbose > 0, log);
  return cli_write (log);
}

static gboolean
check_test (Run *run, const Test *test, const char *model_name)
{
  const RspProgram *program = test->program;
  const RspModel *model = cli_models_get (
      run->models, model_name ? model_name : default_model (program), test->path, run->diagnostics);
  if (!model)
    run->status = CLI_STATUS_UNFINISHED;
  tell (run);
  if (!model)
    return TRUE;
  g_autoptr (RspOutcome) outcome
      = rsp_check (program, model, &run->options->check, run->diagnostics);
  note_statistics (run, outcome, model);
  gboolean written = print_log (run, outcome);
  if (outcome->stop != RSP_STOP_COMPLETE && outcome->stop != RSP_STOP_FOUND)
    run->status = CLI_STATUS_UNFINISHED;
  tell (run);
  return written;
}

/* model is NULL for the default of each test's dialect. FALSE when the log cannot be written. */
static gboolean
check_all (Run *run, const char *model, gboolean keep_programs)
{
  for (guint i = 0; i < run->n_tests; i++)
    {
      Test *test = &run->tests[i];
      gboolean written = !get_program (run, test) || check_test (run, test, model);
      if (!keep_programs)
        g_clear_pointer (&test->program, rsp_program_free);
      if (!written)
        return FALSE;
    }
  return TRUE;
}

/* ---- The run ---- */

/* With several models their logs follow one another, each under a line that names the model. */
static gboolean
run_models (Run *run)
{
  const GPtrArray *models = run->options->models;
  if (models->len == 0)
    return check_all (run, NULL, FALSE);
  for (guint i = 0; i < models->len; i++)
    {
      g_autoptr (GString) title = g_string_new (NULL);
      if (models->len > 1)
        g_string_append_printf (title, "Model %s\n", (const char *) models->pdata[i]);
      if (!cli_write (title) || !check_all (run, models->pdata[i], i + 1 < models->len))
        return FALSE;
    }
  return TRUE;
}

/* skipped has a place for each skipped check and a NULL. */
static void
prepare_check (CliOptions *options, const char **skipped)
{
  RspCheckOptions *check = &options->check;
  for (guint i = 0; i < options->variants->len; i++)
    check->cas_writeback |= g_str_equal (options->variants->pdata[i], "cas-writeback");
  check->stage.skipped_checks = skipped;
  for (guint i = 0; i < options->skipped_checks->len; i++)
    skipped[i] = options->skipped_checks->pdata[i];
}

int
cli_run (CliOptions *options, RspDiagnostics *diagnostics)
{
  g_autoptr (CliSelection) selection = cli_selection_new (options, diagnostics);
  if (!selection)
    {
      cli_tell (diagnostics, FALSE);
      return CLI_STATUS_USAGE;
    }
  if (!options->init_writes)
    rsp_warning (diagnostics, nowhere, NULL,
                 "`-initwrites false` has no effect: initial writes are always events");
  g_autofree const char **skipped = g_new0 (const char *, options->skipped_checks->len + 1);
  prepare_check (options, skipped);
  g_autoptr (CliModels) models = cli_models_new (options);
  g_autoptr (GPtrArray) paths = cli_inputs_expand (options->inputs, diagnostics);
  g_autofree Test *tests = g_new0 (Test, paths->len + 1);
  for (guint i = 0; i < paths->len; i++)
    tests[i].path = paths->pdata[i];
  Run run = { .options = options,
              .models = models,
              .selection = selection,
              .diagnostics = diagnostics,
              .tests = tests,
              .n_tests = paths->len };
  tell (&run);
  if (!run_models (&run))
    run.status = CLI_STATUS_UNFINISHED;
  else
    {
      cli_selection_report_missing (selection, diagnostics);
      cli_models_report_unknown (models, diagnostics);
    }
  tell (&run);
  for (guint i = 0; i < paths->len; i++)
    rsp_program_free (tests[i].program);
  return run.status;
}
