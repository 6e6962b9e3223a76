/* Syntax errors of all languages: what was found and expected, and the likely mistake. */
#include "base/base.h"
#include "parser/errors.h"

#include <string.h>

/* ---- Expected ------------------------------------------------------------------------------- */

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

/* Does the text before what was found end like this? */
static gboolean is_after (const SyntaxError *error, const char *end) {
  guint at = error->range.begin;
  while (at && g_ascii_isspace (error->source->text[at - 1]))
    at--;
  gsize length = strlen (end);
  return at >= length && strncmp (error->source->text + at - length, end, length) == 0;
}

static void take_group (GPtrArray *names, const TokenGroup *group, const SyntaxError *error,
                        GPtrArray *phrases) {
  guint n = 0, at;
  for (guint i = 0; i < G_N_ELEMENTS (group->members) && group->members[i]; i++)
    n += has (names, group->members[i]);
  if (n < MAX (group->least, 1) || !has (names, group->keys[0]) || !has (names, group->keys[1])
      || (group->alone && n != names->len) || (group->after && !is_after (error, group->after)))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (group->members) && group->members[i]; i++)
    if (g_ptr_array_find_with_equal_func (names, group->members[i], g_str_equal, &at))
      g_ptr_array_remove_index (names, at);
  if (group->phrase)
    g_ptr_array_add (phrases, g_strdup (group->phrase));
}

/* "an operator, `)` or a name"; NULL: that would be too long. */
static char *list_expected (const SyntaxLanguage *language, const SyntaxError *error) {
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *phrases = g_ptr_array_new ();
  for (guint i = 0; i < error->expected.n; i++)
    g_ptr_array_add (names, without_quotes (error->expected.names[i]));
  for (guint i = 0; i < language->n_groups; i++)
    take_group (names, &language->groups[i], error, phrases);
  g_ptr_array_extend_and_steal (names, phrases);
  guint n = language->most ? MIN (names->len, language->most) : names->len;
  if (n < names->len && language->all_or_nothing)
    return NULL;
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < n; i++) {
    const char *name = names->pdata[i];
    /* Signs and words are quoted, kinds of tokens and phrases are not. */
    gboolean phrase = strchr (name, ' ') || (name[0] == '`' && name[1]);
    g_string_append (out, i == 0 ? "" : i + 1 == n ? " or " : ", ");
    g_string_append_printf (out, phrase ? "%s" : "`%s`", name);
  }
  return g_string_free (out, FALSE);
}

/* ---- Hints ---------------------------------------------------------------------------------- */

static gboolean is_letter (char c) { return g_ascii_isalpha (c) || c == '_'; }

static guint line_of (const SyntaxError *error, guint offset) {
  guint line, column;
  rsp_source_position (error->source, offset, &line, &column);
  return line;
}

static const SyntaxSlip *find_slip (const SyntaxLanguage *language, const SyntaxError *error) {
  for (guint i = 0; i < language->n_slips; i++) {
    const SyntaxSlip *slip = &language->slips[i];
    if ((g_str_equal (slip->found, error->found) || g_str_equal (slip->found, error->word_before))
        && (!slip->expected || expects (error->expected, slip->expected)))
      return slip;
  }
  return NULL;
}

/* A misspelt keyword that begins a section is taken for a name, and the error comes later. This
 * looks at the last word that begins a line. */
static char *misspelt_section (const SyntaxLanguage *language, const SyntaxError *error) {
  if (!language->sections)
    return NULL;
  for (guint line = line_of (error, error->range.begin); line; line--) {
    const char *begin = error->source->text + error->source->lines[line - 1], *end;
    begin += strspn (begin, " \t~");
    for (end = begin; is_letter (*end) || g_ascii_isdigit (*end);)
      end++;
    if (!is_letter (*begin))
      continue;
    g_autofree char *word = g_strndup (begin, (gsize) (end - begin));
    const char *nearest = rsp_nearest (word, language->sections);
    return nearest && strcmp (nearest, word) != 0
               ? g_strdup_printf ("is `%s` on line %u meant to be `%s`?", word, line, nearest)
               : NULL;
  }
  return NULL;
}

/* Not where a statement was expected, which may be empty; in a list, the `]` is missing. */
static char *missing_semicolon (const SyntaxError *error) {
  guint before = line_of (error, MAX (error->previous_end, 1) - 1);
  if (!expects (error->expected, "';'") || expects (error->expected, "if")
      || expects (error->expected, "']'") || expects (error->expected, "the end of the file"))
    return NULL;
  if (before < line_of (error, error->range.begin))
    return g_strdup_printf ("is a `;` missing at the end of line %u?", before);
  return error->found[0] == '}' ? g_strdup ("is a `;` missing before the `}`?") : NULL;
}

/* What probably went wrong: newly allocated, or NULL. */
static char *find_hint (const SyntaxLanguage *language, gconstpointer parser,
                        const SyntaxError *error) {
  char *hint = language->guess_first ? language->guess_first (parser, error) : NULL;
  if (!hint && !error->at_end) {
    /* An expected keyword of which what was found may be a misspelling. */
    g_autoptr (GPtrArray) words = g_ptr_array_new ();
    for (guint i = 0; i < error->expected.n; i++)
      if (g_ascii_isalpha (error->expected.names[i][0]) && !strchr (error->expected.names[i], ' '))
        g_ptr_array_add (words, (gpointer) error->expected.names[i]);
    g_ptr_array_add (words, NULL);
    hint = rsp_did_you_mean (error->found, (const char *const *) words->pdata);
  }
  if (!hint && !error->at_end)
    hint = missing_semicolon (error);
  if (!hint)
    hint = misspelt_section (language, error);
  if (!hint && language->guess_last)
    hint = language->guess_last (parser, error);
  return hint;
}

/* ---- Report --------------------------------------------------------------------------------- */

/* "`x`", "the end of the file". Newly allocated. */
static char *describe_found (const SyntaxError *error, const char *whole) {
  const char *text = error->found;
  if (error->at_end)
    return error->range.begin == 0 ? g_strdup ("an empty file")
                                   : g_strdup_printf ("the end of the %s", whole);
  return text[0] == '\n'                             ? g_strdup ("the end of the line")
         : text[0] == '"'                            ? g_strdup ("a string")
         : strlen (text) > 40 || strchr (text, '\n') ? g_strdup ("this")
                                                     : g_strdup_printf ("`%s`", text);
}

/* The word that ends before the offset, but for blanks; "": there is none. */
static char *word_before (const RspSource *source, guint offset) {
  while (offset && g_ascii_isspace (source->text[offset - 1]))
    offset--;
  guint end = offset;
  while (offset
         && (is_letter (source->text[offset - 1]) || g_ascii_isdigit (source->text[offset - 1])))
    offset--;
  return g_strndup (source->text + offset, end - offset);
}

void syntax_error (const SyntaxLanguage *language, gconstpointer parser,
                   RspDiagnostics *diagnostics, const char *whole, SyntaxError error) {
  RspSource *source = error.source;
  RspSpan span = { source, error.range.begin, error.range.end };
  g_autofree char *found = g_strndup (source->text + span.begin, span.end - span.begin);
  g_autofree char *before = word_before (source, span.begin);
  g_autofree const char **names = g_new (const char *, error.expected.n + 1);
  /* Leaves out what texts of the language never have. */
  Expected *expected = &error.expected;
  guint n = 0;
  for (guint i = 0; i < expected->n; i++)
    if (!language->never || !g_strv_contains (language->never, expected->names[i]))
      names[n++] = expected->names[i];
  *expected = (Expected){ names, n };
  error.found = found;
  error.word_before = before;
  const SyntaxSlip *slip = error.at_end ? NULL : find_slip (language, &error);
  if (slip && slip->construct) {
    rsp_error (diagnostics, span, slip->hint, "found %s, which %s cannot use here", slip->construct,
               language->texts);
    return;
  }
  g_autofree char *hint = slip ? g_strdup (slip->hint) : find_hint (language, parser, &error);
  g_autofree char *described = describe_found (&error, whole),
                  *list = list_expected (language, &error);
  if (list)
    rsp_error (diagnostics, span, hint, "found %s, expected %s", described, list);
  else
    rsp_error (diagnostics, span, hint, "unexpected %s",
               described + (g_str_has_prefix (described, "the ") ? strlen ("the ") : 0));
}
