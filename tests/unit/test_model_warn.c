/* What the warnings of models consider possible: every event and pair of every shipped test is. */
#include "enumerator/execution.h"
#include "model/warn/internal.h"
#include "tests/unit/paths_of.h"

#include <check.h>

Suite *model_warn_suite (void);

enum {
  CHOICES = 4 /* combinations of paths per test */
};

static const char *const set_names[] = {
#define RSP_BASE_SET(id, name, meaning) [RSP_BASE_SET_##id] = name,
#define RSP_BASE_WORD(number)           [RSP_BASE_SET_WORD_##number] = "a word",
#include "model/base_names.def"
};

static const char *const relation_names[] = {
#define RSP_BASE_RELATION(id, name, meaning) [RSP_BASE_RELATION_##id] = name,
#include "model/base_names.def"
};

static PossibleTypes types;

static RspModel *model;

static void make_types (void) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  model = rsp_model_load ("cat/opencl_rem.cat", NULL, NULL, diagnostics);
  ck_assert (model);
  possible_types_init (&types, model);
}

static void free_types (void) {
  possible_types_clear (&types);
  rsp_model_free (model);
}

/* The number of an event's type; the test fails where there is none. */
static guint type_of (const RspPreExecution *pre, guint event) {
  RspEventType type = 0;
  g_autoptr (GString) sets = g_string_new (NULL);
  for (guint set = 0; set < G_N_ELEMENTS (set_names); set++)
    if (set_names[set] && rsp_set_has (pre->base->sets[set], event)) {
      type |= (RspEventType) 1 << set;
      g_string_append_printf (sets, " %s", set_names[set]);
    }
  for (guint i = 0; i < types.types->len; i++)
    if (g_array_index (types.types, RspEventType, i) == type)
      return i;
  ck_abort_msg ("%s: no event type is in%s", pre->program->name, sets->str);
}

/* event_types: of each event. */
static void check_relation (const RspPreExecution *pre, const guint *event_types,
                            const RspMatrix *relation, const char *name) {
  Possible value = possible_named (&types, name, FALSE);
  ck_assert_msg (value.kind == POSSIBLE_RELATION, "%s is not known", name);
  for (guint x = 0; x < pre->n; x++)
    for (guint y = 0; y < pre->n; y++)
      if (rsp_matrix_get (relation, x, y)
          && !(rsp_set_has (value.from, event_types[x]) && rsp_set_has (value.to, event_types[y])
               && (!value.identity || x == y)))
        ck_abort_msg ("%s: %s holds a pair of events that it cannot hold", pre->program->name,
                      name);
}

static void check_pre_execution (const RspPreExecution *pre, RspArena *arena) {
  guint *event_types = rsp_arena_new0 (arena, guint, pre->n);
  for (guint e = 0; e < pre->n; e++)
    event_types[e] = type_of (pre, e);
  for (guint i = 0; i < RSP_N_BASE_RELATIONS; i++)
    if (relation_names[i])
      check_relation (pre, event_types, pre->base->relations[i], relation_names[i]);
  check_relation (pre, event_types, pre->candidates, "invrf");
  RspMatrix *rf = rsp_relation_new (arena, pre->n);
  rsp_relation_inverse (rf, pre->candidates);
  check_relation (pre, event_types, rf, "rf");
}

/* Some combinations of paths: the first of each thread, the second, … The types are those of OpenCL
 * and C. */
static void check_test (const char *text) {
  g_autoptr (PathsOf) p = paths_of (text, 2);
  RspLanguageId language = p->program->language->id;
  if (language == RSP_LANGUAGE_PTX || language == RSP_LANGUAGE_VULKAN)
    return;
  ck_assert (rsp_words_bind (p->program, model, NULL));
  g_autofree const RspPath **chosen = g_new0 (const RspPath *, p->program->n_threads + 1);
  for (guint choice = 0; p->complete && choice < CHOICES; choice++) {
    gboolean all = TRUE;
    for (guint t = 0; t < p->program->n_threads; t++) {
      all &= p->paths[t]->len > 0;
      if (all)
        chosen[t] = path_number (p, t, choice % p->paths[t]->len);
    }
    RspPreExecution *pre = all ? rsp_pre_execution_new (p->program, chosen, p->arena) : NULL;
    if (pre)
      check_pre_execution (pre, p->arena);
  }
}

static const char *const folders[]
    = { "litmus/rsp", "litmus/opencl", "litmus/c11", "litmus/hrf", "litmus/steal", "tests/golden" };

START_TEST (every_event_and_pair_is_possible) {
  make_types ();
  g_autoptr (GDir) directory = g_dir_open (folders[_i], 0, NULL);
  guint n = 0;
  for (const char *name; (name = g_dir_read_name (directory));) {
    g_autofree char *path = g_build_filename (folders[_i], name, NULL);
    g_autofree char *text = NULL;
    if (!g_str_has_suffix (name, ".litmus") || !g_file_get_contents (path, &text, NULL, NULL))
      continue;
    check_test (text);
    n++;
  }
  ck_assert_uint_gt (n, 0);
  free_types ();
}
END_TEST

Suite *model_warn_suite (void) {
  Suite *suite = suite_create ("model_warn");
  TCase *tests = tcase_create ("model_warn");
  tcase_add_loop_test (tests, every_event_and_pair_is_possible, 0, G_N_ELEMENTS (folders));
  suite_add_tcase (suite, tests);
  return suite;
}
