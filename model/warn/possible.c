#include "model/warn/possible.h"
#include "model/language.h"

#include <string.h>

const Possible possible_any = { .kind = POSSIBLE_ANY };

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

void possible_types_init (PossibleTypes *types) {
  types->types = event_types ();
  types->arena = rsp_arena_new ();
  types->named = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint set = 0; set < RSP_N_BASE_SETS; set++)
    types->in_set[set] = rsp_set_new (types->arena, types->types->len);
  for (guint i = 0; i < types->types->len; i++)
    for (RspEventType rest = g_array_index (types->types, RspEventType, i); rest; rest &= rest - 1)
      rsp_set_add (types->in_set[__builtin_ctzll (rest)], i);
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

#define SET(id) (G_GUINT64_CONSTANT (1) << RSP_BASE_SET_##id)

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
  { "vloc", POSSIBLE_RELATION, FALSE, SET (M), 0, SET (M), 0 },
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

static Possible base_relation (const PossibleTypes *types, const BaseName *base) {
  Possible value = { .kind = base->kind,
                     .identity = base->identity,
                     .irreflexive = g_strv_contains (irreflexive, base->name) };
  value.from = types_of (types, base->from, base->not_from);
  value.to = base->identity || base->kind == POSSIBLE_SET
                 ? value.from
                 : types_of (types, base->to, base->not_to);
  return value;
}

static Possible base_set (const PossibleTypes *types, guint set) {
  const RspMatrix *bits = types_of (types, G_GUINT64_CONSTANT (1) << set, 0);
  return (Possible){ .kind = POSSIBLE_SET, .exact = TRUE, .from = bits, .to = bits };
}

/* Models use names that only other architectures, or locks, have; brmw is empty on purpose. */
static Possible find_named (const PossibleTypes *types, const char *name,
                            gboolean rmw_is_relation) {
  const char *meant = rsp_base_name (name);
  for (gsize i = 0; i < G_N_ELEMENTS (relations); i++)
    if (strcmp (relations[i].name, meant) == 0)
      return base_relation (types, &relations[i]);
  for (guint set = 0; set < G_N_ELEMENTS (sets); set++)
    if (set != RSP_BASE_SET_BRMW && sets[set] && strcmp (sets[set], meant) == 0) {
      Possible value = base_set (types, set);
      return set == RSP_BASE_SET_RMW && rmw_is_relation && name == meant
                 ? possible_identity (&value)
                 : value;
    }
  return possible_any;
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

Possible possible_all (const PossibleTypes *types) {
  const RspMatrix *bits = types_of (types, 0, 0);
  return (Possible){ .kind = POSSIBLE_SET, .exact = TRUE, .from = bits, .to = bits };
}

gboolean possible_is_empty (const Possible *a) {
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

Possible possible_union (const PossibleTypes *types, const Possible *a, const Possible *b) {
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

gboolean possible_are_disjoint (const Possible *a, const Possible *b) {
  return (a->identity && b->irreflexive) || (a->irreflexive && b->identity);
}

Possible possible_intersection (const PossibleTypes *types, const Possible *a, const Possible *b) {
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

Possible possible_difference (const PossibleTypes *types, const Possible *a, const Possible *b) {
  Possible value = *a;
  value.exact = FALSE;
  if (a->kind == POSSIBLE_ANY || a->kind != b->kind || !b->exact)
    return value;
  if (a->kind == POSSIBLE_RELATION)
    return rsp_matrix_subset (a->from, b->from) && rsp_matrix_subset (a->to, b->to)
               ? nothing (types, a->kind)
               : value;
  value.from = value.to = combine (types, rsp_matrix_difference, a->from, b->from);
  value.exact = a->exact;
  return value;
}

Possible possible_sequence (const PossibleTypes *types, const Possible *a, const Possible *b) {
  if (a->kind != POSSIBLE_RELATION || b->kind != POSSIBLE_RELATION)
    return possible_any;
  const RspMatrix *middle = combine (types, rsp_matrix_intersect, a->to, b->from);
  Possible value = { .kind = POSSIBLE_RELATION,
                     .identity = a->identity && b->identity,
                     .irreflexive = possible_are_disjoint (a, b) };
  value.from = a->identity ? middle : a->from;
  value.to = b->identity ? middle : b->to;
  return rsp_matrix_is_empty (middle) ? nothing (types, POSSIBLE_RELATION) : settle (types, value);
}

Possible possible_product (const Possible *a, const Possible *b) {
  if (a->kind != POSSIBLE_SET || b->kind != POSSIBLE_SET)
    return possible_any;
  return (Possible){
    .kind = POSSIBLE_RELATION, .exact = a->exact && b->exact, .from = a->from, .to = b->from
  };
}

Possible possible_complement (const PossibleTypes *types, const Possible *a) {
  Possible all = possible_all (types);
  if (a->kind == POSSIBLE_SET)
    return possible_difference (types, &all, a);
  all.kind = a->kind;
  all.exact = FALSE;
  return all;
}

Possible possible_inverse (const Possible *a) {
  Possible value = *a;
  value.from = a->to;
  value.to = a->from;
  return value;
}

Possible possible_identity (const Possible *set) {
  if (set->kind != POSSIBLE_SET)
    return possible_any;
  return (
      Possible){ .kind = POSSIBLE_RELATION, .identity = TRUE, .from = set->from, .to = set->from };
}

Possible possible_closure (const Possible *a) {
  Possible value = *a;
  value.exact = value.irreflexive = FALSE;
  return value;
}

Possible possible_domain (const Possible *a) {
  if (a->kind != POSSIBLE_RELATION)
    return possible_any;
  return (Possible){ .kind = POSSIBLE_SET, .from = a->from, .to = a->from };
}
