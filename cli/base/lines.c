#include "cli/base/lines.h"

static void clear_line (gpointer data) {
  CliLine *line = data;
  g_free (line->text);
  rsp_source_unref (line->span.source);
}

/* Length of the line without its comment and the blanks at its end. */
static gsize useful_length (const char *start, gsize length) {
  gboolean quoted = FALSE;
  for (gsize i = 0; i < length; i++) {
    if (start[i] == '"')
      quoted = !quoted;
    if (start[i] == '#' && !quoted && (i == 0 || g_ascii_isspace (start[i - 1])))
      length = i;
  }
  while (length && g_ascii_isspace (start[length - 1]))
    length--;
  return length;
}

GArray *cli_lines_read (const char *path, RspSpan at, RspDiagnostics *diagnostics) {
  g_autoptr (RspSource) source = rsp_source_load (path, at, diagnostics);
  if (!source)
    return NULL;
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (CliLine));
  g_array_set_clear_func (lines, clear_line);
  for (guint i = 0; i < source->n_lines; i++) {
    guint begin = source->lines[i];
    guint end = i + 1 < source->n_lines ? source->lines[i + 1] : (guint) source->length;
    end = begin + (guint) useful_length (source->text + begin, end - begin);
    if (i == 0 && g_str_has_prefix (source->text, "\xef\xbb\xbf")) /* a byte order mark */
      begin = MIN (begin + 3, end);
    while (begin < end && g_ascii_isspace (source->text[begin]))
      begin++;
    if (begin == end)
      continue;
    CliLine line = { g_strndup (source->text + begin, end - begin),
                     { rsp_source_ref (source), begin, end } };
    g_array_append_val (lines, line);
  }
  return lines;
}

char *cli_line_split (CliLine *line) {
  char *blank = line->text;
  while (*blank && !g_ascii_isspace (*blank))
    blank++;
  if (!*blank)
    return NULL;
  *blank = '\0';
  return g_strchug (blank + 1);
}
