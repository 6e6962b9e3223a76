/* Trees of the cat grammar, printed with all brackets. Errors: tests/errors/cat. */
#include "parser/cat/cat.h"
#include "tests/unit/cat_print.h"

#include <check.h>
#include <string.h>

Suite *cat_parse_suite (void);

static RspArena *arena;
static RspSource *source;
static RspDiagnostics *diagnostics;

static void set_up (void) {
  arena = rsp_arena_new ();
  diagnostics = rsp_diagnostics_new ();
}

static void tear_down (void) {
  rsp_diagnostics_free (diagnostics);
  rsp_source_unref (source);
  source = NULL;
  rsp_arena_free (arena);
}

static RspCatFile *parse_bytes (const char *text, gsize length) {
  rsp_source_unref (source);
  source = rsp_source_new ("t.cat", g_memdup2 (text, length + 1), length);
  rsp_diagnostics_truncate (diagnostics, 0);
  return rsp_cat_parse (source, arena, diagnostics);
}

static RspCatFile *parse (const char *text) { return parse_bytes (text, strlen (text)); }

static void expect_file (const char *text, const char *printed) {
  RspCatFile *file = parse (text);
  if (!file)
    ck_abort_msg ("%s: %s", text, rsp_diagnostics_get (diagnostics, 0)->message);
  g_autoptr (GString) out = g_string_new (NULL);
  cat_print_statements (file->statements, out);
  ck_assert_str_eq (out->str, printed);
}

/* Several, as lines of TEXT then PRINTED. */
#define EXPECT_EACH(table, prefix)                                                                 \
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {                                               \
    g_autofree char *text = g_strconcat (prefix, table[i][0], "\n", NULL);                         \
    g_autofree char *printed = g_strconcat (prefix, table[i][1], NULL);                            \
    expect_file (text, printed);                                                                   \
  }

static const char *const expressions[][2] = {
  /* Precedence, loosest first. */
  { "a | b ++ c", "(a|(b++c))" },
  { "a ; b ++ c", "((a;b)++c)" },
  { "a \\ b ; c", "((a\\b);c)" },
  { "a & b \\ c", "((a&b)\\c)" },
  { "a & b * c", "(a&(b x c))" },
  { "a * b+", "(a x b^+)" },
  { "~a+", "~a^+" },
  { "!a^-1", "~a^-1" },
  { "~f a", "~(f @ a)" },
  { "f a+", "(f @ a)^+" },
  { "a | b | c", "((a|b)|c)" },
  { "a \\ b \\ c", "((a\\b)\\c)" },
  { "a ++ b ++ c", "(a++(b++c))" },
  { "a * b * c", "(a x (b x c))" },
  { "[a];po;[b]", "(([a];po);[b])" },
  { "rf^-1 ; co \\ id", "(rf^-1;(co\\id))" },
  { "a;b|c&d\\e", "((a;b)|((c&d)\\e))" },
  /* The two stars. */
  { "po*", "po^*" },
  { "W*R", "(W x R)" },
  { "W * R", "(W x R)" },
  { "(po)*;rf", "(po^*;rf)" },
  { "po* | rf", "(po^*|rf)" },
  { "F*M", "(F x M)" },
  { "po* & loc", "(po^*&loc)" },
  { "(W * R)*", "(W x R)^*" },
  { "W*R* | x", "((W x R^*)|x)" },
  { "W*(R|F)", "(W x (R|F))" },
  { "W*_", "(W x _)" },
  { "_*W", "(_ x W)" },
  { "W*~R", "(W x ~R)" },
  { "[W]*;a", "([W]^*;a)" },
  { "(a*)", "a^*" },
  { "f(a*,b*)", "(f @ (a^*,b^*))" },
  { "a**", "a^*^*" },
  { "a*?+", "a^*^?^+" },
  { "a^* | b", "(a^*|b)" },
  /* Postfix signs, spelled in every way. */
  { "a^-1", "a^-1" },
  { "a ^ -1", "a^-1" },
  { "a ^ - 1 ^2", "a^-1^2" },
  { "a^+ | a^* | a^?", "((a^+|a^*)|a^?)" },
  { "a+ | a? ; b", "(a^+|(a^?;b))" },
  { "(rf^-1)?;co", "(rf^-1^?;co)" },
  /* Application. */
  { "f(a,b)", "(f @ (a,b))" },
  { "f (a)", "(f @ a)" },
  { "f a b", "((f @ a) @ b)" },
  { "f()", "(f @ ())" },
  { "f (g a) [b]", "((f @ (g @ a)) @ [b])" },
  { "WW(po)|RM(po)", "((WW @ po)|(RM @ po))" },
  { "f 'a", "(f @ 'a)" },
  /* Names. */
  { "po-loc | ext-work-group", "(po-loc|ext-work-group)" },
  { "rf' ; a'b ; dmb.st ; x_1-2", "(((rf';a'b);dmb.st);x_1-2)" },
  { "fun x->x-y", "(fun x -> x-y)" },
  { "from | do | subset | variant | not | default | flag | assert",
    "(((((((from|do)|subset)|variant)|not)|default)|flag)|assert)" },
  { "not(instructions)", "(not @ instructions)" },
  /* The rest. */
  { "0 | {} | _ | unv", "(((0|0)|_)|unv)" },
  { "{a, b|c}", "{a,(b|c)}" },
  { "{'a,'b}", "{'a,'b}" },
  { "{0}", "{0}" },
  { "(a,(b,c),())", "(a,(b,c),())" },
  { "begin a | b end ; c", "((a|b);c)" },
  { "let x = a in x ; x", "(let x = a in (x;x))" },
  { "let rec x = y and y = x in x", "(let rec x = y and y = x in x)" },
  { "let y = let z = a in z in y", "(let y = (let z = a in z) in y)" },
  { "fun (a,_) -> a|b", "(fun (a,_) -> (a|b))" },
  { "fun a b -> a", "(fun a -> (fun b -> a))" },
  { "fun () -> a", "(fun () -> a)" },
  { "try a with b | c", "(try a with (b|c))" },
  { "if a = b then c else d | e", "(if <a = b> then c else (d|e))" },
  { "if a subset b | c then d else e", "(if <a subset (b|c)> then d else e)" },
  { "if a != b && c <> d || not e in f then g else h",
    "(if <<<a != b> && <c != d>> || <not <e in f>>> then g else h)" },
  { "if \"x\" && not \"y\" then a else b", "(if <<\"x\"> && <not <\"y\">>> then a else b)" },
  { "if not variant \"y\" || ~(\"z\") then a else b",
    "(if <<not <\"y\">> || <not <\"z\">>> then a else b)" },
  { "if (a|b) = c then a else b", "(if <(a|b) = c> then a else b)" },
  { "if ((a) = c) then a else b", "(if <a = c> then a else b)" },
  { "if ~a = b then a else b", "(if <~a = b> then a else b)" },
  { "a | (if (\"v\") then 0 else b)", "(a|(if <\"v\"> then 0 else b))" },
  { "match x with 'a -> b || _ -> c end", "(match x with || 'a -> b || _ -> c)" },
  { "match S with || {} -> 0 || x ++ xs -> f x || a U b U c -> d end",
    "(match S with || {} -> 0 || x ++ xs -> (f @ x) || a U b U c -> d)" },
  { "match S with 0 -> 0 || xs U {x} U _ -> x || _ ++ xs -> 0 end",
    "(match S with || {} -> 0 || xs U x U _ -> x || _ ++ xs -> 0)" },
  { "a (* c (* nested *) po| *) | b # rest |", "(a|b)" },
  { "a // rest |\n | b", "(a|b)" },
  { "(debug a|b);c", "((a|b);c)" },
};

START_TEST (expressions_nest_as_documented) { EXPECT_EACH (expressions, "let x = "); }
END_TEST

static const char *const statements[][2] = {
  { "let x = a and y = b", "let x = a and y = b" },
  { "let rec x = a and y(z) = b", "let rec x = a and y = (fun z -> b)" },
  { "let f(a,b) = a", "let f = (fun (a,b) -> a)" },
  { "let f a b = a", "let f = (fun a -> (fun b -> a))" },
  { "let f (a) (b,c) = a", "let f = (fun a -> (fun (b,c) -> a))" },
  { "let (a,b) = e", "let (a,b) = e" },
  { "let (a,(b,_)) = e", "let (a,(b,_)) = e" },
  { "let f () = e", "let f = (fun () -> e)" },
  { "let _ = e", "let _ = e" },
  { "acyclic a", "acyclic a" },
  { "irreflexive a as n", "irreflexive a as n" },
  { "empty a as \"a name\"", "empty a as a name" },
  { "~empty a as n", "~empty a as n" },
  { "~ acyclic a", "~acyclic a" },
  { "flag ~empty a as n", "flag ~empty a as n" },
  { "undefined_unless empty a as n", "undefined_unless empty a as n" },
  { "requires irreflexive a", "undefined_unless irreflexive a" },
  { "assert empty a as n", "assert empty a as n" },
  { "show a", "show a" },
  { "show a, b", "show a b" },
  { "show a|b as n", "show (a|b) as n" },
  { "show a, b;c as n, d", "show a d; show (b;c) as n" },
  { "show a as n", "show a as n" },
  { "debug a|b", "let _ = (a|b)" },
  { "unshow a, b", "unshow a b" },
  { "include \"a b.cat\"", "include <a b.cat>" },
  { "procedure p(a) = acyclic a end call p(b)", "procedure p a { acyclic a }; call p b" },
  { "procedure p(a,b) = let x = a empty x end", "procedure p (a,b) { let x = a; empty x }" },
  { "procedure p a = end", "procedure p a {  }" },
  { "procedure p() = end call p()", "procedure p () {  }; call p ()" },
  { "procedure rec p a = call p a end", "procedure rec p a { call p a }" },
  { "call p(a,b) as n", "call p (a,b) as n" },
  { "call p a", "call p a" },
  { "enum t = 'a || 'b || 'c-d", "t:enum a b c-d" },
  { "enum t = || 'a", "t:enum a" },
  { "forall x in a do acyclic x end", "forall x in a { acyclic x }" },
  { "foreach (x,y) in a | b do end", "forall (x,y) in (a|b) {  }" },
  { "with x from f(a)", "with x in (f @ a)" },
  { "with from from from", "with from in from" },
  { "if \"v\" acyclic a end", "if <\"v\"> { acyclic a } {  }" },
  { "if \"v\" acyclic a else let b = c end", "if <\"v\"> { acyclic a } { let b = c }" },
  { "if a subset b then acyclic a end", "if <a subset b> { acyclic a } {  }" },
  { "if not \"v\" ~empty a end", "if <not <\"v\">> { ~empty a } {  }" },
  { "match x with 'a -> acyclic a || _ -> end", "match x || 'a -> acyclic a || _ -> " },
  { "instructions R[{'a,'b}]", "R:instructions a b" },
  { "instructions RMW[{'a},c,{'b}]", "RMW:instructions a c b" },
  { "default F['a]", "F:instructions a" },
};

START_TEST (statements_of_each_kind) { EXPECT_EACH (statements, ""); }
END_TEST

/* What ends one expression begins the next statement, whatever the next statement is. */
START_TEST (statements_need_no_separator) {
  for (gsize i = 0; i < G_N_ELEMENTS (statements); i++) {
    g_autofree char *text = g_strconcat ("let x = po*\n", statements[i][0], NULL);
    g_autofree char *printed = g_strconcat ("let x = po^*; ", statements[i][1], NULL);
    expect_file (text, printed);
  }
}
END_TEST

static void expect_head (const char *text, const char *name, const char *options) {
  RspCatFile *file = parse (text);
  ck_assert_msg (file != NULL, "%s", text);
  ck_assert_pstr_eq (file->name, name);
  g_autofree char *joined = g_strjoinv (",", (char **) file->options);
  ck_assert_str_eq (joined, options);
  ck_assert_ptr_nonnull (file->statements);
}

START_TEST (heads) {
  expect_head ("show po", NULL, "");
  expect_head ("OpenCL\nshow po", "OpenCL", "");
  expect_head ("\"HRF0\"\nshow po", "HRF0", "");
  expect_head ("C withco\nshow po", "C", "withco");
  expect_head ("C++11\nwithco withoutinit\nwithsc show po", "C++11", "withco,withoutinit,withsc");
  expect_head ("withoutco\nshow po", NULL, "withoutco");
  expect_head ("(* c *) ARMv8 v8.4-A  # c\nshow po", "ARMv8 v8.4-A", "");
  expect_head ("A model of mine include \"x\"", "A model of mine", "");
  expect_head ("OpenCL \"remote\"\nshow po", "OpenCL", "");
  expect_head ("OpenCL // c\nwithsc\n\"text\"\nshow po", "OpenCL", "withsc");
  expect_head ("\xef\xbb\xbf\"x\ny\"\r\nshow po\r\n", "x\ny", "");
  expect_head ("undefined_unless empty r", NULL, "");
  expect_head ("Flat\nlet Flat = po", "Flat", "");
  expect_head ("let withco = po", NULL, "");
}
END_TEST

START_TEST (a_file_may_say_nothing) {
  ck_assert_ptr_null (parse ("")->statements);
  ck_assert_ptr_null (parse ("(* nothing *)")->statements);
  ck_assert_str_eq (parse ("OpenCL")->name, "OpenCL");
}
END_TEST

START_TEST (spans_cover_the_text) {
  RspCatFile *file = parse ("let x = a | (b ; c)\nempty x as n");
  const RspCatExpr *value = file->statements->bindings->value;
  ck_assert_uint_eq (value->span.begin, 8);
  ck_assert_uint_eq (value->span.end, 19);
  ck_assert_uint_eq (value->b->span.begin, 13);
  ck_assert_uint_eq (value->depth, 3);
  const RspCatStatement *axiom = file->statements->next;
  ck_assert_uint_eq (axiom->span.begin, 20);
  ck_assert_uint_eq (axiom->name_span.begin, 31);
  ck_assert_uint_eq (axiom->name_span.end, 32);
  ck_assert_uint_eq (rsp_span_line (axiom->span), 2);
}
END_TEST

static char *repeat (const char *head, const char *before, const char *middle, const char *after,
                     guint n) {
  GString *text = g_string_new (head);
  for (guint i = 0; i < n; i++)
    g_string_append (text, before);
  g_string_append (text, middle);
  for (guint i = 0; i < n; i++)
    g_string_append (text, after);
  return g_string_free (text, FALSE);
}

/* Each nested a hundred thousand times gives one error, and ten times none. */
START_TEST (nesting_has_a_limit) {
  static const char *const forms[][4] = {
    { "let x = ", "(", "a", ")" },
    { "let x = ", "[", "a", "]" },
    { "let x = ", "~", "a", "" },
    { "let x = a", " | a", "", "" },
    { "let x = ", "a ++ ", "a", "" },
    { "let x = a", " a", "", "" },
    { "let x = a", "^+", "", "" },
    { "let x = ", "{", "a", "}" },
    { "let x = ", "fun y -> ", "a", "" },
    { "let x = ", "let y = a in ", "a", "" },
    { "let x = ", "let y = ", "a", " in a" },
    { "let x = ", "try a with ", "a", "" },
    { "let x = ", "if \"v\" then a else ", "a", "" },
    { "let x = if ", "not ", "\"v\"", "" },
    { "let x = if \"v\"", " || \"v\"", " then a else a", "" },
    { "let x = ", "match a with _ -> ", "a", " end" },
    { "", "if \"v\" ", "", " end" },
    { "", "procedure p() = ", "", " end" },
    { "let f", "(", "a", ")" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (forms); i++) {
    const char *const *f = forms[i];
    gboolean condition = g_str_has_suffix (f[2], "\"v\"");
    g_autofree char *tail = g_strconcat (f[2], condition ? " then a else a" : "", NULL);
    g_autofree char *deep = repeat (f[0], f[1], tail, f[3], 100000);
    ck_assert_ptr_null (parse (deep));
    ck_assert_uint_eq (rsp_diagnostics_count (diagnostics), 1);
    const char *message = rsp_diagnostics_get (diagnostics, 0)->message;
    ck_assert_msg (strstr (message, "nested too deeply") != NULL, "%s%s: %s", f[0], f[1], message);
    g_autofree char *shallow = repeat (f[0], f[1], tail, f[3], 10);
    g_autofree char *whole = g_strconcat (shallow, g_str_equal (f[0], "let f") ? " = a" : "", NULL);
    ck_assert_msg (parse (whole) != NULL, "%s", whole);
  }
}
END_TEST

START_TEST (long_files_are_read) {
  g_autofree char *text
      = repeat ("", "let x = po | rf;co\n", "", "(* c *) acyclic x as n\n", 20000);
  ck_assert_ptr_nonnull (parse (text));
}
END_TEST

/* Any bytes: a tree or exactly one error with a position. */
START_TEST (garbage_gives_one_error) {
  static const char *const pieces[]
      = { "let ", "x",  "=",   " ",   "(",      ")",     "(*",           "*)",
          "\"",   "|",  "^-1", "*",   "match ", "with ", "end ",         "{",
          "}",    "->", "||",  "if ", "'t ",    "\xff",  "\xe2\x88\xaa", "\n",
          "0",    "12", "as " };
  GRand *dice = g_rand_new_with_seed (7);
  for (guint round = 0; round < 20000; round++) {
    GString *text = g_string_new (round % 2 ? "let x = po " : "");
    guint n = (guint) g_rand_int_range (dice, 1, 12);
    for (guint i = 0; i < n; i++)
      if (round % 3)
        g_string_append (text, pieces[g_rand_int_range (dice, 0, G_N_ELEMENTS (pieces))]);
      else
        g_string_append_c (text, (char) g_rand_int_range (dice, 0, 256));
    RspCatFile *file = parse_bytes (text->str, text->len);
    ck_assert_uint_eq (rsp_diagnostics_count (diagnostics), file ? 0 : 1);
    if (!file) {
      const RspDiagnostic *error = rsp_diagnostics_get (diagnostics, 0);
      ck_assert_ptr_eq (error->span.source, source);
      ck_assert_uint_le (error->span.end, text->len);
      ck_assert (g_utf8_validate (error->message, -1, NULL));
    }
    g_string_free (text, TRUE);
  }
  g_rand_free (dice);
}
END_TEST

Suite *cat_parse_suite (void) {
  Suite *suite = suite_create ("cat_parse");
  TCase *tcase = tcase_create ("cat_parse");
  tcase_add_checked_fixture (tcase, set_up, tear_down);
  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, expressions_nest_as_documented);
  tcase_add_test (tcase, statements_of_each_kind);
  tcase_add_test (tcase, statements_need_no_separator);
  tcase_add_test (tcase, heads);
  tcase_add_test (tcase, a_file_may_say_nothing);
  tcase_add_test (tcase, spans_cover_the_text);
  tcase_add_test (tcase, nesting_has_a_limit);
  tcase_add_test (tcase, long_files_are_read);
  tcase_add_test (tcase, garbage_gives_one_error);
  suite_add_tcase (suite, tcase);
  return suite;
}
