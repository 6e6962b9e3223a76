/* Types of expressions. */
#include "base/base.h"
#include "model/model.h"
#include "model/type/internal.h"
#include "model/type/type.h"

#include <string.h>

static const Type *type_apply_builtin (TypeChecker *checker, RspSpan span, const Type *function,
                                       const Type *argument);

/* ---- Operator ------------------------------------------------------------------------------- */

/* Types of the operators between and on sets and relations. */

static const char *sign (RspCatExprKind op) {
  static const char *const signs[]
      = { [RSP_CAT_UNION] = "|",      [RSP_CAT_INTER] = "&",     [RSP_CAT_DIFF] = "\\",
          [RSP_CAT_SEQ] = ";",        [RSP_CAT_PRODUCT] = "*",   [RSP_CAT_ADD] = "++",
          [RSP_CAT_COMPLEMENT] = "~", [RSP_CAT_INVERSE] = "^-1", [RSP_CAT_SQUARE] = "^2",
          [RSP_CAT_PLUS] = "+",       [RSP_CAT_STAR] = "*",      [RSP_CAT_OPTION] = "?" };
  return op < G_N_ELEMENTS (signs) && signs[op] ? signs[op] : "[…]";
}

/* Reports "`;` composes relations: left is the set `W`"; an operand of unknown type is not
 * mentioned. */
static void report_operands (TypeChecker *checker, const RspCatExpr *expr, const Type *a,
                             const Type *b, const char *hint, const char *what) {
  g_autoptr (GString) out = g_string_new (NULL);
  g_string_append_printf (out, "`%s` %s: ", sign (expr->kind), what);
  if (a != &type_unknown)
    g_string_append_printf (out, "left is %s", type_describe_operand (checker, expr->a, a));
  if (b != &type_unknown)
    g_string_append_printf (out, "%sright is %s", a == &type_unknown ? "" : ", ",
                            type_describe_operand (checker, expr->b, b));
  rsp_type_error (checker, expr->span, hint, "%s", out->str);
}

static gboolean is_combinable (const Type *type) {
  return type_is_set (type) || type_is_relation (type) || type->kind == TYPE_SET_OF;
}

/* The type of an event or a pair of events as an operand. */
static const Type *as_operand (const Type *type) {
  if (type->kind == TYPE_EVENT || type->kind == TYPE_SET)
    return &type_set;
  if (type->kind == TYPE_TUPLE || type->kind == TYPE_RELATION)
    return &type_relation;
  return type;
}

/* | & \ : both operands have the same type. */
static const Type *combine (TypeChecker *checker, const RspCatExpr *expr, const Type *a,
                            const Type *b) {
  if (!is_combinable (a) || !is_combinable (b)) {
    report_operands (checker, expr, a, b, NULL, "takes two sets or two relations");
    return &type_unknown;
  }
  a = as_operand (a);
  b = as_operand (b);
  const Type *joined = type_join (checker, a, b);
  if (joined)
    return joined;
  const char *what = rsp_arena_printf (checker->arena, "%s %s and %s",
                                       expr->kind == RSP_CAT_UNION ? "joins" : "mixes",
                                       type_describe (checker, a), type_describe (checker, b));
  const RspCatExpr *set = type_is_set (a) ? expr->a : expr->b;
  g_autofree char *hint = NULL;
  if ((type_is_set (a) || type_is_set (b)) && set->kind == RSP_CAT_NAME)
    hint = g_strdup_printf ("`[%s]` is the identity relation on the set", set->name);
  report_operands (checker, expr, a, b, hint, what);
  return &type_unknown;
}

/* The set that a ++ b is, or NULL if a is not an element of such a set. */
static const Type *extend (TypeChecker *checker, const Type *a, const Type *b) {
  const Type *element = b->kind == TYPE_EVENT ? NULL : type_element (checker, b);
  if (!element)
    return NULL;
  if (b == &type_universe && a == &type_event)
    return &type_set;
  gboolean is_relation = b->kind == TYPE_RELATION || b->kind == TYPE_UNIVERSE;
  if (element != &type_event && !is_relation) {
    const Type *joined = type_join (checker, element, a);
    return joined ? type_set_of (checker, joined) : NULL;
  }
  gboolean fits = a == &type_unknown || (is_relation ? a->kind == TYPE_TUPLE : a == element);
  if (!fits || !type_join (checker, element, a))
    return NULL;
  return is_relation ? &type_relation : &type_set;
}

static const Type *report_operand (TypeChecker *checker, const RspCatExpr *expr, const Type *a,
                                   const char *hint, const char *kind) {
  rsp_type_error (checker, expr->span, hint, "`%s` takes %s: found %s", sign (expr->kind), kind,
                  type_describe_operand (checker, expr->a, a));
  return &type_unknown;
}

static const Type *complement (TypeChecker *checker, const RspCatExpr *expr, const Type *a) {
  if (a->kind == TYPE_EMPTY)
    return &type_universe;
  if (a->kind == TYPE_UNIVERSE)
    return &type_empty;
  if (type_is_set (a) || type_is_relation (a))
    return as_operand (a);
  return report_operand (checker, expr, a, NULL, "a set or relation");
}

static const Type *of_set (TypeChecker *checker, const RspCatExpr *expr, const Type *a) {
  if (!type_is_set (a)) {
    gboolean square = expr->kind == RSP_CAT_SQUARE;
    const char *hint = !type_is_relation (a) ? NULL
                       : square              ? "a relation is composed with itself by `;`"
                                : "`domain(r)` and `range(r)` are the sets of a relation's ends";
    report_operand (checker, expr, a, hint, "a set");
  }
  return &type_relation;
}

/* Binary and unary operators on sets and relations. */
static const Type *type_operator (TypeChecker *checker, const RspCatExpr *expr, const Type *a,
                                  const Type *b) {
  switch (expr->kind) {
  case RSP_CAT_UNION:
  case RSP_CAT_INTER:
  case RSP_CAT_DIFF:
    return combine (checker, expr, a, b);
  case RSP_CAT_SEQ: {
    if (type_is_relation (a) && type_is_relation (b))
      return &type_relation;
    const RspCatExpr *wrong = type_is_relation (a) ? expr->b : expr->a;
    g_autofree char *hint = NULL;
    if (type_is_set (type_is_relation (a) ? b : a))
      hint = wrong->kind == RSP_CAT_NAME
                 ? g_strdup_printf ("`[%s]` is the identity relation on the set", wrong->name)
                 : g_strdup ("put a set in `[…]` to get the identity relation on it");
    report_operands (checker, expr, a, b, hint, "composes relations");
    return &type_relation;
  }
  case RSP_CAT_PRODUCT: {
    if (type_is_set (a) && type_is_set (b))
      return &type_relation;
    const char *hint = type_is_relation (a) ? "relations are composed by `;`" : NULL;
    report_operands (checker, expr, a, b, hint, "is the product of two sets");
    return &type_relation;
  }
  case RSP_CAT_ADD: {
    /* a ++ b: a is added to the elements of b. */
    const Type *extended = extend (checker, a, b);
    if (extended)
      return extended;
    const char *hint = type_join (checker, a, b) ? "union is written `|`" : NULL;
    report_operands (checker, expr, a, b, hint, "adds an element to a set of such elements");
    return &type_unknown;
  }
  case RSP_CAT_COMPLEMENT:
    return complement (checker, expr, a);
  case RSP_CAT_IDENTITY:
  case RSP_CAT_SQUARE:
    return of_set (checker, expr, a);
  default: {
    if (!type_is_relation (a))
      report_operand (checker, expr, a, NULL, "a relation");
    return &type_relation;
  }
  }
}

/* ---- Apply ---------------------------------------------------------------------------------- */

/* Types of applications: a function's body is checked once per type of argument. */

enum {
  /* Limit of nested applications of one function with ever new types of argument. Beyond it, the
   * function is a recursion that builds something, and its result is not followed further. */
  MAX_ACTIVE = 8
};

guint type_hash_application (gconstpointer application) {
  const TypeApplication *a = application;
  return g_direct_hash (a->function) * 31 + g_direct_hash (a->argument);
}

gboolean type_equal_applications (gconstpointer x, gconstpointer y) {
  const TypeApplication *a = x, *b = y;
  return a->function == b->function && a->argument == b->argument;
}

/* Checks the body of a function or a procedure. */
static const Type *check_body (TypeChecker *checker, RspSpan span, const char *name,
                               const Type *function, const Type *argument) {
  const RspCatExpr *fun = function->kind == TYPE_PROCEDURE ? NULL : function->code;
  const RspCatStatement *procedure = fun ? NULL : function->code;
  const RspCatPattern *pattern = fun ? fun->pattern : procedure->pattern;
  const char *problem = NULL;
  const TypeEnv *env = type_bind_pattern (checker, function->env, pattern, argument, &problem);
  if (env && fun)
    return type_expr (checker, fun->a, env);
  if (env)
    type_statements (checker, procedure->body, env);
  else
    rsp_type_error (checker, span, NULL, "%s does not fit: %s",
                    name ? rsp_arena_printf (checker->arena, "the argument of `%s`", name)
                         : "the argument",
                    problem);
  return &type_unknown;
}

/* The result of an application: the known one, or that of checking the body. While the body is
 * being checked, the result counts as unknown, which ends recursion. */
static const Type *apply_once (TypeChecker *checker, RspSpan span, const char *name,
                               const Type *function, const Type *argument) {
  TypeApplication key = { function, argument };
  const Type *known = g_hash_table_lookup (checker->applications, &key);
  guint active = GPOINTER_TO_UINT (g_hash_table_lookup (checker->active, function->code));
  if (known || active >= MAX_ACTIVE)
    return known ? known : &type_unknown;
  TypeApplication *kept = rsp_arena_copy (checker->arena, &key, sizeof key);
  g_hash_table_insert (checker->applications, kept, (gpointer) &type_unknown);
  g_hash_table_insert (checker->active, (gpointer) function->code, GUINT_TO_POINTER (active + 1));
  guint errors = rsp_type_count_errors (checker);
  const Type *result = check_body (checker, span, name, function, argument);
  if (rsp_type_count_errors (checker) > errors)
    result = &type_unknown;
  g_hash_table_insert (checker->applications, kept, (gpointer) result);
  g_hash_table_insert (checker->active, (gpointer) function->code, GUINT_TO_POINTER (active));
  return result;
}

/* Errors in the body that only this application causes also show its place. */
static void note_application (TypeChecker *checker, RspSpan span, const char *name,
                              const char *what, guint errors) {
  if (rsp_type_count_errors (checker) == errors || checker->exhausted)
    return;
  guint n = rsp_diagnostics_count (checker->diagnostics);
  const RspDiagnostic *last = rsp_diagnostics_get (checker->diagnostics, n - 1);
  if (last->span.source == span.source && last->span.begin == span.begin)
    return; /* it is about the application itself */
  if (name)
    rsp_note (checker->diagnostics, span, "in this %s of `%s`", what, name);
  else
    rsp_note (checker->diagnostics, span, "in this %s", what);
}

/* name: what is applied, for messages; or NULL. */
static const Type *type_apply (TypeChecker *checker, RspSpan span, const char *name,
                               const Type *function, const Type *argument) {
  if (function == &type_unknown)
    return &type_unknown;
  if (function->filter)
    function = type_builtin (checker, TYPE_BUILTIN_FILTER, name ? name : "ext", NULL, 0);
  if (function->kind == TYPE_BUILTIN)
    return type_apply_builtin (checker, span, function, argument);
  if (function->kind == TYPE_CLOSURE) {
    guint errors = rsp_type_count_errors (checker);
    const Type *result = apply_once (checker, span, name, function, argument);
    note_application (checker, span, name, "application", errors);
    return result;
  }
  const char *hint = function->kind == TYPE_PROCEDURE ? "a procedure is run by `call`"
                     : type_is_relation (function)    ? "relations are composed by `;`"
                                                      : NULL;
  rsp_type_error (
      checker, span, hint, "%s is applied as if it were a function",
      name ? rsp_arena_printf (checker->arena, "`%s`, %s,", name, type_describe (checker, function))
           : type_describe (checker, function));
  return &type_unknown;
}

const Type *type_check_alone (TypeChecker *checker, RspSpan span, const Type *function) {
  guint errors = rsp_type_count_errors (checker);
  apply_once (checker, span, NULL, function, &type_unknown);
  return rsp_type_count_errors (checker) > errors ? &type_unknown : function;
}

void type_call (TypeChecker *checker, RspSpan span, const char *name, const Type *procedure,
                const Type *argument) {
  guint errors = rsp_type_count_errors (checker);
  apply_once (checker, span, name, procedure, argument);
  note_application (checker, span, name, "call", errors);
}

/* ---- Builtin -------------------------------------------------------------------------------- */

/* Types of the predefined functions. */

/* Types by the letters of base_names.def. */
static const char *const signatures[TYPE_N_BUILTINS] = {
#define RSP_BASE_FUNCTION(id, name, signature, meaning) [TYPE_BUILTIN_##id] = signature,
#include "model/base_names.def"
  [TYPE_BUILTIN_FILTER] = "r>r",
};

/* The type that a letter of a signature denotes. */
static const Type *type_of_letter (TypeChecker *checker, char letter) {
  switch (letter) {
  case 's':
    return &type_set;
  case 'r':
    return &type_relation;
  case 't':
    return type_tag (checker, NULL);
  case '*':
    return &type_unknown;
  case 'S':
    return type_set_of (checker, &type_set);
  case 'R':
    return type_set_of (checker, &type_relation);
  default:
    return type_set_of (checker, type_set_of (checker, &type_relation));
  }
}

static gboolean fits (const Type *type, const Type *parameter) {
  switch (parameter->kind) {
  case TYPE_UNKNOWN:
    return TRUE;
  case TYPE_SET:
    return type_is_set (type);
  case TYPE_RELATION:
    return type_is_relation (type);
  case TYPE_SET_OF:
    return type == &type_unknown || type == &type_empty
           || (type->kind == TYPE_SET_OF && fits (type->items[0], parameter->items[0]));
  default:
    return type == &type_unknown || type->kind == parameter->kind;
  }
}

/* The result, given all arguments. */
static const Type *check_arguments (TypeChecker *checker, RspSpan span, const Type *call) {
  const char *signature = signatures[call->builtin];
  for (guint i = 0; i < call->n; i++) {
    const Type *parameter = type_of_letter (checker, signature[i]);
    if (fits (call->items[i], parameter))
      continue;
    const char *found = type_describe (checker, call->items[i]);
    const char *kind = type_describe (checker, parameter);
    if (call->n > 1)
      rsp_type_error (checker, span, NULL, "argument %u of `%s` is %s: found %s", i + 1, call->name,
                      kind, found);
    else
      rsp_type_error (checker, span, NULL, "`%s` takes %s: found %s", call->name, kind, found);
  }
  return type_of_letter (checker, signature[call->n + 1]);
}

/* The element type of the argument that map and fold iterate over. */
static const Type *elements_of (TypeChecker *checker, RspSpan span, const char *name,
                                const Type *set) {
  const Type *element = type_element (checker, set);
  if (!element)
    rsp_type_error (checker, span, NULL, "`%s` iterates over a set: found %s", name,
                    type_describe (checker, set));
  return element ? element : &type_unknown;
}

/* fold f (s, x) is f (e1, f (e2, … x)). Two rounds find a type that further rounds do not
 * change. */
static const Type *apply_fold (TypeChecker *checker, RspSpan span, const Type *call) {
  const Type *element = elements_of (checker, span, "fold", call->items[1]);
  const Type *value = call->items[2];
  for (guint round = 0; round < 2; round++) {
    const Type *pair[] = { element, value };
    const Type *next
        = type_apply (checker, span, NULL, call->items[0], type_tuple (checker, pair, 2));
    const Type *joined = type_join (checker, value, next);
    if (!joined)
      rsp_type_error (checker, span, NULL, "`fold` begins with %s and goes on with %s",
                      type_describe (checker, value), type_describe (checker, next));
    if (!joined || joined == value)
      return value;
    value = joined;
  }
  return value;
}

/* The call with one more argument or, if that is a tuple, with its items. NULL if there are too
 * many, which is reported. */
static const Type *add_argument (TypeChecker *checker, RspSpan span, const Type *call,
                                 const Type *argument, guint arity) {
  gboolean spread = arity > 1 && argument->kind == TYPE_TUPLE;
  guint added = spread ? argument->n : 1, n = call->n + added;
  if (n > arity) {
    rsp_type_error (checker, span, NULL, "`%s` takes %u arguments: found %u", call->name, arity, n);
    return NULL;
  }
  g_autofree const Type **all = g_new0 (const Type *, n + 1);
  for (guint i = 0; i < call->n; i++)
    all[i] = call->items[i];
  for (guint i = 0; i < added; i++)
    all[call->n + i] = spread ? argument->items[i] : argument;
  return type_builtin (checker, call->builtin, call->name, all, n);
}

/* The function of this name that takes as many arguments as are given at once; or else itself. */
static const Type *overloaded (TypeChecker *checker, const Type *function, const Type *argument) {
  static const char *const names[TYPE_N_BUILTINS] = {
#define RSP_BASE_FUNCTION(id, name, signature, meaning) [TYPE_BUILTIN_##id] = name,
#include "model/base_names.def"
  };
  guint n = argument->kind == TYPE_TUPLE ? argument->n : 1;
  for (guint i = 0; i < TYPE_N_BUILTINS; i++)
    if (names[i] && strcmp (names[i], function->name) == 0 && strcspn (signatures[i], ">") == n)
      return type_builtin (checker, (TypeBuiltin) i, names[i], NULL, 0);
  return function;
}

static const Type *type_apply_builtin (TypeChecker *checker, RspSpan span, const Type *function,
                                       const Type *argument) {
  if (function->n == 0)
    function = overloaded (checker, function, argument);
  guint arity = (guint) strcspn (signatures[function->builtin], ">");
  if (argument == &type_unknown && function->n + 1 < arity)
    return &type_unknown; /* one, or a tuple of all */
  const Type *call = add_argument (checker, span, function, argument, arity);
  if (!call)
    return &type_unknown;
  if (call->n < arity)
    return call;
  if (call->builtin == TYPE_BUILTIN_map) {
    const Type *element = elements_of (checker, span, "map", call->items[1]);
    return type_set_of (checker, type_apply (checker, span, NULL, call->items[0], element));
  }
  return call->builtin == TYPE_BUILTIN_fold ? apply_fold (checker, span, call)
                                            : check_arguments (checker, span, call);
}

/* ---- Expr ----------------------------------------------------------------------------------- */

/* Types of expressions: the model evaluated on types. */

enum {
  MAX_DEPTH = 4000,   /* of nested expressions, through the bodies of applied functions */
  MAX_STEPS = 1000000 /* expressions visited, over a whole model */
};

/* ---- Names and tags ---- */
/* Tags of orders and scopes, and tags named as predefined sets, need no enum. */
static gboolean is_predefined_tag (TypeChecker *checker, const char *tag) {
  static const char *const tags[] = {
#define TAG(tag, events, scope) tag,
#include "model/tags.def"
  };
  for (gsize i = 0; i < G_N_ELEMENTS (tags); i++)
    if (strcmp (tags[i], tag) == 0)
      return TRUE;
  const Type *type = g_hash_table_lookup (checker->predefined, tag);
  return type && type->kind == TYPE_SET;
}

static const Type *enum_of_tag (TypeChecker *checker, const char *tag, RspSpan span) {
  const Type *type = g_hash_table_lookup (checker->tags, tag);
  if (type)
    return type;
  if (is_predefined_tag (checker, tag))
    return type_tag (checker, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key;
  g_hash_table_iter_init (&iter, checker->tags);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (names, key);
  g_ptr_array_add (names, NULL);
  const char *near = rsp_nearest (tag, (const char *const *) names->pdata);
  g_autofree char *hint = near ? g_strdup_printf ("did you mean `'%s`?", near)
                               : g_strdup ("tags are declared by `enum t = 'a || 'b`");
  rsp_type_error (checker, span, hint, "no enum declares the tag `'%s`", tag);
  return type_tag (checker, NULL);
}

/* ---- Sets and tuples ---- */
static const Type *type_set_literal (TypeChecker *checker, const RspCatExpr *expr,
                                     const TypeEnv *env) {
  const Type *element = &type_unknown;
  for (guint i = 0; i < expr->n_items; i++) {
    const Type *item = type_expr (checker, expr->items[i], env);
    const Type *joined = type_join (checker, element, item);
    if (!joined)
      rsp_type_error (checker, expr->items[i]->span, NULL,
                      "the elements of a set must have the same type: found %s, after %s",
                      type_describe (checker, item), type_describe (checker, element));
    else
      element = joined;
  }
  return type_set_of (checker, element);
}

/* ---- Conditions ---- */
/* A condition that is being checked. */
typedef struct Checked {
  TypeChecker *checker;
  const TypeEnv *env;
} Checked;

/* Its truth depends on values. */
static RspTruth check_comparison (const RspCatCondition *condition, gpointer data) {
  TypeChecker *checker = ((const Checked *) data)->checker;
  const TypeEnv *env = ((const Checked *) data)->env;
  const Type *a = type_expr (checker, condition->a, env);
  const Type *b = type_expr (checker, condition->b, env);
  gboolean subset = condition->kind == RSP_CAT_COND_SUBSET;
  const Type *joined = type_join (checker, a, b);
  if (condition->kind == RSP_CAT_COND_IN) {
    const Type *element = type_element (checker, b);
    if (!element || !type_join (checker, element, a))
      rsp_type_error (checker, condition->span, NULL,
                      "`in` takes an element of a set: left is %s, right is %s",
                      type_describe_operand (checker, condition->a, a),
                      type_describe_operand (checker, condition->b, b));
  } else if (!joined || (subset && joined->kind == TYPE_TAG) || joined->kind >= TYPE_CLOSURE)
    rsp_type_error (checker, condition->span, NULL,
                    "`%s` compares two sets or two relations: left is %s, right is %s",
                    subset                                   ? "subset"
                    : condition->kind == RSP_CAT_COND_NEQUAL ? "!="
                                                             : "=",
                    type_describe_operand (checker, condition->a, a),
                    type_describe_operand (checker, condition->b, b));
  return RSP_OPEN;
}

RspTruth type_condition (TypeChecker *checker, const RspCatCondition *condition,
                         const TypeEnv *env) {
  return model_condition (checker->model, condition, check_comparison, &(Checked){ checker, env });
}

static const Type *join_branches (TypeChecker *checker, const RspCatExpr *expr, const char *what,
                                  const Type *a, const Type *b) {
  const Type *joined = type_join (checker, a, b);
  if (joined)
    return joined;
  rsp_type_error (checker, expr->span, NULL, "the branches of `%s` differ: one is %s, another %s",
                  what, type_describe (checker, a), type_describe (checker, b));
  return &type_unknown;
}

/* ---- match ---- */
static gboolean fits_tag (TypeChecker *checker, const RspCatClause *clause,
                          const RspCatExpr *subject, const Type *type) {
  const Type *tag = enum_of_tag (checker, clause->names[0], clause->span);
  gboolean is_tag = type->kind == TYPE_TAG;
  if (type == &type_unknown || (is_tag && (type == tag || !type->name || !tag->name)))
    return TRUE;
  if (is_tag)
    rsp_type_error (checker, clause->span, NULL,
                    "`'%s` is a tag of `%s`, but the matched value is one of `%s`",
                    clause->names[0], tag->name, type->name);
  else
    rsp_type_error (checker, clause->span, NULL,
                    "this clause takes a tag, but the matched value is %s",
                    type_describe_operand (checker, subject, type));
  return FALSE;
}

const TypeEnv *type_clause (TypeChecker *checker, const RspCatClause *clause,
                            const RspCatExpr *subject, const Type *type, const TypeEnv *env) {
  if (clause->kind == RSP_CAT_CLAUSE_ANY)
    return env;
  if (clause->kind == RSP_CAT_CLAUSE_TAG)
    return fits_tag (checker, clause, subject, type) ? env : NULL;
  if (type_element (checker, type)) {
    const Type *element = type_element (checker, type);
    const Type *rest = type->kind == TYPE_EVENT      ? &type_set
                       : type->kind == TYPE_UNIVERSE ? &type_relation
                                                     : type;
    const Type *cons[] = { element, rest }, *split[] = { rest, element, rest };
    gboolean is_cons = clause->kind == RSP_CAT_CLAUSE_CONS;
    for (guint i = 0; i < (is_cons ? 2 : 3); i++)
      if (clause->names[i])
        env = type_bind (checker, env, clause->names[i], is_cons ? cons[i] : split[i]);
    return env;
  }
  rsp_type_error (checker, clause->span, NULL,
                  "this clause takes a set, but the matched value is %s",
                  type_describe_operand (checker, subject, type));
  return NULL;
}

static const Type *type_match (TypeChecker *checker, const RspCatExpr *expr, const TypeEnv *env) {
  const Type *subject = type_expr (checker, expr->a, env);
  const Type *result = &type_unknown;
  for (const RspCatClause *clause = expr->clauses; clause; clause = clause->next) {
    const TypeEnv *inner = type_clause (checker, clause, expr->a, subject, env);
    if (inner)
      result = join_branches (checker, clause->body, "match", result,
                              type_expr (checker, clause->body, inner));
  }
  return result;
}

/* ---- try ---- */
/* Errors in e of `try e with e'` are not reported; e' is then the value. Names that a model tries
 * in this way may be unbound. */
static const Type *type_try (TypeChecker *checker, const RspCatExpr *expr, const TypeEnv *env) {
  GHashTable *unbound = checker->unbound, *applications = checker->applications;
  guint n = rsp_diagnostics_count (checker->diagnostics);
  guint errors = rsp_type_count_errors (checker);
  checker->unbound = g_hash_table_new (g_str_hash, g_str_equal);
  checker->applications = g_hash_table_new (type_hash_application, type_equal_applications);
  checker->tries++;
  const Type *tried = type_expr (checker, expr->a, env);
  checker->tries--;
  gboolean fails = rsp_type_count_errors (checker) > errors;
  g_hash_table_unref (checker->unbound);
  g_hash_table_unref (checker->applications);
  checker->unbound = unbound;
  checker->applications = applications;
  if (fails && !checker->exhausted) {
    rsp_diagnostics_truncate (checker->diagnostics, n);
    checker->n_errors = errors;
  }
  const Type *otherwise = type_expr (checker, expr->b, env);
  return fails ? otherwise : join_branches (checker, expr, "try", tried, otherwise);
}

/* ---- Expressions ---- */
static const Type *type_of_kind (TypeChecker *checker, const RspCatExpr *expr, const TypeEnv *env) {
  switch (expr->kind) {
  case RSP_CAT_NAME: {
    const Type *type = type_look_up (checker, env, expr->name);
    if (type) {
      type_note_predefined (checker, env, expr->name, expr->span);
      return type;
    }
    type_report_unbound (checker, env, expr->name, expr->span, RSP_ERROR);
    return &type_unknown;
  }
  case RSP_CAT_TAG:
    return enum_of_tag (checker, expr->name, expr->span);
  case RSP_CAT_EMPTY:
    return &type_empty;
  case RSP_CAT_UNIVERSE:
    return &type_set;
  case RSP_CAT_SET:
    return type_set_literal (checker, expr, env);
  case RSP_CAT_TUPLE: {
    g_autofree const Type **items = g_new0 (const Type *, expr->n_items + 1);
    for (guint i = 0; i < expr->n_items; i++)
      items[i] = type_expr (checker, expr->items[i], env);
    return type_tuple (checker, items, expr->n_items);
  }
  case RSP_CAT_APPLY: {
    const Type *function = type_expr (checker, expr->a, env);
    const Type *argument = type_expr (checker, expr->b, env);
    const char *name = expr->a->kind == RSP_CAT_NAME ? expr->a->name : NULL;
    return type_apply (checker, expr->span, name, function, argument);
  }
  case RSP_CAT_FUN: {
    type_check_distinct (checker, NULL, expr->pattern);
    return type_check_alone (checker, expr->span, type_closure (checker, expr, env));
  }
  case RSP_CAT_LET:
    return type_expr (checker, expr->a, type_let (checker, expr->bindings, expr->recursive, env));
  case RSP_CAT_IF: {
    RspTruth truth = type_condition (checker, expr->condition, env);
    if (truth != RSP_OPEN)
      return type_expr (checker, truth == RSP_HOLDS ? expr->a : expr->b, env);
    const Type *yes = type_expr (checker, expr->a, env);
    return join_branches (checker, expr, "if", yes, type_expr (checker, expr->b, env));
  }
  case RSP_CAT_MATCH:
    return type_match (checker, expr, env);
  case RSP_CAT_TRY:
    return type_try (checker, expr, env);
  default: {
    const Type *a = type_expr (checker, expr->a, env);
    return type_operator (checker, expr, a, expr->b ? type_expr (checker, expr->b, env) : NULL);
  }
  }
}

const Type *type_expr (TypeChecker *checker, const RspCatExpr *expr, const TypeEnv *env) {
  if (checker->exhausted)
    return &type_unknown;
  if (checker->depth >= MAX_DEPTH || checker->steps >= MAX_STEPS) {
    /* Functions that do not terminate, or not in practice. */
    rsp_type_error (checker, expr->span, NULL,
                    "the functions of this model call each other without end");
    checker->exhausted = TRUE;
    return &type_unknown;
  }
  checker->depth++;
  checker->steps++;
  const Type *type = type_of_kind (checker, expr, env);
  checker->depth--;
  return type;
}
