/* JSON with its members in order, written and read. */
#include "base/json.h"
#include "report/internal.h"
#include "report/report.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* ---- Json ----------------------------------------------------------------------------------- */

/* ---- Values ---- */
static JsonNode *integer_node (guint64 number) {
  return rsp_json_number ((gint64) MIN (number, G_MAXINT64));
}

static JsonNode *count_node (RspCount count) {
  g_autoptr (GString) digits = g_string_new (NULL);
  rsp_count_format (count, digits);
  return rsp_json_text (digits->str);
}

static JsonNode *object_node (gconstpointer structure, const RspJsonField *fields,
                              const RspRecord *record);

static JsonNode *events_node (const RspRecord *record, const char *flag) {
  JsonArray *array = json_array_new ();
  for (guint i = 0; i < record->evidence->len; i++) {
    const RspRecordEvent *event = &g_array_index (record->evidence, RspRecordEvent, i);
    if (g_str_equal (event->flag, flag))
      rsp_json_add (array, object_node (event, rsp_json_event_fields, record));
  }
  return rsp_json_list (array);
}

static JsonNode *flags_node (const RspRecord *record) {
  JsonArray *array = json_array_new ();
  for (guint i = 0; i < record->flags->len; i++) {
    const char *flag = record->flags->pdata[i];
    rsp_json_add (array, rsp_json_object ("name", rsp_json_text (flag), "events",
                                          events_node (record, flag), NULL));
  }
  return rsp_json_list (array);
}

static JsonNode *prunings_node (const GArray *prunings, gboolean forced) {
  JsonObject *object = json_object_new ();
  for (guint i = 0; i < prunings->len; i++) {
    const RspPruning *pruning = &g_array_index (prunings, RspPruning, i);
    guint64 n = forced ? pruning->forced : pruning->n;
    if (!forced || n)
      json_object_set_member (object, pruning->name, integer_node (n));
  }
  return rsp_json_members (object);
}

static JsonNode *judgements_node (const RspRecord *record) {
  JsonArray *array = json_array_new ();
  for (guint i = 0; i < record->judgements->len; i++) {
    const RspJudgement *judgement = &g_array_index (record->judgements, RspJudgement, i);
    rsp_json_add (array, rsp_json_object ("model", rsp_json_text (judgement->model), "judgement",
                                          rsp_json_text (rsp_judged_names[judgement->judged]),
                                          "not_allowed", rsp_json_texts (judgement->not_allowed),
                                          "not_seen", rsp_json_texts (judgement->not_seen), NULL));
  }
  return rsp_json_list (array);
}

/* ---- Objects ---- */
static JsonNode *explained_node (const RspRecord *record) {
  return record->explanation ? json_from_string (record->explanation, NULL)
                             : rsp_explanations_to_json (record->explanations);
}

static JsonNode *field_node (gconstpointer structure, const RspJsonField *field,
                             const RspRecord *record) {
  gconstpointer at = (const char *) structure + field->offset;
  if (record->unknown & field->unknown)
    return rsp_json_null ();
  switch (field->kind) {
  case RSP_JSON_NESTED:
    return json_from_string (*(const char *const *) at, NULL);
  case RSP_JSON_EXPLAINED:
    return explained_node (record);
  case RSP_JSON_LINES:
    return lines_node (*(const char *const *) at);
  case RSP_JSON_BILL:
    return bill_node (*(const char *const *) at);
  case RSP_JSON_TEXT:
  case RSP_JSON_PART:
    return rsp_json_text (*(const char *const *) at);
  case RSP_JSON_WORD:
    return rsp_json_text (field->words[*(const guint *) at]);
  case RSP_JSON_NUMBER:
    return integer_node (*(const guint *) at);
  case RSP_JSON_LARGE:
    return integer_node (*(const guint64 *) at);
  case RSP_JSON_COUNT:
    return count_node (*(const RspCount *) at);
  case RSP_JSON_BOOLEAN:
    return rsp_json_boolean (*(const gboolean *) at);
  case RSP_JSON_REAL:
    return json_node_init_double (json_node_alloc (), *(const double *) at);
  case RSP_JSON_OBJECT:
    return object_node (at, field->members, record);
  case RSP_JSON_FLAGS:
    return flags_node (record);
  case RSP_JSON_THREAD:
    return *(const guint *) at == RSP_NO_THREAD ? rsp_json_null ()
                                                : integer_node (*(const guint *) at);
  case RSP_JSON_STATES:
    break; /* see append_states */
  case RSP_JSON_PRUNINGS:
    return prunings_node (record->prunings, FALSE);
  case RSP_JSON_FORCED_BY:
    return prunings_node (record->prunings, TRUE);
  case RSP_JSON_JUDGEMENTS:
    return judgements_node (record);
  case RSP_JSON_DEVICE:
    return object_node (record, rsp_json_device_fields, record);
  case RSP_JSON_FORMATS:
    return integer_node (RSP_JSON_FORMAT);
  case RSP_JSON_UNDEFINED:
    return rsp_json_boolean (rsp_record_is_undefined (record));
  }
  g_assert_not_reached ();
}

static gboolean is_written (gconstpointer structure, const RspJsonField *field,
                            const RspRecord *record) {
  const char *at = (const char *) structure + field->offset;
  switch (field->need) {
  case RSP_JSON_ALWAYS:
  case RSP_JSON_OR_NULL:
    return TRUE;
  case RSP_JSON_IF_SET:
    return *(const char *const *) at != NULL;
  case RSP_JSON_IF_ANY:
    return field->kind == RSP_JSON_COUNT ? *(const RspCount *) at != 0 : *(const gboolean *) at;
  case RSP_JSON_IF_EXPLAINED:
    return record->explanation || record->explanations;
  case RSP_JSON_IF_DEVICE:
    return record->is_device;
  case RSP_JSON_IF_OK:
    return rsp_record_is_ok (record);
  }
  g_assert_not_reached ();
}

/* An object of the fields up to `end`; NULL: of all. */
static JsonNode *members_node (gconstpointer structure, const RspJsonField *field,
                               const RspJsonField *end, const RspRecord *record) {
  JsonObject *object = json_object_new ();
  for (; field != end && field->name; field++)
    if (is_written (structure, field, record))
      json_object_set_member (object, field->name, field_node (structure, field, record));
  return rsp_json_members (object);
}

static JsonNode *object_node (gconstpointer structure, const RspJsonField *fields,
                              const RspRecord *record) {
  return members_node (structure, fields, NULL, record);
}

/* ---- States: there may be very many, so they are written without nodes ---- */
static gboolean is_plain (const char *text, gsize length) {
  for (gsize i = 0; i < length; i++)
    if (text[i] < ' ' || text[i] > '~' || text[i] == '"' || text[i] == '\\')
      return FALSE;
  return TRUE;
}

/* Without the line's end. */
static void append_node (JsonNode *node, GString *out) {
  rsp_json_append_line (node, out);
  g_string_truncate (out, out->len - 1);
  json_node_unref (node);
}

static void append_text (const char *text, gsize length, GString *out) {
  if (!is_plain (text, length)) {
    append_node (rsp_json_text (text), out);
    return;
  }
  g_string_append_c (out, '"');
  g_string_append_len (out, text, (gssize) length);
  g_string_append_c (out, '"');
}

static void append_state_value (const RspRecord *record, const RspRecordState *state,
                                const RspJsonField *field, GString *out) {
  gconstpointer at = (const char *) state + field->offset;
  if (record->unknown & field->unknown)
    g_string_append (out, "null");
  else if (field->kind == RSP_JSON_PART)
    append_text (state->text, state->length, out);
  else if (field->kind == RSP_JSON_BOOLEAN)
    g_string_append (out, *(const gboolean *) at ? "true" : "false");
  else {
    g_assert (field->kind == RSP_JSON_COUNT);
    g_string_append_c (out, '"');
    rsp_count_format (*(const RspCount *) at, out);
    g_string_append_c (out, '"');
  }
}

static void append_states (const RspRecord *record, GString *out) {
  for (guint i = 0; i < record->states->len; i++) {
    g_string_append_c (out, i ? ',' : '[');
    for (const RspJsonField *field = rsp_json_state_fields; field->name; field++) {
      if (!is_written (rsp_record_state (record, i), field, record))
        continue;
      g_string_append (out, field == rsp_json_state_fields ? "{\"" : ",\"");
      g_string_append (out, field->name);
      g_string_append (out, "\":");
      append_state_value (record, rsp_record_state (record, i), field, out);
    }
    g_string_append_c (out, '}');
  }
  g_string_append (out, record->states->len ? "]" : "[]");
}

/* ---- The line ---- */
/* The members that these fields make, without braces. */
static void append_members (const RspRecord *record, const RspJsonField *begin,
                            const RspJsonField *end, GString *out) {
  gsize from = out->len;
  append_node (members_node (record, begin, end, record), out);
  g_string_erase (out, (gssize) from, 1);
  g_string_truncate (out, out->len - 1);
}

void rsp_json_format (const RspRecord *record, GString *out) {
  const RspJsonField *states = rsp_json_record_fields;
  while (states->kind != RSP_JSON_STATES)
    states++;
  g_string_append_c (out, '{');
  append_members (record, rsp_json_record_fields, states, out);
  g_string_append_printf (out, ",\"%s\":", states->name);
  append_states (record, out);
  g_string_append_c (out, ',');
  append_members (record, states + 1, NULL, out);
  g_string_append (out, "}\n");
}

/* ---- Json read ------------------------------------------------------------------------------ */

/* Reading records back, line by line. */

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
