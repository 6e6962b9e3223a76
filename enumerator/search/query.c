#include "enumerator/search/query.h"
#include "enumerator/search/bounded/bounded.h"
#include "model/dag/valuation.h"
#include "model/stage/stage.h"

#include "enumerator/search/combinations.h"
#include "enumerator/search/prunings.h"
#include "enumerator/search/search.h"

#include <string.h>

enum
{
  LOOK_STEPS = 100, /* of the search for values of a combination, before it is staged */
  KEPT_PARTS = 256  /* parts that stay staged although they answered nothing */
};

typedef enum Look
{
  LOOK_NOT_YET,
  LOOK_MAY,   /* some execution of the combination may have the outcome */
  LOOK_CANNOT /* none has */
} Look;

struct RspQuery
{
  RspProgram program; /* the test, with the outcome in question as its condition */
  const RspModel *model;
  RspCheckOptions options;
  RspDiagnostics *diagnostics;
  RspBudget budget;
  RspCombinations *combinations;
  GPtrArray *parts; /* of RspQueryPart, per combination: NULL until it is staged */
  /* What is known of the combinations for the outcome of the last question. */
  const RspProp *outcome;
  GArray *looks; /* of Look, per combination */
};

/* One question being put to one staged model. */
typedef struct Attempt
{
  RspQuery *query;
  const RspQuestion *question;
  RspQueryVisit visit;
  gpointer data;
  RspQueryPart *part;
  guint index;    /* of the staged model in the part */
  gboolean first; /* only the first answer counts */
  gboolean ended; /* the visit is over */
  guint steps;    /* of all searches so far */
} Attempt;

static const RspProp always = { .kind = RSP_PROP_TRUE };

/* ---- What the question says of an axiom ---- */

typedef enum Demand
{
  DEMAND_NOTHING,
  DEMAND_HOLDS,
  DEMAND_FAILS
} Demand;

static gboolean
lists (const char *const *names, const char *id)
{
  return names && g_strv_contains (names, id);
}

gboolean
rsp_query_goes_through (const RspQuery *query, const RspStagedAxiom *axiom)
{
  RspcheckThrough through = query->options.through;
  return through == RSPCHECK_THROUGH_ALL || (through == RSPCHECK_THROUGH_INVALID && axiom->name);
}

static gboolean
is_flag (const RspStagedAxiom *axiom)
{
  return axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS || axiom->role == RSPCHECK_ROLE_FLAG;
}

/* Of an axiom by its id; parts of a choice have none and always hold. */
static Demand
demand_on (const Attempt *attempt, const RspStagedAxiom *axiom)
{
  const RspQuestion *question = attempt->question;
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
      || rsp_query_goes_through (attempt->query, axiom))
    return DEMAND_NOTHING;
  return DEMAND_HOLDS;
}

/* A flag is raised when its axiom fails (undefined_unless) or holds (flag). */
static gboolean
is_broken (const RspStagedAxiom *axiom, gboolean holds)
{
  return holds == (axiom->role == RSPCHECK_ROLE_FLAG);
}

/* Several axioms may share an id (`forall`, `call … as`): then one that fails is enough, which no
 * single plain axiom says. */
static gboolean
has_twin (const RspStagedModel *model, const RspStagedAxiom *axiom)
{
  guint n = 0;
  for (guint i = 0; i < model->n_axioms; i++)
    n += model->axioms[i].id && strcmp (model->axioms[i].id, axiom->id) == 0;
  return n > 1;
}

/* The plain axioms (of RspStagedAxiom) that the engine is given. *exact: they say all that the
 * question demands. */
static GArray *
plain_axioms (const Attempt *attempt, const RspStagedModel *model, gboolean *exact)
{
  GArray *axioms = g_array_new (FALSE, FALSE, sizeof (RspStagedAxiom));
  *exact = TRUE;
  for (guint i = 0; i < model->n_axioms; i++)
    {
      RspStagedAxiom axiom = model->axioms[i];
      Demand demand = demand_on (attempt, &axiom);
      if (demand == DEMAND_FAILS && has_twin (model, &axiom))
        *exact = FALSE;
      else if (demand != DEMAND_NOTHING)
        {
          axiom.negated
              = axiom.negated != (demand == DEMAND_FAILS && axiom.role != RSPCHECK_ROLE_FLAG);
          axiom.role = RSPCHECK_ROLE_AXIOM;
          g_array_append_val (axioms, axiom);
        }
    }
  return axioms;
}

/* ---- What the model says of an execution ---- */

static RspValuation *
new_valuation (const RspStagedModel *model)
{
  g_autoptr (GArray) roots = g_array_new (FALSE, FALSE, sizeof (RspNodeId));
  for (guint i = 0; i < model->n_axioms; i++)
    g_array_append_val (roots, model->axioms[i].node);
  for (guint i = 0; i < model->n_names; i++)
    g_array_append_val (roots, model->names[i].node);
  return rsp_valuation_new (model->dag, (const RspNodeId *) roots->data, roots->len);
}

static void
add_once (GPtrArray *names, const char *name)
{
  for (guint i = 0; i < names->len; i++)
    if (strcmp (names->pdata[i], name) == 0)
      return;
  g_ptr_array_add (names, (gpointer) name);
}

/* Fills failed and raised (of const char *). FALSE when a choice is not one that the model makes. */
static gboolean
judge (const RspStagedModel *model, const RspValuation *valuation, GPtrArray *failed,
       GPtrArray *raised)
{
  for (guint i = 0; i < model->n_axioms; i++)
    {
      const RspStagedAxiom *axiom = &model->axioms[i];
      gboolean holds = rsp_axiom_holds (axiom, rsp_valuation_get (valuation, axiom->node));
      if (is_flag (axiom) && is_broken (axiom, holds))
        add_once (raised, axiom->id);
      else if (axiom->role == RSPCHECK_ROLE_AXIOM && !holds)
        {
          if (!axiom->id)
            return FALSE;
          add_once (failed, axiom->id);
        }
    }
  g_ptr_array_add (failed, NULL);
  g_ptr_array_add (raised, NULL);
  return TRUE;
}

static guint64
count_derived (const RspStagedModel *model, const RspValuation *valuation)
{
  guint64 n = 0;
  for (guint i = 0; i < model->n_names; i++)
    n += rsp_matrix_count (rsp_valuation_get (valuation, model->names[i].node));
  return n;
}

/* ---- Whether an execution answers ---- */

static gboolean
answers (const Attempt *attempt, const RspStagedModel *model, const RspExecution *execution)
{
  const RspQuestion *question = attempt->question;
  for (guint i = 0; i < model->n_axioms; i++)
    {
      const RspStagedAxiom *axiom = &model->axioms[i];
      if (axiom->role == RSPCHECK_ROLE_AXIOM && axiom->id
          && demand_on (attempt, axiom) == DEMAND_HOLDS
          && rsp_execution_fails (execution, axiom->id))
        return FALSE;
    }
  for (guint i = 0; question->failing && question->failing[i]; i++)
    if (!rsp_execution_fails (execution, question->failing[i]))
      return FALSE;
  return !question->raised || rsp_execution_raises (execution, question->raised);
}

static void
evaluate (Attempt *attempt, const RspStagedModel *model, RspValuation *valuation,
          RspExecution *execution)
{
  g_autoptr (GPtrArray) failed = g_ptr_array_new (), raised = g_ptr_array_new ();
  if (!rsp_valuation_evaluate (valuation, execution->rf, execution->co, execution->orders)
      || !judge (model, valuation, failed, raised))
    return;
  execution->failed = (const char **) failed->pdata;
  execution->raised = (const char **) raised->pdata;
  execution->n_derived = count_derived (model, valuation);
  if (!answers (attempt, model, execution))
    return;
  attempt->part->answered = TRUE;
  attempt->ended = !attempt->visit (attempt->data, execution);
}

/* The engine's leaf: a complete execution. `restaged` is the model where it had to be staged on
 * this execution, else NULL. */
static void
reach_leaf (RspSearch *search, const RspExecution *found, const RspStagedModel *restaged)
{
  Attempt *attempt = search->leaf_data;
  RspQueryPart *part = attempt->part;
  RspExecution execution = *found;
  const RspStagedModel *model = restaged ? restaged : part->staging->models[attempt->index];
  RspValuation *valuation = restaged ? NULL : part->valuations[attempt->index];
  if (!valuation)
    valuation = new_valuation (model);
  if (!restaged)
    part->valuations[attempt->index] = valuation;
  execution.script = model->script;
  execution.n_script = model->n_script;
  evaluate (attempt, model, valuation, &execution);
  if (restaged)
    rsp_valuation_free (valuation);
  if (attempt->ended)
    rsp_budget_end (search->budget, RSPCHECK_STOP_FOUND);
}

/* ---- One search ---- */

/* Searches under the plain axioms; attempt may be NULL: then whether there is an execution. */
static RspcheckStop
search (RspQuery *query, const RspPreExecution *pre, const RspStaging *staging, guint disabled,
        guint max_steps, Attempt *attempt)
{
  RspLeafVisit leaf = attempt ? reach_leaf : NULL;
  RspStatistics statistics = { 0 };
  RspBudget budget = query->budget;
  RspCheckOptions options = query->options;
  options.disabled |= disabled;
  options.speedcheck = leaf ? RSPCHECK_SPEED_TRUE : RSPCHECK_SPEED_FAST;
  g_autoptr (GArray) flags = rsp_flags_new (), prunings = rsp_prunings_new ();
  RspSearch search = { .model = query->model,
                       .pre = pre,
                       .options = &options,
                       .diagnostics = query->diagnostics,
                       .budget = &budget,
                       .statistics = &statistics,
                       .tally = rsp_tally_new (&query->program),
                       .flags = flags,
                       .prunings = prunings,
                       .leaf = leaf,
                       .leaf_data = attempt,
                       .max_ticks = max_steps };
  rsp_search_bounded (&search, staging);
  rsp_tally_free (search.tally);
  RspcheckStop stop = rsp_budget_stop (&budget);
  if (attempt)
    {
      attempt->steps += search.ticks;
      attempt->ended |= stop != RSPCHECK_STOP_COMPLETE;
    }
  if (stop != RSPCHECK_STOP_COMPLETE && stop != RSPCHECK_STOP_FOUND
      && stop != RSPCHECK_STOP_EXECUTIONS)
    rsp_budget_end (&query->budget, stop);
  return stop;
}

gboolean
rsp_query_is_possible (RspQuery *query, RspQueryPart *part, const RspStagedModel *model,
                       const GArray *axioms)
{
  RspStagedModel narrowed = *model, *models[] = { &narrowed };
  narrowed.axioms = (RspStagedAxiom *) axioms->data;
  narrowed.n_axioms = axioms->len;
  RspStaging staging = { .models = models, .n_models = 1 };
  query->program.condition = (RspProp *) &always;
  return search (query, part->pre, &staging, 0, 0, NULL) == RSPCHECK_STOP_FOUND;
}

/* Completions of a partial execution are looked for once only where they have no answer: so the
 * memo serves if the first answer ends the search, and if the engine's axioms are all there is. */
static void
search_model (Attempt *attempt, const RspStagedModel *model, gboolean needs_execution)
{
  gboolean exact;
  g_autoptr (GArray) axioms = plain_axioms (attempt, model, &exact);
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

/* What a model that needs executions says without one, if nothing else: nothing. */
static void
search_unstaged (Attempt *attempt)
{
  const RspStaging *staging = attempt->part->staging;
  if (staging->known)
    {
      search_model (attempt, staging->known, TRUE);
      return;
    }
  RspStagedModel nothing = { .dag = rsp_dag_new (attempt->part->arena, attempt->part->pre->n) };
  search_model (attempt, &nothing, TRUE);
  rsp_dag_free (nothing.dag);
}

static void
search_part (Attempt *attempt)
{
  const RspStaging *staging = attempt->part->staging;
  if (staging->needs_execution)
    search_unstaged (attempt);
  for (attempt->index = 0; attempt->index < staging->n_models && !attempt->ended; attempt->index++)
    search_model (attempt, staging->models[attempt->index], FALSE);
}

/* ---- Parts ---- */

static void
free_part (gpointer data)
{
  RspQueryPart *part = data;
  if (!part)
    return;
  for (guint i = 0; part->staging && i < part->staging->n_models; i++)
    rsp_valuation_free (part->valuations[i]);
  rsp_staging_clear (part->staging);
  rsp_arena_free (part->arena);
  g_free (part);
}

static RspQueryPart *
stage_part (RspQuery *query, guint i)
{
  RspQueryPart *part = g_new0 (RspQueryPart, 1);
  part->arena = rsp_arena_new ();
  part->pre = rsp_pre_execution_new (&query->program,
                                     rsp_combinations_paths (query->combinations, i), part->arena);
  RspStageOptions options = { .skipped_checks = query->options.skipped_checks,
                              .budget = &query->budget,
                              .keep_names = TRUE };
  part->staging
      = rsp_model_stage (query->model, part->pre->base, &options, part->arena, query->diagnostics);
  if (part->staging)
    part->valuations = rsp_arena_new0 (part->arena, RspValuation *, part->staging->n_models + 1);
  return part;
}

RspQueryPart *
rsp_query_part (RspQuery *query, guint i)
{
  if (rsp_budget_is_exhausted (&query->budget))
    return NULL;
  if (!query->parts->pdata[i])
    query->parts->pdata[i] = stage_part (query, i);
  RspQueryPart *part = query->parts->pdata[i];
  if (!part->staging)
    rsp_budget_end (&query->budget, RSPCHECK_STOP_ERROR);
  return part->staging ? part : NULL;
}

void
rsp_query_release_part (RspQuery *query, guint i)
{
  RspQueryPart *part = query->parts->pdata[i];
  if (i < KEPT_PARTS || !part || part->answered)
    return;
  free_part (part);
  query->parts->pdata[i] = NULL;
}

/* Could some execution of the combination end so, whatever the model says? FALSE is certain. Takes no
 * staging. */
static gboolean
may_end_so (RspQuery *query, guint i)
{
  RspArena *arena = rsp_arena_new ();
  RspPreExecution *pre = rsp_pre_execution_new (
      &query->program, rsp_combinations_paths (query->combinations, i), arena);
  RspStagedModel nothing = { .dag = rsp_dag_new (arena, pre->n) }, *models[] = { &nothing };
  RspStaging staging = { .models = models, .n_models = 1 };
  gboolean possible = search (query, pre, &staging, 0, LOOK_STEPS, NULL) != RSPCHECK_STOP_COMPLETE;
  rsp_dag_free (nothing.dag);
  rsp_arena_free (arena);
  return possible;
}

/* ---- Questions ---- */

static gboolean
is_worth_staging (RspQuery *query, const RspProp *outcome, guint i)
{
  if (!outcome)
    return TRUE;
  if (outcome != query->outcome)
    {
      g_array_set_size (query->looks, 0);
      g_array_set_size (query->looks, query->parts->len);
      query->outcome = outcome;
    }
  Look *look = &g_array_index (query->looks, Look, i);
  if (*look == LOOK_NOT_YET)
    *look = may_end_so (query, i) ? LOOK_MAY : LOOK_CANNOT;
  return *look == LOOK_MAY;
}

static void
visit_parts (Attempt *attempt)
{
  RspQuery *query = attempt->query;
  const RspQuestion *question = attempt->question;
  query->program.condition = (RspProp *) (question->outcome ? question->outcome : &always);
  for (guint i = 0; i < query->parts->len && !attempt->ended; i++)
    {
      if (!is_worth_staging (query, question->outcome, i))
        continue;
      attempt->part = rsp_query_part (query, i);
      if (!attempt->part)
        return;
      search_part (attempt);
      rsp_query_release_part (query, i);
    }
}

gboolean
rsp_query_each (RspQuery *query, const RspQuestion *question, RspQueryVisit visit, gpointer data)
{
  Attempt attempt = { .query = query, .question = question, .visit = visit, .data = data };
  visit_parts (&attempt);
  return !attempt.ended && rsp_query_stop (query) == RSPCHECK_STOP_COMPLETE;
}

typedef struct Found
{
  RspArena *arena;
  RspExecution *execution;
} Found;

static gboolean
take_first (gpointer data, const RspExecution *execution)
{
  Found *found = data;
  found->execution = rsp_execution_copy (execution, found->arena);
  return FALSE;
}

RspExecution *
rsp_query_find (RspQuery *query, const RspQuestion *question, RspArena *arena, gboolean *given_up)
{
  Found found = { .arena = arena };
  Attempt attempt = {
    .query = query, .question = question, .visit = take_first, .data = &found, .first = TRUE
  };
  visit_parts (&attempt);
  if (given_up)
    *given_up
        = !found.execution && (attempt.ended || rsp_query_stop (query) != RSPCHECK_STOP_COMPLETE);
  return found.execution;
}

/* ---- The whole ---- */

RspQuery *
rsp_query_new (const RspProgram *program, const RspModel *model, const RspCheckOptions *options)
{
  RspQuery *query = g_new0 (RspQuery, 1);
  query->program = *program;
  query->program.condition = (RspProp *) &always;
  query->program.quantifier = RSP_EXISTS;
  query->model = model;
  query->options = *options;
  query->options.engine = RSPCHECK_ENGINE_BOUNDED;
  query->options.outcome_reads = FALSE;
  query->options.max_executions = 0;
  query->options.jobs = 1;
  query->options.journal = NULL;
  query->diagnostics = rsp_diagnostics_new ();
  query->combinations = rsp_combinations_new (&query->program, model, &query->options);
  query->budget = rsp_combinations_budget (query->combinations);
  query->looks = g_array_new (FALSE, TRUE, sizeof (Look));
  query->parts = g_ptr_array_new_with_free_func (free_part);
  g_ptr_array_set_size (query->parts, (gint) rsp_combinations_n (query->combinations));
  return query;
}

void
rsp_query_free (RspQuery *query)
{
  if (!query)
    return;
  g_ptr_array_unref (query->parts);
  g_array_unref (query->looks);
  rsp_combinations_free (query->combinations);
  rsp_diagnostics_free (query->diagnostics);
  g_free (query);
}

const RspProgram *
rsp_query_program (const RspQuery *query)
{
  return &query->program;
}

RspcheckStop
rsp_query_stop (const RspQuery *query)
{
  return rsp_budget_stop (&((RspQuery *) query)->budget);
}

RspBudget *
rsp_query_budget (RspQuery *query)
{
  return &query->budget;
}

RspDiagnostics *
rsp_query_diagnostics (RspQuery *query)
{
  return query->diagnostics;
}

guint
rsp_query_n_parts (const RspQuery *query)
{
  return query->parts->len;
}
