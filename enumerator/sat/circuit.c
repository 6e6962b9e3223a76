/* Boolean circuits, and their clauses for the solver. */
#include "enumerator/sat/internal.h"

#include <string.h>

typedef enum GateKind { GATE_INPUT, GATE_AND, GATE_DEFINED } GateKind;

enum {
  FORWARD = 1, /* gate -> definition */
  BACKWARD = 2
};

typedef struct Gate {
  guint8 kind;
  guint8 demanded; /* FORWARD, BACKWARD */
  int variable;    /* of the solver; 0: none yet */
  guint first;     /* AND: its first child; DEFINED: its definition */
  guint n;
} Gate;

typedef struct Definition {
  CircuitDefine define;
  gpointer data;
  guint i, j;
} Definition;

typedef struct GateDemand {
  guint gate;
  guint8 direction;
} GateDemand;

struct Circuit {
  SatSolver *solver;
  RspBudget *budget;
  GArray *gates;       /* of Gate; the first is the constant FALSE */
  GArray *children;    /* of Lit */
  GArray *definitions; /* of Definition */
  GArray *demands;     /* of GateDemand: clauses still to be added */
  GArray *scratch;     /* of Lit */
  guint *slots;        /* AND gates by their children: open addressing, number + 1; 0: free */
  guint n_slots, n_ands;
  gboolean draining;
  guint defined;       /* the gate whose definition is being added; 0: none */
  gboolean is_trivial; /* was a constant enough for the last answer? */
};

static Gate *gate_at (const Circuit *circuit, guint number) {
  return &g_array_index (circuit->gates, Gate, number);
}

static Lit child (const Circuit *circuit, const Gate *gate, guint i) {
  return g_array_index (circuit->children, Lit, gate->first + i);
}

static Lit add_gate (Circuit *circuit, GateKind kind, guint first, guint n) {
  Gate gate = { .kind = (guint8) kind, .first = first, .n = n };
  g_array_append_val (circuit->gates, gate);
  return (circuit->gates->len - 1) * 2;
}

Circuit *circuit_new (SatSolver *solver, RspBudget *budget) {
  Circuit *circuit = g_new0 (Circuit, 1);
  circuit->solver = solver;
  circuit->budget = budget;
  circuit->gates = g_array_new (FALSE, FALSE, sizeof (Gate));
  circuit->children = g_array_new (FALSE, FALSE, sizeof (Lit));
  circuit->definitions = g_array_new (FALSE, FALSE, sizeof (Definition));
  circuit->demands = g_array_new (FALSE, FALSE, sizeof (GateDemand));
  circuit->scratch = g_array_new (FALSE, FALSE, sizeof (Lit));
  circuit->n_slots = 1 << 12;
  circuit->slots = g_new0 (guint, circuit->n_slots);
  add_gate (circuit, GATE_INPUT, 0, 0);
  return circuit;
}

void circuit_free (Circuit *circuit) {
  if (!circuit)
    return;
  g_array_unref (circuit->gates);
  g_array_unref (circuit->children);
  g_array_unref (circuit->definitions);
  g_array_unref (circuit->demands);
  g_array_unref (circuit->scratch);
  g_free (circuit->slots);
  g_free (circuit);
}

Lit circuit_input (Circuit *circuit) { return add_gate (circuit, GATE_INPUT, 0, 0); }

Lit circuit_defined (Circuit *circuit, CircuitDefine define, gpointer data, guint i, guint j) {
  Definition definition = { define, data, i, j };
  g_array_append_val (circuit->definitions, definition);
  return add_gate (circuit, GATE_DEFINED, circuit->definitions->len - 1, 0);
}

/* ---- Conjunctions ---- */
/* The slot of the gate with these children, or the free one where it belongs. */
static guint find_slot (const Circuit *circuit, const Lit *lits, guint n) {
  guint64 hash = n;
  for (guint i = 0; i < n; i++)
    hash = (hash ^ lits[i]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  guint slot = ((guint) (hash >> 32)) & (circuit->n_slots - 1);
  while (circuit->slots[slot]) {
    const Gate *gate = gate_at (circuit, circuit->slots[slot] - 1);
    if (gate->n == n
        && memcmp (&g_array_index (circuit->children, Lit, gate->first), lits, n * sizeof (Lit))
               == 0)
      break;
    slot = (slot + 1) & (circuit->n_slots - 1);
  }
  return slot;
}

static int compare_lits (gconstpointer a, gconstpointer b) {
  Lit x = *(const Lit *) a, y = *(const Lit *) b;
  return (x > y) - (x < y);
}

/* Sorts the literals, and drops duplicates and TRUE. Returns how many remain; G_MAXUINT: the
 * conjunction is FALSE. */
static guint normalise (Lit *lits, guint n) {
  if (n == 2 && lits[0] > lits[1]) {
    Lit first = lits[0];
    lits[0] = lits[1];
    lits[1] = first;
  } else if (n > 2)
    qsort (lits, n, sizeof (Lit), compare_lits);
  guint kept = 0;
  for (guint i = 0; i < n; i++) {
    if (lits[i] == LIT_FALSE || (kept && lits[kept - 1] == lit_not (lits[i])))
      return G_MAXUINT;
    if (lits[i] != LIT_TRUE && !(kept && lits[kept - 1] == lits[i]))
      lits[kept++] = lits[i];
  }
  return kept;
}

Lit circuit_and_all (Circuit *circuit, Lit *lits, guint n) {
  n = normalise (lits, n);
  if (n == G_MAXUINT)
    return LIT_FALSE;
  if (n <= 1)
    return n ? lits[0] : LIT_TRUE;
  guint slot = find_slot (circuit, lits, n);
  if (circuit->slots[slot])
    return (circuit->slots[slot] - 1) * 2;
  guint first = circuit->children->len;
  g_array_append_vals (circuit->children, lits, n);
  Lit lit = add_gate (circuit, GATE_AND, first, n);
  circuit->slots[slot] = lit / 2 + 1;
  if (++circuit->n_ands > circuit->n_slots / 2) {
    g_free (circuit->slots);
    circuit->n_slots *= 2;
    circuit->slots = g_new0 (guint, circuit->n_slots);
    for (guint i = 0; i < circuit->gates->len; i++) {
      const Gate *gate = gate_at (circuit, i);
      if (gate->kind == GATE_AND)
        circuit->slots[find_slot (circuit, &g_array_index (circuit->children, Lit, gate->first),
                                  gate->n)]
            = i + 1;
    }
  }
  return lit;
}

Lit circuit_or_all (Circuit *circuit, Lit *lits, guint n) {
  for (guint i = 0; i < n; i++)
    lits[i] = lit_not (lits[i]);
  return lit_not (circuit_and_all (circuit, lits, n));
}

Lit circuit_and (Circuit *circuit, Lit a, Lit b) {
  Lit lits[] = { a, b };
  return circuit_and_all (circuit, lits, 2);
}

Lit circuit_or (Circuit *circuit, Lit a, Lit b) {
  return lit_not (circuit_and (circuit, lit_not (a), lit_not (b)));
}

/* ---- Clauses ---- */
static int variable_of (Circuit *circuit, guint number) {
  Gate *gate = gate_at (circuit, number);
  if (!gate->variable)
    gate->variable = sat_solver_variable (circuit->solver);
  return gate->variable;
}

/* The solver's literal. Demands the gate's clauses in the direction in which it is used. In its own
 * definition a gate demands nothing of itself, or what need only hold if the gate does would have
 * to be justified too. */
static int demand (Circuit *circuit, Lit lit) {
  guint number = lit / 2;
  guint8 direction = lit & 1 ? BACKWARD : FORWARD;
  int variable = variable_of (circuit, number);
  Gate *gate = gate_at (circuit, number);
  if (gate->kind != GATE_INPUT && number != circuit->defined && !(gate->demanded & direction)) {
    gate->demanded |= direction;
    GateDemand new_demand = { number, direction };
    g_array_append_val (circuit->demands, new_demand);
  }
  return lit & 1 ? -variable : variable;
}

static void add_and (Circuit *circuit, guint number, gboolean forward) {
  int variable = variable_of (circuit, number);
  const Gate gate = *gate_at (circuit, number);
  for (guint i = 0; i < gate.n && forward; i++) {
    sat_solver_add (circuit->solver, -variable);
    sat_solver_add (circuit->solver, demand (circuit, child (circuit, &gate, i)));
    sat_solver_add (circuit->solver, 0);
  }
  if (forward)
    return;
  sat_solver_add (circuit->solver, variable);
  for (guint i = 0; i < gate.n; i++)
    sat_solver_add (circuit->solver, demand (circuit, lit_not (child (circuit, &gate, i))));
  sat_solver_add (circuit->solver, 0);
}

/* Adds the clauses of all gates that are demanded, and of those that these demand. */
static void drain (Circuit *circuit) {
  if (circuit->draining)
    return;
  circuit->draining = TRUE;
  while (circuit->demands->len) {
    GateDemand next = g_array_index (circuit->demands, GateDemand, circuit->demands->len - 1);
    g_array_set_size (circuit->demands, circuit->demands->len - 1);
    if (rsp_budget_stop (circuit->budget) != RSPCHECK_STOP_COMPLETE)
      continue;
    const Gate *gate = gate_at (circuit, next.gate);
    if (gate->kind == GATE_AND) {
      add_and (circuit, next.gate, next.direction == FORWARD);
      continue;
    }
    const Definition d = g_array_index (circuit->definitions, Definition, gate->first);
    rsp_budget_is_exhausted (circuit->budget);
    circuit->defined = next.gate;
    d.define (d.data, d.i, d.j, next.gate * 2, next.direction == FORWARD);
    circuit->defined = 0;
  }
  circuit->draining = FALSE;
}

void circuit_clause (Circuit *circuit, const Lit *lits, guint n) {
  for (guint i = 0; i < n; i++)
    if (lits[i] == LIT_TRUE)
      return;
  for (guint i = 0; i < n; i++)
    if (lits[i] != LIT_FALSE)
      sat_solver_add (circuit->solver, demand (circuit, lits[i]));
  sat_solver_add (circuit->solver, 0);
  drain (circuit);
}

void circuit_imply_from (Circuit *circuit, const Lit *conditions, guint n, Lit lit) {
  if (gate_at (circuit, lit / 2)->kind == GATE_AND) {
    const Gate gate = *gate_at (circuit, lit / 2);
    gboolean is_and = !(lit & 1);
    g_autoptr (GArray) clause = g_array_new (FALSE, FALSE, sizeof (Lit));
    for (guint i = 0; i < n; i++) {
      Lit negated = lit_not (conditions[i]);
      g_array_append_val (clause, negated);
    }
    for (guint i = 0; i < gate.n; i++) {
      Lit part = child (circuit, &gate, i) ^ (is_and ? 0 : 1);
      g_array_append_val (clause, part);
      if (!is_and)
        continue;
      circuit_clause (circuit, (const Lit *) (gpointer) clause->data, clause->len);
      g_array_set_size (clause, n);
    }
    if (!is_and)
      circuit_clause (circuit, (const Lit *) (gpointer) clause->data, clause->len);
    return;
  }
  g_autofree Lit *clause = g_new (Lit, n + 1);
  for (guint i = 0; i < n; i++)
    clause[i] = lit_not (conditions[i]);
  clause[n] = lit;
  circuit_clause (circuit, clause, n + 1);
}

void circuit_imply (Circuit *circuit, Lit condition, Lit lit) {
  circuit_imply_from (circuit, &condition, 1, lit);
}

void circuit_require (Circuit *circuit, Lit lit) { circuit_imply_from (circuit, NULL, 0, lit); }

/* Few pairwise; many in halves, with a new literal that says which half may have it. */
void circuit_at_most_one (Circuit *circuit, const Lit *lits, guint n) {
  enum { PAIRWISE = 6 };
  if (n <= PAIRWISE) {
    for (guint i = 0; i < n; i++)
      for (guint j = i + 1; j < n; j++)
        circuit_clause (circuit, (Lit[]){ lit_not (lits[i]), lit_not (lits[j]) }, 2);
    return;
  }
  guint half = n / 2;
  Lit in_second = circuit_input (circuit);
  for (guint i = 0; i < n; i++)
    circuit_imply (circuit, lits[i], i < half ? lit_not (in_second) : in_second);
  circuit_at_most_one (circuit, lits, half);
  circuit_at_most_one (circuit, lits + half, n - half);
}

/* ---- Answers ---- */
SatAnswer circuit_solve (Circuit *circuit, const Lit *assumed, guint n) {
  circuit->is_trivial = FALSE;
  for (guint i = 0; i < n; i++)
    circuit->is_trivial |= assumed[i] == LIT_FALSE;
  if (circuit->is_trivial)
    return SAT_NO;
  g_autofree int *literals = g_new (int, n + 1);
  for (guint i = 0; i < n; i++)
    literals[i] = assumed[i] == LIT_TRUE ? 0 : demand (circuit, assumed[i]);
  drain (circuit);
  for (guint i = 0; i < n; i++)
    if (literals[i])
      sat_solver_assume (circuit->solver, literals[i]);
  return sat_solver_solve (circuit->solver);
}

gboolean circuit_value (const Circuit *circuit, Lit lit) {
  if (lit / 2 == 0)
    return lit == LIT_TRUE;
  int variable = gate_at (circuit, lit / 2)->variable;
  gboolean value = variable && sat_solver_value (circuit->solver, variable);
  return lit & 1 ? !value : value;
}
