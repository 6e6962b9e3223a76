#include "cli/synth/synth.h"

#include "cli/columns/column.h"
#include "cli/columns/models.h"
#include "cli/base/status.h"
#include "cli/run/signals.h"
#include "cli/base/stream.h"
#include "synth/result.h"
#include "synth/search.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const RspSpan nowhere = { NULL, 0, 0 };

typedef struct Run
{
  CliOptions *options;
  RspDiagnostics *diagnostics;
  const SynthQuestion *question;
  RspModel *models[2];
  const char *labels[2];
  guint n_models;
  SynthSpace space;
  SynthSearch search;
  CliSignals signals;
  gint stop;
  gboolean shown; /* the progress line */
} Run;

/* ---- The question ---- */

static const struct
{
  const SynthQuestion *question;
  gsize offset;
} questions[] = {
  { &rsp_synth_distinguish, G_STRUCT_OFFSET (CliOptions, distinguish) },
  { &rsp_synth_minimal, G_STRUCT_OFFSET (CliOptions, minimal) },
  { &rsp_synth_monotone, G_STRUCT_OFFSET (CliOptions, monotone) },
  { &rsp_synth_rewrites, G_STRUCT_OFFSET (CliOptions, rewrites) },
};

static const SynthQuestion *
question_of (const CliOptions *options)
{
  for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
    if (G_STRUCT_MEMBER (int, options, questions[i].offset))
      return questions[i].question;
  return NULL;
}

gboolean
cli_synth_is_requested (const CliOptions *options)
{
  return question_of (options) != NULL;
}

/* ---- Models ---- */

static gboolean
load_models (Run *run, CliModels *models, const CliColumns *columns)
{
  const GPtrArray *given = columns->given;
  if (given->len != run->question->n_models)
    {
      rsp_error (run->diagnostics, nowhere, NULL, "`-%s` needs %s, and there %s %u",
                 run->question->name,
                 run->question->n_models == 1 ? "one -model" : "two models, each with -model",
                 given->len == 1 ? "is" : "are", given->len);
      return FALSE;
    }
  for (guint i = 0; i < given->len; i++)
    {
      const CliColumn *column = given->pdata[i];
      CliModel *found = cli_models_get (models, column, "");
      cli_models_report (models, found, run->diagnostics);
      if (!found->model)
        return FALSE;
      run->models[i] = (RspModel *) found->model;
      run->labels[i] = column->label;
    }
  run->n_models = given->len;
  return TRUE;
}

/* Question, models, space and version: what the lines of -resume depend on. */
static char *
search_key (const Run *run, const RspStageOptions *stage)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_MD5);
  g_autofree char *space = rsp_synth_space_describe (&run->space);
  const char *parts[] = { RSP_VERSION, run->question->name, space };
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_checksum_update (sum, (const guchar *) parts[i], (gssize) strlen (parts[i]) + 1);
  for (guint i = 0; i < run->n_models; i++)
    {
      g_checksum_update (sum, (const guchar *) run->models[i]->digest, -1);
      for (char **v = run->models[i]->variants; v && *v; v++)
        g_checksum_update (sum, (const guchar *) *v, (gssize) strlen (*v) + 1);
    }
  for (const char *const *s = stage->skipped_checks; s && *s; s++)
    g_checksum_update (sum, (const guchar *) *s, (gssize) strlen (*s) + 1);
  return g_strdup (g_checksum_get_string (sum));
}

/* ---- Progress ---- */

static void
show_progress (gpointer data, guint events, double done, double seconds)
{
  Run *run = data;
  fprintf (stderr, "\r%u events: %.0f%% of the shapes, %.0f s", events, 100 * done, seconds);
  if (done > 0.02)
    fprintf (stderr, ", %.0f s left", seconds / done - seconds);
  fputs ("\033[K", stderr);
  run->shown = TRUE;
  if (cli_signals_arrived (&run->signals))
    g_atomic_int_set (&run->stop, 1);
}

/* The same without a progress line: only checks for signals. */
static void
watch_signals (gpointer data, guint events, double done, double seconds)
{
  Run *run = data;
  (void) events;
  (void) done;
  (void) seconds;
  if (cli_signals_arrived (&run->signals))
    g_atomic_int_set (&run->stop, 1);
}

/* ---- Output ---- */

static void
format_sizes (const Run *run, GString *out)
{
  g_autofree char *space = rsp_synth_space_describe (&run->space);
  g_string_append_printf (out, "Space: %s\n", space);
  for (guint i = 0; i < run->search.sizes->len; i++)
    {
      const SynthSize *size = &g_array_index (run->search.sizes, SynthSize, i);
      g_string_append_printf (out, "%u event%s: %.0f programs, %u found\n", size->events,
                              size->events == 1 ? "" : "s", size->programs, size->found);
    }
}

static void
format_result (const SynthResult *result, GString *out)
{
  g_string_append_printf (out, "\n%s\n  %s\n  %s", result->name, result->summary, result->kinds);
  if (result->outcome[0])
    g_string_append_printf (out, ": %s", result->outcome);
  if (result->edit)
    g_string_append_printf (out, "\n  after this (%s): %s\n  %s", result->edit, result->other_name,
                            result->other_summary);
  for (guint i = 0; i < result->verdicts->len; i++)
    {
      const SynthVerdict *verdict = &g_array_index (result->verdicts, SynthVerdict, i);
      g_string_append_printf (out, "\n  %s: %s", verdict->model, rsp_synth_verdict_word (verdict));
      if (verdict->blame && !verdict->undefined)
        g_string_append_printf (out, " by %s", verdict->blame);
    }
  g_string_append_c (out, '\n');
}

static gboolean
write_test (const Run *run, const char *name, const char *source)
{
  g_autoptr (GString) text = g_string_new (source);
  g_autofree char *file = g_strconcat (name, ".litmus", NULL);
  g_autofree char *path = g_build_filename (run->options->logs, file, NULL);
  return cli_write_file (path, text);
}

static gboolean
write_tests (const Run *run, const SynthResult *result)
{
  return write_test (run, result->name, result->text)
         && (!result->other_text || write_test (run, result->other_name, result->other_text));
}

/* FALSE if something could not be written, or a result was not confirmed. */
static gboolean
report (Run *run)
{
  const CliOptions *options = run->options;
  g_autoptr (GString) out = g_string_new (NULL);
  const RspStageOptions *stage = run->search.stage;
  if (options->logs && g_mkdir_with_parents (options->logs, 0777) != 0)
    return cli_report_unwritten (options->logs, errno);
  if (!options->json)
    format_sizes (run, out);
  for (guint i = 0; i < run->search.found->len; i++)
    {
      g_autoptr (SynthResult) result
          = rsp_synth_result_new (run->question, run->search.found->pdata[i], run->space.opencl,
                                  run->models, run->labels, run->n_models, stage, run->diagnostics);
      if (!result)
        return FALSE;
      if (options->json)
        rsp_synth_result_json (result, run->question, out);
      else
        format_result (result, out);
      if ((options->logs && !write_tests (run, result)) || !cli_write (out))
        return FALSE;
      g_string_truncate (out, 0);
    }
  return cli_write (out);
}

/* ---- The run ---- */

static void
report_incomplete (Run *run)
{
  const char *hint = run->options->resume
                         ? "the same command continues where this one ended"
                         : "with `-resume FILE` a search saves its results and can be continued";
  if (run->search.complete || rsp_diagnostics_count_errors (run->diagnostics) > 0)
    return;
  g_autofree char *limit = rsp_size_format (run->search.budget.max_memory);
  if (rsp_budget_stop (&run->search.budget) == RSPCHECK_STOP_MEMORY)
    rsp_error (run->diagnostics, nowhere, "-max-memory SIZE allows more",
               "the results take more than %s: there may be more than is shown", limit);
  else
    rsp_error (run->diagnostics, nowhere, hint,
               "the search did not finish: there may be more than is shown");
}

static gboolean
search_space (Run *run, const RspStageOptions *stage)
{
  const CliOptions *options = run->options;
  g_autofree char *key = search_key (run, stage);
  gboolean line = !options->quiet && isatty (STDERR_FILENO);
  gboolean shared = options->shard.of > 1;
  run->search = (SynthSearch){
    .question = run->question,
    .space = &run->space,
    .models = run->models,
    .n_models = run->n_models,
    .stage = stage,
    .diagnostics = run->diagnostics,
    .all = options->all_sizes > 0,
    .jobs = options->jobs ? options->jobs : g_get_num_processors (),
    .share = shared ? options->shard.number - 1 : 0,
    .shares = shared ? options->shard.of : 1,
    .kept = options->resume,
    .key = key,
    .stop = &run->stop,
    .budget = { .deadline = rsp_deadline_in (options->check.timeout),
                .max_memory = options->check.max_memory },
    .progress = line ? show_progress : watch_signals,
    .data = run,
  };
  cli_signals_hold (&run->signals);
  gboolean good = rsp_synth_search_run (&run->search);
  if (run->shown)
    fputs ("\r\033[K", stderr);
  int arrived = cli_signals_arrived (&run->signals);
  if (arrived)
    {
      report_incomplete (run);
      cli_print_diagnostics (run->diagnostics, FALSE);
      cli_signals_die (arrived);
    }
  cli_signals_release (&run->signals);
  return good;
}

static int
answer (Run *run, const CliColumns *columns, CliModels *models)
{
  const CliOptions *options = run->options;
  const CliColumn *first = columns->given->len ? columns->given->pdata[0] : NULL;
  RspStageOptions stage
      = { .skipped_checks = first ? (const char *const *) first->skipped->pdata : NULL };
  if (!load_models (run, models, columns)
      || !rsp_synth_space_init (&run->space, &options->bounds, run->models, run->n_models, &stage,
                                run->diagnostics))
    return CLI_STATUS_USAGE;
  gboolean good = search_space (run, &stage);
  good = good && report (run);
  report_incomplete (run);
  good = good && run->search.complete;
  rsp_synth_search_clear (&run->search);
  return good ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}

int
cli_synth_run (CliOptions *options, RspDiagnostics *diagnostics)
{
  Run run = { .options = options, .diagnostics = diagnostics, .question = question_of (options) };
  int status = CLI_STATUS_USAGE;
  g_autoptr (CliModels) models = cli_models_new (options);
  g_autoptr (CliColumns) columns = cli_columns_new (options, diagnostics);
  if (options->inputs->len)
    rsp_error (diagnostics, nowhere, NULL, "`-%s` is about all programs: it takes no tests",
               run.question->name);
  else if (columns)
    status = answer (&run, columns, models);
  cli_print_diagnostics (diagnostics, options->quiet);
  return status;
}
