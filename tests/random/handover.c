#include "tests/random/handover.h"
#include "tests/random/draw.h"

#define N_FLAGS 3

static const char *const scopes[] = { "sub_group", "work_group", "device", "all_svm_devices" };

typedef struct Test {
  const RspHandover *handover;
  GRand *random;
  GString *text;
  guint usual_scope[N_FLAGS]; /* index into scopes */
  guint n_registers;          /* of the current thread */
  GString *shown;             /* what states show: all registers and locations */
} Test;

static guint any_scope (Test *t) {
  static const guint often[] = { 0, 1, 1, 1, 2, 2, 2, 2, 3, 3 };
  return often[below (t->random, G_N_ELEMENTS (often))];
}

/* Mostly the flag's usual scope. */
static const char *scope (Test *t, guint flag) {
  guint other = any_scope (t);
  gboolean is_other = one_in (t->random, 5);
  if (t->handover->one_scope)
    return "all_svm_devices";
  return scopes[is_other ? other : t->usual_scope[flag]];
}

static const char *order (Test *t, const char *usual) {
  guint which = below (t->random, 6);
  if (t->handover->seq_cst || which == 0)
    return "seq_cst";
  return which == 1 ? "relaxed" : usual;
}

static const char *remote (Test *t) {
  gboolean is_remote = one_in (t->random, 4);
  return t->handover->remotes && is_remote ? "_remote" : "";
}

/* A new register of the thread, which states show. */
static guint new_register (Test *t, guint thread) {
  g_string_append_printf (t->shown, "%u:r%u; ", thread, t->n_registers);
  return t->n_registers++;
}

static guint load_flag (Test *t, guint thread, guint flag) {
  guint reg = new_register (t, thread);
  gboolean is_rmw = one_in (t->random, 6);
  const char *how = remote (t);
  const char *with = order (t, is_rmw ? "acq_rel" : "acquire");
  g_string_append_printf (t->text,
                          "  int r%u = atomic_%s_explicit%s (f%u, %smemory_order_%s, "
                          "memory_scope_%s);\n",
                          reg, is_rmw ? "fetch_add" : "load", how, flag, is_rmw ? "1, " : "", with,
                          scope (t, flag));
  return reg;
}

static void store_flag (Test *t, guint flag) {
  gboolean is_rmw = one_in (t->random, 8);
  const char *how = remote (t);
  const char *with = order (t, is_rmw ? "acq_rel" : "release");
  g_string_append_printf (t->text,
                          "  atomic_%s_explicit%s (f%u, 1, memory_order_%s, memory_scope_%s);\n",
                          is_rmw ? "exchange" : "store", how, flag, with, scope (t, flag));
}

/* A plain access. A read sets a register declared above. */
static void access_data (Test *t, guint thread, gboolean is_write) {
  const char *data = one_in (t->random, 4) ? "e" : "d";
  if (is_write)
    g_string_append_printf (t->text, "  *%s = %u;\n", data, 1 + below (t->random, 2));
  else
    g_string_append_printf (t->text, "  s = *%s;\n", data);
  if (!is_write)
    g_string_append_printf (t->shown, "%u:s; ", thread);
}

static void write_first (Test *t) {
  access_data (t, 0, TRUE);
  store_flag (t, 0);
  if (one_in (t->random, 3))
    store_flag (t, 1);
}

static void write_other (Test *t, guint thread) {
  if (one_in (t->random, 10))
    access_data (t, thread, TRUE);
  guint flag = load_flag (t, thread, below (t->random, MIN (thread, N_FLAGS)));
  gboolean is_guarded = !one_in (t->random, 8);
  if (is_guarded)
    g_string_append_printf (t->text, "  if (r%u == 1) {\n", flag);
  if (!one_in (t->random, 3))
    access_data (t, thread, one_in (t->random, 3));
  if (!one_in (t->random, 3))
    store_flag (t, MIN (thread, N_FLAGS - 1));
  if (is_guarded)
    g_string_append (t->text, "  }\n");
}

static void write_thread (Test *t, guint thread) {
  t->n_registers = 0;
  g_string_append_printf (t->text,
                          "P%u (global atomic_int* f0, global atomic_int* f1, "
                          "global atomic_int* f2, global int* d, global int* e) {\n"
                          "  int s = -1;\n",
                          thread);
  if (thread == 0)
    write_first (t);
  else
    write_other (t, thread);
  g_string_append (t->text, "}\n\n");
}

static void write_scope_tree (Test *t, guint n_threads) {
  g_string_append (t->text, "scopeTree (device (work_group P0");
  for (guint i = 1; i < n_threads; i++) {
    guint how = below (t->random, 9);
    const char *between = how < 4 ? " " : how < 8 ? ") (work_group " : ")) (device (work_group ";
    g_string_append_printf (t->text, "%sP%u", between, i);
  }
  g_string_append (t->text, "))\n");
}

char *rsp_generate_handover (const RspHandover *handover, guint32 seed) {
  Test t = { .handover = handover,
             .random = g_rand_new_with_seed (seed),
             .text = g_string_new (NULL),
             .shown = g_string_new (NULL) };
  g_string_append_printf (t.text, "OpenCL handover%u\n{ f0=0; f1=0; f2=0; d=0; e=0; }\n\n", seed);
  guint n_threads = 2 + below (t.random, handover->max_threads - 1);
  for (guint i = 0; i < N_FLAGS; i++)
    t.usual_scope[i] = any_scope (&t);
  for (guint i = 0; i < n_threads; i++)
    write_thread (&t, i);
  write_scope_tree (&t, n_threads);
  g_string_append_printf (t.text, "locations [%sf0; f1; f2; d; e;]\nexists ()\n", t.shown->str);
  g_string_free (t.shown, TRUE);
  g_rand_free (t.random);
  return g_string_free (t.text, FALSE);
}
