#include "parser/expected.h"
#include "base/suggest.h"

#include <string.h>

gboolean expects (Expected expected, const char *name) {
  for (guint i = 0; i < expected.n; i++)
    if (strcmp (expected.names[i], name) == 0)
      return TRUE;
  return FALSE;
}

/* `'+'` as `+`, other names as they are; newly allocated. */
static char *without_quotes (const char *name) {
  gboolean quoted = name[0] == '\'' && name[1] && name[2] == '\'';
  return quoted ? g_strndup (name + 1, 1) : g_strdup (name);
}

static gboolean has (GPtrArray *names, const char *name) {
  return !name || g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL);
}

static void take_group (GPtrArray *names, const TokenGroup *group, GPtrArray *phrases) {
  guint n = 0, at;
  for (guint i = 0; i < G_N_ELEMENTS (group->members) && group->members[i]; i++)
    n += has (names, group->members[i]);
  if (n < group->least || !has (names, group->keys[0]) || !has (names, group->keys[1]))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (group->members) && group->members[i]; i++)
    if (g_ptr_array_find_with_equal_func (names, group->members[i], g_str_equal, &at))
      g_ptr_array_remove_index (names, at);
  g_ptr_array_add (phrases, g_strdup (group->phrase));
}

/* Signs and words between backquotes, kinds of tokens and phrases as they are. */
static void append_name (const char *name, GString *out) {
  gboolean phrase = strchr (name, ' ') || (name[0] == '`' && name[1]);
  g_string_append_printf (out, phrase ? "%s" : "`%s`", name);
}

char *expected_format (Expected expected, const TokenGroup *groups, guint n_groups, guint most) {
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *phrases = g_ptr_array_new ();
  for (guint i = 0; i < expected.n; i++)
    g_ptr_array_add (names, without_quotes (expected.names[i]));
  for (guint i = 0; i < n_groups; i++)
    take_group (names, &groups[i], phrases);
  g_ptr_array_extend_and_steal (names, phrases);
  GString *out = g_string_new (NULL);
  guint n = most ? MIN (names->len, most) : names->len;
  for (guint i = 0; i < n; i++) {
    g_string_append (out, i == 0 ? "" : i + 1 == n ? " or " : ", ");
    append_name (names->pdata[i], out);
  }
  return g_string_free (out, FALSE);
}

char *expected_near (Expected expected, const char *found) {
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  for (guint i = 0; i < expected.n; i++)
    if (g_ascii_isalpha (expected.names[i][0]) && !strchr (expected.names[i], ' '))
      g_ptr_array_add (words, (gpointer) expected.names[i]);
  g_ptr_array_add (words, NULL);
  return rsp_did_you_mean (found, (const char *const *) words->pdata);
}

char *found_format (const char *text, gboolean at_end) {
  return at_end ? g_strdup ("the end of the file") : g_strdup_printf ("`%s`", text);
}
