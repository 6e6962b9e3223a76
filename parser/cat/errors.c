/* Syntax errors in models. */
#include "parser/cat/errors.h"
#include "base/suggest.h"
#include "lexer/cat_words.h"

#include <string.h>

/* Groups of tokens: if one of them is expected, the phrase stands for the whole group. */
typedef struct Group
{
  const char *signs[2]; /* tokens' display names */
  const char *word;
  const char *members[25];
} Group;

/* The order matters: operands that may follow an operator's left side are arguments of a function,
 * which would not help as a hint. */
static const Group groups[] = {
  { { "|", "^2" }, "an operator", { "|", "++", ";",   "\\", "&",      "*",     "^*",
                                    "+", "?",  "^-1", "^2", "a name", "a tag", "0",
                                    "_", "(",  "[",   "{",  "begin",  "from" } },
  { { "[", "~" },
    "an expression",
    { "a name", "a tag", "0", "_", "~", "(", "[", "{", "begin", "let", "fun", "if", "match", "try",
      "from" } },
  { { "include", "let" },
    "a statement",
    { "let",
      "acyclic",
      "irreflexive",
      "empty",
      "undefined_unless",
      "warn_unless",
      "flag",
      "assert",
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
      "when",
      "the end of the file",
      "a name of the model",
      "an option" } },
  { { "acyclic", "empty" },
    "an axiom",
    { "acyclic", "irreflexive", "empty", "~ before an axiom" } },
  { { "_", "{" }, "a clause", { "_", "{", "0", "a tag", "a name", "from", "||" } },
  { { "a name", "from" }, "a name", { "a name", "from", "a string" } },
};

static gboolean
has (GPtrArray *names, const char *name)
{
  for (guint i = 0; i < names->len; i++)
    if (strcmp (names->pdata[i], name) == 0)
      return TRUE;
  return FALSE;
}

static void
drop (GPtrArray *names, const char *name)
{
  for (guint i = names->len; i-- > 0;)
    if (strcmp (names->pdata[i], name) == 0)
      g_ptr_array_remove_index (names, i);
}

/* Does the display name describe a kind of token rather than its text? */
static gboolean
is_kind (const char *name)
{
  return g_str_has_prefix (name, "a ") || g_str_has_prefix (name, "an ")
         || g_str_has_prefix (name, "the ");
}

static void
append_name (GString *out, const char *name)
{
  if (is_kind (name))
    g_string_append (out, name);
  else
    g_string_append_printf (out, "`%s`", name);
}

/* "an operator, `)` or `,`" */
static char *
append_expected (RspArena *arena, const char *const *expected, guint n_expected)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < n_expected; i++)
    if (expected[i][0] == '\'' && expected[i][1] && expected[i][2] == '\'')
      g_ptr_array_add (names, rsp_arena_strndup (arena, expected[i] + 1, 1));
    else
      g_ptr_array_add (names, (gpointer) expected[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (groups); i++)
    if (has (names, groups[i].signs[0]) && has (names, groups[i].signs[1]))
      {
        for (guint j = 0; j < G_N_ELEMENTS (groups[i].members) && groups[i].members[j]; j++)
          drop (names, groups[i].members[j]);
        g_ptr_array_add (names, (gpointer) groups[i].word);
      }
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < names->len; i++)
    {
      if (i)
        g_string_append (out, i + 1 == names->len ? " or " : ", ");
      append_name (out, names->pdata[i]);
    }
  return g_string_free (out, FALSE);
}

/* If a bracket is open and what was found cannot be inside it, the bracket is the likely
 * mistake. */
static char *
open_bracket_hint (const CatParser *parser, guint offset)
{
  const GArray *brackets = parser->scan.brackets;
  for (guint i = brackets->len; i-- > 0;)
    {
      guint open = g_array_index (brackets, guint, i), line, column;
      if (open >= offset)
        continue;
      rsp_source_position (parser->scan.source, open, &line, &column);
      return g_strdup_printf ("the `%c` at %u:%u is still open", parser->scan.source->text[open],
                              line, column);
    }
  return NULL;
}

static gboolean
expects (const char *const *expected, guint n, const char *name)
{
  for (guint i = 0; i < n; i++)
    if (strcmp (expected[i], name) == 0)
      return TRUE;
  return FALSE;
}

/* A hint for the commonest slips, or NULL. */
static char *
syntax_hint (CatParser *parser, CatRange range, const char *found, const char *const *expected,
             guint n)
{
  gboolean expression = expects (expected, n, "'['"), is_word = g_ascii_isalpha (found[0]);
  if (strcmp (found, "||") == 0 && expects (expected, n, "|"))
    return g_strdup ("union is written `|`");
  if (expects (expected, n, "||") && (strcmp (found, "->") == 0 || strcmp (found, "|") == 0))
    return g_strdup ("clauses, and the tags of an enum, are separated by `||`");
  if (strcmp (found, "&&") == 0 && expects (expected, n, "&"))
    return g_strdup ("intersection is written `&`");
  if (expects (expected, n, "')'") || expects (expected, n, "']'") || expects (expected, n, "'}'"))
    return open_bracket_hint (parser, range.begin);
  if (expects (expected, n, "include"))
    return found[0] && strchr (")]}", found[0]) ? g_strdup ("no bracket is open here")
                                                : rsp_cat_scan_statement_hint (found);
  gboolean name = expects (expected, n, "a name") && !expects (expected, n, "'{'");
  if (is_word && !expression && name && rsp_cat_scan_is_reserved (found))
    return g_strdup_printf ("`%s` is a word of the language and cannot be a name", found);
  if (is_word && n <= 3 && expects (expected, n, "a tag"))
    return g_strdup_printf ("a tag is written `'%s`", found);
  if (is_word && n == 1 && expects (expected, n, "a string"))
    return g_strdup_printf ("write `\"%s\"`", found);
  return NULL;
}

void
rsp_cat_syntax_error (CatParser *parser, CatRange range, gboolean at_end,
                      const char *const *expected, guint n_expected)
{
  RspSpan span = rsp_cat_scan_span (&parser->scan, range);
  gsize length = range.end - range.begin;
  g_autofree char *found = g_strndup (parser->scan.source->text + range.begin, length);
  g_autofree char *what = at_end            ? g_strdup ("the end of the file")
                          : found[0] == '"' ? g_strdup ("a string")
                                            : g_strdup_printf ("`%s`", found);
  g_autofree char *instead = append_expected (parser->arena, expected, n_expected);
  g_autofree char *hint = syntax_hint (parser, range, found, expected, n_expected);
  rsp_error (parser->diagnostics, span, hint, "found %s, expected %s", what, instead);
}

char *
rsp_cat_word_hint (const char *name)
{
  return strlen (name) > 3 ? rsp_cat_scan_statement_hint (name) : NULL;
}

void
rsp_cat_too_deep (CatParser *parser, CatRange range)
{
  parser->too_deep = TRUE;
  rsp_error (parser->diagnostics, rsp_cat_scan_span (&parser->scan, range), NULL,
             "this is nested too deeply: the limit is %d levels", CAT_MAX_DEPTH);
}
