/* Messages of syntax errors: "found …, expected …", and a hint at the likely cause. */
#include "parser/litmus/errors.h"
#include "parser/litmus/build.h"

#include "base/suggest.h"

#include <string.h>

/* Groups of tokens. If `key` is expected, the phrase replaces it and the members. */
static const struct
{
  const char *key, *phrase;
  const char *members[28];
} groups[] = {
  { "a doc string", "the initial state (`{ … }`)", { "'{'" } },
  { "if", "a statement", { "';'",     "while",  "do",      "for", "break",  "continue", "return",
                           "barrier", "a type", "_Atomic", "'{'", "a name", "a number", "'('",
                           "'*'",     "'&'",    "'+'",     "'-'", "'~'",    "'!'",      "++",
                           "--",      "true",   "false",   "NULL" } },
  { "'!'",
    "an expression",
    { "a name", "a number", "'('", "'*'", "'&'", "'+'", "'-'", "'~'", "++", "--", "true", "false",
      "NULL" } },
  { "'/'", "an operator", { "'('", "'*'", "'&'", "'+'", "'-'", "'%'", "'|'", "'^'",
                            "'<'", "'>'", "'?'", "'['", "'='", "+=",  "++",  "--",
                            "==",  "!=",  "<=",  ">=",  "<<",  ">>",  "&&",  "||" } },
  { "!=", "`=`", { "==", "'='" } },
  { "forall", "the condition (`exists`, `~exists` or `forall`)", { "exists", "not", "'~'" } },
  { "static", "a thread (`P0 (…) { … }`)", { "a name", "kernel", "a type", "_Atomic" } },
  { "NULL",
    "a value",
    { "a name", "a number", "'-'", "'&'", "'['", "'*'", "true", "false", "'{'" } },
  { "true",
    "a proposition",
    { "a name", "a number", "'-'", "'['", "'*'", "'('", "'~'", "false", "not" } },
  { "_Atomic", "a type", { "a type" } },
  { "'['", "a location or register", { "'*'", "a name", "a number" } },
};

enum
{
  N_SHOWN = 6 /* limit of expected things in one message */
};

static gboolean
take (GPtrArray *names, const char *name)
{
  for (guint i = 0; i < names->len; i++)
    if (strcmp (names->pdata[i], name) == 0)
      {
        g_ptr_array_remove_index (names, i);
        return TRUE;
      }
  return FALSE;
}

/* Moves the groups among names to phrases. Without NULL, `[` opens only a postfix operator or an
 * array's size; a group of places needs `a number` too. */
static void
collapse (GPtrArray *names, GPtrArray *phrases)
{
  for (gsize i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      gboolean places = strcmp (groups[i].key, "'['") == 0;
      if (places && !g_ptr_array_find_with_equal_func (names, "a number", g_str_equal, NULL))
        continue;
      if (!take (names, groups[i].key))
        continue;
      for (gsize k = 0; groups[i].members[k]; k++)
        take (names, groups[i].members[k]);
      g_ptr_array_add (phrases, (gpointer) groups[i].phrase);
    }
}

/* A token as messages name it: punctuation and words between backquotes, kinds as they are. */
static char *
token_phrase (const char *name)
{
  gsize length = strlen (name);
  if (length == 3 && name[0] == '\'')
    return g_strdup_printf ("`%c`", name[1]);
  if (strchr (name, ' ') || name[0] == '`')
    return g_strdup (name);
  return g_strdup_printf ("`%s`", name);
}

/* "a, b or c" */
static char *
join_alternatives (GPtrArray *names, GPtrArray *phrases)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < names->len; i++)
    g_ptr_array_add (all, token_phrase (names->pdata[i]));
  for (guint i = 0; i < phrases->len; i++)
    g_ptr_array_add (all, g_strdup (phrases->pdata[i]));
  GString *text = g_string_new (NULL);
  guint n = MIN (all->len, N_SHOWN);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s",
                            i == 0       ? ""
                            : i + 1 == n ? " or "
                                         : ", ",
                            (char *) all->pdata[i]);
  return g_string_free (text, FALSE);
}

static guint
line_of (const LitmusParser *parser, guint offset)
{
  guint line, column;
  rsp_source_position (parser->source, offset, &line, &column);
  return line;
}

/* Words among the expected tokens that the found one may be a misspelling of. */
static char *
near_keyword (const char *found, const char *const *expected, guint n_expected)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  for (guint i = 0; i < n_expected; i++)
    if (g_ascii_isalpha (expected[i][0]) && !strchr (expected[i], ' '))
      g_ptr_array_add (words, (gpointer) expected[i]);
  g_ptr_array_add (words, NULL);
  return rsp_did_you_mean (found, (const char *const *) words->pdata);
}

/* A misspelt keyword outside bodies is taken for a name, and the error comes later. This looks at
 * the last name that began a line. */
static char *
misspelt_section (const LitmusParser *parser)
{
  static const char *const sections[]
      = { "exists", "forall", "filter", "locations", "scopeTree", NULL };
  const LitmusScan *scan = &parser->scan;
  LitmusRange word = scan->line_word;
  g_autofree char *text = g_strndup (parser->source->text + word.begin, word.end - word.begin);
  if (g_str_equal (text, "regions"))
    return g_strdup ("`regions` gives locations the properties of Bell models; here a location's "
                     "memory is in the type of the parameter: `local atomic_int* x`");
  const char *nearest = rsp_nearest (text, sections);
  if (!nearest || strcmp (nearest, text) == 0)
    return NULL;
  return g_strdup_printf ("is `%s` on line %u meant to be `%s`?", text,
                          line_of (parser, word.begin), nearest);
}

/* Is a `;` missing at the end of the line before? Not where a statement was expected, which may be
 * an empty one. */
static char *
missing_semicolon (const LitmusParser *parser, LitmusRange range, const char *const *expected,
                   guint n_expected)
{
  const LitmusScan *scan = &parser->scan;
  gboolean semicolon = FALSE, statement = FALSE;
  for (guint i = 0; i < n_expected; i++)
    {
      semicolon |= strcmp (expected[i], "';'") == 0;
      statement |= strcmp (expected[i], "if") == 0;
    }
  guint before = line_of (parser, MAX (scan->previous_end, 1) - 1);
  if (!semicolon || statement)
    return NULL;
  if (before < line_of (parser, range.begin))
    return g_strdup_printf ("is a `;` missing at the end of line %u?", before);
  return parser->source->text[range.begin] == '}' ? g_strdup ("is a `;` missing before the `}`?")
                                                  : NULL;
}

/* What probably went wrong: newly allocated, or NULL. */
static char *
guess_cause (const LitmusParser *parser, LitmusRange range, gboolean at_end, const char *found,
             const char *const *expected, guint n_expected)
{
  const LitmusScan *scan = &parser->scan;
  gboolean in_body = rsp_litmus_scan_in_body (scan), in_initial = rsp_litmus_scan_in_initial (scan);
  if ((in_body || in_initial) && scan->stray)
    return g_strdup_printf ("is a `}` missing before line %u?", line_of (parser, scan->stray));
  if (at_end && (in_body || in_initial))
    return g_strdup_printf ("the `{` on line %u is never closed", line_of (parser, scan->brace));
  char *hint = at_end ? NULL : near_keyword (found, expected, n_expected);
  /* The `}` that was found may have closed the body already. */
  gboolean closes = !at_end && !in_initial && strcmp (found, "}") == 0;
  if (!hint && (in_body || closes) && !at_end)
    hint = missing_semicolon (parser, range, expected, n_expected);
  if (!hint && !in_body && !in_initial)
    hint = misspelt_section (parser);
  return hint;
}

void
litmus_syntax_error (LitmusParser *parser, LitmusRange range, gboolean at_end,
                     const char *const *expected, guint n_expected)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new (), phrases = g_ptr_array_new ();
  for (guint i = 0; i < n_expected; i++)
    g_ptr_array_add (names, (gpointer) expected[i]);
  collapse (names, phrases);
  g_autofree char *alternatives = join_alternatives (names, phrases);
  if (at_end)
    range.begin = range.end = parser->scan.last_end;
  gsize length = range.end - range.begin;
  g_autofree char *text = g_strndup (parser->source->text + range.begin, length);
  g_autofree char *hint = guess_cause (parser, range, at_end, text, expected, n_expected);
  gboolean empty = at_end && range.begin == 0;
  gboolean only_question = at_end && parser->only_question;
  g_autofree char *found = only_question     ? g_strdup ("the end of the condition")
                           : empty           ? g_strdup ("an empty file")
                           : at_end          ? g_strdup ("the end of the file")
                           : text[0] == '\n' ? g_strdup ("the end of the line")
                           : length > 40 || strchr (text, '\n') ? g_strdup ("this")
                                                                : g_strdup_printf ("`%s`", text);
  rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), hint, "found %s, expected %s",
             found, alternatives);
}

void
litmus_too_deep (LitmusParser *parser, LitmusRange range)
{
  rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
             "this is nested too deeply for a litmus test");
}
