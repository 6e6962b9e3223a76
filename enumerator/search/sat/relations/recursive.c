#include "enumerator/search/sat/relations/recursive.h"

/* ---- Closures ---- */

typedef struct SatClosure {
  SatRelations *relations;
  RspNodeId of;
  RspMatrix *may;
  Lit *lits; /* n × n; 0: not made yet */
  guint n_levels;
  Lit **levels; /* paths of at most 2^level steps, n × n, + 1; made on demand, and not if axioms
                   keep it acyclic */
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
  GArray *ways = g_array_new (FALSE, FALSE, sizeof (Lit));
  Lit way = within (c, level - 1, a, b);
  g_array_append_val (ways, way);
  for (all_bits (m, rsp_matrix_row (may, a), may->words))
    if (rsp_matrix_get (may, m, b)) {
      way = circuit_and (r->fold->circuit, within (c, level - 1, a, m),
                         within (c, level - 1, m, b));
      g_array_append_val (ways, way);
    }
  way = circuit_or_all (r->fold->circuit, (Lit *) (gpointer) ways->data, ways->len);
  g_array_unref (ways);
  c->levels[level][(gsize) a * r->n + b] = way + 1;
  return way;
}

/* One step and the rest of the path. If an axiom forbids circles, this justifies itself; otherwise
 * a pair is justified by a path of steps. */
static void justify_closure (SatClosure *c, guint a, guint b, Lit lit) {
  SatRelations *r = c->relations;
  if (!r->acyclic[c->of]) {
    circuit_imply (r->fold->circuit, lit, within (c, c->n_levels, a, b));
    return;
  }
  const RspMatrix *steps = r->may[c->of];
  GArray *ways = g_array_new (FALSE, FALSE, sizeof (Lit));
  Lit way = rsp_sat_relations_get (r, c->of, a, b);
  g_array_append_val (ways, way);
  for (all_bits (m, rsp_matrix_row (steps, a), steps->words)) {
    way = circuit_and (r->fold->circuit, rsp_sat_relations_get (r, c->of, a, m),
                       recursive_closure (r, c->of, m, b));
    g_array_append_val (ways, way);
  }
  way = circuit_or_all (r->fold->circuit, (Lit *) (gpointer) ways->data, ways->len);
  g_array_unref (ways);
  circuit_imply (r->fold->circuit, lit, way);
}

static void derive_closure (SatClosure *c, guint a, guint b, Lit lit) {
  SatRelations *r = c->relations;
  const RspMatrix *steps = r->may[c->of];
  circuit_imply (r->fold->circuit, rsp_sat_relations_get (r, c->of, a, b), lit);
  for (all_bits (m, rsp_matrix_row (steps, a), steps->words)) {
    Lit conditions[]
        = { rsp_sat_relations_get (r, c->of, a, m), recursive_closure (r, c->of, m, b) };
    if (conditions[0] != LIT_FALSE && conditions[1] != LIT_FALSE)
      circuit_imply_from (r->fold->circuit, conditions, 2, lit);
  }
}

static void define_closure (gpointer data, guint a, guint b, Lit lit, gboolean forward) {
  if (forward)
    justify_closure (data, a, b, lit);
  else
    derive_closure (data, a, b, lit);
}

static SatClosure *closure_of (SatRelations *r, RspNodeId of) {
  SatClosure *c = r->closures[of];
  if (c)
    return c;
  c = r->closures[of] = rsp_arena_new0 (r->fold->arena, SatClosure, 1);
  *c = (SatClosure){ .relations = r, .of = of };
  c->may = rsp_matrix_copy (r->fold->arena, r->may[of]);
  rsp_relation_close (c->may);
  rsp_matrix_intersect (c->may, c->may, r->fold->together);
  while ((1u << c->n_levels) < r->fold->most_events)
    c->n_levels++;
  c->levels = rsp_arena_new0 (r->fold->arena, Lit *, c->n_levels + 1);
  c->lits = rsp_arena_new0 (r->fold->arena, Lit, (gsize) r->n * r->n);
  return c;
}

Lit recursive_closure (SatRelations *r, RspNodeId of, guint a, guint b) {
  SatClosure *c = closure_of (r, of);
  Lit *lit = &c->lits[(gsize) a * r->n + b];
  if (!rsp_matrix_get (c->may, a, b))
    return LIT_FALSE;
  if (!*lit)
    *lit = circuit_defined (r->fold->circuit, define_closure, c, a, b);
  return *lit;
}

/* Some events, each of which has a step to another of them. */
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

static const RspFix *group_of (const SatRelations *r, RspNodeId variable) {
  return &g_array_index (r->dag->groups, RspFix, rsp_dag_node (r->dag, variable)->group - 1);
}

RspNodeId recursive_variable (const SatRelations *r, const RspNode *fix) {
  return g_array_index (r->dag->groups, RspFix, fix->index).variables[fix->b];
}

/* What each node depends on: bits of groups of variables. */
gboolean recursive_prepare (SatRelations *r) {
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
    guint arity = rsp_node_arity (node->op);
    if (!r->may[id])
      continue;
    if (node->op == RSP_NODE_VARIABLE)
      groups[id] = G_GUINT64_CONSTANT (1) << (node->group - 1);
    if (arity >= 1)
      groups[id] |= groups[node->a];
    if (arity == 2)
      groups[id] |= groups[node->b];
    const RspFix *fix
        = node->op == RSP_NODE_FIX ? &g_array_index (dag->groups, RspFix, node->index) : NULL;
    for (guint i = 0; fix && i < fix->n; i++)
      if (groups[fix->bodies[i]] & ~(G_GUINT64_CONSTANT (1) << node->index))
        r->refusal = "the model has a recursive definition inside another one";
    if (node->op == RSP_NODE_DIFF && groups[node->b])
      r->refusal = "the model has a recursive definition that subtracts from itself";
    if (node->op == RSP_NODE_PLUS && groups[id])
      r->refusal = "the model has a closure inside a recursive definition";
    r->depends[id] = groups[id] != 0;
  }
  return !r->refusal;
}

/* ---- Justification ---- */

/* The rank of a pair (or event) of a variable, in bits from the lowest. A pair that is in a
 * variable follows from others of lower rank. */
static const Lit *rank_of (SatRelations *r, RspNodeId variable, guint a, guint b) {
  gsize place = rsp_dag_node (r->dag, variable)->is_set ? a : (gsize) a * r->n + b;
  gsize size = rsp_dag_node (r->dag, variable)->is_set ? r->n : (gsize) r->n * r->n;
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

Lit recursive_justify_get (SatRelations *r, RspNodeId variable, guint a, guint b) {
  const Lit *rank = rank_of (r, variable, a, b);
  return circuit_and (r->fold->circuit, recursive_fix (r, variable, a, b),
                      is_less (r, rank, r->justified));
}

static void count_rank_bits (SatRelations *r) {
  gsize pairs = 2;
  for (RspNodeId id = 0; id < r->dag->nodes->len; id++)
    if (r->may[id] && rsp_dag_node (r->dag, id)->op == RSP_NODE_VARIABLE)
      pairs += rsp_matrix_count (r->may[id]);
  while (((gsize) 1 << r->rank_bits) < pairs)
    r->rank_bits++;
  r->ranks = rsp_arena_new0 (r->fold->arena, Lit **, r->dag->nodes->len + 1);
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
  RspNodeId body = group_of (r, variable->id)->bodies[rsp_dag_node (r->dag, variable->id)->index];
  if (!forward) {
    circuit_imply (r->fold->circuit, rsp_sat_relations_get (r, body, place, b), lit);
    return;
  }
  if (!r->ranks)
    count_rank_bits (r);
  r->justified = rank_of (r, variable->id, place, b);
  r->while_justifying = g_hash_table_new_full (hash_place, equal_places, g_free, NULL);
  Lit reason = rsp_sat_relations_get (r, body, place, b);
  g_clear_pointer (&r->while_justifying, g_hash_table_unref);
  circuit_imply (r->fold->circuit, lit, reason);
}

Lit recursive_fix (SatRelations *r, RspNodeId variable, guint a, guint b) {
  gboolean is_set = rsp_dag_node (r->dag, variable)->is_set;
  gsize place = is_set ? a : (gsize) a * r->n + b, size = is_set ? r->n : (gsize) r->n * r->n;
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
