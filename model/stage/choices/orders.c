/* Lists the elements of linearisations and products of choices one by one. That is delayed until
 * the elements are needed, since `with` makes them choices of the search instead (choice.c). */
#include "model/stage/choices/orders.h"
#include "model/stage/expr.h"
#include "model/stage/set.h"
#include "model/stage/value.h"

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

static gboolean keep_order (Linearising *l) {
  if (l->found->len >= MAX_SPELT_OUT)
    return too_many (l->stage, l->span);
  RspMatrix *order = rsp_matrix_copy (l->stage->arena, l->order);
  RspNodeId node = rsp_dag_constant (l->stage->dag, FALSE, order);
  g_ptr_array_add (l->found, (gpointer) stage_node (l->stage, node));
  return TRUE;
}

/* Places one more event after those already placed, in every possible way; the recursion is as deep
 * as the set is large. */
static gboolean extend (Linearising *l) {
  if (!stage_spend (l->stage, l->span, 1))
    return FALSE;
  if (rsp_matrix_equal (l->placed, l->set))
    return keep_order (l);
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

static const StageValue *spell_out_orders (Stage *stage, RspSpan span, const StageValue *value) {
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
      item
          = rsp_dag_binary (stage->dag, RSP_NODE_UNION, g_array_index (before, RspNodeId, i), item);
      g_array_append_val (all, item);
    }
  return TRUE;
}

static const StageValue *spell_out_cross (Stage *stage, RspSpan span, const StageValue *value) {
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

const StageValue *stage_spell_out (Stage *stage, RspSpan span, const StageValue *value) {
  if (value->kind == STAGE_ORDERS)
    return spell_out_orders (stage, span, value);
  if (value->kind == STAGE_CROSS)
    return spell_out_cross (stage, span, value);
  return value;
}
