#include "base/source.h"
#include "base/budget.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The start of the line after the one that `from` is in; NULL: that is the last one. */
static const char *next_line (const RspSource *source, const char *from) {
  const char *end = source->text + source->length;
  const char *newline = memchr (from, '\n', (gsize) (end - from));
  return newline ? newline + 1 : NULL;
}

static void index_lines (RspSource *source) {
  guint n = 0;
  for (const char *line = source->text; line; line = next_line (source, line))
    n++;
  source->lines = g_new (guint, n);
  for (const char *line = source->text; line; line = next_line (source, line))
    source->lines[source->n_lines++] = (guint) (line - source->text);
}

RspSource *rsp_source_new (const char *name, char *text, gsize length) {
  RspSource *source = g_atomic_rc_box_new0 (RspSource);
  source->name = g_strdup (name);
  source->text = text;
  source->length = length;
  index_lines (source);
  return source;
}

/* Reads until the end, or until the text is known to be too long. */
static gboolean read_stream (FILE *stream, const char *name, gsize max, GString *text,
                             GError **error) {
  char buffer[65536];
  gsize n;
  gboolean binary = FALSE;
  setvbuf (stream, NULL, _IONBF, 0); /* there is a buffer here */
  while (text->len <= max && !binary && (n = fread (buffer, 1, sizeof buffer, stream)) > 0) {
    binary = memchr (buffer, '\0', n) != NULL;
    g_string_append_len (text, buffer, (gssize) n);
  }
  if (ferror (stream))
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "cannot read %s: %s", name,
                 g_strerror (errno));
  else if (binary)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s: is a binary file, not text", name);
  else if (text->len > max) {
    g_autofree char *limit = rsp_size_format (max);
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC, "%s: is larger than %s", name, limit);
  } else
    return TRUE;
  return FALSE;
}

/* ---- Confinement ---- */

static GPtrArray *confined; /* resolved folders; NULL: any file may be read */

void rsp_source_confine (const char *const *folders) {
  if (!confined)
    confined = g_ptr_array_new ();
  for (guint i = 0; folders[i]; i++) {
    char *resolved = realpath (folders[i], NULL);
    if (resolved)
      g_ptr_array_add (confined, resolved);
  }
}

gboolean rsp_source_is_confined (void) { return confined != NULL; }

static gboolean may_read (const char *path) {
  char *resolved = confined ? realpath (path, NULL) : NULL;
  gboolean found = !resolved; /* what does not exist is reported so */
  for (guint i = 0; resolved && !found && i < confined->len; i++) {
    gsize length = strlen (confined->pdata[i]);
    found = strncmp (resolved, confined->pdata[i], length) == 0 && resolved[length] == '/';
  }
  free (resolved);
  return found;
}

/* ---- Reading ---- */

static FILE *open_file (const char *path, GError **error) {
  FILE *stream = NULL;
  if (g_file_test (path, G_FILE_TEST_IS_DIR)) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_ISDIR, "%s: is a directory, not a file", path);
    return NULL;
  }
  if (!may_read (path)) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_ACCES, "%s: may not be read here", path);
    return NULL;
  }
  stream = fopen (path, "r");
  if (!stream)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", path,
                 errno == ENOENT ? "no such file" : g_strerror (errno));
  return stream;
}

RspSource *rsp_source_read_within (const char *path, gsize max, GError **error) {
  gboolean is_standard = strcmp (path, "-") == 0;
  const char *name = is_standard ? "<stdin>" : path;
  FILE *stream = is_standard ? stdin : open_file (path, error);
  if (!stream)
    return NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean read = read_stream (stream, name, MIN (max, RSP_SOURCE_MOST), text, error);
  if (!is_standard)
    fclose (stream);
  if (!read)
    return NULL;
  gsize length = text->len;
  return rsp_source_new (name, g_string_free (g_steal_pointer (&text), FALSE), length);
}

RspSource *rsp_source_read (const char *path, GError **error) {
  return rsp_source_read_within (path, RSP_SOURCE_SMALL, error);
}

RspSource *rsp_source_ref (RspSource *source) { return g_atomic_rc_box_acquire (source); }

static void clear_source (gpointer data) {
  RspSource *source = data;
  g_free (source->name);
  g_free (source->text);
  g_free (source->lines);
}

void rsp_source_unref (RspSource *source) {
  if (source)
    g_atomic_rc_box_release_full (source, clear_source);
}

void rsp_source_position (const RspSource *source, guint offset, guint *line, guint *column) {
  guint low = 0, high = source->n_lines;
  while (high - low > 1) {
    guint middle = low + (high - low) / 2;
    if (source->lines[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  *line = low + 1;
  *column = offset - source->lines[low] + 1;
}

guint rsp_span_line (RspSpan span) {
  guint line = 0, column;
  if (span.source)
    rsp_source_position (span.source, span.begin, &line, &column);
  return line;
}

char *rsp_span_text (RspSpan span) {
  return span.source ? g_strndup (span.source->text + span.begin, span.end - span.begin) : NULL;
}

void rsp_span_append (RspSpan span, GString *out) {
  for (guint i = span.begin; span.source && i < span.end; i++) {
    char c = span.source->text[i];
    if (!g_ascii_isspace (c))
      g_string_append_c (out, c);
    else if (out->len && out->str[out->len - 1] != ' ')
      g_string_append_c (out, ' ');
  }
}

RspSpan rsp_span_join (RspSpan first, RspSpan last) {
  return (
      RspSpan){ .source = first.source, .begin = first.begin, .end = MAX (first.end, last.end) };
}
