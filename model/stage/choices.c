/* Choices of an execution: orders, linearisations, and parts of coherence. */
#include "model/dag/dag.h"
#include "model/stage/internal.h"
#include "model/stage/stage.h"

static const StageValue *stage_coherence_of_cross (Stage *stage, RspSpan span,
                                                   const StageValue *cross);
static const StageValue *stage_coherence_of_list (Stage *stage, StageItems items, guint n);

/* ---- Orders --------------------------------------------------------------------------------- */

/* Lists the elements of linearisations and products of choices one by one. That is delayed until
 * the elements are needed, since `with` makes them choices of the search instead. */

#define MAX_SPELT_OUT 50000

static gboolean too_many (Stage *stage, RspSpan span) {
  return stage_refuse (stage, span, "more than %d orders to list one by one", MAX_SPELT_OUT);
}

/* ---- Linearisations ---- */
typedef struct Linearising {
  Stage *stage;
  RspSpan span;
  const RspMatrix *set, *before; /* before: must be respected; need not be transitive */
  RspMatrix *placed, *order;
  GPtrArray *found;
} Linearising;

/* Have all events of the set that must come before `event` been placed? */
static gboolean may_come_next (const Linearising *l, guint event) {
  for (all_bits (e, l->set->bits, l->set->words))
    if (!rsp_set_has (l->placed, e) && rsp_matrix_get (l->before, e, event))
      return FALSE;
  return TRUE;
}

/* Places one more event after those already placed, in every possible way; the recursion is as deep
 * as the set is large. */
static gboolean extend (Linearising *l) {
  if (!stage_spend (l->stage, l->span, 1))
    return FALSE;
  if (rsp_matrix_equal (l->placed, l->set)) {
    if (l->found->len >= MAX_SPELT_OUT)
      return too_many (l->stage, l->span);
    RspMatrix *order = rsp_matrix_copy (l->stage->arena, l->order);
    RspNodeId node = rsp_dag_constant (l->stage->dag, FALSE, order);
    g_ptr_array_add (l->found, (gpointer) stage_node (l->stage, node));
    return TRUE;
  }
  for (all_bits (event, l->set->bits, l->set->words)) {
    if (rsp_set_has (l->placed, event) || !may_come_next (l, event))
      continue;
    for (all_bits (e, l->placed->bits, l->placed->words))
      rsp_matrix_add (l->order, e, event);
    rsp_set_add (l->placed, event);
    gboolean going_on = extend (l);
    rsp_matrix_remove (l->placed, 0, event);
    for (all_bits (e, l->placed->bits, l->placed->words))
      rsp_matrix_remove (l->order, e, event);
    if (!going_on)
      return FALSE;
  }
  return TRUE;
}

/* ---- Products ---- */
/* Replaces the relations in `all` by their unions with each of the items. */
static gboolean multiply (Stage *stage, RspSpan span, GArray *all, StageItems items, guint n) {
  if ((guint64) all->len * n > MAX_SPELT_OUT)
    return too_many (stage, span);
  if (!stage_spend (stage, span, (guint64) all->len * n))
    return FALSE;
  g_autoptr (GArray) before = g_array_copy (all);
  g_array_set_size (all, 0);
  for (guint i = 0; i < before->len; i++)
    for (guint j = 0; j < n; j++) {
      RspNodeId item;
      if (!stage_to_relation (stage, items[j], span, &item))
        return FALSE;
      item = rsp_dag_union (stage->dag, g_array_index (before, RspNodeId, i), item);
      g_array_append_val (all, item);
    }
  return TRUE;
}

const StageValue *stage_spell_out (Stage *stage, RspSpan span, const StageValue *value) {
  if (value->kind == STAGE_ORDERS) {
    Linearising l = { .stage = stage, .span = span };
    if (!(l.set = stage_constant (stage, value->u.orders.set, span))
        || !(l.before = stage_constant (stage, value->u.orders.relation, span)))
      return NULL;
    l.placed = rsp_set_new (stage->arena, stage->dag->n);
    l.order = rsp_relation_new (stage->arena, stage->dag->n);
    l.found = g_ptr_array_new ();
    const StageValue *all = NULL;
    if (extend (&l))
      all = stage_set_of (stage, (StageItems) l.found->pdata, l.found->len);
    g_ptr_array_unref (l.found);
    return all;
  }
  if (value->kind == STAGE_CROSS) {
    g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (RspNodeId));
    g_array_append_val (all, stage->dag->empty[FALSE]);
    for (guint i = 0; i < value->u.list.n; i++) {
      StageItems items;
      guint n;
      if (!stage_elements (stage, value->u.list.items[i], span, &items, &n)
          || !multiply (stage, span, all, items, n))
        return NULL;
    }
    g_autoptr (GPtrArray) values = g_ptr_array_new ();
    for (guint i = 0; i < all->len; i++)
      g_ptr_array_add (values, (gpointer) stage_node (stage, g_array_index (all, RspNodeId, i)));
    return stage_set_of (stage, (StageItems) values->pdata, values->len);
  }
  return value;
}

/* ---- Choice --------------------------------------------------------------------------------- */

/* with x from e: a choice that is part of an execution.
 *
 * A linearisation becomes a chosen order of the search. A union of one linearisation of the writes
 * of each location (what herd7's cos.cat generates) is the search's own co. A choice among known
 * values is scripted: replaying the evaluation gives one staged model per value. */

#define MAX_CHOICES 100000 /* of one `with` */

/* The next scripted choice among n > 0 values. */
static void stage_choose (Stage *stage, guint n, guint *chosen) {
  if (stage->next_choice == stage->choices->len) {
    StageChoice first = { .chosen = 0, .n = n };
    g_array_append_val (stage->choices, first);
  }
  *chosen = g_array_index (stage->choices, StageChoice, stage->next_choice++).chosen;
}

/* Notes in the script whether a choice was taken in one way or another, which may depend on what is
 * known; where the script is given, returns what it says. */
static gboolean stage_note_choice (Stage *stage, gboolean way) {
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
  /* S, on the seq_cst events or, if they are open, on all events that may be seq_cst. */
  RspMatrix *set = rsp_set_new (arena, base->n);
  const RspMatrix *sc = base->sets[RSP_BASE_SET_SC], *initial = base->sets[RSP_BASE_SET_I];
  if (!base->open[RSP_BASE_SET_SC])
    rsp_matrix_union (set, set, sc ? sc : set);
  else {
    rsp_matrix_fill (set);
    if (initial)
      rsp_matrix_difference (set, set, initial);
  }
  return (RspStagedOrder){ .kind = RSP_CHOSEN_S, .name = "S", .set = set };
}

RspNodeId rsp_stage_sync_fence (Stage *stage) {
  guint index = 0;
  while (index < stage->orders->len
         && g_array_index (stage->orders, RspStagedOrder, index).kind != RSP_CHOSEN_SYNC_FENCE)
    index++;
  if (index == stage->orders->len) {
    RspStagedOrder order = sync_fence (stage->base, stage->arena);
    g_array_append_val (stage->orders, order);
    if (!stage->base->generic && !stage->base->relations[RSP_BASE_RELATION_SR]) {
      /* Of a choice on all fences, the part on those that are fence.sc. It must relate what
       * sync_fence does: the search does not know which these are. */
      RspDag *dag = stage->dag;
      const RspNodeId chosen = rsp_stage_chosen_order (stage, index);
      RspNodeId sc = rsp_stage_predefined (stage, "SC")->u.node,
                sr = rsp_stage_predefined (stage, "sr")->u.node;
      RspNodeId fences = rsp_dag_inter (dag, sc, rsp_stage_predefined (stage, "F")->u.node);
      RspNodeId pairs = rsp_dag_product (dag, fences, fences);
      RspNodeId either = rsp_dag_union (dag, dag->identity,
                                        rsp_dag_union (dag, chosen, rsp_dag_inverse (dag, chosen)));
      RspStagedAxiom axiom = { .role = RSPCHECK_ROLE_AXIOM,
                               .kind = RSPCHECK_AXIOM_EMPTY,
                               .name = "sync_fence",
                               .node = rsp_dag_diff (dag, rsp_dag_inter (dag, pairs, sr), either) };
      stage_add_axiom (stage, &axiom);
      return rsp_dag_inter (dag, pairs, chosen);
    }
  }
  return rsp_stage_chosen_order (stage, index);
}

RspNodeId rsp_stage_sc_order (RspDag *dag, const RspBase *base) {
  RspNodeId order = rsp_dag_base (dag, RSP_NODE_ORDER, 0);
  if (!base->open[RSP_BASE_SET_SC])
    return order;
  RspNodeId sc = rsp_dag_base (dag, RSP_NODE_OPEN, RSP_BASE_SET_SC);
  return rsp_dag_inter (dag, rsp_dag_product (dag, sc, sc), order);
}

/* Requires that the chosen order and a relation together have no cycle. */
static void stage_require_agreement (Stage *stage, RspSpan span, RspNodeId order,
                                     RspNodeId relation) {
  if (relation == stage->dag->empty[FALSE])
    return;
  RspStagedAxiom axiom = { .role = RSPCHECK_ROLE_AXIOM,
                           .kind = RSPCHECK_AXIOM_ACYCLIC,
                           .node = rsp_dag_union (stage->dag, order, relation),
                           .span = span };
  stage_add_axiom (stage, &axiom);
}

/* ---- Linearisations ---- */
static const StageValue *choose_order (Stage *stage, const RspCatStatement *statement,
                                       const StageValue *orders) {
  RspNodeId of = orders->u.orders.set;
  const RspMatrix *set = stage->base->generic ? NULL : stage_constant (stage, of, statement->span);
  if (!set && !stage->base->generic)
    return NULL;
  RspNodeId kept = orders->u.orders.relation;
  RspNodeId node = stage->dag->empty[FALSE];
  if (!set || rsp_matrix_count (set) > 1) {
    const char *name = statement->pattern->name;
    RspStagedOrder order = { .name = name ? name : "order",
                             .set = set ? rsp_matrix_copy (stage->arena, set) : NULL,
                             .of = of };
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
    all = rsp_dag_union (stage->dag, all, order->u.node);
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
  if (stage->base->generic
      && !(value->kind == STAGE_ORDERS && stage->options && stage->options->open_orders))
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

/* ---- Coherence ------------------------------------------------------------------------------ */

/* Which choices of a model are choices of the search's own coherence, and which pairs of it nobody
 * chooses. */

static const RspMatrix *predefined (Stage *stage, const char *name) {
  return rsp_dag_node (stage->dag, rsp_stage_predefined (stage, name)->u.node)->constant;
}

/* ---- Taking a part of coherence ---- */
/* Does another choice of the model already order some of these pairs? Initial writes, which come
 * first in all orders, do not matter. */
static gboolean is_taken (Stage *stage, const RspMatrix *within) {
  const RspMatrix *initial = predefined (stage, "I");
  for (guint a = 0; stage->seen_co && a < within->n; a++)
    for (all_bits (b, rsp_matrix_row (within, a), within->words))
      if (a != b && !rsp_set_has (initial, a) && !rsp_set_has (initial, b)
          && rsp_matrix_get (stage->seen_co, a, b))
        return TRUE;
  return FALSE;
}

static gboolean is_partial (const RspBase *base) {
  return base->language && base->language->partial_co;
}

/* The search's coherence on the pairs, which the model sees from now on. */
static RspNodeId take (Stage *stage, RspMatrix *within) {
  if (!stage->seen_co)
    stage->seen_co = rsp_relation_new (stage->arena, stage->dag->n);
  rsp_matrix_union (stage->seen_co, stage->seen_co, within);
  RspNodeId node = rsp_stage_coherence (stage);
  if (is_partial (stage->base)) {
    /* The orders that a model chooses are total, also where the search's coherence need not be. */
    RspMatrix *pairs = rsp_matrix_copy (stage->arena, within);
    for (guint e = 0; e < within->n; e++)
      rsp_matrix_remove (pairs, e, e);
    RspNodeId either = rsp_dag_union (stage->dag, node, rsp_dag_inverse (stage->dag, node));
    RspStagedAxiom axiom = { .role = RSPCHECK_ROLE_AXIOM,
                             .kind = RSPCHECK_AXIOM_EMPTY,
                             .name = "(total order)",
                             .node = rsp_dag_diff (
                                 stage->dag, rsp_dag_constant (stage->dag, FALSE, pairs), either) };
    stage_add_axiom (stage, &axiom);
  }
  RspNodeId writes = rsp_stage_predefined (stage, "W")->u.node;
  RspNodeId all = rsp_dag_inter (stage->dag, rsp_dag_product (stage->dag, writes, writes),
                                 rsp_stage_predefined (stage, "loc")->u.node);
  RspNodeId mask = rsp_dag_constant (stage->dag, FALSE, within);
  return mask == all ? node : rsp_dag_inter (stage->dag, mask, node);
}

/* ---- Crosses ---- */
/* The product of each set with itself, for sets of writes each to a location of its own; FALSE for
 * sets of any other form. A set of one event that is not a write is ignored: it has no order. */
static gboolean by_location (Stage *stage, const StageValue *cross, RspMatrix *within) {
  const RspMatrix *writes = predefined (stage, "W"), *loc = predefined (stage, "loc");
  RspMatrix *seen = rsp_set_new (stage->arena, stage->dag->n);
  RspMatrix *one = rsp_relation_new (stage->arena, stage->dag->n);
  for (guint i = 0; i < cross->u.list.n; i++) {
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

/* A relation on the sets of the cross: co0, or, if co0 is FALSE, what the orders must extend. */
static RspNodeId least_order (Stage *stage, const StageValue *cross, gboolean co0) {
  RspNodeId all = stage->dag->empty[FALSE], known = rsp_stage_predefined (stage, "co0")->u.node;
  for (guint i = 0; i < cross->u.list.n; i++) {
    const StageValue *orders = cross->u.list.items[i];
    all = rsp_dag_union (stage->dag, all,
                         co0 ? rsp_stage_order_within (stage, known, orders->u.orders.set)
                             : orders->u.orders.relation);
  }
  return all;
}

/* Coherence as a choice of an execution.
 *
 * The search orders all writes of each location. A model sees all of that if it names co (or fr,
 * coe, …), and otherwise the pairs that its own choices take (`with co from generate_cos(co0)`) and
 * the final writes of the observed locations. What it does not see is not a choice: of the
 * coherence orders that look alike to the model only one, by convention, is an execution. */
/* Is the choice from this cross one of the search's coherence between some writes? Then its value;
 * else NULL. */
static const StageValue *stage_coherence_of_cross (Stage *stage, RspSpan span,
                                                   const StageValue *cross) {
  RspMatrix *within = rsp_relation_new (stage->arena, stage->dag->n);
  RspNodeId known = stage->dag->empty[FALSE], extended = known;
  gboolean fits = by_location (stage, cross, within) && !is_taken (stage, within);
  if (fits) {
    known = least_order (stage, cross, TRUE);
    extended = least_order (stage, cross, FALSE);
  }
  fits = fits && rsp_dag_known_within (stage->dag, known, extended, NULL, NULL);
  if (!stage_note_choice (stage, fits))
    return NULL;
  RspNodeId node = take (stage, within);
  stage_require_agreement (stage, span, node, rsp_dag_diff (stage->dag, extended, known));
  return stage_node (stage, node);
}

/* ---- Listed values ---- */
/* Is the relation a coherence order: total and transitive on writes_loc (the pairs of writes to the
 * same location that are to be ordered), extending co0? */
static gboolean is_coherence (const RspMatrix *r, const RspMatrix *writes_loc, const RspMatrix *co0,
                              RspMatrix *scratch) {
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

/* TRUE if co0 leaves the write's place in the coherence of its location open. */
static gboolean is_free (const RspMatrix *co0, const RspMatrix *initial, guint write) {
  if (rsp_set_has (initial, write))
    return FALSE;
  for (guint e = 0; e < co0->n; e++)
    if (!rsp_set_has (initial, e) && rsp_matrix_get (co0, e, write))
      return FALSE; /* it is final */
  return TRUE;
}

/* The number of coherence orders of these writes that extend co0; limit + 1 if there are more than
 * `limit`. */
static guint count_coherences (Stage *stage, const RspMatrix *writes, const RspMatrix *writes_loc,
                               const RspMatrix *co0, guint limit) {
  const RspMatrix *initial = predefined (stage, "I");
  guint64 count = 1;
  for (all_bits (e, writes->bits, writes->words)) {
    guint before = 0; /* the e-th write of its location multiplies by e */
    if (!is_free (co0, initial, e))
      continue;
    for (all_bits (other, rsp_matrix_row (writes_loc, e), writes->words))
      before += other <= e && is_free (co0, initial, other);
    count *= before;
    if (count > limit)
      return limit + 1;
  }
  return (guint) count;
}

/* The events that the values relate. FALSE if one of them is not a known relation. */
static gboolean collect_field (Stage *stage, StageItems items, guint n, RspMatrix *field) {
  for (guint i = 0; i < n; i++) {
    if (items[i]->kind != STAGE_NODE || !stage_is_relation (stage, items[i])
        || !stage_is_constant (stage, items[i]->u.node))
      return FALSE;
    const RspMatrix *r = rsp_dag_node (stage->dag, items[i]->u.node)->constant;
    for (guint e = 0; e < r->n; e++)
      for (all_bits (other, rsp_matrix_row (r, e), r->words)) {
        rsp_set_add (field, e);
        rsp_set_add (field, other);
      }
  }
  return TRUE;
}

/* Are these values exactly the coherence orders of all writes, or of some? within: the pairs that
 * are ordered. */
static gboolean are_all_coherences (Stage *stage, StageItems items, guint n, RspMatrix *within) {
  RspMatrix *field = rsp_set_new (stage->arena, stage->dag->n);
  RspMatrix *scratch = rsp_relation_new (stage->arena, stage->dag->n);
  RspNodeId known = rsp_stage_predefined (stage, "co0")->u.node;
  if (n < 2 || !stage_is_constant (stage, known) || !collect_field (stage, items, n, field)
      || !rsp_matrix_subset (field, predefined (stage, "W")))
    return FALSE;
  const RspMatrix *co0 = rsp_dag_node (stage->dag, known)->constant;
  rsp_relation_product (within, field, field);
  rsp_matrix_intersect (within, within, predefined (stage, "loc"));
  if (count_coherences (stage, field, within, co0, n) != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!is_coherence (rsp_dag_node (stage->dag, items[i]->u.node)->constant, within, co0, scratch))
      return FALSE;
  return TRUE;
}

/* The same for a choice from listed values. */
static const StageValue *stage_coherence_of_list (Stage *stage, StageItems items, guint n) {
  RspMatrix *within = rsp_relation_new (stage->arena, stage->dag->n);
  if (!stage_note_choice (stage, are_all_coherences (stage, items, n, within)
                                     && !is_taken (stage, within)))
    return NULL;
  return stage_node (stage, take (stage, within));
}

/* ---- Final writes ---- */
/* The writes of which one is the final write of the location of an initial write, if that is
 * observed. */
static RspMatrix *possible_finals (const Stage *stage, guint initial) {
  const RspBase *base = stage->base;
  const RspMatrix *observed = base->sets[RSP_BASE_SET_OBSERVED];
  RspMatrix *writes = rsp_set_new (stage->arena, base->n);
  for (all_bits (e, rsp_matrix_row (base->relations[RSP_BASE_RELATION_LOC], initial),
                 observed->words))
    if (rsp_set_has (observed, e) && e != initial)
      rsp_set_add (writes, e);
  if (rsp_matrix_is_empty (writes) && rsp_set_has (observed, initial))
    rsp_set_add (writes, initial);
  return writes;
}

gboolean stage_has_one_final (const Stage *stage) {
  return !is_partial (stage->base) || !stage->model->sees_co;
}

guint stage_count_finals (Stage *stage, guint limit) {
  const RspMatrix *initial = stage->base->sets[RSP_BASE_SET_I];
  guint64 n = 1;
  for (all_bits (e, initial->bits, initial->words))
    n *= MIN (MAX (rsp_matrix_count (possible_finals (stage, e)), 1), limit);
  return (guint) MIN (n, limit);
}

void stage_assume_finals (Stage *stage) {
  const RspMatrix *initial = stage->base->sets[RSP_BASE_SET_I];
  stage->finals = rsp_set_new (stage->arena, stage->base->n);
  for (all_bits (e, initial->bits, initial->words)) {
    const RspMatrix *writes = possible_finals (stage, e);
    guint n = rsp_matrix_count (writes), chosen = 0,
          final = rsp_next_bit (writes->bits, writes->words, 0);
    if (n > 1)
      stage_choose (stage, n, &chosen);
    for (; chosen > 0; chosen--)
      final = rsp_next_bit (writes->bits, writes->words, final + 1);
    if (n > 0)
      rsp_set_add (stage->finals, final);
  }
  stage->n_assumed_finals = stage->next_choice;
  RspNodeId followed = rsp_dag_domain (stage->dag, rsp_stage_coherence (stage));
  RspNodeId finals
      = rsp_dag_constant (stage->dag, TRUE, rsp_matrix_copy (stage->arena, stage->finals));
  RspStagedAxiom axiom = { .role = RSPCHECK_ROLE_AXIOM,
                           .kind = RSPCHECK_AXIOM_EMPTY,
                           .name = "(final writes)",
                           .node = rsp_dag_inter (stage->dag, finals, followed) };
  stage_add_axiom (stage, &axiom);
}

/* ---- The convention ---- */
/* Pairs of writes to one location, other than its initial write. */
static RspMatrix *rivals (const RspBase *base, RspArena *arena) {
  const RspMatrix *writes = base->sets[RSP_BASE_SET_W], *initial = base->sets[RSP_BASE_SET_I];
  const RspMatrix *loc = base->relations[RSP_BASE_RELATION_LOC];
  RspMatrix *pairs = rsp_relation_new (arena, base->n), *others = rsp_set_new (arena, base->n);
  if (!writes || !loc)
    return pairs;
  rsp_matrix_union (others, others, writes);
  if (initial)
    rsp_matrix_difference (others, others, initial);
  rsp_relation_product (pairs, others, others);
  rsp_matrix_intersect (pairs, pairs, loc);
  return pairs;
}

/* The first of the writes that the model sees ordered with this one: two writes with the same one
 * are ordered by the model's choice, two others by convention. */
static guint part_of (const RspMatrix *pairs, const RspMatrix *seen, guint write) {
  for (guint e = 0; seen && e < write; e++)
    if (rsp_matrix_get (pairs, e, write) && rsp_matrix_get (seen, e, write))
      return e;
  return write;
}

/* Pairs of writes to one location that are against the convention, which orders parts by their
 * first writes, or not at all where coherence is partial. */
static RspMatrix *against_convention (const RspBase *base, const RspMatrix *seen, RspArena *arena) {
  RspMatrix *against = rsp_relation_new (arena, base->n), *pairs = rivals (base, arena);
  if (is_partial (base)) {
    if (seen)
      rsp_matrix_difference (pairs, pairs, seen);
    return pairs;
  }
  for (guint a = 0; a < base->n; a++)
    for (all_bits (b, rsp_matrix_row (pairs, a), pairs->words))
      if (part_of (pairs, seen, a) > part_of (pairs, seen, b))
        rsp_matrix_add (against, a, b);
  return against;
}

#define UNSEEN "(unseen coherence)"

static void require_empty (RspDag *dag, RspNodeId node, const char *name, RspAddedAxioms *added) {
  RspStagedAxiom axiom
      = { .role = RSPCHECK_ROLE_AXIOM, .kind = RSPCHECK_AXIOM_EMPTY, .name = name, .node = node };
  if (!stage_is_settled (&axiom, rsp_dag_node (dag, node)->constant))
    added->axioms[added->n++] = axiom;
}

/* Accesses that are repeated for ever come after all others, for each of which there are finitely
 * many: no read, write or overwriting of theirs is before another event in coherence or reads-from.
 */
static void require_last_writes (RspDag *dag, const RspBase *base, const RspMatrix *repeated,
                                 RspAddedAxioms *added) {
  RspMatrix *others = rsp_set_new (dag->arena, base->n);
  RspMatrix *before = rsp_relation_new (dag->arena, base->n);
  rsp_matrix_fill (others);
  rsp_matrix_difference (others, others, repeated);
  rsp_relation_product (before, repeated, others);
  RspNodeId co = stage_decided (dag, RSP_NODE_CO, base->co);
  RspNodeId rf = stage_decided (dag, RSP_NODE_RF, base->rf);
  RspNodeId fr = rsp_dag_seq (dag, rsp_dag_inverse (dag, rf), co);
  RspNodeId all = rsp_dag_union (dag, rf, rsp_dag_union (dag, co, fr));
  require_empty (dag, rsp_dag_inter (dag, rsp_dag_constant (dag, FALSE, before), all),
                 "last_writes", added);
}

RspMatrix *rsp_stage_fix_coherence (RspDag *dag, const RspBase *base, const RspStagedModel *model,
                                    const RspMatrix *seen, RspAddedAxioms *added) {
  added->n = 0;
  const RspMatrix *repeated = base->sets[RSP_BASE_SET_REPEATED];
  /* Does a model that sees final writes, but not all of a partial coherence, see one for each
   * location? */
  gboolean one_final = is_partial (base) && model->sees_finals && !model->sees_co;
  if (one_final) {
    RspMatrix *pairs = rivals (base, dag->arena);
    rsp_matrix_intersect (pairs, pairs, base->relations[RSP_BASE_RELATION_CO_FINAL]);
    RspNodeId followed = rsp_dag_domain (dag, stage_decided (dag, RSP_NODE_CO, base->co));
    RspNodeId last = rsp_dag_diff (dag, dag->universe[TRUE], followed);
    require_empty (dag,
                   rsp_dag_inter (dag, rsp_dag_constant (dag, FALSE, pairs),
                                  rsp_dag_product (dag, last, last)),
                   "(one final write)", added);
  }
  if (repeated && !rsp_matrix_is_empty (repeated)) {
    require_last_writes (dag, base, repeated, added);
    return NULL;
  }
  RspMatrix *against = model->sees_co ? NULL : against_convention (base, seen, dag->arena);
  if (!against || rsp_matrix_is_empty (against))
    return NULL;
  /* Where coherence is partial, what the model does not see is unordered. */
  if (is_partial (base) && !one_final)
    require_empty (dag,
                   rsp_dag_inter (dag, rsp_dag_constant (dag, FALSE, against),
                                  stage_decided (dag, RSP_NODE_CO, base->co)),
                   UNSEEN, added);
  else {
    /* Only the final write of an observed location may follow a write against the convention: then
     * the order of the parts is determined by which write is final. */
    const RspMatrix *to_final = base->relations[RSP_BASE_RELATION_CO_FINAL];
    RspMatrix *observed = rsp_relation_new (dag->arena, base->n);
    RspMatrix *unobserved = rsp_matrix_copy (dag->arena, against);
    if (to_final)
      rsp_matrix_intersect (observed, against, to_final);
    rsp_matrix_difference (unobserved, unobserved, observed);
    RspNodeId co = stage_decided (dag, RSP_NODE_CO, base->co);
    RspNodeId not_final = rsp_dag_identity_on (dag, rsp_dag_domain (dag, co));
    RspNodeId early = rsp_dag_seq (
        dag, rsp_dag_inter (dag, rsp_dag_constant (dag, FALSE, observed), co), not_final);
    RspNodeId any = rsp_dag_inter (dag, rsp_dag_constant (dag, FALSE, unobserved), co);
    require_empty (dag, rsp_dag_union (dag, any, early), UNSEEN, added);
  }
  return against;
}

RspMatrix *rsp_stage_unseen_coherence (const RspBase *base, gboolean sees_co, const RspMatrix *seen,
                                       RspArena *arena) {
  const RspMatrix *repeated = base->sets[RSP_BASE_SET_REPEATED];
  if (sees_co || !base->co || (repeated && !rsp_matrix_is_empty (repeated)))
    return NULL;
  RspMatrix *unseen = against_convention (base, seen, arena);
  RspMatrix *inverse = rsp_relation_new (arena, base->n);
  rsp_relation_inverse (inverse, unseen);
  rsp_matrix_union (unseen, unseen, inverse);
  rsp_matrix_intersect (unseen, unseen, base->co);
  const RspMatrix *to_final = base->relations[RSP_BASE_RELATION_CO_FINAL];
  for (guint a = 0; to_final && a < base->n; a++)
    for (guint b = 0; b < base->n; b++)
      if (rsp_matrix_get (to_final, a, b)
          && rsp_next_bit (rsp_matrix_row (base->co, b), base->co->words, 0)
                 >= base->co->n) /* last */
        rsp_matrix_remove (unseen, a, b);
  return unseen;
}
