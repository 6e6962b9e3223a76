/* Types of cat, and the names that have them. */
#include "base/base.h"
#include "model/model.h"
#include "model/type/internal.h"
#include "model/type/type.h"
#include "parser/cat/cat.h"

#include <string.h>

/* ---- Type ----------------------------------------------------------------------------------- */

/* The types of cat: interning, joining, describing. */

const Type type_unknown = { .kind = TYPE_UNKNOWN };

const Type type_empty = { .kind = TYPE_EMPTY };

const Type type_universe = { .kind = TYPE_UNIVERSE };

const Type type_set = { .kind = TYPE_SET };

const Type type_relation = { .kind = TYPE_RELATION };

static const Type type_filtering_set = { .kind = TYPE_SET, .filter = TRUE };

static const Type type_filtering_relation = { .kind = TYPE_RELATION, .filter = TRUE };

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

const Type *type_element (TypeChecker *checker, const Type *type) {
  switch (type->kind) {
  case TYPE_UNKNOWN:
  case TYPE_EMPTY:
    return &type_unknown;
  case TYPE_SET:
  case TYPE_EVENT:
    return &type_event;
  case TYPE_UNIVERSE: /* on its own it is the relation */
  case TYPE_RELATION: {
    const Type *events[] = { &type_event, &type_event };
    return type_tuple (checker, events, 2);
  }
  case TYPE_SET_OF:
    return type->items[0];
  default:
    return NULL;
  }
}

/* ---- Joining ---- */
const Type *type_join (TypeChecker *checker, const Type *a, const Type *b) {
  if (a == b)
    return a;
  if (a->kind == b->kind) {
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
    case TYPE_TUPLE: {
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
    default:
      return &type_unknown; /* two functions */
    }
  }
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

/* ---- Env ------------------------------------------------------------------------------------ */

/* Names and their types while a model is typed. */

const char *type_symbol (TypeChecker *checker, const char *name) {
  return rsp_symbol (checker->symbols, checker->arena, name, NULL);
}

/* ---- Binding ---- */
const TypeEnv *type_bind (TypeChecker *checker, const TypeEnv *env, const char *name,
                          const Type *type) {
  TypeEnv *inner = rsp_arena_new0 (checker->arena, TypeEnv, 1);
  guint number;
  inner->name = rsp_symbol (checker->symbols, checker->arena, name, &number);
  inner->type = type;
  inner->next = env;
  inner->scope = rsp_bindings_add (checker->arena, env ? env->scope : NULL, number, inner);
  return inner;
}

const TypeEnv *type_bind_unknown (TypeChecker *checker, const TypeEnv *env,
                                  const RspCatPattern *pattern) {
  if (pattern->is_tuple)
    for (guint i = 0; i < pattern->n_items; i++)
      env = type_bind_unknown (checker, env, pattern->items[i]);
  else if (pattern->name)
    env = type_bind (checker, env, pattern->name, &type_unknown);
  return env;
}

const TypeEnv *type_bind_pattern (TypeChecker *checker, const TypeEnv *env,
                                  const RspCatPattern *pattern, const Type *type,
                                  const char **problem) {
  if (!pattern->is_tuple)
    return pattern->name ? type_bind (checker, env, pattern->name, type) : env;
  if (type == &type_unknown)
    return type_bind_unknown (checker, env, pattern);
  if (type->kind != TYPE_TUPLE || type->n != pattern->n_items) {
    *problem = pattern->n_items == 0
                   ? rsp_arena_printf (checker->arena, "`()` was expected: found %s",
                                       type_describe (checker, type))
                   : rsp_arena_printf (checker->arena, "a tuple of %u was expected: found %s",
                                       pattern->n_items, type_describe (checker, type));
    return NULL;
  }
  for (guint i = 0; i < pattern->n_items && env; i++)
    env = type_bind_pattern (checker, env, pattern->items[i], type->items[i], problem);
  return env;
}

static void check_distinct (TypeChecker *checker, GHashTable *seen, const RspCatPattern *pattern) {
  if (pattern->is_tuple)
    for (guint i = 0; i < pattern->n_items; i++)
      check_distinct (checker, seen, pattern->items[i]);
  else if (pattern->name && !g_hash_table_add (seen, (gpointer) pattern->name))
    rsp_type_error (checker, pattern->span, NULL, "`%s` occurs twice among the names bound here",
                    pattern->name);
}

void type_check_distinct (TypeChecker *checker, const RspCatBinding *bindings,
                          const RspCatPattern *pattern) {
  if (!pattern && !bindings->next && !bindings->pattern->is_tuple)
    return;
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  if (pattern)
    check_distinct (checker, seen, pattern);
  for (; bindings; bindings = bindings->next)
    check_distinct (checker, seen, bindings->pattern);
}

/* ---- Predefined names ---- */
static void predefine (TypeChecker *checker, const char *name, const Type *type) {
  g_hash_table_insert (checker->predefined, (gpointer) type_symbol (checker, name),
                       (gpointer) type);
}

static const Type *predefined (TypeChecker *checker, const char *name) {
  return g_hash_table_lookup (checker->predefined, type_symbol (checker, name));
}

void type_define_predefined (TypeChecker *checker) {
  const Type *const set = &type_set, *const relation = &type_relation;
  /* The filters of the 2015 dialect: two letters for the kinds of the two ends. */
  static const char letters[] = "RWMFPA";
  for (const char *a = letters; *a; a++)
    for (const char *b = letters; *b; b++) {
      const char name[] = { *a, *b, '\0' };
      predefine (checker, name, type_builtin (checker, TYPE_BUILTIN_FILTER, name, NULL, 0));
    }
#define SET                                       set
#define RELATION                                  relation
#define UNIVERSE                                  &type_universe
#define EMPTY                                     &type_empty
#define RSP_BASE_SET(id, name, meaning)           predefine (checker, name, set);
#define RSP_BASE_RELATION(id, name, meaning)      predefine (checker, name, relation);
#define RSP_BASE_DERIVED(id, kind, name, meaning) predefine (checker, name, kind);
#define RSP_BASE_LITERAL(id, name, meaning)       predefine (checker, name, id);
#define RSP_BASE_FOREIGN(name)                    predefine (checker, name, &type_empty);
#define RSP_BASE_FUNCTION(id, name, signature, meaning)                                            \
  predefine (checker, name, type_builtin (checker, TYPE_BUILTIN_##id, name, NULL, 0));
#define RSP_BASE_ALIAS(name, other) predefine (checker, name, predefined (checker, other));
#include "model/base_names.def"
#undef SET
#undef RELATION
#undef UNIVERSE
#undef EMPTY
  for (guint i = 0; i < checker->model->words->len; i++) {
    const char *word = g_array_index (checker->model->words, RspModelWord, i).name;
    g_autofree char *scope = g_strconcat ("memory_scope_", word, NULL);
    gboolean is_level = rsp_model_level (checker->model, i) < RSP_N_LEVELS;
    predefine (checker, word, is_level ? relation : set);
    if (is_level)
      predefine (checker, scope, set);
  }
  predefine (checker, "FW", &type_filtering_set);
  predefine (checker, "ext", &type_filtering_relation);
  predefine (checker, "int", &type_filtering_relation);
  if (checker->rmw_is_relation)
    predefine (checker, "rmw", relation);
  if (!checker->model->with_sc)
    g_hash_table_remove (checker->predefined, type_symbol (checker, "S"));
}

/* ---- Looking up ---- */
const TypeEnv *type_binding (TypeChecker *checker, const TypeEnv *env, const char *name) {
  guint number;
  rsp_symbol (checker->symbols, checker->arena, name, &number);
  return env ? rsp_bindings_look_up (env->scope, number) : NULL;
}

const Type *type_look_up (TypeChecker *checker, const TypeEnv *env, const char *name) {
  const TypeEnv *binding = type_binding (checker, env, name);
  return binding ? binding->type : predefined (checker, name);
}

void type_note_predefined (TypeChecker *checker, const TypeEnv *env, const char *name,
                           RspSpan span) {
  static const char *const foreign[] = {
#define RSP_BASE_FOREIGN(name) name,
#include "model/base_names.def"
    NULL
  };
  if (type_binding (checker, env, name))
    return;
  /* The first use, and whether any use matters to a verdict. */
  RspModelUse *uses = (RspModelUse *) (gpointer) checker->uses->data;
  guint at = 0;
  while (at < checker->uses->len && strcmp (uses[at].name, name) != 0)
    at++;
  if (at < checker->uses->len)
    uses[at].judges |= !checker->shows;
  else
    g_array_append_vals (
        checker->uses, &(RspModelUse){ name, model_languages_of (name), !checker->shows, span }, 1);
  if (checker->tries || !g_strv_contains (foreign, name))
    return;
  if (g_hash_table_add (checker->unbound, (gpointer) type_symbol (checker, name)))
    rsp_note (checker->diagnostics, span,
              "`%s` is for tests of a processor: no event of a C or OpenCL test is in it", name);
}

void type_collect_definitions (TypeChecker *checker, const RspCatStatement *statement) {
  for (; statement; statement = statement->next) {
    for (const RspCatBinding *binding = statement->bindings; binding; binding = binding->next) {
      const char *name = binding->pattern->name;
      if (name && !g_hash_table_contains (checker->definitions, name))
        g_hash_table_insert (checker->definitions, (gpointer) name, (gpointer) binding);
    }
    type_collect_definitions (checker, statement->included);
    if (statement->kind == RSP_CAT_STMT_IF) {
      type_collect_definitions (checker, statement->body);
      type_collect_definitions (checker, statement->otherwise);
    }
  }
}

/* A hint that shows where the model defines the name, or NULL. */
static char *definition_hint (TypeChecker *checker, const char *name, RspSpan span) {
  const RspCatBinding *binding = g_hash_table_lookup (checker->definitions, name);
  if (!binding)
    return NULL;
  if (binding->span.source == span.source && binding->span.begin <= span.begin
      && span.begin < binding->span.end)
    return g_strdup ("a definition that uses itself begins with `let rec`");
  guint line = rsp_span_line (binding->span);
  if (binding->span.source == span.source)
    return line > rsp_span_line (span)
               ? g_strdup_printf ("it is defined further down, on line %u", line)
               : NULL;
  return g_strdup_printf ("it is defined in %s:%u", binding->span.source->name, line);
}

enum { MOST_GUESSES = 100 }; /* unknown names: a guess compares one with all known names */

void type_report_unbound (TypeChecker *checker, const TypeEnv *env, const char *name, RspSpan span,
                          RspSeverity severity) {
  if (severity == RSP_ERROR && !checker->is_idle
      && !g_hash_table_add (checker->unbound, (gpointer) type_symbol (checker, name)))
    return;
  g_autofree char *hint = NULL;
  if (!checker->tries && strcmp (name, "S") == 0)
    hint = g_strdup (
        "the total order S exists only in models with the option `withsc` below their name");
  else if (!checker->tries) {
    const Type *tag = g_hash_table_lookup (checker->tags, name);
    hint = definition_hint (checker, name, span);
    if (!hint && tag)
      hint = g_strdup_printf ("a tag of `enum %s` is a set once operations may have it: "
                              "`instructions R[%s]`, or W, RMW, F, M",
                              tag->name, tag->name);
    if (!hint && g_hash_table_size (checker->unbound) <= MOST_GUESSES) {
      g_autoptr (GPtrArray) names = g_ptr_array_new ();
      for (const TypeEnv *e = env; e; e = e->next)
        g_ptr_array_add (names, (gpointer) e->name);
      g_autofree gpointer *known = g_hash_table_get_keys_as_array (checker->predefined, NULL);
      guint n = g_hash_table_size (checker->predefined);
      for (guint i = 0; i < n; i++)
        g_ptr_array_add (names, known[i]);
      g_ptr_array_sort (names, rsp_compare_names);
      g_ptr_array_add (names, NULL);
      hint = rsp_did_you_mean (name, (const char *const *) names->pdata);
    }
    hint = hint ? hint : rsp_cat_word_hint (name);
  }
  if (severity == RSP_ERROR)
    rsp_type_error (checker, span, hint, "`%s` is not defined", name);
  else
    rsp_report (checker->diagnostics, severity, span, hint, "`%s` is not defined", name);
}
