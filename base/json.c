/* JSON: a tree of values, its reader and its writer. */
#include "base/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
  DEEPEST = 512 /* nested lists and objects: explanations have many, and the reader is recursive */
};

typedef enum Type { IS_NULL, IS_FALSE, IS_TRUE, IS_NUMBER, IS_TEXT, IS_LIST, IS_OBJECT } Type;

struct RspJson {
  gint references;
  Type type;
  char *text;       /* of a number, as it is written; of a string */
  GPtrArray *items; /* of a list or an object: RspJson * */
  GPtrArray *names; /* of an object: char *, one per item */
};

/* ---- Building ------------------------------------------------------------------------------- */

/* Takes the text. */
static RspJson *value_new (Type type, char *text) {
  RspJson *value = g_new (RspJson, 1);
  *value = (RspJson){ .references = 1, .type = type, .text = text };
  if (type == IS_LIST || type == IS_OBJECT)
    value->items = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_json_unref);
  if (type == IS_OBJECT)
    value->names = g_ptr_array_new_with_free_func (g_free);
  return value;
}

RspJson *rsp_json_ref (RspJson *value) {
  g_atomic_int_inc (&value->references);
  return value;
}

void rsp_json_unref (RspJson *value) {
  if (!value || !g_atomic_int_dec_and_test (&value->references))
    return;
  g_clear_pointer (&value->items, g_ptr_array_unref);
  g_clear_pointer (&value->names, g_ptr_array_unref);
  g_free (value->text);
  g_free (value);
}

RspJson *rsp_json_null (void) { return value_new (IS_NULL, NULL); }

RspJson *rsp_json_boolean (gboolean value) { return value_new (value ? IS_TRUE : IS_FALSE, NULL); }

RspJson *rsp_json_number (gint64 value) {
  return value_new (IS_NUMBER, g_strdup_printf ("%" G_GINT64_FORMAT, value));
}

RspJson *rsp_json_count (RspCount count) {
  g_autoptr (GString) digits = g_string_new (NULL);
  if (count <= RSP_JSON_MOST)
    return rsp_json_number ((gint64) count);
  rsp_count_format (count, digits);
  return rsp_json_text (digits->str);
}

/* With a fraction or an exponent, from which readers know that it is not an integer. */
RspJson *rsp_json_real (double value) {
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_dtostr (digits, sizeof digits, value);
  return value_new (IS_NUMBER, g_strconcat (digits, strpbrk (digits, ".e") ? NULL : ".0", NULL));
}

RspJson *rsp_json_text (const char *value) {
  return value ? value_new (IS_TEXT, g_strdup (value)) : rsp_json_null ();
}

RspJson *rsp_json_texts (const GPtrArray *texts) {
  RspJson *list = rsp_json_list ();
  for (guint i = 0; i < texts->len; i++)
    rsp_json_add (list, rsp_json_text (texts->pdata[i]));
  return list;
}

RspJson *rsp_json_strv (const char *const *texts) {
  RspJson *list = rsp_json_list ();
  for (; texts && *texts; texts++)
    rsp_json_add (list, rsp_json_text (*texts));
  return list;
}

RspJson *rsp_json_list (void) { return value_new (IS_LIST, NULL); }

void rsp_json_add (RspJson *list, RspJson *value) { g_ptr_array_add (list->items, value); }

/* Takes both. */
static void append_member (RspJson *object, char *name, RspJson *value) {
  g_ptr_array_add (object->names, name);
  g_ptr_array_add (object->items, value);
}

RspJson *rsp_json_empty (void) { return value_new (IS_OBJECT, NULL); }

RspJson *rsp_json_object (const char *name, ...) {
  RspJson *object = rsp_json_empty ();
  va_list members;
  va_start (members, name);
  for (; name; name = va_arg (members, const char *)) {
    RspJson *value = va_arg (members, RspJson *);
    if (value)
      append_member (object, g_strdup (name), value);
  }
  va_end (members);
  return object;
}

/* The index of the last member of that name, plus 1; 0 if there is none. */
static guint find_member (const RspJson *object, const char *name) {
  guint i = object->names->len;
  while (i > 0 && strcmp (object->names->pdata[i - 1], name) != 0)
    i--;
  return i;
}

void rsp_json_set (RspJson *object, const char *name, RspJson *value) {
  guint found = find_member (object, name);
  if (found && value) {
    rsp_json_unref (object->items->pdata[found - 1]);
    object->items->pdata[found - 1] = value;
  } else if (value)
    append_member (object, g_strdup (name), value);
  else if (found) {
    g_ptr_array_remove_index (object->names, found - 1);
    g_ptr_array_remove_index (object->items, found - 1);
  }
}

void rsp_json_set_text (RspJson *object, const char *name, const char *text) {
  rsp_json_set (object, name, rsp_json_text (text));
}

/* ---- Looking at a value --------------------------------------------------------------------- */

static gboolean has_type (const RspJson *value, Type type) { return value && value->type == type; }

gboolean rsp_json_is_null (const RspJson *value) { return has_type (value, IS_NULL); }

gboolean rsp_json_is_boolean (const RspJson *value) {
  return has_type (value, IS_TRUE) || has_type (value, IS_FALSE);
}

gboolean rsp_json_is_true (const RspJson *value) { return has_type (value, IS_TRUE); }

RspJson *rsp_json_as_list (RspJson *value) { return has_type (value, IS_LIST) ? value : NULL; }

RspJson *rsp_json_as_object (RspJson *value) { return has_type (value, IS_OBJECT) ? value : NULL; }

const char *rsp_json_as_text (const RspJson *value) {
  return has_type (value, IS_TEXT) ? value->text : NULL;
}

gint64 rsp_json_as_integer (const RspJson *value, gint64 otherwise) {
  if (!has_type (value, IS_NUMBER) || strpbrk (value->text, ".eE"))
    return otherwise;
  errno = 0;
  gint64 number = g_ascii_strtoll (value->text, NULL, 10);
  return errno ? otherwise : number;
}

double rsp_json_as_real (const RspJson *value, double otherwise) {
  return has_type (value, IS_NUMBER) ? g_ascii_strtod (value->text, NULL) : otherwise;
}

guint rsp_json_length (const RspJson *value) {
  return value && value->items ? value->items->len : 0;
}

RspJson *rsp_json_item (const RspJson *value, guint i) { return value->items->pdata[i]; }

const char *rsp_json_name (const RspJson *object, guint i) { return object->names->pdata[i]; }

RspJson *rsp_json_get (RspJson *value, const char *name, ...) {
  va_list path;
  va_start (path, name);
  for (; name && value; name = va_arg (path, const char *)) {
    guint found = has_type (value, IS_OBJECT) ? find_member (value, name) : 0;
    value = found ? value->items->pdata[found - 1] : NULL;
  }
  va_end (path);
  return value;
}

/* ---- Reading -------------------------------------------------------------------------------- */

typedef struct Reader {
  const char *begin, *at, *end;
  guint depth; /* lists and objects around what is read */
  RspJsonError *error;
} Reader;

static RspJson *read_value (Reader *reader);

static gpointer fail (Reader *reader, RspJsonProblem problem, const char *at) {
  *reader->error = (RspJsonError){ problem, (gsize) (at - reader->begin) };
  return NULL;
}

static void skip_blanks (Reader *reader) {
  while (reader->at < reader->end && strchr (" \t\r\n", *reader->at) && *reader->at)
    reader->at++;
}

/* Reads the next character if it is this one. */
static gboolean take (Reader *reader, char c) {
  gboolean found = reader->at < reader->end && *reader->at == c;
  reader->at += found;
  return found;
}

/* ---- Strings ---- */
/* The number after `\u`, of four digits; -1 otherwise. */
static int read_unit (Reader *reader) {
  int unit = 0;
  if (reader->end - reader->at < 4)
    return -1;
  for (guint i = 0; i < 4; i++) {
    int digit = g_ascii_xdigit_value (*reader->at);
    if (digit < 0)
      return -1;
    unit = unit * 16 + digit;
    reader->at++;
  }
  return unit;
}

/* Appends the character that an escape means, of which the backslash has been read. NULL after an
 * error. */
static GString *read_escape (Reader *reader, GString *text) {
  static const char pairs[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
  const char *begin = reader->at - 1;
  if (!take (reader, 'u')) {
    for (const char *pair = pairs; *pair; pair += 2)
      if (take (reader, *pair))
        return g_string_append_c (text, pair[1]);
    return fail (reader, RSP_JSON_SYNTAX, begin);
  }
  int unit = read_unit (reader), low = 0;
  if (unit < 0)
    return fail (reader, RSP_JSON_SYNTAX, begin);
  if (unit >> 10 == 0xd800 >> 10) {
    low = take (reader, '\\') && take (reader, 'u') ? read_unit (reader) : 0;
    unit = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
    if (low >> 10 != 0xdc00 >> 10)
      return fail (reader, RSP_JSON_LONE, begin);
  } else if (unit >> 10 == 0xdc00 >> 10)
    return fail (reader, RSP_JSON_LONE, begin);
  return g_string_append_unichar (text, unit ? (gunichar) unit : 0xfffd);
}

/* Newly allocated; NULL after an error. */
static char *read_text (Reader *reader) {
  g_autoptr (GString) text = g_string_new (NULL);
  const char *begin = reader->at, *invalid;
  if (!take (reader, '"'))
    return fail (reader, RSP_JSON_SYNTAX, begin);
  while (!take (reader, '"'))
    if (take (reader, '\\')) {
      if (!read_escape (reader, text))
        return NULL;
    } else {
      begin = reader->at;
      while (reader->at < reader->end && *reader->at != '"' && *reader->at != '\\'
             && (guchar) *reader->at >= ' ')
        reader->at++;
      if (!g_utf8_validate_len (begin, (gsize) (reader->at - begin), &invalid))
        return fail (reader, RSP_JSON_SYNTAX, invalid);
      if (reader->at == begin) /* the end, or a control character */
        return fail (reader, RSP_JSON_SYNTAX, begin);
      g_string_append_len (text, begin, reader->at - begin);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* ---- Numbers and words ---- */
static gboolean take_digits (Reader *reader) {
  const char *begin = reader->at;
  while (reader->at < reader->end && g_ascii_isdigit (*reader->at))
    reader->at++;
  return reader->at > begin;
}

static RspJson *read_number (Reader *reader) {
  const char *begin = reader->at;
  take (reader, '-');
  gboolean good = take (reader, '0') || take_digits (reader);
  if (good && take (reader, '.'))
    good = take_digits (reader);
  if (good && (take (reader, 'e') || take (reader, 'E'))) {
    if (!take (reader, '+'))
      take (reader, '-');
    good = take_digits (reader);
  }
  return good ? value_new (IS_NUMBER, g_strndup (begin, (gsize) (reader->at - begin)))
              : fail (reader, RSP_JSON_SYNTAX, reader->at);
}

static RspJson *read_word (Reader *reader) {
  static const char *const words[]
      = { [IS_NULL] = "null", [IS_FALSE] = "false", [IS_TRUE] = "true" };
  for (Type type = IS_NULL; type <= IS_TRUE; type++) {
    gsize length = strlen (words[type]);
    if ((gsize) (reader->end - reader->at) >= length
        && memcmp (reader->at, words[type], length) == 0) {
      reader->at += length;
      return value_new (type, NULL);
    }
  }
  return fail (reader, RSP_JSON_SYNTAX, reader->at);
}

/* ---- Lists and objects ---- */
/* Reads an element or a member, which the owner gets. NULL after an error. */
static RspJson *read_item (Reader *reader, RspJson *owner) {
  g_autofree char *name = NULL;
  skip_blanks (reader);
  if (owner->type == IS_OBJECT) {
    name = read_text (reader);
    if (!name)
      return NULL;
    skip_blanks (reader);
    if (!take (reader, ':'))
      return fail (reader, RSP_JSON_SYNTAX, reader->at);
  }
  RspJson *value = read_value (reader);
  if (value && name)
    append_member (owner, g_steal_pointer (&name), value);
  else if (value)
    rsp_json_add (owner, value);
  return value;
}

/* After its opening bracket. */
static RspJson *read_items (Reader *reader, Type type, char end) {
  g_autoptr (RspJson) owner = value_new (type, NULL);
  if (++reader->depth > DEEPEST)
    return fail (reader, RSP_JSON_TOO_DEEP, reader->at - 1);
  skip_blanks (reader);
  if (!take (reader, end)) {
    do {
      if (!read_item (reader, owner))
        return NULL;
      skip_blanks (reader);
    } while (take (reader, ','));
    if (!take (reader, end))
      return fail (reader, RSP_JSON_SYNTAX, reader->at);
  }
  reader->depth--;
  return g_steal_pointer (&owner);
}

static RspJson *read_value (Reader *reader) {
  skip_blanks (reader);
  if (take (reader, '{'))
    return read_items (reader, IS_OBJECT, '}');
  if (take (reader, '['))
    return read_items (reader, IS_LIST, ']');
  if (reader->at < reader->end && *reader->at == '"') {
    char *text = read_text (reader);
    return text ? value_new (IS_TEXT, text) : NULL;
  }
  gboolean is_number
      = reader->at < reader->end && (*reader->at == '-' || g_ascii_isdigit (*reader->at));
  return is_number ? read_number (reader) : read_word (reader);
}

RspJson *rsp_json_parse (const char *text, gsize length, RspJsonError *error) {
  RspJsonError unheard;
  Reader reader = { text, text, text + length, 0, error ? error : &unheard };
  g_autoptr (RspJson) value = read_value (&reader);
  skip_blanks (&reader);
  if (value && reader.at < reader.end)
    return fail (&reader, RSP_JSON_MORE, reader.at);
  return g_steal_pointer (&value);
}

/* ---- Writing -------------------------------------------------------------------------------- */

static void append_escaped (gunichar c, GString *out) {
  if (c < 0x10000)
    g_string_append_printf (out, "\\u%04x", c);
  else
    g_string_append_printf (out, "\\u%04x\\u%04x", 0xd7c0 + (c >> 10), 0xdc00 + (c & 0x3ff));
}

/* What terminals do not show, or obey, is escaped, as rsp_visible_name does. */
void rsp_json_append_text (const char *text, gsize length, GString *out) {
  static const char pairs[] = "\bb\ff\nn\rr\tt";
  g_string_append_c (out, '"');
  for (const char *end = text + length, *next; text < end; text = next) {
    const gunichar c = *text ? g_utf8_get_char_validated (text, end - text) : 0;
    const char *pair = c && c < ' ' ? strchr (pairs, *text) : NULL;
    next = c && c < 0x110000 ? g_utf8_next_char (text) : text + 1;
    if (c >= 0x110000)
      g_string_append (out, "\\ufffd");
    else if (pair || c == '"' || c == '\\') {
      g_string_append_c (out, '\\');
      g_string_append_c (out, pair ? pair[1] : *text);
    } else if (g_unichar_isprint (c))
      g_string_append_len (out, text, next - text);
    else
      append_escaped (c, out);
  }
  g_string_append_c (out, '"');
}

void rsp_json_append (const RspJson *value, GString *out) {
  static const char *const words[]
      = { [IS_NULL] = "null", [IS_FALSE] = "false", [IS_TRUE] = "true" };
  gboolean is_object = value->type == IS_OBJECT;
  if (value->type <= IS_TRUE)
    g_string_append (out, words[value->type]);
  else if (value->type == IS_NUMBER)
    g_string_append (out, value->text);
  else if (value->type == IS_TEXT)
    rsp_json_append_text (value->text, strlen (value->text), out);
  else {
    g_string_append_c (out, is_object ? '{' : '[');
    for (guint i = 0; i < value->items->len; i++) {
      if (i)
        g_string_append_c (out, ',');
      if (is_object) {
        rsp_json_append_text (value->names->pdata[i], strlen (value->names->pdata[i]), out);
        g_string_append_c (out, ':');
      }
      rsp_json_append (value->items->pdata[i], out);
    }
    g_string_append_c (out, is_object ? '}' : ']');
  }
}

void rsp_json_append_line (const RspJson *value, GString *out) {
  rsp_json_append (value, out);
  g_string_append_c (out, '\n');
}

char *rsp_json_to_string (const RspJson *value) {
  GString *out = g_string_new (NULL);
  rsp_json_append (value, out);
  return g_string_free (out, FALSE);
}
