/* Random values for tests of the DAG. */
#pragma once

#include "model/matrix.h"

enum { N_CONSTANTS = 12, MAX_VARIABLES = 4 };

/* One universe: random values of all that trees name. */
typedef struct World {
  RspArena *arena;
  GRand *dice;
  guint n;
  RspMatrix *constants[2][N_CONSTANTS]; /* by is_set */
  RspMatrix *rf, *co, *orders[2];
  RspMatrix *variables[MAX_VARIABLES]; /* while evaluating outright */
  GPtrArray *closed;                   /* of Tree: relations without free variables */
} World;

World *world_new (guint n, guint32 seed);
void world_free (World *world);
/* Empty; in the world's arena. */
RspMatrix *world_matrix (const World *world, gboolean is_set);
/* Gives rf, co and the orders other values. */
void world_randomise (World *world);
