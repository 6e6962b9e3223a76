/* with x from e: a choice that is part of an execution.
 *
 * A linearisation becomes a chosen order of the search. A union of one linearisation of the writes
 * of each location (what herd7's cos.cat generates) is the search's own co. A choice among known
 * values is scripted: replaying the evaluation gives one staged model per value. */
#include "model/stage/choices/choice.h"
#include "model/stage/choices/coherence.h"
#include "model/stage/env.h"
#include "model/stage/predefined/names.h"
#include "model/stage/set.h"
#include "model/stage/statement.h"
#include "model/stage/value.h"
#include "model/stage/trace.h"

#define MAX_CHOICES 100000 /* of one `with` */

void stage_choose (Stage *stage, guint n, guint *chosen) {
  if (stage->next_choice == stage->choices->len) {
    StageChoice first = { .chosen = 0, .n = n };
    g_array_append_val (stage->choices, first);
  }
  *chosen = g_array_index (stage->choices, StageChoice, stage->next_choice++).chosen;
}

gboolean stage_note_choice (Stage *stage, gboolean way) {
  if (stage->next_choice == stage->choices->len) {
    StageChoice noted = { .chosen = way, .n = way + 1, .is_note = TRUE };
    g_array_append_val (stage->choices, noted);
  }
  return g_array_index (stage->choices, StageChoice, stage->next_choice++).chosen;
}

RspNodeId rsp_stage_chosen_order (Stage *stage, guint index) {
  const RspBase *base = stage->base;
  if (!base->orders && index == 0 && stage->model->with_sc)
    return rsp_stage_sc_order (stage->dag, base);
  if (!base->orders || index >= base->n_orders)
    return rsp_dag_base (stage->dag, RSP_NODE_ORDER, index);
  return rsp_dag_constant (stage->dag, FALSE, rsp_matrix_copy (stage->arena, base->orders[index]));
}

/* S, on the seq_cst events or, if they are open, on all events that may be seq_cst. */
static RspMatrix *sc_events (const RspBase *base, RspArena *arena) {
  RspMatrix *set = rsp_set_new (arena, base->n);
  const RspMatrix *sc = base->sets[RSP_BASE_SET_SC], *initial = base->sets[RSP_BASE_SET_I];
  if (!base->open[RSP_BASE_SET_SC])
    rsp_matrix_union (set, set, sc ? sc : set);
  else {
    rsp_matrix_fill (set);
    if (initial)
      rsp_matrix_difference (set, set, initial);
  }
  return set;
}

/* sync_fence, on the fence.sc events or, if these are open, on all fences. */
static RspStagedOrder sync_fence (const RspBase *base, RspArena *arena) {
  RspMatrix *set = rsp_set_new (arena, base->n), *related = rsp_relation_new (arena, base->n);
  const RspMatrix *sc = base->sets[RSP_BASE_SET_SC], *fences = base->sets[RSP_BASE_SET_F];
  const RspMatrix *sr = base->relations[RSP_BASE_RELATION_SR];
  gboolean open = base->open[RSP_BASE_SET_SC]; /* then nothing is known to be related */
  if (fences && (sc || open))
    rsp_matrix_intersect (set, open ? fences : sc, fences);
  rsp_relation_product (related, set, set);
  for (guint e = 0; e < base->n; e++)
    rsp_matrix_remove (related, e, e);
  rsp_matrix_intersect (related, related, sr ? sr : rsp_relation_new (arena, base->n));
  return (RspStagedOrder){
    .kind = RSP_CHOSEN_SYNC_FENCE, .name = "sync_fence", .set = set, .related = related
  };
}

RspStagedOrder rsp_stage_predefined_order (RspChosenKind kind, const RspBase *base,
                                           RspArena *arena) {
  if (kind == RSP_CHOSEN_SYNC_FENCE)
    return sync_fence (base, arena);
  return (RspStagedOrder){ .kind = RSP_CHOSEN_S, .name = "S", .set = sc_events (base, arena) };
}

/* Of a choice on all fences, the part on those that are fence.sc. It must relate what sync_fence
 * does: the search does not know which these are. */
static RspNodeId restrict_sync_fence (Stage *stage, RspNodeId order) {
  RspDag *dag = stage->dag;
  RspNodeId sc = rsp_stage_predefined (stage, "SC")->u.node,
            sr = rsp_stage_predefined (stage, "sr")->u.node;
  RspNodeId fences
      = rsp_dag_binary (dag, RSP_NODE_INTER, sc, rsp_stage_predefined (stage, "F")->u.node);
  RspNodeId pairs = rsp_dag_binary (dag, RSP_NODE_PRODUCT, fences, fences);
  RspNodeId either = rsp_dag_binary (
      dag, RSP_NODE_UNION, dag->identity,
      rsp_dag_binary (dag, RSP_NODE_UNION, order, rsp_dag_unary (dag, RSP_NODE_INVERSE, order)));
  RspStagedAxiom axiom
      = { .role = RSPCHECK_ROLE_AXIOM,
          .kind = RSPCHECK_AXIOM_EMPTY,
          .name = "sync_fence",
          .node = rsp_dag_binary (dag, RSP_NODE_DIFF,
                                  rsp_dag_binary (dag, RSP_NODE_INTER, pairs, sr), either) };
  stage_add_axiom (stage, &axiom);
  return rsp_dag_binary (dag, RSP_NODE_INTER, pairs, order);
}

RspNodeId rsp_stage_sync_fence (Stage *stage) {
  guint index = 0;
  while (index < stage->orders->len
         && g_array_index (stage->orders, RspStagedOrder, index).kind != RSP_CHOSEN_SYNC_FENCE)
    index++;
  if (index == stage->orders->len) {
    RspStagedOrder order = sync_fence (stage->base, stage->arena);
    g_array_append_val (stage->orders, order);
    if (!stage->base->generic && !stage->base->relations[RSP_BASE_RELATION_SR])
      return restrict_sync_fence (stage, rsp_stage_chosen_order (stage, index));
  }
  return rsp_stage_chosen_order (stage, index);
}

RspNodeId rsp_stage_sc_order (RspDag *dag, const RspBase *base) {
  RspNodeId order = rsp_dag_base (dag, RSP_NODE_ORDER, 0);
  if (!base->open[RSP_BASE_SET_SC])
    return order;
  RspNodeId sc = rsp_dag_base (dag, RSP_NODE_OPEN, RSP_BASE_SET_SC);
  return rsp_dag_binary (dag, RSP_NODE_INTER, rsp_dag_binary (dag, RSP_NODE_PRODUCT, sc, sc),
                         order);
}

void stage_require_agreement (Stage *stage, RspSpan span, RspNodeId order, RspNodeId relation) {
  if (relation == stage->dag->empty[FALSE])
    return;
  RspStagedAxiom axiom = { .role = RSPCHECK_ROLE_AXIOM,
                           .kind = RSPCHECK_AXIOM_ACYCLIC,
                           .node = stage_binary_node (stage, RSP_NODE_UNION, order, relation),
                           .span = span };
  stage_add_axiom (stage, &axiom);
}

/* ---- Linearisations ---- */

static const StageValue *choose_order (Stage *stage, const RspCatStatement *statement,
                                       const StageValue *orders) {
  const RspMatrix *set = stage_constant (stage, orders->u.orders.set, statement->span);
  if (!set)
    return NULL;
  RspNodeId kept = orders->u.orders.relation;
  RspNodeId node = stage->dag->empty[FALSE];
  if (rsp_matrix_count (set) > 1) {
    const char *name = statement->pattern->name;
    RspStagedOrder order
        = { .name = name ? name : "order", .set = rsp_matrix_copy (stage->arena, set) };
    g_array_append_val (stage->orders, order);
    node = rsp_stage_chosen_order (stage, stage->orders->len - 1);
  }
  stage_require_agreement (stage, statement->span, node, kept);
  return stage_node (stage, node);
}

/* ---- Products of choices ---- */

static const StageValue *choose_cross (Stage *stage, const RspCatStatement *statement,
                                       const StageValue *cross) {
  const StageValue *coherence = stage_coherence_of_cross (stage, statement->span, cross);
  if (coherence)
    return coherence;
  for (guint i = 0; i < cross->u.list.n; i++)
    if (cross->u.list.items[i]->kind != STAGE_ORDERS)
      return cross; /* to be listed one by one */
  RspNodeId all = stage->dag->empty[FALSE];
  for (guint i = 0; i < cross->u.list.n; i++) {
    const StageValue *order = choose_order (stage, statement, cross->u.list.items[i]);
    if (!order)
      return NULL;
    all = stage_binary_node (stage, RSP_NODE_UNION, all, order->u.node);
  }
  return stage_node (stage, all);
}

/* ---- Known values ---- */

static const StageValue *choose_value (Stage *stage, const RspCatStatement *statement,
                                       const StageValue *set) {
  StageItems items;
  guint n, chosen = 0;
  if (!stage_elements (stage, set, statement->span, &items, &n))
    return NULL;
  if (n == 0) {
    stage->status = STAGE_NO_MODEL;
    return NULL;
  }
  const StageValue *coherence = stage_coherence_of_list (stage, items, n);
  if (coherence)
    return coherence;
  for (guint i = 0; n > 1 && i < n; i++)
    if (!stage_is_known (stage, items[i])) /* the number of different ones is not known */
      return stage_await_execution (stage, statement->span);
  if (n > MAX_CHOICES) {
    stage_refuse (stage, statement->span, "too many values to choose from: %u", n);
    return NULL;
  }
  stage_choose (stage, n, &chosen);
  return items[chosen];
}

gboolean stage_with (Stage *stage, const RspCatStatement *statement, const StageValue *value,
                     const StageEnv **env) {
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
