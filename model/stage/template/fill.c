/* Filling a template in: one pass over its nodes with the values of a base. */
#include "model/stage/template/fill.h"
#include "model/dag/fix.h"
#include "model/dag/private.h"
#include "model/stage/choices/choice.h"
#include "model/stage/choices/coherence.h"
#include "model/stage/stage.h"
#include "model/stage/statement.h"
#include "model/stage/template/extent.h"

#include <string.h>

#define NO_NODE G_MAXUINT

enum {
  NODES_AT_ONCE = 256 /* nodes between checks of the budget */
};

typedef struct Filling {
  const RspStagedModel *from;
  const RspBase *base;
  RspDag *dag;
  RspStagedOrder *orders; /* of the base */
  /* Per node of the template. */
  TemplateExtents extents;
  const guint8 *needed; /* is it to have a node in dag? */
  RspNodeId *nodes;     /* its node in dag; NO_NODE while it has none */
  /* Per axiom: its node's value, or one on which the axiom says the same as on the node's, whatever
   * that is; NULL: it is open what the axiom says. */
  const RspMatrix **values;
  gboolean good; /* no error so far */
} Filling;

static const RspNode *node_at (const Filling *f, RspNodeId id) {
  return rsp_dag_node (f->from->dag, id);
}

/* ---- What is open ---- */

static const RspMatrix *decided_value (const RspStagedAxiom *axiom, const RspExtent *extent) {
  gboolean known = extent_is_known (extent);
  gboolean decided
      = known
        || (axiom->role != RSPCHECK_ROLE_WARN_UNLESS
            && rsp_axiom_holds (axiom, extent->least) == rsp_axiom_holds (axiom, extent->most));
  return decided ? extent->least : NULL;
}

/* Open axioms need nodes, and so do all recursive definitions, which may not converge. */
static void find_needed (Filling *f, const guint8 *roots, RspArena *arena) {
  const RspStagedModel *from = f->from;
  guint n = from->dag->nodes->len;
  guint8 *needed = rsp_arena_new0 (arena, guint8, n);
  f->values = rsp_arena_new0 (arena, const RspMatrix *, from->n_axioms + 1);
  for (guint i = 0; i < from->n_axioms; i++) {
    RspNodeId node = from->axioms[i].node;
    f->values[i] = decided_value (&from->axioms[i], &f->extents.of[node]);
    needed[node] |= !f->values[i];
  }
  for (guint i = f->extents.n_open; i-- > 0;) {
    RspNodeId id = f->extents.open[i];
    const RspNode *node = node_at (f, id);
    needed[id] |= roots[id] && node->op == RSP_NODE_FIX;
    if (needed[id])
      template_need_operands (from->dag, node, needed);
  }
  f->needed = needed;
}

/* ---- Nodes ---- */

static RspNodeId constant_of (const Filling *f, RspNodeId id, const RspMatrix *value) {
  return rsp_dag_constant (f->dag, node_at (f, id)->is_set, (RspMatrix *) value);
}

static RspNodeId node_of (Filling *f, RspNodeId id) {
  if (f->nodes[id] == NO_NODE)
    f->nodes[id] = constant_of (f, id, f->extents.of[id].least);
  return f->nodes[id];
}

static RspNodeId order_node (const Filling *f, guint index) {
  return f->orders[index].kind == RSP_CHOSEN_S ? rsp_stage_sc_order (f->dag, f->base)
                                               : rsp_dag_base (f->dag, RSP_NODE_ORDER, index);
}

/* The variables of a group have consecutive numbers. */
static void begin_group (Filling *f, RspNodeId id) {
  const RspNode *node = node_at (f, id);
  if (node->index > 0)
    return;
  const RspFix *fix = &g_array_index (f->from->dag->groups, RspFix, node->group - 1);
  g_autofree gboolean *is_set = g_new (gboolean, fix->n);
  g_autofree RspNodeId *variables = g_new (RspNodeId, fix->n);
  for (guint i = 0; i < fix->n; i++)
    is_set[i] = node_at (f, fix->variables[i])->is_set;
  guint group = rsp_dag_fix_begin (f->dag, fix->n, is_set, variables);
  g_array_index (f->dag->groups, RspFix, group).span = fix->span;
  for (guint i = 0; i < fix->n; i++)
    f->nodes[fix->variables[i]] = variables[i];
}

static void end_group (Filling *f, RspNodeId id) {
  const RspNode *node = node_at (f, id);
  if (node->b > 0)
    return;
  const RspFix *fix = &g_array_index (f->from->dag->groups, RspFix, node->index);
  guint group = rsp_dag_node (f->dag, f->nodes[fix->variables[0]])->group - 1;
  g_autofree RspNodeId *bodies = g_new (RspNodeId, fix->n);
  g_autofree RspNodeId *fixes = g_new (RspNodeId, fix->n);
  for (guint i = 0; i < fix->n; i++)
    bodies[i] = node_of (f, fix->bodies[i]);
  f->good = rsp_dag_fix_end (f->dag, group, bodies, fixes);
  for (guint i = 0; f->good && i < fix->n; i++)
    f->nodes[fix->fixes[i]] = fixes[i];
}

/* Is the node's value one operand's, whatever that is? Then the other operand is known: it is in a
 * union but adds nothing, or it removes nothing. */
static gboolean is_operand (const Filling *f, const RspNode *node, const RspExtent *extent,
                            RspNodeId operand, RspNodeId other) {
  const RspExtent *same = &f->extents.of[operand];
  if (!extent_is_known (&f->extents.of[other]))
    return FALSE;
  if (node->op == RSP_NODE_UNION)
    return rsp_matrix_equal (extent->least, same->least);
  return (node->op == RSP_NODE_INTER || node->op == RSP_NODE_DIFF
          || (node->op == RSP_NODE_SEQ
              && rsp_matrix_subset (f->extents.of[other].least,
                                    rsp_dag_value (f->dag, f->dag->identity))))
         && rsp_matrix_equal (extent->most, same->most);
}

static RspNodeId binary_node (Filling *f, RspNodeId id) {
  const RspNode *node = node_at (f, id);
  const RspExtent *extent = &f->extents.of[id];
  if (is_operand (f, node, extent, node->a, node->b))
    return f->nodes[node->a];
  if (node->op != RSP_NODE_DIFF && is_operand (f, node, extent, node->b, node->a))
    return f->nodes[node->b];
  RspNodeId a = node_of (f, node->a), b = node_of (f, node->b);
  return rsp_dag_binary (f->dag, node->op, a, b);
}

static void fill (Filling *f, RspNodeId id) {
  const RspNode *node = node_at (f, id);
  switch (node->op) {
  case RSP_NODE_CONSTANT: /* one that means nothing on this base */
    f->good = FALSE;
    break;
  case RSP_NODE_RF:
  case RSP_NODE_CO:
  case RSP_NODE_OPEN:
    f->nodes[id] = rsp_dag_base (f->dag, node->op, node->index);
    break;
  case RSP_NODE_ORDER:
    f->nodes[id] = order_node (f, node->index);
    break;
  case RSP_NODE_VARIABLE:
    begin_group (f, id);
    break;
  case RSP_NODE_FIX:
    end_group (f, id);
    break;
  default:
    f->nodes[id] = rsp_node_arity (node->op) == 2
                       ? binary_node (f, id)
                       : rsp_dag_unary (f->dag, node->op, node_of (f, node->a));
  }
}

/* ---- The staging ---- */

/* FALSE if a set of operations to warn about is not known. */
static gboolean take_warning (const Filling *f, const RspStagedAxiom *axiom,
                              const RspMatrix *events, RspStagedWarning *warnings, guint *n) {
  if (events && !rsp_matrix_is_empty (events))
    warnings[(*n)++] = (RspStagedWarning){ .message = axiom->name, .events = events };
  return events || stage_has_open_sets (f->base);
}

/* Leaves room for axioms that are added. */
static gboolean take_axioms (const Filling *f, RspStagedModel *staged, RspStaging *staging,
                             RspArena *arena) {
  guint n = f->from->n_axioms;
  RspStagedWarning *warnings = rsp_arena_room (arena, n * sizeof warnings[0]);
  staging->warnings = warnings;
  staged->axioms = rsp_arena_room (arena, (n + G_N_ELEMENTS (((RspAddedAxioms *) NULL)->axioms))
                                              * sizeof staged->axioms[0]);
  staged->n_axioms = 0;
  for (guint i = 0; i < n; i++) {
    const RspStagedAxiom *axiom = &f->from->axioms[i];
    const RspMatrix *value = f->values[i];
    if (axiom->role == RSPCHECK_ROLE_WARN_UNLESS) {
      if (!take_warning (f, axiom, value, warnings, &staging->n_warnings))
        return FALSE;
      continue;
    }
    if (stage_is_settled (axiom, value))
      continue;
    RspStagedAxiom *taken = &staged->axioms[staged->n_axioms++];
    *taken = *axiom;
    taken->node = value ? constant_of (f, axiom->node, value) : f->nodes[axiom->node];
  }
  return TRUE;
}

static RspStaging *make_staging (const Filling *f, RspArena *arena) {
  const RspStagedModel *from = f->from;
  RspStagedModel *staged = rsp_arena_copy (arena, from, sizeof *from);
  RspStaging *staging = rsp_arena_new0 (arena, RspStaging, 1);
  RspAddedAxioms added;
  staging->models = rsp_arena_copy (arena, &staged, sizeof staged);
  staging->n_models = 1;
  staged->dag = f->dag;
  if (!take_axioms (f, staged, staging, arena))
    return NULL;
  staged->by_convention = rsp_stage_fix_coherence (f->dag, f->base, from, NULL, &added, arena);
  for (guint i = 0; i < added.n; i++)
    staged->axioms[staged->n_axioms++] = added.axioms[i];
  stage_find_roots (f->dag, staged->axioms, staged->n_axioms);
  staged->orders = f->orders;
  return staging;
}

/* FALSE after an error, or if the budget is exhausted. */
static gboolean make_nodes (Filling *f, RspArena *arena) {
  const RspNodeId *open = f->extents.open;
  gsize size = sizeof (RspNodeId) * f->from->dag->nodes->len;
  f->nodes = memset (rsp_arena_room (arena, size), 0xff, size); /* NO_NODE */
  for (guint i = 0; i < f->extents.n_open && f->good; i++) {
    if (f->needed[open[i]])
      fill (f, open[i]);
    if (i % NODES_AT_ONCE == NODES_AT_ONCE - 1)
      f->good &= !rsp_budget_is_exhausted (f->dag->budget);
  }
  return f->good && !rsp_budget_is_exhausted (f->dag->budget);
}

static RspStagedOrder *make_orders (const RspStagedModel *from, const RspBase *base,
                                    RspArena *arena) {
  RspStagedOrder *orders = rsp_arena_new0 (arena, RspStagedOrder, from->n_orders + 1);
  for (guint i = 0; i < from->n_orders; i++)
    orders[i] = rsp_stage_predefined_order (from->orders[i].kind, base, arena);
  return orders;
}

RspStaging *template_fill (const RspStagedModel *from, const guint8 *roots, const RspBase *base,
                           const RspStageOptions *options, RspArena *arena,
                           RspDiagnostics *diagnostics) {
  Filling f = { .from = from, .base = base, .dag = rsp_dag_new (arena, base->n), .good = TRUE };
  f.dag->budget = options ? options->budget : NULL;
  f.orders = make_orders (from, base, arena);
  f.extents = template_find_extents (from->dag, roots, base, options, f.orders, f.dag);
  RspStaging *staging = NULL;
  if (!rsp_budget_is_exhausted (f.dag->budget)) {
    find_needed (&f, roots, arena);
    staging = make_nodes (&f, arena) ? make_staging (&f, arena) : NULL;
  }
  if (!staging) {
    rsp_dag_report_divergence (f.dag, diagnostics);
    rsp_dag_free (f.dag);
  }
  return staging;
}
