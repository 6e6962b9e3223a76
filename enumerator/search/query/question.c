#include "enumerator/search/query/question.h"

#include "model/stage/stage.h"

#include <string.h>

/* ---- What the question demands of an axiom ---- */

static gboolean lists (const char *const *names, const char *id) {
  return names && g_strv_contains (names, id);
}

gboolean axiom_goes_through (const RspStagedAxiom *axiom, RspcheckThrough through) {
  return axiom->id
         && (through == RSPCHECK_THROUGH_ALL
             || (through == RSPCHECK_THROUGH_INVALID && axiom->name));
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

/* A flag is raised if its axiom fails (undefined_unless) or holds (flag). */
static gboolean is_broken (const RspStagedAxiom *axiom, gboolean holds) {
  return holds == (axiom->role == RSPCHECK_ROLE_FLAG);
}

static guint count_axioms (const RspStagedModel *model, const char *id) {
  guint n = 0;
  for (guint i = 0; i < model->n_axioms; i++)
    n += model->axioms[i].id && strcmp (model->axioms[i].id, id) == 0;
  return n;
}

gboolean question_may_be_answered (const RspQuestion *question, const RspStagedModel *model) {
  for (guint i = 0; question->failing && question->failing[i]; i++)
    if (count_axioms (model, question->failing[i]) == 0)
      return FALSE;
  return !question->raised || count_axioms (model, question->raised) > 0;
}

GArray *question_axioms (const RspQuestion *question, RspcheckThrough through,
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

/* ---- The model's verdict on an execution ---- */

RspValuation *question_valuation (const RspStagedModel *model) {
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

/* Fills failed and raised (of const char *). FALSE if a choice is not one that the model makes. */
static gboolean collect_broken (const RspStagedModel *model, const RspValuation *valuation,
                                GPtrArray *failed, GPtrArray *raised) {
  for (guint i = 0; i < model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &model->axioms[i];
    gboolean holds = rsp_axiom_holds (axiom, rsp_valuation_get (valuation, axiom->node));
    if (is_flag (axiom) && is_broken (axiom, holds))
      add_once (raised, axiom->id);
    else if (axiom->role == RSPCHECK_ROLE_AXIOM && !holds) {
      if (!axiom->id)
        return FALSE;
      add_once (failed, axiom->id);
    }
  }
  g_ptr_array_add (failed, NULL);
  g_ptr_array_add (raised, NULL);
  return TRUE;
}

static guint64 count_derived (const RspStagedModel *model, const RspValuation *valuation) {
  guint64 n = 0;
  for (guint i = 0; i < model->n_names; i++)
    n += rsp_matrix_count (rsp_valuation_get (valuation, model->names[i].node));
  return n;
}

gboolean judge_execution (const RspStagedModel *model, RspValuation *valuation,
                          RspExecution *execution) {
  g_autoptr (GPtrArray) failed = g_ptr_array_new (), raised = g_ptr_array_new ();
  if (!rsp_valuation_evaluate (valuation, execution->rf, execution->co, execution->orders)
      || !collect_broken (model, valuation, failed, raised))
    return FALSE;
  execution->failed = (const char **) g_ptr_array_steal (failed, NULL);
  execution->raised = (const char **) g_ptr_array_steal (raised, NULL);
  execution->n_derived = count_derived (model, valuation);
  return TRUE;
}

void judgement_clear (RspExecution *execution) {
  g_free (execution->failed);
  g_free (execution->raised);
}

/* ---- Whether an execution answers ---- */

gboolean question_is_answered (const RspQuestion *question, RspcheckThrough through,
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
