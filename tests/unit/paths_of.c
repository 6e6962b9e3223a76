#include "tests/unit/paths_of.h"
#include "enumerator/paths/paths.h"
#include "parser/litmus/litmus.h"
#include "tests/diagnostics_text.h"
#include "tests/unit/term_text.h"

#include <check.h>
#include <string.h>

static PathsOf *enumerate (const char *litmus, guint unroll, gboolean cas_writeback) {
  PathsOf *p = g_new0 (PathsOf, 1);
  RspSource *source = rsp_source_new ("test.litmus", g_strdup (litmus), strlen (litmus));
  p->diagnostics = rsp_diagnostics_new ();
  p->program = rsp_litmus_parse (source, FALSE, p->diagnostics);
  rsp_source_unref (source);
  if (!p->program)
    ck_abort_msg ("the test's litmus text is wrong: %s", diagnostics_text (p->diagnostics));
  rsp_diagnostics_truncate (p->diagnostics, 0);
  p->arena = rsp_arena_new ();
  p->terms = rsp_terms_new (p->arena);
  p->options = (RspPathOptions){ .unroll = unroll, .cas_writeback = cas_writeback };
  p->paths = g_new0 (GPtrArray *, p->program->n_threads);
  p->complete = TRUE;
  for (guint t = 0; t < p->program->n_threads; t++) {
    p->paths[t] = g_ptr_array_new ();
    p->complete &= rsp_paths_enumerate (p->program, t, &p->options, p->terms, p->arena, p->paths[t],
                                        p->diagnostics);
  }
  return p;
}

PathsOf *paths_of (const char *litmus, guint unroll) { return enumerate (litmus, unroll, FALSE); }

PathsOf *paths_of_body_with (const char *body, const char *observed, guint unroll,
                             gboolean cas_writeback) {
  g_autofree char *litmus
      = g_strdup_printf ("OpenCL T\n{ x=0; y=0; z=0; int a[4]={0,0,0,0}; p=x; }\n"
                         "P0 (global atomic_int *x, global atomic_int *y, global int *z,\n"
                         "    global int *a, global atomic_int **p) {\n%s\n}\nexists (%s)\n",
                         body, observed);
  return enumerate (litmus, unroll, cas_writeback);
}

PathsOf *paths_of_body (const char *body, const char *observed) {
  return paths_of_body_with (body, observed, 2, FALSE);
}

void paths_of_free (PathsOf *p) {
  if (!p)
    return;
  for (guint t = 0; t < p->program->n_threads; t++)
    g_ptr_array_unref (p->paths[t]);
  g_free (p->paths);
  rsp_terms_free (p->terms);
  rsp_arena_free (p->arena);
  rsp_program_free (p->program);
  rsp_diagnostics_free (p->diagnostics);
  g_free (p);
}

const RspPath *path_number (const PathsOf *p, guint thread, guint path) {
  ck_assert_uint_lt (path, p->paths[thread]->len);
  return p->paths[thread]->pdata[path];
}

static void describe_event (const PathsOf *p, const RspEvent *event, GString *out) {
  static const char *const kinds[] = { "R", "W", "U", "F", "entry", "exit" };
  if (out->len)
    g_string_append_c (out, ' ');
  g_string_append (out, kinds[event->kind]);
  if (event->location != RSP_NO_LOCATION)
    g_string_append (out, p->program->locations[event->location].name);
  if (!event->written)
    return;
  g_string_append_c (out, '=');
  term_format (event->written, out);
}

const char *describe_path (const PathsOf *p, guint thread, guint number) {
  const RspPath *path = path_number (p, thread, number);
  g_autoptr (GString) out = g_string_new (NULL);
  if (path->end == RSP_PATH_TRUNCATED)
    g_string_append (out, "cut:");
  else if (path->end == RSP_PATH_FAILED)
    g_string_append_printf (out, "%s:", path->end_message);
  for (guint i = 0; i < path->n_events; i++)
    describe_event (p, &path->events[i], out);
  for (guint i = 0; i < path->n_constraints; i++) {
    g_string_append (out, i ? ", " : " | ");
    term_format (path->constraints[i].term, out);
  }
  return rsp_arena_strdup (p->arena, out->str);
}

const char *describe_paths (const PathsOf *p, guint thread) {
  g_autoptr (GString) out = g_string_new (NULL);
  for (guint i = 0; i < p->paths[thread]->len; i++)
    g_string_append_printf (out, "%s%s", i ? "\n" : "", describe_path (p, thread, i));
  return rsp_arena_strdup (p->arena, out->str);
}

const char *describe_relation (const PathsOf *p, const RspMatrix *relation) {
  g_autoptr (GString) out = g_string_new (NULL);
  for (guint i = 0; i < relation->rows; i++)
    for (all_bits (j, rsp_matrix_row (relation, i), relation->words))
      g_string_append_printf (out, "%s%u%u", out->len ? " " : "", i, j);
  return rsp_arena_strdup (p->arena, out->str);
}

gboolean paths_fit (RspFeasibility *f, guint n_threads, const RspPath *const *chosen) {
  guint n = 0;
  gboolean fit = TRUE;
  for (guint t = 0; t < n_threads && fit; t++)
    if (chosen[t]) {
      fit = rsp_feasibility_choose (f, t, chosen[t]);
      n++;
    }
  while (n--)
    rsp_feasibility_retract (f);
  return fit;
}

RspPreExecution *pre_of (PathsOf *p, const char *numbers) {
  const RspPath **chosen = rsp_arena_new0 (p->arena, const RspPath *, p->program->n_threads);
  gsize given = strlen (numbers);
  ck_assert (p->complete);
  for (guint t = 0; t < p->program->n_threads; t++)
    chosen[t] = path_number (p, t, t < given ? (guint) (numbers[t] - '0') : 0);
  return rsp_pre_execution_new (p->program, chosen, p->arena);
}
