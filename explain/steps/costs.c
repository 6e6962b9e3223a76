#include "explain/steps/costs.h"
#include "model/language.h"

#include <string.h>

struct Costs {
  guint n;
  gboolean sizes;
  const RspMatrix *plain;
  GHashTable *known; /* RspTraceTerm → its costs (guint *) */
  GHashTable *paths; /* RspTraceTerm → costs of paths */
};

Costs *costs_new (guint n, gboolean sizes, const RspMatrix *plain) {
  Costs *costs = g_new0 (Costs, 1);
  costs->n = n;
  costs->sizes = sizes;
  costs->plain = plain;
  costs->known = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  costs->paths = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return costs;
}

void costs_free (Costs *costs) {
  g_hash_table_unref (costs->known);
  g_hash_table_unref (costs->paths);
  g_free (costs);
}

gboolean term_has (const RspTraceTerm *term, guint a, guint b) {
  return term->is_set ? rsp_set_has (term->value, a) : rsp_matrix_get (term->value, a, b);
}

static guint plus (guint a, guint b) { return MIN (a + b, COST_INFINITE); }

/* ---- Weights ---- */

/* Changing a scope or an order takes one word; what the execution decides takes a
 * different execution; moving a thread changes the scope tree; program order is fixed. */

/* How firmly the program fixes a base set or relation, by its name or another spelling of it: 0
 * means not at all; G_MAXUINT: no change of a word, a place or an execution produces a pair. */
static guint base_weight (const char *name) {
  static const struct {
    const char *name;
    guint weight;
  } weights[] = {
    { "_", 0 },
    { "unv", 0 },
#define RSP_SCOPE(id, level, word, text, short_word, set, relation) { "memory_scope_" word, 2 },
#include "parser/scopes.def"
#define RSP_TAG(id, languages, text) { #id, 2 },
#define RSP_SHARED_TAG(id, languages, text, set)
#include "parser/languages.def"
    { "remote", 2 },
    { "memory_order_relaxed", 3 },
    { "memory_order_consume", 3 },
    { "memory_order_acquire", 3 },
    { "memory_order_release", 3 },
    { "memory_order_acq_rel", 3 },
    { "memory_order_seq_cst", 3 },
#define RSP_BASE_DERIVED(id, kind, name, meaning) { name, 3 },
#include "model/base_names.def"
    { "wi", 4 },
    { "ext-wi", 4 },
    { "sr", 4 },
#define RSP_LEVEL(id, relation, word, text, short_word, in_tree, elsewhere, printed)               \
  { short_word, 4 }, { "ext-" short_word, 4 },
#include "parser/scopes.def"
    { "G", 4 },
    { "L", 4 },
    { "A", 6 },
    { "na", 6 },
    { "atomicloc", 6 },
    { "nonatomicloc", 6 },
    { "fga", 6 },
  };
  const char *own = rsp_base_name (name);
  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    if (strcmp (weights[i].name, own) == 0)
      return weights[i].weight;
  return G_MAXUINT;
}

/* ---- Leaves ---- */

/* The cost for a base set or relation that lacks the pair; a computed value is fixed. */
static guint cost_of_missing (const RspTraceTerm *leaf) {
  guint weight = leaf->op == RSP_TRACE_BASE ? base_weight (leaf->name) : G_MAXUINT;
  return weight == G_MAXUINT ? COST_FIXED : weight * COST_UNIT;
}

static void fill_leaf (const Costs *costs, const RspTraceTerm *leaf, guint *out) {
  guint n = costs->n, columns = leaf->is_set ? 1 : n;
  guint present = costs->sizes && !leaf->is_set ? 1 : 0;
  guint missing = costs->sizes ? COST_INFINITE : cost_of_missing (leaf);
  for (guint a = 0; a < n; a++) {
    gboolean firm = leaf->is_set && costs->plain && rsp_set_has (costs->plain, a);
    guint absent = MIN (firm ? 4 * missing : missing, COST_INFINITE);
    for (guint b = 0; b < columns; b++)
      out[a * columns + b] = term_has (leaf, a, b) ? present : absent;
  }
}

/* ---- Operators ---- */

static void fill_sequence (guint n, const guint *a, const guint *b, guint *out) {
  for (guint i = 0; i < n * n; i++)
    out[i] = COST_INFINITE;
  for (guint x = 0; x < n; x++)
    for (guint z = 0; z < n; z++)
      if (a[x * n + z] < COST_INFINITE)
        for (guint y = 0; y < n; y++)
          out[x * n + y] = MIN (out[x * n + y], plus (a[x * n + z], b[z * n + y]));
}

static void fill_diagonal (guint n, guint *out) {
  for (guint x = 0; x < n; x++)
    out[x * n + x] = 0;
}

/* Elementwise: union, intersection, difference, complement. A pair of b that prevents a difference
 * costs as much as moving a thread in the scope tree. */
static void fill_boolean (const Costs *costs, const RspTraceTerm *term, const guint *a,
                          const guint *b, guint *out) {
  guint n = costs->n, columns = term->is_set ? 1 : n;
  const RspTraceTerm *without
      = term->operands[term->op == RSP_TRACE_COMPLEMENT ? 0 : term->op == RSP_TRACE_DIFFERENCE];
  for (guint x = 0; x < n; x++)
    for (guint y = 0; y < columns; y++) {
      guint i = x * columns + y;
      guint in_the_way = term_has (without, x, y) ? (costs->sizes ? COST_INFINITE : 4 * COST_UNIT)
                         : costs->sizes           ? 1
                                                  : 0;
      out[i] = term->op == RSP_TRACE_UNION          ? MIN (a[i], b[i])
               : term->op == RSP_TRACE_INTERSECTION ? plus (a[i], b[i])
               : term->op == RSP_TRACE_DIFFERENCE   ? plus (a[i], in_the_way)
                                                    : in_the_way;
    }
}

static void fill_product (guint n, const guint *a, const guint *b, guint *out) {
  for (guint x = 0; x < n; x++)
    for (guint y = 0; y < n; y++)
      out[x * n + y] = plus (a[x], b[y]);
}

static void fill_identity (guint n, const guint *a, guint *out) {
  for (guint x = 0; x < n; x++)
    for (guint y = 0; y < n; y++)
      out[x * n + y] = x == y ? a[x] : COST_INFINITE;
}

static void fill_inverse (guint n, const guint *a, guint *out) {
  for (guint x = 0; x < n; x++)
    for (guint y = 0; y < n; y++)
      out[x * n + y] = a[y * n + x];
}

/* Domain, or range. */
static void fill_ends (guint n, const guint *a, gboolean range, guint *out) {
  for (guint x = 0; x < n; x++)
    out[x] = COST_INFINITE;
  for (guint x = 0; x < n; x++)
    for (guint y = 0; y < n; y++)
      out[range ? y : x] = MIN (out[range ? y : x], a[x * n + y]);
}

static void fill_paths (guint n, const guint *edges, guint *out) {
  for (guint i = 0; i < n * n; i++)
    out[i] = MAX (edges[i], 1);
  for (guint z = 0; z < n; z++)
    for (guint x = 0; x < n; x++)
      if (out[x * n + z] < COST_INFINITE)
        for (guint y = 0; y < n; y++)
          out[x * n + y] = MIN (out[x * n + y], plus (out[x * n + z], out[z * n + y]));
}

/* ---- Terms ---- */

/* All costs of a relation, n × n, row by row, or of a set, n. Owned by the costs. */
static const guint *costs_of (Costs *costs, const RspTraceTerm *term);

/* Edges that exist cost nothing to complete; edges of an earlier round are shown as in that
 * round. */
static void respect_value (Costs *costs, const RspTraceTerm *term, guint *out) {
  guint n = costs->n, columns = term->is_set ? 1 : n;
  const guint *before = costs->sizes && term->before ? costs_of (costs, term->before) : NULL;
  for (guint x = 0; x < n; x++)
    for (guint y = 0; y < columns; y++) {
      guint i = x * columns + y;
      if (!costs->sizes && term_has (term, x, y))
        out[i] = 0;
      else if (before && term_has (term->before, x, y))
        out[i] = before[i];
    }
}

static void fill (Costs *costs, const RspTraceTerm *term, guint *out) {
  guint n = costs->n, arity = rsp_trace_op_arity (term->op);
  const guint *a = arity >= 1 ? costs_of (costs, term->operands[0]) : NULL;
  const guint *b = arity == 2 ? costs_of (costs, term->operands[1]) : NULL;
  switch (term->op) {
  case RSP_TRACE_UNION:
  case RSP_TRACE_INTERSECTION:
  case RSP_TRACE_DIFFERENCE:
  case RSP_TRACE_COMPLEMENT:
    fill_boolean (costs, term, a, b, out);
    break;
  case RSP_TRACE_SEQUENCE:
    fill_sequence (n, a, b, out);
    break;
  case RSP_TRACE_INVERSE:
    fill_inverse (n, a, out);
    break;
  case RSP_TRACE_CLOSURE:
  case RSP_TRACE_STAR:
    memcpy (out, costs_of_paths (costs, term->operands[0]), sizeof (guint) * n * n);
    if (term->op == RSP_TRACE_STAR)
      fill_diagonal (n, out);
    break;
  case RSP_TRACE_OPTION:
    memcpy (out, a, sizeof (guint) * n * n);
    fill_diagonal (n, out);
    break;
  case RSP_TRACE_PRODUCT:
    fill_product (n, a, b, out);
    break;
  case RSP_TRACE_IDENTITY:
    fill_identity (n, a, out);
    break;
  case RSP_TRACE_DOMAIN:
  case RSP_TRACE_RANGE:
    fill_ends (n, a, term->op == RSP_TRACE_RANGE, out);
    break;
  case RSP_TRACE_ALIAS:
    memcpy (out, a, sizeof (guint) * (term->is_set ? n : n * n));
    break;
  default:
    fill_leaf (costs, term, out);
  }
}

static const guint *costs_of (Costs *costs, const RspTraceTerm *term) {
  guint *out = g_hash_table_lookup (costs->known, term);
  if (out)
    return out;
  out = g_new (guint, term->is_set ? costs->n : costs->n * costs->n);
  fill (costs, term, out);
  respect_value (costs, term, out);
  g_hash_table_insert (costs->known, (gpointer) term, out);
  return out;
}

guint cost_of (Costs *costs, const RspTraceTerm *term, guint a, guint b) {
  return costs_of (costs, term)[term->is_set ? a : a * costs->n + b];
}

const guint *costs_of_paths (Costs *costs, const RspTraceTerm *relation) {
  guint *out = g_hash_table_lookup (costs->paths, relation);
  if (out)
    return out;
  const guint *edges = costs_of (costs, relation);
  out = g_new (guint, (gsize) costs->n * costs->n);
  fill_paths (costs->n, edges, out);
  g_hash_table_insert (costs->paths, (gpointer) relation, out);
  return out;
}

guint costs_next (Costs *costs, const RspTraceTerm *relation, guint from, guint to) {
  guint n = costs->n;
  const guint *edges = costs_of (costs, relation), *paths = costs_of_paths (costs, relation);
  guint whole = paths[from * n + to];
  if (MAX (edges[from * n + to], 1) == whole)
    return to;
  for (guint z = 0; z < n; z++)
    if (plus (MAX (edges[from * n + z], 1), paths[z * n + to]) == whole)
      return z;
  return to;
}
