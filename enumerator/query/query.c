/* Queries: is there an execution with this outcome that passes these axioms and fails those? */
#include "enumerator/bounded/bounded.h"
#include "enumerator/execution.h"
#include "enumerator/query/query.h"
#include "enumerator/sat/sat.h"
#include "enumerator/search/search.h"
#include "enumerator/values/values.h"
#include "model/stage/stage.h"

#include <string.h>

/* ---- Cores ---------------------------------------------------------------------------------- */

/* Per combination of paths, sets of plain axioms that no execution of it with the outcome in
 * question satisfies together, whatever the other axioms. A question that demands all axioms of a
 * core has no answer there and needs no search. (Unsatisfiable cores: Liffiton, Sakallah 2008,
 * section 2.) A core is a GArray of RspStagedAxiom, of which id and name count, each id once. */

static void free_sets (gpointer data) {
  if (data)
    g_ptr_array_unref (data);
}

static GArray *core_new (void) { return g_array_new (FALSE, FALSE, sizeof (RspStagedAxiom)); }

static void core_add (GArray *core, const RspStagedAxiom *axiom) {
  for (guint i = 0; i < core->len; i++)
    if (strcmp (g_array_index (core, RspStagedAxiom, i).id, axiom->id) == 0)
      return;
  g_array_append_val (core, *axiom);
}

/* Is it known (GPtrArray of cores, or NULL) that no execution answers the question? */
static gboolean cores_refute (const GPtrArray *known, const RspQuestion *question,
                              RspcheckThrough through) {
  for (guint i = 0; known && i < known->len; i++) {
    const GArray *core = known->pdata[i];
    guint n = 0;
    while (n < core->len
           && rsp_question_demand (question, through, &g_array_index (core, RspStagedAxiom, n))
                  == DEMAND_HOLDS)
      n++;
    if (n == core->len)
      return TRUE;
  }
  return FALSE;
}

/* ---- Query and attempt ---------------------------------------------------------------------- */

struct RspQuery {
  RspProgram program; /* the test, with the outcome in question as its condition */
  const RspModel *model;
  RspCheckOptions options;
  RspDiagnostics *diagnostics;
  RspBudget budget;
  RspCombinations *combinations;
  GPtrArray *parts;       /* of RspQueryPart, per combination: NULL until it is staged */
  const RspProp *outcome; /* that the cores are about */
  GPtrArray *cores;       /* per combination: GPtrArray of cores, or NULL if none is known */
  GStringChunk *words;    /* the ids and names of their axioms */
  guint last_part;        /* answered questions */
  gboolean may_ask;       /* the solver */
  gboolean is_listed;     /* are all combinations parts? */
  SatOracle *oracle;      /* NULL: not asked so far */
  GPtrArray *consulted;   /* of RspQueryPart: those of executions that it found */
  RspExecution run;       /* of rsp_query_serial_part */
};

/* One question about one staged model. */
typedef struct Attempt {
  RspQuery *query;
  const RspQuestion *question;
  RspQueryVisit visit;
  gpointer data;
  RspQueryPart *part;
  guint number;            /* of the part */
  guint index;             /* of the staged model in the part */
  gboolean first;          /* only the first answer counts */
  gboolean ended;          /* has the visit ended? */
  guint steps;             /* of all searches so far */
  RspCommon *common;       /* their shared part; NULL if they share nothing */
  GArray *core, *all_core; /* axioms that had an effect in searching this part, and in any search so
                            * far */
  gboolean answered;       /* does this part have an answer? */
  gboolean remembers;      /* has a search of it used results of another one? */
} Attempt;

/* ---- Collected ------------------------------------------------------------------------------ */

struct RspCombinations {
  Check check;
  RspDiagnostics *diagnostics;
  RspOutcome outcome;
};

static RspCombinations *new_combinations (const RspProgram *program, const RspModel *model,
                                          const RspCheckOptions *options) {
  RspCombinations *combinations = g_new0 (RspCombinations, 1);
  combinations->diagnostics = rsp_diagnostics_new ();
  combinations->check = (Check){ .program = program,
                                 .model = model,
                                 .options = options,
                                 .diagnostics = combinations->diagnostics,
                                 .outcome = &combinations->outcome,
                                 .collected = g_ptr_array_new () };
  check_start (&combinations->check);
  return combinations;
}

RspCombinations *rsp_combinations_open (const RspProgram *program, const RspModel *model,
                                        const RspCheckOptions *options) {
  RspCombinations *combinations = new_combinations (program, model, options);
  check_find_all_paths (&combinations->check);
  return combinations;
}

static void combinations_list (RspCombinations *combinations) {
  if (rsp_budget_stop (&combinations->check.budget) == RSPCHECK_STOP_COMPLETE)
    check_search_combinations (&combinations->check);
}

GPtrArray *const *rsp_combinations_all_paths (const RspCombinations *combinations) {
  return combinations->check.paths;
}

void rsp_combinations_free (RspCombinations *combinations) {
  if (!combinations)
    return;
  check_end (&combinations->check);
  g_ptr_array_unref (combinations->check.collected);
  rsp_diagnostics_free (combinations->diagnostics);
  g_free (combinations);
}

/* ---- Part ----------------------------------------------------------------------------------- */

/* staging is NULL if the model fails on it or the budget is exhausted. Valuations have room, and
 * are not made. */
static RspQueryPart *query_part_stage (RspQuery *query, const RspPath *const *paths) {
  RspQueryPart *part = g_new0 (RspQueryPart, 1);
  part->arena = rsp_arena_new ();
  part->pre = rsp_pre_execution_new (&query->program, paths, part->arena);
  RspStageOptions own = { .skipped_checks = query->options.skipped_checks,
                          .budget = &query->budget,
                          .keep_names = TRUE };
  part->staging
      = rsp_model_stage (query->model, part->pre->base, &own, part->arena, query->diagnostics);
  if (part->staging)
    part->valuations = rsp_arena_new0 (part->arena, RspValuation *, part->staging->n_models + 1);
  return part;
}

static void query_part_free (RspQueryPart *part) {
  if (!part)
    return;
  for (guint i = 0; part->staging && i < part->staging->n_models; i++)
    rsp_valuation_free (part->valuations[i]);
  rsp_staging_clear (part->staging);
  rsp_arena_free (part->arena);
  g_free (part);
}

/* ---- Question ------------------------------------------------------------------------------- */

/* ---- What the question demands of an axiom ---- */
static gboolean lists (const char *const *names, const char *id) {
  return names && g_strv_contains (names, id);
}

static gboolean is_flag (const RspStagedAxiom *axiom) {
  return axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS || axiom->role == RSPCHECK_ROLE_FLAG;
}

Demand rsp_question_demand (const RspQuestion *question, RspcheckThrough through,
                            const RspStagedAxiom *axiom) {
  if (is_flag (axiom))
    return question->raised && strcmp (question->raised, axiom->id) == 0 ? DEMAND_FAILS
                                                                         : DEMAND_NOTHING;
  if (axiom->role != RSPCHECK_ROLE_AXIOM)
    return DEMAND_NOTHING;
  if (!axiom->id || lists (question->required, axiom->id))
    return DEMAND_HOLDS;
  if (lists (question->failing, axiom->id))
    return DEMAND_FAILS;
  if (question->any_others || lists (question->dropped, axiom->id)
      || axiom_goes_through (axiom, through))
    return DEMAND_NOTHING;
  return DEMAND_HOLDS;
}

static guint count_axioms (const RspStagedModel *model, const char *id) {
  guint n = 0;
  for (guint i = 0; i < model->n_axioms; i++)
    n += model->axioms[i].id && strcmp (model->axioms[i].id, id) == 0;
  return n;
}

/* The plain axioms (of RspStagedAxiom) for the engine; to be freed. *exact: do they express all
 * that the question demands? */
static GArray *question_axioms (const RspQuestion *question, RspcheckThrough through,
                                const RspStagedModel *model, gboolean *exact) {
  GArray *axioms = g_array_new (FALSE, FALSE, sizeof (RspStagedAxiom));
  *exact = TRUE;
  for (guint i = 0; i < model->n_axioms; i++) {
    RspStagedAxiom axiom = model->axioms[i];
    Demand demand = rsp_question_demand (question, through, &axiom);
    /* Several axioms may share an id (`forall`, `call … as`): one that fails is then enough, which
     * no single plain axiom expresses. */
    if (demand == DEMAND_FAILS && count_axioms (model, axiom.id) > 1)
      *exact = FALSE;
    else if (demand != DEMAND_NOTHING) {
      axiom.negated = axiom.negated != (demand == DEMAND_FAILS && axiom.role != RSPCHECK_ROLE_FLAG);
      axiom.role = RSPCHECK_ROLE_AXIOM;
      g_array_append_val (axioms, axiom);
    }
  }
  return axioms;
}

/* Evaluates the model's axioms and names on an execution. */
/* ---- The model's verdict on an execution ---- */
static RspValuation *question_valuation (const RspStagedModel *model) {
  g_autoptr (GArray) roots = g_array_new (FALSE, FALSE, sizeof (RspNodeId));
  for (guint i = 0; i < model->n_axioms; i++)
    g_array_append_val (roots, model->axioms[i].node);
  for (guint i = 0; i < model->n_names; i++)
    g_array_append_val (roots, model->names[i].node);
  return rsp_valuation_new (model->dag, (const RspNodeId *) roots->data, roots->len);
}

static void add_once (GPtrArray *names, const char *name) {
  for (guint i = 0; i < names->len; i++)
    if (strcmp (names->pdata[i], name) == 0)
      return;
  g_ptr_array_add (names, (gpointer) name);
}

/* Sets failed and raised (to be freed by judgement_clear) and n_derived of an execution. FALSE,
 * with nothing to clear, if the execution makes a choice that the model does not. */
static gboolean judge_execution (const RspStagedModel *model, RspValuation *valuation,
                                 RspExecution *execution) {
  g_autoptr (GPtrArray) failed = g_ptr_array_new (), raised = g_ptr_array_new ();
  if (!rsp_valuation_evaluate (valuation, execution->rf, execution->co, execution->orders))
    return FALSE;
  for (guint i = 0; i < model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &model->axioms[i];
    gboolean holds = rsp_axiom_holds (axiom, rsp_valuation_get (valuation, axiom->node));
    /* A flag is raised if its axiom fails (undefined_unless) or holds (flag). */
    if (is_flag (axiom) && (holds == (axiom->role == RSPCHECK_ROLE_FLAG)))
      add_once (raised, axiom->id);
    else if (axiom->role == RSPCHECK_ROLE_AXIOM && !holds) {
      if (!axiom->id)
        return FALSE;
      add_once (failed, axiom->id);
    }
  }
  g_ptr_array_add (failed, NULL);
  g_ptr_array_add (raised, NULL);
  execution->failed = (const char **) g_ptr_array_steal (failed, NULL);
  execution->raised = (const char **) g_ptr_array_steal (raised, NULL);
  execution->n_derived = 0;
  for (guint i = 0; i < model->n_names; i++)
    execution->n_derived += rsp_matrix_count (rsp_valuation_get (valuation, model->names[i].node));
  return TRUE;
}

/* Does a judged execution answer the question? If not, *broken is an axiom that must hold but
 * fails, if there is one. */
/* ---- Whether an execution answers ---- */
static gboolean question_is_answered (const RspQuestion *question, RspcheckThrough through,
                                      const RspStagedModel *model, const RspExecution *execution,
                                      const RspStagedAxiom **broken) {
  *broken = NULL;
  for (guint i = 0; i < model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &model->axioms[i];
    if (axiom->role == RSPCHECK_ROLE_AXIOM && axiom->id
        && rsp_question_demand (question, through, axiom) == DEMAND_HOLDS
        && rsp_execution_fails (execution, axiom->id)) {
      *broken = axiom;
      return FALSE;
    }
  }
  for (guint i = 0; question->failing && question->failing[i]; i++)
    if (!rsp_execution_fails (execution, question->failing[i]))
      return FALSE;
  return !question->raised || rsp_execution_raises (execution, question->raised);
}

/* ---- Attempt -------------------------------------------------------------------------------- */

/* Private to query/: a question while parts are searched for answers. */

/* A condition that always holds. */
static const RspProp query_always = { .kind = RSP_PROP_TRUE };

gboolean rsp_query_goes_through (const RspQuery *query, const RspStagedAxiom *axiom) {
  return axiom_goes_through (axiom, query->options.through);
}

/* ---- Leaves ---- */
/* Judges an execution, and if it answers the question hands it to the visit. */
static void attempt_evaluate (Attempt *attempt, const RspStagedModel *model,
                              RspValuation *valuation, RspExecution *execution) {
  const RspStagedAxiom *broken;
  if (!judge_execution (model, valuation, execution))
    return;
  if (question_is_answered (attempt->question, attempt->query->options.through, model, execution,
                            &broken)) {
    attempt->part->answered = attempt->answered = TRUE;
    attempt->query->last_part = attempt->number;
    attempt->ended = !attempt->visit (attempt->data, execution);
  } else if (broken && attempt->core)
    core_add (attempt->core, broken);
  g_free (execution->failed);
  g_free (execution->raised);
}

/* The engine's leaf: a complete execution. `restaged` is the model staged on this execution if that
 * was necessary, else NULL. */
static void reach_leaf (RspSearch *search, const RspExecution *found,
                        const RspStagedModel *restaged) {
  Attempt *attempt = search->leaf_data;
  RspQueryPart *part = attempt->part;
  RspExecution execution = *found;
  const RspStagedModel *model = restaged ? restaged : part->staging->models[attempt->index];
  RspValuation *valuation = restaged ? NULL : part->valuations[attempt->index];
  if (!valuation)
    valuation = question_valuation (model);
  if (!restaged)
    part->valuations[attempt->index] = valuation;
  execution.script = model->script;
  execution.n_script = model->n_script;
  attempt_evaluate (attempt, model, valuation, &execution);
  if (restaged)
    rsp_valuation_free (valuation);
  if (attempt->ended)
    rsp_budget_end (search->budget, RSPCHECK_STOP_FOUND);
}

/* ---- One search ---- */
/* Searches under the plain axioms. If attempt is NULL, only finds out whether there is an
 * execution. */
static RspcheckStop search (RspQuery *query, const RspPreExecution *pre, const RspStaging *staging,
                            guint disabled, guint max_steps, Attempt *attempt) {
  RspLeafVisit leaf = attempt ? reach_leaf : NULL;
  RspStatistics statistics = { 0 };
  RspBudget budget = query->budget;
  RspCheckOptions options = query->options;
  options.disabled |= disabled;
  options.speedcheck = leaf ? RSPCHECK_SPEED_TRUE : RSPCHECK_SPEED_FAST;
  g_autoptr (GArray) flags = search_flags_new (), prunings = rsp_prunings_new ();
  RspSearch search = { .model = query->model,
                       .pre = pre,
                       .options = &options,
                       .diagnostics = query->diagnostics,
                       .budget = &budget,
                       .common = attempt ? attempt->common : NULL,
                       .notes_used = attempt != NULL,
                       .statistics = &statistics,
                       .tally = rsp_tally_new (&query->program),
                       .flags = flags,
                       .prunings = prunings,
                       .leaf = leaf,
                       .leaf_data = attempt,
                       .max_ticks = max_steps };
  if (options.engine == RSPCHECK_ENGINE_NAIVE)
    rsp_search_naive (&search, staging);
  else
    rsp_search_bounded (&search, staging);
  rsp_tally_free (search.tally);
  RspcheckStop stop = rsp_budget_stop (&budget);
  if (attempt) {
    attempt->steps += search.ticks;
    attempt->ended |= stop != RSPCHECK_STOP_COMPLETE;
    attempt->remembers |= statistics.memo_hits > 0;
    /* Add the axioms of the staged models that pruned a branch of a search or forced a pair. */
    for (guint i = 0; i < staging->n_models + (staging->known != NULL); i++) {
      const RspStagedModel *model = i < staging->n_models ? staging->models[i] : staging->known;
      for (guint k = 0; k < model->n_axioms; k++)
        if (model->axioms[k].id && rsp_prunings_has (prunings, model->axioms[k].id))
          core_add (attempt->core, &model->axioms[k]);
    }
  }
  if (stop != RSPCHECK_STOP_COMPLETE && stop != RSPCHECK_STOP_FOUND
      && stop != RSPCHECK_STOP_EXECUTIONS)
    rsp_budget_end (&query->budget, stop);
  return stop;
}

gboolean rsp_query_is_possible (RspQuery *query, RspQueryPart *part, const RspStagedModel *model,
                                const GArray *axioms) {
  RspStagedModel narrowed = *model, *models[] = { &narrowed };
  narrowed.axioms = (RspStagedAxiom *) axioms->data;
  narrowed.n_axioms = axioms->len;
  RspStaging staging = { .models = models, .n_models = 1 };
  query->program.condition = (RspProp *) &query_always;
  return search (query, part->pre, &staging, 0, 0, NULL) == RSPCHECK_STOP_FOUND;
}

/* The memo may skip a partial execution only if its completions have no answer, here and in the
 * other combinations that share it: so it is used only if the first answer ends the search and the
 * engine's axioms express the whole question. */
static void search_model (Attempt *attempt, const RspStagedModel *model, gboolean needs_execution) {
  gboolean exact;
  const RspQuestion *question = attempt->question;
  /* Staging leaves out axioms that hold in all executions of this pre-execution: such an axiom
   * cannot be required to fail. */
  gboolean may = !question->raised || count_axioms (model, question->raised) > 0;
  for (guint i = 0; question->failing && question->failing[i]; i++)
    may &= count_axioms (model, question->failing[i]) > 0;
  if (!needs_execution && !may)
    return;
  g_autoptr (GArray) axioms
      = question_axioms (attempt->question, attempt->query->options.through, model, &exact);
  RspStagedModel narrowed = *model, *models[] = { &narrowed };
  narrowed.axioms = (RspStagedAxiom *) axioms->data;
  narrowed.n_axioms = axioms->len;
  narrowed.n_flags = 0;
  RspStaging staging = { .models = models,
                         .n_models = needs_execution ? 0 : 1,
                         .needs_execution = needs_execution,
                         .known = needs_execution ? &narrowed : NULL };
  guint disabled = RSP_FEATURE_COUNT;
  if (!exact || !attempt->first || needs_execution)
    disabled |= RSP_FEATURE_MEMO;
  guint most = attempt->question->max_steps;
  search (attempt->query, attempt->part->pre, &staging, disabled,
          most ? most - MIN (most - 1, attempt->steps) : 0, attempt);
}

/* ---- Consult -------------------------------------------------------------------------------- */

/* Answers of the solver's oracle as executions. */

static gboolean may_consult (RspQuery *query) {
  if (query->may_ask && !query->oracle)
    query->oracle = rsp_sat_oracle_new (&query->program, query->model, &query->options,
                                        query->combinations->check.paths,
                                        query->combinations->check.terms, &query->budget);
  query->may_ask &= query->oracle != NULL;
  return query->may_ask;
}

/* The part of an execution that was found; NULL if it cannot be staged as one model. */
static RspQueryPart *add_consulted (RspQuery *query, const RspPath *const *paths) {
  RspQueryPart *part = query_part_stage (query, paths);
  g_ptr_array_add (query->consulted, part);
  gboolean is_one
      = part->staging && !part->staging->needs_execution && part->staging->n_models == 1;
  return is_one ? part : NULL;
}

static RspQueryPart *consulted_part (RspQuery *query) {
  guint n = query->program.n_threads;
  g_autofree guint *numbers = g_new0 (guint, n + 1);
  g_autofree const RspPath **paths = g_new0 (const RspPath *, n + 1);
  rsp_sat_oracle_paths (query->oracle, numbers);
  for (guint t = 0; t < n; t++)
    paths[t] = query->combinations->check.paths[t]->pdata[numbers[t]];
  return add_consulted (query, paths);
}

typedef struct Visiting {
  Attempt *attempt;
  RspExecution execution;
} Visiting;

static void visit_final (gpointer data) {
  Visiting *v = data;
  Attempt *attempt = v->attempt;
  RspExecution *execution = &v->execution;
  RspQueryPart *part = attempt->part;
  const RspStagedModel *model = part->staging->models[0];
  const RspProp *conditions[] = { attempt->question->outcome, attempt->query->program.filter };
  rsp_final_state (execution->pre, execution->written, execution->last, execution->state);
  for (guint i = 0; i < G_N_ELEMENTS (conditions); i++)
    if (conditions[i]
        && rsp_state_truth (execution->pre->program, conditions[i], execution->state) == RSP_FAILS)
      return;
  if (!part->valuations[0])
    part->valuations[0] = question_valuation (model);
  if (!attempt->ended)
    attempt_evaluate (attempt, model, part->valuations[0], execution);
}

/* Visits the execution that was found, with each choice of final writes. FALSE if it cannot be. */
static gboolean visit_consulted (Attempt *attempt) {
  attempt->part = consulted_part (attempt->query);
  if (!attempt->part)
    return FALSE;
  const RspPreExecution *pre = attempt->part->pre;
  g_autoptr (RspArena) arena = rsp_arena_new ();
  Visiting visiting = { .attempt = attempt };
  RspExecution *execution = &visiting.execution;
  rsp_sat_oracle_read (attempt->query->oracle, pre, arena, execution);
  execution->last = rsp_arena_new0 (arena, guint, pre->program->n_locations + 1);
  if (!rsp_execution_solve (execution, arena))
    return FALSE;
  rsp_final_writes_each (pre, execution->co, execution->last, visit_final, &visiting);
  return TRUE;
}

/* ---- Query ---------------------------------------------------------------------------------- */

enum {
  KEPT_PARTS = 256,   /* parts without an answer that stay staged */
  MOST_LISTED = 4096, /* combinations that are listed although the solver can be asked */
  ASK_AFTER = 1 << 11 /* steps of a search without a limit, after which it is */
};

/* ---- Parts ---- */
RspQueryPart *rsp_query_part (RspQuery *query, guint i) {
  if (rsp_budget_is_exhausted (&query->budget))
    return NULL;
  /* One path per thread; they live as long as the combinations. */
  if (!query->parts->pdata[i])
    query->parts->pdata[i]
        = query_part_stage (query, query->combinations->check.collected->pdata[i]);
  RspQueryPart *part = query->parts->pdata[i];
  if (!part->staging)
    rsp_budget_end (&query->budget, RSPCHECK_STOP_ERROR);
  return part->staging ? part : NULL;
}

void rsp_query_release_part (RspQuery *query, guint i) {
  RspQueryPart *part = query->parts->pdata[i];
  if (i < KEPT_PARTS || !part || part->answered)
    return;
  query_part_free (part);
  query->parts->pdata[i] = NULL;
}

/* The parts are the listed combinations. */
static void open_parts (RspQuery *query) {
  guint n = query->combinations->check.collected->len;
  /* The rest of the options' time and memory: the clock has been running. */
  query->budget = query->combinations->check.budget;
  query->cores = g_ptr_array_new_with_free_func (free_sets);
  query->words = g_string_chunk_new (256);
  g_ptr_array_set_size (query->cores, (gint) n);
  query->parts = g_ptr_array_new_with_free_func ((GDestroyNotify) query_part_free);
  g_ptr_array_set_size (query->parts, (gint) n);
}

static void close_parts (RspQuery *query) {
  g_ptr_array_unref (query->parts);
  g_ptr_array_unref (query->cores);
  g_string_chunk_free (query->words);
}

void rsp_query_list (RspQuery *query) {
  if (query->is_listed)
    return;
  close_parts (query);
  combinations_list (query->combinations);
  open_parts (query);
  query->is_listed = TRUE;
}

/* ---- Questions ---- */
static void visit_each_part (Attempt *attempt) {
  RspQuery *query = attempt->query;
  guint n = query->parts->len;
  for (guint k = 0; k < n && !attempt->ended; k++) {
    guint i = attempt->number = (attempt->question->first_part + k) % n;
    if (attempt->question->outcome
        && cores_refute (query->cores->pdata[i], attempt->question, query->options.through))
      continue;
    attempt->part = rsp_query_part (query, i);
    if (!attempt->part)
      return;
    const RspStaging *staging = attempt->part->staging;
    attempt->answered = attempt->remembers = FALSE;
    g_array_set_size (attempt->core, 0);
    if (staging->needs_execution && staging->known)
      search_model (attempt, staging->known, TRUE);
    else if (staging->needs_execution) { /* no axiom is known without an execution */
      RspStagedModel nothing = { .dag = rsp_dag_new (attempt->part->arena, attempt->part->pre->n) };
      search_model (attempt, &nothing, TRUE);
      rsp_dag_free (nothing.dag);
    }
    for (attempt->index = 0; attempt->index < staging->n_models && !attempt->ended;
         attempt->index++)
      search_model (attempt, staging->models[attempt->index], FALSE);
    /* For a part without an answer: records the axioms that had an effect in this search, or in
     * earlier searches whose results it used. */
    const RspQuestion *question = attempt->question;
    for (guint j = 0; j < attempt->core->len; j++)
      core_add (attempt->all_core, &g_array_index (attempt->core, RspStagedAxiom, j));
    gboolean is_core
        = !attempt->ended && !attempt->answered && !question->failing && !question->raised;
    if (is_core && question->outcome) {
      /* Copy the set. */
      const GArray *core = attempt->remembers ? attempt->all_core : attempt->core;
      GArray *own = core_new ();
      for (guint j = 0; j < core->len; j++) {
        RspStagedAxiom axiom = g_array_index (core, RspStagedAxiom, j);
        axiom.id = g_string_chunk_insert_const (query->words, axiom.id);
        axiom.name = axiom.name ? g_string_chunk_insert_const (query->words, axiom.name) : NULL;
        g_array_append_val (own, axiom);
      }
      if (!query->cores->pdata[i])
        query->cores->pdata[i] = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
      g_ptr_array_add (query->cores->pdata[i], own);
    }
    rsp_query_release_part (query, i);
  }
}

static void visit_parts (Attempt *attempt) {
  RspQuery *query = attempt->query;
  const RspProp *outcome = attempt->question->outcome;
  query->program.condition = (RspProp *) (outcome ? outcome : &query_always);
  if (outcome && outcome != query->outcome) {
    guint n = query->cores->len;
    g_ptr_array_set_size (query->cores, 0);
    g_ptr_array_set_size (query->cores, (gint) n);
    query->outcome = outcome;
  }
  const RspNames *names = query->combinations->check.names;
  if (attempt->first && names)
    attempt->common = rsp_common_new (names, query->budget.max_memory / 4);
  attempt->core = core_new ();
  attempt->all_core = core_new ();
  visit_each_part (attempt);
  g_array_unref (attempt->core);
  g_array_unref (attempt->all_core);
  rsp_common_free (attempt->common);
}

gboolean rsp_query_each (RspQuery *query, const RspQuestion *question, RspQueryVisit visit,
                         gpointer data) {
  Attempt attempt = { .query = query, .question = question, .visit = visit, .data = data };
  visit_parts (&attempt);
  return query->is_listed && !attempt.ended && rsp_query_stop (query) == RSPCHECK_STOP_COMPLETE;
}

typedef struct Found {
  RspArena *arena;
  RspExecution *execution;
} Found;

RspQueryPart *rsp_query_serial_part (RspQuery *query) {
  Check *check = &query->combinations->check;
  RspExecution *run = &query->run;
  gboolean good = query->may_ask && query->options.through == RSPCHECK_THROUGH_NONE
                  && check_choose_serial (check);
  for (guint t = 0; t < query->program.n_threads && good; t++)
    good = check->chosen[t]->end == RSP_PATH_COMPLETE;
  RspQueryPart *part = good ? add_consulted (query, check->chosen) : NULL;
  if (!part || part->staging->models[0]->n_orders
      || !check_run_serially (part->pre, part->arena, run)
      || (query->program.filter
          && rsp_state_truth (&query->program, query->program.filter, run->state) == RSP_FAILS))
    return NULL;
  const RspStagedModel *model = part->staging->models[0];
  part->valuations[0] = question_valuation (model);
  good = rsp_valuation_evaluate (part->valuations[0], run->rf, run->co, NULL);
  for (guint i = 0; i < model->n_axioms && good; i++)
    good = model->axioms[i].role != RSPCHECK_ROLE_AXIOM
           || rsp_axiom_holds (&model->axioms[i],
                               rsp_valuation_get (part->valuations[0], model->axioms[i].node));
  return good ? part : NULL;
}

RspQueryPart *rsp_query_ask_part (RspQuery *query, const RspQuestion *question, gboolean *known) {
  RspBudget budget = query->budget;
  const Check *check = &query->combinations->check;
  *known = TRUE;
  if (query->may_ask && !query->oracle
      && sat_rules_out_flags (&query->program, query->model, &query->options, check->paths,
                              check->terms, NULL, question, &budget))
    return NULL;
  SatAnswer answer
      = may_consult (query) ? rsp_sat_oracle_ask (query->oracle, question) : SAT_UNKNOWN;
  RspQueryPart *part = answer == SAT_YES ? consulted_part (query) : NULL;
  *known = answer == SAT_NO || part;
  return part;
}

RspMatrix *rsp_query_see (RspQuery *query, const RspQueryPart *part, RspNodeId node,
                          RspArena *arena) {
  RspExecution execution = query->run;
  if (execution.pre != part->pre)
    rsp_sat_oracle_read (query->oracle, part->pre, arena, &execution);
  g_autoptr (RspValuation) valuation = rsp_valuation_new (part->staging->models[0]->dag, &node, 1);
  rsp_valuation_evaluate (valuation, execution.rf, execution.co, execution.orders);
  return rsp_matrix_copy (arena, rsp_valuation_get (valuation, node));
}

static gboolean take_first (gpointer data, const RspExecution *execution) {
  Found *found = data;
  found->execution = rsp_execution_copy (execution, found->arena);
  return FALSE;
}

/* The first answer by a search. FALSE if it gives up. */
static gboolean search_first (RspQuery *query, const RspQuestion *question, Found *found) {
  Attempt attempt
      = { .query = query, .question = question, .visit = take_first, .data = found, .first = TRUE };
  visit_parts (&attempt);
  return found->execution || !attempt.ended;
}

/* FALSE if the solver does not know, or is not asked. */
static gboolean ask_first (RspQuery *query, const RspQuestion *question, Found *found) {
  Attempt attempt = { .query = query, .question = question, .visit = take_first, .data = found };
  query->program.condition = (RspProp *) (question->outcome ? question->outcome : &query_always);
  if (rsp_query_stop (query) != RSPCHECK_STOP_COMPLETE || !may_consult (query))
    return FALSE;
  SatAnswer answer = rsp_sat_oracle_ask (query->oracle, question);
  return answer == SAT_NO || (answer == SAT_YES && visit_consulted (&attempt) && attempt.ended);
}

/* Without an answer from the solver, searches; but only questions without a limit are worth the
 * list of too many combinations. */
RspExecution *rsp_query_find (RspQuery *query, const RspQuestion *question, RspArena *arena,
                              gboolean *given_up) {
  Found found = { .arena = arena };
  RspQuestion limited = *question;
  gboolean was_listed = query->is_listed;
  if (query->may_ask && !question->max_steps)
    limited.max_steps = ASK_AFTER;
  gboolean done = (was_listed && search_first (query, &limited, &found))
                  || ask_first (query, question, &found);
  if (!done && rsp_query_stop (query) == RSPCHECK_STOP_COMPLETE
      && (!question->max_steps || !(was_listed || query->may_ask))) {
    rsp_query_list (query);
    done = search_first (query, question, &found);
  }
  if (given_up)
    *given_up = !found.execution && (!done || rsp_query_stop (query) != RSPCHECK_STOP_COMPLETE);
  return found.execution;
}

/* ---- The whole ---- */
static RspQuery *begin (const RspProgram *program, const RspModel *model,
                        const RspCheckOptions *options) {
  RspQuery *query = g_new0 (RspQuery, 1);
  query->program = *program;
  query->program.condition = (RspProp *) &query_always;
  query->program.quantifier = RSP_EXISTS;
  rsp_words_bind (&query->program, model, NULL);
  query->model = model;
  query->options = *options;
  query->options.max_executions = 0;
  query->options.jobs = 1;
  query->options.journal = NULL;
  query->diagnostics = rsp_diagnostics_new ();
  query->consulted = g_ptr_array_new_with_free_func ((GDestroyNotify) query_part_free);
  return query;
}

static RspQuery *begin_on (RspQuery *query, RspCombinations *combinations) {
  query->combinations = combinations;
  query->is_listed = TRUE;
  open_parts (query);
  return query;
}

/* most_listed: combinations; where there are more, the solver is asked, if it may be. */
static RspQuery *begin_with (const RspProgram *program, const RspModel *model,
                             const RspCheckOptions *options, guint64 most_listed, gboolean asks) {
  RspQuery *query = begin (program, model, options);
  query->options.engine = RSPCHECK_ENGINE_BOUNDED;
  RspCombinations *combinations = rsp_combinations_open (&query->program, model, &query->options);
  guint64 n = check_count_combinations (&combinations->check);
  gboolean asks_only = asks && options->asks_only, is_listed = n <= most_listed && !asks_only;
  query->may_ask = asks && (n >= SEARCH_MANY_COMBINATIONS || asks_only);
  if (is_listed)
    combinations_list (combinations);
  begin_on (query, combinations);
  query->is_listed = is_listed;
  return query;
}

RspQuery *rsp_query_new (const RspProgram *program, const RspModel *model,
                         const RspCheckOptions *options) {
  return begin_with (program, model, options, G_MAXUINT64, FALSE);
}

RspQuery *rsp_query_new_consulting (const RspProgram *program, const RspModel *model,
                                    const RspCheckOptions *options) {
  return options->engine == RSPCHECK_ENGINE_SAT || options->engine == RSPCHECK_ENGINE_AUTO
             ? begin_with (program, model, options, MOST_LISTED, TRUE)
             : rsp_query_new (program, model, options);
}

RspQuery *rsp_query_new_solving (const RspProgram *program, const RspModel *model,
                                 const RspCheckOptions *options) {
  return begin_with (program, model, options, SEARCH_MANY_COMBINATIONS - 1, TRUE);
}

RspQuery *rsp_query_new_of (const RspProgram *program, const RspModel *model,
                            const RspCheckOptions *options, const RspPath *const *paths,
                            const RspBudget *budget) {
  RspQuery *query = begin (program, model, options);
  /* One only, of paths that the caller owns, with a copy of a budget. */
  RspCombinations *combinations = new_combinations (&query->program, model, &query->options);
  Check *check = &combinations->check;
  check->budget = *budget;
  g_ptr_array_add (
      check->collected,
      rsp_arena_copy (check->arena, paths, sizeof (RspPath *) * query->program.n_threads));
  return begin_on (query, combinations);
}

void rsp_query_free (RspQuery *query) {
  if (!query)
    return;
  close_parts (query);
  rsp_sat_oracle_free (query->oracle);
  g_ptr_array_unref (query->consulted);
  rsp_combinations_free (query->combinations);
  rsp_diagnostics_free (query->diagnostics);
  g_free (query);
}

const RspProgram *rsp_query_program (const RspQuery *query) { return &query->program; }

RspcheckStop rsp_query_stop (const RspQuery *query) {
  return rsp_budget_stop (&((RspQuery *) query)->budget);
}

RspBudget *rsp_query_budget (RspQuery *query) { return &query->budget; }

RspDiagnostics *rsp_query_diagnostics (RspQuery *query) { return query->diagnostics; }

guint rsp_query_last_part (const RspQuery *query) { return query->last_part; }

guint rsp_query_n_parts (const RspQuery *query) { return query->parts->len; }
