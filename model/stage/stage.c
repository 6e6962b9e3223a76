/* Staging: evaluates a model on one pre-execution, once for each way to choose in it. */
#include "model/stage/stage.h"
#include "model/axiom_kind.h"
#include "model/stage/choices/choice.h"
#include "model/stage/choices/coherence.h"
#include "model/stage/statement.h"
#include "model/stage/value.h"
#include "model/stage/trace.h"

/* How much of the machine's stack the evaluator may use; threads have 8 MiB. */
#define STACK_BYTES ((guintptr) 3 << 20)
#define MAX_MODELS  20000
/* Limit of choices of final writes that are tried one by one. */
#define MAX_FINALS 256

gboolean rsp_axiom_holds (const RspStagedAxiom *axiom, const RspMatrix *value) {
  return rsp_axiom_form_holds (rsp_axiom_form (axiom->kind), value) != axiom->negated;
}

RspNodeId rsp_axiom_root (RspDag *dag, RspcheckAxiomKind kind, RspNodeId node) {
  return rsp_axiom_form (kind)->closed ? rsp_dag_unary (dag, RSP_NODE_PLUS, node) : node;
}

void stage_find_roots (RspDag *dag, RspStagedAxiom *axioms, guint n) {
  for (guint i = 0; i < n; i++)
    axioms[i].root = rsp_axiom_root (dag, axioms[i].kind, axioms[i].node);
}

/* ---- One replay ---- */

static void begin_replay (Stage *stage) {
  stage->dag = rsp_dag_new (stage->arena, stage->base->n);
  stage->dag->generic = stage->base->generic;
  stage->dag->budget = stage->options ? stage->options->budget : NULL;
  g_hash_table_remove_all (stage->predefined);
  g_array_set_size (stage->axioms, 0);
  g_array_set_size (stage->orders, 0);
  g_array_set_size (stage->warnings, 0);
  g_array_set_size (stage->names, 0);
  stage->names_finals = FALSE;
  stage->seen_co = stage->finals = NULL;
  stage->next_choice = stage->n_assumed_finals = 0;
  stage->next_assumed = 0;
  stage->renamed = NULL;
  stage->status = STAGE_OK;
  if (stage->assumes_finals)
    stage_assume_finals (stage);
  if (!stage->model->with_sc)
    return;
  RspStagedOrder s = rsp_stage_predefined_order (RSP_CHOSEN_S, stage->base, stage->arena);
  g_array_append_val (stage->orders, s);
}

static RspStagedModel *end_replay (Stage *stage) {
  RspStagedModel *model = rsp_arena_new0 (stage->arena, RspStagedModel, 1);
  model->dag = stage->dag;
  model->n_axioms = stage->axioms->len;
  model->axioms = rsp_arena_copy (stage->arena, stage->axioms->data,
                                  stage->axioms->len * sizeof (RspStagedAxiom));
  if (!model->dag->generic)
    stage_find_roots (model->dag, model->axioms, model->n_axioms);
  model->n_orders = stage->orders->len;
  model->orders = rsp_arena_copy (stage->arena, stage->orders->data,
                                  stage->orders->len * sizeof (RspStagedOrder));
  model->n_names = stage->names->len;
  model->names = rsp_arena_copy (stage->arena, stage->names->data,
                                 stage->names->len * sizeof (RspStagedName));
  guint *script = rsp_arena_new0 (stage->arena, guint, stage->choices->len + 1);
  for (guint i = 0; i < stage->choices->len; i++)
    script[i] = g_array_index (stage->choices, StageChoice, i).chosen;
  /* On an execution, final writes are known and not assumed. */
  model->script = script + stage->n_assumed_finals;
  model->n_script = stage->choices->len - stage->n_assumed_finals;
  return model;
}

/* Of a replay that evaluated the whole text. */
static RspStagedModel *end_whole_replay (Stage *stage) {
  RspMatrix *by_convention = NULL;
  const RspStagedModel sees
      = { .sees_co = stage->model->sees_co, .sees_finals = stage->model->sees_finals };
  RspAddedAxioms added = { .n = 0 };
  if (!stage->base->generic)
    by_convention = rsp_stage_fix_coherence (stage->dag, stage->base, &sees, stage->seen_co, &added,
                                             stage->arena);
  g_array_append_vals (stage->axioms, added.axioms, added.n);
  RspStagedModel *model = end_replay (stage);
  model->sees_co = stage->model->sees_co;
  model->sees_finals = stage->model->sees_finals;
  model->by_convention = by_convention;
  return model;
}

/* The next script: the last choice that has a further value takes it, and later choices start
 * again. FALSE after the last script. */
static gboolean next_script (Stage *stage) {
  GArray *choices = stage->choices;
  while (choices->len) {
    StageChoice *last = &g_array_index (choices, StageChoice, choices->len - 1);
    if (++last->chosen < last->n)
      return TRUE;
    g_array_set_size (choices, choices->len - 1);
  }
  return FALSE;
}

/* ---- Models that need an execution ---- */

static gboolean is_plain (const RspStagedAxiom *axiom) {
  return axiom->role == RSPCHECK_ROLE_AXIOM;
}

static gboolean has_chosen (const Stage *stage) {
  for (guint i = 0; i < stage->choices->len; i++)
    if (!g_array_index (stage->choices, StageChoice, i).is_note)
      return TRUE;
  return FALSE;
}

/* The plain axioms of this replay. Choices, also of orders, are made separately on each execution,
 * so that what depends on them is not known. */
static RspStagedModel *known_axioms (Stage *stage) {
  RspStagedModel *model = NULL;
  if (!has_chosen (stage) && stage->orders->len == 0)
    model = end_replay (stage);
  guint kept = 0;
  for (guint i = 0; model && i < model->n_axioms; i++)
    if (is_plain (&model->axioms[i]))
      model->axioms[kept++] = model->axioms[i];
  if (kept) {
    model->n_axioms = kept;
    return model;
  }
  rsp_dag_free (stage->dag);
  return NULL;
}

static RspStagedModel *needed_value (Stage *stage) {
  g_array_set_size (stage->axioms, 0);
  RspStagedAxiom axiom
      = { .role = RSPCHECK_ROLE_ASSERT, .kind = RSPCHECK_AXIOM_EMPTY, .node = stage->needed };
  g_array_append_val (stage->axioms, axiom);
  return end_replay (stage);
}

/* Errors after something has been left out may be spurious; if they are real, staging on an
 * execution reports them. */
static void end_unfinished (Stage *stage, gboolean completed) {
  if (stage->status == STAGE_NEEDS_VALUE)
    stage->needed_model = needed_value (stage);
  else if (completed || stage->status == STAGE_NEEDS_EXECUTION)
    stage->known = known_axioms (stage);
  else
    rsp_dag_free (stage->dag);
  if (stage->missed && stage->status != STAGE_EXHAUSTED) {
    rsp_diagnostics_truncate (stage->diagnostics, stage->n_diagnostics);
    stage->status = STAGE_NEEDS_EXECUTION;
  }
}

/* ---- All replays ---- */

static gboolean run_replays (Stage *stage, GPtrArray *models) {
  do {
    begin_replay (stage);
    const StageEnv *env = NULL;
    gboolean completed = stage_statements (stage, stage->model->prelude, &env)
                         && stage_statements (stage, stage->model->statements, &env);
    if (completed && !stage->missed) {
      g_ptr_array_add (models, end_whole_replay (stage));
    } else {
      end_unfinished (stage, completed);
      if (stage->status != STAGE_NO_MODEL)
        return FALSE;
    }
    if (models->len > MAX_MODELS) {
      stage->status = STAGE_OK;
      stage_fail (stage, stage->model->statements->span,
                  "the model's choices (`with … from`) give more than %d models of one test",
                  MAX_MODELS);
      return FALSE;
    }
  } while (next_script (stage));
  return TRUE;
}

static void give_flags (Stage *stage, GPtrArray *models) {
  const char **flags
      = rsp_arena_copy (stage->arena, stage->flags->pdata, stage->flags->len * sizeof flags[0]);
  for (guint i = 0; i < models->len; i++) {
    RspStagedModel *model = models->pdata[i];
    model->flags = flags;
    model->n_flags = stage->flags->len;
  }
}

static void free_models (GPtrArray *models) {
  for (guint i = 0; i < models->len; i++)
    rsp_dag_free (((RspStagedModel *) models->pdata[i])->dag);
  g_ptr_array_set_size (models, 0);
}

static RspStaging *finish (Stage *stage, GPtrArray *models, gboolean done) {
  if (!done)
    free_models (models);
  if (!done && (stage_has_failed (stage) || stage->status == STAGE_EXHAUSTED))
    return NULL;
  RspStaging *staging = rsp_arena_new0 (stage->arena, RspStaging, 1);
  give_flags (stage, models);
  staging->needs_execution = !done || (stage->base->generic && stage->looked);
  staging->known = stage->known;
  staging->needed = stage->needed_model;
  staging->n_warnings = stage->warnings->len;
  staging->warnings = rsp_arena_copy (stage->arena, stage->warnings->data,
                                      stage->warnings->len * sizeof (RspStagedWarning));
  staging->n_models = models->len;
  staging->models = rsp_arena_copy (stage->arena, models->pdata, models->len * sizeof (gpointer));
  return staging;
}

static void open_stage (Stage *stage, const RspModel *model, const RspBase *base,
                        const RspStageOptions *options, RspArena *arena,
                        RspDiagnostics *diagnostics) {
  guintptr stack = (guintptr) __builtin_frame_address (0);
  *stage = (Stage){ .model = model,
                    .base = base,
                    .options = options,
                    .arena = arena,
                    .size_before = rsp_arena_size (arena),
                    .diagnostics = diagnostics,
                    .stack_limit = stack > STACK_BYTES ? stack - STACK_BYTES : 0,
                    .symbols = g_hash_table_new (g_str_hash, g_str_equal),
                    .predefined = g_hash_table_new (NULL, NULL),
                    .axioms = g_array_new (FALSE, TRUE, sizeof (RspStagedAxiom)),
                    .orders = g_array_new (FALSE, TRUE, sizeof (RspStagedOrder)),
                    .warnings = g_array_new (FALSE, FALSE, sizeof (RspStagedWarning)),
                    .names = g_array_new (FALSE, FALSE, sizeof (RspStagedName)),
                    .flags = g_ptr_array_new (),
                    .choices = g_array_new (FALSE, FALSE, sizeof (StageChoice)) };
}

static void close_stage (Stage *stage) {
  g_hash_table_unref (stage->symbols);
  g_hash_table_unref (stage->predefined);
  g_array_unref (stage->axioms);
  g_array_unref (stage->orders);
  g_array_unref (stage->warnings);
  g_array_unref (stage->names);
  g_ptr_array_unref (stage->flags);
  g_array_unref (stage->choices);
}

static RspStaging *stage_all (Stage *stage) {
  g_autoptr (GPtrArray) models = g_ptr_array_new ();
  return finish (stage, models, run_replays (stage, models));
}

/* Is the execution needed perhaps only because the model inspects what depends on final writes, and
 * are these few enough to be tried one by one? */
static gboolean may_assume_finals (Stage *stage, const RspStaging *staging) {
  const RspBase *base = stage->base;
  return staging && staging->needs_execution && stage->names_finals && !base->generic && !base->co
         && !base->assumes && !(stage->options && stage->options->direct)
         && stage_has_one_final (stage) && stage_count_finals (stage, MAX_FINALS) < MAX_FINALS;
}

RspStaging *stage_text (const RspModel *model, const RspBase *base, const RspStageOptions *options,
                        RspArena *arena, RspDiagnostics *diagnostics) {
  Stage stage;
  open_stage (&stage, model, base, options, arena, diagnostics);
  RspStaging *staging = stage_all (&stage);
  gboolean again = may_assume_finals (&stage, staging);
  close_stage (&stage);
  if (again) {
    open_stage (&stage, model, base, options, arena, diagnostics);
    stage.assumes_finals = TRUE;
    RspStaging *assuming = stage_all (&stage);
    close_stage (&stage);
    gboolean helps = !assuming || !assuming->needs_execution;
    rsp_staging_clear (helps ? staging : assuming);
    staging = helps ? assuming : staging;
  }
  if (staging)
    staging->from_text = TRUE;
  return staging;
}

RspTrace *rsp_model_trace (const RspModel *model, const RspBase *base, const guint *script,
                           guint n_script, const RspStageOptions *options, RspArena *arena,
                           RspDiagnostics *diagnostics) {
  Stage stage;
  open_stage (&stage, model, base, options, arena, diagnostics);
  for (guint i = 0; i < n_script; i++) {
    StageChoice choice = { .chosen = script[i], .n = script[i] + 1 };
    g_array_append_val (stage.choices, choice);
  }
  stage.trace = stage_trace_new ();
  begin_replay (&stage);
  const StageEnv *env = NULL;
  gboolean done = stage_statements (&stage, model->statements, &env) && !stage.missed;
  RspTrace *trace = stage_trace_finish (stage.trace, done ? arena : NULL);
  if (trace)
    trace->unseen_co = rsp_stage_unseen_coherence (base, model->sees_co, stage.seen_co, arena);
  rsp_dag_free (stage.dag);
  close_stage (&stage);
  return trace;
}

void rsp_staging_clear (RspStaging *staging) {
  if (!staging)
    return;
  for (guint i = 0; i < staging->n_models; i++)
    rsp_dag_free (staging->models[i]->dag);
  staging->n_models = 0;
  if (staging->known)
    rsp_dag_free (staging->known->dag);
  staging->known = NULL;
  if (staging->needed)
    rsp_dag_free (staging->needed->dag);
  staging->needed = NULL;
}
