#include "tests/random/alike.h"
#include "tests/random/draw.h"

#include <string.h>

enum {
  MAX_ACCESSES = 6, /* over all threads; one less with one location */
  MAX_READS = 4,
  MAX_SEQ_CST = 4 /* some models order them totally */
};

/* A test being written. */
typedef struct Test {
  GRand *random;
  GString *text;
  GPtrArray *registers;      /* of names, "0:r1" */
  const char *order, *scope; /* of nearly all accesses */
  guint n_locations;
  guint n_values;
  guint n_accesses, n_reads, n_seq_cst; /* so far */
  guint next_register;                  /* for the next proposition */
} Test;

/* A thread's body; registers are numbered from 0. */
typedef struct Body {
  GString *text;
  guint n_registers, n_accesses, n_reads, n_seq_cst;
} Body;

static const char *location (Test *t) {
  return (const char *const[]){ "x", "y", "z" }[below (t->random, t->n_locations)];
}

static guint value (Test *t) { return 1 + below (t->random, t->n_values); }

static const char *scope (Test *t) {
  return one_in (t->random, 8) ? "memory_scope_work_group" : t->scope;
}

/* The order of an access that may be acquire, release, or both. */
static const char *order (Test *t, Body *body, const char *synchronising) {
  const char *own = t->order ? t->order : synchronising;
  if (one_in (t->random, 8))
    own = PICK (t->random, synchronising, "memory_order_relaxed", "memory_order_seq_cst");
  if (strcmp (own, "memory_order_seq_cst") != 0)
    return own;
  if (t->n_seq_cst + body->n_seq_cst == MAX_SEQ_CST)
    return synchronising;
  body->n_seq_cst++;
  return own;
}

/* ---- Code ---- */

static void load (Test *t, Body *body) {
  body->n_reads++;
  g_string_append_printf (body->text, "  int r%u = atomic_load_explicit (%s, %s, %s);\n",
                          body->n_registers++, location (t),
                          order (t, body, "memory_order_acquire"), scope (t));
}

static void store (Test *t, Body *body) {
  g_string_append_printf (body->text, "  atomic_store_explicit (%s, ", location (t));
  if (body->n_registers > 1 && one_in (t->random, 4))
    g_string_append_printf (body->text, "r%u + r%u", below (t->random, body->n_registers),
                            below (t->random, body->n_registers));
  else if (body->n_registers && one_in (t->random, 6))
    g_string_append_printf (body->text, "r%u%s", below (t->random, body->n_registers),
                            one_in (t->random, 2) ? "" : " + 1");
  else
    g_string_append_printf (body->text, "%u", value (t));
  g_string_append_printf (body->text, ", %s, %s);\n", order (t, body, "memory_order_release"),
                          scope (t));
}

static void update (Test *t, Body *body) {
  guint reg = body->n_registers++;
  body->n_reads++;
  if (one_in (t->random, 3))
    g_string_append_printf (body->text,
                            "  int e%u = %u;\n  int r%u = atomic_compare_exchange_strong_explicit "
                            "(%s, &e%u, %u, %s, memory_order_relaxed, %s);\n",
                            reg, below (t->random, 2), reg, location (t), reg, value (t),
                            order (t, body, "memory_order_acq_rel"), scope (t));
  else
    g_string_append_printf (body->text, "  int r%u = atomic_%s_explicit (%s, %u, %s, %s);\n", reg,
                            PICK (t->random, "fetch_add", "exchange"), location (t), value (t),
                            order (t, body, "memory_order_acq_rel"), scope (t));
}

static void plain (Test *t, Body *body) {
  if (one_in (t->random, 2)) {
    body->n_reads++;
    g_string_append_printf (body->text, "  int r%u = *%s;\n", body->n_registers++, location (t));
  } else
    g_string_append_printf (body->text, "  *%s = %u;\n", location (t), value (t));
}

/* A store under a condition on what was read. */
static void guarded_store (Test *t, Body *body) {
  guint reg = below (t->random, body->n_registers);
  g_string_append_printf (body->text, "  if (r%u %s ", reg, PICK (t->random, "==", "!="));
  if (body->n_registers > 1 && one_in (t->random, 2))
    g_string_append_printf (body->text, "r%u)\n  ", (reg + 1) % body->n_registers);
  else
    g_string_append_printf (body->text, "%u)\n  ", below (t->random, 2));
  store (t, body);
}

typedef enum Habit { READS, WRITES, UPDATES, MIXED, N_HABITS } Habit;

static void access_memory (Test *t, Body *body, Habit habit) {
  if (t->n_reads + body->n_reads >= MAX_READS)
    habit = WRITES;
  else if (one_in (t->random, 6))
    habit = MIXED;
  switch (habit) {
  case READS:
    load (t, body);
    break;
  case WRITES:
    store (t, body);
    break;
  case UPDATES:
    update (t, body);
    break;
  default:
    if (body->n_registers && one_in (t->random, 3))
      guarded_store (t, body);
    else if (one_in (t->random, 5))
      plain (t, body);
    else
      access_memory (t, body, (Habit) below (t->random, MIXED));
    break;
  }
}

static gboolean has_room (const Test *t, const Body *body, guint more) {
  guint most = MAX_ACCESSES - (t->n_locations == 1);
  return t->n_accesses + body->n_accesses + more <= most && t->n_reads + body->n_reads <= MAX_READS
         && t->n_seq_cst + body->n_seq_cst <= MAX_SEQ_CST;
}

static void write_body (Test *t, Body *body) {
  Habit habit = (Habit) below (t->random, N_HABITS);
  for (guint left = 1 + below (t->random, habit == READS || habit == MIXED ? 4 : 3);
       left && has_room (t, body, 1); left--) {
    access_memory (t, body, habit);
    body->n_accesses++;
  }
  if (body->n_registers > 1 && one_in (t->random, 3)) {
    guint sum = body->n_registers++;
    g_string_append_printf (body->text, "  int r%u = r%u + r%u;\n", sum, below (t->random, sum),
                            below (t->random, sum));
  }
}

static void write_thread (Test *t, guint thread, const Body *body) {
  t->n_accesses += body->n_accesses;
  t->n_reads += body->n_reads;
  t->n_seq_cst += body->n_seq_cst;
  g_string_append_printf (t->text,
                          "P%u (global atomic_int* x, global atomic_int* y, global atomic_int* z) "
                          "{\n%s}\n\n",
                          thread, body->text->str);
  for (guint i = 0; i < body->n_registers; i++)
    g_ptr_array_add (t->registers, g_strdup_printf ("%u:r%u", thread, i));
}

/* Two to four threads, each new or like the one before. Gives how many. */
static guint write_threads (Test *t) {
  guint n = 0;
  Body last = { .text = g_string_new (NULL) };
  for (guint wanted = 2 + below (t->random, 3); n < wanted; n++) {
    if (n == 0 || !one_in (t->random, 3) || !has_room (t, &last, 0)) {
      g_string_truncate (last.text, 0);
      last = (Body){ .text = last.text };
      write_body (t, &last);
      if (!last.n_accesses)
        break;
    }
    write_thread (t, n, &last);
  }
  g_string_free (last.text, TRUE);
  return n;
}

static void write_scope_tree (Test *t, guint n_threads) {
  g_string_append (t->text, "scopeTree (device (work_group P0");
  for (guint i = 1; i < n_threads; i++)
    g_string_append_printf (t->text, "%s P%u", one_in (t->random, 4) ? ") (work_group" : "", i);
  g_string_append (t->text, "))\n");
}

/* ---- Propositions ---- */

/* The next register of the list, or nearly so: those of one thread are tied together, and seldom
 * one with itself. */
static const char *observable (Test *t) {
  if (!t->registers->len || one_in (t->random, 5))
    return location (t);
  t->next_register += one_in (t->random, 4) ? 2 : 1;
  return t->registers->pdata[t->next_register % t->registers->len];
}

static void write_proposition (Test *t, guint depth) {
  if (depth == 0 || one_in (t->random, 6)) {
    g_string_append_printf (t->text, "%s=", observable (t));
    if (one_in (t->random, 5))
      g_string_append (t->text, observable (t));
    else
      g_string_append_printf (t->text, "%u", below (t->random, t->n_values + 1));
    return;
  }
  g_string_append (t->text, one_in (t->random, 4) ? "~(" : "(");
  write_proposition (t, depth - 1);
  g_string_append (t->text, PICK (t->random, " /\\ ", " \\/ ", " \\/ ", " => "));
  write_proposition (t, depth - 1);
  g_string_append (t->text, ")");
}

static void write_condition (Test *t) {
  t->next_register = below (t->random, 8);
  if (one_in (t->random, 2)) {
    g_string_append (t->text, "locations [");
    for (guint i = 0; i < t->registers->len; i++)
      if (!one_in (t->random, 4))
        g_string_append_printf (t->text, "%s; ", (char *) t->registers->pdata[i]);
    g_string_append (t->text, one_in (t->random, 2) ? "x; y;]\n" : "x;]\n");
  }
  if (one_in (t->random, 2)) {
    g_string_append (t->text, "filter (");
    write_proposition (t, 1 + below (t->random, 2));
    g_string_append (t->text, " \\/ x=99)\n"); /* a filter must not contradict itself */
  }
  g_string_append (t->text, PICK (t->random, "exists (", "exists (", "~exists (", "forall ("));
  write_proposition (t, 1 + below (t->random, 2));
  g_string_append (t->text, ")\n");
}

char *rsp_generate_alike (guint32 seed) {
  Test t = { .random = g_rand_new_with_seed (seed),
             .text = g_string_new (NULL),
             .registers = g_ptr_array_new_with_free_func (g_free) };
  t.order = PICK (t.random, "memory_order_relaxed", "memory_order_relaxed", NULL,
                  "memory_order_seq_cst");
  t.scope = PICK (t.random, "memory_scope_device", "memory_scope_device", "memory_scope_work_group",
                  "memory_scope_all_svm_devices");
  t.n_locations = 1 + below (t.random, 3);
  t.n_values = 1 + below (t.random, 2);
  g_string_append_printf (t.text, "OpenCL alike%u\n{ [x]=0; [y]=0; [z]=0; }\n\n", seed);
  write_scope_tree (&t, write_threads (&t));
  write_condition (&t);
  g_rand_free (t.random);
  g_ptr_array_unref (t.registers);
  return g_string_free (t.text, FALSE);
}
