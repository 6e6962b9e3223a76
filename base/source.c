#include "base/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void
index_lines (RspSource *source)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (guint));
  guint start = 0;
  g_array_append_val (lines, start);
  for (gsize i = 0; i < source->length; i++)
    if (source->text[i] == '\n')
      {
        start = (guint) i + 1;
        g_array_append_val (lines, start);
      }
  source->n_lines = lines->len;
  source->lines = (guint *) g_array_free (lines, FALSE);
}

RspSource *
rsp_source_new (const char *name, char *text, gsize length)
{
  RspSource *source = g_atomic_rc_box_new0 (RspSource);
  source->name = g_strdup (name);
  source->text = text;
  source->length = length;
  index_lines (source);
  return source;
}

static gboolean
read_standard_input (char **text, gsize *length, GError **error)
{
  GString *all = g_string_new (NULL);
  char buffer[4096];
  gsize n;
  while ((n = fread (buffer, 1, sizeof buffer, stdin)) > 0)
    g_string_append_len (all, buffer, (gssize) n);
  if (ferror (stdin))
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_IO, "cannot read standard input: %s",
                   g_strerror (errno));
      g_string_free (all, TRUE);
      return FALSE;
    }
  *length = all->len;
  *text = g_string_free (all, FALSE);
  return TRUE;
}

RspSource *
rsp_source_read (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  gsize length = 0;
  const char *name = path;
  if (strcmp (path, "-") == 0)
    {
      name = "<stdin>";
      if (!read_standard_input (&text, &length, error))
        return NULL;
    }
  else if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_ISDIR, "%s: is a directory, not a file", path);
      return NULL;
    }
  else
    {
      g_autoptr (GError) cause = NULL;
      if (!g_file_get_contents (path, &text, &length, &cause))
        {
          const char *why = cause->code == G_FILE_ERROR_NOENT ? "no such file" : cause->message;
          g_set_error (error, G_FILE_ERROR, cause->code, "%s: %s", path, why);
          return NULL;
        }
    }
  if (memchr (text, '\0', length))
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s: is a binary file, not text", name);
      return NULL;
    }
  return rsp_source_new (name, g_steal_pointer (&text), length);
}

RspSource *
rsp_source_ref (RspSource *source)
{
  return g_atomic_rc_box_acquire (source);
}

static void
clear_source (gpointer data)
{
  RspSource *source = data;
  g_free (source->name);
  g_free (source->text);
  g_free (source->lines);
}

void
rsp_source_unref (RspSource *source)
{
  if (source)
    g_atomic_rc_box_release_full (source, clear_source);
}

void
rsp_source_position (const RspSource *source, guint offset, guint *line, guint *column)
{
  guint low = 0, high = source->n_lines;
  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;
      if (source->lines[middle] <= offset)
        low = middle;
      else
        high = middle;
    }
  *line = low + 1;
  *column = offset - source->lines[low] + 1;
}

guint
rsp_span_line (RspSpan span)
{
  guint line = 0, column;
  if (span.source)
    rsp_source_position (span.source, span.begin, &line, &column);
  return line;
}

RspSpan
rsp_span_join (RspSpan first, RspSpan last)
{
  return (
      RspSpan){ .source = first.source, .begin = first.begin, .end = MAX (first.end, last.end) };
}
