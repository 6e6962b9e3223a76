#include "cli/stream.h"

#include <errno.h>
#include <unistd.h>

gboolean
cli_write (const GString *text)
{
  errno = 0;
  if (fwrite (text->str, 1, text->len, stdout) == text->len && fflush (stdout) == 0)
    return TRUE;
  fprintf (stderr, "error: cannot write to standard output: %s\n", g_strerror (errno));
  return FALSE;
}

gboolean
cli_wants_colour (int stream)
{
  const char *off = g_getenv ("NO_COLOR");
  return isatty (stream) && !(off && *off) && g_strcmp0 (g_getenv ("TERM"), "dumb") != 0;
}

guint
cli_tell (RspDiagnostics *diagnostics, gboolean only_errors)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean colour = cli_wants_colour (STDERR_FILENO);
  for (guint i = 0; i < rsp_diagnostics_count (diagnostics); i++)
    {
      const RspDiagnostic *diagnostic = rsp_diagnostics_get (diagnostics, i);
      if (diagnostic->severity == RSP_ERROR || !only_errors)
        rsp_diagnostic_format (diagnostic, colour, text);
    }
  fwrite (text->str, 1, text->len, stderr);
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  rsp_diagnostics_truncate (diagnostics, 0);
  return errors;
}
