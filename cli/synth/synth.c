#include "cli/synth/synth.h"
#include "cli/synth/cheapest.h"

#include "cli/base/status.h"
#include "cli/base/stream.h"

#include <string.h>

/* ---- The question ---- */

static const struct {
  const SynthQuestion *question;
  gsize offset;
} questions[] = {
  { &rsp_synth_distinguish, G_STRUCT_OFFSET (CliOptions, distinguish) },
  { &rsp_synth_minimal, G_STRUCT_OFFSET (CliOptions, minimal) },
  { &rsp_synth_monotone, G_STRUCT_OFFSET (CliOptions, monotone) },
  { &rsp_synth_rewrites, G_STRUCT_OFFSET (CliOptions, rewrites) },
};

static const SynthQuestion *question_of (const CliOptions *options) {
  if (options->cheapest || (cli_machines_are_requested (options) && options->distinguish))
    return &rsp_synth_compile;
  for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
    if (G_STRUCT_MEMBER (int, options, questions[i].offset))
      return questions[i].question;
  return NULL;
}

gboolean cli_synth_is_requested (const CliOptions *options) {
  return question_of (options) != NULL;
}

/* ---- Models ---- */

/* A model that is given twice with the same options is one column. */
static gboolean report_same (const Run *run, const char *file) {
  rsp_error (run->diagnostics, RSP_NOWHERE, NULL,
             "`-%s` needs two models that differ, and both are `%s`", run->question->name, file);
  return FALSE;
}

static gboolean have_same_options (const CliColumn *a, const CliColumn *b) {
  return g_strv_equal ((const char *const *) a->variants->pdata,
                       (const char *const *) b->variants->pdata)
         && g_strv_equal ((const char *const *) a->skipped->pdata,
                          (const char *const *) b->skipped->pdata);
}

static gboolean load_given (Run *run, CliModels *models, const GPtrArray *given,
                            RspLanguageId language) {
  for (guint i = 0; i < given->len; i++) {
    const CliColumn *column = given->pdata[i];
    CliModel *found = cli_models_get_for (models, column, "", language);
    cli_models_report (models, found, run->diagnostics);
    if (!found->model)
      return FALSE;
    run->models[i] = (RspModel *) found->model;
    run->labels[i] = column->label;
  }
  run->n_models = given->len;
  return TRUE;
}

static gboolean load_models (Run *run, CliModels *models, const CliColumns *columns) {
  const GPtrArray *given = columns->given;
  if (given->len == 1 && run->question->n_models == 2 && run->options->models->len == 2)
    return report_same (run, ((const CliColumn *) given->pdata[0])->file);
  if (given->len != run->question->n_models) {
    rsp_error (run->diagnostics, RSP_NOWHERE, NULL, "`-%s` needs %s, and there %s %u",
               run->question->name,
               run->question->n_models == 1 ? "one -model" : "two models, each with -model",
               given->len == 1 ? "is" : "are", given->len);
    return FALSE;
  }
  if (!load_given (run, models, given, RSP_N_LANGUAGES))
    return FALSE;
  /* Which language their programs are of is known when all are loaded. */
  gboolean promise = run->question->by_outcome || run->question == &rsp_synth_compile;
  if (promise && !load_given (run, models, given, rsp_synth_language (run->models, run->n_models)))
    return FALSE;
  if (run->n_models == 2 && g_str_equal (run->models[0]->digest, run->models[1]->digest)
      && have_same_options (given->pdata[0], given->pdata[1]))
    return report_same (run, run->models[0]->path);
  return TRUE;
}

/* Of -compile: a mapping and the model of its target. */
static gboolean load_language (Run *run, CliModels *models) {
  const CliColumn *column = run->mapping->targets->pdata[0];
  CliModel *found = cli_models_get (models, column, "");
  cli_models_report (models, found, run->diagnostics);
  run->target.translation = run->mapping->translations->pdata[0];
  run->target.model = found->model;
  run->target.label = column->label;
  return found->model != NULL;
}

/* The deadline is that of all programs. */
static void set_machine (Run *run) {
  run->machine = cli_machines_run (run->mapping, 0, run->options);
  run->machine.timeout = 0;
  run->machine.wide_barriers = run->models[0]->wide_barriers;
  run->target.machine = &run->machine;
  run->target.label = run->machine.machine->name;
}

static gboolean load_target (Run *run, CliModels *models) {
  const CliOptions *options = run->options;
  guint n = options->machine ? options->mappings->len : options->compiled->len;
  if (n > 1) {
    rsp_error (run->diagnostics, RSP_NOWHERE, NULL,
               "`-%s -%s` is about one mapping, and there are %u",
               options->machine ? "machine" : "compile",
               options->cheapest ? "cheapest" : "distinguish", n);
    return FALSE;
  }
  run->mapping = cli_machines_new (options, run->diagnostics);
  if (!run->mapping)
    return FALSE;
  run->target.map = run->mapping->maps->pdata[0];
  if (!options->machine)
    return load_language (run, models);
  set_machine (run);
  return TRUE;
}

/* ---- Output ---- */

static void format_sizes (const Run *run, GString *out) {
  g_autofree char *space = rsp_synth_space_describe (&run->space);
  g_string_append_printf (out, "Space: %s\n", space);
  for (guint i = 0; i < run->search.sizes->len; i++) {
    const SynthSize *size = &g_array_index (run->search.sizes, SynthSize, i);
    g_string_append_printf (out, "%u event%s: %.0f programs, %u found\n", size->events,
                            size->events == 1 ? "" : "s", size->programs, size->found);
  }
}

static void format_verdicts (const SynthResult *result, GString *out) {
  for (guint i = 0; i < result->verdicts->len; i++) {
    const SynthVerdict *verdict = &g_array_index (result->verdicts, SynthVerdict, i);
    g_string_append_printf (out, "\n  %s: %s", verdict->model, rsp_synth_verdict_word (verdict));
    if (verdict->blame && !verdict->undefined)
      g_string_append_printf (out, " by %s", verdict->blame);
  }
}

/* "opencl: undefined by data_race", and "one of 3 weakest of 120 labellings". */
static void format_class (const SynthResult *result, GString *out) {
  g_string_append_printf (out, "\n  %s\n  ", result->reason);
  if (result->labellings == 1)
    g_string_append (out, "the only labelling");
  else if (result->n_weakest == result->labellings)
    g_string_append_printf (out, "one of %u labellings, all weakest", result->labellings);
  else if (result->n_weakest == 1)
    g_string_append_printf (out, "the weakest of %u labellings", result->labellings);
  else
    g_string_append_printf (out, "one of %u weakest of %u labellings", result->n_weakest,
                            result->labellings);
}

static void format_result (const SynthResult *result, GString *out) {
  g_string_append_printf (out, "\n%s\n  %s\n  %s", result->name, result->summary, result->kinds);
  if (result->outcome[0])
    g_string_append_printf (out, ": %s", result->outcome);
  if (result->edit)
    g_string_append_printf (out, "\n  after this (%s): %s\n  %s", result->edit, result->other_name,
                            result->other_summary);
  if (result->shape)
    format_class (result, out);
  else
    format_verdicts (result, out);
  g_string_append_c (out, '\n');
}

static gboolean write_tests (Run *run, const SynthResult *result) {
  return synth_run_write (run, result->name, result->text)
         && (!result->other_text || synth_run_write (run, result->other_name, result->other_text));
}

/* class: what the finding stands for; NULL: itself. FALSE if something could not be written, or the
 * result was not confirmed. */
static gboolean report_finding (Run *run, const SynthFinding *finding, const SynthClass *class) {
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (SynthResult) result = rsp_synth_result_new (
      run->question, finding, run->space.opencl, run->models, run->labels, run->n_models,
      run->search.stage, run->search.target, run->diagnostics);
  if (!result)
    return FALSE;
  if (class)
    rsp_synth_result_set_class (result, class, run->space.opencl);
  if (run->options->json)
    rsp_synth_result_json (result, run->question, out);
  else
    format_result (result, out);
  return (!run->options->logs || write_tests (run, result)) && cli_write (out);
}

static gboolean report_classes (Run *run) {
  g_autoptr (GArray) classes = rsp_synth_classes_new (run->question, run->search.found);
  for (guint i = 0; i < classes->len; i++) {
    const SynthClass *class = &g_array_index (classes, SynthClass, i);
    if (!report_finding (run, class->weakest, class))
      return FALSE;
  }
  return TRUE;
}

static gboolean report (Run *run) {
  const CliOptions *options = run->options;
  const GPtrArray *found = run->search.found;
  g_autoptr (GString) out = g_string_new (NULL);
  if (!options->json)
    format_sizes (run, out);
  if (!cli_make_folder (options->logs) || !cli_write (out))
    return FALSE;
  if (options->all_findings <= 0)
    return report_classes (run);
  for (guint i = 0; i < found->len; i++)
    if (!report_finding (run, found->pdata[i], NULL))
      return FALSE;
  return TRUE;
}

/* ---- The run ---- */

static int answer (Run *run, const CliColumns *columns, CliModels *models) {
  const CliOptions *options = run->options;
  const CliColumn *first = columns->given->len ? columns->given->pdata[0] : NULL;
  RspStageOptions stage
      = { .skipped_checks = first ? (const char *const *) first->skipped->pdata : NULL };
  if (!load_models (run, models, columns)
      || !rsp_synth_space_init (&run->space, &options->bounds, run->models, run->n_models, &stage,
                                run->diagnostics))
    return CLI_STATUS_USAGE;
  if (run->question == &rsp_synth_compile) {
    if (!load_target (run, models)
        || !rsp_synth_target_restrict (run->mapping->maps->pdata[0], &run->space, run->diagnostics))
      return CLI_STATUS_USAGE;
  }
  if (run->question == &rsp_synth_rewrites && rsp_languages[run->space.language].tagged) {
    rsp_error (run->diagnostics, RSP_NOWHERE, NULL, "`-rewrites` is not for programs of %s",
               rsp_languages[run->space.language].word);
    return CLI_STATUS_USAGE;
  }
  if (options->cheapest)
    return cli_cheapest_run (run, &stage);
  gboolean good = synth_run_search (run, &stage);
  good = good && report (run);
  synth_run_report_incomplete (run);
  good = good && run->search.complete;
  rsp_synth_search_clear (&run->search);
  return good ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}

int cli_synth_run (CliOptions *options, RspDiagnostics *diagnostics) {
  Run run = { .options = options,
              .diagnostics = diagnostics,
              .question = question_of (options),
              .deadline = rsp_deadline_in (options->check.timeout) };
  int status = CLI_STATUS_USAGE;
  g_autoptr (CliModels) models = cli_models_new (options);
  g_autoptr (CliColumns) columns = cli_columns_new (options, diagnostics);
  g_autoptr (GHashTable) written = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  run.written = written;
  if (options->inputs->len)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "`-%s` is about all programs: it takes no tests",
               run.question->name);
  else if (options->html)
    rsp_error (
        diagnostics, RSP_NOWHERE,
        "with `-o DIR` the tests are written, and `rspcheck -html FILE DIR` makes a page of them",
        "`-%s` has no page", run.question->name);
  else if (columns)
    status = answer (&run, columns, models);
  cli_print_diagnostics (diagnostics, options->quiet);
  cli_machines_free (run.mapping);
  return status;
}
