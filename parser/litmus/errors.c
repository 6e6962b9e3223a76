/* Messages of syntax errors: "found …, expected …", and a hint at the likely cause. */
#include "parser/litmus/errors.h"
#include "parser/litmus/build.h"

#include "base/suggest.h"

#include <string.h>

/* Without NULL, `[` opens only a postfix operator or an array's size; a group of places needs `a
 * number` too. */
static const TokenGroup groups[] = {
  { { "a doc string" }, 0, "the initial state (`{ … }`)", { "a doc string", "{" } },
  { { "if" }, 0, "a statement", { "if",     ";",        "while",  "do",      "for",
                                  "break",  "continue", "return", "barrier", "work_group_barrier",
                                  "a type", "_Atomic",  "{",      "a name",  "a number",
                                  "(",      "*",        "&",      "+",       "-",
                                  "~",      "!",        "++",     "--",      "true",
                                  "false",  "NULL" } },
  { { "!" },
    0,
    "an expression",
    { "!", "a name", "a number", "(", "*", "&", "+", "-", "~", "++", "--", "true", "false",
      "NULL" } },
  { { "/" }, 0, "an operator", { "/",  "(",  "*",  "&",  "+",  "-",  "%",  "|",  "^",
                                 "<",  ">",  "?",  "[",  "=",  "+=", "++", "--", "==",
                                 "!=", "<=", ">=", "<<", ">>", "&&", "||" } },
  { { "!=" }, 0, "`=`", { "!=", "==", "=" } },
  { { "forall" },
    0,
    "the condition (`exists`, `~exists` or `forall`)",
    { "forall", "exists", "not", "~", "final", "observed", "(" } },
  { { "static" },
    0,
    "a thread (`P0 (…) { … }`)",
    { "static", "a name", "kernel", "a type", "_Atomic" } },
  { { "NULL" },
    0,
    "a value",
    { "NULL", "a name", "a number", "-", "&", "[", "*", "true", "false", "{" } },
  { { "true" },
    0,
    "a proposition",
    { "true", "a name", "a number", "-", "[", "*", "(", "~", "false", "not" } },
  { { "_Atomic" }, 0, "a type", { "_Atomic", "a type" } },
  { { "[", "a number" }, 0, "a location or register", { "[", "*", "a name", "a number" } },
};

enum {
  N_SHOWN = 6 /* limit of expected things in one message */
};

static guint line_of (const LitmusParser *parser, guint offset) {
  guint line, column;
  rsp_source_position (parser->source, offset, &line, &column);
  return line;
}

/* After a thread's name also `:` may follow, of `regions:`, which nobody means. */
static Expected without_regions (Expected expected, const char **names) {
  guint n = 0;
  gboolean thread = expects (expected, "'('") && expects (expected, "'@'");
  for (guint i = 0; i < expected.n; i++)
    if (!thread || !g_str_equal (expected.names[i], "':'"))
      names[n++] = expected.names[i];
  return (Expected){ names, n };
}

/* A misspelt keyword outside bodies is taken for a name, and the error comes later. This looks at
 * the last name that began a line. */
static char *misspelt_section (const LitmusParser *parser) {
  static const char *const sections[]
      = { "exists", "forall", "filter", "locations", "scopeTree", NULL };
  const LitmusScan *scan = &parser->scan;
  TokenRange word = scan->line_word;
  g_autofree char *text = g_strndup (parser->source->text + word.begin, word.end - word.begin);
  const char *nearest = rsp_nearest (text, sections);
  if (!nearest || strcmp (nearest, text) == 0)
    return NULL;
  return g_strdup_printf ("is `%s` on line %u meant to be `%s`?", text,
                          line_of (parser, word.begin), nearest);
}

/* Is a `;` missing at the end of the line before? Not where a statement was expected, which may be
 * an empty one. */
static char *missing_semicolon (const LitmusParser *parser, TokenRange range, Expected expected) {
  const LitmusScan *scan = &parser->scan;
  guint before = line_of (parser, MAX (scan->previous_end, 1) - 1);
  if (!expects (expected, "';'") || expects (expected, "if"))
    return NULL;
  if (before < line_of (parser, range.begin))
    return g_strdup_printf ("is a `;` missing at the end of line %u?", before);
  return parser->source->text[range.begin] == '}' ? g_strdup ("is a `;` missing before the `}`?")
                                                  : NULL;
}

/* What probably went wrong: newly allocated, or NULL. */
static char *guess_cause (const LitmusParser *parser, TokenRange range, gboolean at_end,
                          const char *found, Expected expected) {
  const LitmusScan *scan = &parser->scan;
  gboolean in_body = rsp_litmus_scan_in_body (scan), in_initial = rsp_litmus_scan_in_initial (scan);
  if ((in_body || in_initial) && scan->stray)
    return g_strdup_printf ("is a `}` missing before line %u?", line_of (parser, scan->stray));
  if (at_end && (in_body || in_initial))
    return g_strdup_printf ("the `{` on line %u is never closed", line_of (parser, scan->brace));
  char *hint = at_end ? NULL : expected_near (expected, found);
  /* The `}` that was found may have closed the body already. */
  gboolean closes = !at_end && !in_initial && strcmp (found, "}") == 0;
  if (!hint && (in_body || closes) && !at_end)
    hint = missing_semicolon (parser, range, expected);
  if (!hint && !in_body && !in_initial)
    hint = misspelt_section (parser);
  return hint;
}

void litmus_syntax_error (LitmusParser *parser, TokenRange range, gboolean at_end,
                          Expected expected) {
  g_autofree const char **names = g_new (const char *, expected.n + 1);
  g_autofree char *alternatives
      = expected_format (without_regions (expected, names), groups, G_N_ELEMENTS (groups), N_SHOWN);
  if (at_end)
    range.begin = range.end = parser->scan.last_end;
  gsize length = range.end - range.begin;
  g_autofree char *text = g_strndup (parser->source->text + range.begin, length);
  g_autofree char *hint = guess_cause (parser, range, at_end, text, expected);
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

void litmus_too_deep (LitmusParser *parser, TokenRange range) {
  rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
             "this is nested too deeply for a litmus test");
}
