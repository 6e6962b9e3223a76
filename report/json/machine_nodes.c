#include "report/json/machine_nodes.h"
#include "base/json.h"

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

char *lines_text (JsonNode *node) {
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

char *bill_text (JsonNode *node) {
  JsonObject *items = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  g_autoptr (GString) bill = g_string_new (NULL);
  g_autoptr (GList) names = items ? json_object_get_members (items) : NULL;
  for (GList *name = names; name; name = name->next)
    if (!append_item (name->data, json_object_get_member (items, name->data), bill))
      return NULL;
  return items ? g_strdup (bill->str) : NULL;
}
