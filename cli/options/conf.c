/* -conf files: each line sets an option. */
#include "cli/options/conf.h"
#include "cli/base/lines.h"

#include <string.h>

/* A value may be in double quotes, as in herd's files. */
static char *
unquote (char *value)
{
  gsize length = value ? strlen (value) : 0;
  if (length < 2 || value[0] != '"' || value[length - 1] != '"')
    return value;
  value[length - 1] = '\0';
  return value + 1;
}

/* Models of a file are kept separately, since those of the command line replace them. */
static void
set_apart (CliOptions *options, guint n_before)
{
  for (guint i = n_before; i < options->models->len; i++)
    g_ptr_array_add (options->conf_models, g_strdup (options->models->pdata[i]));
  g_ptr_array_set_size (options->models, (int) n_before);
}

gboolean
cli_conf_read (CliOptions *options, const char *path, RspDiagnostics *diagnostics)
{
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  guint n_models = options->models->len;
  g_autoptr (GArray) lines = cli_lines_read (path, (RspSpan){ 0 }, diagnostics);
  for (guint i = 0; lines && i < lines->len; i++)
    {
      CliLine *line = &g_array_index (lines, CliLine, i);
      char *value = unquote (cli_line_split (line));
      const CliOption *option = cli_option_find (line->text);
      if (option)
        cli_option_set (options, option, value, line->span, diagnostics);
      else
        cli_option_unknown (line->text, line->span, diagnostics);
    }
  set_apart (options, n_models);
  return rsp_diagnostics_count_errors (diagnostics) == errors;
}
