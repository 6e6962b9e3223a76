/* Filling a template in: one pass over its nodes with the values of a base. */
#include "model/stage/template/fill.h"
#include "model/dag/fix.h"
#include "model/dag/private.h"
#include "model/stage/choices/choice.h"
#include "model/stage/choices/coherence.h"
#include "model/stage/stage.h"
#include "model/stage/statement.h"

#include <string.h>

#define NO_NODE G_MAXUINT

enum
{
  NODES_AT_ONCE = 256 /* nodes between checks of the budget */
};

typedef struct Filling
{
  const RspDag *from;
  const RspBase *base;
  RspDag *dag;
  /* Per node of the template: is it empty because base sets and relations are? Does an axiom depend on it, other than
   * through such a node? */
  guint8 *empty, *needed;
  /* Per node of the template: its value if the base determines it, and its node in dag, which is
   * NO_NODE while only the value has been needed. */
  const RspMatrix **values;
  RspNodeId *nodes;
  const RspStagedOrder *orders; /* of the template: none of a `with` */
  gboolean good;                /* no error so far */
} Filling;

/* NULL: empty. */
static const RspMatrix *
base_value (const RspBase *base, const RspNode *node)
{
  guint index = node->index;
  return node->is_set ? base->sets[index] : base->relations[index - RSP_N_BASE_SETS];
}

static gboolean
is_open (const RspBase *base, const RspNode *node)
{
  return node->is_set && base->open[node->index];
}

static gboolean
is_empty_leaf (const RspBase *base, const RspNode *node)
{
  const RspMatrix *value = base_value (base, node);
  return !is_open (base, node) && (!value || rsp_matrix_is_empty (value));
}

/* empty: of the nodes before it. */
static gboolean
is_empty (const Filling *f, RspNodeId id, const RspNode *node, const guint8 *empty)
{
  switch (node->op)
    {
    case RSP_NODE_CONSTANT:
      return id == f->from->empty[node->is_set];
    case RSP_NODE_OPEN:
      return is_empty_leaf (f->base, node);
    case RSP_NODE_UNION:
      return empty[node->a] && empty[node->b];
    case RSP_NODE_INTER:
    case RSP_NODE_SEQ:
    case RSP_NODE_PRODUCT:
      return empty[node->a] || empty[node->b];
    case RSP_NODE_DIFF:
    case RSP_NODE_INVERSE:
    case RSP_NODE_PLUS:
    case RSP_NODE_IDENTITY:
    case RSP_NODE_DOMAIN:
      return empty[node->a];
    default:
      return FALSE;
    }
}

static void
need_operands (const RspDag *from, const RspNode *node, guint8 *needed)
{
  guint arity = rsp_node_arity (node->op);
  if (arity >= 1)
    needed[node->a] = TRUE;
  if (arity == 2)
    needed[node->b] = TRUE;
  if (node->op != RSP_NODE_FIX)
    return;
  const RspFix *fix = &g_array_index (from->groups, RspFix, node->index);
  for (guint i = 0; i < fix->n; i++)
    needed[fix->bodies[i]] = needed[fix->variables[i]] = TRUE;
}

/* Most base sets of a small test are empty, and with them much of a model. */
static void
find_needed (Filling *f, const guint8 *roots, guint n, RspArena *arena)
{
  const RspNode *nodes = rsp_dag_node (f->from, 0);
  guint8 *empty = f->empty = rsp_arena_new0 (arena, guint8, n);
  guint8 *needed = f->needed = rsp_arena_copy (arena, roots, n);
  for (RspNodeId id = 0; id < n; id++)
    empty[id] = (guint8) is_empty (f, id, &nodes[id], empty);
  for (RspNodeId id = n; id-- > 0;)
    if (needed[id] && !empty[id])
      need_operands (f->from, &nodes[id], needed);
}

static void
set_node (Filling *f, RspNodeId id, RspNodeId node)
{
  f->nodes[id] = node;
  f->values[id] = rsp_dag_is_constant (f->dag, node) ? rsp_dag_value (f->dag, node) : NULL;
}

static RspNodeId
node_of (Filling *f, RspNodeId id)
{
  if (f->nodes[id] == NO_NODE)
    f->nodes[id] = rsp_dag_constant (f->dag, rsp_dag_node (f->from, id)->is_set,
                                     (RspMatrix *) f->values[id]);
  return f->nodes[id];
}

static void
fill_constant (Filling *f, RspNodeId id)
{
  const RspDag *from = f->from;
  gboolean is_set = rsp_dag_node (from, id)->is_set;
  if (id == from->empty[is_set])
    set_node (f, id, f->dag->empty[is_set]);
  else if (id == from->universe[is_set])
    set_node (f, id, f->dag->universe[is_set]);
  else if (id == from->identity)
    set_node (f, id, f->dag->identity);
  else
    f->good = FALSE;
}

static void
fill_base (Filling *f, RspNodeId id)
{
  const RspNode *node = rsp_dag_node (f->from, id);
  if (is_open (f->base, node))
    set_node (f, id, rsp_dag_base (f->dag, RSP_NODE_OPEN, node->index));
  else
    f->values[id] = base_value (f->base, node);
}

static void
fill_order (Filling *f, RspNodeId id)
{
  guint index = rsp_dag_node (f->from, id)->index;
  set_node (f, id,
            f->orders[index].kind == RSP_CHOSEN_S ? rsp_stage_sc_order (f->dag, f->base)
                                                  : rsp_dag_base (f->dag, RSP_NODE_ORDER, index));
}

/* The variables of a group have consecutive numbers. */
static void
begin_group (Filling *f, RspNodeId id)
{
  const RspNode *node = rsp_dag_node (f->from, id);
  if (node->index > 0)
    return;
  const RspFix *fix = &g_array_index (f->from->groups, RspFix, node->group - 1);
  g_autofree gboolean *is_set = g_new (gboolean, fix->n);
  g_autofree RspNodeId *variables = g_new (RspNodeId, fix->n);
  for (guint i = 0; i < fix->n; i++)
    is_set[i] = rsp_dag_node (f->from, fix->variables[i])->is_set;
  guint group = rsp_dag_fix_begin (f->dag, fix->n, is_set, variables);
  g_array_index (f->dag->groups, RspFix, group).span = fix->span;
  for (guint i = 0; i < fix->n; i++)
    set_node (f, fix->variables[i], variables[i]);
}

static void
end_group (Filling *f, RspNodeId id)
{
  const RspNode *node = rsp_dag_node (f->from, id);
  if (node->b > 0)
    return;
  const RspFix *fix = &g_array_index (f->from->groups, RspFix, node->index);
  guint group = rsp_dag_node (f->dag, f->nodes[fix->variables[0]])->group - 1;
  g_autofree RspNodeId *bodies = g_new (RspNodeId, fix->n);
  g_autofree RspNodeId *fixes = g_new (RspNodeId, fix->n);
  for (guint i = 0; i < fix->n; i++)
    bodies[i] = node_of (f, fix->bodies[i]);
  f->good = rsp_dag_fix_end (f->dag, group, bodies, fixes);
  for (guint i = 0; f->good && i < fix->n; i++)
    set_node (f, fix->fixes[i], fixes[i]);
}

static void
fill_operator (Filling *f, RspNodeId id)
{
  const RspNode *node = rsp_dag_node (f->from, id);
  gboolean is_binary = rsp_node_arity (node->op) == 2;
  const RspMatrix *a = f->values[node->a], *b = is_binary ? f->values[node->b] : NULL;
  if (a && (b || !is_binary))
    {
      RspMatrix *value = rsp_dag_matrix (f->dag, node->is_set);
      rsp_node_compute (node->op, value, a, b);
      f->values[id] = value;
    }
  else if (is_binary)
    set_node (f, id, rsp_dag_binary (f->dag, node->op, node_of (f, node->a), node_of (f, node->b)));
  else
    set_node (f, id, rsp_dag_unary (f->dag, node->op, node_of (f, node->a)));
}

/* An operand whose value the node has because the other one is empty, or else the node itself. */
static RspNodeId
same_as (const Filling *f, RspNodeId id)
{
  const RspNode *node = rsp_dag_node (f->from, id);
  if (node->op == RSP_NODE_UNION && f->empty[node->a])
    return node->b;
  if ((node->op == RSP_NODE_UNION || node->op == RSP_NODE_DIFF) && f->empty[node->b])
    return node->a;
  return id;
}

static void
fill (Filling *f, RspNodeId id)
{
  const RspNode *node = rsp_dag_node (f->from, id);
  RspNodeId same = same_as (f, id);
  if (f->empty[id])
    {
      set_node (f, id, f->dag->empty[node->is_set]);
      return;
    }
  if (same != id)
    {
      f->values[id] = f->values[same];
      f->nodes[id] = f->nodes[same];
      return;
    }
  switch (node->op)
    {
    case RSP_NODE_CONSTANT:
      fill_constant (f, id);
      break;
    case RSP_NODE_RF:
    case RSP_NODE_CO:
      set_node (f, id, rsp_dag_base (f->dag, node->op, 0));
      break;
    case RSP_NODE_ORDER:
      fill_order (f, id);
      break;
    case RSP_NODE_OPEN:
      fill_base (f, id);
      break;
    case RSP_NODE_VARIABLE:
      begin_group (f, id);
      break;
    case RSP_NODE_FIX:
      end_group (f, id);
      break;
    default:
      fill_operator (f, id);
    }
}

/* ---- The staging ---- */

/* FALSE if a set of operations to warn about is not known. */
static gboolean
take_warning (Filling *f, const RspStagedAxiom *axiom, GArray *warnings)
{
  const RspMatrix *events = f->values[axiom->node];
  RspStagedWarning warning = { .message = axiom->name, .events = events };
  if (events && !rsp_matrix_is_empty (events))
    g_array_append_val (warnings, warning);
  return events || stage_has_open_sets (f->base);
}

static gboolean
take_axioms (Filling *f, const RspStagedModel *from, GArray *axioms, GArray *warnings)
{
  for (guint i = 0; i < from->n_axioms; i++)
    {
      RspStagedAxiom axiom = from->axioms[i];
      if (axiom.role == RSPCHECK_ROLE_WARN_UNLESS)
        {
          if (!take_warning (f, &axiom, warnings))
            return FALSE;
          continue;
        }
      const RspMatrix *value = f->values[axiom.node];
      if (stage_is_settled (&axiom, value))
        continue;
      axiom.node = node_of (f, axiom.node);
      g_array_append_val (axioms, axiom);
    }
  return TRUE;
}

static RspStaging *
make_staging (Filling *f, const RspStagedModel *from, RspArena *arena)
{
  g_autoptr (GArray) axioms
      = g_array_sized_new (FALSE, FALSE, sizeof (RspStagedAxiom), from->n_axioms + 1);
  g_autoptr (GArray) warnings = g_array_new (FALSE, FALSE, sizeof (RspStagedWarning));
  if (!take_axioms (f, from, axioms, warnings))
    return NULL;
  RspStagedModel *staged = rsp_arena_copy (arena, from, sizeof *from);
  staged->by_convention
      = rsp_stage_fix_coherence (f->dag, f->base, from->sees_co, NULL, axioms, arena);
  staged->dag = f->dag;
  staged->n_axioms = axioms->len;
  staged->axioms = rsp_arena_copy (arena, axioms->data, axioms->len * sizeof (RspStagedAxiom));
  stage_find_roots (f->dag, staged->axioms, staged->n_axioms);
  staged->orders = rsp_arena_new0 (arena, RspStagedOrder, from->n_orders + 1);
  for (guint i = 0; i < from->n_orders; i++)
    staged->orders[i] = rsp_stage_predefined_order (from->orders[i].kind, f->base, arena);
  RspStaging *staging = rsp_arena_new0 (arena, RspStaging, 1);
  staging->models = rsp_arena_copy (arena, &staged, sizeof staged);
  staging->n_models = 1;
  staging->n_warnings = warnings->len;
  staging->warnings
      = rsp_arena_copy (arena, warnings->data, warnings->len * sizeof (RspStagedWarning));
  return staging;
}

RspStaging *
template_fill (const RspStagedModel *from, const guint8 *roots, const RspBase *base,
               RspBudget *budget, RspArena *arena, RspDiagnostics *diagnostics)
{
  guint n = from->dag->nodes->len;
  Filling f = { .from = from->dag,
                .base = base,
                .dag = rsp_dag_new (arena, base->n),
                .orders = from->orders,
                .good = TRUE };
  f.dag->budget = budget;
  find_needed (&f, roots, n, arena);
  f.values = rsp_arena_new0 (arena, const RspMatrix *, n);
  f.nodes = rsp_arena_new0 (arena, RspNodeId, n);
  memset (f.nodes, 0xff, sizeof *f.nodes * n);
  for (RspNodeId id = 0; id < n && f.good; id++)
    {
      if (f.needed[id])
        fill (&f, id);
      if (id % NODES_AT_ONCE == NODES_AT_ONCE - 1)
        f.good &= !rsp_budget_is_exhausted (budget);
    }
  RspStaging *staging
      = f.good && !rsp_budget_is_exhausted (budget) ? make_staging (&f, from, arena) : NULL;
  if (!staging)
    {
      rsp_dag_report_divergence (f.dag, diagnostics);
      rsp_dag_free (f.dag);
    }
  return staging;
}
