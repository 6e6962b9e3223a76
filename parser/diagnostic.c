#include "parser/diagnostic.h"

#include <string.h>

struct RspDiagnostics
{
  GArray *entries; /* of RspDiagnostic */
};

static void
clear_entry (gpointer data)
{
  RspDiagnostic *entry = data;
  rsp_source_unref (entry->span.source);
  g_free (entry->message);
  g_free (entry->hint);
}

RspDiagnostics *
rsp_diagnostics_new (void)
{
  RspDiagnostics *diagnostics = g_new0 (RspDiagnostics, 1);
  diagnostics->entries = g_array_new (FALSE, FALSE, sizeof (RspDiagnostic));
  g_array_set_clear_func (diagnostics->entries, clear_entry);
  return diagnostics;
}

void
rsp_diagnostics_free (RspDiagnostics *diagnostics)
{
  if (!diagnostics)
    return;
  g_array_unref (diagnostics->entries);
  g_free (diagnostics);
}

void
rsp_report (RspDiagnostics *diagnostics, RspSeverity severity, RspSpan span, const char *hint,
            const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  RspDiagnostic entry = { .severity = severity,
                          .span = span,
                          .message = g_strdup_vprintf (format, arguments),
                          .hint = g_strdup (hint) };
  va_end (arguments);
  if (span.source)
    rsp_source_ref (span.source);
  g_array_append_val (diagnostics->entries, entry);
}

guint
rsp_diagnostics_count (const RspDiagnostics *diagnostics)
{
  return diagnostics->entries->len;
}

const RspDiagnostic *
rsp_diagnostics_get (const RspDiagnostics *diagnostics, guint index)
{
  return &g_array_index (diagnostics->entries, RspDiagnostic, index);
}

guint
rsp_diagnostics_count_errors (const RspDiagnostics *diagnostics)
{
  guint n = 0;
  for (guint i = 0; i < diagnostics->entries->len; i++)
    n += rsp_diagnostics_get (diagnostics, i)->severity == RSP_ERROR;
  return n;
}

void
rsp_diagnostics_truncate (RspDiagnostics *diagnostics, guint count)
{
  if (count < diagnostics->entries->len)
    g_array_remove_range (diagnostics->entries, count, diagnostics->entries->len - count);
}

void
rsp_diagnostics_move (RspDiagnostics *to, RspDiagnostics *from)
{
  gsize n = 0;
  RspDiagnostic *entries = g_array_steal (from->entries, &n);
  g_array_append_vals (to->entries, entries, (guint) n);
  g_free (entries);
}

static const char *
severity_word (RspSeverity severity)
{
  switch (severity)
    {
    case RSP_NOTE: return "note";
    case RSP_WARNING: return "warning";
    default: return "error";
    }
}

static const char *
severity_colour (RspSeverity severity)
{
  switch (severity)
    {
    case RSP_NOTE: return "\033[1;36m";
    case RSP_WARNING: return "\033[1;35m";
    default: return "\033[1;31m";
    }
}

/* The source line of a span and a caret under its begin; tabs are kept so that the two align. */
static void
format_excerpt (RspSpan span, gboolean colour, GString *out)
{
  guint line, column;
  rsp_source_position (span.source, span.begin, &line, &column);
  const char *start = span.source->text + span.source->lines[line - 1];
  const char *newline = strchr (start, '\n');
  gsize length = newline ? (gsize) (newline - start) : strlen (start);
  if (length && start[length - 1] == '\r')
    length--;
  gsize carets = span.end > span.begin ? span.end - span.begin : 1;
  carets = MIN (carets, length >= column ? length - column + 1 : 1);
  g_string_append (out, "  ");
  g_string_append_len (out, start, (gssize) length);
  g_string_append (out, "\n  ");
  for (guint i = 0; i + 1 < column; i++)
    g_string_append_c (out, i < length && start[i] == '\t' ? '\t' : ' ');
  g_string_append (out, colour ? "\033[1;32m^" : "^");
  for (gsize i = 1; i < carets; i++)
    g_string_append_c (out, '~');
  g_string_append (out, colour ? "\033[0m\n" : "\n");
}

void
rsp_diagnostic_format (const RspDiagnostic *diagnostic, gboolean colour, GString *out)
{
  RspSpan span = diagnostic->span;
  g_autofree char *where = NULL;
  if (span.source)
    {
      guint line, column;
      rsp_source_position (span.source, span.begin, &line, &column);
      where = g_strdup_printf ("%s:%u:%u: ", span.source->name, line, column);
    }
  g_string_append_printf (out, "%s%s%s:%s %s\n", where ? where : "",
                          colour ? severity_colour (diagnostic->severity) : "",
                          severity_word (diagnostic->severity), colour ? "\033[0m" : "",
                          diagnostic->message);
  if (span.source)
    format_excerpt (span, colour, out);
  if (diagnostic->hint)
    g_string_append_printf (out, "%shint: %s\n", where ? where : "", diagnostic->hint);
}

void
rsp_diagnostics_print (const RspDiagnostics *diagnostics, gboolean colour, FILE *stream)
{
  g_autoptr (GString) out = g_string_new (NULL);
  for (guint i = 0; i < rsp_diagnostics_count (diagnostics); i++)
    rsp_diagnostic_format (rsp_diagnostics_get (diagnostics, i), colour, out);
  fwrite (out->str, 1, out->len, stream);
}
