#include "enumerator/search/sat/oracle.h"
#include "enumerator/search/query/cores.h"
#include "enumerator/search/query/question.h"
#include "enumerator/search/sat/proofs/problem.h"
#include "enumerator/search/sat/relations/axioms.h"
#include "enumerator/search/sat/values/states.h"

#include <string.h>

enum { CONFLICTS_PER_STEP = 10 };

struct SatOracle {
  const RspProgram *program;
  const RspModel *model;
  const RspCheckOptions *options;
  GPtrArray *const *paths;
  RspTerms *terms;
  RspBudget *budget;
  SatProblem problem;
  SatStates *states;
  Lit in_order;        /* see sat_problem_in_order */
  Lit others_in_order; /* of threads that no outcome and no filter shows */
  Lit circle;          /* values justify each other */
  Lit *holds;          /* per axiom of the model: it holds; LIT_NONE: not made yet */
  GArray *assumed;     /* of Lit */
  GArray *core;        /* of RspStagedAxiom */
};

/* ---- Encoding ---- */

static Lit axiom_holds (SatOracle *oracle, guint i) {
  const RspStagedAxiom *axiom = &oracle->problem.model->axioms[i];
  if (oracle->holds[i] == LIT_NONE) {
    Lit broken = rsp_sat_axioms_broken (oracle->problem.relations, axiom);
    oracle->holds[i] = axiom->negated ? broken : lit_not (broken);
  }
  return oracle->holds[i];
}

/* Axioms without an id belong to what the model chooses, and always hold. Closures that others keep
 * acyclic are taken as such even where these may fail: then they may have pairs too many, and an
 * answer may be none. */
static void prepare_axioms (SatOracle *oracle) {
  const RspStagedModel *model = oracle->problem.model;
  oracle->holds = rsp_arena_new0 (oracle->problem.arena, Lit, model->n_axioms + 1);
  for (guint i = 0; i < model->n_axioms; i++) {
    oracle->holds[i] = LIT_NONE;
    rsp_sat_relations_trust (oracle->problem.relations, &model->axioms[i]);
  }
  for (guint i = 0; i < model->n_axioms; i++)
    if (model->axioms[i].role == RSPCHECK_ROLE_AXIOM && !model->axioms[i].id)
      circuit_require (oracle->problem.circuit, axiom_holds (oracle, i));
}

/* No path that is taken fails, and the filter keeps the execution. */
static void require_completion (SatOracle *oracle) {
  Circuit *circuit = oracle->problem.circuit;
  const RspProp *filter = oracle->program->filter;
  for (guint t = 0; t < oracle->program->n_threads; t++)
    for (guint p = 0; p < oracle->paths[t]->len; p++)
      if (((const RspPath *) oracle->paths[t]->pdata[p])->end != RSP_PATH_COMPLETE)
        circuit_require (circuit, lit_not (oracle->problem.fold->threads[t].taken[p]));
  if (filter)
    circuit_require (circuit, sat_states_holds (oracle->states, filter));
}

static gboolean encode (SatOracle *oracle) {
  SatProblem *problem = &oracle->problem;
  if (!sat_problem_encode (problem, oracle->program, oracle->model, oracle->options, oracle->paths,
                           oracle->terms, oracle->budget)
      || problem->fold->fewest_events < 2)
    return FALSE;
  oracle->states = sat_states_new (problem->values);
  if (problem->values->refusal)
    return FALSE;
  oracle->in_order = sat_problem_in_order (problem, SAT_FIXED_NONE, G_MAXUINT);
  oracle->others_in_order = sat_problem_in_order (problem, SAT_FIXED_SHOWN, G_MAXUINT);
  oracle->circle = rsp_sat_values_circle (problem->values);
  prepare_axioms (oracle);
  require_completion (oracle);
  return !rsp_budget_is_exhausted (oracle->budget);
}

/* Encoding gives events names of its own, which others have named, too. */
static void exchange_names (const SatOracle *oracle, GPtrArray *names) {
  guint i = 0;
  for (guint t = 0; t < oracle->program->n_threads; t++)
    for (guint p = 0; p < oracle->paths[t]->len; p++, i++) {
      RspPath *path = oracle->paths[t]->pdata[p];
      gpointer own = path->names;
      if (i < names->len)
        path->names = names->pdata[i];
      else
        g_ptr_array_add (names, own);
    }
}

/* ---- Assumptions ---- */

static void assume (SatOracle *oracle, Lit lit) { g_array_append_val (oracle->assumed, lit); }

/* Some axiom with this id fails; of a flag: it is raised. */
static Lit some_breaks (SatOracle *oracle, const char *id) {
  const RspStagedModel *model = oracle->problem.model;
  Lit any = LIT_FALSE;
  for (guint i = 0; i < model->n_axioms; i++)
    if (g_strcmp0 (model->axioms[i].id, id) == 0) {
      gboolean is_flag = model->axioms[i].role == RSPCHECK_ROLE_FLAG;
      Lit holds = axiom_holds (oracle, i);
      any = circuit_or (oracle->problem.circuit, any, is_flag ? holds : lit_not (holds));
    }
  return any;
}

static gboolean is_demanded (const SatOracle *oracle, const RspQuestion *question, guint i) {
  const RspStagedAxiom *axiom = &oracle->problem.model->axioms[i];
  return axiom->id
         && rsp_question_demand (question, oracle->options->through, axiom) == DEMAND_HOLDS;
}

/* A question with a limit of steps has one of conflicts. */
static SatAnswer solve (SatOracle *oracle, const RspQuestion *question, Lit also) {
  g_array_set_size (oracle->assumed, 0);
  assume (oracle, also);
  assume (oracle, question->outcome || oracle->program->filter ? oracle->others_in_order
                                                               : oracle->in_order);
  for (guint i = 0; i < oracle->problem.model->n_axioms; i++)
    if (is_demanded (oracle, question, i))
      assume (oracle, axiom_holds (oracle, i));
  for (guint i = 0; question->failing && question->failing[i]; i++)
    assume (oracle, some_breaks (oracle, question->failing[i]));
  if (question->raised)
    assume (oracle, some_breaks (oracle, question->raised));
  if (question->max_steps)
    sat_solver_limit (oracle->problem.solver, (int) question->max_steps * CONFLICTS_PER_STEP);
  return circuit_solve (oracle->problem.circuit, (Lit *) (gpointer) oracle->assumed->data,
                        oracle->assumed->len);
}

/* ---- Questions ---- */

/* Adds the axioms that the last proof used. */
static void note_core (SatOracle *oracle, const RspQuestion *question) {
  for (guint i = 0; i < oracle->problem.model->n_axioms; i++)
    if (is_demanded (oracle, question, i)
        && circuit_failed (oracle->problem.circuit, oracle->holds[i]))
      rsp_core_add (oracle->core, &oracle->problem.model->axioms[i]);
}

/* Nothing is known of values that justify each other, but that some axioms forbid them. */
SatAnswer rsp_sat_oracle_ask (SatOracle *oracle, const RspQuestion *question) {
  Circuit *circuit = oracle->problem.circuit;
  Lit outcome = question->outcome ? sat_states_holds (oracle->states, question->outcome) : LIT_TRUE;
  g_array_set_size (oracle->core, 0);
  SatAnswer answer
      = solve (oracle, question, circuit_and (circuit, outcome, lit_not (oracle->circle)));
  if (answer != SAT_NO)
    return answer;
  note_core (oracle, question);
  if (solve (oracle, question, oracle->circle) != SAT_NO)
    return SAT_UNKNOWN;
  note_core (oracle, question);
  return SAT_NO;
}

const GArray *rsp_sat_oracle_core (const SatOracle *oracle) { return oracle->core; }

/* ---- The execution ---- */

void rsp_sat_oracle_paths (const SatOracle *oracle, guint *numbers) {
  const SatProblem *sat = &oracle->problem;
  for (guint t = 0; t < oracle->program->n_threads; t++)
    for (guint p = 0; p < oracle->paths[t]->len; p++)
      if (circuit_value (sat->circuit, sat->fold->threads[t].taken[p]))
        numbers[t] = p;
}

/* Per event of the pre-execution: that of the fold. */
static guint *map_events (const SatOracle *oracle, const RspPreExecution *pre, RspArena *arena) {
  const SatFold *fold = oracle->problem.fold;
  guint n_threads = oracle->program->n_threads;
  g_autofree guint *numbers = g_new0 (guint, n_threads + 1);
  guint *map = rsp_arena_new0 (arena, guint, pre->n + 1);
  rsp_sat_oracle_paths (oracle, numbers);
  for (guint i = 0; i < pre->first[0]; i++)
    map[i] = fold->pre->initial[pre->events[i]->location];
  for (guint t = 0; t < n_threads; t++)
    for (guint e = pre->first[t]; e < pre->first[t + 1]; e++)
      map[e] = sat_fold_event (fold, t, numbers[t], e - pre->first[t]);
  return map;
}

/* The pairs whose literal, of the events of the fold, holds; of those that may be, unless NULL. */
static RspMatrix *read_pairs (const SatOracle *oracle, guint n, const guint *map, const Lit *lits,
                              const RspMatrix *may, RspArena *arena) {
  const SatProblem *sat = &oracle->problem;
  RspMatrix *pairs = rsp_relation_new (arena, n);
  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      if ((!may || rsp_matrix_get (may, map[a], map[b]))
          && circuit_value (sat->circuit, lits[map[a] * sat->fold->pre->n + map[b]]))
        rsp_matrix_add (pairs, a, b);
  return pairs;
}

void rsp_sat_oracle_read (const SatOracle *oracle, const RspPreExecution *pre, RspArena *arena,
                          RspExecution *execution) {
  const SatProblem *sat = &oracle->problem;
  const SatChoices *choices = sat->choices;
  const guint *map = map_events (oracle, pre, arena);
  guint n = pre->n;
  execution->pre = pre;
  execution->rf = read_pairs (oracle, n, map, choices->rf, NULL, arena);
  execution->co = read_pairs (oracle, n, map, choices->co.before, choices->co.pairs, arena);
  execution->n_orders = sat->model->n_orders;
  execution->orders = rsp_arena_new0 (arena, RspMatrix *, sat->model->n_orders + 1);
  for (guint i = 0; i < sat->model->n_orders; i++)
    execution->orders[i]
        = read_pairs (oracle, n, map, choices->orders[i].before, choices->orders[i].pairs, arena);
}

/* ---- Beginning and end ---- */

SatOracle *rsp_sat_oracle_new (const RspProgram *program, const RspModel *model,
                               const RspCheckOptions *options, GPtrArray *const *paths,
                               RspTerms *terms, RspBudget *budget) {
  SatOracle *oracle = g_new0 (SatOracle, 1);
  *oracle = (SatOracle){ .program = program,
                         .model = model,
                         .options = options,
                         .paths = paths,
                         .terms = terms,
                         .budget = budget,
                         .assumed = g_array_new (FALSE, FALSE, sizeof (Lit)),
                         .core = rsp_core_new () };
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  exchange_names (oracle, names);
  gboolean is_exact = encode (oracle);
  exchange_names (oracle, names);
  if (!is_exact)
    g_clear_pointer (&oracle, rsp_sat_oracle_free);
  return oracle;
}

void rsp_sat_oracle_free (SatOracle *oracle) {
  if (!oracle)
    return;
  sat_problem_clear (&oracle->problem);
  g_array_unref (oracle->assumed);
  g_array_unref (oracle->core);
  g_free (oracle);
}
