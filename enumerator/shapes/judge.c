#include "enumerator/shapes/judge.h"
#include "enumerator/shapes/code_hash.h"

#include "enumerator/search/prunings.h"
#include "enumerator/shapes/code.h"

#include <string.h>

enum
{
  MAX_NAMES = 63,
  MAX_ORDERS = 4
};

/* How much must be known before the model can be staged. */
typedef enum Level
{
  LEVEL_SHAPE,
  LEVEL_LABELS,
  LEVEL_EXECUTION
} Level;

struct RspJudge
{
  const RspModel *model;
  const RspStageOptions *options;
  RspDiagnostics *diagnostics;
  RspArena *arena; /* of the pre-execution */
  RspPreExecution *pre;
  Level level;
  RspLabelling labelling;
  /* The present staging, of the level; NULL while there is none. */
  RspArena *staged;
  RspStaging *staging;
  Code **codes; /* per staged model */
  const char *names[MAX_NAMES];
  guint n_names;
  gboolean failed;
};

/* ---- Staging ---- */

static void
drop_staging (RspJudge *judge)
{
  for (guint i = 0; judge->codes && i < judge->staging->n_models; i++)
    code_free (judge->codes[i]);
  g_clear_pointer (&judge->codes, g_free);
  if (judge->staging)
    rsp_staging_clear (judge->staging);
  judge->staging = NULL;
  if (judge->staged)
    rsp_arena_free (judge->staged);
  judge->staged = NULL;
}

/* FALSE when the model needs to know more, or failed. */
static gboolean
stage (RspJudge *judge)
{
  drop_staging (judge);
  judge->staged = rsp_arena_new ();
  judge->staging = rsp_model_stage (judge->model, judge->pre->base, judge->options, judge->staged,
                                    judge->diagnostics);
  judge->failed |= judge->staging == NULL;
  if (!judge->staging || judge->staging->needs_execution)
    {
      drop_staging (judge);
      return FALSE;
    }
  judge->codes = g_new0 (Code *, judge->staging->n_models + 1);
  for (guint i = 0; i < judge->staging->n_models; i++)
    judge->codes[i] = code_new (judge->staging->models[i]);
  return TRUE;
}

static void
open_labels (RspJudge *judge, gboolean open)
{
  for (guint s = 0; s < RSP_N_BASE_SETS; s++)
    judge->pre->base->open[s] = open && rsp_label_decides ((RspBaseSet) s);
}

static void
fill_labels (RspJudge *judge)
{
  for (guint s = 0; s < RSP_N_BASE_SETS; s++)
    if (rsp_label_decides ((RspBaseSet) s))
      judge->pre->base->sets[s]->bits[0] = judge->labelling.lo[s];
}

static void
fill_execution (RspJudge *judge, const RspCandidate *candidate)
{
  RspBase *base = judge->pre->base;
  if (!base->rf)
    {
      base->rf = rsp_relation_new (judge->arena, base->n);
      base->co = rsp_relation_new (judge->arena, base->n);
    }
  for (guint a = 0; a < base->n; a++)
    {
      rsp_matrix_row (base->rf, a)[0] = grid_row (candidate->rf, a);
      rsp_matrix_row (base->co, a)[0] = grid_row (candidate->co, a);
    }
}

/* A model with S orders what labels decide. */
RspJudge *
rsp_judge_new (const RspModel *model, const RspShape *shape, const RspStageOptions *options,
               RspDiagnostics *diagnostics)
{
  if (shape->n_locations + shape->n_events > RSP_SHAPE_EVENTS)
    return NULL;
  RspJudge *judge = g_new0 (RspJudge, 1);
  judge->model = model;
  judge->options = options;
  judge->diagnostics = diagnostics;
  judge->arena = rsp_arena_new ();
  judge->pre = rsp_shape_pre_execution (shape, judge->arena);
  open_labels (judge, TRUE);
  if (model->with_sc || !stage (judge))
    {
      judge->level = LEVEL_LABELS;
      open_labels (judge, FALSE);
    }
  if (!judge->failed)
    return judge;
  rsp_judge_free (judge);
  return NULL;
}

void
rsp_judge_free (RspJudge *judge)
{
  if (!judge)
    return;
  drop_staging (judge);
  rsp_arena_free (judge->arena);
  g_free (judge);
}

gboolean
rsp_judge_failed (const RspJudge *judge)
{
  return judge->failed;
}

void
rsp_judge_set_labels (RspJudge *judge, const RspLabelling *labelling)
{
  judge->labelling = *labelling;
  if (judge->level != LEVEL_SHAPE)
    {
      drop_staging (judge);
      judge->level = LEVEL_LABELS;
      if (!labelling->exact || judge->failed)
        return;
      judge->pre->base->rf = judge->pre->base->co = NULL;
      fill_labels (judge);
      if (!stage (judge))
        judge->level = LEVEL_EXECUTION;
    }
  for (guint i = 0; judge->codes && i < judge->staging->n_models; i++)
    code_set_labels (judge->codes[i], labelling);
}

/* ---- Alternatives: a staged model, and an order for each that it chooses ---- */

typedef void (*Visit) (RspJudge *judge, guint model, gpointer data);

typedef struct Alternatives
{
  RspJudge *judge;
  const RspCandidate *candidate;
  guint model;
  Grid orders[MAX_ORDERS];
  Visit visit;
  gpointer data;
} Alternatives;

static void order_events (Alternatives *a, guint order, guint left, guint placed);

static void
choose_orders (Alternatives *a, guint order)
{
  const RspStagedModel *staged = a->judge->staging->models[a->model];
  if (order == MIN (staged->n_orders, (guint) MAX_ORDERS))
    {
      code_set_execution (a->judge->codes[a->model], a->candidate->rf, a->candidate->co, a->orders);
      a->visit (a->judge, a->model, a->data);
      return;
    }
  a->orders[order] = 0;
  order_events (a, order, (guint) staged->orders[order].set->bits[0], 0);
}

static void
order_events (Alternatives *a, guint order, guint left, guint placed)
{
  if (!left)
    {
      choose_orders (a, order + 1);
      return;
    }
  Grid before = a->orders[order];
  for (guint e = 0; e < RSP_SHAPE_EVENTS; e++)
    if (left >> e & 1)
      {
        a->orders[order] = before | (grid_rows (placed) & (GRID_COLUMN << e));
        order_events (a, order, left & ~(1u << e), placed | 1u << e);
      }
  a->orders[order] = before;
}

/* FALSE when nothing is known: labels are open that the model must know. */
static gboolean
visit_alternatives (RspJudge *judge, const RspCandidate *candidate, Visit visit, gpointer data)
{
  if (judge->level != LEVEL_SHAPE && !judge->labelling.exact)
    return FALSE;
  if (judge->level == LEVEL_EXECUTION)
    {
      fill_execution (judge, candidate);
      if (!stage (judge))
        {
          judge->failed = TRUE;
          return FALSE;
        }
    }
  Alternatives a = { .judge = judge, .candidate = candidate, .visit = visit, .data = data };
  for (a.model = 0; a.model < judge->staging->n_models; a.model++)
    choose_orders (&a, 0);
  return TRUE;
}

/* ---- Verdicts ---- */

static RspAnswer
answer_and (RspAnswer a, RspAnswer b)
{
  if (a == RSP_ANSWER_NO || b == RSP_ANSWER_NO)
    return RSP_ANSWER_NO;
  return a == RSP_ANSWER_OPEN ? a : b;
}

static RspAnswer
answer_or (RspAnswer a, RspAnswer b)
{
  if (a == RSP_ANSWER_YES || b == RSP_ANSWER_YES)
    return RSP_ANSWER_YES;
  return a == RSP_ANSWER_OPEN ? a : b;
}

static RspAnswer
answer_of (Truth truth)
{
  return truth == TRUTH_HOLDS   ? RSP_ANSWER_YES
         : truth == TRUTH_FAILS ? RSP_ANSWER_NO
                                : RSP_ANSWER_OPEN;
}

static void
judge_alternative (RspJudge *judge, guint model, gpointer data)
{
  RspVerdict *verdict = data;
  const RspStagedModel *staged = judge->staging->models[model];
  Code *code = judge->codes[model];
  RspAnswer allowed = RSP_ANSWER_YES, undefined = RSP_ANSWER_NO;
  for (guint i = 0; i < staged->n_axioms && allowed != RSP_ANSWER_NO; i++)
    {
      RspAnswer holds = answer_of (code_axiom (code, i));
      RspcheckAxiomRole role = staged->axioms[i].role;
      if (role == RSPCHECK_ROLE_AXIOM)
        allowed = answer_and (allowed, holds);
      else if (role == RSPCHECK_ROLE_UNDEFINED_UNLESS)
        undefined
            = answer_or (undefined, holds == RSP_ANSWER_OPEN ? holds : RSP_ANSWER_YES - holds);
    }
  verdict->allowed = (guint8) answer_or (verdict->allowed, allowed);
  verdict->undefined = (guint8) answer_or (verdict->undefined, answer_and (allowed, undefined));
  judge->failed |= code_diverged (code);
}

RspVerdict
rsp_judge_candidate (RspJudge *judge, const RspCandidate *candidate)
{
  RspVerdict verdict = { RSP_ANSWER_NO, RSP_ANSWER_NO };
  if (!visit_alternatives (judge, candidate, judge_alternative, &verdict))
    verdict.allowed = verdict.undefined = RSP_ANSWER_OPEN;
  return verdict;
}

/* ---- Blame ---- */

static guint
name_index (RspJudge *judge, const RspStagedAxiom *axiom)
{
  g_autofree char *name = rsp_axiom_label (axiom);
  for (guint i = 0; i < judge->n_names; i++)
    if (g_str_equal (judge->names[i], name))
      return i;
  if (judge->n_names == MAX_NAMES)
    return MAX_NAMES;
  judge->names[judge->n_names] = rsp_arena_strdup (judge->arena, name);
  return judge->n_names++;
}

static void
blame_alternative (RspJudge *judge, guint model, gpointer data)
{
  const RspStagedModel *staged = judge->staging->models[model];
  guint64 failed = 0;
  for (guint i = 0; i < staged->n_axioms; i++)
    if (code_axiom (judge->codes[model], i) == TRUTH_FAILS
        && staged->axioms[i].role == RSPCHECK_ROLE_AXIOM)
      failed |= G_GUINT64_CONSTANT (1) << name_index (judge, &staged->axioms[i]);
  g_array_append_val (data, failed);
}

void
rsp_judge_blame (RspJudge *judge, const RspCandidate *candidate, GArray *failed)
{
  visit_alternatives (judge, candidate, blame_alternative, failed);
}

const char *
rsp_judge_axiom_name (const RspJudge *judge, guint index)
{
  return index < judge->n_names ? judge->names[index] : NULL;
}

gboolean
rsp_judge_key (const RspJudge *judge, GArray *key)
{
  if (judge->level != LEVEL_SHAPE)
    return FALSE;
  for (guint i = 0; i < judge->staging->n_models; i++)
    code_key (judge->codes[i], key);
  return TRUE;
}

/* ---- Comparing ---- */

static gboolean
same_hashes (const GArray *a, const GArray *b)
{
  return a->len == b->len && memcmp (a->data, b->data, a->len * sizeof (CodeHash)) == 0;
}

gboolean
rsp_judge_agrees (const RspJudge *a, const RspJudge *b)
{
  GArray *hashes[4];
  if (a->level != LEVEL_SHAPE || b->level != LEVEL_SHAPE || a->staging->n_models != 1
      || b->staging->n_models != 1)
    return FALSE;
  for (guint i = 0; i < 4; i++)
    hashes[i] = g_array_new (FALSE, FALSE, sizeof (CodeHash));
  code_hash_axioms (a->codes[0], hashes[0], hashes[1]);
  code_hash_axioms (b->codes[0], hashes[2], hashes[3]);
  gboolean same = same_hashes (hashes[0], hashes[2]) && same_hashes (hashes[1], hashes[3]);
  for (guint i = 0; i < 4; i++)
    g_array_unref (hashes[i]);
  return same;
}
