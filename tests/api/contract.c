/* What the library does with mistakes of its caller: a critical message, and NULL, 0 or FALSE.
 * Nothing crashes, and nothing is left behind.
 *
 * contract MODELS: the directory of the models. */
#include "check.h"

#include <rspcheck.h>

#include <stdlib.h>
#include <string.h>

static int criticals;
static char *last;

static void note (const char *domain, GLogLevelFlags level, const char *message, gpointer data) {
  (void) domain, (void) data;
  criticals += (level & G_LOG_LEVEL_CRITICAL) != 0;
  g_free (last);
  last = g_strdup (message);
}

/* The expression gives one critical message, which names the function, and comes to nothing. */
#define REFUSED(function, arguments)                                                               \
  do {                                                                                             \
    criticals = 0;                                                                                 \
    CHECK (!function arguments);                                                                   \
    CHECK (criticals == 1 && strstr (last, "assertion"));                                          \
  } while (0)

#define REFUSED_VOID(function, arguments)                                                          \
  do {                                                                                             \
    criticals = 0;                                                                                 \
    function arguments;                                                                            \
    CHECK (criticals == 1 && strstr (last, #function));                                            \
  } while (0)

static const char racy[] = "OpenCL Racy\n{ x=0; }\n"
                           "P0 (global int* x) { *x = 1; }\n"
                           "P1 (global int* x) { int r0 = *x; }\n"
                           "exists (1:r0=1)\n";

static void check_null (void) {
  REFUSED (rspcheck_test_read, (NULL, FALSE, NULL));
  REFUSED (rspcheck_test_parse, (NULL, "x", -1, FALSE, NULL));
  REFUSED (rspcheck_test_parse, ("x", NULL, -1, FALSE, NULL));
  REFUSED (rspcheck_test_ref, (NULL));
  REFUSED (rspcheck_test_name, (NULL));
  REFUSED (rspcheck_test_is_c, (NULL));
  REFUSED (rspcheck_test_condition, (NULL));
  REFUSED (rspcheck_test_hash, (NULL));
  REFUSED (rspcheck_test_scope_hash, (NULL));
  REFUSED (rspcheck_model_load, (NULL, NULL, NULL, NULL));
  REFUSED (rspcheck_model_ref, (NULL));
  REFUSED (rspcheck_model_name, (NULL));
  REFUSED (rspcheck_model_path, (NULL));
  REFUSED (rspcheck_model_digest, (NULL));
  REFUSED (rspcheck_model_n_axioms, (NULL));
  REFUSED (rspcheck_model_axiom, (NULL, 0));
  REFUSED (rspcheck_model_flags, (NULL));
  REFUSED (rspcheck_model_warn, (NULL, NULL));
  REFUSED (rspcheck_axiom_name, (NULL));
  REFUSED (rspcheck_axiom_line, (NULL));
  REFUSED_VOID (rspcheck_options_init, (NULL));
  REFUSED (rspcheck_options_copy, (NULL));
  REFUSED_VOID (rspcheck_options_skip, (NULL, NULL));
  REFUSED_VOID (rspcheck_options_clear, (NULL));
  REFUSED (rspcheck_result_ref, (NULL));
  REFUSED (rspcheck_result_ok, (NULL));
  REFUSED (rspcheck_result_flags, (NULL));
  REFUSED_VOID (rspcheck_result_counts, (NULL, NULL, NULL, NULL));
  REFUSED (rspcheck_result_n_undetermined, (NULL));
  REFUSED (rspcheck_result_n_states, (NULL));
  REFUSED (rspcheck_result_state, (NULL, 0));
  REFUSED (rspcheck_result_state_names, (NULL, 0));
  REFUSED (rspcheck_result_log, (NULL, FALSE));
  REFUSED (rspcheck_result_json, (NULL));
  REFUSED (rspcheck_result_explanation, (NULL, 0));
  REFUSED (rspcheck_explanation_question, (NULL));
  REFUSED (rspcheck_blame_axioms, (NULL));
  REFUSED (rspcheck_violation_step, (NULL, 0));
  REFUSED (rspcheck_step_relation, (NULL));
  REFUSED (rspcheck_flag_reason_pair, (NULL, NULL, NULL));
  REFUSED (rspcheck_execution_text, (NULL));
  REFUSED (rspcheck_execution_find_relation, (NULL, "rf"));
  REFUSED (rspcheck_event_line, (NULL));
  REFUSED (rspcheck_relation_pairs, (NULL, NULL));
}

/* Freeing nothing is no mistake. */
static void check_freeing (void) {
  criticals = 0;
  rspcheck_test_unref (NULL);
  rspcheck_model_unref (NULL);
  rspcheck_axiom_unref (NULL);
  rspcheck_options_free (NULL);
  rspcheck_result_unref (NULL);
  rspcheck_explanation_unref (NULL);
  rspcheck_blame_unref (NULL);
  rspcheck_violation_unref (NULL);
  rspcheck_step_unref (NULL);
  rspcheck_flag_reason_unref (NULL);
  rspcheck_execution_unref (NULL);
  rspcheck_event_unref (NULL);
  rspcheck_relation_unref (NULL);
  CHECK (criticals == 0);
}

static void check_options (const RspcheckTest *test, const RspcheckModel *model) {
  RspcheckOptions options;
  REFUSED (rspcheck_check, (NULL, model, NULL, NULL));
  REFUSED (rspcheck_check, (test, NULL, NULL, NULL));
  for (int filling = 0; filling < 256; filling += 85) {
    memset (&options, filling, sizeof options);
    REFUSED (rspcheck_check, (test, model, &options, NULL));
    REFUSED (rspcheck_explain, (test, model, &options, NULL, NULL));
    REFUSED (rspcheck_show, (test, model, &options, RSPCHECK_SHOW_ALL, 1, NULL));
    REFUSED (rspcheck_options_copy, (&options));
  }
  rspcheck_options_init (&options);
  options.engine = (RspcheckEngine) 77;
  REFUSED (rspcheck_check, (test, model, &options, NULL));
  rspcheck_options_init (&options);
  options.timeout = -1;
  REFUSED (rspcheck_check, (test, model, &options, NULL));
  REFUSED (rspcheck_show, (test, model, NULL, (RspcheckShow) 99, 1, NULL));
}

static void check_indices (const RspcheckTest *test, const RspcheckModel *model) {
  g_autoptr (RspcheckOptions) options = rspcheck_options_new ();
  options->evidence = TRUE;
  g_autoptr (RspcheckResult) result = rspcheck_check (test, model, options, NULL);
  guint n = rspcheck_result_n_states (result);
  CHECK (n == 1);
  REFUSED (rspcheck_result_state, (result, n));
  REFUSED (rspcheck_result_state_names, (result, n));
  REFUSED (rspcheck_result_state_values, (result, G_MAXUINT));
  REFUSED (rspcheck_result_state_satisfies, (result, n));
  REFUSED (rspcheck_result_state_is_undetermined, (result, n));
  REFUSED (rspcheck_result_state_executions, (result, n));
  REFUSED (rspcheck_result_state_undefined, (result, n));
  REFUSED (rspcheck_result_explanation, (result, 0));
  REFUSED (rspcheck_result_flag_reason, (result, 0));
  REFUSED (rspcheck_result_execution, (result, 0));
  REFUSED (rspcheck_result_flag_event, (result, "data_race", 2));
  REFUSED (rspcheck_result_flag_event, (result, "no_such_flag", 0));
  CHECK (rspcheck_result_n_flag_events (result, "no_such_flag") == 0);
  REFUSED (rspcheck_model_axiom, (model, rspcheck_model_n_axioms (model)));
}

static void check_parts (const RspcheckTest *test, const RspcheckModel *model) {
  g_autoptr (RspcheckResult) shown = rspcheck_show (test, model, NULL, RSPCHECK_SHOW_ALL, 1, NULL);
  g_autoptr (RspcheckExecution) execution = rspcheck_result_execution (shown, 0);
  g_autoptr (RspcheckRelation) rf = rspcheck_execution_find_relation (execution, "rf");
  guint n = rspcheck_execution_n_events (execution);
  CHECK (n == 3);
  REFUSED (rspcheck_result_execution, (shown, 1));
  REFUSED (rspcheck_execution_event, (execution, n));
  REFUSED (rspcheck_execution_relation, (execution, G_MAXUINT));
  REFUSED (rspcheck_execution_find_relation, (execution, NULL));
  REFUSED (rspcheck_relation_holds, (rf, n, 0));
  REFUSED (rspcheck_relation_holds, (rf, 0, n));
  REFUSED (rspcheck_relation_pairs, (rf, NULL));
  criticals = 0;
  CHECK (rspcheck_execution_find_relation (execution, "no such relation") == NULL);
  CHECK (criticals == 0);
}

int main (int argc, char **argv) {
  const char *directories[] = { argc > 1 ? argv[1] : "cat", NULL };
  g_log_set_default_handler (note, NULL);
  RspcheckTest *test = rspcheck_test_parse ("racy", racy, -1, FALSE, NULL);
  RspcheckModel *model = rspcheck_model_load ("opencl_rem.cat", directories, NULL, NULL);
  CHECK (test && model);
  check_null ();
  check_freeing ();
  check_options (test, model);
  check_indices (test, model);
  check_parts (test, model);
  CHECK (rspcheck_model_warn (model, NULL) == 0);
  rspcheck_model_unref (model);
  rspcheck_test_unref (test);
  g_free (last);
  printf ("contract: %d passed, %d failed\n", passed, failed);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
