#include "cli/columns/column.h"
#include "api/run/run.h"
#include "cli/columns/column_dsom.h"

#include <string.h>

/* ---- Labels ---- */

static char *short_label (const char *file) {
  char *label = g_path_get_basename (file);
  if (g_str_has_suffix (label, ".cat"))
    label[strlen (label) - strlen (".cat")] = '\0';
  return label;
}

/* The name in front of the first blank that a dash follows. */
static char *file_of (const char *text) {
  const char *options = strstr (text, " -");
  return g_strchomp (options ? g_strndup (text, (gsize) (options - text)) : g_strdup (text));
}

/* ---- Options of a column ---- */

static const struct {
  const char *name;
  gboolean labels;
} column_options[] = {
  { "variant", TRUE }, { "skipcheck", TRUE }, { "unroll", TRUE },   { "through", TRUE },
  { "engine", FALSE }, { "timeout", FALSE },  { "progress", TRUE },
};

/* `-name` of a column's options; NULL after an error. */
static const CliOption *find_option (const char *word, gboolean *labels, RspSpan at,
                                     RspDiagnostics *diagnostics) {
  const char *name = word + strspn (word, "-");
  for (guint i = 0; i < G_N_ELEMENTS (column_options); i++)
    if (name != word && g_str_equal (name, column_options[i].name)) {
      *labels = column_options[i].labels;
      return cli_option_find (name);
    }
  rsp_error (
      diagnostics, at,
      "a model's own options are -variant, -skipcheck, -unroll, -through, -progress, -engine "
      "and -timeout",
      "`%s` cannot follow a model's name", word);
  return NULL;
}

/* Reads `-option value…` into own, and appends what is significant to label. */
static gboolean read_options (CliOptions *own, const char *text, GString *label, RspSpan at,
                              RspDiagnostics *diagnostics) {
  g_auto (GStrv) words = g_strsplit_set (text, " \t", -1);
  for (guint i = 0; words[i]; i++) {
    gboolean labels;
    if (!*words[i])
      continue;
    const CliOption *option = find_option (words[i], &labels, at, diagnostics);
    while (option && words[i + 1] && !*words[i + 1])
      i++;
    const char *value = option ? words[i + 1] : NULL;
    if (!option || !cli_option_set (own, option, value, at, diagnostics))
      return FALSE;
    if (labels)
      g_string_append_printf (label, " -%s %s", option->name, value);
    i++;
  }
  return TRUE;
}

/* A copy of a list, NULL-terminated, with copies of its strings. */
static GPtrArray *close_list (const GPtrArray *names) {
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < names->len; i++)
    g_ptr_array_add (list, g_strdup (names->pdata[i]));
  g_ptr_array_add (list, NULL);
  return list;
}

/* The program's own variants; the others are the model's. */
static void set_variant (RspCheckOptions *check, const char *variant) {
  if (g_str_equal (variant, "cas-writeback"))
    check->cas_writeback = RSPCHECK_CAS_WRITEBACK_ALWAYS;
  else if (g_str_equal (variant, "no-cas-writeback"))
    check->cas_writeback = RSPCHECK_CAS_WRITEBACK_NEVER;
  else if (g_str_equal (variant, "no-thin-air"))
    check->no_thin_air = TRUE;
}

static void set_options (CliColumn *column, const CliOptions *own) {
  column->progress = g_array_copy (own->progress);
  column->variants = close_list (own->variants);
  column->skipped = close_list (own->skipped_checks);
  column->check = own->check;
  for (guint i = 0; i < own->variants->len; i++)
    set_variant (&column->check, own->variants->pdata[i]);
  column->check.skipped_checks = (const char *const *) column->skipped->pdata;
  g_autoptr (GPtrArray) outcomes = close_list (own->outcomes);
  RspRunOptions run = { .check = column->check,
                        .explain = own->explain || own->outcomes->len,
                        .outcomes = (const char *const *) outcomes->pdata,
                        .progress = (const RspProgress *) column->progress->data,
                        .n_progress = column->progress->len,
                        .candidates = own->html ? (guint) own->most_shown : 0 };
  column->described = rsp_run_options_format (&run, (const char *const *) column->variants->pdata);
}

/* The options of the command line, to which others are added. */
static CliOptions *copy_options (const CliOptions *options) {
  CliOptions *own = cli_options_new ();
  own->check = options->check;
  own->explain = options->explain;
  own->html = g_strdup (options->html);
  own->most_shown = options->most_shown;
  for (guint i = 0; i < options->outcomes->len; i++)
    g_ptr_array_add (own->outcomes, g_strdup (options->outcomes->pdata[i]));
  g_array_append_vals (own->progress, options->progress->data, options->progress->len);
  for (guint i = 0; i < options->variants->len; i++)
    g_ptr_array_add (own->variants, g_strdup (options->variants->pdata[i]));
  for (guint i = 0; i < options->skipped_checks->len; i++)
    g_ptr_array_add (own->skipped_checks, g_strdup (options->skipped_checks->pdata[i]));
  return own;
}

CliColumn *cli_column_new (const CliOptions *options, const char *text, RspSpan at,
                           RspDiagnostics *diagnostics) {
  g_autoptr (CliOptions) own = copy_options (options);
  g_autofree char *file = file_of (text);
  g_autofree char *model = short_label (file);
  if (!*file) {
    rsp_error (diagnostics, at, NULL, "expected a model's name before `%s`", text);
    return NULL;
  }
  if (cli_column_is_dsom (text))
    return cli_column_new_dsom (text, at, diagnostics);
  GString *label = g_string_new (model);
  if (!read_options (own, text + strlen (file), label, at, diagnostics)) {
    g_string_free (label, TRUE);
    return NULL;
  }
  CliColumn *column = g_new0 (CliColumn, 1);
  column->file = g_steal_pointer (&file);
  column->label = g_string_free (label, FALSE);
  set_options (column, own);
  return column;
}

void cli_column_free (CliColumn *column) {
  if (!column)
    return;
  g_ptr_array_unref (column->variants);
  g_ptr_array_unref (column->skipped);
  g_clear_pointer (&column->progress, g_array_unref);
  g_free (column->described);
  g_free (column->label);
  g_free (column->file);
  g_free (column);
}

/* ---- Those of a run ---- */

/* Two models with the same name are distinguished by their paths. Expectations identify models by
 * name only. */
static void distinguish_by_path (GPtrArray *columns) {
  g_autofree gboolean *same = g_new0 (gboolean, columns->len);
  for (guint i = 0; i < columns->len; i++)
    for (guint k = 0; k < columns->len; k++) {
      const CliColumn *a = columns->pdata[i], *b = columns->pdata[k];
      same[i] |= g_str_equal (a->label, b->label) && !g_str_equal (a->file, b->file);
    }
  for (guint i = 0; i < columns->len; i++)
    if (same[i]) {
      CliColumn *column = columns->pdata[i];
      g_autofree char *name = short_label (column->file);
      g_autofree char *label = column->label;
      column->label = g_strconcat (column->file, label + strlen (name), NULL);
    }
}

static GPtrArray *default_column (const CliOptions *options, const char *model,
                                  RspDiagnostics *diagnostics) {
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) cli_column_free);
  g_ptr_array_add (list, cli_column_new (options, model, RSP_NOWHERE, diagnostics));
  return list;
}

/* Takes the column unless there is one with the same model and options, whose results would be
 * printed twice. They may differ in -timeout, which labels do not show. */
static void add_given (GPtrArray *given, CliColumn *column, RspDiagnostics *diagnostics) {
  for (guint i = 0; i < given->len; i++) {
    const CliColumn *other = given->pdata[i];
    if (!g_str_equal (other->label, column->label) || !g_str_equal (other->file, column->file))
      continue;
    rsp_warning (diagnostics, RSP_NOWHERE, NULL, "`-model %s` is given twice: the first counts",
                 column->label);
    cli_column_free (column);
    return;
  }
  g_ptr_array_add (given, column);
}

CliColumns *cli_columns_new (const CliOptions *options, RspDiagnostics *diagnostics) {
  CliColumns *columns = g_new0 (CliColumns, 1);
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  columns->given = g_ptr_array_new_with_free_func ((GDestroyNotify) cli_column_free);
  for (guint i = 0; i < RSP_N_LANGUAGES; i++)
    columns->defaults[i] = default_column (options, rsp_languages[i].default_model, diagnostics);
  columns->dsom = g_ptr_array_new_with_free_func ((GDestroyNotify) cli_column_free);
  cli_columns_add_dsom (options, columns->dsom, diagnostics);
  for (guint i = 0; i < options->models->len; i++) {
    CliColumn *column
        = cli_column_new (options, options->models->pdata[i], RSP_NOWHERE, diagnostics);
    if (column)
      add_given (columns->given, column, diagnostics);
  }
  if (rsp_diagnostics_count_errors (diagnostics) != errors) {
    cli_columns_free (columns);
    return NULL;
  }
  distinguish_by_path (columns->given);
  return columns;
}

void cli_columns_free (CliColumns *columns) {
  if (!columns)
    return;
  g_ptr_array_unref (columns->given);
  for (guint i = 0; i < G_N_ELEMENTS (columns->defaults); i++)
    g_ptr_array_unref (columns->defaults[i]);
  if (columns->dsom)
    g_ptr_array_unref (columns->dsom);
  g_free (columns);
}

const GPtrArray *cli_columns_for (const CliColumns *columns, RspLanguageId language) {
  return columns->given->len ? columns->given : columns->defaults[language];
}

gboolean cli_columns_have (const GPtrArray *columns, const char *label) {
  for (guint i = 0; i < columns->len; i++)
    if (g_str_equal (((const CliColumn *) columns->pdata[i])->label, label))
      return TRUE;
  return FALSE;
}
