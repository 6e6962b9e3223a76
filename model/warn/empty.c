/* Warnings about definitions in the model's own file that are empty in every test: `[R] ; [F]`, `A
 * & na`.
 *
 * The model is run once on event types (possible.h) instead of events. Whatever is not followed
 * (recursion, match, sets of sets, most functions of cat, names defined in branches) may be
 * anything, and so may definitions that have been reported, so that one slip gives one warning. */
#include "model/language.h"
#include "base/structures/bindings.h"
#include "model/warn/possible.h"
#include "model/warn/private.h"

#include <string.h>

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

static const Binding *bind_unknown (Run *run, const RspCatBinding *bindings, const Binding *env) {
  for (; bindings; bindings = bindings->next)
    env = bind_pattern (run, bindings->pattern, NULL, NULL, env);
  return env;
}

static const Binding *bind_all (Run *run, const RspCatBinding *bindings, gboolean recursive,
                                const Binding *env) {
  const Binding *from = env;
  if (recursive)
    return bind_unknown (run, bindings, env);
  for (; bindings; bindings = bindings->next)
    env = bind_pattern (run, bindings->pattern, bindings->value, from, env);
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

static Value look_up (Run *run, const char *name, const Binding *env) {
  const Binding *binding = find (run, name, env);
  return binding ? binding->value
                 : known (possible_named (&run->types, name, run->model->rmw_is_relation));
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

static Value apply (Run *run, const RspCatExpr *expr, const Binding *env) {
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

static Possible eval_binary (Run *run, const RspCatExpr *expr, const Binding *env) {
  const Possible a = eval (run, expr->a, env).possible, b = eval (run, expr->b, env).possible;
  switch (expr->kind) {
  case RSP_CAT_UNION:
    return possible_union (&run->types, &a, &b);
  case RSP_CAT_INTER:
    if (possible_are_disjoint (&a, &b))
      run->disjoint = expr->span;
    return possible_intersection (&run->types, &a, &b);
  case RSP_CAT_DIFF:
    return possible_difference (&run->types, &a, &b);
  case RSP_CAT_SEQ:
    return possible_sequence (&run->types, &a, &b);
  default:
    return possible_product (&a, &b);
  }
}

static Possible eval_unary (Run *run, const RspCatExpr *expr, const Binding *env) {
  const Possible a = eval (run, expr->a, env).possible;
  switch (expr->kind) {
  case RSP_CAT_COMPLEMENT:
    return possible_complement (&run->types, &a);
  case RSP_CAT_INVERSE:
    return possible_inverse (&a);
  case RSP_CAT_SQUARE:
    return possible_product (&a, &a);
  case RSP_CAT_PLUS:
    return possible_closure (&a);
  case RSP_CAT_IDENTITY:
    return possible_identity (&a);
  default: /* STAR, OPTION: every event with itself too */
    return possible_any;
  }
}

static Value eval (Run *run, const RspCatExpr *expr, const Binding *env) {
  if (run->steps++ > MAX_STEPS)
    return any;
  switch (expr->kind) {
  case RSP_CAT_NAME:
    return look_up (run, expr->name, env);
  case RSP_CAT_UNIVERSE:
    return known (possible_all (&run->types));
  case RSP_CAT_UNION:
  case RSP_CAT_INTER:
  case RSP_CAT_DIFF:
  case RSP_CAT_SEQ:
  case RSP_CAT_PRODUCT:
    return known (eval_binary (run, expr, env));
  case RSP_CAT_COMPLEMENT:
  case RSP_CAT_INVERSE:
  case RSP_CAT_SQUARE:
  case RSP_CAT_PLUS:
  case RSP_CAT_IDENTITY:
    return known (eval_unary (run, expr, env));
  case RSP_CAT_APPLY:
    return apply (run, expr, env);
  case RSP_CAT_FUN:
    return (Value){ .function = expr, .env = env };
  case RSP_CAT_LET:
    return eval (run, expr->a, bind_all (run, expr->bindings, expr->recursive, env));
  default: /* including 0, which is empty on purpose */
    return any;
  }
}

/* ---- Statements ---- */

static void warn_of (Run *run, const char *name, RspSpan span) {
  RspSpan meet = run->disjoint;
  g_autofree char *why
      = meet.source
            ? g_strdup_printf ("`%.*s` is always empty, since one side relates events to "
                               "themselves only and the other never does",
                               (int) (meet.end - meet.begin), meet.source->text + meet.begin)
            : g_strdup ("no event has the types that it requires");
  rsp_warning (run->diagnostics, meet.source ? meet : span, NULL,
               "`%s` is empty in every test: %s [-W%s]", name, why,
               rsp_model_warning_names[RSP_WARN_EMPTY]);
}

/* Binds the names of a let, and warns about empty definitions. */
static const Binding *run_let (Run *run, const RspCatStatement *statement, const Binding *env) {
  const Binding *before = env,
                *after = bind_all (run, statement->bindings, statement->recursive, env);
  for (const RspCatBinding *b = statement->bindings; b && !statement->recursive; b = b->next) {
    const RspCatPattern *pattern = b->pattern;
    if (pattern->is_tuple || !pattern->name)
      continue;
    run->disjoint = RSP_NOWHERE;
    Value value = eval (run, b->value, before);
    if (!possible_is_empty (&value.possible))
      continue;
    after = bind (run, pattern->name, any, after);
    if (warn_is_own (run->model, pattern->span) && b->value->kind != RSP_CAT_NAME)
      warn_of (run, pattern->name, b->value->span);
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
  if (model_uses_tags (model)) /* event_types.h has the events of OpenCL and C only */
    return;
  Run run = { .model = model, .diagnostics = diagnostics };
  possible_types_init (&run.types);
  run.symbols = g_hash_table_new (g_str_hash, g_str_equal);
  const Binding *prelude = run_statements (&run, model->prelude, NULL);
  run_statements (&run, model->statements, prelude);
  g_hash_table_unref (run.symbols);
  possible_types_clear (&run.types);
}
