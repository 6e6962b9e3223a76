/* The litmus front end: threads' code. What names mean, types, calls and statements. */
#include "parser/litmus/litmus.h"
#include "tests/unit/litmus_fixture.h"

#include <string.h>

Suite *litmus_code_suite (void);

/* A program whose P0 has the body. */
static RspProgram *parse_body (const char *body) {
  return litmus_parse ("OpenCL T\n{ x=0; y=0; p=x; int a[4]; long l=0; uchar c=0; uint u=0; }\n"
                       "P0 (global atomic_int* x, global int* y, local atomic_int* m, "
                       "global atomic_int** p, global int* a, global long* l, global uchar* c, "
                       "global uint* u) {\n%s\n}\n"
                       "scopeTree (device P0)\nexists ()",
                       body);
}

/* ---- Printing what was understood ---- */

static void print_expr (const RspProgram *program, const RspExpr *expr, GString *out);

static const char *const operators[]
    = { "",   "+",  "-", "*",  "/", "%",  "<<", ">>", "&", "|", "^", "min", "max", "xchg",
        "==", "!=", "<", "<=", ">", ">=", "&&", "||", ",", "-", "~", "!",   "+" };

static void print_call (const RspProgram *program, const RspCall *call, GString *out) {
  static const char *const kinds[]
      = { "load", "store", "fetch", "cas", "fence", "tas", "clear", "init", "swap", "reduce" };
  g_string_append_printf (out, "%s%s%s%s[%s", kinds[call->kind], operators[call->op],
                          call->weak ? "-weak" : "", call->words ? "-word" : "",
                          rsp_order_name (call->order) + strlen ("memory_order_"));
  if (call->kind == RSP_CALL_CAS)
    g_string_append_printf (out, "/%s", rsp_order_name (call->failure) + strlen ("memory_order_"));
  g_string_append_printf (out, " %s",
                          rsp_scope_name (NULL, call->scope) + strlen ("memory_scope_"));
  if (call->kind == RSP_CALL_FENCE)
    g_string_append_printf (out, " %u", call->flags);
  g_string_append_c (out, ']');
  const RspExpr *const arguments[] = { call->object, call->expected, call->value };
  for (gsize i = 0; i < G_N_ELEMENTS (arguments); i++)
    if (arguments[i]) {
      g_string_append_c (out, ' ');
      print_expr (program, arguments[i], out);
    }
}

static void print_node (const RspProgram *program, const RspExpr *expr, GString *out) {
  static const char *const kinds[]
      = { [RSP_EXPR_ASSIGN] = "=", [RSP_EXPR_CONDITIONAL] = "?", [RSP_EXPR_CAST] = "cast",
          [RSP_EXPR_DEREF] = "*",  [RSP_EXPR_INDEX] = "[]",      [RSP_EXPR_ADDRESS] = "&",
          [RSP_EXPR_STEP] = "step" };
  const RspExpr *const children[] = { expr->u.node.a, expr->u.node.b, expr->u.node.c };
  gboolean named = expr->kind != RSP_EXPR_UNARY && expr->kind != RSP_EXPR_BINARY;
  g_string_append_printf (out, "%s%s%s", operators[expr->u.node.op], named ? kinds[expr->kind] : "",
                          expr->u.node.post ? "post" : "");
  for (gsize i = 0; i < G_N_ELEMENTS (children); i++)
    if (children[i]) {
      g_string_append_c (out, ' ');
      print_expr (program, children[i], out);
    }
}

/* Prefix form, with the type after a colon: "(+ r0:s32 1:s32):s32"; a pointer has stars. */
static void print_expr (const RspProgram *program, const RspExpr *expr, GString *out) {
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
    g_string_append_printf (out, "%ld", (long) expr->u.constant);
    break;
  case RSP_EXPR_LOCATION:
    g_string_append (out, program->locations[expr->u.object].name);
    break;
  case RSP_EXPR_REGISTER:
    g_string_append_printf (out, "%s#%u", expr->name, expr->u.reg);
    break;
  default:
    g_string_append_c (out, '(');
    if (expr->kind == RSP_EXPR_CALL)
      print_call (program, expr->u.call, out);
    else
      print_node (program, expr, out);
    g_string_append_c (out, ')');
  }
  g_string_append_printf (out, ":%c%u", expr->type.is_signed ? 's' : 'u', expr->type.bits);
  for (guint i = 0; i < expr->type.pointers; i++)
    g_string_append_c (out, '*');
}

/* The value of the last statement's expression. */
static char *understood (const char *body) {
  RspProgram *program = parse_body (body);
  const RspStatement *last = program->threads[0].body->first;
  while (last->next)
    last = last->next;
  GString *out = g_string_new (NULL);
  print_expr (program, last->expr, out);
  rsp_program_free (program);
  return g_string_free (out, FALSE);
}

typedef struct Case {
  const char *body, *understood;
} Case;

static void check_cases (const Case *cases, gsize n) {
  for (gsize i = 0; i < n; i++) {
    g_autofree char *got = understood (cases[i].body);
    ck_assert_msg (strcmp (got, cases[i].understood) == 0, "%s\n  %s\n  %s", cases[i].body, got,
                   cases[i].understood);
  }
}

/* ---- Expressions ---- */

START_TEST (precedence_is_that_of_c) {
  static const Case cases[] = {
    { "1 + 2 * 3;", "(+ 1:s32 (* 2:s32 3:s32):s32):s32" },
    { "1 - 2 - 3;", "(- (- 1:s32 2:s32):s32 3:s32):s32" },
    { "1 | 2 ^ 3 & 4 == 5;", "(| 1:s32 (^ 2:s32 (& 3:s32 (== 4:s32 5:s32):s32):s32):s32):s32" },
    { "1 || 2 && 3;", "(|| 1:s32 (&& 2:s32 3:s32):s32):s32" },
    { "1 < 2 << 3;", "(< 1:s32 (<< 2:s32 3:s32):s32):s32" },
    { "!1 == ~2;", "(== (! 1:s32):s32 (~ 2:s32):s32):s32" },
    { "1 ? 2 : 3 ? 4 : 5;", "(? 1:s32 2:s32 (? 3:s32 4:s32 5:s32):s32):s32" },
    { "int r, s; r = s = 1;", "(= r#0:s32 (= s#1:s32 1:s32):s32):s32" },
    { "int r; r += 1, r;", "(, (+= r#0:s32 1:s32):s32 r#0:s32):s32" },
    { "int r; r <<= 1;", "(<<= r#0:s32 1:s32):s32" },
    { "-y[1];", "(- ([] y:s32* 1:s32):s32):s32" },
    { "*y++;", NULL },
    { "int r; ++r; r--;", "(-steppost r#0:s32):s32" },
    { "(char) 1 + 2;", "(+ (cast 1:s32):s8 2:s32):s32" },
    { "&a[2];", "(& ([] a[0]:s32* 2:s32):s32):s32*" },
    { "*&*y;", "(* (& (* y:s32*):s32):s32*):s32" },
    { "1[a];", "([] a[0]:s32* 1:s32):s32" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    if (cases[i].understood)
      check_cases (&cases[i], 1);
}
END_TEST

START_TEST (types_convert_as_in_c) {
  static const Case cases[] = {
    { "*c + *c;", "(+ (* c:u8*):u8 (* c:u8*):u8):s32" },
    { "*u + 1;", "(+ (* u:u32*):u32 1:s32):u32" },
    { "*u + *l;", "(+ (* u:u32*):u32 (* l:s64*):s64):s64" },
    { "*u < -1;", "(< (* u:u32*):u32 (- 1:s32):s32):s32" },
    { "*c << *l;", "(<< (* c:u8*):u8 (* l:s64*):s64):s32" },
    { "-*c;", "(- (* c:u8*):u8):s32" },
    { "*c = 300;", "(= (* c:u8*):u8 300:s32):u8" },
    { "1 ? *c : *l;", "(? 1:s32 (* c:u8*):u8 (* l:s64*):s64):s64" },
    { "y + 1;", "(+ y:s32* 1:s32):s32*" },
    { "y - y;", "(- y:s32* y:s32*):s64" },
    { "y == NULL;", "(== y:s32* 0:s0*):s32" },
    { "1 ? y : 0;", "(? 1:s32 y:s32* 0:s32):s32*" },
    { "**p;", "(* (* p:s32**):s32*):s32" },
    { "int r; &r;", "(& r#0:s32):s32*" },
    { "(ulong) 1;", "(cast 1:s32):u64" },
    { "(global int *) 0;", "(cast 0:s32):s32*" },
    { "true + false;", "(+ 1:s32 0:s32):s32" },
  };
  check_cases (cases, G_N_ELEMENTS (cases));
}
END_TEST

START_TEST (literals_have_c_types) {
  static const Case cases[] = {
    { "2147483647;", "2147483647:s32" },
    { "2147483648;", "2147483648:s64" },
    { "0x7fffffff;", "2147483647:s32" },
    { "0x80000000;", "2147483648:u32" },
    { "4294967295u;", "4294967295:u32" },
    { "4294967296U;", "4294967296:u64" },
    { "1l;", "1:s64" },
    { "1uLL;", "1:u64" },
    { "010;", "8:s32" },
    { "0;", "0:s32" },
    { "'a';", "97:s32" },
    { "'\\n';", "10:s32" },
    { "'\\0';", "0:s32" },
    { "'\\x41';", "65:s32" },
    { "'\\'';", "39:s32" },
    { "18446744073709551615;", "-1:u64" },
  };
  check_cases (cases, G_N_ELEMENTS (cases));
}
END_TEST

/* ---- Calls ---- */

START_TEST (calls_are_understood) {
  static const Case cases[] = {
    { "atomic_load (x);", "(load[seq_cst device] x:s32*):s32" },
    { "atomic_load_explicit (x, memory_order_acquire);", "(load[acquire device] x:s32*):s32" },
    { "atomic_load_explicit_remote (x, memory_order_acquire, memory_scope_sub_group);",
      "(load-word[acquire sub_group] x:s32*):s32" },
    { "atomic_store_remote (x, 1);", "(store-word[seq_cst device] x:s32* 1:s32):u0" },
    { "atomic_fetch_sub (&a[1], 2);",
      "(fetch-[seq_cst device] (& ([] a[0]:s32* 1:s32):s32):s32* 2:s32):s32" },
    { "atomic_fetch_max_explicit (u, 2, memory_order_acq_rel);",
      "(fetchmax[acq_rel device] u:u32* 2:s32):u32" },
    { "atomic_exchange_explicit (x, 2, mo_rlx, s_wi);",
      "(fetchxchg[relaxed work_item] x:s32* 2:s32):s32" },
    { "int e; atomic_compare_exchange_strong (x, &e, 1);",
      "(cas[seq_cst/seq_cst device] x:s32* (& e#0:s32):s32* 1:s32):u1" },
    { "atomic_compare_exchange_weak_explicit_remote (x, y, 1, memory_order_acq_rel, "
      "memory_order_relaxed, memory_scope_all_svm_devices);",
      "(cas-weak-word[acq_rel/relaxed all_svm_devices] x:s32* y:s32* 1:s32):u1" },
    { "scas_explicit (x, y, 1, mo_acq, mo_acq, s_wg);",
      "(cas[acquire/acquire work_group] x:s32* y:s32* 1:s32):u1" },
    { "store_exp (x, 1, mo_rel, s_dev);", "(store[release device] x:s32* 1:s32):u0" },
    { "load (x);", "(load[seq_cst device] x:s32*):s32" },
    { "atomic_flag_test_and_set (x);", "(tas[seq_cst device] x:s32*):u1" },
    { "atomic_flag_clear_explicit (x, memory_order_release, memory_scope_all_devices);",
      "(clear[release all_svm_devices] x:s32*):u0" },
    { "atomic_init (x, 3);", "(init[seq_cst device] x:s32* 3:s32):u0" },
    { "atomic_work_item_fence (CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE | "
      "CLK_IMAGE_MEM_FENCE, memory_order_seq_cst, memory_scope_work_group);",
      "(fence[seq_cst work_group 7]):u0" },
    { "fence (CLK_LOCAL_MEM_FENCE, mo_rel, s_wg);", "(fence[release work_group 2]):u0" },
    { "fence (mo_rel);", "(fence[release device 3]):u0" },
    { "fence_remote (mo_sc, s_all);", "(fence-word[seq_cst all_svm_devices 3]):u0" },
    { "atomic_thread_fence (memory_order_acq_rel);", "(fence[acq_rel device 3]):u0" },
    { "atomic_load (atomic_load (p));",
      "(load[seq_cst device] (load[seq_cst device] p:s32**):s32*):s32" },
    { "atomic_store (x, 1 + atomic_fetch_add (x, 1));",
      "(store[seq_cst device] x:s32* "
      "(+ 1:s32 (fetch+[seq_cst device] x:s32* 1:s32):s32):s32):u0" },
  };
  check_cases (cases, G_N_ELEMENTS (cases));
}
END_TEST

START_TEST (every_short_name_is_known) {
  static const char *const orders[]
      = { "mo_relaxed", "mo_rlx",    "mo_acquire", "mo_acq", "mo_release",          "mo_rel",
          "mo_acq_rel", "mo_acqrel", "mo_seq_cst", "mo_sc",  "memory_order_seq_cst" };
  static const char *const scopes[] = { "s_wi",
                                        "s_sg",
                                        "s_wg",
                                        "s_dev",
                                        "s_all",
                                        "s_work_item",
                                        "s_sub_group",
                                        "s_work_group",
                                        "s_device",
                                        "s_all_devices",
                                        "s_all_svm_devices" };
  for (gsize i = 0; i < G_N_ELEMENTS (orders); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (scopes); k++) {
      g_autofree char *body
          = g_strdup_printf ("exchange_explicit (x, 1, %s, %s);", orders[i], scopes[k]);
      rsp_program_free (parse_body (body));
    }
}
END_TEST

START_TEST (consume_is_of_c) {
  RspProgram *program = litmus_parse (
      "C T\n{}\nP0 (atomic_int *x) { int r = atomic_load_explicit (x, memory_order_consume); }\n"
      "exists ()");
  ck_assert_int_eq (program->threads[0].body->first->expr->u.call->order, RSP_ORDER_CONSUME);
  rsp_program_free (program);
}
END_TEST

/* ---- Statements ---- */

static void print_statement (const RspStatement *s, GString *out) {
  static const char *const names[] = { ";",  "e",   "d",     "{}",       "if",     "while",
                                       "do", "for", "break", "continue", "return", "barrier" };
  g_string_append (out, names[s->kind]);
  if (s->kind == RSP_STATEMENT_DECLARATION)
    g_string_append_printf (out, "%u%s", s->reg, s->expr ? "=" : "");
  if (s->kind == RSP_STATEMENT_BARRIER)
    g_string_append_printf (out, "<%s %u %s>", s->label ? s->label : "", s->flags,
                            rsp_scope_name (NULL, s->scope) + strlen ("memory_scope_"));
  const RspStatement *const parts[] = { s->init, s->body, s->otherwise };
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i]) {
      g_string_append_c (out, '(');
      print_statement (parts[i], out);
      g_string_append_c (out, ')');
    }
  for (const RspStatement *inner = s->first; inner; inner = inner->next) {
    g_string_append_c (out, ' ');
    print_statement (inner, out);
  }
}

START_TEST (statements_are_understood) {
  static const Case cases[] = {
    { ";", "{} ;" },
    { "int r0, *q = y, r1 = 2;", "{} d0 d1= d2=" },
    { "if (*y) *y = 1; else { }", "{} if(e)({})" },
    { "if (*y) if (*x) ; else *y = 1;", "{} if(if(;)(e))" },
    { "if (*y) int r = 1;", "{} if(d0=)" },
    { "while (*y) { break; continue; }", "{} while({} break continue)" },
    { "do *y = 1; while (*y);", "{} do(e)" },
    { "for (;;) ;", "{} for(;)" },
    { "for (int i = 0, j; i < 2; i++) { int i; }", "{} for({} d0= d1)({} d2)" },
    { "int i; for (i = 0; i < 2; ) i++;", "{} d0 for(e)(e)" },
    { "return; return 1;", "{} return {} e return" },
    { "barrier (CLK_GLOBAL_MEM_FENCE);", "{} barrier< 1 work_group>" },
    { "L1: barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device);",
      "{} barrier<L1 3 device>" },
    { "work_group_barrier (CLK_LOCAL_MEM_FENCE); barrier (0);",
      "{} barrier< 2 work_group> barrier< 0 work_group>" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    RspProgram *program = parse_body (cases[i].body);
    g_autoptr (GString) out = g_string_new (NULL);
    print_statement (program->threads[0].body, out);
    ck_assert_str_eq (out->str, cases[i].understood);
    rsp_program_free (program);
  }
}
END_TEST

START_TEST (blocks_scope_names) {
  static const Case cases[] = {
    { "int r = 1; { int r = 2; } r;", "r#0:s32" },
    { "int r = 1; { int r = 2; r; { r = 3; } }", NULL },
    { "{ int r = 1; } long r = 2; r;", "r#1:s64" },
    { "for (long r = 0; r < 1; r++) ; int r; r;", "r#1:s32" },
    { "int r = 1; if (r) { char r = 2; } else { long r; } r;", "r#0:s32" },
    { "{ int x = 1; } x;", "x:s32*" },
    { "{ r0 = 1; } r0;", "r0#0:s32" },
    { "r0 = y; *r0;", "(* r0#0:s32*):s32" },
    { "r0 = *l; r0;", "r0#0:s64" },
    { "r0 = *c; r0;", "r0#0:s32" },
    { "int *q = y, r = *q; *q = r; q[1];", "([] q#0:s32* 1:s32):s32" },
    { "volatile int r; const uint s = 1; r + s;", "(+ r#0:s32 s#1:u32):u32" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    if (cases[i].understood)
      check_cases (&cases[i], 1);
  RspProgram *program = parse_body (cases[1].body);
  const RspStatement *block = program->threads[0].body->first->next;
  ck_assert_uint_eq (block->first->next->expr->u.reg, 1);
  ck_assert_uint_eq (block->first->next->next->first->expr->u.node.a->u.reg, 1);
  rsp_program_free (program);
}
END_TEST

START_TEST (spaces_reach_expressions) {
  RspProgram *program = parse_body ("atomic_load (m); atomic_load (x);");
  const RspStatement *first = program->threads[0].body->first;
  const RspExpr *m = first->expr->u.call->object, *x = first->next->expr->u.call->object;
  ck_assert_int_eq (m->type.space, RSP_SPACE_LOCAL);
  ck_assert_int_eq (x->type.space, RSP_SPACE_GLOBAL);
  ck_assert (m->type.is_atomic && x->type.is_atomic);
  rsp_program_free (program);
}
END_TEST

START_TEST (spans_cover_what_was_written) {
  RspProgram *program = litmus_parse ("C T\n{}\nP0 (int* x) {\n  int r0 = *x + (1 + 2);\n"
                                      "  if (r0) { *x = 1; }\n}\nexists ()");
  const RspStatement *first = program->threads[0].body->first;
  const char *text = program->source->text;
  RspSpan span = first->expr->span;
  ck_assert_int_eq (strncmp (text + span.begin, "*x + (1 + 2);", span.end - span.begin + 1), 0);
  ck_assert_uint_eq (rsp_span_line (first->next->span), 5);
  ck_assert_uint_eq (rsp_span_line (program->threads[0].span), 3);
  rsp_program_free (program);
}
END_TEST

Suite *litmus_code_suite (void) {
  Suite *suite = suite_create ("litmus_code");
  TCase *tcase = tcase_create ("litmus_code");
  tcase_add_test (tcase, precedence_is_that_of_c);
  tcase_add_test (tcase, types_convert_as_in_c);
  tcase_add_test (tcase, literals_have_c_types);
  tcase_add_test (tcase, calls_are_understood);
  tcase_add_test (tcase, every_short_name_is_known);
  tcase_add_test (tcase, consume_is_of_c);
  tcase_add_test (tcase, statements_are_understood);
  tcase_add_test (tcase, blocks_scope_names);
  tcase_add_test (tcase, spaces_reach_expressions);
  tcase_add_test (tcase, spans_cover_what_was_written);
  suite_add_tcase (suite, tcase);
  return suite;
}
