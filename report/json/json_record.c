/* A record from the members of its JSON object. */
#include "report/json/json_record.h"
#include "report/evidence.h"
#include "report/tables/relate.h"
#include "report/json/machine_nodes.h"

#include <math.h>
#include <string.h>

/* ---- Places ---- */

RspSpan json_member_span (const RecordReader *reader, const char *name) {
  g_autofree char *key = g_strdup_printf ("\"%s\":", name);
  const char *text = reader->source->text;
  gssize length = (gssize) reader->line.end - reader->line.begin;
  const char *found = g_strstr_len (text + reader->line.begin, length, key);
  if (!found)
    return (RspSpan){ reader->source, reader->line.begin, reader->line.begin + 1 };
  guint begin = (guint) (found - text);
  return (RspSpan){ reader->source, begin, begin + (guint) strlen (key) - 1 };
}

static gboolean expected (RecordReader *reader, const RspJsonField *field, const char *what) {
  rsp_error (reader->diagnostics, json_member_span (reader, field->name), NULL,
             "`%s` of a record: expected %s", field->name, what);
  return FALSE;
}

/* ---- Values ---- */

static gboolean is_string (JsonNode *node) {
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING;
}

static gboolean read_text (RecordReader *reader, const RspJsonField *field, JsonNode *node,
                           gpointer at) {
  gboolean null = JSON_NODE_HOLDS_NULL (node) && field->need == RSP_JSON_OR_NULL;
  if (!null && !is_string (node))
    return expected (reader, field,
                     field->need == RSP_JSON_OR_NULL ? "a string or null" : "a string");
  const char *text = null ? NULL : json_node_get_string (node);
  if (field->kind == RSP_JSON_PART)
    *(const char **) at = text; /* the node's, until the state is added */
  else {
    g_free (*(char **) at);
    *(char **) at = g_strdup (text);
  }
  return TRUE;
}

/* Takes the text, which is NULL if something else was expected. */
static gboolean take_text (RecordReader *reader, const RspJsonField *field, char *text,
                           const char *what, char **at) {
  g_free (*at);
  *at = text;
  return text || expected (reader, field, what);
}

static gboolean read_word (RecordReader *reader, const RspJsonField *field, JsonNode *node,
                           guint *word) {
  const char *text = is_string (node) ? json_node_get_string (node) : "";
  for (guint i = 0; field->words[i]; i++)
    if (g_str_equal (text, field->words[i])) {
      *word = i;
      return TRUE;
    }
  g_autofree char *list = g_strjoinv ("`, `", (char **) field->words);
  g_autofree char *what = g_strdup_printf ("one of `%s`", list);
  return expected (reader, field, what);
}

static gboolean read_integer (RecordReader *reader, const RspJsonField *field, JsonNode *node,
                              guint64 most, guint64 *number) {
  gboolean integer
      = JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64;
  gint64 value = integer ? json_node_get_int (node) : -1;
  if (value < 0 || (guint64) value > most)
    return expected (reader, field, "a number that is not negative");
  *number = (guint64) value;
  return TRUE;
}

static gboolean read_number (RecordReader *reader, const RspJsonField *field, JsonNode *node,
                             guint *number) {
  guint64 value;
  if (!read_integer (reader, field, node, G_MAXUINT, &value))
    return FALSE;
  *number = (guint) value;
  return TRUE;
}

static gboolean read_count (RecordReader *reader, const RspJsonField *field, JsonNode *node,
                            RspCount *count) {
  g_autoptr (GString) most = g_string_new (NULL);
  rsp_count_format (RSP_COUNT_MAX, most);
  const char *text = is_string (node) ? json_node_get_string (node) : "";
  RspCount value = 0;
  gboolean good = *text != '\0';
  if (g_str_equal (text, most->str)) {
    *count = RSP_COUNT_MAX;
    return TRUE;
  }
  for (; *text && good; text++) {
    RspCount digit = (RspCount) (*text - '0');
    good = g_ascii_isdigit (*text) && value <= (RSP_COUNT_MAX - digit) / 10;
    value = value * 10 + digit;
  }
  *count = value;
  return good || expected (reader, field, "a string of decimal digits");
}

static gboolean read_boolean (RecordReader *reader, const RspJsonField *field, JsonNode *node,
                              gboolean *value) {
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_BOOLEAN)
    return expected (reader, field, "true or false");
  *value = json_node_get_boolean (node);
  return TRUE;
}

/* It is taken from the record only if the count, which has been read before, does not imply it. */
static gboolean read_undefined (RecordReader *reader, const RspJsonField *field, JsonNode *node,
                                gboolean *value) {
  if (!read_boolean (reader, field, node, value))
    return FALSE;
  *value = *value && reader->record->n_undefined == 0;
  return TRUE;
}

static gboolean read_real (RecordReader *reader, const RspJsonField *field, JsonNode *node,
                           double *value) {
  GType type = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;
  *value = type == G_TYPE_DOUBLE  ? json_node_get_double (node)
           : type == G_TYPE_INT64 ? (double) json_node_get_int (node)
                                  : -1;
  return (isfinite (*value) && *value >= 0)
         || expected (reader, field, "a number that is not negative");
}

static gboolean read_format (RecordReader *reader, const RspJsonField *field, JsonNode *node) {
  guint64 format;
  if (!read_integer (reader, field, node, G_MAXINT64, &format))
    return FALSE;
  if (format <= RSP_JSON_FORMAT)
    return TRUE;
  rsp_error (reader->diagnostics, json_member_span (reader, field->name), NULL,
             "a record of format %" G_GUINT64_FORMAT ", made by a newer rspcheck: this one knows "
             "format %d",
             format, RSP_JSON_FORMAT);
  return FALSE;
}

/* ---- Objects ---- */

/* what: what is expected ("objects") */
static gboolean read_object (RecordReader *reader, const RspJsonField *field, const char *what,
                             const RspJsonField *members, JsonNode *node, gpointer at) {
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return expected (reader, field, what);
  return json_read_object (reader, members, json_node_get_object (node), at);
}

static gboolean read_event (RecordReader *reader, const RspJsonField *field, const char *flag,
                            JsonNode *node) {
  RspRecordEvent event = { .flag = flag };
  if (!read_object (reader, field, "objects in `events`", rsp_json_event_fields, node, &event))
    return FALSE;
  rsp_record_add_event (reader->record, &event);
  return TRUE;
}

/* Reads each element of an array. */
static gboolean read_each (RecordReader *reader, const RspJsonField *field, JsonNode *node,
                           gboolean (*read) (RecordReader *reader, const RspJsonField *field,
                                             JsonNode *element)) {
  JsonArray *array = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  for (guint i = 0; array && i < json_array_get_length (array); i++)
    if (!read (reader, field, json_array_get_element (array, i)))
      return FALSE;
  return array || expected (reader, field, "an array");
}

/* {"name": …, "events": […]} */
static gboolean read_flag (RecordReader *reader, const RspJsonField *field, JsonNode *node) {
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

static gboolean read_prunings (RecordReader *reader, const RspJsonField *field, JsonNode *node) {
  gboolean forced = field->kind == RSP_JSON_FORCED_BY;
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return expected (reader, field, "an object");
  JsonObject *object = json_node_get_object (node);
  g_autoptr (GList) names = json_object_get_members (object);
  for (GList *name = names; name; name = name->next) {
    RspPruning pruning = { .name = name->data };
    if (!read_integer (reader, field, json_object_get_member (object, pruning.name), G_MAXINT64,
                       forced ? &pruning.forced : &pruning.n))
      return FALSE;
    rsp_record_add_pruning (reader->record, &pruning);
  }
  return TRUE;
}

static gboolean read_state (RecordReader *reader, const RspJsonField *field, JsonNode *node) {
  RspRecordState state = { 0 };
  if (!read_object (reader, field, "objects", rsp_json_state_fields, node, &state))
    return FALSE;
  rsp_record_add_state (reader->record, &state);
  return TRUE;
}

static GPtrArray *read_texts (JsonObject *object, const char *name) {
  JsonNode *node = json_object_get_member (object, name);
  JsonArray *array = node && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  GPtrArray *texts = g_ptr_array_new ();
  for (guint i = 0; array && i < json_array_get_length (array); i++)
    if (is_string (json_array_get_element (array, i)))
      g_ptr_array_add (texts, (gpointer) json_array_get_string_element (array, i));
  return texts;
}

/* {"model": …, "judgement": …, "not_allowed": […], "not_seen": […]} */
static gboolean read_judgement (RecordReader *reader, const RspJsonField *field, JsonNode *node) {
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

static gboolean read_thread (RecordReader *reader, const RspJsonField *field, JsonNode *node,
                             guint *thread) {
  *thread = RSP_NO_THREAD;
  return JSON_NODE_HOLDS_NULL (node) || read_number (reader, field, node, thread);
}

static gboolean read_member (RecordReader *reader, const RspJsonField *field, JsonNode *node,
                             gpointer at) {
  if (field->unknown && JSON_NODE_HOLDS_NULL (node)) {
    reader->record->unknown |= field->unknown;
    return TRUE;
  }
  switch (field->kind) {
  case RSP_JSON_NESTED:
  case RSP_JSON_EXPLAINED:
    return take_text (reader, field, json_to_string (node, FALSE), NULL, at);
  case RSP_JSON_LINES:
    return take_text (reader, field, lines_text (node), "an array of strings", at);
  case RSP_JSON_BILL:
    return take_text (reader, field, bill_text (node), "objects of `least`, `mean` and `most`", at);
  case RSP_JSON_TEXT:
  case RSP_JSON_PART:
    return read_text (reader, field, node, at);
  case RSP_JSON_WORD:
    return read_word (reader, field, node, at);
  case RSP_JSON_NUMBER:
    return read_number (reader, field, node, at);
  case RSP_JSON_LARGE:
    return read_integer (reader, field, node, G_MAXINT64, at);
  case RSP_JSON_COUNT:
    return read_count (reader, field, node, at);
  case RSP_JSON_BOOLEAN:
    return read_boolean (reader, field, node, at);
  case RSP_JSON_REAL:
    return read_real (reader, field, node, at);
  case RSP_JSON_OBJECT:
    return read_object (reader, field, "an object", field->members, node, at);
  case RSP_JSON_FLAGS:
    return read_each (reader, field, node, read_flag);
  case RSP_JSON_THREAD:
    return read_thread (reader, field, node, at);
  case RSP_JSON_STATES:
    return read_each (reader, field, node, read_state);
  case RSP_JSON_PRUNINGS:
  case RSP_JSON_FORCED_BY:
    return read_prunings (reader, field, node);
  case RSP_JSON_JUDGEMENTS:
    return read_each (reader, field, node, read_judgement);
  case RSP_JSON_DEVICE:
    reader->record->is_device = TRUE;
    return read_object (reader, field, "an object", rsp_json_device_fields, node, reader->record);
  case RSP_JSON_FORMATS:
    return read_format (reader, field, node);
  case RSP_JSON_UNDEFINED:
    return read_undefined (reader, field, node, at);
  }
  g_assert_not_reached ();
}

static void warn_unknown (RecordReader *reader, const RspJsonField *fields, JsonObject *object) {
  g_autoptr (GList) names = json_object_get_members (object);
  for (GList *name = names; name; name = name->next) {
    const RspJsonField *field = fields;
    while (field->name && !g_str_equal (field->name, name->data))
      field++;
    if (!field->name && g_hash_table_add (reader->unknown, g_strdup (name->data)))
      rsp_warning (reader->diagnostics, json_member_span (reader, name->data), NULL,
                   "`%s`: no member of records that this rspcheck knows; it is left out",
                   (const char *) name->data);
  }
}

/* node: the member's, NULL where it is missing. */
static gboolean may_be_left_out (const RecordReader *reader, const RspJsonField *field,
                                 const JsonNode *node) {
  switch (field->need) {
  case RSP_JSON_ALWAYS:
  case RSP_JSON_OR_NULL:
    return FALSE;
  case RSP_JSON_IF_SET:
  case RSP_JSON_IF_ANY:
  case RSP_JSON_IF_EXPLAINED:
  case RSP_JSON_IF_DEVICE:
    return !node;
  case RSP_JSON_IF_OK:
    return !rsp_record_is_ok (reader->record);
  }
  g_assert_not_reached ();
}

gboolean json_read_object (RecordReader *reader, const RspJsonField *fields, JsonObject *object,
                           gpointer structure) {
  for (const RspJsonField *field = fields; field->name; field++) {
    JsonNode *node = json_object_get_member (object, field->name);
    if (may_be_left_out (reader, field, node))
      continue;
    if (!node) {
      rsp_error (reader->diagnostics, json_member_span (reader, ""), NULL, "a record without `%s`",
                 field->name);
      return FALSE;
    }
    if (!read_member (reader, field, node, G_STRUCT_MEMBER_P (structure, field->offset)))
      return FALSE;
  }
  warn_unknown (reader, fields, object);
  return TRUE;
}
