/* Axioms under bounds: their truth, and which are no longer open. */
#include "base/base.h"
#include "model/bounds/bounds.h"
#include "model/bounds/internal.h"
#include "model/dag/dag.h"
#include "model/matrix.h"

#include <string.h>

/* ---- Axioms --------------------------------------------------------------------------------- */

/* Axioms on bounds: what each depends on, and its truth. */

/* ---- What they depend on ---- */
static void mark_needs (const RspBounds *b, guint index, guint8 *needs) {
  if (needs[index])
    return;
  needs[index] = TRUE;
  const Node *node = &b->nodes[index];
  if (node->op == RSP_NODE_FIX) {
    const Group *group = &b->groups[node->group];
    needs[group->first] = TRUE;
    for (guint i = 0; i < group->inputs->len; i++)
      mark_needs (b, g_array_index (group->inputs, guint, i), needs);
  }
  guint arity = node->op == NODE_LEAF ? 0 : rsp_node_arity (node->op);
  if (arity >= 1)
    mark_needs (b, node->a, needs);
  if (arity == 2)
    mark_needs (b, node->b, needs);
}

/* Finds the nodes that some open axiom depends on. */
static void find_needed (RspBounds *b) {
  memset (b->needed, 0, b->n_nodes);
  for (guint i = 0; i < b->n_axioms; i++) {
    const AxiomState *axiom = &b->axioms[i];
    if (axiom->truth != RSP_OPEN || axiom->dropped)
      continue;
    for (guint j = 0; j < b->n_nodes; j++)
      b->needed[j] |= axiom->needs[j];
  }
}

/* TRUE if staging has filled in the root. */
static inline gboolean has_root (const RspDag *dag, const RspStagedAxiom *axiom) {
  RspNodeId none = dag->empty[rsp_dag_node (dag, axiom->node)->is_set];
  return rsp_axiom_form (axiom->kind)->closed ? (axiom->root == none) == (axiom->node == none)
                                              : axiom->root == axiom->node;
}

void bounds_prepare_axioms (RspBounds *b) {
  b->needed = rsp_arena_new0 (b->arena, guint8, b->n_nodes);
  for (guint i = 0; i < b->n_axioms; i++) {
    AxiomState *axiom = &b->axioms[i];
    axiom->axiom = &b->model->axioms[i];
    RSP_CONTRACT (has_root (b->dag, axiom->axiom));
    axiom->diagonal = rsp_axiom_form (axiom->axiom->kind)->reflexive;
    axiom->node = b->node_of[axiom->axiom->root];
    const Node *node = &b->nodes[axiom->node];
    axiom->rows = rsp_arena_new0 (b->arena, guint64, b->words);
    for (guint x = 0; x < node->rows; x++) {
      const guint64 *hi = node->side[HI].bits + (gsize) x * b->words;
      if (axiom->diagonal ? rsp_row_has (hi, x) : rsp_next_bit (hi, b->words, 0) != G_MAXUINT)
        axiom->rows[x / 64] |= G_GUINT64_CONSTANT (1) << (x % 64);
    }
    axiom->needs = rsp_arena_new0 (b->arena, guint8, b->n_nodes);
    mark_needs (b, axiom->node, axiom->needs);
    axiom->truth = b->ops->truth (b, axiom);
  }
  find_needed (b);
}

/* ---- Their truth ---- */
static void change_axiom (RspBounds *b, guint index, RspTruth truth, gboolean dropped) {
  AxiomState *axiom = &b->axioms[index];
  RSP_CONTRACT (b->n_axiom_trail < b->n_axioms);
  b->axiom_trail[b->n_axiom_trail++]
      = (AxiomChange){ .axiom = index, .truth = axiom->truth, .dropped = axiom->dropped };
  axiom->truth = truth;
  axiom->dropped = dropped;
}

void bounds_undo_axioms (RspBounds *b, guint to) {
  if (b->n_axiom_trail == to)
    return;
  while (b->n_axiom_trail > to) {
    AxiomChange change = b->axiom_trail[--b->n_axiom_trail];
    b->axioms[change.axiom].truth = change.truth;
    b->axioms[change.axiom].dropped = change.dropped;
  }
  find_needed (b);
}

gboolean bounds_settle_axioms (RspBounds *b) {
  gboolean settled = FALSE, possible = TRUE;
  for (guint i = 0; i < b->n_axioms && possible; i++) {
    const AxiomState *axiom = &b->axioms[i];
    if (axiom->truth == RSP_OPEN && !axiom->dropped) {
      RspTruth truth = b->ops->truth (b, axiom);
      if (truth == RSP_OPEN)
        continue;
      change_axiom (b, i, truth, FALSE);
      settled = TRUE;
    }
    possible = !(axiom->truth == RSP_FAILS && axiom->axiom->role == RSPCHECK_ROLE_AXIOM);
    b->broken = i;
  }
  if (settled)
    find_needed (b);
  return possible;
}

void rsp_bounds_drop (RspBounds *b, guint index) {
  if (b->axioms[index].dropped || b->axioms[index].truth != RSP_OPEN)
    return;
  change_axiom (b, index, RSP_OPEN, TRUE);
  find_needed (b);
}

/* ---- Remove --------------------------------------------------------------------------------- */

/* Compares a model's verdicts on an execution before and after removing events, on two stagings.
 *
 * Each pair of nodes that compute the same on both is compared by induction over the operators
 * (model/dag/dag.h). co is the same on both, and so is rf, unless a removed event may be read
 * from: then the part has a pair for that event that the whole lacks. What is composed by way of a
 * removed event is in the part only if the part certainly has it (po by way of a removed read is
 * po). Nodes that are made differently are compared by their bounds.
 *
 * A plain axiom fails because of pairs in its relation, so WITHIN is enough. A flag is raised
 * because of pairs in its relation: this takes COVERS, and no removed event in the pairs, unless
 * the part certainly raises it. */

enum {
  DONE = 4 /* beside RSP_PART_WITHIN and RSP_PART_COVERS */
};

typedef struct Removal {
  const RspBounds *full, *part;
  const guint *kept;
  guint *image; /* per event of full: the event of part, or G_MAXUINT */
  guint64 *removed;
  guint *before;   /* per word of full: how many events of part are in the words before it */
  guint8 *results; /* per node of full: DONE and the result for its partner */
  guint *partner;
} Removal;

static gboolean has (const RspBounds *b, guint node, int side, guint x, guint y) {
  return rsp_row_has (b->nodes[node].side[side].bits + (gsize) x * b->words, y);
}

/* Word w of the part's row, its bits where those events are in full. */
static guint64 spread (const Removal *r, const guint64 *row, guint w) {
  const guint first = r->before[w] / 64, shift = r->before[w] % 64;
  guint64 bits = first < r->part->words ? row[first] >> shift : 0;
  if (shift && first + 1 < r->part->words)
    bits |= row[first + 1] << (64 - shift);
  for (guint64 gaps = r->removed[w]; gaps; gaps &= gaps - 1) {
    const guint64 below = (gaps & -gaps) - 1;
    bits = (bits & below) | (bits & ~below) << 1;
  }
  return bits;
}

/* Is the part's bound within the whole's or, if converse, does it have what the whole's has of
 * remaining events? */
static gboolean is_within (const Removal *r, guint i, int full_side, guint j, int part_side,
                           gboolean converse) {
  guint rows = r->part->nodes[j].rows == 1 ? 1 : r->part->n;
  for (guint x = 0; x < rows; x++) {
    const guint64 *whole = r->full->nodes[i].side[full_side].bits
                           + (gsize) (rows == 1 ? 0 : r->kept[x]) * r->full->words,
                  *part = r->part->nodes[j].side[part_side].bits + (gsize) x * r->part->words;
    for (guint w = 0; w < r->full->words; w++) {
      const guint64 own = spread (r, part, w);
      if (converse ? whole[w] & ~own & ~r->removed[w] : own & ~whole[w])
        return FALSE;
    }
  }
  return TRUE;
}

/* For all remaining events u and v such that `into` may lead from u to removed event x and `from`
 * may lead from removed event z to v: does the part's node j certainly have (u,v)? */
static gboolean is_bridged_at (const Removal *r, guint into, guint from, guint j, guint x,
                               guint z) {
  for (guint u = 0; u < r->full->n; u++)
    for (guint v = 0; v < r->full->n && has (r->full, into, HI, u, x); v++)
      if (r->image[u] != G_MAXUINT && r->image[v] != G_MAXUINT && has (r->full, from, HI, z, v)
          && !has (r->part, j, LO, r->image[u], r->image[v]))
        return FALSE;
  return TRUE;
}

/* Does the part's node j certainly have what the operator has by way of removed events? */
static gboolean loses_nothing (const Removal *r, guint i, guint j) {
  const Node *whole = &r->full->nodes[i];
  switch (whole->op) {
  case RSP_NODE_SEQ: {
    for (guint x = 0; x < r->full->n; x++)
      if (r->image[x] == G_MAXUINT && !is_bridged_at (r, whole->a, whole->b, j, x, x))
        return FALSE;
    return TRUE;
  }
  case RSP_NODE_PLUS: {
    /* Several removed events may lie between. */
    guint step = r->full->nodes[i].a;
    for (guint x = 0; x < r->full->n; x++)
      for (guint z = 0; z < r->full->n; z++)
        if (r->image[x] == G_MAXUINT && r->image[z] == G_MAXUINT
            && (x == z || has (r->full, i, HI, x, z)) && !is_bridged_at (r, step, step, j, x, z))
          return FALSE;
    return TRUE;
  }
  case RSP_NODE_DOMAIN: {
    for (guint u = 0; u < r->full->n; u++)
      for (guint x = 0; x < r->full->n; x++)
        if (r->image[u] != G_MAXUINT && r->image[x] == G_MAXUINT
            && has (r->full, whole->a, HI, u, x) && !has (r->part, j, LO, 0, r->image[u]))
          return FALSE;
    return TRUE;
  }
  default:
    return !rsp_node_forms[whole->op].by_others;
  }
}

static gboolean may_read_removed (const Removal *r) {
  for (guint x = 0; x < r->full->n; x++)
    if (r->image[x] == G_MAXUINT)
      for (all_bits (y, rsp_bounds_hi (r->full, RSP_LEAF_RF, x), r->full->words))
        if (r->image[y] != G_MAXUINT)
          return TRUE;
  return FALSE;
}

static guint compare (Removal *r, guint i, guint j) {
  const Node *whole = &r->full->nodes[i], *part = &r->part->nodes[j];
  if ((r->results[i] & DONE) && r->partner[i] == j)
    return r->results[i] & RSP_PART_SAME;
  guint found = 0;
  if ((whole->rows == 1) == (part->rows == 1))
    found = (is_within (r, i, LO, j, HI, FALSE) ? RSP_PART_WITHIN : 0)
            | (is_within (r, i, HI, j, LO, TRUE) ? RSP_PART_COVERS : 0);
  if (whole->op == part->op && whole->op == NODE_LEAF)
    found |= whole->leaf != part->leaf                                ? 0
             : whole->leaf / 2 == RSP_LEAF_RF && may_read_removed (r) ? RSP_PART_COVERS
                                                                      : RSP_PART_SAME;
  else if (whole->op == part->op && whole->dynamic && part->dynamic && whole->op != RSP_NODE_FIX
           && found != RSP_PART_SAME) {
    guint a = compare (r, whole->a, part->a);
    guint b = rsp_node_arity (whole->op) == 2 ? compare (r, whole->b, part->b) : a;
    found |= rsp_part_follows (whole->op, a, b, loses_nothing (r, i, j));
  }
  r->results[i] = (guint8) (DONE | found);
  r->partner[i] = j;
  return found;
}

/* May the axiom be about a removed event? */
static gboolean touches_removed (const Removal *r, const AxiomState *axiom) {
  const Node *node = &r->full->nodes[axiom->node];
  for (guint x = 0; x < node->rows; x++)
    for (guint y = 0; y < r->full->n; y++)
      if ((!axiom->diagonal || x == y) && has (r->full, axiom->node, HI, x, y)
          && (r->image[y] == G_MAXUINT || (node->rows > 1 && r->image[x] == G_MAXUINT)))
        return TRUE;
  return FALSE;
}

/* Does a plain axiom pass if its relation is empty, or is a flag raised (`flag ~empty`) if it is
 * not? */
static gboolean bears_removal (Removal *r, const AxiomState *whole, const AxiomState *part) {
  const RspStagedAxiom *a = whole->axiom, *b = part->axiom;
  if (a->role != b->role || a->negated != b->negated || whole->diagonal != part->diagonal)
    return FALSE;
  guint found = compare (r, whole->node, part->node);
  switch (a->role) {
  case RSPCHECK_ROLE_AXIOM:
    return part->truth == RSP_HOLDS || (!a->negated && (found & RSP_PART_WITHIN));
  case RSPCHECK_ROLE_UNDEFINED_UNLESS:
    return whole->truth == RSP_HOLDS || part->truth == RSP_FAILS
           || (!a->negated && (found & RSP_PART_COVERS) && !touches_removed (r, whole));
  case RSPCHECK_ROLE_FLAG:
    return whole->truth == RSP_FAILS || part->truth == RSP_HOLDS
           || (a->negated && (found & RSP_PART_COVERS) && !touches_removed (r, whole));
  case RSPCHECK_ROLE_ASSERT:
  case RSPCHECK_ROLE_WARN_UNLESS:
    return FALSE;
  }
  g_assert_not_reached ();
}

gboolean rsp_bounds_bear_removal (const RspBounds *full, const RspBounds *part, const guint *kept) {
  g_autofree guint *image = g_new (guint, full->n + 1);
  g_autofree guint8 *results = g_new0 (guint8, full->n_nodes + 1);
  g_autofree guint *partner = g_new0 (guint, full->n_nodes + 1);
  g_autofree guint64 *removed = g_new0 (guint64, full->words);
  g_autofree guint *before = g_new0 (guint, full->words);
  Removal r = { full, part, kept, image, removed, before, results, partner };
  if (full->n_axioms != part->n_axioms || full->model->n_orders != part->model->n_orders)
    return FALSE;
  for (guint e = 0; e < full->n; e++)
    image[e] = G_MAXUINT;
  for (guint e = 0; e < part->n; e++)
    image[kept[e]] = e;
  for (guint e = 0, n = 0; e < full->n; e++) {
    if (e % 64 == 0)
      before[e / 64] = n;
    if (image[e] == G_MAXUINT)
      removed[e / 64] |= G_GUINT64_CONSTANT (1) << (e % 64);
    else
      n++;
  }
  for (guint i = 0; i < full->n_axioms; i++)
    if (!bears_removal (&r, &full->axioms[i], &part->axioms[i]))
      return FALSE;
  return TRUE;
}
