/* Parts that all scanners share. */
#include "lexer/c.h"
#include "lexer/scan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Scan ----------------------------------------------------------------------------------- */

RspSpan rsp_scan_span (const TokenScan *scan, TokenRange range) {
  return (RspSpan){ scan->source, range.begin, range.end };
}

const char *rsp_scan_text (const TokenScan *scan, TokenRange range) {
  return rsp_arena_strndup (scan->arena, scan->source->text + range.begin, range.end - range.begin);
}

int rsp_scan_error (const TokenScan *scan, TokenRange range, const char *message) {
  rsp_error (scan->diagnostics, rsp_scan_span (scan, range), NULL, "%s", message);
  return TOKEN_ERROR;
}

/* ---- Litmus token --------------------------------------------------------------------------- */

/* Values of tokens, and errors for bytes that begin none. */

RspSpan litmus_scan_span (const LitmusScan *scan, TokenRange range) {
  return (RspSpan){ .source = scan->source, .begin = range.begin, .end = range.end };
}

int litmus_token (LitmusScan *scan, int kind) {
  scan->previous_end = scan->last_end;
  scan->last_end = scan->offset;
  return kind;
}

typedef struct Suffix {
  gboolean is_unsigned, is_long;
} Suffix;

/* u, l, ll in either order and case. */
static gboolean read_suffix (const char *text, Suffix *suffix) {
  static const struct {
    const char *text;
    Suffix suffix;
  } table[] = { { "", { FALSE, FALSE } },  { "u", { TRUE, FALSE } }, { "l", { FALSE, TRUE } },
                { "ll", { FALSE, TRUE } }, { "ul", { TRUE, TRUE } }, { "lu", { TRUE, TRUE } },
                { "ull", { TRUE, TRUE } }, { "llu", { TRUE, TRUE } } };
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    if (g_ascii_strcasecmp (text, table[i].text) == 0) {
      *suffix = table[i].suffix;
      return TRUE;
    }
  return FALSE;
}

int litmus_number_token (LitmusScan *scan, TokenRange range, LitmusNumber *number, int kind) {
  RspSpan span = litmus_scan_span (scan, range);
  gsize length = range.end - range.begin;
  const char *text = rsp_arena_strndup (scan->arena, scan->source->text + range.begin, length);
  const char *digits;
  /* 16, 2, 8 or 10, and where the digits begin. */
  char letter = text[0] == '0' ? g_ascii_tolower (text[1]) : '\0';
  digits = text + (letter == 'x' || letter == 'b' ? 2 : 0);
  guint base = letter == 'x' ? 16 : letter == 'b' ? 2 : text[0] == '0' ? 8 : 10;
  char *end = NULL;
  errno = 0;
  guint64 value = g_ascii_strtoull (base == 16 ? text : digits, &end, base);
  gboolean overflow = errno == ERANGE;
  Suffix suffix;
  if (*end == '.' || (base != 16 && (*end == 'e' || *end == 'E')))
    rsp_error (scan->diagnostics, span, NULL,
               "found `%.40s`, expected an integer: floating point is not modelled", text);
  else if ((digits > text && end <= digits) || !read_suffix (end, &suffix))
    rsp_error (scan->diagnostics, span, NULL, "found `%.40s`, which is not a number", text);
  else if (overflow)
    rsp_error (scan->diagnostics, span, NULL, "the number `%.40s%s` does not fit in 64 bits", text,
               length > 40 ? "…" : "");
  else {
    number->value = (gint64) value;
    /* The first of int, unsigned int, long and unsigned long that C allows for a literal and that
     * holds its value (C11 6.4.4.1). */
    gboolean may_be_unsigned = suffix.is_unsigned || base != 10;
    number->bits = 64;
    number->is_signed = FALSE;
    if (!suffix.is_long && value <= G_MAXINT32 && !suffix.is_unsigned)
      number->bits = 32, number->is_signed = TRUE;
    else if (!suffix.is_long && value <= G_MAXUINT32 && may_be_unsigned)
      number->bits = 32;
    else if (value <= G_MAXINT64 && !suffix.is_unsigned)
      number->is_signed = TRUE;
    return litmus_token (scan, kind);
  }
  return TOKEN_ERROR;
}

static int escape_value (const char *text, char **end) {
  static const char names[] = "abfnrtv\\'\"?", values[] = "\a\b\f\n\r\t\v\\'\"?";
  const char *name = strchr (names, text[0]);
  *end = (char *) text + 1;
  if (text[0] && name)
    return values[name - names];
  if (text[0] == 'x')
    return (int) strtol (text + 1, end, 16);
  int value = 0;
  for (*end = (char *) text; *end < text + 3 && **end >= '0' && **end <= '7'; (*end)++)
    value = value * 8 + (**end - '0');
  return value;
}

GString *rsp_litmus_characters (const char *text) {
  GString *all = g_string_new (NULL);
  for (char *end; *text; text = end) {
    end = (char *) text + 1;
    const int value = *text == '\\' ? escape_value (text + 1, &end) : *text;
    const gboolean means_nothing = *text == '\\' && end == text + 1;
    if (*text != '"' && !means_nothing)
      g_string_append_c (all, (char) value);
  }
  return all;
}

gboolean litmus_scan_character (LitmusScan *scan, TokenRange range, LitmusNumber *number) {
  g_autofree char *text
      = g_strndup (scan->source->text + range.begin + 1, range.end - range.begin - 2);
  char *end = text + 1;
  int value = text[0] == '\\' ? escape_value (text + 1, &end) : text[0];
  if (*end || value < G_MININT8 || value > G_MAXUINT8) {
    rsp_error (scan->diagnostics, litmus_scan_span (scan, range), NULL,
               "found `'%.20s'`, expected a literal of one character", text);
    return FALSE;
  }
  *number = (LitmusNumber){ .value = (gint8) value, .bits = 32, .is_signed = TRUE };
  return TRUE;
}

void litmus_scan_invalid_character (LitmusScan *scan, guint offset) {
  const char *text = scan->source->text + offset;
  gsize left = scan->source->length - offset;
  TokenRange range = { offset, offset + 1 };
  guchar byte = (guchar) text[0];
  gunichar c = g_utf8_get_char_validated (text, (gssize) left);
  if (byte < 0x20 || byte == 0x7f)
    rsp_error (scan->diagnostics, litmus_scan_span (scan, range), NULL,
               "found the control character 0x%02x, which litmus tests cannot contain", byte);
  else if (c == (gunichar) -1 || c == (gunichar) -2)
    rsp_error (scan->diagnostics, litmus_scan_span (scan, range), NULL,
               "found the byte 0x%02x, which is not UTF-8", byte);
  else {
    guint size = (guint) (g_utf8_next_char (text) - text);
    range.end = offset + size;
    rsp_error (scan->diagnostics, litmus_scan_span (scan, range), NULL,
               "found the character `%.*s`, which has no meaning here", (int) size, text);
  }
}

void litmus_scan_open_comment (LitmusScan *scan) {
  TokenRange range = { scan->opening, scan->opening + 2 };
  const char *text = scan->source->text + scan->opening;
  gboolean caml = text[0] == '(';
  gboolean tight = caml && (g_ascii_isalpha (text[2]) || text[2] == '_');
  rsp_error (scan->diagnostics, litmus_scan_span (scan, range),
             tight ? "outside thread bodies `(*` begins a comment; did you mean `( *`?" : NULL,
             "this comment is never closed: found the end of the file, expected `%s`",
             caml ? "*)" : "*/");
}
