#include "enumerator/search/sat/sat.h"
#include "enumerator/search/sat/barriers.h"
#include "enumerator/search/failures.h"
#include "enumerator/search/places.h"
#include "enumerator/search/sat/relations/axioms.h"
#include "enumerator/search/sat/values/states.h"
#include "enumerator/search/sat/symmetry.h"
#include "enumerator/search/symmetry.h"
#include "model/stage/template/template.h"

enum {
  FIRST_CONFLICTS
  = 1 << 13, /* of a question, before an alternative is tried; then twice as many each time */
  MOST_CONFLICTS = 1 << 30
};

typedef struct Sat {
  Check *check;
  SatAlternative alternative; /* or NULL */
  int conflicts;              /* of a question, before it is tried */
  gboolean is_overtaken;      /* has it answered everything? */
  gboolean is_refused;
  RspArena *arena;
  SatSolver *solver;
  Circuit *circuit;
  const RspStagedModel *model;
  SatFold *fold;
  SatRelations *relations;
  SatStates *states;
  Lit breaking;        /* leaves out executions that differ by exchanging threads; LIT_TRUE: none */
  Lit breaking_others; /* the same, of threads whose registers the states do not show */
  GArray *demanded;    /* of Lit: what holds of all executions that are looked for */
  Lit undefined;       /* does the execution violate a requirement? */
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

/* ---- Encoding ---- */

/* The model with everything open, for any program. */
static gboolean evaluate_model (Sat *sat) {
  Check *check = sat->check;
  RspStageOptions options
      = { .skipped_checks = check->options->skipped_checks, .budget = &check->budget };
  guint n_before = rsp_diagnostics_count (check->diagnostics);
  sat->model = rsp_model_stage_open (check->model, check->program->language, &options, sat->arena,
                                     check->diagnostics);
  if (!sat->model && rsp_diagnostics_count (check->diagnostics) > n_before)
    rsp_budget_end (&check->budget, RSPCHECK_STOP_ERROR);
  if (!sat->model) {
    refuse (sat, "the model looks into values that only a complete execution has, or chooses "
                 "among them");
    return FALSE;
  }
  for (guint i = 0; i < sat->model->n_axioms; i++)
    if (sat->model->axioms[i].role == RSPCHECK_ROLE_ASSERT) {
      refuse (sat, "the model has assertions");
      return FALSE;
    }
  return TRUE;
}

static gboolean has_ended (Sat *sat, const char *reason) {
  if (reason)
    refuse (sat, reason);
  return sat->is_refused || rsp_budget_is_exhausted (&sat->check->budget);
}

static void break_symmetry (Sat *sat, const SatChoices *choices) {
  const RspProgram *program = sat->check->program;
  guint *class = rsp_arena_new0 (sat->arena, guint, program->n_threads + 1);
  guint *block = rsp_arena_new0 (sat->arena, guint, program->n_threads + 1);
  gboolean any = places_find_classes (program, sat->check->model, sat->check->paths,
                                      &sat->check->budget, class);
  symmetry_find_blocks (program, class, block);
  for (guint t = 0; t < program->n_threads; t++)
    any |= block[t] < t;
  sat->breaking = sat->breaking_others = LIT_TRUE;
  if (!any)
    return;
  sat->breaking = sat_symmetry_break (choices, class, block, FALSE);
  sat->breaking_others = sat_symmetry_break (choices, class, block, TRUE);
}

static gboolean encode (Sat *sat) {
  Check *check = sat->check;
  check->names_found = NULL; /* events get other names */
  sat->fold = sat_fold_new (check->program, check->paths, check->terms, sat->circuit, sat->arena);
  if (sat->fold)
    sat_barriers_require (sat->fold);
  if (!sat->fold || has_ended (sat, sat->fold->refusal))
    return FALSE;
  if (sat->fold->fewest_events < 2) {
    refuse (sat, "it may have fewer than two events, of which a model may say more than of others");
    return FALSE;
  }
  SatChoices *choices = sat_choices_new (sat->fold, sat->model);
  break_symmetry (sat, choices);
  SatValuation *values = rsp_sat_values_new (sat->fold, choices);
  if (has_ended (sat, values->refusal))
    return FALSE;
  sat->states = sat_states_new (values);
  if (has_ended (sat, values->refusal))
    return FALSE;
  sat->relations = rsp_sat_relations_new (sat->fold, choices, sat->model);
  if (has_ended (sat, sat->relations->refusal))
    return FALSE;
  rsp_sat_axioms_require (sat->relations, sat->model);
  return !rsp_budget_is_exhausted (&check->budget);
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
      sat_solver_limit (sat->solver, sat->conflicts);
    answer = circuit_solve (sat->circuit, (Lit *) (gpointer) sat->demanded->data, n + 1);
  } while (answer == SAT_UNKNOWN && sat->alternative && must_go_on (sat));
  g_array_set_size (sat->demanded, n);
  return answer;
}

/* If no execution has values that justify each other, the encoding is exact. */
static gboolean exclude_circles (Sat *sat) {
  Lit any = rsp_sat_values_circle (sat->states->valuation);
  SatAnswer answer = query (sat, circuit_and (sat->circuit, any, sat->breaking));
  if (answer == SAT_YES)
    refuse (sat, "values may justify each other (out of thin air)");
  circuit_require (sat->circuit, lit_not (any));
  return answer == SAT_NO;
}

/* Executions on which paths fail are errors of the program; those without are searched. */
static void look_for_failures (Sat *sat) {
  Check *check = sat->check;
  g_autoptr (GArray) complete = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (guint t = 0; t < check->program->n_threads; t++)
    for (guint p = 0; p < check->paths[t]->len; p++) {
      const RspPath *path = check->paths[t]->pdata[p];
      Lit taken = sat->fold->threads[t].taken[p];
      if (path->end != RSP_PATH_FAILED)
        continue;
      if (!check_has_reported (check, path) && query (sat, taken) == SAT_YES)
        check_report_failed_path (check, path, t);
      Lit not_taken = lit_not (taken);
      g_array_append_val (complete, not_taken);
    }
  g_array_append_vals (sat->demanded, complete->data, complete->len);
}

/* What -speedcheck looks for, and what the filter keeps. */
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

static void look_for_flags (Sat *sat) {
  search_flags_note (sat->check->flags, sat->model);
  sat->undefined = LIT_FALSE;
  for (guint i = 0; i < sat->model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &sat->model->axioms[i];
    if (axiom->role != RSPCHECK_ROLE_FLAG && axiom->role != RSPCHECK_ROLE_UNDEFINED_UNLESS)
      continue;
    Lit raised = sat_axioms_raised (sat->relations, axiom);
    if (is_settled (sat) || query (sat, raised) != SAT_YES)
      continue;
    search_flags_raise (sat->check->flags, sat->model->flags[axiom->flag]);
    if (axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS)
      sat->undefined = circuit_or (sat->circuit, sat->undefined, raised);
  }
}

/* ---- States ---- */

/* Does some execution that ends in the state violate a requirement? */
static gboolean is_undefined (Sat *sat, const GArray *state) {
  if (sat->undefined == LIT_FALSE)
    return FALSE;
  guint n = sat->demanded->len;
  g_array_append_vals (sat->demanded, state->data, state->len);
  gboolean undefined = query (sat, sat->undefined) == SAT_YES;
  g_array_set_size (sat->demanded, n);
  return undefined;
}

/* Counts the state of the last answer as one execution, and excludes it from now on. */
static void take_state (Sat *sat, RspValue *state, GArray *lits) {
  Check *check = sat->check;
  sat_states_read (sat->states, state);
  g_array_set_size (lits, 0);
  sat_states_describe (sat->states, state, lits);
  gboolean undefined = is_undefined (sat, lits);
  if (sat->is_overtaken)
    return;
  RspSearch search = { .pre = sat->fold->pre,
                       .options = check->options,
                       .budget = &check->budget,
                       .tally = check->tally };
  search_record (&search, state, NULL, 1, undefined);
  for (guint i = 0; i < lits->len; i++)
    g_array_index (lits, Lit, i) = lit_not (g_array_index (lits, Lit, i));
  circuit_clause (sat->circuit, (Lit *) (gpointer) lits->data, lits->len);
}

/* Of a verdict: one with the condition's proposition, if there is any. */
static void list_states (Sat *sat) {
  gboolean is_verdict = sat->check->options->verdict;
  Lit sought
      = is_verdict ? sat_states_holds (sat->states, sat->check->program->condition) : LIT_TRUE;
  g_autofree RspValue *state = g_new0 (RspValue, sat->check->program->n_observables + 1);
  g_autoptr (GArray) lits = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (gboolean more = !is_settled (sat); more && query (sat, sought) == SAT_YES;
       more = !is_verdict)
    take_state (sat, state, lits);
}

/* ---- Warnings ---- */

static void warn_about_events (Sat *sat, const RspStagedAxiom *axiom) {
  const RspPreExecution *pre = sat->fold->pre;
  for (guint e = 0; e < pre->n; e++)
    if (rsp_sat_relations_get (sat->relations, axiom->node, e, 0) != LIT_FALSE)
      rsp_warning (sat->check->diagnostics, pre->events[e]->span, NULL, "test %s: model %s: %s",
                   sat->check->program->name, sat->check->model->name, axiom->name);
}

/* What the options ask for is a state or a flag of an execution that the model allows. */
static gboolean fits_options (Sat *sat) {
  const RspCheckOptions *options = sat->check->options;
  if (options->through != RSPCHECK_THROUGH_NONE)
    refuse (sat, "-through counts executions that the model forbids");
  if (options->outcome_reads)
    refuse (sat, "-outcomereads shows what each read returned");
  return !has_ended (sat, NULL);
}

/* Is there a combination of paths? */
static gboolean has_paths (const Check *check) {
  for (guint t = 0; t < check->program->n_threads; t++)
    if (!check->paths[t]->len)
      return FALSE;
  return TRUE;
}

static void search (Sat *sat) {
  if (!fits_options (sat) || !evaluate_model (sat) || !encode (sat) || !exclude_circles (sat))
    return;
  for (guint i = 0; i < sat->model->n_axioms; i++)
    if (sat->model->axioms[i].role == RSPCHECK_ROLE_WARN_UNLESS)
      warn_about_events (sat, &sat->model->axioms[i]);
  look_for_failures (sat);
  restrict_executions (sat);
  guint n = sat->demanded->len;
  g_array_append_val (sat->demanded, *(n ? &sat->breaking_others : &sat->breaking));
  look_for_flags (sat);
  g_array_index (sat->demanded, Lit, n) = sat->breaking_others;
  list_states (sat);
}

gboolean sat_search (Check *check, SatAlternative alternative) {
  if (!has_paths (check))
    return TRUE;
  Sat sat = { .check = check,
              .alternative = alternative,
              .conflicts = check->options->solver_conflicts ? (int) check->options->solver_conflicts
                                                            : FIRST_CONFLICTS,
              .arena = rsp_arena_new_within (&check->budget),
              .solver = sat_solver_new (&check->budget),
              .demanded = g_array_new (FALSE, FALSE, sizeof (Lit)) };
  gint64 start = g_get_monotonic_time ();
  if (sat.solver) {
    sat.circuit = circuit_new (sat.solver, &check->budget);
    search (&sat);
  } else
    refuse (&sat, "rspcheck was built without the SAT solver CaDiCaL (Debian: libcadical-dev)");
  RspStatistics *statistics = &check->outcome->statistics;
  statistics->seconds_search += (double) (g_get_monotonic_time () - start) / 1e6;
  statistics->pre_executions += !sat.is_refused && !sat.is_overtaken;
  circuit_free (sat.circuit);
  sat_solver_free (sat.solver);
  if (sat.model)
    rsp_dag_free (sat.model->dag);
  g_array_unref (sat.demanded);
  rsp_arena_free (sat.arena);
  check->outcome->uncounted = !sat.is_refused && !sat.is_overtaken;
  return !sat.is_refused || check->options->engine == RSPCHECK_ENGINE_SAT;
}
