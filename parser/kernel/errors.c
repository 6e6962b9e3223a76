/* Syntax errors in kernels. */
#include "parser/kernel/errors.h"
#include "parser/kernel/build.h"
#include "parser/kernel/kernel.h"

#include <string.h>

enum {
  MOST_LISTED = 3 /* of the tokens that are expected */
};

/* `;` is expected, and the token is on a later line. */
static char *find_hint (const KernelParser *parser, TokenRange range, const char *const *expected,
                        guint n) {
  guint before, line, column;
  const RspSource *source = parser->base.source;
  rsp_source_position (source, MAX (parser->base.scan.previous_end, 1) - 1, &before, &column);
  rsp_source_position (source, range.begin, &line, &column);
  for (guint i = 0; i < n && before < line; i++)
    if (g_str_equal (expected[i], "';'"))
      return g_strdup_printf ("is a `;` missing at the end of line %u?", before);
  return NULL;
}

static gboolean is_name (const char *text) { return g_ascii_isalpha (text[0]) || text[0] == '_'; }

/* The word before a token; "": there is none. */
static char *word_before (const RspSource *source, guint offset) {
  while (offset && g_ascii_isspace (source->text[offset - 1]))
    offset--;
  guint end = offset;
  while (offset && (g_ascii_isalnum (source->text[offset - 1]) || source->text[offset - 1] == '_'))
    offset--;
  return g_strndup (source->text + offset, end - offset);
}

/* A word of OpenCL C that is not read; NULL: it is none. */
static const char *foreign_construct (const char *word) {
  static const char *const constructs[][2]
      = { { "pipe", "a pipe" },         { "asm", "assembly" },      { "__asm__", "assembly" },
          { "__asm", "assembly" },      { "^", "a block" },         { "typeof", "`typeof`" },
          { "__typeof__", "`typeof`" }, { "__typeof", "`typeof`" }, { "_Generic", "`_Generic`" },
          { "template", "C++" },        { "namespace", "C++" } };
  for (gsize i = 0; i < G_N_ELEMENTS (constructs); i++)
    if (strcmp (word, constructs[i][0]) == 0)
      return constructs[i][1];
  return NULL;
}

void kernel_syntax_error (KernelParser *parser, TokenRange range, gboolean at_end,
                          Expected expected) {
  LitmusParser *base = &parser->base;
  if (at_end)
    range.begin = range.end = base->scan.last_end;
  g_autofree char *text = g_strndup (base->source->text + range.begin, range.end - range.begin);
  g_autofree char *found
      = at_end ? g_strdup ("the end of the file") : g_strdup_printf ("`%.40s`", text);
  g_autofree char *names
      = expected.n <= MOST_LISTED ? expected_format (expected, NULL, 0, 0) : g_strdup ("");
  g_autofree char *hint = at_end ? NULL : find_hint (parser, range, expected.names, expected.n);
  g_autofree char *before = word_before (base->source, range.begin);
  const char *foreign = foreign_construct (text);
  foreign = foreign ? foreign : foreign_construct (before);
  if (foreign) {
    kernel_unsupported (parser, range, foreign, NULL);
    return;
  }
  const char *unknown = text[0] == '*' || !is_name (text) ? before : text;
  if (!hint && !at_end && is_name (unknown) && !rsp_kernel_is_type_word (unknown))
    hint = g_strdup_printf ("is `%s` a type or macro that an `#include` or -D should define?",
                            unknown);
  rsp_error (base->diagnostics, rsp_litmus_span (base, range), hint, "found %s, %s%s", found,
             *names ? "expected " : "which cannot stand here", names);
}
