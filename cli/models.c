#include "cli/models.h"

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
  g_ptr_array_add (path, (gpointer) test_directory);
  g_ptr_array_extend (path, models->installed, NULL, NULL);
  g_ptr_array_add (path, NULL);
  return (const char **) g_ptr_array_free (path, FALSE);
}

/* Tests in several directories may load one model more than once. */
static void
tell_once (CliModels *models, RspDiagnostics *from, RspDiagnostics *to)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < rsp_diagnostics_count (from); i++)
    rsp_diagnostic_format (rsp_diagnostics_get (from, i), FALSE, text);
  if (g_hash_table_add (models->told, g_strdup (text->str)))
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
