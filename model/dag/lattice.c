/* The laws of union and intersection.
 *
 * Both are seen as lists of terms. A term of a union is a core under a mask: C & x is x under C,
 * any other x is x under everything, and a constant is a mask without a core. Terms with the same
 * core are joined, and so are all constants; a term within another is dropped. If none of this
 * applies, the two sides stay as they are, so that a union used in several places remains one
 * node. */
#include "model/dag/lattice.h"
#include "model/dag/dag.h"
#include "model/dag/simplify.h"

#define MAX_TERMS 48 /* longer lists are not searched, since that takes quadratic time */
#define NO_CORE   G_MAXUINT

typedef struct Term {
  RspNodeId core; /* NO_CORE: the mask itself */
  RspNodeId mask;
} Term;

typedef struct Terms {
  guint n;
  Term term[MAX_TERMS];
} Terms;

/* ---- Lists of terms ---- */

static gboolean add_term (Terms *terms, RspNodeId core, RspNodeId mask) {
  if (terms->n == MAX_TERMS)
    return FALSE;
  terms->term[terms->n++] = (Term){ core, mask };
  return TRUE;
}

/* Appends the terms of `id` under op. FALSE if there are more than `room`, which bounds the depth
 * of long chains too. */
static gboolean flatten (const RspDag *dag, RspNodeOp op, RspNodeId id, Terms *terms, guint room) {
  const RspNode *node = rsp_dag_node (dag, id);
  if (room == 0)
    return FALSE;
  if (node->op == op)
    return flatten (dag, op, node->a, terms, room - 1)
           && flatten (dag, op, node->b, terms, room - 1);
  if (node->op == RSP_NODE_CONSTANT)
    return add_term (terms, NO_CORE, id);
  if (op == RSP_NODE_UNION && node->op == RSP_NODE_INTER && rsp_dag_is_constant (dag, node->a))
    return add_term (terms, node->b, node->a);
  return add_term (terms, id, dag->universe[node->is_set]);
}

/* The terms of both sides of a union or intersection. */
static gboolean flatten_both (const RspDag *dag, RspNodeOp op, RspNodeId a, RspNodeId b,
                              Terms *terms, Terms *more) {
  terms->n = more->n = 0;
  return flatten (dag, op, a, terms, MAX_TERMS) && flatten (dag, op, b, more, MAX_TERMS);
}

static RspNodeId term_node (RspDag *dag, Term term) {
  if (term.core == NO_CORE)
    return term.mask;
  return rsp_dag_binary (dag, RSP_NODE_INTER, term.mask, term.core);
}

static int compare_ids (gconstpointer a, gconstpointer b) {
  RspNodeId x = *(const RspNodeId *) a, y = *(const RspNodeId *) b;
  return x < y ? -1 : x > y;
}

/* The expression of the terms, with a constant last and so outermost; `start` if there are none. */
static RspNodeId rebuild (RspDag *dag, RspNodeOp op, const Terms *terms, RspNodeId constant,
                          RspNodeId start) {
  RspNodeId ids[MAX_TERMS];
  guint n = 0;
  for (guint i = 0; i < terms->n; i++) {
    RspNodeId id = term_node (dag, terms->term[i]);
    if (rsp_dag_is_constant (dag, id))
      constant = rsp_dag_binary (dag, op, constant, id);
    else
      ids[n++] = id;
  }
  if (n == 0)
    return constant;
  qsort (ids, n, sizeof ids[0], compare_ids);
  RspNodeId all = ids[0];
  gboolean is_set = rsp_dag_node (dag, all)->is_set;
  for (guint i = 1; i < n; i++)
    if (ids[i] != ids[i - 1])
      all = rsp_dag_intern (dag, op, is_set, all, ids[i]);
  if (constant == start)
    return all;
  return rsp_dag_binary (dag, op, constant, all);
}

static RspNodeId intern_sorted (RspDag *dag, RspNodeOp op, RspNodeId a, RspNodeId b) {
  return rsp_dag_intern (dag, op, rsp_dag_node (dag, a)->is_set, MIN (a, b), MAX (a, b));
}

/* ---- Union ---- */

/* Adds the terms of `more` to `terms`, joining those that can be joined. FALSE if none could. */
static gboolean join_unions (RspDag *dag, Terms *terms, const Terms *more) {
  gboolean joined = FALSE;
  for (guint i = 0; i < more->n; i++) {
    Term new = more->term[i];
    guint at = 0;
    while (at < terms->n && terms->term[at].core != new.core)
      at++;
    if (at == terms->n) {
      if (!add_term (terms, new.core, new.mask))
        return FALSE;
      continue;
    }
    RspNodeId *mask = &terms->term[at].mask;
    *mask = rsp_dag_binary (dag, RSP_NODE_UNION, *mask, new.mask);
    joined = TRUE;
  }
  return joined;
}

/* C | x, where x is not a constant. */
static RspNodeId union_with_constant (RspDag *dag, RspNodeId constant, RspNodeId x) {
  gboolean is_set = rsp_dag_node (dag, x)->is_set;
  if (constant == dag->empty[is_set])
    return x;
  if (rsp_dag_within (dag, x, constant))
    return constant;
  return rsp_dag_intern (dag, RSP_NODE_UNION, is_set, constant, x);
}

RspNodeId dag_simplify_union (RspDag *dag, RspNodeId a, RspNodeId b) {
  if (rsp_dag_within (dag, a, b))
    return b;
  if (rsp_dag_within (dag, b, a))
    return a;
  gboolean is_set = rsp_dag_node (dag, a)->is_set;
  Terms terms, more;
  if (flatten_both (dag, RSP_NODE_UNION, a, b, &terms, &more) && join_unions (dag, &terms, &more))
    return rebuild (dag, RSP_NODE_UNION, &terms, dag->empty[is_set], dag->empty[is_set]);
  if (rsp_dag_is_constant (dag, a))
    return union_with_constant (dag, a, b);
  if (rsp_dag_is_constant (dag, b))
    return union_with_constant (dag, b, a);
  return intern_sorted (dag, RSP_NODE_UNION, a, b);
}

/* ---- Intersection ---- */

/* Removes terms that others make superfluous, and joins the constants. */
static gboolean join_inters (RspDag *dag, Terms *terms, const Terms *more, RspNodeId *constant) {
  gboolean joined = FALSE;
  guint n_constants = 0;
  Terms kept;
  kept.n = 0;
  for (guint i = 0; i < terms->n + more->n; i++) {
    Term new = i < terms->n ? terms->term[i] : more->term[i - terms->n];
    if (new.core == NO_CORE) {
      joined |= n_constants++ > 0;
      *constant = rsp_dag_binary (dag, RSP_NODE_INTER, *constant, new.mask);
      continue;
    }
    gboolean superfluous = FALSE;
    for (guint j = 0; j < kept.n && !superfluous; j++)
      superfluous = rsp_dag_within (dag, kept.term[j].core, new.core);
    joined |= superfluous;
    if (!superfluous && !add_term (&kept, new.core, new.mask))
      return FALSE;
  }
  *terms = kept;
  return joined;
}

/* s & C as events for a constant C within a relation: those that C relates to themselves. */
static RspNodeId diagonal (RspDag *dag, const RspMatrix *relation) {
  RspMatrix *set = rsp_dag_scratch (dag, TRUE);
  rsp_matrix_clear (set);
  for (guint e = 0; e < relation->n; e++)
    if (rsp_matrix_get (relation, e, e))
      rsp_set_add (set, e);
  return rsp_dag_scratch_constant (dag, TRUE);
}

static gboolean disjoint (RspDag *dag, RspNodeId a, RspNodeId b) {
  RspNodeId both = rsp_dag_binary (dag, RSP_NODE_INTER, a, b);
  return both == dag->empty[rsp_dag_node (dag, a)->is_set];
}

/* C & x, where x is not a constant:
 *   C & (D \ y) = (C & D) \ y      C & [s] = [s & diagonal of C]
 *   C & (D | y) = C                for C within D; = C & y for C apart from D
 *   C & ((D & y) \ z) = (C & D & y) \ z                                                */
static RspNodeId inter_with_constant (RspDag *dag, RspNodeId constant, RspNodeId x) {
  RspNode node = *rsp_dag_node (dag, x);
  if (constant == dag->empty[node.is_set])
    return constant;
  if (rsp_dag_within (dag, x, constant))
    return x;
  if (node.op == RSP_NODE_IDENTITY) {
    RspNodeId events = diagonal (dag, rsp_dag_value (dag, constant));
    return rsp_dag_unary (dag, RSP_NODE_IDENTITY,
                          rsp_dag_binary (dag, RSP_NODE_INTER, events, node.a));
  }
  if (node.op == RSP_NODE_UNION && rsp_dag_is_constant (dag, node.a)) {
    if (rsp_dag_within (dag, constant, node.a))
      return constant;
    if (disjoint (dag, constant, node.a))
      return rsp_dag_binary (dag, RSP_NODE_INTER, constant, node.b);
  }
  if (node.op == RSP_NODE_DIFF) {
    RspNode left = *rsp_dag_node (dag, node.a);
    if (left.op == RSP_NODE_CONSTANT
        || (left.op == RSP_NODE_INTER && rsp_dag_is_constant (dag, left.a)))
      return rsp_dag_binary (dag, RSP_NODE_DIFF,
                             rsp_dag_binary (dag, RSP_NODE_INTER, constant, node.a), node.b);
  }
  return rsp_dag_intern (dag, RSP_NODE_INTER, node.is_set, constant, x);
}

RspNodeId dag_simplify_inter (RspDag *dag, RspNodeId a, RspNodeId b) {
  if (rsp_dag_within (dag, a, b))
    return a;
  if (rsp_dag_within (dag, b, a))
    return b;
  gboolean is_set = rsp_dag_node (dag, a)->is_set;
  RspNodeId constant = dag->universe[is_set];
  Terms terms, more;
  if (flatten_both (dag, RSP_NODE_INTER, a, b, &terms, &more)
      && join_inters (dag, &terms, &more, &constant))
    return rebuild (dag, RSP_NODE_INTER, &terms, constant, dag->universe[is_set]);
  if (rsp_dag_is_constant (dag, a))
    return inter_with_constant (dag, a, b);
  if (rsp_dag_is_constant (dag, b))
    return inter_with_constant (dag, b, a);
  return intern_sorted (dag, RSP_NODE_INTER, a, b);
}
