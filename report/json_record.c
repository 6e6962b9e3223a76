/* Records as JSON, and back. */
#include "base/json.h"
#include "report/internal.h"
#include "report/record.h"
#include "report/report.h"

#include <math.h>
#include <string.h>

/* ---- Json fields ---------------------------------------------------------------------------- */

/* The members of a record's line, from which writer and reader follow. */

#define FIELD(type, name, kind, need, field)                                                       \
  { name, kind, need, G_STRUCT_OFFSET (type, field), NULL, NULL, 0 }
#define STATISTIC(name, kind)           FIELD (RspStatistics, #name, kind, RSP_JSON_ALWAYS, name)
#define STATE(name, kind, field)        FIELD (RspRecordState, name, kind, RSP_JSON_ALWAYS, field)
#define EVENT(name, kind)               FIELD (RspRecordEvent, #name, kind, RSP_JSON_ALWAYS, name)
#define RECORD(name, kind, need, field) FIELD (RspRecord, name, kind, need, field)
#define WORDS(name, need, field, words)                                                            \
  { name, RSP_JSON_WORD, need, G_STRUCT_OFFSET (RspRecord, field), words, NULL, 0 }

/* A field that the record of a log may not know. */
#define MAYBE(type, name, kind, need, field, bit)                                                  \
  { name, kind, need, G_STRUCT_OFFSET (type, field), NULL, NULL, RSP_UNKNOWN_##bit }

#define KEPT_NOWHERE(name, kind, need)                                                             \
  { name, kind, need, 0, NULL, NULL, 0 }
#define END                                                                                        \
  { NULL, 0, 0, 0, NULL, NULL, 0 }
#define MACHINE(name, kind, need, field) FIELD (RspMachineReport, name, kind, need, field)

static const RspJsonField machine_fields[] = {
  MACHINE ("name", RSP_JSON_TEXT, RSP_JSON_ALWAYS, machine),
  MACHINE ("mapping", RSP_JSON_TEXT, RSP_JSON_ALWAYS, mapping),
  MACHINE ("readings", RSP_JSON_TEXT, RSP_JSON_ALWAYS, readings),
  MACHINE ("model", RSP_JSON_TEXT, RSP_JSON_IF_SET, allowed_by),
  { "verdict", RSP_JSON_WORD, RSP_JSON_ALWAYS, G_STRUCT_OFFSET (RspMachineReport, verdict),
    rsp_soundness_names, NULL, 0 },
  MACHINE ("deadlock", RSP_JSON_BOOLEAN, RSP_JSON_ALWAYS, deadlock),
  MACHINE ("states", RSP_JSON_LARGE, RSP_JSON_ALWAYS, states),
  MACHINE ("steps", RSP_JSON_LARGE, RSP_JSON_ALWAYS, steps),
  MACHINE ("bytes", RSP_JSON_LARGE, RSP_JSON_ALWAYS, bytes),
  MACHINE ("unsound", RSP_JSON_LINES, RSP_JSON_IF_SET, unsound),
  MACHINE ("trace", RSP_JSON_LINES, RSP_JSON_IF_SET, trace),
  MACHINE ("deadlock_trace", RSP_JSON_LINES, RSP_JSON_IF_SET, deadlock_trace),
  MACHINE ("violated", RSP_JSON_TEXT, RSP_JSON_IF_SET, violated),
  MACHINE ("violated_trace", RSP_JSON_LINES, RSP_JSON_IF_SET, violated_trace),
  MACHINE ("bill", RSP_JSON_BILL, RSP_JSON_IF_SET, bill),
  END,
};

static const RspJsonField statistics_fields[] = {
#define COUNT(name)            STATISTIC (name, RSP_JSON_LARGE),
#define COUNT_AS(name, member) FIELD (RspStatistics, member, RSP_JSON_LARGE, RSP_JSON_ALWAYS, name),
#define SECONDS(name)          STATISTIC (name, RSP_JSON_REAL),
#include "enumerator/statistics.def"
  END,
};

const RspJsonField rsp_json_state_fields[] = {
  STATE ("state", RSP_JSON_PART, text),
  MAYBE (RspRecordState, "satisfies", RSP_JSON_BOOLEAN, RSP_JSON_ALWAYS, satisfies, SATISFIES),
  FIELD (RspRecordState, "undetermined", RSP_JSON_BOOLEAN, RSP_JSON_IF_ANY, undetermined),
  MAYBE (RspRecordState, "executions", RSP_JSON_COUNT, RSP_JSON_ALWAYS, executions, EXECUTIONS),
  MAYBE (RspRecordState, "undefined", RSP_JSON_COUNT, RSP_JSON_ALWAYS, n_undefined,
         STATE_N_UNDEFINED),
  END,
};

const RspJsonField rsp_json_event_fields[] = {
  EVENT (thread, RSP_JSON_THREAD),
  EVENT (line, RSP_JSON_NUMBER),
  EVENT (column, RSP_JSON_NUMBER),
  EVENT (text, RSP_JSON_PART),
  END,
};

const RspJsonField rsp_json_device_fields[] = {
  RECORD ("name", RSP_JSON_TEXT, RSP_JSON_OR_NULL, device),
  RECORD ("compiler", RSP_JSON_TEXT, RSP_JSON_OR_NULL, compiler),
  RECORD ("setup", RSP_JSON_TEXT, RSP_JSON_OR_NULL, setup),
  RECORD ("rounds", RSP_JSON_NUMBER, RSP_JSON_ALWAYS, rounds),
  KEPT_NOWHERE ("judgements", RSP_JSON_JUDGEMENTS, RSP_JSON_ALWAYS),
  END,
};

const RspJsonField rsp_json_record_fields[] = {
  KEPT_NOWHERE ("format", RSP_JSON_FORMATS, RSP_JSON_ALWAYS),
  RECORD ("index", RSP_JSON_NUMBER, RSP_JSON_ALWAYS, index),
  RECORD ("total", RSP_JSON_NUMBER, RSP_JSON_ALWAYS, total),
  RECORD ("column", RSP_JSON_NUMBER, RSP_JSON_ALWAYS, column),
  RECORD ("columns", RSP_JSON_NUMBER, RSP_JSON_ALWAYS, columns),
  RECORD ("shard", RSP_JSON_TEXT, RSP_JSON_IF_SET, shard),
  RECORD ("test", RSP_JSON_TEXT, RSP_JSON_ALWAYS, test),
  RECORD ("path", RSP_JSON_TEXT, RSP_JSON_ALWAYS, path),
  RECORD ("model", RSP_JSON_TEXT, RSP_JSON_ALWAYS, model),
  RECORD ("model_digest", RSP_JSON_TEXT, RSP_JSON_OR_NULL, model_digest),
  WORDS ("status", RSP_JSON_ALWAYS, status, rsp_status_names),
  RECORD ("reason", RSP_JSON_TEXT, RSP_JSON_OR_NULL, reason),
  RECORD ("kind", RSP_JSON_TEXT, RSP_JSON_OR_NULL, kind),
  RECORD ("condition", RSP_JSON_TEXT, RSP_JSON_OR_NULL, condition),
  WORDS ("observation", RSP_JSON_IF_OK, observation, rsp_observation_names),
  RECORD ("ok", RSP_JSON_BOOLEAN, RSP_JSON_IF_OK, answer),
  RECORD ("loop", RSP_JSON_BOOLEAN, RSP_JSON_ALWAYS, loop),
  RECORD ("has_undefined", RSP_JSON_BOOLEAN, RSP_JSON_ALWAYS, has_undefined),
  MAYBE (RspRecord, "positive", RSP_JSON_COUNT, RSP_JSON_ALWAYS, positive, COUNTS),
  MAYBE (RspRecord, "negative", RSP_JSON_COUNT, RSP_JSON_ALWAYS, negative, COUNTS),
  RECORD ("undetermined", RSP_JSON_COUNT, RSP_JSON_IF_ANY, undetermined),
  MAYBE (RspRecord, "bad", RSP_JSON_COUNT, RSP_JSON_ALWAYS, n_undefined, N_UNDEFINED),
  MAYBE (RspRecord, "undefined", RSP_JSON_UNDEFINED, RSP_JSON_IF_OK, undefined, UNDEFINED),
  RECORD ("flags", RSP_JSON_FLAGS, RSP_JSON_ALWAYS, flags),
  RECORD ("progress", RSP_JSON_LINES, RSP_JSON_IF_SET, progress),
  RECORD ("schedule", RSP_JSON_LINES, RSP_JSON_IF_SET, schedule),
  RECORD ("arrays", RSP_JSON_TEXT, RSP_JSON_IF_SET, arrays),
  RECORD ("states", RSP_JSON_STATES, RSP_JSON_ALWAYS, states),
  RECORD ("hash", RSP_JSON_TEXT, RSP_JSON_OR_NULL, hash),
  RECORD ("scope_hash", RSP_JSON_TEXT, RSP_JSON_OR_NULL, scope_hash),
  RECORD ("scopes", RSP_JSON_TEXT, RSP_JSON_OR_NULL, scopes),
  { "statistics", RSP_JSON_OBJECT, RSP_JSON_ALWAYS, G_STRUCT_OFFSET (RspRecord, statistics), NULL,
    statistics_fields, 0 },
  RECORD ("cuts", RSP_JSON_PRUNINGS, RSP_JSON_IF_SET, prunings),
  RECORD ("forced_by", RSP_JSON_FORCED_BY, RSP_JSON_IF_SET, prunings),
  { "machine", RSP_JSON_OBJECT, RSP_JSON_IF_SET, G_STRUCT_OFFSET (RspRecord, machine), NULL,
    machine_fields, 0 },
  RECORD ("seconds", RSP_JSON_REAL, RSP_JSON_ALWAYS, seconds),
  RECORD ("options", RSP_JSON_TEXT, RSP_JSON_OR_NULL, options),
  RECORD ("version", RSP_JSON_TEXT, RSP_JSON_OR_NULL, version),
  RECORD ("source", RSP_JSON_TEXT, RSP_JSON_OR_NULL, source),
  RECORD ("explanation", RSP_JSON_EXPLAINED, RSP_JSON_IF_EXPLAINED, explanation),
  RECORD ("candidates", RSP_JSON_NESTED, RSP_JSON_IF_SET, candidates),
  RECORD ("log", RSP_JSON_TEXT, RSP_JSON_IF_SET, log),
  KEPT_NOWHERE ("device", RSP_JSON_DEVICE, RSP_JSON_IF_DEVICE),
  END,
};

/* ---- Machine nodes -------------------------------------------------------------------------- */

/* ---- Lines ---- */
JsonNode *lines_node (const char *lines) {
  JsonArray *array = json_array_new ();
  g_auto (GStrv) split = g_strsplit (lines, "\n", -1);
  if (!*lines)
    json_array_add_string_element (array, "");
  for (guint i = 0; split[i]; i++)
    if (split[i + 1] || *split[i])
      json_array_add_string_element (array, split[i]);
  return rsp_json_list (array);
}

/* Newly allocated, a newline between lines; NULL for another node. */
static char *lines_text (JsonNode *node) {
  JsonArray *array = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  g_autoptr (GString) lines = g_string_new (NULL);
  for (guint i = 0; array && i < json_array_get_length (array); i++) {
    JsonNode *line = json_array_get_element (array, i);
    if (!JSON_NODE_HOLDS_VALUE (line) || json_node_get_value_type (line) != G_TYPE_STRING)
      return NULL;
    g_string_append_printf (lines, "%s%s", i ? "\n" : "", json_node_get_string (line));
  }
  return array ? g_strdup (lines->str) : NULL;
}

/* ---- Bills ---- */
JsonNode *bill_node (const char *bill) {
  JsonObject *items = json_object_new ();
  g_auto (GStrv) lines = g_strsplit (bill, "\n", -1);
  for (guint i = 0; lines[i]; i++) {
    g_auto (GStrv) words = g_strsplit (lines[i], " ", -1);
    if (g_strv_length (words) != 4)
      continue;
    JsonObject *item = json_object_new ();
    json_object_set_int_member (item, "least", g_ascii_strtoll (words[1], NULL, 10));
    json_object_set_double_member (item, "mean", g_ascii_strtod (words[2], NULL));
    json_object_set_int_member (item, "most", g_ascii_strtoll (words[3], NULL, 10));
    json_object_set_object_member (items, words[0], item);
  }
  return rsp_json_members (items);
}

/* A number of an item; negative if there is none. */
static double number_of (JsonObject *item, const char *name) {
  JsonNode *node = json_object_get_member (item, name);
  GType type = node && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_NONE;
  return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE ? json_node_get_double (node) : -1;
}

static gboolean append_item (const char *name, JsonNode *node, GString *bill) {
  JsonObject *item = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  double least = item ? number_of (item, "least") : -1, mean = item ? number_of (item, "mean") : -1;
  double most = item ? number_of (item, "most") : -1;
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  if (least < 0 || mean < least || most < mean)
    return FALSE;
  g_string_append_printf (bill, "%s %.0f %s %.0f\n", name, least,
                          g_ascii_formatd (text, sizeof text, "%.2f", mean), most);
  return TRUE;
}

/* Newly allocated; NULL for another node. */
static char *bill_text (JsonNode *node) {
  JsonObject *items = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  g_autoptr (GString) bill = g_string_new (NULL);
  g_autoptr (GList) names = items ? json_object_get_members (items) : NULL;
  for (GList *name = names; name; name = name->next)
    if (!append_item (name->data, json_object_get_member (items, name->data), bill))
      return NULL;
  return items ? g_strdup (bill->str) : NULL;
}

/* ---- Json record ---------------------------------------------------------------------------- */

/* A record from the members of its JSON object. */

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

/* Ignored if the count, which was read before, already implies it. */
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
