/* Models evaluated once, for all pre-executions. */
#include "model/dag/dag.h"
#include "model/model.h"
#include "model/stage/internal.h"
#include "model/stage/stage.h"

#include <string.h>

typedef struct TemplateExtents {
  const RspExtent *of;   /* per node; least and most are one matrix if the value is known */
  const RspNodeId *open; /* the nodes with unknown values that a root depends on, other than through
                          * an empty node; operands first */
  guint n_open;
} TemplateExtents;

static inline gboolean extent_is_known (const RspExtent *extent) {
  return extent->least == extent->most;
}

/* ---- Extent --------------------------------------------------------------------------------- */

/* Extents: what each node of a template contains at least and at most. Most base sets of a small
 * test are empty, and with them much of a model; much else follows from reads with one candidate,
 * and from writes that are the only ones of their locations. */

enum {
  NODES_AT_ONCE = 256 /* nodes between checks of the budget */
};

typedef struct Extents {
  const RspDag *from;
  const RspBase *base;
  const RspStageOptions *options;
  const RspStagedOrder *orders;
  RspDag *dag;                       /* of the base: its constants serve here, too */
  const RspMatrix *none[2], *all[2]; /* by is_set */
  RspMatrix *room[2];                /* where the next value is computed */
  RspExtent *of;
} Extents;

/* ---- Leaves ---- */
/* There is only one empty matrix of each kind. */
static const RspMatrix *unless_empty (const Extents *x, gboolean is_set, const RspMatrix *value) {
  return value && !rsp_matrix_is_empty (value) ? value : x->none[is_set];
}

static RspExtent known (const RspMatrix *value) { return (RspExtent){ value, value }; }

static RspExtent extent_of_choice (const Extents *x, const RspExtent *extent) {
  if (!extent)
    return (RspExtent){ x->none[FALSE], x->all[FALSE] };
  const RspMatrix *most = unless_empty (x, FALSE, extent->most);
  if (rsp_matrix_equal (extent->least, most))
    return known (most);
  return (RspExtent){ unless_empty (x, FALSE, extent->least), most };
}

static RspExtent extent_of_leaf (const Extents *x, RspNodeId id) {
  const RspNode *node = rsp_dag_node (x->from, id);
  switch (node->op) {
  case RSP_NODE_CONSTANT: {
    gboolean is_set = rsp_dag_node (x->from, id)->is_set;
    if (id == x->from->empty[is_set])
      return known (x->none[is_set]);
    if (id == x->from->universe[is_set])
      return known (x->all[is_set]);
    if (id == x->from->identity)
      return known (rsp_dag_value (x->dag, x->dag->identity));
    return (RspExtent){ x->none[is_set], x->all[is_set] };
  }
  case RSP_NODE_OPEN: {
    guint index = node->index;
    if (node->is_set && x->base->open[index])
      return (RspExtent){ x->none[TRUE], x->all[TRUE] };
    return known (unless_empty (x, node->is_set,
                                node->is_set ? x->base->sets[index]
                                             : x->base->relations[index - RSP_N_BASE_SETS]));
  }
  case RSP_NODE_RF:
    return extent_of_choice (x, x->options ? x->options->rf : NULL);
  case RSP_NODE_CO:
    return extent_of_choice (x, x->options ? x->options->co : NULL);
  case RSP_NODE_ORDER: {
    const RspMatrix *set = x->orders[node->index].set;
    return rsp_matrix_count (set) > 1 ? extent_of_choice (x, NULL) : known (x->none[FALSE]);
  }
  default: /* FIX, VARIABLE */
    return (RspExtent){ x->none[node->is_set], x->all[node->is_set] };
  }
}

/* ---- What is needed ---- */
/* empty: of the nodes before it. */
static gboolean is_empty (const Extents *x, const RspNode *node, RspNodeId id,
                          const guint8 *empty) {
  const RspNodeForm *form = &rsp_node_forms[node->op];
  if (form->arity == 0) {
    x->of[id] = extent_of_leaf (x, id);
    return x->of[id].most == x->none[node->is_set];
  }
  gboolean a = empty[node->a], b = form->arity == 2 && empty[node->b];
  return (a && b) || (a && !form->other_if_empty[0]) || (b && !form->other_if_empty[1]);
}

/* Lists the needed nodes, operands last, and finds the extents of leaves. empty: which nodes are.
 */
static guint list_needed (Extents *x, const guint8 *roots, guint8 *empty, RspNodeId *list) {
  guint n = x->from->nodes->len, n_listed = 0;
  const RspNode *nodes = rsp_dag_node (x->from, 0);
  guint8 *needed = rsp_arena_copy (x->dag->arena, roots, n);
  for (RspNodeId id = 0; id < n; id++)
    empty[id] = (guint8) is_empty (x, &nodes[id], id, empty);
  for (RspNodeId id = n; id-- > 0;)
    if (needed[id]) {
      list[n_listed++] = id;
      if (!empty[id])
        rsp_dag_mark_operands (x->from, &nodes[id], needed);
    }
  return n_listed;
}

/* ---- Operators ---- */
/* b: NULL for unary operators. */
static const RspMatrix *apply (Extents *x, const RspNode *node, const RspMatrix *a,
                               const RspMatrix *b) {
  const RspMatrix *nothing = x->none[rsp_dag_node (x->from, node->a)->is_set];
  const gboolean *other_if_empty = rsp_node_forms[node->op].other_if_empty;
  if (a == nothing)
    return other_if_empty[0] ? b : x->none[node->is_set];
  if (b == nothing)
    return other_if_empty[1] ? a : x->none[node->is_set];
  RspMatrix **room = &x->room[node->is_set];
  if (!*room)
    *room = rsp_matrix_room (x->dag->arena, x->dag->n, node->is_set);
  rsp_node_compute (node->op, *room, a, b);
  if (rsp_matrix_is_empty (*room))
    return x->none[node->is_set];
  return g_steal_pointer (room);
}

static const RspMatrix *end_of (const RspExtent *extent, gboolean least) {
  return !extent ? NULL : least ? extent->least : extent->most;
}

/* Its operands have theirs. */
static RspExtent extent_of_operator (Extents *x, const RspNode *node) {
  const gboolean *falls = rsp_node_forms[node->op].falls;
  const RspExtent *a = &x->of[node->a],
                  *b = rsp_node_arity (node->op) == 2 ? &x->of[node->b] : NULL;
  const RspMatrix *most = apply (x, node, end_of (a, falls[0]), end_of (b, falls[1]));
  if ((extent_is_known (a) && (!b || extent_is_known (b))) || most == x->none[node->is_set])
    return known (most);
  const RspMatrix *least = apply (x, node, end_of (a, !falls[0]), end_of (b, !falls[1]));
  return rsp_matrix_equal (least, most) ? known (most) : (RspExtent){ least, most };
}

/* The extents of a template's nodes on a base, in the executions for which the options say what rf
 * and co contain. roots: per node, is it an axiom's, or a recursive definition? orders: of the
 * staged model. Incomplete if the budget is exhausted. */
static TemplateExtents template_find_extents (const RspDag *from, const guint8 *roots,
                                              const RspBase *base, const RspStageOptions *options,
                                              const RspStagedOrder *orders, RspDag *dag) {
  guint n = from->nodes->len;
  Extents x = { .from = from, .base = base, .options = options, .orders = orders, .dag = dag };
  for (guint is_set = FALSE; is_set <= TRUE; is_set++) {
    x.none[is_set] = rsp_dag_value (dag, dag->empty[is_set]);
    x.all[is_set] = rsp_dag_value (dag, dag->universe[is_set]);
  }
  x.of = rsp_arena_room (dag->arena, sizeof (RspExtent) * n);
  guint8 *empty = rsp_arena_room (dag->arena, n);
  RspNodeId *list = rsp_arena_room (dag->arena, sizeof (RspNodeId) * n);
  guint n_listed = list_needed (&x, roots, empty, list), n_open = 0;
  RspNodeId *open = rsp_arena_room (dag->arena, sizeof (RspNodeId) * n_listed);
  for (guint i = n_listed; i-- > 0;) {
    RspNodeId id = list[i];
    const RspNode *node = rsp_dag_node (from, id);
    if (empty[id])
      x.of[id] = known (x.none[node->is_set]);
    else if (rsp_node_arity (node->op))
      x.of[id] = extent_of_operator (&x, node);
    if (!extent_is_known (&x.of[id]))
      open[n_open++] = id;
    if (i % NODES_AT_ONCE == NODES_AT_ONCE - 1 && rsp_budget_is_exhausted (dag->budget))
      break;
  }
  return (TemplateExtents){ .of = x.of, .open = open, .n_open = n_open };
}

/* ---- Undecided ------------------------------------------------------------------------------ */

enum {
  MAX_UNDECIDED
  = 6 /* nested conditions: recursion that such a condition should end does not end here */
};

/* ---- Conditions ---- */
static RspNodeId negation (Stage *stage, RspNodeId when) {
  return rsp_dag_diff (stage->dag, stage->dag->universe[FALSE], when);
}

static gboolean is_plain (const Stage *stage, const StageValue *value) {
  return stage_is_literal (value) || stage_is_set (stage, value)
         || stage_is_relation (stage, value);
}

static gboolean comparison_as_relation (Stage *stage, const RspCatCondition *condition,
                                        const StageEnv *env, RspNodeId *when) {
  const StageValue *a = stage_eval (stage, condition->a, env);
  const StageValue *b = a ? stage_eval (stage, condition->b, env) : NULL;
  if (!b)
    return FALSE;
  RspNodeId x, y;
  if (condition->kind == RSP_CAT_COND_IN || !is_plain (stage, a) || !is_plain (stage, b))
    return stage_postpone (stage, condition->span);
  if (!stage_both_to_nodes (stage, a, b, condition->span, &x, &y))
    return FALSE;
  RspNodeId differ = rsp_dag_diff (stage->dag, x, y);
  if (condition->kind != RSP_CAT_COND_SUBSET)
    differ = rsp_dag_union (stage->dag, differ, rsp_dag_diff (stage->dag, y, x));
  /* All pairs if there is a difference, else none. */
  RspNodeId node = differ;
  if (!rsp_dag_node (stage->dag, node)->is_set)
    node = rsp_dag_domain (stage->dag, node);
  RspNodeId all = stage->dag->universe[TRUE];
  RspNodeId to = rsp_dag_product (stage->dag, all, node);
  *when = rsp_dag_seq (stage->dag, to, rsp_dag_product (stage->dag, node, all));
  if (condition->kind != RSP_CAT_COND_NEQUAL)
    *when = negation (stage, *when);
  return TRUE;
}

static gboolean condition_as_relation (Stage *stage, const RspCatCondition *condition,
                                       const StageEnv *env, RspNodeId *when) {
  RspNodeId left, right;
  switch (condition->kind) {
  case RSP_CAT_COND_VARIANT: {
    gboolean truth;
    if (!stage_condition (stage, condition, env, &truth))
      return FALSE;
    *when = truth ? stage->dag->universe[FALSE] : stage->dag->empty[FALSE];
    return TRUE;
  }
  case RSP_CAT_COND_NOT:
    if (!condition_as_relation (stage, condition->c, env, &left))
      return FALSE;
    *when = negation (stage, left);
    return TRUE;
  case RSP_CAT_COND_AND:
  case RSP_CAT_COND_OR:
    if (!condition_as_relation (stage, condition->c, env, &left)
        || !condition_as_relation (stage, condition->d, env, &right))
      return FALSE;
    *when = rsp_dag_binary (stage->dag,
                            condition->kind == RSP_CAT_COND_AND ? RSP_NODE_INTER : RSP_NODE_UNION,
                            left, right);
    return TRUE;
  default:
    return comparison_as_relation (stage, condition, env, when);
  }
}

/* ---- Values ---- */
static const StageValue *join (Stage *stage, RspSpan span, RspNodeId when, const StageValue *then,
                               const StageValue *otherwise) {
  RspNodeId x, y;
  if (!is_plain (stage, then) || !is_plain (stage, otherwise)
      || (stage_is_literal (then) && stage_is_literal (otherwise)))
    return stage_await_execution (stage, span);
  if (!stage_both_to_nodes (stage, then, otherwise, span, &x, &y))
    return NULL;
  if (rsp_dag_node (stage->dag, x)->is_set)
    when = rsp_dag_domain (stage->dag, when);
  RspNodeId all = rsp_dag_union (stage->dag, rsp_dag_inter (stage->dag, when, x),
                                 rsp_dag_diff (stage->dag, y, when));
  return stage_node (stage, all);
}

/* The model might not evaluate this side, so an error in it is not reported yet. */
const StageValue *stage_undecided_if (Stage *stage, const RspCatExpr *expr, const StageEnv *env) {
  guint n_before = rsp_diagnostics_count (stage->diagnostics);
  if (stage->n_undecided == MAX_UNDECIDED)
    return stage_await_execution (stage, expr->span);
  stage->n_undecided++;
  RspNodeId when;
  const StageValue *then = NULL, *otherwise = NULL, *value = NULL;
  if (condition_as_relation (stage, expr->condition, env, &when))
    then = stage_eval (stage, expr->a, env);
  if (then)
    otherwise = stage_eval (stage, expr->b, env);
  if (otherwise)
    value = join (stage, expr->span, when, then, otherwise);
  stage->n_undecided--;
  if (!stage_has_failed (stage))
    return value;
  rsp_diagnostics_truncate (stage->diagnostics, n_before);
  stage->status = STAGE_OK;
  return stage_await_execution (stage, expr->span);
}

/* ---- Fill ----------------------------------------------------------------------------------- */

/* Filling a template in: one pass over its nodes with the values of a base. */

#define NO_NODE G_MAXUINT

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

/* ---- Nodes ---- */
static RspNodeId constant_of (const Filling *f, RspNodeId id, const RspMatrix *value) {
  return rsp_dag_constant (f->dag, node_at (f, id)->is_set, (RspMatrix *) value);
}

static RspNodeId node_of (Filling *f, RspNodeId id) {
  if (f->nodes[id] == NO_NODE)
    f->nodes[id] = constant_of (f, id, f->extents.of[id].least);
  return f->nodes[id];
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
  if (!rsp_node_forms[node->op].falls[1] && is_operand (f, node, extent, node->b, node->a))
    return f->nodes[node->b];
  RspNodeId a = node_of (f, node->a), b = node_of (f, node->b);
  return rsp_dag_binary (f->dag, node->op, a, b);
}

/* ---- The staging ---- */
/* Leaves room for axioms that are added. FALSE if a set of operations to warn about is not known.
 */
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
      if (value && !rsp_matrix_is_empty (value))
        warnings[staging->n_warnings++]
            = (RspStagedWarning){ .message = axiom->name, .events = value };
      if (!value && !stage_has_open_sets (f->base))
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
  staged->by_convention = rsp_stage_fix_coherence (f->dag, f->base, from, NULL, &added);
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
    if (f->needed[open[i]]) {
      const RspNode *node = node_at (f, open[i]);
      switch (node->op) {
      case RSP_NODE_CONSTANT: /* one that means nothing on this base */
        f->good = FALSE;
        break;
      case RSP_NODE_RF:
      case RSP_NODE_CO:
      case RSP_NODE_OPEN:
        f->nodes[open[i]] = rsp_dag_base (f->dag, node->op, node->index);
        break;
      case RSP_NODE_ORDER:
        f->nodes[open[i]] = f->orders[node->index].kind == RSP_CHOSEN_S
                                ? rsp_stage_sc_order (f->dag, f->base)
                                : rsp_dag_base (f->dag, RSP_NODE_ORDER, node->index);
        break;
      case RSP_NODE_VARIABLE:
        begin_group (f, open[i]);
        break;
      case RSP_NODE_FIX:
        end_group (f, open[i]);
        break;
      default:
        f->nodes[open[i]] = rsp_node_arity (node->op) == 2
                                ? binary_node (f, open[i])
                                : rsp_dag_unary (f->dag, node->op, node_of (f, node->a));
      }
    }
    if (i % NODES_AT_ONCE == NODES_AT_ONCE - 1)
      f->good &= !rsp_budget_is_exhausted (f->dag->budget);
  }
  return f->good && !rsp_budget_is_exhausted (f->dag->budget);
}

/* The staging that evaluating the text on the base would give, from a model that was staged with
 * nothing known. roots: per node, is it an axiom's, or a recursive definition? NULL, perhaps with a
 * diagnostic, if the values must be known, a definition does not converge, or the budget is
 * exhausted. */
static RspStaging *template_fill (const RspStagedModel *from, const guint8 *roots,
                                  const RspBase *base, const RspStageOptions *options,
                                  RspArena *arena, RspDiagnostics *diagnostics) {
  Filling f = { .from = from, .base = base, .dag = rsp_dag_new (arena, base->n), .good = TRUE };
  f.dag->budget = options ? options->budget : NULL;
  f.orders = rsp_arena_new0 (arena, RspStagedOrder, from->n_orders + 1);
  for (guint i = 0; i < from->n_orders; i++)
    f.orders[i] = rsp_stage_predefined_order (from->orders[i].kind, base, arena);
  f.extents = template_find_extents (from->dag, roots, base, options, f.orders, f.dag);
  RspStaging *staging = NULL;
  if (!rsp_budget_is_exhausted (f.dag->budget)) {
    /* Open axioms need nodes, and so do all recursive definitions, which may not converge. */
    const RspStagedModel *model = f.from;
    guint n = model->dag->nodes->len;
    guint8 *needed = rsp_arena_new0 (arena, guint8, n);
    f.values = rsp_arena_new0 (arena, const RspMatrix *, model->n_axioms + 1);
    for (guint i = 0; i < model->n_axioms; i++) {
      RspNodeId node = model->axioms[i].node;
      const RspExtent *extent = &f.extents.of[node];
      gboolean decided = extent_is_known (extent)
                         || (model->axioms[i].role != RSPCHECK_ROLE_WARN_UNLESS
                             && rsp_axiom_holds (&model->axioms[i], extent->least)
                                    == rsp_axiom_holds (&model->axioms[i], extent->most));
      f.values[i] = decided ? extent->least : NULL;
      needed[node] |= !f.values[i];
    }
    for (guint i = f.extents.n_open; i-- > 0;) {
      RspNodeId id = f.extents.open[i];
      const RspNode *node = node_at (&f, id);
      needed[id] |= roots[id] && node->op == RSP_NODE_FIX;
      if (needed[id])
        rsp_dag_mark_operands (model->dag, node, needed);
    }
    f.needed = needed;
    staging = make_nodes (&f, arena) ? make_staging (&f, arena) : NULL;
  }
  if (!staging) {
    rsp_dag_report_divergence (f.dag, diagnostics);
    rsp_dag_free (f.dag);
  }
  return staging;
}

/* ---- Template ------------------------------------------------------------------------------- */

enum {
  GENERIC_EVENTS = 2, /* with fewer events, 0, id and unv may be equal */
  MOST_EVENTS = 64,   /* above this, evaluation does not dominate the time */
  MOST_NODES = 1 << 14
};

typedef struct Template {
  RspArena *arena;
  RspStaging *staging;
  guint8 *roots; /* per node: is it an axiom's, or a recursive definition? */
} Template;

struct RspTemplateSlot {
  GMutex lock;        /* held while the template is made */
  gint made;          /* atomic: is template final? */
  Template *template; /* NULL: the model has none */
};

/* ---- Making ---- */
static void template_free (Template *template) {
  if (!template)
    return;
  rsp_staging_clear (template->staging);
  rsp_arena_free (template->arena);
  g_free (template);
}

/* Evaluates the text with nothing known. NULL if anything had to be. */
static RspStaging *stage_open (const RspModel *model, const RspStageOptions *options,
                               RspArena *arena) {
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  RspBase *base = rsp_arena_new0 (arena, RspBase, 1);
  base->n = GENERIC_EVENTS;
  base->generic = TRUE;
  RspStaging *staging = stage_text (model, base, options, arena, unheard);
  /* Only a complete result can serve as a template. */
  if (staging && !staging->needs_execution && staging->n_models == 1
      && staging->models[0]->dag->nodes->len <= MOST_NODES && rsp_diagnostics_count (unheard) == 0)
    return staging;
  rsp_staging_clear (staging);
  return NULL;
}

static Template *template_new (const RspModel *model, RspBudget *budget) {
  Template *template = g_new0 (Template, 1);
  RspStageOptions options = { .budget = budget };
  template->arena = rsp_arena_new ();
  template->staging = stage_open (model, &options, template->arena);
  if (template->staging) {
    /* The nodes of axioms, and all groups: one that does not converge is an error even if no axiom
     * needs it. */
    const RspDag *dag = template->staging->models[0]->dag;
    template->roots = rsp_arena_new0 (template->arena, guint8, dag->nodes->len);
    for (guint i = 0; i < template->staging->models[0]->n_axioms; i++)
      template->roots[template->staging->models[0]->axioms[i].node] = TRUE;
    for (guint g = 0; g < dag->groups->len; g++) {
      const RspFix *fix = &g_array_index (dag->groups, RspFix, g);
      for (guint i = 0; i < fix->n; i++)
        template->roots[fix->fixes[i]] = TRUE;
    }
    return template;
  }
  template_free (template);
  return NULL;
}

RspTemplateSlot *template_slot_new (void) {
  RspTemplateSlot *slot = g_new0 (RspTemplateSlot, 1);
  g_mutex_init (&slot->lock);
  return slot;
}

void template_slot_free (RspTemplateSlot *slot) {
  if (!slot)
    return;
  template_free (slot->template);
  g_mutex_clear (&slot->lock);
  g_free (slot);
}

/* The model's template, made by the first caller. If the budget ran out on the way, the next caller
 * makes it again. */
static const Template *look_up (const RspModel *model, RspBudget *budget) {
  RspTemplateSlot *slot = model->template;
  if (!slot)
    return NULL;
  if (g_atomic_int_get (&slot->made))
    return slot->template;
  g_mutex_lock (&slot->lock);
  if (!slot->made) {
    slot->template = template_new (model, budget);
    if (slot->template || !rsp_budget_is_exhausted (budget))
      g_atomic_int_set (&slot->made, TRUE);
  }
  g_mutex_unlock (&slot->lock);
  return slot->template;
}

RspStaging *stage_from_template (const RspModel *model, const RspBase *base,
                                 const RspStageOptions *options, RspArena *arena,
                                 RspDiagnostics *diagnostics) {
  RspBudget *budget = options ? options->budget : NULL;
  gboolean tags_open
      = base->language && base->language->tagged && !base->relations[RSP_BASE_RELATION_SR];
  if (base->generic || base->rf || tags_open || base->n < GENERIC_EVENTS || base->n > MOST_EVENTS)
    return NULL;
  if (options
      && (options->direct || options->keep_names
          || (options->skipped_checks && options->skipped_checks[0])))
    return NULL;
  const Template *template = look_up (model, budget);
  return template ? template_fill (template->staging->models[0], template->roots, base, options,
                                   arena, diagnostics)
                  : NULL;
}

/* No execution passes the added axiom. */
static void forbid_in (RspStagedModel *model, RspArena *arena) {
  RspNodeId all = model->dag->universe[FALSE];
  RspStagedAxiom *axioms = rsp_arena_new0 (arena, RspStagedAxiom, model->n_axioms + 1);
  axioms[0] = (RspStagedAxiom){ .role = RSPCHECK_ROLE_AXIOM,
                                .kind = RSPCHECK_AXIOM_EMPTY,
                                .node = all,
                                .root = all,
                                .name = "complete_barriers" };
  for (guint i = 0; i < model->n_axioms; i++)
    axioms[i + 1] = model->axioms[i];
  model->axioms = axioms;
  model->n_axioms++;
}

RspStaging *rsp_model_stage (const RspModel *model, const RspBase *base,
                             const RspStageOptions *options, RspArena *arena,
                             RspDiagnostics *diagnostics) {
  if (!rsp_model_fits (model, base->language, diagnostics))
    return NULL;
  RspStaging *staging = stage_from_template (model, base, options, arena, diagnostics);
  if (!staging)
    staging = stage_text (model, base, options, arena, diagnostics);
  if (staging && base->blocked) {
    for (guint i = 0; i < staging->n_models; i++)
      forbid_in (staging->models[i], arena);
    if (staging->known)
      forbid_in (staging->known, arena);
  }
  return staging;
}

const RspStagedModel *rsp_model_stage_open (const RspModel *model, const RspLanguage *language,
                                            const RspStageOptions *options, RspArena *arena,
                                            RspDiagnostics *diagnostics) {
  if (!rsp_model_fits (model, language, diagnostics))
    return NULL;
  RspStaging *staging = stage_open (model, options, arena);
  return staging ? staging->models[0] : NULL;
}

const RspStagedModel *rsp_model_opened (const RspModel *model, RspBudget *budget) {
  const Template *template = look_up (model, budget);
  return template ? template->staging->models[0] : NULL;
}
