/* JSON values, made and read. */
#include "base/json.h"

#include <string.h>

enum {
  DEEPEST = 200 /* objects and arrays in each other: JSON-GLib's parser is recursive */
};

void rsp_json_set_text (JsonObject *object, const char *name, const char *text) {
  json_object_set_member (object, name, rsp_json_text (text));
}

/* JSON-GLib does not escape one control character in strings (0x1f), although JSON requires it. */
static void escape_last_control (GString *out, gsize from) {
  for (gsize i = from; i < out->len; i++)
    if (out->str[i] == '\x1f') {
      g_string_erase (out, (gssize) i, 1);
      g_string_insert (out, (gssize) i, "\\u001f");
    }
}

void rsp_json_append_line (JsonNode *node, GString *out) {
  gsize from = out->len;
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  json_generator_set_root (generator, node);
  json_generator_to_gstring (generator, out);
  escape_last_control (out, from);
  g_string_append_c (out, '\n');
}

void rsp_json_append_object (JsonObject *object, GString *out) {
  g_autoptr (JsonNode) node = rsp_json_members (object);
  rsp_json_append_line (node, out);
}

/* ---- Values ---- */
JsonNode *rsp_json_null (void) { return json_node_init_null (json_node_alloc ()); }

JsonNode *rsp_json_boolean (gboolean value) {
  return json_node_init_boolean (json_node_alloc (), value);
}

JsonNode *rsp_json_number (gint64 value) { return json_node_init_int (json_node_alloc (), value); }

JsonNode *rsp_json_text (const char *value) {
  return value ? json_node_init_string (json_node_alloc (), value) : rsp_json_null ();
}

JsonNode *rsp_json_texts (const GPtrArray *texts) {
  JsonArray *array = json_array_new ();
  for (guint i = 0; i < texts->len; i++)
    json_array_add_string_element (array, texts->pdata[i]);
  return rsp_json_list (array);
}

JsonNode *rsp_json_strv (const char *const *texts) {
  JsonArray *array = json_array_new ();
  for (; texts && *texts; texts++)
    json_array_add_string_element (array, *texts);
  return rsp_json_list (array);
}

JsonNode *rsp_json_list (JsonArray *array) {
  JsonNode *node = json_node_init_array (json_node_alloc (), array);
  json_array_unref (array);
  return node;
}

JsonNode *rsp_json_members (JsonObject *object) {
  JsonNode *node = json_node_init_object (json_node_alloc (), object);
  json_object_unref (object);
  return node;
}

JsonNode *rsp_json_object (const char *name, ...) {
  JsonObject *object = json_object_new ();
  va_list members;
  va_start (members, name);
  for (; name; name = va_arg (members, const char *)) {
    JsonNode *value = va_arg (members, JsonNode *);
    if (value)
      json_object_set_member (object, name, value);
  }
  va_end (members);
  return rsp_json_members (object);
}

void rsp_json_add (JsonArray *array, JsonNode *value) { json_array_add_element (array, value); }

JsonNode *rsp_json_get (JsonNode *node, const char *name, ...) {
  va_list path;
  va_start (path, name);
  for (; name && node; name = va_arg (path, const char *))
    node = json_node_get_node_type (node) == JSON_NODE_OBJECT
               ? json_object_get_member (json_node_get_object (node), name)
               : NULL;
  va_end (path);
  return node;
}

JsonArray *rsp_json_as_list (JsonNode *node) {
  return node && json_node_get_node_type (node) == JSON_NODE_ARRAY ? json_node_get_array (node)
                                                                   : NULL;
}

static gboolean is_value (JsonNode *node, GType type) {
  return node && json_node_get_node_type (node) == JSON_NODE_VALUE
         && json_node_get_value_type (node) == type;
}

const char *rsp_json_as_text (JsonNode *node) {
  return is_value (node, G_TYPE_STRING) ? json_node_get_string (node) : NULL;
}

gint64 rsp_json_as_number (JsonNode *node) {
  return is_value (node, G_TYPE_INT64) ? json_node_get_int (node) : 0;
}

/* ---- Reading ---- */
gboolean rsp_json_is_deep (const char *text, gsize length, guint most) {
  guint depth = 0;
  gboolean quoted = FALSE;
  for (const char *end = text + length; text < end && depth <= most; text++)
    if (*text == '\\')
      text += quoted; /* a quote after it does not end the string */
    else if (*text == '"')
      quoted = !quoted;
    else if (!quoted && (*text == '[' || *text == '{'))
      depth++;
    else if (!quoted && (*text == ']' || *text == '}'))
      depth -= depth > 0;
  return depth > most;
}

JsonNode *rsp_json_parse (const char *text) {
  JsonNode *node
      = rsp_json_is_deep (text, strlen (text), DEEPEST) ? NULL : json_from_string (text, NULL);
  return node ? node : rsp_json_null ();
}
