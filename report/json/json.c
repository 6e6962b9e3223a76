#include "report/json/json.h"
#include "report/explain/to_json.h"
#include "base/json.h"
#include "report/tables/relate.h"
#include "report/json/machine_nodes.h"

#include <json-glib/json-glib.h>

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
