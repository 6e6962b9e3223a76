/* Decided once for all executions, on the model with nothing known but what all accesses have in
 * common. What comes before an event is what is before it in po and rf, and in co if the model
 * forbids cycles of all three. By induction over the operators: what holds of each node's value on
 * the beginning of an execution (model/dag/part.h)? Does what it relates an event of the beginning
 * to come before that event, so that it is in the beginning too (SOURCES: x of a pair (x,y) comes
 * before y; TARGETS: y before x)?
 *
 * A plain axiom fails because of pairs in its relation, so WITHIN is enough. */
#include "model/bounds/stepwise.h"
#include "model/axiom_kind.h"
#include "model/dag/part.h"
#include "model/stage/template/template.h"

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

/* Compositions, closures and domains go by way of events that are in the beginning if they come
 * before either end. */
static gboolean loses_nothing (RspNodeOp op, guint a, guint b) {
  return (a & TARGETS) || (op != RSP_NODE_DOMAIN && (b & SOURCES));
}

/* Which ends of the operator's pairs come first? */
static guint judge_ends (RspNodeOp op, guint a, guint b) {
  switch (op) {
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
  default:
    return 0;
  }
}

/* A least fixpoint of definitions that preserve WITHIN is within, too. They are monotone then: of a
 * variable, nothing else is known. */
static guint judge_fix (const Steps *s, const RspNode *node) {
  const RspFix *fix = &g_array_index (s->dag->groups, RspFix, node->index);
  gboolean preserved = TRUE;
  for (guint i = 0; i < fix->n; i++)
    preserved = preserved && (s->facts[fix->bodies[i]] & RSP_PART_WITHIN);
  return preserved ? RSP_PART_WITHIN : 0;
}

static guint judge_node (const Steps *s, RspNodeId id) {
  const RspNode *node = rsp_dag_node (s->dag, id);
  guint arity = rsp_node_arity (node->op), a = arity ? s->facts[node->a] : 0,
        b = arity == 2 ? s->facts[node->b] : a;
  switch (node->op) {
  case RSP_NODE_CONSTANT:
    return id == s->dag->empty[FALSE] || id == s->dag->identity ? ALL : SAME;
  case RSP_NODE_OPEN:
    return judge_base (node->index);
  case RSP_NODE_RF:
    return SAME | SOURCES;
  case RSP_NODE_CO:
    return s->has_co ? SAME | SOURCES : SAME;
  case RSP_NODE_ORDER:
    return SAME;
  case RSP_NODE_VARIABLE:
    return RSP_PART_WITHIN;
  case RSP_NODE_FIX:
    return judge_fix (s, node);
  default:
    return rsp_part_follows (node->op, a, b, loses_nothing (node->op, a, b))
           | judge_ends (node->op, a, b);
  }
}

/* ---- What comes before what ---- */

static gboolean is_relation (const RspNode *node, RspBaseRelation relation) {
  return node->op == RSP_NODE_OPEN && node->index == RSP_N_BASE_SETS + relation;
}

static gboolean is_identity (const Steps *s, RspNodeId id) {
  return id == s->dag->identity || is_relation (rsp_dag_node (s->dag, id), RSP_BASE_RELATION_ID);
}

/* Does it have all pairs of different accesses, or all accesses? */
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
    return is_identity (s, node->b) && is_full (s, node->a);
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

static gboolean is_kept (const Steps *s, const RspStagedAxiom *axiom) {
  return axiom->role != RSPCHECK_ROLE_AXIOM
         || (!axiom->negated && (s->facts[axiom->node] & RSP_PART_WITHIN));
}

static gboolean is_stepwise (Steps *s, const RspStagedModel *model) {
  gboolean acyclic = FALSE;
  for (guint i = 0; i < model->n_axioms; i++)
    if (forbids_cycles (s, &model->axioms[i])) {
      acyclic = TRUE;
      s->has_co |= contains (s, model->axioms[i].node, is_co);
    }
  for (RspNodeId id = 0; id < s->dag->nodes->len && acyclic; id++)
    s->facts[id] = (guint8) judge_node (s, id);
  for (guint i = 0; i < model->n_axioms && acyclic; i++)
    if (!is_kept (s, &model->axioms[i]))
      return FALSE;
  return acyclic;
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
