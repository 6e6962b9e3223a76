/* with x from e: a choice that is part of an execution.
 *
 * A linearisation becomes a chosen order of the search. A union of one linearisation of the writes
 * of each location (what herd7's cos.cat generates) is the search's own co. A choice among known
 * values is scripted: replaying the evaluation gives one staged model per value. */
#include "model/stage/choice.h"
#include "model/stage/env.h"
#include "model/stage/predefined/names.h"
#include "model/stage/set.h"
#include "model/stage/statement.h"
#include "model/stage/value.h"
#include "model/stage/trace.h"

#define MAX_CHOICES 100000 /* of one `with` */

/* Takes the next scripted choice among n > 0 values. */
static gboolean
choose (Stage *stage, RspSpan span, guint n, guint *chosen)
{
  if (n > MAX_CHOICES)
    return stage_refuse (stage, span, "too many values to choose from: %u", n);
  if (stage->next_choice == stage->choices->len)
    {
      StageChoice first = { .chosen = 0, .n = n };
      g_array_append_val (stage->choices, first);
    }
  *chosen = g_array_index (stage->choices, StageChoice, stage->next_choice++).chosen;
  return TRUE;
}

RspNodeId
stage_chosen_order (Stage *stage, guint index)
{
  const RspBase *base = stage->base;
  if (!base->orders && index == 0 && stage->model->with_sc)
    return stage_sc_order (stage->dag, base);
  if (!base->orders || index >= base->n_orders)
    return rsp_dag_base (stage->dag, RSP_NODE_ORDER, index);
  return rsp_dag_constant (stage->dag, FALSE, rsp_matrix_copy (stage->arena, base->orders[index]));
}

RspStagedOrder *
stage_sc_orders (const RspBase *base, RspArena *arena)
{
  RspStagedOrder *order = rsp_arena_new0 (arena, RspStagedOrder, 1);
  RspMatrix *set = rsp_set_new (arena, base->n);
  const RspMatrix *sc = base->sets[RSP_BASE_SET_SC], *initial = base->sets[RSP_BASE_SET_I];
  if (!base->open[RSP_BASE_SET_SC])
    rsp_matrix_union (set, set, sc ? sc : set);
  else
    {
      rsp_matrix_fill (set);
      if (initial)
        rsp_matrix_difference (set, set, initial);
    }
  *order = (RspStagedOrder){ .name = "S", .set = set };
  return order;
}

RspNodeId
stage_sc_order (RspDag *dag, const RspBase *base)
{
  RspNodeId order = rsp_dag_base (dag, RSP_NODE_ORDER, 0);
  if (!base->open[RSP_BASE_SET_SC])
    return order;
  RspNodeId sc = rsp_dag_base (dag, RSP_NODE_OPEN, RSP_BASE_SET_SC);
  return rsp_dag_binary (dag, RSP_NODE_INTER, rsp_dag_binary (dag, RSP_NODE_PRODUCT, sc, sc),
                         order);
}

static RspNodeId
binary (Stage *stage, RspNodeOp op, RspNodeId a, RspNodeId b)
{
  return rsp_dag_binary (stage->dag, op, a, b);
}

static RspNodeId
product (Stage *stage, RspNodeId set)
{
  return binary (stage, RSP_NODE_PRODUCT, set, set);
}

static const RspMatrix *
predefined (Stage *stage, const char *name)
{
  return rsp_dag_node (stage->dag, stage_predefined (stage, name)->u.node)->constant;
}

/* Requires that the chosen order and a relation together have no cycle. */
static void
require_agreement (Stage *stage, RspSpan span, RspNodeId order, RspNodeId relation)
{
  if (relation == stage->dag->empty[FALSE])
    return;
  RspStagedAxiom axiom = { .role = RSPCHECK_ROLE_AXIOM,
                           .kind = RSPCHECK_AXIOM_ACYCLIC,
                           .node = binary (stage, RSP_NODE_UNION, order, relation),
                           .span = span };
  stage_add_axiom (stage, &axiom);
}

/* ---- Linearisations ---- */

/* Does an order of all writes that extends co0 determine the last write of each location? */
static gboolean
orders_all_writes (Stage *stage, const RspMatrix *set, RspNodeId kept)
{
  RspNodeId initial_first = stage_predefined (stage, "co0")->u.node;
  return rsp_matrix_subset (predefined (stage, "W"), set)
         && initial_first != stage->dag->empty[FALSE]
         && binary (stage, RSP_NODE_DIFF, initial_first, kept) == stage->dag->empty[FALSE];
}

/* If a model derives its own coherence from an order of all writes and never uses the search's, the
 * two are made equal, so that each chosen order counts once. If it uses both, they must agree on
 * the final values. */
void
stage_tie_orders (Stage *stage)
{
  gboolean both = stage->names_co;
  for (guint i = 0; i < stage->ties->len; i++)
    {
      const StageTie *tie = &g_array_index (stage->ties, StageTie, i);
      RspNodeId agreed = stage_predefined (stage, "co")->u.node;
      RspNodeId final = stage_predefined (stage, "FW")->u.node;
      if (both)
        agreed = binary (stage, RSP_NODE_SEQ, agreed,
                         rsp_dag_unary (stage->dag, RSP_NODE_IDENTITY, final));
      require_agreement (stage, tie->span, tie->order, agreed);
    }
}

static const StageValue *
choose_order (Stage *stage, const RspCatStatement *statement, const StageValue *orders)
{
  const RspMatrix *set = stage_constant (stage, orders->u.orders.set, statement->span);
  if (!set)
    return NULL;
  RspNodeId kept = orders->u.orders.relation;
  RspNodeId node = stage->dag->empty[FALSE];
  if (rsp_matrix_count (set) > 1)
    {
      const char *name = statement->pattern->name;
      RspStagedOrder order
          = { .name = name ? name : "order", .set = rsp_matrix_copy (stage->arena, set) };
      g_array_append_val (stage->orders, order);
      node = stage_chosen_order (stage, stage->orders->len - 1);
    }
  require_agreement (stage, statement->span, node, kept);
  if (orders_all_writes (stage, set, kept))
    {
      StageTie tie = { node, statement->span };
      g_array_append_val (stage->ties, tie);
    }
  return stage_node (stage, node);
}

/* ---- Coherence ---- */

/* The product of each set with itself, for sets of writes each to a location of its own; FALSE for
 * sets of any other form. A set of one event that is no write does not matter: it has no order. */
static gboolean
by_location (Stage *stage, const StageValue *cross, RspMatrix *within)
{
  const RspMatrix *writes = predefined (stage, "W"), *loc = predefined (stage, "loc");
  RspMatrix *seen = rsp_set_new (stage->arena, stage->dag->n);
  RspMatrix *one = rsp_relation_new (stage->arena, stage->dag->n);
  for (guint i = 0; i < cross->u.list.n; i++)
    {
      const StageValue *orders = cross->u.list.items[i];
      if (orders->kind != STAGE_ORDERS || !stage_is_constant (stage, orders->u.orders.set))
        return FALSE;
      const RspMatrix *set = rsp_dag_node (stage->dag, orders->u.orders.set)->constant;
      rsp_relation_product (one, set, set);
      if (rsp_matrix_count (set) == 1 && !rsp_matrix_subset (set, writes))
        continue;
      if (!rsp_matrix_subset (set, writes) || !rsp_matrix_subset (one, loc))
        return FALSE;
      rsp_matrix_union (within, within, one);
      rsp_matrix_union (seen, seen, set);
    }
  /* Two sets with the same location would be related by loc but not by `within`. */
  RspMatrix *all = rsp_relation_new (stage->arena, stage->dag->n);
  rsp_relation_product (all, seen, seen);
  rsp_matrix_intersect (all, all, loc);
  return rsp_matrix_equal (all, within);
}

/* Everything that the linearisations must extend, on their sets. */
static RspNodeId
extended (Stage *stage, const StageValue *cross)
{
  RspNodeId all = stage->dag->empty[FALSE];
  for (guint i = 0; i < cross->u.list.n; i++)
    {
      const StageValue *orders = cross->u.list.items[i];
      all = binary (stage, RSP_NODE_UNION, all, orders->u.orders.relation);
    }
  return all;
}

/* The search's own co, on the pairs `within`. */
static RspNodeId
coherence_within (Stage *stage, RspMatrix *within)
{
  RspNodeId node = stage_predefined (stage, "co")->u.node;
  RspNodeId writes = product (stage, stage_predefined (stage, "W")->u.node);
  RspNodeId all = binary (stage, RSP_NODE_INTER, writes, stage_predefined (stage, "loc")->u.node);
  RspNodeId mask = rsp_dag_constant (stage->dag, FALSE, within);
  return mask == all ? node : binary (stage, RSP_NODE_INTER, mask, node);
}

static const StageValue *
bind_coherence (Stage *stage, RspSpan span, const StageValue *cross, RspMatrix *within)
{
  RspNodeId node = coherence_within (stage, within);
  /* Initial writes come first anyway. */
  RspNodeId kept = extended (stage, cross);
  RspNodeId more = binary (stage, RSP_NODE_DIFF, kept, stage_predefined (stage, "co0")->u.node);
  if (more != stage->dag->empty[FALSE])
    require_agreement (stage, span, node, kept);
  return stage_node (stage, node);
}

static const StageValue *
choose_cross (Stage *stage, const RspCatStatement *statement, const StageValue *cross)
{
  RspMatrix *within = rsp_relation_new (stage->arena, stage->dag->n);
  if (by_location (stage, cross, within))
    return bind_coherence (stage, statement->span, cross, within);
  for (guint i = 0; i < cross->u.list.n; i++)
    if (cross->u.list.items[i]->kind != STAGE_ORDERS)
      return cross; /* to be listed one by one */
  RspNodeId all = stage->dag->empty[FALSE];
  for (guint i = 0; i < cross->u.list.n; i++)
    {
      const StageValue *order = choose_order (stage, statement, cross->u.list.items[i]);
      if (!order)
        return NULL;
      all = binary (stage, RSP_NODE_UNION, all, order->u.node);
    }
  return stage_node (stage, all);
}

/* Is the relation a coherence order: total and transitive on writes_loc (the pairs of writes to the
 * same location that are to be ordered), with initial writes first? */
static gboolean
is_coherence (const RspMatrix *r, const RspMatrix *writes_loc, const RspMatrix *co0,
              RspMatrix *scratch)
{
  rsp_matrix_intersect (scratch, co0, writes_loc);
  if (!rsp_matrix_subset (r, writes_loc) || !rsp_matrix_subset (scratch, r)
      || !rsp_relation_is_acyclic (r))
    return FALSE;
  rsp_relation_compose (scratch, r, r);
  if (!rsp_matrix_subset (scratch, r))
    return FALSE;
  rsp_relation_inverse (scratch, r);
  rsp_matrix_union (scratch, scratch, r);
  for (guint e = 0; e < r->n; e++)
    if (rsp_matrix_get (writes_loc, e, e))
      rsp_matrix_add (scratch, e, e);
  return rsp_matrix_equal (scratch, writes_loc);
}

/* The number of coherence orders of these writes; limit + 1 if there are more than `limit`. */
static guint
count_coherences (Stage *stage, const RspMatrix *writes, const RspMatrix *writes_loc, guint limit)
{
  const RspMatrix *initial = predefined (stage, "I");
  guint64 count = 1;
  for (all_bits (e, writes->bits, writes->words))
    {
      guint before = 0; /* the e-th write of its location multiplies by e */
      if (rsp_set_has (initial, e))
        continue;
      for (all_bits (other, rsp_matrix_row (writes_loc, e), writes->words))
        before += other <= e && !rsp_set_has (initial, other);
      count *= before;
      if (count > limit)
        return limit + 1;
    }
  return (guint) count;
}

/* The events that the values relate. FALSE if one of them is not a known relation. */
static gboolean
collect_field (Stage *stage, StageItems items, guint n, RspMatrix *field)
{
  for (guint i = 0; i < n; i++)
    {
      if (items[i]->kind != STAGE_NODE || !stage_is_relation (stage, items[i])
          || !stage_is_constant (stage, items[i]->u.node))
        return FALSE;
      const RspMatrix *r = rsp_dag_node (stage->dag, items[i]->u.node)->constant;
      for (guint e = 0; e < r->n; e++)
        for (all_bits (other, rsp_matrix_row (r, e), r->words))
          {
            rsp_set_add (field, e);
            rsp_set_add (field, other);
          }
    }
  return TRUE;
}

/* Are these values exactly the coherence orders of all writes, or of some? Then the search chooses
 * one anyway. within: the pairs that are ordered. */
static gboolean
are_all_coherences (Stage *stage, StageItems items, guint n, RspMatrix *within)
{
  RspMatrix *field = rsp_set_new (stage->arena, stage->dag->n);
  RspMatrix *scratch = rsp_relation_new (stage->arena, stage->dag->n);
  if (n < 2 || !collect_field (stage, items, n, field)
      || !rsp_matrix_subset (field, predefined (stage, "W")))
    return FALSE;
  rsp_relation_product (within, field, field);
  rsp_matrix_intersect (within, within, predefined (stage, "loc"));
  if (count_coherences (stage, field, within, n) != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!is_coherence (rsp_dag_node (stage->dag, items[i]->u.node)->constant, within,
                       predefined (stage, "co0"), scratch))
      return FALSE;
  return TRUE;
}

/* ---- Known values ---- */

static const StageValue *
choose_value (Stage *stage, const RspCatStatement *statement, const StageValue *set)
{
  StageItems items;
  guint n, chosen = 0;
  if (!stage_elements (stage, set, statement->span, &items, &n))
    return NULL;
  if (n == 0)
    {
      stage->status = STAGE_NO_MODEL;
      return NULL;
    }
  RspMatrix *within = rsp_relation_new (stage->arena, stage->dag->n);
  if (are_all_coherences (stage, items, n, within))
    return stage_node (stage, coherence_within (stage, within));
  for (guint i = 0; n > 1 && i < n; i++)
    if (!stage_is_known (stage, items[i])) /* the number of different ones is not known */
      return stage_await_execution (stage, statement->span);
  return choose (stage, statement->span, n, &chosen) ? items[chosen] : NULL;
}

gboolean
stage_with (Stage *stage, const RspCatStatement *statement, const StageValue *value,
            const StageEnv **env)
{
  const StageValue *choice = value;
  if (stage->base->generic)
    return stage_postpone (stage, statement->span);
  if (value->kind == STAGE_CROSS)
    choice = choose_cross (stage, statement, value);
  else if (value->kind == STAGE_ORDERS)
    choice = choose_order (stage, statement, value);
  if (choice == value)
    choice = choose_value (stage, statement, value);
  const StageEnv *outer = *env;
  if (!choice || !stage_bind_pattern (stage, env, statement->pattern, choice))
    return FALSE;
  stage_trace_chosen (stage, *env, outer);
  return TRUE;
}
