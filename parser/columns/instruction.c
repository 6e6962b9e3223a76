/* Instructions' words: which form, which suffixes. */
#include "parser/columns/instruction.h"

#include "base/suggest.h"

#include <string.h>

/* The words that have no suffixes. */
const ColumnsPlain columns_plain[] = {
  { "add", RSP_OP_ADD, FALSE },  { "sub", RSP_OP_SUB, FALSE },
  { "mul", RSP_OP_MUL, FALSE },  { "div", RSP_OP_DIV, FALSE },
  { "and", RSP_OP_AND, FALSE },  { "or", RSP_OP_OR, FALSE },
  { "xor", RSP_OP_XOR, FALSE },  { "mov", RSP_OP_NONE, FALSE },
  { "goto", RSP_OP_NONE, TRUE }, { "beq", RSP_OP_EQ, TRUE },
  { "bne", RSP_OP_NE, TRUE },    { "bge", RSP_OP_GE, TRUE },
  { "ble", RSP_OP_LE, TRUE },    { "bgt", RSP_OP_GT, TRUE },
  { "blt", RSP_OP_LT, TRUE },    { .word = NULL },
};

/* ---- Hints ---- */

/* Words of compiled PTX and of other languages, with what they are here. */
static const struct {
  const char *word, *here;
} foreign[] = {
  { "bra", "goto" },    { "jmp", "goto" },    { "jump", "goto" },   { "branch", "goto" },
  { "gl", "gpu" },      { "dev", "gpu" },     { "device", "gpu" },  { "system", "sys" },
  { "block", "cta" },   { "acquire", "acq" }, { "release", "rel" }, { "acq", "acquire" },
  { "rel", "release" }, { "dev", "dv" },      { "device", "dv" },
};

/* A type of PTX: `u32`, `b64`, `f16`. */
static gboolean is_type (const char *word) {
  static const char *const sizes[] = { "8", "16", "32", "64", "128", NULL };
  return *word && strchr ("busf", *word) && g_strv_contains (sizes, word + 1);
}

/* For a word that is none of the names; NULL if it is no known foreign one. Newly allocated. */
static char *foreign_hint (const char *word, const char *const *names) {
  for (guint i = 0; i < G_N_ELEMENTS (foreign); i++)
    if (strcmp (foreign[i].word, word) == 0 && g_strv_contains (names, foreign[i].here))
      return g_strdup_printf ("did you mean `%s`?", foreign[i].here);
  return NULL;
}

static char *form_hint (const ColumnsAlphabet *alphabet, const char *word) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (const ColumnsForm *form = alphabet->forms; form->word; form++)
    g_ptr_array_add (names, (gpointer) form->word);
  for (const ColumnsPlain *plain = columns_plain; plain->word; plain++)
    g_ptr_array_add (names, (gpointer) plain->word);
  g_ptr_array_add (names, NULL);
  char *hint = foreign_hint (word, (const char *const *) names->pdata);
  return hint ? hint : rsp_did_you_mean (word, (const char *const *) names->pdata);
}

/* A form with the tag of a scope (`bar`) is always of that one. */
static gboolean is_other_scope (const ColumnsAlphabet *alphabet, const ColumnsForm *form,
                                const ColumnsSuffix *suffix) {
  guint64 scopes = 0;
  for (const ColumnsSuffix *other = alphabet->suffixes; other->word; other++)
    scopes |= other->kind == COLUMNS_SCOPE ? other->tags : 0;
  return suffix->kind == COLUMNS_SCOPE && (form->tags & scopes) && !(suffix->tags & form->tags);
}

/* Are the suffix and the one that follows the halves of `acq_rel`? */
static gboolean are_halves (const char *word, const char *next) {
  static const char *const halves[][2]
      = { { "acq", "rel" }, { "rel", "acq" }, { "acquire", "release" }, { "release", "acquire" } };
  for (guint i = 0; i < G_N_ELEMENTS (halves); i++)
    if (g_str_equal (halves[i][0], word) && g_strcmp0 (halves[i][1], next) == 0)
      return TRUE;
  return FALSE;
}

/* Of an unknown suffix; NULL if none of the names is like it. Newly allocated. */
static char *unknown_hint (const char *unknown, const char *const *names) {
  if (is_type (unknown))
    return g_strdup ("instructions have no types: all values have 64 bits");
  char *hint = foreign_hint (unknown, names);
  return hint ? hint : rsp_did_you_mean (unknown, names);
}

/* A suffix like the word, or those that the form may have; next: the suffix after it, or NULL. */
static char *suffix_hint (const ColumnsAlphabet *alphabet, const ColumnsForm *form,
                          const char *word, gboolean known, const char *next) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GString *all = g_string_new (NULL);
  for (const ColumnsSuffix *suffix = alphabet->suffixes; suffix->word; suffix++) {
    if (!(form->allowed >> suffix->kind & 1)
        || (suffix->kind == COLUMNS_ORDER && !(form->orders & suffix->value))
        || is_other_scope (alphabet, form, suffix))
      continue;
    g_ptr_array_add (names, (gpointer) suffix->word);
    g_string_append_printf (all, "%s.%s", all->len ? ", " : "", suffix->word);
  }
  g_ptr_array_add (names, NULL);
  const char *const *words = (const char *const *) names->pdata;
  char *nearest = known ? NULL : unknown_hint (word, words);
  if (g_strv_contains (words, "acq_rel") && are_halves (word, next)) {
    g_free (nearest);
    nearest = g_strdup ("did you mean `acq_rel`?");
  }
  if (nearest) {
    g_string_free (all, TRUE);
    return nearest;
  }
  if (!all->len)
    g_string_append_printf (all, "`%s` has no suffixes", form->word);
  else {
    g_autofree char *head = g_strdup_printf ("`%s` may have ", form->word);
    g_string_prepend (all, head);
  }
  return g_string_free (all, FALSE);
}

/* ---- Finding ---- */

const ColumnsForm *rsp_columns_form (const ColumnsAlphabet *alphabet, const char *word) {
  for (const ColumnsForm *form = alphabet->forms; form->word; form++)
    if (strcmp (form->word, word) == 0)
      return form;
  return NULL;
}

static const ColumnsForm *find_form (const ColumnsParser *parser, const ColumnsCell *cell,
                                     const char *word) {
  const ColumnsForm *form = rsp_columns_form (parser->alphabet, word);
  if (form)
    return form;
  g_autofree char *hint = form_hint (parser->alphabet, word);
  RspSpan span = cell->word_span;
  span.end = span.begin + (guint) strlen (word);
  rsp_error (parser->base.diagnostics, span, hint, "found `%s`, expected an instruction of %s",
             word, parser->language->word);
  return NULL;
}

const ColumnsSuffix *rsp_columns_suffix (const ColumnsAlphabet *alphabet, const char *word) {
  for (const ColumnsSuffix *suffix = alphabet->suffixes; suffix->word; suffix++)
    if (strcmp (suffix->word, word) == 0)
      return suffix;
  return NULL;
}

/* next: the suffix after it, or NULL */
static gboolean take_suffix (ColumnsWords *words, const char *word, const char *next,
                             RspSpan span) {
  const ColumnsAlphabet *alphabet = words->parser->alphabet;
  const ColumnsForm *form = words->form;
  const ColumnsSuffix *suffix = rsp_columns_suffix (alphabet, word);
  RspDiagnostics *diagnostics = words->parser->base.diagnostics;
  if (!suffix || !(form->allowed >> suffix->kind & 1)
      || (suffix->kind == COLUMNS_ORDER && !(form->orders & suffix->value))) {
    g_autofree char *hint = suffix_hint (alphabet, form, word, suffix != NULL, next);
    rsp_error (diagnostics, span, hint,
               suffix ? "found `.%s`, which `%s` cannot have"
                      : "found `.%s`, which is not a suffix of `%s`",
               word, form->word);
    return FALSE;
  }
  const ColumnsSuffix *before = words->suffixes[suffix->kind];
  if (before && suffix->kind != COLUMNS_SEMANTICS) {
    guint orders = suffix->value | before->value;
    gboolean both = suffix->kind == COLUMNS_ORDER && form->orders & COLUMNS_ACQ_REL
                    && orders == (COLUMNS_ACQUIRE | COLUMNS_RELEASE);
    rsp_error (diagnostics, span, both ? "did you mean `acq_rel`?" : NULL,
               "found `.%s` after `.%s`, expected one of them", word, before->word);
    return FALSE;
  }
  words->suffixes[suffix->kind] = suffix;
  words->spans[suffix->kind] = span;
  if (suffix->kind == COLUMNS_SEMANTICS)
    words->semantics |= suffix->tags;
  words->spelled |= rsp_columns_suffix_bit (alphabet, suffix);
  return TRUE;
}

gboolean rsp_columns_demand (const ColumnsWords *words, ColumnsKind kind, gboolean needed,
                             const char *as) {
  if (rsp_columns_has (words, kind) == needed)
    return TRUE;
  g_autofree char *what = *as ? g_strdup_printf ("a %s `%s`", as, words->form->word)
                              : g_strdup_printf ("`%s`", words->form->word);
  RspDiagnostics *diagnostics = words->parser->base.diagnostics;
  if (needed)
    rsp_error (diagnostics, words->cell->word_span, NULL, "%s needs %s", what,
               words->parser->alphabet->kinds[kind]);
  else
    rsp_error (diagnostics, words->spans[kind], NULL, "found `.%s`, which %s cannot have",
               words->suffixes[kind]->word, what);
  return FALSE;
}

/* An access without an order is weak, if it may be. */
static RspSpelling spell (const ColumnsWords *words) {
  const ColumnsAlphabet *alphabet = words->parser->alphabet;
  RspSpelling spelling = { (guint) (words->form - alphabet->forms), words->spelled };
  if (!words->suffixes[COLUMNS_ORDER] && words->form->orders & COLUMNS_WEAK)
    spelling.suffixes |= rsp_columns_suffix_bit (alphabet, rsp_columns_suffix (alphabet, "weak"));
  return spelling;
}

gboolean columns_decode (ColumnsParser *parser, const ColumnsCell *cell,
                         ColumnsInstruction *instruction) {
  g_auto (GStrv) parts = g_strsplit (cell->word, ".", -1);
  ColumnsWords words = { .parser = parser, .cell = cell };
  words.form = find_form (parser, cell, parts[0]);
  if (!words.form)
    return FALSE;
  RspSpan span = cell->word_span;
  span.end = span.begin + (guint) strlen (parts[0]);
  for (guint i = 1; parts[i]; i++) {
    span.begin = span.end + 1;
    span.end = span.begin + (guint) strlen (parts[i]);
    if (!take_suffix (&words, parts[i], parts[i + 1], span))
      return FALSE;
  }
  for (guint kind = 0; kind < COLUMNS_N_KINDS; kind++)
    if ((words.form->needed >> kind & 1)
        && !rsp_columns_demand (&words, (ColumnsKind) kind, TRUE, ""))
      return FALSE;
  *instruction = (ColumnsInstruction){
    .action = words.form->action,
    .reach = (RspLevel) rsp_columns_value (&words, COLUMNS_SCOPE, RSP_LEVEL_THREAD),
    .op = (RspOperator) rsp_columns_value (&words, COLUMNS_OP, RSP_OP_EXCHANGE),
    .spelling = spell (&words)
  };
  return parser->alphabet->finish (&words, instruction);
}
