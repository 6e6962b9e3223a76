/* The words of mappings. */
#include "parser/map/words.h"
#include "base/suggest.h"
#include "parser/litmus/words.h"

#include <string.h>

typedef struct OperationWord {
  const char *word;
  RspMapOperation operation;
  const char *meaning;
} OperationWord;

static const OperationWord operations[] = {
#define RSP_MAP_OPERATION(word, operation, meaning) { word, RSP_MAP_##operation, meaning },
#define RSP_MAP_SELECTOR(word, kind, bits, meaning)
#include "parser/map/words.def"
#undef RSP_MAP_OPERATION
#undef RSP_MAP_SELECTOR
};

typedef enum SelectorKind { ORDERS, SCOPES, REMOTES } SelectorKind;

typedef struct SelectorWord {
  const char *word;
  SelectorKind kind;
  guint bits;
  const char *meaning;
} SelectorWord;

static const SelectorWord selectors[] = {
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

gboolean map_operation_word (MapParser *parser, TokenRange range, const char *word,
                             RspMapOperation *operation) {
  const char *words[G_N_ELEMENTS (operations) + 1] = { NULL };
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++) {
    words[i] = operations[i].word;
    if (strcmp (operations[i].word, word) == 0) {
      *operation = operations[i].operation;
      return TRUE;
    }
  }
  map_unknown_word (parser, range, "an operation", word, words);
  return FALSE;
}

MapSelection map_select (MapParser *parser, TokenRange range, const char *word) {
  const char *words[G_N_ELEMENTS (selectors) + 1] = { NULL };
  for (guint i = 0; i < G_N_ELEMENTS (selectors); i++) {
    const SelectorWord *selector = &selectors[i];
    words[i] = selector->word;
    if (strcmp (selector->word, word) != 0)
      continue;
    return (MapSelection){ .orders = selector->kind == ORDERS ? selector->bits : 0,
                           .scopes = selector->kind == SCOPES ? selector->bits : 0,
                           .remotes = selector->kind == REMOTES ? selector->bits : 0 };
  }
  map_unknown_word (parser, range, "an order, a scope, or `remote`", word, words);
  return (MapSelection){ 0 };
}

RspMapReach map_reach (MapParser *parser, TokenRange range, const char *word) {
  for (guint i = 0; reaches[i]; i++)
    if (strcmp (reaches[i], word) == 0)
      return (RspMapReach) i;
  map_unknown_word (parser, range, "whose", word, reaches);
  return RSP_MAP_OWN;
}

guint map_lock_word (MapParser *parser, TokenRange range, const char *word) {
  static const char *const words[] = { "x", "rmw", "sync", NULL };
  if (strcmp (word, "x") == 0)
    return RSP_MAP_LINE;
  if (strcmp (word, "rmw") == 0)
    return RSP_MAP_RMWS;
  if (strcmp (word, "sync") == 0)
    return RSP_MAP_RMWS | RSP_MAP_SYNC;
  map_unknown_word (parser, range, "a lock", word, words);
  return RSP_MAP_LINE;
}

/* The counters of the generations, and what counts up in each until it is done. */
static const struct {
  const char *word;
  guint counted;
} counters[] = { { "vmcnt", RSP_MAP_LOADS | RSP_MAP_STORES | RSP_MAP_WRITE_BACKS },
                 { "lgkmcnt", RSP_MAP_LOCALS },
                 { "loadcnt", RSP_MAP_LOADS },
                 { "storecnt", RSP_MAP_STORES | RSP_MAP_WRITE_BACKS },
                 { "dscnt", RSP_MAP_LOCALS } };

guint map_counter (MapParser *parser, TokenRange range, const char *word) {
  const char *words[G_N_ELEMENTS (counters) + 1] = { NULL };
  for (guint i = 0; i < G_N_ELEMENTS (counters); i++) {
    words[i] = counters[i].word;
    if (strcmp (word, counters[i].word) == 0)
      return counters[i].counted;
  }
  map_unknown_word (parser, range, "a counter", word, words);
  return 0;
}

const char *map_operation_name (RspMapOperation operation) { return operations[operation].word; }

char *rsp_map_describe (RspMapOperation operation, RspOrder order, RspScope scope,
                        gboolean remote) {
  const char *name = operations[operation].word;
  if (order == RSP_ORDER_NA)
    return g_strdup_printf ("plain %s", name);
  return g_strdup_printf ("%s%s of %s at %s", remote ? "remote " : "", name, rsp_order_name (order),
                          rsp_scope_name (scope));
}

/* The first selector that has this bit. */
static const char *selector_word (SelectorKind kind, guint bit) {
  for (guint i = 0; i < G_N_ELEMENTS (selectors); i++)
    if (selectors[i].kind == kind && (selectors[i].bits >> bit & 1))
      return selectors[i].word;
  return "";
}

char *rsp_map_format_head (RspMapOperation operation, RspOrder order, RspScope scope,
                           gboolean remote) {
  const char *name = operations[operation].word;
  if (order == RSP_ORDER_NA)
    return g_strdup_printf ("%s na", name);
  return g_strdup_printf ("%s %s %s%s", name, selector_word (ORDERS, order),
                          selector_word (SCOPES, scope), remote ? " remote" : "");
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
      "  OPERATION [ORDERS] [SCOPES] [remote] : INSTRUCTIONS\n"
      "\n"
      "The first row that matches an operation is used, so rows that override others come before\n"
      "them. Words of one kind are joined by `|`, as in `load acq|sc dev`. A row without an order "
      "is\n"
      "for all orders, one without a scope for all scopes. Comments are `// …` and `/* … */`.\n"
      "In a mapping from PTX or Vulkan (`source PTX target PTX`), rows select instructions by the\n"
      "words of that language: `tld weak : …`, `load atom acq : …` (docs/compile.md).\n";

static const char instructions[]
    = "\nInstructions, separated by `;`. A row has one LD, ST or RMW; a row of `fence` has none.\n"
      "  LD [LEVEL]         load, at the innermost level unless one is named\n"
      "  ST [LEVEL]         store, likewise\n"
      "  RMW [LEVEL]        read and write in one step, likewise; `RMW_L2` is `RMW L2`\n"
      "  FLU LEVEL WHOSE    flush: wait until all that is dirty now is written one level out\n"
      "  INV LEVEL WHOSE    invalidate all lines; a dirty one keeps its pending write\n"
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
      "  LOCK sync { … }    LOCK rmw that stops acquires and releases of work-groups too: their "
      "LD\n"
      "                     and ST at the innermost level wait\n"
      "  LOCK x, rmw { … }  hold both, taken at once; `LOCK x all { … }`: those of all devices\n"
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
  g_string_append (out, "\nOrders, scopes, remote\n");
  for (guint i = 0; i < G_N_ELEMENTS (selectors); i++)
    g_string_append_printf (out, "  %-8s %s\n", selectors[i].word, selectors[i].meaning);
  g_string_append (out, instructions);
}
