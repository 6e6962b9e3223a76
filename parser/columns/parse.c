/* Tests in columns: what the grammar builds, and its errors. */
#include "base/base.h"
#include "parser/columns/columns.h"
#include "parser/columns/internal.h"
#include "parser/litmus/litmus.h"
#include "parser/resolve/resolve.h"

#include <string.h>

/* ---- Spelling ------------------------------------------------------------------------------- */

char *rsp_columns_spell (const ColumnsAlphabet *alphabet, RspSpelling spelling) {
  GString *text = g_string_new (alphabet->forms[spelling.form].word);
  for (const ColumnsSuffix *suffix = alphabet->suffixes; suffix->word; suffix++)
    if (spelling.suffixes & rsp_columns_suffix_bit (alphabet, suffix))
      g_string_append_printf (text, ".%s", suffix->word);
  return g_string_free (text, FALSE);
}

guint64 rsp_columns_kind_bits (const ColumnsAlphabet *alphabet, ColumnsKind kind) {
  guint64 bits = 0;
  for (const ColumnsSuffix *suffix = alphabet->suffixes; suffix->word; suffix++)
    if (suffix->kind == kind)
      bits |= rsp_columns_suffix_bit (alphabet, suffix);
  return bits;
}

guint rsp_columns_values (const ColumnsAlphabet *alphabet, guint64 suffixes, ColumnsKind kind) {
  guint values = 0;
  for (const ColumnsSuffix *suffix = alphabet->suffixes; suffix->word; suffix++)
    if (suffix->kind == kind && suffixes & rsp_columns_suffix_bit (alphabet, suffix))
      values |= 1u << suffix->value;
  return values;
}

/* ---- Names ---------------------------------------------------------------------------------- */

/* Locations and registers by name. */

/* is_array: are the names of its cells those of elements? */
static guint add_object (ColumnsResolver *r, const char *name, guint n, gboolean is_array,
                         RspSpan span) {
  guint first = r->locations->len;
  LitmusObject *object = rsp_arena_new0 (r->base.arena, LitmusObject, 1);
  *object = (LitmusObject){ .name = name,
                            .type = columns_value_type (),
                            .is_array = is_array,
                            .n_elements = n,
                            .index = r->base.objects->len,
                            .first = first,
                            .span = span };
  for (guint i = 0; i < n; i++) {
    const char *cell = is_array ? rsp_arena_printf (r->base.arena, "%s[%u]", name, i) : name;
    RspLocation location = { .name = cell,
                             .type = object->type,
                             .object = first,
                             .physical = first + i,
                             .n_elements = n,
                             .proxy = RSP_TAG_GEN,
                             .span = span };
    g_array_append_val (r->locations, location);
  }
  g_ptr_array_add (r->base.objects, object);
  g_hash_table_insert (r->base.object_names, (gpointer) name, object);
  return first;
}

guint columns_array (ColumnsResolver *r, const char *name, guint n, RspSpan span) {
  return add_object (r, name, n, TRUE, span);
}

guint columns_location (ColumnsResolver *r, const char *name, RspSpan span) {
  const LitmusObject *known = g_hash_table_lookup (r->base.object_names, name);
  return known ? known->first : add_object (r, name, 1, FALSE, span);
}

gint64 columns_address (ColumnsResolver *r, const LitmusPlace *place) {
  gint64 address = rsp_address (columns_location (r, place->name, place->span), 0);
  LitmusObject *object;
  rsp_litmus_resolve_address (&r->base, place, &address, &object);
  return address;
}

guint columns_find_register (const ColumnsResolver *r, const char *name) {
  for (guint i = 0; i < r->registers->len; i++)
    if (strcmp (g_array_index (r->registers, RspRegister, i).name, name) == 0)
      return i;
  return G_MAXUINT;
}

gboolean columns_is_register_name (const char *name) {
  if (name[0] != 'r' || !name[1])
    return FALSE;
  for (const char *c = name + 1; *c; c++)
    if (!g_ascii_isdigit (*c))
      return FALSE;
  return TRUE;
}

/* `r0`, `r1`, … and what the initial state sets are registers. */
gboolean columns_is_register (const ColumnsResolver *r, const char *name) {
  return columns_find_register (r, name) != G_MAXUINT || columns_is_register_name (name);
}

guint columns_register (ColumnsResolver *r, const char *name, RspSpan span) {
  guint known = columns_find_register (r, name);
  if (known != G_MAXUINT)
    return known;
  RspRegister reg = { .name = name, .type = columns_value_type (), .span = span };
  g_array_append_val (r->registers, reg);
  return r->registers->len - 1;
}

/* ---- Build ---------------------------------------------------------------------------------- */

/* Building the syntax of tests in columns. */

gboolean columns_check_number (ColumnsParser *parser, TokenRange range, LitmusNumber number) {
  if (!rsp_is_address (number.value))
    return TRUE;
  const LitmusParser *base = &parser->base;
  rsp_error (
      base->diagnostics, rsp_litmus_span (base, range), NULL,
      "the number `%.*s` is too large: values from 2^62 to 2^63 - 1 are reserved for addresses",
      (int) (range.end - range.begin), base->source->text + range.begin);
  return FALSE;
}

LitmusInit *columns_add_init (ColumnsParser *parser, TokenRange range, LitmusPlace *place,
                              LitmusList values) {
  LitmusParser *base = &parser->base;
  LitmusInit *init = rsp_litmus_init (base, range, NULL, (LitmusStars){ 0 }, place);
  init->values = values;
  base->test->initial = rsp_litmus_append (base, base->test->initial, init);
  return init;
}

void columns_add_alias (ColumnsParser *parser, TokenRange range, const char *name,
                        const char *proxy, TokenRange proxy_range, const char *aliases,
                        TokenRange aliases_range, const char *target, TokenRange target_range) {
  LitmusParser *base = &parser->base;
  ColumnsAlias *alias = rsp_arena_new0 (base->arena, ColumnsAlias, 1);
  if (strcmp (aliases, "aliases") != 0)
    rsp_error (base->diagnostics, rsp_litmus_span (base, aliases_range), NULL,
               "found `%s`, expected `aliases`: `y aliases x`", aliases);
  *alias = (ColumnsAlias){ .span = rsp_litmus_span (base, range),
                           .proxy_span = rsp_litmus_span (base, proxy_range),
                           .target_span = rsp_litmus_span (base, target_range),
                           .name = name,
                           .proxy = proxy,
                           .target = target };
  parser->aliases = rsp_litmus_append (base, parser->aliases, alias);
}

void columns_add_pair (ColumnsParser *parser, TokenRange range, const char *word, LitmusPlace *from,
                       LitmusPlace *to) {
  ColumnsPair *pair = rsp_arena_new0 (parser->base.arena, ColumnsPair, 1);
  *pair = (ColumnsPair){ rsp_litmus_span (&parser->base, range), word, from, to };
  parser->pairs = rsp_litmus_append (&parser->base, parser->pairs, pair);
}

ColumnsHead *columns_head (ColumnsParser *parser, TokenRange range, const char *name,
                           LitmusList positions) {
  ColumnsHead *head = rsp_arena_new0 (parser->base.arena, ColumnsHead, 1);
  *head = (ColumnsHead){ rsp_litmus_span (&parser->base, range), name, positions };
  return head;
}

ColumnsCell *columns_cell (ColumnsParser *parser, TokenRange range, const char *word,
                           TokenRange word_range, LitmusList operands) {
  ColumnsCell *cell = rsp_arena_new0 (parser->base.arena, ColumnsCell, 1);
  cell->span = rsp_litmus_span (&parser->base, range);
  cell->word = word;
  cell->word_span = rsp_litmus_span (&parser->base, word_range);
  cell->operands = operands;
  return cell;
}

void columns_add_row (ColumnsParser *parser, TokenRange range, TokenRange cells_range,
                      LitmusList cells) {
  ColumnsRow *row = rsp_arena_new0 (parser->base.arena, ColumnsRow, 1);
  /* An empty cell ends where the row before it did. */
  const char *text = parser->base.source->text;
  while (g_ascii_isspace (text[cells_range.begin]))
    cells_range.begin++;
  row->span = rsp_litmus_span (&parser->base, (TokenRange){ cells_range.begin, range.end });
  row->cells = cells;
  parser->rows = rsp_litmus_append (&parser->base, parser->rows, row);
}

LitmusProp *columns_atom (ColumnsParser *parser, TokenRange range, RspOperator op,
                          LitmusPlace *left, LitmusPlace *right) {
  gboolean swapped = op == RSP_OP_GT || op == RSP_OP_LE;
  gboolean negated = op == RSP_OP_LE || op == RSP_OP_GE;
  RspOperator kept = op == RSP_OP_EQ || op == RSP_OP_NE ? op : RSP_OP_LT;
  LitmusProp *atom = rsp_litmus_atom (&parser->base, range, kept, swapped ? right : left,
                                      swapped ? left : right);
  return negated ? rsp_litmus_prop (&parser->base, range, RSP_PROP_NOT, atom, NULL) : atom;
}

/* ---- Errors --------------------------------------------------------------------------------- */

/* Syntax errors in tests in columns. */

/* Does the line begin with a thread, as in the first row of the table: `P0@cta 0`, `P0 |`? */
static gboolean begins_table (const char *line) {
  line += strspn (line, " \t");
  if (*line++ != 'P' || !g_ascii_isdigit (*line))
    return FALSE;
  line += strspn (line, "0123456789");
  line += strspn (line, " \t");
  return *line == '@' || *line == '|' || *line == ';';
}

/* Is the range in the table, or after it, while the initial state has not ended? That is so in the
 * first row alone. */
static char *missing_brace (gconstpointer parser, const SyntaxError *error) {
  const char *text = error->source->text, *begin = text + error->range.begin;
  gint open = 0;
  (void) parser;
  while (begin > text && begin[-1] != '\n')
    begin--;
  for (const char *c = text; c < begin; c++)
    open += (*c == '{') - (*c == '}');
  return open > 0 && begins_table (begin)
             ? g_strdup_printf ("is a `}` missing before line %u?",
                                rsp_span_line ((RspSpan){ error->source, error->range.begin, 0 }))
             : NULL;
}

static const SyntaxSlip slips[] = { { .found = "final", .hint = LITMUS_FINAL_HINT } };

static const char *const sections[] = { "exists", "forall", "filter", "locations", NULL };

const SyntaxLanguage columns_syntax = { .texts = "tests in columns",
                                        .slips = slips,
                                        .n_slips = G_N_ELEMENTS (slips),
                                        .sections = sections,
                                        .guess_first = missing_brace };

/* ---- Parse ---------------------------------------------------------------------------------- */

/* From a source in columns to a program. */

const RspLanguage *rsp_columns_recognise (const RspSource *source) {
  const RspLanguage *languages[RSP_N_LANGUAGES];
  const char *words[RSP_N_LANGUAGES + 1] = { NULL };
  guint n = 0;
  for (guint i = 0; i < RSP_N_LANGUAGES; i++)
    if (rsp_columns_alphabet (&rsp_languages[i])) {
      languages[n] = &rsp_languages[i];
      words[n++] = rsp_languages[i].word;
    }
  int found = rsp_columns_scan_recognises (source, words);
  return found < 0 ? NULL : languages[found];
}

static gboolean run_grammar (ColumnsParser *parser) {
  guint errors = rsp_diagnostics_count_errors (parser->base.diagnostics);
  parser->base.test = rsp_arena_new0 (parser->base.arena, LitmusTest, 1);
  int status = rsp_columns_yyparse (parser);
  rsp_columns_scan_end (&parser->base.scan);
  return status == 0 && rsp_diagnostics_count_errors (parser->base.diagnostics) == errors;
}

/* Replaces the test's question. */
static gboolean parse_question (LitmusTest *test, RspSpan span, RspArena *arena,
                                RspDiagnostics *diagnostics) {
  ColumnsParser parser = {
    .base
    = { .arena = arena, .source = span.source, .diagnostics = diagnostics, .only_question = TRUE }
  };
  rsp_columns_scan_begin_question (&parser.base.scan, span, arena, diagnostics);
  if (!run_grammar (&parser))
    return FALSE;
  test->quantifier = parser.base.test->quantifier;
  test->condition = parser.base.test->condition;
  return TRUE;
}

gboolean rsp_columns_parse (RspProgram *program, const RspLanguage *language, RspSpan question,
                            gboolean strict, RspDiagnostics *diagnostics) {
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  ColumnsParser parser
      = { .base
          = { .arena = program->arena, .source = program->source, .diagnostics = diagnostics },
          .strict = strict,
          .language = language,
          .alphabet = rsp_columns_alphabet (language) };
  rsp_columns_scan_begin (&parser.base.scan, program->source, program->arena, diagnostics);
  if (!run_grammar (&parser))
    return FALSE;
  if (question.source && !parse_question (parser.base.test, question, program->arena, diagnostics))
    return FALSE;
  columns_resolve (program, &parser, diagnostics);
  return rsp_diagnostics_count_errors (diagnostics) == errors;
}
