/* The engine sat: a check as questions to the solver. */
#include "enumerator/query/query.h"
#include "enumerator/sat/internal.h"
#include "enumerator/sat/sat.h"
#include "enumerator/search/search.h"
#include "enumerator/values/values.h"
#include "model/stage/stage.h"

#include <string.h>

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
  /* Axioms without an id belong to what the model chooses, and always hold. Closures that others
   * keep acyclic are taken as such even where these may fail: then they may have pairs too many,
   * and an answer may be none. */
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
    circuit_require (circuit, sat_states_holds (oracle->states, filter));
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

/* Some axiom raises the question's flag by a pair that counts; *known: is each one of those that a
 * single pair breaks? */
static Lit some_counts (SatOracle *oracle, const RspQuestion *question, gboolean *known) {
  const RspStagedModel *model = oracle->problem.model;
  Lit any = LIT_FALSE;
  for (guint i = 0; i < model->n_axioms; i++)
    if (g_strcmp0 (model->axioms[i].id, question->raised) == 0)
      any = circuit_or (
          oracle->problem.circuit, any,
          sat_axioms_counting (oracle->problem.relations, &model->axioms[i], question, known));
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
    assume (oracle, some_breaks (oracle, question->failing[i]));
  if (question->raised)
    assume (oracle, question->counts ? some_counts (oracle, question, &known)
                                     : some_breaks (oracle, question->raised));
  if (question->max_steps)
    sat_solver_limit (oracle->problem.solver, (int) question->max_steps * CONFLICTS_PER_STEP);
  return !known ? SAT_UNKNOWN
                : circuit_solve (oracle->problem.circuit, (Lit *) (gpointer) oracle->assumed->data,
                                 oracle->assumed->len);
}

/* ---- Questions ---- */
/* Nothing is known of values that justify each other, but that some axioms forbid them. */
SatAnswer rsp_sat_oracle_ask (SatOracle *oracle, const RspQuestion *question) {
  Circuit *circuit = oracle->problem.circuit;
  Lit outcome = question->outcome ? sat_states_holds (oracle->states, question->outcome) : LIT_TRUE;
  SatAnswer answer
      = solve (oracle, question, circuit_and (circuit, outcome, lit_not (oracle->circle)));
  if (answer == SAT_NO && solve (oracle, question, oracle->circle) != SAT_NO)
    return SAT_UNKNOWN;
  return answer;
}

/* ---- The execution ---- */
void rsp_sat_oracle_paths (const SatOracle *oracle, guint *numbers) {
  const SatProblem *sat = &oracle->problem;
  for (guint t = 0; t < oracle->program->n_threads; t++)
    for (guint p = 0; p < oracle->paths[t]->len; p++)
      if (circuit_value (sat->circuit, sat->fold->threads[t].taken[p]))
        numbers[t] = p;
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
  /* Per event of the pre-execution: that of the fold. */
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

/* ---- Sat ------------------------------------------------------------------------------------ */

enum {
  FIRST_CONFLICTS
  = 1 << 13, /* of a question, before an alternative is tried; then twice as many each time */
  MOST_CONFLICTS = 1 << 30,
  /* Of the solver, at a limit: for a kernel's question about a part, and to list its states. */
  ANSWER_LOOKS = 1 << 18,
  LIST_LOOKS = 1 << 15
};

typedef struct Sat {
  Check *check;
  SatAlternative alternative; /* or NULL */
  int conflicts;              /* of a question, before it is tried */
  gboolean is_overtaken;      /* has it answered everything? */
  gboolean is_refused;
  gboolean is_small; /* may it have fewer than two events, of which a model may say more than of
                        others? Then the bounded engine searches it */
  SatProblem problem;
  SatStates *states;
  Lit breaking;        /* leaves out executions that differ by exchanging threads; LIT_TRUE: none */
  Lit breaking_others; /* the same, of threads whose registers the states do not show */
  GArray *demanded;    /* of Lit: what holds of all executions that are looked for */
  Lit undefined;       /* does the execution violate a requirement? */
  gboolean asks;       /* does a kernel's question come before other states? */
  gboolean lists_states; /* within a limit, as nothing else is unknown */
  gboolean is_whole;     /* are there no more states? */
  GPtrArray *known;      /* states that have been taken: arrays of RspValue */
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
/* FALSE if the alternative has the answer, or the budget is exhausted. */
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

/* Is there an execution of which what is demanded, and the literal, hold? The solver goes on where
 * it was. */
static SatAnswer query (Sat *sat, Lit lit) {
  guint n = sat->demanded->len;
  SatAnswer answer;
  if (sat->is_overtaken)
    return SAT_UNKNOWN;
  g_array_append_val (sat->demanded, lit);
  do {
    if (sat->alternative)
      sat_solver_limit (sat->problem.solver, sat->conflicts);
    answer = circuit_solve (sat->problem.circuit, (Lit *) (gpointer) sat->demanded->data, n + 1);
  } while (answer == SAT_UNKNOWN && sat->alternative && !sat->lists_states && must_go_on (sat));
  g_array_set_size (sat->demanded, n);
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

/* Only executions that -speedcheck looks for and the filter keeps. */
static void restrict_executions (Sat *sat) {
  const RspProgram *program = sat->check->program;
  if (program->filter) {
    Lit kept = sat_states_holds (sat->states, program->filter);
    g_array_append_val (sat->demanded, kept);
  }
  if (sat->check->options->speedcheck == RSPCHECK_SPEED_EXACT)
    return;
  Lit holds = sat_states_holds (sat->states, program->condition);
  Lit relevant = program->quantifier == RSP_FORALL ? lit_not (holds) : holds;
  g_array_append_val (sat->demanded, relevant);
}

/* A verdict is settled by an execution that violates a requirement. */
static gboolean is_settled (const Sat *sat) {
  return sat->check->options->verdict && sat->undefined != LIT_FALSE;
}

/* ---- States ---- */
static void exclude_state (Sat *sat, const RspValue *state, GArray *lits) {
  g_array_set_size (lits, 0);
  sat_states_describe (sat->states, state, lits);
  for (guint i = 0; i < lits->len; i++)
    g_array_index (lits, Lit, i) = lit_not (g_array_index (lits, Lit, i));
  circuit_clause (sat->problem.circuit, (Lit *) (gpointer) lits->data, lits->len);
}

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

/* Counts the state of the last answer as one execution, and excludes it from now on. */
static void take_state (Sat *sat, RspValue *state, GArray *lits) {
  sat_states_read (sat->states, state);
  g_array_set_size (lits, 0);
  sat_states_describe (sat->states, state, lits);
  /* An execution that ends in the state and violates a requirement. */
  guint n = sat->demanded->len;
  g_array_append_vals (sat->demanded, lits->data, lits->len);
  const SatAnswer undefined = sat->undefined == LIT_FALSE ? SAT_NO : query (sat, sat->undefined);
  g_array_set_size (sat->demanded, n);
  if (sat->is_overtaken || (undefined == SAT_UNKNOWN && sat->lists_states))
    return;
  record_state (sat, state, undefined == SAT_YES);
  exclude_state (sat, state, lits);
}

/* Of a kernel, the question comes first, and then as many of the states as are found soon. */
static void list_states (Sat *sat) {
  Check *check = sat->check;
  /* For a verdict: an execution with the condition's proposition, if there is any. */
  gboolean is_verdict = check->options->verdict;
  Lit sought = is_verdict ? sat_states_holds (sat->states, check->program->condition) : LIT_TRUE;
  g_autofree RspValue *state = g_new0 (RspValue, check->program->n_observables + 1);
  g_autoptr (GArray) lits = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (guint i = 0; i < sat->known->len; i++)
    exclude_state (sat, sat->known->pdata[i], lits);
  gboolean asks = sat->asks && !sat->lists_states;
  for (guint side = 0; side < 2 && asks; side++) {
    Lit holds = sat_states_holds (sat->states, check->program->condition);
    if (query (sat, side ? lit_not (holds) : holds) == SAT_YES)
      take_state (sat, state, lits);
  }
  if (asks && !sat->is_overtaken && !rsp_budget_is_exhausted (&check->budget)) {
    sat->lists_states = TRUE;
    sat_solver_allow (sat->problem.solver, LIST_LOOKS);
  }
  SatAnswer last = SAT_YES;
  for (gboolean more = !is_settled (sat); more && (last = query (sat, sought)) == SAT_YES;
       more = !is_verdict)
    take_state (sat, state, lits);
  sat->is_whole = last == SAT_NO;
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
  /* Executions on which paths fail are errors of the program; those without are searched. */
  Check *check = sat->check;
  g_autoptr (GArray) complete = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (guint t = 0; t < check->program->n_threads; t++)
    for (guint p = 0; p < check->paths[t]->len; p++) {
      const RspPath *path = check->paths[t]->pdata[p];
      Lit taken = sat->problem.fold->threads[t].taken[p];
      if (path->end != RSP_PATH_FAILED)
        continue;
      if (!check_has_reported (check, path) && query (sat, taken) == SAT_YES)
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
    if (known || is_settled (sat) || query (sat, raised) != SAT_YES)
      continue;
    search_flags_raise (sat->check->flags, flag);
    if (axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS)
      sat->undefined = circuit_or (sat->problem.circuit, sat->undefined, raised);
  }
  g_array_index (sat->demanded, Lit, n) = sat->breaking_others;
  list_states (sat);
}

/* ---- The question of a kernel ---- */
/* May only states be unknown? Flags that are not raised must be ruled out, and no path fails that
 * is not reported. */
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

/* The state of threads that run one after the other answers the question in one way; looks for one
 * that answers it in the other, on the same paths: one problem that is small. FALSE if there is
 * none. */
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
  Sat own = { .check = &part, .demanded = sat->demanded, .known = sat->known };
  g_autofree RspValue *state = g_new0 (RspValue, part.program->n_observables + 1);
  g_autoptr (GArray) lits = g_array_new (FALSE, FALSE, sizeof (Lit));
  own.undefined = LIT_FALSE;
  if (sat_encode (&own)) {
    sat_solver_allow (own.problem.solver, ANSWER_LOOKS);
    restrict_executions (&own);
    Lit holds = sat_states_holds (own.states, part.program->condition);
    const RspTruth truth = rsp_state_truth (part.program, part.program->condition, part.serial);
    if (truth != RSP_OPEN && exclude_circles (&own)) {
      record_state (&own, part.serial, FALSE);
      if (query (&own, truth == RSP_HOLDS ? lit_not (holds) : holds) == SAT_YES)
        take_state (&own, state, lits);
    }
  }
  for (guint i = 0; own.problem.model && i < own.problem.model->n_axioms; i++)
    if (own.problem.model->axioms[i].role == RSPCHECK_ROLE_UNDEFINED_UNLESS)
      own.is_refused = TRUE; /* which of the states are undefined is open */
  sat_problem_clear (&own.problem);
  g_array_set_size (sat->demanded, 0);
  return !own.is_refused && sat->known->len == 2;
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
  check->outcome->uncounted = sat.lists_states || (!sat.is_refused && !sat.is_overtaken);
  check->outcome->some_states = sat.lists_states && !sat.is_whole;
  return sat.lists_states || !sat.is_refused
         || (check->options->engine == RSPCHECK_ENGINE_SAT && !sat.is_small);
}
