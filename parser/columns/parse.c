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

guint columns_add_object (ColumnsResolver *r, const char *name, guint n, gboolean is_array,
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

guint columns_location (ColumnsResolver *r, const char *name, RspSpan span) {
  const LitmusObject *known = g_hash_table_lookup (r->base.object_names, name);
  return known ? known->first : columns_add_object (r, name, 1, FALSE, span);
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

gboolean columns_check_number (LitmusParser *parser, TokenRange range, LitmusNumber number) {
  if (!rsp_is_address (number.value))
    return TRUE;
  rsp_error (
      parser->diagnostics, rsp_litmus_span (parser, range), NULL,
      "the number `%.*s` is too large: values from 2^62 to 2^63 - 1 are reserved for addresses",
      (int) (range.end - range.begin), parser->source->text + range.begin);
  return FALSE;
}

LitmusInit *columns_add_init (LitmusParser *parser, TokenRange range, LitmusPlace *place,
                              LitmusList values) {
  LitmusInit *init = rsp_litmus_init (parser, range, NULL, place);
  init->values = values;
  parser->test->initial = rsp_litmus_append (parser, parser->test->initial, init);
  return init;
}

void columns_add_alias (LitmusParser *parser, TokenRange range, const char *name, const char *proxy,
                        TokenRange proxy_range, const char *aliases, TokenRange aliases_range,
                        const char *target, TokenRange target_range) {
  ColumnsAlias *alias = rsp_arena_new0 (parser->arena, ColumnsAlias, 1);
  if (strcmp (aliases, "aliases") != 0)
    rsp_error (parser->diagnostics, rsp_litmus_span (parser, aliases_range), NULL,
               "found `%s`, expected `aliases`: `y aliases x`", aliases);
  *alias = (ColumnsAlias){ .span = rsp_litmus_span (parser, range),
                           .proxy_span = rsp_litmus_span (parser, proxy_range),
                           .target_span = rsp_litmus_span (parser, target_range),
                           .name = name,
                           .proxy = proxy,
                           .target = target };
  parser->columns->aliases = rsp_litmus_append (parser, parser->columns->aliases, alias);
}

void columns_add_pair (LitmusParser *parser, TokenRange range, const char *word, LitmusPlace *from,
                       LitmusPlace *to) {
  ColumnsPair *pair = rsp_arena_new0 (parser->arena, ColumnsPair, 1);
  *pair = (ColumnsPair){ rsp_litmus_span (parser, range), word, from, to };
  parser->columns->pairs = rsp_litmus_append (parser, parser->columns->pairs, pair);
}

ColumnsHead *columns_head (LitmusParser *parser, TokenRange range, const char *name,
                           LitmusList positions) {
  ColumnsHead *head = rsp_arena_new0 (parser->arena, ColumnsHead, 1);
  *head = (ColumnsHead){ rsp_litmus_span (parser, range), name, positions };
  return head;
}

ColumnsCell *columns_cell (LitmusParser *parser, TokenRange range, const char *word,
                           TokenRange word_range, LitmusList operands) {
  ColumnsCell *cell = rsp_arena_new0 (parser->arena, ColumnsCell, 1);
  cell->span = rsp_litmus_span (parser, range);
  cell->word = word;
  cell->word_span = rsp_litmus_span (parser, word_range);
  cell->operands = operands;
  return cell;
}

void columns_add_row (LitmusParser *parser, TokenRange range, TokenRange cells_range,
                      LitmusList cells) {
  ColumnsRow *row = rsp_arena_new0 (parser->arena, ColumnsRow, 1);
  /* An empty cell ends where the row before it did. */
  const char *text = parser->source->text;
  while (g_ascii_isspace (text[cells_range.begin]))
    cells_range.begin++;
  row->span = rsp_litmus_span (parser, (TokenRange){ cells_range.begin, range.end });
  row->cells = cells;
  parser->columns->rows = rsp_litmus_append (parser, parser->columns->rows, row);
}

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
