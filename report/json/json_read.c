/* Reading records back, line by line. */
#include "report/json/json_read.h"
#include "base/json.h"
#include "report/json/json_record.h"

#include <string.h>

enum {
  DEEPEST = 512, /* levels of arrays and objects: an explanation has many */
  MOST_WRONG = 8 /* wrong lines of a file that are reported one by one */
};

/* ---- Errors that JSON-GLib does not report ---- */

/* The value of the escape `\uXXXX` at i, or 0. */
static guint escape_at (RspSpan line, guint i) {
  const char *text = line.source->text;
  guint value = 0;
  if (i + 6 > line.end || text[i] != '\\' || text[i + 1] != 'u')
    return 0;
  for (guint digit = i + 2; digit < i + 6; digit++) {
    if (!g_ascii_isxdigit (text[digit]))
      return 0;
    value = value * 16 + (guint) g_ascii_xdigit_value (text[digit]);
  }
  return value;
}

/* The place of half a surrogate pair on its own: such a string is not valid text, but JSON-GLib
 * accepts it. line.end if there is none. */
static guint lone_surrogate (RspSpan line) {
  for (guint i = line.begin; i < line.end; i++) {
    if (line.source->text[i] != '\\')
      continue;
    guint value = escape_at (line, i), next = escape_at (line, i + 6);
    if (value >= 0xdc00 && value < 0xe000)
      return i;
    if (value < 0xd800 || value >= 0xdc00)
      i++;
    else if (next < 0xdc00 || next >= 0xe000)
      return i;
    else
      i += 11;
  }
  return line.end;
}

/* The start of any text after the first object of a line, which occurs if concatenated files lack a
 * final newline: JSON-GLib would read both objects but return only one. The line's end if there is
 * none. */
static guint second_object (RspSpan line) {
  gboolean in_string = FALSE;
  guint depth = 0, i = line.begin;
  for (; i < line.end; i++) {
    char c = line.source->text[i];
    if (c == '\\')
      i += in_string;
    else if (c == '"')
      in_string = !in_string;
    else if (!in_string && c == '{')
      depth++;
    else if (!in_string && c == '}' && --depth == 0)
      break;
  }
  for (i++; i < line.end && g_ascii_isspace (line.source->text[i]);)
    i++;
  return MIN (i, line.end);
}

/* ---- Lines ---- */

/* Conditions on every record. */
static gboolean is_sound (RecordReader *reader) {
  const RspRecord *record = reader->record;
  RspQuantifier quantifier;
  const char *wrong = NULL, *why = NULL;
  if (record->index >= record->total)
    wrong = "index", why = "it is not below `total`";
  else if (record->column >= record->columns)
    wrong = "column", why = "it is not below `columns`";
  else if (record->kind && !rsp_quantifier_from_kind (record->kind, &quantifier))
    wrong = "kind", why = "expected `Allowed`, `Forbidden` or `Required`";
  else if (!record->log && record->kind && !record->condition)
    wrong = "condition", why = "a test that has a kind has one";
  else if (!record->log && rsp_record_is_ok (record) && !record->kind)
    wrong = "kind", why = "a test with an answer has one";
  else if (!record->log && rsp_record_is_ok (record) && !record->hash)
    wrong = "hash", why = "a test with an answer has one";
  else if (!rsp_record_is_ok (record) && !record->reason)
    wrong = "reason", why = "a test without an answer has one";
  if (wrong)
    rsp_error (reader->diagnostics, json_member_span (reader, wrong), NULL, "`%s` of a record: %s",
               wrong, why);
  return wrong == NULL;
}

/* JSON-GLib's message has the place where it stopped reading: "<data>:1:COLUMN: Parse error: …". */
static void report_syntax (RecordReader *reader, const GError *error) {
  guint column = 0, length = reader->line.end - reader->line.begin;
  if (!error || sscanf (error->message, "<data>:1:%u:", &column) != 1 || column > length)
    column = 0;
  guint at = reader->line.begin + (column ? column - 1 : 0);
  rsp_error (reader->diagnostics, ((RspSpan){ reader->source, at, at + 1 }), NULL,
             "this is not a line of `rspcheck -json`: it is not a JSON object%s",
             column ? " from here on" : "");
}

/* NULL after an error. */
static RspRecord *read_line (RecordReader *reader, JsonParser *parser) {
  const char *text = reader->source->text + reader->line.begin;
  gssize length = (gssize) reader->line.end - reader->line.begin;
  JsonNode *root = NULL;
  g_autoptr (GError) error = NULL;
  guint lone = lone_surrogate (reader->line);
  if (lone < reader->line.end) {
    rsp_error (reader->diagnostics, ((RspSpan){ reader->source, lone, lone + 6 }), NULL,
               "half of a surrogate pair on its own is not a character");
    reader->is_json = TRUE;
    return NULL;
  }
  if (!rsp_json_is_deep (text, (gsize) length, DEEPEST) && g_utf8_validate (text, length, NULL)
      && json_parser_load_from_data (parser, text, length, &error))
    root = json_parser_get_root (parser);
  reader->is_json = root && JSON_NODE_HOLDS_OBJECT (root);
  if (!reader->is_json) {
    report_syntax (reader, error);
    return NULL;
  }
  guint second = second_object (reader->line);
  if (second < reader->line.end) {
    rsp_error (reader->diagnostics, ((RspSpan){ reader->source, second, second + 1 }), NULL,
               "this should be on a line of its own: one record per line");
    return NULL;
  }
  reader->record = rsp_record_new (NULL, NULL, NULL, NULL);
  gboolean good = json_read_object (reader, rsp_json_record_fields, json_node_get_object (root),
                                    reader->record)
                  && is_sound (reader);
  if (!good)
    g_clear_pointer (&reader->record, rsp_record_free);
  return g_steal_pointer (&reader->record);
}

/* Line i without its end; empty after the last newline of a file. */
static RspSpan line_span (RspSource *source, guint i) {
  gboolean last = i + 1 >= source->n_lines;
  guint begin = source->lines[i], end = last ? (guint) source->length : source->lines[i + 1];
  while (end > begin && (source->text[end - 1] == '\n' || source->text[end - 1] == '\r'))
    end--;
  return (RspSpan){ source, begin, end };
}

static gboolean is_blank (RspSpan span) {
  for (guint i = span.begin; i < span.end; i++)
    if (!g_ascii_isspace (span.source->text[i]))
      return FALSE;
  return TRUE;
}

/* Is this the last line of an interrupted run, without its end? Other files are not mistaken for
 * one. */
static gboolean drop_torn (RecordReader *reader, guint n_diagnostics) {
  static const char begin[] = "{\"format\":";
  gsize length = reader->line.end - reader->line.begin;
  if (reader->is_json || reader->line.end < reader->source->length
      || strncmp (reader->source->text + reader->line.begin, begin, MIN (length, strlen (begin))))
    return FALSE;
  rsp_diagnostics_truncate (reader->diagnostics, n_diagnostics);
  rsp_warning (reader->diagnostics,
               ((RspSpan){ reader->source, reader->line.begin, reader->line.begin + 1 }), NULL,
               "the last line is incomplete and is left out");
  return TRUE;
}

gboolean rsp_json_read (RspSource *source, GArray *lines, gsize *whole,
                        RspDiagnostics *diagnostics) {
  RecordReader reader = { .source = source, .diagnostics = diagnostics };
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  guint n_wrong = 0;
  gsize end = source->length;
  reader.unknown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < source->n_lines; i++) {
    guint n_diagnostics = rsp_diagnostics_count (diagnostics);
    reader.line = line_span (source, i);
    if (is_blank (reader.line))
      continue;
    RspJsonLine line = { read_line (&reader, parser), reader.line };
    if (line.record)
      g_array_append_val (lines, line);
    else if (drop_torn (&reader, n_diagnostics))
      end = reader.line.begin;
    else if (++n_wrong > MOST_WRONG)
      rsp_diagnostics_truncate (diagnostics, n_diagnostics);
  }
  g_hash_table_unref (reader.unknown);
  if (n_wrong > MOST_WRONG)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s: %u more lines are wrong", source->name,
               n_wrong - MOST_WRONG);
  if (whole)
    *whole = end;
  return n_wrong == 0;
}
