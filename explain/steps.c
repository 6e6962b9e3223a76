/* Why an edge is in a relation, or is not, in the fewest steps. */
#include "explain/internal.h"
#include "model/model.h"

#include <string.h>

/* ---- Costs ---------------------------------------------------------------------------------- */

struct Costs {
  guint n;
  gboolean sizes;
  const RspMatrix *plain;
  GHashTable *known; /* RspTraceTerm → its costs (guint *) */
  GHashTable *paths; /* RspTraceTerm → costs of paths */
};

/* sizes: a cost is the number of base edges in a shortest derivation; infinite without one.
 * Otherwise it is the weight of what is missing: the more firmly the program fixes it, the more; 0
 * if nothing is missing. Terms are over n events and must outlive the costs. plain: the events that
 * do not synchronise (a set, kept by reference; NULL: none), whose missing edges cost more. */
static Costs *costs_new (guint n, gboolean sizes, const RspMatrix *plain) {
  Costs *costs = g_new0 (Costs, 1);
  costs->n = n;
  costs->sizes = sizes;
  costs->plain = plain;
  costs->known = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  costs->paths = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return costs;
}

static void costs_free (Costs *costs) {
  g_hash_table_unref (costs->known);
  g_hash_table_unref (costs->paths);
  g_free (costs);
}

gboolean term_has (const RspTraceTerm *term, guint a, guint b) {
  return term->is_set ? rsp_set_has (term->value, a) : rsp_matrix_get (term->value, a, b);
}

static guint plus (guint a, guint b) { return MIN (a + b, COST_INFINITE); }

/* ---- Weights ---- */
enum { WORD_WEIGHT = 2 }; /* of a scope, or a word of the model */

/* How firmly the program fixes a base set or relation, by its name or another spelling of it.
 * Changing a scope or an order takes one word; what the execution decides takes a different
 * execution; moving a thread changes the scope tree; program order is fixed. 0: not at all;
 * G_MAXUINT: no change of a word, a place or an execution produces a pair. */
static guint base_weight (const char *name) {
  static const struct {
    const char *name;
    guint weight;
  } weights[] = {
    { "_", 0 },
    { "unv", 0 },
#define RSP_SCOPE(id, level, word, text, short_word, set, relation)                                \
  { "memory_scope_" word, WORD_WEIGHT },
#include "parser/scopes.def"
#define RSP_TAG(id, languages, text) { #id, 2 },
#define RSP_SHARED_TAG(id, languages, text, set)
#include "parser/languages.def"
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
static void fill_leaf (const Costs *costs, const RspTraceTerm *leaf, guint *out) {
  guint n = costs->n, columns = leaf->is_set ? 1 : n;
  guint present = costs->sizes && !leaf->is_set ? 1 : 0;
  /* A missing pair costs the weight of the name; a computed value is fixed. */
  guint weight = leaf->op != RSP_TRACE_BASE                       ? G_MAXUINT
                 : leaf->is_set && !rsp_base_defines (leaf->name) ? WORD_WEIGHT
                                                                  : base_weight (leaf->name);
  guint missing = costs->sizes          ? COST_INFINITE
                  : weight == G_MAXUINT ? COST_FIXED
                                        : weight * COST_UNIT;
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

/* ---- Terms ---- */
/* All costs of a relation, n × n, row by row, or of a set, n. Owned by the costs. */
static const guint *costs_of (Costs *costs, const RspTraceTerm *term);

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
  case RSP_TRACE_PRODUCT:
  case RSP_TRACE_IDENTITY:
    for (guint x = 0; x < n; x++)
      for (guint y = 0; y < n; y++)
        out[x * n + y] = term->op == RSP_TRACE_INVERSE   ? a[y * n + x]
                         : term->op == RSP_TRACE_PRODUCT ? plus (a[x], b[y])
                         : x == y                        ? a[x]
                                                         : COST_INFINITE;
    break;
  case RSP_TRACE_CLOSURE:
  case RSP_TRACE_STAR:
  case RSP_TRACE_OPTION:
    a = term->op == RSP_TRACE_OPTION ? a : costs_of_paths (costs, term->operands[0]);
    memcpy (out, a, sizeof (guint) * n * n);
    for (guint x = 0; x < n && term->op != RSP_TRACE_CLOSURE; x++)
      out[x * n + x] = 0;
    break;
  case RSP_TRACE_DOMAIN:
  case RSP_TRACE_RANGE:
    for (guint x = 0; x < n; x++)
      out[x] = COST_INFINITE;
    for (guint x = 0; x < n; x++)
      for (guint y = 0; y < n; y++) {
        guint *end = &out[term->op == RSP_TRACE_RANGE ? y : x];
        *end = MIN (*end, a[x * n + y]);
      }
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
  /* Nothing is missing in edges that exist; edges of an earlier round cost what they cost there. */
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
  guint n = costs->n;
  const guint *edges = costs_of (costs, relation);
  out = g_new (guint, (gsize) n * n);
  for (guint i = 0; i < n * n; i++)
    out[i] = MAX (edges[i], 1);
  for (guint z = 0; z < n; z++)
    for (guint x = 0; x < n; x++)
      if (out[x * n + z] < COST_INFINITE)
        for (guint y = 0; y < n; y++)
          out[x * n + y] = MIN (out[x * n + y], plus (out[x * n + z], out[z * n + y]));
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

/* ---- Steps ---------------------------------------------------------------------------------- */

/* Events that do not synchronise are plain ones. */
Steps *steps_new (const RspPreExecution *pre, RspArena *arena) {
  Steps *steps = g_new0 (Steps, 1);
  steps->pre = pre;
  steps->arena = arena;
  steps->sizes = costs_new (pre->n, TRUE, NULL);
  steps->missing = costs_new (pre->n, FALSE, pre->base->sets[RSP_BASE_SET_NA]);
  steps->mentioned = g_hash_table_new (g_str_hash, g_str_equal);
  return steps;
}

void steps_free (Steps *steps) {
  costs_free (steps->sizes);
  costs_free (steps->missing);
  g_hash_table_unref (steps->mentioned);
  g_free (steps);
}

/* ---- Making steps ---- */
/* Is `term`, by its value, a round of the recursive definition up to its round `later`? */
static gboolean is_round_of (const RspTraceTerm *term, const RspTraceTerm *later) {
  for (; later; later = later->before)
    if (term->is_set == later->is_set && rsp_matrix_equal (term->value, later->value))
      return TRUE;
  return FALSE;
}

/* The name of a recursive definition denotes its last round. A name of several terms denotes none
 * of them, since calls may look alike and names may be redefined. */
static void mention (Steps *steps, const RspTraceTerm *term) {
  gpointer known;
  if (!term->name)
    return;
  if (!g_hash_table_lookup_extended (steps->mentioned, term->name, NULL, &known))
    g_hash_table_insert (steps->mentioned, (gpointer) term->name, (gpointer) term);
  else if (known && !is_round_of (term, known))
    g_hash_table_insert (steps->mentioned, (gpointer) term->name,
                         is_round_of (known, term) ? (gpointer) term : NULL);
}

static const char *text_of (Steps *steps, const RspTraceTerm *term) {
  g_autoptr (GString) text = g_string_new (NULL);
  if (term->op == RSP_TRACE_VALUE && !term->name && term->is_set) {
    /* "{a, c}": a computed set, such as a scope instance, is named by its members. */
    const char *separator = "{";
    for (guint e = 0; e < steps->pre->n; e++)
      if (rsp_set_has (term->value, e)) {
        g_string_append_printf (text, "%s%s", separator,
                                view_event_id (steps->pre, e, steps->arena));
        separator = ", ";
      }
    g_string_append (text, *separator == '{' ? "{}" : "}");
  } else
    rsp_trace_term_format (term, text);
  return rsp_arena_strdup (steps->arena, text->str);
}

/* below: of const RspStep * */
static const RspStep *new_step (Steps *steps, const RspTraceTerm *term, guint a, guint b,
                                gboolean absent, const GPtrArray *below) {
  RspStep *step = rsp_arena_new0 (steps->arena, RspStep, 1);
  mention (steps, term);
  *step = (RspStep){ .from = a,
                     .to = term->is_set ? a : b,
                     .relation = text_of (steps, term),
                     .named = term->name != NULL,
                     .is_set = term->is_set,
                     .absent = absent,
                     .as = term->op,
                     .n_steps = below->len };
  step->steps = rsp_arena_copy (steps->arena, below->pdata, below->len * sizeof (gpointer));
  return step;
}

/* ---- Edges that exist ---- */
static void derive_below (Steps *steps, const RspTraceTerm *term, guint a, guint b,
                          GPtrArray *below);

static void derive_operand (Steps *steps, const RspTraceTerm *term, guint operand, guint a, guint b,
                            GPtrArray *below) {
  const RspTraceTerm *part = term->operands[operand];
  /* An operand that is written without brackets, as in a | b | c, is part of its operator. */
  gboolean joins = !part->name && part->op == term->op && !part->before;
  if (joins && term->op != RSP_TRACE_DIFFERENCE)
    derive_below (steps, part, a, b, below);
  else
    g_ptr_array_add (below, (gpointer) steps_derive (steps, part, a, b));
}

/* The cost of a union, in units. */
static guint cheaper_operand (Costs *costs, const RspTraceTerm *term, guint a, guint b,
                              guint unit) {
  return cost_of (costs, term->operands[1], a, b) / unit
         < cost_of (costs, term->operands[0], a, b) / unit;
}

/* The event in between at which the two halves cost least. */
static guint middle_of (Costs *costs, const RspTraceTerm *sequence, guint n, guint a, guint b) {
  guint best = COST_INFINITE + 1, middle = 0;
  for (guint z = 0; z < n; z++) {
    guint cost = cost_of (costs, sequence->operands[0], a, z)
                 + cost_of (costs, sequence->operands[1], z, b);
    if (cost < best) {
      best = cost;
      middle = z;
    }
  }
  return middle;
}

static void derive_end (Steps *steps, const RspTraceTerm *term, guint x, GPtrArray *below) {
  const RspTraceTerm *relation = term->operands[0];
  gboolean range = term->op == RSP_TRACE_RANGE;
  guint best = 0, least = COST_INFINITE;
  for (guint y = 0; y < relation->value->n; y++) {
    guint cost = cost_of (steps->sizes, relation, range ? y : x, range ? x : y);
    if (cost < least) {
      least = cost;
      best = y;
    }
  }
  g_ptr_array_add (below,
                   (gpointer) steps_derive (steps, relation, range ? best : x, range ? x : best));
}

/* Why (a, b) is not in the term: the smallest change that would put it there. */
static const RspStep *miss (Steps *steps, const RspTraceTerm *term, guint a, guint b);

static void add_absent (Steps *steps, const RspTraceTerm *term, guint a, guint b,
                        GPtrArray *below) {
  g_ptr_array_add (below, (gpointer) miss (steps, term, a, b));
}

static void derive_below (Steps *steps, const RspTraceTerm *term, guint a, guint b,
                          GPtrArray *below) {
  const RspTraceTerm *const *operands = term->operands;
  switch (term->op) {
  case RSP_TRACE_UNION:
    derive_operand (steps, term, cheaper_operand (steps->sizes, term, a, b, 1), a, b, below);
    return;
  case RSP_TRACE_INTERSECTION:
    derive_operand (steps, term, 0, a, b, below);
    derive_operand (steps, term, 1, a, b, below);
    return;
  case RSP_TRACE_DIFFERENCE:
    g_ptr_array_add (below, (gpointer) steps_derive (steps, operands[0], a, b));
    add_absent (steps, operands[1], a, b, below);
    return;
  case RSP_TRACE_COMPLEMENT:
    add_absent (steps, operands[0], a, b, below);
    return;
  case RSP_TRACE_SEQUENCE: {
    guint z = middle_of (steps->sizes, term, term->value->n, a, b);
    derive_operand (steps, term, 0, a, z, below);
    derive_operand (steps, term, 1, z, b, below);
    return;
  }
  case RSP_TRACE_CLOSURE:
  case RSP_TRACE_STAR:
    if (term->op == RSP_TRACE_CLOSURE || a != b) {
      guint next;
      do {
        next = costs_next (steps->sizes, operands[0], a, b);
        g_ptr_array_add (below, (gpointer) steps_derive (steps, operands[0], a, next));
        a = next;
      } while (next != b);
    }
    return;
  case RSP_TRACE_PRODUCT:
    g_ptr_array_add (below, (gpointer) steps_derive (steps, operands[0], a, a));
    g_ptr_array_add (below, (gpointer) steps_derive (steps, operands[1], b, b));
    return;
  case RSP_TRACE_DOMAIN:
  case RSP_TRACE_RANGE:
    derive_end (steps, term, a, below);
    return;
  case RSP_TRACE_OPTION:
    if (a == b)
      return;
    break;
  case RSP_TRACE_BASE:
  case RSP_TRACE_CHOSEN:
  case RSP_TRACE_VALUE:
    return;
  default:
    break;
  }
  gboolean turned = term->op == RSP_TRACE_INVERSE;
  g_ptr_array_add (below,
                   (gpointer) steps_derive (steps, operands[0], turned ? b : a, turned ? a : b));
}

const RspStep *steps_derive (Steps *steps, const RspTraceTerm *term, guint a, guint b) {
  g_autoptr (GPtrArray) below = g_ptr_array_new ();
  mention (steps, term);
  while (term->before && term_has (term->before, a, b))
    term = term->before;
  derive_below (steps, term, a, b, below);
  return new_step (steps, term, a, b, FALSE, below);
}

/* ---- Edges that are missing ---- */
static void miss_below (Steps *steps, const RspTraceTerm *term, guint a, guint b, GPtrArray *below);

/* What is missing in an operand; nothing if the edge is there. An unnamed expression is replaced by
 * its own reasons. */
static void miss_operand (Steps *steps, const RspTraceTerm *operand, guint a, guint b,
                          GPtrArray *below) {
  if (term_has (operand, a, b))
    return;
  guint before = below->len;
  if (!operand->name)
    miss_below (steps, operand, a, b, below);
  if (below->len == before)
    add_absent (steps, operand, a, b, below);
}

static void miss_path (Steps *steps, const RspTraceTerm *relation, guint a, guint b,
                       GPtrArray *below) {
  guint next;
  if (costs_of_paths (steps->missing, relation)[a * relation->value->n + b] >= COST_INFINITE)
    return;
  do {
    next = costs_next (steps->missing, relation, a, b);
    miss_operand (steps, relation, a, next, below);
    a = next;
  } while (next != b);
}

static void miss_below (Steps *steps, const RspTraceTerm *term, guint a, guint b,
                        GPtrArray *below) {
  const RspTraceTerm *const *operands = term->operands;
  switch (term->op) {
  case RSP_TRACE_UNION:
    miss_operand (steps, operands[cheaper_operand (steps->missing, term, a, b, COST_UNIT)], a, b,
                  below);
    break;
  case RSP_TRACE_INTERSECTION:
    miss_operand (steps, operands[0], a, b, below);
    miss_operand (steps, operands[1], a, b, below);
    break;
  case RSP_TRACE_DIFFERENCE:
    miss_operand (steps, operands[0], a, b, below);
    if (term_has (operands[1], a, b))
      g_ptr_array_add (below, (gpointer) steps_derive (steps, operands[1], a, b));
    break;
  case RSP_TRACE_COMPLEMENT:
    g_ptr_array_add (below, (gpointer) steps_derive (steps, operands[0], a, b));
    break;
  case RSP_TRACE_SEQUENCE:
    if (cost_of (steps->missing, term, a, b) < COST_INFINITE) {
      guint z = middle_of (steps->missing, term, term->value->n, a, b);
      miss_operand (steps, operands[0], a, z, below);
      miss_operand (steps, operands[1], z, b, below);
    }
    break;
  case RSP_TRACE_CLOSURE:
  case RSP_TRACE_STAR:
    miss_path (steps, operands[0], a, b, below);
    break;
  case RSP_TRACE_PRODUCT:
    miss_operand (steps, operands[0], a, a, below);
    miss_operand (steps, operands[1], b, b, below);
    break;
  case RSP_TRACE_INVERSE:
    miss_operand (steps, operands[0], b, a, below);
    break;
  case RSP_TRACE_IDENTITY:
    if (a == b)
      miss_operand (steps, operands[0], a, a, below);
    break;
  case RSP_TRACE_OPTION:
  case RSP_TRACE_ALIAS:
    miss_operand (steps, operands[0], a, b, below);
    break;
  default: /* base terms, domains and ranges have no edge to name */
    break;
  }
}

static const RspStep *miss (Steps *steps, const RspTraceTerm *term, guint a, guint b) {
  g_autoptr (GPtrArray) below = g_ptr_array_new ();
  miss_below (steps, term, a, b, below);
  return new_step (steps, term, a, b, TRUE, below);
}
