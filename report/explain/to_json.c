#include "report/explain/to_json.h"
#include "base/json.h"
#include "model/axiom_kind.h"

/* The execution whose events the steps refer to. */
typedef const RspExecutionView View;

/* ---- Steps ---- */

static JsonArray *steps_array (View *view, const RspStep *const *steps, guint n);

static JsonObject *step_object (View *view, const RspStep *step) {
  JsonObject *object = json_object_new ();
  rsp_json_set_text (object, "from", view->events[step->from].id);
  rsp_json_set_text (object, "to", view->events[step->to].id);
  rsp_json_set_text (object, step->absent ? "not" : "relation", step->relation);
  if (!step->absent)
    rsp_json_set_text (object, "as", rsp_trace_op_name (step->as));
  if (step->absent || step->n_steps)
    json_object_set_array_member (object, step->absent ? "why" : "steps",
                                  steps_array (view, step->steps, step->n_steps));
  return object;
}

static JsonArray *steps_array (View *view, const RspStep *const *steps, guint n) {
  JsonArray *array = json_array_new ();
  for (guint i = 0; i < n; i++)
    json_array_add_object_element (array, step_object (view, steps[i]));
  return array;
}

/* ---- Executions ---- */

static JsonObject *event_object (View *view, const RspViewEvent *event) {
  JsonObject *object = json_object_new ();
  rsp_json_set_text (object, "id", event->id);
  if (event->thread == RSP_VIEW_INITIAL)
    json_object_set_null_member (object, "thread");
  else
    json_object_set_int_member (object, "thread", view->threads[event->thread].number);
  json_object_set_int_member (object, "line", event->line);
  json_object_set_int_member (object, "column", event->column);
  rsp_json_set_text (object, "text", event->text);
  rsp_json_set_text (object, "source", event->source);
  json_object_set_member (object, "sets", rsp_json_strv ((const char *const *) event->sets));
  rsp_json_set_text (object, "location", event->location);
  rsp_json_set_text (object, "read", event->read);
  rsp_json_set_text (object, "written", event->written);
  return object;
}

static JsonArray *pairs_array (View *view, const RspMatrix *pairs) {
  JsonArray *array = json_array_new ();
  for (guint a = 0; a < view->n; a++)
    for (all_bits (b, rsp_matrix_row (pairs, a), pairs->words)) {
      JsonArray *pair = json_array_sized_new (2);
      json_array_add_string_element (pair, view->events[a].id);
      json_array_add_string_element (pair, view->events[b].id);
      json_array_add_array_element (array, pair);
    }
  return array;
}

/* All base relations, and those defined by the model that the explanation mentions. */
static JsonObject *relations_object (View *view, RspViewKind kind) {
  JsonObject *object = json_object_new ();
  for (guint i = 0; i < view->n_relations; i++) {
    const RspViewRelation *relation = &view->relations[i];
    if (relation->kind == kind && (kind == RSP_VIEW_BASE || relation->mentioned))
      json_object_set_array_member (object, relation->name, pairs_array (view, relation->pairs));
  }
  return object;
}

static JsonObject *execution_object (View *view) {
  JsonObject *object = json_object_new (), *state = json_object_new ();
  JsonArray *events = json_array_new ();
  for (guint e = 0; e < view->n; e++)
    json_array_add_object_element (events, event_object (view, &view->events[e]));
  for (const char **at = view->state; *at; at += 2)
    rsp_json_set_text (state, at[0], at[1]);
  json_object_set_array_member (object, "events", events);
  json_object_set_object_member (object, "base", relations_object (view, RSP_VIEW_BASE));
  json_object_set_object_member (object, "derived", relations_object (view, RSP_VIEW_DEFINED));
  json_object_set_object_member (object, "state", state);
  json_object_set_member (object, "failed", rsp_json_strv ((const char *const *) view->failed));
  json_object_set_member (object, "raised", rsp_json_strv ((const char *const *) view->raised));
  return object;
}

/* ---- Explanations ---- */

static JsonObject *violation_object (View *view, const RspViolation *violation) {
  JsonObject *object = json_object_new ();
  rsp_json_set_text (object, "check", violation->axiom);
  rsp_json_set_text (object, "test", rsp_axiom_form (violation->kind)->word);
  json_object_set_boolean_member (object, "negated", violation->negated);
  rsp_json_set_text (object, "file", violation->file);
  json_object_set_int_member (object, "line", violation->line);
  rsp_json_set_text (object, "relation", violation->relation);
  json_object_set_array_member (object, "steps",
                                steps_array (view, violation->steps, violation->n_steps));
  return object;
}

static JsonObject *blame_object (const RspBlame *blame) {
  JsonObject *object = json_object_new ();
  JsonArray *violations = json_array_new ();
  g_autofree char *candidates = g_strdup_printf ("%" G_GUINT64_FORMAT, blame->candidates);
  for (guint i = 0; i < blame->n_violations; i++)
    json_array_add_object_element (violations,
                                   violation_object (blame->execution, &blame->violations[i]));
  json_object_set_member (object, "checks", rsp_json_strv ((const char *const *) blame->axioms));
  rsp_json_set_text (object, "candidates",
                     blame->candidates == RSP_MANY_CANDIDATES ? NULL : candidates);
  json_object_set_object_member (object, "execution", execution_object (blame->execution));
  json_object_set_array_member (object, "violations", violations);
  return object;
}

static JsonObject *flag_object (const RspFlagReason *reason) {
  View *view = reason->execution;
  JsonObject *object = json_object_new ();
  JsonArray *events = json_array_new ();
  if (reason->from != G_MAXUINT)
    json_array_add_string_element (events, view->events[reason->from].id);
  if (reason->from != G_MAXUINT && reason->to != reason->from)
    json_array_add_string_element (events, view->events[reason->to].id);
  rsp_json_set_text (object, "flag", reason->flag);
  json_object_set_boolean_member (object, "undefined", reason->undefined);
  json_object_set_array_member (object, "events", events);
  json_object_set_object_member (object, "execution", execution_object (view));
  json_object_set_array_member (object, "steps",
                                steps_array (view, reason->steps, reason->n_steps));
  json_object_set_array_member (object, "absent",
                                steps_array (view, reason->absent, reason->n_absent));
  return object;
}

static JsonObject *explanation_object (const RspExplanation *explanation, JsonArray *flags) {
  JsonObject *object = json_object_new ();
  JsonArray *blames = json_array_new ();
  for (guint i = 0; i < explanation->n_blames; i++)
    json_array_add_object_element (blames, blame_object (&explanation->blames[i]));
  rsp_json_set_text (object, "question", explanation->question);
  rsp_json_set_text (object, "answer", rsp_answer_name (explanation->answer));
  json_object_set_member (object, "reasons",
                          rsp_json_strv ((const char *const *) explanation->reasons));
  if (explanation->witness)
    json_object_set_object_member (object, "witness", execution_object (explanation->witness));
  else
    json_object_set_null_member (object, "witness");
  json_object_set_array_member (
      object, "steps",
      steps_array (explanation->witness, explanation->steps, explanation->n_steps));
  json_object_set_array_member (object, "blame", blames);
  json_object_set_boolean_member (object, "more", explanation->more_blames);
  json_object_set_array_member (object, "flags", flags);
  return object;
}

JsonNode *rsp_explanations_to_json (const RspExplanations *explanations) {
  JsonArray *all = json_array_new ();
  for (guint i = 0; i < explanations->n_outcomes; i++) {
    JsonArray *flags = json_array_new ();
    for (guint k = 0; i == 0 && k < explanations->n_flags; k++)
      json_array_add_object_element (flags, flag_object (&explanations->flags[k]));
    json_array_add_object_element (all, explanation_object (&explanations->outcomes[i], flags));
  }
  return rsp_json_list (all);
}
