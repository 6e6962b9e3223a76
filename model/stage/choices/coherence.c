/* Which choices of a model are of the search's own coherence, and what of it is nobody's choice. */
#include "model/stage/choices/coherence.h"
#include "model/dag/simplify.h"
#include "model/stage/choices/choice.h"
#include "model/stage/predefined/functions.h"
#include "model/stage/predefined/names.h"
#include "model/stage/statement.h"
#include "model/stage/value.h"

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

/* The orders that a model chooses are total, also where the search's coherence need not be. */
static void require_total (Stage *stage, RspNodeId order, const RspMatrix *within) {
  RspMatrix *pairs = rsp_matrix_copy (stage->arena, within);
  for (guint e = 0; e < within->n; e++)
    rsp_matrix_remove (pairs, e, e);
  RspNodeId either = stage_binary_node (stage, RSP_NODE_UNION, order,
                                        rsp_dag_unary (stage->dag, RSP_NODE_INVERSE, order));
  RspStagedAxiom axiom
      = { .role = RSPCHECK_ROLE_AXIOM,
          .kind = RSPCHECK_AXIOM_EMPTY,
          .name = "(total order)",
          .node = stage_binary_node (stage, RSP_NODE_DIFF,
                                     rsp_dag_constant (stage->dag, FALSE, pairs), either) };
  stage_add_axiom (stage, &axiom);
}

/* The search's coherence on the pairs, which the model sees from now on. */
static RspNodeId take (Stage *stage, RspMatrix *within) {
  if (!stage->seen_co)
    stage->seen_co = rsp_relation_new (stage->arena, stage->dag->n);
  rsp_matrix_union (stage->seen_co, stage->seen_co, within);
  RspNodeId node = rsp_stage_coherence (stage);
  if (is_partial (stage->base))
    require_total (stage, node, within);
  RspNodeId writes = rsp_stage_predefined (stage, "W")->u.node;
  RspNodeId all = stage_binary_node (stage, RSP_NODE_INTER,
                                     stage_binary_node (stage, RSP_NODE_PRODUCT, writes, writes),
                                     rsp_stage_predefined (stage, "loc")->u.node);
  RspNodeId mask = rsp_dag_constant (stage->dag, FALSE, within);
  return mask == all ? node : stage_binary_node (stage, RSP_NODE_INTER, mask, node);
}

/* ---- Crosses ---- */

/* The product of each set with itself, for sets of writes each to a location of its own; FALSE for
 * sets of any other form. A set of one event that is no write does not matter: it has no order. */
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
    all = stage_binary_node (stage, RSP_NODE_UNION, all,
                             co0 ? rsp_stage_order_within (stage, known, orders->u.orders.set)
                                 : orders->u.orders.relation);
  }
  return all;
}

const StageValue *stage_coherence_of_cross (Stage *stage, RspSpan span, const StageValue *cross) {
  RspMatrix *within = rsp_relation_new (stage->arena, stage->dag->n);
  RspNodeId known = stage->dag->empty[FALSE], extended = known;
  gboolean fits = by_location (stage, cross, within) && !is_taken (stage, within);
  if (fits) {
    known = least_order (stage, cross, TRUE);
    extended = least_order (stage, cross, FALSE);
  }
  if (!stage_note_choice (stage, fits && rsp_dag_within (stage->dag, known, extended)))
    return NULL;
  RspNodeId node = take (stage, within);
  stage_require_agreement (stage, span, node,
                           stage_binary_node (stage, RSP_NODE_DIFF, extended, known));
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

/* Does co0 leave the place of the write in the coherence of its location open? */
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

const StageValue *stage_coherence_of_list (Stage *stage, StageItems items, guint n) {
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
  RspNodeId followed = rsp_dag_unary (stage->dag, RSP_NODE_DOMAIN, rsp_stage_coherence (stage));
  RspNodeId finals
      = rsp_dag_constant (stage->dag, TRUE, rsp_matrix_copy (stage->arena, stage->finals));
  RspStagedAxiom axiom = { .role = RSPCHECK_ROLE_AXIOM,
                           .kind = RSPCHECK_AXIOM_EMPTY,
                           .name = "(final writes)",
                           .node = stage_binary_node (stage, RSP_NODE_INTER, finals, followed) };
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

static RspNodeId coherence_leaf (RspDag *dag, const RspBase *base, RspArena *arena) {
  return base->co ? rsp_dag_constant (dag, FALSE, rsp_matrix_copy (arena, base->co))
                  : rsp_dag_base (dag, RSP_NODE_CO, 0);
}

#define UNSEEN "(unseen coherence)"

static void require_empty (RspDag *dag, RspNodeId node, const char *name, RspAddedAxioms *added) {
  RspStagedAxiom axiom
      = { .role = RSPCHECK_ROLE_AXIOM, .kind = RSPCHECK_AXIOM_EMPTY, .name = name, .node = node };
  if (!stage_is_settled (&axiom, rsp_dag_node (dag, node)->constant))
    added->axioms[added->n++] = axiom;
}

/* Only the final write of an observed location may follow a write against the convention: then the
 * order of the parts is determined by which write is final. */
static void require_convention (RspDag *dag, const RspBase *base, const RspMatrix *against,
                                RspAddedAxioms *added, RspArena *arena) {
  const RspMatrix *to_final = base->relations[RSP_BASE_RELATION_CO_FINAL];
  RspMatrix *observed = rsp_relation_new (arena, base->n);
  RspMatrix *unobserved = rsp_matrix_copy (arena, against);
  if (to_final)
    rsp_matrix_intersect (observed, against, to_final);
  rsp_matrix_difference (unobserved, unobserved, observed);
  RspNodeId co = coherence_leaf (dag, base, arena);
  RspNodeId not_final
      = rsp_dag_unary (dag, RSP_NODE_IDENTITY, rsp_dag_unary (dag, RSP_NODE_DOMAIN, co));
  RspNodeId early = rsp_dag_binary (
      dag, RSP_NODE_SEQ,
      rsp_dag_binary (dag, RSP_NODE_INTER, rsp_dag_constant (dag, FALSE, observed), co), not_final);
  RspNodeId any
      = rsp_dag_binary (dag, RSP_NODE_INTER, rsp_dag_constant (dag, FALSE, unobserved), co);
  require_empty (dag, rsp_dag_binary (dag, RSP_NODE_UNION, any, early), UNSEEN, added);
}

/* Where coherence is partial, what the model does not see is unordered. */
static void require_unordered (RspDag *dag, const RspBase *base, RspMatrix *against,
                               RspAddedAxioms *added, RspArena *arena) {
  require_empty (dag,
                 rsp_dag_binary (dag, RSP_NODE_INTER, rsp_dag_constant (dag, FALSE, against),
                                 coherence_leaf (dag, base, arena)),
                 UNSEEN, added);
}

/* Does a model that sees final writes, but not all of a partial coherence, see one for each
 * location? */
static gboolean makes_one_final (const RspBase *base, const RspStagedModel *model) {
  return is_partial (base) && model->sees_finals && !model->sees_co;
}

static void require_one_final (RspDag *dag, const RspBase *base, RspAddedAxioms *added,
                               RspArena *arena) {
  RspMatrix *pairs = rivals (base, arena);
  rsp_matrix_intersect (pairs, pairs, base->relations[RSP_BASE_RELATION_CO_FINAL]);
  RspNodeId followed = rsp_dag_unary (dag, RSP_NODE_DOMAIN, coherence_leaf (dag, base, arena));
  RspNodeId last = rsp_dag_binary (dag, RSP_NODE_DIFF, dag->universe[TRUE], followed);
  require_empty (dag,
                 rsp_dag_binary (dag, RSP_NODE_INTER, rsp_dag_constant (dag, FALSE, pairs),
                                 rsp_dag_binary (dag, RSP_NODE_PRODUCT, last, last)),
                 "(one final write)", added);
}

/* Accesses that are repeated for ever come after all others, for each of which there are finitely
 * many: no read, write or overwriting of theirs is before another event in coherence or reads-from.
 */
static void require_last_writes (RspDag *dag, const RspBase *base, const RspMatrix *repeated,
                                 RspAddedAxioms *added, RspArena *arena) {
  RspMatrix *others = rsp_set_new (arena, base->n), *before = rsp_relation_new (arena, base->n);
  rsp_matrix_fill (others);
  rsp_matrix_difference (others, others, repeated);
  rsp_relation_product (before, repeated, others);
  RspNodeId co = coherence_leaf (dag, base, arena);
  RspNodeId rf = base->rf ? rsp_dag_constant (dag, FALSE, rsp_matrix_copy (arena, base->rf))
                          : rsp_dag_base (dag, RSP_NODE_RF, 0);
  RspNodeId fr = rsp_dag_binary (dag, RSP_NODE_SEQ, rsp_dag_unary (dag, RSP_NODE_INVERSE, rf), co);
  RspNodeId all
      = rsp_dag_binary (dag, RSP_NODE_UNION, rf, rsp_dag_binary (dag, RSP_NODE_UNION, co, fr));
  require_empty (dag,
                 rsp_dag_binary (dag, RSP_NODE_INTER, rsp_dag_constant (dag, FALSE, before), all),
                 "last_writes", added);
}

RspMatrix *rsp_stage_fix_coherence (RspDag *dag, const RspBase *base, const RspStagedModel *model,
                                    const RspMatrix *seen, RspAddedAxioms *added, RspArena *arena) {
  added->n = 0;
  const RspMatrix *repeated = base->sets[RSP_BASE_SET_REPEATED];
  gboolean one_final = makes_one_final (base, model);
  if (one_final)
    require_one_final (dag, base, added, arena);
  if (repeated && !rsp_matrix_is_empty (repeated)) {
    require_last_writes (dag, base, repeated, added, arena);
    return NULL;
  }
  RspMatrix *against = model->sees_co ? NULL : against_convention (base, seen, arena);
  if (!against || rsp_matrix_is_empty (against))
    return NULL;
  if (is_partial (base) && !one_final)
    require_unordered (dag, base, against, added, arena);
  else
    require_convention (dag, base, against, added, arena);
  return against;
}

static gboolean is_last (const RspMatrix *co, guint write) {
  return rsp_next_bit (rsp_matrix_row (co, write), co->words, 0) >= co->n;
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
      if (rsp_matrix_get (to_final, a, b) && is_last (base->co, b))
        rsp_matrix_remove (unseen, a, b);
  return unseen;
}
