#include "report/explain/candidates_json.h"
#include "base/json.h"
#include "report/explain/steps.h"
#include "report/explain/text.h"
#include "report/graph/dot.h"

typedef const RspExecutionView View;

/* ---- Reasons ---- */

/* ["rf", "a", "b", …]: the edges of the picture to which the steps reduce. */
static void add_edges (View *view, const RspStep *const *steps, guint n, JsonArray *edges) {
  for (guint i = 0; i < n; i++) {
    const char *edge = rsp_graph_edge (steps[i]);
    if (steps[i]->absent)
      continue;
    if (edge) {
      json_array_add_string_element (edges, edge);
      json_array_add_string_element (edges, view->events[steps[i]->from].id);
      json_array_add_string_element (edges, view->events[steps[i]->to].id);
    }
    add_edges (view, steps[i]->steps, steps[i]->n_steps, edges);
  }
}

static JsonObject *reason_object (const char *name, gboolean is_flag, const GString *text) {
  JsonObject *object = json_object_new ();
  if (name)
    json_object_set_string_member (object, is_flag ? "flag" : "axiom", name);
  json_object_set_string_member (object, "text", text->str);
  return object;
}

static JsonObject *violation_object (View *view, const RspViolation *violation) {
  g_autoptr (GString) text = g_string_new (NULL);
  JsonArray *edges = json_array_new ();
  rsp_violation_format (view, violation, text);
  add_edges (view, violation->steps, violation->n_steps, edges);
  JsonObject *object = reason_object (violation->axiom, FALSE, text);
  json_object_set_array_member (object, "edges", edges);
  return object;
}

static JsonObject *flag_object (View *view, const RspFlagReason *flag) {
  g_autoptr (GString) text = g_string_new (NULL);
  JsonArray *edges = json_array_new (), *events = json_array_new ();
  steps_format (view, flag->steps, flag->n_steps, text);
  steps_format (view, flag->absent, flag->n_absent, text);
  add_edges (view, flag->steps, flag->n_steps, edges);
  if (flag->from != G_MAXUINT) {
    json_array_add_string_element (events, view->events[flag->from].id);
    json_array_add_string_element (events, view->events[flag->to].id);
  }
  JsonObject *object = reason_object (flag->flag, TRUE, text);
  json_object_set_array_member (object, "edges", edges);
  json_object_set_array_member (object, "events", events);
  return object;
}

/* ---- Pictures ---- */

static gboolean is_of_interest (const RspViewRelation *relation) {
  static const char *const bases[] = { "addr", "data", "ctrl", "rmw", NULL };
  return !relation->is_set && !relation->hidden
         && (relation->kind != RSP_VIEW_BASE || g_strv_contains (bases, relation->name));
}

/* { name: [from, to, from, to, …] } of the model's relations that are not empty. */
static JsonObject *relations_object (View *view) {
  JsonObject *object = json_object_new ();
  for (guint i = 0; i < view->n_relations; i++) {
    const RspViewRelation *relation = &view->relations[i];
    if (!is_of_interest (relation) || rsp_matrix_count (relation->pairs) == 0)
      continue;
    JsonArray *pairs = json_array_new ();
    for (guint a = 0; a < view->n; a++)
      for (all_bits (b, rsp_matrix_row (relation->pairs, a), relation->pairs->words)) {
        json_array_add_string_element (pairs, view->events[a].id);
        json_array_add_string_element (pairs, view->events[b].id);
      }
    json_object_set_array_member (object, relation->name, pairs);
  }
  return object;
}

static JsonObject *picture_object (const RspCandidateView *candidate) {
  View *view = candidate->execution;
  RspGraphOptions options = { .hidden = NULL };
  g_autoptr (GString) dot = g_string_new (NULL);
  JsonObject *object = json_object_new ();
  JsonArray *reasons = json_array_new ();
  rsp_graph_format (view, "", NULL, 0, &options, dot);
  for (guint i = 0; i < candidate->n_violations; i++)
    json_array_add_object_element (reasons, violation_object (view, &candidate->violations[i]));
  for (guint i = 0; i < candidate->n_flags; i++)
    json_array_add_object_element (reasons, flag_object (view, &candidate->flags[i]));
  json_object_set_member (object, "failed", rsp_json_strv ((const char *const *) view->failed));
  json_object_set_member (object, "raised", rsp_json_strv ((const char *const *) view->raised));
  json_object_set_string_member (object, "dot", dot->str);
  json_object_set_object_member (object, "relations", relations_object (view));
  json_object_set_array_member (object, "reasons", reasons);
  return object;
}

static JsonObject *group_object (const RspCandidateGroup *group) {
  JsonObject *object = json_object_new ();
  JsonArray *pictures = json_array_new ();
  for (guint i = 0; i < group->n_candidates; i++)
    json_array_add_object_element (pictures, picture_object (&group->candidates[i]));
  json_object_set_string_member (object, "state", group->state);
  json_object_set_member (object, "failed", rsp_json_strv ((const char *const *) group->failed));
  json_object_set_int_member (object, "candidates", (gint64) group->n);
  json_object_set_array_member (object, "pictures", pictures);
  return object;
}

/* ---- The explanations' own executions ---- */

static void add_picture (JsonArray *pictures, RspCandidateView candidate) {
  json_array_add_object_element (pictures, picture_object (&candidate));
}

/* With the orders of the model in it. */
static void add_witness (JsonArray *pictures, const RspExplanation *explanation) {
  RspCandidateView candidate = { .execution = explanation->witness };
  JsonObject *picture = picture_object (&candidate);
  g_autoptr (GString) text = g_string_new (NULL);
  steps_format (explanation->witness, explanation->steps, explanation->n_steps, text);
  JsonObject *orders = reason_object (NULL, FALSE, text);
  json_object_set_array_member (orders, "edges", json_array_new ());
  if (explanation->n_steps)
    json_array_add_object_element (json_object_get_array_member (picture, "reasons"),
                                   json_object_ref (orders));
  json_object_unref (orders);
  json_array_add_object_element (pictures, picture);
}

static JsonObject *answer_object (const RspExplanation *explanation) {
  JsonObject *object = json_object_new ();
  JsonArray *pictures = json_array_new ();
  if (explanation->witness)
    add_witness (pictures, explanation);
  for (guint i = 0; i < explanation->n_blames; i++) {
    const RspBlame *blame = &explanation->blames[i];
    add_picture (pictures, (RspCandidateView){ .execution = blame->execution,
                                               .violations = blame->violations,
                                               .n_violations = blame->n_violations });
  }
  json_object_set_string_member (object, "question", explanation->question);
  json_object_set_string_member (object, "answer", rsp_answer_name (explanation->answer));
  json_object_set_member (object, "reasons",
                          rsp_json_strv ((const char *const *) explanation->reasons));
  json_object_set_boolean_member (object, "more", explanation->more_blames);
  json_object_set_array_member (object, "pictures", pictures);
  return object;
}

static void add_explained (const RspExplanations *explanations, JsonArray *answers,
                           JsonArray *flags) {
  for (guint i = 0; i < explanations->n_outcomes; i++)
    json_array_add_object_element (answers, answer_object (&explanations->outcomes[i]));
  for (guint i = 0; i < explanations->n_flags; i++)
    add_picture (flags, (RspCandidateView){ .execution = explanations->flags[i].execution,
                                            .flags = &explanations->flags[i],
                                            .n_flags = 1 });
}

char *candidates_to_json (const RspCandidateViews *candidates,
                          const RspExplanations *explanations) {
  JsonObject *object = json_object_new ();
  JsonArray *groups = json_array_new (), *answers = json_array_new (), *flags = json_array_new ();
  for (guint i = 0; i < candidates->n_groups; i++)
    json_array_add_object_element (groups, group_object (&candidates->groups[i]));
  if (explanations)
    add_explained (explanations, answers, flags);
  json_object_set_member (object, "axioms",
                          rsp_json_strv ((const char *const *) candidates->axioms));
  json_object_set_boolean_member (object, "complete", candidates->complete);
  json_object_set_array_member (object, "groups", groups);
  json_object_set_array_member (object, "answers", answers);
  json_object_set_array_member (object, "flags", flags);
  g_autoptr (JsonNode) node = rsp_json_members (object);
  return json_to_string (node, FALSE);
}
