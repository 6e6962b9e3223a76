/* Types of the predefined functions. */
#include "model/type/builtin.h"
#include "model/type/apply.h"
#include "model/type/check.h"

#include <string.h>

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

/* map f s */
static const Type *apply_map (TypeChecker *checker, RspSpan span, const Type *call) {
  const Type *element = elements_of (checker, span, "map", call->items[1]);
  return type_set_of (checker, type_apply (checker, span, NULL, call->items[0], element));
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

const Type *type_apply_builtin (TypeChecker *checker, RspSpan span, const Type *function,
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
  return call->builtin == TYPE_BUILTIN_map    ? apply_map (checker, span, call)
         : call->builtin == TYPE_BUILTIN_fold ? apply_fold (checker, span, call)
                                              : check_arguments (checker, span, call);
}
