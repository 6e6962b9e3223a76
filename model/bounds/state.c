#include "model/bounds/state.h"

RspBounds *bounds_allocate (const RspStagedModel *model, guint n_needed, RspArena *arena) {
  guint most = n_needed + 2 * (2 + model->n_orders); /* leaves have a node for each direction */
  const RspDag *dag = model->dag;
  RspBounds *b = rsp_arena_new0 (arena, RspBounds, 1);
  b->model = model;
  b->dag = dag;
  b->arena = arena;
  b->n = dag->n;
  b->words = rsp_words_for (dag->n);
  b->ops = b->words == 1 ? &rsp_bounds_ops_1 : &rsp_bounds_ops_n;
  b->axiom_trail = rsp_arena_new0 (arena, AxiomChange, model->n_axioms);
  b->open_reads = rsp_arena_new0 (arena, guint64, b->words);
  b->table = rsp_arena_new0 (arena, guint64, b->n * b->words);
  b->other_table = rsp_arena_new0 (arena, guint64, b->n * b->words);
  b->nodes = rsp_arena_new0 (arena, Node, most);
  b->touched = rsp_arena_new0 (arena, Side *, 2 * most);
  b->node_of = rsp_arena_new0 (arena, guint, dag->nodes->len);
  b->inner_of = rsp_arena_new0 (arena, guint, dag->nodes->len);
  b->n_axioms = model->n_axioms;
  b->axioms = rsp_arena_new0 (arena, AxiomState, model->n_axioms);
  return b;
}
