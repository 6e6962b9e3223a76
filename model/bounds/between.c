#include "model/bounds/between.h"
#include "model/stage/stage.h"

/* Bounds that are needed, or'ed. */
enum {
  MOST = 1, /* what rsp_dag_mark_below marks */
  LEAST = 2
};

static const RspFix *fix_of (const RspDag *dag, guint group) {
  return &g_array_index (dag->groups, RspFix, group);
}

/* ---- Values ---- */

/* May a pair come from events between its own? Not if one of two steps stays where it is. */
static gboolean leads_by_others (const RspDag *dag, const RspNode *node) {
  if (node->op == RSP_NODE_SEQ)
    return rsp_dag_node (dag, node->a)->op != RSP_NODE_IDENTITY
           && rsp_dag_node (dag, node->b)->op != RSP_NODE_IDENTITY;
  return node->op == RSP_NODE_PLUS || node->op == RSP_NODE_DOMAIN;
}

/* One bound, of the operands'; of a difference, on the right the others', if there are any. */
static void compute (const RspBetween *between, const RspNode *node, RspMatrix *const *values,
                     RspMatrix *const *others, RspMatrix *out) {
  const RspMatrix *a, *b;
  if (node->op == RSP_NODE_FIX) {
    rsp_matrix_assign (out, values[fix_of (between->dag, node->index)->variables[node->b]]);
    return;
  }
  a = values[node->a];
  b = rsp_node_arity (node->op) == 2 ? values[node->b] : NULL;
  if (node->op == RSP_NODE_DIFF)
    b = others[node->b];
  if (node->op == RSP_NODE_DIFF && !b)
    rsp_matrix_assign (out, a);
  else
    rsp_node_compute (node->op, out, a, b);
  if (between->is_part && values == between->most && leads_by_others (between->dag, node))
    rsp_matrix_fill (out);
  if (between->together && !node->is_set)
    rsp_matrix_intersect (out, out, between->together);
}

static gboolean is_leaf (const RspNode *node) {
  return rsp_node_arity (node->op) == 0 && node->op != RSP_NODE_FIX
         && node->op != RSP_NODE_VARIABLE;
}

static void compute_all (const RspBetween *between) {
  for (RspNodeId id = 0; id < between->dag->nodes->len; id++) {
    const RspNode *node = rsp_dag_node (between->dag, id);
    if (is_leaf (node) || node->op == RSP_NODE_VARIABLE)
      continue;
    if (between->needed[id] & MOST)
      compute (between, node, between->most, between->least, between->most[id]);
    if (between->needed[id] & LEAST)
      compute (between, node, between->least, between->most, between->least[id]);
  }
}

/* Gives a variable the value of its body. FALSE if it has that. */
static gboolean grow (const RspBetween *between, RspNodeId id, RspMatrix *const *values) {
  const RspNode *node = rsp_dag_node (between->dag, id);
  const RspMatrix *body = values[fix_of (between->dag, node->group - 1)->bodies[node->index]];
  if (rsp_matrix_equal (values[id], body))
    return FALSE;
  rsp_matrix_assign (values[id], body);
  return TRUE;
}

static gboolean grow_variables (const RspBetween *between) {
  gboolean grows = FALSE;
  for (RspNodeId id = 0; id < between->dag->nodes->len; id++)
    if (rsp_dag_node (between->dag, id)->op == RSP_NODE_VARIABLE) {
      grows |= (between->needed[id] & MOST) && grow (between, id, between->most);
      grows |= (between->needed[id] & LEAST) && grow (between, id, between->least);
    }
  return grows;
}

void rsp_between_compute (RspBetween *between, RspBetweenLeaf leaf, gpointer data) {
  if (rsp_arena_is_exhausted (between->arena))
    return;
  for (RspNodeId id = 0; id < between->dag->nodes->len; id++)
    if (between->needed[id]) {
      RspMatrix *least = between->least[id], *most = between->most[id];
      if (least)
        rsp_matrix_clear (least);
      if (most)
        rsp_matrix_clear (most);
      if (is_leaf (rsp_dag_node (between->dag, id)))
        leaf (data, id, least, most);
    }
  do
    compute_all (between);
  while (grow_variables (between) && !rsp_arena_is_exhausted (between->arena));
}

/* ---- Axioms ---- */

/* What is acyclic, irreflexive or empty is so with fewer pairs, too. */
static guint8 bound_for_holding (const RspStagedAxiom *axiom) {
  return axiom->negated ? LEAST : MOST;
}

static guint8 bound_for_failing (const RspStagedAxiom *axiom) {
  return axiom->negated ? MOST : LEAST;
}

static gboolean holds_at (const RspBetween *between, const RspStagedAxiom *axiom, guint8 bound) {
  return rsp_axiom_holds (axiom, (bound == MOST ? between->most : between->least)[axiom->node]);
}

gboolean rsp_between_holds (const RspBetween *between, const RspStagedAxiom *axiom) {
  return holds_at (between, axiom, bound_for_holding (axiom));
}

gboolean rsp_between_raises (const RspBetween *between, const RspStagedAxiom *axiom) {
  return axiom->role == RSPCHECK_ROLE_FLAG ? rsp_between_holds (between, axiom)
                                           : !holds_at (between, axiom, bound_for_failing (axiom));
}

/* Of a part, that a relation is not acyclic, irreflexive or empty is all that its pairs can show.
 */
static gboolean may_fail (const RspStagedAxiom *axiom) {
  return axiom->role == RSPCHECK_ROLE_AXIOM && !axiom->negated;
}

gboolean rsp_between_fails (const RspBetween *between, const RspStagedAxiom *axiom) {
  return may_fail (axiom) && !holds_at (between, axiom, LEAST);
}

static guint8 bound_for (const RspBetween *between, const RspStagedAxiom *axiom) {
  if (between->is_part)
    return may_fail (axiom) ? LEAST : 0;
  return axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS ? bound_for_failing (axiom)
                                                       : bound_for_holding (axiom);
}

/* ---- What is needed ---- */

/* TRUE if that is new. */
static gboolean need (RspBetween *between, RspNodeId id, guint8 bounds) {
  guint8 before = between->needed[id];
  between->needed[id] |= bounds;
  return between->needed[id] != before;
}

static gboolean need_operands (RspBetween *between, RspNodeId id) {
  const RspNode *node = rsp_dag_node (between->dag, id);
  guint8 own = between->needed[id];
  guint8 turned = (guint8) ((own & MOST ? LEAST : 0) | (own & LEAST ? MOST : 0));
  gboolean grows = FALSE;
  if (!own)
    return FALSE;
  if (node->op == RSP_NODE_FIX)
    return need (between, fix_of (between->dag, node->index)->variables[node->b], own);
  if (node->op == RSP_NODE_VARIABLE)
    return need (between, fix_of (between->dag, node->group - 1)->bodies[node->index], own);
  if (rsp_node_arity (node->op) >= 1)
    grows |= need (between, node->a, own);
  if (rsp_node_arity (node->op) == 2)
    grows |= need (between, node->b, node->op == RSP_NODE_DIFF ? turned : own);
  return grows;
}

static void need_all (RspBetween *between, const RspStagedModel *model) {
  gboolean grows = TRUE;
  for (guint i = 0; i < model->n_axioms; i++)
    need (between, model->axioms[i].node, bound_for (between, &model->axioms[i]));
  while (grows) {
    grows = FALSE;
    for (RspNodeId id = between->dag->nodes->len; id-- > 0;)
      grows |= need_operands (between, id);
  }
}

static gboolean is_monotone (const RspBetween *between) {
  for (RspNodeId id = 0; id < between->dag->nodes->len; id++) {
    const RspNode *node = rsp_dag_node (between->dag, id);
    if (between->needed[id] && node->op == RSP_NODE_FIX
        && !fix_of (between->dag, node->index)->monotone)
      return FALSE;
  }
  return TRUE;
}

/* ---- Beginning ---- */

static RspBetween *begin (const RspStagedModel *model, RspArena *arena) {
  RspBetween *between = rsp_arena_new0 (arena, RspBetween, 1);
  *between = (RspBetween){ .dag = model->dag, .arena = arena };
  between->needed = rsp_arena_new0 (arena, guint8, model->dag->nodes->len + 1);
  return between;
}

static RspMatrix **new_values (const RspBetween *between, guint n, guint8 bound) {
  RspMatrix **values = rsp_arena_new0 (between->arena, RspMatrix *, between->dag->nodes->len + 1);
  for (RspNodeId id = 0; id < between->dag->nodes->len && !rsp_arena_is_exhausted (between->arena);
       id++)
    if (between->needed[id] & bound)
      values[id] = rsp_dag_node (between->dag, id)->is_set ? rsp_set_new (between->arena, n)
                                                           : rsp_relation_new (between->arena, n);
  return values;
}

static void make_values (RspBetween *between, guint n) {
  between->most = new_values (between, n, MOST);
  between->least = new_values (between, n, LEAST);
}

static RspBetween *new_of_both (const RspStagedModel *model, guint n, gboolean is_part,
                                RspArena *arena) {
  RspBetween *between = begin (model, arena);
  between->is_part = is_part;
  need_all (between, model);
  if (!is_monotone (between))
    return NULL;
  make_values (between, n);
  return between;
}

RspBetween *rsp_between_new (const RspStagedModel *model, guint n, RspArena *arena) {
  return new_of_both (model, n, FALSE, arena);
}

RspBetween *rsp_between_new_part (const RspStagedModel *model, guint n, RspArena *arena) {
  return new_of_both (model, n, TRUE, arena);
}

RspBetween *rsp_between_new_upper (const RspStagedModel *model, guint n, const RspMatrix *together,
                                   RspArena *arena) {
  RspBetween *between = begin (model, arena);
  between->together = together;
  for (guint i = 0; i < model->n_axioms; i++)
    between->needed[model->axioms[i].node] = MOST;
  rsp_dag_mark_below (model->dag, between->needed);
  make_values (between, n);
  return between;
}
