#include "parser/proposition.h"

RspProp *rsp_prop_new (RspArena *arena, RspPropKind kind, RspSpan span, RspProp *a, RspProp *b) {
  RspProp *prop = rsp_arena_new0 (arena, RspProp, 1);
  prop->kind = kind;
  prop->span = span;
  prop->a = a;
  prop->b = b;
  return prop;
}

/* ---- Truth ---- */

RspTruth rsp_prop_truth (const RspProp *prop, RspAtomTruth atom, gpointer data) {
  switch (prop->kind) {
  case RSP_PROP_TRUE:
    return RSP_HOLDS;
  case RSP_PROP_FALSE:
    return RSP_FAILS;
  case RSP_PROP_ATOM:
    return atom (prop, data);
  case RSP_PROP_NOT:
    return rsp_truth_not (rsp_prop_truth (prop->a, atom, data));
  default:
    break;
  }
  RspTruth decisive = prop->kind == RSP_PROP_AND ? RSP_FAILS : RSP_HOLDS;
  RspTruth a = rsp_prop_truth (prop->a, atom, data);
  if (prop->kind == RSP_PROP_IMPLIES)
    a = rsp_truth_not (a);
  if (a == decisive)
    return decisive;
  RspTruth b = rsp_prop_truth (prop->b, atom, data);
  return b == decisive || a != RSP_OPEN ? b : RSP_OPEN;
}

/* ---- Text ---- */

/* How tightly a proposition binds. */
static guint strength (const RspProp *prop) {
  switch (prop->text ? RSP_PROP_ATOM : prop->kind) {
  case RSP_PROP_OR:
    return 0;
  case RSP_PROP_AND:
    return 1;
  case RSP_PROP_IMPLIES:
    return 2;
  default:
    return 3;
  }
}

/* Formats with a word before a negation's parenthesis. */
static void format_with (const RspProp *prop, const char *negation, GString *out);

/* An operand of `outer`, in parentheses if it binds less tightly than `least`. Also, as in herd's
 * logs, if it is an implication inside of another connective, where readers forget that `=>` binds
 * tighter. */
static void format_member (const RspProp *prop, const RspProp *outer, guint least,
                           const char *negation, GString *out) {
  gboolean parentheses = strength (prop) < least
                         || (prop->kind == RSP_PROP_IMPLIES && outer->kind != RSP_PROP_IMPLIES);
  if (parentheses)
    g_string_append_c (out, '(');
  format_with (prop, negation, out);
  if (parentheses)
    g_string_append_c (out, ')');
}

/* herd's log readers do not know `!=`. */
static void format_atom (const RspProp *prop, const char *negation, GString *out) {
  static const char *const operators[]
      = { [RSP_OP_EQ] = "=",  [RSP_OP_NE] = "=", [RSP_OP_LT] = "<",
          [RSP_OP_LE] = "<=", [RSP_OP_GT] = ">", [RSP_OP_GE] = ">=" };
  gboolean unequal = prop->op == RSP_OP_NE;
  if (unequal)
    g_string_append_printf (out, "%s(", negation);
  g_string_append (out, prop->left.text);
  g_string_append (out, operators[prop->op]);
  g_string_append (out, prop->right.text);
  if (unequal)
    g_string_append_c (out, ')');
}

static void format_with (const RspProp *prop, const char *negation, GString *out) {
  static const char *const joints[]
      = { [RSP_PROP_AND] = " /\\ ", [RSP_PROP_OR] = " \\/ ", [RSP_PROP_IMPLIES] = " => " };
  if (prop->text) {
    g_string_append (out, prop->text);
    return;
  }
  switch (prop->kind) {
  case RSP_PROP_TRUE:
  case RSP_PROP_FALSE:
    g_string_append (out, prop->kind == RSP_PROP_TRUE ? "true" : "false");
    break;
  case RSP_PROP_ATOM:
    format_atom (prop, negation, out);
    break;
  case RSP_PROP_NOT:
    g_string_append_printf (out, "%s(", negation);
    format_with (prop->a, negation, out);
    g_string_append_c (out, ')');
    break;
  default:
    format_member (prop->a, prop, strength (prop) + (prop->kind == RSP_PROP_IMPLIES), negation,
                   out);
    g_string_append (out, joints[prop->kind]);
    format_member (prop->b, prop, strength (prop), negation, out);
  }
}

void rsp_prop_format (const RspProp *prop, GString *out) {
  format_with (prop, "not ", out); /* herd's word */
}

char *rsp_condition_format (RspQuantifier quantifier, const RspProp *prop, const char *negation) {
  static const char *const words[] = { "exists", "~exists", "forall" };
  GString *out = g_string_new (words[quantifier]);
  g_string_append (out, " (");
  format_with (prop, negation, out);
  g_string_append_c (out, ')');
  return g_string_free (out, FALSE);
}
