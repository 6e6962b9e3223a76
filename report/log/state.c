/* States of logs, in a uniform format. */
#include "report/log/state.h"

#include <errno.h>
#include <string.h>

/* ---- Words ---- */

void rsp_log_scan_blanks (RspLogScan *scan) {
  while (scan->at < scan->end && g_ascii_isspace (*scan->at))
    scan->at++;
}

gboolean rsp_log_scan_token (RspLogScan *scan, const char *token) {
  gsize length = strlen (token);
  rsp_log_scan_blanks (scan);
  if ((gsize) (scan->end - scan->at) < length || strncmp (scan->at, token, length) != 0)
    return FALSE;
  scan->at += length;
  return TRUE;
}

static gboolean is_name_character (char c) {
  return g_ascii_isalnum (c) || strchr ("_.$%'", c) != NULL;
}

static const char *skip_name (const RspLogScan *scan, const char *at) {
  while (at < scan->end && *at && is_name_character (*at))
    at++;
  return at;
}

/* `1:r0` or `P1:r0`, as `1:r0`. NULL, with the scan unchanged, if no register is next. */
static char *scan_register (RspLogScan *scan) {
  const char *digits = scan->at + (scan->at < scan->end && *scan->at == 'P'), *at = digits;
  while (at < scan->end && g_ascii_isdigit (*at))
    at++;
  if (at == digits || at == scan->end || *at != ':')
    return NULL;
  while (digits + 1 < at && *digits == '0')
    digits++;
  RspLogScan rest = { at + 1, scan->end };
  rsp_log_scan_blanks (&rest);
  const char *end = skip_name (&rest, rest.at);
  if (end == rest.at)
    return NULL;
  char *name = g_strdup_printf ("%.*s%.*s", (int) (at + 1 - digits), digits, (int) (end - rest.at),
                                rest.at);
  scan->at = end;
  return name;
}

/* The `[1]` or `[0x1]` of an array's element, in decimal; "" if there is none. */
static char *scan_element (RspLogScan *scan) {
  RspLogScan rest = *scan;
  if (!rsp_log_scan_token (&rest, "["))
    return g_strdup ("");
  rsp_log_scan_blanks (&rest);
  const char *begin = rest.at;
  rest.at = skip_name (&rest, rest.at);
  if (begin == rest.at || !g_ascii_isdigit (*begin))
    return g_strdup ("");
  g_autofree char *index = rsp_log_value (begin, (gsize) (rest.at - begin));
  if (!rsp_log_scan_token (&rest, "]"))
    return g_strdup ("");
  *scan = rest;
  return g_strdup_printf ("[%s]", index);
}

/* `x`, `a[1]` */
static char *scan_location (RspLogScan *scan) {
  const char *begin = scan->at;
  if (begin == scan->end || g_ascii_isdigit (*begin) || skip_name (scan, begin) == begin)
    return NULL;
  scan->at = skip_name (scan, begin);
  gsize length = (gsize) (scan->at - begin);
  g_autofree char *element = scan_element (scan);
  return g_strdup_printf ("%.*s%s", (int) length, begin, element);
}

char *rsp_log_scan_place (RspLogScan *scan) {
  RspLogScan rest = *scan;
  gboolean bracketed = rsp_log_scan_token (&rest, "[");
  if (!bracketed)
    rsp_log_scan_token (&rest, "*");
  rsp_log_scan_blanks (&rest);
  char *name = scan_register (&rest);
  if (!name)
    name = scan_location (&rest);
  if (name && bracketed && !rsp_log_scan_token (&rest, "]"))
    g_clear_pointer (&name, g_free);
  if (name)
    *scan = rest;
  return name;
}

/* A whole number in base 10 or, after 0x, 16, of 64 bits, signed or not. */
static gboolean read_number (const char *text, gint64 *number) {
  gboolean negative = *text == '-';
  const char *digits = text + negative;
  gboolean hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  char *end;
  digits += hexadecimal ? 2 : 0;
  if (!(hexadecimal ? g_ascii_isxdigit (*digits) : g_ascii_isdigit (*digits)))
    return FALSE;
  errno = 0;
  guint64 bits = g_ascii_strtoull (digits, &end, hexadecimal ? 16 : 10);
  *number = (gint64) (negative ? -bits : bits);
  return *end == '\0' && errno == 0;
}

char *rsp_log_value (const char *text, gsize length) {
  char *value = g_strstrip (g_strndup (text, length));
  gint64 number;
  if (*value == '&' && value[1] && !g_ascii_isdigit (value[1]))
    memmove (value, value + 1, strlen (value));
  if (!read_number (value, &number))
    return value;
  g_free (value);
  return g_strdup_printf ("%" G_GINT64_FORMAT, number);
}

/* ---- Symbols ---- */

/* herd writes an undetermined value as a symbol, `S13`. So does rspcheck, followed by an offset if
 * there is one, `S1_2` or `S1_m2`; its older logs have `?1`, `?1+2` and `?1-2`. Sets the symbol's
 * number, followed by its offset ("" for none). FALSE if the value is not a symbol. */
static gboolean split_symbol (const char *value, guint64 *number, char **offset) {
  if ((*value != 'S' && *value != '?') || !g_ascii_isdigit (value[1]))
    return FALSE;
  char *rest;
  *number = g_ascii_strtoull (value + 1, &rest, 10);
  const char *digits = rest + (*rest != '\0');
  gboolean negative = *rest == '-' || (*rest == '_' && *digits == 'm');
  digits += *rest == '_' && negative;
  if (*rest && (!strchr ("_+-", *rest) || !g_ascii_isdigit (*digits)))
    return FALSE;
  if (digits[strspn (digits, "0123456789")] != '\0')
    return FALSE;
  *offset = *rest ? g_strdup_printf ("_%s%s", negative ? "m" : "", digits) : g_strdup ("");
  return TRUE;
}

/* The index of the number in the list, from 1; it is added if it is missing. */
static guint place_of (GArray *numbers, guint64 number) {
  for (guint i = 0; i < numbers->len; i++)
    if (g_array_index (numbers, guint64, i) == number)
      return i + 1;
  g_array_append_val (numbers, number);
  return numbers->len;
}

/* Numbers the symbols of a sorted state anew, in order of appearance, so that states which differ
 * only in such numbers are equal. */
static void number_symbols (GArray *state) {
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint i = 0; i < state->len; i++) {
    RspLogBinding *binding = &g_array_index (state, RspLogBinding, i);
    guint64 number;
    g_autofree char *offset = NULL;
    if (!split_symbol (binding->value, &number, &offset))
      continue;
    g_free (binding->value);
    binding->value = g_strdup_printf ("S%u%s", place_of (numbers, number), offset);
  }
}

gsize rsp_log_symbol_length (const char *value) {
  guint64 number;
  g_autofree char *offset = NULL;
  return split_symbol (value, &number, &offset) ? strlen (value) - strlen (offset) : 0;
}

gboolean rsp_log_state_has_symbols (const GArray *state) {
  guint64 number;
  for (guint i = 0; i < state->len; i++) {
    g_autofree char *offset = NULL;
    if (split_symbol (g_array_index (state, RspLogBinding, i).value, &number, &offset))
      return TRUE;
  }
  return FALSE;
}

/* ---- States ---- */

static void clear_binding (gpointer data) {
  RspLogBinding *binding = data;
  g_free (binding->name);
  g_free (binding->value);
}

static void add_binding (GArray *state, char *name, char *value) {
  RspLogBinding binding = { name, value };
  g_array_append_val (state, binding);
}

/* The values of a whole array, `{1,2}`, are one binding per element. FALSE if text is not an
 * array. */
static gboolean add_elements (GArray *state, const char *name, const char *text, gsize length) {
  g_autofree char *list = g_strstrip (g_strndup (text, length));
  gsize end = strlen (list);
  if (end < 2 || list[0] != '{' || list[end - 1] != '}')
    return FALSE;
  list[end - 1] = '\0';
  g_auto (GStrv) values = g_strsplit_set (list + 1, ",;", -1);
  for (guint i = 0; values[i]; i++) {
    if (!*g_strstrip (values[i]))
      continue;
    add_binding (state, g_strdup_printf ("%s[%u]", name, i),
                 rsp_log_value (values[i], strlen (values[i])));
  }
  return TRUE;
}

/* The end of the value that begins here: a `;` outside braces, or the line's end. */
static const char *end_of_value (const RspLogScan *scan) {
  guint depth = 0;
  const char *at = scan->at;
  for (; at < scan->end && (depth || *at != ';'); at++)
    depth += *at == '{' ? 1 : *at == '}' && depth ? -1u : 0;
  return at;
}

/* `x=1;` */
static gboolean scan_binding (RspLogScan *scan, GArray *state) {
  g_autofree char *name = rsp_log_scan_place (scan);
  if (!name || !rsp_log_scan_token (scan, "="))
    return FALSE;
  rsp_log_scan_blanks (scan);
  const char *begin = scan->at;
  scan->at = end_of_value (scan);
  gsize length = (gsize) (scan->at - begin);
  if (length == 0)
    return FALSE;
  rsp_log_scan_token (scan, ";");
  if (!add_elements (state, name, begin, length))
    add_binding (state, g_steal_pointer (&name), rsp_log_value (begin, length));
  return TRUE;
}

/* -1 for a location, which comes after every register. */
static gint64 thread_of (const char *name) {
  return g_ascii_isdigit (*name) ? g_ascii_strtoll (name, NULL, 10) : -1;
}

static int compare_names (const char *a, const char *b) {
  gint64 x = thread_of (a), y = thread_of (b);
  if ((x < 0) != (y < 0))
    return x < 0 ? 1 : -1;
  return x != y ? (x < y ? -1 : 1) : strcmp (a, b);
}

static gint compare_bindings (gconstpointer a, gconstpointer b) {
  return compare_names (((const RspLogBinding *) a)->name, ((const RspLogBinding *) b)->name);
}

GArray *rsp_log_state_parse (const char *text, gsize length) {
  RspLogScan scan = { text, text + length };
  GArray *state = g_array_new (FALSE, FALSE, sizeof (RspLogBinding));
  g_array_set_clear_func (state, clear_binding);
  for (rsp_log_scan_blanks (&scan); scan.at < scan.end; rsp_log_scan_blanks (&scan))
    if (!scan_binding (&scan, state)) {
      g_array_unref (state);
      return NULL;
    }
  g_array_sort (state, compare_bindings);
  number_symbols (state);
  return state;
}

char *rsp_log_state_format (const GArray *state) {
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < state->len; i++) {
    const RspLogBinding *binding = &g_array_index (state, RspLogBinding, i);
    g_string_append_printf (text, "%s%s=%s;", i ? " " : "", binding->name, binding->value);
  }
  return g_string_free (text, FALSE);
}

/* Numbers first. */
static int compare_values (const char *a, const char *b) {
  gint64 x, y;
  gboolean x_is = read_number (a, &x), y_is = read_number (b, &y);
  if (x_is != y_is)
    return x_is ? -1 : 1;
  return x_is ? (x > y) - (x < y) : strcmp (a, b);
}

int rsp_log_state_compare (const GArray *a, const GArray *b) {
  for (guint i = 0; i < a->len && i < b->len; i++) {
    const RspLogBinding *x = &g_array_index (a, RspLogBinding, i);
    const RspLogBinding *y = &g_array_index (b, RspLogBinding, i);
    int order = compare_names (x->name, y->name);
    if (!order)
      order = compare_values (x->value, y->value);
    if (order)
      return order;
  }
  return (a->len > b->len) - (a->len < b->len);
}
