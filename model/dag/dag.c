/* The DAG of relational operators, and the laws that keep it small. */
#include "model/dag/dag.h"

static RspNodeId dag_simplify_binary (RspDag *dag, RspNodeOp op, RspNodeId a, RspNodeId b);
static RspNodeId dag_simplify_unary (RspDag *dag, RspNodeOp op, RspNodeId a);

/* ---- Operators ------------------------------------------------------------------------------ */

const RspNodeForm rsp_node_forms[] = {
#define RSP_LEAF(id, ...)            [RSP_NODE_##id] = { __VA_ARGS__ },
#define RSP_OPERATOR(id, value, ...) [RSP_NODE_##id] = { __VA_ARGS__ },
#include "model/dag/operators.def"
};

gboolean rsp_node_op_of_cat (RspCatExprKind kind, RspNodeOp *op) {
  for (guint i = 0; i < RSP_N_NODE_OPS; i++)
    if (rsp_node_forms[i].arity && rsp_node_forms[i].cat == kind) {
      *op = (RspNodeOp) i;
      return kind != 0;
    }
  return FALSE;
}

void rsp_node_compute (RspNodeOp op, RspMatrix *out, const RspMatrix *a, const RspMatrix *b) {
  switch (op) {
  case RSP_NODE_LEAVES:
    g_assert_not_reached ();
#define RSP_LEAF(id, ...)
#define RSP_OPERATOR(id, value, ...)                                                               \
  case RSP_NODE_##id:                                                                              \
    value;                                                                                         \
    break;
#include "model/dag/operators.def"
  }
}

void rsp_dag_walk (const RspDag *dag, const RspDomain *domain, gpointer data) {
  gboolean changed;
  for (RspNodeId id = 0; id < dag->nodes->len; id++)
    if (rsp_node_is_base (rsp_dag_node (dag, id)->op))
      domain->base (data, id);
  do {
    changed = FALSE;
    for (RspNodeId id = 0; id < dag->nodes->len; id++) {
      const RspNode *node = rsp_dag_node (dag, id);
      if (node->op == RSP_NODE_FIX)
        domain->take (data, id, rsp_dag_group (dag, node->index)->variables[node->b]);
      else if (!rsp_node_is_leaf (node->op))
        domain->apply (data, id);
    }
    for (RspNodeId id = 0; id < dag->nodes->len; id++) {
      const RspNode *node = rsp_dag_node (dag, id);
      if (node->op == RSP_NODE_VARIABLE)
        changed
            |= domain->take (data, id, rsp_dag_group (dag, node->group - 1)->bodies[node->index]);
    }
  } while (changed);
}

/* ---- Dag ------------------------------------------------------------------------------------ */

/* Nodes of the DAG: hash-consing and folding of constants. */

enum {
  FIRST_SLOTS = 32, /* a power of two, and so all sizes; at most half of them are used */
  FIRST_NODES = FIRST_SLOTS / 2
};

static guint hash_node (const RspNode *node) {
  if (node->op == RSP_NODE_CONSTANT)
    return node->index * 2 + (guint) node->is_set;
  guint hash = (guint) node->op * 2654435761u;
  hash = (hash ^ node->a) * 2246822519u;
  hash = (hash ^ node->b) * 3266489917u;
  return hash ^ (hash >> 15) ^ node->index;
}

static gboolean same_node (const RspNode *a, const RspNode *b) {
  if (a->op != b->op || a->is_set != b->is_set || a->index != b->index)
    return FALSE;
  if (a->op == RSP_NODE_CONSTANT)
    return rsp_matrix_equal (a->constant, b->constant);
  return a->a == b->a && a->b == b->b;
}

RspNodeId rsp_dag_append (RspDag *dag, const RspNode *node) {
  g_array_append_vals (dag->nodes, node, 1);
  return dag->nodes->len - 1;
}

/* The slot of the node equal to `node`, or the free slot where it belongs. */
static guint *slot_of (const RspDag *dag, const RspNode *node) {
  guint last = dag->n_slots - 1, at = (hash_node (node) * 2654435769u >> 7) & last;
  while (dag->index[at] && !same_node (rsp_dag_node (dag, dag->index[at] - 1), node))
    at = (at + 1) & last;
  return &dag->index[at];
}

/* Adds a node that equals no other; slot: where it belongs. */
static RspNodeId append_indexed (RspDag *dag, const RspNode *node, guint *slot) {
  RspNodeId id = rsp_dag_append (dag, node);
  *slot = id + 1;
  if (++dag->n_indexed * 2 > dag->n_slots) {
    const guint *before = dag->index;
    guint n_before = dag->n_slots;
    dag->n_slots = 2 * n_before;
    dag->index = rsp_arena_new0 (dag->arena, guint, dag->n_slots);
    for (guint i = 0; i < n_before; i++)
      if (before[i])
        *slot_of (dag, rsp_dag_node (dag, before[i] - 1)) = before[i];
  }
  return id;
}

/* The node equal to `node`, which is added if it is new. */
static RspNodeId find_or_append (RspDag *dag, const RspNode *node) {
  guint *slot = slot_of (dag, node);
  return *slot ? *slot - 1 : append_indexed (dag, node, slot);
}

/* The node with exactly these fields (group is filled in), made if there is none. Nothing is
 * simplified. */
static RspNodeId dag_intern (RspDag *dag, RspNodeOp op, gboolean is_set, RspNodeId a, RspNodeId b) {
  guint group = rsp_dag_node (dag, a)->group;
  if (rsp_node_arity (op) == 2)
    group = MAX (group, rsp_dag_node (dag, b)->group);
  RspNode node = { .op = op, .is_set = is_set, .a = a, .b = b, .group = group };
  return find_or_append (dag, &node);
}

RspMatrix *rsp_dag_matrix (const RspDag *dag, gboolean is_set) {
  return is_set ? rsp_set_new (dag->arena, dag->n) : rsp_relation_new (dag->arena, dag->n);
}

RspMatrix *rsp_dag_scratch (RspDag *dag, gboolean is_set) { return dag->scratch[is_set]; }

static RspNode constant_node (gboolean is_set, RspMatrix *value) {
  return (RspNode){
    .op = RSP_NODE_CONSTANT, .is_set = is_set, .constant = value, .index = rsp_matrix_hash (value)
  };
}

RspNodeId rsp_dag_scratch_constant (RspDag *dag, gboolean is_set) {
  RspNode node = constant_node (is_set, dag->scratch[is_set]);
  guint *slot = slot_of (dag, &node);
  if (*slot)
    return *slot - 1;
  node.constant = rsp_matrix_copy (dag->arena, node.constant);
  return append_indexed (dag, &node, slot);
}

RspDag *rsp_dag_new (RspArena *arena, guint n) {
  RspDag *dag = rsp_arena_new0 (arena, RspDag, 1);
  dag->arena = arena;
  dag->n = n;
  dag->diverged = rsp_arena_new0 (arena, const RspFix *, 1);
  dag->nodes = g_array_sized_new (FALSE, FALSE, sizeof (RspNode), FIRST_NODES);
  dag->groups = g_array_new (FALSE, TRUE, sizeof (RspFix));
  dag->n_slots = FIRST_SLOTS;
  dag->index = rsp_arena_new0 (arena, guint, dag->n_slots);
  for (gboolean is_set = FALSE; is_set <= TRUE; is_set++)
    dag->scratch[is_set] = rsp_dag_matrix (dag, is_set);
  for (gboolean is_set = FALSE; is_set <= TRUE; is_set++) {
    RspMatrix *all = rsp_dag_matrix (dag, is_set);
    rsp_matrix_fill (all);
    dag->empty[is_set] = rsp_dag_constant (dag, is_set, rsp_dag_matrix (dag, is_set));
    dag->universe[is_set] = rsp_dag_constant (dag, is_set, all);
  }
  RspMatrix *identity = rsp_dag_matrix (dag, FALSE);
  rsp_relation_identity (identity, rsp_dag_value (dag, dag->universe[TRUE]));
  dag->identity = rsp_dag_constant (dag, FALSE, identity);
  return dag;
}

void rsp_dag_free (RspDag *dag) {
  g_array_unref (dag->nodes);
  g_array_unref (dag->groups);
}

RspNodeId rsp_dag_constant (RspDag *dag, gboolean is_set, RspMatrix *value) {
  RspNode node = constant_node (is_set, value);
  return find_or_append (dag, &node);
}

RspNodeId rsp_dag_base (RspDag *dag, RspNodeOp op, guint index) {
  g_assert (rsp_node_forms[op].chosen || op == RSP_NODE_OPEN);
  gboolean counted = op == RSP_NODE_ORDER || op == RSP_NODE_OPEN;
  gboolean is_set = op == RSP_NODE_OPEN && index < RSP_N_BASE_SETS;
  RspNode node = { .op = op, .is_set = is_set, .index = counted ? index : 0 };
  return find_or_append (dag, &node);
}

/* ---- Operators ---- */
void rsp_dag_mark_operands (const RspDag *dag, const RspNode *node, guint8 *needed) {
  guint arity = rsp_node_arity (node->op);
  if (arity >= 1)
    needed[node->a] = TRUE;
  if (arity == 2)
    needed[node->b] = TRUE;
  const RspFix *fix = node->op == RSP_NODE_FIX ? rsp_dag_group (dag, node->index) : NULL;
  for (guint i = 0; fix && i < fix->n; i++)
    needed[fix->bodies[i]] = needed[fix->variables[i]] = TRUE;
}

void rsp_dag_mark_below (const RspDag *dag, guint8 *needed) {
  for (RspNodeId id = dag->nodes->len; id-- > 0;)
    if (needed[id])
      rsp_dag_mark_operands (dag, rsp_dag_node (dag, id), needed);
}

/* Is the result of op on an operand of kind a_is_set a set? Asserts that the operand fits. */
static gboolean result_is_set (RspNodeOp op, gboolean a_is_set) {
  RspKind of = rsp_node_forms[op].of, gives = rsp_node_forms[op].gives;
  g_assert (of == RSP_EITHER || a_is_set == (of == RSP_SET));
  return gives == RSP_EITHER ? a_is_set : gives == RSP_SET;
}

RspNodeId rsp_dag_unary (RspDag *dag, RspNodeOp op, RspNodeId a) {
  g_assert (rsp_node_arity (op) == 1);
  gboolean is_set = result_is_set (op, rsp_dag_node (dag, a)->is_set);
  if (dag->generic)
    return dag_intern (dag, op, is_set, a, 0);
  if (!rsp_dag_is_constant (dag, a))
    return dag_simplify_unary (dag, op, a);
  rsp_node_compute (op, rsp_dag_scratch (dag, is_set), rsp_dag_value (dag, a), NULL);
  return rsp_dag_scratch_constant (dag, is_set);
}

RspNodeId rsp_dag_binary (RspDag *dag, RspNodeOp op, RspNodeId a, RspNodeId b) {
  g_assert (rsp_node_arity (op) == 2);
  g_assert (rsp_dag_node (dag, a)->is_set == rsp_dag_node (dag, b)->is_set);
  gboolean is_set = result_is_set (op, rsp_dag_node (dag, a)->is_set);
  if (dag->generic)
    return dag_intern (dag, op, is_set, a, b);
  if (!rsp_dag_is_constant (dag, a) || !rsp_dag_is_constant (dag, b))
    return dag_simplify_binary (dag, op, a, b);
  const RspMatrix *x = rsp_dag_value (dag, a), *y = rsp_dag_value (dag, b);
  rsp_node_compute (op, rsp_dag_scratch (dag, is_set), x, y);
  return rsp_dag_scratch_constant (dag, is_set);
}

const RspFix *rsp_dag_diverged (const RspDag *dag) { return g_atomic_pointer_get (dag->diverged); }

void rsp_dag_diverge (const RspDag *dag, const RspFix *fix) {
  g_atomic_pointer_set (dag->diverged, fix);
  if (dag->budget)
    rsp_budget_end (dag->budget, RSPCHECK_STOP_ERROR);
}

gboolean rsp_dag_report_divergence (const RspDag *dag, RspDiagnostics *diagnostics) {
  const RspFix *fix = rsp_dag_diverged (dag);
  if (fix)
    rsp_error (diagnostics, fix->span, "its definition uses its own complement: see \\ and ~",
               "this recursive definition does not converge");
  return fix != NULL;
}

/* ---- Lattice -------------------------------------------------------------------------------- */

/* Private part of the DAG: the laws of union and intersection. */

/* The laws of union and intersection.
 *
 * Both are seen as lists of terms. A term of a union is a core under a mask: C & x is x under C,
 * any other x is x under everything, and a constant is a mask without a core. Terms with the same
 * core are joined, and so are all constants; a term within another is dropped. If none of this
 * applies, the two sides stay as they are, so that a union used in several places remains one
 * node. */

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
    Term term = terms->term[i];
    RspNodeId id = term.core == NO_CORE ? term.mask : rsp_dag_inter (dag, term.mask, term.core);
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
      all = dag_intern (dag, op, is_set, all, ids[i]);
  if (constant == start)
    return all;
  return rsp_dag_binary (dag, op, constant, all);
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
    *mask = rsp_dag_union (dag, *mask, new.mask);
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
  return dag_intern (dag, RSP_NODE_UNION, is_set, constant, x);
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
      *constant = rsp_dag_inter (dag, *constant, new.mask);
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
    /* The events that C relates to themselves. */
    const RspMatrix *relation = rsp_dag_value (dag, constant);
    RspMatrix *set = rsp_dag_scratch (dag, TRUE);
    rsp_matrix_clear (set);
    for (guint e = 0; e < relation->n; e++)
      if (rsp_matrix_get (relation, e, e))
        rsp_set_add (set, e);
    RspNodeId events = rsp_dag_scratch_constant (dag, TRUE);
    return rsp_dag_identity_on (dag, rsp_dag_inter (dag, events, node.a));
  }
  if (node.op == RSP_NODE_UNION && rsp_dag_is_constant (dag, node.a)) {
    if (rsp_dag_within (dag, constant, node.a))
      return constant;
    if (rsp_dag_inter (dag, constant, node.a) == dag->empty[node.is_set])
      return rsp_dag_inter (dag, constant, node.b);
  }
  if (node.op == RSP_NODE_DIFF) {
    RspNode left = *rsp_dag_node (dag, node.a);
    if (left.op == RSP_NODE_CONSTANT
        || (left.op == RSP_NODE_INTER && rsp_dag_is_constant (dag, left.a)))
      return rsp_dag_diff (dag, rsp_dag_inter (dag, constant, node.a), node.b);
  }
  return dag_intern (dag, RSP_NODE_INTER, node.is_set, constant, x);
}

/* a | b and a & b, at least one of which is not a constant. */
static RspNodeId simplify_lattice (RspDag *dag, RspNodeOp op, RspNodeId a, RspNodeId b) {
  const gboolean meets = op == RSP_NODE_INTER;
  if (rsp_dag_within (dag, a, b))
    return meets ? a : b;
  if (rsp_dag_within (dag, b, a))
    return meets ? b : a;
  const gboolean is_set = rsp_dag_node (dag, a)->is_set;
  const RspNodeId neutral = meets ? dag->universe[is_set] : dag->empty[is_set];
  RspNodeId constant = neutral;
  Terms terms, more;
  if (flatten_both (dag, op, a, b, &terms, &more)
      && (meets ? join_inters (dag, &terms, &more, &constant) : join_unions (dag, &terms, &more)))
    return rebuild (dag, op, &terms, constant, neutral);
  if (rsp_dag_is_constant (dag, a))
    return (meets ? inter_with_constant : union_with_constant) (dag, a, b);
  if (rsp_dag_is_constant (dag, b))
    return (meets ? inter_with_constant : union_with_constant) (dag, b, a);
  return dag_intern (dag, op, rsp_dag_node (dag, a)->is_set, MIN (a, b), MAX (a, b));
}

/* ---- Simplify ------------------------------------------------------------------------------- */

/* The laws that keep the DAG small. Each is an equality of relation algebra that holds for
 * all values of rf, co and the orders; C, D stand for constants, s, t for sets. Unions and
 * intersections: see above. */

/* ---- When is one expression within another? ---- */
enum {
  WITHIN_STEPS = 48,       /* a deeper search costs more than a smaller DAG gains */
  KNOWN_WITHIN_STEPS = 512 /* for who gains more */
};

typedef struct Within {
  const RspDag *dag;
  RspKnownWithin known; /* or NULL */
  gconstpointer data;
  guint steps; /* that are left */
} Within;

static gboolean within (Within *own, RspNodeId a, RspNodeId b) {
  const RspDag *dag = own->dag;
  if (a == b)
    return TRUE;
  if (own->steps == 0)
    return FALSE;
  --own->steps;
  const RspNode *x = rsp_dag_node (dag, a), *y = rsp_dag_node (dag, b);
  if (y->op == RSP_NODE_CONSTANT && (b == dag->universe[FALSE] || b == dag->universe[TRUE]))
    return TRUE;
  if (own->known && own->known (own->data, a, b))
    return TRUE;
  if (x->op == RSP_NODE_CONSTANT && y->op == RSP_NODE_CONSTANT)
    return rsp_matrix_subset (x->constant, y->constant);
  if (x->op == RSP_NODE_UNION)
    return within (own, x->a, b) && within (own, x->b, b);
  if (y->op == RSP_NODE_INTER)
    return within (own, a, y->a) && within (own, a, y->b);
  if (y->op == RSP_NODE_UNION && (within (own, a, y->a) || within (own, a, y->b)))
    return TRUE;
  if (x->op == RSP_NODE_INTER && (within (own, x->a, b) || within (own, x->b, b)))
    return TRUE;
  if (x->op == RSP_NODE_DIFF && within (own, x->a, b))
    return TRUE;
  if (y->op == RSP_NODE_PLUS)
    return x->op == RSP_NODE_PLUS ? within (own, x->a, b) : within (own, a, y->a);
  if (x->op == RSP_NODE_SEQ && y->op == RSP_NODE_SEQ)
    return within (own, x->a, y->a) && within (own, x->b, y->b);
  return FALSE;
}

gboolean rsp_dag_within (const RspDag *dag, RspNodeId a, RspNodeId b) {
  Within own = { .dag = dag, .steps = WITHIN_STEPS };
  return within (&own, a, b);
}

gboolean rsp_dag_known_within (const RspDag *dag, RspNodeId a, RspNodeId b, RspKnownWithin known,
                               gconstpointer data) {
  Within own = { dag, known, data, KNOWN_WITHIN_STEPS };
  return within (&own, a, b);
}

/* ---- Sequences ---- */
/* [s];x = x & (s * unv) and x;[s] = x & (unv * s), for a constant within the identity. */
static RspNodeId mask (RspDag *dag, RspNodeId identity_on, RspNodeId x, gboolean on_left) {
  RspMatrix *set = rsp_dag_scratch (dag, TRUE), *product = rsp_dag_scratch (dag, FALSE);
  const RspMatrix *all = rsp_dag_value (dag, dag->universe[TRUE]);
  rsp_relation_domain (set, rsp_dag_value (dag, identity_on));
  rsp_relation_product (product, on_left ? set : all, on_left ? all : set);
  return rsp_dag_inter (dag, rsp_dag_scratch_constant (dag, FALSE), x);
}

static gboolean is_partial_identity (const RspDag *dag, RspNodeId id) {
  return rsp_dag_is_constant (dag, id)
         && rsp_matrix_subset (rsp_dag_value (dag, id), rsp_dag_value (dag, dag->identity));
}

/* ---- Differences ---- */
static RspNodeId complement_constant (RspDag *dag, gboolean is_set, const RspMatrix *value) {
  rsp_matrix_difference (rsp_dag_scratch (dag, is_set), rsp_dag_value (dag, dag->universe[is_set]),
                         value);
  return rsp_dag_scratch_constant (dag, is_set);
}

/* a \ b for a right side that contains a constant:
 *   a \ (C | y) = (a & ~C) \ y
 *   a \ (C & y) = a \ y              for a within C
 *   a \ (C \ y) = a & y              for a within C
 *   C \ (D \ y) = (C \ D) | (C & y)
 * FALSE if none applies. */
static gboolean simplify_right (RspDag *dag, gboolean is_set, RspNodeId a, RspNodeId b,
                                RspNodeId *result) {
  RspNode y = *rsp_dag_node (dag, b);
  if (rsp_node_arity (y.op) != 2 || !rsp_dag_is_constant (dag, y.a))
    return FALSE;
  const RspMatrix *constant = rsp_dag_value (dag, y.a);
  switch (y.op) {
  case RSP_NODE_UNION:
    a = rsp_dag_inter (dag, complement_constant (dag, is_set, constant), a);
    *result = rsp_dag_diff (dag, a, y.b);
    return TRUE;
  case RSP_NODE_INTER:
    if (!rsp_dag_within (dag, a, y.a))
      return FALSE;
    *result = rsp_dag_diff (dag, a, y.b);
    return TRUE;
  case RSP_NODE_DIFF:
    if (!rsp_dag_is_constant (dag, a) && !rsp_dag_within (dag, a, y.a))
      return FALSE;
    *result = rsp_dag_union (dag, rsp_dag_diff (dag, a, y.a), rsp_dag_inter (dag, a, y.b));
    return TRUE;
  default:
    return FALSE;
  }
}

static RspNodeId dag_simplify_binary (RspDag *dag, RspNodeOp op, RspNodeId a, RspNodeId b) {
  switch (op) {
  case RSP_NODE_UNION:
  case RSP_NODE_INTER:
    return simplify_lattice (dag, op, a, b);
  case RSP_NODE_DIFF: {
    gboolean is_set = rsp_dag_node (dag, a)->is_set;
    if (rsp_dag_is_constant (dag, b)) /* a \ C = a & ~C */
      return rsp_dag_inter (dag, complement_constant (dag, is_set, rsp_dag_value (dag, b)), a);
    if (a == dag->empty[is_set] || rsp_dag_within (dag, a, b))
      return dag->empty[is_set];
    RspNodeId result;
    if (simplify_right (dag, is_set, a, b, &result))
      return result;
    return dag_intern (dag, RSP_NODE_DIFF, is_set, a, b);
  }
  case RSP_NODE_SEQ: {
    RspNodeId none = dag->empty[FALSE];
    if (a == none || b == none)
      return none;
    if (is_partial_identity (dag, a))
      return a == dag->identity ? b : mask (dag, a, b, TRUE);
    if (is_partial_identity (dag, b))
      return b == dag->identity ? a : mask (dag, b, a, FALSE);
    RspNode x = *rsp_dag_node (dag, a), y = *rsp_dag_node (dag, b);
    if (x.op == RSP_NODE_IDENTITY && y.op == RSP_NODE_IDENTITY) /* [s];[t] = [s & t] */
      return rsp_dag_identity_on (dag, rsp_dag_inter (dag, x.a, y.a));
    if (x.op == RSP_NODE_CONSTANT && y.op == RSP_NODE_SEQ && rsp_dag_is_constant (dag, y.a))
      return rsp_dag_seq (dag, rsp_dag_seq (dag, a, y.a), y.b);
    if (y.op == RSP_NODE_CONSTANT && x.op == RSP_NODE_SEQ && rsp_dag_is_constant (dag, x.b))
      return rsp_dag_seq (dag, x.a, rsp_dag_seq (dag, x.b, b));
    return dag_intern (dag, RSP_NODE_SEQ, FALSE, a, b);
  }
  default: /* PRODUCT: 0 * s = s * 0 = 0 */
    if (a == dag->empty[TRUE] || b == dag->empty[TRUE])
      return dag->empty[FALSE];
    return dag_intern (dag, op, FALSE, a, b);
  }
}

/* ---- Unary operators ---- */
static RspNodeId simplify_plus (RspDag *dag, RspNodeId a) {
  RspNode x = *rsp_dag_node (dag, a);
  switch (x.op) {
  case RSP_NODE_PLUS:
  case RSP_NODE_IDENTITY:
  case RSP_NODE_PRODUCT: /* (s * t);(s * t) is within s * t */
    return a;
  case RSP_NODE_UNION:
    if (!rsp_dag_is_constant (dag, x.a))
      break;
    /* (C | x)+ = ((C \ id)+ | x)+ | (C & id): closing a constant early saves work later. */
    RspNodeId loops = rsp_dag_inter (dag, x.a, dag->identity);
    RspNodeId rest = rsp_dag_diff (dag, x.a, dag->identity);
    rest = rsp_dag_plus (dag, rest);
    RspNodeId body = rsp_dag_union (dag, rest, x.b);
    RspNode y = *rsp_dag_node (dag, body);
    if (y.op == RSP_NODE_UNION && rsp_dag_is_constant (dag, y.a))
      body = dag_intern (dag, RSP_NODE_PLUS, FALSE, body, 0);
    else
      body = rsp_dag_plus (dag, body);
    return rsp_dag_union (dag, loops, body);
  case RSP_NODE_INTER:
  case RSP_NODE_DIFF: /* C & y, C \ y: no pair of C can follow another */
    if (!rsp_dag_is_constant (dag, x.a) || rsp_dag_seq (dag, x.a, x.a) != dag->empty[FALSE])
      break;
    return a;
  default:
    break;
  }
  return dag_intern (dag, RSP_NODE_PLUS, FALSE, a, 0);
}

/* The laws: the node for op over operands at least one of which is not a constant. */
static RspNodeId dag_simplify_unary (RspDag *dag, RspNodeOp op, RspNodeId a) {
  switch (op) {
  case RSP_NODE_INVERSE: {
    RspNode x = *rsp_dag_node (dag, a);
    switch (x.op) {
    case RSP_NODE_INVERSE:
      return x.a;
    case RSP_NODE_IDENTITY:
      return a;
    case RSP_NODE_PRODUCT: /* (s * t)^-1 = t * s */
      return rsp_dag_product (dag, x.b, x.a);
    case RSP_NODE_UNION:
    case RSP_NODE_INTER:
    case RSP_NODE_DIFF: /* constants move outwards, where they meet others */
      if (!rsp_dag_is_constant (dag, x.a))
        break;
      return rsp_dag_binary (dag, x.op, rsp_dag_inverse (dag, x.a), rsp_dag_inverse (dag, x.b));
    default:
      break;
    }
    return dag_intern (dag, RSP_NODE_INVERSE, FALSE, a, 0);
  }
  case RSP_NODE_PLUS:
    return simplify_plus (dag, a);
  case RSP_NODE_DOMAIN: {
    RspNode x = *rsp_dag_node (dag, a);
    if (x.op == RSP_NODE_IDENTITY)
      return x.a;
    if (x.op == RSP_NODE_PLUS) /* a path leaves where its first step does */
      return rsp_dag_domain (dag, x.a);
    if (x.op == RSP_NODE_PRODUCT && rsp_dag_is_constant (dag, x.b) && x.b != dag->empty[TRUE])
      return x.a;
    return dag_intern (dag, RSP_NODE_DOMAIN, TRUE, a, 0);
  }
  default:
    return dag_intern (dag, op, FALSE, a, 0);
  }
}
