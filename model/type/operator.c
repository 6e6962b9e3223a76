/* Types of the operators between and on sets and relations. */
#include "model/type/operator.h"
#include "model/type/check.h"

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

static const Type *compose (TypeChecker *checker, const RspCatExpr *expr, const Type *a,
                            const Type *b) {
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

static const Type *multiply (TypeChecker *checker, const RspCatExpr *expr, const Type *a,
                             const Type *b) {
  if (type_is_set (a) && type_is_set (b))
    return &type_relation;
  const char *hint = type_is_relation (a) ? "relations are composed by `;`" : NULL;
  report_operands (checker, expr, a, b, hint, "is the product of two sets");
  return &type_relation;
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

/* a ++ b: a is added to the elements of b. */
static const Type *add (TypeChecker *checker, const RspCatExpr *expr, const Type *a,
                        const Type *b) {
  const Type *extended = extend (checker, a, b);
  if (extended)
    return extended;
  const char *hint = type_join (checker, a, b) ? "union is written `|`" : NULL;
  report_operands (checker, expr, a, b, hint, "adds an element to a set of such elements");
  return &type_unknown;
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

static const Type *close_relation (TypeChecker *checker, const RspCatExpr *expr, const Type *a) {
  if (!type_is_relation (a))
    report_operand (checker, expr, a, NULL, "a relation");
  return &type_relation;
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

const Type *type_operator (TypeChecker *checker, const RspCatExpr *expr, const Type *a,
                           const Type *b) {
  switch (expr->kind) {
  case RSP_CAT_UNION:
  case RSP_CAT_INTER:
  case RSP_CAT_DIFF:
    return combine (checker, expr, a, b);
  case RSP_CAT_SEQ:
    return compose (checker, expr, a, b);
  case RSP_CAT_PRODUCT:
    return multiply (checker, expr, a, b);
  case RSP_CAT_ADD:
    return add (checker, expr, a, b);
  case RSP_CAT_COMPLEMENT:
    return complement (checker, expr, a);
  case RSP_CAT_IDENTITY:
  case RSP_CAT_SQUARE:
    return of_set (checker, expr, a);
  default:
    return close_relation (checker, expr, a);
  }
}
