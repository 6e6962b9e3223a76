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
 * A row selects operations by kind and, where it matters, by order, scope, and the words that they
 * have: `remote`, or others that the source's model declares. The first row that matches an
 * operation is used. `include "F.map"` inserts the rows of F.
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
  RSP_MAP_STALL,
  RSP_MAP_UNSTALL, /* at the end of a STALL's braces */
  RSP_MAP_OWNED,   /* OWN x */
  RSP_MAP_FORWARD, /* FORWARD owner */
  RSP_MAP_WORDS    /* an instruction of the target language */
} RspMapKind;

/* The owners of the caches that FLU and INV affect, and of the locks that LOCK takes. */
typedef enum RspMapReach {
  RSP_MAP_OWN,
  RSP_MAP_DEVICE, /* those of the device; LOCK's default */
  RSP_MAP_ALL     /* those of every device */
} RspMapReach;

/* The locks that LOCK takes: bits. */
enum {
  RSP_MAP_LINE = 1, /* `x`: the line of the operation's location */
  RSP_MAP_RMWS = 2  /* `rmw`: the lock that work-group RMWs take, for every work-group in reach */
};

/* The operations that STALL keeps waiting: bits. */
enum { RSP_MAP_ACQUIRES = 1, RSP_MAP_RELEASES = 2, RSP_MAP_STALLED_RMWS = 4 };

/* The lines that FLU and INV affect; 0: all. */
enum {
  RSP_MAP_THIS_LINE = 1, /* `x`: that of the operation's location */
  RSP_MAP_MINE           /* those that the work-item has used: for FLU, that it has stored to */
};

/* The caches that FLU and INV affect; 0: all in reach. */
enum {
  RSP_MAP_WHEN_DIRTY = 1, /* those in which some of these lines is dirty */
  RSP_MAP_WHEN_REMOTE     /* those that are not the work-item's own */
};

/* The operations that WAIT waits for: bits. */
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
  RspMapReach reach; /* FLU, INV, CLEAN, LOCK, UNLOCK, STALL */
  guint lines, when; /* FLU, INV */
  guint stalls;      /* STALL */
  RspScope stalled;  /* STALL: it affects operations in caches of this scope */
  gboolean through;  /* ST: the own caches inside the level are written too */
  guint locks;       /* LOCK, UNLOCK */
  guint counted;     /* WAIT */
  gboolean joined;   /* one step with the instruction after it (STEP) */
  RspSpan span;
} RspMapInstruction;

/* In a set of words that a row selects by: operations that have none of them. */
enum { RSP_MAP_NO_WORD = 1 << RSP_MAX_WORDS };

typedef struct RspMapRow {
  RspMapOperation operation;
  guint orders; /* bits 1 << RspOrder */
  guint scopes; /* bits 1 << RspScope */
  /* Its operations have a word of each of these sets, and no other words; bits 1 << number in
   * RspMap.words. 0 ends them. */
  guint32 words[RSP_MAX_WORDS + 1];
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

/* The instructions of which -cheapest may make rows. */
typedef struct RspMapCost {
  RspMapInstruction *instructions;
  guint n_instructions;
  const char *text; /* as in RspMapRow */
  guint64 cost;
  struct RspMapCost *next;
} RspMapCost;

/* The cost of an item of a machine's bill. */
typedef struct RspMapLatency {
  const char *item;
  guint cycles;
  RspSpan span;
  struct RspMapLatency *next;
} RspMapLatency;

typedef struct RspMap {
  const char *name; /* as the file gives it, otherwise the file's name without its suffix */
  const char *path;
  const RspLanguage *target;        /* NULL: the instructions are those of a machine */
  guint languages;                  /* with a target: those of its tests, bits 1 << RspLanguageId */
  const RspLanguage *source;        /* the only one of these, if it has instructions; else NULL */
  RspMapRow *rows;                  /* included ones replace the `include` */
  const char *words[RSP_MAX_WORDS]; /* that rows select by */
  RspSpan word_spans[RSP_MAX_WORDS]; /* where each is first */
  guint n_words;
  RspMapCost *costs;
  gboolean is_latency; /* does the file give latencies? */
  RspMapLatency *latencies;
  struct RspMachine *machine; /* that the file describes (machine.h); NULL: it is a mapping */
  RspArena *arena;            /* owns all of it */
  GPtrArray *sources;         /* of RspSource */
} RspMap;

/* ---- Build ---------------------------------------------------------------------------------- */

/* Building the tree of a mapping: functions for the grammar's actions. Private to this front
 * end. */

/* The selectors of a row; 0 for those that are missing. */
typedef struct MapSelection {
  guint orders, scopes;
  guint32 words[RSP_MAX_WORDS + 1]; /* as in RspMapRow */
  guint64 suffixes;                 /* of a source language with tags: bits as in RspSpelling */
  guint kinds;                      /* of the suffixes, bits */
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
  gboolean locked, stalled, in_step;
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

/* `drains : 24` */
void map_latency (MapParser *parser, TokenRange range, const char *item, TokenRange number_range,
                  const char *number);

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

/* Behind the last access. */
void map_through (MapParser *parser, TokenRange range);
void map_move (MapParser *parser, TokenRange range, RspMapKind kind, const char *level,
               RspMapReach reach, guint lines, guint when);
void map_directory (MapParser *parser, TokenRange range, RspMapKind kind, TokenRange word_range,
                    const char *word);
void map_stall (MapParser *parser, TokenRange range, guint stalls, TokenRange scope_range,
                const char *scope, RspMapReach reach);
void map_unstall (MapParser *parser, TokenRange range);
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

/* Reads a file of latencies (`latency "NAME"`, then `ITEM : CYCLES`), which is not a mapping. */
RspMap *rsp_latency_load (const char *path, RspDiagnostics *diagnostics);

/* The same as rsp_map_parse, for a file. */
RspMap *rsp_map_load (const char *path, const char *const *directories,
                      RspDiagnostics *diagnostics);
void rsp_map_free (RspMap *map);

/* The row for an operation that has the set `words` of those of `all`, or NULL. */
const RspMapRow *rsp_map_find (const RspMap *map, RspMapOperation operation, RspOrder order,
                               RspScope scope, const RspWords *all, guint32 words);

/* The same for an instruction of the mapping's source language. */
const RspMapRow *rsp_map_find_spelled (const RspMap *map, RspSpelling spelling, const RspWords *all,
                                       guint32 words);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspMap, rsp_map_free)

/* ---- Words ---------------------------------------------------------------------------------- */

RspMapReach map_reach (MapParser *parser, TokenRange range, const char *word);
guint map_lock_word (MapParser *parser, TokenRange range, const char *word);
guint map_lines (const char *word);
guint map_when (MapParser *parser, TokenRange range, const char *word);
guint map_stalled (MapParser *parser, TokenRange range, const char *word);

/* "work_group"; all_svm_devices is not one. Another word is reported. */
RspScope map_scope (MapParser *parser, TokenRange range, const char *word);
const char *map_operation_name (RspMapOperation operation);

/* Reports a word that is not one of `words`. */
void map_unknown_word (MapParser *parser, TokenRange range, const char *what, const char *word,
                       const char *const *words);

/* "a remote store at device scope", for messages. Newly allocated. */
char *rsp_map_describe (RspMapOperation operation, RspOrder order, RspScope scope,
                        const RspWords *all, guint32 words);

/* The beginning of a row for such an operation: "store rel dev remote". Newly allocated. */
char *rsp_map_format_head (RspMapOperation operation, RspOrder order, RspScope scope,
                           const RspWords *all, guint32 words);

/* Appends the words of the language, for -help-mapping. */
void rsp_map_help (GString *out);
