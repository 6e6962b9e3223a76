/* Machines made of caches, as their files describe them.
 *
 *   machine "rsp"
 *   mapping "revised.map"
 *   cache L1 per work_group : write_back, fifo queue, fetch any
 *   lock  line at L1, rmw per work_group
 *   invariant "a dirty line is in its cache's FIFO" : dirty L1 in queued L1
 *
 * Statements come before the `include` whose statements they override. Language: docs/machines.md.
 */
#pragma once

#include "parser/map/map.h"

/* ---- Readings ------------------------------------------------------------------------------- */

/* The ways to interpret steps that the sources of machines leave open. Values of the fields, in the
 * order of the words of rsp_reading_table; 0 is the default. */
enum {
  RMW_ALL = 0,
  RMW_OWN,
  RMW_NONE,
  STORE_OUTER = 0,
  STORE_INNER,
  ALL_MEMORY = 0,
  ALL_DEVICE,
  FIFO_QUEUE = 0,
  FIFO_SET,
  FIFO_ANY,
  ACCESS_WAITED = 0,
  ACCESS_COUNTED,
  DIRTY_MARK = 0,
  DIRTY_SKIP,
  DRAIN_AWAITED = 0,
  DRAIN_NEVER,
  DRAIN_ANY,
  FENCE_BOTH = 0,
  FENCE_ORDER,
  FETCH_ANY = 0,
  FETCH_DEMAND,
  REDUCTION_ON = 0,
  REDUCTION_OFF
};

typedef struct RspReadings {
  guint8 rmw_waits, rmw_invalidates, locked_store, all_access, all_reach, accesses, lock_drains,
      fence, reduction;
  guint8 fifo, inv_dirty, fetch; /* of each cache */
} RspReadings;

/* The subject of a reading, and the statement of a machine that names it. */
typedef enum RspReadingOf {
  RSP_READING_OF_ALL,
  RSP_READING_OF_CACHES,
  RSP_READING_OF_LOCKS
} RspReadingOf;

typedef struct RspReading {
  const char *name;
  RspReadingOf of;
  gsize offset;         /* of its field, a guint8: in RspReadings, or a machine's own structure */
  const char *words[4]; /* NULL-terminated; the first is the default */
  const char *meaning;
} RspReading;

/* The readings of machines of caches; the last has no name, as in every such table. */
extern const RspReading rsp_reading_table[];

/* Sets "NAME=VALUE" in the fields of a table's readings. NULL, or what is wrong, newly allocated.
 */
char *rsp_reading_set (const RspReading *table, gpointer fields, const char *text);

/* "rmw-waits=own …": the readings that are not the first. Newly allocated. */
char *rsp_readings_format (const RspReading *table, gconstpointer fields);

/* ---- Invariants ----------------------------------------------------------------------------- */

/* A set of the caches that have something of one line, or of the work-items that hold a lock. */
typedef enum RspLineSetKind {
  RSP_SET_DIRTY,  /* caches whose copy has not been written out */
  RSP_SET_VALID,  /* … where a load may read the line */
  RSP_SET_QUEUED, /* … whose FIFO has the line's address */
  RSP_SET_OWNED,  /* … that own it (OWN) */
  RSP_SET_LINE,   /* work-items that hold the line's lock */
  RSP_SET_RMWS,   /* … that hold the lock of RMWs */
  RSP_SET_AND,
  RSP_SET_OR,
  RSP_SET_MINUS
} RspLineSetKind;

typedef struct RspLineSet {
  RspLineSetKind kind;
  const char *name;                      /* of the level, of caches */
  guint level;                           /* its number */
  const struct RspLineSet *left, *right; /* of AND, OR and MINUS */
  RspSpan span;
} RspLineSet;

typedef enum RspQuantity { RSP_NO_LINE, RSP_SOME_LINE, RSP_LONE_LINE, RSP_SUBSET } RspQuantity;

/* Holds in a state if it holds for each location. */
typedef struct RspInvariant {
  const char *name;
  RspQuantity quantity;
  const RspLineSet *set, *in; /* in: of SUBSET */
  gboolean is_per;            /* does it count in each node of a scope, or everywhere? */
  RspScope per;
  RspSpan span;
  struct RspInvariant *next;
} RspInvariant;

/* ---- The machine ---------------------------------------------------------------------------- */

enum { RSP_MOST_CACHES = 4 /* levels */ };

typedef struct RspMachineLevel {
  const char *name;
  RspScope per;
  gboolean is_buffer;   /* it holds stores only, until they are drained */
  gboolean is_through;  /* a store is written one level out in the same step */
  RspReadings readings; /* those of caches */
  RspSpan span;
} RspMachineLevel;

typedef struct RspMachine {
  const char *name, *title;
  const char *mapping; /* the default one's file; or NULL */
  RspSpan mapping_span;
  RspMachineLevel levels[RSP_MOST_CACHES + 1]; /* from inside out; the last has no name */
  RspReadings readings;                        /* those of caches are as the innermost one's */
  guint units;         /* instructions, bits 1 << RspMapKind; 0: all that fit `accesses` */
  const char *line_at; /* the outermost level that line locks guard; NULL: there are none */
  RspSpan line_span;
  guint line_level; /* its number */
  gboolean has_rmw_lock;
  RspScope rmw_per; /* what one lock of RMWs is for */
  RspInvariant *invariants;
  const RspSource *units_in; /* while it is read: the file that lists them */
  guint settled;             /* while it is read: numbers of readings, bits */
  RspMap *file;              /* owns all of it */
} RspMachine;

/* Like rsp_map_parse and rsp_map_load, for a machine. */
RspMachine *rsp_machine_parse (RspSource *source, const char *const *directories, GHashTable *texts,
                               RspDiagnostics *diagnostics);
RspMachine *rsp_machine_load (const char *path, const char *const *directories,
                              RspDiagnostics *diagnostics);
void rsp_machine_free (RspMachine *machine);

/* Sets "NAME=VALUE", for every cache. FALSE for any other text; *message, newly allocated, then
 * describes what was expected. */
gboolean rsp_machine_read (RspMachine *machine, const char *text, char **message);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspMachine, rsp_machine_free)

/* ---- Build ---------------------------------------------------------------------------------- */

/* For the grammar's actions, like those of map.h. */

void machine_begin (MapParser *parser, TokenRange range, const char *name);
void machine_title (MapParser *parser, const char *title);
void machine_mapping (MapParser *parser, TokenRange range, const char *file);
void machine_begin_cache (MapParser *parser, TokenRange range, const char *kind, const char *name,
                          TokenRange scope_range, const char *scope);

/* `line at L1`, `rmw per work_group` */
void machine_lock_line (MapParser *parser, TokenRange range, const char *what, const char *level);
void machine_lock_rmw (MapParser *parser, TokenRange range, const char *what,
                       TokenRange scope_range, const char *scope);
void machine_begin_readings (MapParser *parser, RspReadingOf of);

/* `fetch any`; value: NULL for the first one. */
void machine_reading (MapParser *parser, TokenRange range, const char *name, const char *value);
void machine_unit (MapParser *parser, RspMapKind kind);
RspMapKind map_access_kind (const char *word);
const RspLineSet *machine_set (MapParser *parser, TokenRange range, const char *word,
                               const char *name);
const RspLineSet *machine_join (MapParser *parser, TokenRange range, RspLineSetKind kind,
                                const RspLineSet *left, const RspLineSet *right);
RspInvariant *machine_counts (MapParser *parser, TokenRange range, const char *word,
                              const RspLineSet *set);
RspInvariant *machine_subset (MapParser *parser, TokenRange range, const RspLineSet *set,
                              const RspLineSet *in);
void machine_per (MapParser *parser, RspInvariant *invariant, TokenRange range, const char *scope);
void machine_invariant (MapParser *parser, TokenRange range, const char *name,
                        RspInvariant *invariant);
