/* The words of mappings. */
#include "parser/map/words.h"
#include "base/suggest.h"
#include "parser/litmus/words.h"

#include <string.h>

typedef struct OperationWord
{
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

typedef enum SelectorKind
{
  ORDERS,
  SCOPES,
  REMOTES
} SelectorKind;

typedef struct SelectorWord
{
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

void
map_unknown_word (MapParser *parser, MapRange range, const char *what, const char *word,
                  const char *const *words)
{
  g_autofree char *list = g_strjoinv ("`, `", (char **) words);
  g_autofree char *hint = rsp_did_you_mean (word, words);
  rsp_error (parser->diagnostics, rsp_map_scan_span (&parser->scan, range), hint,
             "found `%s`, expected %s: `%s`", word, what, list);
}

gboolean
map_operation_word (MapParser *parser, MapRange range, const char *word, RspMapOperation *operation)
{
  const char *words[G_N_ELEMENTS (operations) + 1] = { NULL };
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      words[i] = operations[i].word;
      if (strcmp (operations[i].word, word) == 0)
        {
          *operation = operations[i].operation;
          return TRUE;
        }
    }
  map_unknown_word (parser, range, "an operation", word, words);
  return FALSE;
}

MapSelection
map_select (MapParser *parser, MapRange range, const char *word)
{
  const char *words[G_N_ELEMENTS (selectors) + 1] = { NULL };
  for (guint i = 0; i < G_N_ELEMENTS (selectors); i++)
    {
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

RspMapReach
map_reach (MapParser *parser, MapRange range, const char *word)
{
  for (guint i = 0; reaches[i]; i++)
    if (strcmp (reaches[i], word) == 0)
      return (RspMapReach) i;
  map_unknown_word (parser, range, "whose", word, reaches);
  return RSP_MAP_OWN;
}

guint
map_lock_word (MapParser *parser, MapRange range, const char *word)
{
  static const char *const words[] = { "x", "rmw", NULL };
  if (strcmp (word, "x") == 0)
    return RSP_MAP_LINE;
  if (strcmp (word, "rmw") == 0)
    return RSP_MAP_RMWS;
  map_unknown_word (parser, range, "a lock", word, words);
  return RSP_MAP_LINE;
}

char *
rsp_map_describe (RspMapOperation operation, RspOrder order, RspScope scope, gboolean remote)
{
  const char *name = operations[operation].word;
  if (order == RSP_ORDER_NA)
    return g_strdup_printf ("plain %s", name);
  return g_strdup_printf ("%s%s of %s at %s", remote ? "remote " : "", name, rsp_order_name (order),
                          rsp_scope_name (scope));
}

static const char introduction[]
    = "A mapping says which instructions of the machine each operation of a test becomes.\n"
      "\n"
      "  mapping \"NAME\"                             optional\n"
      "  include \"FILE.map\"                         the rows of another mapping\n"
      "  OPERATION [ORDERS] [SCOPES] [remote] : INSTRUCTIONS\n"
      "\n"
      "The first row that matches an operation counts. Words of one kind are joined by `|`; a row\n"
      "that names no order or scope is for all of them. `//` and `/* */` are comments.\n";

static const char instructions[]
    = "\nInstructions, separated by `;`\n"
      "  LD [LEVEL]           load, from the innermost level unless one is named\n"
      "  ST [LEVEL]           store\n"
      "  RMW [LEVEL]          read and write in one step (also RMW_L1, RMW_L2, …)\n"
      "  FLU LEVEL WHOSE      write out what is dirty now, and wait until that is done\n"
      "  INV LEVEL WHOSE      invalidate every line\n"
      "  LOCK LOCKS [WHOSE] { … }   hold locks: `x` the line of the location, `rmw` the locks of\n"
      "                       work-group RMWs; `LOCK x, rmw { … }` takes both at once\n"
      "  STEP { … }           all in one step\n"
      "  NOP                  nothing\n"
      "\nLEVEL: a level of the machine, from WB, L1, L2 to MEM\n"
      "WHOSE: own, device (all of the device), all (of every device)\n";

void
rsp_map_help (GString *out)
{
  g_string_append (out, introduction);
  g_string_append (out, "\nOperations\n");
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    g_string_append_printf (out, "  %-8s %s\n", operations[i].word, operations[i].meaning);
  g_string_append (out, "\nOrders, scopes, remote\n");
  for (guint i = 0; i < G_N_ELEMENTS (selectors); i++)
    g_string_append_printf (out, "  %-8s %s\n", selectors[i].word, selectors[i].meaning);
  g_string_append (out, instructions);
}
