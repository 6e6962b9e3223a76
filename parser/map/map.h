#pragma once

#include "base/base.h"
#include "lexer/map.h"
#include "parser/program.h"

/* ---- Tree ----------------------------------------------------------------------------------- */

/* Mappings: the instructions of a machine that each source operation becomes.
 *
 *   mapping "revised"
 *   load  dev remote : LD; FLU L1 device; INV L1 own
 *   store dev remote : LOCK rmw { FLU L1 own; INV L1 device; ST }
 *
 * A row selects operations by kind and, where it matters, by order, scope, and whether they are
 * remote; the first row that matches an operation is used. `include "F.map"` inserts the rows of F.
 * `cost 10 : fence.sc.$S` and `load sc : ?` are for -cheapest, which fills the open rows; on a
 * machine a cost is that of one or more of its instructions. With `source OpenCL target PTX` the
 * instructions are those of another language of tests, and the mapping is for -compile
 * (parser/translation.h). If the source has instructions too (`source Vulkan`), rows select them by
 * its words: `load atom acq : ld.acquire.$S`. Language: docs/machines.md, docs/compile.md. Source
 * of the tables: Wickerson et al., OOPSLA 2015. */

typedef enum RspMapOperation {
  RSP_MAP_LOAD,
  RSP_MAP_STORE,
  RSP_MAP_RMW,
  RSP_MAP_FENCE,
  RSP_MAP_BARRIER, /* with a target language only: machines take a barrier as two fences */
  RSP_MAP_N_OPERATIONS
} RspMapOperation;

typedef enum RspMapKind {
  RSP_MAP_LD,
  RSP_MAP_ST,
  RSP_MAP_READ_WRITE,
  RSP_MAP_FLU,
  RSP_MAP_INV,
  RSP_MAP_LOCK,
  RSP_MAP_UNLOCK, /* at the end of a LOCK's braces */
  RSP_MAP_CLEAN,
  RSP_MAP_WAIT,
  RSP_MAP_WORDS /* an instruction of the target language */
} RspMapKind;

/* Whose caches FLU and INV affect, and whose locks LOCK takes. */
typedef enum RspMapReach {
  RSP_MAP_OWN,
  RSP_MAP_DEVICE, /* those of the device; LOCK's default */
  RSP_MAP_ALL     /* those of every device */
} RspMapReach;

/* What LOCK takes: bits. */
enum {
  RSP_MAP_LINE = 1, /* `x`: the line of the operation's location */
  RSP_MAP_RMWS = 2, /* `rmw`: the lock that work-group RMWs take, for every work-group in reach */
  RSP_MAP_SYNC = 4  /* `sync`, with RMWS: it stops acquires and releases of these work-groups too */
};

/* What WAIT waits for: bits. */
enum {
  RSP_MAP_LOADS = 1, /* also read-modify-writes */
  RSP_MAP_STORES = 2,
  RSP_MAP_LOCALS = 4, /* accesses of local memory */
  RSP_MAP_WRITE_BACKS = 8
};

typedef struct RspMapInstruction {
  RspMapKind kind;
  const char *level; /* "L1"; NULL: the innermost */
  const char *words; /* WORDS: "ld.acquire.$S" */
  RspMapReach reach; /* FLU, INV, CLEAN, LOCK, UNLOCK */
  guint locks;       /* LOCK, UNLOCK */
  guint counted;     /* WAIT */
  gboolean joined;   /* one step with the instruction after it (STEP) */
  RspSpan span;
} RspMapInstruction;

typedef struct RspMapRow {
  RspMapOperation operation;
  guint orders;  /* bits 1 << RspOrder */
  guint scopes;  /* bits 1 << RspScope */
  guint remotes; /* bit 0: operations that are not remote, bit 1: remote ones */
  guint64 forms; /* with a source that has instructions: bits of first words, as RspSpelling has
                    their places */
  const guint64
      *suffixes; /* the same: per kind that the row names, bits as in RspSpelling; 0 ends them */
  RspMapInstruction *instructions;
  guint n_instructions;
  gboolean open;    /* `?`: -cheapest looks for its instructions */
  const char *text; /* as written after the colon, without line breaks */
  RspSpan span;     /* up to the colon */
  struct RspMapRow *next;
} RspMapRow;

/* What -cheapest may make rows of. */
typedef struct RspMapCost {
  RspMapInstruction *instructions;
  guint n_instructions;
  const char *text; /* as in RspMapRow */
  guint64 cost;
  struct RspMapCost *next;
} RspMapCost;

typedef struct RspMap {
  const char *name; /* as the file gives it, otherwise the file's name without its suffix */
  const char *path;
  const RspLanguage *target; /* NULL: the instructions are those of a machine */
  guint languages;           /* with a target: those of its tests, bits 1 << RspLanguageId */
  const RspLanguage *source; /* the only one of these, if it has instructions; else NULL */
  RspMapRow *rows;           /* included ones replace the `include` */
  RspMapCost *costs;
  struct RspMachine *machine; /* that the file describes (machine.h); NULL: it is a mapping */
  RspArena *arena;            /* owns all of it */
  GPtrArray *sources;         /* of RspSource */
} RspMap;

/* ---- Build ---------------------------------------------------------------------------------- */

/* Building the tree of a mapping: functions for the grammar's actions. Private to this front
 * end. */

/* The selectors of a row; 0 for those that are missing. */
typedef struct MapSelection {
  guint orders, scopes, remotes;
  guint64 suffixes; /* of a source language with tags: bits as in RspSpelling */
  guint kinds;      /* of the suffixes, bits */
} MapSelection;

typedef struct MapParser {
  TokenScan scan;
  RspMap *map;
  RspDiagnostics *diagnostics;
  const char *const *directories;
  GHashTable *texts;    /* path → RspSource; or NULL */
  RspMapRow **last;     /* where the next row is linked */
  RspMapRow *row;       /* the one being built */
  GArray *instructions; /* of RspMapInstruction: the row's */
  gboolean locked, in_step;
  guint step_begin; /* of in_step: number of its first instruction */
  guint depth;      /* of includes */
  /* Of a statement of a machine: */
  struct RspMachineLevel *level; /* its cache, or NULL */
  struct RspReadings *readings;  /* those that it sets, */
  guint *settled;                /* numbers of those that are set already, bits */
  guint of;                      /* an RspReadingOf: those that it may set */
} MapParser;

MapSelection map_selector (MapParser *parser, TokenRange range, const char *word);

/* a | b: of one kind. */
MapSelection map_select_or (MapParser *parser, TokenRange range, MapSelection a, MapSelection b);

/* a b: of different kinds. */
MapSelection map_select_also (MapParser *parser, TokenRange range, MapSelection a, MapSelection b);
void map_begin_row (MapParser *parser, TokenRange range, const char *operation,
                    TokenRange selectors, MapSelection selection);
void map_end_row (MapParser *parser, TokenRange body);

/* `cost 10 : fence.sc.$S` */
void map_begin_cost (MapParser *parser);
void map_end_cost (MapParser *parser, TokenRange range, const char *number, TokenRange body);

/* ---- Languages ---- */
void map_source (MapParser *parser, TokenRange range, const char *word);
void map_target (MapParser *parser, TokenRange range, const char *word);

/* ---- Instructions ---- */
/* word is "LD", "RMW_L2", …; level is NULL if no word follows. */
void map_access (MapParser *parser, TokenRange range, const char *word, const char *level,
                 TokenRange whole);
void map_move (MapParser *parser, TokenRange range, RspMapKind kind, const char *level,
               RspMapReach reach);
void map_wait (MapParser *parser, TokenRange range, TokenRange word_range, const char *word);
void map_lock (MapParser *parser, TokenRange range, guint locks, RspMapReach reach);
void map_unlock (MapParser *parser, TokenRange range, guint locks, RspMapReach reach);

/* `?` */
void map_open (MapParser *parser);
void map_words (MapParser *parser, TokenRange range, const char *words);
void map_begin_step (MapParser *parser, TokenRange range);
void map_end_step (MapParser *parser);

/* ---- Load ----------------------------------------------------------------------------------- */

/* Adds the rows of the file. FALSE after an error, which is reported: then nothing more is read. */
gboolean map_include (MapParser *parser, TokenRange range, const char *path);

/* The path of the file that the mapping `from` includes by this name: in its folder, else in
 * directories (NULL-terminated; may be NULL). Newly allocated; NULL if there is none. */
char *rsp_map_find_file (const char *from, const char *name, const char *const *directories);

/* Parses any file of the language; the others say which of the two it has to be. */
RspMap *map_parse (RspSource *source, const char *const *directories, GHashTable *texts,
                   RspDiagnostics *diagnostics);

/* Parses a mapping; directories: for included files. texts: absolute path → RspSource, of files
 * that are read from there instead of from disk; or NULL. NULL after an error, reported in
 * diagnostics. */
RspMap *rsp_map_parse (RspSource *source, const char *const *directories, GHashTable *texts,
                       RspDiagnostics *diagnostics);

/* The same for a file. */
RspMap *rsp_map_load (const char *path, const char *const *directories,
                      RspDiagnostics *diagnostics);
void rsp_map_free (RspMap *map);

/* The row for an operation, or NULL. */
const RspMapRow *rsp_map_find (const RspMap *map, RspMapOperation operation, RspOrder order,
                               RspScope scope, gboolean remote);

/* The same for an instruction of the mapping's source language. */
const RspMapRow *rsp_map_find_spelled (const RspMap *map, RspSpelling spelling);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspMap, rsp_map_free)

/* ---- Words ---------------------------------------------------------------------------------- */

RspMapReach map_reach (MapParser *parser, TokenRange range, const char *word);
guint map_lock_word (MapParser *parser, TokenRange range, const char *word);
const char *map_operation_name (RspMapOperation operation);

/* Reports a word that is not one of `words`. */
void map_unknown_word (MapParser *parser, TokenRange range, const char *what, const char *word,
                       const char *const *words);

/* "remote store at device scope", for messages. Newly allocated. */
char *rsp_map_describe (RspMapOperation operation, RspOrder order, RspScope scope, gboolean remote);

/* The beginning of a row for such an operation: "store rel dev remote". Newly allocated. */
char *rsp_map_format_head (RspMapOperation operation, RspOrder order, RspScope scope,
                           gboolean remote);

/* Appends the words of the language, for -help-mapping. */
void rsp_map_help (GString *out);
