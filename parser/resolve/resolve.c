/* Resolution: its order, and the threads' names. */
#include "parser/resolve/resolve.h"
#include "parser/litmus/build.h"
#include "parser/resolve/condition.h"
#include "parser/resolve/initial.h"
#include "parser/resolve/objects.h"
#include "parser/resolve/scope.h"
#include "parser/resolve/thread.h"

enum { MAX_THREADS = 1024 };

/* Threads are P0, P1, … in this order. */
static void name_threads (LitmusResolver *resolver) {
  RspProgram *program = resolver->program;
  const LitmusList list = resolver->test->threads;
  program->n_threads = MIN (list.n, MAX_THREADS);
  program->threads = rsp_arena_new0 (resolver->arena, RspThread, program->n_threads);
  for (guint i = 0; i < list.n; i++) {
    const LitmusThread *syntax = list.items[i];
    gint64 number = rsp_litmus_thread_number (syntax->name);
    if (i == MAX_THREADS) {
      litmus_error (resolver, syntax->span, NULL, "a test may have at most %d threads",
                    MAX_THREADS);
      return;
    }
    if (number != i) {
      litmus_error (resolver, syntax->span, NULL,
                    number == LITMUS_NONE ? "found `%s`, expected the thread `P%u`"
                    : number < i
                        ? "found a second thread `%s`, expected `P%u`"
                        : "found the thread `%s`, expected `P%u`: threads are numbered in order",
                    syntax->name, i);
      return;
    }
    RspThread *thread = &program->threads[i];
    thread->name = syntax->name;
    thread->number = i;
    thread->span = syntax->span;
    thread->body = syntax->body;
    thread->raw = rsp_arena_strndup (resolver->arena, program->source->text + syntax->raw.begin,
                                     syntax->raw.end - syntax->raw.begin);
  }
}

char *rsp_litmus_threads_hint (const LitmusResolver *resolver) {
  guint n = resolver->program->n_threads;
  return n == 1 ? g_strdup ("the test has one thread, P0")
                : g_strdup_printf ("the test has the threads P0 to P%u", n - 1);
}

static void resolve_program (LitmusResolver *resolver) {
  guint errors = rsp_diagnostics_count_errors (resolver->diagnostics);
  name_threads (resolver);
  if (rsp_diagnostics_count_errors (resolver->diagnostics) > errors)
    return;
  litmus_resolve_scopes (resolver);
  litmus_resolve_objects (resolver);
  litmus_resolve_initial (resolver);
  if (rsp_diagnostics_count_errors (resolver->diagnostics) > errors)
    return;
  for (guint i = 0; i < resolver->program->n_threads; i++)
    litmus_resolve_thread (resolver, i);
  rsp_litmus_resolve_condition (resolver);
}

void rsp_litmus_resolve (RspProgram *program, LitmusTest *test, gboolean strict,
                         RspDiagnostics *diagnostics) {
  LitmusResolver resolver = { .program = program,
                              .test = test,
                              .arena = program->arena,
                              .diagnostics = diagnostics,
                              .strict = strict };
  program->language = &rsp_languages[test->language];
  program->name = test->name;
  program->doc = test->doc;
  program->hash = test->hash;
  resolver.objects = g_ptr_array_new ();
  resolver.object_names = g_hash_table_new (g_str_hash, g_str_equal);
  resolver.register_inits = g_ptr_array_new ();
  resolver.registers = g_array_new (FALSE, TRUE, sizeof (RspRegister));
  resolver.bindings = g_array_new (FALSE, TRUE, sizeof (LitmusBinding));
  resolver.implicit = g_hash_table_new (g_str_hash, g_str_equal);
  resolver.names = g_hash_table_new (g_str_hash, g_str_equal);
  resolver.named = g_hash_table_new (g_str_hash, g_str_equal);
  resolve_program (&resolver);
  g_ptr_array_unref (resolver.objects);
  g_hash_table_unref (resolver.object_names);
  g_ptr_array_unref (resolver.register_inits);
  g_array_unref (resolver.registers);
  g_array_unref (resolver.bindings);
  g_hash_table_unref (resolver.implicit);
  g_hash_table_unref (resolver.names);
  g_hash_table_unref (resolver.named);
}
