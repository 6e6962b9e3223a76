/* Bounds: the part that does not depend on the width of a row. */
#include "model/bounds/bounds.h"
#include "base/contract.h"
#include "model/bounds/axioms.h"
#include "model/bounds/groups.h"
#include "model/bounds/nodes.h"
#include "model/bounds/state.h"

#include <string.h>

enum {
  FIRST_MARKS = 16 /* levels that there is room for at first */
};

/* ---- Making ---- */

/* Computes both bounds of every node with nothing decided. */
static void evaluate_root (RspBounds *b) {
  for (guint i = 2 * b->n_leaves; i < b->n_nodes && !bounds_is_exhausted (b); i++) {
    Node *node = &b->nodes[i];
    if (node->op == RSP_NODE_CONSTANT)
      continue;
    b->ops->evaluate (b, node);
    bounds_find_open_rows (b, node);
  }
  b->ops->forget (b);
  b->n_trail = 0;
}

/* Which nodes of the DAG do the axioms need, and how many are they? */
static guint8 *needed_nodes (const RspStagedModel *model, RspArena *arena, guint *n) {
  guint8 *marks = rsp_arena_new0 (arena, guint8, model->dag->nodes->len);
  for (guint i = 0; i < model->n_axioms; i++)
    marks[model->axioms[i].root] = TRUE;
  rsp_dag_mark_below (model->dag, marks);
  *n = 0;
  for (guint id = 0; id < model->dag->nodes->len; id++)
    *n += marks[id] != 0;
  return marks;
}

/* FALSE if the budget is exhausted. */
static gboolean add_nodes (RspBounds *b, const guint8 *marks) {
  const RspDag *dag = b->dag;
  for (RspNodeId id = 0; id < dag->nodes->len; id++)
    if (marks[id] && rsp_dag_node (dag, id)->group == 0) {
      rsp_budget_limit_part (dag->budget, rsp_arena_size (b->arena));
      if (rsp_budget_is_exhausted (dag->budget))
        return FALSE;
      bounds_add_node (b, id);
    }
  return !rsp_budget_is_exhausted (dag->budget);
}

RspBounds *rsp_bounds_new (const RspStagedModel *model, RspExtent rf, RspExtent co,
                           RspArena *arena) {
  guint n_needed;
  guint8 *marks = needed_nodes (model, arena, &n_needed);
  RspBounds *b = bounds_allocate (model, n_needed, arena);
  bounds_add_leaves (b, rf, co);
  bounds_make_groups (b, marks);
  if (!add_nodes (b, marks)) {
    rsp_bounds_free (b);
    return NULL;
  }
  bounds_connect_groups (b, marks);
  evaluate_root (b);
  bounds_prepare_axioms (b);
  return b;
}

void rsp_bounds_free (RspBounds *b) {
  if (b)
    g_free (b->trail);
}

/* ---- Base relations ---- */

static const guint64 *leaf_row (const RspBounds *b, guint node, int side, guint row) {
  return b->nodes[node].side[side].bits + (gsize) row * b->words;
}

const guint64 *rsp_bounds_lo (const RspBounds *b, guint leaf, guint row) {
  return leaf_row (b, 2 * leaf, LO, row);
}

const guint64 *rsp_bounds_hi (const RspBounds *b, guint leaf, guint row) {
  return leaf_row (b, 2 * leaf, HI, row);
}

const guint64 *rsp_bounds_inverse_lo (const RspBounds *b, guint leaf, guint row) {
  return leaf_row (b, 2 * leaf + 1, LO, row);
}

const guint64 *rsp_bounds_inverse_hi (const RspBounds *b, guint leaf, guint row) {
  return leaf_row (b, 2 * leaf + 1, HI, row);
}

static void set_pair (RspBounds *b, guint leaf, int side, guint x, guint y, gboolean value) {
  b->ops->set (b, &b->nodes[(gsize) 2 * leaf], side, x, y, value);
  b->ops->set (b, &b->nodes[2 * leaf + 1], side, y, x, value);
}

static inline gboolean is_in (const RspBounds *b, guint leaf, int side, guint x, guint y) {
  return rsp_row_has (leaf_row (b, 2 * leaf, side, x), y);
}

void rsp_bounds_decide (RspBounds *b, guint leaf, guint x, guint y) {
  RSP_CONTRACT (is_in (b, leaf, HI, x, y));
  set_pair (b, leaf, LO, x, y, TRUE);
}

void rsp_bounds_exclude (RspBounds *b, guint leaf, guint x, guint y) {
  RSP_CONTRACT (!is_in (b, leaf, LO, x, y));
  set_pair (b, leaf, HI, x, y, FALSE);
}

/* ---- Levels ---- */

static void lengthen_marks (RspBounds *b) {
  const Mark *before = b->marks;
  b->marks_room = 2 * b->marks_room + FIRST_MARKS;
  b->marks = rsp_arena_new0 (b->arena, Mark, b->marks_room);
  for (guint i = 0; i < b->n_marks; i++)
    b->marks[i] = before[i];
}

void rsp_bounds_push (RspBounds *b) {
  if (b->n_marks == b->marks_room)
    lengthen_marks (b);
  b->marks[b->n_marks++] = (Mark){ .rows = b->n_trail, .axioms = b->n_axiom_trail };
}

void rsp_bounds_pop (RspBounds *b) {
  RSP_CONTRACT (b->n_marks > 0);
  Mark mark = b->marks[--b->n_marks];
  b->ops->forget (b);
  b->ops->undo (b, mark.rows);
  bounds_undo_axioms (b, mark.axioms);
}

/* Is every node's lower bound within its upper one? */
static inline gboolean lo_within_hi (const RspBounds *b) {
  for (guint i = 0; i < b->n_nodes; i++) {
    const Node *node = &b->nodes[i];
    for (gsize k = 0; (i < 2 * b->n_leaves || (b->needed[i] && node->dynamic))
                      && k < (gsize) node->rows * b->words;
         k++)
      if (node->side[LO].bits[k] & ~node->side[HI].bits[k])
        return FALSE;
  }
  return TRUE;
}

gboolean rsp_bounds_update (RspBounds *b) {
  if (!b->ops->update (b))
    return FALSE;
  RSP_CONTRACT (lo_within_hi (b));
  return bounds_settle_axioms (b);
}

guint rsp_bounds_broken (const RspBounds *b) { return b->broken; }

RspTruth rsp_bounds_axiom (const RspBounds *b, guint axiom) { return b->axioms[axiom].truth; }

gboolean rsp_bounds_is_followed (const RspBounds *b, guint axiom) {
  return b->axioms[axiom].truth == RSP_OPEN && !b->axioms[axiom].dropped;
}

void rsp_bounds_drop (RspBounds *b, guint axiom) { bounds_drop_axiom (b, axiom); }

void rsp_bounds_force (RspBounds *b, GArray *forced) {
  for (guint i = 0; i < b->n_axioms; i++)
    b->ops->start (b, &b->axioms[i]);
  b->ops->force (b, forced);
}

void rsp_bounds_force_by (RspBounds *b, guint axiom, GArray *forced) {
  b->ops->start (b, &b->axioms[axiom]);
  b->ops->force (b, forced);
}

RspHash rsp_bounds_key (RspBounds *b) { return b->ops->key (b); }
