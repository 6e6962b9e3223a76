#include "tests/random/generate.h"
#include "tests/random/draw.h"

/* A test being written. */
typedef struct Test {
  const RspGenerator *generator;
  GRand *random;
  GString *text;
  guint n_threads;
  guint left;            /* accesses that may still be made */
  guint n_registers;     /* of the current thread */
  guint barriers;        /* labelled barriers every thread has */
  gsize body;            /* where the body of the current thread begins in text */
  const char *last_body; /* of the thread before */
  GStringChunk *bodies;
  GPtrArray *observables;
} Test;

static const char *scope (Test *t) {
  if (t->generator->one_scope)
    return "memory_scope_all_svm_devices";
  if (t->generator->words && one_in (t->random, 3))
    return PICK (t->random, "memory_scope_cluster", "memory_scope_cluster", "memory_scope_team");
  return PICK (t->random, "memory_scope_work_group", "memory_scope_work_group",
               "memory_scope_device", "memory_scope_device", "memory_scope_all_svm_devices",
               "memory_scope_sub_group", "memory_scope_work_item");
}

static const char *order (Test *t, const char *first, const char *second) {
  if (t->generator->programs_only_seq_cst)
    return "memory_order_seq_cst";
  return PICK (t->random, first, first, second, "memory_order_relaxed", "memory_order_seq_cst");
}

static const char *atomic_location (Test *t) {
  return t->generator->no_fences ? PICK (t->random, "x", "y")
                                 : PICK (t->random, "x", "x", "y", "y", "l");
}

static const char *remote (Test *t) {
  if (!one_in (t->random, t->generator->words ? 2 : 4))
    return "";
  return t->generator->words ? PICK (t->random, "_remote", "_lazy", "_heavy", "_light") : "_remote";
}

static guint new_register (Test *t, guint thread) {
  g_ptr_array_add (t->observables, g_strdup_printf ("%u:r%u", thread, t->n_registers));
  return t->n_registers++;
}

static void load (Test *t, guint thread) {
  const char *how = remote (t);
  g_string_append_printf (t->text, "  int r%u = atomic_load_explicit%s (%s, %s, %s);\n",
                          new_register (t, thread), how, atomic_location (t),
                          order (t, "memory_order_acquire", "memory_order_acquire"), scope (t));
}

static void store (Test *t) {
  const char *how = remote (t);
  g_string_append_printf (t->text, "  atomic_store_explicit%s (%s, %u, %s, %s);\n", how,
                          atomic_location (t), 1 + below (t->random, 2),
                          order (t, "memory_order_release", "memory_order_release"), scope (t));
}

static void fetch (Test *t, guint thread) {
  const char *how = remote (t);
  g_string_append_printf (
      t->text, "  int r%u = atomic_%s_explicit%s (%s, 1, %s, %s);\n", new_register (t, thread),
      PICK (t->random, "fetch_add", "fetch_add", "exchange"), how, atomic_location (t),
      order (t, "memory_order_acq_rel", "memory_order_release"), scope (t));
}

static void compare_exchange (Test *t, guint thread) {
  guint reg = new_register (t, thread);
  const char *how = remote (t);
  g_string_append_printf (t->text,
                          "  int e%u = %u;\n  int r%u = atomic_compare_exchange_%s_explicit%s (%s, "
                          "&e%u, %u, %s, %s, %s);\n",
                          reg, below (t->random, 2), reg,
                          PICK (t->random, "strong", "strong", "weak"), how, atomic_location (t),
                          reg, 1 + below (t->random, 2),
                          order (t, "memory_order_acq_rel", "memory_order_acquire"),
                          t->generator->programs_only_seq_cst
                              ? "memory_order_seq_cst"
                              : PICK (t->random, "memory_order_relaxed", "memory_order_acquire"),
                          scope (t));
}

static void plain (Test *t, guint thread) {
  const char *location = one_in (t->random, 6) ? atomic_location (t) : "d";
  if (one_in (t->random, 2))
    g_string_append_printf (t->text, "  int r%u = *%s;\n", new_register (t, thread), location);
  else
    g_string_append_printf (t->text, "  *%s = %u;\n", location, 1 + below (t->random, 2));
}

static void copy (Test *t) {
  if (t->n_registers)
    g_string_append_printf (t->text, "  atomic_store_explicit (%s, r%u, %s, %s);\n",
                            atomic_location (t), below (t->random, t->n_registers),
                            order (t, "memory_order_release", "memory_order_relaxed"), scope (t));
  else
    store (t);
}

static void fence (Test *t) {
  g_string_append_printf (
      t->text, "  atomic_work_item_fence%s (%s, %s, %s);\n", t->generator->words ? remote (t) : "",
      PICK (t->random, "CLK_GLOBAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE",
            "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE"),
      PICK (t->random, "memory_order_acquire", "memory_order_release", "memory_order_acq_rel",
            "memory_order_seq_cst"),
      scope (t));
}

static void access_memory (Test *t, guint thread) {
  t->left--;
  switch (below (t->random, 12)) {
  case 0:
  case 1:
  case 2:
    load (t, thread);
    break;
  case 3:
  case 4:
  case 5:
    store (t);
    break;
  case 6:
    fetch (t, thread);
    break;
  case 7:
    compare_exchange (t, thread);
    break;
  case 8:
    copy (t);
    break;
  default:
    plain (t, thread);
    break;
  }
}

/* A guarded access: registers it sets are declared before, so that the condition may name them. */
static void guarded (Test *t, guint thread) {
  guint tested = below (t->random, t->n_registers);
  g_string_append_printf (t->text, "  if (r%u %s %u) {\n", tested,
                          PICK (t->random, "==", "==", "!="), below (t->random, 2));
  GString *outer = t->text;
  t->text = g_string_new (NULL);
  guint before = t->n_registers;
  access_memory (t, thread);
  g_autoptr (GString) inner = t->text;
  t->text = outer;
  if (t->n_registers > before) {
    /* Declare outside, assign inside. */
    g_autofree char *declared = g_strdup_printf ("int r%u = ", before);
    g_autofree char *assigned = g_strdup_printf ("r%u = ", before);
    g_string_replace (inner, declared, assigned, 0);
  }
  g_string_append_printf (t->text, "  %s  }\n", inner->str);
}

static void statement (Test *t, guint thread) {
  if (!t->generator->no_fences && one_in (t->random, 7))
    fence (t);
  else if (t->n_registers && one_in (t->random, 4))
    guarded (t, thread);
  else
    access_memory (t, thread);
}

static const char *const parameters = "global atomic_int* x, global atomic_int* y, "
                                      "local atomic_int* l, global int* d";

/* The same code as the thread before: exchangeable, where the tree allows it. */
static void repeat_thread (Test *t, guint thread, const char *body, guint n_registers) {
  g_string_append_printf (t->text, "P%u (%s) {\n%s}\n\n", thread, parameters, body);
  for (guint i = 0; i < n_registers; i++)
    g_ptr_array_add (t->observables, g_strdup_printf ("%u:r%u", thread, i));
}

static void write_thread (Test *t, guint thread) {
  guint share = MAX (1, t->left / (t->n_threads - thread));
  guint n = 1 + below (t->random, MIN (share, 3));
  t->n_registers = 0;
  g_string_append_printf (t->text, "P%u (%s) {\n", thread, parameters);
  for (guint i = 0; thread == 0 && i < t->generator->padding; i++)
    g_string_append (t->text,
                     "  atomic_work_item_fence (CLK_GLOBAL_MEM_FENCE, memory_order_relaxed, "
                     "memory_scope_work_item);\n");
  t->body = t->text->len;
  guint at = t->barriers ? below (t->random, n + 1) : G_MAXUINT;
  for (guint i = 0; i <= n; i++) {
    if (i == at)
      g_string_append (t->text, "  B: barrier (CLK_GLOBAL_MEM_FENCE);\n");
    if (i < n && t->left)
      statement (t, thread);
  }
  t->last_body = g_string_chunk_insert_len (t->bodies, t->text->str + t->body,
                                            (gssize) (t->text->len - t->body));
  g_string_append (t->text, "}\n\n");
}

/* Before each thread, how many nodes end and begin again: teams, work-groups, clusters, devices. */
static void write_tree_of_words (Test *t) {
  static const char *const levels[] = { "(team", "(work_group ", "(cluster ", "(device " };
  for (guint i = 0; i < t->n_threads; i++) {
    guint n = i ? below (t->random, 5) : 4;
    g_string_append (t->text, i ? "" : "scopeTree ");
    for (guint k = 0; i && k < n; k++)
      g_string_append_c (t->text, ')');
    while (n-- > 0)
      g_string_append (t->text, levels[n]);
    g_string_append_printf (t->text, " P%u", i);
  }
  g_string_append (t->text, "))))\n");
}

static void write_scope_tree (Test *t) {
  g_string_append (t->text, "scopeTree (device (work_group P0");
  for (guint i = 1; i < t->n_threads; i++)
    switch (below (t->random, 6)) {
    case 0:
    case 1:
    case 2:
      g_string_append_printf (t->text, " P%u", i);
      break;
    case 3:
    case 4:
      g_string_append_printf (t->text, ") (work_group P%u", i);
      break;
    default:
      g_string_append_printf (t->text, ")) (device (work_group P%u", i);
      break;
    }
  g_string_append (t->text, "))\n");
}

static void write_atom (Test *t) {
  if (t->observables->len && !one_in (t->random, 3))
    g_string_append_printf (t->text, "%s=%u",
                            (char *) t->observables->pdata[below (t->random, t->observables->len)],
                            below (t->random, 3));
  else
    g_string_append_printf (t->text, "%s=%u", PICK (t->random, "x", "y", "l", "d"),
                            below (t->random, 3));
}

static void write_condition (Test *t) {
  if (one_in (t->random, 2) || t->generator->outcomes) {
    g_string_append (t->text, "locations [");
    for (guint i = 0; i < t->observables->len; i++)
      g_string_append_printf (t->text, "%s; ", (char *) t->observables->pdata[i]);
    g_string_append (t->text, "x; y; d;]\n");
  }
  if (!t->generator->outcomes && one_in (t->random, 6)) {
    g_string_append (t->text, "filter (~(");
    for (guint i = 0, n = 1 + below (t->random, 3); i < n; i++) {
      if (i)
        g_string_append (t->text, PICK (t->random, " /\\ ", " /\\ ", " \\/ "));
      write_atom (t);
    }
    g_string_append (t->text, ") \\/ x=99)\n"); /* a filter must not contradict itself */
  }
  g_string_append (t->text, PICK (t->random, "exists", "exists", "exists", "~exists", "forall"));
  g_string_append (t->text, " (");
  guint n = 1 + below (t->random, 3);
  for (guint i = 0; i < n; i++) {
    if (i)
      g_string_append (t->text, PICK (t->random, " /\\ ", " /\\ ", " \\/ "));
    write_atom (t);
  }
  g_string_append (t->text, ")\n");
}

char *rsp_generate (const RspGenerator *generator, guint32 seed) {
  Test t = { .generator = generator,
             .random = g_rand_new_with_seed (seed),
             .text = g_string_new (NULL),
             .observables = g_ptr_array_new_with_free_func (g_free) };
  g_string_append_printf (t.text, "OpenCL random%u\n{ [x]=0; [y]=0; [l]=0; [d]=0; }\n\n", seed);
  t.n_threads = 2 + below (t.random, generator->max_threads - 1);
  t.left = generator->max_accesses;
  t.barriers = !generator->no_fences && one_in (t.random, 8);
  t.bodies = g_string_chunk_new (256);
  for (guint i = 0; i < t.n_threads; i++)
    if (i && one_in (t.random, 5))
      repeat_thread (&t, i, t.last_body, t.n_registers);
    else
      write_thread (&t, i);
  g_string_chunk_free (t.bodies);
  (generator->words ? write_tree_of_words : write_scope_tree) (&t);
  write_condition (&t);
  g_rand_free (t.random);
  g_ptr_array_unref (t.observables);
  return g_string_free (t.text, FALSE);
}
