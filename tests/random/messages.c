#include "tests/random/messages.h"
#include "tests/random/draw.h"

/* A test being written: its number of flags, and its thread's registers and messages. */
typedef struct Test {
  GRand *random;
  GString *text;
  guint n_flags, n_registers, n_sent;
} Test;

static const char *flag (Test *t) { return t->n_flags > 1 ? PICK (t->random, "x", "x", "y") : "x"; }

static const char *scope (Test *t) {
  return one_in (t->random, 10) ? "memory_scope_work_group" : "memory_scope_device";
}

static const char *acquire (Test *t) {
  return one_in (t->random, 5) ? "memory_order_relaxed" : "memory_order_acquire";
}

static const char *release (Test *t) {
  return PICK (t->random, "memory_order_relaxed", "memory_order_release", "memory_order_release");
}

/* ---- What threads do ---- */

static void write_data (Test *t) {
  g_string_append_printf (t->text, "  *%s = %u;\n", PICK (t->random, "z", "z", "w"),
                          1 + below (t->random, 2));
}

static void read_data (Test *t) {
  g_string_append_printf (t->text, "  int r%u = *%s;\n", t->n_registers++,
                          PICK (t->random, "z", "z", "w"));
}

static void fence (Test *t, const char *order) {
  g_string_append_printf (
      t->text, "  atomic_work_item_fence (CLK_GLOBAL_MEM_FENCE, %s, memory_scope_device);\n",
      order);
}

/* A value for the flag, mostly the next one, now and then with data behind it. */
static void send (Test *t) {
  if (!one_in (t->random, 3))
    write_data (t);
  t->n_sent++;
  if (one_in (t->random, 8))
    fence (t, "memory_order_release");
  if (one_in (t->random, 4))
    g_string_append_printf (t->text, "  atomic_fetch_add_explicit (%s, 1, %s, %s);\n", flag (t),
                            release (t), scope (t));
  else
    g_string_append_printf (t->text, "  atomic_store_explicit (%s, %u, %s, %s);\n", flag (t),
                            one_in (t->random, 3) ? 1 + below (t->random, 2) : MIN (t->n_sent, 2),
                            release (t), scope (t));
}

/* The sender waits for 1, and continues with 2. */
static guint awaited (Test *t) {
  return one_in (t->random, 4) ? 1 + below (t->random, 2) : t->n_sent ? 1 : 2;
}

/* Waits for a value of the flag. */
static void wait_for (Test *t) {
  g_string_append_printf (t->text, "  while (atomic_load_explicit (%s, %s, %s) != %u) { }\n",
                          flag (t), acquire (t), scope (t), awaited (t));
}

/* Waits for any value and keeps it. */
static void wait_and_keep (Test *t) {
  guint reg = t->n_registers++;
  g_string_append_printf (
      t->text,
      "  int r%u = 0;\n  do { r%u = atomic_load_explicit (%s, %s, %s); } while (r%u != %u);\n", reg,
      reg, flag (t), acquire (t), scope (t), reg, awaited (t));
}

/* A register shows afterwards whether the loop has waited; or only until the next round. */
static void wait_and_set (Test *t) {
  guint reg = t->n_registers++;
  g_string_append_printf (t->text,
                          "  int r%u = 0;\n"
                          "  while (atomic_load_explicit (%s, %s, %s) != %u) { r%u = %s; }\n",
                          reg, flag (t), acquire (t), scope (t), awaited (t), reg,
                          one_in (t->random, 3) ? "0" : "1");
}

/* A round that reads twice. */
static void wait_for_two (Test *t) {
  guint reg = t->n_registers;
  t->n_registers += 2;
  g_string_append_printf (t->text,
                          "  int r%u = 0; int r%u = 0;\n"
                          "  do {\n"
                          "    r%u = atomic_load_explicit (%s, %s, %s);\n"
                          "    r%u = atomic_load_explicit (%s, %s, %s);\n"
                          "  } while (r%u != %u);\n",
                          reg, reg + 1, reg, flag (t), acquire (t), scope (t), reg + 1, flag (t),
                          acquire (t), scope (t), reg + below (t->random, 2), awaited (t));
}

static void receive (Test *t) {
  static void (*const waits[]) (Test *)
      = { wait_for, wait_for, wait_for, wait_and_keep, wait_and_set, wait_for_two };
  waits[below (t->random, G_N_ELEMENTS (waits))](t);
  if (one_in (t->random, 8))
    fence (t, "memory_order_acquire");
}

static void receive_data (Test *t) {
  receive (t);
  one_in (t->random, 6) ? write_data (t) : read_data (t);
  if (one_in (t->random, 3))
    read_data (t);
}

static void send_twice (Test *t) {
  send (t);
  send (t);
}

static void pass_on (Test *t) {
  t->n_sent++;
  one_in (t->random, 2) ? receive (t) : wait_for (t);
  send (t);
}

/* Sends if a flag has been seen. */
static void answer (Test *t) {
  g_string_append_printf (t->text, "  if (atomic_load_explicit (%s, %s, %s) == 1) {\n", flag (t),
                          acquire (t), scope (t));
  send (t);
  g_string_append (t->text, "  }\n");
}

/* ---- The test ---- */

static void write_thread (Test *t, guint number, GString *shown) {
  static void (*const others[]) (Test *)
      = { send_twice, send_twice, send, send, pass_on, pass_on, answer };
  t->n_registers = t->n_sent = 0;
  g_string_append_printf (t->text,
                          "P%u (global atomic_int* x, global atomic_int* y, global int* z,"
                          " global int* w) {\n",
                          number);
  guint other = below (t->random, number == 1 ? 3 : G_N_ELEMENTS (others));
  (number == 0 ? receive_data : others[other]) (t);
  g_string_append (t->text, "}\n\n");
  for (guint r = 0; r < t->n_registers; r++)
    g_string_append_printf (shown, " %u:r%u;", number, r);
}

char *rsp_generate_messages (guint32 seed) {
  Test t = { .random = g_rand_new_with_seed (seed), .text = g_string_new (NULL) };
  g_autoptr (GString) shown = g_string_new (NULL);
  g_autoptr (GString) tree = g_string_new (NULL);
  guint n = 2 + !one_in (t.random, 3);
  t.n_flags = 1 + one_in (t.random, 4);
  g_string_append_printf (t.text, "OpenCL messages%u\n{ [x]=0; [y]=0; [z]=0; [w]=0; }\n\n", seed);
  for (guint i = 0; i < n; i++) {
    write_thread (&t, i, shown);
    g_string_append_printf (tree, "%s P%u", i && !one_in (t.random, 4) ? ") (work_group" : "", i);
  }
  g_string_append_printf (t.text,
                          "scopeTree (device (work_group%s))\nlocations [x; y; z; w;%s]\n"
                          "exists (x=2)\n",
                          tree->str, shown->str);
  g_rand_free (t.random);
  return g_string_free (t.text, FALSE);
}
