#include "cli/synth/run.h"
#include "cli/base/stream.h"
#include "cli/run/watch.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- The key of saved results ---- */

/* What the findings depend on besides models and space: the mapping's rows, and the target's model
 * or the machine. */
static void add_target_key (const Run *run, GChecksum *sum) {
  if (!run->mapping)
    return;
  const RspMap *map = run->mapping->maps->pdata[0];
  for (guint i = 0; i < map->sources->len; i++) {
    const RspSource *source = map->sources->pdata[i];
    g_checksum_update (sum, (const guchar *) source->text, (gssize) source->length);
  }
  g_autofree char *readings = rsp_readings_format (&run->machine.readings);
  const char *target = run->target.machine ? run->machine.machine->name : run->target.model->digest;
  g_checksum_update (sum, (const guchar *) target, -1);
  g_checksum_update (sum, (const guchar *) readings, -1);
}

/* Question, models, space and version: what the lines of -resume depend on. */
static char *search_key (const Run *run, const RspStageOptions *stage) {
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_MD5);
  g_autofree char *space = rsp_synth_space_describe (&run->space);
  const char *parts[] = { RSP_VERSION, run->question->name, space };
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_checksum_update (sum, (const guchar *) parts[i], (gssize) strlen (parts[i]) + 1);
  for (guint i = 0; i < run->n_models; i++) {
    g_checksum_update (sum, (const guchar *) run->models[i]->digest, -1);
    for (char **v = run->models[i]->variants; v && *v; v++)
      g_checksum_update (sum, (const guchar *) *v, (gssize) strlen (*v) + 1);
  }
  add_target_key (run, sum);
  for (const char *const *s = stage->skipped_checks; s && *s; s++)
    g_checksum_update (sum, (const guchar *) *s, (gssize) strlen (*s) + 1);
  return g_strdup (g_checksum_get_string (sum));
}

/* ---- Progress ---- */

static void show_progress (gpointer data, guint events, double done, double seconds) {
  Run *run = data;
  fprintf (stderr, "\r%u events: %.0f%% of the shapes, %.0f s", events, 100 * done, seconds);
  if (done > 0.02)
    fprintf (stderr, ", %.0f s left", seconds / done - seconds);
  fputs ("\033[K", stderr);
  run->shown = TRUE;
  if (cli_signals_arrived (&run->signals))
    g_atomic_int_set (&run->stop, 1);
}

/* The same without a progress line: for -watch, and checks for signals. */
static void watch (gpointer data, guint events, double done, double seconds) {
  Run *run = data;
  (void) seconds;
  if (run->options->watch)
    cli_watch_search (run->options->watch, "%u events: %.0f%% of the shapes", events, 100 * done);
  if (cli_signals_arrived (&run->signals))
    g_atomic_int_set (&run->stop, 1);
}

/* ---- The search ---- */

void synth_run_report_incomplete (Run *run) {
  const char *hint = run->options->resume
                         ? "the same command continues where this one ended"
                         : "with `-resume FILE` a search saves its results and can be continued";
  if (run->search.complete || rsp_diagnostics_count_errors (run->diagnostics) > 0)
    return;
  g_autofree char *limit = rsp_size_format (run->search.budget.max_memory);
  if (rsp_budget_stop (&run->search.budget) == RSPCHECK_STOP_MEMORY)
    rsp_error (run->diagnostics, RSP_NOWHERE, "-max-memory SIZE allows more",
               "the results take more than %s: there may be more than is shown", limit);
  else
    rsp_error (run->diagnostics, RSP_NOWHERE, hint,
               "the search did not finish: there may be more than is shown");
}

gboolean synth_run_search (Run *run, const RspStageOptions *stage) {
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
    .target = run->mapping ? &run->target : NULL,
    .diagnostics = run->diagnostics,
    .all = options->all_findings > 0,
    .jobs = run->target.first ? 1
            : options->jobs   ? options->jobs
                              : g_get_num_processors (),
    .share = shared ? options->shard.number - 1 : 0,
    .shares = shared ? options->shard.of : 1,
    .kept = options->resume,
    .key = key,
    .stop = &run->stop,
    .budget = { .deadline = run->deadline, .max_memory = options->check.max_memory },
    .progress = line ? show_progress : watch,
    .data = run,
  };
  cli_signals_hold (&run->signals);
  gboolean good = rsp_synth_search_run (&run->search);
  if (run->shown)
    fputs ("\r\033[K", stderr);
  int arrived = cli_signals_arrived (&run->signals);
  if (arrived) {
    synth_run_report_incomplete (run);
    cli_print_diagnostics (run->diagnostics, FALSE);
    cli_signals_die (arrived);
  }
  cli_signals_release (&run->signals);
  return good;
}

/* ---- Tests ---- */

gboolean synth_run_write (Run *run, const char *name, const char *source) {
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (run->written, name)) + 1;
  g_autofree char *suffix = number > 1 ? g_strdup_printf (".%u", number) : g_strdup ("");
  g_autofree char *file = g_strconcat (name, suffix, ".litmus", NULL);
  g_autoptr (GString) text = g_string_new (source);
  if (!g_hash_table_add (run->written, g_strdup (source)))
    return TRUE;
  g_hash_table_insert (run->written, g_strdup (name), GUINT_TO_POINTER (number));
  g_string_insert (text, strchr (source, '\n') - source, suffix); /* after the name */
  g_autofree char *path = g_build_filename (run->options->logs, file, NULL);
  return cli_write_file (path, text);
}
