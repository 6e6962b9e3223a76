/* Mappings: words, rows, files. */
#include "base/base.h"
#include "generated/parser/map/grammar.h"
#include "parser/litmus/litmus.h"
#include "parser/map/internal.h"
#include "parser/map/map.h"

#include <string.h>

/* ---- Words ---------------------------------------------------------------------------------- */

/* The words of mappings. */

static const struct {
  const char *word, *meaning;
} operations[] = {
#define RSP_MAP_OPERATION(word, operation, meaning) [RSP_MAP_##operation] = { word, meaning },
#define RSP_MAP_SELECTOR(word, kind, bits, meaning)
#include "parser/map/words.def"
#undef RSP_MAP_OPERATION
#undef RSP_MAP_SELECTOR
};

typedef enum SelectorKind { ORDERS, SCOPES, WORDS } SelectorKind;

typedef struct SelectorWord {
  const char *word;
  SelectorKind kind;
  guint bits;
  const char *meaning;
} SelectorWord;

static const SelectorWord words_selectors[] = {
#define RSP_MAP_OPERATION(word, operation, meaning)
#define RSP_MAP_SELECTOR(word, kind, bits, meaning) { word, kind, bits, meaning },
#include "parser/map/words.def"
#undef RSP_MAP_OPERATION
#undef RSP_MAP_SELECTOR
};

static const char *const reaches[] = { "own", "device", "all", NULL };

void map_unknown_word (MapParser *parser, TokenRange range, const char *what, const char *word,
                       const char *const *words) {
  g_autofree char *list = g_strjoinv ("`, `", (char **) words);
  g_autofree char *hint = rsp_did_you_mean (word, words);
  rsp_error (parser->diagnostics, rsp_scan_span (&parser->scan, range), hint,
             "found `%s`, expected %s: `%s`", word, what, list);
}

/* ---- Rows ---- */
static guint number_of (const RspMap *map, const char *word, gsize length) {
  guint number = 0;
  while (
      number < map->n_words
      && (strlen (map->words[number]) != length || strncmp (map->words[number], word, length) != 0))
    number++;
  return number;
}

MapSelection map_select_word (MapParser *parser, TokenRange range, const char *word) {
  RspMap *map = parser->map;
  gboolean optional = g_str_has_suffix (word, "?");
  gsize length = strlen (word) - (optional ? 1 : 0);
  guint number = number_of (map, word, length);
  RspSpan span = rsp_scan_span (&parser->scan, range);
  if (number == RSP_MAX_WORDS) {
    rsp_error (parser->diagnostics, span, NULL, "a mapping can select by at most %d words",
               RSP_MAX_WORDS);
    return (MapSelection){ 0 };
  }
  if (number == map->n_words) {
    map->words[map->n_words] = rsp_arena_strndup (map->arena, word, length);
    map->word_spans[map->n_words++] = span;
  }
  return (MapSelection){ .words = { 1u << number | (optional ? RSP_MAP_NO_WORD : 0) } };
}

gboolean map_is_selector (const char *word) {
  for (guint i = 0; i < G_N_ELEMENTS (words_selectors); i++)
    if (words_selectors[i].kind != WORDS && strcmp (words_selectors[i].word, word) == 0)
      return TRUE;
  return FALSE;
}

/* A word that resembles no other selector is a word of a model. */
static MapSelection map_select (MapParser *parser, TokenRange range, const char *word) {
  const char *words[G_N_ELEMENTS (words_selectors) + 1] = { NULL };
  const SelectorWord *selector = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (words_selectors); i++) {
    words[i] = words_selectors[i].word;
    if (strcmp (words[i], word) == 0)
      selector = &words_selectors[i];
  }
  g_autofree char *hint = selector ? NULL : rsp_did_you_mean (word, words);
  if (hint)
    map_unknown_word (parser, range, "an order, a scope, or a word of the model", word, words);
  else if (!selector || selector->kind == WORDS)
    return map_select_word (parser, range, word);
  else
    return (MapSelection){ .orders = selector->kind == ORDERS ? selector->bits : 0,
                           .scopes = selector->kind == SCOPES ? selector->bits : 0 };
  return (MapSelection){ 0 };
}

/* The number of the word among these, from 0; 0 for another one, which is reported. what: "whose".
 */
static guint find_word (MapParser *parser, TokenRange range, const char *what, const char *word,
                        const char *const *words) {
  for (guint i = 0; words[i]; i++)
    if (strcmp (words[i], word) == 0)
      return i;
  map_unknown_word (parser, range, what, word, words);
  return 0;
}

RspMapReach map_reach (MapParser *parser, TokenRange range, const char *word) {
  return (RspMapReach) find_word (parser, range, "whose", word, reaches);
}

guint map_lock_word (MapParser *parser, TokenRange range, const char *word) {
  static const char *const words[] = { "x", "rmw", NULL };
  return 1u << find_word (parser, range, "a lock", word, words);
}

guint map_lines (const char *word) { return *word == 'x' ? RSP_MAP_THIS_LINE : RSP_MAP_MINE; }

guint map_when (MapParser *parser, TokenRange range, const char *word) {
  static const char *const words[] = { "dirty", "remote", NULL };
  return 1 + find_word (parser, range, "when", word, words);
}

guint map_stalled (MapParser *parser, TokenRange range, const char *word) {
  static const char *const words[] = { "acquires", "releases", "rmws", NULL };
  return 1u << find_word (parser, range, "what STALL keeps waiting", word, words);
}

RspScope map_scope (MapParser *parser, TokenRange range, const char *word) {
  const char *words[RSP_N_SCOPES + 1] = { NULL };
  for (guint i = 0; i < RSP_SCOPE_ALL; i++)
    words[i] = rsp_scopes[i].word;
  return (RspScope) find_word (parser, range, "a scope", word, words);
}

const char *map_operation_name (RspMapOperation operation) { return operations[operation].word; }

char *rsp_map_describe (RspMapOperation operation, RspOrder order, RspScope scope,
                        const RspWords *all, guint32 words) {
  const char *name = operations[operation].word;
  if (order == RSP_ORDER_NA)
    return g_strdup_printf ("a plain %s", name);
  const char *first = words ? all->names[__builtin_ctz (words)] : name;
  GString *text = g_string_new (strchr ("aeiou", *first) ? "an " : "a ");
  for (guint i = 0; words >> i; i++)
    if (words >> i & 1)
      g_string_append_printf (text, "%s ", all->names[i]);
  g_string_append_printf (text, "%s of %s at %s", name, rsp_order_name (order),
                          rsp_scope_name (all, scope));
  return g_string_free (text, FALSE);
}

/* The first selector that has this bit. */
static const char *selector_word (SelectorKind kind, guint bit) {
  for (guint i = 0; i < G_N_ELEMENTS (words_selectors); i++)
    if (words_selectors[i].kind == kind && (words_selectors[i].bits >> bit & 1))
      return words_selectors[i].word;
  return "";
}

char *rsp_map_format_head (RspMapOperation operation, RspOrder order, RspScope scope,
                           const RspWords *all, guint32 words) {
  GString *text = g_string_new (operations[operation].word);
  if (order == RSP_ORDER_NA)
    return g_string_free (g_string_append (text, " na"), FALSE);
  const char *at = selector_word (SCOPES, scope); /* empty: a word of the model says it */
  g_string_append_printf (text, " %s%s%s", selector_word (ORDERS, order), *at ? " " : "", at);
  for (guint i = 0; words >> i; i++)
    if (words >> i & 1)
      g_string_append_printf (text, " %s", all->names[i]);
  return g_string_free (text, FALSE);
}

/* ---- -help-mapping ---- */
static const char introduction[]
    = "A mapping gives the instructions of the machine for each operation of a test. Two "
      "rows:\n"
      "\n"
      "  load  dev        : LD; INV L1 own\n"
      "  store dev remote : LOCK rmw { FLU L1 own; INV L1 device; ST }\n"
      "\n"
      "The file consists of\n"
      "  mapping \"NAME\"       the name in reports, at the top; without it, that of the file\n"
      "  include \"FILE.map\"   the rows of another mapping, at this place\n"
      "  cost N : INSTRUCTIONS what -cheapest may use for rows whose INSTRUCTIONS are `?`\n"
      "  OPERATION [ORDERS] [SCOPES] [WORDS] : INSTRUCTIONS\n"
      "\n"
      "The first row that matches an operation is used, so rows that override others come before\n"
      "them. Words of one kind are joined by `|`, as in `load acq|sc dev`. A row without an order "
      "is\n"
      "for all orders, one without a scope for all scopes. Comments are `// …` and `/* … */`.\n"
      "In a mapping from PTX or Vulkan (`source PTX target PTX`), rows select instructions by the\n"
      "words of that language: `tld weak : …`, `load atom acq : …` (docs/compile.md).\n";

static const char words_instructions[]
    = "\nInstructions, separated by `;`. A row has one LD, ST or RMW; a row of `fence` has none.\n"
      "  LD [LEVEL]         load, at the innermost level unless one is named\n"
      "  ST [LEVEL]         store, likewise\n"
      "  RMW [LEVEL]        read and write in one step, likewise; `RMW_L2` is `RMW L2`\n"
      "  ST LEVEL through   store at that level; copies in the own caches inside it get the value "
      "too\n"
      "  FLU LEVEL WHOSE    flush: wait until all that is dirty now is written one level out\n"
      "  INV LEVEL WHOSE    invalidate all lines; a dirty one keeps its pending write\n"
      "  FLU LEVEL WHOSE x  write out this line, if it is dirty, ahead of its FIFO, in one step; "
      "`mine` in\n"
      "                     place of `x`: each line that the work-item has stored to. INV "
      "likewise, with\n"
      "                     `mine` for each line that it has used\n"
      "  … when remote      the same, but not in the work-item's own cache; `… when dirty`: only "
      "in caches\n"
      "                     where one of these lines is dirty\n"
      "  CLEAN LEVEL WHOSE  begin to write back all that is dirty, after the thread's earlier "
      "accesses\n"
      "  WAIT COUNTER       wait until the thread's accesses that the counter counts are done:\n"
      "                     `vmcnt` loads, stores and CLEAN, `loadcnt` loads and RMWs, `storecnt` "
      "stores\n"
      "                     and CLEAN, `lgkmcnt` or `dscnt` accesses of local memory\n"
      "  LOCK x { … }       hold the lock of the location's line: other work-groups cannot\n"
      "                     fetch it, drain it, or do an RMW of it at L2\n"
      "  LOCK rmw { … }     hold the lock that RMWs of work-groups on this device take; a plain\n"
      "                     ST in it acts at the level of an RMW of its scope (see locked-store)\n"
      "  LOCK x, rmw { … }  hold both, taken at once; `LOCK x all { … }`: those of all devices\n"
      "  STALL acquires|releases|rmws of SCOPE { … }   meanwhile these operations of other "
      "work-items wait\n"
      "                     in the device's caches of that scope (`work_group all`: in every "
      "device's)\n"
      "  OWN x              make the own innermost cache the owner of the line, and fetch it: "
      "another owner\n"
      "                     on the device writes it out and loses it. INV leaves lines that a "
      "cache owns\n"
      "  FORWARD owner      look the line up in the directory: its owner writes it out and stays "
      "the owner;\n"
      "                     the own innermost cache fetches it\n"
      "  STEP { … }         all of it in one step\n"
      "  NOP                nothing\n"
      "LEVEL is a level of the machine, see below, or MEM, the global memory. WHOSE is `own`,\n"
      "`device` (all caches of that level on the device) or `all` (on every device).\n"
      "A compare-exchange takes the row of its success order. When it fails, it takes all\n"
      "steps and writes nothing. Accesses of local memory, and fences on local memory only,\n"
      "need no row.\n";

void rsp_map_help (GString *out) {
  g_string_append (out, introduction);
  g_string_append (out, "\nOperations\n");
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    g_string_append_printf (out, "  %-8s %s\n", operations[i].word, operations[i].meaning);
  g_string_append (out, "\nOrders, scopes, words\n");
  for (guint i = 0; i < G_N_ELEMENTS (words_selectors); i++)
    g_string_append_printf (out, "  %-8s %s\n", words_selectors[i].word,
                            words_selectors[i].meaning);
  g_string_append (out, words_instructions);
}

/* ---- Build ---------------------------------------------------------------------------------- */

static RspSpan span_of (const MapParser *parser, TokenRange range) {
  return rsp_scan_span (&parser->scan, range);
}

/* ---- Selections ---- */
static guint kinds_of (MapSelection selection) {
  return (selection.orders ? 1u : 0) | (selection.scopes ? 2u : 0) | (*selection.words ? 4u : 0)
         | selection.kinds << 3;
}

static guint32 words_of (const guint32 *sets) {
  guint32 words = 0;
  for (; *sets; sets++)
    words |= *sets;
  return words & ~(guint32) RSP_MAP_NO_WORD;
}

MapSelection map_selector (MapParser *parser, TokenRange range, const char *word) {
  return (parser->map->source ? map_tagged_select : map_select) (parser, range, word);
}

MapSelection map_select_or (MapParser *parser, TokenRange range, MapSelection a, MapSelection b) {
  if (kinds_of (a) && kinds_of (b) && kinds_of (a) != kinds_of (b))
    rsp_error (parser->diagnostics, span_of (parser, range), NULL,
               "`|` joins words of the same kind: either orders or scopes");
  return (MapSelection){ a.orders | b.orders,
                         a.scopes | b.scopes,
                         { *a.words | *b.words },
                         a.suffixes | b.suffixes,
                         a.kinds | b.kinds };
}

MapSelection map_select_also (MapParser *parser, TokenRange range, MapSelection a, MapSelection b) {
  guint sets = 0;
  if (kinds_of (a) & kinds_of (b) & ~4u || words_of (a.words) & words_of (b.words))
    rsp_error (parser->diagnostics, span_of (parser, range), "join words of one kind with `|`",
               "the row already names a word of this kind");
  while (a.words[sets])
    sets++;
  if (*b.words && sets < RSP_MAX_WORDS)
    a.words[sets] = *b.words;
  a.orders |= b.orders;
  a.scopes |= b.scopes;
  a.suffixes |= b.suffixes;
  a.kinds |= b.kinds;
  return a;
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
  parser->locked = parser->stalled = parser->in_step = FALSE;
  g_array_set_size (parser->instructions, 0);
}

static RspMapInstruction *copy_instructions (const MapParser *parser) {
  return rsp_arena_copy (parser->map->arena, parser->instructions->data,
                         parser->instructions->len * sizeof (RspMapInstruction));
}

void map_begin_row (MapParser *parser, TokenRange range, const char *operation,
                    TokenRange selectors, MapSelection selection) {
  RspMapRow *row = rsp_arena_new0 (parser->map->arena, RspMapRow, 1);
  if (!parser->map->source) {
    const char *words[G_N_ELEMENTS (operations) + 1] = { NULL };
    for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
      words[i] = operations[i].word;
    row->operation = (RspMapOperation) find_word (parser, range, "an operation", operation, words);
  } else {
    map_tagged_operation (parser, range, operation, row);
    map_tagged_end_head (parser, selection.suffixes, row);
  }
  row->orders = selection.orders ? selection.orders : ~0u;
  row->scopes = selection.scopes ? selection.scopes : ~0u;
  memcpy (row->words, selection.words, sizeof row->words);
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
    if (is_fence
        && ((instruction->kind == RSP_MAP_LOCK && instruction->locks & RSP_MAP_LINE)
            || instruction->lines == RSP_MAP_THIS_LINE))
      rsp_error (parser->diagnostics, instruction->span,
                 instruction->lines ? "`mine` is for all lines that the work-item has used"
                                    : "`LOCK rmw { … }` needs no location",
                 "a fence has no location, so there is no line%s",
                 instruction->lines ? "" : " to lock");
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

void map_latency (MapParser *parser, TokenRange range, const char *item, TokenRange number_range,
                  const char *number) {
  guint64 cycles = 0;
  if (!g_ascii_string_to_unsigned (number, 10, 0, 100000, &cycles, NULL))
    rsp_error (parser->diagnostics, span_of (parser, number_range), NULL,
               "a latency is a number of cycles up to 100000");
  for (const RspMapLatency *other = parser->map->latencies; other; other = other->next)
    if (strcmp (other->item, item) == 0)
      rsp_error (parser->diagnostics, span_of (parser, range), NULL, "%s is given twice", item);
  RspMapLatency *latency = rsp_arena_new0 (parser->map->arena, RspMapLatency, 1);
  *latency
      = (RspMapLatency){ item, (guint) cycles, span_of (parser, range), parser->map->latencies };
  parser->map->latencies = latency;
}

/* ---- Instructions ---- */
static void add (MapParser *parser, TokenRange range, RspMapInstruction instruction) {
  instruction.span = span_of (parser, range);
  gboolean is_words = instruction.kind == RSP_MAP_WORDS;
  if (is_words && !parser->map->target && !strchr (instruction.words, '.')) {
    static const char *const words[] = { "NOP",   "FLU", "INV",     "CLEAN", "WAIT", "LOCK", "STEP",
                                         "STALL", "OWN", "FORWARD", "LD",    "ST",   "RMW",  NULL };
    g_autofree char *upper = g_ascii_strup (instruction.words, -1);
    g_autofree char *near = rsp_did_you_mean (upper, words);
    rsp_error (
        parser->diagnostics, instruction.span, near,
        "found `%s`, expected `NOP`, `FLU`, `INV`, `CLEAN`, `WAIT`, `LOCK`, `STEP`, `STALL`, "
        "`OWN`, `FORWARD` or an access (`LD`, `ST`, `RMW`)",
        instruction.words);
  } else if (is_words && !parser->map->target)
    rsp_error (parser->diagnostics, instruction.span,
               "a mapping to another language begins with `source OpenCL target PTX`, or the like",
               "found `%s`, expected an instruction of a machine", instruction.words);
  else if (!is_words && parser->map->target)
    rsp_error (parser->diagnostics, instruction.span, NULL, "expected an instruction of %s",
               parser->map->target->word);
  g_array_append_val (parser->instructions, instruction);
}

RspMapKind map_access_kind (const char *word) {
  return *word == 'L' ? RSP_MAP_LD : *word == 'S' ? RSP_MAP_ST : RSP_MAP_READ_WRITE;
}

void map_access (MapParser *parser, TokenRange range, const char *word, const char *level,
                 TokenRange whole) {
  const char *dash = strchr (word, '_');
  if (dash && level)
    rsp_error (parser->diagnostics, span_of (parser, range), NULL,
               "the level is named twice: `%s` and `%s`", dash + 1, level);
  add (parser, whole,
       (RspMapInstruction){ .kind = map_access_kind (word),
                            .level = level  ? level
                                     : dash ? dash + 1
                                            : NULL });
}

void map_through (MapParser *parser, TokenRange range) {
  RspMapInstruction *last
      = &g_array_index (parser->instructions, RspMapInstruction, parser->instructions->len - 1);
  last->through = TRUE;
  if (last->kind == RSP_MAP_LD)
    rsp_error (parser->diagnostics, span_of (parser, range), NULL,
               "only stores go through caches: `ST LEVEL through`");
}

void map_move (MapParser *parser, TokenRange range, RspMapKind kind, const char *level,
               RspMapReach reach, guint lines, guint when) {
  if (parser->in_step && kind == RSP_MAP_FLU && !lines)
    rsp_error (parser->diagnostics, span_of (parser, range), "`FLU L1 own x` does not wait",
               "FLU waits, so it cannot be part of one step");
  if (kind == RSP_MAP_CLEAN && (lines || when))
    rsp_error (parser->diagnostics, span_of (parser, range), NULL,
               "CLEAN writes back whole caches");
  add (parser, range,
       (RspMapInstruction){
           .kind = kind, .level = level, .reach = reach, .lines = lines, .when = when });
}

void map_directory (MapParser *parser, TokenRange range, RspMapKind kind, TokenRange word_range,
                    const char *word) {
  static const char *const line[] = { "x", NULL }, *const owner[] = { "owner", NULL };
  gboolean owns = kind == RSP_MAP_OWNED;
  find_word (parser, word_range, owns ? "the line" : "who", word, owns ? line : owner);
  add (parser, range, (RspMapInstruction){ .kind = kind, .lines = RSP_MAP_THIS_LINE });
}

void map_stall (MapParser *parser, TokenRange range, guint stalls, TokenRange scope_range,
                const char *scope, RspMapReach reach) {
  if (parser->stalled || parser->in_step)
    rsp_error (parser->diagnostics, span_of (parser, range), "`acquires|releases` stalls both",
               "STALL cannot be inside another STALL or STEP");
  parser->stalled = TRUE;
  add (parser, range,
       (RspMapInstruction){ .kind = RSP_MAP_STALL,
                            .stalls = stalls,
                            .stalled = map_scope (parser, scope_range, scope),
                            .reach = reach });
}

void map_unstall (MapParser *parser, TokenRange range) {
  parser->stalled = FALSE;
  add (parser, range, (RspMapInstruction){ .kind = RSP_MAP_UNSTALL });
}

void map_wait (MapParser *parser, TokenRange range, TokenRange word_range, const char *word) {
  /* The counters of all generations. */
  static const char *const words[] = { "vmcnt", "lgkmcnt", "loadcnt", "storecnt", "dscnt", NULL };
  static const guint counted[]
      = { RSP_MAP_LOADS | RSP_MAP_STORES | RSP_MAP_WRITE_BACKS, RSP_MAP_LOCALS, RSP_MAP_LOADS,
          RSP_MAP_STORES | RSP_MAP_WRITE_BACKS, RSP_MAP_LOCALS };
  add (parser, range,
       (RspMapInstruction){ .kind = RSP_MAP_WAIT,
                            .counted
                            = counted[find_word (parser, word_range, "a counter", word, words)] });
}

void map_lock (MapParser *parser, TokenRange range, guint locks, RspMapReach reach) {
  if (parser->locked || parser->in_step)
    rsp_error (parser->diagnostics, span_of (parser, range), "`LOCK x, rmw { … }` takes both",
               "LOCK cannot be inside another LOCK or STEP");
  parser->locked = TRUE;
  add (parser, range, (RspMapInstruction){ .kind = RSP_MAP_LOCK, .reach = reach, .locks = locks });
}

void map_unlock (MapParser *parser, TokenRange range, guint locks, RspMapReach reach) {
  parser->locked = FALSE;
  add (parser, range,
       (RspMapInstruction){ .kind = RSP_MAP_UNLOCK, .reach = reach, .locks = locks });
}

void map_open (MapParser *parser) { parser->row->open = TRUE; }

void map_words (MapParser *parser, TokenRange range, const char *words) {
  add (parser, range, (RspMapInstruction){ .kind = RSP_MAP_WORDS, .words = words });
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

/* ---- Errors --------------------------------------------------------------------------------- */

/* Syntax errors in mappings. */

static const TokenGroup groups[] = {
  { .keys = { "a word", "a level" },
    .phrase = "a language of tests",
    .members = { "a word", "a level" },
    .alone = TRUE },
  { .keys = { "a word", "include" },
    .phrase = "an operation (`load`, `store`, `rmw`, `fence`)",
    .members = { "a word" } },
  { .phrase = "a lock (`x`, `rmw`)",
    .members = { "a word", "`x` or `mine`" },
    .after = "LOCK",
    .alone = TRUE },
  { .phrase = "a lock (`x`, `rmw`)",
    .members = { "a word", "`x` or `mine`" },
    .after = ",",
    .alone = TRUE },
  { .phrase = "a counter (`vmcnt`, …)", .members = { "a word" }, .after = "WAIT", .alone = TRUE },
  { .phrase = "an order, a scope, or a word of the model",
    .members = { "a word" },
    .after = "|",
    .alone = TRUE },
  { .phrase = "whose (`own`, `device`, `all`)", .members = { "a word" }, .alone = TRUE },
};

/* Instructions are written in capitals. */
static const SyntaxSlip slips[] = {
  { .found = "ld", .hint = "did you mean `LD`?" },
  { .found = "st", .hint = "did you mean `ST`?" },
  { .found = "rmw", .hint = "did you mean `RMW`?" },
  { .found = "flu", .hint = "did you mean `FLU`?" },
  { .found = "inv", .hint = "did you mean `INV`?" },
  { .found = "clean", .hint = "did you mean `CLEAN`?" },
  { .found = "wait", .hint = "did you mean `WAIT`?" },
  { .found = "lock", .hint = "did you mean `LOCK`?" },
  { .found = "step", .hint = "did you mean `STEP`?" },
  { .found = "stall", .hint = "did you mean `STALL`?" },
  { .found = "own", .hint = "did you mean `OWN`?" },
  { .found = "forward", .hint = "did you mean `FORWARD`?" },
  { .found = "nop", .hint = "did you mean `NOP`?" },
  { .found = "title", .hint = "a machine begins with `machine \"NAME\"`" },
  { .found = "cache", .hint = "a machine begins with `machine \"NAME\"`" },
};

/* Instructions are those of a machine, or of another language. */
static const char *const of_machines[]
    = { "FLU",  "INV",   "CLEAN", "WAIT",    "LOCK",
        "STEP", "STALL", "OWN",   "FORWARD", "an access (`LD`, `ST`, `RMW`)",
        NULL },
    *const of_languages[] = { "an instruction of the target", "cost", "'?'", NULL };

#define SYNTAX(foreign)                                                                            \
  {                                                                                                \
    .texts = "mappings", .never = (foreign), .groups = groups, .n_groups = G_N_ELEMENTS (groups),  \
    .slips = slips, .n_slips = G_N_ELEMENTS (slips)                                                \
  }

const SyntaxLanguage map_syntax[3]
    = { SYNTAX (of_languages), SYNTAX (of_machines), { .texts = "machines" } };

/* ---- Load ----------------------------------------------------------------------------------- */

/* Reading mappings from files. */

enum {
  MOST_INCLUDES = 16, /* nested */
  MOST_FILES = 1000   /* files per mapping: nested includes grow fast */
};

/* Parses source into map, at *last; FALSE after an error. */
static gboolean parse_file (RspSource *source, RspMap *map, RspMapRow ***last,
                            const char *const *directories, GHashTable *texts, guint depth,
                            RspDiagnostics *diagnostics) {
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  MapParser parser = { .map = map,
                       .diagnostics = diagnostics,
                       .directories = directories,
                       .texts = texts,
                       .last = *last,
                       .depth = depth,
                       .instructions = g_array_new (FALSE, FALSE, sizeof (RspMapInstruction)) };
  g_ptr_array_add (map->sources, rsp_source_ref (source));
  rsp_map_scan_begin (&parser.scan, source, map->arena, diagnostics);
  int status = rsp_map_yyparse (&parser);
  rsp_map_scan_end (&parser.scan);
  g_array_unref (parser.instructions);
  *last = parser.last;
  return status == 0 && rsp_diagnostics_count_errors (diagnostics) == errors;
}

char *rsp_map_find_file (const char *from, const char *name, const char *const *directories) {
  g_autofree char *folder = g_path_get_dirname (from);
  return rsp_find_file (name, folder, directories, "");
}

gboolean map_include (MapParser *parser, TokenRange range, const char *name) {
  RspSpan span = rsp_scan_span (&parser->scan, range);
  g_autofree char *path = rsp_map_find_file (parser->scan.source->name, name, parser->directories);
  if (parser->depth == MOST_INCLUDES) {
    rsp_error (parser->diagnostics, span, NULL, "mappings include each other in a cycle");
    return FALSE;
  }
  if (parser->map->sources->len == MOST_FILES) {
    rsp_error (parser->diagnostics, span, NULL, "the mapping includes more than %d files",
               MOST_FILES);
    return FALSE;
  }
  if (!path) {
    gboolean of_machine = parser->map->machine != NULL;
    g_autofree char *hint
        = rsp_near_file_hint (name, parser->directories, of_machine ? ".machine" : ".map");
    rsp_error (parser->diagnostics, span, hint, "no such %s: `%s`",
               of_machine ? "machine" : "mapping", name);
    return FALSE;
  }
  g_autofree char *plain = g_canonicalize_filename (path, NULL);
  RspSource *given = parser->texts ? g_hash_table_lookup (parser->texts, plain) : NULL;
  g_autoptr (RspSource) source
      = given ? rsp_source_ref (given) : rsp_source_load (path, span, parser->diagnostics);
  if (!source)
    return FALSE;
  const char *own = parser->map->name;
  gboolean good = parse_file (source, parser->map, &parser->last, parser->directories,
                              parser->texts, parser->depth + 1, parser->diagnostics);
  parser->map->name = own;
  return good;
}

/* words: in the map's numbers; RSP_MAP_NO_WORD is one that it does not have */
static gboolean matches_words (const RspMapRow *row, guint32 words) {
  gboolean matches = !(words & ~words_of (row->words));
  for (const guint32 *set = row->words; *set && matches; set++)
    matches = (*set & (words | RSP_MAP_NO_WORD)) != 0;
  return matches;
}

static gboolean matches (const RspMapRow *row, RspMapOperation operation, RspOrder order,
                         RspScope scope, guint32 words) {
  return row->operation == operation && (row->orders >> order & 1) && (row->scopes >> scope & 1)
         && matches_words (row, words);
}

/* The words in the map's numbers. */
static guint32 number_words (const RspMap *map, const RspWords *all, guint32 words) {
  guint32 numbered = 0;
  for (guint i = 0; words >> i; i++)
    if (words >> i & 1) {
      guint number = number_of (map, all->names[i], strlen (all->names[i]));
      numbered |= number < map->n_words ? 1u << number : RSP_MAP_NO_WORD;
    }
  return numbered;
}

static const RspMapRow *find_numbered (const RspMap *map, RspMapOperation operation, RspOrder order,
                                       RspScope scope, guint32 words) {
  for (const RspMapRow *row = map->rows; row; row = row->next)
    if (matches (row, operation, order, scope, words))
      return row;
  return NULL;
}

/* Warns about a row that matches no operation; one that is included may be replaced. */
static void check_row (const RspMap *map, const RspMapRow *row, RspDiagnostics *diagnostics) {
  gboolean fits = FALSE, used = FALSE;
  for (guint cell = 0; cell < 8 * 5 * 2; cell++) {
    RspOrder order = (RspOrder) (cell / 10);
    RspScope scope = (RspScope) (cell / 2 % 5);
    /* The words of one operation that the row matches: with those that it need not have, or
     * without. */
    guint32 words = 0;
    for (const guint32 *set = row->words; *set; set++)
      if (cell % 2 || !(*set & RSP_MAP_NO_WORD))
        words |= 1u << __builtin_ctz (*set);
    if (order == RSP_ORDER_NA && (scope != RSP_SCOPE_WORK_ITEM || words))
      continue;
    fits |= matches (row, row->operation, order, scope, words);
    used |= find_numbered (map, row->operation, order, scope, words) == row;
  }
  if (!fits)
    rsp_warning (diagnostics, row->span, NULL,
                 "this row matches no operation: plain accesses have scope `wi` and no words");
  else if (!used && strcmp (row->span.source->name, map->path) == 0)
    rsp_warning (diagnostics, row->span, NULL,
                 "this row matches no operation: the rows above match everything that it matches");
}

RspMap *map_parse (RspSource *source, const char *const *directories, GHashTable *texts,
                   RspDiagnostics *diagnostics) {
  g_autoptr (RspMap) map = g_new0 (RspMap, 1);
  map->arena = rsp_arena_new ();
  map->sources = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_source_unref);
  map->path = rsp_arena_strdup (map->arena, source->name);
  RspMapRow **last = &map->rows;
  gboolean good = parse_file (source, map, &last, directories, texts, 0, diagnostics);
  return good ? g_steal_pointer (&map) : NULL;
}

RspMap *rsp_map_parse (RspSource *source, const char *const *directories, GHashTable *texts,
                       RspDiagnostics *diagnostics) {
  const char *path = source->name;
  g_autoptr (RspMap) map = map_parse (source, directories, texts, diagnostics);
  if (!map)
    return NULL;
  if (map->machine || map->is_latency) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s is %s", path,
               map->machine ? "a machine: give it with -machine"
                            : "a file of latencies: give it with -latency");
    return NULL;
  }
  if (!map->name) {
    g_autofree char *base = g_path_get_basename (path);
    gsize length = strlen (base) - (g_str_has_suffix (base, ".map") ? 4 : 0);
    map->name = rsp_arena_strndup (map->arena, base, length);
  }
  if (!map->rows) {
    rsp_error (diagnostics, RSP_NOWHERE, "`rspcheck -help-mapping` describes the format of rows",
               "%s: this mapping has no rows", path);
    return NULL;
  }
  for (const RspMapRow *row = map->rows; row; row = row->next)
    (map->source ? map_tagged_check_row : check_row) (map, row, diagnostics);
  return g_steal_pointer (&map);
}

RspMap *rsp_latency_load (const char *path, RspDiagnostics *diagnostics) {
  g_autoptr (RspSource) source = rsp_source_load (path, RSP_NOWHERE, diagnostics);
  g_autoptr (RspMap) map = source ? map_parse (source, NULL, NULL, diagnostics) : NULL;
  if (!map || map->is_latency)
    return g_steal_pointer (&map);
  rsp_error (diagnostics, RSP_NOWHERE, "such a file begins with `latency \"NAME\"`",
             "%s gives no latencies", path);
  return NULL;
}

RspMap *rsp_map_load (const char *path, const char *const *directories,
                      RspDiagnostics *diagnostics) {
  g_autoptr (RspSource) source = rsp_source_load (path, RSP_NOWHERE, diagnostics);
  if (!source)
    return NULL;
  return rsp_map_parse (source, directories, NULL, diagnostics);
}

void rsp_map_free (RspMap *map) {
  if (!map)
    return;
  g_ptr_array_unref (map->sources);
  rsp_arena_free (map->arena);
  g_free (map);
}

const RspMapRow *rsp_map_find (const RspMap *map, RspMapOperation operation, RspOrder order,
                               RspScope scope, const RspWords *all, guint32 words) {
  return find_numbered (map, operation, order, scope, number_words (map, all, words));
}

const RspMapRow *rsp_map_find_spelled (const RspMap *map, RspSpelling spelling, const RspWords *all,
                                       guint32 words) {
  guint32 numbered = number_words (map, all, words);
  for (const RspMapRow *row = map->rows; row; row = row->next)
    if (map_tagged_matches (row, spelling) && matches_words (row, numbered))
      return row;
  return NULL;
}
