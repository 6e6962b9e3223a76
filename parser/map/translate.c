/* Programs translated by a mapping. */
#include "parser/columns/columns.h"
#include "parser/map/internal.h"
#include "parser/map/map.h"
#include "parser/program.h"
#include "parser/translation.h"

#include <string.h>

/* ---- Tagged --------------------------------------------------------------------------------- */

/* ---- Operations ---- */
static RspMapOperation operation_of (const ColumnsForm *form) {
  static const RspMapOperation operations[]
      = { [COLUMNS_LOAD] = RSP_MAP_LOAD,   [COLUMNS_STORE] = RSP_MAP_STORE,
          [COLUMNS_FETCH] = RSP_MAP_RMW,   [COLUMNS_REDUCE] = RSP_MAP_RMW,
          [COLUMNS_FENCE] = RSP_MAP_FENCE, [COLUMNS_BARRIER] = RSP_MAP_BARRIER,
          [COLUMNS_MBARRIER] = RSP_MAP_RMW };
  return operations[form->action];
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
  if (!row->forms) {
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
  g_autofree char *hint = rsp_did_you_mean_in (word, words);
  if (!hint && !map_is_selector (word))
    return map_select_word (parser, range, word);
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
/* May the form have one suffix of each set? */
static gboolean may_match (const ColumnsAlphabet *alphabet, const ColumnsForm *form,
                           const guint64 *sets) {
  gboolean fits = TRUE;
  for (const guint64 *set = sets; *set && fits; set++) {
    fits = FALSE;
    for (const ColumnsSuffix *suffix = alphabet->suffixes; suffix->word; suffix++)
      fits |= *set & rsp_columns_suffix_bit (alphabet, suffix)
              && (form->allowed >> suffix->kind & 1)
              && (suffix->kind != COLUMNS_ORDER || form->orders & suffix->value);
  }
  return fits;
}

/* TRUE if `above` matches all that the row matches. */
static gboolean covers (const RspMapRow *above, const RspMapRow *row) {
  gboolean all
      = !(row->forms & ~above->forms) && memcmp (above->words, row->words, sizeof row->words) == 0;
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

/* ---- Translate ------------------------------------------------------------------------------ */

/* Rows of instructions of another language: decoded once, for each scope and memory. */

enum {
  N_REACHES = RSP_LEVEL_SYSTEM + 1,
  N_CLASSES = 4,
  N_SEMANTICS = 1 << N_CLASSES,
  N_MEMORIES = N_CLASSES * N_SEMANTICS
};

/* The values of a row's words `$S`, `$C` and `$M`. */
typedef struct Variant {
  RspLevel reach;
  guint class;     /* storage class */
  guint semantics; /* bits of storage classes */
} Variant;

typedef struct Row {
  const RspMapRow *row;
  gboolean by_reach, by_memory; /* otherwise the first variant stands for all */
  RspSequence sequences[N_REACHES][N_MEMORIES];
} Row;

struct RspTranslation {
  const RspMap *map;
  const RspLanguage *target;
  const ColumnsAlphabet *source; /* of a source language with tags; else NULL */
  GPtrArray *rows;               /* of Row, as the mapping has them */
  RspArena *arena;
};

/* ---- Variants ---- */
/* Global memory is class 0, local memory class 1. */
static Variant variant_of_flags (RspLevel reach, guint flags) {
  guint both = flags & (RSP_FENCE_GLOBAL | RSP_FENCE_LOCAL);
  return (Variant){ reach, both == RSP_FENCE_LOCAL,
                    both ? both : RSP_FENCE_GLOBAL | RSP_FENCE_LOCAL };
}

static Variant variant_of (const RspTranslation *translation, const RspMapped *mapped) {
  const ColumnsAlphabet *source = translation->source;
  if (!mapped->spelling)
    return variant_of_flags (rsp_scopes[mapped->scope].level, mapped->flags);
  if (!rsp_columns_has_classes (source))
    return variant_of_flags (mapped->reach, mapped->flags);
  guint64 suffixes = mapped->spelling->suffixes;
  guint classes = rsp_columns_values (source, suffixes, COLUMNS_CLASS);
  return (Variant){ mapped->reach, classes ? (guint) __builtin_ctz (classes) : 0,
                    rsp_columns_values (source, suffixes, COLUMNS_SEMANTICS) };
}

static RspSequence *sequence_at (Row *row, Variant variant) {
  guint memory = variant.class * N_SEMANTICS + variant.semantics;
  return &row->sequences[row->by_reach ? variant.reach : 0][row->by_memory ? memory : 0];
}

/* TRUE if a word of the row's instructions contains this one. */
static gboolean mentions (const RspMapRow *row, const char *word) {
  gboolean found = FALSE;
  for (guint i = 0; i < row->n_instructions; i++)
    found |= strstr (row->instructions[i].words, word) != NULL;
  return found;
}

/* Can the row be for operations of this reach? */
static gboolean takes_reach (const RspTranslation *translation, const RspMapRow *row,
                             RspLevel reach) {
  for (guint i = 0; i < RSP_N_SCOPES && !translation->source; i++)
    if (rsp_scopes[i].level == reach)
      return row->scopes >> i & 1;
  for (const guint64 *set = row->suffixes; set && *set; set++) {
    guint scopes = rsp_columns_values (translation->source, *set, COLUMNS_SCOPE);
    if (scopes)
      return scopes >> reach & 1;
  }
  return translation->source != NULL;
}

/* ---- Words ---- */
/* From inside out: a thread, then the levels, then everything. */
static guint width_of (guint level) {
  return level == RSP_LEVEL_SYSTEM ? RSP_N_LEVELS + 1 : RSP_N_LEVELS - level;
}

/* The target's narrowest scope that covers the source's; its widest if none does. One that places
 * may leave out is for programs of the same language. */
static const char *scope_word (const RspLanguage *target, gboolean same, RspLevel reach) {
  const char *word = "";
  for (guint i = 0; i < RSP_N_LANGUAGE_LEVELS; i++) {
    const RspLanguageLevel *level = &rsp_language_levels[i];
    if (level->language != target->id || (rsp_language_level_is_optional (level) && !same))
      continue;
    word = level->word;
    if (width_of (level->level) >= width_of (reach))
      break;
  }
  return word;
}

/* The instruction's words with `$S`, `$C`, `$M` and `$O` replaced: see docs/compile.md. */
static char *expand (const char *words, const RspTranslation *translation, Variant variant) {
  const RspLanguage *target = translation->target;
  gboolean same = translation->source == rsp_columns_alphabet (target);
  g_autoptr (GString) semantics = g_string_new (NULL);
  g_autofree char *class = g_strdup_printf ("sc%u", variant.class);
  GString *text = g_string_new (words);
  for (guint i = 0; i < N_CLASSES; i++)
    if (variant.semantics >> i & 1)
      g_string_append_printf (semantics, ".semsc%u", i);
  g_string_replace (text, "$S", scope_word (target, same, variant.reach), 0);
  g_string_replace (text, "$C", class, 0);
  g_string_replace (text, ".$M", semantics->str, 0);
  /* For any read-modify-write: which one it is makes no difference to the event. */
  const ColumnsSuffix *suffix = rsp_columns_alphabet (target)->suffixes;
  while (suffix->word && (suffix->kind != COLUMNS_OP || suffix->value != RSP_OP_EXCHANGE))
    suffix++;
  g_string_replace (text, "$O", suffix->word, 0);
  return g_string_free (text, FALSE);
}

/* ---- Decoding ---- */
/* Is the instruction what a row of the operation needs one of? */
static gboolean is_main (RspMapOperation operation, ColumnsAction action) {
  switch (operation) {
  case RSP_MAP_LOAD:
    return action == COLUMNS_LOAD;
  case RSP_MAP_STORE:
    return action == COLUMNS_STORE;
  case RSP_MAP_RMW:
    return action == COLUMNS_FETCH || action == COLUMNS_REDUCE;
  case RSP_MAP_BARRIER:
    return action == COLUMNS_BARRIER;
  default:
    return FALSE;
  }
}

/* The instructions that a row may have besides fences, in messages. */
static const char *const mains[] = { [RSP_MAP_LOAD] = "one load",
                                     [RSP_MAP_STORE] = "one store",
                                     [RSP_MAP_RMW] = "one read-modify-write",
                                     [RSP_MAP_FENCE] = "fences only",
                                     [RSP_MAP_BARRIER] = "one barrier" };

static gboolean decode_sequence (RspTranslation *translation, const RspMapRow *row, Variant variant,
                                 RspSequence *sequence, RspDiagnostics *diagnostics) {
  g_autoptr (GString) text = g_string_new (NULL);
  *sequence = (RspSequence){ .n = row->n_instructions, .main = row->n_instructions, .row = row };
  sequence->instructions = rsp_arena_new0 (translation->arena, RspTranslated, sequence->n + 1);
  for (guint i = 0; i < row->n_instructions; i++) {
    g_autofree char *words = expand (row->instructions[i].words, translation, variant);
    g_string_append_printf (text, "%s%s", i ? "; " : "", words);
    ColumnsInstruction instruction;
    RspSpan span = row->instructions[i].span;
    g_autoptr (RspDiagnostics) found = rsp_diagnostics_new ();
    if (!rsp_columns_instruction (translation->target, words, &instruction, found)) {
      const RspDiagnostic *first = rsp_diagnostics_get (found, 0);
      rsp_error (diagnostics, span, first->hint, "%s", first->message);
      return FALSE;
    }
    gboolean fits
        = instruction.action == COLUMNS_FENCE
          || (is_main (row->operation, instruction.action) && sequence->main == sequence->n);
    if (!fits) {
      rsp_error (diagnostics, span, NULL, "found `%s`: a row of `%s` has %s", words,
                 map_operation_name (row->operation), mains[row->operation]);
      return FALSE;
    }
    if (instruction.action != COLUMNS_FENCE)
      sequence->main = i;
    sequence->instructions[i] = (RspTranslated){ .tags = instruction.tags,
                                                 .write_tags = instruction.write_tags,
                                                 .reach = instruction.reach,
                                                 .arrives = instruction.arrives };
  }
  sequence->text = rsp_arena_strdup (translation->arena, text->len ? text->str : "NOP");
  if (sequence->main < sequence->n || row->operation == RSP_MAP_FENCE)
    return TRUE;
  rsp_error (diagnostics, row->span, NULL, "this row needs %s", mains[row->operation]);
  return FALSE;
}

/* A plain access is part of an expression, which has no place for more. */
static gboolean check_plain (const RspMapRow *row, RspDiagnostics *diagnostics) {
  gboolean plain = row->operation <= RSP_MAP_STORE && (row->orders >> RSP_ORDER_NA & 1);
  for (const guint32 *set = row->words; *set; set++)
    plain &= (*set & RSP_MAP_NO_WORD) != 0;
  if (!plain || row->n_instructions <= 1)
    return TRUE;
  gboolean only_plain = row->orders == 1u << RSP_ORDER_NA;
  rsp_error (diagnostics, row->instructions[1].span,
             only_plain ? NULL : "give plain accesses a row of their own: `load na`, `store na`",
             "a plain access becomes one instruction");
  return FALSE;
}

static gboolean add_row (RspTranslation *translation, const RspMapRow *row,
                         RspDiagnostics *diagnostics) {
  Row *decoded = rsp_arena_new0 (translation->arena, Row, 1);
  *decoded = (Row){ .row = row,
                    .by_reach = mentions (row, "$S"),
                    .by_memory = mentions (row, "$C") || mentions (row, "$M") };
  gboolean ok = translation->source || check_plain (row, diagnostics);
  for (guint reach = 0; reach < (decoded->by_reach ? N_REACHES : 1); reach++)
    for (guint memory = 0; memory < (decoded->by_memory ? N_MEMORIES : 1) && ok; memory++) {
      Variant variant = { (RspLevel) reach, memory / N_SEMANTICS, memory % N_SEMANTICS };
      if (!decoded->by_reach || takes_reach (translation, row, variant.reach))
        ok = decode_sequence (translation, row, variant, sequence_at (decoded, variant),
                              diagnostics);
    }
  g_ptr_array_add (translation->rows, decoded);
  return ok;
}

RspTranslation *rsp_translation_new (const RspMap *map, RspDiagnostics *diagnostics) {
  g_autoptr (RspTranslation) translation = g_new0 (RspTranslation, 1);
  gboolean ok = TRUE;
  translation->map = map;
  translation->target = map->target;
  translation->source = map->source ? rsp_columns_alphabet (map->source) : NULL;
  translation->rows = g_ptr_array_new ();
  translation->arena = rsp_arena_new ();
  for (const RspMapRow *row = map->rows; row; row = row->next)
    ok &= add_row (translation, row, diagnostics);
  return ok ? g_steal_pointer (&translation) : NULL;
}

void rsp_translation_free (RspTranslation *translation) {
  if (!translation)
    return;
  g_ptr_array_unref (translation->rows);
  rsp_arena_free (translation->arena);
  g_free (translation);
}

const RspSequence *rsp_translation_find (const RspTranslation *translation,
                                         const RspMapped *mapped) {
  const RspMapRow *row
      = mapped->spelling
            ? rsp_map_find_spelled (translation->map, *mapped->spelling, mapped->all, mapped->words)
            : rsp_map_find (translation->map, mapped->operation, mapped->order, mapped->scope,
                            mapped->all, mapped->words);
  for (guint i = 0; row && i < translation->rows->len; i++) {
    Row *decoded = translation->rows->pdata[i];
    if (decoded->row == row)
      return sequence_at (decoded, variant_of (translation, mapped));
  }
  return NULL;
}

char *rsp_mapped_describe (const RspTranslation *translation, const RspMapped *mapped) {
  g_autofree char *text = mapped->spelling
                              ? rsp_columns_spell (translation->source, *mapped->spelling)
                              : rsp_map_describe (mapped->operation, mapped->order, mapped->scope,
                                                  mapped->all, mapped->words);
  if (!mapped->spelling)
    return g_steal_pointer (&text);
  GString *spelled = g_string_new (text);
  for (guint i = 0; mapped->words >> i; i++)
    if (mapped->words >> i & 1)
      g_string_append_printf (spelled, ".%s", mapped->all->names[i]);
  return g_string_free (g_string_append_c (g_string_prepend_c (spelled, '`'), '`'), FALSE);
}

RspProgram rsp_translation_apply (const RspTranslation *translation, const RspProgram *program) {
  RspProgram target = *program;
  target.language = translation->target;
  target.translation = translation;
  target.written_in = program->language;
  return target;
}
