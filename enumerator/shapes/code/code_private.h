/* Shared by code.c and code_hash.c. */
#pragma once

#include "enumerator/shapes/code/code.h"

typedef struct Bounds {
  Grid lo, hi;
} Bounds;

/* A node's result is the value with the node's number. */
typedef struct Instruction {
  RspNodeOp op;
  guint node, a, b;
  gboolean is_set;
  guint group; /* FIX */
} Instruction;

struct Code {
  const RspStagedModel *model;
  guint n;              /* events */
  Grid universe;        /* all pairs */
  Bounds *values;       /* per node */
  GArray *fixed;        /* of Instruction: computed once per labelling */
  GArray **per_axiom;   /* per axiom, of Instruction: what it needs beyond earlier axioms */
  GArray **rounds;      /* per recursive group, of Instruction: one round of its iteration */
  GArray *given, *open; /* of guint: leaves set per candidate (RF, CO, ORDER), per labelling */
  guint8 *dynamic;      /* per node: does it depend on rf, co or an order? */
  gboolean diverged;
};
