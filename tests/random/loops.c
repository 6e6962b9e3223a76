#include "tests/random/loops.h"
#include "tests/random/draw.h"

enum {
  MAX_WEIGHT = 6, /* about as many accesses are on the longest paths of all threads */
  MAX_WRITES = 5, /* … and writes: with six, some models take the naive engine minutes */
  MAX_THREADS = 4
};

/* A test being written. */
typedef struct Test {
  GRand *random;
  guint unroll;
  guint n_locations;
  guint weight, writes; /* so far */
  guint max_weight;     /* with the thread at work: the later ones need some of MAX_WEIGHT too */
} Test;

/* A thread's body, with approximately this many accesses, of which so many write. */
typedef struct Body {
  GString *text;
  guint weight, writes, n_registers;
} Body;

static const char *location (Test *t) {
  return (const char *const[]){ "x", "y" }[below (t->random, t->n_locations)];
}

static const char *scope (Test *t) {
  return one_in (t->random, 6) ? "memory_scope_work_group" : "memory_scope_device";
}

static const char *acquire (Test *t) {
  return PICK (t->random, "memory_order_relaxed", "memory_order_acquire", "memory_order_acquire");
}

static const char *release (Test *t) {
  return PICK (t->random, "memory_order_relaxed", "memory_order_release", "memory_order_release");
}

static const char *load (Test *t) {
  static char text[128];
  g_snprintf (text, sizeof text, "atomic_load_explicit (%s, %s, %s)", location (t), acquire (t),
              scope (t));
  return text;
}

/* ---- What threads do ---- */

static void wait_for (Test *t, Body *body) {
  body->weight += t->unroll + 1;
  g_string_append_printf (body->text, "  while (%s %s %u) { }\n", load (t),
                          PICK (t->random, "!=", "!=", "=="), below (t->random, 3));
}

static void wait_and_keep (Test *t, Body *body) {
  guint reg = body->n_registers++;
  body->weight += t->unroll;
  g_string_append_printf (body->text, "  int r%u = 0;\n  do { r%u = %s; } while (r%u == %u);\n",
                          reg, reg, load (t), reg, below (t->random, 2));
}

/* A register that shows afterwards whether the loop has waited, or what the second-to-last round
 * has read. */
static void wait_and_set (Test *t, Body *body) {
  guint reg = body->n_registers++;
  body->weight += t->unroll + 1;
  g_string_append_printf (body->text, "  int r%u = %u;\n  while (%s != %u) { ", reg,
                          below (t->random, 2), load (t), 1 + below (t->random, 2));
  if (one_in (t->random, 3))
    g_string_append_printf (body->text, "r%u = %s; }\n", reg, load (t));
  else
    g_string_append_printf (body->text, "r%u = 2; }\n", reg);
}

static void add_writing_rounds (const Test *t, Body *body) {
  body->weight += t->unroll + 1;
  body->writes += t->unroll + 1;
}

static void retry (Test *t, Body *body) {
  guint reg = body->n_registers++;
  add_writing_rounds (t, body);
  g_string_append_printf (body->text,
                          "  int r%u = 0;\n"
                          "  while (!atomic_compare_exchange_strong_explicit (%s, &r%u, %u, %s,"
                          " memory_order_relaxed, %s)) { r%u = %u; }\n",
                          reg, location (t), reg, 1 + below (t->random, 2), acquire (t), scope (t),
                          reg, below (t->random, 2));
}

/* The same with a register that tells whether it is done. */
static void retry_until_done (Test *t, Body *body) {
  guint reg = body->n_registers;
  body->n_registers += 2;
  add_writing_rounds (t, body);
  g_string_append_printf (body->text,
                          "  int r%u = 0; int r%u = 0;\n"
                          "  while (!r%u) { r%u = %u; r%u = atomic_compare_exchange_strong_explicit"
                          " (%s, &r%u, %u, %s, memory_order_relaxed, %s); }\n",
                          reg, reg + 1, reg, reg + 1, below (t->random, 2), reg, location (t),
                          reg + 1, 1 + below (t->random, 2), acquire (t), scope (t));
}

static void test_and_set (Test *t, Body *body) {
  add_writing_rounds (t, body);
  g_string_append_printf (body->text,
                          "  do { } while (atomic_exchange_explicit (%s, 1, %s, %s));\n",
                          location (t), acquire (t), scope (t));
}

/* Reads by a read-modify-write that changes nothing. */
static void wait_by_writing (Test *t, Body *body) {
  add_writing_rounds (t, body);
  g_string_append_printf (
      body->text, "  while (atomic_fetch_or_explicit (%s, 0, %s, %s) %s %u) { }\n", location (t),
      acquire (t), scope (t), PICK (t->random, "!=", "=="), below (t->random, 2));
}

static void store (Test *t, Body *body) {
  body->weight++;
  body->writes++;
  g_string_append_printf (body->text, "  atomic_store_explicit (%s, ", location (t));
  if (body->n_registers && one_in (t->random, 3))
    g_string_append_printf (body->text, "r%u + 1", below (t->random, body->n_registers));
  else
    g_string_append_printf (body->text, "%u", below (t->random, 3));
  g_string_append_printf (body->text, ", %s, %s);\n", release (t), scope (t));
}

static void read_once (Test *t, Body *body) {
  body->weight++;
  g_string_append_printf (body->text, "  int r%u = %s;\n", body->n_registers++, load (t));
}

static void add (Test *t, Body *body) {
  body->weight++;
  body->writes++;
  g_string_append_printf (body->text, "  int r%u = atomic_fetch_add_explicit (%s, 1, %s, %s);\n",
                          body->n_registers++, location (t), acquire (t), scope (t));
}

static void plain (Test *t, Body *body) {
  body->weight++;
  if (one_in (t->random, 2))
    g_string_append_printf (body->text, "  int r%u = *z;\n", body->n_registers++);
  else
    g_string_append_printf (body->text, "  *z = %u;\n", 1 + below (t->random, 2));
}

static void branch (Test *t, Body *body) {
  body->weight++;
  g_string_append_printf (body->text, "  if (%s == %u) {\n", load (t), below (t->random, 2));
  store (t, body);
  if (one_in (t->random, 2)) {
    g_string_append (body->text, "  } else {\n");
    plain (t, body);
  }
  g_string_append (body->text, "  }\n");
}

typedef void (*Idiom) (Test *t, Body *body);
static const Idiom idioms[] = { wait_for, wait_for,         wait_and_keep, wait_and_set,    retry,
                                retry,    retry_until_done, test_and_set,  wait_by_writing, store,
                                store,    read_once,        add,           plain,           branch,
                                branch };

/* ---- The test ---- */

static void write_body (Test *t, Body *body) {
  *body = (Body){ .text = body->text };
  g_string_truncate (body->text, 0);
  for (guint left = 1 + below (t->random, 3); left; left--) {
    Body before = *body;
    gsize length = body->text->len;
    idioms[below (t->random, G_N_ELEMENTS (idioms))](t, body);
    if (t->weight + body->weight <= t->max_weight && t->writes + body->writes <= MAX_WRITES)
      continue;
    *body = before;
    g_string_truncate (body->text, length);
  }
}

static void write_condition (Test *t, const guint *registers, guint n, GString *text) {
  g_autoptr (GString) shown = g_string_new (NULL);
  for (guint i = 0; i < n; i++)
    for (guint r = 0; r < registers[i]; r++)
      if (!one_in (t->random, 3))
        g_string_append_printf (shown, "%u:r%u; ", i, r);
  if (one_in (t->random, 2))
    g_string_append_printf (text, "locations [x; z; %s]\n", shown->str);
  if (one_in (t->random, 8))
    g_string_append_printf (text, "filter (~(z=%u))\n", below (t->random, 2));
  g_string_append_printf (text, "%s (x=%u)\n", PICK (t->random, "exists", "exists", "forall"),
                          below (t->random, 3));
}

char *rsp_generate_loops (guint32 seed, guint unroll) {
  Test t = { .random = g_rand_new_with_seed (seed), .unroll = unroll };
  Body body = { .text = g_string_new (NULL) };
  GString *text = g_string_new (NULL), *tree = g_string_new ("scopeTree (device (work_group");
  guint registers[MAX_THREADS], n = 0;
  t.n_locations = 1 + below (t.random, 2);
  g_string_append_printf (text, "OpenCL loops%u\n{ [x]=0; [y]=0; [z]=0; }\n\n", seed);
  for (guint wanted = 2 + below (t.random, MAX_THREADS - 1); n < wanted; n++) {
    guint most = MAX_WEIGHT + (wanted == MAX_THREADS && unroll == 1);
    t.max_weight = MIN (most * (n + 1) / wanted + 1, most);
    if (n == 0 || one_in (t.random, 3) || t.weight + body.weight > t.max_weight
        || t.writes + body.writes > MAX_WRITES)
      write_body (&t, &body);
    t.weight += body.weight;
    t.writes += body.writes;
    registers[n] = body.n_registers;
    g_string_append_printf (text,
                            "P%u (global atomic_int* x, global atomic_int* y, global int* z) {\n"
                            "%s}\n\n",
                            n, body.text->str);
    g_string_append_printf (tree, "%s P%u", n && one_in (t.random, 2) ? ") (work_group" : "", n);
  }
  g_string_append_printf (text, "%s))\n", tree->str);
  write_condition (&t, registers, n, text);
  g_rand_free (t.random);
  g_string_free (body.text, TRUE);
  g_string_free (tree, TRUE);
  return g_string_free (text, FALSE);
}
