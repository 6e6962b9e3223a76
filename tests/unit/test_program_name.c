/* Names of programs: a well-known one whatever threads and locations are called, then labels. */
#include "extra/synth/internal.h"

#include <check.h>
#include <string.h>

Suite *program_name_suite (void);

/* Accesses as diy and papers have them under these names; and one that has no name. */
static const struct {
  const char *name, *accesses;
} tests[] = {
  { "MP", "WxWy|RyRx" },        { "SB", "WxRy|WyRx" },         { "LB", "RxWy|RyWx" },
  { "S", "WxWy|RyWx" },         { "R", "WxWy|WyRx" },          { "2+2W", "WxWy|WyWx" },
  { "CoWW", "WxWx" },           { "CoRW1", "RxWx" },           { "CoWR0", "WxRx" },
  { "CoRR", "RxRx|Wx" },        { "CoRW2", "RxWx|Wx" },        { "CoWR", "WxRx|Wx" },
  { "CoRR2", "RxRx|Wx|Wx" },    { "WRC", "Wx|RxWy|RyRx" },     { "RWC", "Wx|RxRy|WyRx" },
  { "WWC", "Wx|RxWy|RyWx" },    { "WRW+2W", "Wx|RxWy|WyWx" },  { "WRR+2W", "Wx|RxRy|WyWx" },
  { "Z6.U", "WxWy|UyRy|WyRx" }, { "IRIW", "Wx|Wy|RxRy|RyRx" }, { "UxRx.Wx", "UxRx|Wx" },
};

static void add_event (RspShape *shape, guint thread, char kind, guint location) {
  RspShapeEvent *event = &shape->events[shape->n_events++];
  event->kind = kind == 'R'   ? RSP_EVENT_READ
                : kind == 'W' ? RSP_EVENT_WRITE
                : kind == 'U' ? RSP_EVENT_RMW
                              : RSP_EVENT_FENCE;
  event->flags = kind == 'F' ? RSP_FENCE_GLOBAL : 0;
  event->thread = (guint8) thread;
  event->location = (guint8) location;
  shape->n_locations = MAX (shape->n_locations, location + 1);
}

/* With x and y exchanged when swapped, and the threads from the last to the first when reversed. */
static void fill_program (const char *accesses, gboolean swapped, gboolean reversed,
                          SynthProgram *program) {
  g_auto (GStrv) rows = g_strsplit (accesses, "|", -1);
  guint n = g_strv_length (rows);
  memset (program, 0, sizeof *program);
  for (guint t = 0; t < n; t++)
    for (const char *c = rows[reversed ? n - 1 - t : t]; *c; c += 2) {
      guint location = (guint) (c[1] - 'x');
      gboolean two = strchr (accesses, 'y') != NULL;
      add_event (&program->shape, t, c[0], swapped && two ? 1 - location : location);
    }
  program->shape.n_threads = n;
  for (guint e = 0; e < program->shape.n_events; e++)
    program->labels[e] = (RspLabel){ .order = RSP_ORDER_RELAXED };
}

START_TEST (test_known) {
  for (guint way = 0; way < 4; way++) {
    SynthProgram program;
    gboolean is_known = strchr (tests[_i].name, 'x') == NULL;
    if (!is_known && way)
      break;
    fill_program (tests[_i].accesses, way & 1, way & 2, &program);
    g_autofree char *name = rsp_synth_program_name (&program, FALSE);
    g_autofree char *prefix = g_strconcat (tests[_i].name, "+rlx", NULL);
    ck_assert_uint_le (program.shape.n_events + program.shape.n_locations, RSP_SHAPE_EVENTS);
    ck_assert_msg (g_str_has_prefix (name, prefix), "%s (%u): %s", tests[_i].accesses, way, name);
  }
}
END_TEST

/* R with a fence in the one thread or the other, and the same labels in the order of the program.
 */
START_TEST (test_fences) {
  static const char *const names[] = { "R+sc+rlx-f.sc-rlx", "R+rlx-f.sc-rlx+sc" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    SynthProgram program;
    fill_program (i == 0 ? "WxFxWy|WyRx" : "WxFxRy|WyWx", FALSE, FALSE, &program);
    program.labels[1].order = program.labels[3].order = program.labels[4].order = RSP_ORDER_SEQ_CST;
    g_autofree char *name = rsp_synth_program_name (&program, FALSE);
    ck_assert_str_eq (name, names[i]);
  }
}
END_TEST

START_TEST (test_labels) {
  SynthProgram program;
  fill_program ("WxWy|UyRy|WyRx", FALSE, FALSE, &program);
  program.labels[0].order = program.labels[2].order = program.labels[5].order = RSP_ORDER_SEQ_CST;
  program.labels[1].order = RSP_ORDER_RELEASE;
  program.labels[4].order = RSP_ORDER_SEQ_CST;
  g_autofree char *name = rsp_synth_program_name (&program, FALSE);
  ck_assert_str_eq (name, "Z6.U+sc+sc-rel+sc-rlx");
}
END_TEST

/* The threads' device, work-group and sub-group, and how the name says which of them are together.
 */
static const struct {
  const char *device, *work_group, *sub_group, *place;
} trees[] = {
  { "000", "000", "000", "-sg" },    { "000", "000", "012", "-wg" },
  { "000", "012", "012", "-dev" },   { "012", "012", "012", "-sys" },
  { "000", "000", "001", "-01_2" },  { "000", "001", "001", "-01.2" },
  { "001", "001", "001", "-01,2" },  { "000", "011", "012", "-0.1_2" },
  { "011", "012", "012", "-0,1.2" }, { "010", "010", "010", "-02,1" },
};

START_TEST (test_places) {
  SynthProgram program;
  fill_program ("RxRy|RyWx|Wy", FALSE, FALSE, &program); /* threads as in the name */
  for (guint t = 0; t < program.shape.n_threads; t++) {
    guint8 *node = program.shape.places[t].node;
    node[RSP_LEVEL_DEVICE] = node[RSP_LEVEL_KERNEL] = (guint8) trees[_i].device[t];
    node[RSP_LEVEL_WORK_GROUP] = (guint8) trees[_i].work_group[t];
    node[RSP_LEVEL_SUB_GROUP] = (guint8) trees[_i].sub_group[t];
    node[RSP_LEVEL_IN_KERNEL] = node[RSP_LEVEL_WORK_GROUP]; /* which no model names */
    node[RSP_LEVEL_IN_WORK_GROUP] = node[RSP_LEVEL_SUB_GROUP];
    node[RSP_LEVEL_IN_SUB_GROUP] = (guint8) t;
  }
  g_autofree char *name = rsp_synth_program_name (&program, TRUE);
  g_autofree char *prefix = g_strconcat ("WRC", trees[_i].place, "+", NULL);
  ck_assert_msg (g_str_has_prefix (name, prefix), "%s: %s", prefix, name);
}
END_TEST

Suite *program_name_suite (void) {
  Suite *suite = suite_create ("program_name");
  TCase *tcase = tcase_create ("names");
  tcase_add_loop_test (tcase, test_known, 0, G_N_ELEMENTS (tests));
  tcase_add_test (tcase, test_fences);
  tcase_add_test (tcase, test_labels);
  tcase_add_loop_test (tcase, test_places, 0, G_N_ELEMENTS (trees));
  suite_add_tcase (suite, tcase);
  return suite;
}
