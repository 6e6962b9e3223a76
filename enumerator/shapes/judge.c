#include "enumerator/shapes/judge.h"
#include "enumerator/shapes/code/code_hash.h"
#include "enumerator/shapes/part.h"
#include "enumerator/shapes/judge_pool.h"

#include "enumerator/search/bounded/report/prunings.h"

enum { MAX_NAMES = 63 };

struct RspJudge {
  RspShape shape;
  RspArena *arena;
  RspJudgePool *pool;
  Part **parts; /* per combination of the shape */
  guint n_parts;
  const char *names[MAX_NAMES];
  guint n_names;
};

RspJudge *rsp_judge_new (RspJudgePool *pool, const RspModel *model, const RspShape *shape,
                         const RspStageOptions *options, RspDiagnostics *diagnostics) {
  if (shape->n_locations + shape->n_events > RSP_SHAPE_EVENTS)
    return NULL;
  g_autoptr (GArray) combinations = shape_combinations_new (shape);
  RspJudge *judge = g_new0 (RspJudge, 1);
  judge->shape = *shape;
  judge->arena = rsp_arena_new ();
  judge->n_parts = combinations->len;
  judge->pool = pool;
  judge->parts = g_new0 (Part *, combinations->len);
  for (guint i = 0; i < judge->n_parts; i++)
    judge->parts[i] = judge_pool_take (
        pool, model, &g_array_index (combinations, RspShapeCombination, i), options, diagnostics);
  if (!rsp_judge_failed (judge))
    return judge;
  rsp_judge_free (judge);
  return NULL;
}

void rsp_judge_free (RspJudge *judge) {
  if (!judge)
    return;
  for (guint i = 0; i < judge->n_parts; i++)
    judge_pool_put (judge->pool, judge->parts[i]);
  g_free (judge->parts);
  rsp_arena_free (judge->arena);
  g_free (judge);
}

gboolean rsp_judge_failed (const RspJudge *judge) {
  for (guint i = 0; i < judge->n_parts; i++)
    if (judge->parts[i]->failed)
      return TRUE;
  return FALSE;
}

void rsp_judge_set_labels (RspJudge *judge, const RspLabelling *labelling) {
  for (guint i = 0; i < judge->n_parts; i++)
    part_set_labels (judge->parts[i], &judge->shape, labelling);
}

/* ---- Verdicts ---- */

static void judge_alternative (Part *part, guint model, gpointer data) {
  RspVerdict *verdict = data;
  const RspStagedModel *staged = part->staging->models[model];
  Code *code = part->codes[model];
  RspTruth allowed = RSP_HOLDS, undefined = RSP_FAILS;
  for (guint i = 0; i < staged->n_axioms && allowed != RSP_FAILS; i++) {
    RspTruth holds = code_axiom (code, i);
    RspcheckAxiomRole role = staged->axioms[i].role;
    if (role == RSPCHECK_ROLE_AXIOM)
      allowed = rsp_truth_and (allowed, holds);
    else if (role == RSPCHECK_ROLE_UNDEFINED_UNLESS)
      undefined = rsp_truth_or (undefined, rsp_truth_not (holds));
  }
  verdict->allowed = (guint8) rsp_truth_or (verdict->allowed, allowed);
  verdict->undefined
      = (guint8) rsp_truth_or (verdict->undefined, rsp_truth_and (allowed, undefined));
  part->failed |= code_diverged (code);
}

RspVerdict rsp_judge_candidate (RspJudge *judge, const RspCandidate *candidate) {
  RspVerdict verdict = { RSP_FAILS, RSP_FAILS };
  if (!part_visit (judge->parts[candidate->combination], candidate, judge_alternative, &verdict))
    verdict.allowed = verdict.undefined = RSP_OPEN;
  return verdict;
}

/* ---- Blame ---- */

static guint name_index (RspJudge *judge, const RspStagedAxiom *check) {
  g_autofree char *name = rsp_axiom_label (check);
  for (guint i = 0; i < judge->n_names; i++)
    if (g_str_equal (judge->names[i], name))
      return i;
  if (judge->n_names == MAX_NAMES)
    return MAX_NAMES;
  judge->names[judge->n_names] = rsp_arena_strdup (judge->arena, name);
  return judge->n_names++;
}

typedef struct Blaming {
  RspJudge *judge;
  GArray *failed;
} Blaming;

static void blame_alternative (Part *part, guint model, gpointer data) {
  Blaming *blaming = data;
  const RspStagedModel *staged = part->staging->models[model];
  guint64 failed = 0;
  for (guint i = 0; i < staged->n_axioms; i++) {
    const RspStagedAxiom *axiom = &staged->axioms[i];
    if (code_axiom (part->codes[model], i) != RSP_FAILS || axiom->role != RSPCHECK_ROLE_AXIOM)
      continue;
    if (!axiom->id && axiom->name)
      return; /* it says what may be chosen */
    failed |= G_GUINT64_CONSTANT (1) << name_index (blaming->judge, axiom);
  }
  g_array_append_val (blaming->failed, failed);
}

void rsp_judge_blame (RspJudge *judge, const RspCandidate *candidate, GArray *failed) {
  Blaming blaming = { judge, failed };
  part_visit (judge->parts[candidate->combination], candidate, blame_alternative, &blaming);
}

const char *rsp_judge_axiom_name (const RspJudge *judge, guint index) {
  return index < judge->n_names ? judge->names[index] : NULL;
}

/* ---- Comparing ---- */

static gboolean parts_agree (const Part *a, const Part *b) {
  if (a->level != LEVEL_SHAPE || b->level != LEVEL_SHAPE || !a->staging || !b->staging
      || a->staging->n_models != 1 || b->staging->n_models != 1)
    return FALSE;
  RspHash x = code_hash_axioms (a->codes[0]), y = code_hash_axioms (b->codes[0]);
  return rsp_hash_equal (&x, &y);
}

gboolean rsp_judge_agrees (const RspJudge *a, const RspJudge *b) {
  for (guint i = 0; i < a->n_parts; i++)
    if (!parts_agree (a->parts[i], b->parts[i]))
      return FALSE;
  return TRUE;
}
