#include "parser/dsom/errors.h"

#include "base/suggest.h"

#include <string.h>

enum
{
  N_SHOWN = 6 /* limit of expected things in one message */
};

/* Operators that can continue an expression count as one thing. */
static gboolean
is_operator (const char *name)
{
  static const char *const operators[]
      = { "'+'", "'-'", "'*'", "'/'", "'%'", "'&'", "'|'", "'^'", "'<'", "'>'",
          "<=",  ">=",  "==",  "!=",  "&&",  "||",  "/\\", "\\/", "=>",  NULL };
  return g_strv_contains (operators, name);
}

static void
append_expected (const char *name, GString *out)
{
  gboolean is_kind = g_str_has_prefix (name, "a ") || g_str_has_prefix (name, "the ");
  if (is_kind)
    g_string_append (out, name);
  else if (name[0] == '\'')
    g_string_append_printf (out, "`%c`", name[1]);
  else
    g_string_append_printf (out, "`%s`", name);
}

/* "a name, `:` or `;`" */
static char *
list_expected (const char *const *expected, guint n)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  guint n_operators = 0;
  for (guint i = 0; i < n; i++)
    n_operators += is_operator (expected[i]);
  for (guint i = 0; i < n; i++)
    if (n_operators < 3 || !is_operator (expected[i]))
      g_ptr_array_add (names, (gpointer) expected[i]);
  if (n_operators >= 3)
    g_ptr_array_add (names, (gpointer) "an operator");
  GString *out = g_string_new (NULL);
  guint shown = MIN (names->len, N_SHOWN);
  for (guint i = 0; i < shown; i++)
    {
      g_string_append (out, i == 0 ? "" : i + 1 == shown ? " or " : ", ");
      if (g_str_equal (names->pdata[i], "an operator"))
        g_string_append (out, names->pdata[i]);
      else
        append_expected (names->pdata[i], out);
    }
  return g_string_free (out, FALSE);
}

static char *
near_keyword (const char *found, const char *const *expected, guint n)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  for (guint i = 0; i < n; i++)
    if (g_ascii_isalpha (expected[i][0]) && !strchr (expected[i], ' '))
      g_ptr_array_add (words, (gpointer) expected[i]);
  g_ptr_array_add (words, NULL);
  return rsp_did_you_mean (found, (const char *const *) words->pdata);
}

void
dsom_syntax_error (DsomParser *parser, DsomRange range, gboolean at_end,
                   const char *const *expected, guint n_expected)
{
  g_autofree char *text
      = g_strndup (parser->scan.source->text + range.begin, range.end - range.begin);
  g_autofree char *found
      = at_end ? g_strdup ("the end of the file") : g_strdup_printf ("`%s`", text);
  g_autofree char *instead = list_expected (expected, n_expected);
  g_autofree char *hint = at_end ? NULL : near_keyword (text, expected, n_expected);
  rsp_error (parser->diagnostics, dsom_span (parser, range), hint, "found %s, expected %s", found,
             instead);
}
