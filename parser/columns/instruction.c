/* Instructions of tests in columns: forms and suffixes, and statements made of them. */
#include "base/base.h"
#include "parser/columns/columns.h"
#include "parser/columns/internal.h"

#include <string.h>

/* ---- Instruction ---------------------------------------------------------------------------- */

/* Instructions' words: which form, which suffixes. */

/* An instruction on registers, or a jump: its word has no suffixes. */
typedef struct ColumnsPlain {
  const char *word; /* NULL ends the list */
  RspOperator op;
  gboolean jumps;
} ColumnsPlain;

static const ColumnsPlain columns_plain[] = {
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

/* A hint for a word that is not among the names; NULL if it is not a known foreign word either.
 * Newly allocated. */
static char *foreign_hint (const char *word, const char *const *names) {
  for (guint i = 0; i < G_N_ELEMENTS (foreign); i++)
    if (strcmp (foreign[i].word, word) == 0 && g_strv_contains (names, foreign[i].here))
      return g_strdup_printf ("did you mean `%s`?", foreign[i].here);
  return NULL;
}

static char *form_hint (const ColumnsAlphabet *alphabet, const char *word) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (const ColumnsForm *form = alphabet->forms; form->word; form++) {
    if (g_str_has_prefix (form->word, word) && form->word[strlen (word)] == '.')
      return g_strdup_printf ("did you mean `%s`?", form->word);
    g_ptr_array_add (names, (gpointer) form->word);
  }
  for (const ColumnsPlain *plain = columns_plain; plain->word; plain++)
    g_ptr_array_add (names, (gpointer) plain->word);
  g_ptr_array_add (names, NULL);
  char *hint = foreign_hint (word, (const char *const *) names->pdata);
  return hint ? hint : rsp_did_you_mean (word, (const char *const *) names->pdata);
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

/* A hint for an unknown suffix; NULL if it resembles none of the names. Newly allocated. */
static char *unknown_hint (const char *unknown, const char *const *names) {
  static const char *const sizes[] = { "8", "16", "32", "64", "128", NULL };
  if (*unknown && strchr ("busf", *unknown) && g_strv_contains (sizes, unknown + 1)) /* `u32` */
    return g_strdup ("all values have 64 bits");
  char *hint = foreign_hint (unknown, names);
  return hint ? hint : rsp_did_you_mean (unknown, names);
}

/* Does another suffix, which comes first, name the same operation? */
static gboolean is_second_word (const ColumnsAlphabet *alphabet, const ColumnsSuffix *suffix) {
  for (const ColumnsSuffix *first = alphabet->suffixes; first < suffix; first++)
    if (suffix->kind == COLUMNS_OP && first->kind == COLUMNS_OP && first->value == suffix->value)
      return TRUE;
  return FALSE;
}

/* A suffix like the word, or those that the form may have; next: the suffix after it, or NULL. */
static char *suffix_hint (const ColumnsAlphabet *alphabet, const ColumnsForm *form,
                          const char *word, gboolean known, const char *next) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GString *all = g_string_new (NULL);
  guint64 scopes = 0;
  for (const ColumnsSuffix *suffix = alphabet->suffixes; suffix->word; suffix++)
    scopes |= suffix->kind == COLUMNS_SCOPE ? suffix->tags : 0;
  for (const ColumnsSuffix *suffix = alphabet->suffixes; suffix->word; suffix++) {
    /* A form with the tag of a scope (`bar`) is always of that one. */
    gboolean other_scope
        = suffix->kind == COLUMNS_SCOPE && form->tags & scopes && !(suffix->tags & form->tags);
    if (!(form->allowed >> suffix->kind & 1) || is_second_word (alphabet, suffix)
        || (suffix->kind == COLUMNS_ORDER && !(form->orders & suffix->value)) || other_scope)
      continue;
    g_ptr_array_add (names, (gpointer) suffix->word);
    if (suffix->kind != COLUMNS_TYPE && suffix->kind != COLUMNS_SOURCE
        && (suffix->kind != COLUMNS_SPACE || !form->orders))
      g_string_append_printf (all, "%s.%s", all->len ? ", " : "", suffix->word);
  }
  gsize length = strlen (form->word);
  for (const ColumnsForm *longer = alphabet->forms; longer->word; longer++)
    if (g_str_has_prefix (longer->word, form->word) && longer->word[length] == '.')
      g_ptr_array_add (names, (gpointer) (longer->word + length + 1));
  g_ptr_array_add (names, NULL);
  const char *const *words = (const char *const *) names->pdata;
  char *nearest = known ? foreign_hint (word, words) : unknown_hint (word, words);
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
const ColumnsForm *rsp_columns_form (const ColumnsAlphabet *alphabet, const char *instruction) {
  const ColumnsForm *longest = NULL;
  for (const ColumnsForm *form = alphabet->forms; form->word; form++) {
    gsize n = strlen (form->word);
    if (strncmp (form->word, instruction, n) == 0 && strchr (".", instruction[n])
        && (!longest || n > strlen (longest->word)))
      longest = form;
  }
  return longest;
}

static const ColumnsForm *find_form (const ColumnsTest *test, const ColumnsCell *cell) {
  const ColumnsForm *form = rsp_columns_form (test->alphabet, cell->word);
  if (form)
    return form;
  g_autofree char *word = g_strndup (cell->word, strcspn (cell->word, "."));
  g_autofree char *hint = form_hint (test->alphabet, word);
  RspSpan span = cell->word_span;
  span.end = span.begin + (guint) strlen (word);
  rsp_error (test->diagnostics, span, hint, "found `%s`, expected an instruction of %s", word,
             test->language->word);
  return NULL;
}

const ColumnsSuffix *rsp_columns_suffix (const ColumnsAlphabet *alphabet, const char *word) {
  for (const ColumnsSuffix *suffix = alphabet->suffixes; suffix->word; suffix++)
    if (strcmp (suffix->word, word) == 0)
      return suffix;
  return NULL;
}

ColumnsSuffix rsp_columns_own_scope (const RspWords *words, guint level) {
  return (ColumnsSuffix){ rsp_words_level (words, level), COLUMNS_SCOPE, level, 0 };
}

static gboolean may_have (const ColumnsForm *form, const ColumnsSuffix *suffix) {
  return form->allowed >> suffix->kind & 1
         && (suffix->kind != COLUMNS_ORDER || form->orders & suffix->value);
}

gboolean rsp_columns_takes (const ColumnsAlphabet *alphabet, const char *instruction,
                            const char *word) {
  const ColumnsForm *form = rsp_columns_form (alphabet, instruction);
  const ColumnsSuffix *suffix = alphabet->suffixes;
  while (suffix->word && !(strcmp (suffix->word, word) == 0 && may_have (form, suffix)))
    suffix++;
  return suffix->word != NULL;
}

/* What is wrong with a word that is not a suffix of the form: newly allocated, as is the hint. */
static char *wrong_suffix (const ColumnsWords *words, const char *word, const char *next,
                           char **hint) {
  const ColumnsAlphabet *alphabet = words->test->alphabet;
  gboolean known = rsp_columns_suffix (alphabet, word) != NULL;
  *hint = suffix_hint (alphabet, words->form, word, known, next);
  return g_strdup_printf (known ? "found `.%s`, which `%s` cannot have"
                                : "found `.%s`, which is not a suffix of `%s`",
                          word, words->form->word);
}

static void report_suffix (const ColumnsWords *words, const char *word, const char *next,
                           RspSpan span) {
  g_autofree char *hint = NULL, *wrong = wrong_suffix (words, word, next, &hint);
  rsp_error (words->test->diagnostics, span, hint, "%s", wrong);
}

guint rsp_columns_place (ColumnsAction action) {
  static const guint places[]
      = { [COLUMNS_LOAD] = RSP_WORD_READ,        [COLUMNS_STORE] = RSP_WORD_WRITE,
          [COLUMNS_FETCH] = RSP_WORD_RMW,        [COLUMNS_REDUCE] = RSP_WORD_RMW,
          [COLUMNS_FENCE] = RSP_WORD_FENCE,      [COLUMNS_BARRIER] = RSP_WORD_FENCE,
          [COLUMNS_MBARRIER] = RSP_WORD_ANYWHERE };
  return places[action];
}

/* Is the word, or does it resemble, a suffix of this language or another one? */
static gboolean resembles_suffix (const ColumnsAlphabet *alphabet, const char *word) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (const ColumnsSuffix *suffix = alphabet->suffixes; suffix->word; suffix++)
    g_ptr_array_add (names, (gpointer) suffix->word);
  g_ptr_array_add (names, NULL);
  g_autofree char *hint = unknown_hint (word, (const char *const *) names->pdata);
  for (guint i = 0; i < RSP_N_LANGUAGES && !hint; i++)
    if (rsp_columns_alphabet (&rsp_languages[i])
        && rsp_columns_suffix (rsp_columns_alphabet (&rsp_languages[i]), word))
      return TRUE;
  return hint != NULL;
}

/* A word that is not a suffix of the form may be a word of a model. */
static gboolean say_word (ColumnsWords *words, const char *word, const char *next, RspSpan span) {
  RspProgram *program = words->test->program;
  if (!program || !g_ascii_isalpha (*word))
    return FALSE;
  words->given |= rsp_words_say (&program->words, program->arena, word,
                                 rsp_columns_place (words->form->action), words->given, span,
                                 words->test->diagnostics);
  gboolean doubtful = resembles_suffix (words->test->alphabet, word);
  if (doubtful) {
    g_autofree char *hint = NULL, *wrong = wrong_suffix (words, word, next, &hint);
    rsp_words_doubt (&program->words, program->arena, span, wrong, hint);
  }
  if (words->doubtful)
    return TRUE;
  words->doubtful = doubtful;
  words->word = word;
  words->next = next;
  words->word_span = span;
  return TRUE;
}

/* next: the suffix after it, or NULL */
static gboolean take_suffix (ColumnsWords *words, const char *word, const char *next,
                             RspSpan span) {
  const ColumnsAlphabet *alphabet = words->test->alphabet;
  const ColumnsForm *form = words->form;
  const ColumnsSuffix *suffix = rsp_columns_suffix (alphabet, word);
  RspDiagnostics *diagnostics = words->test->diagnostics;
  /* The second order of a compare-and-swap is that of a failing one, and the second space of a copy
   * that of what it reads; the `.and` of a barrier is a reduction. */
  for (const ColumnsSuffix *other = suffix; other && other->word; other++)
    if ((words->suffixes[suffix->kind] || !(form->allowed >> suffix->kind & 1))
        && form->allowed >> other->kind & 1 && strcmp (other->word, word) == 0)
      suffix = other;
  RspProgram *program = words->test->program;
  for (guint i = 0; i < RSP_N_LEVELS && program && !(suffix && may_have (form, suffix)); i++)
    if (g_strcmp0 (rsp_words_level (&program->words, i), word) == 0
        && form->allowed & COLUMNS_KIND (SCOPE)) {
      RspLevel level;
      suffix = &words->own_scope;
      words->own_scope = rsp_columns_own_scope (&program->words, i);
      words->given |= rsp_words_say_level (&program->words, program->arena, word, i, i + 1, span,
                                           &level, diagnostics);
    }
  if (!suffix || !may_have (form, suffix)) {
    gboolean as_word = say_word (words, word, next, span);
    if (!as_word)
      report_suffix (words, word, next, span);
    return as_word;
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
  g_autofree char *what
      = *as ? g_strdup_printf ("%s %s `%s`", *as == 'a' ? "an" : "a", as, words->form->word)
            : g_strdup_printf ("`%s`", words->form->word);
  RspDiagnostics *diagnostics = words->test->diagnostics;
  if (needed && words->word && kind == COLUMNS_SCOPE && !words->doubtful)
    rsp_error (diagnostics, words->word_span,
               "a level of a model is a scope if the threads' places name it",
               "found `.%s`, expected %s", words->word, words->test->alphabet->kinds[kind]);
  else if (needed && words->word) /* which was meant to be it */
    report_suffix (words, words->word, words->next, words->word_span);
  else if (needed)
    rsp_error (diagnostics, words->cell->word_span, NULL, "%s needs %s", what,
               words->test->alphabet->kinds[kind]);
  else
    rsp_error (diagnostics, words->spans[kind], NULL, "found `.%s`, which %s cannot have",
               words->suffixes[kind]->word, what);
  return FALSE;
}

/* FALSE after an error. */
static gboolean complete (ColumnsWords *words, ColumnsInstruction *instruction) {
  const ColumnsAlphabet *alphabet = words->test->alphabet;
  const ColumnsForm *form = words->form;
  for (guint kind = 0; kind < COLUMNS_N_KINDS; kind++)
    if ((form->needed >> kind & 1) && !rsp_columns_demand (words, (ColumnsKind) kind, TRUE, ""))
      return FALSE;
  /* An access without an order is weak, if it may be. */
  if (!words->suffixes[COLUMNS_ORDER] && form->orders & COLUMNS_WEAK)
    words->spelled |= rsp_columns_suffix_bit (alphabet, rsp_columns_suffix (alphabet, "weak"));
  *instruction = (ColumnsInstruction){
    .action = form->action,
    .reach = (RspLevel) rsp_columns_value (words, COLUMNS_SCOPE, RSP_LEVEL_THREAD),
    .op = (RspOperator) rsp_columns_value (words, COLUMNS_OP, RSP_OP_EXCHANGE),
    .meeting = RSP_LEVEL_WORK_GROUP,
    .words = words->given,
    .spelling = { (guint) (form - alphabet->forms), words->spelled }
  };
  return alphabet->finish (words, instruction);
}

/* If the rest makes no sense without the suffix that a word resembles, the word is the error. */
static gboolean complete_doubtful (ColumnsWords *words, ColumnsInstruction *instruction) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  const ColumnsTest *test = words->test;
  ColumnsTest quiet = *test;
  quiet.diagnostics = diagnostics;
  words->test = &quiet;
  gboolean done = complete (words, instruction);
  words->test = test;
  if (done)
    rsp_diagnostics_move (test->diagnostics, diagnostics);
  else
    report_suffix (words, words->word, words->next, words->word_span);
  return done;
}

/* FALSE after an error. */
static gboolean columns_decode (const ColumnsTest *test, const ColumnsCell *cell,
                                ColumnsInstruction *instruction) {
  ColumnsWords words = { .test = test, .cell = cell };
  words.form = find_form (test, cell);
  if (!words.form)
    return FALSE;
  RspSpan span = cell->word_span;
  span.end = span.begin + (guint) strlen (words.form->word);
  const char *rest = cell->word + strlen (words.form->word);
  g_auto (GStrv) parts = g_strsplit (rest + (*rest == '.'), ".", -1);
  for (guint i = 0; parts[i]; i++) {
    span.begin = span.end + 1;
    span.end = span.begin + (guint) strlen (parts[i]);
    if (!take_suffix (&words, parts[i], parts[i + 1], span))
      return FALSE;
  }
  return words.doubtful ? complete_doubtful (&words, instruction) : complete (&words, instruction);
}

/* ---- Alphabet ------------------------------------------------------------------------------- */

/* Each language's alphabet. */

const ColumnsAlphabet *rsp_columns_alphabet (const RspLanguage *language) {
  static const ColumnsAlphabet *const alphabets[RSP_N_LANGUAGES]
      = { [RSP_LANGUAGE_PTX] = &rsp_ptx_alphabet,
          [RSP_LANGUAGE_VULKAN] = &rsp_vulkan_alphabet,
          [RSP_LANGUAGE_AMDGPU] = &rsp_amdgpu_alphabet };
  return alphabets[language->id];
}

gboolean rsp_columns_instruction (const RspLanguage *language, const char *word,
                                  ColumnsInstruction *instruction, RspDiagnostics *diagnostics) {
  ColumnsTest test = { .diagnostics = diagnostics,
                       .language = language,
                       .alphabet = rsp_columns_alphabet (language) };
  ColumnsCell cell = { .word = word };
  return columns_decode (&test, &cell, instruction);
}

/* ---- Code ----------------------------------------------------------------------------------- */

/* Cells to statements. */

/* ---- Expressions ---- */
static RspExpr *new_expr (ColumnsResolver *r, RspExprKind kind, RspSpan span) {
  RspExpr *expr = rsp_arena_new0 (r->base.arena, RspExpr, 1);
  expr->kind = kind;
  expr->span = span;
  expr->type = columns_value_type ();
  return expr;
}

static RspExpr *register_expr (ColumnsResolver *r, const char *name, RspSpan span) {
  RspExpr *expr = new_expr (r, RSP_EXPR_REGISTER, span);
  expr->u.reg = columns_register (r, name, span);
  expr->name = name;
  return expr;
}

static RspExpr *binary_expr (ColumnsResolver *r, RspSpan span, RspOperator op, RspExpr *a,
                             RspExpr *b) {
  RspExpr *expr = new_expr (r, RSP_EXPR_BINARY, span);
  expr->u.node.op = op;
  expr->u.node.a = a;
  expr->u.node.b = b;
  return expr;
}

static RspExpr *constant_expr (ColumnsResolver *r, RspSpan span, gint64 value) {
  RspExpr *expr = new_expr (r, RSP_EXPR_CONSTANT, span);
  expr->u.constant = value;
  return expr;
}

/* The address of a location or of an array's element. */
static RspExpr *location_expr (ColumnsResolver *r, const LitmusPlace *place) {
  if (columns_is_register (r, place->name))
    ERROR (r, place->span, NULL, "`%s` is a register, which has no address", place->name);
  gint64 address = columns_address (r, place);
  RspExpr *expr = new_expr (r, RSP_EXPR_LOCATION, place->span);
  expr->u.object = rsp_address_object (address);
  expr->name = place->name;
  expr->type.pointers = 1;
  if (rsp_address_element (address) == 0)
    return expr;
  RspExpr *index = constant_expr (r, place->span, rsp_address_element (address));
  expr = binary_expr (r, place->span, RSP_OP_ADD, expr, index);
  expr->type.pointers = 1;
  return expr;
}

/* Does the operand name a register? */
static gboolean is_register (ColumnsResolver *r, const LitmusPlace *operand) {
  gboolean is = operand->kind != LITMUS_ADDRESS && columns_is_register (r, operand->name);
  if (is && operand->element != LITMUS_NONE)
    ERROR (r, operand->span, NULL, "found an index, but `%s` is a register", operand->name);
  return is;
}

/* The value of a register or number, or the address of a location. */
static RspExpr *value_expr (ColumnsResolver *r, const LitmusPlace *operand) {
  if (operand->kind == LITMUS_NUMBER)
    return constant_expr (r, operand->span, operand->number);
  if (operand->kind == LITMUS_CONTENT) {
    ERROR (r, operand->span, NULL, "found `[%s]`, expected a register or a number", operand->name);
    return constant_expr (r, operand->span, 0);
  }
  return is_register (r, operand) ? register_expr (r, operand->name, operand->span)
                                  : location_expr (r, operand);
}

/* Where a result goes. A register that is set anywhere in the thread counts as set: jumps go back.
 */
static RspExpr *target_expr (ColumnsResolver *r, const LitmusPlace *operand) {
  if (operand->kind == LITMUS_NAME && is_register (r, operand)) {
    RspExpr *expr = register_expr (r, operand->name, operand->span);
    g_array_index (r->registers, RspRegister, expr->u.reg).initialised = TRUE;
    return expr;
  }
  ERROR (r, operand->span, "registers are named `r0`, `r1`, …", "found %s%s%s, expected a register",
         operand->name ? "`" : "a number", operand->name ? operand->name : "",
         operand->name ? "`" : "");
  return constant_expr (r, operand->span, 0);
}

/* ---- Statements ---- */
static RspStatement *new_statement (ColumnsResolver *r, RspStatementKind kind, RspSpan span,
                                    RspExpr *expr) {
  RspStatement *statement = rsp_arena_new0 (r->base.arena, RspStatement, 1);
  statement->kind = kind;
  statement->span = span;
  statement->expr = expr;
  return statement;
}

static RspStatement *assign (ColumnsResolver *r, const ColumnsCell *cell, RspExpr *target,
                             RspExpr *value) {
  RspExpr *expr = new_expr (r, RSP_EXPR_ASSIGN, cell->span);
  expr->u.node.a = target;
  expr->u.node.b = value;
  return new_statement (r, RSP_STATEMENT_EXPRESSION, cell->span, expr);
}

/* FALSE, with an error, unless the cell has that many operands; most: 0 for `least`. */
static gboolean check_operands (ColumnsResolver *r, const ColumnsCell *cell, guint least,
                                guint most, const char *form) {
  guint n = cell->operands.n;
  if (n >= least && n <= MAX (least, most))
    return TRUE;
  g_autofree char *hint = *form ? g_strdup_printf ("`%s %s`", cell->word, form) : NULL;
  g_autofree char *range
      = most > least ? g_strdup_printf ("%u to %u", least, most) : g_strdup_printf ("%u", least);
  ERROR (r, cell->span, hint, "`%s` has %u operand%s, expected %s", cell->word, n,
         n == 1 ? "" : "s", range);
  return FALSE;
}

/* ---- Memory ---- */
static RspExpr *call_expr (ColumnsResolver *r, const ColumnsCell *cell, RspCall *call) {
  RspExpr *expr = new_expr (r, RSP_EXPR_CALL, cell->span);
  expr->u.call = call;
  expr->name = cell->word;
  return expr;
}

/* The call's value goes to target; NULL: nowhere. */
static RspStatement *call_statement (ColumnsResolver *r, const ColumnsCell *cell, RspExpr *target,
                                     RspCall *call) {
  RspExpr *expr = call_expr (r, cell, call);
  if (call->kind == RSP_CALL_FENCE || call->kind == RSP_CALL_WAIT)
    expr->type.bits = 0;
  return target ? assign (r, cell, target, expr)
                : new_statement (r, RSP_STATEMENT_EXPRESSION, cell->span, expr);
}

static RspCall *new_call (ColumnsResolver *r, const ColumnsCell *cell, RspCallKind kind,
                          const ColumnsInstruction *instruction) {
  RspCall *call = rsp_arena_new0 (r->base.arena, RspCall, 1);
  call->kind = kind;
  call->name = cell->word;
  call->scope = RSP_SCOPE_WORK_ITEM;
  call->tags = instruction->tags;
  call->write_tags = instruction->write_tags;
  call->failing_tags = instruction->failing_tags;
  call->reach = instruction->reach;
  call->spelling = instruction->spelling;
  call->words = instruction->words;
  return call;
}

/* The address of an access; a warning if it is an alias for another proxy than the instruction's.
 */
static RspExpr *object_expr (ColumnsResolver *r, const ColumnsCell *cell,
                             const ColumnsInstruction *instruction, const LitmusPlace *operand) {
  if (operand->kind == LITMUS_NUMBER) {
    ERROR (r, operand->span, NULL, "found a number, expected a location");
    return constant_expr (r, operand->span, 0);
  }
  RspExpr *expr = is_register (r, operand) ? register_expr (r, operand->name, operand->span)
                                           : location_expr (r, operand);
  if (expr->kind == RSP_EXPR_REGISTER || expr->kind == RSP_EXPR_CONSTANT)
    return expr;
  guint location = columns_location (r, operand->name, operand->span);
  RspTag proxy = g_array_index (r->locations, RspLocation, location).proxy;
  if (proxy != RSP_TAG_GEN && !(instruction->tags >> proxy & 1))
    rsp_warning (r->base.diagnostics, operand->span, NULL,
                 "`%s` is an alias for the %s, which `%s` does not use", operand->name,
                 rsp_tags[proxy].text, cell->word);
  columns_check_class (r, operand, location, instruction->tags | instruction->space);
  columns_check_mbarrier (r, operand, location, instruction->action == COLUMNS_MBARRIER);
  columns_check_owner (r, operand, location);
  return expr;
}

static RspStatement *modify (ColumnsResolver *r, const ColumnsCell *cell,
                             const ColumnsInstruction *instruction) {
  gboolean fetch = instruction->action == COLUMNS_FETCH, swap = instruction->op == RSP_OP_NONE;
  static const char *const forms[][2] = { { "x, 1", "x, 0, 1" }, { "r0, x, 1", "r0, x, 0, 1" } };
  if (!check_operands (r, cell, 2 + fetch + swap, 0, forms[fetch][swap]))
    return NULL;
  gpointer *operands = cell->operands.items;
  RspExpr *target = fetch ? target_expr (r, operands[0]) : NULL;
  RspCall *call = new_call (r, cell, swap ? RSP_CALL_SWAP : RSP_CALL_FETCH, instruction);
  call->op = instruction->op;
  call->object = object_expr (r, cell, instruction, operands[fetch]);
  call->expected = swap ? value_expr (r, operands[fetch + 1]) : NULL;
  call->value = value_expr (r, operands[fetch + 1 + swap]);
  return call_statement (r, cell, target, call);
}

/* An address in brackets; FALSE, with an error, if it is written otherwise. */
static gboolean check_address (ColumnsResolver *r, const LitmusPlace *operand) {
  if (operand->kind == LITMUS_CONTENT)
    return TRUE;
  g_autofree char *hint
      = operand->kind == LITMUS_NUMBER ? NULL : g_strdup_printf ("`[%s]`", operand->name);
  ERROR (r, operand->span, hint, "expected an address in brackets");
  return FALSE;
}

/* `fence.proxy.tensormap::generic.acquire.gpu [x], 128` is for one tensor map; other fences have no
 * operands. */
static RspStatement *fence (ColumnsResolver *r, const ColumnsCell *cell,
                            const ColumnsInstruction *instruction) {
  if (!check_operands (r, cell, 2 * instruction->at_address, 0,
                       instruction->at_address ? "[x], 128" : ""))
    return NULL;
  RspCall *call = new_call (r, cell, RSP_CALL_FENCE, instruction);
  if (instruction->at_address) {
    LitmusPlace **operands = (LitmusPlace **) cell->operands.items;
    if (!check_address (r, operands[0]))
      return NULL;
    if (operands[1]->kind != LITMUS_NUMBER || operands[1]->number != 128)
      ERROR (r, operands[1]->span, NULL, "expected 128, the size of a tensor map");
    call->object = object_expr (r, cell, instruction, operands[0]);
  }
  return call_statement (r, cell, NULL, call);
}

/* ---- Asynchronous copies ---- */
/* One location is copied, whatever the size says. FALSE, with an error, if PTX has no such size. */
static gboolean check_size (ColumnsResolver *r, const LitmusPlace *operand,
                            const ColumnsInstruction *instruction) {
  gint64 size = operand->kind == LITMUS_NUMBER ? operand->number : 0;
  gboolean bulk = (instruction->tags & RSP_TAG_BIT (ASYNC)) != 0;
  if (size > 0
      && (bulk ? size % 16 == 0
               : size == 16 || (!instruction->only_16 && (size == 4 || size == 8))))
    return TRUE;
  ERROR (r, operand->span, NULL, "expected a number of bytes: %s",
         bulk                   ? "a multiple of 16"
         : instruction->only_16 ? "16"
                                : "4, 8 or 16");
  return FALSE;
}

static RspStatement *wait (ColumnsResolver *r, const ColumnsCell *cell,
                           const ColumnsInstruction *instruction) {
  if (!check_operands (r, cell, !instruction->all, 0, instruction->all ? "" : "0"))
    return NULL;
  RspCall *call = new_call (r, cell, RSP_CALL_WAIT, instruction);
  call->reads = instruction->reads;
  if (!instruction->all) {
    const LitmusPlace *groups = cell->operands.items[0];
    if (groups->kind != LITMUS_NUMBER || groups->number < 0) {
      ERROR (r, groups->span, NULL,
             "expected a number: how many of the latest groups need not be complete");
      return NULL;
    }
    call->value = constant_expr (r, groups->span, groups->number);
  }
  return call_statement (r, cell, NULL, call);
}

static RspStatement *new_barrier (ColumnsResolver *r, const ColumnsCell *cell,
                                  const ColumnsInstruction *instruction, const char *id) {
  RspStatement *statement = new_statement (r, RSP_STATEMENT_BARRIER, cell->span, NULL);
  statement->barrier = rsp_arena_new0 (r->base.arena, RspBarrier, 1);
  *statement->barrier = (RspBarrier){ .tags = instruction->tags,
                                      .reach = instruction->reach,
                                      .spelling = instruction->spelling,
                                      .id = id,
                                      .arrives = instruction->arrives,
                                      .waits = instruction->waits,
                                      .reduces = instruction->reduces,
                                      .meeting = instruction->meeting,
                                      .words = instruction->words };
  return statement;
}

/* The threads of the mask meet, and so all of them must come. */
static RspStatement *warp_barrier (ColumnsResolver *r, const ColumnsCell *cell,
                                   const ColumnsInstruction *instruction) {
  const RspThread *threads = r->base.program->threads;
  guint lane = 0, n = 0; /* The threads of a cta are the lanes of a warp, in their order. */
  for (guint t = 0; t < r->base.program->n_threads; t++)
    if (rsp_threads_share (&threads[t], &threads[r->thread], RSP_LEVEL_WORK_GROUP)) {
      lane += t < r->thread;
      n++;
    }
  if (!check_operands (r, cell, 1, 0, "3"))
    return NULL;
  const LitmusPlace *mask = cell->operands.items[0];
  gint64 whole = n < 32 ? (G_GINT64_CONSTANT (1) << n) - 1 : G_MAXUINT32;
  if (mask->kind != LITMUS_NUMBER || (mask->number != G_MAXUINT32 && mask->number & ~whole)
      || !(mask->number >> lane & 1)) {
    ERROR (r, mask->span, "bit i stands for the i-th thread of the cta, 0xffffffff for all of them",
           "expected a mask of threads of the cta that includes P%u", r->thread);
    return NULL;
  }
  gint64 members = mask->number & whole;
  RspStatement *statement = new_barrier (r, cell, instruction, RSP_WARP_BARRIER);
  statement->barrier->name = constant_expr (r, mask->span, members);
  statement->barrier->quorum = constant_expr (r, mask->span, __builtin_popcountll (members));
  return statement;
}

/* Threads combine their predicates in a location of their own before they meet, and read it after:
 * all that meet have come by then. Returns the first of the three statements. */
static RspStatement *reduction (ColumnsResolver *r, const ColumnsCell *cell,
                                const ColumnsInstruction *instruction, RspStatement *meeting) {
  const RspExpr *name = meeting->barrier->name, *quorum = meeting->barrier->quorum;
  const RspThread *threads = r->base.program->threads;
  guint n = 0;
  for (guint t = 0; t < r->base.program->n_threads; t++)
    n += rsp_threads_share (&threads[t], &threads[r->thread], RSP_LEVEL_WORK_GROUP);
  if (name && name->kind != RSP_EXPR_CONSTANT) {
    ERROR (r, name->span, NULL, "expected a number: a barrier that reduces has a constant name");
    return NULL;
  }
  if (quorum && (quorum->kind != RSP_EXPR_CONSTANT || quorum->u.constant != n)) {
    ERROR (r, quorum->span, "`barrier.cta.sync` may have a smaller quorum",
           "expected %u, the number of threads in the cta: all of them reduce", n);
    return NULL;
  }
  char *place = rsp_arena_printf (r->base.arena, "cta %u barrier %s.%" G_GINT64_FORMAT,
                                  threads[r->thread].place[RSP_LEVEL_WORK_GROUP],
                                  meeting->barrier->id, name ? name->u.constant : 0);
  g_autofree char *key = g_strdup_printf ("%u %s", r->thread, place);
  guint nth = GPOINTER_TO_UINT (g_hash_table_lookup (r->met, key));
  g_hash_table_insert (r->met, g_steal_pointer (&key), GUINT_TO_POINTER (nth + 1));
  place = rsp_arena_printf (r->base.arena, "%s.%u", place, nth);
  const LitmusPlace *const *operands = (const LitmusPlace *const *) cell->operands.items;
  guint location = columns_location (r, place, cell->span);
  g_array_index (r->locations, RspLocation, location).initial = instruction->op == RSP_OP_AND;
  ColumnsInstruction access = *instruction;
  access.tags = access.write_tags = RSP_TAG_BIT (GEN) | RSP_TAG_BIT (RLX) | RSP_TAG_BIT (CTA);
  RspCall *calls[2];
  for (guint i = 0; i < 2; i++) {
    calls[i] = new_call (r, cell, i ? RSP_CALL_LOAD : RSP_CALL_FETCH, &access);
    calls[i]->object = new_expr (r, RSP_EXPR_LOCATION, cell->span);
    calls[i]->object->u.object = location;
    calls[i]->object->name = place;
    calls[i]->object->type.pointers = 1;
  }
  calls[0]->op = instruction->op;
  calls[0]->value
      = binary_expr (r, cell->span, RSP_OP_NE, value_expr (r, operands[cell->operands.n - 1]),
                     constant_expr (r, cell->span, 0));
  RspStatement *first = call_statement (r, cell, NULL, calls[0]);
  first->next = meeting;
  meeting->next = call_statement (r, cell, target_expr (r, operands[0]), calls[1]);
  return first;
}

static RspStatement *barrier (ColumnsResolver *r, const ColumnsCell *cell,
                              const ColumnsInstruction *instruction) {
  gboolean of_cluster = instruction->meeting == RSP_LEVEL_KERNEL, reduces = instruction->reduces;
  if (instruction->of_warp)
    return warp_barrier (r, cell, instruction);
  if (!check_operands (r, cell, reduces ? 3 : !of_cluster,
                       reduces      ? 5
                       : of_cluster ? 0
                                    : 3,
                       reduces      ? "r0, 0, r1"
                       : of_cluster ? ""
                                    : "0"))
    return NULL;
  if (of_cluster)
    return new_barrier (r, cell, instruction, "cluster");
  LitmusPlace **operands = (LitmusPlace **) cell->operands.items + reduces;
  guint n = cell->operands.n - 2 * reduces;
  const LitmusPlace *id = operands[0];
  if (id->kind != LITMUS_NUMBER) {
    ERROR (r, id->span, NULL, "found `%s`, expected the barrier's number", id->name);
    return NULL;
  }
  columns_check_barrier (r, cell, instruction->tags);
  RspStatement *statement = new_barrier (
      r, cell, instruction, rsp_arena_printf (r->base.arena, "%" G_GINT64_FORMAT, id->number));
  statement->barrier->name = n > 1 ? value_expr (r, operands[1]) : NULL;
  statement->barrier->quorum = n > 2 ? value_expr (r, operands[2]) : NULL;
  return reduces ? reduction (r, cell, instruction, statement) : statement;
}

/* ---- Mbarriers ---- */
static const struct {
  const char *form;
  guint least, most; /* operands */
  guint address;     /* the place of the mbarrier */
} mbarriers[] = {
  [COLUMNS_MBARRIER_INIT] = { "m, 1", 2, 2, 0 },
  [COLUMNS_MBARRIER_INVAL] = { "m", 1, 1, 0 },
  [COLUMNS_MBARRIER_ARRIVE] = { "r0, m", 2, 3, 1 },
  [COLUMNS_MBARRIER_DROP] = { "r0, m", 2, 3, 1 },
  [COLUMNS_MBARRIER_EXPECT] = { "m, 16", 2, 2, 0 },
  [COLUMNS_MBARRIER_COMPLETE] = { "m, 16", 2, 2, 0 },
  [COLUMNS_MBARRIER_TEST] = { "r0, m, r1", 3, 3, 1 },
  [COLUMNS_MBARRIER_TRY] = { "r0, m, r1", 3, 4, 1 },
  [COLUMNS_MBARRIER_PENDING] = { "r0, r1", 2, 2, 0 },
};

/* A number of arrivals, of bytes, or a parity; FALSE, with an error, if it is known and not in the
 * range. */
static gboolean is_within (ColumnsResolver *r, const LitmusPlace *operand, gint64 least,
                           gint64 most, const char *what) {
  if (operand->kind != LITMUS_NUMBER || (operand->number >= least && operand->number <= most))
    return TRUE;
  ERROR (r, operand->span, NULL,
         "found %" G_GINT64_FORMAT ", expected %s: %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
         operand->number, what, least, most);
  return FALSE;
}

/* value * factor */
static RspExpr *times (ColumnsResolver *r, RspExpr *value, gint64 factor) {
  return binary_expr (r, value->span, RSP_OP_MUL, value, constant_expr (r, value->span, factor));
}

/* What an arrival, an expectation or a completion adds to the state, by its last operand (NULL: it
 * has none). */
static gboolean set_phase (ColumnsResolver *r, const ColumnsInstruction *instruction,
                           const LitmusPlace *last, RspCall *call, RspSpan span) {
  gboolean arrives = instruction->mbarrier == COLUMNS_MBARRIER_ARRIVE
                     || instruction->mbarrier == COLUMNS_MBARRIER_DROP;
  gboolean drops = instruction->mbarrier == COLUMNS_MBARRIER_DROP;
  gboolean counts_bytes = instruction->expects || !arrives;
  if (last
      && !is_within (r, last, counts_bytes ? 0 : 1,
                     counts_bytes ? RSP_MBARRIER_MOST_TX : RSP_MBARRIER_MOST_ARRIVALS,
                     counts_bytes ? "a number of bytes" : "a number of arrivals"))
    return FALSE;
  RspExpr *number = last ? value_expr (r, last) : NULL;
  call->expected = arrives && !counts_bytes && number ? number : constant_expr (r, span, arrives);
  call->value = times (r, call->expected, drops ? -1 - RSP_MBARRIER_EXPECTED : -1);
  if (counts_bytes) {
    gint64 unit = (gint64) 1 << RSP_MBARRIER_TX_SHIFT;
    RspExpr *bytes
        = times (r, number, instruction->mbarrier == COLUMNS_MBARRIER_COMPLETE ? -unit : unit);
    call->value = binary_expr (r, span, RSP_OP_ADD, call->value, bytes);
  }
  return TRUE;
}

/* NULL, with an error, unless the operand is a register. */
static RspExpr *token_expr (ColumnsResolver *r, const LitmusPlace *operand) {
  if (operand->kind == LITMUS_NAME && is_register (r, operand))
    return value_expr (r, operand);
  ERROR (r, operand->span, "a test by parity is `mbarrier.test_wait.parity r0, m, 0`",
         "expected a register with the token of an arrival");
  return NULL;
}

/* By its last operand, a token or the parity of the phase that is tested. */
static gboolean set_test (ColumnsResolver *r, const ColumnsInstruction *instruction,
                          const LitmusPlace *last, RspCall *call) {
  if (instruction->by_parity && !is_within (r, last, 0, 1, "a parity"))
    return FALSE;
  call->expected = constant_expr (r, last->span, instruction->by_parity ? 1 : -1);
  call->value = instruction->by_parity ? value_expr (r, last) : token_expr (r, last);
  if (call->value && !instruction->by_parity)
    call->value = binary_expr (r, last->span, RSP_OP_SHR, call->value,
                               constant_expr (r, last->span, RSP_MBARRIER_PHASE_SHIFT));
  return call->value != NULL;
}

static gboolean set_init (ColumnsResolver *r, const LitmusPlace *count, RspCall *call,
                          RspSpan span) {
  if (count && !is_within (r, count, 1, RSP_MBARRIER_MOST_ARRIVALS, "a number of arrivals"))
    return FALSE;
  call->value = count ? binary_expr (r, span, RSP_OP_ADD,
                                     times (r, value_expr (r, count), RSP_MBARRIER_EXPECTED + 1),
                                     constant_expr (r, span, RSP_MBARRIER_COMPLETE))
                      : constant_expr (r, span, 0);
  return TRUE;
}

/* Keeps what initialises and what uses mbarriers. */
static void note_mbarrier (ColumnsResolver *r, const LitmusPlace *operand,
                           ColumnsMbarrier operation) {
  guint object = 0;
  if (operand->kind == LITMUS_NUMBER)
    return;
  if (operand->kind == LITMUS_ADDRESS || !columns_is_register (r, operand->name)) {
    const RspLocation *locations = (const RspLocation *) r->locations->data;
    guint location = columns_location (r, operand->name, operand->span);
    object = locations[locations[location].physical].object + 1;
  }
  if (operation == COLUMNS_MBARRIER_INIT)
    g_hash_table_add (r->initialised, GUINT_TO_POINTER (object));
  else if (object && !g_hash_table_contains (r->uses, GUINT_TO_POINTER (object)))
    g_hash_table_insert (r->uses, GUINT_TO_POINTER (object), (gpointer) operand);
}

static RspStatement *mbarrier (ColumnsResolver *r, const ColumnsCell *cell,
                               const ColumnsInstruction *instruction) {
  ColumnsMbarrier operation = instruction->mbarrier;
  guint address = mbarriers[operation].address, n = cell->operands.n;
  gboolean expects = instruction->expects;
  const LitmusPlace *const *operands = (const LitmusPlace *const *) cell->operands.items;
  if (!check_operands (r, cell, expects ? address + 2 : mbarriers[operation].least,
                       expects ? address + 2 : mbarriers[operation].most,
                       expects && address ? "r0, m, 16" : mbarriers[operation].form))
    return NULL;
  if (operation == COLUMNS_MBARRIER_PENDING) { /* the pending arrivals that a token says */
    RspExpr *count = target_expr (r, operands[0]), *token = token_expr (r, operands[1]);
    RspExpr *mask = constant_expr (r, cell->span, RSP_MBARRIER_MOST_ARRIVALS);
    return token ? assign (r, cell, count, binary_expr (r, cell->span, RSP_OP_AND, token, mask))
                 : NULL;
  }
  const LitmusPlace *last = n > address + 1 ? operands[address + 1] : NULL;
  /* `_` is not a register. */
  gboolean is_named = operands[0]->kind != LITMUS_NAME || strcmp (operands[0]->name, "_") != 0;
  RspExpr *target = address && is_named ? target_expr (r, operands[0]) : NULL;
  gboolean inits = operation <= COLUMNS_MBARRIER_INVAL, tests = operation >= COLUMNS_MBARRIER_TEST;
  RspCall *call = new_call (r, cell,
                            inits   ? RSP_CALL_STORE
                            : tests ? RSP_CALL_TEST
                                    : RSP_CALL_PHASE,
                            instruction);
  call->object = object_expr (r, cell, instruction, operands[address]);
  if (!(inits   ? set_init (r, last, call, cell->span)
        : tests ? set_test (r, instruction, last, call)
                : set_phase (r, instruction, last, call, cell->span)))
    return NULL;
  note_mbarrier (r, operands[address], operation);
  return call_statement (r, cell, target, call);
}

/* ---- Completion at an mbarrier ---- */
/* An operation on an mbarrier, by copies if the tags say so; number: as in set_phase. */
static RspCall *phase_call (ColumnsResolver *r, const ColumnsCell *cell,
                            const ColumnsInstruction *phase, const LitmusPlace *at,
                            const LitmusPlace *number) {
  RspCall *call = new_call (r, cell, RSP_CALL_PHASE, phase);
  call->object = object_expr (r, cell, phase, at);
  note_mbarrier (r, at, phase->mbarrier);
  return set_phase (r, phase, number, call, cell->span) ? call : NULL;
}

static RspStatement *copy (ColumnsResolver *r, const ColumnsCell *cell,
                           const ColumnsInstruction *instruction) {
  LitmusPlace **operands = (LitmusPlace **) cell->operands.items;
  gboolean completes = instruction->phase_tags != 0;
  if (!check_operands (r, cell, 3 + completes, 0, completes ? "[x], [y], 16, [m]" : "[x], [y], 16")
      || !check_address (r, operands[0]) || !check_address (r, operands[1])
      || !check_size (r, operands[2], instruction)
      || (completes && !check_address (r, operands[3])))
    return NULL;
  RspCall *call = new_call (r, cell, RSP_CALL_COPY, instruction);
  call->op = instruction->op;
  ColumnsInstruction from = *instruction, to = from;
  from.space = 0;
  to.tags = to.write_tags;
  call->object = object_expr (r, cell, &to, operands[0]);
  call->expected = object_expr (r, cell, &from, operands[1]);
  if (completes) {
    const ColumnsInstruction phase = { .action = COLUMNS_MBARRIER,
                                       .mbarrier = COLUMNS_MBARRIER_COMPLETE,
                                       .tags = instruction->phase_tags | RSP_TAG_BIT (RLX),
                                       .write_tags = instruction->phase_tags | RSP_TAG_BIT (REL),
                                       .reach = RSP_LEVEL_KERNEL };
    RspCall *completion = phase_call (r, cell, &phase, operands[3], operands[2]);
    if (!completion)
      return NULL;
    call->completion = call_expr (r, cell, completion);
  }
  return call_statement (r, cell, NULL, call);
}

/* Copies arrive once they have been done. Unless `.noinc` says otherwise, the phase expects one
 * arrival more. */
static RspStatement *copies_arrive (ColumnsResolver *r, const ColumnsCell *cell,
                                    const ColumnsInstruction *instruction) {
  LitmusPlace **operands = (LitmusPlace **) cell->operands.items;
  if (!check_operands (r, cell, 1, 0, "[m]") || !check_address (r, operands[0]))
    return NULL;
  ColumnsInstruction phase = *instruction;
  phase.action = COLUMNS_MBARRIER;
  phase.mbarrier = COLUMNS_MBARRIER_ARRIVE;
  RspCall *call = phase_call (r, cell, &phase, operands[0], NULL);
  call->copies = TRUE;
  if (!instruction->all) {
    phase.tags = phase.write_tags = instruction->phase_tags;
    RspCall *expects = phase_call (r, cell, &phase, operands[0], NULL);
    expects->expected = constant_expr (r, cell->span, 0);
    expects->value = constant_expr (r, cell->span, 1);
    expects->completion = call_expr (r, cell, call);
    call = expects;
  }
  return call_statement (r, cell, NULL, call);
}

/* ---- Arithmetic and jumps ---- */
static RspStatement *compute (ColumnsResolver *r, const ColumnsCell *cell,
                              const ColumnsPlain *instruction) {
  gboolean binary = instruction->op != RSP_OP_NONE;
  if (!check_operands (r, cell, 2 + binary, 0, binary ? "r0, r1, 1" : "r0, 1"))
    return NULL;
  gpointer *operands = cell->operands.items;
  RspExpr *target = target_expr (r, operands[0]);
  RspExpr *a = value_expr (r, operands[1]);
  RspExpr *value
      = binary ? binary_expr (r, cell->span, instruction->op, a, value_expr (r, operands[2])) : a;
  return assign (r, cell, target, value);
}

static RspStatement *jump (ColumnsResolver *r, const ColumnsCell *cell,
                           const ColumnsPlain *instruction) {
  gboolean conditional = instruction->op != RSP_OP_NONE;
  if (!check_operands (r, cell, conditional ? 3 : 1, 0, conditional ? "r0, 1, LC00" : "LC00"))
    return NULL;
  gpointer *operands = cell->operands.items;
  const LitmusPlace *label = operands[cell->operands.n - 1];
  if (label->kind != LITMUS_NAME || label->element != LITMUS_NONE) {
    ERROR (r, label->span, NULL, "expected a label: `%s` ends with the label to jump to",
           cell->word);
    return NULL;
  }
  RspStatement *statement = new_statement (r, RSP_STATEMENT_JUMP, cell->span, NULL);
  if (conditional) {
    RspExpr *a = value_expr (r, operands[0]);
    statement->expr = binary_expr (r, cell->span, instruction->op, a, value_expr (r, operands[1]));
    statement->expr->type = (RspType){ .bits = 32, .is_signed = TRUE, .space = RSP_SPACE_PRIVATE };
  }
  ColumnsJump *entry = rsp_arena_new0 (r->base.arena, ColumnsJump, 1);
  *entry = (ColumnsJump){ statement, label };
  g_ptr_array_add (r->jumps, entry);
  return statement;
}

/* NULL after an error. */
static RspStatement *instruction_statement (ColumnsResolver *r, const ColumnsCell *cell) {
  gboolean assigns = strcmp (cell->word, "ld") == 0 && cell->operands.n == 2
                     && ((const LitmusPlace *) cell->operands.items[1])->kind == LITMUS_NUMBER;
  const char *word = assigns ? "mov" : cell->word;
  for (const ColumnsPlain *plain = columns_plain; plain->word; plain++)
    if (strcmp (plain->word, word) == 0)
      return plain->jumps ? jump (r, cell, plain) : compute (r, cell, plain);
  ColumnsInstruction instruction;
  if (!columns_decode (r->columns, cell, &instruction))
    return NULL;
  r->base.program->newer |= instruction.newer;
  switch (instruction.action) {
  case COLUMNS_LOAD: {
    /* `ld r, 5` assigns the number. */
    const LitmusPlace *const *operands = (const LitmusPlace *const *) cell->operands.items;
    if (!check_operands (r, cell, 2, 0, "r0, x"))
      return NULL;
    RspExpr *target = target_expr (r, operands[0]);
    if (operands[1]->kind == LITMUS_NUMBER || operands[1]->kind == LITMUS_ADDRESS)
      return assign (r, cell, target, value_expr (r, operands[1]));
    RspCall *call = new_call (r, cell, RSP_CALL_LOAD, &instruction);
    call->object = object_expr (r, cell, &instruction, operands[1]);
    return call_statement (r, cell, target, call);
  }
  case COLUMNS_STORE: {
    if (!check_operands (r, cell, 2, 0, "x, 1"))
      return NULL;
    RspCall *call = new_call (r, cell, RSP_CALL_STORE, &instruction);
    call->object = object_expr (r, cell, &instruction, cell->operands.items[0]);
    call->value = value_expr (r, cell->operands.items[1]);
    return call_statement (r, cell, NULL, call);
  }
  case COLUMNS_FETCH:
  case COLUMNS_REDUCE:
    return modify (r, cell, &instruction);
  case COLUMNS_FENCE:
    return fence (r, cell, &instruction);
  case COLUMNS_BARRIER:
    return barrier (r, cell, &instruction);
  case COLUMNS_COPY:
    return copy (r, cell, &instruction);
  case COLUMNS_WAIT:
    return wait (r, cell, &instruction);
  case COLUMNS_COPIES:
    return copies_arrive (r, cell, &instruction);
  case COLUMNS_MBARRIER:
    return mbarrier (r, cell, &instruction);
  }
  g_assert_not_reached ();
}

/* ---- A thread ---- */
/* Threads meet at barriers that reduce in the order of the text: an error for a jump past one. */
static void check_reductions (ColumnsResolver *r, const RspStatement *first,
                              const ColumnsJump *jump) {
  guint from = jump->statement->index, to = jump->statement->target->index;
  for (const RspStatement *s = first; s; s = s->next)
    if (s->barrier && s->barrier->reduces && s->index > MIN (from, to)
        && s->index < MAX (from, to)) {
      ERROR (r, jump->label->span,
             "combine the values in a location, with `red`, and use `barrier.cta.sync`",
             "a jump past the barrier on line %u, which reduces, is not supported",
             rsp_span_line (s->span));
      return;
    }
}

RspStatement *columns_code (ColumnsResolver *r, guint thread) {
  const LitmusList rows = r->columns->rows;
  RspStatement *body
      = new_statement (r, RSP_STATEMENT_BLOCK, r->base.program->threads[thread].span, NULL);
  RspStatement **link = &body->first;
  guint index = 0;
  for (guint i = 0; i < rows.n; i++) {
    const ColumnsCell *cell = ((const ColumnsRow *) rows.items[i])->cells.items[thread];
    if (!cell->word && !cell->labels.n)
      continue;
    RspStatement *statement = cell->word ? instruction_statement (r, cell) : NULL;
    const char *text = cell->span.source->text;
    g_string_append_len (r->raw, text + cell->span.begin, cell->span.end - cell->span.begin);
    g_string_append_c (r->raw, ';');
    if (!statement)
      statement = new_statement (r, RSP_STATEMENT_EMPTY, cell->span, NULL);
    for (guint k = 0; k < cell->labels.n; k++) { /* of the next statement, or of an empty one */
      const LitmusPlace *label = cell->labels.items[k];
      if (g_hash_table_contains (r->labels, label->name))
        ERROR (r, label->span, NULL, "found a second label `%s` in P%u", label->name, r->thread);
      g_hash_table_insert (r->labels, (gpointer) label->name, statement);
    }
    *link = statement;
    for (; *link; link = &(*link)->next)
      (*link)->index = index++;
  }
  for (guint i = 0; i < r->jumps->len; i++) {
    const ColumnsJump *entry = r->jumps->pdata[i];
    entry->statement->target = g_hash_table_lookup (r->labels, entry->label->name);
    if (entry->statement->target) {
      check_reductions (r, body->first, entry);
      continue;
    }
    g_autofree gpointer *names = g_hash_table_get_keys_as_array (r->labels, NULL);
    g_autofree char *hint = rsp_did_you_mean (entry->label->name, (const char *const *) names);
    ERROR (r, entry->label->span, hint, "found `%s`, which is not a label of P%u",
           entry->label->name, r->thread);
  }
  if (r->jumps->len)
    body->kind = RSP_STATEMENT_CODE;
  return body;
}
