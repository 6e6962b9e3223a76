#include "cli/columns/column_dsom.h"

static const char machine[] = "dsom";
gboolean cli_column_is_dsom (const char *text) {
  return g_str_has_prefix (text, machine)
         && (text[sizeof machine - 1] == '\0' || text[sizeof machine - 1] == ' ');
}

/* Reads the option `name` with its value; FALSE after an error. */
static gboolean set_option (RspDsomConfig *config, const char *name, const char *value, RspSpan at,
                            RspDiagnostics *diagnostics) {
  g_autofree char *message = NULL;
  gboolean good = FALSE;
  if (!value)
    message = g_strdup ("the value is missing");
  else if (g_str_equal (name, "-strategy"))
    good = rsp_dsom_config_set_strategy (config, value, &message);
  else if (g_str_equal (name, "-reading"))
    good = rsp_dsom_config_set_reading (config, value, &message);
  else
    message = g_strdup ("the machine dsom has the options -strategy and -reading");
  if (!good)
    rsp_error (diagnostics, at, NULL, "`%s%s%s`: %s", name, value ? " " : "", value ? value : "",
               message);
  return good;
}

CliColumn *cli_column_new_dsom (const char *text, RspSpan at, RspDiagnostics *diagnostics) {
  g_auto (GStrv) words = g_strsplit_set (text, " \t", -1);
  g_autoptr (GString) label = g_string_new (machine);
  RspDsomConfig config = rsp_dsom_config_default ();
  for (guint i = 1; words[0] && words[i]; i++) {
    const char *name = words[i];
    if (!*name)
      continue;
    while (words[i + 1] && !*words[i + 1])
      i++;
    if (!set_option (&config, name, words[i + 1], at, diagnostics))
      return NULL;
    g_string_append_printf (label, " %s %s", name, words[++i]);
  }
  g_autofree char *strategy = rsp_dsom_config_strategy (&config);
  g_autofree char *readings = rsp_dsom_config_readings (&config);
  CliColumn *column = g_new0 (CliColumn, 1);
  *column = (CliColumn){ .file = g_strdup (machine),
                         .label = g_strdup (label->str),
                         .variants = g_ptr_array_new_with_free_func (g_free),
                         .skipped = g_ptr_array_new_with_free_func (g_free),
                         .progress = g_array_new (FALSE, FALSE, sizeof (RspProgress)),
                         .described = g_strdup_printf ("strategy=%s%s%s", strategy,
                                                       *readings ? " " : "", readings),
                         .is_dsom = TRUE,
                         .dsom = config };
  return column;
}

static void add (const CliOptions *options, const char *strategy, GPtrArray *columns,
                 RspDiagnostics *diagnostics) {
  g_autoptr (GString) text = g_string_new (machine);
  if (strategy)
    g_string_append_printf (text, " -strategy %s", strategy);
  if (g_strcmp0 (options->machine, machine) == 0)
    for (guint i = 0; i < options->readings->len; i++)
      g_string_append_printf (text, " -reading %s", (char *) options->readings->pdata[i]);
  CliColumn *column = cli_column_new_dsom (text->str, RSP_NOWHERE, diagnostics);
  if (column)
    g_ptr_array_add (columns, column);
}

void cli_columns_add_dsom (const CliOptions *options, GPtrArray *columns,
                           RspDiagnostics *diagnostics) {
  static const char *const all[] = { "batch", "balance", "lazy", "adaptive" };
  if (!options->strategies->len)
    add (options, NULL, columns, diagnostics);
  for (guint i = 0; i < options->strategies->len; i++) {
    const char *strategy = options->strategies->pdata[i];
    if (!g_str_equal (strategy, "all"))
      add (options, strategy, columns, diagnostics);
    for (guint k = 0; k < G_N_ELEMENTS (all) && g_str_equal (strategy, "all"); k++)
      add (options, all[k], columns, diagnostics);
  }
}
