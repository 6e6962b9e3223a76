#include "parser/map/build.h"
#include "parser/map/tagged.h"
#include "parser/map/words.h"

#include <string.h>

static RspSpan span_of (const MapParser *parser, TokenRange range) {
  return rsp_scan_span (&parser->scan, range);
}

/* ---- Selections ---- */

static guint kinds_of (MapSelection selection) {
  return (selection.orders ? 1u : 0) | (selection.scopes ? 2u : 0) | (selection.remotes ? 4u : 0)
         | selection.kinds << 3;
}

static MapSelection merge (MapSelection a, MapSelection b) {
  return (MapSelection){ a.orders | b.orders, a.scopes | b.scopes, a.remotes | b.remotes,
                         a.suffixes | b.suffixes, a.kinds | b.kinds };
}

MapSelection map_selector (MapParser *parser, TokenRange range, const char *word) {
  return (parser->map->source ? map_tagged_select : map_select) (parser, range, word);
}

MapSelection map_select_or (MapParser *parser, TokenRange range, MapSelection a, MapSelection b) {
  if (kinds_of (a) && kinds_of (b) && kinds_of (a) != kinds_of (b))
    rsp_error (parser->diagnostics, span_of (parser, range), NULL,
               "`|` joins words of the same kind: either orders or scopes");
  return merge (a, b);
}

MapSelection map_select_also (MapParser *parser, TokenRange range, MapSelection a, MapSelection b) {
  if (kinds_of (a) & kinds_of (b))
    rsp_error (parser->diagnostics, span_of (parser, range), "join words of one kind with `|`",
               "the row already names a word of this kind");
  return merge (a, b);
}

/* ---- Languages ---- */

/* NULL, with an error, if there is none of that name; a target is a language with tags. */
static const RspLanguage *find_language (MapParser *parser, TokenRange range, const char *word,
                                         gboolean is_target) {
  const char *words[RSP_N_LANGUAGES + 1] = { NULL };
  guint n = 0;
  for (guint i = 0; i < RSP_N_LANGUAGES; i++) {
    if (is_target && !rsp_languages[i].tagged)
      continue;
    words[n++] = rsp_languages[i].word;
    if (strcmp (rsp_languages[i].word, word) == 0)
      return &rsp_languages[i];
  }
  map_unknown_word (parser, range, is_target ? "a target language" : "a source language", word,
                    words);
  return NULL;
}

void map_source (MapParser *parser, TokenRange range, const char *word) {
  RspMap *map = parser->map;
  const RspLanguage *language = find_language (parser, range, word, FALSE);
  if (!language || map->target) /* an including file has said it */
    return;
  if (map->languages && (language->tagged || map->source))
    rsp_error (parser->diagnostics, span_of (parser, range), NULL,
               "%s tests need a mapping of their own: rows select instructions by the words of one "
               "language",
               (map->source ? map->source : language)->word);
  map->languages |= 1u << language->id;
  if (language->tagged)
    map->source = language;
}

void map_target (MapParser *parser, TokenRange range, const char *word) {
  const RspLanguage *language = find_language (parser, range, word, TRUE);
  if (language && parser->map->target && parser->map->target != language)
    rsp_error (parser->diagnostics, span_of (parser, range), NULL,
               "the rows of this file are for %s, but those of the file that includes it for %s",
               word, parser->map->target->word);
  else
    parser->map->target = language;
}

/* ---- Rows ---- */

static void begin_instructions (MapParser *parser) {
  parser->locked = parser->in_step = FALSE;
  g_array_set_size (parser->instructions, 0);
}

static RspMapInstruction *copy_instructions (const MapParser *parser) {
  return rsp_arena_copy (parser->map->arena, parser->instructions->data,
                         parser->instructions->len * sizeof (RspMapInstruction));
}

void map_begin_row (MapParser *parser, TokenRange range, const char *operation,
                    TokenRange selectors, MapSelection selection) {
  RspMapRow *row = rsp_arena_new0 (parser->map->arena, RspMapRow, 1);
  if (!parser->map->source)
    map_operation_word (parser, range, operation, &row->operation);
  else {
    map_tagged_operation (parser, range, operation, row);
    map_tagged_end_head (parser, selection.suffixes, row);
  }
  row->orders = selection.orders ? selection.orders : ~0u;
  row->scopes = selection.scopes ? selection.scopes : ~0u;
  row->remotes = selection.remotes ? selection.remotes : 1;
  row->span = span_of (parser, (TokenRange){ range.begin, MAX (range.end, selectors.end) });
  parser->row = row;
  begin_instructions (parser);
}

/* The one access that a row of each operation must have: its kind, and its spelling. */
static const struct {
  RspMapKind kind;
  const char *word;
} accesses[RSP_MAP_N_OPERATIONS] = {
  { RSP_MAP_LD, "LD" },
  { RSP_MAP_ST, "ST" },
  { RSP_MAP_READ_WRITE, "RMW" },
};

static void check_accesses (MapParser *parser) {
  const RspMapRow *row = parser->row;
  gboolean is_fence = row->operation == RSP_MAP_FENCE;
  guint n = 0;
  for (guint i = 0; i < row->n_instructions; i++) {
    const RspMapInstruction *instruction = &row->instructions[i];
    if (instruction->kind == RSP_MAP_WORDS) /* which is reported */
      return;
    if (is_fence && instruction->kind == RSP_MAP_LOCK && instruction->locks & RSP_MAP_LINE)
      rsp_error (parser->diagnostics, instruction->span, "`LOCK rmw { … }` needs no location",
                 "a fence has no location, so there is no line to lock");
    if (instruction->kind > RSP_MAP_READ_WRITE)
      continue;
    n++;
    if (is_fence)
      rsp_error (parser->diagnostics, instruction->span, NULL, "a fence accesses no memory");
    else if (instruction->kind != accesses[row->operation].kind)
      rsp_error (parser->diagnostics, instruction->span, NULL, "a row of `%s` takes %s",
                 map_operation_name (row->operation), accesses[row->operation].word);
    else if (n == 2)
      rsp_error (parser->diagnostics, instruction->span, NULL,
                 "a row accesses memory only once, but this is the second access");
  }
  if (n == 0 && !is_fence)
    rsp_error (parser->diagnostics, row->span, NULL,
               "this row never accesses memory, but it needs %s", accesses[row->operation].word);
}

/* The text of a range on one line, with each sequence of blanks replaced by one. */
static const char *one_line (MapParser *parser, TokenRange range) {
  g_autofree char *text
      = g_strndup (parser->scan.source->text + range.begin, range.end - range.begin);
  g_auto (GStrv) words = g_strsplit_set (text, " \t\r\n", -1);
  g_autoptr (GString) line = g_string_new (NULL);
  for (guint i = 0; words[i]; i++)
    if (*words[i])
      g_string_append_printf (line, "%s%s", line->len ? " " : "", words[i]);
  return rsp_arena_strdup (parser->map->arena, line->str);
}

void map_end_row (MapParser *parser, TokenRange body) {
  RspMapRow *row = parser->row;
  row->n_instructions = parser->instructions->len;
  row->instructions = copy_instructions (parser);
  row->text = one_line (parser, body);
  if (row->operation == RSP_MAP_BARRIER && !parser->map->target)
    rsp_error (parser->diagnostics, row->span, "its halves take the rows of `fence`",
               "machines have no row for barriers");
  else if (!parser->map->target && !row->open)
    check_accesses (parser);
  *parser->last = row;
  parser->last = &row->next;
}

void map_begin_cost (MapParser *parser) { begin_instructions (parser); }

void map_end_cost (MapParser *parser, TokenRange range, const char *number, TokenRange body) {
  RspMapCost *cost = rsp_arena_new0 (parser->map->arena, RspMapCost, 1);
  cost->n_instructions = parser->instructions->len;
  cost->instructions = copy_instructions (parser);
  cost->text = one_line (parser, body);
  if (!g_ascii_string_to_unsigned (number, 10, 0, 1000000, &cost->cost, NULL))
    rsp_error (parser->diagnostics, span_of (parser, range), NULL,
               "a cost is a number up to 1000000");
  cost->next = parser->map->costs;
  parser->map->costs = cost;
}

/* ---- Instructions ---- */

static void add (MapParser *parser, RspMapInstruction instruction) {
  gboolean is_words = instruction.kind == RSP_MAP_WORDS;
  if (is_words && !parser->map->target)
    rsp_error (parser->diagnostics, instruction.span,
               "a mapping to another language begins with `source OpenCL target PTX`, or the like",
               "found `%s`, expected an instruction of a machine", instruction.words);
  else if (!is_words && parser->map->target)
    rsp_error (parser->diagnostics, instruction.span, NULL, "expected an instruction of %s",
               parser->map->target->word);
  g_array_append_val (parser->instructions, instruction);
}

void map_access (MapParser *parser, TokenRange range, const char *word, const char *level,
                 TokenRange whole) {
  const char *dash = strchr (word, '_');
  if (dash && level)
    rsp_error (parser->diagnostics, span_of (parser, range), NULL,
               "the level is named twice: `%s` and `%s`", dash + 1, level);
  RspMapKind kind = *word == 'L' ? RSP_MAP_LD : *word == 'S' ? RSP_MAP_ST : RSP_MAP_READ_WRITE;
  add (parser, (RspMapInstruction){ .kind = kind,
                                    .level = level  ? level
                                             : dash ? dash + 1
                                                    : NULL,
                                    .span = span_of (parser, whole) });
}

void map_move (MapParser *parser, TokenRange range, RspMapKind kind, const char *level,
               RspMapReach reach) {
  if (parser->in_step && kind == RSP_MAP_FLU)
    rsp_error (parser->diagnostics, span_of (parser, range), NULL,
               "FLU waits, so it cannot be part of one step");
  add (parser, (RspMapInstruction){
                   .kind = kind, .level = level, .reach = reach, .span = span_of (parser, range) });
}

void map_wait (MapParser *parser, TokenRange range, TokenRange word_range, const char *word) {
  add (parser, (RspMapInstruction){ .kind = RSP_MAP_WAIT,
                                    .counted = map_counter (parser, word_range, word),
                                    .span = span_of (parser, range) });
}

void map_lock (MapParser *parser, TokenRange range, guint locks, RspMapReach reach) {
  if (parser->locked || parser->in_step)
    rsp_error (parser->diagnostics, span_of (parser, range), "`LOCK x, rmw { … }` takes both",
               "LOCK cannot be inside another LOCK or STEP");
  parser->locked = TRUE;
  add (parser,
       (RspMapInstruction){
           .kind = RSP_MAP_LOCK, .reach = reach, .locks = locks, .span = span_of (parser, range) });
}

void map_unlock (MapParser *parser, TokenRange range, guint locks, RspMapReach reach) {
  parser->locked = FALSE;
  add (parser, (RspMapInstruction){ .kind = RSP_MAP_UNLOCK,
                                    .reach = reach,
                                    .locks = locks,
                                    .span = span_of (parser, range) });
}

void map_open (MapParser *parser) { parser->row->open = TRUE; }

void map_words (MapParser *parser, TokenRange range, const char *words) {
  add (parser, (RspMapInstruction){
                   .kind = RSP_MAP_WORDS, .words = words, .span = span_of (parser, range) });
}

void map_begin_step (MapParser *parser, TokenRange range) {
  if (parser->in_step)
    rsp_error (parser->diagnostics, span_of (parser, range), NULL,
               "STEP cannot be inside another STEP");
  parser->in_step = TRUE;
  parser->step_begin = parser->instructions->len;
}

void map_end_step (MapParser *parser) {
  parser->in_step = FALSE;
  for (guint i = parser->step_begin; i + 1 < parser->instructions->len; i++)
    g_array_index (parser->instructions, RspMapInstruction, i).joined = TRUE;
}
