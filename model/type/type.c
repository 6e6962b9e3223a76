/* The types of cat: interning, joining, describing. */
#include "model/type/type.h"
#include "model/type/env.h"

#include <string.h>

const Type type_unknown = { .kind = TYPE_UNKNOWN };
const Type type_empty = { .kind = TYPE_EMPTY };
const Type type_universe = { .kind = TYPE_UNIVERSE };
const Type type_set = { .kind = TYPE_SET };
const Type type_relation = { .kind = TYPE_RELATION };
const Type type_filtering_set = { .kind = TYPE_SET, .filter = TRUE };
const Type type_filtering_relation = { .kind = TYPE_RELATION, .filter = TRUE };
const Type type_event = { .kind = TYPE_EVENT };

/* ---- Interning ---- */

static guint hash_type (gconstpointer key) {
  const Type *type = key;
  guint hash = (guint) type->kind * 31 + (guint) type->builtin;
  hash = hash * 31 + g_direct_hash (type->name);
  hash = hash * 31 + g_direct_hash (type->code);
  hash = hash * 31 + g_direct_hash (type->env);
  for (guint i = 0; i < type->n; i++)
    hash = hash * 31 + g_direct_hash (type->items[i]);
  return hash;
}

static gboolean equal_types (gconstpointer x, gconstpointer y) {
  const Type *a = x, *b = y;
  return a->kind == b->kind && a->builtin == b->builtin && a->name == b->name && a->code == b->code
         && a->env == b->env && a->n == b->n
         && (a->n == 0 || memcmp (a->items, b->items, a->n * sizeof a->items[0]) == 0);
}

static const Type *intern (TypeChecker *checker, Type type) {
  if (!checker->types)
    checker->types = g_hash_table_new (hash_type, equal_types);
  const Type *known = g_hash_table_lookup (checker->types, &type);
  if (known)
    return known;
  if (type.n)
    type.items = rsp_arena_copy (checker->arena, type.items, type.n * sizeof type.items[0]);
  Type *added = rsp_arena_copy (checker->arena, &type, sizeof type);
  g_hash_table_add (checker->types, added);
  return added;
}

const Type *type_tag (TypeChecker *checker, const char *enumeration) {
  return intern (checker, (Type){ .kind = TYPE_TAG, .name = enumeration });
}

static gboolean is_tuple_of_events (const Type *type, gboolean or_unknown) {
  if (type->kind != TYPE_TUPLE || type->n != 2)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    if (type->items[i] != &type_event && !(or_unknown && type->items[i] == &type_unknown))
      return FALSE;
  return TRUE;
}

const Type *type_set_of (TypeChecker *checker, const Type *element) {
  if (element == &type_event)
    return &type_set;
  if (is_tuple_of_events (element, FALSE))
    return &type_relation;
  if (element == &type_unknown || is_tuple_of_events (element, TRUE))
    return &type_unknown;
  return intern (checker, (Type){ .kind = TYPE_SET_OF, .items = &element, .n = 1 });
}

const Type *type_tuple (TypeChecker *checker, const Type *const *items, guint n) {
  return intern (checker, (Type){ .kind = TYPE_TUPLE, .items = items, .n = n });
}

const Type *type_closure (TypeChecker *checker, const RspCatExpr *fun, const TypeEnv *env) {
  return intern (checker, (Type){ .kind = TYPE_CLOSURE, .code = fun, .env = env });
}

const Type *type_builtin (TypeChecker *checker, TypeBuiltin builtin, const char *name,
                          const Type *const *arguments, guint n) {
  return intern (checker, (Type){ .kind = TYPE_BUILTIN,
                                  .builtin = builtin,
                                  .name = type_symbol (checker, name),
                                  .items = arguments,
                                  .n = n });
}

const Type *type_procedure (TypeChecker *checker, const RspCatStatement *statement,
                            const TypeEnv *env) {
  return intern (checker, (Type){ .kind = TYPE_PROCEDURE, .code = statement, .env = env });
}

/* ---- Questions ---- */

gboolean type_is_set (const Type *type) {
  return type->kind == TYPE_UNKNOWN || type->kind == TYPE_EMPTY || type->kind == TYPE_UNIVERSE
         || type->kind == TYPE_SET || type->kind == TYPE_EVENT;
}

gboolean type_is_relation (const Type *type) {
  return type->kind == TYPE_UNKNOWN || type->kind == TYPE_EMPTY || type->kind == TYPE_UNIVERSE
         || type->kind == TYPE_RELATION || is_tuple_of_events (type, TRUE);
}

static const Type *event_pair (TypeChecker *checker) {
  const Type *events[] = { &type_event, &type_event };
  return type_tuple (checker, events, 2);
}

const Type *type_element (TypeChecker *checker, const Type *type) {
  switch (type->kind) {
  case TYPE_UNKNOWN:
  case TYPE_EMPTY:
    return &type_unknown;
  case TYPE_SET:
  case TYPE_EVENT:
    return &type_event;
  case TYPE_UNIVERSE: /* on its own it is the relation */
  case TYPE_RELATION:
    return event_pair (checker);
  case TYPE_SET_OF:
    return type->items[0];
  default:
    return NULL;
  }
}

/* ---- Joining ---- */

static const Type *join_tuples (TypeChecker *checker, const Type *a, const Type *b) {
  if (a->n != b->n)
    return &type_unknown; /* lists, as tuples in tuples, of different lengths */
  g_autofree const Type **items = g_new0 (const Type *, a->n + 1);
  for (guint i = 0; i < a->n; i++) {
    items[i] = type_join (checker, a->items[i], b->items[i]);
    if (!items[i])
      return NULL;
  }
  return type_tuple (checker, items, a->n);
}

static const Type *join_same_kind (TypeChecker *checker, const Type *a, const Type *b) {
  switch (a->kind) {
  case TYPE_SET:
    return &type_set; /* a filter and a plain one */
  case TYPE_RELATION:
    return &type_relation;
  case TYPE_TAG:
    return type_tag (checker, NULL);
  case TYPE_SET_OF: {
    const Type *element = type_join (checker, a->items[0], b->items[0]);
    return element ? type_set_of (checker, element) : NULL;
  }
  case TYPE_TUPLE:
    return join_tuples (checker, a, b);
  default:
    return &type_unknown; /* two functions */
  }
}

const Type *type_join (TypeChecker *checker, const Type *a, const Type *b) {
  if (a == b)
    return a;
  if (a->kind == b->kind)
    return join_same_kind (checker, a, b);
  if (a->kind > b->kind)
    return type_join (checker, b, a);
  if (a->kind == TYPE_UNKNOWN)
    return b;
  if (a->kind == TYPE_EMPTY && b->kind == TYPE_SET_OF)
    return b;
  /* The rest are values that may be one set, or one relation. */
  if (type_is_set (a) && type_is_set (b))
    return b->kind == TYPE_UNIVERSE ? b : &type_set;
  if (type_is_relation (a) && type_is_relation (b))
    return b->kind == TYPE_UNIVERSE ? b : &type_relation;
  if ((a->kind == TYPE_CLOSURE || a->kind == TYPE_BUILTIN)
      && (b->kind == TYPE_CLOSURE || b->kind == TYPE_BUILTIN))
    return &type_unknown;
  return NULL;
}

/* ---- Describing ---- */

/* The words for one value and for several. */
static const char *noun (TypeChecker *checker, const Type *type, gboolean plural) {
  static const char *const words[][2] = {
    [TYPE_UNKNOWN] = { "value", "values" },
    [TYPE_EMPTY] = { "empty set or relation", "empty sets or relations" },
    [TYPE_UNIVERSE] = { "full set or relation", "full sets or relations" },
    [TYPE_SET] = { "set", "sets" },
    [TYPE_RELATION] = { "relation", "relations" },
    [TYPE_EVENT] = { "event", "events" },
    [TYPE_TAG] = { "tag", "tags" },
    [TYPE_SET_OF] = { "set of", "sets of" },
    [TYPE_TUPLE] = { "tuple of", "tuples of" },
    [TYPE_CLOSURE] = { "function", "functions" },
    [TYPE_BUILTIN] = { "function", "functions" },
    [TYPE_PROCEDURE] = { "procedure", "procedures" },
  };
  const char *word = words[type->kind][plural];
  if (type->kind == TYPE_SET_OF)
    return rsp_arena_printf (checker->arena, "%s %s", word, noun (checker, type->items[0], TRUE));
  if (type->kind == TYPE_TUPLE)
    return rsp_arena_printf (checker->arena, "%s %u", word, type->n);
  return word;
}

const char *type_describe (TypeChecker *checker, const Type *type) {
  const char *word = noun (checker, type, FALSE);
  gboolean vowel = type->kind == TYPE_EVENT || type->kind == TYPE_EMPTY;
  return rsp_arena_printf (checker->arena, "%s %s", vowel ? "an" : "a", word);
}

const char *type_describe_operand (TypeChecker *checker, const RspCatExpr *expr, const Type *type) {
  if (expr && expr->kind == RSP_CAT_NAME)
    return rsp_arena_printf (checker->arena, "the %s `%s`", noun (checker, type, FALSE),
                             expr->name);
  return type_describe (checker, type);
}
