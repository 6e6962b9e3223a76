#include "base/diagnostic.h"

#include <string.h>

struct RspDiagnostics {
  GArray *entries;      /* of RspDiagnostic; NULL: there have been none */
  GHashTable *warnings; /* copies, whose texts the entries own, of the warnings among … */
  guint n_indexed;      /* … the first so many entries; NULL and 0 until they are needed */
};

static void clear_entry (gpointer data) {
  RspDiagnostic *entry = data;
  rsp_source_unref (entry->span.source);
  g_free (entry->message);
  g_free (entry->hint);
}

static void forget_index (RspDiagnostics *diagnostics) {
  g_clear_pointer (&diagnostics->warnings, g_hash_table_unref);
  diagnostics->n_indexed = 0;
}

RspDiagnostics *rsp_diagnostics_new (void) { return g_new0 (RspDiagnostics, 1); }

static void append (RspDiagnostics *diagnostics, const RspDiagnostic *entry) {
  if (!diagnostics->entries) {
    diagnostics->entries = g_array_new (FALSE, FALSE, sizeof (RspDiagnostic));
    g_array_set_clear_func (diagnostics->entries, clear_entry);
  }
  g_array_append_vals (diagnostics->entries, entry, 1);
}

void rsp_diagnostics_free (RspDiagnostics *diagnostics) {
  if (!diagnostics)
    return;
  forget_index (diagnostics);
  g_clear_pointer (&diagnostics->entries, g_array_unref);
  g_free (diagnostics);
}

void rsp_report (RspDiagnostics *diagnostics, RspSeverity severity, RspSpan span, const char *hint,
                 const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  RspDiagnostic entry = { .severity = severity,
                          .span = span,
                          .message = g_strdup_vprintf (format, arguments),
                          .hint = g_strdup (hint) };
  va_end (arguments);
  if (span.source)
    rsp_source_ref (span.source);
  append (diagnostics, &entry);
}

guint rsp_diagnostics_count (const RspDiagnostics *diagnostics) {
  return diagnostics->entries ? diagnostics->entries->len : 0;
}

const RspDiagnostic *rsp_diagnostics_get (const RspDiagnostics *diagnostics, guint index) {
  return &g_array_index (diagnostics->entries, RspDiagnostic, index);
}

guint rsp_diagnostics_count_errors (const RspDiagnostics *diagnostics) {
  guint n = 0;
  for (guint i = 0; i < rsp_diagnostics_count (diagnostics); i++)
    n += rsp_diagnostics_get (diagnostics, i)->severity == RSP_ERROR;
  return n;
}

void rsp_diagnostics_truncate (RspDiagnostics *diagnostics, guint count) {
  forget_index (diagnostics);
  if (count < rsp_diagnostics_count (diagnostics))
    g_array_set_size (diagnostics->entries, count);
}

gboolean rsp_diagnostics_drop (RspDiagnostics *diagnostics, RspSeverity severity) {
  guint n = rsp_diagnostics_count (diagnostics);
  forget_index (diagnostics);
  for (guint i = n; i-- > 0;)
    if (rsp_diagnostics_get (diagnostics, i)->severity == severity)
      g_array_remove_index (diagnostics->entries, i);
  return rsp_diagnostics_count (diagnostics) < n;
}

static guint hash_warning (gconstpointer key) {
  const RspDiagnostic *warning = key;
  return (g_str_hash (warning->message) * 31 + warning->span.begin) * 31 + warning->span.end;
}

static const char *source_name (RspSpan span) { return span.source ? span.source->name : ""; }

static gboolean equal_warnings (gconstpointer key_a, gconstpointer key_b) {
  const RspDiagnostic *a = key_a, *b = key_b;
  return a->severity == b->severity && g_str_equal (source_name (a->span), source_name (b->span))
         && a->span.begin == b->span.begin && a->span.end == b->span.end
         && g_str_equal (a->message, b->message);
}

static gboolean is_warning (const RspDiagnostic *entry) {
  return entry->severity == RSP_WARNING || entry->severity == RSP_TRUNCATED;
}

static gboolean holds_warning (RspDiagnostics *diagnostics, const RspDiagnostic *warning) {
  if (!diagnostics->warnings)
    diagnostics->warnings = g_hash_table_new_full (hash_warning, equal_warnings, g_free, NULL);
  for (; diagnostics->n_indexed < rsp_diagnostics_count (diagnostics); diagnostics->n_indexed++) {
    const RspDiagnostic *entry = rsp_diagnostics_get (diagnostics, diagnostics->n_indexed);
    if (is_warning (entry))
      g_hash_table_add (diagnostics->warnings, g_memdup2 (entry, sizeof *entry));
  }
  return g_hash_table_contains (diagnostics->warnings, warning);
}

void rsp_diagnostics_move (RspDiagnostics *to, RspDiagnostics *from) {
  forget_index (from);
  if (!from->entries)
    return;
  for (guint i = 0; i < from->entries->len; i++) {
    RspDiagnostic *entry = &g_array_index (from->entries, RspDiagnostic, i);
    if (is_warning (entry) && holds_warning (to, entry))
      continue;
    append (to, entry);
    *entry = (RspDiagnostic){ 0 };
  }
  g_array_set_size (from->entries, 0);
}

static const char *severity_word (RspSeverity severity) {
  switch (severity) {
  case RSP_NOTE:
    return "note";
  case RSP_TRUNCATED:
  case RSP_WARNING:
    return "warning";
  case RSP_ERROR:
    return "error";
  }
  g_assert_not_reached ();
}

static const char *severity_colour (RspSeverity severity) {
  switch (severity) {
  case RSP_NOTE:
    return "\033[1;36m";
  case RSP_TRUNCATED:
  case RSP_WARNING:
    return "\033[1;35m";
  case RSP_ERROR:
    return "\033[1;31m";
  }
  g_assert_not_reached ();
}

enum {
  WIDTH = 160 /* bytes of a source line that are shown */
};

/* The part of a source line that is shown (bytes begin … end - 1), and the caret's place in it. */
typedef struct Excerpt {
  const char *begin, *end;
  const char *caret, *caret_end;
  gboolean skipped_before, skipped_after;
} Excerpt;

/* Is the byte inside a UTF-8 character, rather than at its start? */
static gboolean continues (char byte) { return ((guchar) byte & 0xc0) == 0x80; }

static Excerpt shorten_excerpt (RspSpan span) {
  guint line, column;
  rsp_source_position (span.source, span.begin, &line, &column);
  const char *start = span.source->text + span.source->lines[line - 1];
  const char *newline = strchr (start, '\n');
  gsize length = newline ? (gsize) (newline - start) : strlen (start);
  if (length && start[length - 1] == '\r')
    length--;
  gsize caret = MIN (column - 1, length);
  gsize begin = length > WIDTH && caret > WIDTH / 2 ? caret - WIDTH / 2 : 0;
  gsize end = MIN (length, begin + WIDTH);
  while (begin < caret && continues (start[begin]))
    begin++;
  while (end < length && end > caret && continues (start[end]))
    end--;
  gsize size = span.end > span.begin ? span.end - span.begin : 1;
  return (Excerpt){ .begin = start + begin,
                    .end = start + end,
                    .caret = start + caret,
                    .caret_end = start + MIN (caret + size, MAX (end, caret + 1)),
                    .skipped_before = begin > 0,
                    .skipped_after = end < length };
}

/* One character, or `?` for a byte that terminals do not show. Returns the rest. */
static const char *format_character (const char *text, const char *end, GString *out) {
  gunichar c = g_utf8_get_char_validated (text, end - text);
  if (*text == '\t' || (c < 0x110000 && g_unichar_isprint (c))) {
    const char *next = *text == '\t' ? text + 1 : g_utf8_next_char (text);
    g_string_append_len (out, text, next - text);
    return next;
  }
  g_string_append_c (out, '?');
  return text + 1;
}

/* Blanks as wide as the text that format_character writes; tabs are kept, so that lines align. */
static void format_blanks (const char *text, const char *end, GString *out) {
  g_autoptr (GString) one = g_string_new (NULL);
  while (text < end) {
    text = format_character (text, end, one);
    g_string_append_c (out, text[-1] == '\t' ? '\t' : ' ');
  }
}

static void format_carets (const Excerpt *excerpt, GString *out) {
  g_autoptr (GString) shown = g_string_new (NULL);
  const char *text = excerpt->caret, *end = MIN (excerpt->caret_end, excerpt->end);
  g_string_append_c (out, '^');
  while (text < end) {
    text = format_character (text, end, shown);
    if (text < end)
      g_string_append_c (out, '~');
  }
}

/* The source line of a span, with a caret under its start. Of a long line, only the part around the
 * caret. */
static void format_excerpt (RspSpan span, gboolean colour, GString *out) {
  Excerpt excerpt = shorten_excerpt (span);
  g_string_append (out, excerpt.skipped_before ? "  …" : "  ");
  for (const char *text = excerpt.begin; text < excerpt.end;)
    text = format_character (text, excerpt.end, out);
  g_string_append (out, excerpt.skipped_after ? "…\n  " : "\n  ");
  if (excerpt.skipped_before)
    g_string_append_c (out, ' ');
  format_blanks (excerpt.begin, excerpt.caret, out);
  g_string_append (out, colour ? "\033[1;32m" : "");
  format_carets (&excerpt, out);
  g_string_append (out, colour ? "\033[0m\n" : "\n");
}

/* A message. Control characters, such as those in the name of a file, are not sent to terminals. */
static void format_text (const char *text, GString *out) {
  for (const char *end = text + strlen (text); text < end;)
    if (*text == '\n')
      g_string_append_c (out, *text++);
    else
      text = format_character (text, end, out);
}

void rsp_diagnostic_format (const RspDiagnostic *diagnostic, gboolean colour, GString *out) {
  RspSpan span = diagnostic->span;
  g_autofree char *where = NULL;
  if (span.source) {
    guint line, column;
    rsp_source_position (span.source, span.begin, &line, &column);
    where = g_strdup_printf ("%s:%u:%u: ", span.source->name, line, column);
  }
  format_text (where ? where : "", out);
  g_string_append_printf (out, "%s%s:%s ", colour ? severity_colour (diagnostic->severity) : "",
                          severity_word (diagnostic->severity), colour ? "\033[0m" : "");
  format_text (diagnostic->message, out);
  g_string_append_c (out, '\n');
  if (span.source)
    format_excerpt (span, colour, out);
  if (diagnostic->hint) {
    format_text (where ? where : "", out);
    g_string_append (out, "hint: ");
    format_text (diagnostic->hint, out);
    g_string_append_c (out, '\n');
  }
}

RspSource *rsp_source_load (const char *path, RspSpan at, RspDiagnostics *diagnostics) {
  g_autoptr (GError) error = NULL;
  RspSource *source = rsp_source_read (path, &error);
  if (!source)
    rsp_error (diagnostics, at, NULL, "%s", error->message);
  return source;
}
