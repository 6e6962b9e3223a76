/* Building the syntax of tests in columns. */
#include "parser/columns/build.h"

#include <string.h>

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
