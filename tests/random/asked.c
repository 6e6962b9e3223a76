#include "tests/random/asked.h"
#include "enumerator/query/query.h"
#include "enumerator/values/values.h"
#include "explain/explain.h"
#include "model/model.h"

#include <stdio.h>
#include <string.h>

enum {
  MAX_STEPS = 1 << 20 /* so that the solver may give up */
};

typedef struct Asking {
  RspQuery *listed, *asked;
  RspArena *arena;
} Asking;

static gboolean agrees (const Asking *asking, RspQuestion question, const char *what,
                        const char *name) {
  gboolean given_up;
  const RspExecution *expected = rsp_query_find (asking->listed, &question, asking->arena, NULL);
  question.max_steps = MAX_STEPS;
  const RspExecution *found = rsp_query_find (asking->asked, &question, asking->arena, &given_up);
  gboolean has_outcome
      = !found || !question.outcome
        || rsp_state_truth (found->pre->program, question.outcome, found->state) != RSP_FAILS;
  if (given_up || (!expected == !found && has_outcome))
    return TRUE;
  printf ("DISAGREE: an execution %s %s: listed %s, asked %s\n", what, name,
          expected ? "yes" : "no",
          !found        ? "no"
          : has_outcome ? "yes"
                        : "has another outcome");
  return FALSE;
}

static gboolean axiom_agrees (const Asking *asking, const RspProp *outcome, const char *id) {
  const char *const names[] = { id, NULL };
  RspQuestion without = { .outcome = outcome, .dropped = names },
              alone = { .outcome = outcome, .required = names, .any_others = TRUE },
              failing = { .outcome = outcome, .failing = names };
  gboolean agree = agrees (asking, without, "without", id);
  agree &= agrees (asking, alone, "with only", id);
  return agrees (asking, failing, "that fails", id) && agree;
}

/* ---- Explanations ---- */

/* The answer, and the sets of axioms if they are all; NULL: not known. */
static char *explained (const RspProgram *program, const RspModel *model,
                        const RspCheckOptions *options, RspDiagnostics *diagnostics) {
  g_autoptr (RspExplanations) all = rsp_explanations_new ();
  rsp_explain (all, program, model, options, NULL, diagnostics);
  const RspExplanation *first = &all->outcomes[0];
  GString *text = g_string_new (rsp_answer_name (first->answer));
  for (guint i = 0; i < first->n_blames; i++) {
    g_autofree char *axioms = g_strjoinv (" ", (char **) first->blames[i].axioms);
    g_string_append_printf (text, ", without %s", axioms);
  }
  return g_string_free (text, first->more_blames || first->answer == RSPCHECK_ANSWER_UNKNOWN);
}

static gboolean explanation_agrees (const RspProgram *program, const RspModel *model,
                                    RspCheckOptions options) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autofree char *asked = explained (program, model, &options, diagnostics);
  options.engine = RSPCHECK_ENGINE_BOUNDED;
  g_autofree char *listed = explained (program, model, &options, diagnostics);
  if (!asked || !listed || strcmp (asked, listed) == 0)
    return TRUE;
  printf ("DISAGREE: listed: %s; asked: %s\n", listed, asked);
  return FALSE;
}

/* ---- The whole ---- */

gboolean asked_agrees (const RspProgram *program, const RspModel *model, RspCheckOptions options,
                       const RspOutcome *outcome) {
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  options.engine = RSPCHECK_ENGINE_SAT;
  options.asks_only = TRUE;
  g_autoptr (RspQuery) listed = rsp_query_new (program, model, &options),
                       asked = rsp_query_new_consulting (program, model, &options);
  gboolean agree = explanation_agrees (program, model, options);
  Asking asking = { listed, asked, rsp_arena_new () };
  agree &= agrees (&asking, (RspQuestion){ .outcome = program->condition }, "that is", "allowed");
  agree &= agrees (&asking, (RspQuestion){ .outcome = program->condition, .any_others = TRUE },
                   "that is", "possible");
  rsp_model_collect_plain_axioms (model, ids);
  for (guint i = 0; i < ids->len; i++)
    agree &= axiom_agrees (&asking, program->condition, ids->pdata[i]);
  for (guint i = 0; i < outcome->n_flags; i++)
    agree &= agrees (&asking, (RspQuestion){ .raised = outcome->flags[i].name }, "that raises",
                     outcome->flags[i].name);
  rsp_arena_free (asking.arena);
  return agree;
}
