/* Explanations as text. */
#include "report/explain/text.h"
#include "model/axiom_kind.h"
#include "report/explain/columns.h"
#include "report/explain/steps.h"

static void put_names_of (const Writer *w, const char *const *names, const char *last) {
  for (guint i = 0; names[i]; i++) {
    g_string_append (w->out, i == 0 ? "" : names[i + 1] ? ", " : last);
    put_coloured (w, BOLD, names[i]);
  }
}

/* How a negated axiom fails: there is nothing to show. */
static const char *absence (const RspAxiomForm *form) {
  if (!form->reflexive)
    return "nothing is in it";
  return form->closed ? "there is no cycle" : "no event is related to itself";
}

static void put_violation (const Writer *w, const RspViolation *violation) {
  g_string_append (w->out, "  ");
  put_coloured (w, BOLD, violation->axiom);
  g_string_append_printf (w->out, " fails: %s%s %s (%s, line %u)", violation->negated ? "~" : "",
                          rsp_axiom_form (violation->kind)->word, violation->relation,
                          violation->file, violation->line);
  if (violation->negated)
    g_string_append_printf (w->out, ": %s", absence (rsp_axiom_form (violation->kind)));
  g_string_append_c (w->out, '\n');
  put_steps (w, violation->steps, violation->n_steps, 2);
}

static void put_blame (Writer *w, const RspBlame *blame) {
  w->view = blame->execution;
  g_string_append (w->out, "\n  ");
  if (blame->candidates == RSP_MANY_CANDIDATES)
    g_string_append (w->out, "One of many executions that fail only ");
  else if (blame->candidates == 1)
    g_string_append (w->out, "The one execution that fails only ");
  else
    g_string_append_printf (w->out, "One of %" G_GUINT64_FORMAT " executions that fail only ",
                            blame->candidates);
  put_names_of (w, (const char *const *) blame->axioms, " and ");
  g_string_append (w->out, ":\n");
  rsp_view_format (blame->execution, w->out);
  for (guint i = 0; i < blame->n_violations; i++)
    put_violation (w, &blame->violations[i]);
}

static void put_forbidden (Writer *w, const RspExplanation *explanation) {
  put_coloured (w, RED, "forbidden");
  if (!explanation->n_blames) {
    g_string_append (
        w->out, "; which axioms forbid it was not found in the steps that an explanation takes\n");
    return;
  }
  g_string_append (w->out, " by ");
  for (guint i = 0; i < explanation->n_blames; i++) {
    g_string_append (w->out, i ? "; also by " : "");
    put_names_of (w, (const char *const *) explanation->blames[i].axioms, " and ");
    const char *alone = explanation->blames[i].axioms[0] && !explanation->blames[i].axioms[1]
                            ? " alone"
                            : " together";
    g_string_append (w->out, alone);
  }
  g_string_append (w->out, explanation->more_blames ? "; there may be more\n" : "\n");
  for (guint i = 0; i < explanation->n_blames; i++)
    put_blame (w, &explanation->blames[i]);
}

static void put_reasons (const Writer *w, const RspExplanation *explanation) {
  g_string_append_c (w->out, '\n');
  for (guint i = 0; explanation->reasons[i]; i++)
    g_string_append_printf (w->out, "  %s\n", explanation->reasons[i]);
}

static void put_witness (Writer *w, const RspExplanation *explanation) {
  if (!explanation->witness)
    return;
  w->view = explanation->witness;
  rsp_view_format (explanation->witness, w->out);
  if (explanation->n_steps)
    g_string_append (w->out, "  What the model orders between its threads:\n");
  put_steps (w, explanation->steps, explanation->n_steps, 2);
}

static void put_explanation (Writer *w, const RspExplanation *explanation) {
  put_coloured (w, BOLD, "Explanation");
  g_string_append_printf (w->out, " %s: ", explanation->question);
  switch (explanation->answer) {
  case RSPCHECK_ANSWER_ALLOWED:
    put_coloured (w, GREEN, "allowed");
    if (*explanation->reasons)
      g_string_append_printf (w->out, "\n\n  An execution that may have this outcome. %s\n",
                              *explanation->reasons);
    else
      g_string_append (w->out, "\n\n  An execution with this outcome:\n");
    put_witness (w, explanation);
    break;
  case RSPCHECK_ANSWER_FORBIDDEN:
    put_forbidden (w, explanation);
    break;
  case RSPCHECK_ANSWER_UNREACHABLE:
  case RSPCHECK_ANSWER_UNKNOWN:
    put_coloured (w, RED, rsp_answer_name (explanation->answer));
    put_reasons (w, explanation);
  }
  g_string_append_c (w->out, '\n');
}

static void put_flag (Writer *w, const RspFlagReason *reason) {
  w->view = reason->execution;
  put_coloured (w, BOLD, "Flag");
  g_string_append_c (w->out, ' ');
  put_coloured (w, RED, reason->flag);
  if (reason->from != G_MAXUINT)
    g_string_append_printf (w->out, ": %s", event_id (w, reason->from));
  if (reason->from != G_MAXUINT && reason->to != reason->from)
    g_string_append_printf (w->out, " and %s", event_id (w, reason->to));
  g_string_append (w->out, "\n\n");
  rsp_view_format (reason->execution, w->out);
  put_steps (w, reason->steps, reason->n_steps, 1);
  put_steps (w, reason->absent, reason->n_absent, 1);
  g_string_append_c (w->out, '\n');
}

void rsp_explanations_format (const RspExplanations *explanations, gboolean colour, GString *out) {
  Writer w = { .colour = colour, .out = out };
  for (guint i = 0; i < explanations->n_outcomes; i++)
    put_explanation (&w, &explanations->outcomes[i]);
  for (guint i = 0; i < explanations->n_flags; i++)
    put_flag (&w, &explanations->flags[i]);
}

void rsp_violation_format (const RspExecutionView *view, const RspViolation *violation,
                           GString *out) {
  Writer w = { .view = view, .out = out };
  put_violation (&w, violation);
}
