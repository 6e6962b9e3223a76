#include "explain/candidates/show.h"

#include "explain/scene.h"

typedef struct Showing {
  Explaining *explaining;
  RspcheckShow show;
  guint most;
  GPtrArray *views;
} Showing;

static gboolean show_execution (gpointer data, const RspExecution *execution) {
  Showing *showing = data;
  Scene scene;
  if (showing->show == RSPCHECK_SHOW_FLAG && !execution->raised[0])
    return TRUE;
  const RspExecution *own = rsp_execution_copy (execution, showing->explaining->scratch);
  if (!scene_open (&scene, showing->explaining, own))
    return FALSE;
  g_ptr_array_add (showing->views, (gpointer) scene_close (&scene, showing->explaining));
  return showing->views->len < showing->most;
}

static gboolean is_negated (RspcheckShow show, RspQuantifier quantifier) {
  return show == RSPCHECK_SHOW_NEG || (show == RSPCHECK_SHOW_WIT && quantifier == RSP_FORALL)
         || (show == RSPCHECK_SHOW_COND && quantifier == RSP_NOT_EXISTS);
}

void rsp_show (const RspProgram *program, const RspModel *model, const RspCheckOptions *options,
               RspcheckShow show, guint most, RspArena *arena, GPtrArray *views,
               RspDiagnostics *diagnostics) {
  if (show == RSPCHECK_SHOW_NONE || most == 0)
    return;
  Explaining explaining = explaining_open (rsp_query_new (program, model, options), model, options,
                                           arena, diagnostics);
  Showing showing = { .explaining = &explaining, .show = show, .most = most, .views = views };
  RspProp negation = { .kind = RSP_PROP_NOT, .a = program->condition };
  RspQuestion question
      = { .outcome = is_negated (show, program->quantifier) ? &negation : program->condition };
  if (show == RSPCHECK_SHOW_ALL || show == RSPCHECK_SHOW_FLAG)
    question.outcome = NULL;
  rsp_query_each (explaining.query, &question, show_execution, &showing);
  explaining_close (&explaining);
}
