/* Questions about all programs, repairs, and cheapest mappings, as commands. */
#include "base/json.h"
#include "cli/internal.h"
#include "extra/synth/synth.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Run ------------------------------------------------------------------------------------ */

/* ---- The key of saved results ---- */
/* A digest of what findings depend on: question, models, space and version. */
static char *search_key (const SynthRun *run, const RspStageOptions *stage) {
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
  if (run->mapping) { /* its rows, and the target's model or the machine */
    const RspMap *map = run->mapping->maps->pdata[0];
    for (guint i = 0; i < map->sources->len; i++) {
      const RspSource *source = map->sources->pdata[i];
      g_checksum_update (sum, (const guchar *) source->text, (gssize) source->length);
    }
    g_autofree char *readings = rsp_readings_format (&run->machine.readings);
    const char *target
        = run->target.machine ? run->machine.machine->name : run->target.model->digest;
    g_checksum_update (sum, (const guchar *) target, -1);
    g_checksum_update (sum, (const guchar *) readings, -1);
  }
  for (const char *const *s = stage->skipped_checks; s && *s; s++)
    g_checksum_update (sum, (const guchar *) *s, (gssize) strlen (*s) + 1);
  return g_strdup (g_checksum_get_string (sum));
}

/* ---- Progress ---- */
static void show_progress (gpointer data, guint events, double done, double seconds) {
  SynthRun *run = data;
  fprintf (stderr, "\r%u events: %.0f%% of the shapes, %.0f s", events, 100 * done, seconds);
  if (done > 0.02)
    fprintf (stderr, ", %.0f s left", seconds / done - seconds);
  fputs ("\033[K", stderr);
  run->shown = TRUE;
  if (cli_signals_arrived (&run->signals))
    g_atomic_int_set (&run->stop, 1);
}

/* Without a progress line: for -watch and signals. */
static void watch (gpointer data, guint events, double done, double seconds) {
  SynthRun *run = data;
  (void) seconds;
  if (run->options->watch)
    cli_watch_search (run->options->watch, "%u events: %.0f%% of the shapes", events, 100 * done);
  if (cli_signals_arrived (&run->signals))
    g_atomic_int_set (&run->stop, 1);
}

/* ---- The search ---- */
/* Reports that the search did not finish, if so. */
static void report_incomplete (SynthRun *run) {
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

/* Searches the space, with run->target if there is one. FALSE after an error. */
static gboolean search_space (SynthRun *run, const RspStageOptions *stage) {
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
    report_incomplete (run);
    cli_print_diagnostics (run->diagnostics, FALSE);
    cli_signals_die (arrived);
  }
  cli_signals_release (&run->signals);
  return good;
}

/* ---- Tests ---- */
/* Writes a test into the folder of -o. A test of the name of another one is NAME.2, NAME.3, …:
 * minimal tests may differ in their outcomes alone. */
static gboolean write_test (SynthRun *run, const char *name, const char *source) {
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

/* ---- Cheapest ------------------------------------------------------------------------------- */

/* -compile F.map -cheapest: the cheapest tables that no program of the space breaks. */

/* Tables are tried by cost. A program that breaks one is a test for those after it; a table that
 * passes these is searched for programs that break it, smaller ones first. */

typedef struct Cheapest {
  SynthRun *run;
  const RspStageOptions *stage;
  SynthTables *tables;
  GPtrArray *tests; /* of char *: texts, with an outcome that the source forbids */
  guint64 tried, least;
  guint n_right;
} Cheapest;

/* ---- Output ---- */
static void append_row (gpointer user, const char *head, const char *instructions) {
  g_string_append_printf (user, "  %s : %s\n", head, instructions);
}

static void add_row (gpointer user, const char *head, const char *instructions) {
  rsp_json_set_text (user, head, instructions);
}

static void report_table (const Cheapest *cheapest, GString *out) {
  guint64 cost = rsp_synth_tables_cost (cheapest->tables);
  if (!cheapest->run->options->json) {
    g_string_append_printf (out, "Cost %" G_GUINT64_FORMAT "\n", cost);
    rsp_synth_tables_each_row (cheapest->tables, append_row, out);
    return;
  }
  RspJson *rows = rsp_json_empty ();
  rsp_synth_tables_each_row (cheapest->tables, add_row, rows);
  g_autoptr (RspJson) object
      = rsp_json_object ("question", rsp_json_text ("cheapest"), "cost",
                         rsp_json_number ((gint64) cost), "rows", rows, NULL);
  rsp_json_append_line (object, out);
}

/* ---- One table ---- */
/* Does a program that broke another table break this one? */
static gboolean is_refuted (const Cheapest *cheapest) {
  SynthRun *run = cheapest->run;
  gboolean breaks = FALSE;
  for (guint i = 0; i < cheapest->tests->len && !breaks; i++)
    if (!rsp_synth_target_allows (&run->target, cheapest->tests->pdata[i], RSPCHECK_ENGINE_BOUNDED,
                                  &breaks, run->diagnostics))
      return TRUE;
  return breaks;
}

/* *right: is there no program that breaks the current table? FALSE if that is not known. */
static gboolean judge (Cheapest *cheapest, gboolean *right) {
  SynthRun *run = cheapest->run;
  run->target.map = rsp_synth_tables_map (cheapest->tables);
  g_autoptr (RspTranslation) translation
      = run->target.machine ? NULL : rsp_translation_new (run->target.map, run->diagnostics);
  run->target.translation = translation;
  *right = FALSE;
  cheapest->tried++;
  if (is_refuted (cheapest))
    return rsp_diagnostics_count_errors (run->diagnostics) == 0;
  gboolean good = search_space (run, cheapest->stage) && run->search.complete;
  *right = good && !run->search.found->len;
  if (good && !*right) { /* the program that was found is a test for other tables */
    g_autoptr (SynthResult) result = rsp_synth_result_new (
        run->question, run->search.found->pdata[0], run->space.opencl, run->models, run->labels,
        run->n_models, cheapest->stage, &run->target, run->diagnostics);
    if (result)
      g_ptr_array_add (cheapest->tests, g_strdup (result->text));
    good = result && (!run->options->logs || write_test (run, result->name, result->text));
  }
  report_incomplete (run);
  rsp_synth_search_clear (&run->search);
  run->search.found = NULL;
  run->search.sizes = NULL;
  return good;
}

/* Answers -cheapest; an exit status. */
static int find_cheapest (SynthRun *run, const RspStageOptions *stage) {
  g_autoptr (SynthTables) tables
      = rsp_synth_tables_new (run->mapping->maps->pdata[0], run->target.machine, run->diagnostics);
  if (!tables)
    return CLI_STATUS_USAGE;
  if (!cli_make_folder (run->options->logs))
    return CLI_STATUS_UNFINISHED;
  g_autoptr (GPtrArray) tests = g_ptr_array_new_with_free_func (g_free);
  Cheapest cheapest = { .run = run, .stage = stage, .tables = tables, .tests = tests };
  gboolean good = TRUE;
  run->target.first = TRUE;
  while (good && rsp_synth_tables_next (tables)
         && (!cheapest.n_right || rsp_synth_tables_cost (tables) == cheapest.least)) {
    g_autoptr (GString) out = g_string_new (NULL);
    gboolean right;
    good = judge (&cheapest, &right);
    if (!good || !right)
      continue;
    cheapest.n_right++;
    cheapest.least = rsp_synth_tables_cost (tables);
    report_table (&cheapest, out);
    good = cli_write (out);
  }
  run->target.translation = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  if (good && !run->options->json) {
    g_autofree char *space = rsp_synth_space_describe (&run->space);
    if (!cheapest.n_right)
      g_string_append (out, "No table is right\n");
    g_string_append_printf (
        out, "%" G_GUINT64_FORMAT " of %.0f tables tried, %u program%s refuted the others\n",
        cheapest.tried, rsp_synth_tables_count (tables), tests->len, tests->len == 1 ? "" : "s");
    if (cheapest.n_right)
      g_string_append_printf (out, "No program breaks %s: %s\n",
                              cheapest.n_right == 1 ? "this one" : "these", space);
  }
  return cli_write (out) && good ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}

/* ---- Repair --------------------------------------------------------------------------------- */

enum { DEFAULT_EDITS = 3 };

static const char *const cost_words[SYNTH_EDIT_KINDS]
    = { "order", "scope", "remote", "atomic", "fence", "semantics" };

typedef struct RepairRun {
  const CliOptions *options;
  RspDiagnostics *diagnostics;
  gboolean relax, forbid;
  guint costs[SYNTH_EDIT_KINDS];
} RepairRun;

gboolean cli_repair_is_requested (const CliOptions *options) {
  return options->repair || options->relax;
}

gboolean cli_repair_costs (const CliOptions *options, guint *costs, RspDiagnostics *diagnostics) {
  static const guint defaults[SYNTH_EDIT_KINDS] = { 1, 1, 2, 1, 4, 1 };
  memcpy (costs, defaults, sizeof defaults);
  if (!options->costs)
    return TRUE;
  g_auto (GStrv) items = g_strsplit (options->costs, ",", -1); /* "order=1,fence=4" */
  for (guint i = 0; items[i]; i++) {
    const char *value = strchr (items[i], '=');
    gsize length = value ? (gsize) (value - items[i]) : 0;
    guint64 cost;
    guint k = 0;
    while (k < SYNTH_EDIT_KINDS
           && (strlen (cost_words[k]) != length || strncmp (cost_words[k], items[i], length) != 0))
      k++;
    if (k == SYNTH_EDIT_KINDS
        || !g_ascii_string_to_unsigned (value + 1, 10, 0, 1000000, &cost, NULL)) {
      rsp_error (diagnostics, RSP_NOWHERE,
                 "for instance `-edit-cost order=1,scope=1,remote=2,fence=4`",
                 "-edit-cost: `%s` is not a kind of edit (order, scope, remote, atomic, fence, "
                 "semantics) and its cost",
                 items[i]);
      return FALSE;
    }
    costs[k] = (guint) cost;
  }
  return TRUE;
}

/* ---- One version ---- */
/* "PATH: edit; edit" */
static char *describe_edits (const SynthTask *task, const SynthVersion *version, const char *path) {
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < task->sites->len; i++) {
    const SynthSite *site = task->sites->pdata[i];
    if (version->levels[i] == site->own)
      continue;
    g_autofree char *edit = rsp_synth_site_describe (site, version->levels[i]);
    g_string_append_printf (text, "%s%s", text->len ? "; " : "", edit);
  }
  g_string_prepend (text, ": ");
  g_string_prepend (text, path);
  return g_string_free (text, FALSE);
}

/* ---- The answer for one test and model ---- */
/* Why there is no version, or NULL. */
static const char *summary (const RepairRun *run, const SynthTask *task) {
  if (task->already)
    return run->forbid ? "its outcome is forbidden already" : "it is defined already";
  if (task->found->len)
    return NULL;
  if (!task->complete)
    return "not known: the search did not finish";
  return run->relax ? "nothing can be weakened" : "no set of so few edits is enough";
}

static gboolean report_text (const RepairRun *run, const SynthTask *task, const char *path,
                             const char *label) {
  g_autoptr (GString) out = g_string_new (NULL);
  const char *why = summary (run, task);
  g_string_append_printf (out, "%s %s, %s: ", run->options->kernel ? "Kernel" : "Test",
                          task->program->name, label);
  if (why)
    g_string_append_printf (out, "%s\n", why);
  else
    g_string_append_printf (out, "%u %s set%s of %s\n", task->found->len,
                            run->relax ? "maximal" : "minimal", task->found->len == 1 ? "" : "s",
                            run->relax ? "weakenings" : "edits");
  for (guint i = 0; i < task->found->len; i++) {
    const SynthVersion *version = task->found->pdata[i];
    g_autofree char *edits = describe_edits (task, version, path);
    g_autofree char *text = rsp_synth_version_text (task->program, task->sites, version->levels);
    g_autofree char *diff = rsp_synth_text_diff (path, path, task->program->source->text, text);
    g_string_append_printf (out, "%u (%s %u): %s\n%s", i + 1, run->relax ? "saves" : "cost",
                            version->cost, edits, diff);
  }
  g_string_append_c (out, '\n');
  return cli_write (out);
}

static RspJson *version_node (const SynthTask *task, const SynthVersion *version,
                              const char *path) {
  g_autofree char *edits = describe_edits (task, version, path);
  g_autofree char *text = rsp_synth_version_text (task->program, task->sites, version->levels);
  g_autofree char *diff = rsp_synth_text_diff (path, path, task->program->source->text, text);
  return rsp_json_object ("cost", rsp_json_number (version->cost), "edits", rsp_json_text (edits),
                          "patch", rsp_json_text (diff), "source", rsp_json_text (text), NULL);
}

static gboolean report_json (const RepairRun *run, const SynthTask *task, const char *path,
                             const char *label) {
  const char *question = run->relax ? "relax" : run->forbid ? "repair forbid" : "repair";
  g_autoptr (GString) out = g_string_new (NULL);
  RspJson *versions = rsp_json_list ();
  for (guint i = 0; i < task->found->len; i++)
    rsp_json_add (versions, version_node (task, task->found->pdata[i], path));
  g_autoptr (RspJson) object
      = rsp_json_object ("question", rsp_json_text (question), "test",
                         rsp_json_text (task->program->name), "path", rsp_json_text (path), "model",
                         rsp_json_text (label), "summary", rsp_json_text (summary (run, task)),
                         "complete", rsp_json_boolean (task->complete), "versions", versions, NULL);
  rsp_json_append_line (object, out);
  return cli_write (out);
}

static gboolean report_versions (const RepairRun *run, const SynthTask *task, const char *path,
                                 const char *label) {
  for (guint i = 0; run->options->logs && i < task->found->len; i++) {
    const SynthVersion *version = task->found->pdata[i];
    g_autofree char *source = rsp_synth_version_text (task->program, task->sites, version->levels);
    g_autofree char *file = g_strdup_printf ("%s.%u.%s", task->program->name, i + 1,
                                             run->options->kernel ? "cl" : "litmus");
    g_autofree char *file_path = g_build_filename (run->options->logs, file, NULL);
    g_autoptr (GString) text = g_string_new (source);
    if (!cli_write_file (file_path, text))
      return FALSE;
  }
  return run->options->json ? report_json (run, task, path, label)
                            : report_text (run, task, path, label);
}

gboolean cli_repair_report (const CliOptions *options, const SynthTask *task, const char *path,
                            const char *label) {
  const RepairRun run = { .options = options };
  return cli_make_folder (options->logs) && report_versions (&run, task, path, label);
}

/* ---- The run ---- */
static gboolean begin (gpointer data) {
  return cli_make_folder (((const RepairRun *) data)->options->logs);
}

/* Answers -repair or -relax for a test under a model. */
static gboolean repair_test (gpointer data, const RspProgram *program, const char *path,
                             const CliColumn *column, const RspModel *model) {
  const RepairRun *run = data;
  const CliOptions *options = run->options;
  RspCheckOptions check = column->check;
  check.skipped_checks = (const char *const *) column->skipped->pdata;
  check.jobs = 1;
  SynthTask task = { .program = program,
                     .model = model,
                     .check = &check,
                     .forbid = run->forbid,
                     .all = options->all_findings > 0,
                     .most = options->edits ? options->edits : DEFAULT_EDITS,
                     .deadline = rsp_deadline_in (check.timeout) };
  memcpy (task.costs, run->costs, sizeof run->costs);
  gboolean good = run->relax ? rsp_synth_relax (&task, run->diagnostics)
                             : rsp_synth_repair (&task, run->diagnostics);
  if (!good && rsp_diagnostics_count_errors (run->diagnostics) == 0)
    rsp_error (run->diagnostics, RSP_NOWHERE, NULL,
               "test %s: the search did not finish: there may be more than is shown",
               program->name);
  good = report_versions (run, &task, path, column->label) && good;
  rsp_synth_task_clear (&task);
  return good;
}

int cli_repair_run (CliOptions *options, RspDiagnostics *diagnostics) {
  RepairRun run = { .options = options, .diagnostics = diagnostics, .relax = options->relax > 0 };
  const CliQuestion question = {
    .option = run.relax ? "relax" : "repair", .begin = begin, .answer = repair_test, .data = &run
  };
  GPtrArray *inputs = options->inputs; /* `-repair forbid TEST` */
  run.forbid = !run.relax && inputs->len > 0 && strcmp (inputs->pdata[0], "forbid") == 0
               && !g_file_test ("forbid", G_FILE_TEST_EXISTS);
  if (run.forbid)
    g_ptr_array_remove_index (inputs, 0);
  if (cli_repair_costs (options, run.costs, diagnostics))
    return cli_ask_each (options, &question, diagnostics);
  cli_print_diagnostics (diagnostics, options->quiet);
  return CLI_STATUS_USAGE;
}

/* ---- Synth ---------------------------------------------------------------------------------- */

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
/* FALSE, with an error: a model that is given twice with the same options is one column. */
static gboolean report_same (const SynthRun *run, const char *file) {
  rsp_error (run->diagnostics, RSP_NOWHERE, NULL,
             "`-%s` needs two models that differ, and both are `%s`", run->question->name, file);
  return FALSE;
}

static gboolean equal_lists (const GPtrArray *a, const GPtrArray *b) {
  return g_strv_equal ((const char *const *) a->pdata, (const char *const *) b->pdata);
}
static gboolean load_given (SynthRun *run, CliModels *models, const GPtrArray *given,
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

static gboolean load_models (SynthRun *run, CliModels *models, const CliColumns *columns) {
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
  /* The language of their programs is known once all are loaded. */
  gboolean promise = run->question->by_outcome || run->question == &rsp_synth_compile;
  if (promise && !load_given (run, models, given, rsp_synth_language (run->models, run->n_models)))
    return FALSE;
  if (run->n_models < 2)
    return TRUE;
  const CliColumn *a = given->pdata[0], *b = given->pdata[1];
  gboolean same = g_str_equal (run->models[0]->digest, run->models[1]->digest)
                  && equal_lists (a->variants, b->variants) && equal_lists (a->skipped, b->skipped);
  return !same || report_same (run, run->models[0]->path);
}

static gboolean load_target (SynthRun *run, CliModels *models) {
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
  if (!options->machine) { /* -compile: the model of the mapping's target */
    const CliColumn *column = run->mapping->targets->pdata[0];
    CliModel *found = cli_models_get (models, column, "");
    cli_models_report (models, found, run->diagnostics);
    run->target.translation = run->mapping->translations->pdata[0];
    run->target.model = found->model;
    run->target.label = column->label;
    return found->model != NULL;
  }
  run->machine = cli_machines_run (run->mapping, 0, options);
  run->machine.timeout = 0; /* the run's deadline is for all programs */
  run->machine.wide_barriers = run->models[0]->wide_barriers;
  run->target.machine = &run->machine;
  run->target.label = run->machine.machine->name;
  return TRUE;
}

/* ---- Output ---- */
/* class: what the finding stands for; NULL: itself. FALSE if something could not be written or the
 * result was not confirmed. */
static gboolean report_finding (SynthRun *run, const SynthFinding *finding,
                                const SynthClass *class) {
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
  else {
    g_string_append_printf (out, "\n%s\n  %s\n  %s", result->name, result->summary, result->kinds);
    if (result->outcome[0])
      g_string_append_printf (out, ": %s", result->outcome);
    if (result->edit)
      g_string_append_printf (out, "\n  after this (%s): %s\n  %s", result->edit,
                              result->other_name, result->other_summary);
    if (result->shape) { /* "opencl: undefined by data_race", and the labellings */
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
    } else {
      for (guint i = 0; i < result->verdicts->len; i++) {
        const SynthVerdict *verdict = &g_array_index (result->verdicts, SynthVerdict, i);
        g_string_append_printf (out, "\n  %s: %s", verdict->model,
                                rsp_synth_verdict_word (verdict));
        if (verdict->blame && !verdict->undefined)
          g_string_append_printf (out, " by %s", verdict->blame);
      }
    }
    g_string_append_c (out, '\n');
  }
  return (!run->options->logs
          || (write_test (run, result->name, result->text)
              && (!result->other_text || write_test (run, result->other_name, result->other_text))))
         && cli_write (out);
}

/* Reports the space and what was found. FALSE as above. */
static gboolean report_found (SynthRun *run) {
  const CliOptions *options = run->options;
  const GPtrArray *found = run->search.found;
  g_autoptr (GString) out = g_string_new (NULL);
  if (!options->json) {
    g_autofree char *space = rsp_synth_space_describe (&run->space);
    g_string_append_printf (out, "Space: %s\n", space);
    for (guint i = 0; i < run->search.sizes->len; i++) {
      const SynthSize *size = &g_array_index (run->search.sizes, SynthSize, i);
      g_string_append_printf (out, "%u event%s: %.0f programs, %u found\n", size->events,
                              size->events == 1 ? "" : "s", size->programs, size->found);
    }
  }
  if (!cli_make_folder (options->logs) || !cli_write (out))
    return FALSE;
  if (options->all_findings <= 0) {
    g_autoptr (GArray) classes = rsp_synth_classes_new (run->question, found);
    for (guint i = 0; i < classes->len; i++) {
      const SynthClass *class = &g_array_index (classes, SynthClass, i);
      if (!report_finding (run, class->weakest, class))
        return FALSE;
    }
    return TRUE;
  }
  for (guint i = 0; i < found->len; i++)
    if (!report_finding (run, found->pdata[i], NULL))
      return FALSE;
  return TRUE;
}

/* ---- The run ---- */
static int answer_question (SynthRun *run, const CliColumns *columns, CliModels *models) {
  const CliOptions *options = run->options;
  const CliColumn *first = columns->given->len ? columns->given->pdata[0] : NULL;
  RspStageOptions stage
      = { .skipped_checks = first ? (const char *const *) first->skipped->pdata : NULL };
  if (!load_models (run, models, columns)
      || !rsp_synth_space_init (&run->space, &options->bounds, run->models, run->n_models, &stage,
                                run->diagnostics))
    return CLI_STATUS_USAGE;
  if (run->question == &rsp_synth_compile
      && (!load_target (run, models)
          || !rsp_synth_target_restrict (run->mapping->maps->pdata[0], &run->space,
                                         run->diagnostics)))
    return CLI_STATUS_USAGE;
  if (run->question == &rsp_synth_rewrites && rsp_languages[run->space.language].tagged) {
    rsp_error (run->diagnostics, RSP_NOWHERE, NULL, "`-rewrites` is not for programs of %s",
               rsp_languages[run->space.language].word);
    return CLI_STATUS_USAGE;
  }
  if (options->cheapest)
    return find_cheapest (run, &stage);
  gboolean good = search_space (run, &stage);
  good = good && report_found (run);
  report_incomplete (run);
  good = good && run->search.complete;
  rsp_synth_search_clear (&run->search);
  return good ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}

int cli_synth_run (CliOptions *options, RspDiagnostics *diagnostics) {
  SynthRun run = { .options = options,
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
    status = answer_question (&run, columns, models);
  cli_print_diagnostics (diagnostics, options->quiet);
  cli_machines_free (run.mapping);
  return status;
}
