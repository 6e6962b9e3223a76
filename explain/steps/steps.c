#include "explain/steps/steps.h"
#include "explain/view.h"

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

/* Is one term a round of the recursive definition that the other is? */
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

/* "{a, c}": a computed set, such as a scope instance, is named by its members. */
static void append_members (Steps *steps, const RspMatrix *set, GString *text) {
  const char *separator = "{";
  for (guint e = 0; e < steps->pre->n; e++)
    if (rsp_set_has (set, e)) {
      g_string_append_printf (text, "%s%s", separator, view_event_id (steps->pre, e, steps->arena));
      separator = ", ";
    }
  g_string_append (text, *separator == '{' ? "{}" : "}");
}

static const char *text_of (Steps *steps, const RspTraceTerm *term) {
  g_autoptr (GString) text = g_string_new (NULL);
  if (term->op == RSP_TRACE_VALUE && !term->name && term->is_set)
    append_members (steps, term->value, text);
  else
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

/* ---- Edges that are there ---- */

static void derive_below (Steps *steps, const RspTraceTerm *term, guint a, guint b,
                          GPtrArray *below);

/* An operand that is written without brackets, as in a | b | c, is part of its operator. */
static gboolean joins (const RspTraceTerm *term, const RspTraceTerm *operand) {
  return !operand->name && operand->op == term->op && !operand->before;
}

static void derive_operand (Steps *steps, const RspTraceTerm *term, guint operand, guint a, guint b,
                            GPtrArray *below) {
  const RspTraceTerm *part = term->operands[operand];
  if (joins (term, part) && term->op != RSP_TRACE_DIFFERENCE)
    derive_below (steps, part, a, b, below);
  else
    g_ptr_array_add (below, (gpointer) steps_derive (steps, part, a, b));
}

static void derive_union (Steps *steps, const RspTraceTerm *term, guint a, guint b,
                          GPtrArray *below) {
  guint first = cost_of (steps->sizes, term->operands[0], a, b);
  guint second = cost_of (steps->sizes, term->operands[1], a, b);
  derive_operand (steps, term, second < first, a, b, below);
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

static void derive_sequence (Steps *steps, const RspTraceTerm *term, guint a, guint b,
                             GPtrArray *below) {
  guint z = middle_of (steps->sizes, term, term->value->n, a, b);
  derive_operand (steps, term, 0, a, z, below);
  derive_operand (steps, term, 1, z, b, below);
}

static void derive_path (Steps *steps, const RspTraceTerm *relation, guint a, guint b,
                         GPtrArray *below) {
  guint next;
  do {
    next = costs_next (steps->sizes, relation, a, b);
    g_ptr_array_add (below, (gpointer) steps_derive (steps, relation, a, next));
    a = next;
  } while (next != b);
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

/* Why it is not: the smallest change that would make it one. */
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
    derive_union (steps, term, a, b, below);
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
  case RSP_TRACE_SEQUENCE:
    derive_sequence (steps, term, a, b, below);
    return;
  case RSP_TRACE_CLOSURE:
  case RSP_TRACE_STAR:
    if (term->op == RSP_TRACE_CLOSURE || a != b)
      derive_path (steps, operands[0], a, b, below);
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

/* ---- Edges that are not there ---- */

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

static void miss_union (Steps *steps, const RspTraceTerm *term, guint a, guint b,
                        GPtrArray *below) {
  guint first = cost_of (steps->missing, term->operands[0], a, b) / COST_UNIT;
  guint second = cost_of (steps->missing, term->operands[1], a, b) / COST_UNIT;
  miss_operand (steps, term->operands[second < first], a, b, below);
}

static void miss_sequence (Steps *steps, const RspTraceTerm *term, guint a, guint b,
                           GPtrArray *below) {
  guint z = middle_of (steps->missing, term, term->value->n, a, b);
  if (cost_of (steps->missing, term, a, b) >= COST_INFINITE)
    return;
  miss_operand (steps, term->operands[0], a, z, below);
  miss_operand (steps, term->operands[1], z, b, below);
}

static void miss_below (Steps *steps, const RspTraceTerm *term, guint a, guint b,
                        GPtrArray *below) {
  const RspTraceTerm *const *operands = term->operands;
  switch (term->op) {
  case RSP_TRACE_UNION:
    miss_union (steps, term, a, b, below);
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
    miss_sequence (steps, term, a, b, below);
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
  default: /* leaves, and ends of relations: they have no edge to name */
    break;
  }
}

static const RspStep *miss (Steps *steps, const RspTraceTerm *term, guint a, guint b) {
  g_autoptr (GPtrArray) below = g_ptr_array_new ();
  miss_below (steps, term, a, b, below);
  return new_step (steps, term, a, b, TRUE, below);
}
