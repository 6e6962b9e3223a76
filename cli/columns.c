/* Columns: what each test is run under (models with their options, machines), and questions
 * about each test in each column. */
#include "api/api.h"
#include "base/base.h"
#include "cli/extra.h"
#include "cli/internal.h"
#include "model/model.h"
#include "model/warn/warn.h"
#include "parser/litmus/litmus.h"
#include "report/report.h"

#include <string.h>

/* ---- Left out ------------------------------------------------------------------------------- */

static void clear_left_out (gpointer data) { g_ptr_array_unref (((CliLeftOut *) data)->languages); }

GArray *cli_left_out_new (void) {
  GArray *all = g_array_new (FALSE, FALSE, sizeof (CliLeftOut));
  g_array_set_clear_func (all, clear_left_out);
  return all;
}

void cli_left_out_add (GArray *all, const char *model, const RspModel *loaded,
                       const char *language) {
  guint i = 0;
  while (i < all->len && !g_str_equal (g_array_index (all, CliLeftOut, i).model, model))
    i++;
  if (i == all->len) {
    CliLeftOut new = { g_intern_string (model), loaded, g_ptr_array_new (), 0 };
    g_array_append_val (all, new);
  }
  CliLeftOut *own = &g_array_index (all, CliLeftOut, i);
  if (!g_ptr_array_find (own->languages, g_intern_string (language), NULL))
    g_ptr_array_add (own->languages, (gpointer) g_intern_string (language));
  own->n++;
}

void cli_left_out_report (const GArray *all, gboolean no_others, RspDiagnostics *diagnostics) {
  for (guint i = 0; i < all->len; i++) {
    const CliLeftOut *own = &g_array_index (all, CliLeftOut, i);
    g_autoptr (GString) languages = g_string_new (NULL);
    gboolean for_any = FALSE;
    for (guint k = 0; k < RSP_N_LANGUAGES; k++)
      for_any |= !own->loaded || rsp_model_is_for (own->loaded, &rsp_languages[k]);
    for (guint k = 0; k < own->languages->len; k++) {
      const char *word = own->languages->pdata[k];
      g_string_append_printf (languages, "%s%s",
                              !k                            ? ""
                              : k + 1 < own->languages->len ? ", "
                                                            : " and ",
                              word);
      for (guint l = 0; l < RSP_N_LANGUAGES && own->loaded && (no_others || !for_any); l++)
        if (g_str_equal (rsp_languages[l].word, word))
          rsp_model_fits (own->loaded, &rsp_languages[l], diagnostics);
    }
    rsp_warning (diagnostics, RSP_NOWHERE, NULL, "%s: %u %s test%s left out", own->model, own->n,
                 languages->str, own->n == 1 ? "" : "s");
  }
  if (no_others && all->len)
    rsp_error (diagnostics, RSP_NOWHERE, NULL,
               "nothing was checked: no model or machine is for the language of these tests");
}

/* ---- Each ----------------------------------------------------------------------------------- */

int cli_ask_each (const CliOptions *options, const CliQuestion *question,
                  RspDiagnostics *diagnostics) {
  g_autoptr (CliModels) models = cli_models_new (options);
  g_autoptr (CliColumns) columns = cli_columns_new (options, diagnostics);
  if (options->inputs->len == 0)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "`-%s` needs a test", question->option);
  if (options->inputs->len == 0 || !columns) {
    cli_print_diagnostics (diagnostics, options->quiet);
    return CLI_STATUS_USAGE;
  }
  g_autoptr (GPtrArray) paths = cli_inputs_expand (options->inputs, diagnostics);
  g_autoptr (GArray) left_out = cli_left_out_new ();
  gboolean any = FALSE, good = cli_print_diagnostics (diagnostics, FALSE) == 0;
  g_autoptr (GString) head = g_string_new (question->tsv_head);
  if ((question->writes && !cli_make_folder (options->logs))
      || (options->tsv && !options->json && !cli_write (head)))
    return CLI_STATUS_UNFINISHED;
  for (guint i = 0; i < paths->len; i++) {
    const char *path = paths->pdata[i];
    g_autoptr (RspDiagnostics) reading = rsp_diagnostics_new ();
    g_autoptr (RspProgram) program = cli_inputs_read (path, options->strict > 0, reading);
    const GPtrArray *list
        = program ? cli_columns_for (columns, program->language->id, program->newer) : NULL;
    good &= program != NULL;
    if (!program || !question->tells_warnings)
      rsp_diagnostics_move (diagnostics, reading);
    for (guint k = 0; list && k < list->len; k++) {
      CliModel *found = cli_models_get (models, list->pdata[k], path);
      cli_models_report (models, found, diagnostics);
      if (found->model && paths->len > 1 && !rsp_model_is_for (found->model, program->language)) {
        cli_left_out_add (left_out, ((const CliColumn *) list->pdata[k])->label, found->model,
                          program->language->word);
        continue;
      }
      any = TRUE;
      good &= found->model
              && question->answer (question->data, program, path, list->pdata[k], found->model);
    }
    cli_print_diagnostics (diagnostics, options->quiet);
  }
  cli_left_out_report (left_out, !any, diagnostics);
  good &= cli_print_diagnostics (diagnostics, options->quiet) == 0;
  return good ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}

/* ---- Models --------------------------------------------------------------------------------- */

struct CliModels {
  const char **directories;       /* those of -I, NULL-terminated */
  GMutex lock;                    /* guards loaded */
  GHashTable *loaded;             /* "name\nvariants\ntest's directory\nrole" -> CliModel */
  GHashTable *variants, *skipped; /* names that columns had; also guarded */
  GHashTable *reported;           /* messages given, as text */
  guint no_warning;               /* bits of RspModelWarning */
  char **shown;                   /* the names of -doshow */
};

static void free_model (gpointer data) {
  CliModel *model = data;
  rsp_model_free ((RspModel *) model->model);
  rsp_diagnostics_free (model->diagnostics);
  g_free (model);
}

CliModels *cli_models_new (const CliOptions *options) {
  CliModels *models = g_new0 (CliModels, 1);
  models->directories = g_new0 (const char *, options->directories->len + 1);
  for (guint i = 0; i < options->directories->len; i++)
    models->directories[i] = options->directories->pdata[i];
  for (guint i = 0; i < RSP_N_MODEL_WARNINGS; i++)
    models->no_warning |= options->no_warning[i] ? 1u << i : 0;
  g_autoptr (GString) all = g_string_new (NULL);
  for (guint i = 0; i < options->drawn->len; i++)
    g_string_append_printf (all, "%s,", (const char *) options->drawn->pdata[i]);
  models->shown = g_strsplit_set (all->str, ", ", -1);
  models->loaded = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_model);
  models->variants = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  models->skipped = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_mutex_init (&models->lock);
  models->reported = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return models;
}

void cli_models_free (CliModels *models) {
  if (!models)
    return;
  g_hash_table_unref (models->variants);
  g_hash_table_unref (models->skipped);
  g_hash_table_unref (models->loaded);
  g_hash_table_unref (models->reported);
  g_mutex_clear (&models->lock);
  g_strfreev (models->shown);
  g_free (models->directories);
  g_free (models);
}

static void note_names (GHashTable *names, const GPtrArray *more) {
  for (guint i = 0; more->pdata[i]; i++)
    if (!g_hash_table_contains (names, more->pdata[i]))
      g_hash_table_add (names, g_strdup (more->pdata[i]));
}

CliModel *cli_models_get (CliModels *models, const CliColumn *column, const char *test) {
  return cli_models_get_for (models, column, test, RSP_N_LANGUAGES);
}

CliModel *cli_models_get_for (CliModels *models, const CliColumn *column, const char *test,
                              RspLanguageId language) {
  g_autofree char *directory = g_path_get_dirname (test);
  g_autofree char *variants = g_strjoinv (" ", (char **) column->variants->pdata);
  /* Models of Vulkan flag races so that they can be looked at, but promise nothing to programs that
   * have them: these flags are undefined behaviour. */
  gboolean undefined_flags = language < RSP_N_LANGUAGES && rsp_languages[language].undefined_flags;
  g_autofree char *key
      = g_strdup_printf ("%s\n%s\n%s\n%d", column->file, variants, directory, undefined_flags);
  g_mutex_lock (&models->lock);
  CliModel *model = g_hash_table_lookup (models->loaded, key);
  if (!model) {
    g_auto (GStrv) path = rsp_directories ("cat", models->directories, test);
    model = g_new0 (CliModel, 1);
    model->diagnostics = rsp_diagnostics_new ();
    RspModel *loaded
        = rsp_model_load (column->file, (const char *const *) path,
                          (const char *const *) column->variants->pdata, model->diagnostics);
    if (loaded && undefined_flags)
      rsp_model_take_flags_as_undefined (loaded);
    if (loaded)
      rsp_model_warn (loaded, models->no_warning, (const char *const *) models->shown,
                      model->diagnostics);
    model->model = loaded;
    note_names (models->variants, column->variants);
    note_names (models->skipped, column->skipped);
    g_hash_table_insert (models->loaded, g_steal_pointer (&key), model);
  }
  g_mutex_unlock (&models->lock);
  return model;
}

/* Tests in several directories may load one model more than once, and fail to find it in different
 * places. */
void cli_models_report (CliModels *models, CliModel *model, RspDiagnostics *diagnostics) {
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < rsp_diagnostics_count (model->diagnostics); i++) {
    const RspDiagnostic *diagnostic = rsp_diagnostics_get (model->diagnostics, i);
    RspSource *source = diagnostic->span.source;
    g_string_append_printf (text, "%s:%u: %s\n", source ? source->name : "", diagnostic->span.begin,
                            diagnostic->message);
  }
  if (g_hash_table_add (models->reported, g_string_free (text, FALSE)))
    rsp_diagnostics_move (diagnostics, model->diagnostics);
}

/* Warns about names given for `-option` that are not among those known. */
static void report_unknown (const char *option, GHashTable *names, const GPtrArray *known,
                            const char *what, RspDiagnostics *diagnostics) {
  g_autoptr (GPtrArray) sorted = g_ptr_array_new (); /* warnings are in alphabetical order */
  g_autoptr (GPtrArray) candidates = g_ptr_array_copy ((GPtrArray *) known, NULL, NULL);
  GHashTableIter iter;
  gpointer name;
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (sorted, name);
  g_ptr_array_sort (sorted, rsp_compare_names);
  g_ptr_array_add (candidates, NULL);
  for (guint i = 0; i < sorted->len; i++) {
    const char *given = sorted->pdata[i];
    const char *const *list = (const char *const *) candidates->pdata;
    if (g_strv_contains (list, given))
      continue;
    g_autofree char *hint = rsp_did_you_mean (given, list);
    rsp_warning (diagnostics, RSP_NOWHERE, hint, "`-%s %s` has no effect: no model %s", option,
                 given, what);
  }
}

void cli_models_report_unknown (const CliModels *models, RspDiagnostics *diagnostics) {
  g_autoptr (GPtrArray) axioms = g_ptr_array_new ();
  g_autoptr (GPtrArray) variants = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer entry;
  gboolean any = FALSE;
  static const char *const of_program[]
      = { "cas-writeback", "no-cas-writeback", "all-threads", "phases", "no-thin-air" };
  for (guint i = 0; i < G_N_ELEMENTS (of_program); i++)
    g_ptr_array_add (variants, (gpointer) of_program[i]);
  g_hash_table_iter_init (&iter, models->loaded);
  while (g_hash_table_iter_next (&iter, NULL, &entry))
    if (((CliModel *) entry)->model) {
      rsp_model_collect_names (((CliModel *) entry)->model, axioms, variants);
      any = TRUE;
    }
  if (!any)
    return;
  report_unknown ("skipcheck", models->skipped, axioms, "has an axiom of that name", diagnostics);
  report_unknown ("variant", models->variants, variants, "asks for that variant", diagnostics);
}

/* ---- -help-model ---- */
int cli_help_models (CliOptions *options, RspDiagnostics *diagnostics) {
  g_autoptr (CliModels) models = cli_models_new (options);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (CliColumns) columns = cli_columns_new (options, diagnostics);
  guint failed = 0;
  if (!columns) {
    cli_print_diagnostics (diagnostics, FALSE);
    return CLI_STATUS_USAGE;
  }
  const GPtrArray *list = cli_columns_for (columns, RSP_LANGUAGE_OPENCL, FALSE);
  for (guint i = 0; i < list->len; i++) {
    CliModel *found = cli_models_get (models, list->pdata[i], "");
    const RspModel *model = found->model;
    cli_models_report (models, found, diagnostics);
    if (text->len)
      g_string_append_c (text, '\n');
    if (model)
      rsp_model_format_help (model, text);
    else
      failed++;
  }
  cli_print_diagnostics (diagnostics, FALSE);
  return cli_write (text) && !failed ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}

/* ---- Column --------------------------------------------------------------------------------- */

/* ---- Labels ---- */
static char *short_label (const char *file) {
  g_autofree char *name = g_path_get_basename (file), *stem = rsp_name_stem (name, ".cat");
  return rsp_visible_name (stem);
}

/* ---- Options of a column ---- */
static const struct {
  const char *name;
  gboolean labels;
} column_options[] = {
  { "variant", TRUE }, { "skipcheck", TRUE }, { "unroll", TRUE },   { "through", TRUE },
  { "engine", FALSE }, { "timeout", FALSE },  { "progress", TRUE },
};

/* Reads `-option value…` into own, and appends the options that belong in it to label. */
static gboolean read_options (CliOptions *own, const char *text, GString *label, RspSpan at,
                              RspDiagnostics *diagnostics) {
  g_auto (GStrv) words = g_strsplit_set (text, " \t", -1);
  for (guint i = 0; words[i]; i++) {
    const char *word = words[i], *name = word + strspn (word, "-");
    guint k = 0;
    if (!*word)
      continue;
    while (k < G_N_ELEMENTS (column_options) && !g_str_equal (name, column_options[k].name))
      k++;
    if (name == word || k == G_N_ELEMENTS (column_options)) {
      rsp_error (
          diagnostics, at,
          "a model's own options are -variant, -skipcheck, -unroll, -through, -progress, -engine "
          "and -timeout",
          "`%s` cannot follow a model's name", word);
      return FALSE;
    }
    while (words[i + 1] && !*words[i + 1])
      i++;
    const char *value = words[i + 1];
    if (!cli_option_set (own, cli_option_find (name), value, at, diagnostics))
      return FALSE;
    if (column_options[k].labels)
      g_string_append_printf (label, " -%s %s", name, value);
    i++;
  }
  return TRUE;
}

static void copy_names (GPtrArray *list, const GPtrArray *names) {
  for (guint i = 0; i < names->len; i++)
    g_ptr_array_add (list, g_strdup (names->pdata[i]));
}

/* A copy of a list, NULL-terminated, with copies of its strings. */
static GPtrArray *close_list (const GPtrArray *names) {
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  copy_names (list, names);
  g_ptr_array_add (list, NULL);
  return list;
}

CliColumn *cli_column_new (const CliOptions *options, const char *text, RspSpan at,
                           RspDiagnostics *diagnostics) {
  /* The options of the command line that columns have, to which others are added. */
  g_autoptr (CliOptions) own = cli_options_new ();
  own->check = options->check;
  own->explain = options->explain;
  own->html = g_strdup (options->html);
  own->most_shown = options->most_shown;
  copy_names (own->outcomes, options->outcomes);
  copy_names (own->variants, options->variants);
  copy_names (own->skipped_checks, options->skipped_checks);
  g_array_append_vals (own->progress, options->progress->data, options->progress->len);
  const char *dash = strstr (text, " -"); /* the name ends at the first blank before a dash */
  g_autofree char *file
      = g_strchomp (dash ? g_strndup (text, (gsize) (dash - text)) : g_strdup (text));
  g_autofree char *model = short_label (file);
  if (!*file) {
    rsp_error (diagnostics, at, NULL, "expected a model's name before `%s`", text);
    return NULL;
  }
  const CliTests *tests = cli_tests_on (text, strcspn (text, " "));
  if (tests)
    return tests->column (text, at, diagnostics);
  GString *label = g_string_new (model);
  if (!read_options (own, text + strlen (file), label, at, diagnostics)) {
    g_string_free (label, TRUE);
    return NULL;
  }
  CliColumn *column = g_new0 (CliColumn, 1);
  column->file = g_steal_pointer (&file);
  column->label = g_string_free (label, FALSE);
  column->progress = g_array_copy (own->progress);
  column->variants = close_list (own->variants);
  column->skipped = close_list (own->skipped_checks);
  column->check = own->check;
  for (guint i = 0; i < own->variants->len; i++) { /* all but these are the model's */
    if (g_str_equal (own->variants->pdata[i], "cas-writeback"))
      column->check.cas_writeback = RSPCHECK_CAS_WRITEBACK_ALWAYS;
    else if (g_str_equal (own->variants->pdata[i], "no-cas-writeback"))
      column->check.cas_writeback = RSPCHECK_CAS_WRITEBACK_NEVER;
    else if (g_str_equal (own->variants->pdata[i], "no-thin-air"))
      column->check.no_thin_air = TRUE;
  }
  column->check.skipped_checks = (const char *const *) column->skipped->pdata;
  g_autoptr (GPtrArray) outcomes = close_list (own->outcomes);
  RspRunOptions run = { .check = column->check,
                        .explain = own->explain || own->outcomes->len,
                        .outcomes = (const char *const *) outcomes->pdata,
                        .progress = (const RspProgress *) column->progress->data,
                        .n_progress = column->progress->len,
                        .candidates = own->html ? (guint) own->most_shown : 0 };
  column->described = rsp_run_options_format (&run, (const char *const *) column->variants->pdata);
  return column;
}

void cli_column_free (CliColumn *column) {
  if (!column)
    return;
  g_ptr_array_unref (column->variants);
  g_ptr_array_unref (column->skipped);
  g_clear_pointer (&column->progress, g_array_unref);
  g_free (column->own);
  g_free (column->described);
  g_free (column->label);
  g_free (column->file);
  g_free (column);
}

/* ---- Those of a run ---- */
/* Do they have the same model and options? They may differ in -timeout, which labels do not show.
 */
static gboolean equal_columns (gconstpointer a, gconstpointer b) {
  const CliColumn *one = a, *other = b;
  return g_str_equal (one->label, other->label) && g_str_equal (one->file, other->file);
}

CliColumns *cli_columns_new (const CliOptions *options, RspDiagnostics *diagnostics) {
  CliColumns *columns = g_new0 (CliColumns, 1);
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  columns->given = g_ptr_array_new_with_free_func ((GDestroyNotify) cli_column_free);
  for (guint i = 0; i < RSP_N_LANGUAGES; i++) {
    const char *files[] = { rsp_languages[i].default_model, rsp_languages[i].newer_model };
    for (guint k = 0; k < G_N_ELEMENTS (files); k++) {
      GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) cli_column_free);
      if (files[k])
        g_ptr_array_add (list, cli_column_new (options, files[k], RSP_NOWHERE, diagnostics));
      columns->defaults[i][k] = list;
    }
  }
  columns->own = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; cli_extras[i]; i++) {
    const CliTests *tests = cli_extras[i]->tests;
    if (!tests)
      continue;
    GPtrArray *own = g_ptr_array_new_with_free_func ((GDestroyNotify) cli_column_free);
    tests->add_columns (options, own, diagnostics);
    g_hash_table_insert (columns->own, (gpointer) tests, own);
  }
  for (guint i = 0; i < options->models->len; i++) {
    CliColumn *column
        = cli_column_new (options, options->models->pdata[i], RSP_NOWHERE, diagnostics);
    if (column && g_ptr_array_find_with_equal_func (columns->given, column, equal_columns, NULL)) {
      rsp_warning (diagnostics, RSP_NOWHERE, NULL, "`-model %s` is given twice: the first counts",
                   column->label);
      cli_column_free (column);
    } else if (column)
      g_ptr_array_add (columns->given, column);
  }
  if (rsp_diagnostics_count_errors (diagnostics) != errors) {
    cli_columns_free (columns);
    return NULL;
  }
  /* Two models with the same name are distinguished by their paths. Expectations identify models by
   * name only. */
  g_autofree gboolean *same = g_new0 (gboolean, columns->given->len);
  for (guint i = 0; i < columns->given->len; i++)
    for (guint k = 0; k < columns->given->len; k++) {
      const CliColumn *a = columns->given->pdata[i], *b = columns->given->pdata[k];
      same[i] |= g_str_equal (a->label, b->label) && !g_str_equal (a->file, b->file);
    }
  for (guint i = 0; i < columns->given->len; i++)
    if (same[i]) {
      CliColumn *column = columns->given->pdata[i];
      g_autofree char *name = short_label (column->file);
      g_autofree char *label = column->label;
      g_autofree char *path = rsp_visible_name (column->file);
      column->label = g_strconcat (path, label + strlen (name), NULL);
    }
  return columns;
}

void cli_columns_free (CliColumns *columns) {
  if (!columns)
    return;
  g_ptr_array_unref (columns->given);
  for (guint i = 0; i < RSP_N_LANGUAGES; i++)
    for (guint k = 0; k < 2; k++)
      g_ptr_array_unref (columns->defaults[i][k]);
  g_clear_pointer (&columns->own, g_hash_table_unref);
  g_free (columns);
}

const GPtrArray *cli_columns_for (const CliColumns *columns, RspLanguageId language,
                                  gboolean newer) {
  return columns->given->len ? columns->given : columns->defaults[language][newer];
}

gboolean cli_columns_default_to (const CliColumns *columns, const char *label) {
  for (guint i = 0; i < RSP_N_LANGUAGES; i++)
    if (cli_columns_have (columns->defaults[i][0], label)
        || cli_columns_have (columns->defaults[i][1], label))
      return TRUE;
  return FALSE;
}

const GPtrArray *cli_columns_of_tests (const CliColumns *columns, const CliTests *tests) {
  return g_hash_table_lookup (columns->own, tests);
}

gboolean cli_columns_have (const GPtrArray *columns, const char *label) {
  for (guint i = 0; i < columns->len; i++)
    if (g_str_equal (((const CliColumn *) columns->pdata[i])->label, label))
      return TRUE;
  return FALSE;
}

/* ---- Layout --------------------------------------------------------------------------------- */

int cli_layout_run (const CliOptions *options, RspDiagnostics *diagnostics) {
  gboolean good = options->inputs->len > 0;
  if (!good)
    rsp_error (diagnostics, RSP_NOWHERE, "`rspcheck -format M.cat T.litmus`", "no file given");
  for (guint i = 0; i < options->inputs->len; i++) {
    const char *path = options->inputs->pdata[i];
    g_autoptr (RspSource) source = rsp_source_load (path, RSP_NOWHERE, diagnostics);
    g_autofree char *text = source ? cli_lay_out (source, diagnostics) : NULL;
    g_autoptr (GString) out = g_string_new (text);
    if (!text)
      good = FALSE;
    else if (!options->may_write)
      good &= cli_write (out);
    else if (strcmp (text, source->text) != 0) /* a file that is laid out already stays */
      good &= cli_write_file (path, out);
  }
  cli_print_diagnostics (diagnostics, options->quiet);
  return good ? CLI_STATUS_OK : options->inputs->len ? CLI_STATUS_UNFINISHED : CLI_STATUS_USAGE;
}
