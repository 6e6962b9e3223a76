/* Machines made of caches: their table, and the caches that one has for a test.
 *
 *   MEM                            node 0: global memory
 *   ├── L2 of device 0             level 1
 *   │   ├── L1 of work-group 0     level 0: what loads and stores meet first
 *   │   └── L1 of work-group 1
 *   └── L2 of device 1 …                                                                          */
#pragma once

#include "machine/caches/readings.h"
#include "parser/program.h"

enum {
  MOST_LEVELS = 3,
  MEMORY = 0 /* the node of global memory */
};

typedef enum LevelKind { LEVEL_CACHE, LEVEL_BUFFER } LevelKind;

typedef struct Level {
  const char *name;
  RspScope per;
  LevelKind kind;
} Level;

typedef struct RspMachine {
  const char *name;
  const char *mapping;           /* the default one's file */
  Level levels[MOST_LEVELS + 1]; /* from inside out; the last has no name */
  const char *readings;          /* "NAME=VALUE NAME=VALUE" */
  const char *meaning;
} RspMachine;

/* All machines; the last has no name. */
extern const RspMachine rsp_machine_table[];
/* NULL if there is none of that name. */
const RspMachine *rsp_machine_find (const char *name);
/* Its default readings. */
void rsp_machine_readings (const RspMachine *machine, RspReadings *readings);

/* ---- Private part ---- */

typedef struct Node {
  guint level;    /* of the machine; n_levels for memory */
  guint parent;   /* node */
  guint first;    /* a thread below it */
  guint instance; /* number of its sub-group, work-group or device */
  guint device;   /* number; of memory: none */
  char *name;     /* "L1(P0,P1)" */
} Node;

typedef struct Shape {
  const RspMachine *machine;
  const RspProgram *program;
  GArray *nodes; /* of Node, parents before children */
  guint *own;    /* per thread and level: the node */
  guint kept; /* levels that have nodes: an outermost level with only one cache may be MEM itself */
} Shape;

/* At least `least` levels have nodes; among the others, outermost ones with only one cache are
 * merged with memory. */
void shape_init (Shape *shape, const RspMachine *machine, const RspProgram *program, guint least);
void shape_clear (Shape *shape);

static inline const Node *shape_node (const Shape *shape, guint node) {
  return &g_array_index (shape->nodes, Node, node);
}

/* The thread's node at a level; level n_levels is memory. */
static inline guint shape_own (const Shape *shape, guint thread, guint level) {
  return level < shape->kept ? shape->own[thread * MOST_LEVELS + level] : MEMORY;
}

/* Is node inside the tree below `above`, or the same? */
gboolean shape_is_below (const Shape *shape, guint node, guint above);
/* Is it shared by no more than a work-group? */
gboolean shape_is_inner (const Shape *shape, guint node);
gboolean shape_is_buffer (const Shape *shape, guint node);
