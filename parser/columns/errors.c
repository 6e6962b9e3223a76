/* Syntax errors in tests in columns. */
#include "parser/columns/errors.h"

#include "base/suggest.h"
#include "parser/litmus/errors.h"

#include <string.h>

/* The word before the range: a misspelt keyword is taken for an instruction, and the error comes
 * after it. */
static char *word_before (const ColumnsParser *parser, TokenRange range) {
  const char *text = parser->base.source->text;
  guint end = range.begin;
  while (end && g_ascii_isspace (text[end - 1]))
    end--;
  guint begin = end;
  while (begin && g_ascii_isalnum (text[begin - 1]))
    begin--;
  return g_strndup (text + begin, end - begin);
}

/* Does the line begin with a thread, as in the first row of the table: `P0@cta 0`, `P0 |`? */
static gboolean begins_table (const char *line) {
  line += strspn (line, " \t");
  if (*line++ != 'P' || !g_ascii_isdigit (*line))
    return FALSE;
  line += strspn (line, "0123456789");
  line += strspn (line, " \t");
  return *line == '@' || *line == '|' || *line == ';';
}

/* Is the range in the table, or after it, while the initial state has not ended? That is so in the
 * first row alone. */
static char *missing_brace (const ColumnsParser *parser, TokenRange range, guint line) {
  const char *text = parser->base.source->text, *begin = text + range.begin;
  gint open = 0;
  while (begin > text && begin[-1] != '\n')
    begin--;
  for (const char *c = text; c < begin; c++)
    open += (*c == '{') - (*c == '}');
  return open > 0 && begins_table (begin)
             ? g_strdup_printf ("is a `}` missing before line %u?", line)
             : NULL;
}

/* What probably went wrong: newly allocated, or NULL. */
static char *find_hint (const ColumnsParser *parser, TokenRange range, const char *found,
                        Expected expected) {
  static const char *const sections[] = { "exists", "forall", "filter", "locations", NULL };
  guint before, line, column;
  g_autofree char *word = word_before (parser, range);
  const char *nearest = rsp_nearest (found[0] == '(' ? word : found, sections);
  if (g_str_equal (word, "final"))
    return g_strdup (LITMUS_FINAL_HINT);
  rsp_source_position (parser->base.source, MAX (parser->base.scan.previous_end, 1) - 1, &before,
                       &column);
  rsp_source_position (parser->base.source, range.begin, &line, &column);
  char *brace = missing_brace (parser, range, line);
  if (brace)
    return brace;
  if (nearest && !g_str_equal (nearest, found) && !g_str_equal (nearest, word))
    return g_strdup_printf ("did you mean `%s`?", nearest);
  if (before < line && expects (expected, "';'"))
    return g_strdup_printf ("is a `;` missing at the end of line %u?", before);
  return NULL;
}

void columns_syntax_error (ColumnsParser *parser, TokenRange range, gboolean at_end,
                           Expected expected) {
  LitmusParser *base = &parser->base;
  if (at_end)
    range.begin = range.end = base->scan.last_end;
  g_autofree char *text = g_strndup (base->source->text + range.begin, range.end - range.begin);
  g_autofree char *found = at_end            ? g_strdup ("the end of the file")
                           : text[0] == '\n' ? g_strdup ("the end of the line")
                                             : g_strdup_printf ("`%.40s`", text);
  g_autofree char *instead = expected_format (expected, NULL, 0, 0);
  g_autofree char *hint = at_end ? NULL : find_hint (parser, range, text, expected);
  rsp_error (base->diagnostics, rsp_litmus_span (base, range), hint, "found %s, expected %s", found,
             instead);
}
