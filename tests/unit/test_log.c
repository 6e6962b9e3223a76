/* The log and the verdict, on outcomes made by hand. */
#include "parser/litmus/litmus.h"
#include "report/report.h"

#include <check.h>
#include <string.h>

Suite *log_suite (void);

/* A question about x and one register, and an outcome with two states: "0:r0=0; x=1;" refutes it by
 * three executions, two of them undefined; "0:r0=1; x=1;" satisfies it by two, one of them
 * undefined. */
typedef struct Fixture {
  RspProgram *program;
  RspOutcome outcome;
  RspCheckOptions options;
  guint printed[2];
  RspStateCount states[2];
  guint32 numbers[4];
  RspValue values[4];
  RspFlag flags[3];
} Fixture;

static const RspValue values[] = { { .bits = 0 }, { .bits = 1 } };
static const guint32 numbers[] = { 0, 1, 1, 1 };

static void setup (Fixture *f, const char *question) {
  g_autofree char *text
      = g_strdup_printf ("OpenCL T\n{ x=0; }\nP0 (global atomic_int* x) {\n"
                         "  int r0 = atomic_load (x);\n  atomic_store (x, 1);\n}\n"
                         "scopeTree (device (work_group P0))\n%s\n",
                         question);
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspSource *source = rsp_source_new ("t", g_strdup (text), strlen (text));
  memset (f, 0, sizeof *f);
  f->program = rsp_litmus_parse (source, FALSE, diagnostics);
  rsp_source_unref (source);
  ck_assert_ptr_nonnull (f->program);
  ck_assert_uint_eq (f->program->n_observables, 2);
  rsp_check_options_init (&f->options);
  f->printed[1] = 1;
  f->states[0] = (RspStateCount){ .executions = 3, .n_undefined = 2 };
  f->states[1] = (RspStateCount){ .executions = 2, .n_undefined = 1, .row = 1, .satisfies = TRUE };
  memcpy (f->values, values, sizeof values);
  memcpy (f->numbers, numbers, sizeof numbers);
  f->outcome = (RspOutcome){ .program = f->program,
                             .printed = f->printed,
                             .n_printed = 2,
                             .states = f->states,
                             .n_states = 2,
                             .numbers = f->numbers,
                             .width = 2,
                             .values = f->values,
                             .positive = 2,
                             .negative = 3,
                             .flags = f->flags };
}

static void teardown (Fixture *f) { rsp_program_free (f->program); }

static void format_log (const Fixture *f, gboolean scope_hash, GString *out) {
  g_autoptr (RspRecord) record = rsp_record_new ("?", "t", "m", NULL);
  rsp_record_set_program (record, f->program);
  rsp_record_set_outcome (record, &f->outcome, &f->options);
  rsp_log_format (record, scope_hash, out);
}

/* The log up to Hash=, whose value is tested elsewhere. */
static char *log_text (const Fixture *f) {
  g_autoptr (GString) out = g_string_new (NULL);
  format_log (f, FALSE, out);
  ck_assert (g_str_has_suffix (out->str, "\n\n"));
  char *hash = strstr (out->str, "Hash=");
  if (hash)
    *hash = '\0';
  return g_strdup (out->str);
}

static void assert_log (const Fixture *f, const char *expected) {
  g_autofree char *text = log_text (f);
  ck_assert_str_eq (text, expected);
}

static void assert_line (const Fixture *f, const char *line) {
  g_autofree char *text = log_text (f);
  g_autofree char *whole = g_strdup_printf ("\n%s\n", line);
  ck_assert_msg (strstr (text, whole) != NULL, "no line `%s` in\n%s", line, text);
}

static void assert_no (const Fixture *f, const char *part) {
  g_autofree char *text = log_text (f);
  ck_assert_msg (strstr (text, part) == NULL, "`%s` in\n%s", part, text);
}

/* Counts as after a search that found none, or only one kind. */
static void set_counts (Fixture *f, guint positive, guint negative) {
  f->outcome.positive = positive;
  f->outcome.negative = negative;
  f->outcome.n_states = 0;
}

START_TEST (exists_is_printed_line_for_line) {
  Fixture f;
  setup (&f, "exists (0:r0=1 /\\ x=1)");
  assert_log (&f, "Test T Allowed\nStates 2\n0:r0=0; x=1;\n0:r0=1; x=1;\nOk\nWitnesses\n"
                  "Positive: 2 Negative: 3\nCondition exists (0:r0=1 /\\ x=1)\n"
                  "Observation T Sometimes 2 3\n");
  teardown (&f);
}
END_TEST

START_TEST (not_exists_swaps_witnesses_but_not_the_observation) {
  Fixture f;
  setup (&f, "~exists (0:r0=1 /\\ x=1)");
  assert_log (&f, "Test T Forbidden\nStates 2\n0:r0=0; x=1;\n0:r0=1; x=1;\nNo\nWitnesses\n"
                  "Positive: 3 Negative: 2\nCondition ~exists (0:r0=1 /\\ x=1)\n"
                  "Observation T Sometimes 2 3\n");
  teardown (&f);
}
END_TEST

START_TEST (forall_needs_all) {
  Fixture f;
  setup (&f, "forall (0:r0=1 /\\ x=1)");
  assert_line (&f, "No");
  assert_line (&f, "Positive: 2 Negative: 3");
  set_counts (&f, 2, 0);
  assert_line (&f, "Ok");
  assert_line (&f, "Observation T Always 2 0");
  teardown (&f);
}
END_TEST

START_TEST (no_execution_satisfies_nothing_and_refutes_nothing) {
  static const struct {
    const char *question, *answer;
  } cases[] = { { "exists (0:r0=1 /\\ x=1)", "No" },
                { "~exists (0:r0=1 /\\ x=1)", "Ok" },
                { "forall (0:r0=1 /\\ x=1)", "Ok" } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Fixture f;
    setup (&f, cases[i].question);
    set_counts (&f, 0, 0);
    assert_line (&f, "States 0");
    assert_line (&f, cases[i].answer);
    assert_line (&f, "Observation T Never 0 0");
    teardown (&f);
  }
}
END_TEST

START_TEST (a_truncated_loop_is_in_the_verdict) {
  Fixture f;
  setup (&f, "exists (0:r0=1 /\\ x=1)");
  f.outcome.loop = TRUE;
  assert_line (&f, "Loop Ok");
  set_counts (&f, 0, 3);
  assert_line (&f, "Loop No");
  teardown (&f);
}
END_TEST

START_TEST (bad_executions_are_numbered_as_states_are_printed) {
  Fixture f;
  setup (&f, "exists (0:r0=1 /\\ x=1)");
  assert_no (&f, "Bad executions");
  f.outcome.has_undefined = TRUE;
  f.outcome.n_undefined = 3;
  assert_line (&f, "Bad executions (3 in total): 0 1 3");
  f.states[0].n_undefined = f.states[1].n_undefined = 0;
  f.outcome.n_undefined = 0;
  assert_line (&f, "Bad executions (0 in total):");
  teardown (&f);
}
END_TEST

START_TEST (a_hurried_search_that_saw_no_undefined_execution_does_not_say_there_is_none) {
  Fixture f;
  setup (&f, "exists (0:r0=1 /\\ x=1)");
  f.options.speedcheck = RSPCHECK_SPEED_TRUE;
  f.outcome.has_undefined = TRUE;
  assert_no (&f, "Bad executions");
  f.outcome.n_undefined = 3;
  assert_line (&f, "Bad executions (3 in total): 0 1 3");
  teardown (&f);
}
END_TEST

START_TEST (at_most_twenty_bad_executions_are_listed) {
  Fixture f;
  setup (&f, "exists (0:r0=1 /\\ x=1)");
  f.outcome.has_undefined = TRUE;
  f.states[0].executions = 18;
  f.states[0].n_undefined = 17;
  f.states[1].executions = f.states[1].n_undefined = (RspCount) 1 << 100;
  f.outcome.n_undefined = f.states[0].n_undefined + f.states[1].n_undefined;
  assert_line (&f, "Bad executions (1267650600228229401496703205393 in total): "
                   "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 18 19 20");
  teardown (&f);
}
END_TEST

START_TEST (raised_flags_have_a_line_each) {
  Fixture f;
  setup (&f, "exists (0:r0=1 /\\ x=1)");
  f.outcome.n_flags = 3;
  f.flags[0] = (RspFlag){ .name = "data_race", .undefined = TRUE, .raised = TRUE };
  f.flags[1] = (RspFlag){ .name = "quiet" };
  f.flags[2] = (RspFlag){ .name = "mixed", .raised = TRUE };
  assert_line (&f,
               "Positive: 2 Negative: 3\nFlag data_race\nFlag mixed\nCondition exists (0:r0=1 /\\ "
               "x=1)");
  f.outcome.thin_air = TRUE;
  assert_line (&f, "Flag data_race\nFlag mixed\nFlag thin_air");
  f.flags[2].name = "thin_air";
  assert_line (&f, "Flag data_race\nFlag thin_air\nCondition exists (0:r0=1 /\\ x=1)");
  teardown (&f);
}
END_TEST

START_TEST (undetermined_values_are_shown) {
  Fixture f;
  setup (&f, "exists (0:r0=1 /\\ x=1)");
  f.values[2] = (RspValue){ .bits = 0, .unknown = 1 };
  f.values[3] = (RspValue){ .bits = 1, .unknown = 2 };
  f.numbers[2] = 2;
  f.numbers[3] = 3;
  assert_line (&f, "0:r0=0; x=1;\n0:r0=S1; x=S2_1;");
  teardown (&f);
}
END_TEST

START_TEST (only_printed_observables_are_shown) {
  Fixture f;
  setup (&f, "exists (0:r0=1 /\\ x=1)");
  f.printed[0] = 1;
  f.outcome.n_printed = 1;
  assert_line (&f, "States 2\nx=0;\nx=1;");
  f.outcome.n_printed = 0;
  f.outcome.n_states = 1;
  assert_line (&f, "States 1\n\nOk");
  teardown (&f);
}
END_TEST

START_TEST (unfinished_tests_say_why_and_nothing_else) {
  Fixture f;
  setup (&f, "~exists (0:r0=1 /\\ x=1)");
  f.outcome.stop = RSPCHECK_STOP_TIMEOUT;
  f.options.timeout = 60;
  assert_log (&f, "Test T Forbidden\nTimeout after 60 s\n\n");
  f.options.timeout = 0.5;
  assert_log (&f, "Test T Forbidden\nTimeout after 0.5 s\n\n");
  f.outcome.stop = RSPCHECK_STOP_EXECUTIONS;
  f.options.max_executions = 1000;
  assert_log (&f, "Test T Forbidden\nLimit of 1000 executions reached\n\n");
  f.outcome.stop = RSPCHECK_STOP_MEMORY;
  assert_log (&f, "Test T Forbidden\nMemory limit of 512 MiB reached\n\n");
  f.options.max_memory = 1000;
  assert_log (&f, "Test T Forbidden\nMemory limit of 1000 bytes reached\n\n");
  f.outcome.stop = RSPCHECK_STOP_ERROR;
  assert_log (&f, "Test T Forbidden\nError: not checked\n\n");
  teardown (&f);
}
END_TEST

START_TEST (a_hurried_check_never_claims_always) {
  Fixture f;
  setup (&f, "exists (0:r0=1 /\\ x=1)");
  f.options.speedcheck = RSPCHECK_SPEED_FAST;
  f.outcome.stop = RSPCHECK_STOP_FOUND;
  set_counts (&f, 1, 0);
  assert_line (&f, "Ok");
  assert_line (&f, "Observation T Sometimes 1 0");
  f.outcome.stop = RSPCHECK_STOP_COMPLETE;
  set_counts (&f, 0, 0);
  assert_line (&f, "No");
  assert_line (&f, "Observation T Never 0 0");
  f.program->quantifier = RSP_FORALL;
  assert_line (&f, "Ok");
  assert_line (&f, "Observation T Never 0 0");
  f.outcome.satisfiable = TRUE;
  assert_line (&f, "Ok");
  assert_line (&f, "Observation T Sometimes 0 0");
  teardown (&f);
}
END_TEST

START_TEST (the_scope_hash_comes_only_on_request) {
  Fixture f;
  setup (&f, "exists (0:r0=1 /\\ x=1)");
  g_autoptr (GString) plain = g_string_new (NULL);
  g_autoptr (GString) both = g_string_new (NULL);
  format_log (&f, FALSE, plain);
  format_log (&f, TRUE, both);
  ck_assert_ptr_null (strstr (plain->str, "ScopeHash="));
  ck_assert_ptr_nonnull (strstr (both->str, "\nScopeHash="));
  ck_assert (strncmp (plain->str, both->str, plain->len - 1) == 0);
  teardown (&f);
}
END_TEST

START_TEST (kinds_are_read_in_herds_spellings) {
  RspQuantifier quantifier;
  ck_assert (rsp_quantifier_from_kind ("Forbid", &quantifier) && quantifier == RSP_NOT_EXISTS);
  ck_assert (rsp_quantifier_from_kind ("Required", &quantifier) && quantifier == RSP_FORALL);
  ck_assert (rsp_quantifier_from_kind ("Allowed", &quantifier) && quantifier == RSP_EXISTS);
  ck_assert (rsp_quantifier_from_kind ("allowed", &quantifier));
  ck_assert (!rsp_quantifier_from_kind ("permitted", &quantifier));
}
END_TEST

Suite *log_suite (void) {
  Suite *suite = suite_create ("log");
  TCase *tests = tcase_create ("log");
  tcase_add_test (tests, exists_is_printed_line_for_line);
  tcase_add_test (tests, not_exists_swaps_witnesses_but_not_the_observation);
  tcase_add_test (tests, forall_needs_all);
  tcase_add_test (tests, no_execution_satisfies_nothing_and_refutes_nothing);
  tcase_add_test (tests, a_truncated_loop_is_in_the_verdict);
  tcase_add_test (tests, bad_executions_are_numbered_as_states_are_printed);
  tcase_add_test (tests,
                  a_hurried_search_that_saw_no_undefined_execution_does_not_say_there_is_none);
  tcase_add_test (tests, at_most_twenty_bad_executions_are_listed);
  tcase_add_test (tests, raised_flags_have_a_line_each);
  tcase_add_test (tests, undetermined_values_are_shown);
  tcase_add_test (tests, only_printed_observables_are_shown);
  tcase_add_test (tests, unfinished_tests_say_why_and_nothing_else);
  tcase_add_test (tests, a_hurried_check_never_claims_always);
  tcase_add_test (tests, the_scope_hash_comes_only_on_request);
  tcase_add_test (tests, kinds_are_read_in_herds_spellings);
  suite_add_tcase (suite, tests);
  return suite;
}
