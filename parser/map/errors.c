/* What the parser of mappings says when it stops. */
#include "parser/map/errors.h"

/* "a word, `:` or `;`" */
static char *
list_expected (const char *const *expected, guint n)
{
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < n; i++)
    {
      gboolean is_kind = g_str_has_prefix (expected[i], "a ")
                         || g_str_has_prefix (expected[i], "the ")
                         || g_str_has_prefix (expected[i], "LD,");
      gboolean quoted = expected[i][0] == '\'';
      g_string_append (out, i == 0 ? "" : i + 1 == n ? " or " : ", ");
      if (is_kind)
        g_string_append (out, expected[i]);
      else if (quoted)
        g_string_append_printf (out, "`%c`", expected[i][1]);
      else
        g_string_append_printf (out, "`%s`", expected[i]);
    }
  return g_string_free (out, FALSE);
}

void
map_syntax_error (MapParser *parser, MapRange range, gboolean at_end, const char *const *expected,
                  guint n_expected)
{
  g_autofree char *text
      = g_strndup (parser->scan.source->text + range.begin, range.end - range.begin);
  g_autofree char *found
      = at_end ? g_strdup ("the end of the file") : g_strdup_printf ("`%s`", text);
  g_autofree char *instead = list_expected (expected, n_expected);
  rsp_error (parser->diagnostics, rsp_map_scan_span (&parser->scan, range), NULL,
             "found %s, expected %s", found, instead);
}
