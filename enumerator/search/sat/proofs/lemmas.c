#include "enumerator/search/sat/proofs/lemmas.h"
#include "enumerator/event.h"
#include "enumerator/search/sat/proofs/certain.h"

struct SatLemmas {
  const SatPart *part;
  SatRelations *whole;
  const RspMatrix *aside; /* a set */
  RspMatrix *unseen;      /* a set: what may be removed, or is aside */
  Lit *seen;              /* per event: it is left, and not aside */
  RspMatrix **certain;    /* of the part */
  guint8 *proven;         /* per node: of SatLemma, what the solver has shown */
  guint8 *known;          /* per node: the same, with what follows from that */
  guint8 *tried[2];       /* per node: the same, what has been asked; [1]: pair by pair too */
  gboolean keeps_rf;      /* does no read that is left read from a write that is removed? */
};

/* ---- What may be lost with unseen events ---- */

/* What a composition or closure has by way of unseen events x to z. */
typedef struct Bridge {
  RspNodeId id, into, from;
  guint u, x, z, v;
} Bridge;

typedef gboolean (*VisitBridge) (SatLemmas *lemmas, const Bridge *bridge, gpointer data);

static gboolean may_be_seen (const SatLemmas *l, guint event) {
  return l->seen[event] != LIT_FALSE && l->part->fold->exists[event] != LIT_FALSE;
}

/* The part may lack the pair. */
static gboolean is_open (const SatLemmas *l, RspNodeId id, guint a, guint b) {
  return may_be_seen (l, a) && may_be_seen (l, b) && !rsp_matrix_get (l->certain[id], a, b);
}

static gboolean each_bridge_between (SatLemmas *l, Bridge *b, VisitBridge visit, gpointer data) {
  const RspMatrix *into = l->whole->may[b->into], *from = l->whole->may[b->from];
  for (b->u = 0; b->u < l->whole->n; b->u++)
    for (b->v = 0; b->v < l->whole->n && rsp_matrix_get (into, b->u, b->x); b->v++)
      if (rsp_matrix_get (from, b->z, b->v) && is_open (l, b->id, b->u, b->v)
          && !visit (l, b, data))
        return FALSE;
  return TRUE;
}

/* Of a SEQ or PLUS. Until visit returns FALSE. */
static gboolean each_bridge (SatLemmas *l, RspNodeId id, VisitBridge visit, gpointer data) {
  const RspNode *node = rsp_dag_node (l->whole->dag, id);
  const RspMatrix *unseen = l->unseen;
  gboolean closes = node->op == RSP_NODE_PLUS;
  Bridge b = { .id = id, .into = node->a, .from = closes ? node->a : node->b };
  for (all_bits (x, unseen->bits, unseen->words))
    for (all_bits (z, unseen->bits, unseen->words))
      if (x == z || (closes && rsp_matrix_get (l->whole->may[id], x, z))) {
        b.x = x;
        b.z = z;
        if (!each_bridge_between (l, &b, visit, data))
          return FALSE;
      }
  return TRUE;
}

static gboolean stop (SatLemmas *l, const Bridge *b, gpointer data) {
  (void) l, (void) b, (void) data;
  return FALSE;
}

static gboolean loses_nothing (SatLemmas *l, RspNodeId id) {
  const RspNode *node = rsp_dag_node (l->whole->dag, id);
  if (node->op == RSP_NODE_SEQ || node->op == RSP_NODE_PLUS)
    return each_bridge (l, id, stop, NULL);
  if (node->op != RSP_NODE_DOMAIN)
    return TRUE;
  for (all_bits (x, l->unseen->bits, l->unseen->words))
    for (guint u = 0; u < l->whole->n; u++)
      if (rsp_matrix_get (l->whole->may[node->a], u, x))
        return FALSE;
  return TRUE;
}

/* ---- What follows from how a node is made ---- */

static gboolean concerns_aside (const SatLemmas *l, RspNodeId id) {
  for (all_bits (e, l->aside->bits, l->aside->words))
    if (sat_part_may_concern (l->part, id, e))
      return TRUE;
  return FALSE;
}

static guint compare_operator (SatLemmas *l, RspNodeId id) {
  const RspNode *node = rsp_dag_node (l->whole->dag, id);
  guint a = l->known[node->a], b = rsp_node_arity (node->op) == 2 ? l->known[node->b] : a,
        found = rsp_part_follows (node->op, a, b, loses_nothing (l, id));
  return node->op == RSP_NODE_DIFF && concerns_aside (l, id) ? found & LEMMA_COVERS : found;
}

static guint8 compare (SatLemmas *l, RspNodeId id) {
  const RspDag *dag = l->whole->dag;
  const RspNode *node = rsp_dag_node (dag, id);
  switch (node->op) {
  case RSP_NODE_RF:
    return l->keeps_rf ? RSP_PART_SAME : LEMMA_COVERS;
  case RSP_NODE_FIX:
    return l->known[g_array_index (dag->groups, RspFix, node->index).bodies[node->b]];
  case RSP_NODE_VARIABLE:
    return l->known[g_array_index (dag->groups, RspFix, node->group - 1).bodies[node->index]];
  default: /* what is open, co and the orders are the same */
    return (guint8) (rsp_node_arity (node->op) ? compare_operator (l, id) : RSP_PART_SAME);
  }
}

/* Recursive definitions are iterated from empty on both sides: by induction, what follows for the
 * bodies from that of the variables holds. */
static void compare_all (SatLemmas *l) {
  guint n = l->whole->dag->nodes->len;
  gboolean changed = TRUE;
  for (RspNodeId id = 0; id < n; id++)
    l->known[id] = RSP_PART_SAME;
  while (changed) {
    changed = FALSE;
    for (RspNodeId id = 0; id < n; id++) {
      guint8 found
          = l->whole->may[id] ? l->known[id] & (compare (l, id) | l->proven[id]) : l->known[id];
      changed |= found != l->known[id];
      l->known[id] = found;
    }
  }
}

/* ---- What the solver is asked ---- */

static gboolean is_impossible (const SatRelations *whole, GArray *lits) {
  Circuit *circuit = whole->fold->circuit;
  Lit any = circuit_or_all (circuit, (Lit *) (gpointer) lits->data, lits->len);
  return circuit_solve (circuit, &any, 1) == SAT_NO;
}

static gboolean keeps_rf (const SatPart *part, SatRelations *whole) {
  const SatFold *fold = whole->fold;
  const RspMatrix *removable = part->removable;
  g_autoptr (GArray) lits = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (all_bits (w, removable->bits, removable->words))
    for (guint r = 0; r < whole->n && rsp_event_is_write (fold->pre->events[w]); r++) {
      Lit read = sat_choices_rf (whole->choices, w, r);
      Lit lost = circuit_and_all (fold->circuit,
                                  (Lit[]){ read, lit_not (part->kept[w]), part->kept[r] }, 3);
      g_array_append_val (lits, lost);
    }
  return is_impossible (whole, lits);
}

/* The whole has it, and the part does not. */
static gboolean add_lost (SatLemmas *l, const Bridge *b, gpointer lits) {
  SatRelations *whole = l->whole, *part = l->part->relations;
  Lit all[] = { rsp_sat_relations_get (whole, b->into, b->u, b->x),
                b->x == b->z ? LIT_TRUE : rsp_sat_relations_get (whole, b->id, b->x, b->z),
                rsp_sat_relations_get (whole, b->from, b->z, b->v),
                lit_not (l->seen[b->x]),
                lit_not (l->seen[b->z]),
                l->seen[b->u],
                l->seen[b->v],
                lit_not (rsp_sat_relations_get (part, b->id, b->u, b->v)) };
  Lit lost = circuit_and_all (whole->fold->circuit, all, G_N_ELEMENTS (all));
  g_array_append_val ((GArray *) lits, lost);
  return TRUE;
}

static gboolean bridges_remain (SatLemmas *l, RspNodeId id) {
  g_autoptr (GArray) lits = g_array_new (FALSE, FALSE, sizeof (Lit));
  each_bridge (l, id, add_lost, lits);
  return is_impossible (l->whole, lits);
}

/* Each step of the closure's operand that the whole has is in the part's closure. */
static gboolean steps_remain (SatLemmas *l, RspNodeId closure) {
  g_autoptr (GArray) lits = g_array_new (FALSE, FALSE, sizeof (Lit));
  RspNodeId step = rsp_dag_node (l->whole->dag, closure)->a;
  const RspMatrix *may = l->whole->may[step];
  for (guint a = 0; a < l->whole->n; a++)
    for (all_bits (b, rsp_matrix_row (may, a), may->words))
      if (is_open (l, closure, a, b)) {
        Lit all[] = { rsp_sat_relations_get (l->whole, step, a, b), l->seen[a], l->seen[b],
                      lit_not (rsp_sat_relations_get (l->part->relations, closure, a, b)) };
        Lit lit = circuit_and_all (l->whole->fold->circuit, all, G_N_ELEMENTS (all));
        g_array_append_val (lits, lit);
      }
  return is_impossible (l->whole, lits);
}

static void add_difference (SatLemmas *l, RspNodeId id, SatLemma lemma, guint a, guint b,
                            GArray *lits) {
  Lit whole = rsp_sat_relations_get (l->whole, id, a, b),
      part = rsp_sat_relations_get (l->part->relations, id, a, b);
  if (rsp_dag_node (l->whole->dag, id)->is_set)
    b = a;
  const Lit *of = lemma == LEMMA_WITHIN ? l->part->kept : l->seen;
  Lit all[] = { lemma == LEMMA_WITHIN ? lit_not (whole) : whole,
                lemma == LEMMA_WITHIN ? part : lit_not (part), of[a], of[b] };
  Lit lit = circuit_and_all (l->whole->fold->circuit, all, G_N_ELEMENTS (all));
  g_array_append_val (lits, lit);
}

/* Every pair by itself. */
static gboolean ask (SatLemmas *l, RspNodeId id, SatLemma lemma) {
  g_autoptr (GArray) lits = g_array_new (FALSE, FALSE, sizeof (Lit));
  const SatRelations *has = lemma == LEMMA_WITHIN ? l->part->relations : l->whole;
  const RspMatrix *may = has->may[id];
  gboolean is_set = rsp_dag_node (l->whole->dag, id)->is_set;
  for (guint a = 0; a < l->whole->n && is_set; a++)
    if (rsp_set_has (may, a))
      add_difference (l, id, lemma, a, 0, lits);
  for (guint a = 0; a < l->whole->n && !is_set; a++)
    for (all_bits (b, rsp_matrix_row (may, a), may->words))
      add_difference (l, id, lemma, a, b, lits);
  return is_impossible (l->whole, lits);
}

/* ---- Lemmas ---- */

static void find_seen (SatLemmas *l) {
  RspArena *arena = l->whole->fold->arena;
  l->unseen = rsp_matrix_copy (arena, l->part->removable);
  rsp_matrix_union (l->unseen, l->unseen, l->aside);
  l->seen = rsp_arena_copy (arena, l->part->kept, sizeof (Lit) * l->whole->n);
  for (all_bits (e, l->aside->bits, l->aside->words))
    l->seen[e] = LIT_FALSE;
}

SatLemmas *sat_lemmas_without (const SatLemmas *from, const RspMatrix *aside) {
  RspArena *arena = from->whole->fold->arena;
  guint n = from->whole->dag->nodes->len;
  SatLemmas *l = rsp_arena_copy (arena, from, sizeof *from);
  l->aside = aside;
  find_seen (l);
  l->proven = rsp_arena_copy (arena, from->known, n);
  l->known = rsp_arena_new0 (arena, guint8, n + 1);
  l->tried[FALSE] = rsp_arena_new0 (arena, guint8, n + 1);
  l->tried[TRUE] = rsp_arena_new0 (arena, guint8, n + 1);
  if (!rsp_arena_is_exhausted (arena))
    compare_all (l);
  return l;
}

SatLemmas *sat_lemmas_new (const SatPart *part, SatRelations *whole) {
  RspArena *arena = whole->fold->arena;
  const SatLemmas nothing = { .part = part,
                              .whole = whole,
                              .certain = certain_new (part->relations),
                              .known = rsp_arena_new0 (arena, guint8, whole->dag->nodes->len + 1),
                              .keeps_rf = keeps_rf (part, whole) };
  return sat_lemmas_without (&nothing, rsp_set_new (arena, whole->n));
}

static gboolean operands_hold (SatLemmas *l, const RspNode *node, SatLemma lemma, gboolean pairs) {
  guint arity = rsp_node_arity (node->op);
  SatLemma of_second = node->op == RSP_NODE_DIFF ? (SatLemma) rsp_part_swapped (lemma) : lemma;
  return arity && sat_lemmas_hold (l, node->a, lemma, pairs)
         && (arity == 1 || sat_lemmas_hold (l, node->b, of_second, pairs));
}

static gboolean prove (SatLemmas *l, RspNodeId id, SatLemma lemma, gboolean pairs) {
  const RspNode *node = rsp_dag_node (l->whole->dag, id);
  gboolean within = lemma == LEMMA_WITHIN;
  if (l->whole->depends[id] || node->op == RSP_NODE_FIX || !rsp_node_arity (node->op))
    return FALSE;
  if (node->op == RSP_NODE_PLUS && !within && !pairs)
    return bridges_remain (l, id) && steps_remain (l, id);
  if (!operands_hold (l, node, lemma, pairs)
      || (node->op == RSP_NODE_DIFF && within && concerns_aside (l, id)))
    return pairs && ask (l, id, lemma);
  if (within || loses_nothing (l, id))
    return TRUE;
  return node->op == RSP_NODE_DOMAIN ? ask (l, id, lemma) : bridges_remain (l, id);
}

gboolean sat_lemmas_know (const SatLemmas *l, RspNodeId id, SatLemma lemma) {
  return (l->known[id] & lemma) != 0;
}

gboolean sat_lemmas_hold (SatLemmas *l, RspNodeId id, SatLemma lemma, gboolean pairs) {
  if ((l->known[id] & lemma) || (l->tried[pairs][id] & lemma))
    return (l->known[id] & lemma) != 0;
  l->tried[pairs][id] |= (guint8) lemma;
  if (prove (l, id, lemma, pairs)) {
    l->proven[id] |= (guint8) lemma;
    compare_all (l);
  }
  return (l->known[id] & lemma) != 0;
}
