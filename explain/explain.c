#include "explain/explain.h"
#include "enumerator/values/final_state.h"
#include "parser/format.h"

#include "explain/blame.h"
#include "explain/flags.h"
#include "explain/orders.h"
#include "explain/unreachable.h"

enum {
  MAX_WITNESSES = 200, /* allowed executions from which the one to show is chosen */
  MAX_CANDIDATES = 400 /* candidates that are examined one by one */
};

/* ---- Allowed ---- */

/* found: the first execution, which is shown if the survey gives up earlier. */
static void view_witness (Explaining *explaining, const RspProp *outcome, const RspExecution *found,
                          RspExplanation *explanation) {
  RspQuestion question = { .outcome = outcome };
  Survey *survey = survey_new (explaining, &question, MAX_WITNESSES);
  if (survey->groups->len)
    found = ((const SurveyGroup *) survey->groups->pdata[0])->least;
  g_autoptr (GPtrArray) steps = g_ptr_array_new ();
  Scene scene;
  if (scene_open (&scene, explaining, found)) {
    orders_derive (&scene, steps);
    explanation->witness = scene_close (&scene, explaining);
  }
  explanation->steps
      = rsp_arena_copy (explaining->arena, steps->pdata, steps->len * sizeof (gpointer));
  explanation->n_steps = steps->len;
  survey_free (survey);
}

/* ---- Forbidden ---- */

static const RspTracedAxiom *failing_axiom (const RspTrace *trace, const char *id) {
  for (guint i = 0; i < trace->n_axioms; i++)
    if (trace->axioms[i].role == RSPCHECK_ROLE_AXIOM && !trace->axioms[i].holds
        && g_str_equal (trace->axioms[i].id, id))
      return &trace->axioms[i];
  return NULL;
}

static const char **copy_names (RspArena *arena, const char *const *names, guint n) {
  const char **own = rsp_arena_new0 (arena, const char *, n + 1);
  for (guint i = 0; i < n; i++)
    own[i] = rsp_arena_strdup (arena, names[i]);
  return own;
}

static gboolean explain_blame (Explaining *explaining, const BlameSet *set, RspBlame *blame) {
  Scene scene;
  if (!scene_open (&scene, explaining, set->execution))
    return FALSE;
  RspViolation *violations = rsp_arena_new0 (explaining->arena, RspViolation, set->n);
  for (guint i = 0; i < set->n; i++) {
    const RspTracedAxiom *axiom = failing_axiom (scene.trace, set->axioms[i]);
    if (axiom)
      violations[blame->n_violations++] = scene_violation (&scene, explaining, axiom);
  }
  blame->axioms = copy_names (explaining->arena, (const char *const *) set->axioms, set->n);
  blame->candidates = set->candidates;
  blame->violations = violations;
  blame->execution = scene_close (&scene, explaining);
  return TRUE;
}

static void explain_blames (Explaining *explaining, const RspProp *outcome, const Survey *survey,
                            RspExplanation *explanation) {
  g_autoptr (GPtrArray) sets = blame_find (explaining, outcome, survey, &explanation->more_blames);
  RspBlame *blames = rsp_arena_new0 (explaining->arena, RspBlame, sets->len);
  for (guint i = 0; i < sets->len; i++)
    if (explain_blame (explaining, sets->pdata[i], &blames[explanation->n_blames]))
      explanation->n_blames++;
    else
      explanation->more_blames = TRUE;
  explanation->blames = blames;
}

/* ---- Outcomes ---- */

static const char *stop_reason (RspcheckStop stop) {
  switch (stop) {
  case RSPCHECK_STOP_TIMEOUT:
    return "the time ran out";
  case RSPCHECK_STOP_MEMORY:
    return "the memory ran out";
  case RSPCHECK_STOP_COMPLETE:
  case RSPCHECK_STOP_FOUND:
  case RSPCHECK_STOP_EXECUTIONS:
  case RSPCHECK_STOP_ERROR:
    break;
  }
  return "the model failed on this test";
}

static void explain_unknown (Explaining *explaining, RspExplanation *explanation) {
  const char **reasons = rsp_arena_new0 (explaining->arena, const char *, 2);
  reasons[0] = stop_reason (rsp_query_stop (explaining->query));
  explanation->answer = RSPCHECK_ANSWER_UNKNOWN;
  explanation->reasons = reasons;
}

static void explain_not_allowed (Explaining *explaining, const RspProp *outcome,
                                 RspExplanation *explanation) {
  RspQuestion question = { .outcome = outcome, .any_others = TRUE };
  Survey *survey = survey_new (explaining, &question, MAX_CANDIDATES);
  gboolean any = survey->groups->len
                 || (!survey->complete
                     && rsp_query_find (explaining->query, &question, explaining->scratch, NULL));
  explanation->answer = any ? RSPCHECK_ANSWER_FORBIDDEN : RSPCHECK_ANSWER_UNREACHABLE;
  if (any)
    explain_blames (explaining, outcome, survey, explanation);
  else if (rsp_query_stop (explaining->query) == RSPCHECK_STOP_COMPLETE)
    explanation->reasons = unreachable_reasons (explaining, outcome);
  survey_free (survey);
}

/* never: has a check shown that no execution has the outcome? */
static RspExplanation explain_outcome (Explaining *explaining, const RspProp *outcome,
                                       gboolean never, const char *text) {
  static const char *const none[] = { NULL };
  RspExplanation explanation
      = { .question = rsp_arena_strdup (explaining->arena, text), .reasons = (const char **) none };
  RspQuestion question = { .outcome = outcome };
  const RspExecution *found
      = never ? NULL : rsp_query_find (explaining->query, &question, explaining->scratch, NULL);
  static const char *const depends[] = {
    "It depends on the values out of thin air whether it has: some of them give this outcome.", NULL
  };
  if (found
      && rsp_state_truth (rsp_query_program (explaining->query), outcome, found->state) == RSP_OPEN)
    explanation.reasons = (const char **) depends;
  if (found)
    view_witness (explaining, outcome, found, &explanation);
  else if (rsp_query_stop (explaining->query) == RSPCHECK_STOP_COMPLETE)
    explain_not_allowed (explaining, outcome, &explanation);
  if (rsp_query_stop (explaining->query) != RSPCHECK_STOP_COMPLETE)
    explain_unknown (explaining, &explanation);
  return explanation;
}

static void explain_prop (Explaining *explaining, const RspProp *outcome, gboolean never,
                          RspExplanations *all) {
  g_autoptr (GString) text = g_string_new (NULL);
  RspExplanation *more = rsp_arena_new0 (all->arena, RspExplanation, all->n_outcomes + 1);
  rsp_prop_format (outcome, text);
  for (guint i = 0; i < all->n_outcomes; i++)
    more[i] = all->outcomes[i];
  more[all->n_outcomes++] = explain_outcome (explaining, outcome, never, text->str);
  all->outcomes = more;
}

static void explain_condition (Explaining *explaining, const RspProgram *program,
                               const RspOutcome *checked, RspExplanations *all) {
  RspProp negation = { .kind = RSP_PROP_NOT, .a = program->condition };
  gboolean exact = checked && checked->stop == RSPCHECK_STOP_COMPLETE
                   && explaining->options->speedcheck == RSPCHECK_SPEED_EXACT;
  explain_prop (explaining, program->condition, exact && !rsp_outcome_may_hold (checked), all);
  if (program->quantifier == RSP_FORALL)
    explain_prop (explaining, &negation, exact && !rsp_outcome_may_fail (checked), all);
}

static void explain_flags (Explaining *explaining, const RspOutcome *checked,
                           RspExplanations *all) {
  RspFlagReason *more
      = rsp_arena_new0 (all->arena, RspFlagReason, all->n_flags + checked->n_flags + 1);
  for (guint i = 0; i < all->n_flags; i++)
    more[i] = all->flags[i];
  all->flags = more;
  for (guint i = 0; i < checked->n_flags; i++)
    if (checked->flags[i].raised && rsp_query_stop (explaining->query) == RSPCHECK_STOP_COMPLETE
        && flag_explain (explaining, checked->flags[i].name, &more[all->n_flags]))
      all->n_flags++;
}

void rsp_explain (RspExplanations *all, const RspProgram *program, const RspModel *model,
                  const RspCheckOptions *options, const RspOutcome *checked,
                  RspDiagnostics *diagnostics) {
  Explaining explaining = explaining_open (rsp_query_new_consulting (program, model, options),
                                           model, options, all->arena, diagnostics);
  explain_condition (&explaining, program, checked, all);
  if (checked)
    explain_flags (&explaining, checked, all);
  explaining_close (&explaining);
}

void rsp_explain_flags (RspExplanations *all, const RspProgram *program, const RspModel *model,
                        const RspCheckOptions *options, const RspOutcome *checked,
                        RspDiagnostics *diagnostics) {
  Explaining explaining = explaining_open (rsp_query_new_consulting (program, model, options),
                                           model, options, all->arena, diagnostics);
  explain_flags (&explaining, checked, all);
  explaining_close (&explaining);
}
