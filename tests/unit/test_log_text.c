/* States and conditions of logs, in one form. */
#include "report/report.h"

#include <check.h>
#include <string.h>

Suite *log_text_suite (void);

static char *normal_state (const char *text) {
  g_autoptr (GArray) state = rsp_log_state_parse (text, strlen (text));
  return state ? rsp_log_state_format (state) : NULL;
}

static const struct {
  const char *text, *normal; /* NULL: no state */
} states[] = {
  { "", "" },
  { "  ", "" },
  { "x=1;", "x=1;" },
  { "x=1", "x=1;" },
  { "[x]=0x1F; 1:r0=-1;", "1:r0=-1; x=31;" },
  { "10:r0=1; 2:r10=1; 2:r2=0; y=0; x=0;", "2:r10=1; 2:r2=0; 10:r0=1; x=0; y=0;" },
  { "P1:r0 = 1 ; * x = 0X2;", "1:r0=1; x=2;" },
  { "01:r0=007;", "1:r0=7;" },
  { "[a[0x1]]=1; a[2] = 3;", "a[1]=1; a[2]=3;" },
  { "a={1,0x2, 3};", "a[0]=1; a[1]=2; a[2]=3;" },
  { "p=&x; q=NULL;", "p=x; q=NULL;" },
  { "x=18446744073709551615; y=0xffffffffffffffff;", "x=-1; y=-1;" },
  { "x=99999999999999999999;", "x=99999999999999999999;" },
  { "1:r0=?1+2; x=?1-2; y=?1", "1:r0=S1_2; x=S1_m2; y=S1;" },
  { "y=S13; x=S40; 2:r0=S13; 1:r0=S7_m3;", "1:r0=S1_m3; 2:r0=S2; x=S3; y=S2;" },
  { "x=S; y=S1x; z=S1_; w=S1_m; v=?1+", "v=?1+; w=S1_m; x=S; y=S1x; z=S1_;" },
  { "a={S5,1,S4,S5};", "a[0]=S1; a[1]=1; a[2]=S2; a[3]=S1;" },
  { "0:X0=1; 0:%r=2;", "0:%r=2; 0:X0=1;" },
  { "x", NULL },
  { "x=;", NULL },
  { "=1;", NULL },
  { "[x=1;", NULL },
  { "1:=1;", NULL },
  { ":r0=1;", NULL },
  { "1=1;", NULL },
  { "x=1; what is this", NULL },
};

START_TEST (states_have_one_form) {
  g_autofree char *found = normal_state (states[_i].text);
  ck_assert_pstr_eq (found, states[_i].normal);
}
END_TEST

static const struct {
  const char *text, *normal; /* NULL: not understood */
} conditions[] = {
  { "exists (1:r0=1)", "exists (1:r0=1)" },
  { "exists 1:r0=1", "exists (1:r0=1)" },
  { "~exists ([x]=0x2)", "~exists (x=2)" },
  { "not exists (x=1)", "~exists (x=1)" },
  { "forall (not (x=1))", "forall (~(x=1))" },
  { "forall (x!=1)", "forall (~(x=1))" },
  { "exists (x=1 /\\ (y=1 \\/ z==1))", "exists (x=1 /\\ (y=1 \\/ z=1))" },
  { "exists ((x=1 /\\ y=1) \\/ z=1)", "exists (x=1 /\\ y=1 \\/ z=1)" },
  { "exists (x=1 => y=1 => true)", "exists (x=1 => y=1 => true)" },
  { "exists ((x=1 => y=1) => false)", "exists ((x=1 => y=1) => false)" },
  { "exists (x=1 \\/ y=1 => z=1)", "exists (x=1 \\/ (y=1 => z=1))" },
  { "exists ((x=1 \\/ y=1) => z=1)", "exists ((x=1 \\/ y=1) => z=1)" },
  { "exists (x=1 => y=1 /\\ z=1)", "exists ((x=1 => y=1) /\\ z=1)" },
  { "exists (x=1 => (y=1 /\\ z=1))", "exists (x=1 => (y=1 /\\ z=1))" },
  { "exists (x=1 => y=1 \\/ z=1)", "exists ((x=1 => y=1) \\/ z=1)" },
  { "exists (x=1 => (y=1 \\/ z=1))", "exists (x=1 => (y=1 \\/ z=1))" },
  { "exists (~x=1 => y=1)", "exists (~(x=1) => y=1)" },
  { "exists (~(x=1 => y=1))", "exists (~(x=1 => y=1))" },
  { "exists (x=1) is NOT validated", "exists (x=1)" },
  { "exists (p=&x /\\ 0:r0=1:r1)", "exists (p=x /\\ 0:r0=1:r1)" },
  { "exists (truex=1)", "exists (truex=1)" },
  { "exists (0:r0<1:r1 /\\ not (2<x))", "exists (0:r0<1:r1 /\\ ~(2<x))" },
  { "exists", NULL },
  { "exists (", NULL },
  { "exists (x=1", NULL },
  { "exists (x=1) or so", NULL },
  { "exists (x=1 /\\)", NULL },
  { "sometimes (x=1)", NULL },
  { "x=1", NULL },
};

START_TEST (conditions_have_one_form) {
  g_autoptr (RspLogCondition) condition = rsp_log_condition_parse (conditions[_i].text);
  g_autofree char *found = condition ? rsp_log_condition_format (condition) : NULL;
  ck_assert_pstr_eq (found, conditions[_i].normal);
}
END_TEST

static const struct {
  const char *condition, *state;
  RspTruth truth;
} questions[] = {
  { "exists (x=1)", "x=1;", RSP_HOLDS },
  { "exists (x=1)", "x=2;", RSP_FAILS },
  { "exists (x=1)", "y=2;", RSP_OPEN },
  { "exists (x=1 /\\ y=1)", "x=0;", RSP_FAILS },
  { "exists (x=1 \\/ y=1)", "x=1;", RSP_HOLDS },
  { "exists (x=1 \\/ y=1)", "x=0;", RSP_OPEN },
  { "exists (y=1 \\/ x=1)", "x=0;", RSP_OPEN },
  { "exists (x=1 => y=1)", "x=0;", RSP_HOLDS },
  { "exists (~(x=1))", "x=0x1;", RSP_FAILS },
  { "exists (0:r0=1:r0)", "0:r0=3; 1:r0=3;", RSP_HOLDS },
  { "exists (p=x)", "p=x;", RSP_HOLDS },
  { "exists (0:r0<1:r0)", "0:r0=-3; 1:r0=2;", RSP_HOLDS },
  { "exists (10<x)", "x=9;", RSP_FAILS },
  { "exists (x<y)", "x=9; y=10;", RSP_HOLDS },
  { "exists (x<p)", "x=9; p=x;", RSP_OPEN },
  { "exists (p=x)", "p=1; x=1;", RSP_OPEN }, /* its address, or its value? */
  { "forall (true /\\ ~(false))", "", RSP_HOLDS },
};

START_TEST (conditions_are_evaluated_on_states) {
  g_autoptr (RspLogCondition) condition = rsp_log_condition_parse (questions[_i].condition);
  const char *text = questions[_i].state;
  g_autoptr (GArray) state = rsp_log_state_parse (text, strlen (text));
  ck_assert_int_eq (rsp_log_condition_truth (condition, state), questions[_i].truth);
}
END_TEST

START_TEST (deep_and_long_conditions_do_no_harm) {
  g_autoptr (GString) deep = g_string_new ("exists ");
  g_autoptr (GString) chain = g_string_new ("exists (x=1");
  for (guint i = 0; i < 30000; i++)
    g_string_append (deep, i % 2 ? "(" : "~");
  for (guint i = 0; i < 6000; i++)
    g_string_append (chain, " /\\ x=1");
  g_string_append_c (chain, ')');
  g_autoptr (RspLogCondition) none = rsp_log_condition_parse (deep->str);
  g_autoptr (RspLogCondition) some = rsp_log_condition_parse (chain->str);
  g_autoptr (GArray) state = rsp_log_state_parse ("x=1;", 4);
  ck_assert_ptr_null (none);
  ck_assert_ptr_nonnull (some);
  ck_assert_int_eq (rsp_log_condition_truth (some, state), RSP_HOLDS);
}
END_TEST

Suite *log_text_suite (void) {
  Suite *suite = suite_create ("log_text");
  TCase *tests = tcase_create ("log_text");
  tcase_add_loop_test (tests, states_have_one_form, 0, G_N_ELEMENTS (states));
  tcase_add_loop_test (tests, conditions_have_one_form, 0, G_N_ELEMENTS (conditions));
  tcase_add_loop_test (tests, conditions_are_evaluated_on_states, 0, G_N_ELEMENTS (questions));
  tcase_add_test (tests, deep_and_long_conditions_do_no_harm);
  suite_add_tcase (suite, tests);
  return suite;
}
