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
#pragma once

#include "base/arena.h"
#include "parser/program.h"

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
  RspArena *arena;    /* owns all of it */
  GPtrArray *sources; /* of RspSource */
} RspMap;
