#include "tests/unit/dag_world.h"

RspMatrix *world_matrix (const World *world, gboolean is_set) {
  return is_set ? rsp_set_new (world->arena, world->n) : rsp_relation_new (world->arena, world->n);
}

static RspMatrix *random_matrix (const World *world, gboolean is_set, double density) {
  RspMatrix *m = world_matrix (world, is_set);
  for (guint i = 0; i < m->rows; i++)
    for (guint j = 0; j < world->n; j++)
      if (g_rand_double (world->dice) < density)
        rsp_matrix_add (m, i, j);
  return m;
}

/* Constants with much structure, so that laws find something to do: empty, full, identities,
 * products, and a few of chance. */
static void make_constants (World *world) {
  for (guint i = 0; i < N_CONSTANTS; i++) {
    RspMatrix *s = random_matrix (world, TRUE, 0.5), *t = random_matrix (world, TRUE, 0.5);
    world->constants[TRUE][i] = s;
    RspMatrix *r = random_matrix (world, FALSE, 1.0 / world->n);
    if (i >= 2 && i < 6)
      rsp_relation_product (r, s, t);
    else if (i >= 6 && i < 9)
      rsp_relation_identity (r, s);
    world->constants[FALSE][i] = r;
  }
  for (gboolean is_set = FALSE; is_set <= TRUE; is_set++) {
    rsp_matrix_clear (world->constants[is_set][0]);
    rsp_matrix_fill (world->constants[is_set][1]);
  }
  rsp_relation_identity (world->constants[FALSE][6], world->constants[TRUE][1]);
}

void world_randomise (World *world) {
  world->rf = random_matrix (world, FALSE, 0.8 / world->n);
  world->co = random_matrix (world, FALSE, 0.8 / world->n);
  for (guint i = 0; i < 2; i++)
    world->orders[i] = random_matrix (world, FALSE, 0.8 / world->n);
}

World *world_new (guint n, guint32 seed) {
  World *world = g_new0 (World, 1);
  world->arena = rsp_arena_new ();
  world->dice = g_rand_new_with_seed (seed);
  world->n = n;
  world->closed = g_ptr_array_new ();
  make_constants (world);
  world_randomise (world);
  return world;
}

void world_free (World *world) {
  g_rand_free (world->dice);
  g_ptr_array_unref (world->closed);
  rsp_arena_free (world->arena);
  g_free (world);
}
