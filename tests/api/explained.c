/* Models, flags, states, executions and explanations through the library.
 *
 * explained MODELS: the directory of the models. */
#include "check.h"

#include <rspcheck.h>

#include <stdlib.h>
#include <string.h>

/* Message passing with a flag that is raised in one thread's work-group only. */
static const char message[]
    = "OpenCL MP\n{ x=0; [y]=0; }\n"
      "P0 (global int* x, global atomic_int* y) {\n"
      "  *x = 53;\n"
      "  atomic_store_explicit (y, 1, memory_order_release, memory_scope_device);\n"
      "}\n"
      "P1 (global int* x, global atomic_int* y) {\n"
      "  int r0 = atomic_load_explicit (y, memory_order_acquire, memory_scope_device);\n"
      "  int r1 = 0;\n"
      "  if (r0 == 1)\n"
      "    r1 = *x;\n"
      "}\n"
      "scopeTree (device (work_group P0) (work_group P1))\n"
      "exists (1:r0=1 /\\ 1:r1=0)\n";

static const char racy[] = "OpenCL Racy\n{ x=0; }\n"
                           "P0 (global int* x) { *x = 1; }\n"
                           "P1 (global int* x) { int r0 = *x; }\n"
                           "exists (1:r0=1)\n";

static void check_model (RspcheckModel *model) {
  guint found = 0;
  for (guint i = 0; i < rspcheck_model_n_axioms (model); i++) {
    g_autoptr (RspcheckAxiom) axiom = rspcheck_model_axiom (model, i);
    if (strcmp (rspcheck_axiom_name (axiom), "data_race") == 0) {
      CHECK (rspcheck_axiom_role (axiom) == RSPCHECK_ROLE_UNDEFINED_UNLESS);
      CHECK (rspcheck_axiom_kind (axiom) == RSPCHECK_AXIOM_EMPTY);
      CHECK (strcmp (rspcheck_axiom_flag (axiom), "data_race") == 0);
      found |= 1;
    } else if (strcmp (rspcheck_axiom_name (axiom), "global_coherence") == 0) {
      CHECK (rspcheck_axiom_role (axiom) == RSPCHECK_ROLE_AXIOM);
      CHECK (rspcheck_axiom_kind (axiom) == RSPCHECK_AXIOM_IRREFLEXIVE);
      CHECK (!rspcheck_axiom_flag (axiom) && !rspcheck_axiom_is_negated (axiom));
      CHECK (rspcheck_axiom_line (axiom) > 0 && *rspcheck_axiom_expression (axiom));
      CHECK (g_str_has_suffix (rspcheck_axiom_file (axiom), ".cat"));
      found |= 2;
    }
  }
  CHECK (found == 3);
  g_auto (GStrv) flags = rspcheck_model_flags (model);
  CHECK (g_strv_contains ((const char *const *) flags, "data_race"));
  CHECK (!g_strv_contains ((const char *const *) flags, "global_coherence"));
}

/* A step is base, or follows from its steps, down to base relations. */
static guint depth_of (RspcheckStep *step) {
  guint deepest = 0;
  for (guint i = 0; i < rspcheck_step_n_steps (step); i++) {
    g_autoptr (RspcheckStep) part = rspcheck_step_step (step, i);
    deepest = MAX (deepest, depth_of (part));
  }
  return deepest + 1;
}

static void check_violation (RspcheckBlame *blame) {
  g_autoptr (RspcheckViolation) violation = rspcheck_blame_violation (blame, 0);
  CHECK (strcmp (rspcheck_violation_axiom (violation), "global_coherence") == 0);
  CHECK (rspcheck_violation_kind (violation) == RSPCHECK_AXIOM_IRREFLEXIVE);
  CHECK (!rspcheck_violation_is_negated (violation) && rspcheck_violation_line (violation) > 0);
  CHECK (rspcheck_violation_n_steps (violation) == 1);
  g_autoptr (RspcheckStep) step = rspcheck_violation_step (violation, 0);
  CHECK (rspcheck_step_start (step) == rspcheck_step_end (step));
  CHECK (!rspcheck_step_is_absent (step) && !rspcheck_step_is_set (step));
  CHECK (strcmp (rspcheck_step_operator (step), "sequence") == 0);
  CHECK (strcmp (rspcheck_step_relation (step), rspcheck_violation_relation (violation)) == 0);
  CHECK (depth_of (step) > 3);
}

static void check_execution (RspcheckExecution *execution) {
  g_auto (GStrv) names = rspcheck_execution_state_names (execution);
  g_auto (GStrv) values = rspcheck_execution_state_values (execution);
  g_auto (GStrv) failed_axioms = rspcheck_execution_failed (execution);
  CHECK (strcmp (names[0], "1:r0") == 0 && strcmp (values[0], "1") == 0);
  CHECK (strcmp (names[1], "1:r1") == 0 && strcmp (values[1], "0") == 0);
  CHECK (strcmp (failed_axioms[0], "global_coherence") == 0);
  CHECK (strcmp (failed_axioms[1], "global_visible") == 0 && !failed_axioms[2]);
  g_autoptr (RspcheckRelation) rf = rspcheck_execution_find_relation (execution, "rf");
  gsize n;
  g_autofree guint *pairs = rspcheck_relation_pairs (rf, &n);
  CHECK (n == 4 && !rspcheck_relation_is_set (rf) && !rspcheck_relation_is_defined (rf));
  for (gsize i = 0; i < n; i += 2) {
    g_autoptr (RspcheckEvent) from = rspcheck_execution_event (execution, pairs[i]);
    g_autoptr (RspcheckEvent) to = rspcheck_execution_event (execution, pairs[i + 1]);
    CHECK (rspcheck_relation_holds (rf, pairs[i], pairs[i + 1]));
    CHECK (strcmp (rspcheck_event_written (from), rspcheck_event_read (to)) == 0);
    CHECK (strcmp (rspcheck_event_location (from), rspcheck_event_location (to)) == 0);
    CHECK (rspcheck_event_thread (to) == 1 && rspcheck_event_line (to) >= 8);
    g_auto (GStrv) sets = rspcheck_event_sets (to);
    CHECK (g_strv_contains ((const char *const *) sets, "R"));
  }
  g_autofree char *text = rspcheck_execution_text (execution);
  g_autofree char *dot = rspcheck_execution_dot (execution, "MP");
  CHECK (strstr (text, "rf") && g_str_has_prefix (dot, "digraph"));
}

/* What is taken from a result outlives it, the test and the model. */
static RspcheckBlame *explain_message (RspcheckModel *model) {
  g_autoptr (RspcheckTest) test = rspcheck_test_parse ("mp", message, -1, TRUE, NULL);
  g_autoptr (RspcheckResult) result = rspcheck_explain (test, model, NULL, NULL, NULL);
  CHECK (rspcheck_result_n_explanations (result) == 1);
  CHECK (rspcheck_result_n_flag_reasons (result) == 0);
  g_autoptr (RspcheckExplanation) explanation = rspcheck_result_explanation (result, 0);
  CHECK (rspcheck_explanation_answer (explanation) == RSPCHECK_ANSWER_FORBIDDEN);
  CHECK (strcmp (rspcheck_explanation_question (explanation), "1:r0=1 /\\ 1:r1=0") == 0);
  CHECK (rspcheck_explanation_witness (explanation) == NULL);
  CHECK (rspcheck_explanation_n_blames (explanation) == 1);
  g_autofree char *text = rspcheck_result_explanation_text (result);
  CHECK (strstr (text, "global_coherence"));
  return rspcheck_explanation_blame (explanation, 0);
}

static void check_outcomes (RspcheckModel *model) {
  static const char *const outcomes[] = { "1:r0=1; 1:r1=53;", "1:r1=7", NULL };
  g_autoptr (RspcheckTest) test = rspcheck_test_parse ("mp", message, -1, TRUE, NULL);
  g_autoptr (RspcheckResult) result = rspcheck_explain (test, model, NULL, outcomes, NULL);
  CHECK (rspcheck_result_n_explanations (result) == 2);
  g_autoptr (RspcheckExplanation) allowed = rspcheck_result_explanation (result, 0);
  g_autoptr (RspcheckExplanation) unreachable = rspcheck_result_explanation (result, 1);
  CHECK (rspcheck_explanation_answer (allowed) == RSPCHECK_ANSWER_ALLOWED);
  CHECK (rspcheck_explanation_answer (unreachable) == RSPCHECK_ANSWER_UNREACHABLE);
  g_autoptr (RspcheckExecution) witness = rspcheck_explanation_witness (allowed);
  g_auto (GStrv) failed_axioms = rspcheck_execution_failed (witness);
  CHECK (failed_axioms[0] == NULL);
  CHECK (rspcheck_explanation_n_steps (allowed) == 1);
  g_autoptr (RspcheckStep) step = rspcheck_explanation_step (allowed, 0);
  CHECK (strcmp (rspcheck_step_relation (step), "ghb") == 0 && depth_of (step) > 1);
  CHECK (rspcheck_explanation_n_steps (unreachable) == 0);
  g_auto (GStrv) reasons = rspcheck_explanation_reasons (unreachable);
  CHECK (reasons[0] && *reasons[0]);
}

/* Without the check that is to blame, the model allows the outcome. */
static void check_skipping (RspcheckModel *model, RspcheckBlame *blame) {
  g_auto (GStrv) axioms = rspcheck_blame_axioms (blame);
  g_autoptr (RspcheckTest) test = rspcheck_test_parse ("mp", message, -1, TRUE, NULL);
  g_auto (RspcheckOptions) options = { 0 };
  rspcheck_options_init (&options);
  rspcheck_options_skip (&options, (const char *const *) axioms);
  g_autoptr (RspcheckOptions) copy = rspcheck_options_copy (&options);
  rspcheck_options_skip (&options, NULL);
  g_autoptr (RspcheckResult) with = rspcheck_check (test, model, &options, NULL);
  g_autoptr (RspcheckResult) without = rspcheck_check (test, model, copy, NULL);
  CHECK (!rspcheck_result_ok (with) && rspcheck_result_ok (without));
}

static void check_race (RspcheckModel *model) {
  g_autoptr (RspcheckTest) test = rspcheck_test_parse ("racy", racy, -1, TRUE, NULL);
  g_autoptr (RspcheckOptions) options = rspcheck_options_new ();
  options->evidence = TRUE;
  g_autoptr (RspcheckResult) result = rspcheck_explain (test, model, options, NULL, NULL);
  CHECK (rspcheck_result_is_undefined (result));
  CHECK (strcmp (rspcheck_result_flags (result)[0], "data_race") == 0);
  CHECK (rspcheck_result_n_flag_events (result, "data_race") == 2);
  g_autoptr (RspcheckEvent) write = rspcheck_result_flag_event (result, "data_race", 0);
  CHECK (rspcheck_event_thread (write) == 0 && rspcheck_event_line (write) == 3);
  CHECK (rspcheck_event_column (write) == 22);
  CHECK (strcmp (rspcheck_event_source (write), "*x = 1") == 0);
  CHECK (!rspcheck_event_id (write));
  for (guint i = 0; i < rspcheck_result_n_states (result); i++)
    CHECK (rspcheck_result_state_undefined (result, i)
           == rspcheck_result_state_executions (result, i));
  CHECK (rspcheck_result_n_flag_reasons (result) == 1);
  g_autoptr (RspcheckFlagReason) reason = rspcheck_result_flag_reason (result, 0);
  guint from, to;
  CHECK (strcmp (rspcheck_flag_reason_flag (reason), "data_race") == 0);
  CHECK (rspcheck_flag_reason_is_undefined (reason));
  CHECK (rspcheck_flag_reason_pair (reason, &from, &to) && from != to);
  CHECK (rspcheck_flag_reason_n_absent (reason) > 0);
  g_autoptr (RspcheckStep) absent = rspcheck_flag_reason_absent (reason, 0);
  CHECK (rspcheck_step_is_absent (absent));
  g_autoptr (RspcheckExecution) execution = rspcheck_flag_reason_execution (reason);
  g_auto (GStrv) raised = rspcheck_execution_raised (execution);
  CHECK (g_strv_contains ((const char *const *) raised, "data_race"));
}

static void check_shown (RspcheckModel *model) {
  g_autoptr (RspcheckTest) test = rspcheck_test_parse ("mp", message, -1, TRUE, NULL);
  g_autoptr (RspcheckResult) all = rspcheck_show (test, model, NULL, RSPCHECK_SHOW_ALL, 9, NULL);
  g_autoptr (RspcheckResult) one = rspcheck_show (test, model, NULL, RSPCHECK_SHOW_ALL, 1, NULL);
  guint64 positive, negative;
  rspcheck_result_counts (all, &positive, &negative, NULL);
  CHECK (rspcheck_result_n_executions (all) == positive + negative);
  CHECK (rspcheck_result_n_executions (one) == 1);
  g_auto (GStrv) names = rspcheck_result_state_names (all, 1);
  g_auto (GStrv) values = rspcheck_result_state_values (all, 1);
  CHECK (strcmp (names[1], "1:r1") == 0 && strcmp (values[1], "53") == 0 && !names[2]);
}

static void check_json (RspcheckModel *model) {
  g_autoptr (RspcheckTest) test = rspcheck_test_parse ("mp", message, -1, TRUE, NULL);
  g_autoptr (RspcheckResult) result = rspcheck_explain (test, model, NULL, NULL, NULL);
  g_autofree char *json = rspcheck_result_json (result);
  CHECK (json[0] == '{' && g_str_has_suffix (json, "}") && !strchr (json, '\n'));
  CHECK (strstr (json, "\"test\":\"MP\"") && strstr (json, "\"explanation\":[{"));
  CHECK (strstr (json, rspcheck_model_digest (model)));
  CHECK (rspcheck_result_reason (result) == NULL && rspcheck_result_seconds (result) >= 0);
}

int main (int argc, char **argv) {
  const char *directories[] = { argc > 1 ? argv[1] : rspcheck_model_directory (), NULL };
  RspcheckModel *model = rspcheck_model_load ("opencl_rem.cat", directories, NULL, NULL);
  CHECK (model);
  check_model (model);
  RspcheckBlame *blame = explain_message (model);
  check_outcomes (model);
  check_skipping (model, blame);
  check_race (model);
  check_shown (model);
  check_json (model);
  rspcheck_model_unref (model);
  check_violation (blame);
  RspcheckExecution *execution = rspcheck_blame_execution (blame);
  CHECK (rspcheck_blame_candidates (blame) == 1);
  rspcheck_blame_unref (blame);
  check_execution (execution);
  rspcheck_execution_unref (execution);
  printf ("explained: %d passed, %d failed\n", passed, failed);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
