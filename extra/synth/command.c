/* Questions about all programs, repairs, and cheapest mappings, as commands. */
#include "base/json.h"
#include "cli/extra.h"
#include "extra/synth/synth.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct SynthOptions {
  int distinguish, minimal, monotone, rewrites; /* questions whose answers are programs */
  int cheapest;
  int all; /* -all */
  SynthBounds bounds;
} SynthOptions;

/* A question about all programs, as the command line asks it. */

typedef struct SynthRun {
  CliOptions *options;
  RspDiagnostics *diagnostics;
  const SynthQuestion *question;
  RspModel *models[2];
  const char *labels[2];
  guint n_models;
  CliMappings *mapping; /* of -compile or -machine, or NULL */
  SynthTarget target;   /* the mapping's */
  SynthSpace space;
  SynthSearch search;
  CliSignals signals;
  gint stop;
  gint64 deadline;     /* of -timeout, for the whole run */
  gboolean shown;      /* the progress line */
  GHashTable *written; /* of -o: names and texts; those of names to how many tests have it */
} SynthRun;

static SynthOptions *own_options (const CliOptions *options) {
  return cli_extra_options (options, &synth_extra);
}

/* ---- Run ------------------------------------------------------------------------------------ */

/* ---- The key of saved results ---- */
/* Question, models, space and version: what the lines of -resume depend on. */
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
  /* Findings also depend on the mapping's rows, and on the target's model or the machine. */
  if (run->mapping) {
    const RspMap *map = run->mapping->maps->pdata[0];
    for (guint i = 0; i < map->sources->len; i++) {
      const RspSource *source = map->sources->pdata[i];
      g_checksum_update (sum, (const guchar *) source->text, (gssize) source->length);
    }
    const RspMapMachine *machine = run->target.machine;
    const char *target = machine ? machine->name : run->target.model->digest;
    g_checksum_update (sum, (const guchar *) target, -1);
    if (machine)
      g_checksum_update (sum, (const guchar *) machine->readings, -1);
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

/* The same without a progress line: for -watch, and checks for signals. */
static void watch (gpointer data, guint events, double done, double seconds) {
  SynthRun *run = data;
  (void) seconds;
  if (run->options->watch)
    cli_watch_search (run->options->watch, "%u events: %.0f%% of the shapes", events, 100 * done);
  if (cli_signals_arrived (&run->signals))
    g_atomic_int_set (&run->stop, 1);
}

/* Reports that the search did not finish, if so. */
/* ---- The search ---- */
static void synth_run_report_incomplete (SynthRun *run) {
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
static gboolean synth_run_search (SynthRun *run, const RspStageOptions *stage) {
  const CliOptions *options = run->options;
  g_autofree char *key = search_key (run, stage);
  gboolean line = !options->no_progress && isatty (STDERR_FILENO);
  gboolean shared = options->shard.of > 1;
  run->search = (SynthSearch){
    .question = run->question,
    .space = &run->space,
    .models = run->models,
    .n_models = run->n_models,
    .stage = stage,
    .target = run->mapping ? &run->target : NULL,
    .diagnostics = run->diagnostics,
    .all = own_options (options)->all > 0,
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

/* Writes a test into the folder of -o. A test of the name of another one is NAME.2, NAME.3, …:
 * minimal tests may differ in their outcomes alone. */
/* ---- Tests ---- */
static gboolean synth_run_write (SynthRun *run, const char *name, const char *source) {
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (run->written, name)) + 1;
  g_autofree char *suffix = number > 1 ? g_strdup_printf (".%u", number) : g_strdup ("");
  g_autoptr (GString) text = g_string_new (source);
  if (!g_hash_table_add (run->written, g_strdup (source)))
    return TRUE;
  g_hash_table_insert (run->written, g_strdup (name), GUINT_TO_POINTER (number));
  g_string_insert (text, strchr (source, '\n') - source, suffix); /* after the name */
  g_autofree char *path
      = cli_path_in (run->options->logs, g_strconcat (name, suffix, ".litmus", NULL));
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

/* Keeps the program that was found. */
static gboolean take_test (Cheapest *cheapest) {
  SynthRun *run = cheapest->run;
  g_autoptr (SynthResult) result = rsp_synth_result_new (
      run->question, run->search.found->pdata[0], run->space.opencl, run->models, run->labels,
      run->n_models, cheapest->stage, &run->target, run->diagnostics);
  if (!result)
    return FALSE;
  g_ptr_array_add (cheapest->tests, g_strdup (result->text));
  return !run->options->logs || synth_run_write (run, result->name, result->text);
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
  gboolean good = synth_run_search (run, cheapest->stage) && run->search.complete;
  *right = good && !run->search.found->len;
  good = good && (*right || take_test (cheapest));
  synth_run_report_incomplete (run);
  rsp_synth_search_clear (&run->search);
  run->search.found = NULL;
  run->search.sizes = NULL;
  return good;
}

static gboolean try_all (Cheapest *cheapest) {
  while (rsp_synth_tables_next (cheapest->tables)
         && (!cheapest->n_right || rsp_synth_tables_cost (cheapest->tables) == cheapest->least)) {
    g_autoptr (GString) out = g_string_new (NULL);
    gboolean right;
    if (!judge (cheapest, &right))
      return FALSE;
    if (!right)
      continue;
    cheapest->n_right++;
    cheapest->least = rsp_synth_tables_cost (cheapest->tables);
    report_table (cheapest, out);
    if (!cli_write (out))
      return FALSE;
  }
  return TRUE;
}

/* Returns an exit status. */
static int cli_cheapest_run (SynthRun *run, const RspStageOptions *stage) {
  g_autoptr (SynthTables) tables
      = rsp_synth_tables_new (run->mapping->maps->pdata[0], run->target.machine, run->diagnostics);
  if (!tables)
    return CLI_STATUS_USAGE;
  if (!cli_make_folder (run->options->logs))
    return CLI_STATUS_UNFINISHED;
  Cheapest cheapest = { .run = run, .stage = stage, .tables = tables };
  g_autoptr (GPtrArray) tests = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) out = g_string_new (NULL);
  cheapest.tests = tests;
  run->target.first = TRUE;
  gboolean good = try_all (&cheapest);
  run->target.translation = NULL;
  if (good && !run->options->json) {
    g_autofree char *space = rsp_synth_space_describe (&cheapest.run->space);
    if (!cheapest.n_right)
      g_string_append (out, "No table is right\n");
    g_string_append_printf (
        out, "%" G_GUINT64_FORMAT " of %.0f tables tried, %u program%s refuted the others\n",
        cheapest.tried, rsp_synth_tables_count (cheapest.tables), cheapest.tests->len,
        cheapest.tests->len == 1 ? "" : "s");
    if (cheapest.n_right)
      g_string_append_printf (out, "No program breaks %s: %s\n",
                              cheapest.n_right == 1 ? "this one" : "these", space);
  }
  return cli_write (out) && good ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}

/* ---- Synth ---------------------------------------------------------------------------------- */

/* ---- The question ---- */
static const struct {
  const SynthQuestion *question;
  gsize offset;
} questions[] = {
  { &rsp_synth_distinguish, G_STRUCT_OFFSET (SynthOptions, distinguish) },
  { &rsp_synth_minimal, G_STRUCT_OFFSET (SynthOptions, minimal) },
  { &rsp_synth_monotone, G_STRUCT_OFFSET (SynthOptions, monotone) },
  { &rsp_synth_rewrites, G_STRUCT_OFFSET (SynthOptions, rewrites) },
};

/* The option that asks for mappings; NULL if none does. */
static const char *mapping_option (const CliOptions *options) {
  const CliMappingService *service = cli_mapping_service ();
  return service ? service->option (options) : NULL;
}

static const SynthQuestion *question_of (const CliOptions *options) {
  const SynthOptions *own = own_options (options);
  if (own->cheapest || (own->distinguish && mapping_option (options)))
    return &rsp_synth_compile;
  for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
    if (G_STRUCT_MEMBER (int, own, questions[i].offset))
      return questions[i].question;
  return NULL;
}

static gboolean is_requested (const CliOptions *options) { return question_of (options) != NULL; }

/* ---- Models ---- */
/* A model that is given twice with the same options is one column. */
static gboolean report_same (const SynthRun *run, const char *file) {
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
  /* Which language their programs are of is known when all are loaded. */
  gboolean promise = run->question->by_outcome || run->question == &rsp_synth_compile;
  if (promise && !load_given (run, models, given, rsp_synth_language (run->models, run->n_models)))
    return FALSE;
  if (run->n_models == 2 && g_str_equal (run->models[0]->digest, run->models[1]->digest)
      && have_same_options (given->pdata[0], given->pdata[1]))
    return report_same (run, run->models[0]->path);
  return TRUE;
}

static gboolean load_target (SynthRun *run, CliModels *models) {
  const CliOptions *options = run->options;
  const CliMappingService *service = cli_mapping_service ();
  guint n = service->count (options);
  if (n > 1) {
    rsp_error (run->diagnostics, RSP_NOWHERE, NULL,
               "`-%s -%s` is about one mapping, and there are %u", service->option (options),
               own_options (options)->cheapest ? "cheapest" : "distinguish", n);
    return FALSE;
  }
  run->mapping = service->open (options, run->models[0]->wide_barriers, run->diagnostics);
  if (!run->mapping)
    return FALSE;
  run->target.map = run->mapping->maps->pdata[0];
  run->target.machine = run->mapping->machine;
  if (!rsp_words_check_map (run->target.map, run->models[0], run->diagnostics))
    return FALSE;
  if (!run->target.machine) {
    /* Of -compile: a mapping and the model of its target. */
    const CliColumn *column = run->mapping->targets->pdata[0];
    CliModel *found = cli_models_get (models, column, "");
    cli_models_report (models, found, run->diagnostics);
    run->target.translation = run->mapping->translations->pdata[0];
    run->target.model = found->model;
    run->target.label = column->label;
    return found->model != NULL;
  }
  run->target.label = run->target.machine->name;
  return TRUE;
}

/* ---- Output ---- */
/* Appends a number as "42,822,926". */
static void format_number (double number, GString *out) {
  gsize begin = out->len;
  g_string_append_printf (out, "%.0f", number);
  for (gsize at = out->len; at > begin + 3;)
    g_string_insert_c (out, (gssize) (at -= 3), ',');
}

/* The conclusion about the two models after a finished search. */
static void format_end (const SynthRun *run, GString *out) {
  guint kinds = 0;
  double programs = 0;
  g_autoptr (GString) lacking = g_string_new (NULL);
  for (guint i = 0; i < run->search.sizes->len; i++) {
    const SynthSize *size = &g_array_index (run->search.sizes, SynthSize, i);
    kinds |= size->kinds;
    programs += size->programs;
  }
  for (guint kind = 0; kind < run->question->n_kinds; kind++)
    if (!(kinds >> kind & 1))
      g_string_append_printf (lacking, "%s`%s`", lacking->len ? ", " : "",
                              run->question->kinds[kind]);
  g_string_append_printf (out, "%s%s and %s ", kinds ? "" : "\n", run->labels[0], run->labels[1]);
  if (!kinds) {
    g_string_append (out, "agree on all ");
    format_number (programs, out);
    g_string_append (out, " programs of this space.\n");
    return;
  }
  g_string_append (out, lacking->len ? "differ, but none of the " : "differ.\n");
  if (!lacking->len)
    return;
  format_number (programs, out);
  g_string_append_printf (out, " programs shows %s.\n", lacking->str);
}

/* Appends the result to out. class: what the finding stands for; NULL: itself. NULL if something
 * could not be written, or the result was not confirmed. */
static SynthResult *report_finding (SynthRun *run, const SynthFinding *finding,
                                    const SynthClass *class, GString *out) {
  g_autoptr (SynthResult) result = rsp_synth_result_new (
      run->question, finding, run->space.opencl, run->models, run->labels, run->n_models,
      run->search.stage, run->search.target, run->diagnostics);
  if (!result
      || (run->options->logs
          && !(synth_run_write (run, result->name, result->text)
               && (!result->other_text
                   || synth_run_write (run, result->other_name, result->other_text)))))
    return NULL;
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
    if (result->shape) {
      /* "opencl: undefined by data_race", and "one of 3 weakest of 120 labellings". */
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
  return g_steal_pointer (&result);
}

/* A program with those of its twins that come after it. */
typedef struct Family {
  GString *text;    /* of the first */
  GPtrArray *twins; /* of char *: names */
} Family;

static void free_family (gpointer data) {
  Family *family = data;
  g_string_free (family->text, TRUE);
  g_ptr_array_unref (family->twins);
  g_free (family);
}

static gboolean write_family (const Family *family) {
  const guint most = 3, n = family->twins->len; /* names */
  GString *out = family->text;
  if (n)
    g_string_append_printf (out, "  and %u twin%s, with other scopes or trees or U for W:", n,
                            n == 1 ? "" : "s");
  for (guint i = 0; i < MIN (n, most); i++)
    g_string_append_printf (out, "%s %s", i ? "," : "", (const char *) family->twins->pdata[i]);
  if (n > most)
    g_string_append_printf (out, " and %u more", n - most);
  g_string_append (out, n ? "\n" : "");
  return cli_write (out);
}

/* Under two models, twins are shown together, in the place of the first. Other questions show each,
 * as does JSON, with the member `twins`. */
static gboolean report_classes (SynthRun *run) {
  gboolean together = run->question->n_models == 2 && !run->options->json;
  g_autoptr (GArray) classes = rsp_synth_classes_new (run->question, run->search.found);
  g_autoptr (GPtrArray) families = g_ptr_array_new_with_free_func (free_family);
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < classes->len; i++) {
    const SynthClass *class = &g_array_index (classes, SynthClass, i);
    g_autoptr (GString) out = g_string_new (NULL);
    g_autoptr (SynthResult) result = report_finding (run, class->weakest, class, out);
    if (!result || (!together && !cli_write (out)))
      return FALSE;
    g_autofree char *key = g_strjoin (" ", result->kinds, result->twins, NULL);
    Family *family = together ? g_hash_table_lookup (by_key, key) : NULL;
    if (family)
      g_ptr_array_add (family->twins, g_strdup (result->name));
    else if (together) {
      family = g_new (Family, 1);
      *family = (Family){ g_steal_pointer (&out), g_ptr_array_new_with_free_func (g_free) };
      g_ptr_array_add (families, family);
      g_hash_table_insert (by_key, g_steal_pointer (&key), family);
    }
  }
  for (guint i = 0; i < families->len; i++)
    if (!write_family (families->pdata[i]))
      return FALSE;
  return TRUE;
}

/* Each finding by itself: -all. */
static gboolean report_all (SynthRun *run) {
  const GPtrArray *found = run->search.found;
  for (guint i = 0; i < found->len; i++) {
    g_autoptr (GString) out = g_string_new (NULL);
    g_autoptr (SynthResult) result = report_finding (run, found->pdata[i], NULL, out);
    if (!result || !cli_write (out))
      return FALSE;
  }
  return TRUE;
}

static gboolean synth_report (SynthRun *run) {
  const CliOptions *options = run->options;
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
  if (!(own_options (options)->all > 0 ? report_all : report_classes) (run))
    return FALSE;
  if (options->json || run->question->n_models == 1)
    return TRUE;
  g_autoptr (GString) end = g_string_new (NULL);
  if (run->search.found->len) {
    /* "R is a load, W a store": the letters of summaries. */
    static const char *const meanings[SYNTH_KINDS]
        = { "R is a load", "W a store", "U a read-modify-write", "F a fence", "B a barrier" };
    const char *separator = "\n";
    for (guint kind = 0; kind < SYNTH_KINDS; kind++)
      if (run->space.kinds >> kind & 1) {
        g_string_append_printf (end, "%s%s", separator, meanings[kind]);
        separator = ", ";
      }
    g_string_append (end, ".\n");
  }
  if (run->search.complete && run->search.shares == 1)
    format_end (run, end);
  return cli_write (end);
}

/* ---- The run ---- */
static int synth_answer (SynthRun *run, const CliColumns *columns, CliModels *models) {
  const CliOptions *options = run->options;
  const CliColumn *first = columns->given->len ? columns->given->pdata[0] : NULL;
  RspStageOptions stage
      = { .skipped_checks = first ? (const char *const *) first->skipped->pdata : NULL };
  if (!load_models (run, models, columns)
      || !rsp_synth_space_init (&run->space, &own_options (options)->bounds, run->models,
                                run->n_models, &stage, run->diagnostics))
    return CLI_STATUS_USAGE;
  run->space.everywhere = options->everywhere > 0;
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
  if (own_options (options)->cheapest)
    return cli_cheapest_run (run, &stage);
  gboolean good = synth_run_search (run, &stage);
  good = good && synth_report (run);
  synth_run_report_incomplete (run);
  good = good && run->search.complete;
  rsp_synth_search_clear (&run->search);
  return good ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}

static int run_question (CliOptions *options, RspDiagnostics *diagnostics) {
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
  else if (options->everywhere && run.question != &rsp_synth_distinguish
           && run.question != &rsp_synth_minimal)
    rsp_error (diagnostics, RSP_NOWHERE, NULL,
               "`-placement` is for -distinguish, -minimal and -repair, not for `-%s`",
               run.question->name);
  else if (options->html || options->latex)
    rsp_error (
        diagnostics, RSP_NOWHERE,
        "with `-o DIR` the tests are written, and `rspcheck -html FILE DIR` makes a page of them",
        "`-%s` has no %s", run.question->name, options->html ? "page" : "document");
  else if (columns)
    status = synth_answer (&run, columns, models);
  cli_print_diagnostics (diagnostics, options->quiet);
  if (run.mapping)
    cli_mapping_service ()->close (run.mapping);
  return status;
}

/* ---- The row -------------------------------------------------------------------------------- */

static gboolean check (const CliOptions *options, RspDiagnostics *diagnostics) {
  const SynthOptions *own = own_options (options);
  if (!own->cheapest)
    return TRUE;
  if (!mapping_option (options))
    rsp_error (diagnostics, RSP_NOWHERE, NULL,
               "`-cheapest` needs `-compile F.map` or `-machine M`");
  else if (own->distinguish || options->resume || options->shard.of > 1)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "`-cheapest` cannot be combined with `-%s`",
               own->distinguish  ? "distinguish"
               : options->resume ? "resume"
                                 : "shard");
  else
    return TRUE;
  return FALSE;
}

#define OPTIONS SynthOptions
#include "cli/option_rows.h"

static const CliOption options_table[] = {
  SWITCH ("distinguish", CLI_PROGRAMS, distinguish,
          "Find the smallest programs on which two models differ: an outcome that "
          "one allows and the other forbids, or a program that only one calls undefined. "
          "With -compile or -machine, those that the mapping breaks. "
          "See docs/synth.md for this and the other questions."),
  SWITCH ("cheapest", CLI_PROGRAMS, cheapest,
          "With -compile or -machine: find the cheapest instructions for the mapping's rows `?`, "
          "from those that it gives a cost, so that no program breaks it. See docs/compile.md."),
  SWITCH ("minimal", CLI_PROGRAMS, minimal,
          "Find the minimal tests of a model: outcomes that it forbids and that every single "
          "relaxation of the program allows (an event removed, an order weakened or a scope "
          "narrowed by one step, a remote dropped)."),
  SWITCH ("monotone", CLI_PROGRAMS, monotone,
          "Find the smallest programs that a strengthening makes less safe: a stronger order, a "
          "wider scope, a remote form or one more fence lets an outcome in, or makes a defined "
          "program undefined."),
  SWITCH (
      "rewrites", CLI_PROGRAMS, rewrites,
      "Find, for each rewrite that compilers perform, the smallest defined programs to which it "
      "adds an outcome: reorder, merge loads, drop a dead store, forward a "
      "store, strengthen, sequentialise."),
  SWITCH ("all", CLI_PROGRAMS, all,
          "Find programs of all sizes up to -events, not only the smallest of each kind, with all "
          "orders, scopes and remote forms, not only the weakest."),
  NUMBER ("events", CLI_PROGRAMS, bounds.events, "N", 1, 7,
          "Programs of at most N events: loads, stores, read-modify-writes, fences. Default: 4. "
          "Events and locations together: at most 8."),
  NUMBER ("threads", CLI_PROGRAMS, bounds.threads, "N", 1, 5,
          "Programs of at most N threads. Default: 3."),
  NUMBER ("locations", CLI_PROGRAMS, bounds.locations, "N", 1, 4,
          "Programs of at most N locations. Default: 2."),
  VALUE ("event-kinds", CLI_PROGRAMS, CLI_TEXT, bounds.kinds, "LIST",
         "Kinds of event, separated by commas: load, store, rmw, fence, barrier. A barrier (in PTX "
         "and Vulkan, a read-modify-write) counts as two events. Default here and below: what the "
         "models can distinguish, without barriers."),
  VALUE (
      "orders", CLI_PROGRAMS, CLI_TEXT, bounds.orders, "LIST",
      "Memory orders: na (plain accesses), rlx, con, acq, rel, ar, sc; of PTX: weak, relaxed, "
      "acquire, release, acq_rel, sc, proxy (proxy fences); of Vulkan: private, avvis (available "
      "stores, visible loads), atom, acq, rel, acq_rel."),
  VALUE ("scopes", CLI_PROGRAMS, CLI_TEXT, bounds.scopes, "LIST",
         "Scopes: wi, sg, wg, dev, all; of PTX: cta, cluster, gpu, sys; of Vulkan: sg, wg, qf, dv. "
         "Default: "
         "those of wg, dev and all, or of the language's without cluster, that the models can "
         "distinguish."),
  VALUE ("proxies", CLI_PROGRAMS, CLI_TEXT, bounds.proxies, "LIST",
         "Proxies of PTX programs: generic, texture, surface, constant; alias: its fence only. "
         "Default: what the models distinguish."),
  VALUE ("words", CLI_PROGRAMS, CLI_TEXT, bounds.words, "LIST",
         "Words of the models that operations may have, or `none`. Default: those that the models "
         "tell apart."),
  VALUE ("remote", CLI_PROGRAMS, CLI_TEXT, bounds.remote, "BOOL",
         "Include operations of the _remote form. With -run and -emit, `ordinary` replaces remote "
         "operations, which no device has, by ordinary ones of the same scope, for the model too; "
         "otherwise "
         "tests with such operations are not run."),
  VALUE ("trees", CLI_PROGRAMS, CLI_TEXT, bounds.trees, "BOOL",
         "Use all scope trees; otherwise each thread is a work-group of its own on one device."),
  VALUE ("dependencies", CLI_PROGRAMS, CLI_TEXT, bounds.dependencies, "LIST",
         "Dependencies between a load and a later event of its thread: addr, data, ctrl (the event "
         "is under a branch on the value), or none. Default: those that the models name."),
  SWITCH ("regions", CLI_PROGRAMS, bounds.regions,
          "Include locations in local memory. Default: off."),
};

static const CliCommand commands[]
    = { { .option = "distinguish", .is_requested = is_requested, .run = run_question },
        { .option = NULL } };

const CliExtra synth_extra
    = { .task = "Which programs show it? (-repair: what would make a test defined?)",
        .example = "rspcheck -distinguish -model sc.cat -model rc11.cat -orders rlx -threads 2",
        .options = options_table,
        .n_options = G_N_ELEMENTS (options_table),
        .size = sizeof (SynthOptions),
        .inside = (const char *const[]){ "distinguish", "cheapest", "minimal", "monotone", "words",
                                         "rewrites", "all", "events", "threads", "locations",
                                         "event-kinds", "orders", "scopes", "proxies", "remote",
                                         "trees", "dependencies", "regions", NULL },
        .check = check,
        .commands = commands };
