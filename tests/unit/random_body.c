/* Random bodies of threads: expressions, assignments, loops and what leaves them. */
#include "tests/unit/random_body.h"

static void add_statement (GRand *random, guint depth, gboolean in_loop, GString *out);

static const char *pick (GRand *random, const char *const *words, guint n) {
  return words[g_rand_int_range (random, 0, (gint32) n)];
}

static void add_expression (GRand *random, guint depth, GString *out) {
  static const char *const leaves[] = { "r0", "r1", "r2", "0", "1", "2", "3" };
  static const char *const operators[] = { "+",  "-", "*",  "&",  "|",  "^",  "==", "!=", "<",
                                           "<=", ">", ">=", "&&", "||", "==", "/",  "%",  "<<" };
  int kind = g_rand_int_range (random, 0, depth ? 14 : 4);
  if (kind < 4)
    g_string_append (out, pick (random, leaves, G_N_ELEMENTS (leaves)));
  else if (kind < 6)
    g_string_append (out, kind == 4 ? "*z" : "atomic_load(x)");
  else if (kind == 6) {
    g_string_append (out, "a[");
    add_expression (random, depth - 1, out);
    g_string_append (out, "]");
  } else if (kind == 7)
    g_string_append (out, "!(");
  else if (kind == 8) {
    g_string_append (out, "(");
    add_expression (random, depth - 1, out);
    g_string_append (out, " ? ");
    add_expression (random, depth - 1, out);
    g_string_append (out, " : ");
    add_expression (random, depth - 1, out);
    g_string_append (out, ")");
  } else if (kind == 9) {
    g_string_append (out, "atomic_fetch_add(y, ");
    add_expression (random, depth - 1, out);
    g_string_append (out, ")");
  } else {
    g_string_append (out, "(");
    add_expression (random, depth - 1, out);
    g_string_append_printf (out, " %s ", pick (random, operators, G_N_ELEMENTS (operators)));
    add_expression (random, depth - 1, out);
    g_string_append (out, ")");
  }
  if (kind == 7) {
    add_expression (random, depth - 1, out);
    g_string_append (out, ")");
  }
}

static void add_block (GRand *random, guint depth, gboolean in_loop, GString *out) {
  int n = g_rand_int_range (random, 0, 3);
  g_string_append (out, "{ ");
  for (int i = 0; i < n; i++)
    add_statement (random, depth, in_loop, out);
  g_string_append (out, "} ");
}

static void add_loop (GRand *random, guint depth, GString *out) {
  int kind = g_rand_int_range (random, 0, 3);
  if (kind == 0)
    g_string_append (out, "do ");
  else {
    g_string_append (out, kind == 1 ? "while (" : "for (r2 = 0; ");
    add_expression (random, 1, out);
    g_string_append (out, kind == 1 ? ") " : "; r2++) ");
  }
  add_block (random, depth - 1, TRUE, out);
  if (kind == 0) {
    g_string_append (out, "while (");
    add_expression (random, 1, out);
    g_string_append (out, "); ");
  }
}

static void add_assignment (GRand *random, GString *out) {
  static const char *const targets[]
      = { "r0", "r1", "r2", "*z", "a[1]", "a[r0]", "*q", "r1", "r0" };
  static const char *const signs[] = { "=", "=", "=", "+=", "-=", "^=", "*=" };
  g_string_append_printf (out, "%s %s ", pick (random, targets, G_N_ELEMENTS (targets)),
                          pick (random, signs, G_N_ELEMENTS (signs)));
  add_expression (random, 2, out);
  g_string_append (out, "; ");
}

static void add_statement (GRand *random, guint depth, gboolean in_loop, GString *out) {
  static const char *const others[] = { "(*z)++; ",
                                        "r0 = --a[2]; ",
                                        "r1 = atomic_compare_exchange_strong(x, &r0, 1); ",
                                        "r2 = atomic_compare_exchange_strong(x, z, r1); ",
                                        "barrier(CLK_GLOBAL_MEM_FENCE); ",
                                        "q = &r1; ",
                                        "q = &r2; ",
                                        "return; ",
                                        "atomic_store(x, r1); ",
                                        "; " };
  /* Without events: what may be merged. */
  static const char *const quiet[] = { "if (r0 == 1) r1 = 1; else r1 = 2; ",
                                       "if (r1 < 2) r2 = r0; ",
                                       "r0 = *z; ",
                                       "r2 = r1; ",
                                       "if (r0) { r1 = 3; } ",
                                       "if (r0 != r1) r2 = 0; else r0 = 2; ",
                                       "r1 = 5; ",
                                       "*z = r1; " };
  int kind = g_rand_int_range (random, 0, depth ? 12 : 7);
  if (g_rand_int_range (random, 0, 3) == 0) {
    g_string_append (out, pick (random, quiet, G_N_ELEMENTS (quiet)));
    return;
  }
  if (kind < 5)
    add_assignment (random, out);
  else if (in_loop && kind == 5)
    g_string_append (out, g_rand_boolean (random) ? "break; " : "continue; ");
  else if (kind < 7)
    g_string_append (out, pick (random, others, G_N_ELEMENTS (others)));
  else if (kind < 11) {
    g_string_append (out, "if (");
    add_expression (random, 2, out);
    g_string_append (out, ") ");
    add_block (random, depth - 1, in_loop, out);
    if (g_rand_boolean (random)) {
      g_string_append (out, "else ");
      add_block (random, depth - 1, in_loop, out);
    }
  } else
    add_loop (random, depth, out);
}

void random_body_add (GRand *random, GString *out) { add_statement (random, 3, FALSE, out); }
