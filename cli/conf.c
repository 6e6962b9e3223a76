#include "cli/lines.h"
#include "cli/options.h"

#include <string.h>

/* A value may stand in double quotes, as in herd's files. */
static char *
unquote (char *value)
{
  gsize length = value ? strlen (value) : 0;
  if (length < 2 || value[0] != '"' || value[length - 1] != '"')
    return value;
  value[length - 1] = '\0';
  return value + 1;
}

gboolean
cli_conf_read (CliOptions *options, const char *path, RspDiagnostics *diagnostics)
{
  guint errors = rsp_diagnostics_count_errors (diagnostics);
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
  return rsp_diagnostics_count_errors (diagnostics) == errors;
}
