/* Damaged and large programs of commands. Messages for wrong ones: tests/errors/dsom.test. */
#include "parser/dsom/parse.h"

#include <check.h>
#include <string.h>

Suite *dsom_errors_suite (void);

static gboolean passes (const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  RspSource *source = rsp_source_new ("t", text, strlen (text));
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspDsomProgram) program = rsp_dsom_parse (source, diagnostics);
  ck_assert ((program == NULL) == (rsp_diagnostics_count_errors (diagnostics) > 0));
  rsp_source_unref (source);
  return program != NULL;
}

/* Every prefix, every byte left out, every byte with another before it. */
START_TEST (damaged_programs_never_crash) {
  g_autofree char *text = NULL;
  gsize length;
  ck_assert (g_file_get_contents ("litmus/dsom/stencil.litmus", &text, &length, NULL));
  ck_assert (passes ("%s", text));
  for (gsize i = 0; i + 1 < length; i++) {
    passes ("%.*s", (int) i, text);
    passes ("%.*s%s", (int) i, text, text + i + 1);
    passes ("%.*s%c%s", (int) i, text, "(){};,@*9\x7f[."[i % 12], text + i);
  }
}
END_TEST

/* Neither recursion nor repetition has a depth or length that the text alone decides. */
START_TEST (large_programs_end) {
  g_autoptr (GString) sum = g_string_new ("1");
  for (guint i = 0; i < 100000; i++)
    g_string_append (sum, "+1");
  ck_assert (
      !passes ("DSOM t\nkernel k { r = %s; }\nhost { run k on 0; }\nexists (r=1)", sum->str));
  ck_assert (
      passes ("DSOM t\nhost { repeat 2000000000 { repeat 2000000000 { } } }\nexists (true)"));
  ck_assert (!passes ("DSOM t\nkernel k { %s }\nhost { run k on 0; }\nexists (true)",
                      "for i in 0..67000000, j in 0..67000000, k in 0..67000000 ;"));
}
END_TEST

Suite *dsom_errors_suite (void) {
  Suite *suite = suite_create ("dsom_errors");
  TCase *tcase = tcase_create ("dsom_errors");
  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, damaged_programs_never_crash);
  tcase_add_test (tcase, large_programs_end);
  suite_add_tcase (suite, tcase);
  return suite;
}
