/* A DAG as code for grids of labels. */
#include "extra/synth/judge.h"
#include "model/matrix.h"

typedef struct Bounds {
  Grid lo, hi;
} Bounds;

/* A node's result is the value with the node's number. */
typedef struct Instruction {
  RspNodeOp op;
  guint node, a, b;
  gboolean is_set;
  guint group; /* FIX */
} Instruction;

struct Code {
  const RspStagedModel *model;
  guint n;              /* events */
  Grid universe;        /* all pairs */
  Bounds *values;       /* per node */
  GArray *fixed;        /* of Instruction: computed once per labelling */
  GArray **per_axiom;   /* per axiom, of Instruction: what it needs beyond earlier axioms */
  GArray **rounds;      /* per recursive group, of Instruction: one round of its iteration */
  GArray *given, *open; /* of guint: leaves set per candidate (RF, CO, ORDER), per labelling */
  guint8 *dynamic;      /* per node: does it depend on rf, co or an order? */
  gboolean diverged;
};

/* ---- Code hash ------------------------------------------------------------------------------ */

/* Value numbering (Cocke, Schwartz 1970) of a staged model under a labelling: the number of a node
 * is that of its value if the value is known, and otherwise that of its operator on the numbers of
 * its operands, up to the laws of 0 and unv. Numbers are hashes of 128 bits, so that two staged
 * models can be compared. */

/* A node's number, and its value if that does not depend on rf and co. */
typedef struct Number {
  RspHash hash;
  gboolean known;
  Grid value;
} Number;

/* The kinds of numbered values: the first words of their hashes. */
enum { OPERATOR, KNOWN, LEAF, RECURSION, AXIOM };

#define HASH(...)                                                                                  \
  rsp_hash_words ((const guint64[]){ __VA_ARGS__ },                                                \
                  sizeof (guint64[]){ __VA_ARGS__ } / sizeof (guint64))

static RspHash hash_operator (guint op, RspHash a, RspHash b) {
  return HASH (OPERATOR, op, a.a, a.b, b.a, b.b);
}

static Number known (gboolean is_set, Grid value) {
  return (Number){ HASH (KNOWN, (guint64) is_set, value), TRUE, value };
}

static Number leaf (const Code *code, guint id) {
  const RspNode *node = rsp_dag_node (code->model->dag, id);
  Bounds value = code->values[id];
  if (!code->dynamic[id] && node->op != RSP_NODE_VARIABLE && value.lo == value.hi)
    return known (node->is_set, value.lo);
  RspHash hash = HASH (LEAF, node->op, node->index, node->group);
  if (node->op == RSP_NODE_VARIABLE)
    rsp_hash_word (&hash, node->b);
  if (node->op == RSP_NODE_ORDER)
    rsp_hash_word (&hash, code->model->orders[node->index].set->bits[0]);
  if (node->op == RSP_NODE_OPEN) {
    rsp_hash_word (&hash, value.lo);
    rsp_hash_word (&hash, value.hi);
  }
  return (Number){ .hash = hash };
}

/* The operators' values for operands that are empty or full. */
static Number number_node (const Code *code, const Number *numbers, const Instruction *i) {
  Grid universe = i->is_set ? (1u << code->n) - 1 : code->universe;
  const RspNodeForm *form = &rsp_node_forms[i->op];
  Bounds own = code->values[i->node];
  Number a = numbers[i->a], b = form->arity == 2 ? numbers[i->b] : (Number){ .known = FALSE };
  if (!code->dynamic[i->node] && !rsp_dag_node (code->model->dag, i->node)->group
      && own.lo == own.hi)
    return known (i->is_set, own.lo);
  if (a.known && a.value == 0)
    return form->other_if_empty[0] ? b : known (i->is_set, 0);
  if (b.known && b.value == 0)
    return form->other_if_empty[1] ? a : known (i->is_set, 0);
  if (i->op == RSP_NODE_INTER && a.known && a.value == universe)
    return b;
  if (i->op == RSP_NODE_INTER && b.known && b.value == universe)
    return a;
  if (i->op == RSP_NODE_DIFF && b.known && b.value == universe)
    return known (i->is_set, 0);
  gboolean swapped = form->commutes && b.hash.a < a.hash.a;
  return (Number){ .hash
                   = hash_operator (i->op, swapped ? b.hash : a.hash, swapped ? a.hash : b.hash) };
}

static void number_list (const Code *code, Number *numbers, const GArray *list);

/* A recursive definition: the numbers of its bodies, with a number for each variable. */
static Number number_fix (const Code *code, Number *numbers, const Instruction *i) {
  const RspFix *fix = &g_array_index (code->model->dag->groups, RspFix, i->group);
  RspHash hash = HASH (RECURSION, i->b);
  number_list (code, numbers, code->rounds[i->group]);
  for (guint k = 0; k < fix->n; k++)
    hash = hash_operator (RSP_NODE_FIX, hash, numbers[fix->bodies[k]].hash);
  return (Number){ .hash = hash };
}

static void number_list (const Code *code, Number *numbers, const GArray *list) {
  const Instruction *all = (const Instruction *) (gconstpointer) list->data;
  for (guint i = 0; i < list->len; i++)
    numbers[all[i].node] = all[i].op == RSP_NODE_FIX ? number_fix (code, numbers, &all[i])
                                                     : number_node (code, numbers, &all[i]);
}

RspHash code_hash_axioms (const Code *code) {
  const RspStagedModel *model = code->model;
  guint n = model->dag->nodes->len;
  RspHash sum = { 0, 0 };
  g_autofree Number *numbers = g_new (Number, n);
  for (guint id = 0; id < n; id++)
    numbers[id] = leaf (code, id);
  number_list (code, numbers, code->fixed);
  for (guint i = 0; i < model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &model->axioms[i];
    number_list (code, numbers, code->per_axiom[i]);
    Number value = numbers[axiom->node];
    if ((value.known && value.value == 0 && !axiom->negated)
        || (axiom->role != RSPCHECK_ROLE_AXIOM && axiom->role != RSPCHECK_ROLE_UNDEFINED_UNLESS))
      continue;
    rsp_hash_add (&sum, HASH (AXIOM, axiom->role, axiom->kind, (guint64) axiom->negated,
                              value.hash.a, value.hash.b));
  }
  return sum;
}

/* ---- Code ----------------------------------------------------------------------------------- */

/* Compiles a staged model to code, and runs it. */

/* ---- Where nodes are computed ---- */
typedef struct Placing {
  Code *code;
  const RspDag *dag;
  guint8 *needed, *dynamic, *done;
} Placing;

static gboolean is_leaf (RspNodeOp op) { return rsp_node_is_leaf (op) && op != RSP_NODE_FIX; }

/* Does the node depend on rf, co or an order? Operands have lower numbers, except a group's bodies,
 * which lie between its variables and its fixes. */
static gboolean is_dynamic (const Placing *placing, RspNodeId id) {
  const RspNode *node = rsp_dag_node (placing->dag, id);
  if (node->op == RSP_NODE_FIX) {
    const RspFix *fix = rsp_dag_group (placing->dag, node->index);
    for (guint i = 0; i < fix->n; i++)
      if (placing->dynamic[fix->bodies[i]])
        return TRUE;
  }
  guint arity = rsp_node_arity (node->op);
  return rsp_node_forms[node->op].chosen || (arity >= 1 && placing->dynamic[node->a])
         || (arity == 2 && placing->dynamic[node->b]);
}

static void place (Placing *placing, GArray *here, RspNodeId id) {
  const RspNode *node = rsp_dag_node (placing->dag, id);
  Instruction instruction = { .op = node->op,
                              .node = id,
                              .a = node->a,
                              .b = node->b,
                              .is_set = node->is_set,
                              .group = node->op == RSP_NODE_FIX ? node->index : 0 };
  placing->done[id] = TRUE;
  g_array_append_val (here, instruction);
}

/* The dynamic nodes that an axiom needs and no earlier axiom needed. */
static void place_axiom (Placing *placing, guint axiom) {
  const RspStagedModel *model = placing->code->model;
  Placing own = *placing;
  own.needed = g_new0 (guint8, placing->dag->nodes->len);
  own.needed[model->axioms[axiom].node] = TRUE;
  rsp_dag_mark_below (own.dag, own.needed);
  for (RspNodeId id = 0; id < placing->dag->nodes->len; id++) {
    const RspNode *node = rsp_dag_node (placing->dag, id);
    if (own.needed[id] && !placing->done[id] && !is_leaf (node->op) && !node->group)
      place (placing, placing->code->per_axiom[axiom], id);
  }
  g_free (own.needed);
}

/* ---- Making it ---- */
static Grid grid_of (const RspMatrix *matrix, gboolean is_set) {
  Grid grid = 0;
  if (is_set)
    return matrix->bits[0];
  for (guint a = 0; a < matrix->rows; a++)
    grid |= rsp_matrix_row (matrix, a)[0] << (8 * a);
  return grid;
}

static GArray **new_lists (guint n) {
  GArray **lists = g_new (GArray *, n + 1);
  for (guint i = 0; i < n; i++)
    lists[i] = g_array_new (FALSE, FALSE, sizeof (Instruction));
  return lists;
}

static void free_lists (GArray **lists, guint n) {
  for (guint i = 0; i < n; i++)
    g_array_unref (lists[i]);
  g_free (lists);
}

Code *code_new (const RspStagedModel *model) {
  const RspDag *dag = model->dag;
  guint n = dag->nodes->len;
  if (dag->n > RSP_SHAPE_EVENTS)
    return NULL;
  Code *code = g_new0 (Code, 1);
  code->model = model;
  code->n = dag->n;
  code->universe = grid_product ((1u << dag->n) - 1, (1u << dag->n) - 1);
  code->values = g_new0 (Bounds, n);
  code->fixed = g_array_new (FALSE, FALSE, sizeof (Instruction));
  code->given = g_array_new (FALSE, FALSE, sizeof (guint));
  code->open = g_array_new (FALSE, FALSE, sizeof (guint));
  code->per_axiom = new_lists (model->n_axioms);
  code->rounds = new_lists (dag->groups->len);
  Placing placing = { code, dag, g_new0 (guint8, n), g_new0 (guint8, n), g_new0 (guint8, n) };
  for (guint i = 0; i < model->n_axioms; i++)
    placing.needed[model->axioms[i].node] = TRUE;
  rsp_dag_mark_below (dag, placing.needed);
  guint k = placing.dag->nodes->len;
  for (RspNodeId id = 0; id < k; id++)
    placing.dynamic[id] = placing.needed[id] && is_dynamic (&placing, id);
  for (RspNodeId id = 0; id < k; id++) {
    const RspNode *node = rsp_dag_node (placing.dag, id);
    if (!placing.needed[id] || is_leaf (node->op))
      continue;
    if (node->group)
      place (&placing, placing.code->rounds[node->group - 1], id);
    else if (!placing.dynamic[id])
      place (&placing, placing.code->fixed, id);
  }
  for (RspNodeId id = 0; id < placing.dag->nodes->len; id++) {
    const RspNode *node = rsp_dag_node (placing.dag, id);
    if (node->op == RSP_NODE_CONSTANT)
      code->values[id].lo = code->values[id].hi = grid_of (node->constant, node->is_set);
    else if (node->op == RSP_NODE_OPEN && placing.needed[id])
      g_array_append_val (code->open, id);
    else if (placing.dynamic[id] && is_leaf (node->op))
      g_array_append_val (code->given, id);
  }
  for (guint i = 0; i < model->n_axioms; i++)
    place_axiom (&placing, i);
  g_free (placing.needed);
  code->dynamic = placing.dynamic;
  g_free (placing.done);
  return code;
}

void code_free (Code *code) {
  if (!code)
    return;
  free_lists (code->per_axiom, code->model->n_axioms);
  free_lists (code->rounds, code->model->dag->groups->len);
  g_array_unref (code->fixed);
  g_array_unref (code->given);
  g_array_unref (code->open);
  g_free (code->values);
  g_free (code->dynamic);
  g_free (code);
}

/* ---- Running it ---- */
static void run (Code *code, const GArray *instructions);

/* Gives the variables the values of their bodies. FALSE if nothing changed. */
static gboolean advance (Code *code, const RspFix *fix) {
  gboolean changed = FALSE;
  for (guint i = 0; i < fix->n; i++) {
    Bounds *variable = &code->values[fix->variables[i]];
    const Bounds *body = &code->values[fix->bodies[i]];
    changed |= variable->lo != body->lo || variable->hi != body->hi;
    *variable = *body;
  }
  return changed;
}

static gboolean is_exact (const Code *code, guint group) {
  const GArray *round = code->rounds[group];
  for (guint i = 0; i < round->len; i++) {
    guint node = g_array_index (round, Instruction, i).node;
    if (code->values[node].lo != code->values[node].hi)
      return FALSE;
  }
  return TRUE;
}

/* Iterates a group from empty: see evaluate_group in model/dag/valuation.c. Nothing is known about
 * a group that is not monotone until all its inputs are. */
static void run_group (Code *code, guint group) {
  const RspFix *fix = &g_array_index (code->model->dag->groups, RspFix, group);
  for (guint i = 0; i < fix->n; i++)
    code->values[fix->variables[i]] = (Bounds){ 0, 0 };
  guint rounds = code->n * code->n * fix->n + 2;
  gboolean exact = TRUE;
  do {
    run (code, code->rounds[group]);
    exact = fix->monotone || is_exact (code, group);
  } while (exact && advance (code, fix) && --rounds);
  code->diverged |= rounds == 0;
  for (guint i = 0; i < fix->n; i++)
    code->values[fix->fixes[i]]
        = exact ? code->values[fix->variables[i]]
                : (Bounds){ 0, rsp_dag_node (code->model->dag, fix->fixes[i])->is_set
                                   ? (1u << code->n) - 1
                                   : code->universe };
}

static inline Grid grid_apply (RspNodeOp op, Grid a, Grid b, guint n) {
  switch (op) {
  case RSP_NODE_UNION:
    return a | b;
  case RSP_NODE_INTER:
    return a & b;
  case RSP_NODE_DIFF:
    return a & ~b;
  case RSP_NODE_SEQ:
    return grid_compose (a, b, n);
  case RSP_NODE_INVERSE:
    return grid_inverse (a);
  case RSP_NODE_PLUS:
    return grid_close (a, n);
  case RSP_NODE_PRODUCT:
    return grid_product (a, b);
  case RSP_NODE_IDENTITY:
    return grid_identity (a);
  case RSP_NODE_DOMAIN:
    return grid_domain (a);
  case RSP_NODE_LEAVES:
    break;
  }
  g_assert_not_reached ();
}

static inline Bounds compute (const Code *code, const Instruction *i) {
  const gboolean *falls = rsp_node_forms[i->op].falls;
  Bounds a = code->values[i->a], b = code->values[i->b];
  Grid lo = grid_apply (i->op, falls[0] ? a.hi : a.lo, falls[1] ? b.hi : b.lo, code->n);
  if (a.lo == a.hi && b.lo == b.hi)
    return (Bounds){ lo, lo };
  return (Bounds){ lo,
                   grid_apply (i->op, falls[0] ? a.lo : a.hi, falls[1] ? b.lo : b.hi, code->n) };
}

static void run (Code *code, const GArray *instructions) {
  const Instruction *all = (const Instruction *) (gconstpointer) instructions->data;
  for (guint i = 0; i < instructions->len; i++) {
    if (all[i].op == RSP_NODE_FIX)
      run_group (code, all[i].group);
    else
      code->values[all[i].node] = compute (code, &all[i]);
  }
}

void code_set_labels (Code *code, const RspLabelling *labelling) {
  for (guint i = 0; i < code->open->len; i++) {
    guint id = g_array_index (code->open, guint, i);
    guint set = rsp_dag_node (code->model->dag, id)->index;
    code->values[id] = (Bounds){ labelling->lo[set], labelling->hi[set] };
  }
  run (code, code->fixed);
}

void code_set_execution (Code *code, Grid rf, Grid co, const Grid *orders) {
  for (guint i = 0; i < code->given->len; i++) {
    guint id = g_array_index (code->given, guint, i);
    const RspNode *node = rsp_dag_node (code->model->dag, id);
    Grid value = node->op == RSP_NODE_RF ? rf : node->op == RSP_NODE_CO ? co : orders[node->index];
    code->values[id] = (Bounds){ value, value };
  }
}

/* Does a value satisfy the axiom? More pairs never help. */
static gboolean passes (const Code *code, const RspStagedAxiom *axiom, Grid value) {
  const RspAxiomForm *form = rsp_axiom_form (axiom->kind);
  Grid pairs = form->closed ? grid_close (value, code->n) : value;
  return !(form->reflexive ? pairs & GRID_DIAGONAL : pairs);
}

RspTruth code_axiom (Code *code, guint index) {
  const RspStagedAxiom *axiom = &code->model->axioms[index];
  run (code, code->per_axiom[index]);
  const Bounds *value = &code->values[axiom->node];
  if (passes (code, axiom, value->hi))
    return axiom->negated ? RSP_FAILS : RSP_HOLDS;
  if (!passes (code, axiom, value->lo))
    return axiom->negated ? RSP_HOLDS : RSP_FAILS;
  return RSP_OPEN;
}

gboolean code_is_dynamic (const Code *code, guint axiom) {
  return code->dynamic[code->model->axioms[axiom].node];
}

gboolean code_value (const Code *code, guint axiom, Grid *value) {
  Bounds bounds = code->values[code->model->axioms[axiom].node];
  *value = bounds.lo;
  return bounds.lo == bounds.hi && !code->diverged;
}

gboolean code_diverged (const Code *code) { return code->diverged; }
