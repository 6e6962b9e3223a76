#include "cli/models.h"
#include "parser/suggest.h"

struct CliModels
{
  const CliOptions *options;
  const char **variants; /* NULL-terminated, owned by options */
  GPtrArray *installed;  /* directories after the test's own; owned strings */
  GHashTable *loaded;    /* "name\ntest's directory" -> RspModel, or NULL: could not be read */
  GHashTable *told;      /* messages given, as text */
};

/* Models lie in cat/ beside the program in a checkout, in ../share beside bin/ when installed. */
static void
add_installed (GPtrArray *directories)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  if (program)
    {
      g_autofree char *beside = g_path_get_dirname (program);
      g_ptr_array_add (directories, g_build_filename (beside, "cat", NULL));
      g_autofree char *above = g_path_get_dirname (beside);
      g_ptr_array_add (directories, g_build_filename (above, "share", "rspcheck", "cat", NULL));
    }
  g_ptr_array_add (directories, g_strdup (RSP_CAT_DIR));
  for (guint i = directories->len; i-- > 0;)
    if (!g_file_test (directories->pdata[i], G_FILE_TEST_IS_DIR))
      g_ptr_array_remove_index (directories, i);
}

CliModels *
cli_models_new (const CliOptions *options)
{
  CliModels *models = g_new0 (CliModels, 1);
  models->options = options;
  models->variants = g_new0 (const char *, options->variants->len + 1);
  for (guint i = 0; i < options->variants->len; i++)
    models->variants[i] = options->variants->pdata[i];
  models->installed = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) library = g_strsplit (g_getenv ("RSPCHECK_LIB") ?: "", ":", -1);
  for (guint i = 0; library[i]; i++)
    if (*library[i])
      g_ptr_array_add (models->installed, g_strdup (library[i]));
  add_installed (models->installed);
  models->loaded
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) rsp_model_free);
  models->told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return models;
}

void
cli_models_free (CliModels *models)
{
  if (!models)
    return;
  g_free (models->variants);
  g_ptr_array_unref (models->installed);
  g_hash_table_unref (models->loaded);
  g_hash_table_unref (models->told);
  g_free (models);
}

/* All places, in order. The strings are borrowed. */
static const char **
search_path (const CliModels *models, const char *test_directory)
{
  GPtrArray *path = g_ptr_array_new ();
  g_ptr_array_extend (path, models->options->directories, NULL, NULL);
  if (!g_str_equal (test_directory, ".")) /* that is "as given" */
    g_ptr_array_add (path, (gpointer) test_directory);
  g_ptr_array_extend (path, models->installed, NULL, NULL);
  g_ptr_array_add (path, NULL);
  return (const char **) g_ptr_array_free (path, FALSE);
}

/* Tests in several directories may load one model more than once, and fail to find it in different
 * places. */
static void
tell_once (CliModels *models, RspDiagnostics *from, RspDiagnostics *to)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < rsp_diagnostics_count (from); i++)
    {
      const RspDiagnostic *diagnostic = rsp_diagnostics_get (from, i);
      RspSource *source = diagnostic->span.source;
      g_string_append_printf (text, "%s:%u: %s\n", source ? source->name : "",
                              diagnostic->span.begin, diagnostic->message);
    }
  if (g_hash_table_add (models->told, g_string_free (text, FALSE)))
    rsp_diagnostics_move (to, from);
}

const RspModel *
cli_models_get (CliModels *models, const char *name, const char *test, RspDiagnostics *diagnostics)
{
  g_autofree char *directory = g_path_get_dirname (test);
  g_autofree char *key = g_strdup_printf ("%s\n%s", name, directory);
  gpointer model;
  if (g_hash_table_lookup_extended (models->loaded, key, NULL, &model))
    return model;
  g_autofree const char **path = search_path (models, directory);
  g_autoptr (RspDiagnostics) said = rsp_diagnostics_new ();
  model = rsp_model_load (name, path, models->variants, said);
  tell_once (models, said, diagnostics);
  g_hash_table_insert (models->loaded, g_steal_pointer (&key), model);
  return model;
}

/* Warns about a name given for `-option` that is not among those known. */
static void
report_unknown (const char *option, const char *name, GPtrArray *known, const char *what,
                RspDiagnostics *diagnostics)
{
  if (g_ptr_array_find_with_equal_func (known, name, g_str_equal, NULL))
    return;
  g_autoptr (GPtrArray) names = g_ptr_array_copy (known, NULL, NULL);
  g_ptr_array_add (names, NULL);
  g_autofree char *hint = rsp_did_you_mean (name, (const char *const *) names->pdata);
  rsp_warning (diagnostics, ((RspSpan){ NULL, 0, 0 }), hint, "`-%s %s` has no effect: no model %s",
               option, name, what);
}

void
cli_models_report_unknown (const CliModels *models, RspDiagnostics *diagnostics)
{
  g_autoptr (GPtrArray) checks = g_ptr_array_new ();
  g_autoptr (GPtrArray) variants = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer model;
  gboolean any = FALSE;
  g_ptr_array_add (variants, (gpointer) "cas-writeback");
  g_hash_table_iter_init (&iter, models->loaded);
  while (g_hash_table_iter_next (&iter, NULL, &model))
    if (model)
      {
        rsp_model_collect_names (model, checks, variants);
        any = TRUE;
      }
  const CliOptions *options = models->options;
  for (guint i = 0; any && i < options->skipped_checks->len; i++)
    report_unknown ("skipcheck", options->skipped_checks->pdata[i], checks,
                    "has a check of that name", diagnostics);
  for (guint i = 0; any && i < options->variants->len; i++)
    report_unknown ("variant", options->variants->pdata[i], variants, "asks for that variant",
                    diagnostics);
}
