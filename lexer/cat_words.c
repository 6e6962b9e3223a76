/* Keywords of models, and the head of a model. */
#include "base/base.h"
#include "lexer/cat.h"

#include <string.h>

/* The words of cat: where each is a keyword, what the head of a file contains, and hints about
 * characters that begin no token. */

typedef enum Where { ANYWHERE, OPERAND, AXIOM, STRING, CONDITION, CLASS } Where;

static const struct {
  const char *word;
  int token;
  gboolean statement;
  Where where;
} words[] = {
#define WORD(word, token, statement, where) { word, CAT_TOKEN_##token, statement, where },
#include "lexer/cat_words.def"
};

static const char *const options[]
    = { "withco",    "withoutco",        "withinit", "withoutinit", "withsc",
        "withoutsc", "withwidebarriers", "catdep",   NULL };

RspSpan rsp_cat_scan_span (const CatScan *scan, TokenRange range) {
  return (RspSpan){ .source = scan->source, .begin = range.begin, .end = range.end };
}

/* NULL-terminated, free with g_free. */
static const char **statement_words (void) {
  const char **list = g_new0 (const char *, G_N_ELEMENTS (words) + 1);
  guint n = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (words[i].statement)
      list[n++] = words[i].word;
  return list;
}

gboolean rsp_cat_scan_is_reserved (const char *word) {
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (words[i].word, word) == 0)
      return words[i].where == ANYWHERE;
  return FALSE;
}

/* Words that users may expect in the language, and what to write instead. */
static const struct {
  const char *word, *hint;
} strange_words[] = {
  { "undefined_if", "`undefined_unless` takes the check that a defined program passes: for "
                    "`undefined_if ~empty r` write `undefined_unless empty r`" },
  { "warn_if", "`warn_unless` takes the check that must pass: for `warn_if ~empty s` write "
               "`warn_unless empty s`" },
  { "axiom", "an axiom is written `acyclic r as NAME`" },
  { "def", "a definition begins with `let`" },
};

char *rsp_cat_scan_statement_hint (const char *word) {
  for (gsize i = 0; i < G_N_ELEMENTS (strange_words); i++)
    if (strcmp (strange_words[i].word, word) == 0)
      return g_strdup (strange_words[i].hint);
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (words[i].word, word) == 0)
      return words[i].where == AXIOM   ? g_strdup_printf ("`%s` comes before `acyclic`, "
                                                            "`irreflexive` or `empty`",
                                                          word)
             : words[i].where == CLASS ? g_strdup_printf ("write `%s R[{'a, 'b}]`", word)
                                       : NULL;
  g_autofree const char **statements = statement_words ();
  return rsp_did_you_mean (word, statements);
}

/* ---- Looking ahead in the text ---- */
static char byte_at (const CatScan *scan, guint offset) {
  return offset < scan->source->length ? scan->source->text[offset] : '\0';
}

static gboolean starts_with (const CatScan *scan, guint offset, const char *prefix) {
  for (gsize i = 0; prefix[i]; i++)
    if (byte_at (scan, offset + (guint) i) != prefix[i])
      return FALSE;
  return TRUE;
}

/* The offset of the next byte that is neither blank nor in a comment. */
static guint skip_blank (const CatScan *scan, guint offset) {
  for (;;)
    if (g_ascii_isspace (byte_at (scan, offset)) || byte_at (scan, offset) == '\v')
      offset++;
    else if (starts_with (scan, offset, "(*")) {
      guint depth = 0;
      do
        if (starts_with (scan, offset, "(*"))
          depth++, offset += 2;
        else if (starts_with (scan, offset, "*)"))
          depth--, offset += 2;
        else
          offset++;
      while (depth && offset < scan->source->length);
    } else if (byte_at (scan, offset) == '#' || starts_with (scan, offset, "//")) {
      while (offset < scan->source->length && byte_at (scan, offset) != '\n')
        offset++;
    } else
      return offset;
}

/* The end of a word of letters, digits and others. */
static guint skip_word (const CatScan *scan, guint offset, const char *others) {
  for (char c; (c = byte_at (scan, offset)) && (g_ascii_isalnum (c) || strchr (others, c));)
    offset++;
  return offset;
}

static guint skip_name (const CatScan *scan, guint offset) {
  return skip_word (scan, offset, "_.'-");
}

static gboolean word_is (const CatScan *scan, TokenRange range, const char *word) {
  return strlen (word) == range.end - range.begin && starts_with (scan, range.begin, word);
}

gboolean rsp_cat_scan_axiom_follows (const CatScan *scan, guint offset) {
  TokenRange word = { .begin = skip_blank (scan, offset) };
  word.end = skip_name (scan, word.begin);
  return word_is (scan, word, "empty") || word_is (scan, word, "acyclic")
         || word_is (scan, word, "irreflexive");
}

/* ---- Keywords ---- */
/* At the start of a condition, or before a string (perhaps after brackets) that makes it one. */
static gboolean in_condition (const CatScan *scan, guint offset) {
  if (scan->previous == CAT_TOKEN_IF || scan->previous == CAT_TOKEN_CONJUNCTION
      || scan->previous == CAT_TOKEN_ALTERNATIVE || scan->previous == CAT_TOKEN_NOT)
    return TRUE;
  do
    offset = skip_blank (scan, offset);
  while (byte_at (scan, offset) == '(' && offset++ < scan->source->length);
  return byte_at (scan, offset) == '"' || starts_with (scan, offset, "variant \"");
}

static gboolean applies (const CatScan *scan, Where where, guint end) {
  switch (where) {
  case OPERAND: {
    switch (scan->previous) {
    case CAT_TOKEN_NAME:
    case CAT_TOKEN_TAG:
    case CAT_TOKEN_ZERO:
    case CAT_TOKEN_UNDERSCORE:
    case CAT_TOKEN_END:
    case CAT_TOKEN_INVERSE:
    case CAT_TOKEN_SQUARE:
    case CAT_TOKEN_PLUS:
    case CAT_TOKEN_STAR:
    case CAT_TOKEN_CLOSURE:
    case CAT_TOKEN_OPTIONAL:
    case ')':
    case ']':
    case '}':
      return TRUE;
    default:
      return FALSE;
    }
  }
  case AXIOM: {
    guint offset = skip_blank (scan, end);
    if (byte_at (scan, offset) == '~' || byte_at (scan, offset) == '!')
      offset++;
    return rsp_cat_scan_axiom_follows (scan, offset);
  }
  case STRING:
    return byte_at (scan, skip_blank (scan, end)) == '"';
  case CONDITION:
    return in_condition (scan, end);
  case CLASS: {
    guint offset = skip_blank (scan, end);
    return g_ascii_isalpha (byte_at (scan, offset))
           && byte_at (scan, skip_blank (scan, skip_name (scan, offset))) == '[';
  }
  default:
    return TRUE;
  }
}

int rsp_cat_scan_word (const CatScan *scan, TokenRange range) {
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (word_is (scan, range, words[i].word))
      return applies (scan, words[i].where, range.end) ? words[i].token : CAT_TOKEN_NAME;
  return CAT_TOKEN_NAME;
}

/* ---- The head ---- */
/* The word at offset; empty if there is none. */
static TokenRange head_word (const CatScan *scan, guint offset) {
  return (TokenRange){ offset, skip_word (scan, offset, "_.+:-") };
}

static gboolean is_option (const CatScan *scan, TokenRange word) {
  for (guint i = 0; options[i]; i++)
    if (word_is (scan, word, options[i]))
      return TRUE;
  return FALSE;
}

static gboolean is_keyword (const CatScan *scan, TokenRange word) {
  TokenRange name = { word.begin, skip_name (scan, word.begin) };
  return rsp_cat_scan_word (scan, name) != CAT_TOKEN_NAME;
}

/* The end of the name whose first word is given: the last word of the line before a keyword, an
 * option, a comment or a string. 0 if the line cannot be a name, or if its first word looks like a
 * misspelt keyword, which makes it a faulty statement. */
static guint name_end (const CatScan *scan, TokenRange first) {
  guint end = first.end, n_words = 1;
  TokenRange next = first;
  for (;;) {
    guint offset = next.end;
    while (byte_at (scan, offset) == ' ' || byte_at (scan, offset) == '\t')
      offset++;
    next = head_word (scan, offset);
    if (next.begin == next.end || is_option (scan, next) || is_keyword (scan, next))
      break;
    end = next.end;
    n_words++;
  }
  char c = byte_at (scan, next.begin);
  gboolean stops = c == '\0' || c == '\n' || c == '\r' || c == '#' || c == '"'
                   || starts_with (scan, next.begin, "(*") || starts_with (scan, next.begin, "//")
                   || next.begin < next.end;
  g_autofree char *word = g_strndup (scan->source->text + first.begin, first.end - first.begin);
  g_autofree const char **statements = statement_words ();
  gboolean misspelled = (n_words > 1 || c == '"') && rsp_nearest (word, statements);
  return stops && !misspelled ? end : 0;
}

/* Reports a word of the head that is neither name, option nor keyword. */
static void report_invalid_head (const CatScan *scan, TokenRange word) {
  RspSpan span = rsp_cat_scan_span (scan, word);
  g_autofree char *text = g_strndup (scan->source->text + word.begin, word.end - word.begin);
  if (g_str_has_prefix (text, "with")) {
    g_autofree char *hint = rsp_did_you_mean (text, options);
    rsp_error (scan->diagnostics, span, hint, "found `%s`, which is not an option", text);
    return;
  }
  g_autofree char *hint = rsp_cat_scan_statement_hint (text);
  gboolean defines = byte_at (scan, skip_blank (scan, word.end)) == '=';
  rsp_error (scan->diagnostics, span,
             hint      ? hint
             : defines ? "a definition begins with `let`"
                       : NULL,
             "found `%s`, expected a statement", text);
}

CatHead rsp_cat_scan_head (const CatScan *scan, TokenRange *range) {
  TokenRange word = head_word (scan, range->begin);
  *range = word;
  if (is_option (scan, word))
    return CAT_HEAD_OPTION;
  if (is_keyword (scan, word))
    return CAT_HEAD_STATEMENT;
  gboolean option = starts_with (scan, word.begin, "with");
  guint end = scan->named || option ? 0 : name_end (scan, word);
  if (end == 0) {
    report_invalid_head (scan, word);
    return CAT_HEAD_NOTHING;
  }
  range->end = end;
  return CAT_HEAD_NAME;
}

/* ---- Characters that begin no token ---- */
static const struct {
  const char *text, *hint;
} meanings[] = {
  { "-", "difference is written `\\`" },
  { "/", "difference is written `\\`" },
  { "^", "write `^-1` for the inverse, `^2` for the square" },
  { "'", "a tag is written `'name`" },
  { "∪", "union is written `|`" },
  { "∩", "intersection is written `&`" },
  { "∖", "difference is written `\\`" },
  { "∘", "composition is written `;`" },
  { "×", "the product of two sets is written `*`" },
  { "¬", "complement is written `~`" },
  { "∅", "the empty set is written `0`" },
  { "⁻", "the inverse is written `^-1`" },
  { "⁺", "transitive closure is written `+`" },
  { "→", "write `->`" },
  { "“", "strings are written in plain double quotes" },
};

void rsp_cat_scan_invalid_character (const CatScan *scan, guint offset) {
  guchar c = (guchar) byte_at (scan, offset);
  if (g_ascii_isdigit (c)) {
    TokenRange range = { offset, offset };
    while (g_ascii_isdigit (byte_at (scan, range.end)))
      range.end++;
    rsp_error (scan->diagnostics, rsp_cat_scan_span (scan, range),
               "the only number is `0`, the empty set or relation",
               "found the number `%.*s`, which is not an expression",
               (int) MIN (range.end - offset, 40), scan->source->text + offset);
    return;
  }
  const char *text = scan->source->text + offset;
  gunichar unicode = g_utf8_get_char_validated (text, (gssize) (scan->source->length - offset));
  gboolean valid = unicode < 0x80000000u && g_unichar_isprint (unicode);
  guint length = valid ? (guint) g_unichar_to_utf8 (unicode, NULL) : 1;
  RspSpan span = rsp_cat_scan_span (scan, (TokenRange){ offset, offset + length });
  const char *hint = NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (meanings); i++)
    if (starts_with (scan, offset, meanings[i].text))
      hint = meanings[i].hint;
  if (valid)
    rsp_error (scan->diagnostics, span, hint,
               "found the character `%.*s`, which is not part of cat", (int) length, text);
  else
    rsp_error (scan->diagnostics, span, hint, "found the byte 0x%02x, which is not part of cat", c);
}
