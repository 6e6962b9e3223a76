/* Rows of instructions of another language: decoded once, for each scope and memory. */
#include "parser/columns/instruction.h"
#include "parser/map/load.h"
#include "parser/map/words.h"
#include "parser/translation.h"

enum
{
  N_MEMORIES = 4 /* sets of RSP_FENCE_GLOBAL and RSP_FENCE_LOCAL */
};

typedef struct Row
{
  const RspMapRow *row;
  RspSequence sequences[RSP_N_SCOPES][N_MEMORIES];
} Row;

struct RspTranslation
{
  const RspMap *map;
  const RspLanguage *target;
  GArray *rows; /* of Row, as the mapping has them */
  RspArena *arena;
};

/* ---- Words ---- */

/* From inside out: a thread, then the levels, then everything. */
static guint
width_of (guint level)
{
  return level == RSP_LEVEL_SYSTEM ? RSP_N_LEVELS + 1 : RSP_N_LEVELS - level;
}

/* The target's narrowest scope that covers the source's; its widest if none does. */
static const char *
scope_word (const RspLanguage *target, RspScope scope)
{
  static const guint levels[] = {
#define RSP_SCOPE(id, level, word, text, short_word, set, relation) RSP_LEVEL_##level,
#include "parser/scopes.def"
  };
  const char *word = "";
  for (guint i = 0; i < RSP_N_LANGUAGE_LEVELS; i++)
    {
      const RspLanguageLevel *level = &rsp_language_levels[i];
      if (level->language != target->id)
        continue;
      word = level->word;
      if (width_of (level->level) >= width_of (levels[scope]))
        break;
    }
  return word;
}

/* The instruction's words with `$S`, `$C`, `$M` and `$O` replaced: see docs/compile.md. */
static char *
expand (const char *words, const RspLanguage *target, RspScope scope, guint memory)
{
  static const char *const classes[N_MEMORIES] = { "sc0", "sc0", "sc1", "sc0" };
  static const char *const semantics[N_MEMORIES]
      = { "semsc0.semsc1", "semsc0", "semsc1", "semsc0.semsc1" };
  GString *text = g_string_new (words);
  g_string_replace (text, "$S", scope_word (target, scope), 0);
  g_string_replace (text, "$C", classes[memory], 0);
  g_string_replace (text, "$M", semantics[memory], 0);
  g_string_replace (text, "$O", "exch", 0); /* which one it is makes no difference to the event */
  return g_string_free (text, FALSE);
}

/* ---- Decoding ---- */

static gboolean
decode (const RspTranslation *translation, const char *words, RspSpan span,
        ColumnsInstruction *instruction, RspDiagnostics *diagnostics)
{
  g_autoptr (RspDiagnostics) found = rsp_diagnostics_new ();
  if (rsp_columns_instruction (translation->target, words, instruction, found))
    return TRUE;
  const RspDiagnostic *first = rsp_diagnostics_get (found, 0);
  rsp_error (diagnostics, span, first->hint, "%s", first->message);
  return FALSE;
}

/* Is the instruction what a row of the operation needs one of? */
static gboolean
is_main (RspMapOperation operation, ColumnsAction action)
{
  switch (operation)
    {
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

/* What a row may have besides fences, in messages. */
static const char *const mains[] = { [RSP_MAP_LOAD] = "one load",
                                     [RSP_MAP_STORE] = "one store",
                                     [RSP_MAP_RMW] = "one read-modify-write",
                                     [RSP_MAP_FENCE] = "fences only",
                                     [RSP_MAP_BARRIER] = "one barrier" };

static gboolean
add_instruction (const RspTranslation *translation, const RspMapRow *row, guint i,
                 const char *words, RspSequence *sequence, RspDiagnostics *diagnostics)
{
  ColumnsInstruction instruction;
  RspSpan span = row->instructions[i].span;
  if (!decode (translation, words, span, &instruction, diagnostics))
    return FALSE;
  gboolean fits
      = instruction.action == COLUMNS_FENCE
        || (is_main (row->operation, instruction.action) && sequence->main == sequence->n);
  if (!fits)
    {
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
  return TRUE;
}

static gboolean
decode_sequence (RspTranslation *translation, const RspMapRow *row, RspScope scope, guint memory,
                 RspSequence *sequence, RspDiagnostics *diagnostics)
{
  g_autoptr (GString) text = g_string_new (NULL);
  *sequence = (RspSequence){ .n = row->n_instructions, .main = row->n_instructions, .row = row };
  sequence->instructions = rsp_arena_new0 (translation->arena, RspTranslated, sequence->n + 1);
  for (guint i = 0; i < row->n_instructions; i++)
    {
      g_autofree char *words
          = expand (row->instructions[i].words, translation->target, scope, memory);
      g_string_append_printf (text, "%s%s", i ? "; " : "", words);
      if (!add_instruction (translation, row, i, words, sequence, diagnostics))
        return FALSE;
    }
  sequence->text = rsp_arena_strdup (translation->arena, text->len ? text->str : "NOP");
  if (sequence->main < sequence->n || row->operation == RSP_MAP_FENCE)
    return TRUE;
  rsp_error (diagnostics, row->span, NULL, "this row needs %s", mains[row->operation]);
  return FALSE;
}

/* A plain access is part of an expression, which has no place for more. */
static gboolean
check_plain (const RspMapRow *row, RspDiagnostics *diagnostics)
{
  gboolean plain = row->operation <= RSP_MAP_STORE && (row->orders >> RSP_ORDER_NA & 1);
  if (!plain || row->n_instructions <= 1)
    return TRUE;
  gboolean only_plain = row->orders == 1u << RSP_ORDER_NA;
  rsp_error (diagnostics, row->instructions[1].span,
             only_plain ? NULL : "give plain accesses a row of their own: `load na`, `store na`",
             "a plain access becomes one instruction");
  return FALSE;
}

static gboolean
add_row (RspTranslation *translation, const RspMapRow *row, RspDiagnostics *diagnostics)
{
  Row decoded = { .row = row };
  gboolean ok = check_plain (row, diagnostics);
  for (guint scope = 0; ok && scope < RSP_N_SCOPES; scope++)
    for (guint memory = 0; ok && memory < N_MEMORIES; memory++)
      if (row->scopes >> scope & 1)
        ok = decode_sequence (translation, row, (RspScope) scope, memory,
                              &decoded.sequences[scope][memory], diagnostics);
  g_array_append_val (translation->rows, decoded);
  return ok;
}

RspTranslation *
rsp_translation_new (const RspMap *map, RspDiagnostics *diagnostics)
{
  g_autoptr (RspTranslation) translation = g_new0 (RspTranslation, 1);
  gboolean ok = TRUE;
  translation->map = map;
  translation->target = map->target;
  translation->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  translation->arena = rsp_arena_new ();
  for (const RspMapRow *row = map->rows; row; row = row->next)
    ok &= add_row (translation, row, diagnostics);
  return ok ? g_steal_pointer (&translation) : NULL;
}

void
rsp_translation_free (RspTranslation *translation)
{
  if (!translation)
    return;
  g_array_unref (translation->rows);
  rsp_arena_free (translation->arena);
  g_free (translation);
}

const RspSequence *
rsp_translation_find (const RspTranslation *translation, const RspMapped *mapped)
{
  const RspMapRow *row = rsp_map_find (translation->map, mapped->operation, mapped->order,
                                       mapped->scope, mapped->remote);
  for (guint i = 0; row && i < translation->rows->len; i++)
    {
      const Row *decoded = &g_array_index (translation->rows, Row, i);
      if (decoded->row == row)
        return &decoded->sequences[mapped->scope][mapped->flags % N_MEMORIES];
    }
  return NULL;
}

char *
rsp_mapped_describe (const RspMapped *mapped)
{
  return rsp_map_describe (mapped->operation, mapped->order, mapped->scope, mapped->remote);
}

RspProgram
rsp_translation_apply (const RspTranslation *translation, const RspProgram *program)
{
  RspProgram target = *program;
  target.language = translation->target;
  target.translation = translation;
  target.written_in = program->language;
  return target;
}
