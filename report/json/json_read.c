/* Reading records back. */
#include "report/json/json_read.h"
#include "base/suggest.h"
#include "report/evidence.h"
#include "report/judge.h"
#include "report/json/machine_nodes.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

enum
{
  MOST_WRONG = 8, /* so many wrong lines of a file are reported one by one */
  DEEPEST = 512   /* levels of arrays and objects: an explanation has many */
};

typedef struct Reader
{
  RspSource *source;
  RspSpan line; /* the one being read */
  RspRecord *record;
  gboolean is_json;    /* the line is an object, whatever is in it */
  GHashTable *unknown; /* names of members that were warned about */
  RspDiagnostics *diagnostics;
} Reader;

/* ---- Places ---- */

/* The member of that name in the line; else the line. In JSON a quote inside a string follows a
 * backslash, so `"name":` is found in no text. */
static RspSpan
member_span (const Reader *reader, const char *name)
{
  g_autofree char *key = g_strdup_printf ("\"%s\":", name);
  const char *text = reader->source->text;
  gssize length = (gssize) reader->line.end - reader->line.begin;
  const char *found = g_strstr_len (text + reader->line.begin, length, key);
  if (!found)
    return (RspSpan){ reader->source, reader->line.begin, reader->line.begin + 1 };
  guint begin = (guint) (found - text);
  return (RspSpan){ reader->source, begin, begin + (guint) strlen (key) - 1 };
}

static gboolean
expected (Reader *reader, const RspJsonField *field, const char *what)
{
  rsp_error (reader->diagnostics, member_span (reader, field->name), NULL,
             "`%s` of a record: expected %s", field->name, what);
  return FALSE;
}

/* ---- Values ---- */

static gboolean
is_string (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING;
}

static gboolean
read_text (Reader *reader, const RspJsonField *field, JsonNode *node, gpointer at)
{
  gboolean null = JSON_NODE_HOLDS_NULL (node) && field->need == RSP_JSON_OR_NULL;
  if (!null && !is_string (node))
    return expected (reader, field,
                     field->need == RSP_JSON_OR_NULL ? "a string or null" : "a string");
  const char *text = null ? NULL : json_node_get_string (node);
  if (field->kind == RSP_JSON_PART)
    *(const char **) at = text; /* the node's, until the state is added */
  else
    {
      g_free (*(char **) at);
      *(char **) at = g_strdup (text);
    }
  return TRUE;
}

/* Takes the text, which is NULL where something else was expected. */
static gboolean
take_text (Reader *reader, const RspJsonField *field, char *text, const char *what, char **at)
{
  g_free (*at);
  *at = text;
  return text || expected (reader, field, what);
}

static gboolean
read_word (Reader *reader, const RspJsonField *field, JsonNode *node, guint *word)
{
  const char *text = is_string (node) ? json_node_get_string (node) : "";
  for (guint i = 0; field->words[i]; i++)
    if (g_str_equal (text, field->words[i]))
      {
        *word = i;
        return TRUE;
      }
  g_autofree char *list = g_strjoinv ("`, `", (char **) field->words);
  g_autofree char *what = g_strdup_printf ("one of `%s`", list);
  return expected (reader, field, what);
}

static gboolean
read_integer (Reader *reader, const RspJsonField *field, JsonNode *node, guint64 most,
              guint64 *number)
{
  gboolean integer
      = JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64;
  gint64 value = integer ? json_node_get_int (node) : -1;
  if (value < 0 || (guint64) value > most)
    return expected (reader, field, "a number that is not negative");
  *number = (guint64) value;
  return TRUE;
}

static gboolean
read_count (Reader *reader, const RspJsonField *field, JsonNode *node, RspCount *count)
{
  g_autoptr (GString) most = g_string_new (NULL);
  rsp_count_format (RSP_COUNT_MAX, most);
  const char *text = is_string (node) ? json_node_get_string (node) : "";
  RspCount value = 0;
  gboolean good = *text != '\0';
  if (g_str_equal (text, most->str))
    {
      *count = RSP_COUNT_MAX;
      return TRUE;
    }
  for (; *text && good; text++)
    {
      RspCount digit = (RspCount) (*text - '0');
      good = g_ascii_isdigit (*text) && value <= (RSP_COUNT_MAX - digit) / 10;
      value = value * 10 + digit;
    }
  *count = value;
  return good || expected (reader, field, "a string of decimal digits");
}

static gboolean
read_boolean (Reader *reader, const RspJsonField *field, JsonNode *node, gboolean *value)
{
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_BOOLEAN)
    return expected (reader, field, "true or false");
  *value = json_node_get_boolean (node);
  return TRUE;
}

/* It is taken from the record only if the count, which was read before, does not imply it. */
static gboolean
read_undefined (Reader *reader, const RspJsonField *field, JsonNode *node, gboolean *value)
{
  if (!read_boolean (reader, field, node, value))
    return FALSE;
  *value = *value && reader->record->n_undefined == 0;
  return TRUE;
}

static gboolean
read_real (Reader *reader, const RspJsonField *field, JsonNode *node, double *value)
{
  GType type = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;
  *value = type == G_TYPE_DOUBLE  ? json_node_get_double (node)
           : type == G_TYPE_INT64 ? (double) json_node_get_int (node)
                                  : -1;
  return (isfinite (*value) && *value >= 0)
         || expected (reader, field, "a number that is not negative");
}

static gboolean
read_format (Reader *reader, const RspJsonField *field, JsonNode *node)
{
  guint64 format;
  if (!read_integer (reader, field, node, G_MAXINT64, &format))
    return FALSE;
  if (format <= RSP_JSON_FORMAT)
    return TRUE;
  rsp_error (reader->diagnostics, member_span (reader, field->name), NULL,
             "a record of format %" G_GUINT64_FORMAT ", made by a newer rspcheck: this one knows "
             "format %d",
             format, RSP_JSON_FORMAT);
  return FALSE;
}

/* ---- Objects ---- */

static gboolean read_object (Reader *reader, const RspJsonField *fields, JsonObject *object,
                             gpointer structure);

static gboolean
read_event (Reader *reader, const RspJsonField *field, const char *flag, JsonNode *node)
{
  RspRecordEvent event = { .flag = flag };
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return expected (reader, field, "objects in `events`");
  if (!read_object (reader, rsp_json_event_fields, json_node_get_object (node), &event))
    return FALSE;
  rsp_record_add_event (reader->record, &event);
  return TRUE;
}

/* {"name": …, "events": […]} */
static gboolean
read_flag (Reader *reader, const RspJsonField *field, JsonNode *node)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonNode *name = object ? json_object_get_member (object, "name") : NULL;
  JsonNode *events = object ? json_object_get_member (object, "events") : NULL;
  if (!name || !is_string (name) || !events || !JSON_NODE_HOLDS_ARRAY (events))
    return expected (reader, field, "objects with `name`, a string, and `events`, an array");
  JsonArray *array = json_node_get_array (events);
  rsp_record_add_flag (reader->record, json_node_get_string (name));
  for (guint i = 0; i < json_array_get_length (array); i++)
    if (!read_event (reader, field, json_node_get_string (name), json_array_get_element (array, i)))
      return FALSE;
  return TRUE;
}

static gboolean
read_flags (Reader *reader, const RspJsonField *field, JsonNode *node)
{
  JsonArray *array = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  for (guint i = 0; array && i < json_array_get_length (array); i++)
    if (!read_flag (reader, field, json_array_get_element (array, i)))
      return FALSE;
  return array || expected (reader, field, "an array");
}

static gboolean
read_prunings (Reader *reader, const RspJsonField *field, JsonNode *node)
{
  gboolean forced = field->kind == RSP_JSON_FORCED_BY;
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return expected (reader, field, "an object");
  JsonObject *object = json_node_get_object (node);
  g_autoptr (GList) names = json_object_get_members (object);
  for (GList *name = names; name; name = name->next)
    {
      RspPruning pruning = { .name = name->data };
      if (!read_integer (reader, field, json_object_get_member (object, pruning.name), G_MAXINT64,
                         forced ? &pruning.forced : &pruning.n))
        return FALSE;
      rsp_record_add_pruning (reader->record, &pruning);
    }
  return TRUE;
}

static gboolean
read_states (Reader *reader, const RspJsonField *field, JsonNode *node)
{
  JsonArray *array = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  for (guint i = 0; array && i < json_array_get_length (array); i++)
    {
      JsonNode *element = json_array_get_element (array, i);
      RspRecordState state = { 0 };
      if (!JSON_NODE_HOLDS_OBJECT (element))
        return expected (reader, field, "objects");
      if (!read_object (reader, rsp_json_state_fields, json_node_get_object (element), &state))
        return FALSE;
      rsp_record_add_state (reader->record, &state);
    }
  return array || expected (reader, field, "an array");
}

static GPtrArray *
read_texts (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  JsonArray *array = node && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  GPtrArray *texts = g_ptr_array_new ();
  for (guint i = 0; array && i < json_array_get_length (array); i++)
    if (is_string (json_array_get_element (array, i)))
      g_ptr_array_add (texts, (gpointer) json_array_get_string_element (array, i));
  return texts;
}

/* {"model": …, "judgement": …, "not_allowed": […], "not_seen": […]} */
static gboolean
read_judgement (Reader *reader, const RspJsonField *field, JsonNode *node)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonNode *model = object ? json_object_get_member (object, "model") : NULL;
  JsonNode *word = object ? json_object_get_member (object, "judgement") : NULL;
  RspJsonField words = { .name = field->name, .words = rsp_judged_names };
  guint judged = 0;
  if (!model || !is_string (model) || !word)
    return expected (reader, field, "objects with `model`, a string, and `judgement`");
  if (!read_word (reader, &words, word, &judged))
    return FALSE;
  g_autoptr (GPtrArray) not_allowed = read_texts (object, "not_allowed");
  g_autoptr (GPtrArray) not_seen = read_texts (object, "not_seen");
  RspJudgement judgement = { .model = json_node_get_string (model),
                             .judged = judged,
                             .not_allowed = not_allowed,
                             .not_seen = not_seen };
  rsp_record_add_judgement (reader->record, &judgement);
  return TRUE;
}

static gboolean
read_judgements (Reader *reader, const RspJsonField *field, JsonNode *node)
{
  JsonArray *array = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  for (guint i = 0; array && i < json_array_get_length (array); i++)
    if (!read_judgement (reader, field, json_array_get_element (array, i)))
      return FALSE;
  return array || expected (reader, field, "an array");
}

static gboolean
read_device (Reader *reader, const RspJsonField *field, JsonNode *node)
{
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return expected (reader, field, "an object");
  reader->record->is_device = TRUE;
  return read_object (reader, rsp_json_device_fields, json_node_get_object (node), reader->record);
}

static gboolean
read_member (Reader *reader, const RspJsonField *field, JsonNode *node, gpointer at)
{
  guint64 number = 0;
  if (field->unknown && JSON_NODE_HOLDS_NULL (node))
    {
      reader->record->unknown |= field->unknown;
      return TRUE;
    }
  switch (field->kind)
    {
    case RSP_JSON_NESTED:
      g_free (*(char **) at);
      *(char **) at = json_to_string (node, FALSE);
      return TRUE;
    case RSP_JSON_LINES:
      return take_text (reader, field, lines_text (node), "an array of strings", at);
    case RSP_JSON_BILL:
      return take_text (reader, field, bill_text (node), "objects of `least`, `mean` and `most`",
                        at);
    case RSP_JSON_TEXT:
    case RSP_JSON_PART:
      return read_text (reader, field, node, at);
    case RSP_JSON_WORD:
      return read_word (reader, field, node, at);
    case RSP_JSON_NUMBER:
      if (!read_integer (reader, field, node, G_MAXUINT, &number))
        return FALSE;
      *(guint *) at = (guint) number;
      return TRUE;
    case RSP_JSON_LARGE:
      return read_integer (reader, field, node, G_MAXINT64, at);
    case RSP_JSON_COUNT:
      return read_count (reader, field, node, at);
    case RSP_JSON_BOOLEAN:
      return read_boolean (reader, field, node, at);
    case RSP_JSON_REAL:
      return read_real (reader, field, node, at);
    case RSP_JSON_OBJECT:
      if (!JSON_NODE_HOLDS_OBJECT (node))
        return expected (reader, field, "an object");
      return read_object (reader, field->members, json_node_get_object (node), at);
    case RSP_JSON_FLAGS:
      return read_flags (reader, field, node);
    case RSP_JSON_THREAD:
      number = RSP_NO_THREAD;
      if (!JSON_NODE_HOLDS_NULL (node) && !read_integer (reader, field, node, G_MAXUINT, &number))
        return FALSE;
      *(guint *) at = (guint) number;
      return TRUE;
    case RSP_JSON_STATES:
      return read_states (reader, field, node);
    case RSP_JSON_PRUNINGS:
    case RSP_JSON_FORCED_BY:
      return read_prunings (reader, field, node);
    case RSP_JSON_JUDGEMENTS:
      return read_judgements (reader, field, node);
    case RSP_JSON_DEVICE:
      return read_device (reader, field, node);
    case RSP_JSON_FORMATS:
      return read_format (reader, field, node);
    default:
      return read_undefined (reader, field, node, at);
    }
}

static void
warn_unknown (Reader *reader, const RspJsonField *fields, JsonObject *object)
{
  g_autoptr (GList) names = json_object_get_members (object);
  for (GList *name = names; name; name = name->next)
    {
      const RspJsonField *field = fields;
      while (field->name && !g_str_equal (field->name, name->data))
        field++;
      if (!field->name && g_hash_table_add (reader->unknown, g_strdup (name->data)))
        rsp_warning (reader->diagnostics, member_span (reader, name->data), NULL,
                     "`%s`: no member of records that this rspcheck knows; it is left out",
                     (const char *) name->data);
    }
}

/* The status comes before every member that depends on it. */
static gboolean
read_object (Reader *reader, const RspJsonField *fields, JsonObject *object, gpointer structure)
{
  for (const RspJsonField *field = fields; field->name; field++)
    {
      JsonNode *node = json_object_get_member (object, field->name);
      if (field->need == RSP_JSON_IF_OK && !rsp_record_is_ok (reader->record))
        continue;
      if ((field->need == RSP_JSON_IF_SET || field->need == RSP_JSON_IF_DEVICE) && !node)
        continue;
      if (!node)
        {
          rsp_error (reader->diagnostics, member_span (reader, ""), NULL, "a record without `%s`",
                     field->name);
          return FALSE;
        }
      if (!read_member (reader, field, node, G_STRUCT_MEMBER_P (structure, field->offset)))
        return FALSE;
    }
  warn_unknown (reader, fields, object);
  return TRUE;
}

/* ---- Lines ---- */

/* What else holds of every record. */
static gboolean
is_sound (Reader *reader)
{
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
    rsp_error (reader->diagnostics, member_span (reader, wrong), NULL, "`%s` of a record: %s",
               wrong, why);
  return wrong == NULL;
}

/* JSON-GLib's message says where it stopped reading: "<data>:1:COLUMN: Parse error: …". */
static void
report_syntax (Reader *reader, const GError *error)
{
  guint column = 0, length = reader->line.end - reader->line.begin;
  if (!error || sscanf (error->message, "<data>:1:%u:", &column) != 1 || column > length)
    column = 0;
  guint at = reader->line.begin + (column ? column - 1 : 0);
  rsp_error (reader->diagnostics, ((RspSpan){ reader->source, at, at + 1 }), NULL,
             "this is no line of `rspcheck -json`: it is no JSON object%s",
             column ? " from here on" : "");
}

/* JSON-GLib reads what is nested by recursion; a record has three levels. A quote after a backslash
 * ends no string. */
static gboolean
is_deep (RspSpan line)
{
  gboolean in_string = FALSE;
  guint depth = 0;
  for (guint i = line.begin; i < line.end && depth <= DEEPEST; i++)
    {
      char c = line.source->text[i];
      if (c == '\\')
        i += in_string;
      else if (c == '"')
        in_string = !in_string;
      else if (!in_string && (c == '[' || c == '{'))
        depth++;
      else if (!in_string && (c == ']' || c == '}'))
        depth -= depth > 0;
    }
  return depth > DEEPEST;
}

/* The value of the escape `\uXXXX` at i, or 0. */
static guint
escape_at (RspSpan line, guint i)
{
  const char *text = line.source->text;
  guint value = 0;
  if (i + 6 > line.end || text[i] != '\\' || text[i + 1] != 'u')
    return 0;
  for (guint digit = i + 2; digit < i + 6; digit++)
    {
      if (!g_ascii_isxdigit (text[digit]))
        return 0;
      value = value * 16 + (guint) g_ascii_xdigit_value (text[digit]);
    }
  return value;
}

/* The place of half a surrogate pair on its own: such a string is not valid text, but JSON-GLib
 * accepts it. line.end if there is none. */
static guint
lone_surrogate (RspSpan line)
{
  for (guint i = line.begin; i < line.end; i++)
    {
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

/* Where the text behind the first object of a line begins, as happens if joined files lack a
 * newline at the end: JSON-GLib would read both, but return only one. The line's end if there is
 * none. */
static guint
second_object (RspSpan line)
{
  gboolean in_string = FALSE;
  guint depth = 0, i = line.begin;
  for (; i < line.end; i++)
    {
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

/* NULL after an error. */
static RspRecord *
read_line (Reader *reader, JsonParser *parser)
{
  const char *text = reader->source->text + reader->line.begin;
  gssize length = (gssize) reader->line.end - reader->line.begin;
  JsonNode *root = NULL;
  g_autoptr (GError) error = NULL;
  guint lone = lone_surrogate (reader->line);
  if (lone < reader->line.end)
    {
      rsp_error (reader->diagnostics, ((RspSpan){ reader->source, lone, lone + 6 }), NULL,
                 "half of a pair of surrogates stands alone: no character");
      reader->is_json = TRUE;
      return NULL;
    }
  if (!is_deep (reader->line) && g_utf8_validate (text, length, NULL)
      && json_parser_load_from_data (parser, text, length, &error))
    root = json_parser_get_root (parser);
  reader->is_json = root && JSON_NODE_HOLDS_OBJECT (root);
  if (!reader->is_json)
    {
      report_syntax (reader, error);
      return NULL;
    }
  guint second = second_object (reader->line);
  if (second < reader->line.end)
    {
      rsp_error (reader->diagnostics, ((RspSpan){ reader->source, second, second + 1 }), NULL,
                 "this should be on a line of its own: one record per line");
      return NULL;
    }
  reader->record = rsp_record_new (NULL, NULL, NULL, NULL);
  gboolean good
      = read_object (reader, rsp_json_record_fields, json_node_get_object (root), reader->record)
        && is_sound (reader);
  if (!good)
    g_clear_pointer (&reader->record, rsp_record_free);
  return g_steal_pointer (&reader->record);
}

/* Line i without its end; empty for what comes after the last newline of a file. */
static RspSpan
line_span (RspSource *source, guint i)
{
  gboolean last = i + 1 >= source->n_lines;
  guint begin = source->lines[i], end = last ? (guint) source->length : source->lines[i + 1];
  while (end > begin && (source->text[end - 1] == '\n' || source->text[end - 1] == '\r'))
    end--;
  return (RspSpan){ source, begin, end };
}

static gboolean
is_blank (RspSpan span)
{
  for (guint i = span.begin; i < span.end; i++)
    if (!g_ascii_isspace (span.source->text[i]))
      return FALSE;
  return TRUE;
}

/* What an interrupted run leaves: a last line without its end. Other files are not mistaken for it.
 */
static gboolean
drop_torn (Reader *reader, guint n_diagnostics)
{
  static const char begin[] = "{\"format\":";
  gsize length = reader->line.end - reader->line.begin;
  if (reader->is_json || reader->line.end < reader->source->length
      || strncmp (reader->source->text + reader->line.begin, begin, MIN (length, strlen (begin))))
    return FALSE;
  rsp_diagnostics_truncate (reader->diagnostics, n_diagnostics);
  rsp_warning (reader->diagnostics,
               ((RspSpan){ reader->source, reader->line.begin, reader->line.begin + 1 }), NULL,
               "the last line was not written to its end: it is left out");
  return TRUE;
}

gboolean
rsp_json_read (RspSource *source, GArray *lines, gsize *whole, RspDiagnostics *diagnostics)
{
  Reader reader = { .source = source, .diagnostics = diagnostics };
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  guint n_wrong = 0;
  gsize end = source->length;
  reader.unknown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < source->n_lines; i++)
    {
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
    rsp_error (diagnostics, ((RspSpan){ 0 }), NULL, "%s: %u more lines are wrong", source->name,
               n_wrong - MOST_WRONG);
  if (whole)
    *whole = end;
  return n_wrong == 0;
}
