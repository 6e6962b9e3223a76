/* A program that uses the library as a stranger would: only rspcheck.h and GLib.
 *
 * consumer MODELS: MODELS is the directory of the models; without it, the installed one. */
#include "check.h"

#include <rspcheck.h>

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char store_buffering[]
    = "OpenCL SB\n"
      "{ [x]=0; [y]=0; }\n"
      "P0 (global atomic_int* x, global atomic_int* y) {\n"
      "  atomic_store_explicit (x, 1, memory_order_relaxed, memory_scope_device);\n"
      "  int r0 = atomic_load_explicit (y, memory_order_relaxed, memory_scope_device);\n"
      "}\n"
      "P1 (global atomic_int* x, global atomic_int* y) {\n"
      "  atomic_store_explicit (y, 1, memory_order_relaxed, memory_scope_device);\n"
      "  int r0 = atomic_load_explicit (x, memory_order_relaxed, memory_scope_device);\n"
      "}\n"
      "scopeTree (device (work_group P0) (work_group P1))\n"
      "exists (0:r0=0 /\\ 1:r0=0)\n";

static void check_result (const RspcheckTest *test, const RspcheckModel *model) {
  g_autoptr (GString) messages = g_string_new (NULL);
  RspcheckResult *result = rspcheck_check (test, model, NULL, messages);
  CHECK (messages->len == 0);
  CHECK (rspcheck_result_stop (result) == RSPCHECK_STOP_COMPLETE);
  CHECK (rspcheck_result_ok (result));
  CHECK (rspcheck_result_observation (result) == RSPCHECK_SOMETIMES);
  CHECK (!rspcheck_result_is_bounded (result));
  CHECK (!rspcheck_result_is_undefined (result));
  guint64 positive, negative, undefined;
  rspcheck_result_counts (result, &positive, &negative, &undefined);
  CHECK (positive == 1 && negative == 3 && undefined == 0);
  CHECK (rspcheck_result_flags (result)[0] == NULL);
  CHECK (rspcheck_result_n_states (result) == 4);
  g_autofree char *state = rspcheck_result_state (result, 1);
  CHECK (strcmp (state, "0:r0=0; 1:r0=1;") == 0);
  CHECK (rspcheck_result_state_satisfies (result, 0)
         && !rspcheck_result_state_satisfies (result, 1));
  CHECK (rspcheck_result_state_executions (result, 3) == 1);
  g_autofree char *log = rspcheck_result_log (result, TRUE);
  CHECK (g_str_has_prefix (log, "Test SB Allowed\nStates 4\n0:r0=0; 1:r0=0;\n"));
  CHECK (strstr (log, "\nObservation SB Sometimes 1 3\nHash=") && strstr (log, "\nScopeHash="));
  rspcheck_result_unref (result);
}

static void check_options (const RspcheckTest *test, const RspcheckModel *model) {
  RspcheckOptions options;
  rspcheck_options_init (&options);
  CHECK (options.unroll == 2 && options.timeout == 0);
  options.engine = RSPCHECK_ENGINE_NAIVE;
  options.max_executions = 1;
  RspcheckResult *result = rspcheck_check (test, model, &options, NULL);
  CHECK (rspcheck_result_stop (result) == RSPCHECK_STOP_EXECUTIONS);
  g_autofree char *log = rspcheck_result_log (result, FALSE);
  CHECK (strcmp (log, "Test SB Allowed\nLimit of 1 executions reached\n\n") == 0);
  rspcheck_result_free (result);
}

/* Each thread copies what the other wrote. */
static void check_thin_air (const RspcheckModel *model) {
  static const char text[]
      = "OpenCL LB\n{ }\n"
        "P0 (global atomic_int* x, global atomic_int* y) {\n"
        "  int r0 = atomic_load_explicit (x, memory_order_relaxed, memory_scope_device);\n"
        "  atomic_store_explicit (y, r0, memory_order_relaxed, memory_scope_device);\n}\n"
        "P1 (global atomic_int* x, global atomic_int* y) {\n"
        "  int r0 = atomic_load_explicit (y, memory_order_relaxed, memory_scope_device);\n"
        "  atomic_store_explicit (x, r0, memory_order_relaxed, memory_scope_device);\n}\n"
        "exists (0:r0=42)\n";
  g_autoptr (RspcheckTest) test = rspcheck_test_parse ("LB", text, -1, FALSE, NULL);
  RspcheckOptions options;
  rspcheck_options_init (&options);
  g_autoptr (RspcheckResult) result = rspcheck_check (test, model, &options, NULL);
  guint64 positive, negative;
  rspcheck_result_counts (result, &positive, &negative, NULL);
  CHECK (rspcheck_result_observation (result) == RSPCHECK_SOMETIMES);
  CHECK (positive == 0 && negative == 3 && rspcheck_result_n_undetermined (result) == 1);
  CHECK (!rspcheck_result_state_is_undetermined (result, 0)
         && rspcheck_result_state_is_undetermined (result, 1)
         && !rspcheck_result_state_satisfies (result, 1));
  options.no_thin_air = TRUE;
  g_autoptr (RspcheckResult) without = rspcheck_check (test, model, &options, NULL);
  CHECK (rspcheck_result_observation (without) == RSPCHECK_NEVER);
  CHECK (rspcheck_result_n_states (without) == 1 && rspcheck_result_n_undetermined (without) == 0);
}

static void check_errors (const char *const *directories) {
  g_autoptr (GString) messages = g_string_new (NULL);
  CHECK (rspcheck_test_parse ("bad", "OpenCL B\n{ x=0; }\nP0 (int* x) { *x = ; }\nexists (x=1)\n",
                              -1, FALSE, messages)
         == NULL);
  CHECK (g_str_has_prefix (messages->str, "bad:3:"));
  CHECK (strstr (messages->str, "error: ") != NULL);
  CHECK (rspcheck_test_parse ("nul", "a\0b", 3, FALSE, NULL) == NULL);
  g_string_truncate (messages, 0);
  CHECK (rspcheck_test_read ("/nonexistent/x.litmus", FALSE, messages) == NULL);
  CHECK (strstr (messages->str, "/nonexistent/x.litmus: no such file") != NULL);
  g_string_truncate (messages, 0);
  CHECK (rspcheck_model_load ("nosuch.cat", directories, NULL, messages) == NULL);
  CHECK (strstr (messages->str, "nosuch.cat") != NULL);
}

/* Without directories, models are found where the command line finds them. */
static void check_usual_directories (const char *directory) {
  g_autoptr (GString) messages = g_string_new (NULL);
  g_setenv ("RSPCHECK_LIB", directory, TRUE);
  RspcheckModel *model = rspcheck_model_load ("hrf_rsp.cat", NULL, NULL, messages);
  CHECK (model && messages->len == 0);
  rspcheck_model_unref (model);
  g_unsetenv ("RSPCHECK_LIB");
}

static void check_warnings (void) {
  g_autoptr (GString) messages = g_string_new (NULL);
  static const char text[] = "\"m\"\nlet unused = po\nacyclic rf | co as order\n";
  g_autofree char *path = NULL;
  int file = g_file_open_tmp (NULL, &path, NULL);
  CHECK (file >= 0 && g_file_set_contents (path, text, -1, NULL) && g_close (file, NULL));
  RspcheckModel *model = rspcheck_model_load (path, NULL, NULL, messages);
  CHECK (model && messages->len == 0);
  CHECK (rspcheck_model_warn (model, messages) == 1);
  CHECK (strstr (messages->str, "nothing uses `unused`") != NULL);
  rspcheck_model_unref (model);
  remove (path);
}

int main (int argc, char **argv) {
  const char *directories[] = { argc > 1 ? argv[1] : rspcheck_model_directory (), NULL };
  g_autoptr (GString) messages = g_string_new (NULL);
  RspcheckTest *test = rspcheck_test_parse ("sb", store_buffering, -1, TRUE, messages);
  g_auto (GStrv) path = rspcheck_model_directories (directories, "tests/x.litmus");
  CHECK (strcmp (path[0], directories[0]) == 0 && strcmp (path[1], "tests") == 0);
  RspcheckModel *model
      = rspcheck_model_load ("opencl_rem.cat", (const char *const *) path, NULL, messages);
  fputs (messages->str, stdout);
  CHECK (test && model && messages->len == 0);
  CHECK (*rspcheck_version ());
  if (test && model) {
    CHECK (strcmp (rspcheck_test_name (test), "SB") == 0);
    CHECK (!rspcheck_test_is_c (test));
    g_autofree char *condition = rspcheck_test_condition (test);
    CHECK (strcmp (condition, "exists (0:r0=0 /\\ 1:r0=0)") == 0);
    g_autofree char *hash = rspcheck_test_hash (test);
    CHECK (strlen (hash) == 32);
    CHECK (strlen (rspcheck_model_digest (model)) == 64);
    CHECK (g_str_has_suffix (rspcheck_model_path (model), "opencl_rem.cat"));
    CHECK (*rspcheck_model_name (model));
    check_result (test, model);
    check_options (test, model);
    check_thin_air (model);
  }
  check_errors (directories);
  check_usual_directories (directories[0]);
  check_warnings ();
  rspcheck_model_unref (model);
  rspcheck_test_unref (test);
  printf ("library: %d passed, %d failed\n", passed, failed);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
