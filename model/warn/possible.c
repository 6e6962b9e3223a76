/* Definitions that are empty whatever the test is. */
#include "base/base.h"
#include "model/model.h"
#include "model/warn/internal.h"

#include <string.h>

static Possible possible_identity (const Possible *set);

/* ---- Event types ---------------------------------------------------------------------------- */

/* The kinds of events in tests (docs/litmus.md) that models can distinguish:
 *
 *   initial writes   plain
 *   plain accesses   reads and writes; reads of what atomic functions access too, in kernels
 *   atomic accesses  reads, writes, read-modify-writes, and the reads of a compare-exchange that
 *                    failed; of any order (C11 forbids some, which is only a warning) and scope,
 *                    with the words that the model declares or not; and reductions
 *   fences           of any order and scope, on global memory, local, both or neither
 *   barrier halves   the first a release, the second an acquire */

#define SET(id) ((RspEventType) 1 << RSP_BASE_SET_##id)

G_STATIC_ASSERT (RSP_N_BASE_SETS <= 128);

static const RspEventType kinds[]
    = { SET (R), SET (W), SET (R) | SET (W) | SET (RMW), SET (R) | SET (W) | SET (RMW) | SET (X),
        SET (R) | SET (FAILED_RMW) };

static const RspEventType orders[]
    = { SET (RLX), SET (CON), SET (ACQ), SET (REL), SET (ACQ_REL), SET (SC) };

static const RspEventType scopes[] = {
#define RSP_SCOPE(id, level, word, text, short_word, set, relation) SET (id##_SCOPE),
#include "parser/scopes.def"
};

static const RspEventType spaces[] = { 0, SET (G), SET (L), SET (G) | SET (FGA) };

static const RspEventType locations[] = { SET (ATOMICLOC), SET (NONATOMICLOC) };

static const RspEventType fence_memory[] = { 0, SET (G), SET (L), SET (G) | SET (L) };

enum { FREE_WORDS = 4 }; /* the model's first words; of others nothing is known */

/* Adds to *type the words of a subset; FALSE if an operation there cannot have them all. */
static gboolean add_words (const RspModel *model, guint subset, guint place, RspEventType *type) {
  for (guint i = 0; subset >> i; i++)
    if (subset >> i & 1) {
      if (!(g_array_index (model->words, RspModelWord, i).places & place)
          && rsp_model_level (model, i) == RSP_N_LEVELS)
        return FALSE;
      *type |= (RspEventType) 1 << (RSP_BASE_SET_WORD_0 + i);
    }
  return TRUE;
}

/* Adds an access for every kind of location. */
static void add_accesses (GArray *types, RspEventType access) {
  for (gsize i = 0; i < G_N_ELEMENTS (spaces); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (locations); j++) {
      RspEventType type = access | SET (M) | spaces[i] | locations[j];
      g_array_append_val (types, type);
    }
}

static void add_fences (GArray *types, RspEventType fence) {
  for (gsize i = 0; i < G_N_ELEMENTS (fence_memory); i++) {
    RspEventType type = fence | SET (F) | fence_memory[i];
    g_array_append_val (types, type);
  }
}

/* All of them (of RspEventType), each once. Newly allocated. */
static GArray *event_types (const RspModel *model) {
  static const guint places[]
      = { RSP_WORD_READ, RSP_WORD_WRITE, RSP_WORD_RMW, RSP_WORD_RMW, RSP_WORD_RMW };
  GArray *types = g_array_new (FALSE, FALSE, sizeof (RspEventType));
  RspEventType plain = SET (NA) | SET (WORK_ITEM_SCOPE);
  add_accesses (types, plain | SET (R));
  add_accesses (types, plain | SET (R) | SET (ORDINARY_READ));
  add_accesses (types, plain | SET (W));
  /* Reductions are in C tests, whose operations have device scope. */
  for (gsize i = 0; i < G_N_ELEMENTS (orders); i++)
    add_accesses (types, orders[i] | SET (DEVICE_SCOPE) | SET (R) | SET (W) | SET (RMW) | SET (X)
                             | SET (NO_RESULT) | SET (A));
  add_accesses (types, plain | SET (W) | SET (I));
  guint n_subsets = 1u << MIN (model->words->len, FREE_WORDS);
  for (guint i = 0; i < G_N_ELEMENTS (scopes) * n_subsets; i++) {
    RspEventType fence = scopes[i / n_subsets];
    gboolean may_fence = add_words (model, i % n_subsets, RSP_WORD_FENCE, &fence);
    /* Events whose order is given in the test. */
    for (gsize j = 0; j < G_N_ELEMENTS (orders); j++) {
      for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++) {
        RspEventType access = scopes[i / n_subsets] | orders[j] | kinds[k] | SET (A);
        if (add_words (model, i % n_subsets, places[k], &access))
          add_accesses (types, access);
      }
      if (may_fence)
        add_fences (types, fence | orders[j]);
    }
    if (may_fence) {
      add_fences (types, fence | SET (ENTRY_FENCE) | SET (REL));
      add_fences (types, fence | SET (ENTRY_FENCE) | SET (REL) | SET (DIVERGENT_FENCE));
      add_fences (types, fence | SET (EXIT_FENCE) | SET (ACQ));
    }
  }
  return types;
}

/* ---- Possible ------------------------------------------------------------------------------- */

static const Possible possible_any = { .kind = POSSIBLE_ANY };

static Possible exactly (const RspMatrix *events) {
  return (Possible){ .kind = POSSIBLE_SET, .exact = TRUE, .from = events, .to = events };
}

/* ---- Sets of types ---- */
typedef void Combination (RspMatrix *out, const RspMatrix *a, const RspMatrix *b);

static const RspMatrix *combine (const PossibleTypes *types, Combination *combination,
                                 const RspMatrix *a, const RspMatrix *b) {
  RspMatrix *out = rsp_set_new (types->arena, types->types->len);
  combination (out, a, b);
  return out;
}

/* Types that are in all sets of `in` and in none of `out`. */
static const RspMatrix *types_of (const PossibleTypes *types, RspEventType in, RspEventType out) {
  RspMatrix *bits = rsp_set_new (types->arena, types->types->len);
  rsp_matrix_fill (bits);
  for (guint set = 0; set < RSP_N_BASE_SETS; set++)
    if (in >> set & 1)
      rsp_matrix_intersect (bits, bits, types->in_set[set]);
    else if (out >> set & 1)
      rsp_matrix_difference (bits, bits, types->in_set[set]);
  return bits;
}

/* ---- Types ---- */
void possible_types_init (PossibleTypes *types, const RspModel *model) {
  types->model = model;
  types->types = event_types (model);
  types->arena = rsp_arena_new ();
  types->named = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint set = 0; set < RSP_N_BASE_SETS; set++)
    types->in_set[set] = rsp_set_new (types->arena, types->types->len);
  for (guint i = 0; i < types->types->len; i++)
    for (guint half = 0; half < 2; half++) {
      guint64 sets = (guint64) (g_array_index (types->types, RspEventType, i) >> 64 * half);
      for (; sets; sets &= sets - 1)
        rsp_set_add (types->in_set[64 * half + (guint) __builtin_ctzll (sets)], i);
    }
}

void possible_types_clear (PossibleTypes *types) {
  g_hash_table_unref (types->named);
  g_array_unref (types->types);
  rsp_arena_free (types->arena);
}

/* ---- Names ---- */
typedef struct BaseName {
  const char *name;
  PossibleKind kind;
  gboolean identity;
  RspEventType from, not_from, to, not_to;
} BaseName;

/* Relations that never relate an event to itself. */
static const char *const irreflexive[]
    = { "po",     "po-loc", "asw", "co0", "ext", "rfe", "co",
        "coe",    "coi",    "fr",  "fre", "fri", "S",   "sync_fence",
#define RSP_LEVEL(id, relation, word, text, short_word, in_tree, elsewhere, printed)               \
  "ext-" short_word,
#include "parser/scopes.def"
        "ext-wi", NULL };

static const BaseName relations[] = {
  { "id", POSSIBLE_RELATION, TRUE, 0, 0, 0, 0 },
  { "po", POSSIBLE_RELATION, FALSE, 0, SET (I), 0, SET (I) },
  { "loc", POSSIBLE_RELATION, FALSE, SET (M), 0, SET (M), 0 },
  { "po-loc", POSSIBLE_RELATION, FALSE, SET (M), SET (I), SET (M), SET (I) },
  { "addr", POSSIBLE_RELATION, FALSE, SET (R), SET (I), SET (M), SET (I) },
  { "data", POSSIBLE_RELATION, FALSE, SET (R), SET (I), SET (W), SET (I) },
  { "ctrl", POSSIBLE_RELATION, FALSE, SET (R), SET (I), 0, SET (I) },
  { "asw", POSSIBLE_RELATION, FALSE, SET (I), 0, 0, SET (I) },
  { "co0", POSSIBLE_RELATION, FALSE, SET (W), 0, SET (W), SET (I) },
  { "same_B", POSSIBLE_RELATION, FALSE, 0, SET (I), 0, SET (I) },
  { "ssw", POSSIBLE_RELATION, FALSE, 0, SET (I), 0, SET (I) },
  { "sr", POSSIBLE_RELATION, FALSE, 0, SET (I), 0, SET (I) },
  { "sync_fence", POSSIBLE_RELATION, FALSE, SET (F), 0, SET (F), 0 },
  { "ext-wi", POSSIBLE_RELATION, FALSE, 0, SET (I), 0, SET (I) },
#define RSP_LEVEL(id, relation, word, text, short_word, in_tree, elsewhere, printed)               \
  { "ext-" short_word, POSSIBLE_RELATION, FALSE, 0, SET (I), 0, SET (I) },
#include "parser/scopes.def"
  { "rf", POSSIBLE_RELATION, FALSE, SET (W), 0, SET (R), 0 },
  { "rfe", POSSIBLE_RELATION, FALSE, SET (W), 0, SET (R), 0 },
  { "rfi", POSSIBLE_RELATION, FALSE, SET (W), SET (I), SET (R), 0 },
  { "invrf", POSSIBLE_RELATION, FALSE, SET (R), 0, SET (W), 0 },
  { "co", POSSIBLE_RELATION, FALSE, SET (W), 0, SET (W), SET (I) },
  { "coe", POSSIBLE_RELATION, FALSE, SET (W), 0, SET (W), SET (I) },
  { "coi", POSSIBLE_RELATION, FALSE, SET (W), SET (I), SET (W), SET (I) },
  { "fr", POSSIBLE_RELATION, FALSE, SET (R), 0, SET (W), SET (I) },
  { "fre", POSSIBLE_RELATION, FALSE, SET (R), 0, SET (W), SET (I) },
  { "fri", POSSIBLE_RELATION, FALSE, SET (R), 0, SET (W), SET (I) },
  { "atom", POSSIBLE_RELATION, FALSE, SET (R), SET (I), SET (W), SET (I) },
  { "amo", POSSIBLE_RELATION, FALSE, SET (R), SET (I), SET (W), SET (I) },
  { "vloc", POSSIBLE_RELATION, FALSE, 0, 0, 0, 0 },
  { "sm", POSSIBLE_RELATION, TRUE, SET (M), 0, 0, 0 },
  /* The scope tree may relate any events. */
  { "int", POSSIBLE_RELATION, FALSE, 0, 0, 0, 0 },
  { "ext", POSSIBLE_RELATION, FALSE, 0, 0, 0, 0 },
  { "wi", POSSIBLE_RELATION, FALSE, 0, 0, 0, 0 },
#define RSP_LEVEL(id, relation, word, text, short_word, in_tree, elsewhere, printed)               \
  { short_word, POSSIBLE_RELATION, FALSE, 0, 0, 0, 0 },
#include "parser/scopes.def"
  { "FW", POSSIBLE_SET, FALSE, SET (W), 0, 0, 0 },
};

static const char *const sets[] = {
#define RSP_BASE_SET(id, name, meaning) [RSP_BASE_SET_##id] = name,
#include "model/base_names.def"
};

/* Models use names that only other architectures, or locks, have; brmw is empty on purpose. */
static Possible find_named (const PossibleTypes *types, const char *name,
                            gboolean rmw_is_relation) {
  const char *meant = rsp_base_name (name);
  for (gsize i = 0; i < G_N_ELEMENTS (relations); i++)
    if (strcmp (relations[i].name, meant) == 0) {
      Possible value = { .kind = relations[i].kind,
                         .identity = relations[i].identity,
                         .exact = strcmp (meant, "id") == 0,
                         .irreflexive = g_strv_contains (irreflexive, relations[i].name) };
      value.from = types_of (types, relations[i].from, relations[i].not_from);
      value.to = relations[i].identity || relations[i].kind == POSSIBLE_SET
                     ? value.from
                     : types_of (types, relations[i].to, relations[i].not_to);
      return value;
    }
  for (guint set = 0; set < G_N_ELEMENTS (sets); set++)
    if (set != RSP_BASE_SET_BRMW && sets[set] && strcmp (sets[set], meant) == 0) {
      Possible value = exactly (types->in_set[set]);
      return set == RSP_BASE_SET_RMW && rmw_is_relation && name == meant
                 ? possible_identity (&value)
                 : value;
    }
  guint word = rsp_model_word (types->model, name);
  return word < MIN (types->model->words->len, FREE_WORDS)
                 && rsp_model_level (types->model, word) == RSP_N_LEVELS
             ? exactly (types->in_set[RSP_BASE_SET_WORD_0 + word])
             : possible_any;
}

Possible possible_named (const PossibleTypes *types, const char *name, gboolean rmw_is_relation) {
  const Possible *known = g_hash_table_lookup (types->named, name);
  if (!known) {
    Possible value = find_named (types, name, rmw_is_relation);
    known = rsp_arena_copy (types->arena, &value, sizeof value);
    g_hash_table_insert (types->named, (gpointer) name, (gpointer) known);
  }
  return *known;
}

/* All events. */
static Possible possible_all (const PossibleTypes *types) {
  return exactly (types_of (types, 0, 0));
}

static gboolean possible_is_empty (const Possible *a) {
  return a->kind != POSSIBLE_ANY && (rsp_matrix_is_empty (a->from) || rsp_matrix_is_empty (a->to));
}

/* ---- Operators ---- */
static Possible nothing (const PossibleTypes *types, PossibleKind kind) {
  const RspMatrix *none = rsp_set_new (types->arena, types->types->len);
  return (Possible){ .kind = kind, .exact = TRUE, .from = none, .to = none };
}

/* The same value; empty on both sides if it is empty on one. */
static Possible settle (const PossibleTypes *types, Possible value) {
  return possible_is_empty (&value) ? nothing (types, value.kind) : value;
}

/* TRUE if one relates events only to themselves, and the other never does. */
static gboolean possible_are_disjoint (const Possible *a, const Possible *b) {
  return (a->identity && b->irreflexive) || (a->irreflexive && b->identity);
}

static Possible possible_intersection (const PossibleTypes *types, const Possible *a,
                                       const Possible *b) {
  if (a->kind == POSSIBLE_ANY || b->kind == POSSIBLE_ANY) {
    Possible value = a->kind == POSSIBLE_ANY ? *b : *a;
    value.exact = FALSE;
    return value;
  }
  Possible value = { .kind = a->kind,
                     .identity = a->identity || b->identity,
                     .irreflexive = a->irreflexive || b->irreflexive };
  if (possible_are_disjoint (a, b))
    return nothing (types, a->kind);
  value.from = combine (types, rsp_matrix_intersect, a->from, b->from);
  value.to = combine (types, rsp_matrix_intersect, a->to, b->to);
  if (value.identity)
    value.from = value.to = combine (types, rsp_matrix_intersect, value.from, value.to);
  value.exact = a->exact && b->exact && !value.identity;
  return settle (types, value);
}

static Possible possible_difference (const PossibleTypes *types, const Possible *a,
                                     const Possible *b) {
  Possible value = *a;
  value.exact = FALSE;
  if (a->kind == POSSIBLE_ANY || a->kind != b->kind || !b->exact)
    return value;
  if (a->kind == POSSIBLE_RELATION) {
    gboolean covered = rsp_matrix_subset (a->from, b->from) && rsp_matrix_subset (a->to, b->to);
    value.irreflexive |= covered && b->identity;
    return covered && (a->identity || !b->identity) ? nothing (types, a->kind) : value;
  }
  value.from = value.to = combine (types, rsp_matrix_difference, a->from, b->from);
  value.exact = a->exact;
  return value;
}

static Possible possible_product (const Possible *a, const Possible *b) {
  if (a->kind != POSSIBLE_SET || b->kind != POSSIBLE_SET)
    return possible_any;
  return (Possible){
    .kind = POSSIBLE_RELATION, .exact = a->exact && b->exact, .from = a->from, .to = b->from
  };
}

static Possible possible_inverse (const Possible *a) {
  Possible value = *a;
  value.from = a->to;
  value.to = a->from;
  return value;
}

static Possible possible_identity (const Possible *set) {
  if (set->kind != POSSIBLE_SET)
    return possible_any;
  return (Possible){ .kind = POSSIBLE_RELATION,
                     .exact = set->exact,
                     .identity = TRUE,
                     .from = set->from,
                     .to = set->from };
}

static Possible possible_domain (const Possible *a) {
  if (a->kind != POSSIBLE_RELATION)
    return possible_any;
  return (Possible){ .kind = POSSIBLE_SET, .from = a->from, .to = a->from };
}

static Possible possible_operator (const PossibleTypes *types, RspNodeOp op, const Possible *a,
                                   const Possible *b) {
  switch (op) {
  case RSP_NODE_UNION: {
    if (a->kind == POSSIBLE_ANY || a->kind != b->kind)
      return possible_any;
    Possible value = { .kind = a->kind,
                       .identity = a->identity && b->identity,
                       .irreflexive = a->irreflexive && b->irreflexive };
    value.from = combine (types, rsp_matrix_union, a->from, b->from);
    value.to = combine (types, rsp_matrix_union, a->to, b->to);
    value.exact = a->kind == POSSIBLE_SET && a->exact && b->exact;
    return value;
  }
  case RSP_NODE_INTER:
    return possible_intersection (types, a, b);
  case RSP_NODE_DIFF:
    return possible_difference (types, a, b);
  case RSP_NODE_SEQ: {
    if (a->kind != POSSIBLE_RELATION || b->kind != POSSIBLE_RELATION)
      return possible_any;
    const RspMatrix *middle = combine (types, rsp_matrix_intersect, a->to, b->from);
    Possible value = { .kind = POSSIBLE_RELATION,
                       .identity = a->identity && b->identity,
                       .irreflexive = possible_are_disjoint (a, b) };
    value.from = a->identity ? middle : a->from;
    value.to = b->identity ? middle : b->to;
    return rsp_matrix_is_empty (middle) ? nothing (types, POSSIBLE_RELATION)
                                        : settle (types, value);
  }
  case RSP_NODE_INVERSE:
    return possible_inverse (a);
  case RSP_NODE_PLUS: {
    Possible value = *a;
    value.exact = value.irreflexive = FALSE;
    return value;
  }
  case RSP_NODE_PRODUCT:
    return possible_product (a, b);
  case RSP_NODE_IDENTITY:
    return possible_identity (a);
  case RSP_NODE_DOMAIN:
    return possible_domain (a);
  case RSP_NODE_LEAVES:
    break;
  }
  g_assert_not_reached ();
}

/* ---- Empty ---------------------------------------------------------------------------------- */

/* Warnings about definitions in the model's own file that are empty in every test: `[R] ; [F]`, `A
 * & na`.
 *
 * The model is run once on event types instead of events. Whatever is not followed
 * (recursion, match, sets of sets, most functions of cat, names defined in branches) may be
 * anything, and so may definitions that have been reported, so that one slip gives one warning. */

enum {
  MAX_DEPTH = 64,    /* nested calls that are followed */
  MAX_STEPS = 100000 /* expressions that are visited */
};

typedef struct Binding Binding;

typedef struct Value {
  Possible possible;
  const RspCatExpr *function; /* RSP_CAT_FUN, or NULL */
  const Binding *env;         /* the environment in which it was made */
} Value;

/* Bindings, innermost first. */
struct Binding {
  const char *name;
  Value value;
  const Binding *next;
  const RspBindings *scope; /* name → the innermost Binding of it, from this one on */
};

typedef struct Run {
  const RspModel *model;
  PossibleTypes types;
  RspDiagnostics *diagnostics;
  GHashTable *symbols; /* see rsp_symbol */
  guint depth, steps;
  RspSpan disjoint; /* the last intersection whose sides are disjoint: see possible_are_disjoint */
} Run;

static const Value any = { 0 };

static Value eval (Run *run, const RspCatExpr *expr, const Binding *env);

static const Binding *run_statements (Run *run, const RspCatStatement *statement,
                                      const Binding *env);

/* ---- Bindings ---- */
static const Binding *bind (Run *run, const char *name, Value value, const Binding *env) {
  if (!name)
    return env;
  guint number;
  rsp_symbol (run->symbols, NULL, name, &number);
  Binding *binding = rsp_arena_new0 (run->types.arena, Binding, 1);
  *binding = (Binding){ .name = name, .value = value, .next = env };
  binding->scope = rsp_bindings_add (run->types.arena, env ? env->scope : NULL, number, binding);
  return binding;
}

/* Binds a pattern to the value of an expression, and a tuple to the parts of a tuple. */
static const Binding *bind_pattern (Run *run, const RspCatPattern *pattern, const RspCatExpr *expr,
                                    const Binding *from, const Binding *env) {
  if (!pattern)
    return env;
  if (!pattern->is_tuple)
    return bind (run, pattern->name, expr ? eval (run, expr, from) : any, env);
  gboolean parts = expr && expr->kind == RSP_CAT_TUPLE && expr->n_items == pattern->n_items;
  for (guint i = 0; i < pattern->n_items; i++)
    env = bind_pattern (run, pattern->items[i], parts ? expr->items[i] : NULL, from, env);
  return env;
}

static const Binding *bind_all (Run *run, const RspCatBinding *bindings, gboolean recursive,
                                const Binding *env) {
  const Binding *from = env;
  for (; bindings; bindings = bindings->next)
    env = bind_pattern (run, bindings->pattern, recursive ? NULL : bindings->value, from, env);
  return env;
}

/* ---- Expressions ---- */
static Value known (Possible possible) { return (Value){ .possible = possible }; }

/* NULL if the model does not bind the name. */
static const Binding *find (Run *run, const char *name, const Binding *env) {
  guint number;
  rsp_symbol (run->symbols, NULL, name, &number);
  return env ? rsp_bindings_look_up (env->scope, number) : NULL;
}

/* A predefined function of cat. */
static Possible apply_builtin (Run *run, const char *name, const Possible *argument) {
  const Possible id = possible_named (&run->types, "id", FALSE);
  Possible inverse = possible_inverse (argument);
  if (strcmp (name, "domain") == 0)
    return possible_domain (argument);
  if (strcmp (name, "range") == 0)
    return possible_domain (&inverse);
  if (strcmp (name, "toid") == 0)
    return possible_identity (argument);
  if (strcmp (name, "noid") == 0 && argument->kind == POSSIBLE_RELATION)
    return possible_difference (&run->types, argument, &id);
  return possible_any;
}

/* An expression with an operator of the DAG, or ~ or ^2. */
static Possible eval_operator (Run *run, const RspCatExpr *expr, const Binding *env) {
  RspNodeOp op;
  const Possible a = eval (run, expr->a, env).possible,
                 b = expr->b ? eval (run, expr->b, env).possible : possible_any;
  if (!rsp_node_op_of_cat (expr->kind, &op)) {
    Possible all = possible_all (&run->types);
    if (expr->kind == RSP_CAT_SQUARE)
      return possible_product (&a, &a);
    if (a.kind == POSSIBLE_SET)
      return possible_difference (&run->types, &all, &a);
    all.kind = a.kind;
    all.exact = FALSE;
    return all;
  }
  if (op == RSP_NODE_INTER && possible_are_disjoint (&a, &b))
    run->disjoint = expr->span;
  return possible_operator (&run->types, op, &a, &b);
}

static Value eval (Run *run, const RspCatExpr *expr, const Binding *env) {
  RspNodeOp op;
  if (run->steps++ > MAX_STEPS)
    return any;
  switch (expr->kind) {
  case RSP_CAT_NAME: {
    const Binding *binding = find (run, expr->name, env);
    return binding ? binding->value
                   : known (possible_named (&run->types, expr->name, run->model->rmw_is_relation));
  }
  case RSP_CAT_UNIVERSE:
    return known (possible_all (&run->types));
  case RSP_CAT_COMPLEMENT:
  case RSP_CAT_SQUARE:
    return known (eval_operator (run, expr, env));
  case RSP_CAT_APPLY: {
    if (expr->a->kind == RSP_CAT_NAME && !find (run, expr->a->name, env)) {
      Value argument = eval (run, expr->b, env);
      return known (apply_builtin (run, expr->a->name, &argument.possible));
    }
    Value function = eval (run, expr->a, env);
    if (!function.function || run->depth >= MAX_DEPTH)
      return any;
    run->depth++;
    env = bind_pattern (run, function.function->pattern, expr->b, env, function.env);
    Value value = eval (run, function.function->a, env);
    run->depth--;
    return value;
  }
  case RSP_CAT_FUN:
    return (Value){ .function = expr, .env = env };
  case RSP_CAT_LET:
    return eval (run, expr->a, bind_all (run, expr->bindings, expr->recursive, env));
  default: /* not followed: 0, which is empty on purpose; a* and a?, which have every event with
              itself */
    return rsp_node_op_of_cat (expr->kind, &op) ? known (eval_operator (run, expr, env)) : any;
  }
}

/* ---- Statements ---- */
/* Is the expression empty in every test? Warns about it or, if it is not, about those of its parts
 * that are; not about a name, whose definition has the warning. */
static gboolean find_empty (Run *run, const RspCatExpr *expr, const RspCatExpr *whole,
                            const char *name, const Binding *env) {
  RspNodeOp op;
  run->disjoint = RSP_NOWHERE;
  Value value = eval (run, expr, env);
  if (!possible_is_empty (&value.possible)) {
    const RspCatExpr *parts[] = { expr->a, expr->b };
    for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
      if (parts[i] && rsp_node_op_of_cat (expr->kind, &op))
        find_empty (run, parts[i], whole, name, env);
    return FALSE;
  }
  if (expr->kind == RSP_CAT_NAME)
    return TRUE;
  RspSpan meet = run->disjoint;
  g_autofree char *why
      = meet.source
            ? g_strdup_printf ("`%.*s` is always empty, since one side relates "
                               "events to themselves only and the other never does",
                               (int) (meet.end - meet.begin), meet.source->text + meet.begin)
            : g_strdup ("no event has the types that it requires");
  rsp_warning (run->diagnostics, meet.source ? meet : expr->span, NULL,
               "%s`%s` is empty in every test: %s [-W%s]", expr == whole ? "" : "a part of ", name,
               why, rsp_model_warning_names[RSP_WARN_EMPTY]);
  return TRUE;
}

/* Binds the names of a let, and warns about definitions that are empty or have empty parts. */
static const Binding *run_let (Run *run, const RspCatStatement *statement, const Binding *env) {
  const Binding *after = bind_all (run, statement->bindings, statement->recursive, env),
                *before = statement->recursive ? after : env;
  for (const RspCatBinding *b = statement->bindings; b; b = b->next) {
    const RspCatPattern *pattern = b->pattern;
    if (pattern->is_tuple || !pattern->name)
      continue;
    Value value = { 0 };
    if (warn_is_own (run->model, pattern->span)
            ? find_empty (run, b->value, b->value, pattern->name, before)
            : (value = eval (run, b->value, before), possible_is_empty (&value.possible)))
      after = bind (run, pattern->name, any, after);
  }
  return after;
}

/* A name defined in a branch may be anything after it. */
static const Binding *run_branches (Run *run, const RspCatStatement *statement,
                                    const Binding *env) {
  const Binding *after = env;
  const Binding *inner = bind_pattern (run, statement->pattern, NULL, NULL, env);
  const RspCatStatement *const bodies[] = { statement->body, statement->otherwise };
  for (gsize i = 0; i < G_N_ELEMENTS (bodies); i++)
    for (const Binding *b = run_statements (run, bodies[i], inner); b != inner; b = b->next)
      after = bind (run, b->name, any, after);
  for (const RspCatClause *clause = statement->clauses; clause; clause = clause->next) {
    const Binding *start = env;
    for (gsize i = 0; i < G_N_ELEMENTS (clause->names); i++)
      start = bind (run, clause->names[i], any, start);
    for (const Binding *b = run_statements (run, clause->statements, start); b != start;
         b = b->next)
      after = bind (run, b->name, any, after);
  }
  return after;
}

static const Binding *run_statements (Run *run, const RspCatStatement *statement,
                                      const Binding *env) {
  for (; statement; statement = statement->next)
    switch (statement->kind) {
    case RSP_CAT_STMT_LET:
      env = run_let (run, statement, env);
      break;
    case RSP_CAT_STMT_INCLUDE:
      env = run_statements (run, statement->included, env);
      break;
    case RSP_CAT_STMT_WITH:
      env = bind_pattern (run, statement->pattern, NULL, NULL, env);
      break;
    case RSP_CAT_STMT_ENUM:
      env = bind (run, statement->name, any, env);
      break;
    case RSP_CAT_STMT_IF:
    case RSP_CAT_STMT_MATCH:
    case RSP_CAT_STMT_FORALL:
    case RSP_CAT_STMT_PROCEDURE:
      env = run_branches (run, statement, env);
      break;
    default:
      break;
    }
  return env;
}

void warn_of_empty (const RspModel *model, RspDiagnostics *diagnostics) {
  if (model_uses_tags (model)) /* the event types are those of OpenCL and C */
    return;
  Run run = { .model = model, .diagnostics = diagnostics };
  possible_types_init (&run.types, model);
  run.symbols = g_hash_table_new (g_str_hash, g_str_equal);
  const Binding *prelude = run_statements (&run, model->prelude, NULL);
  run_statements (&run, model->statements, prelude);
  g_hash_table_unref (run.symbols);
  possible_types_clear (&run.types);
}
