/* Types of the predefined functions. */
#include "model/type.h"

#include <string.h>

/* Parameters (s set, r relation, t tag, S set of sets, Q set of sets of relations), then `>` and
 * the result (also R: set of relations). More than one parameter: a tuple of them. */
static const char *const signatures[TYPE_N_BUILTINS] = {
  [TYPE_BUILTIN_DOMAIN] = "r>s",
  [TYPE_BUILTIN_RANGE] = "r>s",
  [TYPE_BUILTIN_NOID] = "r>r",
  [TYPE_BUILTIN_CLASSES] = "r>S",
  [TYPE_BUILTIN_LINEARISATIONS] = "sr>R",
  [TYPE_BUILTIN_CROSS] = "Q>R",
  [TYPE_BUILTIN_PARTITION] = "s>S",
  [TYPE_BUILTIN_CLASSES_LOC] = "s>S",
  [TYPE_BUILTIN_TAG2EVENTS] = "t>s",
  [TYPE_BUILTIN_TAG2SCOPE] = "t>r",
  [TYPE_BUILTIN_FROMTO] = "s>r",
  [TYPE_BUILTIN_TOID] = "s>r",
  [TYPE_BUILTIN_CTRLCFENCE] = "s>r",
  [TYPE_BUILTIN_IMPLY] = "rr>r",
  [TYPE_BUILTIN_NODETOUR] = "rrr>r",
  [TYPE_BUILTIN_SINGLESTEP] = "r>r",
  [TYPE_BUILTIN_CO_LOCS] = "rS>Q",
  [TYPE_BUILTIN_GENERATE_ORDERS] = "sr>R",
  [TYPE_BUILTIN_GENERATE_COS] = "r>R",
  [TYPE_BUILTIN_FILTER] = "r>r",
};

/* The type that a letter of a signature stands for. */
static const Type *
type_of_letter (TypeChecker *checker, char letter)
{
  switch (letter)
    {
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

static gboolean
fits (const Type *type, const Type *parameter)
{
  switch (parameter->kind)
    {
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

static const Type *
apply_signature (TypeChecker *checker, RspSpan span, const Type *function, const Type *argument)
{
  const char *signature = signatures[function->builtin];
  guint n = (guint)strcspn (signature, ">");
  const Type *result = type_of_letter (checker, signature[n + 1]);
  if (n > 1 && argument == &type_unknown)
    return result;
  if (n > 1 && (argument->kind != TYPE_TUPLE || argument->n != n))
    {
      guint given = argument->kind == TYPE_TUPLE ? argument->n : 1;
      type_error (checker, span, NULL, "`%s` takes %u arguments: found %u", function->name, n,
                  given);
      return result;
    }
  for (guint i = 0; i < n; i++)
    {
      const Type *parameter = type_of_letter (checker, signature[i]);
      const Type *given = n > 1 ? argument->items[i] : argument;
      if (fits (given, parameter))
        continue;
      const char *found = type_describe (checker, given);
      const char *kind = type_describe (checker, parameter);
      if (n > 1)
        type_error (checker, span, NULL, "argument %u of `%s` is %s: found %s", i + 1,
                    function->name, kind, found);
      else
        type_error (checker, span, NULL, "`%s` takes %s: found %s", function->name, kind, found);
    }
  return result;
}

/* The type of the elements of what map and fold go through. */
static const Type *
elements_of (TypeChecker *checker, RspSpan span, const char *name, const Type *set)
{
  const Type *element = type_element (checker, set);
  if (!element)
    type_error (checker, span, NULL, "`%s` goes through a set: found %s", name,
                type_describe (checker, set));
  return element ? element : &type_unknown;
}

static const Type *
apply_map (TypeChecker *checker, RspSpan span, const Type *map, const Type *set)
{
  const Type *element = elements_of (checker, span, "map", set);
  return type_set_of (checker, type_apply (checker, span, NULL, map->items[0], element));
}

/* fold f (s, x) is f (e1, f (e2, … x)). Two rounds find the type that no further round changes. */
static const Type *
apply_fold (TypeChecker *checker, RspSpan span, const Type *fold, const Type *argument)
{
  if (argument == &type_unknown)
    return &type_unknown;
  if (argument->kind != TYPE_TUPLE || argument->n != 2)
    {
      type_error (checker, span, "it is written `fold f (s, x)`",
                  "`fold` takes a set and a first value: found %s",
                  type_describe (checker, argument));
      return &type_unknown;
    }
  const Type *element = elements_of (checker, span, "fold", argument->items[0]);
  const Type *value = argument->items[1];
  for (guint round = 0; round < 2; round++)
    {
      const Type *pair[] = { element, value };
      const Type *next
          = type_apply (checker, span, NULL, fold->items[0], type_tuple (checker, pair, 2));
      const Type *joined = type_join (checker, value, next);
      if (!joined)
        type_error (checker, span, NULL, "`fold` begins with %s and goes on with %s",
                    type_describe (checker, value), type_describe (checker, next));
      if (!joined || joined == value)
        return value;
      value = joined;
    }
  return value;
}

const Type *
type_apply_builtin (TypeChecker *checker, RspSpan span, const Type *function, const Type *argument)
{
  gboolean map = function->builtin == TYPE_BUILTIN_MAP;
  gboolean fold = function->builtin == TYPE_BUILTIN_FOLD;
  if (!map && !fold)
    return apply_signature (checker, span, function, argument);
  if (function->n)
    return map ? apply_map (checker, span, function, argument)
               : apply_fold (checker, span, function, argument);
  return type_builtin (checker, function->builtin, function->name, &argument, 1);
}
