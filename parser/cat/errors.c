/* Syntax errors in models. */
#include "parser/cat/errors.h"
#include "lexer/cat_words.h"

#include <string.h>

/* The order matters: operands that may follow an operator's left side are arguments of a function,
 * which would not help as a hint. */
static const TokenGroup groups[] = {
  { { "|", "^2" }, 0, "an operator", { "|", "++", ";",   "\\", "&",      "*",     "^*",
                                       "+", "?",  "^-1", "^2", "a name", "a tag", "0",
                                       "_", "(",  "[",   "{",  "begin",  "from" } },
  { { "[", "~" },
    0,
    "an expression",
    { "a name", "a tag", "0", "_", "~", "(", "[", "{", "begin", "let", "fun", "if", "match", "try",
      "debug", "from" } },
  { { "include", "let" },
    0,
    "a statement",
    { "let",
      "acyclic",
      "irreflexive",
      "empty",
      "undefined_unless",
      "warn_unless",
      "flag",
      "assert",
      "debug",
      "show",
      "unshow",
      "include",
      "procedure",
      "call",
      "enum",
      "forall",
      "with",
      "if",
      "match",
      "instructions",
      "~ before an axiom",
      "and",
      "in",
      "when",
      "the end of the file",
      "a name of the model",
      "an option" } },
  { { "acyclic", "empty" },
    0,
    "an axiom",
    { "acyclic", "irreflexive", "empty", "~ before an axiom" } },
  { { "_", "{" }, 0, "a clause", { "_", "{", "0", "a tag", "a name", "from", "||" } },
  { { "a name", "from" }, 0, "a name", { "a name", "from", "a string" } },
};

/* If a bracket is open and what was found cannot be inside it, the bracket is the likely
 * mistake. */
static char *open_bracket_hint (const CatParser *parser, guint offset) {
  const GArray *brackets = parser->scan.brackets;
  for (guint i = brackets->len; i-- > 0;) {
    guint open = g_array_index (brackets, guint, i), line, column;
    if (open >= offset)
      continue;
    rsp_source_position (parser->scan.source, open, &line, &column);
    return g_strdup_printf ("the `%c` at %u:%u is still open", parser->scan.source->text[open],
                            line, column);
  }
  return NULL;
}

/* A hint for the commonest slips, or NULL. */
static char *syntax_hint (CatParser *parser, TokenRange range, const char *found,
                          Expected expected) {
  gboolean expression = expects (expected, "'['"), is_word = g_ascii_isalpha (found[0]);
  if (strcmp (found, "||") == 0 && expects (expected, "|"))
    return g_strdup ("union is written `|`");
  if (expects (expected, "||") && (strcmp (found, "->") == 0 || strcmp (found, "|") == 0))
    return g_strdup ("clauses, and the tags of an enum, are separated by `||`");
  if (strcmp (found, "&&") == 0 && expects (expected, "&"))
    return g_strdup ("intersection is written `&`");
  if (expects (expected, "')'") || expects (expected, "']'") || expects (expected, "'}'"))
    return open_bracket_hint (parser, range.begin);
  if (expects (expected, "include"))
    return found[0] && strchr (")]}", found[0]) ? g_strdup ("no bracket is open here")
                                                : rsp_cat_scan_statement_hint (found);
  gboolean name = expects (expected, "a name") && !expects (expected, "'{'");
  if (is_word && !expression && name && rsp_cat_scan_is_reserved (found))
    return g_strdup_printf ("`%s` is a word of the language and cannot be a name", found);
  if (is_word && expected.n <= 3 && expects (expected, "a tag"))
    return g_strdup_printf ("a tag is written `'%s`", found);
  if (is_word && expected.n == 1 && expects (expected, "a string"))
    return g_strdup_printf ("write `\"%s\"`", found);
  return NULL;
}

void rsp_cat_syntax_error (CatParser *parser, TokenRange range, gboolean at_end,
                           Expected expected) {
  RspSpan span = rsp_cat_scan_span (&parser->scan, range);
  gsize length = range.end - range.begin;
  g_autofree char *found = g_strndup (parser->scan.source->text + range.begin, length);
  g_autofree char *what
      = found[0] == '"' && !at_end ? g_strdup ("a string") : found_format (found, at_end);
  g_autofree char *instead = expected_format (expected, groups, G_N_ELEMENTS (groups), 0);
  g_autofree char *hint = syntax_hint (parser, range, found, expected);
  rsp_error (parser->diagnostics, span, hint, "found %s, expected %s", what, instead);
}

char *rsp_cat_word_hint (const char *name) {
  return strlen (name) > 3 ? rsp_cat_scan_statement_hint (name) : NULL;
}

void rsp_cat_too_deep (CatParser *parser, TokenRange range) {
  parser->too_deep = TRUE;
  rsp_error (parser->diagnostics, rsp_cat_scan_span (&parser->scan, range), NULL,
             "this is nested too deeply: the limit is %d levels", CAT_MAX_DEPTH);
}
