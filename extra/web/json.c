/* JSON-GLib's functions that the program uses, for WebAssembly. */
#include "extra/web/internal.h"

#include <json-glib/json-glib.h>
#include <string.h>

static gpointer web_json_find_reader (const char *symbol);

/* ---- Json ----------------------------------------------------------------------------------- */

/* As much of JSON-GLib as writes JSON (json_read.c reads it): GObject, on which it is built, is not
 * in the page. One type serves as node, array and object. Nothing is freed: the program runs once.
 */

typedef struct Generator {
  Value *root;
} Generator;

/* An empty list or object. */
/* ---- Values ---- */
static Value *web_json_list (char bracket) {
  Value *value = g_new0 (Value, 1);
  *value = (Value){ bracket, NULL, g_ptr_array_new (), g_ptr_array_new () };
  return value;
}

/* Takes the text. */
static Value *new_text (char *text) {
  Value *value = g_new0 (Value, 1);
  value->text = text;
  return value;
}

static char *quote (const char *text) {
  static const char short_ones[] = "\"\"\\\\\bb\ff\nn\rr\tt";
  GString *out = g_string_new ("\"");
  for (const char *c = text ? text : ""; *c; c++) {
    const char *found = short_ones;
    while (*found && *found != *c)
      found += 2;
    if (*found)
      g_string_append_printf (out, "\\%c", found[1]);
    else if ((guchar) *c < 0x20 || *c == 0x7f)
      g_string_append_printf (out, "\\u%04x", (guint) *c);
    else
      g_string_append_c (out, *c);
  }
  return g_string_free (g_string_append_c (out, '"'), FALSE);
}

static char *real (double number) {
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_dtostr (digits, sizeof digits, number);
  return g_strconcat (digits, strpbrk (digits, ".e") ? "" : ".0", NULL);
}

static void add (Value *list, const char *name, Value *item) {
  g_ptr_array_add (list->names, g_strdup (name));
  g_ptr_array_add (list->items, item);
}

static void append (const Value *value, GString *out) {
  if (!value->bracket) {
    g_string_append (out, value->text);
    return;
  }
  g_string_append_c (out, value->bracket);
  for (guint i = 0; i < value->items->len; i++) {
    g_string_append (out, i ? "," : "");
    if (value->bracket == '{')
      g_string_append_printf (out, "%s:", quote (value->names->pdata[i]));
    append (value->items->pdata[i], out);
  }
  g_string_append_c (out, value->bracket == '{' ? '}' : ']');
}

static void nothing (gpointer value) { (void) value; }

static gpointer same (gpointer value) { return value; }

/* ---- Nodes ---- */
static Value *node_alloc (void) { return g_new0 (Value, 1); }

static Value *node_init (Value *node, Value *value) {
  *node = *value;
  return node;
}

static Value *node_init_string (Value *node, const char *text) {
  return node_init (node, new_text (quote (text)));
}

static Value *node_init_int (Value *node, gint64 number) {
  return node_init (node, new_text (g_strdup_printf ("%" G_GINT64_FORMAT, number)));
}

static Value *node_init_double (Value *node, double number) {
  return node_init (node, new_text (real (number)));
}

static Value *node_init_boolean (Value *node, gboolean value) {
  return node_init (node, new_text (g_strdup (value ? "true" : "false")));
}

static Value *node_init_null (Value *node) {
  return node_init (node, new_text (g_strdup ("null")));
}

static char *to_string (Value *node, gboolean pretty) {
  GString *out = g_string_new (NULL);
  (void) pretty;
  append (node, out);
  return g_string_free (out, FALSE);
}

/* ---- Arrays and objects ---- */
static Value *array_new (void) { return web_json_list ('['); }

static Value *array_sized_new (guint n) {
  (void) n;
  return web_json_list ('[');
}

static void array_add (Value *array, Value *item) { add (array, NULL, item); }

static void array_add_string (Value *array, const char *text) {
  add (array, NULL, new_text (quote (text)));
}

static Value *object_new (void) { return web_json_list ('{'); }

static void object_set_string (Value *object, const char *name, const char *text) {
  add (object, name, text ? new_text (quote (text)) : node_init_null (node_alloc ()));
}

static void object_set_int (Value *object, const char *name, gint64 number) {
  add (object, name, node_init_int (node_alloc (), number));
}

static void object_set_double (Value *object, const char *name, double number) {
  add (object, name, node_init_double (node_alloc (), number));
}

static void object_set_boolean (Value *object, const char *name, gboolean value) {
  add (object, name, node_init_boolean (node_alloc (), value));
}

static void object_set_null (Value *object, const char *name) {
  add (object, name, node_init_null (node_alloc ()));
}

static Value *object_get (Value *object, const char *name) {
  guint i;
  return g_ptr_array_find_with_equal_func (object->names, name, g_str_equal, &i)
             ? object->items->pdata[i]
             : NULL;
}

/* ---- Generator ---- */
static Generator *generator_new (void) { return g_new0 (Generator, 1); }

static void generator_set_root (Generator *generator, Value *root) { generator->root = root; }

static GString *generator_to_string (Generator *generator, GString *out) {
  append (generator->root, out);
  return out;
}

/* ---- By name ---- */
gpointer web_json_find (const char *symbol) {
  static const struct {
    const char *name;
    gpointer function;
  } functions[] = {
    { "json_array_add_array_element", array_add },
    { "json_array_add_element", array_add },
    { "json_array_add_object_element", array_add },
    { "json_array_add_string_element", array_add_string },
    { "json_array_new", array_new },
    { "json_array_sized_new", array_sized_new },
    { "json_array_unref", nothing },
    { "json_generator_new", generator_new },
    { "json_generator_set_root", generator_set_root },
    { "json_generator_to_gstring", generator_to_string },
    { "json_node_alloc", node_alloc },
    { "json_node_init_array", node_init },
    { "json_node_init_boolean", node_init_boolean },
    { "json_node_init_double", node_init_double },
    { "json_node_init_int", node_init_int },
    { "json_node_init_null", node_init_null },
    { "json_node_init_object", node_init },
    { "json_node_init_string", node_init_string },
    { "json_node_ref", same },
    { "json_node_unref", nothing },
    { "json_object_get_array_member", object_get },
    { "json_object_get_member", object_get },
    { "json_object_new", object_new },
    { "json_object_ref", same },
    { "json_object_set_array_member", add },
    { "json_object_set_boolean_member", object_set_boolean },
    { "json_object_set_double_member", object_set_double },
    { "json_object_set_int_member", object_set_int },
    { "json_object_set_member", add },
    { "json_object_set_null_member", object_set_null },
    { "json_object_set_object_member", add },
    { "json_object_set_string_member", object_set_string },
    { "json_object_unref", nothing },
    { "json_to_string", to_string },
  };
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (g_str_equal (functions[i].name, symbol))
      return functions[i].function;
  return g_str_equal (symbol, "g_object_unref") ? (gpointer) nothing
                                                : web_json_find_reader (symbol);
}

/* ---- Json read ------------------------------------------------------------------------------ */

/* Reading JSON without JSON-GLib: what the language server calls. */

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

/* The same of those that read. */
static gpointer web_json_find_reader (const char *symbol) {
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
