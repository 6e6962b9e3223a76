/* Names and their types while a model is typed. */
#include "model/type/env.h"
#include "base/suggest.h"
#include "base/names.h"
#include "model/language.h"
#include "model/type/check.h"
#include "parser/cat/errors.h"

#include <string.h>

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

/* The filters of the 2015 dialect: two letters for the kinds of the two ends. */
static void predefine_filters (TypeChecker *checker) {
  static const char letters[] = "RWMFPA";
  for (const char *a = letters; *a; a++)
    for (const char *b = letters; *b; b++) {
      const char name[] = { *a, *b, '\0' };
      predefine (checker, name, type_builtin (checker, TYPE_BUILTIN_FILTER, name, NULL, 0));
    }
}

void type_define_predefined (TypeChecker *checker) {
  const Type *const set = &type_set, *const relation = &type_relation;
  predefine_filters (checker);
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

static RspModelUse *find_use (TypeChecker *checker, const char *name) {
  for (guint i = 0; i < checker->uses->len; i++) {
    RspModelUse *use = &g_array_index (checker->uses, RspModelUse, i);
    if (strcmp (use->name, name) == 0)
      return use;
  }
  return NULL;
}

/* Notes the first use of a predefined name, and whether any use matters to a verdict. */
static void note_use (TypeChecker *checker, const char *name, RspSpan span) {
  RspModelUse *use = find_use (checker, name);
  if (use)
    use->judges |= !checker->shows;
  else
    g_array_append_vals (
        checker->uses, &(RspModelUse){ name, model_languages_of (name), !checker->shows, span }, 1);
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
  note_use (checker, name, span);
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

static char *nearest_hint (TypeChecker *checker, const TypeEnv *env, const char *name) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (; env; env = env->next)
    g_ptr_array_add (names, (gpointer) env->name);
  g_autofree gpointer *known = g_hash_table_get_keys_as_array (checker->predefined, NULL);
  guint n = g_hash_table_size (checker->predefined);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (names, known[i]);
  g_ptr_array_sort (names, rsp_compare_names);
  g_ptr_array_add (names, NULL);
  return rsp_did_you_mean (name, (const char *const *) names->pdata);
}

static char *unbound_hint (TypeChecker *checker, const TypeEnv *env, const char *name,
                           RspSpan span) {
  if (strcmp (name, "S") == 0)
    return g_strdup (
        "the total order S exists only in models with the option `withsc` below their name");
  char *hint = definition_hint (checker, name, span);
  if (!hint)
    hint = nearest_hint (checker, env, name);
  return hint ? hint : rsp_cat_word_hint (name);
}

void type_report_unbound (TypeChecker *checker, const TypeEnv *env, const char *name, RspSpan span,
                          RspSeverity severity) {
  if (severity == RSP_ERROR && !checker->is_idle
      && !g_hash_table_add (checker->unbound, (gpointer) type_symbol (checker, name)))
    return;
  g_autofree char *hint = checker->tries ? NULL : unbound_hint (checker, env, name, span);
  if (severity == RSP_ERROR)
    rsp_type_error (checker, span, hint, "`%s` is not defined", name);
  else
    rsp_report (checker->diagnostics, severity, span, hint, "`%s` is not defined", name);
}
