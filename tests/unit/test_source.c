/* Sources, spans and printed diagnostics. */
#include "base/base.h"

#include <check.h>
#include <string.h>

Suite *source_suite (void);

static RspSource *make_source (const char *text) {
  return rsp_source_new ("t.litmus", g_strdup (text), strlen (text));
}

START_TEST (positions_count_lines_and_bytes) {
  RspSource *source = make_source ("ab\n\ncd");
  static const guint expected[][3]
      = { { 0, 1, 1 }, { 1, 1, 2 }, { 2, 1, 3 }, { 3, 2, 1 }, { 4, 3, 1 }, { 6, 3, 3 } };
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    guint line, column;
    rsp_source_position (source, expected[i][0], &line, &column);
    ck_assert_uint_eq (line, expected[i][1]);
    ck_assert_uint_eq (column, expected[i][2]);
  }
  rsp_source_unref (source);
}
END_TEST

START_TEST (a_diagnostic_shows_its_line_and_a_caret) {
  RspSource *source = make_source ("one\n\tint r0;\n");
  RspDiagnostics *diagnostics = rsp_diagnostics_new ();
  RspSpan span = { source, 9, 11 };
  rsp_error (diagnostics, span, "did you mean `r1`?", "unknown `%s`", "r0");
  GString *out = g_string_new (NULL);
  rsp_diagnostic_format (rsp_diagnostics_get (diagnostics, 0), FALSE, out);
  ck_assert_str_eq (out->str, "t.litmus:2:6: error: unknown `r0`\n"
                              "  \tint r0;\n"
                              "  \t    ^~\n"
                              "t.litmus:2:6: hint: did you mean `r1`?\n");
  g_string_free (out, TRUE);
  rsp_diagnostics_free (diagnostics);
  rsp_source_unref (source);
}
END_TEST

START_TEST (a_caret_at_the_end_of_the_file_has_its_place) {
  RspSource *source = make_source ("x\n");
  RspDiagnostics *diagnostics = rsp_diagnostics_new ();
  RspSpan span = { source, 2, 2 };
  rsp_error (diagnostics, span, NULL, "end of file");
  GString *out = g_string_new (NULL);
  rsp_diagnostic_format (rsp_diagnostics_get (diagnostics, 0), FALSE, out);
  ck_assert_str_eq (out->str, "t.litmus:2:1: error: end of file\n  \n  ^\n");
  g_string_free (out, TRUE);
  rsp_diagnostics_free (diagnostics);
  rsp_source_unref (source);
}
END_TEST

START_TEST (only_errors_are_counted_as_errors) {
  RspDiagnostics *diagnostics = rsp_diagnostics_new ();
  RspSpan nowhere = { NULL, 0, 0 };
  rsp_warning (diagnostics, nowhere, NULL, "w");
  rsp_error (diagnostics, nowhere, NULL, "e");
  rsp_note (diagnostics, nowhere, "n");
  ck_assert_uint_eq (rsp_diagnostics_count (diagnostics), 3);
  ck_assert_uint_eq (rsp_diagnostics_count_errors (diagnostics), 1);
  rsp_diagnostics_truncate (diagnostics, 1);
  ck_assert_uint_eq (rsp_diagnostics_count_errors (diagnostics), 0);
  rsp_diagnostics_free (diagnostics);
}
END_TEST

START_TEST (near_names_are_suggested_and_far_ones_are_not) {
  static const char *const names[]
      = { "memory_scope_work_group", "memory_scope_device", "wg", NULL };
  ck_assert_str_eq (rsp_nearest ("memory_scope_workgroup", names), "memory_scope_work_group");
  ck_assert_str_eq (rsp_nearest ("memory_scope_devcie", names), "memory_scope_device");
  ck_assert_ptr_null (rsp_nearest ("fence", names));
  ck_assert_ptr_null (rsp_nearest ("", names));
}
END_TEST

Suite *source_suite (void) {
  Suite *suite = suite_create ("source");
  TCase *tests = tcase_create ("source");
  tcase_add_test (tests, positions_count_lines_and_bytes);
  tcase_add_test (tests, a_diagnostic_shows_its_line_and_a_caret);
  tcase_add_test (tests, a_caret_at_the_end_of_the_file_has_its_place);
  tcase_add_test (tests, only_errors_are_counted_as_errors);
  tcase_add_test (tests, near_names_are_suggested_and_far_ones_are_not);
  suite_add_tcase (suite, tests);
  return suite;
}
