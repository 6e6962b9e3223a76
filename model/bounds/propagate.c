/* Bounds of many executions at once, and step by step along an order. */
#include "model/bounds/bounds.h"
#include "model/dag/dag.h"
#include "model/matrix.h"
#include "model/stage/stage.h"

/* ---- Between -------------------------------------------------------------------------------- */

/* Bounds that are needed, or'ed. */
enum {
  MOST = 1, /* what rsp_dag_mark_below marks */
  LEAST = 2
};

/* ---- Values ---- */
/* One bound, of the operands'; of operands with which it falls, the others', if there are any. */
static void compute (const RspBetween *between, RspNodeId id, RspMatrix *const *values,
                     RspMatrix *const *others) {
  const RspDag *dag = between->dag;
  const RspNode *node = rsp_dag_node (dag, id);
  const RspNodeForm *form = &rsp_node_forms[node->op];
  RspMatrix *out = values[id];
  const RspMatrix *a = (form->falls[0] ? others : values)[node->a];
  const RspMatrix *b = form->arity == 2 ? (form->falls[1] ? others : values)[node->b] : NULL;
  /* Nothing is known to be taken away. */
  if (form->arity == 2 && form->falls[1] && !b)
    rsp_matrix_assign (out, a);
  else
    rsp_node_compute (node->op, out, a, b);
  /* A step that stays where it is leads by way of no other event. */
  gboolean stays = node->op == RSP_NODE_SEQ
                   && (rsp_dag_node (dag, node->a)->op == RSP_NODE_IDENTITY
                       || rsp_dag_node (dag, node->b)->op == RSP_NODE_IDENTITY);
  if (between->is_part && values == between->most && form->by_others && !stays)
    rsp_matrix_fill (out);
  if (between->together && !node->is_set)
    rsp_matrix_intersect (out, out, between->together);
}

static void compute_both (gpointer data, RspNodeId id) {
  const RspBetween *between = data;
  if (between->needed[id] & MOST)
    compute (between, id, between->most, between->least);
  if (between->needed[id] & LEAST)
    compute (between, id, between->least, between->most);
}

static gboolean take_bound (RspMatrix *to, const RspMatrix *from) {
  if (!to || rsp_matrix_equal (to, from))
    return FALSE;
  rsp_matrix_assign (to, from);
  return TRUE;
}

static gboolean take_both (gpointer data, RspNodeId to, RspNodeId from) {
  const RspBetween *between = data;
  gboolean most = take_bound (between->most[to], between->most[from]);
  gboolean least = take_bound (between->least[to], between->least[from]);
  return (most || least) && !rsp_arena_is_exhausted (between->arena);
}

static void bound_base (gpointer data, RspNodeId id) {
  const RspBetween *between = data;
  if (between->needed[id])
    between->leaf (between->data, id, between->least[id], between->most[id]);
}

void rsp_between_compute (RspBetween *between, RspBetweenLeaf leaf, gpointer data) {
  static const RspDomain bounds = { bound_base, compute_both, take_both };
  between->leaf = leaf;
  between->data = data;
  if (rsp_arena_is_exhausted (between->arena))
    return;
  for (RspNodeId id = 0; id < between->dag->nodes->len; id++) {
    if (between->least[id])
      rsp_matrix_clear (between->least[id]);
    if (between->most[id])
      rsp_matrix_clear (between->most[id]);
  }
  rsp_dag_walk (between->dag, &bounds, between);
}

/* ---- Axioms ---- */
/* A relation that is acyclic, irreflexive or empty remains so with fewer pairs. */
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

/* ---- What is needed ---- */
/* TRUE if that is new. */
static gboolean need (RspBetween *between, RspNodeId id, guint8 bounds) {
  guint8 before = between->needed[id];
  between->needed[id] |= bounds;
  return between->needed[id] != before;
}

static gboolean need_operands (RspBetween *between, RspNodeId id) {
  const RspNode *node = rsp_dag_node (between->dag, id);
  const RspNodeForm *form = &rsp_node_forms[node->op];
  guint8 own = between->needed[id];
  guint8 turned = (guint8) ((own & MOST ? LEAST : 0) | (own & LEAST ? MOST : 0));
  gboolean grows = FALSE;
  if (!own)
    return FALSE;
  if (node->op == RSP_NODE_FIX)
    return need (between, rsp_dag_group (between->dag, node->index)->variables[node->b], own);
  if (node->op == RSP_NODE_VARIABLE)
    return need (between, rsp_dag_group (between->dag, node->group - 1)->bodies[node->index], own);
  for (guint i = 0; i < form->arity; i++)
    grows |= need (between, i ? node->b : node->a, form->falls[i] ? turned : own);
  return grows;
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
  gboolean grows = TRUE;
  for (guint i = 0; i < model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &model->axioms[i];
    guint8 bound = is_part                                         ? (may_fail (axiom) ? LEAST : 0)
                   : axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS ? bound_for_failing (axiom)
                                                                   : bound_for_holding (axiom);
    need (between, axiom->node, bound);
  }
  while (grows) {
    grows = FALSE;
    for (RspNodeId id = between->dag->nodes->len; id-- > 0;)
      grows |= need_operands (between, id);
  }
  for (RspNodeId id = 0; id < between->dag->nodes->len; id++) {
    const RspNode *node = rsp_dag_node (between->dag, id);
    if (between->needed[id] && node->op == RSP_NODE_FIX
        && !rsp_dag_group (between->dag, node->index)->monotone)
      return NULL;
  }
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

/* ---- Stepwise ------------------------------------------------------------------------------- */

/* Decided once for all executions, on the model with nothing known but what all accesses have in
 * common. What comes before an event is what is before it in po and rf, and in co if the model
 * forbids cycles of all three. By induction over the operators: what holds of each node's value on
 * the beginning of an execution (model/dag/dag.h)? Does what it relates an event of the beginning
 * to come before that event, so that it is in the beginning too (SOURCES: x of a pair (x,y) comes
 * before y; TARGETS: y before x)?
 *
 * A plain axiom fails because of pairs in its relation, so WITHIN is enough. */

enum /* beside RSP_PART_WITHIN and RSP_PART_COVERS */
{
  SAME = RSP_PART_SAME,
  SOURCES = 4,
  TARGETS = 8,
  ENDS = SOURCES | TARGETS,
  ALL = SAME | ENDS
};

typedef struct Steps {
  const RspDag *dag;
  const RspUniform *uniform;
  gboolean has_co; /* does what is before in co come before, too? */
  guint8 *facts;   /* per node */
} Steps;

/* ---- Nodes ---- */
static guint judge_base (guint index) {
  switch (index) {
  case RSP_BASE_SET_DIVERGENT_FENCE: /* what never happens shows at the end */
  case RSP_BASE_SET_REPEATED:
  case RSP_N_BASE_SETS + RSP_BASE_RELATION_CO_FINAL:
    return 0;
  case RSP_N_BASE_SETS + RSP_BASE_RELATION_SAME_B:
    return RSP_PART_WITHIN;
  case RSP_N_BASE_SETS + RSP_BASE_RELATION_ID:
    return ALL;
  case RSP_N_BASE_SETS + RSP_BASE_RELATION_PO:
  case RSP_N_BASE_SETS + RSP_BASE_RELATION_PO_LOC:
  case RSP_N_BASE_SETS + RSP_BASE_RELATION_ADDR:
  case RSP_N_BASE_SETS + RSP_BASE_RELATION_DATA:
  case RSP_N_BASE_SETS + RSP_BASE_RELATION_CTRL:
  case RSP_N_BASE_SETS + RSP_BASE_RELATION_ATOM:
    return SAME | SOURCES;
  default:
    return SAME;
  }
}

/* The ends of the operator's pairs that come first. */
static guint judge_ends (RspNodeOp op, guint a, guint b) {
  switch (op) {
  case RSP_NODE_LEAVES:
  case RSP_NODE_PRODUCT:
  case RSP_NODE_DOMAIN:
    return 0;
  case RSP_NODE_UNION:
  case RSP_NODE_SEQ:
  case RSP_NODE_PLUS:
    return a & b & ENDS;
  case RSP_NODE_INTER:
    return (a | b) & ENDS;
  case RSP_NODE_DIFF:
    return a & ENDS;
  case RSP_NODE_INVERSE:
    return (a & SOURCES ? TARGETS : 0) | (a & TARGETS ? SOURCES : 0);
  case RSP_NODE_IDENTITY:
    return ENDS;
  }
  g_assert_not_reached ();
}

static void judge_leaf (gpointer data, RspNodeId id) {
  const Steps *s = data;
  const RspNode *node = rsp_dag_node (s->dag, id);
  guint facts = SAME;
  if (node->op == RSP_NODE_OPEN)
    facts = judge_base (node->index);
  else if (node->op == RSP_NODE_RF || (node->op == RSP_NODE_CO && s->has_co))
    facts = SAME | SOURCES;
  else if (id == s->dag->empty[FALSE] || id == s->dag->identity)
    facts = ALL;
  s->facts[id] = (guint8) facts;
}

static void judge_operator (gpointer data, RspNodeId id) {
  const Steps *s = data;
  const RspNode *node = rsp_dag_node (s->dag, id);
  guint a = s->facts[node->a], b = rsp_node_arity (node->op) == 2 ? s->facts[node->b] : a;
  /* Events by way of which pairs come about are in the beginning if they come before either end. */
  gboolean loses_nothing
      = (a & TARGETS) || (rsp_node_forms[node->op].gives != RSP_SET && (b & SOURCES));
  s->facts[id]
      = (guint8) (rsp_part_follows (node->op, a, b, loses_nothing) | judge_ends (node->op, a, b));
}

/* A least fixpoint of definitions that preserve WITHIN is within, too. They are monotone then: of a
 * variable, nothing else is known. */
static gboolean judge_recursion (gpointer data, RspNodeId to, RspNodeId from) {
  const Steps *s = data;
  guint8 before = s->facts[to];
  s->facts[to] = before & s->facts[from] & RSP_PART_WITHIN;
  return s->facts[to] != before;
}

/* ---- What comes before what ---- */
static gboolean is_relation (const RspNode *node, RspBaseRelation relation) {
  return node->op == RSP_NODE_OPEN && node->index == RSP_N_BASE_SETS + relation;
}

/* TRUE if it has all pairs of different accesses, or all accesses. */
static gboolean is_full (const Steps *s, RspNodeId id) {
  const RspNode *node = rsp_dag_node (s->dag, id);
  switch (node->op) {
  case RSP_NODE_CONSTANT:
    return id == s->dag->universe[node->is_set];
  case RSP_NODE_OPEN:
    return node->index < RSP_N_BASE_SETS ? s->uniform->sets[node->index]
                                         : s->uniform->relations[node->index - RSP_N_BASE_SETS];
  case RSP_NODE_PRODUCT:
  case RSP_NODE_INTER:
    return is_full (s, node->a) && is_full (s, node->b);
  case RSP_NODE_UNION:
    return is_full (s, node->a) || is_full (s, node->b);
  case RSP_NODE_DIFF:
    return (node->b == s->dag->identity
            || is_relation (rsp_dag_node (s->dag, node->b), RSP_BASE_RELATION_ID))
           && is_full (s, node->a);
  default:
    return FALSE;
  }
}

typedef gboolean (*NodeTest) (const RspNode *node);

/* Is the relation among those whose union it is, as far as it is about different accesses? */
static gboolean contains (const Steps *s, RspNodeId id, NodeTest is) {
  const RspNode *node = rsp_dag_node (s->dag, id);
  if (node->op == RSP_NODE_UNION)
    return contains (s, node->a, is) || contains (s, node->b, is);
  if (node->op == RSP_NODE_INTER && is_full (s, node->a))
    return contains (s, node->b, is);
  if (node->op == RSP_NODE_INTER && is_full (s, node->b))
    return contains (s, node->a, is);
  return is (node);
}

static gboolean is_po (const RspNode *node) { return is_relation (node, RSP_BASE_RELATION_PO); }

static gboolean is_po_loc (const RspNode *node) {
  return is_relation (node, RSP_BASE_RELATION_PO_LOC);
}

static gboolean is_rf (const RspNode *node) { return node->op == RSP_NODE_RF; }

static gboolean is_co (const RspNode *node) { return node->op == RSP_NODE_CO; }

/* Initial writes come first anyway, and fences, which have neither rf nor co, are where po has
 * them. */
static gboolean forbids_cycles (const Steps *s, const RspStagedAxiom *axiom) {
  const RspAxiomForm *form = rsp_axiom_form (axiom->kind);
  return axiom->role == RSPCHECK_ROLE_AXIOM && !axiom->negated && form->closed && form->reflexive
         && contains (s, axiom->node, is_rf)
         && (contains (s, axiom->node, is_po)
             || (s->uniform->relations[RSP_BASE_RELATION_LOC]
                 && contains (s, axiom->node, is_po_loc)));
}

/* ---- The model ---- */
static gboolean is_stepwise (Steps *s, const RspStagedModel *model) {
  static const RspDomain facts = { judge_leaf, judge_operator, judge_recursion };
  gboolean acyclic = FALSE;
  for (guint i = 0; i < model->n_axioms; i++)
    if (forbids_cycles (s, &model->axioms[i])) {
      acyclic = TRUE;
      s->has_co |= contains (s, model->axioms[i].node, is_co);
    }
  if (!acyclic)
    return FALSE;
  memset (s->facts, RSP_PART_WITHIN, s->dag->nodes->len);
  rsp_dag_walk (s->dag, &facts, s);
  for (guint i = 0; i < model->n_axioms; i++)
    if (model->axioms[i].role == RSPCHECK_ROLE_AXIOM
        && (model->axioms[i].negated || !(s->facts[model->axioms[i].node] & RSP_PART_WITHIN)))
      return FALSE;
  return TRUE;
}

gboolean rsp_model_is_stepwise (const RspModel *model, const RspLanguage *language,
                                const RspUniform *uniform, const RspStageOptions *options) {
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  g_autoptr (RspArena) arena = rsp_arena_new ();
  const RspStagedModel *staged = rsp_model_stage_open (model, language, options, arena, unheard);
  gboolean stepwise = FALSE;
  if (staged) {
    g_autofree guint8 *facts = g_new0 (guint8, staged->dag->nodes->len + 1);
    Steps steps = { .dag = staged->dag, .uniform = uniform, .facts = facts };
    stepwise = is_stepwise (&steps, staged);
    rsp_dag_free (staged->dag);
  }
  return stepwise;
}
