/* The litmus front end: sections, scope trees, initial values, the question, hash, formatting, and
 * damaged tests. */
#include "parser/program.h"
#include "parser/litmus/litmus.h"
#include "tests/unit/litmus_fixture.h"

#include <string.h>

Suite *litmus_suite (void);

/* ---- Hash ---- */

START_TEST (hash_is_herds) {
  RspProgram *program = litmus_parse_file ("litmus/rsp/RSP_Test1.litmus");
  g_autofree char *hash = rsp_program_hash (program);
  ck_assert_str_eq (hash, "305e6af6b482d95960e572605703996c");
  g_autofree char *condition = rsp_program_format_condition (program);
  ck_assert_str_eq (condition, "exists (2:r0=1 /\\ 2:r1=0 /\\ 3:r2=1 /\\ 3:r3=0)");
  rsp_program_free (program);
}
END_TEST

/* The hash of a test put together from its parts. */
static char *hash_of (const char *initial, const char *parameters, const char *body,
                      const char *end) {
  RspProgram *program
      = litmus_parse ("OpenCL T\n{%s}\nP0 (%s) {%s}\n%s", initial, parameters, body, end);
  char *hash = rsp_program_hash (program);
  rsp_program_free (program);
  return hash;
}

START_TEST (hash_looks_at_the_right_parts) {
  const char *global = "global atomic_int* x", *body = " atomic_store (x, 1); ";
  g_autofree char *hash = hash_of ("[x]=0;", global, body, "exists (x=1)");
  /* How the initial state is written, and what the question says of the names, does not enter
   * it. */
  g_autofree char *same = hash_of (" x = 0x0 ", "__global _Atomic int *x", body,
                                   "scopeTree (device P0)\nforall (x=2 \\/ x=1)");
  ck_assert_str_eq (hash, same);
  g_autofree char *filtered = hash_of ("[x]=0;", global, body, "filter (x=1)\nexists (x=1)");
  ck_assert_str_eq (hash, filtered);
  g_autofree char *space = hash_of ("[x]=0;", global, " atomic_store (x, 1);", "exists (x=1)");
  ck_assert_str_ne (hash, space);
  g_autofree char *plain = hash_of ("[x]=0;", "atomic_int* x", body, "exists (x=1)");
  ck_assert_str_ne (hash, plain);
  g_autofree char *value = hash_of ("[x]=1;", global, body, "exists (x=1)");
  ck_assert_str_ne (hash, value);
}
END_TEST

START_TEST (types_are_spelled_for_the_hash) {
  static const char *const cases[][2] = {
    { "global atomic_int* x", "__global _Atomic int*" },
    { "int* x", "int*" },
    { "int *x", "int*" },
    { "local atomic_int *x", "__local _Atomic int*" },
    { "volatile int* x", "volatile int*" },
    { "_Atomic int *x", "_Atomic int*" },
    { "const uint8_t *x", "uint8_t const*" },
    { "int volatile *x", "volatile int*" },
    { "atomic_t *x", "atomic_t*" },
    { "_Atomic (int) * x", "_Atomic int*" },
    { "volatile __global atomic_uint *x", "__global _Atomic uint volatile*" },
    { "unsigned long int* x", "unsigned long int*" },
    { "int **x", "int**" },
    { "int* restrict x", "int*" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    RspProgram *program = litmus_parse ("C T\n{}\nP0 (%s) {}\nexists ()", cases[i][0]);
    ck_assert_str_eq (program->threads[0].parameters[0].normalised, cases[i][1]);
    rsp_program_free (program);
  }
}
END_TEST

START_TEST (raw_text_is_exact) {
  RspProgram *program = litmus_parse ("C T\n{ x=0 }\nP0 () { { /* } */ }\n// }\n}\nexists (x=0)");
  ck_assert_str_eq (program->threads[0].raw, " { /* } */ }\n// }\n");
  rsp_program_free (program);
}
END_TEST

START_TEST (scope_hash_tells_trees_apart) {
  const char *test = "OpenCL T\n{}\nP0 () {}\nP1 () {}\nscopeTree %s\nexists ()";
  RspProgram *a = litmus_parse (test, "(device (work_group P0 P1))");
  RspProgram *b = litmus_parse (test, "(device (cta (thread P1) (warp P0)))");
  RspProgram *c = litmus_parse (test, "(device (work_group P0) (work_group P1))");
  g_autofree char *x = rsp_program_scope_hash (a), *y = rsp_program_scope_hash (b);
  g_autofree char *z = rsp_program_scope_hash (c);
  ck_assert_str_eq (x, y);
  ck_assert_str_ne (x, z);
  rsp_program_free (a);
  rsp_program_free (b);
  rsp_program_free (c);
}
END_TEST

/* ---- Head and comments ---- */

START_TEST (head_and_metadata) {
  RspProgram *program
      = litmus_parse ("(* first (* nested *) *)\nOPENCL 2+2W+a.b-c // end\n\"one doc\"\nCom=Rf Fr\n"
                      "Orig={PodWW \"Rfe\n/* { */ (* { *)\n{ }\nP0 () {}\nexists (true)");
  ck_assert_str_eq (program->name, "2+2W+a.b-c");
  ck_assert_str_eq (program->doc, "one doc");
  ck_assert_int_eq (program->language->id, RSP_LANGUAGE_OPENCL);
  rsp_program_free (program);
  program = litmus_parse ("\xef\xbb\xbf"
                          "c T {}\r\nP0 () {}\r\n~exists () (* done *) ");
  ck_assert_int_eq (program->language->id, RSP_LANGUAGE_C);
  ck_assert_int_eq (program->quantifier, RSP_NOT_EXISTS);
  ck_assert_ptr_null (program->doc);
  rsp_program_free (program);
}
END_TEST

START_TEST (caml_comments_end_at_bodies) {
  RspProgram *program = litmus_parse ("C T\n{ x=0 (* ; y=0 *) }\nP0 (int* x (* here *)) {\n"
                                      "  int r0 = 2 *(*x); }\nexists (0:r0=(* two *)2)");
  const RspStatement *first = program->threads[0].body->first;
  ck_assert_int_eq (first->expr->u.node.op, RSP_OP_MUL);
  ck_assert_int_eq (first->expr->u.node.b->kind, RSP_EXPR_DEREF);
  ck_assert_uint_eq (program->n_locations, 1);
  rsp_program_free (program);
}
END_TEST

/* ---- Scope trees ---- */

/* Places of the threads as "device/kernel/work_group/sub_group", blank-separated. */
static char *places (const RspProgram *program) {
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < program->n_threads; i++) {
    const RspThread *t = &program->threads[i];
    g_string_append_printf (out, "%s%u/%u/%u/%u", i ? " " : "", t->place[RSP_LEVEL_DEVICE],
                            t->place[RSP_LEVEL_KERNEL], t->place[RSP_LEVEL_WORK_GROUP],
                            t->place[RSP_LEVEL_SUB_GROUP]);
  }
  return g_string_free (out, FALSE);
}

START_TEST (scope_trees_are_filled) {
  static const char *const cases[][2] = {
    { "(device (work_group P0 P1) (work_group P2))", "0/0/0/0 0/0/0/1 0/0/1/2" },
    { "(device (work_group P2 P1) (work_group P0))", "0/0/0/0 0/0/1/1 0/0/1/2" },
    { "(device (work_group (sub_group P0 P1) P2))", "0/0/0/0 0/0/0/0 0/0/0/1" },
    { "(device (cta (warp P0) (warp (thread P1) (thread P2))))", "0/0/0/0 0/0/0/1 0/0/0/1" },
    { "(device (kernel (block P0 P1)) (kernel (block P2)))", "0/0/0/0 0/0/0/1 0/1/1/2" },
    { "(device P0 P1 P2)", "0/0/0/0 0/0/1/1 0/0/2/2" },
    { "(device (sub_group P0 P1) P2)", "0/0/0/0 0/0/0/0 0/0/1/1" },
    { "(device (work_group P0)) (device (work_group P1 P2))", "0/0/0/0 1/1/1/1 1/1/1/2" },
    { "(work_group P0 P1) (work_group P2)", "0/0/0/0 0/0/0/1 1/1/1/2" },
    { "P0 P1 P2", "0/0/0/0 1/1/1/1 2/2/2/2" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    RspProgram *program = litmus_parse ("OpenCL T\n{}\nP0 () {}\nP1 () {}\nP2 () {}\n"
                                        "scopeTree %s\nexists ()",
                                        cases[i][0]);
    g_autofree char *got = places (program);
    ck_assert_msg (strcmp (got, cases[i][1]) == 0, "%s: %s", cases[i][0], got);
    rsp_program_free (program);
  }
}
END_TEST

/* Written back, a tree is short, and puts the same threads together. */
START_TEST (scope_trees_are_written) {
  static const char *const cases[][2] = {
    { "(device (cta (warp P0) (warp (thread P1) (thread P2))))",
      "(device (work_group P0 (sub_group P1 P2)))" },
    { "(device (work_group P2 P1) (work_group P0))",
      "(device (work_group P0) (work_group P1 P2))" },
    { "(device (kernel (block P0 P1)) (kernel (block P2)))",
      "(device (kernel (work_group P0 P1)) (kernel (work_group P2)))" },
    { "P0 P1 P2", "(device (work_group P0)) (device (work_group P1)) (device (work_group P2))" },
  };
  const char *test = "OpenCL T\n{}\nP0 () {}\nP1 () {}\nP2 () {}\nscopeTree %s\nexists ()";
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    RspProgram *program = litmus_parse (test, cases[i][0]);
    g_autofree char *text = rsp_program_format_scopes (program);
    RspProgram *again = litmus_parse (test, text);
    g_autofree char *x = rsp_program_scope_hash (program), *y = rsp_program_scope_hash (again);
    ck_assert_str_eq (text, cases[i][1]);
    ck_assert_str_eq (x, y);
    rsp_program_free (program);
    rsp_program_free (again);
  }
}
END_TEST

START_TEST (heads_place_threads) {
  static const char *const cases[][4] = {
    { "@wg 0, dev 0", "@wg 0, dev 0", "@wg 0, dev 1", "0/0/0/0 0/0/0/1 1/1/1/2" },
    { "@wg 0,dev 0", "@dev 0,wg 1", "@wg 1,dev 0", "0/0/0/0 0/0/1/1 0/0/1/2" },
    { "@sg 0, wg 0, dev 0", "@sg 0, wg 0, dev 0", "@sg 0, wg 1, dev 0", "0/0/0/0 0/0/0/0 0/0/1/1" },
    { "@wg 3", "@wg 7", "@wg 3", "0/0/0/0 0/0/1/1 0/0/0/2" },
    { "@dev 0", "@dev 0", "@dev 2", "0/0/0/0 0/0/1/1 1/1/2/2" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    RspProgram *program
        = litmus_parse ("OPENCL T\n{}\nP0%s () {}\nP1%s () {}\nP2 %s () {}\nexists ()", cases[i][0],
                        cases[i][1], cases[i][2]);
    g_autofree char *got = places (program);
    ck_assert_msg (strcmp (got, cases[i][3]) == 0, "%s: %s", cases[i][0], got);
    rsp_program_free (program);
  }
}
END_TEST

START_TEST (without_tree_threads_are_apart) {
  LitmusOutcome outcome = litmus_try ("OpenCL T\n{}\nP0 () {}\nP1 () {}\nexists ()");
  ck_assert_ptr_nonnull (strstr (outcome.text, "warning: this test has no scope tree"));
  g_autofree char *got = places (outcome.program);
  ck_assert_str_eq (got, "0/0/0/0 0/0/1/1");
  litmus_outcome_clear (&outcome);
  outcome = litmus_try ("C T\n{}\nP0 () {}\nP1 () {}\nexists ()");
  ck_assert_str_eq (outcome.text, "");
  litmus_outcome_clear (&outcome);
}
END_TEST

/* ---- Initial state ---- */

/* "x=0 a[0]=1 …" */
static char *locations (const RspProgram *program) {
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < program->n_locations; i++) {
    g_string_append_printf (out, "%s%s=", i ? " " : "", program->locations[i].name);
    rsp_program_format_value (program, &program->locations[i].type, program->locations[i].initial,
                              out);
  }
  return g_string_free (out, FALSE);
}

START_TEST (initial_values) {
  static const char *const cases[][2] = {
    { "x=1; [y]=-2; *z=0x10", "x=1 y=-2 z=16" },
    { "x; int y; int z = 3;", "x=0 y=0 z=3" },
    { "int a[4]={1,2}; x=1", "a[0]=1 a[1]=2 a[2]=0 a[3]=0 x=1" },
    { "atomic_int a[]={4,5}", "a[0]=4 a[1]=5" },
    { "a={4,5}; int b[1]", "a[0]=4 a[1]=5 b[0]=0" },
    { "a[1]=3; a[0]=2", "a[0]=2 a[1]=3" },
    { "x=0; p=x; q=&x", "x=0 p=x q=x" },
    { "int *p = &a[1]; int a[2]", "p=a[1] a[0]=0 a[1]=0" },
    { "bool b = 7; char c = 255; uchar d = -1; c = 1", NULL },
    { "bool b = 7; char c = 255; uchar d = -1; true_ = true", "b=1 c=-1 d=255 true_=1" },
    { ";;x=1;;", "x=1" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    LitmusOutcome outcome = litmus_try ("C T\n{%s}\nP0 () {}\nexists ()", cases[i][0]);
    g_autofree char *got = outcome.program ? locations (outcome.program) : NULL;
    ck_assert_msg (g_strcmp0 (got, cases[i][1]) == 0, "%s: %s\n%s", cases[i][0], got, outcome.text);
    litmus_outcome_clear (&outcome);
  }
}
END_TEST

START_TEST (parameters_declare_locations) {
  RspProgram *program = litmus_parse (
      "OpenCL T\n{ x=0; local int z=0; }\n"
      "P0 (global int* x, atomic_int* y, int* z, global_fga atomic_long* f) {}\n"
      "P1 (atomic_int* x, int n, int a[3]) {}\nscopeTree (device P0 P1)\nexists ()");
  const RspLocation *at = program->locations;
  ck_assert_uint_eq (program->n_locations, 7);
  ck_assert_str_eq (at[0].name, "x");
  ck_assert (at[0].atomic && at[0].type.is_atomic && at[0].type.space == RSP_SPACE_GLOBAL);
  ck_assert_str_eq (at[1].name, "z");
  ck_assert (!at[1].atomic && at[1].type.space == RSP_SPACE_LOCAL);
  ck_assert_str_eq (at[2].name, "y");
  ck_assert (at[2].atomic && at[2].type.space == RSP_SPACE_GLOBAL && !at[2].type.fine_grained);
  ck_assert_str_eq (at[3].name, "f");
  ck_assert (at[3].type.fine_grained && at[3].type.bits == 64);
  ck_assert_str_eq (at[6].name, "a[2]");
  ck_assert_uint_eq (at[6].object, 4);
  ck_assert_uint_eq (at[6].n_elements, 3);
  const RspThread *p1 = &program->threads[1];
  ck_assert_uint_eq (p1->parameters[0].object, 0);
  ck_assert_uint_eq (p1->parameters[1].object, G_MAXUINT);
  ck_assert_uint_eq (p1->parameters[2].object, 4);
  ck_assert_uint_eq (p1->n_registers, 1);
  ck_assert_str_eq (p1->registers[0].name, "n");
  rsp_program_free (program);
}
END_TEST

START_TEST (registers_have_initial_values) {
  RspProgram *program = litmus_parse ("C T\n{ x=0; y=0; 0:r7=3; 0:p=x; P1:r1=-1; 1:n=5; 1:q=y; }\n"
                                      "P0 (int* x) { r0 = r7 + *p; }\n"
                                      "P1 (int n, int* q) { int r1; *q = n; }\n"
                                      "P2 (int* y) { }\nexists (0:r7=3 /\\ 0:p=x)");
  const RspRegister *at = program->threads[0].registers;
  ck_assert_uint_eq (program->threads[0].n_registers, 3);
  ck_assert_str_eq (at[0].name, "r7");
  ck_assert_int_eq (at[0].initial, 3);
  ck_assert (!at[0].implicit);
  ck_assert_str_eq (at[1].name, "p");
  ck_assert_uint_eq (at[1].type.pointers, 1);
  ck_assert_int_eq (at[1].initial, rsp_address (0, 0));
  ck_assert (at[2].implicit);
  at = program->threads[1].registers;
  ck_assert_str_eq (at[0].name, "n");
  ck_assert_int_eq (at[0].initial, 5);
  ck_assert_int_eq (at[1].initial, -1);
  /* A pointer parameter that the initial state gives a location stands for it. */
  guint object = program->threads[1].parameters[1].object;
  ck_assert_str_eq (program->locations[object].name, "y");
  ck_assert (program->condition->b->right.constant == rsp_address (0, 0));
  rsp_program_free (program);
}
END_TEST

/* ---- The question ---- */

START_TEST (conditions_are_printed) {
  static const char *const cases[][2] = {
    { "exists ()", "exists (true)" },
    { "forall (x=1)", "forall (x=1)" },
    { "~exists [x]=1", "~exists (x=1)" },
    { "exists (0:r0=1 /\\ (x=1 \\/ x=2))", "exists (0:r0=1 /\\ (x=1 \\/ x=2))" },
    { "exists ((0:r0=1 /\\ x=1) \\/ x=2)", "exists (0:r0=1 /\\ x=1 \\/ x=2)" },
    { "exists (x=1 => x=2 => x=3)", "exists (x=1 => x=2 => x=3)" },
    { "exists ((x=1 => x=2) => x=3)", "exists ((x=1 => x=2) => x=3)" },
    { "exists (x=1 \\/ x=2 => x=3)", "exists (x=1 \\/ (x=2 => x=3))" },
    { "exists (x=1 => x=2 \\/ x=3)", "exists ((x=1 => x=2) \\/ x=3)" },
    { "exists (x=1 && x=2 => x=3 || x=4)", "exists (x=1 /\\ (x=2 => x=3) \\/ x=4)" },
    { "exists (not (x=1) /\\ ~x=2)", "exists (not (x=1) /\\ not (x=2))" },
    { "exists (x!=1 /\\ x==0x10)", "exists (not (x=1) /\\ x=16)" },
    { "exists (x=-1 && true || false)", "exists (x=-1 /\\ true \\/ false)" },
    { "exists (0:r0=4294967295)", "exists (0:r0=-1)" },
    { "exists (P0:r0=1:r1)", "exists (0:r0=1:r1)" },
    { "exists (x=[y])", "exists (x=y)" },
    { "exists (x=y)", "exists (x=y)" },
    { "exists (p=x /\\ p=&a[1] /\\ p=NULL)", "exists (p=x /\\ p=a[1] /\\ p=0)" },
    { "exists (1=x)", "exists (x=1)" },
    { "exists (a[1]=2 /\\ [a[0]]=1)", "exists (a[1]=2 /\\ a[0]=1)" },
    { "exists (x=1 /\\ x=2 /\\ x=3 /\\ x=4 /\\ x=5)",
      "exists (x=1 /\\ x=2 /\\ x=3 /\\ x=4 /\\ x=5)" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    RspProgram *program = litmus_parse ("C T\n{ x=0; y=0; p=x; int a[2]; }\nP0 () { int r0 = 0; }\n"
                                        "P1 () { int r1 = 0; }\n%s",
                                        cases[i][0]);
    g_autofree char *got = rsp_program_format_condition (program);
    ck_assert_str_eq (got, cases[i][1]);
    rsp_program_free (program);
  }
}
END_TEST

START_TEST (right_sides_are_distinguished) {
  RspProgram *program = litmus_parse ("C T\n{ x=0; y=0; p=x; }\nP0 () { int r0; }\n"
                                      "exists (x=y /\\ p=y /\\ p=[y] /\\ x=&y)");
  const RspProp *both = program->condition;
  ck_assert (both->a->a->right.is_observable);
  ck_assert (!both->a->b->right.is_observable);
  ck_assert_int_eq (both->a->b->right.constant, rsp_address (1, 0));
  ck_assert (both->b->a->right.is_observable);
  ck_assert (!both->b->b->right.is_observable);
  rsp_program_free (program);
}
END_TEST

START_TEST (observables_are_sorted) {
  RspProgram *program = litmus_parse (
      "C T\n{ x=0; int a[2]; y=0; }\nP0 () { int r2, r10, R; }\nP1 () { int r1, f; }\n"
      "locations [y; a; 0:r10;]\nfilter (1:f=0 /\\ 0:r2=0)\nexists (x=1 /\\ 1:r1=1 /\\ 0:r2=1)");
  static const char *const names[] = { "0:r10", "0:r2", "1:f", "1:r1", "a[0]", "a[1]", "x", "y" };
  ck_assert_uint_eq (program->n_observables, G_N_ELEMENTS (names));
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    ck_assert_str_eq (program->observables[i].name, names[i]);
    ck_assert_int_eq (program->filter_only[i], i == 2);
  }
  /* Indices of atoms follow the sorted table. */
  ck_assert_uint_eq (program->filter->a->left.observable, 2);
  ck_assert_uint_eq (program->filter->b->left.observable, 1);
  ck_assert_uint_eq (program->condition->b->left.observable, 1);
  rsp_program_free (program);
}
END_TEST

START_TEST (long_conditions_stay_shallow) {
  g_autoptr (GString) text = g_string_new ("C T\n{ x=0; }\nP0 () {}\nexists (x=0");
  for (guint i = 1; i < 20000; i++)
    g_string_append_printf (text, " \\/ x=%u", i);
  g_string_append (text, ")");
  RspProgram *program = litmus_parse ("%s", text->str);
  guint depth = 0;
  const RspProp *prop = program->condition;
  for (; prop->kind == RSP_PROP_OR; prop = prop->a)
    depth++;
  ck_assert_uint_le (depth, 20);
  ck_assert_int_eq (prop->right.constant, 0);
  for (prop = program->condition; prop->kind == RSP_PROP_OR; prop = prop->b)
    ;
  ck_assert_int_eq (prop->right.constant, 19999);
  rsp_program_free (program);
}
END_TEST

START_TEST (values_are_printed) {
  RspProgram *program = litmus_parse ("C T\n{ x=0; int a[2]; }\nP0 () { int r0, r1; }\nexists ()");
  const RspType number = { .bits = 64, .is_signed = TRUE }, natural = { .bits = 64 },
                pointer = { .bits = 32, .pointers = 1 };
  const struct {
    const RspType *type;
    gint64 value;
    const char *text;
  } cases[] = { { &number, 0, "0" },
                { &number, -5, "-5" },
                { &natural, -5, "18446744073709551611" },
                { &number, rsp_address (0, 0), "4611686018427387904" },
                { &pointer, 0, "0" },
                { &pointer, rsp_address (0, 0), "x" },
                { &pointer, rsp_address (0, 1), "x+1" },
                { &pointer, rsp_address (1, 0), "a[0]" },
                { &pointer, rsp_address (1, 1), "a[1]" },
                { &pointer, rsp_address (1, -1), "a[0]-1" },
                { &pointer, rsp_address (4, 0), "&0:r1" } };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GString) out = g_string_new (NULL);
    rsp_program_format_value (program, cases[i].type, cases[i].value, out);
    ck_assert_str_eq (out->str, cases[i].text);
  }
  rsp_program_free (program);
}
END_TEST

START_TEST (names_of_words) {
  ck_assert_str_eq (rsp_order_name (RSP_ORDER_ACQ_REL), "memory_order_acq_rel");
  ck_assert_str_eq (rsp_order_name (RSP_ORDER_NA), "na");
  ck_assert_str_eq (rsp_scope_name (NULL, RSP_SCOPE_ALL), "memory_scope_all_svm_devices");
}
END_TEST

/* ---- Damaged tests ---- */

/* Truncated anywhere, and with any byte gone or doubled, a test gives a program or an error.
 * Truncated between its parts, it has no question, which is noticed. */
START_TEST (damaged_tests_never_crash) {
  g_autofree char *text = NULL;
  gsize length;
  ck_assert (g_file_get_contents ("litmus/rsp/RSP_Test1.litmus", &text, &length, NULL));
  for (gsize i = 0; i < length; i++) {
    LitmusOutcome outcome = litmus_try ("%.*s", (int) i, text);
    ck_assert_msg (!outcome.program || i + 1 == length
                       || strstr (outcome.text, "has neither a condition nor `locations`"),
                   "cut at %zu", i);
    litmus_outcome_clear (&outcome);
    outcome = litmus_try ("%.*s%s", (int) i, text, text + i + 1);
    litmus_outcome_clear (&outcome);
    outcome = litmus_try ("%.*s%c%s", (int) i, text, "(){};,@*\x7f\xc3"[i % 10], text + i);
    litmus_outcome_clear (&outcome);
  }
}
END_TEST

Suite *litmus_suite (void) {
  Suite *suite = suite_create ("litmus");
  TCase *tcase = tcase_create ("litmus");
  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, hash_is_herds);
  tcase_add_test (tcase, hash_looks_at_the_right_parts);
  tcase_add_test (tcase, types_are_spelled_for_the_hash);
  tcase_add_test (tcase, raw_text_is_exact);
  tcase_add_test (tcase, scope_hash_tells_trees_apart);
  tcase_add_test (tcase, head_and_metadata);
  tcase_add_test (tcase, caml_comments_end_at_bodies);
  tcase_add_test (tcase, scope_trees_are_filled);
  tcase_add_test (tcase, scope_trees_are_written);
  tcase_add_test (tcase, heads_place_threads);
  tcase_add_test (tcase, without_tree_threads_are_apart);
  tcase_add_test (tcase, initial_values);
  tcase_add_test (tcase, parameters_declare_locations);
  tcase_add_test (tcase, registers_have_initial_values);
  tcase_add_test (tcase, conditions_are_printed);
  tcase_add_test (tcase, right_sides_are_distinguished);
  tcase_add_test (tcase, observables_are_sorted);
  tcase_add_test (tcase, long_conditions_stay_shallow);
  tcase_add_test (tcase, values_are_printed);
  tcase_add_test (tcase, names_of_words);
  tcase_add_test (tcase, damaged_tests_never_crash);
  suite_add_tcase (suite, tcase);
  return suite;
}
