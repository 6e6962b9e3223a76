/* Reading JSON without JSON-GLib: what the language server calls. */
#include "web/json.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* ---- Parsing ---- */

static Value *parse (const char **at);

static void skip (const char **at) { *at += strspn (*at, " \t\r\n"); }

/* A string, as it is written; NULL if it does not end. */
static char *parse_text (const char **at) {
  const char *begin = (*at)++;
  while (**at && **at != '"')
    *at += **at == '\\' && (*at)[1] ? 2 : 1;
  return **at ? g_strndup (begin, (gsize) (++*at - begin)) : NULL;
}

/* The text of a string as it is written, without its quotes and escapes. */
static char *decode (const char *text) {
  static const char meanings[] = "b\bf\fn\nr\rt\t";
  GString *out = g_string_new (NULL);
  for (const char *c = text + 1; c[1];) {
    const char *found = *c == '\\' ? strchr (meanings, c[1]) : NULL;
    if (*c != '\\')
      g_string_append_c (out, *c++);
    else if (c[1] == 'u') {
      gunichar unit = (gunichar) g_ascii_strtoull (c + 2, NULL, 16), low = 0;
      if (unit >> 10 == 0x36 && c[6] == '\\' && c[7] == 'u')
        low = (gunichar) g_ascii_strtoull (c + 8, NULL, 16);
      g_string_append_unichar (out, low ? 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff) : unit);
      c += low ? 12 : 6;
    } else {
      g_string_append_c (out, found ? found[1] : c[1]);
      c += 2;
    }
  }
  return g_string_free (out, FALSE);
}

/* A list, or an object, whose members have names. */
static Value *parse_list (const char **at) {
  Value *list = web_json_list (**at);
  char end = **at == '{' ? '}' : ']';
  for ((*at)++, skip (at); **at && **at != end; skip (at)) {
    g_autofree char *name = end == '}' && **at == '"' ? parse_text (at) : NULL;
    skip (at);
    if (end == '}' && (!name || *(*at)++ != ':'))
      return NULL;
    Value *item = parse (at);
    if (!item)
      return NULL;
    g_ptr_array_add (list->names, name ? decode (name) : NULL);
    g_ptr_array_add (list->items, item);
    skip (at);
    *at += **at == ',';
  }
  return *(*at)++ == end ? list : NULL;
}

static Value *parse (const char **at) {
  skip (at);
  if (**at == '{' || **at == '[')
    return parse_list (at);
  gsize length = strspn (*at, "-+.0123456789abcdefghijklmnopqrstuvwxyzE");
  char *text = **at == '"' ? parse_text (at) : length ? g_strndup (*at, length) : NULL;
  if (!text)
    return NULL;
  if (*text != '"')
    *at += length;
  Value *value = g_new0 (Value, 1);
  value->text = text;
  return value;
}

static Value *from_string (const char *text, GError **error) {
  (void) error;
  return parse (&text);
}

/* ---- Looking ---- */

static JsonNodeType type_of (const Value *value) {
  return value->bracket == '{'               ? JSON_NODE_OBJECT
         : value->bracket == '['             ? JSON_NODE_ARRAY
         : g_str_equal (value->text, "null") ? JSON_NODE_NULL
                                             : JSON_NODE_VALUE;
}

static GType value_type_of (const Value *value) {
  return *value->text == '"'            ? G_TYPE_STRING
         : strchr ("tf", *value->text)  ? G_TYPE_BOOLEAN
         : strpbrk (value->text, ".eE") ? G_TYPE_DOUBLE
                                        : G_TYPE_INT64;
}

static const Value *itself (const Value *value) { return value; }

static char *string_of (const Value *value) { return decode (value->text); }

static gint64 int_of (const Value *value) { return g_ascii_strtoll (value->text, NULL, 10); }

static gboolean boolean_of (const Value *value) { return *value->text == 't'; }

static guint length_of (const Value *value) { return value->items->len; }

static Value *element_of (const Value *value, guint i) { return value->items->pdata[i]; }

gpointer web_json_find_reader (const char *symbol) {
  static const struct {
    const char *name;
    gpointer function;
  } functions[] = {
    { "json_from_string", from_string },
    { "json_node_get_node_type", type_of },
    { "json_node_get_value_type", value_type_of },
    { "json_node_get_array", itself },
    { "json_node_get_object", itself },
    { "json_node_get_string", string_of },
    { "json_node_get_int", int_of },
    { "json_node_get_boolean", boolean_of },
    { "json_array_get_length", length_of },
    { "json_array_get_element", element_of },
  };
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (g_str_equal (functions[i].name, symbol))
      return functions[i].function;
  return NULL;
}
