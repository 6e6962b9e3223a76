#include "enumerator/search/sat/choices.h"
#include "enumerator/event.h"
#include "model/stage/choices/choice.h"

/* ---- Reads-from ---- */

/* A read that exists reads from one write, which exists. */
static void choose_source (SatChoices *choices, guint read) {
  const SatFold *fold = choices->fold;
  const RspPreExecution *pre = fold->pre;
  g_autofree Lit *lits = g_new (Lit, pre->n + 1);
  guint n = 0;
  for (all_bits (write, rsp_matrix_row (pre->candidates, read), pre->candidates->words)) {
    if (!rsp_matrix_get (fold->together, write, read))
      continue;
    Lit lit = circuit_input (fold->circuit);
    circuit_imply (fold->circuit, lit, sat_fold_both (fold, write, read));
    choices->rf[write * pre->n + read] = lits[n++] = lit;
  }
  circuit_at_most_one (fold->circuit, lits, n);
  lits[n++] = lit_not (fold->exists[read]);
  circuit_clause (fold->circuit, lits, n);
}

static void choose_sources (SatChoices *choices) {
  const RspPreExecution *pre = choices->fold->pre;
  choices->rf = rsp_arena_new0 (choices->fold->arena, Lit, (gsize) pre->n * pre->n);
  for (guint i = 0; i < pre->n_reads; i++)
    choose_source (choices, pre->reads[i]);
}

/* ---- Orders ---- */

/* Gives every pair its literals: one for both ways if it must be ordered, else two. */
static void choose_pairs (const SatFold *fold, SatOrder *order, const RspMatrix *related) {
  guint n = fold->pre->n;
  Circuit *circuit = fold->circuit;
  order->before = rsp_arena_new0 (fold->arena, Lit, (gsize) n * n);
  for (guint a = 0; a < n; a++)
    for (all_bits (b, rsp_matrix_row (order->pairs, a), order->pairs->words)) {
      if (b < a)
        continue;
      Lit lit = circuit_input (circuit);
      order->before[a * n + b] = lit;
      order->before[b * n + a] = lit_not (lit);
      if (related && !rsp_matrix_get (related, a, b)) {
        Lit other = order->before[b * n + a] = circuit_input (circuit);
        circuit_clause (circuit, (Lit[]){ lit_not (lit), lit_not (other) }, 2);
      }
    }
}

/* Transitivity, of events that may all exist. A total order needs it in two of the six directions.
 */
static void close_triple (const SatFold *fold, const SatOrder *order, guint a, guint b, guint c) {
  guint n = fold->pre->n;
  const Lit *before = order->before;
  circuit_clause (
      fold->circuit,
      (Lit[]){ lit_not (before[a * n + b]), lit_not (before[b * n + c]), before[a * n + c] }, 3);
}

static void close_order (const SatFold *fold, const SatOrder *order, gboolean total) {
  guint words = order->pairs->words;
  for (guint a = 0; a < fold->pre->n && !rsp_arena_is_exhausted (fold->arena); a++)
    for (all_bits (b, rsp_matrix_row (order->pairs, a), words))
      for (all_bits (c, rsp_matrix_row (order->pairs, b), words)) {
        gboolean once = total ? (a < b && a < c) : a != c;
        if (once && rsp_matrix_get (order->pairs, a, c))
          close_triple (fold, order, a, b, c);
      }
}

static void choose_order (const SatFold *fold, SatOrder *order, const RspMatrix *related) {
  choose_pairs (fold, order, related);
  close_order (fold, order, !related);
}

/* Initial writes come first. one_final: the model sees only which write is last: then the order is
 * total, and what else of it is chosen makes no difference. */
static void choose_coherence (SatChoices *choices, gboolean one_final) {
  const SatFold *fold = choices->fold;
  const RspPreExecution *pre = fold->pre;
  SatOrder *co = &choices->co;
  co->pairs = rsp_relation_new (fold->arena, pre->n);
  for (guint a = pre->first[0]; a < pre->n; a++)
    for (guint b = pre->first[0]; b < pre->n; b++)
      if (a != b && rsp_event_is_write (pre->events[a]) && rsp_event_is_write (pre->events[b])
          && pre->events[a]->location == pre->events[b]->location
          && rsp_matrix_get (fold->together, a, b))
        rsp_matrix_add (co->pairs, a, b);
  choose_order (fold, co, one_final ? NULL : pre->related_writes);
  for (guint initial = 0; initial < pre->first[0]; initial++)
    for (guint w = pre->first[0]; w < pre->n; w++)
      if (rsp_event_is_write (pre->events[w])
          && pre->events[w]->location == pre->events[initial]->location) {
        rsp_matrix_add (co->pairs, initial, w);
        co->before[initial * pre->n + w] = LIT_TRUE;
      }
}

static void choose_model_order (const SatFold *fold, RspChosenKind kind, SatOrder *order) {
  RspStagedOrder staged = rsp_stage_predefined_order (kind, fold->pre->base, fold->arena);
  order->pairs = rsp_relation_new (fold->arena, fold->pre->n);
  rsp_relation_product (order->pairs, staged.set, staged.set);
  rsp_matrix_intersect (order->pairs, order->pairs, fold->together);
  for (guint e = 0; e < fold->pre->n; e++)
    rsp_matrix_remove (order->pairs, e, e);
  choose_order (fold, order, staged.related);
}

SatChoices *sat_choices_new (const SatFold *fold, const RspStagedModel *model) {
  SatChoices *choices = rsp_arena_new0 (fold->arena, SatChoices, 1);
  choices->fold = fold;
  choose_sources (choices);
  choose_coherence (choices, model->sees_finals && !model->sees_co);
  choices->orders = rsp_arena_new0 (fold->arena, SatOrder, model->n_orders + 1);
  for (guint i = 0; i < model->n_orders; i++)
    choose_model_order (fold, model->orders[i].kind, &choices->orders[i]);
  return choices;
}

Lit sat_choices_ordered (const SatChoices *choices, const SatOrder *order, guint a, guint b) {
  if (!rsp_matrix_get (order->pairs, a, b))
    return LIT_FALSE;
  return circuit_and (choices->fold->circuit, order->before[a * choices->fold->pre->n + b],
                      sat_fold_both (choices->fold, a, b));
}
