/* match and conditions: the constructs that inspect values. */
#include "model/stage/match.h"
#include "model/condition.h"
#include "model/stage/env.h"
#include "model/stage/expr.h"
#include "model/stage/choices/orders.h"
#include "model/stage/set.h"
#include "model/stage/value.h"

#include <string.h>

/* ---- match ---- */

static void bind_part (Stage *stage, const StageEnv **env, const char *name,
                       const StageValue *value) {
  if (name) /* NULL is `_` */
    *env = stage_bind (stage, *env, name, value);
}

/* x ++ xs and xs U {x} U ys: does the clause fit a set, and with which parts? */
static gboolean try_parts (Stage *stage, RspSpan span, const StageValue *value,
                           const RspCatClause *clause, const StageEnv **env, gboolean *fits) {
  const StageValue *part[3] = { NULL };
  gboolean cons = clause->kind == RSP_CAT_CLAUSE_CONS;
  if (cons ? !stage_split_first (stage, value, span, fits, &part[0], &part[1])
           : !stage_split_middle (stage, value, span, fits, &part[0], &part[1], &part[2]))
    return FALSE;
  for (guint i = 0; *fits && i < (cons ? 2 : 3); i++)
    bind_part (stage, env, clause->names[i], part[i]);
  return TRUE;
}

static gboolean try_empty (Stage *stage, RspSpan span, const StageValue *value, gboolean *fits) {
  const StageValue *first, *rest;
  gboolean any;
  if (!stage_split_first (stage, value, span, &any, &first, &rest))
    return FALSE;
  *fits = !any;
  return TRUE;
}

static gboolean try_clause (Stage *stage, RspSpan span, const StageValue *value,
                            const RspCatClause *clause, const StageEnv **env, gboolean *fits) {
  gboolean is_tag = value->kind == STAGE_TAG;
  switch (clause->kind) {
  case RSP_CAT_CLAUSE_ANY:
    *fits = TRUE;
    return TRUE;
  case RSP_CAT_CLAUSE_TAG:
    *fits = is_tag && strcmp (value->u.tag, clause->names[0]) == 0;
    return TRUE;
  case RSP_CAT_CLAUSE_EMPTY:
    *fits = FALSE;
    return is_tag || try_empty (stage, span, value, fits);
  default:
    *fits = FALSE;
    return is_tag || try_parts (stage, span, value, clause, env, fits);
  }
}

const RspCatClause *stage_choose_clause (Stage *stage, RspSpan span, const StageValue *value,
                                         const RspCatClause *clauses, const StageEnv **env) {
  for (const RspCatClause *clause = clauses; clause; clause = clause->next) {
    gboolean fits;
    if (!try_clause (stage, span, value, clause, env, &fits))
      return NULL;
    if (fits)
      return clause;
  }
  if (value->kind == STAGE_TAG)
    return (const RspCatClause *) stage_fail (stage, span, "no clause for the tag '%s",
                                              value->u.tag);
  return (const RspCatClause *) stage_fail (stage, span, "no clause for %s",
                                            stage_describe (stage, value));
}

/* ---- Conditions ---- */

/* A condition that is being evaluated. */
typedef struct Evaluated {
  Stage *stage;
  const StageEnv *env;
} Evaluated;

/* Open if that is not known, or after an error. */
static RspTruth compare (const RspCatCondition *condition, gpointer data) {
  Stage *stage = ((const Evaluated *) data)->stage;
  const StageEnv *env = ((const Evaluated *) data)->env;
  const StageValue *a = stage->status == STAGE_OK ? stage_eval (stage, condition->a, env) : NULL;
  const StageValue *b = a ? stage_eval (stage, condition->b, env) : NULL;
  if (!b)
    return RSP_OPEN;
  RspTruth answer;
  if (condition->kind == RSP_CAT_COND_SUBSET)
    answer = stage_subset (stage, a, b, condition->span);
  else if (condition->kind == RSP_CAT_COND_IN)
    answer = stage_contains (stage, b, a, condition->span);
  else {
    a = stage_spell_out (stage, condition->span, a);
    b = a ? stage_spell_out (stage, condition->span, b) : NULL;
    answer = b ? stage_equal (stage, a, b) : RSP_OPEN;
  }
  if (answer == RSP_OPEN && stage->status == STAGE_OK)
    stage_postpone (stage, condition->span);
  if (stage->status != STAGE_OK)
    return RSP_OPEN;
  return rsp_truth ((answer == RSP_HOLDS) != (condition->kind == RSP_CAT_COND_NEQUAL));
}

gboolean stage_condition (Stage *stage, const RspCatCondition *condition, const StageEnv *env,
                          gboolean *truth) {
  *truth
      = model_condition (stage->model, condition, compare, &(Evaluated){ stage, env }) == RSP_HOLDS;
  return stage->status == STAGE_OK;
}
