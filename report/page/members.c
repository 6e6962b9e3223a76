#include "report/page/members.h"

#include <string.h>

/* ---- Texts ---- */

Texts texts_new (void) {
  return (Texts){ g_ptr_array_new_with_free_func (g_free),
                  g_hash_table_new (g_str_hash, g_str_equal) };
}

void texts_clear (Texts *texts) {
  g_hash_table_unref (texts->numbers);
  g_ptr_array_unref (texts->list);
}

guint texts_number (Texts *texts, const char *text) {
  gpointer number;
  if (g_hash_table_lookup_extended (texts->numbers, text, NULL, &number))
    return GPOINTER_TO_UINT (number);
  char *own = g_strdup (text);
  g_hash_table_insert (texts->numbers, own, GUINT_TO_POINTER (texts->list->len));
  g_ptr_array_add (texts->list, own);
  return texts->list->len - 1;
}

/* ---- Members ---- */

void append_text (const char *text, GString *out) {
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_string_append_c (out, '"');
  for (const char *c = valid; *c; c++)
    if (*c == '\n')
      g_string_append (out, "\\n");
    else if (*c == '"' || *c == '\\')
      g_string_append_printf (out, "\\%c", *c);
    else if ((guchar) *c < 0x20 || strchr ("<>&", *c))
      g_string_append_printf (out, "\\u%04x", (guint) *c);
    else
      g_string_append_c (out, *c);
  g_string_append_c (out, '"');
}

void separate (GString *out) {
  char last = out->str[out->len - 1];
  if (last != '{' && last != '[' && last != ':')
    g_string_append_c (out, ',');
}

void begin_member (const char *name, GString *out) {
  separate (out);
  g_string_append_printf (out, "\"%s\":", name);
}

void page_begin (const char *name, char bracket, GString *out) {
  begin_member (name, out);
  g_string_append_c (out, bracket);
}

void add_text (const char *name, const char *text, GString *out) {
  if (!text)
    return;
  begin_member (name, out);
  append_text (text, out);
}

void add_true (const char *name, gboolean value, GString *out) {
  if (!value)
    return;
  begin_member (name, out);
  g_string_append (out, "true");
}

void add_number (guint number, GString *out) {
  separate (out);
  g_string_append_printf (out, "%u", number);
}

void append_count (RspCount count, gboolean unknown, GString *out) {
  const char *quote = count >> 53 ? "\"" : "";
  separate (out);
  if (unknown) {
    g_string_append (out, "null");
    return;
  }
  g_string_append (out, quote);
  rsp_count_format (count, out);
  g_string_append (out, quote);
}

void add_count (const char *name, RspCount count, gboolean unknown, GString *out) {
  if (!count && !unknown)
    return;
  begin_member (name, out);
  append_count (count, unknown, out);
}

void add_titles (const char *name, const char *const *titles, guint n, GString *out) {
  page_begin (name, '[', out);
  for (guint i = 0; i < n; i++) {
    separate (out);
    append_text (titles[i], out);
  }
  g_string_append_c (out, ']');
}
