/* Loading a model: the file, what it includes, its types. */
#include "model/load.h"
#include "base/suggest.h"
#include "model/names.h"
#include "model/stage/template/template.h"
#include "model/condition.h"
#include "model/find.h"
#include "model/language.h"
#include "model/type/check.h"
#include "parser/cat/parse.h"

#include <stdlib.h>
#include <string.h>

enum {
  MAX_FILES = 1000 /* files per model: nested includes grow fast */
};

static RspCatStatement *load_file (Loader *loader, const char *path, RspSpan from);

/* The file that precedes every model; a user's file of that name is a different one. */
#define PRELUDE "library.cat"

/* ---- Includes ---- */

char *rsp_model_resolve (const char *path) {
  char *resolved = realpath (path, NULL);
  char *copy = g_strdup (resolved ? resolved : path);
  free (resolved);
  return copy;
}

static void report_cycle (Loader *loader, const RspCatStatement *include, const char *path) {
  guint n = loader->open->len;
  if (strcmp (loader->open->pdata[n - 1], path) == 0)
    rsp_error (loader->diagnostics, include->name_span, NULL, "`%s` includes itself",
               include->path);
  else
    rsp_error (loader->diagnostics, include->name_span, NULL,
               "`%s` includes itself by way of this file", include->path);
}

/* The statements of a file that is built into the program, which includes no others. */
static RspCatStatement *load_builtin_file (Loader *loader, const char *name, const char *text) {
  RspSource *source = rsp_source_new (name, g_strdup (text), strlen (text));
  g_ptr_array_add (loader->model->sources, source);
  RspCatFile *file = rsp_cat_parse (source, loader->model->arena, loader->diagnostics);
  return file ? file->statements : NULL;
}

static gboolean follow_include (Loader *loader, RspCatStatement *include) {
  const char *text = load_builtin (include->path);
  g_autofree char *folder = g_path_get_dirname (include->span.source->name);
  g_autofree char *path = rsp_find_file (include->path, folder, loader->directories, ".cat");
  if (text && (!path || strcmp (include->path, PRELUDE) != 0)) {
    g_checksum_update (loader->digest, (const guchar *) text, -1);
    include->included = load_builtin_file (loader, include->path, text);
    return TRUE;
  }
  if (!path) {
    g_autofree char *hint = load_hint (include->path, folder, loader->directories);
    rsp_error (loader->diagnostics, include->name_span, hint, "cannot find the file `%s`",
               include->path);
    return FALSE;
  }
  g_autofree char *resolved = rsp_model_resolve (path);
  for (guint i = 0; i < loader->open->len; i++)
    if (strcmp (loader->open->pdata[i], resolved) == 0) {
      report_cycle (loader, include, resolved);
      return FALSE;
    }
  guint errors = rsp_diagnostics_count_errors (loader->diagnostics);
  include->included = load_file (loader, path, include->name_span);
  return rsp_diagnostics_count_errors (loader->diagnostics) == errors;
}

/* Follows the includes in a list of statements and in those nested in them, except what variants
 * leave out. Stops at the first error. */
static gboolean follow_includes (Loader *loader, RspCatStatement *statement) {
  for (; statement; statement = statement->next) {
    RspTruth truth = statement->kind == RSP_CAT_STMT_IF
                         ? model_condition (loader->model, statement->condition, NULL, NULL)
                         : RSP_OPEN;
    if (statement->kind == RSP_CAT_STMT_INCLUDE && !follow_include (loader, statement))
      return FALSE;
    if (truth != RSP_FAILS && !follow_includes (loader, statement->body))
      return FALSE;
    if (truth != RSP_HOLDS && !follow_includes (loader, statement->otherwise))
      return FALSE;
    for (RspCatClause *clause = statement->clauses; clause; clause = clause->next)
      if (!follow_includes (loader, clause->statements))
        return FALSE;
  }
  return TRUE;
}

/* ---- Files ---- */

static void take_options (RspModel *model, const RspCatFile *file) {
  for (guint i = 0; file->options[i]; i++)
    if (strcmp (file->options[i], "withsc") == 0)
      model->with_sc = TRUE;
    else if (strcmp (file->options[i], "withco") == 0)
      model->sees_co = TRUE;
    else if (strcmp (file->options[i], "withwidebarriers") == 0)
      model->wide_barriers = TRUE;
}

/* Reads and parses a file and all it includes. from: the span of the include statement, for errors
 * in reading; it has no source for the model itself. NULL for an empty file too, so check
 * diagnostics for errors. */
static RspCatStatement *load_file (Loader *loader, const char *path, RspSpan from) {
  RspModel *model = loader->model;
  if (++loader->n_files > MAX_FILES) {
    rsp_error (loader->diagnostics, from, NULL, "the model includes more than %d files", MAX_FILES);
    return NULL;
  }
  g_autofree char *resolved = rsp_model_resolve (path);
  RspSource *text = loader->texts ? g_hash_table_lookup (loader->texts, resolved) : NULL;
  RspSource *source
      = text ? rsp_source_ref (text) : rsp_source_load (path, from, loader->diagnostics);
  if (!source)
    return NULL;
  g_ptr_array_add (model->sources, source);
  g_checksum_update (loader->digest, (const guchar *) source->text, (gssize) source->length);
  RspCatFile *file = rsp_cat_parse (source, model->arena, loader->diagnostics);
  if (!file)
    return NULL;
  take_options (model, file);
  if (loader->open->len == 0) {
    model->name = g_strdup (file->name);
    model->processor = model_processor (file);
  }
  g_ptr_array_add (loader->open, g_steal_pointer (&resolved));
  follow_includes (loader, file->statements);
  g_ptr_array_set_size (loader->open, (int) loader->open->len - 1);
  return file->statements;
}

/* ---- Models ---- */

void rsp_model_free (RspModel *model) {
  if (!model)
    return;
  rsp_arena_free (model->arena);
  g_ptr_array_unref (model->sources);
  g_strfreev (model->variants);
  g_free (model->path);
  g_free (model->name);
  g_free (model->digest);
  if (model->uses)
    g_array_unref (model->uses);
  if (model->plain_axioms)
    g_ptr_array_unref (model->plain_axioms);
  template_slot_free (model->template);
  g_free (model);
}

static RspModel *new_model (char *path, const char *const *variants) {
  static const char *const none[] = { NULL };
  RspModel *model = g_new0 (RspModel, 1);
  model->arena = rsp_arena_new ();
  model->template = template_slot_new ();
  model->path = path;
  model->sources = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_source_unref);
  model->variants = g_strdupv ((char **) (variants ? variants : none));
  return model;
}

/* The file's name without folder and ".cat". */
static char *name_of_file (const char *path) {
  char *name = g_path_get_basename (path);
  if (g_str_has_suffix (name, ".cat"))
    name[strlen (name) - strlen (".cat")] = '\0';
  return name;
}

static char *find_model (const char *path, const char *const *directories,
                         RspDiagnostics *diagnostics) {
  if (strcmp (path, "-") == 0)
    return g_strdup (path);
  char *found = rsp_find_file (path, NULL, directories, ".cat");
  if (found)
    return found;
  RspSpan nowhere = { NULL, 0, 0 };
  g_autofree char *hint = load_hint (path, NULL, directories);
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    rsp_error (diagnostics, nowhere, NULL, "%s: is a directory, not a model", path);
  else
    rsp_error (diagnostics, nowhere, hint, "cannot find the model `%s`", path);
  return NULL;
}

RspModel *rsp_model_read (const char *path, const char *const *directories, GHashTable *texts,
                          const char *const *variants, RspDiagnostics *diagnostics) {
  gboolean is_text = texts && g_hash_table_contains (texts, path);
  char *found = is_text ? g_strdup (path) : find_model (path, directories, diagnostics);
  if (!found)
    return NULL;
  RspModel *model = new_model (found, variants);
  Loader loader = { .model = model,
                    .directories = directories,
                    .texts = texts,
                    .diagnostics = diagnostics,
                    .digest = g_checksum_new (G_CHECKSUM_SHA256),
                    .open = g_ptr_array_new_with_free_func (g_free) };
  model->statements = load_file (&loader, found, (RspSpan){ NULL, 0, 0 });
  model->digest = g_strdup (g_checksum_get_string (loader.digest));
  model->prelude = load_builtin_file (&loader, PRELUDE, load_builtin (PRELUDE));
  g_checksum_free (loader.digest);
  g_ptr_array_unref (loader.open);
  if (!model->name)
    model->name = name_of_file (found);
  return model;
}

RspModel *rsp_model_load_with (const char *path, const char *const *directories, GHashTable *texts,
                               const char *const *variants, RspDiagnostics *diagnostics) {
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  RspModel *model = rsp_model_read (path, directories, texts, variants, diagnostics);
  if (model && rsp_diagnostics_count_errors (diagnostics) == errors
      && rsp_model_check_types (model, diagnostics)) {
    model->plain_axioms = g_ptr_array_new ();
    rsp_model_collect_plain_axioms (model, model->plain_axioms);
    return model;
  }
  rsp_model_free (model);
  return NULL;
}

RspModel *rsp_model_load (const char *path, const char *const *directories,
                          const char *const *variants, RspDiagnostics *diagnostics) {
  return rsp_model_load_with (path, directories, NULL, variants, diagnostics);
}
