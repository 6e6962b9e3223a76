/* -format without a form: tests, models and mappings with their white space put right. */
#include "lexer/cat.h"
#include "lexer/c.h"
#include "lexer/map.h"
#include "parser/columns/columns.h"
#include "parser/layout.h"

#include <string.h>

enum {
  STEP = 2 /* blanks per level */
};

/* A token, and how the next one is separated from it on the same line. */
typedef struct Token {
  guint begin, end;
  int kind;
  int depth; /* of braces around it; -1: its line's indentation stays */
} Token;

typedef int (*Blanks) (const Token *a, const Token *b, guint n);

/* ---- Between tokens ---- */
static gboolean is_blank (char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Removes blanks, and line breaks beyond those of one empty line, from the end. */
static void end_line (GString *out) {
  while (out->len && is_blank (out->str[out->len - 1]))
    g_string_truncate (out, out->len - 1);
  if (!g_str_has_suffix (out->str, "\n\n") && out->len)
    g_string_append_c (out, '\n');
}

/* The text with one line break at its end, newly allocated. */
static char *finish (GString *out) {
  while (out->len && g_ascii_isspace (out->str[out->len - 1]))
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
  return g_string_free (out, FALSE);
}

/* The end of the comment at a place; `(* *)` comments nest. */
static const char *comment_end (const char *at, const char *end) {
  gboolean is_c = g_str_has_prefix (at, "/*");
  guint depth = 0;
  if (!is_c && !g_str_has_prefix (at, "(*"))
    return memchr (at, '\n', (gsize) (end - at)) ?: end;
  for (at += is_c ? 2 : 0; at < end; at++)
    if (!is_c && g_str_has_prefix (at, "(*")) {
      depth++;
      at++;
    } else if (g_str_has_prefix (at, is_c ? "*/" : "*)") && (is_c || --depth == 0))
      return at + 2;
    else if (g_str_has_prefix (at, "*)"))
      at++;
  return end;
}

/* The width of blanks: a tab ends at a multiple of 8. */
static int width_of (const char *blanks, const char *end) {
  int width = 0;
  for (; blanks < end; blanks++)
    width += *blanks == '\t' ? 8 - width % 8 : 1;
  return width;
}

/* Appends the line breaks and comments between two tokens. Lines that begin outside comments are
 * indented by this number of blanks; or_more: or by more, as they were (a continued statement). */
static void append_lines (const char *at, const char *end, int indent, gboolean or_more,
                          GString *out) {
  while (at < end)
    if (*at == '\n') {
      end_line (out);
      const char *first = ++at;
      while (at < end && is_blank (*at))
        at++;
      if (at < end && *at == '\n')
        continue;
      g_string_append_printf (out, "%*s", or_more ? MAX (indent, width_of (first, at)) : indent,
                              "");
    } else if (is_blank (*at))
      g_string_append_c (out, *at++);
    else {
      const char *behind = comment_end (at, end);
      g_string_append_len (out, at, behind - at);
      at = behind;
    }
}

static void append_gap (const RspSource *source, const Token *a, const Token *b, Blanks blanks,
                        GString *out) {
  const char *at = source->text + a->end, *end = source->text + b->begin;
  gsize length = (gsize) (end - at);
  if (strspn (at, " \t\f\v\r") >= length) {
    g_string_append_printf (out, "%*s", blanks (a, b, (guint) length), "");
    return;
  }
  gboolean continues = !strchr (";{}", a->kind < 128 ? a->kind : 'x') || a->kind == 0;
  int level = b->depth - (b->kind == '}');
  continues = continues && level && b->kind != '}';
  if (b->depth < 0)
    append_lines (at, end, 0, TRUE, out);
  else
    append_lines (at, end, STEP * (level + continues), continues, out);
}

/* ---- Models ---- */
static gboolean is_binary (int kind) {
  switch (kind) {
  case CAT_TOKEN_UNION:
  case CAT_TOKEN_SEQUENCE:
  case CAT_TOKEN_DIFFERENCE:
  case CAT_TOKEN_INTERSECTION:
  case CAT_TOKEN_ARROW:
  case CAT_TOKEN_UNEQUAL:
  case '=':
    return TRUE;
  default:
    return FALSE;
  }
}

static int cat_blanks (const Token *a, const Token *b, guint n) {
  if (a->kind == '(' || b->kind == ')' || a->kind == '[' || b->kind == ']' || b->kind == ',')
    return 0;
  if (is_binary (a->kind) || is_binary (b->kind) || a->kind == ',')
    return 1;
  return n > 0;
}

static void scan_model (RspSource *source, RspArena *arena, RspDiagnostics *diagnostics,
                        GArray *tokens) {
  CatScan scan;
  CatToken value;
  TokenRange range = { 0, 0 };
  rsp_cat_scan_begin (&scan, source, arena, diagnostics);
  int kind;
  while ((kind = rsp_cat_flex_lex (&value, &range, scan.flex)) != TOKEN_EOF
         && kind != TOKEN_ERROR) {
    const Token token = { range.begin, range.end, kind, -1 };
    g_array_append_val (tokens, token);
  }
  rsp_cat_scan_end (&scan);
}

/* ---- Tests in C ---- */
static int test_blanks (const Token *a, const Token *b, guint n) {
  if (b->depth <= 0)
    return (int) n;
  if (b->kind == ';' || b->kind == ',' || a->kind == '(' || b->kind == ')')
    return 0;
  if (a->kind == ',' || a->kind == ';')
    return 1;
  return n > 0;
}

static void scan_test (RspSource *source, RspArena *arena, RspDiagnostics *diagnostics,
                       GArray *tokens) {
  LitmusScan scan;
  LitmusToken value;
  TokenRange range = { 0, 0 };
  int depth = 0;
  rsp_c_scan_begin (&scan, C_TEST, (RspSpan){ source, 0, (guint) source->length }, arena,
                    diagnostics);
  int kind;
  while ((kind = rsp_c_flex_lex (&value, &range, scan.flex)) != TOKEN_EOF && kind != TOKEN_ERROR) {
    const Token token = { range.begin, range.end, kind, depth ? depth : -1 };
    g_array_append_val (tokens, token);
    depth += (kind == '{') - (kind == '}');
  }
  rsp_c_scan_end (&scan);
}

/* ---- Mappings ---- */
/* Keeps columns aligned: all blanks stay, except around `;` and `,`. */
static int map_blanks (const Token *a, const Token *b, guint n) {
  if (b->kind == ';' || b->kind == ',')
    return 0;
  return a->kind == ';' || a->kind == ',' || a->kind == '{' || b->kind == '}' ? 1 : (int) n;
}

static void scan_mapping (RspSource *source, RspArena *arena, RspDiagnostics *diagnostics,
                          GArray *tokens) {
  TokenScan scan;
  MapToken value;
  TokenRange range = { 0, 0 };
  rsp_map_scan_begin (&scan, source, arena, diagnostics);
  int kind;
  while ((kind = rsp_map_flex_lex (&value, &range, scan.flex)) != TOKEN_EOF
         && kind != TOKEN_ERROR) {
    const Token token = { range.begin, range.end, kind, -1 };
    g_array_append_val (tokens, token);
  }
  rsp_map_scan_end (&scan);
}

/* ---- Tests in columns ---- */
/* The cells of a row, one per column; NULL if the line is not a row. */
static char **cells_of (const char *line) {
  const char *end = line + strlen (line);
  while (end > line && g_ascii_isspace (end[-1]))
    end--;
  if (end == line || end[-1] != ';' || strpbrk (line, "{}()\"/") || strchr (line, ';') < end - 1)
    return NULL;
  g_autofree char *row = g_strndup (line, (gsize) (end - 1 - line));
  char **cells = g_strsplit (row, "|", -1);
  for (guint i = 0; cells[i]; i++)
    g_strstrip (cells[i]);
  return cells;
}

/* Rows of as many cells, below each other, get columns of one width. */
static void append_rows (const GPtrArray *rows, GString *out) {
  for (guint i = 0; i < rows->len; i++) {
    char **row = rows->pdata[i];
    for (guint k = 0; row[k]; k++) {
      glong width = 0;
      for (guint other = 0; other < rows->len; other++)
        width = MAX (width, g_utf8_strlen (((char **) rows->pdata[other])[k], -1));
      g_string_append_printf (out, " %s%*s %c", row[k], (int) (width - g_utf8_strlen (row[k], -1)),
                              "", row[k + 1] ? '|' : ';');
    }
    g_string_append_c (out, '\n');
  }
}

static char *align_columns (const char *text) {
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  GString *out = g_string_new (NULL);
  int depth = 0; /* of braces: the initial state has no rows */
  for (guint i = 0; lines[i]; i++) {
    char **cells = depth ? NULL : cells_of (lines[i]);
    if (rows->len && (!cells || g_strv_length (cells) != g_strv_length (rows->pdata[0]))) {
      append_rows (rows, out);
      g_ptr_array_set_size (rows, 0);
    }
    if (cells)
      g_ptr_array_add (rows, cells);
    else {
      g_string_append (out, lines[i]);
      end_line (out);
    }
    for (const char *c = lines[i]; *c; c++)
      depth += (*c == '{') - (*c == '}');
  }
  append_rows (rows, out);
  return finish (out);
}

/* ---- All ---- */
/* Are the texts the same but for blanks and line breaks? */
static gboolean is_same_text (const char *a, const char *b) {
  for (;; a++, b++) {
    a += strspn (a, " \t\r\f\v\n");
    b += strspn (b, " \t\r\f\v\n");
    if (*a != *b)
      return FALSE;
    if (!*a)
      return TRUE;
  }
}

/* Tokens as they are separated in the language; NULL after an error. */
static char *lay_out_tokens (RspSource *source,
                             void (*scan) (RspSource *, RspArena *, RspDiagnostics *, GArray *),
                             Blanks blanks, RspDiagnostics *diagnostics) {
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  g_autoptr (GArray) tokens = g_array_new (FALSE, FALSE, sizeof (Token));
  g_autoptr (RspArena) arena = rsp_arena_new ();
  scan (source, arena, diagnostics, tokens);
  if (rsp_diagnostics_count_errors (diagnostics) > errors)
    return NULL;
  GString *out = g_string_new (NULL);
  Token before = { 0, 0, ';', -1 };
  for (guint i = 0; i < tokens->len; i++) {
    const Token *token = &g_array_index (tokens, Token, i);
    if (i)
      append_gap (source, &before, token, blanks, out);
    else
      append_lines (source->text, source->text + token->begin, 0, TRUE, out);
    g_string_append_len (out, source->text + token->begin, token->end - token->begin);
    before = *token;
  }
  append_lines (source->text + before.end, source->text + source->length, 0, TRUE, out);
  return finish (out);
}

char *rsp_layout (RspSource *source, RspDiagnostics *diagnostics) {
  gboolean is_test = g_str_has_suffix (source->name, ".litmus");
  g_autofree char *text = NULL;
  if (strlen (source->text) != source->length)
    text = g_strdup (source->text);
  else if (g_str_has_suffix (source->name, ".cat"))
    text = lay_out_tokens (source, scan_model, cat_blanks, diagnostics);
  else if (g_str_has_suffix (source->name, ".map"))
    text = lay_out_tokens (source, scan_mapping, map_blanks, diagnostics);
  else if (is_test && rsp_columns_recognise (source))
    text = align_columns (source->text);
  else if (is_test)
    text = lay_out_tokens (source, scan_test, test_blanks, diagnostics);
  else
    rsp_error (diagnostics, RSP_NOWHERE, NULL,
               "%s: models (`.cat`), tests (`.litmus`) and mappings (`.map`) have a layout",
               source->name);
  if (text && !is_same_text (text, source->text)) /* change nothing but white space */
    return g_strdup (source->text);
  return g_steal_pointer (&text);
}
