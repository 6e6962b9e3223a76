#include "cli/base/stream.h"
#include "cli/base/replace.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
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
cli_report_unwritten (const char *path, int errno_)
{
  fprintf (stderr, "error: cannot write %s: %s\n", path, g_strerror (errno_));
  return FALSE;
}

gboolean
cli_can_write_file (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return cli_report_unwritten (path, EISDIR);
  if (g_access (folder, F_OK) != 0)
    return cli_report_unwritten (path, errno);
  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    return cli_report_unwritten (path, ENOTDIR);
  if (g_file_test (path, G_FILE_TEST_EXISTS) ? g_access (path, W_OK) : g_access (folder, W_OK))
    return cli_report_unwritten (path, errno);
  return TRUE;
}

static gboolean
write_through (const char *path, const GString *text)
{
  FILE *file = fopen (path, "w");
  if (!file)
    return cli_report_unwritten (path, errno);
  errno = 0;
  gboolean written = fwrite (text->str, 1, text->len, file) == text->len;
  if (fclose (file) != 0 || !written)
    return cli_report_unwritten (path, errno);
  return TRUE;
}

gboolean
cli_write_file (const char *path, const GString *text)
{
  gboolean exists = g_file_test (path, G_FILE_TEST_EXISTS);
  if (exists && !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return write_through (path, text);
  /* A link is kept: the file that it names is replaced. */
  g_autofree char *real = exists ? realpath (path, NULL) : NULL;
  int failure = replace_file (real ? real : path, text);
  return failure == 0 || cli_report_unwritten (path, failure);
}

gboolean
cli_uses_colour (int stream)
{
  const char *off = g_getenv ("NO_COLOR");
  return isatty (stream) && !(off && *off) && g_strcmp0 (g_getenv ("TERM"), "dumb") != 0;
}

guint
cli_print_diagnostics (RspDiagnostics *diagnostics, gboolean only_errors)
{
  if (rsp_diagnostics_count (diagnostics) == 0)
    return 0;
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean colour = cli_uses_colour (STDERR_FILENO);
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
