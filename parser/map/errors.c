/* Syntax errors in mappings. */
#include "parser/map/errors.h"

#include <string.h>

/* What a word can be where nothing else is expected: a lock, or whose caches are meant. */
static const char *single_word (const MapParser *parser, TokenRange range) {
  const char *text = parser->scan.source->text;
  guint end = range.begin;
  while (end > 0 && g_ascii_isspace (text[end - 1]))
    end--;
  gboolean lock
      = end > 0 && (text[end - 1] == ',' || (end >= 4 && memcmp (text + end - 4, "LOCK", 4) == 0));
  return lock ? "a lock (`x`, `rmw`)" : "whose (`own`, `device`, `all`)";
}

/* Can the token be where it is expected: are instructions those of a machine, or of another
 * language? */
static gboolean fits (const MapParser *parser, const char *name) {
  static const char *const machine[]
      = { "FLU", "INV", "CLEAN", "WAIT", "LOCK", "STEP", "an access (`LD`, `ST`, `RMW`)", NULL };
  static const char *const target[] = { "an instruction of the target", "cost", "'?'", NULL };
  return !g_strv_contains (parser->map->target ? machine : target, name);
}

/* "`:`, `;` or an access" */
static char *list_expected (const MapParser *parser, TokenRange range, Expected expected) {
  if (expected.n == 2 && expects (expected, "a word") && expects (expected, "a level"))
    return g_strdup ("a language of tests");
  g_autofree const char **names = g_new (const char *, expected.n + 1);
  guint n = 0;
  for (guint i = 0; i < expected.n; i++)
    if (fits (parser, expected.names[i]))
      names[n++] = !g_str_equal (expected.names[i], "a word") ? expected.names[i]
                   : expects (expected, "include")
                       ? "an operation (`load`, `store`, `rmw`, `fence`)"
                   : expected.n == 1 ? single_word (parser, range)
                                     : expected.names[i];
  return expected_format ((Expected){ names, n }, NULL, 0, 0);
}

/* Instructions are written in capitals. */
static char *find_hint (const char *text) {
  static const char *const words[]
      = { "LD", "ST", "RMW", "FLU", "INV", "CLEAN", "WAIT", "LOCK", "STEP", "NOP", NULL };
  g_autofree char *capitals = g_ascii_strup (text, -1);
  if (g_str_equal (capitals, text) || !g_strv_contains (words, capitals))
    return NULL;
  return g_strdup_printf ("did you mean `%s`?", capitals);
}

void map_syntax_error (MapParser *parser, TokenRange range, gboolean at_end, Expected expected) {
  g_autofree char *text
      = g_strndup (parser->scan.source->text + range.begin, range.end - range.begin);
  g_autofree char *found = found_format (text, at_end);
  g_autofree char *instead = list_expected (parser, range, expected);
  g_autofree char *hint = at_end ? NULL : find_hint (text);
  rsp_error (parser->diagnostics, rsp_scan_span (&parser->scan, range), hint,
             "found %s, expected %s", found, instead);
}
