#include "cli/columns/models.h"
#include "api/directories.h"
#include "base/suggest.h"
#include "cli/base/status.h"
#include "cli/base/stream.h"
#include "base/names.h"
#include "model/axioms.h"
#include "model/language.h"
#include "model/load.h"
#include "model/names.h"
#include "model/warn/warn.h"
#include "report/model_help.h"

#include <string.h>

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

/* The names in all -doshow R,S. */
static char **shown_names (const CliOptions *options) {
  g_autoptr (GString) all = g_string_new (NULL);
  for (guint i = 0; i < options->drawn->len; i++)
    g_string_append_printf (all, "%s,", (const char *) options->drawn->pdata[i]);
  return g_strsplit_set (all->str, ", ", -1);
}

CliModels *cli_models_new (const CliOptions *options) {
  CliModels *models = g_new0 (CliModels, 1);
  models->directories = g_new0 (const char *, options->directories->len + 1);
  for (guint i = 0; i < options->directories->len; i++)
    models->directories[i] = options->directories->pdata[i];
  for (guint i = 0; i < RSP_N_MODEL_WARNINGS; i++)
    models->no_warning |= options->no_warning[i] ? 1u << i : 0;
  models->shown = shown_names (options);
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

/* Is what the model flags undefined behaviour? Models of Vulkan flag races so that they can be
 * looked at, but promise nothing to programs that have them. */
static gboolean has_undefined_flags (RspLanguageId language) {
  return language < RSP_N_LANGUAGES && rsp_languages[language].undefined_flags;
}

static RspModel *load (const CliColumn *column, const char *const *path, RspLanguageId language,
                       RspDiagnostics *diagnostics) {
  RspModel *model = rsp_model_load (column->file, path,
                                    (const char *const *) column->variants->pdata, diagnostics);
  if (model && has_undefined_flags (language))
    rsp_model_take_flags_as_undefined (model);
  return model;
}

CliModel *cli_models_get (CliModels *models, const CliColumn *column, const char *test) {
  return cli_models_get_for (models, column, test, RSP_N_LANGUAGES);
}

CliModel *cli_models_get_for (CliModels *models, const CliColumn *column, const char *test,
                              RspLanguageId language) {
  g_autofree char *directory = g_path_get_dirname (test);
  g_autofree char *variants = g_strjoinv (" ", (char **) column->variants->pdata);
  g_autofree char *key = g_strdup_printf ("%s\n%s\n%s\n%d", column->file, variants, directory,
                                          has_undefined_flags (language));
  g_mutex_lock (&models->lock);
  CliModel *model = g_hash_table_lookup (models->loaded, key);
  if (!model) {
    g_auto (GStrv) path = rsp_directories ("cat", models->directories, test);
    model = g_new0 (CliModel, 1);
    model->diagnostics = rsp_diagnostics_new ();
    model->model = load (column, (const char *const *) path, language, model->diagnostics);
    if (model->model)
      rsp_model_warn (model->model, models->no_warning, (const char *const *) models->shown,
                      model->diagnostics);
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

/* In alphabetical order; the strings are the table's. */
static GPtrArray *sorted_names (GHashTable *names) {
  GPtrArray *list = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name;
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (list, name);
  g_ptr_array_sort (list, rsp_compare_names);
  return list;
}

/* Warns about a name given for `-option` that is not among those known. */
static void report_unknown_name (const char *option, const char *name, GPtrArray *known,
                                 const char *what, RspDiagnostics *diagnostics) {
  if (g_ptr_array_find_with_equal_func (known, name, g_str_equal, NULL))
    return;
  g_autoptr (GPtrArray) names = g_ptr_array_copy (known, NULL, NULL);
  g_ptr_array_add (names, NULL);
  g_autofree char *hint = rsp_did_you_mean (name, (const char *const *) names->pdata);
  rsp_warning (diagnostics, RSP_NOWHERE, hint, "`-%s %s` has no effect: no model %s", option, name,
               what);
}

static void report_unknown (const char *option, GHashTable *names, GPtrArray *known,
                            const char *what, RspDiagnostics *diagnostics) {
  g_autoptr (GPtrArray) sorted = sorted_names (names);
  for (guint i = 0; i < sorted->len; i++)
    report_unknown_name (option, sorted->pdata[i], known, what, diagnostics);
}

void cli_models_report_unknown (const CliModels *models, RspDiagnostics *diagnostics) {
  g_autoptr (GPtrArray) axioms = g_ptr_array_new ();
  g_autoptr (GPtrArray) variants = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer entry;
  gboolean any = FALSE;
  g_ptr_array_add (variants, (gpointer) "cas-writeback");
  g_ptr_array_add (variants, (gpointer) "no-cas-writeback");
  g_ptr_array_add (variants, (gpointer) "all-threads");
  g_ptr_array_add (variants, (gpointer) "phases");
  g_ptr_array_add (variants, (gpointer) "no-thin-air");
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
  const GPtrArray *list = cli_columns_for (columns, RSP_LANGUAGE_OPENCL);
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
