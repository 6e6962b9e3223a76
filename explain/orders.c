#include "explain/orders.h"

typedef struct Finding {
  GHashTable *seen;   /* terms */
  GPtrArray *found;   /* of RspTraceTerm: orders */
  RspMatrix *scratch; /* n × n */
  const RspMatrix *po;
} Finding;

/* ---- Which relations are orders ---- */

static gboolean is_strict_order (const Finding *finding, const RspMatrix *relation) {
  for (guint e = 0; e < relation->n; e++)
    if (rsp_matrix_get (relation, e, e))
      return FALSE;
  rsp_relation_compose (finding->scratch, relation, relation);
  return rsp_matrix_count (relation) > 0 && rsp_matrix_subset (finding->scratch, relation);
}

static gboolean is_in_field (const RspMatrix *relation, guint event) {
  for (guint e = 0; e < relation->n; e++)
    if (rsp_matrix_get (relation, e, event) || rsp_matrix_get (relation, event, e))
      return TRUE;
  return FALSE;
}

/* Does it contain program order on its events? Coherence, for example, does not. */
static gboolean has_program_order (const Finding *finding, const RspMatrix *relation) {
  gboolean any = FALSE;
  for (guint a = 0; a < relation->n; a++)
    for (all_bits (b, rsp_matrix_row (finding->po, a), finding->po->words))
      if (is_in_field (relation, a) && is_in_field (relation, b)) {
        any = TRUE;
        if (!rsp_matrix_get (relation, a, b))
          return FALSE;
      }
  return any;
}

static gboolean is_own (const RspTraceTerm *term) {
  return term->name && !term->is_set && term->op != RSP_TRACE_BASE && term->op != RSP_TRACE_CHOSEN
         && term->op != RSP_TRACE_VALUE;
}

/* Orders among the terms that a term is made of, itself first. */
static void find_orders (Finding *finding, const RspTraceTerm *term) {
  if (!g_hash_table_add (finding->seen, (gpointer) term))
    return;
  if (is_own (term) && is_strict_order (finding, term->value)
      && has_program_order (finding, term->value))
    g_ptr_array_add (finding->found, (gpointer) term);
  for (guint i = 0; i < rsp_trace_op_arity (term->op); i++)
    find_orders (finding, term->operands[i]);
}

/* Is the order within another one, or the same as one before it? */
static gboolean is_within_another (const GPtrArray *found, guint i) {
  const RspTraceTerm *term = found->pdata[i];
  for (guint k = 0; k < found->len; k++) {
    const RspTraceTerm *other = found->pdata[k];
    gboolean same = rsp_matrix_equal (term->value, other->value);
    if (k != i && rsp_matrix_subset (term->value, other->value) && (!same || k < i))
      return TRUE;
  }
  return FALSE;
}

/* ---- Their edges ---- */

static gboolean follows_from_others (const RspMatrix *order, guint a, guint b) {
  for (guint z = 0; z < order->n; z++)
    if (rsp_matrix_get (order, a, z) && rsp_matrix_get (order, z, b))
      return TRUE;
  return FALSE;
}

static void derive_edges (Scene *scene, const RspTraceTerm *term, GPtrArray *steps) {
  const RspPreExecution *pre = scene->execution->pre;
  for (guint a = 0; a < pre->n; a++)
    for (guint b = 0; b < pre->n; b++) {
      guint from = pre->events[a]->thread, to = pre->events[b]->thread;
      gboolean crosses = from != to && from != RSP_NO_THREAD && to != RSP_NO_THREAD;
      if (crosses && rsp_matrix_get (term->value, a, b) && !follows_from_others (term->value, a, b))
        g_ptr_array_add (steps, (gpointer) steps_derive (scene->steps, term, a, b));
    }
}

void orders_derive (Scene *scene, GPtrArray *steps) {
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  RspMatrix *scratch = rsp_relation_new (scene->arena, scene->execution->pre->n);
  Finding finding
      = { seen, found, scratch, scene->execution->pre->base->relations[RSP_BASE_RELATION_PO] };
  for (guint i = 0; i < scene->trace->n_axioms; i++)
    if (scene->trace->axioms[i].role == RSPCHECK_ROLE_AXIOM)
      find_orders (&finding, scene->trace->axioms[i].term);
  for (guint i = 0; i < found->len; i++)
    if (!is_within_another (found, i))
      derive_edges (scene, found->pdata[i], steps);
}
