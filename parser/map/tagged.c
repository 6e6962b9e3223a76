#include "parser/map/tagged.h"
#include "parser/columns/spelling.h"
#include "parser/map/words.h"

#include <string.h>

/* ---- Operations ---- */

static RspMapOperation operation_of (const ColumnsForm *form) {
  static const RspMapOperation operations[]
      = { [COLUMNS_LOAD] = RSP_MAP_LOAD,   [COLUMNS_STORE] = RSP_MAP_STORE,
          [COLUMNS_FETCH] = RSP_MAP_RMW,   [COLUMNS_REDUCE] = RSP_MAP_RMW,
          [COLUMNS_FENCE] = RSP_MAP_FENCE, [COLUMNS_BARRIER] = RSP_MAP_BARRIER };
  return operations[form->action];
}

static void report_operation (MapParser *parser, TokenRange range, const char *word,
                              const ColumnsAlphabet *alphabet) {
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  for (guint i = 0; i < RSP_MAP_N_OPERATIONS; i++)
    g_ptr_array_add (words, (gpointer) map_operation_name ((RspMapOperation) i));
  for (const ColumnsForm *form = alphabet->forms; form->word; form++)
    if (!g_ptr_array_find_with_equal_func (words, form->word, g_str_equal, NULL))
      g_ptr_array_add (words, (gpointer) form->word);
  g_ptr_array_add (words, NULL);
  map_unknown_word (parser, range, "an operation or an instruction", word,
                    (const char *const *) words->pdata);
}

void map_tagged_operation (MapParser *parser, TokenRange range, const char *word, RspMapRow *row) {
  const ColumnsAlphabet *alphabet = rsp_columns_alphabet (parser->map->source);
  const ColumnsForm *alone = rsp_columns_form (alphabet, word);
  guint operation = 0;
  while (operation < RSP_MAP_N_OPERATIONS
         && strcmp (map_operation_name ((RspMapOperation) operation), word) != 0)
    operation++;
  for (const ColumnsForm *form = alphabet->forms; form->word; form++)
    if (operation < RSP_MAP_N_OPERATIONS ? operation_of (form) == operation : form == alone) {
      row->forms |= G_GUINT64_CONSTANT (1) << (form - alphabet->forms);
      row->operation = operation_of (form);
    }
  if (!row->forms)
    report_operation (parser, range, word, alphabet);
}

/* ---- Suffixes ---- */

MapSelection map_tagged_select (MapParser *parser, TokenRange range, const char *word) {
  const ColumnsAlphabet *alphabet = rsp_columns_alphabet (parser->map->source);
  const ColumnsSuffix *suffix = rsp_columns_suffix (alphabet, word);
  if (suffix)
    return (MapSelection){ .suffixes = rsp_columns_suffix_bit (alphabet, suffix),
                           .kinds = 1u << suffix->kind };
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  for (suffix = alphabet->suffixes; suffix->word; suffix++)
    g_ptr_array_add (words, (gpointer) suffix->word);
  g_ptr_array_add (words, NULL);
  g_autofree char *what = g_strdup_printf ("a suffix of %s", parser->map->source->word);
  map_unknown_word (parser, range, what, word, (const char *const *) words->pdata);
  return (MapSelection){ 0 };
}

void map_tagged_end_head (const MapParser *parser, guint64 suffixes, RspMapRow *row) {
  const ColumnsAlphabet *alphabet = rsp_columns_alphabet (parser->map->source);
  guint64 *sets = rsp_arena_new0 (parser->map->arena, guint64, COLUMNS_N_KINDS + 1);
  row->suffixes = sets;
  for (guint kind = 0; kind < COLUMNS_N_KINDS; kind++) {
    *sets = suffixes & rsp_columns_kind_bits (alphabet, (ColumnsKind) kind);
    sets += *sets != 0;
  }
}

gboolean map_tagged_matches (const RspMapRow *row, RspSpelling spelling) {
  gboolean matches = (row->forms >> spelling.form & 1) != 0;
  for (const guint64 *set = row->suffixes; *set && matches; set++)
    matches = (*set & spelling.suffixes) != 0;
  return matches;
}

/* ---- Rows without effect ---- */

static gboolean may_have (const ColumnsForm *form, const ColumnsSuffix *suffix) {
  return (form->allowed >> suffix->kind & 1)
         && (suffix->kind != COLUMNS_ORDER || form->orders & suffix->value);
}

/* May the form have one suffix of each set? */
static gboolean may_match (const ColumnsAlphabet *alphabet, const ColumnsForm *form,
                           const guint64 *sets) {
  gboolean fits = TRUE;
  for (const guint64 *set = sets; *set && fits; set++) {
    fits = FALSE;
    for (const ColumnsSuffix *suffix = alphabet->suffixes; suffix->word; suffix++)
      fits |= *set & rsp_columns_suffix_bit (alphabet, suffix) && may_have (form, suffix);
  }
  return fits;
}

/* Does `above` match all that the row matches? */
static gboolean covers (const RspMapRow *above, const RspMapRow *row) {
  gboolean all = !(row->forms & ~above->forms);
  for (const guint64 *set = above->suffixes; *set && all; set++) {
    all = FALSE;
    for (const guint64 *own = row->suffixes; *own; own++)
      all |= !(*own & ~*set);
  }
  return all;
}

void map_tagged_check_row (const RspMap *map, const RspMapRow *row, RspDiagnostics *diagnostics) {
  const ColumnsAlphabet *alphabet = rsp_columns_alphabet (map->source);
  gboolean fits = FALSE, covered = FALSE;
  for (const ColumnsForm *form = alphabet->forms; form->word; form++)
    fits |= row->forms >> (form - alphabet->forms) & 1 && may_match (alphabet, form, row->suffixes);
  for (const RspMapRow *above = map->rows; above != row; above = above->next)
    covered |= covers (above, row);
  if (!fits)
    rsp_warning (diagnostics, row->span, NULL,
                 "this row matches no operation: no instruction of %s has these suffixes",
                 map->source->word);
  else if (covered && strcmp (row->span.source->name, map->path) == 0)
    rsp_warning (diagnostics, row->span, NULL,
                 "this row matches no operation: a row above matches everything that it matches");
}
