/* Syntax errors in mappings. */
#include "parser/map/errors.h"

#include <string.h>

/* What a word can be where nothing else is expected: a lock, or whose caches are meant. */
static const char *
single_word (const MapParser *parser, MapRange range)
{
  const char *text = parser->scan.source->text;
  guint end = range.begin;
  while (end > 0 && g_ascii_isspace (text[end - 1]))
    end--;
  gboolean lock
      = end > 0 && (text[end - 1] == ',' || (end >= 4 && memcmp (text + end - 4, "LOCK", 4) == 0));
  return lock ? "a lock (`x`, `rmw`)" : "whose (`own`, `device`, `all`)";
}

/* "`:`, `;` or an access" */
static char *
list_expected (const MapParser *parser, MapRange range, const char *const *expected, guint n)
{
  GString *out = g_string_new (NULL);
  gboolean row = FALSE;
  for (guint i = 0; i < n; i++)
    row |= g_str_equal (expected[i], "include");
  for (guint i = 0; i < n; i++)
    {
      gboolean is_kind = strchr (expected[i], ' ') != NULL;
      gboolean quoted = expected[i][0] == '\'';
      g_string_append (out, i == 0 ? "" : i + 1 == n ? " or " : ", ");
      if (g_str_equal (expected[i], "a word"))
        g_string_append (out, row      ? "an operation (`load`, `store`, `rmw`, `fence`)"
                              : n == 1 ? single_word (parser, range)
                                       : expected[i]);
      else if (is_kind)
        g_string_append (out, expected[i]);
      else if (quoted)
        g_string_append_printf (out, "`%c`", expected[i][1]);
      else
        g_string_append_printf (out, "`%s`", expected[i]);
    }
  return g_string_free (out, FALSE);
}

/* Instructions are written in capitals. */
static char *
find_hint (const char *text)
{
  static const char *const words[]
      = { "LD", "ST", "RMW", "FLU", "INV", "LOCK", "STEP", "NOP", NULL };
  g_autofree char *capitals = g_ascii_strup (text, -1);
  if (g_str_equal (capitals, text) || !g_strv_contains (words, capitals))
    return NULL;
  return g_strdup_printf ("did you mean `%s`?", capitals);
}

void
map_syntax_error (MapParser *parser, MapRange range, gboolean at_end, const char *const *expected,
                  guint n_expected)
{
  g_autofree char *text
      = g_strndup (parser->scan.source->text + range.begin, range.end - range.begin);
  g_autofree char *found
      = at_end ? g_strdup ("the end of the file") : g_strdup_printf ("`%s`", text);
  g_autofree char *instead = list_expected (parser, range, expected, n_expected);
  g_autofree char *hint = at_end ? NULL : find_hint (text);
  rsp_error (parser->diagnostics, rsp_map_scan_span (&parser->scan, range), hint,
             "found %s, expected %s", found, instead);
}
