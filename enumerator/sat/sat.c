/* The engine sat: a check as questions to the solver. */
#include "enumerator/query/query.h"
#include "enumerator/sat/internal.h"
#include "enumerator/sat/sat.h"
#include "enumerator/search/search.h"
#include "enumerator/values/values.h"
#include "model/stage/stage.h"

#include <string.h>

/* ---- The execution found -------------------------------------------------------------------- */

/* Per thread: the number of the path that it takes. */
static void read_paths (const SatProblem *sat, guint *numbers) {
  for (guint t = 0; t < sat->fold->program->n_threads; t++)
    for (guint p = 0; p < sat->fold->threads[t].n_paths; p++)
      if (circuit_value (sat->circuit, sat->fold->threads[t].taken[p]))
        numbers[t] = p;
}

/* The pairs whose literals hold. map: per event, that of the fold; may: the pairs that have
 * literals (NULL: all). */
static RspMatrix *read_pairs (const SatProblem *sat, guint n, const guint *map, const Lit *lits,
                              const RspMatrix *may, RspArena *arena) {
  RspMatrix *pairs = rsp_relation_new (arena, n);
  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      if ((!may || rsp_matrix_get (may, map[a], map[b]))
          && circuit_value (sat->circuit, lits[map[a] * sat->fold->pre->n + map[b]]))
        rsp_matrix_add (pairs, a, b);
  return pairs;
}

/* Reads what is chosen, on the events of the paths that are taken. Returns, per event, that of the
 * fold. */
static guint *read_execution (const SatProblem *sat, const RspPreExecution *pre, RspArena *arena,
                              RspExecution *execution) {
  const SatFold *fold = sat->fold;
  const SatChoices *choices = sat->choices;
  const guint n = pre->n, n_threads = fold->program->n_threads;
  g_autofree guint *numbers = g_new0 (guint, n_threads + 1);
  guint *map = rsp_arena_new0 (arena, guint, n + 1);
  read_paths (sat, numbers);
  for (guint i = 0; i < pre->first[0]; i++)
    map[i] = fold->pre->initial[pre->events[i]->location];
  for (guint t = 0; t < n_threads; t++)
    for (guint e = pre->first[t]; e < pre->first[t + 1]; e++)
      map[e] = sat_fold_event (fold, t, numbers[t], e - pre->first[t]);
  execution->pre = pre;
  execution->rf = read_pairs (sat, n, map, choices->rf, NULL, arena);
  execution->co = read_pairs (sat, n, map, choices->co.before, choices->co.pairs, arena);
  execution->n_orders = sat->model->n_orders;
  execution->orders = rsp_arena_new0 (arena, RspMatrix *, sat->model->n_orders + 1);
  for (guint i = 0; i < sat->model->n_orders; i++)
    execution->orders[i]
        = read_pairs (sat, n, map, choices->orders[i].before, choices->orders[i].pairs, arena);
  return map;
}

/* ---- Oracle --------------------------------------------------------------------------------- */

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

static gboolean oracle_encode (SatOracle *oracle) {
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
  /* Axioms without an id belong to what the model chooses, and always hold. The others are trusted
   * to keep closures acyclic even where they may fail: closures may then be too large, and what is
   * found not an execution. */
  const RspStagedModel *model = oracle->problem.model;
  oracle->holds = rsp_arena_new0 (oracle->problem.arena, Lit, model->n_axioms + 1);
  for (guint i = 0; i < model->n_axioms; i++) {
    oracle->holds[i] = LIT_NONE;
    rsp_sat_relations_trust (oracle->problem.relations, &model->axioms[i]);
  }
  for (guint i = 0; i < model->n_axioms; i++)
    if (model->axioms[i].role == RSPCHECK_ROLE_AXIOM && !model->axioms[i].id)
      circuit_require (oracle->problem.circuit, axiom_holds (oracle, i));
  /* No path that is taken fails, and the filter keeps the execution. */
  Circuit *circuit = oracle->problem.circuit;
  const RspProp *filter = oracle->program->filter;
  for (guint t = 0; t < oracle->program->n_threads; t++)
    for (guint p = 0; p < oracle->paths[t]->len; p++)
      if (((const RspPath *) oracle->paths[t]->pdata[p])->end != RSP_PATH_COMPLETE)
        circuit_require (circuit, lit_not (oracle->problem.fold->threads[t].taken[p]));
  if (filter)
    circuit_require (circuit, sat_states_may_be (oracle->states, filter, TRUE));
  return !rsp_budget_is_exhausted (oracle->budget);
}

/* Swaps the paths' names of events: encoding gives them names of its own. */
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

Lit sat_axioms_counting (SatRelations *relations, const RspStagedAxiom *axiom,
                         const RspQuestion *question, gboolean *known) {
  const RspEvent *const *events = relations->fold->pre->events;
  Lit any = LIT_FALSE;
  *known &= (axiom->role == RSPCHECK_ROLE_FLAG) == axiom->negated
            && !rsp_axiom_form (axiom->kind)->closed;
  g_autoptr (GArray) pairs
      = rsp_sat_axioms_forbidden (relations, axiom, relations->may[axiom->node]);
  for (guint k = 0; k < pairs->len; k++) {
    const SatForbidden *pair = &g_array_index (pairs, SatForbidden, k);
    if (pair->lit != LIT_FALSE
        && question->counts (question->data, events[pair->a], events[pair->b]))
      any = circuit_or (relations->fold->circuit, any, pair->lit);
  }
  return any;
}

/* Some axiom with this id fails; of a flag: it is raised. counting: the question if only pairs that
 * count for it matter, or NULL; *known becomes FALSE if a single pair does not break some axiom. */
static Lit some_breaks (SatOracle *oracle, const char *id, const RspQuestion *counting,
                        gboolean *known) {
  const RspStagedModel *model = oracle->problem.model;
  Lit any = LIT_FALSE;
  for (guint i = 0; i < model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &model->axioms[i];
    if (g_strcmp0 (axiom->id, id) != 0)
      continue;
    Lit breaks = counting ? sat_axioms_counting (oracle->problem.relations, axiom, counting, known)
                          : axiom_holds (oracle, i) ^ (axiom->role != RSPCHECK_ROLE_FLAG);
    any = circuit_or (oracle->problem.circuit, any, breaks);
  }
  return any;
}

/* TRUE if all threads have one text, as the work-items of a kernel do: exchanged accesses are on
 * the same lines. */
static gboolean share_text (const RspProgram *program) {
  const RspSpan first = program->threads[0].body->span;
  for (guint t = 1; t < program->n_threads; t++)
    if (program->threads[t].body->span.source != first.source
        || program->threads[t].body->span.begin != first.begin)
      return FALSE;
  return TRUE;
}

/* A question with a limit of steps has one of conflicts. */
static SatAnswer solve (SatOracle *oracle, const RspQuestion *question, Lit also) {
  gboolean known = TRUE;
  g_array_set_size (oracle->assumed, 0);
  assume (oracle, also);
  if (!question->counts || share_text (oracle->program))
    assume (oracle, question->outcome || oracle->program->filter ? oracle->others_in_order
                                                                 : oracle->in_order);
  for (guint i = 0; i < oracle->problem.model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &oracle->problem.model->axioms[i];
    if (axiom->id
        && rsp_question_demand (question, oracle->options->through, axiom) == DEMAND_HOLDS)
      assume (oracle, axiom_holds (oracle, i));
  }
  for (guint i = 0; question->failing && question->failing[i]; i++)
    assume (oracle, some_breaks (oracle, question->failing[i], NULL, NULL));
  if (question->raised)
    assume (oracle,
            some_breaks (oracle, question->raised, question->counts ? question : NULL, &known));
  if (question->max_steps)
    sat_solver_limit (oracle->problem.solver, (int) question->max_steps * CONFLICTS_PER_STEP);
  return !known ? SAT_UNKNOWN
                : circuit_solve (oracle->problem.circuit, (Lit *) (gpointer) oracle->assumed->data,
                                 oracle->assumed->len);
}

/* ---- Questions ---- */
/* Executions with values that justify each other are asked about apart: only axioms constrain them.
 */
SatAnswer rsp_sat_oracle_ask (SatOracle *oracle, const RspQuestion *question) {
  Circuit *circuit = oracle->problem.circuit;
  Lit outcome
      = question->outcome ? sat_states_may_be (oracle->states, question->outcome, TRUE) : LIT_TRUE;
  SatAnswer answer
      = solve (oracle, question, circuit_and (circuit, outcome, lit_not (oracle->circle)));
  if (answer == SAT_NO && solve (oracle, question, oracle->circle) != SAT_NO)
    return SAT_UNKNOWN;
  return answer;
}

void rsp_sat_oracle_paths (const SatOracle *oracle, guint *numbers) {
  read_paths (&oracle->problem, numbers);
}

void rsp_sat_oracle_read (const SatOracle *oracle, const RspPreExecution *pre, RspArena *arena,
                          RspExecution *execution) {
  read_execution (&oracle->problem, pre, arena, execution);
}

/* ---- New and free ---- */
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
                         .assumed = g_array_new (FALSE, FALSE, sizeof (Lit)) };
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  exchange_names (oracle, names);
  gboolean is_exact = oracle_encode (oracle);
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
  g_free (oracle);
}

/* ---- The search ----------------------------------------------------------------------------- */

enum {
  FIRST_CONFLICTS
  = 1 << 13, /* of a question, before an alternative is tried; then twice as many each time */
  MOST_CONFLICTS = 1 << 30,
  /* The solver's steps: to answer a kernel's question on one choice of paths, and to list its
     states. */
  ANSWER_LOOKS = 1 << 18,
  LIST_LOOKS = 1 << 15
};

typedef struct Sat {
  Check *check;
  SatAlternative alternative; /* or NULL */
  int conflicts;              /* of a question, before it is tried */
  gboolean is_overtaken;      /* has it answered everything? */
  gboolean is_refused;
  gboolean is_small; /* may it have fewer than two events? Models may treat such executions
                        differently, so the bounded engine searches it */
  SatProblem problem;
  SatStates *states;
  Lit breaking; /* of executions that differ by exchanging threads, keeps one; LIT_TRUE: all */
  Lit breaking_others;   /* the same, of threads whose registers the states do not show */
  GArray *demanded;      /* of Lit: what all executions sought have */
  Lit undefined;         /* does the execution violate a requirement? */
  gboolean narrows;      /* do only executions count that -speedcheck and the filter select? */
  RspValue *state;       /* of the execution that was found */
  GArray *cause;         /* of Lit: what the state follows from */
  gboolean asks;         /* does a kernel's question come before other states? */
  gboolean lists_states; /* within a limit, as nothing else is unknown */
  gboolean is_whole;     /* are there no more states? */
  GPtrArray *known;      /* the states recorded: arrays of RspValue */
} Sat;

static void refuse (Sat *sat, const char *reason) {
  Check *check = sat->check;
  sat->is_refused = TRUE;
  if (check->options->engine != RSPCHECK_ENGINE_SAT)
    return;
  if (rsp_budget_stop (&check->budget) == RSPCHECK_STOP_COMPLETE)
    rsp_error (check->diagnostics, (RspSpan){ 0 }, "-engine bounded takes all tests and models",
               "test %s: -engine sat cannot decide it: %s", check->program->name, reason);
  rsp_budget_end (&check->budget, RSPCHECK_STOP_ERROR);
}

static gboolean sat_encode (Sat *sat) {
  Check *check = sat->check;
  SatProblem *problem = &sat->problem;
  guint n_before = rsp_diagnostics_count (check->diagnostics);
  /* What the options ask for is a state or a flag of an execution that the model allows. */
  if (check->options->through != RSPCHECK_THROUGH_NONE)
    refuse (sat, "-through counts executions that the model forbids");
  if (sat->is_refused || rsp_budget_is_exhausted (&check->budget))
    return FALSE;
  problem->diagnostics = check->diagnostics;
  problem->takes_any = TRUE;
  gboolean encoded = sat_problem_open (problem, check->program, check->model, check->options,
                                       check->paths, check->terms, &check->budget);
  if (!problem->model && rsp_diagnostics_count (check->diagnostics) > n_before)
    rsp_budget_end (&check->budget, RSPCHECK_STOP_ERROR);
  for (guint i = 0; problem->model && i < problem->model->n_axioms; i++)
    if (problem->model->axioms[i].role == RSPCHECK_ROLE_ASSERT)
      refuse (sat, "the model has assertions");
  sat->is_small = encoded && problem->fold->fewest_events < 2;
  sat->is_refused |= sat->is_small;
  if (encoded) {
    sat->states = sat_states_new (problem->values);
    problem->refusal = problem->values->refusal;
    sat->breaking = sat_problem_in_order (problem, SAT_FIXED_NONE, G_MAXUINT);
    sat->breaking_others = sat_problem_in_order (problem, SAT_FIXED_SHOWN, G_MAXUINT);
  }
  if (problem->refusal)
    refuse (sat, problem->refusal);
  return encoded && !sat->is_refused && !rsp_budget_is_exhausted (&check->budget);
}

/* ---- Queries ---- */
/* Tries the alternative. FALSE if it has the answer, or the budget is exhausted. */
static gboolean must_go_on (Sat *sat) {
  Check *check = sat->check;
  if (rsp_budget_is_exhausted (&check->budget))
    return FALSE;
  RspTally *own = check->tally;
  check->tally = rsp_tally_new (check->program);
  sat->is_overtaken = sat->alternative (check);
  if (!sat->is_overtaken) {
    rsp_tally_free (check->tally);
    check->tally = g_steal_pointer (&own);
  }
  rsp_tally_free (own);
  sat->conflicts = MIN (sat->conflicts * 2, MOST_CONFLICTS);
  return !sat->is_overtaken;
}

/* Is there an execution with the literal and all that is demanded, as far as values are known?
 * After its limit, the solver resumes where it was. */
static SatAnswer query (Sat *sat, Lit lit) {
  guint n = sat->demanded->len;
  SatAnswer answer;
  if (sat->is_overtaken)
    return SAT_UNKNOWN;
  g_array_append_val (sat->demanded, lit);
  do {
    if (sat->alternative && !sat->lists_states)
      sat_solver_limit (sat->problem.solver, sat->conflicts);
    answer = circuit_solve (sat->problem.circuit, (Lit *) (gpointer) sat->demanded->data, n + 1);
  } while (answer == SAT_UNKNOWN && sat->alternative && !sat->lists_states && must_go_on (sat));
  g_array_set_size (sat->demanded, n);
  return answer;
}

/* ---- Values that are unknown ---- */
/* Excludes executions in which all of the literals hold. */
static void exclude (Sat *sat, const GArray *lits) {
  g_autoptr (GArray) clause = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (guint i = 0; i < lits->len; i++) {
    Lit lit = lit_not (g_array_index (lits, Lit, i));
    g_array_append_val (clause, lit);
  }
  circuit_clause (sat->problem.circuit, (Lit *) (gpointer) clause->data, clause->len);
}

/* The literal of the value found, or `otherwise` if it is unknown. */
static Lit literal_of (const Sat *sat, const SatValues *values, Lit otherwise) {
  for (guint i = 0; i < values->n; i++)
    if (circuit_value (sat->problem.circuit, values->lits[i]))
      return values->lits[i];
  return otherwise;
}

/* Adds what determines the values of the execution found: the paths, and the values of the reads
 * that they use; of an unknown value, its source, unless it may be any value. map: per event, that
 * of the fold. */
static void add_cause (Sat *sat, const RspExecution *execution, const guint *map) {
  const SatFold *fold = sat->problem.fold;
  const RspPreExecution *pre = execution->pre;
  g_autofree guint *numbers = g_new0 (guint, fold->program->n_threads + 1);
  read_paths (&sat->problem, numbers);
  for (guint t = 0; t < fold->program->n_threads; t++) {
    g_autoptr (GArray) used = g_array_new (FALSE, FALSE, sizeof (guint));
    g_array_append_val (sat->cause, fold->threads[t].taken[numbers[t]]);
    rsp_path_add_used (fold->program, t, pre->paths[t], used);
    for (guint i = 0; i < used->len; i++) {
      const guint read = pre->first[t] + g_array_index (used, guint, i);
      Lit source = LIT_TRUE;
      for (guint w = 0; w < pre->n && !rsp_event_reads_any (pre->events[read]); w++)
        if (rsp_matrix_get (execution->rf, w, read))
          source = sat_choices_rf (sat->problem.choices, map[w], map[read]);
      Lit cause = literal_of (sat, &sat->problem.values->read[map[read]], source);
      g_array_append_val (sat->cause, cause);
    }
  }
}

/* The same of the final values of observables, and finds the last writes of their locations. TRUE
 * if all values are known. */
static gboolean add_final_cause (Sat *sat, RspExecution *execution, const guint *map) {
  const RspProgram *program = execution->pre->program;
  gboolean are_known = TRUE;
  for (guint i = 0; i < program->n_observables; i++) {
    const RspObservable *observable = &program->observables[i];
    Lit last = LIT_TRUE;
    for (guint e = 0; e < execution->pre->n && !observable->is_register; e++)
      if (circuit_value (sat->problem.circuit, sat->states->finals[i][map[e]])) {
        execution->last[observable->location] = e;
        last = sat->states->finals[i][map[e]];
      }
    Lit cause = literal_of (sat, &sat->states->observed[i], last);
    if (sat->states->open[i] != LIT_FALSE
        && circuit_value (sat->problem.circuit, sat->states->open[i]))
      cause = sat->states->open[i];
    else
      are_known &= cause != last;
    if (!observable->is_register)
      g_array_append_val (sat->cause, cause);
  }
  return are_known;
}

/* Is what the solver has found an execution? Literals do not determine unknown values, nor exclude
 * those that only increase each other, so they are solved here. Finds the state, and what it
 * follows from. */
static gboolean is_execution (Sat *sat) {
  Check *check = sat->check;
  const RspProgram *program = check->program;
  g_autofree guint *numbers = g_new0 (guint, program->n_threads + 1);
  g_autofree const RspPath **paths = g_new0 (const RspPath *, program->n_threads + 1);
  gboolean is_known = TRUE, is_accepted = TRUE;
  read_paths (&sat->problem, numbers);
  for (guint t = 0; t < program->n_threads; t++) {
    paths[t] = check->paths[t]->pdata[numbers[t]];
    for (guint e = 0; e < paths[t]->n_events; e++)
      is_known &= !circuit_value (
          sat->problem.circuit,
          sat->problem.values->unknown[sat_fold_event (sat->problem.fold, t, numbers[t], e)]);
  }
  g_array_set_size (sat->cause, 0);
  const gboolean is_open = !sat_states_read (sat->states, sat->state);
  RspSearch search
      = { .pre = sat->problem.fold->pre, .options = check->options, .tally = check->tally };
  if (is_known && is_open) /* literals only say what the proposition may be */
    is_accepted = !sat->narrows || search_accepts (&search, sat->state);
  if (!is_known) {
    g_autoptr (RspArena) arena = rsp_arena_new_within (&check->budget);
    RspPreExecution *pre = rsp_pre_execution_new (program, paths, arena);
    RspExecution execution = { .last = rsp_arena_new0 (arena, guint, program->n_locations + 1) };
    search.pre = pre;
    if (!pre)
      return TRUE; /* the budget is exhausted */
    const guint *map = read_execution (&sat->problem, pre, arena, &execution);
    memset (execution.last, 0xff, sizeof (guint) * program->n_locations);
    add_cause (sat, &execution, map);
    is_known = add_final_cause (sat, &execution, map);
    if (!rsp_execution_solve (&execution, arena))
      return FALSE;
    rsp_final_state (pre, execution.written, execution.last, execution.state);
    memcpy (sat->state, execution.state, sizeof (RspValue) * program->n_observables);
    if (sat->narrows && !search_accepts (&search, sat->state))
      return FALSE;
  }
  if (is_known) {
    g_array_set_size (sat->cause, 0);
    sat_states_describe (sat->states, sat->state, sat->cause);
  }
  return is_accepted;
}

/* The same as `query`, with unknown values solved. */
static SatAnswer find (Sat *sat, Lit lit) {
  SatAnswer answer = query (sat, lit);
  for (; answer == SAT_YES && !is_execution (sat); answer = query (sat, lit))
    exclude (sat, sat->cause);
  return answer;
}

/* If no execution has values that justify each other, the encoding is exact. */
static gboolean exclude_circles (Sat *sat) {
  Lit any = rsp_sat_values_circle (sat->states->valuation);
  SatAnswer answer = query (sat, circuit_and (sat->problem.circuit, any, sat->breaking));
  if (answer == SAT_YES)
    refuse (sat, "values may justify each other (out of thin air)");
  circuit_require (sat->problem.circuit, lit_not (any));
  return answer == SAT_NO;
}

/* Demands what -speedcheck looks for and the filter keeps. */
static void restrict_executions (Sat *sat) {
  const RspProgram *program = sat->check->program;
  sat->narrows = TRUE;
  if (program->filter) {
    Lit kept = sat_states_may_be (sat->states, program->filter, TRUE);
    g_array_append_val (sat->demanded, kept);
  }
  if (sat->check->options->speedcheck == RSPCHECK_SPEED_EXACT)
    return;
  Lit relevant
      = sat_states_may_be (sat->states, program->condition, program->quantifier != RSP_FORALL);
  g_array_append_val (sat->demanded, relevant);
}

/* A verdict is settled by an execution that violates a requirement. */
static gboolean is_settled (const Sat *sat) {
  return sat->check->options->verdict && sat->undefined != LIT_FALSE;
}

/* ---- States ---- */
static void record_state (Sat *sat, const RspValue *state, gboolean undefined) {
  Check *check = sat->check;
  RspSearch search = { .pre = sat->problem.fold->pre,
                       .options = check->options,
                       .budget = &check->budget,
                       .tally = check->tally };
  search_record (&search, state, 1, undefined);
  g_ptr_array_add (sat->known,
                   g_memdup2 (state, sizeof *state * (check->program->n_observables + 1)));
}

/* Records the state of the execution found, and excludes it from now on. Returns the condition's
 * truth. */
static RspTruth take_state (Sat *sat) {
  const RspProgram *program = sat->check->program;
  g_autofree RspValue *state
      = g_memdup2 (sat->state, sizeof (RspValue) * (program->n_observables + 1));
  g_autoptr (GArray) cause = g_array_copy (sat->cause);
  /* An execution that ends in the state and violates a requirement. */
  guint n = sat->demanded->len;
  g_array_append_vals (sat->demanded, cause->data, cause->len);
  const SatAnswer undefined = sat->undefined == LIT_FALSE ? SAT_NO : find (sat, sat->undefined);
  g_array_set_size (sat->demanded, n);
  if (!sat->is_overtaken && !(undefined == SAT_UNKNOWN && sat->lists_states)) {
    record_state (sat, state, undefined == SAT_YES);
    exclude (sat, cause);
  }
  return rsp_state_truth (program, program->condition, state);
}

/* For a kernel, answers the question first, and then lists as many states as are found soon. */
static void list_states (Sat *sat) {
  Check *check = sat->check;
  const RspProp *condition = check->program->condition;
  /* For a verdict: an execution that satisfies the condition, if there is one. */
  gboolean is_verdict = check->options->verdict;
  Lit sought = is_verdict ? sat_states_may_be (sat->states, condition, TRUE) : LIT_TRUE;
  for (guint i = 0; i < sat->known->len; i++) {
    g_array_set_size (sat->cause, 0);
    sat_states_describe (sat->states, sat->known->pdata[i], sat->cause);
    exclude (sat, sat->cause);
  }
  gboolean asks = sat->asks && !sat->lists_states;
  for (guint side = 0; side < 2 && asks; side++)
    if (find (sat, sat_states_may_be (sat->states, condition, !side)) == SAT_YES)
      take_state (sat);
  if (asks && !sat->is_overtaken && !rsp_budget_is_exhausted (&check->budget)) {
    sat->lists_states = TRUE;
    sat_solver_allow (sat->problem.solver, LIST_LOOKS);
  }
  SatAnswer last = SAT_YES;
  for (gboolean more = !is_settled (sat); more && (last = find (sat, sought)) == SAT_YES;)
    more = take_state (sat) != RSP_HOLDS || !is_verdict;
  sat->is_whole = last == SAT_NO;
  tally_count_states (check->tally);
}

static void search (Sat *sat) {
  if (!sat_encode (sat))
    return;
  if (sat->lists_states)
    sat_solver_allow (sat->problem.solver, LIST_LOOKS);
  if (!exclude_circles (sat))
    return;
  for (guint i = 0; i < sat->problem.model->n_axioms; i++)
    if (sat->problem.model->axioms[i].role == RSPCHECK_ROLE_WARN_UNLESS) {
      const RspPreExecution *pre = sat->problem.fold->pre;
      for (guint e = 0; e < pre->n; e++)
        if (rsp_sat_relations_get (sat->problem.relations, sat->problem.model->axioms[i].node, e, 0)
            != LIT_FALSE) {
          rsp_warning (sat->check->diagnostics, pre->events[e]->span, NULL, "test %s: model %s: %s",
                       sat->check->program->name, sat->check->model->name,
                       sat->problem.model->axioms[i].name);
          rsp_diagnostics_set_kind (sat->check->diagnostics, sat->problem.model->axioms[i].name);
        }
    }
  /* Executions with failing paths are errors of the program; the others are searched. */
  Check *check = sat->check;
  g_autoptr (GArray) complete = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (guint t = 0; t < check->program->n_threads; t++)
    for (guint p = 0; p < check->paths[t]->len; p++) {
      const RspPath *path = check->paths[t]->pdata[p];
      Lit taken = sat->problem.fold->threads[t].taken[p];
      if (path->end != RSP_PATH_FAILED)
        continue;
      if (!check_has_reported (check, path) && find (sat, taken) == SAT_YES)
        check_report_failed_path (check, path, t);
      Lit not_taken = lit_not (taken);
      g_array_append_val (complete, not_taken);
    }
  g_array_append_vals (sat->demanded, complete->data, complete->len);
  restrict_executions (sat);
  guint n = sat->demanded->len;
  g_array_append_val (sat->demanded, *(n ? &sat->breaking_others : &sat->breaking));
  search_flags_note (sat->check->flags, sat->problem.model);
  sat->undefined = LIT_FALSE;
  for (guint i = 0; i < sat->problem.model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &sat->problem.model->axioms[i];
    if (axiom->role != RSPCHECK_ROLE_FLAG && axiom->role != RSPCHECK_ROLE_UNDEFINED_UNLESS)
      continue;
    const char *flag = sat->problem.model->flags[axiom->flag];
    const gboolean known
        = axiom->role == RSPCHECK_ROLE_FLAG && search_flags_has (check->flags, flag);
    Lit raised = sat_axioms_raised (sat->problem.relations, axiom);
    if (known || is_settled (sat) || find (sat, raised) != SAT_YES)
      continue;
    search_flags_raise (sat->check->flags, flag);
    if (axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS)
      sat->undefined = circuit_or (sat->problem.circuit, sat->undefined, raised);
  }
  g_array_index (sat->demanded, Lit, n) = sat->breaking_others;
  list_states (sat);
}

/* ---- A kernel's question ---- */
/* Are states all that is unknown: are all flags raised or ruled out, and all failing paths
 * reported? */
static gboolean only_states_are_open (const Check *check) {
  RspBudget own = check->budget;
  for (guint t = 0; t < check->program->n_threads; t++)
    for (guint p = 0; p < check->paths[t]->len; p++) {
      const RspPath *path = check->paths[t]->pdata[p];
      if (path->end != RSP_PATH_COMPLETE && !check_has_reported (check, path))
        return FALSE;
    }
  return sat_rules_out_flags (check->program, check->model, check->options, check->paths,
                              check->terms, check->flags, NULL, &own);
}

/* The threads run one after the other answer the question one way; looks for the other answer on
 * the same paths, which is a small problem. FALSE if it is not found. */
static gboolean answer_serially (Sat *sat) {
  Check part = *sat->check;
  if (!part.serial || !check_choose_serial (sat->check))
    return FALSE;
  g_autoptr (GPtrArray) lists = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (guint t = 0; t < part.program->n_threads; t++) {
    GPtrArray *own = g_ptr_array_new ();
    g_ptr_array_add (own, (gpointer) sat->check->chosen[t]);
    g_ptr_array_add (lists, own);
  }
  part.paths = (GPtrArray **) lists->pdata;
  Sat own = { .check = &part,
              .demanded = sat->demanded,
              .undefined = LIT_FALSE,
              .state = sat->state,
              .cause = sat->cause,
              .known = sat->known };
  gboolean answers = FALSE;
  if (sat_encode (&own)) {
    sat_solver_allow (own.problem.solver, ANSWER_LOOKS);
    restrict_executions (&own);
    const RspProp *condition = part.program->condition;
    const RspTruth truth = rsp_state_truth (part.program, condition, part.serial);
    if (truth != RSP_OPEN && exclude_circles (&own)) {
      record_state (&own, part.serial, FALSE);
      answers
          = find (&own, sat_states_may_be (own.states, condition, truth == RSP_FAILS)) == SAT_YES
            && take_state (&own) == (truth == RSP_FAILS ? RSP_HOLDS : RSP_FAILS);
    }
  }
  for (guint i = 0; own.problem.model && i < own.problem.model->n_axioms; i++)
    if (own.problem.model->axioms[i].role == RSPCHECK_ROLE_UNDEFINED_UNLESS)
      own.is_refused = TRUE; /* it is open which states are undefined */
  sat_problem_clear (&own.problem);
  g_array_set_size (sat->demanded, 0);
  return !own.is_refused && answers && sat->known->len == 2;
}

gboolean sat_search (Check *check, SatAlternative alternative) {
  if (!check_count_combinations (check))
    return TRUE;
  Check part;
  Sat sat = { .check = check,
              .alternative = alternative,
              .conflicts = check->options->solver_conflicts ? (int) check->options->solver_conflicts
                                                            : FIRST_CONFLICTS,
              .demanded = g_array_new (FALSE, FALSE, sizeof (Lit)),
              .state = g_new0 (RspValue, check->program->n_observables + 1),
              .cause = g_array_new (FALSE, FALSE, sizeof (Lit)),
              .known = g_ptr_array_new_with_free_func (g_free) };
  gint64 start = g_get_monotonic_time ();
  sat.asks = alternative && check->options->counts_optional && !check->options->verdict
             && check->program->n_observables && check->options->speedcheck == RSPCHECK_SPEED_EXACT;
  if (sat.asks && only_states_are_open (check) && answer_serially (&sat)) {
    part = *check;
    part.budget.max_memory /= 2;
    sat.check = &part;
    sat.alternative = NULL;
    sat.lists_states = TRUE;
  } else {
    g_ptr_array_set_size (sat.known, 0);
    rsp_tally_free (check->tally);
    check->tally = rsp_tally_new (check->program);
  }
  search (&sat);
  RspStatistics *statistics = &check->outcome->statistics;
  statistics->seconds_search += (double) (g_get_monotonic_time () - start) / 1e6;
  statistics->pre_executions += !sat.is_refused && !sat.is_overtaken;
  sat_problem_clear (&sat.problem);
  g_array_unref (sat.demanded);
  g_ptr_array_unref (sat.known);
  g_array_unref (sat.cause);
  g_free (sat.state);
  check->outcome->uncounted = sat.lists_states || (!sat.is_refused && !sat.is_overtaken);
  check->outcome->some_states = sat.lists_states && !sat.is_whole;
  return sat.lists_states || !sat.is_refused
         || (check->options->engine == RSPCHECK_ENGINE_SAT && !sat.is_small);
}
