/* The model's DAG as circuits: operators, closures, recursive definitions, axioms. */
#include "enumerator/sat/internal.h"
#include "model/bounds/bounds.h"

#include <string.h>

static Lit recursive_closure (SatRelations *r, RspNodeId of, guint a, guint b);
static Lit recursive_fix (SatRelations *r, RspNodeId variable, guint a, guint b);

/* ---- Upper bounds --------------------------------------------------------------------------- */

typedef struct May {
  const SatFold *fold;
  const SatChoices *choices;
  const RspDag *dag;
} May;

static void bound (gpointer data, RspNodeId id, G_GNUC_UNUSED RspMatrix *least, RspMatrix *most) {
  const May *may = data;
  const RspDag *dag = may->dag;
  const RspNode *node = rsp_dag_node (dag, id);
  const RspBase *base = may->fold->pre->base;
  switch (node->op) {
  case RSP_NODE_CONSTANT:
    if (id == dag->universe[TRUE])
      rsp_matrix_fill (most);
    else if (id == dag->universe[FALSE])
      rsp_matrix_assign (most, may->fold->together);
    else if (id == dag->identity)
      rsp_matrix_assign (most, base->relations[RSP_BASE_RELATION_ID]);
    return;
  case RSP_NODE_RF:
    for (guint w = 0; w < most->n; w++)
      for (guint r = 0; r < most->n; r++)
        if (sat_choices_rf (may->choices, w, r) != LIT_FALSE)
          rsp_matrix_add (most, w, r);
    return;
  case RSP_NODE_CO:
    rsp_matrix_assign (most, may->choices->co.pairs);
    return;
  case RSP_NODE_ORDER:
    rsp_matrix_assign (most, may->choices->orders[node->index].pairs);
    return;
  default:
    if (node->is_set && node->index == RSP_BASE_SET_DIVERGENT_FENCE) {
      for (guint e = 0; e < most->n; e++)
        if (rsp_event_may_diverge (may->fold->pre->events[e]))
          rsp_set_add (most, e);
    } else if (node->is_set)
      rsp_matrix_assign (most, base->sets[node->index]);
    else
      rsp_matrix_intersect (most, base->relations[node->index - RSP_N_BASE_SETS],
                            may->fold->together);
  }
}

/* ---- Closures and recursive definitions ----------------------------------------------------- */

/* Where a table for the node has an event or pair, and its size. */
static gsize place_of (const SatRelations *r, RspNodeId id, guint a, guint b, gsize *size) {
  const gboolean is_set = rsp_dag_node (r->dag, id)->is_set;
  *size = is_set ? r->n : (gsize) r->n * r->n;
  return is_set ? a : (gsize) a * r->n + b;
}

/* ---- Closures ---- */
typedef struct SatClosure {
  SatRelations *relations;
  RspNodeId of;
  RspMatrix *may;
  Lit *lits; /* n × n; 0: not made yet */
  guint n_levels;
  Lit **levels; /* n × n, + 1: paths of at most 2^level steps; made on demand, and not if axioms
                   keep the relation acyclic */
} SatClosure;

/* A path of at most 2^level steps. */
static Lit within (SatClosure *c, guint level, guint a, guint b) {
  SatRelations *r = c->relations;
  const RspMatrix *may = c->may;
  if (!rsp_matrix_get (may, a, b))
    return LIT_FALSE;
  if (level == 0)
    return rsp_sat_relations_get (r, c->of, a, b);
  gsize size = (gsize) r->n * r->n;
  if (rsp_arena_is_exhausted (r->fold->arena)
      || (!c->levels[level] && !rsp_arena_affords (r->fold->arena, size * sizeof (Lit))))
    return LIT_FALSE;
  if (!c->levels[level])
    c->levels[level] = rsp_arena_new0 (r->fold->arena, Lit, size);
  Lit *made = &c->levels[level][(gsize) a * r->n + b];
  if (*made)
    return *made - 1;
  g_autofree Lit *ways = g_new (Lit, r->n + 2);
  guint n = 0;
  ways[n++] = within (c, level - 1, a, b);
  for (all_bits (m, rsp_matrix_row (may, a), may->words))
    if (rsp_matrix_get (may, m, b))
      ways[n++] = circuit_and (r->fold->circuit, within (c, level - 1, a, m),
                               within (c, level - 1, m, b));
  Lit way = circuit_or_all (r->fold->circuit, ways, n);
  c->levels[level][(gsize) a * r->n + b] = way + 1;
  return way;
}

/* A pair is one step and the rest of a path if an axiom forbids circles, in which pairs would
 * justify each other; otherwise a path of a bounded number of steps. */
static void justify_closure (SatClosure *c, guint a, guint b, Lit lit) {
  SatRelations *r = c->relations;
  if (!r->acyclic[c->of]) {
    circuit_imply (r->fold->circuit, lit, within (c, c->n_levels, a, b));
    return;
  }
  const RspMatrix *steps = r->may[c->of];
  g_autofree Lit *ways = g_new (Lit, r->n + 2);
  guint n = 0;
  ways[n++] = rsp_sat_relations_get (r, c->of, a, b);
  for (all_bits (m, rsp_matrix_row (steps, a), steps->words))
    ways[n++] = circuit_and (r->fold->circuit, rsp_sat_relations_get (r, c->of, a, m),
                             recursive_closure (r, c->of, m, b));
  circuit_imply (r->fold->circuit, lit, circuit_or_all (r->fold->circuit, ways, n));
}

static void define_closure (gpointer data, guint a, guint b, Lit lit, gboolean forward) {
  SatClosure *c = data;
  SatRelations *r = c->relations;
  if (forward) {
    justify_closure (c, a, b, lit);
    return;
  }
  const RspMatrix *steps = r->may[c->of];
  circuit_imply (r->fold->circuit, rsp_sat_relations_get (r, c->of, a, b), lit);
  for (all_bits (m, rsp_matrix_row (steps, a), steps->words)) {
    Lit conditions[]
        = { rsp_sat_relations_get (r, c->of, a, m), recursive_closure (r, c->of, m, b) };
    if (conditions[0] != LIT_FALSE && conditions[1] != LIT_FALSE)
      circuit_imply_from (r->fold->circuit, conditions, 2, lit);
  }
}

/* The pair is in the transitive closure of a relation that does not depend on variables. */
static Lit recursive_closure (SatRelations *r, RspNodeId of, guint a, guint b) {
  SatClosure *c = r->closures[of];
  if (!c) {
    c = r->closures[of] = rsp_arena_new0 (r->fold->arena, SatClosure, 1);
    *c = (SatClosure){ .relations = r, .of = of };
    c->may = rsp_matrix_copy (r->fold->arena, r->may[of]);
    rsp_relation_close (c->may);
    rsp_matrix_intersect (c->may, c->may, r->fold->together);
    while ((1u << c->n_levels) < r->fold->most_events)
      c->n_levels++;
    c->levels = rsp_arena_new0 (r->fold->arena, Lit *, c->n_levels + 1);
    c->lits = rsp_arena_new0 (r->fold->arena, Lit, (gsize) r->n * r->n);
  }
  Lit *lit = &c->lits[(gsize) a * r->n + b];
  if (!rsp_matrix_get (c->may, a, b))
    return LIT_FALSE;
  if (!*lit)
    *lit = circuit_defined (r->fold->circuit, define_closure, c, a, b);
  return *lit;
}

/* Chooses some events, each of which has a step to one of them. */
Lit rsp_recursive_circle (SatRelations *r, RspNodeId of) {
  Circuit *circuit = r->fold->circuit;
  const RspMatrix *steps = r->may[of];
  g_autofree Lit *on = g_new (Lit, r->n + 1), *ways = g_new (Lit, r->n + 1);
  for (guint a = 0; a < r->n; a++)
    on[a] = circuit_input (circuit);
  for (guint a = 0; a < r->n; a++) {
    guint n = 0;
    for (all_bits (b, rsp_matrix_row (steps, a), steps->words))
      ways[n++] = circuit_and (circuit, on[b], rsp_sat_relations_get (r, of, a, b));
    circuit_imply (circuit, on[a], circuit_or_all (circuit, ways, n));
  }
  Lit circle = circuit_input (circuit);
  circuit_imply (circuit, circle, circuit_or_all (circuit, on, r->n));
  return circle;
}

/* ---- Recursive definitions ---- */
/* Finds the nodes that depend on variables. FALSE, with the refusal, if a definition subtracts from
 * itself or contains another. groups: as bits, those of the variables that a node depends on. */
static gboolean recursive_prepare (SatRelations *r) {
  const RspDag *dag = r->dag;
  guint n = dag->nodes->len;
  g_autofree guint64 *groups = g_new0 (guint64, n + 1);
  r->depends = rsp_arena_new0 (r->fold->arena, gboolean, n + 1);
  r->closures = rsp_arena_new0 (r->fold->arena, SatClosure *, n + 1);
  r->variables = rsp_arena_new0 (r->fold->arena, SatVariable *, n + 1);
  if (dag->groups->len > 64)
    r->refusal = "the model has too many recursive definitions";
  for (RspNodeId id = 0; id < n && !r->refusal; id++) {
    const RspNode *node = rsp_dag_node (dag, id);
    const RspNodeForm *form = &rsp_node_forms[node->op];
    if (!r->may[id])
      continue;
    if (node->op == RSP_NODE_VARIABLE)
      groups[id] = G_GUINT64_CONSTANT (1) << (node->group - 1);
    for (guint i = 0; i < form->arity; i++) {
      guint64 operand = groups[i ? node->b : node->a];
      groups[id] |= operand;
      if (form->falls[i] && operand)
        r->refusal = "the model has a recursive definition that subtracts from itself";
    }
    const RspFix *fix
        = node->op == RSP_NODE_FIX ? &g_array_index (dag->groups, RspFix, node->index) : NULL;
    for (guint i = 0; fix && i < fix->n; i++)
      if (groups[fix->bodies[i]] & ~(G_GUINT64_CONSTANT (1) << node->index))
        r->refusal = "the model has a recursive definition inside another one";
    if (node->op == RSP_NODE_PLUS && groups[id])
      r->refusal = "the model has a closure inside a recursive definition";
    r->depends[id] = groups[id] != 0;
  }
  return !r->refusal;
}

/* ---- Justification ---- */
/* The rank of a pair (or event) of a variable, in bits from the lowest. Each pair of a variable
 * follows from pairs of lower rank. */
static const Lit *rank_of (SatRelations *r, RspNodeId variable, guint a, guint b) {
  gsize size, place = place_of (r, variable, a, b, &size);
  if (!r->ranks[variable])
    r->ranks[variable] = rsp_arena_new0 (r->fold->arena, Lit *, size);
  Lit **rank = &r->ranks[variable][place];
  if (!*rank) {
    *rank = rsp_arena_new0 (r->fold->arena, Lit, r->rank_bits);
    for (guint i = 0; i < r->rank_bits; i++)
      (*rank)[i] = circuit_input (r->fold->circuit);
  }
  return *rank;
}

static Lit is_less (SatRelations *r, const Lit *x, const Lit *y) {
  Circuit *circuit = r->fold->circuit;
  Lit less = LIT_FALSE;
  for (guint i = 0; i < r->rank_bits; i++) {
    Lit differ_down = circuit_and (circuit, lit_not (x[i]), y[i]);
    Lit not_up = lit_not (circuit_and (circuit, x[i], lit_not (y[i])));
    less = circuit_or (circuit, differ_down, circuit_and (circuit, not_up, less));
  }
  return less;
}

/* A variable's pair while another pair is justified: it holds, and has a lower rank. */
static Lit recursive_justify_get (SatRelations *r, RspNodeId variable, guint a, guint b) {
  const Lit *rank = rank_of (r, variable, a, b);
  return circuit_and (r->fold->circuit, recursive_fix (r, variable, a, b),
                      is_less (r, rank, r->justified));
}

static guint hash_place (gconstpointer key) {
  const SatPlace *place = key;
  return (place->id * 31 + place->a) * 1009 + place->b;
}

static gboolean equal_places (gconstpointer x, gconstpointer y) {
  const SatPlace *a = x, *b = y;
  return a->id == b->id && a->a == b->a && a->b == b->b;
}

/* forward: the pair follows from pairs of lower rank. */
static void define_variable (gpointer data, guint place, guint b, Lit lit, gboolean forward) {
  SatVariable *variable = data;
  SatRelations *r = variable->relations;
  const RspNode *node = rsp_dag_node (r->dag, variable->id);
  RspNodeId body = g_array_index (r->dag->groups, RspFix, node->group - 1).bodies[node->index];
  if (!forward) {
    circuit_imply (r->fold->circuit, rsp_sat_relations_get (r, body, place, b), lit);
    return;
  }
  if (!r->ranks) {
    gsize pairs = 2;
    for (RspNodeId id = 0; id < r->dag->nodes->len; id++)
      if (r->may[id] && rsp_dag_node (r->dag, id)->op == RSP_NODE_VARIABLE)
        pairs += rsp_matrix_count (r->may[id]);
    while (((gsize) 1 << r->rank_bits) < pairs)
      r->rank_bits++;
    r->ranks = rsp_arena_new0 (r->fold->arena, Lit **, r->dag->nodes->len + 1);
  }
  r->justified = rank_of (r, variable->id, place, b);
  r->while_justifying = g_hash_table_new_full (hash_place, equal_places, g_free, NULL);
  Lit reason = rsp_sat_relations_get (r, body, place, b);
  g_clear_pointer (&r->while_justifying, g_hash_table_unref);
  circuit_imply (r->fold->circuit, lit, reason);
}

static Lit recursive_fix (SatRelations *r, RspNodeId variable, guint a, guint b) {
  gsize size, place = place_of (r, variable, a, b, &size);
  SatVariable *v = r->variables[variable];
  if (!v) {
    v = r->variables[variable] = rsp_arena_new0 (r->fold->arena, SatVariable, 1);
    *v = (SatVariable){ .relations = r, .id = variable };
    v->lits = rsp_arena_new0 (r->fold->arena, Lit, size);
  }
  if (!v->lits[place])
    v->lits[place] = circuit_defined (r->fold->circuit, define_variable, v, a, b);
  return v->lits[place];
}

/* ---- Nodes ---------------------------------------------------------------------------------- */

/* ---- Operators ---- */
static Lit compose (SatRelations *r, const RspNode *node, guint a, guint c) {
  const RspMatrix *left = r->may[node->a], *right = r->may[node->b];
  g_autofree Lit *parts = g_new (Lit, r->n + 1);
  guint n = 0;
  for (all_bits (b, rsp_matrix_row (left, a), left->words)) {
    if (!rsp_matrix_get (right, b, c))
      continue;
    Lit first = rsp_sat_relations_get (r, node->a, a, b);
    Lit both = first == LIT_FALSE ? LIT_FALSE
                                  : circuit_and (r->fold->circuit, first,
                                                 rsp_sat_relations_get (r, node->b, b, c));
    if (both != LIT_FALSE)
      parts[n++] = both;
  }
  return circuit_or_all (r->fold->circuit, parts, n);
}

static Lit domain (SatRelations *r, const RspNode *node, guint a) {
  const RspMatrix *relation = r->may[node->a];
  g_autofree Lit *parts = g_new (Lit, r->n + 1);
  guint n = 0;
  for (all_bits (b, rsp_matrix_row (relation, a), relation->words))
    parts[n++] = rsp_sat_relations_get (r, node->a, a, b);
  return circuit_or_all (r->fold->circuit, parts, n);
}

static Lit make (SatRelations *r, RspNodeId id, guint a, guint b) {
  const RspNode *node = rsp_dag_node (r->dag, id);
  const SatChoices *choices = r->choices;
  Circuit *circuit = r->fold->circuit;
  Lit left, right;
  switch (node->op) {
  case RSP_NODE_CONSTANT: {
    const RspDag *dag = r->dag;
    if (id == dag->universe[TRUE])
      return r->fold->exists[a];
    if (id == dag->universe[FALSE])
      return sat_fold_both (r->fold, a, b);
    return id == dag->identity && a == b ? r->fold->exists[a] : LIT_FALSE;
  }
  case RSP_NODE_RF:
    return sat_choices_rf (choices, a, b);
  case RSP_NODE_CO:
    return sat_choices_ordered (choices, &choices->co, a, b);
  case RSP_NODE_ORDER:
    return sat_choices_ordered (choices, &choices->orders[node->index], a, b);
  case RSP_NODE_OPEN:
    if (node->is_set)
      return sat_fold_base_member (r->fold, (RspBaseSet) node->index, a);
    return sat_fold_base_pair (r->fold, (RspBaseRelation) (node->index - RSP_N_BASE_SETS), a, b);
  case RSP_NODE_UNION:
    return circuit_or (circuit, rsp_sat_relations_get (r, node->a, a, b),
                       rsp_sat_relations_get (r, node->b, a, b));
  case RSP_NODE_INTER:
  case RSP_NODE_DIFF:
    left = rsp_sat_relations_get (r, node->a, a, b);
    if (left == LIT_FALSE)
      return left;
    right = rsp_sat_relations_get (r, node->b, a, b);
    return circuit_and (circuit, left, node->op == RSP_NODE_DIFF ? lit_not (right) : right);
  case RSP_NODE_SEQ:
    return compose (r, node, a, b);
  case RSP_NODE_INVERSE:
    return rsp_sat_relations_get (r, node->a, b, a);
  case RSP_NODE_PRODUCT:
    return circuit_and (circuit,
                        circuit_and (circuit, rsp_sat_relations_get (r, node->a, a, 0),
                                     rsp_sat_relations_get (r, node->b, b, 0)),
                        sat_fold_both (r->fold, a, b));
  case RSP_NODE_IDENTITY:
    return a == b ? rsp_sat_relations_get (r, node->a, a, 0) : LIT_FALSE;
  case RSP_NODE_DOMAIN:
    return domain (r, node, a);
  case RSP_NODE_PLUS:
    return recursive_closure (r, node->a, a, b);
  case RSP_NODE_FIX: /* its variable's final value */
    return recursive_fix (r, rsp_dag_group (r->dag, node->index)->variables[node->b], a, b);
  case RSP_NODE_VARIABLE:
    return r->while_justifying ? recursive_justify_get (r, id, a, b) : recursive_fix (r, id, a, b);
  }
  g_assert_not_reached ();
}

Lit rsp_sat_relations_get (SatRelations *r, RspNodeId id, guint a, guint b) {
  gboolean is_set = rsp_dag_node (r->dag, id)->is_set;
  if (is_set ? !rsp_set_has (r->may[id], a) : !rsp_matrix_get (r->may[id], a, b))
    return LIT_FALSE;
  if (r->while_justifying && r->depends[id]) {
    SatPlace place = { id, a, b };
    gpointer known = g_hash_table_lookup (r->while_justifying, &place);
    if (known)
      return GPOINTER_TO_UINT (known) - 1;
    Lit lit = make (r, id, a, b);
    g_hash_table_insert (r->while_justifying, g_memdup2 (&place, sizeof place),
                         GUINT_TO_POINTER (lit + 1));
    return lit;
  }
  gsize size, place = place_of (r, id, a, b, &size);
  if (!r->lits[id]) {
    if (!rsp_arena_affords (r->fold->arena, size * sizeof (Lit)))
      return LIT_FALSE;
    r->lits[id] = rsp_arena_new0 (r->fold->arena, Lit, size);
    memset (r->lits[id], 0xff, size * sizeof (Lit));
  }
  if (r->lits[id][place] != LIT_NONE)
    return r->lits[id][place];
  if (rsp_arena_is_exhausted (r->fold->arena))
    return LIT_FALSE;
  return r->lits[id][place] = make (r, id, a, b);
}

/* ---- Closures that axioms keep acyclic ---- */
/* Does the node always contain that of the PLUS (or the identity, if plus is G_MAXUINT)? */
static gboolean contains (const RspDag *dag, RspNodeId id, RspNodeId plus) {
  const RspNode *node = rsp_dag_node (dag, id);
  if (id == plus || (plus == G_MAXUINT && id == dag->identity))
    return TRUE;
  if (node->op == RSP_NODE_UNION)
    return contains (dag, node->a, plus) || contains (dag, node->b, plus);
  if (node->op == RSP_NODE_PLUS)
    return contains (dag, node->a, plus);
  if (node->op == RSP_NODE_SEQ && plus != G_MAXUINT)
    return (contains (dag, node->a, plus) && contains (dag, node->b, G_MAXUINT))
           || (contains (dag, node->a, G_MAXUINT) && contains (dag, node->b, plus));
  return FALSE;
}

void rsp_sat_relations_trust (SatRelations *r, const RspStagedAxiom *axiom) {
  if (axiom->role != RSPCHECK_ROLE_AXIOM || axiom->negated)
    return;
  for (RspNodeId id = 0; id < r->dag->nodes->len; id++)
    if (rsp_dag_node (r->dag, id)->op == RSP_NODE_PLUS) {
      RspNodeId of = rsp_dag_node (r->dag, id)->a;
      r->acyclic[of]
          |= (axiom->kind == RSPCHECK_AXIOM_ACYCLIC && contains (r->dag, axiom->node, of))
             || (axiom->kind != RSPCHECK_AXIOM_EMPTY && contains (r->dag, axiom->node, id));
    }
}

SatRelations *rsp_sat_relations_new (const SatFold *fold, const SatChoices *choices,
                                     const RspStagedModel *model) {
  SatRelations *r = rsp_arena_new0 (fold->arena, SatRelations, 1);
  const RspDag *dag = model->dag;
  *r = (SatRelations){ .fold = fold, .choices = choices, .dag = dag, .n = fold->pre->n };
  r->lits = rsp_arena_new0 (fold->arena, Lit *, dag->nodes->len + 1);
  r->acyclic = rsp_arena_new0 (fold->arena, gboolean, dag->nodes->len + 1);
  May may = { .fold = fold, .choices = choices, .dag = model->dag };
  RspBetween *between = rsp_between_new_upper (model, fold->pre->n, fold->together, fold->arena);
  rsp_between_compute (between, bound, &may);
  r->may = between->most;
  recursive_prepare (r);
  return r;
}

/* ---- Axioms --------------------------------------------------------------------------------- */

static void add (GArray *forbidden, guint a, guint b, Lit lit) {
  SatForbidden one = { a, b, lit };
  g_array_append_val (forbidden, one);
}

GArray *rsp_sat_axioms_forbidden (SatRelations *r, const RspStagedAxiom *axiom,
                                  const RspMatrix *may) {
  const RspNode *node = rsp_dag_node (r->dag, axiom->node);
  GArray *forbidden = g_array_new (FALSE, FALSE, sizeof (SatForbidden));
  for (guint a = 0; a < r->n && !rsp_arena_is_exhausted (r->fold->arena); a++) {
    if (axiom->kind == RSPCHECK_AXIOM_EMPTY && !node->is_set)
      for (all_bits (b, rsp_matrix_row (may, a), may->words))
        add (forbidden, a, b, rsp_sat_relations_get (r, axiom->node, a, b));
    else if (axiom->kind == RSPCHECK_AXIOM_ACYCLIC && node->op != RSP_NODE_PLUS)
      add (forbidden, a, a, recursive_closure (r, axiom->node, a, a));
    else
      add (forbidden, a, a, rsp_sat_relations_get (r, axiom->node, a, node->is_set ? 0 : a));
  }
  return forbidden;
}

Lit rsp_sat_axioms_broken (SatRelations *r, const RspStagedAxiom *axiom) {
  g_autoptr (GArray) forbidden = rsp_sat_axioms_forbidden (r, axiom, r->may[axiom->node]);
  g_autofree Lit *lits = g_new (Lit, forbidden->len + 1);
  for (guint i = 0; i < forbidden->len; i++)
    lits[i] = g_array_index (forbidden, SatForbidden, i).lit;
  return circuit_or_all (r->fold->circuit, lits, forbidden->len);
}

void rsp_sat_axioms_require (SatRelations *r, const RspStagedModel *model) {
  for (guint i = 0; i < model->n_axioms; i++)
    rsp_sat_relations_trust (r, &model->axioms[i]);
  for (guint i = 0; i < model->n_axioms; i++)
    if (model->axioms[i].role == RSPCHECK_ROLE_AXIOM) {
      Lit broken = rsp_sat_axioms_broken (r, &model->axioms[i]);
      circuit_require (r->fold->circuit, model->axioms[i].negated ? broken : lit_not (broken));
    }
}

Lit sat_axioms_raised (SatRelations *r, const RspStagedAxiom *axiom) {
  Lit broken = rsp_sat_axioms_broken (r, axiom);
  gboolean raised_if_broken = (axiom->role != RSPCHECK_ROLE_FLAG) != axiom->negated;
  return raised_if_broken ? broken : lit_not (broken);
}
