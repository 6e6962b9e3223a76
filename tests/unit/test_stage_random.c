/* Random programs of cat, staged once and evaluated on several executions, against the same staged
 * anew with each execution given: all values must be equal. (What goes through a set treats its
 * elements alike: their order is unspecified, and differs between the two.) */
#include "tests/unit/stage_fixture.h"

#include <check.h>

Suite *stage_random_suite (void);

/* Forms of expressions by kind: %s stands for a set, %r a relation, %k a relation known without an
 * execution, %c a condition that is, %S a set of sets, %Q a set of relations. */
static const char *const sets[]
    = { "R", "W", "M", "F", "I", "A", "na", "_", "ACQ", "SC", "RMW", "FW", "0", "unv", "{}", NULL };
static const char *const set_forms[] = { "(%s | %s)",
                                         "(%s & %s)",
                                         "(%s \\ %s)",
                                         "(~%s)",
                                         "domain(%r)",
                                         "range(%r)",
                                         "(if %c then %s else %s)",
                                         "fold (fun (x, y) -> x | y) (%S, %s)",
                                         "(let q = %s in q | (q & %s))",
                                         "(fun x -> x | %s) (%s)",
                                         NULL };
static const char *const relations[]
    = { "po", "rf",  "co",  "fr",  "rfe", "rfi", "loc", "int", "ext", "wg", "wi",
        "id", "fre", "coe", "co0", "rf",  "co",  "fr",  "0",   "unv", NULL };
static const char *const relation_forms[] = {
  "(%r | %r)",
  "(%r | %r)",
  "(%r & %r)",
  "(%r & %r)",
  "(%r ; %r)",
  "(%r ; %r)",
  "(%r \\ %r)",
  "(~%r)",
  "(%r)^-1",
  "(%r)+",
  "(%r)?",
  "(%r)*",
  "[%s]",
  "(%s * %s)",
  "([%s] ; %r ; [%s])",
  "(if %c then %r else %r)",
  "fold (fun (x, y) -> x | y) (%Q, %r)",
  "fold (fun (x, y) -> (%r & (x * x)) | y) (%S, 0)",
  "(let rec z = %r | (%r & (z ; %r)) in z)",
  "(let rec z = %r | (%r & t) and t = (z ; %r) | %r in z & t)",
  "(let rec z = %r | (z ; %r) | (%r ; z) in z)",
  "(let rec f x = if x = %k then x | %r else %k in f (%k))",
  "(match %Q with {} -> 0 || x ++ xs -> x | fold (fun (a, b) -> a | b) (xs, %r) end)",
  "fold (fun (a, b) -> a & b) (%Q, %r)",
  "(let rec u s = match s with {} -> 0 || xs U {x} U ys -> u xs | (x & %r) | u ys end in u (%Q))",
  "PP(%r)",
  "WW(%r)",
  "ext(%r)",
  "noid(%r)",
  "(try nowhere(%r) with %r)",
  NULL
};
static const char *const known[] = { "wg", "wi", "loc", "id", "po", "int", NULL };
static const char *const known_forms[]
    = { "(%k & %k)", "(%k ; %k)", "(%k | %k)+", "[domain(%k)]", "toid(range(%k))", NULL };
static const char *const conditions[]
    = { "R subset M", "M subset R",        "\"on\"", "\"off\"", "wg = wi",
        "F = 0",      "{R} subset {R, W}", NULL };
static const char *const condition_forms[]
    = { "%k subset %k", "%k = %k", "(%c && %c)", "(%c || ~(%c))", NULL };
static const char *const sets_of_sets[]
    = { "classes(wg)", "classes(wi)", "classes(loc)", "partition(W)", "partition(R)", NULL };
static const char *const set_of_sets_forms[]
    = { "{%s, %s}", "map (fun s -> s & %s) (%S)", "(%s ++ {%s})", "(%S | {%s})", NULL };
static const char *const sets_of_relations[] = { "{rf, co}", "{po}", "{fr, rf, po}", NULL };
static const char *const set_of_relations_forms[]
    = { "{%r, %r, %r}", "map (fun s -> %r & (s * s)) (%S)", "map (fun r -> r ; %r) (%Q)",
        "(%r ++ %Q)",   "cross({{%r, %r}, {%r}})",          NULL };

static const struct {
  char letter;
  const char *const *leaves, *const *forms;
} kinds[] = { { 's', sets, set_forms },
              { 'r', relations, relation_forms },
              { 'k', known, known_forms },
              { 'c', conditions, condition_forms },
              { 'S', sets_of_sets, set_of_sets_forms },
              { 'Q', sets_of_relations, set_of_relations_forms } };

/* What a program defines: v0, v1, … of kind 's' or 'r'. */
typedef struct Writer {
  GRand *dice;
  GString *text;
  guint n;
  char defined[8];
} Writer;

static guint roll (Writer *writer, guint below) {
  return (guint) g_rand_int_range (writer->dice, 0, (gint32) below);
}

static const char *pick (Writer *writer, const char *const *list) {
  return list[roll (writer, g_strv_length ((char **) list))];
}

static void write_leaf (Writer *writer, char letter, const char *const *leaves) {
  guint i = writer->n && roll (writer, 2) ? roll (writer, writer->n) : writer->n;
  if (i < writer->n && writer->defined[i] == letter)
    g_string_append_printf (writer->text, "v%u", i);
  else
    g_string_append (writer->text, pick (writer, leaves));
}

static void write_expression (Writer *writer, char letter, guint depth) {
  guint kind = 0;
  while (kinds[kind].letter != letter)
    kind++;
  if (depth == 0 || roll (writer, 6) == 0) {
    write_leaf (writer, letter, kinds[kind].leaves);
    return;
  }
  for (const char *c = pick (writer, kinds[kind].forms); *c; c++)
    if (*c == '%')
      write_expression (writer, *++c, depth - 1);
    else
      g_string_append_c (writer->text, *c);
}

/* A few definitions, then as many flags as `n_flags`, named f0, f1, … */
static void write_program (Writer *writer, guint n_flags) {
  guint definitions = roll (writer, G_N_ELEMENTS (writer->defined));
  for (writer->n = 0; writer->n < definitions; writer->n++) {
    char kind = roll (writer, 3) ? 'r' : 's';
    g_string_append_printf (writer->text, "let v%u = ", writer->n);
    write_expression (writer, kind, 3);
    g_string_append_c (writer->text, '\n');
    writer->defined[writer->n] = kind;
  }
  for (guint i = 0; i < n_flags; i++) {
    g_string_append (writer->text, "flag ~empty ");
    write_expression (writer, roll (writer, 3) ? 'r' : 's', 4);
    g_string_append_printf (writer->text, " as f%u\n", i);
  }
}

/* ---- Random executions ---- */

static void choose_rf (Writer *writer) {
  const RspMatrix *loc = stage_fixture.base.relations[RSP_BASE_RELATION_LOC];
  const RspMatrix *writes = stage_fixture.base.sets[RSP_BASE_SET_W];
  rsp_matrix_clear (stage_fixture.rf);
  for (guint read = 0; read < N_EVENTS; read++) {
    if (!rsp_set_has (stage_fixture.base.sets[RSP_BASE_SET_R], read))
      continue;
    guint write = roll (writer, N_EVENTS);
    while (write == read || !rsp_set_has (writes, write) || !rsp_matrix_get (loc, write, read))
      write = roll (writer, N_EVENTS);
    rsp_matrix_add (stage_fixture.rf, write, read);
  }
}

/* By random ranks of the writes; initial writes have the lowest. */
static void choose_co (Writer *writer) {
  const RspMatrix *loc = stage_fixture.base.relations[RSP_BASE_RELATION_LOC];
  const RspMatrix *writes = stage_fixture.base.sets[RSP_BASE_SET_W];
  guint rank[N_EVENTS];
  for (guint e = 0; e < N_EVENTS; e++)
    rank[e] = rsp_set_has (stage_fixture.base.sets[RSP_BASE_SET_I], e)
                  ? 0
                  : e + N_EVENTS * (1 + roll (writer, 100));
  rsp_matrix_clear (stage_fixture.co);
  for (guint a = 0; a < N_EVENTS; a++)
    for (guint b = 0; b < N_EVENTS; b++)
      if (rank[a] < rank[b] && rsp_set_has (writes, a) && rsp_set_has (writes, b)
          && rsp_matrix_get (loc, a, b))
        rsp_matrix_add (stage_fixture.co, a, b);
}

/* ---- The comparison ---- */

enum { N_FLAGS = 4, N_EXECUTIONS = 3 };

static void collect (const char *text, RspMatrix **values) {
  const RspStagedModel *model = stage_only_model ();
  ck_assert_uint_eq (model->n_axioms, N_FLAGS);
  for (guint i = 0; i < N_FLAGS; i++) {
    g_autofree char *name = g_strdup_printf ("f%u", i);
    const RspStagedAxiom *axiom = stage_axiom_named (model, name);
    ck_assert_msg (axiom != NULL, "%s", text);
    values[i] = stage_value_of (model, axiom);
  }
}

static void compare (Writer *writer, const char *text) {
  RspMatrix *rf[N_EXECUTIONS], *co[N_EXECUTIONS];
  RspMatrix *staged[N_EXECUTIONS][N_FLAGS], *given[N_FLAGS];
  stage_program (text, FALSE);
  ck_assert_msg (stage_fixture.staging != NULL, "%s%s", text, stage_messages ());
  ck_assert_msg (!stage_fixture.staging->needs_execution, "%s", text);
  for (guint i = 0; i < N_EXECUTIONS; i++) {
    choose_rf (writer);
    choose_co (writer);
    rf[i] = rsp_matrix_copy (stage_fixture.arena, stage_fixture.rf);
    co[i] = rsp_matrix_copy (stage_fixture.arena, stage_fixture.co);
    collect (text, staged[i]);
  }
  for (guint i = 0; i < N_EXECUTIONS; i++) {
    rsp_matrix_assign (stage_fixture.rf, rf[i]);
    rsp_matrix_assign (stage_fixture.co, co[i]);
    stage_program (text, TRUE);
    collect (text, given);
    for (guint j = 0; j < N_FLAGS; j++)
      ck_assert_msg (staged[i][j]->rows == given[j]->rows
                         && rsp_matrix_equal (staged[i][j], given[j]),
                     "f%u of\n%s", j, text);
  }
}

START_TEST (staging_once_and_staging_on_each_execution_agree) {
  enum { N_PROGRAMS = 150 };
  Writer writer = { .dice = g_rand_new_with_seed ((guint32) _i) };
  for (guint i = 0; i < N_PROGRAMS; i++) {
    writer.text = g_string_new (NULL);
    write_program (&writer, N_FLAGS);
    compare (&writer, writer.text->str);
    g_string_free (writer.text, TRUE);
  }
  g_rand_free (writer.dice);
}
END_TEST

Suite *stage_random_suite (void) {
  Suite *suite = suite_create ("stage_random");
  TCase *tests = tcase_create ("stage_random");
  tcase_add_checked_fixture (tests, stage_set_up, stage_tear_down);
  tcase_set_timeout (tests, 60);
  tcase_add_loop_test (tests, staging_once_and_staging_on_each_execution_agree, 0, 6);
  suite_add_tcase (suite, tests);
  return suite;
}
