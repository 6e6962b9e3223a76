#include "cli/run/watch.h"
#include "cli/base/stream.h"
#include "cli/run/job.h"
#include "report/page/page.h"

void cli_watch_tell (const char *path, const struct CliResult *result, guint n,
                     gboolean is_partial) {
  g_autoptr (GPtrArray) records = g_ptr_array_new ();
  g_autoptr (GString) data = g_string_new (NULL);
  for (guint k = 0; k < n; k++)
    g_ptr_array_add (records, result->cells[k].record);
  rsp_page_format_data (records, data);
  if (is_partial)
    g_string_insert (data, 1, "\"partial\":true,");
  cli_append_file (path, data);
}

void cli_watch_search (const char *path, const char *format, ...) {
  g_autoptr (GString) line = g_string_new ("{\"searched\":\"");
  va_list arguments;
  va_start (arguments, format);
  g_string_append_vprintf (line, format, arguments);
  va_end (arguments);
  g_string_append (line, "\"}\n");
  cli_append_file (path, line);
}
